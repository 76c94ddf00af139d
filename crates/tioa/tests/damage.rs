//! Damaged files: errors, and no panic.

// A helper that unwraps is an assertion.
#![allow(clippy::unwrap_used)]

use crate::support;

use proptest::prelude::*;
use support::MACHINE;
use zonewalk_tioa::read::{File, load_file, load_folder};

const SYSTEM: &str = r#"{"name": "S", "componentInstances": [{"id": 1, "componentName": "Machine"}],
    "operators": [{"id": 2, "type": "composition"}], "edges": [{"child": 2, "parent": 0}, {"child": 1, "parent": 2}]}"#;

const DECLARATIONS: &str =
    r#"{"declarations": "A = Machine();\nsystem Machine, A;\nIO Machine { coin?, cof! }"}"#;

const XML: &str = r#"<nta><declaration>const int N = 2; chan a[N], b;</declaration>
<template><name>P</name><parameter>const int[0,1] n</parameter><declaration>clock x; int[0,3] i;</declaration>
<location id="id0"><name>Start</name><label kind="invariant">x &lt;= 5 || i == 1</label></location>
<location id="id1"><name>inc</name><urgent/></location><init ref="id0"/>
<transition id="t1"><source ref="id0"/><target ref="id1"/><label kind="select">k : int[0,1]</label>
<label kind="guard">x &gt; 2 &amp;&amp; i &lt; 3</label><label kind="synchronisation">a[k]!</label>
<label kind="assignment">x = 0, i = i + 1</label></transition>
<transition controllable="false"><source ref="id1"/><target ref="id0"/><label kind="synchronisation">b</label></transition>
</template><system>Q = P(1); system P, Q; IO P(m) { a!, b? }</system></nta>"#;

/// Cuts, doubles or replaces a stretch of the text.
fn damaged(text: &str, at: usize, length: usize, insert: &[u8]) -> Vec<u8> {
    let bytes = text.as_bytes();
    let at = at % (bytes.len() + 1);
    let end = (at + length).min(bytes.len());
    [&bytes[..at], insert, &bytes[end..]].concat()
}

fn insertion() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(Vec::new()),
        prop::sample::select(vec![
            "\"",
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\\",
            "\\u003c",
            "\\ud800",
            "null",
            "-1e9",
            "2147483648",
            "x",
            "&&",
            "||",
            "!",
            "forall (q : int[0,9])",
            "x - y",
            "/ 0",
            "++",
            "int i;",
            "IO",
            "<!--",
            "&lt;",
            "é",
            "'",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 0..4),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn damaged_folders(
        which in 0usize..3,
        hits in prop::collection::vec((any::<usize>(), 0usize..12, insertion()), 1..4),
    ) {
        let mut texts = [MACHINE, SYSTEM, DECLARATIONS].map(|text| text.as_bytes().to_vec());
        for (at, length, insert) in hits {
            let text = String::from_utf8_lossy(&texts[which]).into_owned();
            texts[which] = damaged(&text, at, length, &insert);
        }
        let paths = ["Components/Machine.json", "Systems/S.json", "SystemDeclarations.json"];
        let files = paths.iter().zip(texts).map(|(path, bytes)| File {
            path: (*path).to_owned(),
            bytes: Ok(bytes),
        });
        // A component is there, or it is broken for a reason.
        let loaded = load_folder("p", files.collect()).unwrap();
        let found = loaded.project.components.len() + loaded.project.broken.len();
        prop_assert_eq!(found, 1);
        prop_assert!(loaded.project.broken.iter().all(|broken| !broken.errors.is_empty()));
    }

    #[test]
    fn damaged_xml(hits in prop::collection::vec((any::<usize>(), 0usize..12, insertion()), 1..4)) {
        let mut text = XML.as_bytes().to_vec();
        for (at, length, insert) in hits {
            text = damaged(&String::from_utf8_lossy(&text), at, length, &insert);
        }
        match load_file("m.xml", &text) {
            Ok(loaded) => {
                prop_assert!(loaded.project.broken.iter().all(|broken| !broken.errors.is_empty()));
            }
            Err(error) => prop_assert!(error.diagnostics.iter().any(zonewalk_syntax::diagnostic::Diagnostic::is_error)),
        }
    }
}

#[test]
fn the_undamaged_file_loads() {
    let loaded = load_file("m.xml", XML.as_bytes()).unwrap();
    assert!(loaded.project.broken.is_empty(), "{:?}", loaded.project.broken);
    let names: Vec<&str> = loaded
        .project
        .components
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(names, ["P(0)", "P(1)", "Q"]);
}
