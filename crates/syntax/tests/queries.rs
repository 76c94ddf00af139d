//! Query files and formulas.

// A helper that unwraps is an assertion.
#![allow(clippy::unwrap_used)]

use zonewalk_syntax::ast::{Query, QueryEntry};
use zonewalk_syntax::read::{read_formula, read_queries};
use zonewalk_syntax::source::SourceMap;

fn file(text: &str) -> (Vec<QueryEntry>, SourceMap) {
    let mut sources = SourceMap::new();
    let (queries, diagnostics) = read_queries("test.q", text.as_bytes(), &mut sources);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    (queries, sources)
}

#[test]
fn one_query_a_line() {
    let (queries, sources) = file(
        "//This file was generated from UPPAAL\r\n\r\n/*\r\nsafe\r\n*/\r\nA[] not (a.x \\\r\n  and b.y)\r\n\r\n/* EXPECT:F */ E<> c\n\
         \n// first\n// second\na --> b // third\nPr[<=100](<> a)\n",
    );
    let texts: Vec<_> = queries.iter().map(|q| q.text.as_str()).collect();
    assert_eq!(
        texts,
        ["A[] not (a.x and b.y)", "E<> c", "a --> b", "Pr[<=100](<> a)"]
    );
    assert!(queries.iter().all(|q| q.query.is_some() && q.errors.is_empty()));
    assert!(matches!(queries[2].query, Some(Query::LeadsTo(..))));
    let comments: Vec<_> = queries.iter().map(|q| q.comment.as_str()).collect();
    assert_eq!(comments, ["safe", "EXPECT:F", "first\nsecond\nthird", ""]);
    assert_eq!(sources.slice(queries[0].span), "A[] not (a.x \\\r\n  and b.y)");
    let outcome = queries[1].outcome.as_ref().unwrap();
    assert_eq!((outcome.outcome.as_str(), outcome.expected), ("failure", true));
}

#[test]
fn errors_stay_with_their_query() {
    let (queries, sources) = file("E<> a &&\nA[] b \\\n  + ) c\nE<> d");
    let errors: Vec<_> = queries.iter().map(|q| q.errors.len()).collect();
    assert_eq!(errors, [1, 1, 0]);
    let at = |i: usize| {
        let start = queries[i].errors[0].primary.span.start;
        let position = sources.source(start).unwrap().position(start);
        (position.line, position.column)
    };
    assert_eq!(at(0), (1, 9));
    assert_eq!(at(1), (3, 5));
}

#[test]
fn words_do_not_grow_together() {
    // The token before the break ends there, not at the next line.
    let (queries, sources) = file("E<> a.b \\\n  c");
    let span = queries[0].errors[0].primary.span;
    assert_eq!(sources.slice(span), "c");
    let (queries, _) = file("E<> a and\\\nb");
    assert!(queries[0].errors.is_empty());
}

#[test]
fn formulas() {
    let mut sources = SourceMap::new();
    let mut read = |text: &str| read_formula("<-q 1>", text, &mut sources);
    let good = read(" E<> a\n  and b ");
    assert!(good.errors.is_empty() && good.query.is_some());
    assert_eq!(good.text, "E<> a and b");
    for (text, message) in [
        ("", "the formula is empty"),
        ("// a", "the formula is empty"),
        ("E<> a\nE<> b", "one formula is expected here, not several"),
        ("E<> a b", "unexpected `b`"),
    ] {
        let entry = read(text);
        assert!(entry.query.is_none());
        assert_eq!(entry.errors[0].message, message, "{text}");
    }
    assert_eq!(sources.iter().count(), 5);
}

#[test]
fn deep_formulas_are_refused() {
    let mut sources = SourceMap::new();
    let entry = read_formula("<-q 1>", &format!("E<> {}", "(".repeat(100_000)), &mut sources);
    assert!(
        entry.errors[0].message.contains("nests deeper"),
        "{}",
        entry.errors[0].message
    );
}
