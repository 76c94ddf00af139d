"""The command `zonewalk`: the same one as that of the Rust package."""

import sys

from . import _native


def main() -> None:
    """Runs the command with the arguments of this process, and ends it with its exit status."""
    program = [sys.executable, "-m", "zonewalk"]
    sys.exit(_native.command(["zonewalk", *sys.argv[1:]], program))


if __name__ == "__main__":
    main()
