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
        ("E<> a\nE<> b", "expected one formula, not several"),
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

/// Skipped entries are counted, so that the other queries keep their numbers in the file.
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

/// Only the first error of a line is reported; later ones follow from it.
#[test]
fn one_error_of_syntax_a_query() {
    let mut sources = SourceMap::new();
    let entry = read_query("<-q 1>", "A<> [] ] (", &mut sources).unwrap();
    assert_eq!(entry.errors.len(), 1);
}

/// Queries that are not decided here are recognised by their form, whatever is in them.
#[test]
fn other_queries_are_known_by_name() {
    let mut sources = SourceMap::new();
    for (text, form) in [
        ("Pr[<=100](<> a) under S", "under"),
        ("simulate 5 [<=10] {x, y} under S", "under"),
        ("Pr[<=9](<> a) under S >= Pr[<=9](<> a) under T", "under"),
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

/// Statistical queries in all their forms.
#[test]
fn statistical_queries() {
    use zonewalk_syntax::ast::{BoundAxis, Mitl, Path, Statistical};
    let mut sources = SourceMap::new();
    let mut read = |text: &str| {
        let entry = read_query("<-q 1>", text, &mut sources).unwrap();
        assert!(entry.errors.is_empty(), "{text}: {:?}", entry.errors);
        match entry.query {
            Some(Query::Statistical(query)) => *query,
            other => panic!("{text}: {other:?}"),
        }
    };
    let Statistical::Probability(sampled) = read("Pr[#<=10; 20]([] a)") else {
        panic!("it is an estimate");
    };
    assert!(matches!(sampled.bound.axis, BoundAxis::Steps) && sampled.bound.runs == Some(20));
    assert!(matches!(sampled.path, Path::Always(_)));
    for (text, threshold) in [("Pr[x[1] <= 9](<> a) >= 0.9", 0.9), ("Pr[<=N]([] a) <= 1", 1.0)] {
        assert!(matches!(read(text), Statistical::Test { threshold: t, .. } if t == threshold));
    }
    assert!(matches!(
        read("Pr[<=9](<> a && b) >= Pr[#<=9](<> b)"),
        Statistical::Comparison(..)
    ));
    let Statistical::Probability(sampled) = read("Pr[<=9](A.x > 3 U B.y)") else {
        panic!("it is an estimate");
    };
    assert!(matches!(sampled.path, Path::Until(..)));
    assert!(matches!(
        read("E[<=100; 5](min: x + 1)"),
        Statistical::Expectation {
            is_maximum: false,
            ..
        }
    ));
    for (text, runs, keep) in [
        ("simulate [<=10] {x}", None, None),
        ("simulate [<=10; 3] {x, y + 1} : a", Some(3), Some(None)),
        ("simulate 7 [<=10] {x , y  +  1} : 2 : a", Some(7), Some(Some(2))),
    ] {
        let Statistical::Simulation { bound, exprs, filter } = read(text) else {
            panic!("{text} draws curves");
        };
        assert_eq!((bound.runs, filter.map(|f| f.keep)), (runs, keep), "{text}");
        assert!(exprs.len() == 1 || exprs[1].text == "y + 1");
    }
    let response = "Pr ([][0,900](a != 3 || (a == 3 && U[1] > 0 U[0,16] (a != 3))))";
    let Statistical::Mitl(Mitl::Always(times, body)) = read(response) else {
        panic!("it is about always");
    };
    assert_eq!((times.from, times.to), (0, 900));
    let Mitl::Or(parts) = *body else {
        panic!("it has two parts");
    };
    assert!(matches!(&parts[..], [Mitl::Atom(_), Mitl::Until(..)]));
    assert!(matches!(
        read("Pr(<>[0,2] (a + b) > 3 and c)"),
        Statistical::Mitl(Mitl::And(_))
    ));
}

/// Malformed statistical queries get a specific message.
#[test]
fn statistical_queries_that_are_none() {
    let mut sources = SourceMap::new();
    for (text, message) in [
        ("Pr[<10](<> a)", "written with `<=`"),
        ("Pr(<> a)", "expected an interval of time"),
        ("Pr(a)", "expected a bound in brackets"),
        ("Pr[<=10](a)", "expected `<>`, `[]` or `p U q`"),
        ("Pr[<=10](<> a) >= 2", "this is not a probability"),
        ("Pr[<=10](<> a) <= Pr[<=10](<> b)", "compared with `>=`"),
        ("Pr(<>[5,2] a)", "is empty"),
        ("E[<=10; 5](sum: x)", "expected `max:` or `min:`"),
        ("simulate 3 [<=10; 4] {x}", "given twice"),
        ("simulate [<=10; n] {x}", "expected the number of runs"),
        ("simulate [<=10] x", "expected `{` and expressions"),
    ] {
        let entry = read_query("<-q 1>", text, &mut sources).unwrap();
        let error = entry
            .errors
            .first()
            .unwrap_or_else(|| panic!("{text} is accepted"));
        assert!(error.message.contains(message), "{text}: {}", error.message);
    }
}
