# A static binary in an empty image.
#
#   docker build -t zonewalk .
#   docker run --rm -v "$PWD/models:/models:ro" zonewalk check /models/fischer.xml

FROM rust:1-alpine AS build
# Rust on Alpine links statically against musl; its C start files come with musl-dev.
RUN apk add --no-cache musl-dev
WORKDIR /source
COPY Cargo.toml Cargo.lock ./
COPY crates crates
RUN cargo build --release --locked --package zonewalk \
    && strip target/release/zonewalk

FROM scratch
COPY --from=build /source/target/release/zonewalk /zonewalk
# Nobody: the command needs no rights of its own.
USER 65534:65534
WORKDIR /work
ENTRYPOINT ["/zonewalk"]
