//! Texts of queries.

// A helper that unwraps is an assertion.
#![allow(clippy::unwrap_used)]

use crate::support;

use proptest::prelude::*;
use support::{MACHINE, project, render};
use zonewalk_syntax::source::SourceMap;
use zonewalk_tioa::query::{parse, parse_at};
use zonewalk_tioa::{Instance, Query, Relation, StateFormula, System};

/// A query in the text of its data.
fn read(text: &str) -> String {
    let queries = parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let texts: Vec<String> = queries.iter().map(ToString::to_string).collect();
    texts.join("; ")
}

#[test]
fn queries_of_every_kind() {
    let same = [
        "refinement: A <= B",
        "refinement: (A || B) && C <= D // E",
        "consistency: A",
        "consistency: A || B [fullyConsistent]",
        "determinism: A[1] && A[left side]",
        "implementation: Node(3) || Node(-1,0)",
        "specification: A",
        "reachability: A @ init -> A.L1",
        "reachability: A || B @ A.L0 && B.L1 -> A.x - B.y <= 5 || !(A.x > 3) && true",
        "get-component: A || B save-as C",
        "prune: A save-as B",
        "prune: A",
        "bisim-minim: A",
    ];
    for text in same {
        let again = read(text);
        assert_eq!(read(&again), again, "{text}");
    }
    assert_eq!(
        read("refinement: (A||B)<=C ;\n determinism:A;;"),
        "refinement: A || B <= C; determinism: A"
    );
}

#[test]
fn precedence() {
    let cases = [
        ("refinement: A && B || C <= D", "refinement: (A && B) || C <= D"),
        ("refinement: A || B && C <= D", "refinement: A || (B && C) <= D"),
        ("refinement: A // B // C <= D", "refinement: (A // B) // C <= D"),
        ("refinement: A // B || C <= D", "refinement: A // (B || C) <= D"),
        ("refinement: A \\\\ B <= A \\ B", "refinement: A // B <= A // B"),
        (
            "refinement: ((A)) <= (B && C) && D",
            "refinement: A <= (B && C) && D",
        ),
        (
            "reachability: A @ init -> A.a or A.b and not A.c",
            "reachability: A @ init -> A.a || (A.b && !A.c)",
        ),
        (
            "reachability: A @ init -> 3 < A.x - 1",
            "reachability: A @ init -> A.x > 4",
        ),
        (
            "reachability: A @ init -> A.x != 2",
            "reachability: A @ init -> A.x < 2 || A.x > 2",
        ),
        (
            "reachability: A @ init -> A.x - A.x <= -1",
            "reachability: A @ init -> false",
        ),
        (
            "reachability: A @ init -> A.x + 2 >= A.y - 3",
            "reachability: A @ init -> A.x - A.y >= -5",
        ),
        ("reachability: A -> A.L", "reachability: A @ init -> A.L"),
    ];
    for (text, expected) in cases {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn mixes_of_operators_are_told() {
    let warnings = |text: &str| parse_at(text, 1).unwrap().warnings.len();
    assert_eq!(warnings("refinement: A && B || C <= D"), 1);
    assert_eq!(warnings("refinement: (A && B) || C <= D"), 0);
    assert_eq!(warnings("refinement: A || B // C <= D"), 1);
    assert_eq!(warnings("refinement: A // B // C <= D || E"), 0);
    assert_eq!(warnings("determinism: A save-as B"), 1);
    assert_eq!(warnings("refinement: A <= B save-as C"), 1);
    assert_eq!(warnings("reachability: A @ init -> A.L save-as C"), 1);
    assert_eq!(warnings("prune: A save-as C"), 0);
}

#[test]
fn errors_say_where_and_what() {
    let texts = [
        "",
        " ; ",
        "refinment: A <= B",
        "Refinement: A <= B",
        "E<> Alarm.L11",
        "<= A",
        "refinement A <= B",
        "refinement: A B",
        "refinement: A >= B",
        "refinement: A <= ",
        "refinement: A <= B C",
        "refinement: (A <= B",
        "refinement: A && <= B",
        "consistency: (A : A[] not B.C)",
        "consistency: A[1",
        "consistency: A & B",
        "get-component: A save-as",
        "get-component: A save as B",
        "get-comp: A",
        "determinism: Node(",
        "reachability: A",
        "reachability: A @ A.x",
        "reachability: A @ init -> A",
        "reachability: A @ init -> A.x + A.y < 3",
        "reachability: A @ init -> A.x < 99999999999",
        "reachability: A @ init -> (A.L",
        "reachability: A @ init -> 3",
        "xyz: A",
        "Template <= RefinedTemplate",
        "determinism: A; (A || B) ≤ C ; consistency: B",
        "A B <= C",
    ];
    let mut out = String::new();
    for text in texts {
        let mut sources = SourceMap::new();
        let base = sources.add("<query>", text.to_owned()).unwrap();
        let error = parse_at(text, base).unwrap_err();
        out.push_str(&format!("{text}\n{}\n", render(&sources, &[*error])));
    }
    insta::assert_snapshot!(out);
}

#[test]
fn names_are_looked_up() {
    let loaded = project(&[
        ("Components/Machine.json", MACHINE),
        ("Components/Bad.json", "{\"name\": \"Bad\"}"),
    ]);
    let mut out = String::new();
    for text in [
        "refinement: Machine <= Machne",
        "refinement: Machine <= Bad || Something",
        "reachability: Machine @ Machine.Idle -> Machine.L2 && Machine.x < 3 && Machine.z > 1",
        "consistency: Machine",
    ] {
        let mut sources = loaded.sources.clone();
        let base = sources.add("<query>", text.to_owned()).unwrap();
        let errors = parse_at(text, base).unwrap().unknown_names(&loaded.project);
        out.push_str(&format!("{text}\n{}\n", render(&sources, &errors)));
    }
    insta::assert_snapshot!(out);
}

#[test]
fn drawn_systems_are_known() {
    let drawn = |name: &str, part: &str| {
        format!(
            r#"{{"name": "{name}", "componentInstances": [{{"id": 1, "componentName": "Machine"}},
            {{"id": 2, "componentName": "{part}"}}], "operators": [{{"id": 3, "type": "composition"}}],
            "edges": [{{"child": 3, "parent": 0}}, {{"child": 1, "parent": 3}}, {{"child": 2, "parent": 3}}]}}"#
        )
    };
    let loaded = project(&[
        ("Components/Machine.json", MACHINE),
        ("Systems/One.json", &drawn("One", "Machine")),
        ("Systems/Two.json", &drawn("Two", "One")),
        ("Systems/Loop.json", &drawn("Loop", "Loop")),
        ("Systems/Short.json", &drawn("Short", "Gone")),
        ("Systems/Empty.json", "{}"),
        ("Systems/Holds.json", &drawn("Holds", "Empty")),
    ]);
    let expand = |text: &str| match &parse(text).unwrap()[0] {
        Query::Consistency { system, .. } => loaded.project.expand(system).map(|s| s.to_string()),
        _ => unreachable!("consistency is asked for"),
    };
    assert_eq!(
        expand("consistency: Two[a]").unwrap(),
        "Machine[a] || (Machine[a] || Machine[a])"
    );
    assert!(expand("consistency: Loop").is_err());
    let errors = parse_at("consistency: Short", 1)
        .unwrap()
        .unknown_names(&loaded.project);
    assert_eq!(
        errors[0].message,
        "the system `Short` names `Gone`, which does not exist"
    );
    let errors = parse_at("consistency: Empty", 1)
        .unwrap()
        .unknown_names(&loaded.project);
    assert_eq!(errors[0].message, "the drawn system `Empty` cannot be used");
    assert_eq!(
        expand("consistency: Holds").unwrap_err().to_string(),
        "`Empty` has errors"
    );
}

#[test]
fn nesting_is_bounded() {
    for text in [
        format!("consistency: {}A", "(".repeat(100_000)),
        format!("reachability: A @ init -> {}A.L", "!".repeat(100_000)),
        format!("reachability: A @ init -> {}A.L", "(".repeat(100_000)),
    ] {
        assert_eq!(parse(&text).unwrap_err().code.as_str(), "nesting");
    }
    // Long chains are no nesting.
    let chain = vec!["A"; 100_000].join(" || ");
    assert_eq!(parse(&format!("consistency: {chain}")).unwrap().len(), 1);
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Z][a-z0-9_]{0,5}",
        "[A-Z]\\([0-9]\\)",
        "[A-Z]\\(-?[0-9],[0-9]\\)"
    ]
}

fn instance() -> impl Strategy<Value = Instance> {
    (name(), proptest::option::of("[a-z0-9]{1,4}")).prop_map(|(name, tag)| Instance { name, tag })
}

fn system() -> impl Strategy<Value = System> {
    let leaf = instance().prop_map(System::Component);
    leaf.prop_recursive(5, 40, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 2..4).prop_map(System::Composition),
            proptest::collection::vec(inner.clone(), 2..4).prop_map(System::Conjunction),
            (inner.clone(), inner).prop_map(|(whole, part)| System::Quotient {
                whole: Box::new(whole),
                part: Box::new(part)
            }),
        ]
    })
}

fn relation() -> impl Strategy<Value = Relation> {
    prop_oneof![
        Just(Relation::Less),
        Just(Relation::LessEqual),
        Just(Relation::Equal),
        Just(Relation::GreaterEqual),
        Just(Relation::Greater)
    ]
}

fn state() -> impl Strategy<Value = StateFormula> {
    let location = (instance(), "[A-Z][0-9]{0,2}");
    let clock = (instance(), "[x-z][0-9]?(\\[[0-9]\\])?");
    let minus = (instance(), "[u-w][0-9]?");
    let leaf = prop_oneof![
        any::<bool>().prop_map(StateFormula::Constant),
        location.prop_map(|(instance, location)| StateFormula::Location { instance, location }),
        (clock, proptest::option::of(minus), relation(), -1000..1000).prop_map(
            |(clock, minus, relation, bound)| StateFormula::Compare {
                clock,
                minus,
                relation,
                bound
            }
        ),
    ];
    leaf.prop_recursive(4, 20, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 2..4).prop_map(StateFormula::And),
            proptest::collection::vec(inner.clone(), 2..4).prop_map(StateFormula::Or),
            inner.prop_map(|inner| StateFormula::Not(Box::new(inner))),
        ]
    })
}

fn query() -> impl Strategy<Value = Query> {
    let saved = || proptest::option::of("[A-Z][a-z]{0,3}");
    prop_oneof![
        (system(), system()).prop_map(|(left, right)| Query::Refinement { left, right }),
        (system(), any::<bool>()).prop_map(|(system, fully)| Query::Consistency { system, fully }),
        system().prop_map(Query::Determinism),
        system().prop_map(Query::Implementation),
        system().prop_map(Query::Specification),
        (system(), proptest::option::of(state()), state())
            .prop_map(|(system, from, to)| Query::Reachability { system, from, to }),
        (system(), saved()).prop_map(|(system, save_as)| Query::GetComponent { system, save_as }),
        (system(), saved()).prop_map(|(system, save_as)| Query::Prune { system, save_as }),
        system().prop_map(Query::Minimise),
    ]
}

proptest! {
    #[test]
    fn what_is_written_parses_to_the_same(queries in proptest::collection::vec(query(), 1..4)) {
        let texts: Vec<String> = queries.iter().map(ToString::to_string).collect();
        let text = texts.join(";\n");
        let parsed = parse_at(&text, 1);
        prop_assert!(parsed.is_ok(), "{}: {:?}", text, parsed);
        let parsed = parsed.unwrap();
        prop_assert_eq!(&parsed.queries, &queries, "{}", text);
        prop_assert!(parsed.warnings.is_empty());
    }

    #[test]
    fn no_text_makes_it_panic(text in "(refinement: |reachability: |A|B\\.x|\\[1\\]|&&|\\|\\||//|\\\\|<=|->|@ init|\\(|\\)|!|-|[0-9]|;|:|é|\\PC){0,30}") {
        if let Err(error) = parse(&text) {
            let span = error.primary.span;
            prop_assert!(span.start >= 1 && span.end as usize <= text.len() + 1);
        }
    }
}
