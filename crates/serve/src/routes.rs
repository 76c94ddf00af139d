//! Which request is which command.

use crate::command::{Command, Page};
use crate::failure::Failure;
use crate::gate::{self, Gate, query_value};
use crate::page;
use crate::shared::Shared;
use crate::worker::{Message, Reply};
use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::{Arc, mpsc};
use tokio::sync::oneshot;

/// Bodies of commands.
const SMALL: usize = 64 << 10;

/// Bodies with runs: some hundred thousand steps.
const LARGE: usize = 256 << 20;

/// Where runs are loaded.
const LOAD: &str = "/api/load";

/// State shared by the handlers.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) worker: mpsc::Sender<Message>,
    pub(crate) shared: Arc<Shared>,
}

/// All that the server answers to.
pub(crate) fn router(context: Context, gate: Arc<Gate>) -> Router {
    Router::new()
        .route(LOAD, post(load))
        .layer(DefaultBodyLimit::max(LARGE))
        .merge(commands().layer(DefaultBodyLimit::max(SMALL)))
        .fallback(async || Failure::new(StatusCode::NOT_FOUND, "there is no such page"))
        .method_not_allowed_fallback(async || {
            let why = "that is not how to ask: what changes something is asked for by POST, all else by GET";
            Failure::new(StatusCode::METHOD_NOT_ALLOWED, why)
        })
        .with_state(context)
        .layer(middleware::from_fn(limit))
        .layer(middleware::from_fn_with_state(gate, gate::pass))
}

fn commands() -> Router<Context> {
    Router::new()
        .route("/", get(page::answer))
        .route("/api/status", get(status))
        .route(
            "/api/model",
            get(|State(c): State<Context>| view(c, Command::Model)),
        )
        .route("/api/run", get(|State(c): State<Context>| view(c, Command::Run)))
        .route("/api/steps", get(steps))
        .route(
            "/api/zone",
            get(|State(c): State<Context>| view(c, Command::Zone)),
        )
        .route(
            "/api/trace",
            get(|State(c): State<Context>| view(c, Command::Trace)),
        )
        .route("/api/save", get(save))
        .route("/api/take", change(Command::Take))
        .route("/api/wait", change(Command::Wait))
        .route("/api/undo", change(Command::Undo))
        .route("/api/restart", change(Command::Restart))
        .route("/api/jump", change(Command::Jump))
        .route("/api/random", change(Command::Random))
        .route("/api/check", change(Command::Check))
        .route("/api/open", change(|_: Nothing| Command::Open))
        .route("/api/cancel", post(cancel))
}

/// A body that says nothing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// A command whose body is JSON.
fn change<T: DeserializeOwned + Send + 'static>(
    command: fn(T) -> Command,
) -> axum::routing::MethodRouter<Context> {
    post(
        async move |State(context): State<Context>, headers: HeaderMap, body: Body| match read::<T>(
            &headers, body,
        ) {
            Ok(body) => view(context, command(body)).await,
            Err(failure) => failure.into_response(),
        },
    )
}

fn read<T: DeserializeOwned>(headers: &HeaderMap, body: Body) -> Result<T, Failure> {
    is_json(headers)?;
    let body = whole(body)?;
    let body = if body.is_empty() { b"{}" } else { &body[..] };
    serde_json::from_slice(body)
        .map_err(|error| Failure::bad(format!("the body is not as expected: {error}")))
}

/// A body, or why it was not read.
type Body = Result<Bytes, BytesRejection>;

fn whole(body: Body) -> Result<Bytes, Failure> {
    body.map_err(|rejection| Failure::new(rejection.status(), rejection.body_text()))
}

/// Refuses what says that it is too large before any of it is read.
async fn limit(request: Request, next: Next) -> Response {
    let most = if request.uri().path() == LOAD {
        LARGE
    } else {
        SMALL
    };
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > most as u64) {
        let why = format!("the body is too large: at most {} KiB are read", most >> 10);
        return Failure::new(StatusCode::PAYLOAD_TOO_LARGE, why).into_response();
    }
    next.run(request).await
}

/// Forms of other sites cannot send JSON without asking first.
fn is_json(headers: &HeaderMap) -> Result<(), Failure> {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if kind.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let why = "the body has to be JSON, with the content type application/json";
    Err(Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, why))
}

async fn ask(context: Context, command: Command) -> Result<Reply, Failure> {
    let gone = || Failure::new(StatusCode::SERVICE_UNAVAILABLE, "the server is ending");
    let (reply, answer) = oneshot::channel();
    context
        .worker
        .send(Message { command, reply })
        .map_err(|_| gone())?;
    answer.await.map_err(|_| gone())?
}

async fn view(context: Context, command: Command) -> Response {
    match ask(context, command).await {
        Ok(Reply::View(view)) => json_answer(&view),
        Ok(Reply::Document(bytes)) => document(bytes),
        Err(failure) => failure.into_response(),
    }
}

fn json_answer(view: &Value) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json; charset=utf-8")];
    (kind, view.to_string()).into_response()
}

fn document(bytes: Vec<u8>) -> Response {
    let head = [
        (header::CONTENT_TYPE, "application/json; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"run.json\""),
    ];
    (head, bytes).into_response()
}

/// Told without the worker, which may be busy.
async fn status(State(context): State<Context>) -> Response {
    let news = context.shared.news().clone();
    let job = context.shared.job().map(|job| job.view());
    json_answer(&json!({ "news": news, "job": job }))
}

async fn steps(State(context): State<Context>, uri: Uri) -> Response {
    let number = |name: &str, default: usize| match query_value(&uri, name) {
        None => Ok(default),
        Some(text) => text
            .parse()
            .map_err(|_| Failure::bad(format!("`{name}` has to be a number, not `{text}`"))),
    };
    match (number("from", 0), number("count", 500)) {
        (Ok(from), Ok(count)) => view(context, Command::Steps(Page { from, count })).await,
        (Err(failure), _) | (_, Err(failure)) => failure.into_response(),
    }
}

async fn save(State(context): State<Context>) -> Response {
    view(context, Command::Save).await
}

async fn load(State(context): State<Context>, headers: HeaderMap, body: Body) -> Response {
    match is_json(&headers).and_then(|()| whole(body)) {
        Ok(body) => view(context, Command::Load(body.to_vec())).await,
        Err(failure) => failure.into_response(),
    }
}

/// The search ends with what it has; this goes past the worker, which may be busy.
async fn cancel(State(context): State<Context>, headers: HeaderMap, body: Body) -> Response {
    if let Err(failure) = read::<Nothing>(&headers, body) {
        return failure.into_response();
    }
    match context.shared.job().filter(|job| job.is_running()) {
        Some(job) => {
            job.cancel();
            json_answer(&job.view())
        }
        None => Failure::conflict("no query is being decided").into_response(),
    }
}
