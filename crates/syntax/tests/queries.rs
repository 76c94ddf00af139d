//! Query files and formulas.

// A helper that unwraps is an assertion.
#![allow(clippy::unwrap_used)]

use zonewalk_syntax::ast::{NoQuery, Query, QueryEntry};
use zonewalk_syntax::read::{read_model, read_queries, read_query};
use zonewalk_syntax::source::SourceMap;

fn file(text: &str) -> (Vec<QueryEntry>, SourceMap) {
    let mut sources = SourceMap::new();
    let (queries, diagnostics) = read_queries("test.q", text.as_bytes(), &mut sources);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    (queries.entries, sources)
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
    let mut read = |text: &str| read_query("<-q 1>", text, &mut sources);
    let good = read(" E<> a\n  and b ").unwrap();
    assert!(good.errors.is_empty() && good.query.is_some());
    assert_eq!(good.text, "E<> a and b");
    for (text, message) in [
        ("E<> a\nE<> b", "one formula is expected here, not several"),
        ("E<> a b", "unexpected `b`"),
    ] {
        let entry = read(text).unwrap();
        assert!(entry.query.is_none());
        assert_eq!(entry.errors[0].message, message, "{text}");
    }
    for (text, kind) in [
        ("", NoQuery::Empty),
        (" \n", NoQuery::Empty),
        ("// a", NoQuery::Comment),
        ("== a ==", NoQuery::Heading),
    ] {
        assert_eq!(read(text).unwrap_err(), kind, "{text}");
    }
    assert_eq!(sources.iter().count(), 7);
}

/// What is skipped counts, so that the others keep the numbers that they have in the file.
#[test]
fn skipped_queries_keep_the_numbers_of_the_others() {
    let formula = |text: &str| format!("<query><formula>{text}</formula></query>");
    let formulas: String = [
        "",
        "// about P",
        "E&lt;&gt; a",
        "== Safety ==",
        "A[] b\nA[] c",
        "Liveness:\nA&lt;&gt; d",
        "E&lt;&gt; e f",
    ]
    .map(formula)
    .concat();
    let text = format!("<nta><system>system P;</system><queries>{formulas}<query/></queries></nta>");
    let mut sources = SourceMap::new();
    let (document, _) = read_model("m.xml", text.as_bytes(), None, &mut sources);
    let queries = document.unwrap().queries;
    let entries: Vec<_> = queries.entries.iter().map(|q| (q.number, &*q.text)).collect();
    assert_eq!(
        entries,
        [
            (3, "E<> a"),
            (5, "A[] b"),
            (6, "A[] c"),
            (8, "A<> d"),
            (9, "E<> e f")
        ]
    );
    let skipped: Vec<_> = queries.skipped.iter().map(|q| (q.number, q.kind)).collect();
    let (empty, comment, heading) = (NoQuery::Empty, NoQuery::Comment, NoQuery::Heading);
    assert_eq!(
        skipped,
        [(1, empty), (2, comment), (4, heading), (7, heading), (10, empty)]
    );
    // In a file of queries comments and blank lines stand between queries.
    let text = "// Safety\n\n== Safety ==\nE<> a\n\n/* b */\nE<> b\n";
    let (queries, _) = read_queries("m.q", text.as_bytes(), &mut sources);
    let numbers: Vec<_> = queries.entries.iter().map(|q| q.number).collect();
    assert_eq!((numbers, queries.skipped.len()), (vec![2, 3], 1));
}

/// What follows an error in a line follows from it.
#[test]
fn one_error_of_syntax_a_query() {
    let mut sources = SourceMap::new();
    let entry = read_query("<-q 1>", "A<> [] ] (", &mut sources).unwrap();
    assert_eq!(entry.errors.len(), 1);
}

/// Queries that nobody decides here are known by their form, whatever is in them.
#[test]
fn other_queries_are_known_by_name() {
    let mut sources = SourceMap::new();
    for (text, form) in [
        ("Pr[<=100](<> a)", "Pr[…]"),
        ("Pr[#<=10; 20]([] a) >= 0.9", "Pr[…]"),
        ("Pr(<>[0,10] a)", "Pr(…)"),
        ("Pr ((a U[0,3] b))", "Pr(…)"),
        ("simulate 5 [<=10] {x, y}", "simulate"),
        ("simulate [<=10; 5] {x}", "simulate"),
        ("E[<=100; 5](max: x)", "E[…]"),
        ("minE(x)[<=10] : <> a", "minE"),
        ("maxE(x)[<=10] {a} -> {b} : <> a", "maxE"),
        ("strategy S = control: A<> a", "strategy"),
        ("saveStrategy(\"s.json\", S)", "saveStrategy"),
        ("control: A[] a", "control:"),
        ("control_t*(2, 3): A<> a", "control_t*"),
        ("{a, b} control: A<> c", "control:"),
        ("E<> control: A[] a", "E<> control:"),
        ("A[a U b]", "A[… U …]"),
        ("E<> a under S", "under"),
        ("sat: Chart", "sat:"),
        ("refinement: A <= B", "refinement:"),
    ] {
        let entry = read_query("<-q 1>", text, &mut sources).unwrap();
        let Some(Query::Other(other)) = entry.query else {
            panic!("{text}: {:?}", entry.query)
        };
        assert_eq!(other.form, form, "{text}");
    }
}

#[test]
fn deep_formulas_are_refused() {
    let mut sources = SourceMap::new();
    let entry = read_query("<-q 1>", &format!("E<> {}", "(".repeat(100_000)), &mut sources).unwrap();
    assert!(
        entry.errors[0].message.contains("nests deeper"),
        "{}",
        entry.errors[0].message
    );
}
