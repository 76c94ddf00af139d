//! The page: one answer, with its style and its script in it. Style and script are those of reports, followed by what is live.

use crate::failure::Failure;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

const PAGE: &str = include_str!("../page/live.html");
const STYLE: &str = include_str!("../page/live.css");
/// In the order of what needs what.
const SCRIPT: &str = concat!(
    include_str!("../page/ask.js"),
    include_str!("../page/queries.js"),
    include_str!("../page/live.js")
);

/// Only the style and the script with the number of this answer are run, and the page talks to no other server.
pub(crate) async fn answer() -> Response {
    let mut bytes = [0; 16];
    if getrandom::fill(&mut bytes).is_err() {
        let why = "the system has no source of chance";
        return Failure::new(StatusCode::INTERNAL_SERVER_ERROR, why).into_response();
    }
    let nonce: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; \
         img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let page = PAGE
        .replace("{{nonce}}", &nonce)
        .replace("{{style}}", &format!("{}{STYLE}", zonewalk_page::style()))
        .replace("{{script}}", &zonewalk_page::script(SCRIPT));
    let head = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    (head, page).into_response()
}
