//! The published schema describes what is printed.

use crate::command::{Scratch, root, zonewalk};
use serde_json::Value;

/// Checks a value against the part of JSON Schema that the published one uses. What is not known here is an error, so that
/// nothing in the schema goes unchecked.
fn check(schema: &Value, value: &Value, all: &Value, at: &str, errors: &mut Vec<String>) {
    for (key, rule) in schema.as_object().unwrap() {
        let holds = match key.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" => true,
            "$ref" => {
                let name = rule.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                check(&all["$defs"][name], value, all, at, errors);
                true
            }
            "type" => match rule {
                Value::Array(types) => types.iter().any(|t| has_type(t, value)),
                single => has_type(single, value),
            },
            "const" => rule == value,
            "enum" => rule.as_array().unwrap().contains(value),
            "minimum" => value
                .as_f64()
                .is_none_or(|number| number >= rule.as_f64().unwrap()),
            "anyOf" => rule.as_array().unwrap().iter().any(|option| {
                let mut of_option = Vec::new();
                check(option, value, all, at, &mut of_option);
                of_option.is_empty()
            }),
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(rule, item, all, &format!("{at}/{index}"), errors);
                }
                true
            }
            "properties" => {
                for (name, rule) in rule.as_object().unwrap() {
                    if let Some(property) = value.get(name) {
                        check(rule, property, all, &format!("{at}/{name}"), errors);
                    }
                }
                true
            }
            "required" => {
                let names = rule.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
                value
                    .as_object()
                    .is_none_or(|object| names.clone().all(|name| object.contains_key(name)))
            }
            "additionalProperties" => {
                assert_eq!(rule, &Value::Bool(false));
                let known = schema["properties"].as_object().unwrap();
                value
                    .as_object()
                    .is_none_or(|object| object.keys().all(|name| known.contains_key(name)))
            }
            other => panic!("the schema uses `{other}`, which this test does not know"),
        };
        if !holds {
            errors.push(format!("{at}: {key} {rule} does not hold of {value}"));
        }
    }
}

fn has_type(name: &Value, value: &Value) -> bool {
    match name.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("no type {other}"),
    }
}

fn schema(name: &str) -> Value {
    let text = std::fs::read(root().join("docs/schema").join(name)).unwrap();
    serde_json::from_slice(&text).unwrap()
}

pub(crate) fn errors(document: &Value) -> Vec<String> {
    errors_by("check.schema.json", document)
}

fn errors_by(name: &str, document: &Value) -> Vec<String> {
    let schema = schema(name);
    let mut errors = Vec::new();
    check(&schema, document, &schema, "", &mut errors);
    errors
}

#[test]
fn documents_are_as_published() {
    let explicit = Scratch::new("schema.aut", b"des (0, 1, 2)\n(0, \"go\", 1)\n");
    let broken = "crates/zonewalk/tests/diagnostics/unknown-name.xml";
    let failing = Scratch::new(
        "schema.xta",
        b"int a[2]; int i = 5; process P() { state s, t; init s; trans s -> s { assign a[i] = 1; }, s -> t { }; } system P;",
    );
    for args in [
        &["check", "models/fischer-broken.xml", "--query-index", "1"][..],
        &["check", "models/heartbeat.xml", "--expect"],
        &[
            "check",
            "models/fischer.xml",
            "-q",
            "sup: owner",
            "-q",
            "E<> Proces.x",
            "-D",
            "N=2",
        ],
        &[
            "check",
            "models/fischer.xml",
            "--query-index",
            "1",
            "--timeout",
            "0",
        ],
        &["check", broken],
        &[
            "check",
            "models/scheduler.xml",
            "-q",
            "sup{Task(2).Busy}: Task(2).t",
        ],
        &["explore", "models/heartbeat.xml", "--max-walks", "3"],
        &["explore", "models/heartbeat.xml", "--search", "bfs"],
        &["explore", broken],
        &[
            "check",
            failing.path(),
            "-q",
            "E<> P.t",
            "-q",
            "E<> false",
            "--search",
            "bfs",
        ],
        &[
            "check",
            "models/fischer-broken.xml",
            "--query-index",
            "1",
            "--search",
            "astar",
        ],
        &["check", explicit.path()],
        &["explore", explicit.path()],
    ] {
        let run = zonewalk(&[args, &["--format", "json"]].concat());
        assert_eq!(errors(&run.json()), [""; 0], "{args:?}");
    }
}

#[test]
fn documents_of_refine_are_as_published() {
    let broken = Scratch::new("schema-refine.xml", b"<nta><template>");
    for args in [
        &["refine", "models/tea-machine"][..],
        &["refine", "models/narrow", "--search", "rcf", "--max-walks", "2"],
        &[
            "refine",
            "models/tea-machine",
            "prune: Spec",
            "refinement: Nobody <= Spec",
            "refinement: Researcher <= Spec // SlowMachine",
        ],
        &["refine", broken.path()],
    ] {
        let run = zonewalk(&[args, &["--format", "json"]].concat());
        let document = run.json();
        assert_eq!(errors_by("refine.schema.json", &document), [""; 0], "{args:?}");
        assert!(document["results"].is_null() || !errors(&document).is_empty());
    }
}

#[test]
fn documents_of_lint_are_as_published() {
    let broken = "crates/zonewalk/tests/diagnostics/unknown-name.xml";
    let faulty = Scratch::new(
        "schema-lint.xta",
        b"int n, lonely; process P() { state a, b; init a; trans a -> b { guard n == 7; }; } process Q() { state a; init a; } system P;",
    );
    let mut findings = 0;
    for args in [
        &["lint", "models/heartbeat.xml"][..],
        &["lint", "models/fischer-broken.xml", "--only", "deadlock,zeno"],
        &["lint", "models/fischer.xml", "--timeout", "0"],
        &["lint", faulty.path()],
        &["lint", broken],
    ] {
        let run = zonewalk(&[args, &["--format", "json"]].concat());
        let document = run.json();
        assert_eq!(errors_by("lint.schema.json", &document), [""; 0], "{args:?}");
        findings += document["findings"].as_array().map_or(0, Vec::len);
    }
    assert!(findings > 3, "{findings}");
}

#[test]
fn the_schema_can_refuse() {
    let run = zonewalk(&[
        "check",
        "models/heartbeat.xml",
        "--query-index",
        "4",
        "--format",
        "json",
    ]);
    let good = run.json();
    assert_eq!(errors(&good), [""; 0]);
    let damages: [fn(&mut Value); 5] = [
        |d| d["schema"] = 2.into(),
        |d| d["results"][0]["verdict"] = "perhaps".into(),
        |d| d["results"][0]["stats"]["walks"] = (-1).into(),
        |d| d["results"][0]["surprise"] = 1.into(),
        |d| {
            d["results"][0].as_object_mut().unwrap().remove("proof");
        },
    ];
    for damage in damages {
        let mut bad = good.clone();
        damage(&mut bad);
        assert_eq!(errors(&bad).len(), 1, "{bad}");
    }
}
