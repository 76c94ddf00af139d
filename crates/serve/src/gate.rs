//! Whether a request may pass, and the headers of every answer.
//!
//! Other programs of the same machine can connect to the port, and pages of other sites can make a browser do so. The first do not
//! know the token. The second are kept out three times: by the token, by the origin that browsers tell, and by the name of the host,
//! which is a foreign one when a site's own name is made to lead here (DNS rebinding).

use crate::failure::Failure;
use crate::token::Token;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// Access control: token and allowed hosts.
#[derive(Debug)]
pub(crate) struct Gate {
    token: Token,
    /// `127.0.0.1:4711`, `localhost:4711`; without the port where that is the usual one.
    hosts: Vec<String>,
}

impl Gate {
    pub(crate) fn new(token: Token, port: u16) -> Self {
        let names = ["127.0.0.1", "localhost"];
        let mut hosts: Vec<String> = names.iter().map(|name| format!("{name}:{port}")).collect();
        // Browsers leave out the port that every such address has unless it says otherwise.
        if port == 80 {
            hosts.extend(names.map(str::to_owned));
        }
        Gate { token, hosts }
    }

    fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), Failure> {
        let refuse = |why: &str| Err(Failure::new(StatusCode::FORBIDDEN, why));
        let hosts = headers.get_all(header::HOST).iter();
        let hosts: Vec<_> = hosts.map(|host| host.to_str().unwrap_or_default()).collect();
        if !matches!(hosts.as_slice(), [host] if self.hosts.iter().any(|known| known == host)) {
            return refuse("this server answers to 127.0.0.1 and localhost with its port only");
        }
        for origin in headers.get_all(header::ORIGIN) {
            let origin = origin.to_str().unwrap_or_default();
            let host = origin.strip_prefix("http://").unwrap_or_default();
            if !self.hosts.iter().any(|known| known == host) {
                return refuse("requests from pages of other origins are refused");
            }
        }
        let site = headers
            .get("sec-fetch-site")
            .map(|site| site.to_str().unwrap_or_default());
        if !matches!(site, None | Some("same-origin" | "none")) {
            return refuse("requests from pages of other sites are refused");
        }
        // The page itself is opened by an address; all other requests tell the token where it is in no history.
        let given = if method == Method::GET && uri.path() == "/" {
            query_value(uri, "token")
        } else {
            let given = headers.get(header::AUTHORIZATION);
            given
                .and_then(|given| given.to_str().ok())
                .and_then(|given| given.strip_prefix("Bearer "))
        };
        match given {
            Some(given) if self.token.is(given) => Ok(()),
            _ => Err(Failure::new(
                StatusCode::UNAUTHORIZED,
                "the access token is missing or wrong: open the address that `zonewalk serve` has printed",
            )),
        }
    }
}

/// A value in the query of an address, not decoded.
pub(crate) fn query_value<'u>(uri: &'u Uri, name: &str) -> Option<&'u str> {
    let pairs = uri.query()?.split('&');
    pairs
        .filter_map(|pair| pair.split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value)
}

/// Lets a request pass or refuses it.
pub(crate) async fn pass(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let checked = gate.check(request.method(), request.uri(), request.headers());
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(failure) => failure.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    // The page has a policy of its own, which allows its own script.
    if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
        let nothing = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
        headers.insert(header::CONTENT_SECURITY_POLICY, nothing);
    }
    response
}

const HEADERS: [(&str, &str); 6] = [
    ("cache-control", "no-store"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];
