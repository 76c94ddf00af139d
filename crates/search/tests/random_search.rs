//! Random search holds one state, and finds its path by walking again.
#![allow(clippy::unwrap_used)]

use zonewalk_search::highway::random_search;
use zonewalk_search::{
    Emit, ExactStore, Goal, Limit, Limits, Outcome, Report, Store as _, TransitionSystem, Worker, replay,
};

/// Numbers without end: each leads back to 0, or on by one or two.
#[derive(Clone)]
struct Numbers {
    leads_back: bool,
}

impl TransitionSystem for Numbers {
    type State = u64;
    type Step<'s> = ();
    type Fault = String;
    type Scratch = ();

    fn initial<'e>(&'e self, _: &'e mut (), emit: Emit<'e, Self>) -> Result<(), String> {
        let _ = emit(&0, ());
        Ok(())
    }

    fn successors<'e>(&'e self, _: &'e mut (), state: &u64, emit: Emit<'e, Self>) -> Result<(), String> {
        let back = self.leads_back.then_some(0);
        for next in back.into_iter().chain([state + 1, state + 2]) {
            if emit(&next, ()).is_break() {
                break;
            }
        }
        Ok(())
    }
}

fn walk(numbers: &Numbers, goal: u64, limits: &Limits<'_>) -> (Report<u64, String>, ExactStore<u64>) {
    let mut store = ExactStore::new();
    let mut test = |state: &u64| *state >= goal;
    let report = random_search(
        &mut Worker::new(numbers, &mut ()),
        &mut store,
        Goal::state(&mut test),
        7,
        limits,
    );
    (report, store)
}

#[test]
fn a_walk_holds_one_state_however_long_it_is() {
    let walked = |steps: u64| {
        let limits = Limits {
            explored: Some(steps),
            ..Limits::default()
        };
        let (report, store) = walk(&Numbers { leads_back: false }, u64::MAX, &limits);
        assert_eq!(report.outcome, Outcome::LimitReached(Limit::States));
        assert_eq!((report.statistics.states_explored, store.stored()), (steps, 0));
        (report.statistics.states_stored, report.statistics.peak_bytes)
    };
    assert_eq!(walked(100), walked(1_000_000));
    assert_eq!(walked(100).0, 1);
}

/// Beyond the states that are remembered the path is the walk itself.
#[test]
fn the_path_of_a_long_walk_is_found_again() {
    let numbers = Numbers { leads_back: false };
    let (report, store) = walk(&numbers, 300_000, &Limits::default());
    let Outcome::Found { path, state } = report.outcome else {
        panic!("there is no other way than there");
    };
    assert!(state >= 300_000);
    assert_eq!(
        replay(&mut Worker::new(&numbers, &mut ()), &path).unwrap().last(),
        Some(&state)
    );
    assert_eq!(store.stored(), 1 << 16);
    // Two in one step where that was in sight, else as drawn.
    assert!(path.len() as u64 <= report.statistics.states_explored + 1);
}

/// A walk that comes back to what it knows forgets the way round.
#[test]
fn loops_are_no_part_of_the_path() {
    let numbers = Numbers { leads_back: true };
    let (report, _) = walk(&numbers, 18, &Limits::default());
    let Outcome::Found { path, state } = report.outcome else {
        panic!("it comes there in the end");
    };
    assert_eq!(
        replay(&mut Worker::new(&numbers, &mut ()), &path).unwrap().last(),
        Some(&state)
    );
    assert!(report.statistics.states_explored > 100, "{:?}", report.statistics);
    assert!(path.len() <= 20, "{path:?}");
}
