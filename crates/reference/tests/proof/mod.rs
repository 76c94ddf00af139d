//! The judge of proofs on certificates that are written down by hand.

mod claims;
mod closed;
mod ranks;
mod rules;
mod values;

use zonewalk_certificate::{Certificate, Columns};
use zonewalk_reference::proof::{Judgement, Limits, judge};
use zonewalk_testkit::{Loaded, xta};

/// The text of a certificate with these nodes, one a line.
pub(crate) fn text(loaded: &Loaded, claim: &str, nodes: &str) -> String {
    let columns = Columns::of(&loaded.model, &loaded.system).unwrap();
    let nodes: Vec<&str> = nodes
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let words = |name: &str, words: Vec<&str>| [vec![name], words].concat().join(" ");
    let mut lines = vec![
        "zonewalk-certificate 1".to_owned(),
        "model by hand".to_owned(),
        "query".to_owned(),
        format!("claim {claim}"),
        words(
            "processes",
            columns.processes.iter().map(String::as_str).collect(),
        ),
        words("clocks", columns.clocks.iter().map(String::as_str).collect()),
        words(
            "variables",
            columns.cells.iter().map(|cell| cell.name.as_str()).collect(),
        ),
    ];
    lines.extend(nodes.iter().map(|&node| node.to_owned()));
    lines.push(format!("end {}\n", nodes.len()));
    lines.join("\n")
}

/// The judge's answer; `query` may be empty.
#[track_caller]
pub(crate) fn judged(loaded: &Loaded, query: &str, claim: &str, nodes: &str) -> Judgement {
    let columns = Columns::of(&loaded.model, &loaded.system).unwrap();
    let certificate = Certificate::read(text(loaded, claim, nodes).as_bytes(), &columns);
    let certificate = certificate.unwrap_or_else(|error| panic!("{error}"));
    let query = (!query.is_empty()).then(|| loaded.query(query).unwrap_or_else(|e| panic!("{e}")));
    judge(
        &loaded.model,
        &loaded.system,
        query.as_ref(),
        &certificate,
        &Limits::default(),
    )
}

#[track_caller]
pub(crate) fn accepted(model: &str, query: &str, claim: &str, nodes: &str) {
    let judgement = judged(&xta(model), query, claim, nodes);
    assert!(matches!(judgement, Judgement::Accepted(_)), "{judgement:?}");
}

/// Checks the obligation, and that the message has some words.
#[track_caller]
pub(crate) fn refused(model: &str, query: &str, claim: &str, nodes: &str, obligation: &str, words: &str) {
    let judgement = judged(&xta(model), query, claim, nodes);
    let Judgement::Refused(refusal) = &judgement else {
        panic!("{judgement:?}");
    };
    assert_eq!(refusal.obligation.name(), obligation, "{refusal}");
    assert!(refusal.to_string().contains(words), "{refusal}");
}
