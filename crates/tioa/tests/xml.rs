//! Components in XML.

// A helper that unwraps is an assertion.
#![allow(clippy::unwrap_used)]

use crate::support;

use support::{render, told};
use zonewalk_tioa::read::load_file;
use zonewalk_tioa::{AlphabetOf, Direction, Kind, Loaded};

/// A template with these locations and edges; the first location is the initial one.
fn template(name: &str, declaration: &str, inside: &str) -> String {
    format!("<template><name>{name}</name><declaration>{declaration}</declaration>{inside}</template>")
}

fn edge(attributes: &str, source: &str, target: &str, labels: &[(&str, &str)]) -> String {
    let labels: String = labels
        .iter()
        .map(|(kind, text)| format!("<label kind=\"{kind}\">{text}</label>"))
        .collect();
    format!(
        "<transition {attributes}><source ref=\"{source}\"/><target ref=\"{target}\"/>{labels}</transition>"
    )
}

fn loaded(globals: &str, templates: &[String], system: &str) -> Loaded {
    let text = format!(
        "<nta><declaration>{globals}</declaration>\n{}\n<system>{system}</system></nta>",
        templates.join("\n")
    );
    load_file("m.xml", text.as_bytes())
        .unwrap_or_else(|error| panic!("{}", render(&error.sources, &error.diagnostics)))
}

const PLACES: &str = r#"<location id="id0"><name>Same</name><label kind="invariant">x &lt; 5 || x &gt; 9</label></location>
<location id="id1"><name>Same</name><urgent/></location><location id="id2"><name>inc</name></location>
<location id="id3"><committed/><label kind="exponentialrate">3</label></location><init ref="id0"/>"#;

#[test]
fn templates_are_components() {
    let edges = [
        edge(
            "id=\"t7\"",
            "id0",
            "id1",
            &[("synchronisation", "go!"), ("assignment", "x = 3, x := 4")],
        ),
        edge(
            "controllable=\"false\"",
            "id1",
            "id2",
            &[("synchronisation", "in?"), ("guard", "x - y == 2")],
        ),
        edge(
            "controllable=\"false\"",
            "id1",
            "id3",
            &[("synchronisation", "out")],
        ),
        edge("action=\"\"", "id3", "id0", &[("synchronisation", "in")]),
        edge("", "id3", "id0", &[("guard", "( x &gt;5 )")]),
    ];
    let inside = format!("{PLACES}{}", edges.concat());
    let loaded = loaded(
        "// nothing, not even channels",
        &[template("A", "clock x, y;", &inside)],
        "Process = Template();\nsystem Process;",
    );
    assert_eq!(loaded.project.alphabet, Some(AlphabetOf::Edges));
    let a = loaded.project.component("A").unwrap();
    let names: Vec<(&str, Option<&str>)> = (a.locations.iter())
        .map(|l| (l.name.as_str(), l.alias.as_deref()))
        .collect();
    assert_eq!(
        names,
        [
            ("id0", Some("Same")),
            ("id1", Some("Same")),
            ("id2", Some("inc")),
            ("id3", None)
        ]
    );
    assert_eq!(a.locations[0].invariant.text(&a.clocks), "x < 5 || x > 9");
    let urgent: Vec<bool> = a.locations.iter().map(|l| l.urgent).collect();
    assert_eq!(urgent, [false, true, false, true]);
    assert_eq!(a.locations[2].kind, Kind::Inconsistent);
    let edges: Vec<String> = (a.edges.iter())
        .map(|e| {
            let sign = match e.direction {
                Direction::Input => '?',
                Direction::Output => '!',
            };
            let action = loaded.project.action_name(e.action);
            format!("{} {}→{} {action}{sign}", e.id, e.source.0, e.target.0)
        })
        .collect();
    assert_eq!(
        edges,
        [
            "t7 0→1 go!",
            "E2 1→2 in?",
            "E3 1→3 out!",
            "E4 3→0 in?",
            "E5 3→0 !"
        ]
    );
    assert_eq!(a.edges[0].updates.len(), 1);
    assert_eq!(a.edges[0].updates[0].1, 4);
    insta::assert_snapshot!(told(&loaded));
}

#[test]
fn one_broken_template_leaves_the_others() {
    let place = r#"<location id="id0"/><init ref="id0"/>"#;
    let both = [
        edge("", "id0", "id0", &[("synchronisation", "a!")]),
        edge("", "id0", "id0", &[("synchronisation", "a?")]),
    ];
    let templates = [
        template(
            "Good",
            "clock x; bool on;",
            &format!(
                "{place}{}",
                edge(
                    "",
                    "id0",
                    "id0",
                    &[
                        ("synchronisation", "a?"),
                        ("guard", "on == false"),
                        ("assignment", "on = true")
                    ]
                )
            ),
        ),
        template("Both", "", &format!("{place}{}", both.concat())),
        template(
            "Unknown",
            "clock x;",
            &format!(
                "{place}{}",
                edge(
                    "",
                    "id0",
                    "id0",
                    &[("synchronisation", "a!"), ("guard", "y &lt; 3")]
                )
            ),
        ),
        template(
            "Shared",
            "",
            &format!(
                "{place}{}",
                edge(
                    "",
                    "id0",
                    "id0",
                    &[("synchronisation", "a!"), ("assignment", "g = 1")]
                )
            ),
        ),
        template("NoStart", "", r#"<location id="id0"/>"#),
        template("Good2", "", place),
        template("Good2", "", place),
    ];
    let loaded = loaded(
        "int g; broadcast chan a;",
        &templates,
        "system Good; IO Good { a?, b! }",
    );
    let names: Vec<&str> = loaded
        .project
        .components
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(names, ["Good"]);
    // Data and an `IO` line: the line counts.
    assert_eq!(loaded.project.alphabet, Some(AlphabetOf::Declared));
    assert_eq!(loaded.project.components[0].locations.len(), 2);
    insta::assert_snapshot!(told(&loaded));
}

#[test]
fn what_is_no_model_is_told() {
    for (text, message) in [
        ("", "the file is empty"),
        (
            "<nta></nta>",
            "the file has no template, so there is no component",
        ),
        ("<nta><template>", ""),
        ("\0\0\0", ""),
    ] {
        let error = load_file("m.xml", text.as_bytes()).unwrap_err();
        let found = error.diagnostics.iter().find(|d| d.is_error()).unwrap();
        assert!(found.message.contains(message), "{text}: {}", found.message);
    }
}
