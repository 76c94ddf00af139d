//! Notes about queries that ask nothing: empty ones, comments and headings.

use zonewalk_syntax::ast::{NoQuery, SkippedQuery};

/// Their numbers, each with what stands there: `1, 10 (empty), 2 (a comment)`.
pub(crate) fn list(skipped: &[SkippedQuery]) -> String {
    let kinds = [NoQuery::Empty, NoQuery::Comment, NoQuery::Heading];
    let of_kind = |kind| {
        let numbers: Vec<_> = skipped
            .iter()
            .filter(|query| query.kind == kind)
            .map(|query| query.number.to_string())
            .collect();
        let words = in_words(kind, numbers.len());
        (!numbers.is_empty()).then(|| format!("{} ({words})", numbers.join(", ")))
    };
    let kinds: Vec<_> = kinds.into_iter().filter_map(of_kind).collect();
    kinds.join(", ")
}

/// Name of one or several queries of a kind.
pub(crate) fn in_words(kind: NoQuery, count: usize) -> &'static str {
    match (kind, count) {
        (NoQuery::Empty, _) => "empty",
        (NoQuery::Comment, 1) => "a comment",
        (NoQuery::Comment, _) => "comments",
        (NoQuery::Heading, 1) => "a heading",
        (NoQuery::Heading, _) => "headings",
    }
}
