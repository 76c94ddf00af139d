//! Proofs: `check --certify`, `check --certificate`, `explore --certificate` and `zonewalk judge`.

use crate::command::{Run, Scratch, command, scratch_path, zonewalk, zonewalk_with};
use serde_json::Value;
use std::process::Stdio;

const FISCHER: &str = "models/fischer.xml";

/// The certificate of Fischer's protocol with this number of processes, as text.
fn certificate(processes: &str) -> String {
    let file = scratch_path(&format!("proof-{processes}.cert"));
    let constants = format!("N={processes}");
    let words = ["check", FISCHER, "-D", &constants, "--query-index", "1"];
    let words = words.into_iter().chain(["--certificate", file.path()]);
    let run = zonewalk(&words.collect::<Vec<_>>());
    assert_eq!(run.status, 0, "{}", run.shown());
    std::fs::read_to_string(file.path()).unwrap()
}

/// Judges this text, for two processes.
fn judge(text: &str, more: &[&str]) -> Run {
    let words = ["judge", FISCHER, "-", "-D", "N=2"];
    zonewalk_with(
        &words.into_iter().chain(more.iter().copied()).collect::<Vec<_>>(),
        text.as_bytes(),
    )
}

#[test]
fn a_proof_survives_the_way_through_a_file() {
    let text = certificate("2");
    insta::assert_snapshot!("certificate", text);
    insta::assert_snapshot!("accepted", judge(&text, &["--query-index", "1"]).shown());
    let run = judge(&text, &["--query-index", "1", "--format", "json"]);
    assert_eq!(run.status, 0);
    let document = run.json();
    assert_eq!(document["judgement"], "accepted");
    assert_eq!(document["claim"], "unreachable");
    assert_eq!(document["nodes"], document["nodes_judged"]);
    assert!(document["objection"].is_null());
    // The hidden name of the command.
    let validated = zonewalk_with(
        &["validate", FISCHER, "-", "-D", "N=2", "--query-index", "1"],
        text.as_bytes(),
    );
    assert_eq!(validated.status, 0);
}

#[test]
fn compressed_files_and_explorations() {
    let file = scratch_path("explored.cert.gz");
    let run = zonewalk(&[
        "explore",
        "models/heartbeat.xml",
        "--search",
        "bfs",
        "--certificate",
        file.path(),
        "--format",
        "json",
    ]);
    let document = run.json();
    let proof = &document["results"][0]["certificate"];
    assert_eq!(
        (&proof["claim"], &proof["judged"]),
        (&"explored".into(), &true.into())
    );
    let bytes = std::fs::read(file.path()).unwrap();
    assert_eq!(proof["bytes"], bytes.len());
    assert!(bytes.starts_with(&[0x1f, 0x8b]), "gzip");
    // The claim is about the model alone: there are several queries, and none has to be chosen.
    let run = zonewalk(&["judge", "models/heartbeat.xml", file.path()]);
    assert_eq!(run.status, 0, "{}", run.shown());
    assert!(
        run.stdout.contains("prove the claim `explored`\n"),
        "{}",
        run.stdout
    );
}

/// Damages a line by hand; the number of nodes at the end stays right.
#[test]
fn what_was_changed_is_refused_with_its_line() {
    let text = certificate("2");
    let without = |line: usize| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.remove(line - 1);
        let nodes = lines.len() - 8;
        *lines.last_mut().unwrap() = format!("end {nodes}");
        lines.join("\n")
    };
    // The first node is the initial state.
    insta::assert_snapshot!(
        "refused_initial",
        judge(&without(8), &["--query-index", "1"]).shown()
    );
    insta::assert_snapshot!("refused", judge(&without(10), &["--query-index", "1"]).shown());
    let run = judge(&without(10), &["--query-index", "1", "--format", "json"]);
    assert_eq!(run.status, 1);
    let document = run.json();
    assert_eq!(document["judgement"], "refused");
    let objection = &document["objection"];
    assert!(
        objection["line"].as_u64().is_some_and(|line| line >= 8),
        "{objection}"
    );
    assert!(objection["point"].is_string(), "{objection}");
    // Every node is needed, or else it was not in the proof for nothing: the judge accepts none of these without a look.
    let nodes = text.lines().count() - 8;
    let refused = (8..8 + nodes).filter(|&line| judge(&without(line), &["--query-index", "1"]).status == 1);
    assert_eq!(refused.count(), nodes);
}

#[test]
fn the_command_line_says_what_is_proved() {
    let text = certificate("2");
    // Another query: the nodes meet what it forbids.
    insta::assert_snapshot!(
        "other_query",
        judge(&text, &["-q", "A[] not Process(1).critical"]).shown()
    );
    // A query that the claim is not one for.
    insta::assert_snapshot!(
        "other_kind",
        judge(&text, &["-q", "A<> Process(1).critical"]).shown()
    );
    // Other constants, and another model.
    let words = ["judge", FISCHER, "-", "-D", "N=3", "--query-index", "1"];
    insta::assert_snapshot!("other_constants", zonewalk_with(&words, text.as_bytes()).shown());
    let words = ["judge", "models/heartbeat.xml", "-", "--query-index", "1"];
    insta::assert_snapshot!("other_model", zonewalk_with(&words, text.as_bytes()).shown());
    // Several queries, and none is chosen.
    insta::assert_snapshot!("no_query", judge(&text, &[]).shown());
    assert_eq!(judge(&text, &["--query-index", "9"]).status, 2);
    assert_eq!(judge(&text, &["-q", "A[] not Proces(1).critical"]).status, 2);
    // A file of another kind.
    insta::assert_snapshot!("no_certificate", judge("{}", &["--query-index", "1"]).shown());
}

#[test]
fn the_form_can_be_looked_at_alone() {
    let text = certificate("2");
    let run = judge(&text, &["--lint"]);
    assert_eq!(run.status, 0, "{}", run.shown());
    let mut lines: Vec<&str> = text.lines().collect();
    lines.swap(7, 8);
    let last = lines.len() - 2;
    let needless = format!("{} | depth 3", lines[last]);
    lines[last] = &needless;
    insta::assert_snapshot!("form", judge(&lines.join("\n"), &["--lint"]).shown());
    let run = judge(&lines.join("\n"), &["--lint", "--format", "json"]);
    assert_eq!(run.status, 1);
    assert!(
        run.json()["findings"]
            .as_array()
            .is_some_and(|findings| findings.len() >= 2)
    );
    // It is a proof all the same.
    assert_eq!(judge(&lines.join("\n"), &["--query-index", "1"]).status, 0);
}

#[test]
fn limits_and_samples_accept_nothing() {
    let text = certificate("4");
    let words = ["judge", FISCHER, "-", "-D", "N=4", "--query-index", "1"];
    let with = |more: &[&str]| {
        let words: Vec<_> = words.iter().chain(more).copied().collect();
        zonewalk_with(&words, text.as_bytes())
    };
    let sample = with(&["--sample", "10"]);
    assert_eq!(sample.status, 3, "{}", sample.shown());
    assert!(
        sample
            .stdout
            .starts_with("not judged: nothing to object to in a sample of ")
    );
    let late = with(&["--timeout", "0"]);
    assert_eq!(late.status, 3, "{}", late.shown());
    assert!(
        late.stdout
            .starts_with("not judged: the time limit was reached after ")
    );
    assert_eq!(with(&["--memory", "1KiB"]).status, 2);
    assert_eq!(with(&["--jobs", "3"]).status, 0);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_judge() {
    use std::time::Duration;
    let file = Scratch::new("interrupted.cert", certificate("6").as_bytes());
    let words = ["judge", FISCHER, file.path(), "--query-index", "1", "--jobs", "1"];
    let child = command(&words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(60));
    let interrupt = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    let output = child.wait_with_output().unwrap();
    // It may have been done, or not have begun to listen.
    match output.status.code() {
        Some(130) => {
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(said.starts_with("not judged: interrupted after "), "{said}");
        }
        code => assert!(matches!(code, Some(0) | None), "{code:?} {interrupt:?}"),
    }
}

fn proof_of(args: &[&str]) -> Value {
    let run = zonewalk(
        &args
            .iter()
            .copied()
            .chain(["--format", "json"])
            .collect::<Vec<_>>(),
    );
    run.json()["results"][0]["certificate"].clone()
}

/// An answer says whether its proof was judged, and why not.
#[test]
fn answers_say_whether_their_proof_was_judged() {
    let fischer = |more: &[&'static str]| {
        let words = ["check", FISCHER, "--query-index", "1", "-D", "N=3"];
        proof_of(&words.into_iter().chain(more.iter().copied()).collect::<Vec<_>>())
    };
    for search in ["auto", "bfs", "dfs", "rdfs", "drs", "greedy", "astar"] {
        let proof = fischer(&["--search", search]);
        assert_eq!(proof["judged"], true, "{search}: {proof}");
        assert!(proof["obligations"].as_u64().is_some_and(|number| number > 0));
        assert!(proof["reason"].is_null());
    }
    let never = fischer(&["--certify", "never"]);
    assert_eq!(
        (&never["judged"], &never["reason"]),
        (&false.into(), &"not asked for".into())
    );
    // Beyond the bound, and judged when it is asked for.
    let large = [
        "check",
        FISCHER,
        "--query-index",
        "1",
        "-D",
        "N=7",
        "--search",
        "bfs",
    ];
    let proof = proof_of(&large);
    assert_eq!(proof["judged"], false);
    assert_eq!(
        proof["reason"],
        "too large to be judged unasked (--certify always)"
    );
    let always: Vec<_> = large.into_iter().chain(["--certify", "always"]).collect();
    assert_eq!(proof_of(&always)["judged"], true);
    // What a run shows has no proof by exploring everything.
    assert!(proof_of(&["check", FISCHER, "--query-index", "2"]).is_null());
    // Values, and events that must happen.
    let values = proof_of(&["check", "models/language/extremes.xta", "--query-index", "1"]);
    assert_eq!(values["judged"], true, "{values}");
    assert!(
        values["claim"]
            .as_str()
            .is_some_and(|claim| claim.starts_with("values "))
    );
    let follows = proof_of(&["check", "models/heartbeat.xml", "-q", "A<> true"]);
    assert_eq!(
        (&follows["claim"], &follows["judged"]),
        (&"inevitable".into(), &true.into())
    );
}

#[test]
fn a_file_for_each_proof() {
    let file = scratch_path("several.cert");
    let run = zonewalk(&[
        "check",
        FISCHER,
        "-D",
        "N=2",
        "--certificate",
        file.path(),
        "--quiet",
    ]);
    assert_eq!(run.status, 0, "{}", run.shown());
    let stem = file.path().strip_suffix(".cert").unwrap();
    let exists = |number: usize| {
        let path = format!("{stem}-{number}.cert");
        let exists = std::fs::read(&path).is_ok_and(|text| text.starts_with(b"zonewalk-certificate 1\n"));
        let _ = std::fs::remove_file(path);
        exists
    };
    // Runs show the second and the third answer.
    assert_eq!([1, 2, 3, 4, 5].map(exists), [true, false, false, true, true]);
}

#[test]
fn files_that_cannot_be_written_are_known_before_the_search() {
    let run = zonewalk(&[
        "check",
        FISCHER,
        "--query-index",
        "2",
        "--certificate",
        "nowhere/x.cert",
    ]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr
            .starts_with("error: cannot write the certificate to nowhere/x.cert"),
        "{}",
        run.stderr
    );
    // Nothing to write is worth a note.
    let file = scratch_path("nothing.cert");
    let run = zonewalk(&[
        "check",
        FISCHER,
        "--query-index",
        "2",
        "--certificate",
        file.path(),
    ]);
    assert_eq!(run.status, 0);
    assert!(
        run.stderr.contains("there are none: nothing was written"),
        "{}",
        run.stderr
    );
    // A table has no place for it.
    let run = zonewalk(&[
        "check",
        FISCHER,
        "--sweep",
        "N=2..3",
        "--certificate",
        file.path(),
    ]);
    assert_eq!(run.status, 2, "{}", run.shown());
}
