//! Projects as folders of JSON files.

// A helper that unwraps is an assertion.
#![allow(clippy::unwrap_used)]

use crate::support;

use std::time::Instant;
use support::{MACHINE, file, project, render, told};
use zonewalk_tioa::read::{File, load_file, load_folder};
use zonewalk_tioa::{AlphabetOf, Direction, Kind, System, load, write};

#[test]
fn a_component_is_read() {
    let loaded = project(&[("Components/Machine.json", MACHINE)]);
    assert_eq!(told(&loaded), "");
    assert_eq!(loaded.project.alphabet, Some(AlphabetOf::Edges));
    assert_eq!(loaded.project.actions, ["coin", "cof"]);
    let machine = loaded.project.component("Machine").unwrap();
    assert_eq!(machine.clocks, ["x", "y"]);
    assert_eq!(machine.locations[0].alias.as_deref(), Some("Idle"));
    assert_eq!(machine.locations[1].invariant.text(&machine.clocks), "x <= 5");
    assert_eq!(machine.locations[2].kind, Kind::Universal);
    let ids: Vec<&str> = machine.edges.iter().map(|edge| edge.id.as_str()).collect();
    assert_eq!(ids, ["E3", "E2", "E4"]);
    assert_eq!(
        machine.edges[1].guard.text(&machine.clocks),
        "x >= 2 && (y < 9 || x - y > 1)"
    );
    assert_eq!(machine.edges[1].direction, Direction::Output);
    let updates: Vec<i32> = machine.edges[0].updates.iter().map(|(_, value)| *value).collect();
    assert_eq!(updates, [0, 2]);
    assert_eq!(
        (machine.alphabet.inputs.len(), machine.alphabet.outputs.len()),
        (1, 1)
    );
}

/// The machine with one text replaced by another.
fn changed(from: &str, to: &str) -> String {
    assert!(MACHINE.contains(from), "{from}");
    let text = MACHINE.replacen(from, to, 1);
    told(&project(&[("Components/Machine.json", &text)]))
}

#[test]
fn what_is_invalid_is_told_with_its_place() {
    let cases = [
        ("\"x > 3\"", "\"x > 3 && z < 2\""),
        ("x\\u003c\\u003d5", "x\\u003c\\u003d5 && q"),
        ("\"targetLocation\": \"U\"", "\"targetLocation\": \"L2\""),
        ("\"id\": \"L1\"", "\"id\": \"L0\""),
        ("\"type\": \"INITIAL\"", "\"type\": \"NORMAL\""),
        ("\"type\": \"NORMAL\"", "\"type\": \"INITIAL\""),
        ("\"type\": \"NORMAL\"", "\"type\": \"START\""),
        ("\"cof!\"", "\"coin\""),
        ("\"cof!\"", "\"cof?\""),
        ("\"status\": \"INPUT\"", "\"status\": \"IN\""),
        ("y = 2,", "y = x + 1"),
        ("y = 2,", "y = -1"),
        ("y = 2,", "y == 2"),
        ("clock x, y;", "clock x, y; double d;"),
        ("\"edges\": [", "\"edges\": [7,"),
        ("\"edges\": [", "\"edges\": {"),
        ("\"declarations\": \"clock", "\"declarations\": 3, \"d\": \"clock"),
        ("\"name\": \"Machine\"", "\"name\": \"Other\""),
        ("\"name\": \"Machine\"", "\"name\": 3"),
        ("\"id\": \"L1\"", "\"id\": 1"),
        ("\"id\": \"L1\"", "\"title\": \"L1\""),
        ("\"guard\": \"x > 3\"", "\"guard\": 5"),
        ("\"targetLocation\": \"U\"", "\"targetLocation\": []"),
        ("y = 2,", "y = y + 1"),
        ("y = 2,", "y = 2147483648"),
        ("\"x > 3\"", "\"x - y > 3 && x < 2147483648\""),
        ("\"x > 3\"", "\"x > -2147483648\""),
    ];
    let mut out = String::new();
    for (from, to) in cases {
        out.push_str(&format!("{from} → {to}\n{}\n", changed(from, to)));
    }
    insta::assert_snapshot!(out);
}

#[test]
fn what_does_not_count_is_told() {
    let cases = [
        ("\"sync\": \"cof!\"", "\"sync\": \"*\""),
        ("\"sync\": \"cof!\"", "\"sync\": \"hot cof !\""),
        (
            "\"select\": \"\",\n     \"guard\": \"\", \"update\": \"x:=0, y = 2,\", \"sync\": \"coin\"",
            "\"select\": \"i : int[0,3]\", \"sync\": \"coin[i]\"",
        ),
    ];
    let mut out = String::new();
    for (from, to) in cases {
        out.push_str(&format!("{from} → {to}\n{}\n", changed(from, to)));
    }
    let queries = r#"[{"query": 3}, {"query": "consistency: Machine"}, {"comment": "x"}, {"query": ""}, 4, null,
        {"query": "determinism: Machine"}]"#;
    let loaded = project(&[("Components/Machine.json", MACHINE), ("Queries.json", queries)]);
    assert_eq!(
        loaded.project.queries,
        ["consistency: Machine", "determinism: Machine"]
    );
    out.push_str(&told(&loaded));
    insta::assert_snapshot!(out);
}

#[test]
fn selections_count() {
    let text = MACHINE
        .replace("\"select\": \"\"", "\"select\": \"i : int[0,3]\"")
        .replace("x:=0, y = 2,", "x = 0, y = i");
    let loaded = project(&[("Components/Machine.json", &text)]);
    assert_eq!(told(&loaded), "");
    let machine = loaded.project.component("Machine").unwrap();
    let updates = machine.edges.iter().filter(|edge| edge.id == "E3");
    let values: Vec<i32> = updates.map(|edge| edge.updates[1].1).collect();
    assert_eq!(values, [0, 1, 2, 3]);
}

#[test]
fn oddities_are_accepted() {
    let quiet = [
        ("\"urgency\": \"NORMAL\"", "\"urgency\": \"PROHIBITED\""),
        ("\"sync\": \"cof!\"", "\"sync\": \"\""),
        ("\"id\": \"L1\"", "\"extra\": [1, {}], \"id\": \"L1\""),
        ("x:=0, y = 2,", "x = 0,"),
        ("x:=0, y = 2,", "x = 16777215"),
        ("\"x > 3\"", "\"x - y > -16777215 && 16777215 >= x\""),
        ("x\\u003c\\u003d5", "x < 5 || x > 7"),
        ("x\\u003c\\u003d5", "x > 10 && true;"),
        ("\"guard\": \"\", \"update\"", "\"guard\": null, \"update\""),
    ];
    for (from, to) in quiet {
        assert_eq!(changed(from, to), "", "{to}");
    }
    let no_edges = r#"{"name": "A", "locations": [{"id": "L", "type": "INITIAL"}]}"#;
    let loaded = project(&[("Components/A.json", no_edges)]);
    assert_eq!(told(&loaded), "");
    assert!(loaded.project.component("A").unwrap().edges.is_empty());
    let urgent = MACHINE.replacen("\"urgency\": \"NORMAL\"", "\"urgency\": \"COMMITTED\"", 1);
    let loaded = project(&[("Components/Machine.json", &urgent)]);
    assert!(loaded.project.component("Machine").unwrap().locations[0].urgent);
}

#[test]
fn data_are_unfolded() {
    let text = MACHINE
        .replace("clock x, y;", "clock x, y; bool paid; int[0,2] cups;")
        .replace("x:=0, y = 2,", "x = 0, paid = true")
        .replace(
            "\"update\": \"\"",
            "\"update\": \"paid = false, cups = (cups + 1) % 3\"",
        )
        .replace("\"x > 3\"", "\"cups == 2 && x > 3\"");
    let loaded = project(&[("Components/Machine.json", &text)]);
    assert_eq!(told(&loaded), "");
    let machine = loaded.project.component("Machine").unwrap();
    let titles: Vec<String> = machine
        .locations
        .iter()
        .map(zonewalk_tioa::Location::title)
        .collect();
    assert_eq!(
        titles,
        [
            "Idle(paid=0, cups=0)",
            "L1(paid=1, cups=0)",
            "Idle(paid=0, cups=1)",
            "L1(paid=1, cups=1)",
            "Idle(paid=0, cups=2)",
            "L1(paid=1, cups=2)",
            "U(paid=1, cups=2)"
        ]
    );
}

#[test]
fn declarations_queries_and_drawn_systems_are_read() {
    let other = MACHINE.replace("\"Machine\"", "\"Other\"");
    let system = r#"{"name": "Both", "componentInstances": [{"id": 1, "componentName": "Machine"},
        {"id": 2, "componentName": "Other"}, {"id": 5, "componentName": "Machine"}],
        "operators": [{"id": 3, "type": "conjunction"}, {"id": 4, "type": "quotient"}],
        "edges": [{"child": 4, "parent": 0}, {"child": 3, "parent": 4}, {"child": 5, "parent": 4},
        {"child": 1, "parent": 3}, {"child": 2, "parent": 3}]}"#;
    let loaded = project(&[
        ("Components/Machine.json", MACHINE),
        ("Components/Other.json", &other),
        ("Systems/Both.json", system),
        (
            "Systems/Bad.json",
            r#"{"name": "Bad", "operators": [], "edges": [{"child": 9, "parent": 0}]}"#,
        ),
        (
            "Systems/Ring.json",
            r#"{"operators": [{"id": 1, "type": "composition"}, {"id": 2, "type": "composition"}],
            "edges": [{"child": 1, "parent": 0}, {"child": 2, "parent": 1}, {"child": 1, "parent": 2}]}"#,
        ),
        (
            "Queries.json",
            r#"[{"query": "refinement: Machine <= Other", "comment": ""}, {"query": " "}, 3]"#,
        ),
        (
            "SystemDeclarations.json",
            r#"{"declarations": "// all\nA1 = Other();\nsystem Machine,\n  A1, Gone;\nIO Machine{coin?, cof!, tea! }\nIO Gone { a? }"}"#,
        ),
    ]);
    let systems: Vec<String> = loaded
        .project
        .systems
        .iter()
        .map(|(name, s)| format!("{name} = {s}"))
        .collect();
    assert_eq!(systems, ["A1 = Other", "Both = (Machine && Other) // Machine"]);
    assert!(matches!(&loaded.project.systems[0].1, System::Component(_)));
    assert_eq!(loaded.project.queries, ["refinement: Machine <= Other"]);
    let declared = loaded
        .project
        .component("Machine")
        .unwrap()
        .declared
        .as_ref()
        .unwrap();
    assert_eq!((declared.inputs.len(), declared.outputs.len()), (1, 2));
    insta::assert_snapshot!(told(&loaded));
}

#[test]
fn a_broken_component_leaves_the_others() {
    let loaded = project(&[
        ("Components/Bad.json", "{\"name\": \"Bad\","),
        ("Components/Machine.json", MACHINE),
        (
            "Components/Twin.json",
            &MACHINE.replace("\"Machine\"", "\"Same\""),
        ),
        (
            "Components/Twin2.json",
            &MACHINE.replace("\"Machine\"", "\"Same\""),
        ),
        ("Components/List.json", "[]"),
        ("Queries.json", "{"),
    ]);
    let names: Vec<&str> = loaded
        .project
        .components
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(names, ["Machine"]);
    insta::assert_snapshot!(told(&loaded));
}

#[test]
fn bytes_that_are_no_text_are_told() {
    let files = vec![
        File {
            path: "Components/Machine.json".to_owned(),
            bytes: Ok(b"\0\x01\x02".to_vec()),
        },
        File {
            path: "Components/Gone.json".to_owned(),
            bytes: Err("permission denied".to_owned()),
        },
        file("Components/Deep.json", &"[".repeat(100_000)),
        file("Components/Empty.json", ""),
    ];
    let loaded = load_folder("p", files).unwrap();
    assert!(loaded.project.components.is_empty());
    insta::assert_snapshot!(told(&loaded));
}

#[test]
fn parts_of_projects_are_no_projects() {
    let message = |name: &str, text: &str| {
        let error = load_file(name, text.as_bytes()).unwrap_err();
        render(&error.sources, &error.diagnostics)
    };
    let mut out = message("p/Components/Machine.json", MACHINE);
    out.push_str(&message("Queries.json", "[]"));
    out.push_str(&message("p/SystemDeclarations.json", "{\"declarations\": \"\"}"));
    let error = load_folder("p", Vec::new()).unwrap_err();
    out.push_str(&render(&error.sources, &error.diagnostics));
    let error = load(std::path::Path::new("/nowhere/at/all")).unwrap_err();
    out.push_str(&render(&error.sources, &error.diagnostics));
    insta::assert_snapshot!(out);
}

#[test]
fn folders_on_disk_are_read() {
    let folder = std::env::temp_dir().join(format!("zonewalk-tioa-{}", std::process::id()));
    let project = folder.join("Model");
    std::fs::create_dir_all(project.join("Components")).unwrap();
    std::fs::write(project.join("Components/Machine.json"), MACHINE).unwrap();
    let loaded = load(&project).unwrap();
    assert!(loaded.project.component("Machine").is_some());
    let hint = |path: &std::path::Path| load(path).unwrap_err().diagnostics[0].help.clone().unwrap();
    assert_eq!(hint(&folder), format!("did you mean {}?", project.display()));
    assert_eq!(
        hint(&project.join("Components")),
        format!("give the parent folder: {}", project.display())
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_is_written_reads_the_same() {
    let odd = MACHINE
        .replace("clock x, y;", "clock x, y; int[0,1] n; clock z[2];")
        .replace("x:=0, y = 2,", "x = 0, n = 1 - n, z[1] = 7")
        .replace("\"x > 3\"", "\"!(x > 3 && z[0] - z[1] < 2) || n == 1 && false\"");
    for text in [MACHINE, &odd] {
        let loaded = project(&[("Components/Machine.json", text)]);
        assert_eq!(told(&loaded), "");
        let first = loaded.project.component("Machine").unwrap();
        let written = write::component_json(first, &loaded.project.actions);
        serde_json::from_str::<serde_json::Value>(&written).unwrap();
        let again = project(&[("Components/Machine.json", &written)]);
        assert_eq!(told(&again), "", "{written}");
        let second = again.project.component("Machine").unwrap();
        assert_eq!(second.locations.len(), first.locations.len());
        assert_eq!(second.edges.len(), first.edges.len());
        assert_eq!(second.initial, first.initial);
        for (a, b) in first.edges.iter().zip(&second.edges) {
            assert_eq!(
                (a.source, a.target, a.direction, &a.updates),
                (b.source, b.target, b.direction, &b.updates)
            );
            assert_eq!(
                loaded.project.action_name(a.action),
                again.project.action_name(b.action)
            );
        }
        // Once written, nothing changes any more.
        assert_eq!(write::component_json(second, &again.project.actions), written);
    }
}

#[test]
fn ten_thousand_components_load_quickly() {
    let files: Vec<File> = (0..10_000)
        .map(|i| {
            let text = MACHINE
                .replace("\"Machine\"", &format!("\"Machine{i}\""))
                .replace("coin", &format!("coin{i}"));
            file(&format!("Components/Machine{i}.json"), &text)
        })
        .collect();
    let start = Instant::now();
    let loaded = load_folder("p", files).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(loaded.project.components.len(), 10_000);
    println!("{seconds} s");
    // A machine under load may be slow; a quadratic reader takes minutes.
    assert!(seconds < 60.0, "{seconds} s");
}
