//! Searches a transition system of its own: wolf, goat and cabbage cross a river, breadth first and at random.
//!
//! ```text
//! cargo run --release --example transition_system
//! ```
#![allow(clippy::print_stdout)]

use std::convert::Infallible;
use zonewalk::search::{
    Breadth, Emit, ExactStore, Goal, Limits, Outcome, RandomDepth, TransitionSystem, Worker, search,
};

const NAMES: [&str; 4] = ["alone", "with the wolf", "with the goat", "with the cabbage"];
const GOAT: u8 = 1 << 2;
/// The bank of the ferryman (bit 0), the wolf, the goat and the cabbage.
const ALL: u8 = 0b1111;

struct River;

/// The goat is alone neither with the wolf nor with the cabbage.
fn is_safe(banks: u8) -> bool {
    let without_ferryman = (if banks & 1 == 0 { banks } else { !banks }) & ALL;
    let [wolf, cabbage] = [1 << 1, 1 << 3];
    // What is set is on the bank that the ferryman is not on.
    !(without_ferryman & GOAT != 0 && without_ferryman & (wolf | cabbage) != 0)
}

impl TransitionSystem for River {
    type State = u8;
    type Step<'s> = &'static str;
    type Fault = Infallible;
    type Scratch = ();

    fn initial<'e>(&'e self, _: &'e mut (), emit: Emit<'e, Self>) -> Result<(), Infallible> {
        let _ = emit(&0, "start");
        Ok(())
    }

    fn successors<'e>(&'e self, _: &'e mut (), &banks: &u8, emit: Emit<'e, Self>) -> Result<(), Infallible> {
        for (passenger, name) in NAMES.iter().enumerate() {
            let is_here = (banks >> passenger) & 1 == banks & 1;
            let next = banks ^ 1 ^ if passenger == 0 { 0 } else { 1 << passenger };
            if is_here && is_safe(next) && emit(&next, name).is_break() {
                break;
            }
        }
        Ok(())
    }
}

fn main() {
    let mut is_over = |banks: &u8| *banks == ALL;
    let limits = Limits::default();
    let goal = Goal::state(&mut is_over);
    let report = search(
        &mut Worker::new(&River, &mut ()),
        &mut ExactStore::new(),
        &mut Breadth::new(),
        goal,
        &limits,
    );
    match report.outcome {
        // The first number of a path says which initial state.
        Outcome::Found { path, .. } => println!("breadth first: {} crossings", path.len() - 1),
        other => println!("breadth first: {other:?}"),
    }
    for seed in 0..3 {
        let goal = Goal::state(&mut is_over);
        let frontier = &mut RandomDepth::new(seed);
        let report = search(
            &mut Worker::new(&River, &mut ()),
            &mut ExactStore::new(),
            frontier,
            goal,
            &limits,
        );
        if let Outcome::Found { path, .. } = report.outcome {
            let explored = report.statistics.states_explored;
            println!(
                "random depth first, seed {seed}: {} crossings, {explored} states explored",
                path.len() - 1
            );
        }
    }
    let mut is_unsafe = |banks: &u8| !is_safe(*banks);
    let goal = Goal::state(&mut is_unsafe);
    let report = search(
        &mut Worker::new(&River, &mut ()),
        &mut ExactStore::new(),
        &mut Breadth::new(),
        goal,
        &limits,
    );
    let is_proved = matches!(report.outcome, Outcome::Exhausted);
    println!(
        "nothing is ever eaten: {}",
        if is_proved { "proved" } else { "not proved" }
    );
}
