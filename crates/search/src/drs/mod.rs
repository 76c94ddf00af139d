//! Deep random search: Grosu, Huang, Smolka, Tan, Tripakis, *Deep Random Search for Efficient Model Checking of Timed
//! Automata* (2006), Fig. 3.
//!
//! Random walks go as deep as they can: each continues to a random child that was not met before. A node with more
//! such children than the one taken stays in the *fringe*; when a walk ends, the next one starts at a random node of
//! the fringe. No walk goes below the cutoff; if one would have, the search is repeated with a greater cutoff.
//!
//! # Where this departs from the printed figure
//!
//! Theorem 3 (a counterexample is found if there is one) and Theorem 5 (with an increment of 1 it is a shortest one)
//! do not hold of the figure as it stands. `tests/drs.rs` runs the figure to the letter beside this module, on graphs
//! that show the following.
//!
//! 1. *The root enters the fringe.* In the figure it never does, so what lies behind a child of the root to which no
//!    initial walk went is lost, and the figure claims completeness with fewer `walks` than the root has children.
//! 2. *A state met again at a smaller depth is opened again.* The figure's `generated` ignores depths: a state first
//!    met at the cutoff is never expanded, and it blocks the shorter way on which it would have been. Nodes are
//!    therefore compared by state and depth ([`DepthStore`]). Opening states again is put off until the rest of the
//!    iteration is done, and happens only if a walk was cut off: otherwise all is explored without it, and the
//!    linear time of Theorem 4 stays true of a search without cutoff.
//! 3. *The last iteration goes to the cutoff*, and ends with [`Limit::Depth`] if walks were cut
//!    off there. The figure runs only through the multiples of the increment up to the cutoff (none at all if the
//!    increment is greater), and answers "no counter-example" whatever was cut off.
//! 4. *A walk counts as cut off* only if its last state was met nowhere above the cutoff by the end of the iteration.
//!    Without opening states again the figure had no use for the difference; without it iterations would go on until
//!    the cutoff exceeds the longest simple path.
//! 5. *A child of the root that an earlier initial walk has met* is not walked from a second time, unless it was met
//!    at a greater depth. In the figure it gets into the fringe twice, with two depths.
//! 6. *Leaves are goals too when deadlocks are looked for*; the figure drops them unseen.
//!
//! These make no difference to what is found:
//!
//! 7. The children of a node right above the cutoff are generated at once, since no walk goes on from them. In the
//!    figure each takes a walk of its own, which computes all of its siblings again.
//! 8. Whether a child is a leaf is found out for as many children as the choice needs, in random order, not for all.
//!    The child taken is distributed in the same way.
//! 9. A child to which several steps lead is as many times as likely to be taken. The figure has sets of children;
//!    to merge equal ones would cost a lookup each.
//! 10. Depth is counted in steps: the root has depth 0, in the figure 1. (The root is always expanded there, so that
//!     cutoffs 1 and 2 mean the same. The semicolon after the `for` of procedure `DRS` is a misprint.)
//! 11. There may be several initial states. Initial walks start at children of any of them.

mod fringe;
mod iteration;

use std::num::NonZeroU32;

use crate::by_depth::DepthStore;
use crate::engine::{Fault, Outcome};
use crate::goal::Goal;
use crate::limits::{Limit, Limits, Meter, Statistics};
use crate::system::{TransitionSystem, Worker};
use iteration::Iteration;
use zonewalk_numbers::Random;

/// Nodes kept in the fringe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fringe {
    /// The node whose children were not all taken, as in Fig. 3: its children are computed again.
    #[default]
    Node,
    /// The children that were not taken, as in the paper's conclusion.
    Children,
}

/// The parameters of Fig. 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Number of walks that start at different children of the root before the fringe is drawn from. If it exceeds the number of
    /// children, one walk starts at each.
    pub walks: u32,
    /// No path gets longer than this many steps. Without it the search is complete.
    pub cutoff: Option<u32>,
    /// Depth added in each iteration: 1 gives shortest counterexamples, [`NonZeroU32::MAX`] does without iterations.
    pub increment: NonZeroU32,
    /// Nodes kept in the fringe.
    pub fringe: Fringe,
    /// Seed of the random choices. Equal seeds give equal searches.
    pub seed: u64,
}

impl Default for Parameters {
    /// One initial walk, no cutoff, a single iteration, the fringe of Fig. 3, seed 0.
    fn default() -> Self {
        Parameters {
            walks: 1,
            cutoff: None,
            increment: NonZeroU32::MAX,
            fringe: Fringe::Node,
            seed: 0,
        }
    }
}

/// The end of a deep random search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrsReport<S, F> {
    /// How it ended. A path that was found has one number more than steps.
    pub outcome: Outcome<S>,
    /// The first error of the model that was met, as in [`Report`](crate::Report).
    pub fault: Option<Fault<F>>,
    /// Expanded states and transitions of all iterations; what is stored is that of the last.
    pub statistics: Statistics,
    /// The size of the set `generated` of the last iteration: what the paper's tables call *states*.
    pub generated: usize,
    /// States generated in all iterations, those opened again included.
    pub generated_in_all: u64,
    /// Number of children tested for being leaves.
    pub leaf_tests: u64,
    /// Iterations, the last one included.
    pub iterations: u32,
    /// The cutoff of the last iteration.
    pub bound: u32,
}

impl<S, F> DrsReport<S, F> {
    /// The depth of the counterexample, in steps.
    pub fn depth(&self) -> Option<usize> {
        match &self.outcome {
            Outcome::Found { path, .. } => Some(path.len() - 1),
            _ => None,
        }
    }
}

/// Deep random search. `store` makes an empty store for each iteration. The goal is tested on generated states.
///
/// Without cutoff and limits it ends on every finite worker, and finds a goal if there is one (Theorem 3); with an
/// increment of 1 it finds a nearest one (Theorem 5).
pub fn deep_random_search<T, S>(
    worker: &mut Worker<'_, T>,
    mut store: impl FnMut() -> S,
    mut goal: Goal<'_, T::State>,
    parameters: &Parameters,
    limits: &Limits<'_>,
) -> DrsReport<T::State, T::Fault>
where
    T: TransitionSystem,
    S: DepthStore<State = T::State>,
{
    let mut random = Random::new(parameters.seed);
    let mut meter = Meter::new(limits);
    let most = parameters.cutoff.unwrap_or(u32::MAX);
    let mut bound = parameters.increment.get().min(most);
    let (mut iterations, mut before, mut leaf_tests) = (0, 0, 0);
    let mut fault = None;
    loop {
        iterations += 1;
        let mut iteration = Iteration::new(
            store(),
            &mut goal,
            &mut meter,
            &mut random,
            parameters,
            bound,
            &mut fault,
        );
        let result = iteration.run(worker);
        let end = match result {
            Err(end) => Some(iteration.outcome(end)),
            Ok(()) if !iteration.was_cut_off() => Some(Outcome::Exhausted),
            Ok(()) if bound == most => Some(Outcome::LimitReached(Limit::Depth)),
            Ok(()) => None,
        };
        let (generated, opened) = iteration.generated();
        before += opened as u64;
        leaf_tests += iteration.leaf_tests;
        if let Some(outcome) = end {
            return DrsReport {
                outcome,
                fault,
                statistics: meter.statistics,
                generated,
                generated_in_all: before,
                leaf_tests,
                iterations,
                bound,
            };
        }
        bound = bound.saturating_add(parameters.increment.get()).min(most);
    }
}
