//! Statistical queries on the command line.

use crate::command::{Scratch, scratch_path, zonewalk, zonewalk_with};

/// Uniform between 2 and 5, then an integer that grows at rate 2.
const MODEL: &str = "int n; process P() { clock x; state a { x <= 5 }, b { ; 2 }; init a;
    trans a -> b { guard x >= 2; }, b -> b { assign n++; }; } system P;";

fn check(args: &[&str]) -> crate::command::Run {
    let all: Vec<&str> = ["check", "-"].iter().chain(args).copied().collect();
    zonewalk_with(&all, MODEL.as_bytes())
}

#[test]
fn numbers_as_json() {
    let run = check(&["-q", "Pr[<=3; 1000](<> P.b)", "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let result = &run.json()["results"][0];
    assert_eq!(
        (&result["verdict"], &result["proof"]),
        (&"satisfied".into(), &false.into())
    );
    assert_eq!(
        (&result["kind"], &result["engine"]),
        (&"probability".into(), &"exact".into())
    );
    assert_eq!(result["runs"], 1000);
    let value = result["value"].as_f64().unwrap();
    assert!((value - 1.0 / 3.0).abs() < 0.07, "{value}");
    let interval = result["interval"].as_array().unwrap();
    assert!(interval[0].as_f64().unwrap() < value && value < interval[1].as_f64().unwrap());
    let counts = result["histogram"]["counts"].as_array().unwrap();
    assert_eq!(
        counts.iter().map(|c| c.as_u64().unwrap()).sum::<u64>(),
        result["satisfied"].as_u64().unwrap()
    );
    for threads in ["1", "2", "8"] {
        let again = check(&[
            "-q",
            "Pr[<=3; 1000](<> P.b)",
            "--format",
            "json",
            "--threads",
            threads,
        ]);
        assert_eq!(
            again.json()["results"][0]["satisfied"],
            result["satisfied"],
            "{threads}"
        );
    }
}

#[test]
fn statuses_of_tests() {
    for (query, status) in [
        ("Pr[<=3](<> P.b) >= 0.2", 0),
        ("Pr[<=3](<> P.b) >= 0.6", 1),
        ("Pr[<=4](<> P.b) >= Pr[<=3](<> P.b)", 0),
        ("Pr[<=3](<> P.b) >= Pr[<=4](<> P.b)", 1),
    ] {
        let run = check(&["-q", query]);
        assert_eq!(run.status, status, "{query}: {}{}", run.stdout, run.stderr);
    }
    let run = check(&["-q", "Pr[<=3](<> P.b)", "--max-runs", "5"]);
    assert_eq!(run.status, 3, "{}", run.stdout);
    assert!(
        run.stdout.contains("the limit on runs was reached"),
        "{}",
        run.stdout
    );
}

#[test]
fn text_has_the_interval_and_a_histogram() {
    let run = check(&["-q", "E[<=9; 200](max: n)"]);
    assert!(
        run.stdout.contains("satisfied: expected value "),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("values in [") && run.stdout.contains('█'),
        "{}",
        run.stdout
    );
    let run = check(&["-q", "simulate [<=9; 2] { n, P.x }"]);
    assert!(
        run.stdout.contains("run 0, n: ") && run.stdout.contains("run 1, P.x: "),
        "{}",
        run.stdout
    );
}

#[test]
fn the_phrases_of_verifyta() {
    let queries = "Pr[<=6](<> P.b)\nE[<=4; 50](min: n)\nsimulate [<=4; 1] { P.a }\nPr[<=3](<> P.b) >= 0.9\n";
    let queries = Scratch::new("statistics-verifyta.q", queries.as_bytes());
    let model = Scratch::new("statistics-verifyta.xta", MODEL.as_bytes());
    let run = zonewalk(&["verifyta", "-q", "-s", model.path(), queries.path()]);
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    for line in [
        "(72/72 runs) Pr(<> ...) in [0.950056,1] (95% CI)",
        "(50 runs) E(min) = ≈ 0",
        "P.a:\n[0]: (0,1) (",
        " -- Formula is NOT satisfied.",
        "runs) H1: Pr(<> ...) <= 0.89",
    ] {
        assert!(run.stdout.contains(line), "{line}: {}", run.stdout);
    }
}

/// Every kind of query in the words of verifyta: numbers have six significant digits.
#[test]
fn all_answers_of_verifyta() {
    const QUERIES: &str = "Pr[<=3](<> P.b)
Pr[<=6]([] n < 2)
Pr[<=1](<> P.c)
Pr[<=3](P.a U P.b)
Pr(<>[0,3] P.b)
E[<=7; 50](max: n)
E[<=4; 50](min: n)
simulate [<=9; 2] { n, P.x }
simulate [<=9; 20] { n } : 1 : n == 2
Pr[<=3](<> P.b) >= 0.2
Pr[<=3](<> P.b) >= 0.9
Pr[<=3](<> P.b) <= 0.9
Pr[<=4](<> P.b) >= Pr[<=3](<> P.b)
";
    let model = "int n; process P() { clock x; state a { x <= 5 }, b { x <= 8 }, c; init a;
        trans a -> b { guard x >= 1; assign n = 1; }, b -> c { guard x >= 6; assign n = 2; }; } system P;";
    let queries = Scratch::new("statistics-all.q", QUERIES.as_bytes());
    let model = Scratch::new("statistics-all.xta", model.as_bytes());
    let run = zonewalk(&["verifyta", "-q", "-s", "-r", "1", model.path(), queries.path()]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    insta::assert_snapshot!(run.stdout);
}

#[test]
fn a_run_that_hits_replays() {
    let model = Scratch::new("statistics-trace.xta", MODEL.as_bytes());
    let trace = scratch_path("statistics-trace.json");
    let (model, trace) = (model.path(), trace.path());
    let run = zonewalk(&["check", model, "-q", "Pr[<=9](<> n == 2)", "--trace-file", trace]);
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    let replayed = zonewalk(&["replay", model, trace]);
    assert_eq!(replayed.status, 0, "{}{}", replayed.stdout, replayed.stderr);
    assert!(
        replayed
            .stdout
            .contains("it ends in a state that Pr[<=9](<> n == 2) asks about"),
        "{}",
        replayed.stdout
    );
}

#[test]
fn plots_are_drawings_and_tables() {
    for (query, name, begins) in [
        ("Pr[<=4](<> P.b)", "p.svg", "<svg "),
        (
            "Pr[<=4](<> P.b)",
            "p.csv",
            "from,to,count,probability,density,cumulative\n",
        ),
        ("E[<=9; 50](max: n)", "e.svg", "<svg "),
        ("simulate [<=9; 3] { n, P.x }", "s.svg", "<svg "),
        (
            "simulate [<=9; 3] { n, P.x }",
            "s.csv",
            "run,expression,x,y\n0,n,0,0\n",
        ),
    ] {
        let file = scratch_path(&format!("statistics-{name}"));
        let run = check(&["-q", query, "--plot", file.path()]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let text = std::fs::read_to_string(file.path()).unwrap();
        assert!(
            text.starts_with(begins),
            "{query}: {}",
            &text[..80.min(text.len())]
        );
    }
    let run = check(&["-q", "Pr[<=4](<> P.b)", "--plot", "p.png"]);
    assert_eq!(run.status, 2, "{}", run.stdout);
}

/// Options that a file records are used, and recorded estimates are compared by their intervals.
#[test]
fn recorded_options_and_estimates() {
    let model = |query: &str, option: &str, value: &str| {
        format!(
            "<nta><declaration></declaration><template><name>P</name><declaration>clock x;</declaration>\
             <location id=\"a\"><name>a</name><label kind=\"invariant\">x &lt;= 5</label></location>\
             <location id=\"b\"><name>b</name></location><init ref=\"a\"/>\
             <transition><source ref=\"a\"/><target ref=\"b\"/><label kind=\"guard\">x &gt;= 2</label></transition></template>\
             <system>system P;</system><queries><query><formula>{query}</formula><comment/>{option}\
             <result outcome=\"success\" type=\"quantity\" value=\"{value}\" timestamp=\"2025\"/></query></queries></nta>"
        )
    };
    let query = "Pr[&lt;=3](&lt;&gt; P.b)";
    let option = "<option key=\"--epsilon\" value=\"0.2\"/>";
    let run = |text: &str| zonewalk_with(&["check", "-", "--expect", "--format", "json"], text.as_bytes());
    let near = run(&model(query, option, "0.34 ± 0.05 (95% CI)"));
    let result = &near.json()["results"][0];
    assert_eq!(
        (near.status, &result["expected"]["agrees"]),
        (0, &true.into()),
        "{}",
        near.stdout
    );
    assert!(result["runs"].as_u64().unwrap() < 60, "{}", result["runs"]);
    let far = run(&model(query, "", "0.8 ± 0.02 (95% CI)"));
    assert_eq!(
        (far.status, &far.json()["results"][0]["expected"]["agrees"]),
        (1, &false.into())
    );
}

#[test]
fn random_runs_in_doubles_answer_statistical_queries_and_find_states() {
    let model = "double d; process P() { clock x; state a { x <= d + 3 }, b; init a; trans a -> b { guard x >= 2; }; } system P;";
    let run = zonewalk_with(
        &[
            "check",
            "-",
            "-q",
            "Pr[<=4; 50](<> P.b)",
            "-q",
            "E<> P.b",
            "--format",
            "json",
        ],
        model.as_bytes(),
    );
    let json = run.json();
    assert_eq!(
        (run.status, &json["results"][0]["engine"]),
        (0, &"f64".into()),
        "{}",
        run.stdout
    );
    assert_eq!(
        (&json["results"][0]["value"], &json["results"][1]["verdict"]),
        (&1.0.into(), &"satisfied".into())
    );
    assert_eq!(json["results"][1]["proof"], false, "{}", run.stdout);
}

/// A queue that hardly ever has eight customers: 1/255.
const QUEUE: &str = "int n = 1;
    process Arrive() { state L { ; 1 }; init L; trans L -> L { guard n > 0 && n < 8; assign n++; }; }
    process Serve() { state L { ; 2 }; init L; trans L -> L { guard n > 0; assign n--; }; }
    system Arrive, Serve;";

#[test]
fn rare_events_are_estimated_by_levels() {
    let query = "Pr[<=1000](<> n == 8)";
    let args = ["check", "-", "-q", query, "--levels", "n", "--runs", "3200"];
    let run = zonewalk_with(&args, QUEUE.as_bytes());
    assert_eq!(run.status, 0, "{}", run.stderr);
    insta::assert_snapshot!(run.stdout);
    let json = zonewalk_with(&[&args[..], &["--format", "json"]].concat(), QUEUE.as_bytes()).json();
    let result = &json["results"][0];
    assert_eq!(result["splitting"]["levels"], "n");
    assert_eq!(result["splitting"]["stages"].as_array().unwrap().len(), 7);
    let error = zonewalk_with(&["check", "-", "-q", query, "--levels", "n +"], QUEUE.as_bytes());
    assert_eq!(error.status, 2);
    assert!(error.stderr.contains("<--levels>:1:4"), "{}", error.stderr);
    let other = zonewalk_with(
        &["check", "-", "-q", "E<> n == 8", "--levels", "n"],
        QUEUE.as_bytes(),
    );
    assert_eq!(other.status, 2);
    assert!(
        other.stderr.contains("this query has no use for levels"),
        "{}",
        other.stderr
    );
}

/// The options of the reference, in `verifyta` as well.
#[test]
fn verifyta_has_the_options_of_statistical_queries() {
    let model = Scratch::new("statistics-options.xta", QUEUE.as_bytes());
    let queries = Scratch::new("statistics-options.q", b"Pr[<=1000](<> n == 8)\nE[<=9](max: n)\n");
    let plot = scratch_path("statistics-options.csv");
    let (model, queries, plot) = (model.path(), queries.path(), plot.path());
    let run = zonewalk(&[
        "verifyta",
        "-q",
        "-a",
        "0.01",
        "-B",
        "0.01",
        "-E",
        "0.1",
        "--lower-delta",
        "0.02",
        "--upper-delta",
        "0.02",
        "--u0",
        "0.8",
        "--u1",
        "1.2",
        "--discretization",
        "0.1",
        "--truncation-error",
        "0.1",
        "--truncation-time-error",
        "0.1",
        "--histogram-bar-count",
        "5",
        "--histogram-bar-width",
        "0",
        "--resolution",
        "100",
        "--max-runs",
        "100000",
        "--runs",
        "320",
        "--plot",
        plot,
        model,
        queries,
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains("/320 runs) Pr(<> ...) in ["),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("(320 runs) E(max) = "), "{}", run.stdout);
    assert!(run.stdout.contains("(99% CI)"), "{}", run.stdout);
    let table = plot.replace(".csv", "-2.csv");
    assert!(
        std::fs::read_to_string(&table).unwrap().starts_with("from,"),
        "{table}"
    );
    std::fs::remove_file(table).unwrap();
    let _ = std::fs::remove_file(plot.replace(".csv", "-1.csv"));
    let only = Scratch::new("statistics-levels.q", b"Pr[<=1000](<> n == 8)\n");
    let split = zonewalk(&[
        "verifyta",
        "-q",
        "--runs",
        "320",
        "--levels",
        "n",
        model,
        only.path(),
    ]);
    assert_eq!(split.status, 0, "{}", split.stderr);
    assert!(
        split.stdout.contains("(2240 runs) Pr(<> ...) in ["),
        "{}",
        split.stdout
    );
}

/// Choices without a distribution are errors with their place, the number of the run, the time and a remedy.
#[test]
fn models_without_probabilities() {
    let fork = |first: &str, second: &str| {
        format!(
            "int none = 0, less = -3; double odd = -1.0; process P() {{ state a {{ ; 4 }}, b, c; branchpoint F; init a;\n\
             trans a -> F {{ }}, F -> b {{ probability {first}; }}, F -> c {{ probability {second}; }}; }}\nsystem P;"
        )
    };
    let alone = |invariant: &str, edge: &str| {
        format!(
            "int less = -3; double zero = 0.0; process P() {{ clock x; state a {{ {invariant} }}, b; init a;\n\
             trans a -> b {{ {edge} }}; }}\nsystem P;"
        )
    };
    let zeno = "int n; process P() { state a, c; urgent a; commit c; init a;\n\
                trans a -> c { assign n = 1 - n; }, c -> a { }; } system P;";
    let models = [
        ("all weights are 0", fork("none", "none")),
        ("a weight is negative", fork("less", "1")),
        ("a weight is no number", fork("sqrt(odd)", "1")),
        ("a rate is negative", alone("; less", "")),
        ("a rate is infinite", alone("; 1.0 / zero", "")),
        ("a time-lock", alone("x <= 3", "guard x >= 5;")),
        ("transitions without time", zeno.to_owned()),
        ("no number in a guard", alone("x <= 3", "guard x >= zero / zero;")),
        ("infinity in a guard", alone("x <= 3", "guard x >= 1 / zero;")),
    ];
    let mut all = String::new();
    for (title, model) in models {
        let run = zonewalk_with(&["check", "-", "-q", "Pr[<=10](<> P.x > 20)"], model.as_bytes());
        // One model has no clock to ask about.
        let run = match title {
            "transitions without time"
            | "all weights are 0"
            | "a weight is negative"
            | "a weight is no number" => {
                zonewalk_with(&["check", "-", "-q", "Pr[<=10](<> false)"], model.as_bytes())
            }
            _ => run,
        };
        assert_eq!(run.status, 2, "{title}: {}{}", run.stdout, run.stderr);
        all.push_str(&format!("== {title}\n{}{}\n", run.stdout, run.stderr));
    }
    insta::assert_snapshot!(all);
    // A rate of 0 is none: the process waits.
    let waits = alone("; 0", "");
    let run = zonewalk_with(&["check", "-", "-q", "Pr[<=10](<> P.b)"], waits.as_bytes());
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout
            .contains("no run satisfies it, so there is none to show"),
        "{}",
        run.stdout
    );
}

/// The run that is shown can be made again by its number, alone.
#[test]
fn a_run_is_made_again_by_its_number() {
    let query = ["-q", "Pr[<=3](<> P.b)"];
    let whole = check(&[&query[..], &["--format", "json"]].concat()).json();
    let number = whole["results"][0]["sample_run"]
        .as_u64()
        .expect("a run")
        .to_string();
    let args = [&query[..], &["--only-run", &number, "--format", "json"]].concat();
    let alone = check(&args).json();
    let (whole, alone) = (&whole["results"][0], &alone["results"][0]);
    assert_eq!((&alone["runs"], &alone["satisfied"]), (&1.into(), &1.into()));
    assert_eq!(alone["sample_run"], whole["sample_run"]);
    assert_eq!(alone["trace"]["duration"], whole["trace"]["duration"]);
    // Curves too: the same draws, whatever is asked.
    let curves = |args: &[&str]| {
        let asked = [&["-q", "simulate [<=9; 5] { n }", "--format", "json"][..], args].concat();
        check(&asked).json()["results"][0]["series"].clone()
    };
    let all = curves(&[]);
    assert_eq!(curves(&["--only-run", "3"])[0], all[3]);
    let both = check(&[&query[..], &["--only-run", "3", "--runs", "4"]].concat());
    assert_eq!(both.status, 2, "{}", both.stderr);
}

/// Rare events for several values of a constant: numbers far below 1 keep their digits.
#[test]
fn levels_and_sweeps() {
    let args = [
        "check",
        "models/buffer.xta",
        "-q",
        "Pr[<=1000](<> length == CAPACITY)",
        "--levels",
        "length",
        "--runs",
        "3200",
        "--sweep",
        "CAPACITY=10,20",
    ];
    let run = zonewalk(&args);
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    for part in [
        "satisfied            smc                -             -",
        "in [0.000",
        "e-07, ",
        "e-06], 60800 runs",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
}

/// External functions are refused by name; one that is declared but not used does no harm.
#[test]
fn external_functions_are_refused_by_name() {
    let model = |guard: &str| {
        format!(
            "import \"libcast.so\" {{ int cast(double d); }}; process P() {{ clock x; state a {{ x <= 3 }}, b; init a;\n\
             trans a -> b {{ guard x >= 1{guard}; }}; }} system P;"
        )
    };
    let run = zonewalk_with(
        &["check", "-", "-q", "Pr[<=9](<> P.b)"],
        model(" && cast(1.5) > 0").as_bytes(),
    );
    assert_eq!(run.status, 2, "{}", run.stdout);
    assert!(
        run.stderr
            .contains("statistical queries do not support the external function `cast`"),
        "{}",
        run.stderr
    );
    let run = zonewalk_with(&["check", "-", "-q", "Pr[<=9](<> P.b)"], model("").as_bytes());
    assert_eq!(run.status, 0, "{}", run.stderr);
}

/// Functions with doubles rule out searches; random runs still find what can be found.
#[test]
fn doubles_in_functions_leave_random_runs() {
    let model =
        "double half(double d) { return d / 2; } int n; process P() { clock x; state a { x <= 3 }, b; init a;
        trans a -> b { guard x >= 1; assign n = half(3.0) > 1.0 ? 1 : 0; }; } system P;";
    let run = zonewalk_with(&["check", "-", "-q", "E<> P.b && n == 1"], model.as_bytes());
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    assert!(
        run.stdout.contains("satisfied: a run of 1 step"),
        "{}",
        run.stdout
    );
}

#[test]
fn an_expected_value_needs_no_number_of_runs() {
    let run = check(&["-q", "E[<=9](max: n)", "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let result = &run.json()["results"][0];
    assert_eq!(result["method"], "student sequential");
    let span = result["histogram"]["span"].as_array().unwrap();
    let span = span[1].as_f64().unwrap() - span[0].as_f64().unwrap();
    let half = result["half_width"].as_f64().unwrap();
    assert!(half <= 0.05 * span, "{half} of {span}");
    let runs = result["runs"].as_u64().unwrap();
    assert!((72..500).contains(&runs), "{runs}");
    // Greater precision takes more runs, and equal values take as many as a probability of 0.
    let finer = check(&["-q", "E[<=9](max: n)", "--epsilon", "0.02", "--format", "json"]);
    assert!(finer.json()["results"][0]["runs"].as_u64().unwrap() > 2 * runs);
    let equal = check(&["-q", "E[<=1](max: n)"]);
    assert!(equal.stdout.contains("72 runs"), "{}", equal.stdout);
}

#[test]
fn transitions_of_runs_are_counted() {
    let stats = |args: &[&str]| {
        let run = check(&[args, &["--format", "json"]].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        let json = run.json();
        let number = |name: &str| json["results"][0]["stats"][name].as_u64().unwrap();
        (number("walks"), number("steps"), number("max_depth"))
    };
    // Each run by steps has as many as the bound.
    assert_eq!(stats(&["-q", "simulate [#<=7; 3] { n }"]), (3, 21, 7));
    assert_eq!(
        stats(&["-q", "simulate [#<=7; 3] { n }", "--only-run", "1"]),
        (1, 7, 7)
    );
    assert_eq!(stats(&["-q", "E[#<=5; 4](max: n)"]), (4, 20, 5));
    assert_eq!(stats(&["-q", "Pr[#<=6; 10](<> n == 9)"]), (10, 60, 6));
    // `P.b` is reached by the first transition.
    assert_eq!(stats(&["-q", "Pr[<=9; 10](<> P.b)"]), (10, 10, 1));
}

#[test]
fn clocks_are_compared_with_decimals() {
    let run = check(&["-q", "Pr[<=5; 400](<> P.x == 2.5)", "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(run.json()["results"][0]["satisfied"], 400);
}
