//! `--schedule`, `--delays` and `--shrink`: whose walks are made, with which delays, and what is made of them.

use crate::command::{Run, Scratch, zonewalk};

/// The broken Fischer with these arguments. Not every search finds its error soon.
fn broken(args: &[&str]) -> Run {
    let broken = ["check", "models/fischer-broken.xml", "--query-index", "1"];
    let limit = if args.contains(&"--max-walks") {
        &[][..]
    } else {
        &["--max-walks", "60"]
    };
    zonewalk(&[&broken[..], limit, args].concat())
}

#[test]
fn what_cannot_be_is_refused() {
    let mut shown = String::new();
    for args in [
        &["--schedule", "paper"][..],
        &["--schedule", "paper", "--search", "bfs"],
        &["--schedule", "paper", "--search", "smc"],
        &["--schedule", "paper", "--search", "com"],
        &["--schedule", "ours", "--search", "ret"],
        &["--delays", "70"],
        &["--delays", "70,40"],
        &["--delays", "70,-1"],
        &["--delays", "a,b"],
        &["--delays", "1,2,3"],
    ] {
        let run = broken(args);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{args:?}");
        shown.push_str(&format!("$ {}\n{}\n", args.join(" "), run.stderr));
    }
    for args in [
        &["bench", "drs", "--schedule", "paper"][..],
        &["check", "models/vending.aut", "--schedule", "paper"],
    ] {
        let run = zonewalk(args);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{args:?}");
        shown.push_str(&format!("$ {}\n{}\n", args.join(" "), run.stderr));
    }
    insta::assert_snapshot!(shown);
}

/// The schedule is told where walks were made, and only there.
#[test]
fn json_tells_whose_walks_were_made() {
    let schedule = |args: &[&str]| {
        broken(&[args, &["--format", "json"]].concat()).json()["results"][0]["schedule"].clone()
    };
    for search in ["sem", "ret", "rlc", "rlc-a"] {
        assert_eq!(schedule(&["--search", search]), "tuned");
        assert_eq!(schedule(&["--search", search, "--schedule", "paper"]), "paper");
    }
    assert_eq!(schedule(&["--search", "bfs"]), serde_json::Value::Null);
    let run = zonewalk(&[
        "explore",
        "models/train-gate.xml",
        "--search",
        "rlc",
        "--schedule",
        "paper",
        "--max-walks",
        "30",
        "--format",
        "json",
    ]);
    assert_eq!(run.json()["results"][0]["schedule"], "paper");
    assert_eq!(run.json()["results"][0]["stats"]["max_depth"], 64);
}

/// Each walk of RLC-A depends on those before it: one thread makes them, and a note says so if more were asked for.
#[test]
fn rlc_a_of_the_paper_has_one_thread() {
    let paper = ["--search", "rlc-a", "--schedule", "paper", "--format", "json"];
    let two = broken(&[&paper[..], &["--threads", "2"]].concat());
    assert_eq!(
        two.stderr,
        "note: --threads is ignored: rlc-a with --schedule paper makes its walks one after another\n"
    );
    let one = broken(&[&paper[..], &["--threads", "1"]].concat());
    assert_eq!(one.stderr, "");
    let figures = |run: &Run| {
        let result = run.json()["results"][0].clone();
        (
            result["threads"].clone(),
            result["stats"].clone(),
            result["trace"]["found_steps"].clone(),
        )
    };
    assert_eq!(figures(&two), figures(&one));
    assert_eq!(figures(&one).0, 1);
}

#[test]
fn percentages_are_delays_of_ones_own() {
    let model = Scratch::new(
        "delays.xta",
        b"clock x; process P() { state A { x <= 10 }, B, C; init A;
          trans A -> B { guard x >= 2; }, B -> C { guard x >= 9; assign x = 0; }; } system P;",
    );
    // The window of the first edge is from 2 to 10, that of the second from there on or from 9.
    let status = |delays: &str, query: &str| {
        let fixed = ["--search", "ret", "--max-walks", "20", "--max-steps", "1"];
        let args = [
            &["check", model.path(), "-q", query, "--delays", delays],
            &fixed[..],
        ]
        .concat();
        zonewalk(&args).status
    };
    let (early, late) = ("E<> P.B && x < 9 && x > 8", "E<> P.B && x > 10 && x < 11");
    for schedule in ["0,100", "0, 100"] {
        assert_eq!(status(schedule, early), 3);
    }
    assert_eq!([status("100,0", early), status("0,0", early)], [0, 0]);
    assert_eq!([status("100,0", late), status("0,100", late)], [0, 0]);
}

/// Pure RET-S and RET-F of the paper: walks under the bound of the best one, and nothing else.
#[test]
fn traces_that_are_not_shrunk_are_as_they_were_found() {
    let result = |args: &[&str]| {
        let search = ["--search", "ret", "--threads", "1", "--format", "json"];
        broken(&[&search[..], args].concat()).json()["results"][0].clone()
    };
    let steps = |result: &serde_json::Value| {
        let steps = |name: &str| result["trace"][name].as_u64().unwrap();
        (steps("found_steps"), steps("steps"))
    };
    let (found, shrunk) = steps(&result(&[]));
    assert_eq!((found, shrunk), (12, 6));
    let plain = result(&["--shrink", "none"]);
    assert_eq!(steps(&plain), (12, 12));
    assert_eq!(plain["trace"]["found_duration"], plain["trace"]["duration"]);
    // Walks under the bound find shorter ones, and each is as it was found.
    let best = result(&[
        "--shrink",
        "none",
        "--trace",
        "shortest",
        "--timeout",
        "10s",
        "--max-walks",
        "3000",
    ]);
    let (found, best) = steps(&best);
    assert!(found == best && best < 12, "{best}");
    let fastest = result(&[
        "--shrink",
        "none",
        "--trace",
        "fastest",
        "--timeout",
        "10s",
        "--max-walks",
        "300",
    ]);
    assert_eq!(fastest["trace"]["found_duration"], fastest["trace"]["duration"]);
    let refused = broken(&["--shrink", "all"]);
    assert_eq!(refused.status, 2);
    assert!(
        refused.stderr.contains("expected default or none"),
        "{}",
        refused.stderr
    );
}
