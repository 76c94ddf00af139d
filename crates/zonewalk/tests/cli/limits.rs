//! Seeds, threads, limits, interrupts and files.

use crate::check::check_line;
use crate::command::{Scratch, command, scratch_path, zonewalk};
use serde_json::Value;
use std::process::Stdio;
use std::time::{Duration, Instant};

fn fischer_trace(seed: &str, threads: &str, name: &str) -> Vec<u8> {
    let file = scratch_path(&format!("{name}-{seed}-{threads}.json"));
    let run = zonewalk(&[
        "check",
        "models/fischer-broken.xml",
        "--query-index",
        "1",
        "--seed",
        seed,
        "--threads",
        threads,
        "--search",
        "ret",
        "--trace-file",
        file.path(),
    ]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    std::fs::read(file.path()).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    for threads in ["1", "2", "3"] {
        assert_eq!(
            fischer_trace("5", threads, "a"),
            fischer_trace("5", threads, "b"),
            "{threads} threads"
        );
    }
    let different: Vec<_> = (1..6)
        .map(|seed| fischer_trace(&seed.to_string(), "1", "c"))
        .collect();
    assert!(
        different.iter().any(|trace| *trace != different[0]),
        "five seeds, one trace"
    );
}

#[test]
fn no_time_at_all() {
    let start = Instant::now();
    let run = zonewalk(&[
        "check",
        "models/fischer.xml",
        "--query-index",
        "1",
        "--timeout",
        "0",
        "--format",
        "json",
    ]);
    assert_eq!(run.status, 3, "{}", run.stderr);
    assert!(start.elapsed() < Duration::from_secs(5));
    let result = &run.json()["results"][0];
    assert_eq!(
        (&result["verdict"], &result["stats"]["walks"]),
        (&Value::from("unknown"), &Value::from(0))
    );
    assert_eq!(result["reason"], "the time limit was reached");
}

#[test]
fn limits_are_kept() {
    let start = Instant::now();
    let run = zonewalk(&[
        "check",
        "models/fischer.xml",
        "--query-index",
        "1",
        "--search",
        "ret",
        "--timeout",
        "300ms",
    ]);
    assert_eq!(run.status, 3);
    assert!(
        run.stdout.contains("unknown: the time limit was reached"),
        "{}",
        run.stdout
    );
    assert!(start.elapsed() > Duration::from_millis(300) && start.elapsed() < Duration::from_secs(10));
    let args = [
        "check",
        "models/fischer.xml",
        "--query-index",
        "1",
        "--search",
        "ret",
        "--max-walks",
        "7",
        "--max-steps",
        "33",
        "--threads",
        "2",
        "--memory",
        "1GiB",
        "--format",
        "json",
    ];
    let run = zonewalk(&args);
    assert_eq!(run.status, 3);
    let result = &run.json()["results"][0];
    assert_eq!(result["reason"], "7 walks of at most 33 steps found nothing");
    let stats = &result["stats"];
    assert_eq!(
        (&stats["walks"], &stats["steps"], &stats["max_depth"]),
        (&7.into(), &231.into(), &33.into())
    );
}

#[test]
fn auto_takes_its_turns_within_the_number_of_walks() {
    let args = [
        "check",
        "models/fischer.xml",
        "--query-index",
        "1",
        "--max-walks",
        "60",
        "--threads",
        "1",
        "--format",
        "json",
    ];
    let run = zonewalk(&args);
    let result = &run.json()["results"][0];
    assert_eq!(
        (&result["search"], &result["stats"]["walks"]),
        (&Value::from("auto"), &Value::from(60))
    );
    // Four turns of eleven walks of 16 steps and a quarter of a turn of short ones; in the next round RET has eleven walks of 64
    // steps and RLC three.
    assert_eq!(result["stats"]["steps"], (4 * 11 + 2) * 16 + (11 + 3) * 64);
}

#[test]
fn one_file_for_each_query() {
    let file = scratch_path("several.json");
    let [first, second] = [1, 2].map(|n| file.path().replace(".json", &format!("-{n}.json")));
    let args = [
        "-q",
        "E<> P.b",
        "-q",
        "E<> P.c",
        "--trace-file",
        file.path(),
        "--format",
        "json",
    ];
    let run = check_line(&args);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(run.json()["results"][1]["trace"]["file"], second.as_str());
    let steps = |path: &str| {
        let trace: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        trace["steps"].as_array().unwrap().len()
    };
    assert_eq!((steps(&first), steps(&second)), (1, 2));
    std::fs::remove_file(&first).unwrap();
    std::fs::remove_file(&second).unwrap();
    let text = scratch_path("trace.txt");
    let run = check_line(&["-q", "E<> P.c", "--trace-file", text.path()]);
    assert!(
        run.stdout.contains(&format!("trace in {}", text.path())),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("a → b"), "{}", run.stdout);
    assert!(std::fs::read_to_string(text.path()).unwrap().contains("a → b"));
}

#[test]
fn a_trace_file_that_cannot_be_written() {
    let mut paths = vec![
        "no/such/folder/trace.json",
        "models",
        "models/fischer.xml/trace.json",
    ];
    if cfg!(target_os = "linux") {
        paths.push("/dev/full");
    }
    for path in paths {
        let run = check_line(&["-q", "E<> P.c", "--trace-file", path]);
        assert_eq!(run.status, 2, "{path}");
        assert!(
            run.stdout.contains("satisfied: a run of 2 steps"),
            "{path}: {}",
            run.stdout
        );
        assert!(
            run.stderr.contains("cannot write the trace to"),
            "{path}: {}",
            run.stderr
        );
    }
    // Nothing is left behind, and what was there is still there.
    let leftovers = std::fs::read_dir(crate::command::root()).unwrap().flatten();
    assert!(
        leftovers
            .map(|e| e.file_name())
            .all(|name| !name.to_string_lossy().ends_with(".part"))
    );
}

#[cfg(unix)]
#[test]
fn a_folder_that_takes_no_files_leaves_the_answer() {
    use std::os::unix::fs::PermissionsExt as _;
    let name = format!("read-only-{}", std::process::id());
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o555)).unwrap();
    // Who may do everything writes there nevertheless.
    let is_read_only = std::fs::File::create(folder.join("probe")).is_err();
    if is_read_only {
        let trace = folder.join("trace.json").display().to_string();
        let report = format!("md:{}", folder.join("report.md").display());
        for (option, value, what) in [
            ("--trace-file", &trace, "the trace"),
            ("--report", &report, "the report"),
        ] {
            let run = check_line(&["-q", "E<> P.c", option, value]);
            assert_eq!(run.status, 2, "{option}");
            assert!(
                run.stdout.contains("satisfied: a run of 2 steps"),
                "{}",
                run.stdout
            );
            let why = format!("cannot write {what} to {}", folder.display());
            assert!(run.stderr.contains(&why), "{}", run.stderr);
            assert!(run.stderr.contains("permission denied"), "{}", run.stderr);
        }
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    }
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_trace_file_is_replaced_as_a_whole() {
    let file = Scratch::new(
        "old.json",
        b"something else that is long enough to be seen if it stayed",
    );
    let run = check_line(&["-q", "E<> P.c", "--trace-file", file.path()]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let trace: Value = serde_json::from_slice(&std::fs::read(file.path()).unwrap()).unwrap();
    assert_eq!(trace["query"], "E<> P.c");
}

#[test]
fn progress_only_where_it_is_wanted() {
    let args = [
        "check",
        "models/fischer.xml",
        "--query-index",
        "1",
        "--search",
        "ret",
        "--timeout",
        "3s",
    ];
    let run = zonewalk(&[&args[..], &["--progress", "always"]].concat());
    assert!(
        run.stderr.contains(" walks (") && run.stderr.contains(" steps/s)") && run.stderr.contains(" s left"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains('\r'), "{:?}", run.stderr);
    assert_eq!(zonewalk(&args).stderr, "");
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_what_there_is() {
    let child = command(&[
        "check",
        "models/fischer.xml",
        "-q",
        "E<> Process(1).wait",
        "-q",
        "A[] forall (i : pid_t) Process(i).critical imply owner == i",
        "-q",
        "E<> Process(2).wait",
        "--search",
        "ret",
        "--format",
        "json",
    ])
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let killed = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let run: crate::command::Run = child.wait_with_output().unwrap().into();
    assert_eq!(run.status, 130, "{}", run.stderr);
    let document = run.json();
    let results: Vec<_> = document["results"].as_array().unwrap().iter().collect();
    assert_eq!(results[0]["verdict"], "satisfied");
    assert_eq!(
        (&results[1]["verdict"], &results[1]["reason"]),
        (&"unknown".into(), &"interrupted".into())
    );
    assert!(results[1]["stats"]["steps"].as_u64().unwrap() > 0);
    assert_eq!(results[2]["reason"], "interrupted before it started");
}

#[test]
fn a_project_is_written_into_a_new_folder() {
    let folder = crate::command::scratch_path("ring");
    let path = std::path::Path::new(folder.path());
    let args = ["generate", "milner-tioa", "-n", "3", "-o", folder.path()];
    let run = zonewalk(&args);
    assert_eq!(
        (run.status, run.stdout.as_str(), run.stderr.as_str()),
        (0, "", "")
    );
    let component = std::fs::read_to_string(path.join("Components/N2.json")).unwrap();
    let component: serde_json::Value = serde_json::from_str(&component).unwrap();
    assert_eq!(component["edges"].as_array().unwrap().len(), 8);
    // What lies there already would become a part of the project.
    let again = zonewalk(&args);
    std::fs::remove_dir_all(path).unwrap();
    assert_eq!(again.status, 2);
    assert!(
        again
            .stderr
            .contains("is not empty; give the name of a new folder"),
        "{}",
        again.stderr
    );
    let network = zonewalk(&["generate", "fischer", "-o", folder.path()]);
    assert_eq!(network.status, 2);
    assert!(
        network.stderr.contains("such as fischer.xml"),
        "{}",
        network.stderr
    );
    assert!(!path.exists());
}

#[test]
fn a_model_is_written_to_a_file_of_xml() {
    let file = crate::command::scratch_path("fischer.xml");
    let run = zonewalk(&["generate", "fischer", "-n", "3", "-o", file.path()]);
    assert_eq!(
        (run.status, run.stdout.as_str(), run.stderr.as_str()),
        (0, "", "")
    );
    let text = std::fs::read_to_string(file.path()).unwrap();
    assert_eq!(text, zonewalk(&["generate", "fischer", "-n", "3"]).stdout);
}

#[test]
fn the_model_is_written_to_standard_output() {
    let list = zonewalk(&["generate", "--list"]);
    assert_eq!((list.status, list.stderr.as_str()), (0, ""));
    for family in zonewalk_families::all() {
        assert!(
            list.stdout
                .contains(&format!("{}\n    {}", family.name, family.summary))
        );
    }
    let model = zonewalk(&["generate", "fischer", "-n", "3", "--param", "buggy=weak"]);
    assert_eq!((model.status, model.stderr.as_str()), (0, ""));
    let args = [
        "check",
        "-",
        "--query-index",
        "3",
        "--trace",
        "none",
        "--format",
        "json",
    ];
    let run = crate::command::zonewalk_with(&args, model.stdout.as_bytes());
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert_eq!(run.json()["results"][0]["proof"], true);
}

/// Without a limit of time walks go on for a while when the exhaustive search has to give up, but not forever.
#[test]
fn auto_comes_to_an_end_without_memory() {
    let run = zonewalk(&[
        "check",
        "models/fischer.xml",
        "--query-index",
        "1",
        "--memory",
        "1",
    ]);
    assert_eq!(run.status, 3, "{}", run.stderr);
    assert!(
        run.stdout.contains("unknown: memory limit reached after"),
        "{}",
        run.stdout
    );
}

/// Options that would do nothing, or not what their names promise, say so.
#[test]
fn options_that_cannot_help_are_told() {
    let told = |args: &[&str]| {
        let run = zonewalk(args);
        (run.status, run.stderr)
    };
    let broken = "models/fischer-broken.xml";
    let (status, stderr) = told(&["check", broken, "--query-index", "1", "--trace-file", "run.xtr"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("use .json"), "{stderr}");
    let (status, stderr) = told(&["check", broken, "--query-index", "1", "--quiet", "-D", "N=two"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("expected an integer"), "{stderr}");
    let plot = crate::command::scratch_path("plot.svg");
    let (status, stderr) = told(&["check", broken, "--query-index", "1", "--plot", plot.path()]);
    assert_eq!(status, 1);
    assert!(stderr.contains("nothing was written"), "{stderr}");
    assert!(!std::path::Path::new(plot.path()).exists());
    let text = Scratch::new("run.txt", b"locations     Process(1).idle\n");
    let (status, stderr) = told(&["replay", broken, text.path()]);
    assert_eq!(status, 2);
    assert!(stderr.contains("it is not JSON"), "{stderr}");
}
