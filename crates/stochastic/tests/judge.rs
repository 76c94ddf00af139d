//! Runs of the engine before the judge of runs in doubles: what the engine records is confirmed, and what is changed is not.

mod support;

use support::{Largest, Reaches, load};
use zonewalk_model::ids::{ClockId, EdgeId, ProcessId};
use zonewalk_model::system::Value;
use zonewalk_reference::Part;
use zonewalk_reference::doubles::{DoubleRun, DoubleState, DoubleStep, judge};
use zonewalk_sampling::{Bound, Ended, Sampler as _};
use zonewalk_stochastic::{Options, Record, Runner};

fn run_of(record: &Record) -> DoubleRun {
    let steps = record.steps.iter().map(|step| DoubleStep {
        time: step.time,
        parts: step
            .edges
            .iter()
            .map(|taken| Part {
                process: ProcessId::from_index(taken.process),
                edge: EdgeId(taken.edge),
                selects: taken.selected.clone(),
            })
            .collect(),
        draws: step.draws.clone(),
    });
    DoubleRun {
        initial_draws: record.initial_draws.clone(),
        steps: steps.collect(),
        straight: record.straight.clone(),
        discretization: record.discretization,
        end: record.end,
    }
}

/// Rates, conditions on them, doubles, draws, weights, broadcasts with selects, functions with references, urgent and committed
/// locations.
const MIXED: &str = "
    broadcast chan hit[3]; urgent broadcast chan now;
    double level = random(2), total = 0.0; int n; int seen[3]; bool slow;
    double half(double v) { return v / 2; }
    void add(double &to, double what) { to = to + half(what); }
    process Source() {
        clock x;
        state Wait { x <= 3 && x' == (slow ? 0.5 : 2.0) }, Hot { ; 3 }, Fork;
        commit Fork; urgent Hot;
        init Wait;
        trans Wait -> Fork { guard x >= 1; assign level = random_normal(5, 1), add(total, level); },
              Fork -> Hot { select i : int[0, 2]; sync hit[i]!; assign slow = !slow, n = n < 1000 ? n + 1 : 0; },
              Hot -> Wait { assign x = random(0.5); };
    }
    process Sink(const int me) {
        clock y; hybrid clock e = 1.5;
        state Idle { e' == -0.25 * e }, Busy { y <= 2 && e' == 1 - e };
        init Idle;
        trans Idle -> Busy { sync hit[me]?; assign y = 0, seen[me]++; },
              Busy -> Idle { guard y >= 1 && e < 100.0; };
    }
    A = Sink(0); B = Sink(1);
    system Source, A, B;";

#[test]
fn recorded_runs_are_confirmed() {
    let loaded = load(MIXED, &[], &["A.e"]);
    let plan = loaded.plan(Options::default());
    let mut runner = Runner::new(&plan);
    let mut transitions = 0;
    for run in 0..30 {
        let mut monitor = Largest::default();
        let (record, ended) = runner.record(3, run, &Bound::Time(25.0), &mut monitor);
        ended.unwrap_or_else(|error| panic!("{error}"));
        let states = judge(&loaded.model, &loaded.system, &run_of(&record));
        let states = states.unwrap_or_else(|objection| panic!("run {run}: {objection}"));
        transitions += record.steps.len();
        let last = states.last().expect("a last state");
        assert_eq!(last.time, 25.0);
        let clock = loaded
            .system
            .clocks
            .iter()
            .position(|c| &*c.name == "A.e")
            .expect("a clock");
        let judged = last.clocks[ClockId::from_index(clock).index()];
        assert!(
            (judged - monitor.last).abs() < 1e-4,
            "{judged} and {}",
            monitor.last
        );
    }
    assert!(transitions > 500, "{transitions}");
}

fn total(state: &DoubleState, index: usize) -> f64 {
    match state.memory.globals[index] {
        Value::Double(d) => d,
        ref other => panic!("{other:?}"),
    }
}

#[test]
fn changed_runs_are_refused() {
    let loaded = load(MIXED, &[], &["level"]);
    let plan = loaded.plan(Options::default());
    let mut runner = Runner::new(&plan);
    let (record, ended) = runner.record(3, 1, &Bound::Time(10.0), &mut Largest::default());
    assert!(ended.is_ok());
    let run = run_of(&record);
    let refusal = |run: &DoubleRun| judge(&loaded.model, &loaded.system, run).map(drop);
    assert_eq!(refusal(&run), Ok(()));
    let objects = |change: &dyn Fn(&mut DoubleRun), why: &str| {
        let mut changed = run.clone();
        change(&mut changed);
        let objection = refusal(&changed).expect_err(why);
        assert!(objection.message.contains(why), "{objection}");
    };
    objects(&|run| run.steps[0].time = 0.1, "cannot take its edge");
    objects(
        &|run| run.steps[0].time += 9.0,
        "the invariant of Source.Wait does not hold",
    );
    objects(
        &|run| run.steps[1].time += 0.1,
        "time passes while Source is in Fork",
    );
    objects(
        &|run| run.steps[0].draws.clear(),
        "one draw more than was recorded",
    );
    objects(
        &|run| run.steps[0].draws.push(1.0),
        "fewer draws than were recorded",
    );
    let heard = run
        .steps
        .iter()
        .position(|s| s.parts.len() == 2)
        .expect("a receiver");
    objects(
        &|run| drop(run.steps[heard].parts.pop()),
        "could receive, and takes no part",
    );
    // Another draw is another run, and its values are others.
    let mut other = run.clone();
    other.steps[0].draws[0] += 1.0;
    let globals = &loaded.model.globals;
    let index = globals
        .iter()
        .position(|v| &*v.name == "total")
        .expect("a variable");
    let [a, b] = [&run, &other].map(|r| judge(&loaded.model, &loaded.system, r).expect("confirmed"));
    assert_eq!(total(&a[0], index), 0.0);
    assert!((total(&b[1], index) - total(&a[1], index) - 0.5).abs() < 1e-12);
}

/// A ball that comes to rest, beside a process that could always move.
const BALL: &str = "
    urgent broadcast chan bounce; broadcast chan tick;
    process Ball() {
        clock p = 0.1, v;
        state Fly { v' == -9.81 && p' == 1.0 * v };
        init Fly;
        trans Fly -> Fly { guard p == 0 && v < 0; sync bounce!; assign v = -(0.8 + random(0.1)) * v; };
    }
    process Other() { state A { ; 2 }; init A; trans A -> A { sync tick!; }; }
    system Ball, Other;";

/// It bounces without end in a finite time, and time goes on all the same. Nothing overtakes a bounce at the floor.
#[test]
fn a_ball_comes_to_rest_on_the_floor() {
    let loaded = load(BALL, &[], &["Ball.p"]);
    let lowest = load(BALL, &["Ball.p < -0.001"], &[]);
    let (plan, below) = (loaded.plan(Options::default()), lowest.plan(Options::default()));
    let mut rests = 0;
    for run in 0..5 {
        let mut monitor = Largest::default();
        let (record, ended) = Runner::new(&plan).record(5, run, &Bound::Time(2.5), &mut monitor);
        assert_eq!(ended, Ok(Ended::Bound));
        assert!(
            (0.0..0.05).contains(&monitor.last),
            "run {run} ends at {}",
            monitor.last
        );
        assert!(monitor.value <= 0.1);
        rests += usize::from(!record.straight.is_empty());
        let judged = judge(&loaded.model, &loaded.system, &run_of(&record));
        assert!(judged.is_ok(), "run {run}: {:?}", judged.err());
        let ended = Runner::new(&below).run(5, run, &Bound::Time(2.5), &mut Reaches::default());
        assert_eq!(ended, Ok(Ended::Bound), "run {run} falls through the floor");
        // The judge does not take straight stretches where nothing forces them.
        let mut early = run_of(&record);
        early.straight.insert(0, (0.05, 0.06));
        let refused =
            judge(&loaded.model, &loaded.system, &early).expect_err("a straight stretch without a reason");
        assert_eq!(refused.message, "clocks go on straight from 0.05 to 0.06");
    }
    assert_eq!(rests, 5);
}

/// Bounces that are much shorter than the first step of the integrator are seen, with a guard that still holds when they begin.
#[test]
fn short_flights_are_seen() {
    let text = "urgent broadcast chan bounce;
        process Ball() {
            clock p = 1.0, v;
            state Fly { v' == -9.81 && p' == 1.0 * v }, Rest { v' == 0 && p' == 0 };
            init Fly;
            trans Fly -> Fly { guard p <= 0 && v <= 0; sync bounce!; assign v = -0.8 * v; },
                  Fly -> Rest { guard p <= 0 && v <= 0 && v > -1e-5; sync bounce!; };
        }
        system Ball;";
    let loaded = load(text, &["Ball.Rest"], &[]);
    let plan = loaded.plan(Options::default());
    // The time of all flights together: the first fall, and a geometric series.
    let fall = (2.0_f64 / 9.81).sqrt();
    let all = fall + 2.0 * fall * 0.8 / 0.2;
    for run in 0..10 {
        let mut monitor = Reaches::default();
        let ended = Runner::new(&plan).run(1, run, &Bound::Time(9.0), &mut monitor);
        assert_eq!(ended, Ok(Ended::Decided));
        let at = monitor.at.expect("an instant");
        assert!(
            (at - all).abs() < 1e-4,
            "run {run} comes to rest at {at}, not {all}"
        );
    }
}

/// The greatest height of a throw is between the steps of the integrator.
#[test]
fn the_top_of_a_throw_is_seen() {
    let text = "process Throw() { clock p, v = 10.0; state Fly { v' == -9.81 && p' == 1.0 * v }; init Fly; } system Throw;";
    let loaded = load(text, &[], &["Throw.p"]);
    let plan = loaded.plan(Options::default());
    let mut monitor = Largest::default();
    let ended = Runner::new(&plan).run(1, 0, &Bound::Time(2.0), &mut monitor);
    assert_eq!(ended, Ok(Ended::Bound));
    let top = 100.0 / (2.0 * 9.81);
    assert!(
        (monitor.value - top).abs() < 1e-3 * top,
        "{} and not {top}",
        monitor.value
    );
}
