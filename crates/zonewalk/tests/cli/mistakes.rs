//! The commonest mistakes: each message says what to do.

use crate::command::{command, root, zonewalk_with};
use std::path::Path;

const COUNTER: &str =
    "int[0, 3] i;\nprocess P() { state a; init a; trans a -> a { assign i = i + 1; }; }\nsystem P;\n";

const DYNAMIC: &str = "dynamic Child();\nprocess P() { state a; init a; }\nsystem P;\n";

const LATE: &str = "process P() { clock t; state a; init a; }\nsystem P;\n";

const TWICE: &str = "process P() { state a; init a; }\nsystem P, P;\n";

const SEVERAL: &str = "process P(const int k) { state a; init a; }\nprocess Unused() { state a; init a; }\n\
                       A = P(1); B = P(2);\nsystem A, B;\n";

const SEMICOLONS: &str = "int i, j;\n\
                          process P() { state a; init a; trans a -> a { assign i = 1; j = 2; i = 3; }; }\nsystem P;\n";

const SEMICOLONS_XML: &str = r#"<nta>
  <declaration>int i, j;</declaration>
  <template>
    <name>P</name>
    <location id="a"/>
    <init ref="a"/>
    <transition>
      <source ref="a"/> <target ref="a"/>
      <label kind="assignment">i = 1; j = 2</label>
    </transition>
    <transition>
      <source ref="a"/> <target ref="a"/>
      <label kind="assignment">i = 1;</label>
    </transition>
  </template>
  <system>system P;</system>
</nta>
"#;

/// Runs in a folder of its own, so that names are short and the same everywhere.
fn run_in(folder: &Path, args: &[&str]) -> crate::command::Run {
    command(args).current_dir(folder).output().unwrap().into()
}

#[test]
fn messages_say_what_to_do() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mistakes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, content: &[u8]| std::fs::write(folder.join(name), content).unwrap();
    let fischer = std::fs::read(root().join("models/fischer.xml")).unwrap();
    write("fischer.xml", &fischer);
    let truncated = root().join("crates/zonewalk/tests/diagnostics/xml-truncated.xml");
    write("truncated.xml", &std::fs::read(truncated).unwrap());
    write("counter.xta", COUNTER.as_bytes());
    write("dynamic.xta", DYNAMIC.as_bytes());
    write("twice.xta", TWICE.as_bytes());
    write("late.xta", LATE.as_bytes());
    write("queries.q", b"E<> P.a\n");
    write("several.xta", SEVERAL.as_bytes());
    write("semicolons.xta", SEMICOLONS.as_bytes());
    write("semicolons.xml", SEMICOLONS_XML.as_bytes());
    write("text.xml", COUNTER.as_bytes());
    write(
        "tags.xta",
        b"<nta><template><name>P</name><location id=\"a\"><name>a</name></location><init ref=\"a\"/>\
                       </template><system>system P;</system></nta>\n",
    );
    let mistakes: [(&str, &[&str], i32); 44] = [
        ("wrong file: a misspelt name", &["check", "fisher.xml"], 2),
        ("wrong file: the queries", &["check", "queries.q"], 2),
        ("no query", &["check", "counter.xta"], 2),
        (
            "a typo in a query",
            &["check", "fischer.xml", "-q", "E<> Process(1).critcal"],
            2,
        ),
        (
            "no query at all in a query",
            &["check", "fischer.xml", "-q", "Process(1).critical"],
            2,
        ),
        (
            "a query with blanks in its quantifier",
            &["check", "fischer.xml", "-q", "A[ ] owner >= 0"],
            2,
        ),
        (
            "an assignment in a query",
            &["check", "counter.xta", "-q", "E<> P.a && i = 3"],
            2,
        ),
        (
            "an implication of another language",
            &["check", "counter.xta", "-q", "A[] P.a implies i < 4"],
            2,
        ),
        (
            "an arrow for an implication",
            &["check", "counter.xta", "-q", "A[] P.a -> i < 4"],
            2,
        ),
        (
            "a local name without its process",
            &["check", "counter.xta", "-q", "E<> a"],
            2,
        ),
        (
            "a local name without one of many processes",
            &["check", "fischer.xml", "-q", "E<> critical"],
            2,
        ),
        (
            "the beginning of a local name without its process",
            &["check", "fischer.xml", "-q", "E<> crit"],
            2,
        ),
        (
            "one of many processes without its number",
            &["check", "fischer.xml", "-q", "E<> Process.critical"],
            2,
        ),
        (
            "a process that is not there",
            &["check", "fischer.xml", "-q", "E<> Process(99).critical"],
            2,
        ),
        (
            "unsupported feature: a query",
            &["check", "fischer.xml", "-q", "Pr[<=100](<> true) under s"],
            2,
        ),
        (
            "unsupported feature: a model",
            &["check", "dynamic.xta", "-q", "E<> P.a"],
            2,
        ),
        (
            "unwritable trace path: no folder",
            &[
                "check",
                "counter.xta",
                "queries.q",
                "--search",
                "ret",
                "--trace-file",
                "out/trace.json",
            ],
            2,
        ),
        (
            "unwritable trace path: a folder",
            &[
                "check",
                "counter.xta",
                "queries.q",
                "--search",
                "ret",
                "--trace-file",
                ".",
            ],
            2,
        ),
        (
            "out of memory",
            &[
                "check",
                "fischer.xml",
                "--query-index",
                "1",
                "--search",
                "bfs",
                "--memory",
                "100KiB",
            ],
            3,
        ),
        (
            "out of time",
            &[
                "check",
                "fischer.xml",
                "--query-index",
                "1",
                "--search",
                "ret",
                "--timeout",
                "0",
            ],
            3,
        ),
        (
            "two processes with one name",
            &["check", "twice.xta", "-q", "E<> P.a"],
            2,
        ),
        (
            "a range error at run time",
            &[
                "check",
                "counter.xta",
                "-q",
                "E<> i == 7",
                "--search",
                "ret",
                "--max-walks",
                "11",
            ],
            2,
        ),
        (
            "unsupported feature: random runs",
            &["check", "fischer.xml", "-q", "simulate [<=10] {owner} under s"],
            2,
        ),
        (
            "unsupported feature: a strategy",
            &[
                "check",
                "fischer.xml",
                "-q",
                "strategy S = control: A[] owner < 2",
            ],
            2,
        ),
        (
            "unsupported feature: a game",
            &["check", "fischer.xml", "-q", "control: A<> owner == 1"],
            2,
        ),
        (
            "unsupported feature: a learned strategy",
            &["check", "fischer.xml", "-q", "minE(owner)[<=10]: <> owner == 1"],
            2,
        ),
        (
            "unsupported feature: a stored strategy",
            &["check", "fischer.xml", "-q", "saveStrategy(\"s.json\", S)"],
            2,
        ),
        (
            "unsupported feature: under a strategy",
            &["check", "fischer.xml", "-q", "E<> owner == 1 under S"],
            2,
        ),
        (
            "unsupported feature: until",
            &["check", "fischer.xml", "-q", "A[owner == 0 U owner == 1]"],
            2,
        ),
        (
            "the beginning of a name",
            &[
                "check",
                "fischer.xml",
                "-q",
                "E<> Process(1).crit && Process(2).crit",
            ],
            2,
        ),
        (
            "a template's name, of several processes",
            &["check", "several.xta", "-q", "E<> P.a"],
            2,
        ),
        (
            "a template's name, of no process",
            &["check", "several.xta", "-q", "E<> Unused.a"],
            2,
        ),
        (
            "an array of processes",
            &["check", "fischer.xml", "-q", "E<> Process[1].critical"],
            2,
        ),
        ("a semicolon between updates", &["info", "semicolons.xta"], 2),
        (
            "a semicolon between updates, in XML",
            &["info", "semicolons.xml"],
            2,
        ),
        (
            "a formula in the place of a file",
            &["check", "fischer.xml", "E<> Process(1).critical"],
            2,
        ),
        (
            "an option of another tool",
            &["check", "fischer.xml", "-t", "1"],
            2,
        ),
        (
            "an option of another tool that is not needed",
            &["check", "fischer.xml", "-A"],
            2,
        ),
        (
            "a model in the place of the queries",
            &["check", "fischer.xml", "fischer.xml"],
            2,
        ),
        (
            "a model as text in the place of the queries",
            &["check", "fischer.xml", "counter.xta"],
            2,
        ),
        ("text in a file named .xml", &["info", "text.xml"], 2),
        (
            "XML in a file named .xta",
            &["check", "tags.xta", "-q", "E<> P.a"],
            0,
        ),
        (
            "two errors of syntax in a query",
            &["check", "fischer.xml", "-q", "A<> [] ]"],
            2,
        ),
        ("truncated XML", &["check", "truncated.xml"], 2),
    ];
    let mut shown = String::new();
    for (title, args, status) in mistakes {
        // With several threads the number of walks depends on who is first.
        let one_thread: &[&str] = if args.contains(&"ret") {
            &["--threads", "1"]
        } else {
            &[]
        };
        let run = run_in(&folder, &[args, one_thread].concat());
        assert_eq!(run.status, status, "{title}: {}", run.shown());
        shown.push_str(&format!(
            "# {title}\n$ zonewalk {}\n{}\n",
            args.join(" "),
            run.shown()
        ));
    }
    std::fs::remove_dir_all(&folder).unwrap();
    insta::assert_snapshot!(shown);
}

const TITLED: &str = r#"<nta>
  <template><name>P</name><location id="a"><name>a</name></location><init ref="a"/></template>
  <system>system P;</system>
  <queries>
    <query><formula>== Safety ==</formula></query>
    <query><formula>A[] P.a</formula></query>
    <query><formula></formula></query>
    <query><formula>// E&lt;&gt; P.a</formula></query>
    <query><formula>E&lt;&gt; P.a</formula></query>
    <query><formula/></query>
  </queries>
</nta>
"#;

/// Entries that ask nothing are skipped, and the other queries keep their numbers.
#[test]
fn queries_that_ask_nothing() {
    let untitled = TITLED
        .replace("A[] P.a", "Mutual exclusion:")
        .replace(">E&lt;&gt; P.a", ">-----");
    let runs: [(&str, &str, &[&str], i32); 8] = [
        ("all", TITLED, &["check", "-"], 0),
        ("quietly", TITLED, &["check", "-", "--quiet"], 0),
        ("one", TITLED, &["check", "-", "--query-index", "5"], 0),
        ("a title", TITLED, &["check", "-", "--query-index", "1"], 2),
        ("too many", TITLED, &["check", "-", "--query-index", "7"], 2),
        ("nothing else", &untitled, &["check", "-"], 2),
        (
            "empty formulas",
            TITLED,
            &["check", "-", "-q", "", "-q", "E<> P.a", "-q", "A[] P.a"],
            0,
        ),
        ("info", TITLED, &["info", "-"], 0),
    ];
    let mut shown = String::new();
    for (title, model, args, status) in runs {
        // By `auto` the number of walks depends on who is first.
        let search: &[&str] = match args[0] {
            "check" => &["--search", "bfs"],
            _ => &[],
        };
        let run = zonewalk_with(&[args, search].concat(), model.as_bytes());
        assert_eq!(run.status, status, "{title}: {}", run.shown());
        shown.push_str(&format!(
            "# {title}\n$ zonewalk {}\n{}\n",
            args.join(" "),
            run.shown()
        ));
    }
    insta::assert_snapshot!(shown);
}

/// A rate that no engine supports and one that contradicts another are two mistakes.
#[test]
fn rates_of_clocks() {
    let unsupported =
        "clock x, h; int r = 3; process P() { state a { h' == r && x <= 10 }; init a; } system P;";
    let conflicting = "clock x; process P() { state a { x' == 0 }; init a; } \
                       process Q() { state a, c { x' == 1 }; init a; trans a -> c { }; } system P, Q;";
    let (three, two) = (
        "error[unsupported-rate]: h gets the rate 3; rates other than 0 and 1 are not supported",
        "error[conflicting-rates]: x gets two rates at the same time, 0 and 1",
    );
    for search in ["ret", "bfs"] {
        let limits: &[&str] = if search == "ret" {
            &["--max-walks", "20"]
        } else {
            &[]
        };
        for (model, expected) in [(unsupported, three), (conflicting, two)] {
            let run = zonewalk_with(
                &[&["check", "-", "-q", "E<> false", "--search", search][..], limits].concat(),
                model.as_bytes(),
            );
            assert_eq!(run.status, 2, "{}", run.stdout);
            assert!(run.stderr.contains(expected), "{search}: {}", run.stderr);
        }
    }
}

/// The parameter of a process has a range, and the message tells it.
#[test]
fn processes_that_do_not_exist() {
    let model = "process F(const int[1, 4] i, const int[0, 1] k) { state a; init a; } system F;";
    for (query, expected) in [
        (
            "E<> F(9, 1).a",
            "there is no process `F(9, 1)`: `i` ranges from 1 to 4\n",
        ),
        (
            "A[] !F(0, 2).a",
            "there is no process `F(0, 2)`: `i` ranges from 1 to 4, `k` ranges from 0 to 1\n",
        ),
        (
            "A[] forall (n : int[0, 4]) F(n, 0).a",
            "there is no process `F(0, 0)`: `i` ranges from 1 to 4\n",
        ),
    ] {
        let run = zonewalk_with(&["check", "-", "-q", query], model.as_bytes());
        assert_eq!(run.status, 2, "{}", run.stdout);
        let expected = format!("error[unknown-name]: {expected}");
        assert!(run.stderr.contains(&expected), "{query}: {}", run.stderr);
    }
}
