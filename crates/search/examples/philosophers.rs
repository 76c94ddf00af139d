//! A model written in Rust, searched in several ways: philosophers at a round table who take their left fork first.
//!
//! ```text
//! cargo run --release -p zonewalk-search --example philosophers -- [HOW MANY]
//! ```
#![allow(clippy::print_stdout)]

use std::convert::Infallible;
use std::num::NonZeroUsize;

use zonewalk_search::drs::{Parameters, deep_random_search};
use zonewalk_search::highway::{Choice, Highway, highway_search};
use zonewalk_search::{
    Breadth, Emit, ExactStore, Goal, Limits, Outcome, RandomDepth, Reopening, TransitionSystem, Worker,
    replay, search,
};

/// Forks that a philosopher holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holds {
    Nothing,
    Left,
    Both,
}

struct Table {
    seats: usize,
}

impl Table {
    /// Next action of philosopher `p`, or `None` if he must wait. He shares his left fork with the previous one.
    fn next(&self, state: &[Holds], p: usize) -> Option<Holds> {
        let before = state[(p + self.seats - 1) % self.seats];
        let after = state[(p + 1) % self.seats];
        match state[p] {
            Holds::Nothing => (before != Holds::Both).then_some(Holds::Left),
            Holds::Left => (after == Holds::Nothing).then_some(Holds::Both),
            Holds::Both => Some(Holds::Nothing),
        }
    }
}

impl TransitionSystem for Table {
    type State = Vec<Holds>;
    type Step<'s> = ();
    type Fault = Infallible;
    type Scratch = ();

    fn initial<'e>(&'e self, _: &'e mut (), emit: Emit<'e, Self>) -> Result<(), Infallible> {
        let _ = emit(&vec![Holds::Nothing; self.seats], ());
        Ok(())
    }

    fn successors<'e>(
        &'e self,
        _: &'e mut (),
        state: &Vec<Holds>,
        emit: Emit<'e, Self>,
    ) -> Result<(), Infallible> {
        // One buffer for all successors: they are valid during the call of `emit` only.
        let mut next = state.clone();
        for p in 0..self.seats {
            if let Some(holds) = self.next(state, p) {
                next[p] = holds;
                if emit(&next, ()).is_break() {
                    break;
                }
                next[p] = state[p];
            }
        }
        Ok(())
    }
}

fn main() {
    let seats = std::env::args()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .unwrap_or(10);
    let table = Table { seats };
    let store = || ExactStore::with_heap(|state: &Vec<Holds>| state.capacity() * size_of::<Holds>());
    let limits = Limits {
        memory: Some(1 << 30),
        ..Limits::default()
    };
    let highway = Highway {
        width: NonZeroUsize::new(8).unwrap_or(NonZeroUsize::MIN),
        choice: Choice::Approximate,
        seed: 1,
    };
    let drs = deep_random_search(
        &mut Worker::new(&table, &mut ()),
        || Reopening::new(store()),
        Goal::deadlock(),
        &Parameters::default(),
        &limits,
    );
    let reports = [
        (
            "breadth-first",
            search(
                &mut Worker::new(&table, &mut ()),
                &mut store(),
                &mut Breadth::new(),
                Goal::deadlock(),
                &limits,
            ),
        ),
        (
            "randomised depth-first",
            search(
                &mut Worker::new(&table, &mut ()),
                &mut store(),
                &mut RandomDepth::new(1),
                Goal::deadlock(),
                &limits,
            ),
        ),
        (
            "highway of 8 lanes",
            highway_search(
                &mut Worker::new(&table, &mut ()),
                store,
                Goal::deadlock(),
                &highway,
                &limits,
            ),
        ),
        (
            "deep random search",
            zonewalk_search::Report {
                outcome: drs.outcome,
                fault: drs.fault,
                statistics: drs.statistics,
            },
        ),
    ];
    for (name, report) in reports {
        let explored = report.statistics.states_explored;
        match report.outcome {
            Outcome::Found { path, state } => {
                println!(
                    "{name}: a deadlock after {} steps, {explored} states explored",
                    path.len() - 1
                );
                let last = replay(&mut Worker::new(&table, &mut ()), &path)
                    .ok()
                    .and_then(|mut states| states.pop());
                assert_eq!(last, Some(state), "a path can be followed again");
            }
            other => println!("{name}: {other:?}, {explored} states explored"),
        }
    }
}
