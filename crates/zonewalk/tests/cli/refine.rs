//! `zonewalk refine`, and `replay` of what it writes.

use crate::command::{Run, bare, root, zonewalk};
use crate::rules::is_test;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A folder with a project `p` in it, gone when the test ends. Commands run inside, so that names are short.
struct Project(PathBuf);

impl Drop for Project {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// `source action! target guard update` of an edge, with `-` for nothing.
fn component(name: &str, clocks: &str, locations: &[(&str, &str)], edges: &[&str]) -> (String, Value) {
    let locations = locations.iter().enumerate().map(|(i, (id, invariant))| {
        let kind = if i == 0 { "INITIAL" } else { "NORMAL" };
        json!({"id": id, "invariant": invariant, "type": kind, "urgency": "NORMAL"})
    });
    let edges = edges.iter().enumerate().map(|(i, edge)| {
        let words: Vec<_> = edge.split_whitespace().map(|w| w.replace('-', "")).collect();
        let [source, action, target, guard, update] = words.as_slice() else {
            panic!("{edge}")
        };
        let status = if action.ends_with('!') { "OUTPUT" } else { "INPUT" };
        json!({"id": format!("E{i}"), "sourceLocation": source, "targetLocation": target, "status": status,
               "sync": action.trim_end_matches(['!', '?']), "guard": guard, "update": update})
    });
    let component = json!({
        "name": name,
        "declarations": if clocks.is_empty() { String::new() } else { format!("clock {clocks};") },
        "locations": locations.collect::<Vec<_>>(),
        "edges": edges.collect::<Vec<_>>(),
    });
    (name.to_owned(), component)
}

/// Machines that make coffee in different times and manners.
fn machines() -> Vec<(String, Value)> {
    let machine = |name: &str, limit: &str, more: &[&str]| {
        let mut edges = vec!["Idle coin? Busy - x=0", "Busy coffee! Idle x>=2 -"];
        edges.extend(more);
        component(name, "x", &[("Idle", ""), ("Busy", limit), ("Never", "")], &edges)
    };
    vec![
        machine("Fast", "x<=5", &["Never milk! Never - -"]),
        machine("Slow", "x<=9", &["Never milk! Never - -"]),
        machine("Strict", "x<5", &["Never milk! Never - -"]),
        machine("Milky", "x<=5", &["Busy milk! Idle x==3 -"]),
        machine(
            "Unsure",
            "x<=5",
            &["Never milk! Never - -", "Busy coffee! Never x>=4 -"],
        ),
        machine("Broken", "q<=5", &[]),
    ]
}

impl Project {
    fn new(test: &str, components: &[(String, Value)], queries: &[&str]) -> Self {
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("refine-{}-{test}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("p/Components")).unwrap();
        for (name, component) in components {
            let text = serde_json::to_string_pretty(component).unwrap();
            std::fs::write(folder.join(format!("p/Components/{name}.json")), text).unwrap();
        }
        let queries: Vec<_> = queries.iter().map(|query| json!({"query": query})).collect();
        std::fs::write(folder.join("p/Queries.json"), Value::from(queries).to_string()).unwrap();
        Project(folder)
    }

    fn machines(test: &str) -> Self {
        Project::new(test, &machines(), &[])
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zonewalk"));
        bare(command.args(args).current_dir(&self.0));
        command
    }

    fn run(&self, args: &[&str]) -> Run {
        self.command(args).output().unwrap().into()
    }

    fn refine(&self, args: &[&str]) -> Run {
        self.run(&[&["refine", "p"], args].concat())
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }
}

#[test]
fn verdicts_as_text() {
    let project = Project::machines("verdicts");
    insta::assert_snapshot!(
        project
            .refine(&[
                "refinement: Fast <= Slow",
                "refinement: Slow <= Fast",
                "refinement: Fast <= Strict",
                "refinement: Milky <= Fast",
                "refinement: Fast <= Unsure",
                "determinism: Unsure",
                "implementation: Fast",
                "consistency: Fast && Slow",
                "specification: Fast",
                "reachability: Fast @ init -> Fast.Busy && Fast.x > 4",
                "reachability: Fast @ init -> Fast.Never",
                "get-component: Fast && Slow",
                "prune: Fast",
            ])
            .shown()
    );
}

#[test]
fn the_document() {
    let project = Project::machines("document");
    insta::assert_snapshot!(
        project
            .refine(&[
                "refinement: Milky <= Fast",
                "refinement: Fast <= Slow",
                "--format",
                "json",
                "--threads",
                "1"
            ])
            .shown()
    );
}

#[test]
fn exit_statuses() {
    let project = Project::machines("statuses");
    let status = |args: &[&str]| project.refine(args).status;
    assert_eq!(status(&["refinement: Fast <= Slow"]), 0);
    assert_eq!(
        status(&["refinement: Fast <= Slow", "refinement: Slow <= Fast"]),
        1
    );
    assert_eq!(
        status(&["refinement: Slow <= Fast", "refinement: Fast <= Nobody"]),
        2
    );
    let undecided = ["refinement: Fast <= Slow", "--search", "ret", "--max-walks", "3"];
    assert_eq!(status(&undecided), 3);
    // A certain "no" counts more than what stays open.
    assert_eq!(
        status(&[&["refinement: Slow <= Fast"], &undecided[..]].concat()),
        1
    );
    assert_eq!(status(&["refinement: Slow <= Fast", "--timeout", "1e999"]), 2);
    assert_eq!(
        status(&["refinement: Slow <= Fast", "--timeout", "999999999999h"]),
        1
    );
}

#[test]
fn what_cannot_be_asked() {
    let project = Project::machines("errors");
    insta::assert_snapshot!(
        project
            .refine(&[
                "refinement: Fast <= Slwo",
                "refinement: Fast || Slow <= Fast",
                "bisim-minim: Fast save-as Small",
                "refinement: Fast =< Slow",
                "reachability: Fast @ init -> Fast.Bsy",
                "refinement: Fast <= Slow",
            ])
            .shown()
    );
}

#[test]
fn places_in_a_list_of_queries() {
    let project = Project::new(
        "lists",
        &machines(),
        &[
            "consistency: Fast",
            "determinism: Fast; refinement: Fast <= Slwo;\nconsistency: Gin && Fast",
            "Fast <= Slow",
        ],
    );
    let run = project.refine(&["--quiet"]);
    insta::assert_snapshot!(run.shown());
    let places = |run: &Run| -> Vec<String> {
        let document = run.json();
        let diagnostics = document["diagnostics"].as_array().unwrap();
        let errors = diagnostics.iter().filter(|d| d["severity"] == "error");
        let place = |d: &Value| format!("{}:{}:{}", d["file"], d["line"], d["column"]).replace('"', "");
        errors.map(place).collect()
    };
    assert_eq!(
        places(&project.refine(&["--quiet", "--format", "json"])),
        [
            "p, queries 2 to 4:1:40",
            "p, queries 2 to 4:2:14",
            "p, query 5:1:1"
        ]
    );
    assert_eq!(
        places(&project.refine(&[
            "consistency: Fast; consistency: Gin",
            "--quiet",
            "--format",
            "json"
        ])),
        ["<queries 1 to 2>:1:33"]
    );
}

#[test]
fn a_broken_component_is_told_once_and_others_are_answered() {
    let project = Project::machines("broken");
    let run = project.refine(&[
        "refinement: Broken <= Fast",
        "refinement: Fast <= Slow",
        "consistency: Broken",
    ]);
    insta::assert_snapshot!(run.shown());
    assert_eq!(run.stderr.matches("`q`").count(), 1, "{}", run.stderr);
    let run = project.refine(&["refinement: Fast <= Slow"]);
    assert_eq!(run.status, 0);
    assert!(
        run.stderr.contains("component `Broken` has 1 error"),
        "{}",
        run.stderr
    );
    let run = project.refine(&["refinement: Fast <= Slow", "--quiet"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
}

#[test]
fn projects_and_where_queries_come_from() {
    let project = Project::new(
        "queries",
        &machines(),
        &[
            "refinement: Slow <= Fast",
            "refinement: Fast <= Slow; consistency: Fast",
        ],
    );
    let run = project.refine(&["--quiet"]);
    assert_eq!(run.status, 1);
    assert!(
        run.stdout.contains("\n3. consistency: Fast\n   satisfied\n"),
        "{}",
        run.stdout
    );
    let run = project.refine(&["--query-index", "2", "--quiet"]);
    assert_eq!(run.status, 0);
    assert!(
        run.stdout.starts_with("refinement: Fast <= Slow\n"),
        "{}",
        run.stdout
    );
    let message = |args: &[&str]| {
        let run = project.run(args);
        assert_eq!(run.status, 2, "{args:?}");
        run.stderr.lines().last().unwrap_or_default().to_owned()
    };
    assert_eq!(
        message(&["refine", "p", "--query-index", "4"]),
        "error: --query-index 4: there are only 3"
    );
    assert!(message(&["refine", "nowhere"]).starts_with("error: cannot read nowhere: "));
    assert!(
        message(&["check", "p"]).contains("zonewalk refine p"),
        "{}",
        message(&["check", "p"])
    );
    let bare = Project::machines("bare");
    let run = bare.refine(&["--quiet"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr
            .contains("p has no queries; give one after the project"),
        "{}",
        run.stderr
    );
    let empty = Project::new("empty", &[], &[]);
    let run = empty.refine(&["--format", "json"]);
    assert_eq!((run.status, &run.json()["valid"]), (2, &false.into()));
}

#[test]
fn options_without_effect_are_told() {
    let project = Project::machines("notes");
    let notes = |args: &[&str]| -> Vec<String> {
        let run = project.refine(args);
        let notes = run.stderr.lines().filter(|line| !line.contains("Broken"));
        notes.map(|line| line.replacen("note: ", "", 1)).collect()
    };
    assert_eq!(
        notes(&[
            "refinement: Fast <= Slow",
            "--search",
            "symbolic",
            "--delays",
            "pd",
            "--force"
        ]),
        [
            "--delays has no effect on symbolic; it applies to auto, ret and rcf",
            "--force has no effect: no query has save-as"
        ]
    );
    assert_eq!(
        notes(&["consistency: Fast", "--search", "ret", "--no-preconditions"]),
        [
            "--search has no effect on these queries; it applies to refinements",
            "--no-preconditions has no effect on these queries; it applies to refinements"
        ]
    );
    assert_eq!(notes(&["refinement: Fast <= Slow", "--seed", "3"]), [""; 0]);
}

#[test]
fn what_is_declared_and_not_drawn_is_told_unless_it_counts() {
    let project = Project::machines("declared");
    project.write(
        "p/SystemDeclarations.json",
        r#"{"declarations": "system Fast;\nIO Fast { coin?, coffee!, milk!, tea!, cake! }"}"#,
    );
    let words = "no edge of Fast has tea!, cake!; only `--alphabet declared` counts them";
    let told = |args: &[&str]| {
        let run = project.refine(&[&["consistency: Fast"], args].concat());
        run.stderr.contains(words)
    };
    assert!(told(&[]));
    assert!(told(&["--alphabet", "edges"]));
    assert!(!told(&["--alphabet", "declared"]));
}

#[test]
fn readings_change_answers() {
    // An input that no edge takes in `Busy` is ignored, or refused.
    let components = [
        component(
            "Once",
            "",
            &[("A", ""), ("B", "")],
            &["A go? B - -", "B done! B - -"],
        ),
        component("Again", "", &[("A", "")], &["A go? A - -", "A done! A - -"]),
    ];
    let project = Project::new("readings", &components, &[]);
    let verdict = |args: &[&str]| {
        let run = project.refine(&[args, &["--format", "json"]].concat());
        let result = &run.json()["results"][0];
        (result["verdict"].clone(), result["reason"]["rule"].clone())
    };
    let query = "refinement: Once <= Again";
    assert_eq!(verdict(&[query]), ("satisfied".into(), Value::Null));
    assert_eq!(
        verdict(&[query, "--inputs", "strict"]),
        ("not satisfied".into(), "input".into())
    );
}

#[test]
fn walks_find_and_do_not_prove() {
    let project = Project::machines("walks");
    for search in ["ret", "rcf", "smc"] {
        // Nothing puts coins into a machine alone, so smc would wait forever.
        let run = zonewalk(&[
            "refine",
            "models/tea-machine",
            "refinement: Researcher || SlowMachine <= Spec",
            "--search",
            search,
            "--timeout",
            "60s",
            "--format",
            "json",
        ]);
        let result = &run.json()["results"][0];
        assert_eq!(run.status, 1, "{search}");
        assert_eq!(
            (&result["search"], &result["proof"]),
            (&search.into(), &true.into())
        );
        assert_eq!(result["reason"]["rule"], "delay");
        assert!(result["stats"]["walks"].as_u64().unwrap() > 0);
    }
    let args = ["refinement: Fast <= Slow", "--search", "ret", "--max-walks", "7"];
    let run = project.refine(&[&args[..], &["--format", "json"]].concat());
    let result = &run.json()["results"][0];
    assert_eq!(run.status, 3);
    assert_eq!(
        (&result["verdict"], &result["proof"]),
        (&"unknown".into(), &false.into())
    );
    assert_eq!(result["reason"]["rule"], "limit");
}

#[test]
fn save_as_makes_a_component_of_the_project() {
    let project = Project::machines("save");
    let save = "get-component: Fast && Slow save-as Both";
    // Nothing is written without being asked for, and the component is there all the same.
    let run = project.refine(&[save, "refinement: Both <= Fast && Slow"]);
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains("without --output DIR"), "{}", run.stderr);
    assert!(!run.stdout.contains("saved in"), "{}", run.stdout);
    assert!(!project.0.join("p/Components/Both.json").exists());
    let run = project.refine(&["get-component: Fast save-as Slow"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("there is already a component `Slow`"),
        "{}",
        run.stderr
    );
    let run = project.refine(&[save, "refinement: Both <= Fast && Slow", "--output", "p"]);
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    assert!(
        run.stdout.contains("saved in p/Components/Both.json"),
        "{}",
        run.stdout
    );
    let written = project.read("p/Components/Both.json");
    for query in [
        "refinement: Both <= Fast && Slow",
        "refinement: Fast && Slow <= Both",
    ] {
        let run = project.refine(&[query]);
        assert_eq!(run.status, 0, "{query}: {}", run.stdout);
    }
    let into = ["--output", "p"];
    let refine = |args: &[&str]| project.refine(&[args, &into[..]].concat());
    let run = refine(&["prune: Slow save-as Both"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr
            .contains("p/Components/Both.json already exists; use --force to replace it"),
        "{}",
        run.stderr
    );
    assert_eq!(project.read("p/Components/Both.json"), written);
    assert_eq!(refine(&["prune: Slow save-as Both", "--force"]).status, 0);
    assert_ne!(project.read("p/Components/Both.json"), written);
    assert_eq!(
        project
            .refine(&["refinement: Both <= Slow", "refinement: Slow <= Both"])
            .status,
        0
    );
    // Without save-as nothing is written.
    assert_eq!(project.refine(&["get-component: Slow"]).status, 0);
    assert_eq!(
        std::fs::read_dir(project.0.join("p/Components")).unwrap().count(),
        7
    );
    // A name that another file has.
    std::fs::rename(
        project.0.join("p/Components/Slow.json"),
        project.0.join("p/Components/Other.json"),
    )
    .unwrap();
    let run = refine(&["prune: Fast save-as Slow", "--force"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("in a file other than"), "{}", run.stderr);
    let model = zonewalk(&["generate", "milner-tioa", "-n", "2"]).stdout;
    project.write("m.xml", &model);
    // Another folder becomes a project, and what is read may be a file.
    let save = ["refine", "m.xml", "prune: Spec save-as S", "--output", "new"];
    let run = project.run(&save);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(project.read("new/Components/S.json").contains("\"S\""));
    assert_eq!(project.run(&["refine", "new", "consistency: S"]).status, 0);
    project.write("file", "");
    let run = project.run(&["refine", "m.xml", "prune: Spec save-as S", "--output", "file"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("cannot make the folder file/Components"),
        "{}",
        run.stderr
    );
}

#[test]
fn runs_are_shown_as_check_shows_them() {
    let project = Project::machines("shown");
    let query = "refinement: Slow <= Fast";
    let table = project.refine(&[query]);
    assert_eq!(table.status, 1);
    let none = project.refine(&[query, "--trace", "none"]);
    assert_eq!(none.status, 1);
    assert!(
        !none.stdout.contains("coin") && table.stdout.contains("coin"),
        "{}",
        none.stdout
    );
    let json = project
        .refine(&[query, "--trace", "none", "--format", "json"])
        .json();
    assert!(json["results"][0]["trace"].is_null());
    let charts = ["sequence", "gantt"].map(|format| project.refine(&[query, "--trace-format", format]));
    for chart in charts {
        assert_eq!(chart.status, 1, "{}", chart.stderr);
        assert_ne!(chart.stdout, table.stdout);
    }
}

#[test]
fn runs_are_judged_again() {
    let project = Project::machines("replay");
    let write = |query: &str, file: &str| {
        let run = project.refine(&[query, "--trace-file", file, "--quiet"]);
        assert!(run.stdout.contains(&format!("trace in {file}")), "{}", run.stdout);
    };
    write("refinement: Slow <= Fast", "delay.json");
    write("refinement: Milky <= Fast", "output.json");
    write(
        "reachability: Fast @ init -> Fast.Busy && Fast.x > 4",
        "reached.json",
    );
    let elsewhere = "reachability: Fast @ Fast.Busy && Fast.x > 4 -> Fast.Idle";
    write(elsewhere, "elsewhere.json");
    write("refinement: Fast <= Unsure", "unsure.json");
    let replay = |file: &str| project.run(&["replay", "p", file, "--quiet"]);
    insta::assert_snapshot!(replay("output.json").shown());
    for file in ["delay.json", "reached.json", "elsewhere.json"] {
        let run = replay(file);
        assert_eq!(run.status, 0, "{}", run.stdout);
        assert!(run.stdout.contains("; it decides re"), "{}", run.stdout);
    }
    let run = replay("unsure.json");
    assert_eq!(run.status, 0, "{}", run.stdout);
    assert!(run.stdout.contains("was not checked"), "{}", run.stdout);
    // A start that the query does not ask for, and no start at all.
    let good: Value = serde_json::from_str(&project.read("elsewhere.json")).unwrap();
    for (value, words) in [
        (json!(2), "the start is not one of those asked for"),
        (json!(7), "the left side has no initial state"),
        (json!("19/4"), ""),
        (Value::Null, "it does not say where it starts"),
    ] {
        let mut bad = good.clone();
        if value.is_null() {
            bad.as_object_mut().unwrap().remove("start");
        } else {
            bad["start"][0]["clocks"][0]["value"] = value;
        }
        project.write("bad.json", &bad.to_string());
        let run = replay("bad.json");
        assert!(
            run.status == 1 && run.stdout.contains(words),
            "{words}: {}",
            run.stdout
        );
    }
    // For people.
    write("refinement: Slow <= Fast", "delay.txt");
    assert!(
        project
            .read("delay.txt")
            .contains("the left side can wait until 9")
    );
}

#[test]
fn runs_that_were_tampered_with_are_refused() {
    let project = Project::machines("tampered");
    let query = "refinement: Milky <= Fast";
    let run = project.refine(&[query, "--trace-file", "run.json", "--quiet"]);
    assert_eq!(run.status, 1);
    let good: Value = serde_json::from_str(&project.read("run.json")).unwrap();
    type Damage = fn(&mut Value);
    let damages: [(i32, &str, Damage); 28] = [
        (1, "step 1: a delay is negative", |d| {
            d["steps"][0]["delay"] = (-1).into();
        }),
        (1, "step 1: names, locations or times", |d| {
            d["steps"][0]["time"] = 5.into();
        }),
        (1, "step 1: names, locations or times", |d| {
            d["steps"][0]["left"][0]["target"] = "Idle".into();
        }),
        (1, "step 1: names, locations or times", |d| {
            d["steps"][0]["direction"] = "output".into();
        }),
        (1, "step 1: the left side can do `coin` only in other ways", |d| {
            d["steps"][0]["left"][0]["edge"] = 77.into();
        }),
        (
            1,
            "step 1: the right side can do `coin` only in other ways",
            |d| {
                d["steps"][0]["right"] = json!([]);
            },
        ),
        (1, "step 1: the project has no action `gin`", |d| {
            d["steps"][0]["action"] = "gin".into();
        }),
        (1, "the left side cannot wait for 13/2", |d| {
            d["last_delay"] = "13/2".into();
        }),
        (1, "the end differs from the file", |d| {
            d["end"]["left_until"] = "6".into();
        }),
        (1, "the right side allows `coffee`", |d| {
            d["end"]["action"] = "coffee".into();
        }),
        (1, "the project has no action", |d| {
            d["end"]["action"] = "gin".into();
        }),
        (1, "its end names no action", |d| d["end"]["action"] = Value::Null),
        (
            1,
            "its end has the rule `input`, and `milk` is not an input of the right side",
            |d| {
                d["end"]["rule"] = "input".into();
            },
        ),
        (1, "the right side can wait as well", |d| {
            d["end"]["rule"] = "delay".into();
        }),
        (
            1,
            "its end has the rule `reached`, which is for runs of one system",
            |d| {
                d["end"]["rule"] = "reached".into();
            },
        ),
        (1, "systems other than those of its query", |d| {
            d["systems"][0] = "Fast".into();
        }),
        (1, "there is no component `Gin`", |d| {
            d["systems"][0] = "Gin".into();
        }),
        (1, "too large or too fine", |d| {
            d["last_delay"] = "1/170141183460469231731687303715884105727".into();
        }),
        (1, "too large or too fine", |d| {
            d["last_delay"] = "170141183460469231731687303715884105727".into();
        }),
        (2, "is not a trace: its query: ", |d| {
            d["query"] = "refine: A <= B".into();
        }),
        (2, "is not a trace: it has 3 systems", |d| {
            d["systems"] = json!(["A", "B", "C"]);
        }),
        (2, "is not a trace: its systems: ", |d| {
            d["systems"] = json!(["A <="]);
        }),
        (
            2,
            "is not a trace: it has schema 2, but this version reads 1",
            |d| d["schema"] = 2.into(),
        ),
        (2, "is not a trace: it has schema \"1\", but", |d| {
            d["schema"] = "1".into();
        }),
        (2, "is not a trace: ", |d| d["steps"] = 7.into()),
        (2, "is not a trace: ", |d| d["steps"][0] = 7.into()),
        (2, "is not a trace: ", |d| d["end"] = 7.into()),
        (2, "is not a trace: ", |d| d["end"]["rule"] = "perhaps".into()),
    ];
    for (index, (status, words, damage)) in damages.into_iter().enumerate() {
        let mut bad = good.clone();
        damage(&mut bad);
        project.write("bad.json", &bad.to_string());
        let run = project.run(&["replay", "p", "bad.json", "--quiet"]);
        let told = format!("{}{}", run.stdout, run.stderr);
        assert!(
            run.status == status && told.contains(words),
            "{index}: {words}: {told}"
        );
        let has_rust_names = [" struct ", " enum ", "Document"]
            .iter()
            .any(|name| told.contains(name));
        assert!(!has_rust_names, "{told}");
    }
    for text in [
        "",
        "{",
        "{\"systems\":[]}",
        "{\"systems\":[],\"steps\":[]",
        "[\"systems\"]",
        "null",
        "[]",
        "{\"schema\": 1, \"steps\": []}",
    ] {
        project.write("bad.json", text);
        let run = project.run(&["replay", "p", "bad.json", "--quiet"]);
        assert_eq!(run.status, 2, "{text}");
        assert!(run.stderr.contains("bad.json is not a trace: "), "{}", run.stderr);
        assert!(!run.stderr.contains("struct"), "{}", run.stderr);
    }
    let run = project.run(&["replay", "p", "run.json", "--format", "json", "--quiet"]);
    assert_eq!(run.json()["trace_valid"], true);
    let run = project.run(&["replay", "p", "run.json", "-D", "N=3"]);
    assert_eq!(run.status, 2);
}

#[test]
fn reports_for_others() {
    let project = Project::machines("reports");
    let run = project.refine(&[
        "refinement: Slow <= Fast",
        "refinement: Fast <= Slow",
        "refinement: Fast <= Nobody",
        "--report",
        "md:report.md",
        "--report",
        "junit:report.xml",
        "--quiet",
    ]);
    assert_eq!(run.status, 2);
    let markdown = project.read("report.md");
    for words in [
        "1 passed, 1 failed, 1 in error",
        "| ✗ | 1 | `refinement: Slow <= Fast` | not satisfied |",
        "the right side only until 5",
        "Slow: Idle → Busy",
        "there is no component `Nobody`",
    ] {
        assert!(markdown.contains(words), "{words}: {markdown}");
    }
    let junit = project.read("report.xml");
    assert!(
        junit.contains("tests=\"3\" failures=\"1\" errors=\"1\" skipped=\"0\""),
        "{junit}"
    );
}

#[test]
fn a_screen_that_is_narrow_has_the_sides_below_each_other() {
    let project = Project::machines("narrow");
    let run: Run = project
        .command(&["refine", "p", "refinement: Slow <= Fast", "--quiet"])
        .env("COLUMNS", "50")
        .output()
        .unwrap()
        .into();
    insta::assert_snapshot!(run.shown());
}

#[test]
fn the_tea_machine() {
    let run = zonewalk(&["refine", "models/tea-machine", "--quiet"]);
    insta::assert_snapshot!(run.shown());
    assert!(root().join("models/tea-machine").is_dir());
}

/// The page names a test for each rule.
#[test]
fn rules_have_the_tests_that_the_page_names() {
    let page = std::fs::read_to_string(root().join("docs/refinement.md")).unwrap();
    let cells = page.lines().filter_map(|line| {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let code = |cell: &str| Some(cell.strip_prefix('`')?.strip_suffix('`')?.to_owned());
        match cells.as_slice() {
            ["", _, file, test, ""] => code(file).zip(code(test)),
            _ => None,
        }
    });
    let mut count = 0;
    for (file, test) in cells {
        assert!(is_test(&file, &test), "{file}: {test}");
        count += 1;
    }
    assert!(count >= 20, "only {count} rules were found");
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_what_there_is() {
    let project = Project::machines("interrupt");
    let child = project
        .command(&[
            "refine",
            "p",
            "consistency: Fast",
            "refinement: Fast <= Slow",
            "refinement: Slow <= Fast",
            "--search",
            "ret",
            "--format",
            "json",
            "--quiet",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let run: Run = child.wait_with_output().unwrap().into();
    assert_eq!(run.status, 130, "{}", run.stderr);
    let document = run.json();
    let verdicts: Vec<_> = (0..3).map(|i| &document["results"][i]["verdict"]).collect();
    assert_eq!(verdicts, ["satisfied", "unknown", "unknown"]);
    assert_eq!(
        document["results"][1]["reason"]["text"],
        "the search was interrupted"
    );
    assert_eq!(
        document["results"][2]["reason"]["text"],
        "interrupted before it started"
    );
}

#[test]
fn recorded_outcomes_are_compared() {
    let project = Project::machines("expect");
    let record = |slow: &str| {
        let queries = json!([
            {"query": "refinement: Fast <= Slow", "comment": "Expected: satisfied."},
            {"query": "refinement: Slow <= Fast", "comment": format!("Too late. Expected: {slow}.")},
            {"query": "refinement: Slow <= Fast", "comment": "Without an outcome, it counts no more than in check."},
        ]);
        project.write("p/Queries.json", &queries.to_string());
    };
    record("not satisfied");
    let run = project.refine(&["--expect"]);
    assert_eq!(run.status, 0, "{}", run.stdout);
    assert!(run.stdout.contains("as recorded: failure"), "{}", run.stdout);
    assert_eq!(project.refine(&[]).status, 1);
    record("satisfied");
    let run = project.refine(&["--expect", "--format", "json", "--report", "junit:r.xml"]);
    assert_eq!(run.status, 1);
    let results = &run.json()["results"];
    assert_eq!(
        results[0]["expected"],
        json!({"outcome": "success", "agrees": true})
    );
    assert_eq!(
        results[1]["expected"],
        json!({"outcome": "success", "agrees": false})
    );
    assert!(results[2].get("expected").is_none());
    assert!(
        project.read("r.xml").contains("failures=\"1\""),
        "{}",
        project.read("r.xml")
    );
    let run = project.refine(&["refinement: Fast <= Slow", "--expect"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("--expect: the project records no outcomes"),
        "{}",
        run.stderr
    );
}

#[test]
fn projects_may_have_several_files_and_other_constants() {
    let project = Project::machines("several");
    let machine = |name: &str, limit: &str| {
        format!(
            "const int T = 4; process {name}() {{ clock x; state i, w {{ x <= {limit} }}; init i; trans i -> w {{ sync coin?; assign x = 0; }},
             w -> i {{ guard x >= 2; sync coffee!; }}; }} system {name}; IO {name} {{ coin?, coffee! }}"
        )
    };
    project.write(
        "quick.xta",
        &format!("chan coin, coffee; {}", machine("Quick", "T")),
    );
    project.write(
        "lazy.xta",
        &format!("chan coffee, coin; {}", machine("Lazy", "6")),
    );
    let query = "refinement: Quick <= Lazy";
    let run = project.run(&["refine", "quick.xta", query]);
    assert_eq!(run.status, 2);
    let both = ["refine", "quick.xta", "--with", "lazy.xta", query];
    assert_eq!(project.run(&both).status, 0, "{}", project.run(&both).stderr);
    assert_eq!(project.run(&[&both[..], &["-D", "T=7"]].concat()).status, 1);
    // A run knows what it belongs to.
    let save = ["-D", "T=7", "--trace-file", "run.json"];
    assert_eq!(project.run(&[&both[..], &save].concat()).status, 1);
    let replayed = project.run(&["replay", "quick.xta", "run.json"]);
    assert_eq!(replayed.status, 0, "{}{}", replayed.stdout, replayed.stderr);
    assert_ne!(
        project
            .run(&["replay", "quick.xta", "run.json", "-D", "T=4"])
            .status,
        0
    );
    let run = project.run(&[&both[..], &["--with", "quick.xta"]].concat());
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("there is a component `Quick` already"),
        "{}",
        run.stderr
    );
    let run = project.run(&[&both[..], &["--with", "nowhere.xta"]].concat());
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("cannot read nowhere.xta"), "{}", run.stderr);
    let run = project.run(&[&both[..], &["-D", "U=7"]].concat());
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("declares no global constant `U`"),
        "{}",
        run.stderr
    );
}
