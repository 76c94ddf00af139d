//! Models made to break searches: large constants, errors beside deadlocks, states with more successors than fit anywhere, and queries that
//! must be told apart from their models.

use crate::command::zonewalk_with;
use std::time::{Duration, Instant};

fn check(model: &str, query: &str, more: &[&str]) -> (i32, String) {
    let args = [&["check", "-", "-q", query], more].concat();
    let run = zonewalk_with(&args, model.as_bytes());
    (run.status, run.stdout + &run.stderr)
}

/// A clock that is kept low while another one passes a large constant.
fn patient(constant: u32) -> String {
    format!(
        "clock low, total;
process Waiter() {{
  state Wait {{ low <= {constant} }}, Done;
  init Wait;
  trans Wait -> Wait {{ assign low = 0; }}, Wait -> Done {{ guard total >= {constant} && low < 3; }};
}}
system Waiter;"
    )
}

#[test]
fn large_constants_are_like_small_ones() {
    for constant in [90, 70_000, 100_000_000, 2_000_000_000] {
        let model = patient(constant);
        for search in ["auto", "bfs", "astar", "drs"] {
            let (status, told) = check(&model, "E<> Waiter.Done", &["--search", search]);
            assert_eq!(status, 0, "{constant} by {search}: {told}");
        }
        let early = format!("E<> Waiter.Done && total < {constant}");
        let (status, told) = check(&model, &early, &["--search", "bfs"]);
        assert_eq!(status, 1, "{constant}: {told}");
        let (status, told) = check(&model, "sup{Waiter.Wait && low < 3}: total", &[]);
        assert!(status == 0 && told.contains("no bound"), "{constant}: {told}");
    }
}

#[test]
fn large_constants_in_a_query() {
    let model = "clock beat, total; int[0,300] n;
process Drum() {
  state On { beat <= 500000 };
  init On;
  trans On -> On { guard beat >= 500000 && n < 300; assign beat = 0, n++; };
}
system Drum;";
    for (query, status) in [("A[] total >= n * 500000", 0), ("A[] total > n * 500000", 1)] {
        let (found, told) = check(model, query, &["--search", "bfs"]);
        assert_eq!(found, status, "{query}: {told}");
    }
}

#[test]
fn an_edge_that_fails_is_no_way_out_of_a_deadlock() {
    let model = |other: &str| {
        format!(
            "int[0,3] level = 3;
process Tank() {{ state Full, Over; init Full; trans Full -> Over {{ assign level++; }}{other}; }}
system Tank;"
        )
    };
    let (status, told) = check(&model(", Full -> Full { }"), "E<> Tank.Full && not deadlock", &[]);
    assert_eq!(status, 0, "{told}");
    let (status, told) = check(&model(""), "E<> deadlock", &["--search", "bfs"]);
    assert_eq!(status, 2, "{told}");
    assert!(told.contains("outside int[0,3]"), "{told}");
}

/// A process with one state and this edge.
fn single(declarations: &str, edge: &str) -> String {
    format!(
        "{declarations} process One() {{ state Here; init Here; trans Here -> Here {{ {edge} }}; }} system One;"
    )
}

/// How much longer than its limit a run may take where many tests want the processor.
const LATE: Duration = Duration::from_secs(3);

/// A run that a limit ends; whatever it says, it says it in time.
fn ends_in_time(model: &str, args: &[&str], statuses: &[i32]) -> String {
    let start = Instant::now();
    let run = zonewalk_with(args, model.as_bytes());
    let took = start.elapsed();
    let told = run.stdout + &run.stderr;
    assert!(
        took < Duration::from_secs(1) + LATE,
        "{args:?} took {took:?}: {told}"
    );
    assert!(statuses.contains(&run.status), "{args:?}: {}: {told}", run.status);
    told
}

fn check_in_time(model: &str, query: &str, more: &[&str], statuses: &[i32]) -> String {
    let args = [&["check", "-", "-q", query, "--timeout", "1s"], more].concat();
    ends_in_time(model, &args, statuses)
}

#[test]
fn a_time_limit_ends_a_select_of_a_billion_values() {
    let model = single("", "select value : int[1,1000000000];");
    for search in [
        "bfs", "dfs", "drs", "highway", "random", "greedy", "astar", "auto",
    ] {
        check_in_time(&model, "A[] One.Here", &["--search", search], &[0, 3]);
    }
    // None of these successors exists.
    let model = single(
        "int[0,1] bit;",
        "select value : int[2,1000000000]; assign bit = value < 0 ? 1 : 0;",
    )
    .replace("state Here", "state Here, There { bit == 1 }")
    .replace("Here -> Here", "Here -> There");
    let told = check_in_time(&model, "E<> One.There", &["--search", "bfs"], &[3]);
    assert!(told.contains("time limit"), "{told}");
}

#[test]
fn a_time_limit_ends_long_quantifiers() {
    let model = single("int v;", "guard forall (value : int[0,1999999999]) value >= v;");
    for search in ["bfs", "ret"] {
        check_in_time(&model, "E<> deadlock", &["--search", search], &[1, 2, 3]);
    }
    // Each guard ends, and there are many of them.
    let edges = vec!["Here -> Here { guard exists (value : int[0,500000]) value + v < 0; }"; 200].join(", ");
    let model = format!("int v; process One() {{ state Here; init Here; trans {edges}; }} system One;");
    check_in_time(&model, "E<> v == 1", &["--search", "bfs"], &[1, 3]);
}

/// Processes each of which receives a broadcast by either of two edges.
fn crowd(more: &str) -> String {
    format!(
        "{more} broadcast chan call;
process Hearer(const int[1,44] number) {{ state Idle; init Idle; trans Idle -> Idle {{ sync call?; }}, Idle -> Idle {{ sync call?; }}; }}
process Caller() {{ state Ready; init Ready; trans Ready -> Ready {{ sync call!; }}; }}
system Hearer, Caller;"
    )
}

#[test]
fn limits_end_a_broadcast_with_more_combinations_than_fit() {
    let model = crowd("");
    for search in ["bfs", "dfs", "drs", "highway", "greedy", "auto"] {
        let more = ["--search", search, "--memory", "200MiB"];
        check_in_time(&model, "E<> deadlock", &more, &[1, 3]);
        check_in_time(&model, "E<> Caller.Ready && false", &more, &[1, 3]);
    }
    let prior = crowd("int n; chan other; chan priority default < other;");
    check_in_time(&prior, "E<> n == 1", &["--search", "bfs"], &[1, 2, 3]);
    ends_in_time(
        &model,
        &["lint", "-", "--timeout", "1s", "--memory", "200MiB"],
        &[0, 1, 3],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_state_with_many_successors_is_not_held() {
    use std::process::Stdio;
    let file = crate::command::Scratch::new("crowd.xta", crowd("").as_bytes());
    let args = ["check", file.path(), "-q", "E<> deadlock", "--search", "bfs"];
    let mut child = crate::command::command(&args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(2));
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    child.kill().unwrap();
    child.wait().unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes: Option<u64> = peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.parse().ok());
    // One that has ended needs no memory.
    assert!(kibibytes.is_none_or(|peak| peak < 200 << 10), "{kibibytes:?}");
}

#[test]
fn a_query_is_told_its_own_mistake() {
    let model = single("double level;", "assign level = random(2.0);");
    let (status, told) = check(&model, "Pr[<=10](<> Two.Here)", &[]);
    assert_eq!(status, 2, "{told}");
    assert!(told.contains("Two") && !told.contains("random numbers"), "{told}");
}

#[test]
fn functions_of_integers_through_doubles_are_decided() {
    let model = "int[0,9] root;
int whole(int[0,81] square) { double exact = sqrt(square); return fint(exact); }
process One() {
  state Here; init Here;
  trans Here -> Here { guard root < 5; assign root = whole(root * root) + 1; };
}
system One;";
    let (status, told) = check(model, "A[] root <= 5", &[]);
    assert!(status == 0 && told.contains("satisfied"), "{told}");
    let (status, told) = check(model, "E<> root == 6", &[]);
    assert_eq!(status, 1, "{told}");
}

#[test]
fn statistical_queries_of_all_forms_are_answered() {
    let model = single(
        "const double PACE = 0.5; int[0,4] load = 1; clock level;",
        "guard level >= 1; assign level = 0;",
    );
    let timed = model.replace("state Here", "state Here { level <= 2 }");
    for query in ["E[<=10](max: level)", "Pr[<=10](<> level == 1.5)"] {
        let (status, told) = check(&timed, query, &[]);
        assert!(matches!(status, 0 | 3), "{query}: {told}");
    }
}
