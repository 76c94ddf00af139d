//! The public library, used as others use it: nothing but `zonewalk` is named here.
#![allow(clippy::unwrap_used)]

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use zonewalk::refine::{Project, ReasonKind, RefineOptions, RefineVerdict};
use zonewalk::trace::End;
use zonewalk::{
    Error, FileProblem, Limit, Loader, Model, Monitor, Options, Progress, Search, TraceKind, Verdict,
};

const LAMP: &str = "
    const int LIMIT = 5; clock x; chan press;
    process Lamp() { state Off, Dim, Bright; init Off; trans
        Off -> Dim { sync press?; assign x = 0; }, Dim -> Off { guard x >= LIMIT; sync press?; },
        Dim -> Bright { guard x < LIMIT; sync press?; }, Bright -> Off { sync press?; }; }
    process User() { state idle; init idle; trans idle -> idle { sync press!; }; }
    system Lamp, User;";

/// A counter that walks need many tries for: eleven times in a row the first of two edges.
const COUNTER: &str = "
    int n; process P() { state a, b, c; init a; trans
        a -> a { guard n < 11; assign n = n + 1; }, a -> b { guard n < 11; }, a -> c { guard n == 11; }; }
    system P;";

/// A window that few delays hit.
const WINDOW: &str = "
    clock x; process P() { state a { x <= 1000 }, b, c; urgent b; init a; trans
        a -> b { }, b -> c { guard x >= 613 && x <= 620; }; }
    system P;";

fn root() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn a_model_is_loaded_checked_and_its_trace_replayed() {
    let mut model = Loader::new()
        .query("E<> Lamp.Bright && x > 7")
        .load_text("lamp.xta", LAMP)
        .unwrap();
    let report = model.check(0, &Options::default()).unwrap();
    assert_eq!(report.verdict, Verdict::Satisfied);
    let trace = report.witness.unwrap().trace.unwrap();
    assert_eq!(trace.steps.len(), 2);
    model.replay(&trace, Some(0)).unwrap();
    // The same run does not show this.
    let other = model.add_query("E<> Lamp.Off && x > 7").unwrap();
    assert!(matches!(
        model.replay(&trace, Some(other)),
        Err(Error::InvalidTrace(_))
    ));
    let proof = model.add_query("A[] Lamp.Dim imply x >= 0").unwrap();
    let report = model.check(proof, &Options::new(Search::Bfs)).unwrap();
    assert!(report.verdict == Verdict::Satisfied && report.witness.is_none());
    assert!(report.statistics.states_explored > 0);
    let sup = model.add_query("sup{Lamp.Dim}: x").unwrap();
    assert!(
        matches!(model.check(sup, &Options::default()).unwrap().verdict, Verdict::Values(v) if v.len() == 1)
    );
}

/// Searches leave hybrid clocks out that nothing depends on, and so do their traces.
#[test]
fn a_trace_of_a_model_with_hybrid_clocks_is_replayed() {
    let text = "hybrid clock cost; int n; process P() { clock x; state A { x <= 2 && cost' == 3 }; init A;
        trans A -> A { guard x >= 1; assign x = 0, n = 1 - n; }; } system P;";
    let model = Loader::new()
        .query("E<> n == 1")
        .load_text("cost.xta", text)
        .unwrap();
    let report = model.check(0, &Options::new(Search::Bfs)).unwrap();
    assert_eq!(report.verdict, Verdict::Satisfied);
    let trace = report.witness.unwrap().trace.unwrap();
    model.replay(&trace, Some(0)).unwrap();
    model.replay(&trace, None).unwrap();
}

/// Whatever is wrong with a query, the error is of one kind and names its place.
#[test]
fn wrong_queries_are_errors_of_one_kind() {
    let processes = "process P(const int[1,3] id) { state a, b; init a; trans a -> b { }; } system P;";
    let wrong = [
        ("E<> P(1).", 10, "syntax"),
        ("E<> P(1).c", 10, "unknown-name"),
        ("E<> P(1).a + ", 13, "syntax"),
        ("E<> Q.a", 5, "unknown-name"),
        ("E<> P(9).a", 5, "unknown-name"),
        ("A[] P(1).a imply P(9).b", 18, "unknown-name"),
    ];
    for (formula, column, code) in wrong {
        let mut model = Loader::new()
            .query("E<> P(1).b")
            .load_text("p.xta", processes)
            .unwrap();
        let asked = model.add_query(formula);
        let error = asked.and_then(|index| model.check(index, &Options::default()));
        let error = error.unwrap_err();
        assert!(matches!(error, Error::MalformedQuery(_)), "{formula}: {error:?}");
        let problem = &error.problems()[0];
        // No number: the model has one query, and this is none of its own.
        let place = (problem.file.as_deref(), problem.line, problem.column);
        assert_eq!(
            (place, problem.code),
            ((Some("<query>"), Some(1), Some(column)), code),
            "{formula}"
        );
    }
}

#[test]
fn constants_are_overridden_and_queries_read_from_files() {
    let query = "E<> Lamp.Bright && x > 7";
    let loader = Loader::new().constant("LIMIT", 0).query(query);
    let model = loader.load_text("lamp.xta", LAMP).unwrap();
    let report = model.check(0, &Options::new(Search::Bfs)).unwrap();
    assert_eq!(report.verdict, Verdict::NotSatisfied);
    let model = Model::load(root().join("models/fischer.xml")).unwrap();
    assert!(model.queries().len() > 0 && model.warnings().is_empty());
    assert!(
        model
            .queries()
            .all(|query| query.errors().is_empty() && !query.formula().is_empty())
    );
}

#[test]
fn errors_are_types_with_places() {
    let broken = LAMP.replace("x >= LIMIT", "y >= LIMIT");
    let error = Loader::new().load_text("lamp.xta", &broken).unwrap_err();
    let [problem] = error.problems() else {
        panic!("{error}")
    };
    assert_eq!(
        (problem.file.as_deref(), problem.line, problem.code),
        (Some("lamp.xta"), Some(4), "unknown-name")
    );
    assert!(problem.column.is_some() && error.to_string().contains("lamp.xta:4"));

    let error = Model::load("there/is/no.xml").unwrap_err();
    assert!(
        matches!(&error, Error::File(file) if matches!(file.problem, FileProblem::Io(_))),
        "{error}"
    );
    let error = Model::load(root().join("models")).unwrap_err();
    assert!(
        matches!(&error, Error::File(file) if matches!(file.problem, FileProblem::Directory)),
        "{error}"
    );

    let mut model = Loader::new()
        .query("E<> Lamp.Gone")
        .load_text("lamp.xta", LAMP)
        .unwrap();
    assert_eq!(model.queries().next().unwrap().errors().len(), 1);
    assert!(matches!(
        model.check(0, &Options::default()),
        Err(Error::MalformedQuery(_))
    ));
    assert!(matches!(
        model.check(7, &Options::default()),
        Err(Error::NoSuchQuery { index: 7, count: 1 })
    ));
    let index = model.add_query("A<> Lamp.Dim").unwrap();
    let error = model.check(index, &Options::new(Search::Ret)).unwrap_err();
    assert!(
        matches!(&error, Error::Unsupported(_)) && error.to_string().contains("ret cannot decide"),
        "{error}"
    );
}

#[test]
fn exploring_and_simulating() {
    let dead = LAMP.replace("guard x < LIMIT", "guard x < 0");
    let model = Loader::new().load_text("lamp.xta", &dead).unwrap();
    let explored = model.explore(&Options::new(Search::Bfs)).unwrap();
    assert!(explored.is_complete && explored.limit.is_none());
    let unreached: Vec<_> = explored
        .coverage
        .unreached_locations
        .iter()
        .map(|u| u.name.as_str())
        .collect();
    assert_eq!(unreached, ["Bright"]);
    assert_eq!(explored.coverage.unreached_edges.len(), 2);
    let walked = model.explore(&Options::new(Search::Ret).max_walks(5)).unwrap();
    assert!(walked.limit == Some(Limit::Walks) && walked.statistics.walks == 5);
    let trace = model.simulate(3, 20).unwrap();
    assert!(trace.steps.len() == 20 && trace.end == End::Steps);
    assert_eq!(trace, model.simulate(3, 20).unwrap());
    model.replay(&trace, None).unwrap();
}

/// Ranges of walks together are the walks of one machine, in any order and with any number of threads.
#[test]
fn walks_are_units_of_work() {
    for (search, text) in [
        (Search::Ret, COUNTER),
        (Search::Com, COUNTER),
        (Search::Sem, WINDOW),
        (Search::Rlc, WINDOW),
        (Search::Smc, WINDOW),
    ] {
        let model = Loader::new().query("E<> P.c").load_text("m.xta", text).unwrap();
        let mut options = Options::new(search).seed(3).max_steps(16);
        options.trace.shrink_budget = 0;
        let whole = model.check(0, &options.walk_range(0..100_000)).unwrap();
        assert_eq!(whole.verdict, Verdict::Satisfied, "{search:?}");
        let whole = whole.witness.unwrap();
        // As many walks as four machines share: those before the walk that finds it find nothing.
        let size = whole.walk / 4 + 1;
        for part in (0..6_u64).rev() {
            let range = part * size..(part + 1) * size;
            let threads = 1 + part as usize % 2;
            let report = model
                .check(0, &options.threads(threads).walk_range(range.clone()))
                .unwrap();
            if range.end <= whole.walk {
                assert_eq!(
                    report.verdict,
                    Verdict::Unknown(Limit::Walks),
                    "{search:?} {range:?}"
                );
                assert_eq!(report.statistics.walks, size);
            } else if range.contains(&whole.walk) {
                let witness = report.witness.unwrap();
                assert_eq!(
                    (witness.walk, &witness.trace),
                    (whole.walk, &whole.trace),
                    "{search:?}"
                );
            }
        }
        let explored = model.explore(&options.walk_range(7..19)).unwrap();
        assert_eq!(explored.statistics.walks, 12);
    }
    let model = Loader::new()
        .query("E<> P.c")
        .load_text("counter.xta", COUNTER)
        .unwrap();
    for search in [Search::Auto, Search::RlcA, Search::Guided] {
        let refused = model.check(0, &Options::new(search).walk_range(5..10));
        assert!(matches!(refused, Err(Error::DependentWalks { .. })), "{search:?}");
    }
}

#[derive(Default)]
struct Patience {
    asked: AtomicUsize,
    told: AtomicUsize,
    is_over: AtomicBool,
}

impl Monitor for Patience {
    fn is_cancelled(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) >= 3 || self.is_over.load(Ordering::Relaxed)
    }

    fn progress(&self, _: &Progress) {
        self.told.fetch_add(1, Ordering::Relaxed);
    }
}

/// Hears of better traces.
#[derive(Default)]
struct Improvements(Mutex<Vec<usize>>);

impl Monitor for Improvements {
    fn improved(&self, steps: usize, _: zonewalk::trace::Time) {
        self.0.lock().unwrap().push(steps);
    }
}

#[test]
fn a_monitor_hears_and_cancels() {
    let text = "clock x; int n; process P() { state a; init a; trans a -> a { assign n = (n + 1) % 30000; }; } system P;";
    let model = Loader::new()
        .query("E<> n == 30001")
        .load_text("endless.xta", text)
        .unwrap();
    for search in [Search::Ret, Search::Rdfs, Search::Auto] {
        let patience = Patience::default();
        let options = Options::new(search).timeout(Duration::from_secs(100));
        let report = model.check_with(0, &options, &patience);
        let report = report.unwrap_or_else(|error| panic!("{search:?}: {error}"));
        if search == Search::Ret {
            assert_eq!(report.verdict, Verdict::Unknown(Limit::Cancelled));
        }
        assert!(patience.told.load(Ordering::Relaxed) > 0, "{search:?}");
        // What is cancelled before it begins does not begin.
        let over = Patience {
            is_over: true.into(),
            ..Patience::default()
        };
        let explored = model.explore_with(&Options::new(Search::Ret), &over).unwrap();
        assert_eq!(explored.limit, Some(Limit::Cancelled));
    }
    // Better traces are told while the search for the best one goes on, and each is shorter.
    let model = Loader::new()
        .query("E<> P.c || n == 9")
        .load_text("counter.xta", &COUNTER.replace("a -> b", "a -> a"));
    let improvements = Improvements::default();
    let options = Options::new(Search::Ret)
        .trace(TraceKind::Shortest)
        .max_walks(500);
    let report = model.unwrap().check_with(0, &options, &improvements).unwrap();
    assert_eq!(report.witness.unwrap().steps, 9);
    assert!(improvements.0.lock().unwrap().is_sorted_by(|a, b| a > b));
}

#[test]
fn refinement() {
    let mut project =
        Project::load(root().join("models/tea-machine")).unwrap_or_else(|error| panic!("{error}"));
    assert!(!project.queries().is_empty());
    let queries = project.queries().to_vec();
    let mut verdicts = Vec::new();
    for query in &queries {
        let report = project
            .check(query, &RefineOptions::default())
            .unwrap_or_else(|error| panic!("{query}: {error}"));
        if report.verdict == RefineVerdict::NotSatisfied {
            let reason = report.reason.unwrap();
            assert_ne!(reason.kind, ReasonKind::Limit);
            assert!(!reason.text.is_empty());
        }
        verdicts.push(report.verdict);
    }
    assert!(verdicts.contains(&RefineVerdict::Satisfied));
    assert!(matches!(
        project.check("refinement: Nobody <= Nothing", &RefineOptions::default()),
        Err(Error::Query(_))
    ));
    let error = project
        .check("refinement: (", &RefineOptions::default())
        .unwrap_err();
    assert!(
        matches!(&error, Error::MalformedQuery(_)) && error.problems()[0].line == Some(1),
        "{error}"
    );
}

/// Programs send models and errors to other threads.
#[test]
fn types_can_be_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<Model>();
    shared::<Error>();
    shared::<Options>();
    shared::<zonewalk::Report>();
}
