//! Useless transitions.

use super::{QueueRule, Reached};
use crate::estimate::{Estimate, Heuristic};
use zonewalk_search::{StateId, Stored};
use zonewalk_symbolic::state::ZoneState;
use zonewalk_zones::Word;

/// States that a useless transition has led to wait in a second queue.
///
/// A transition is useless in a state if no shortest way to a goal begins with it. What is asked is whether it is *relatively*
/// useless: whether the estimate of the state, in the system without the transition, is no larger than that of the state that
/// it leads to (Wehrle, Kupferschmid, Podelski: Useless actions are useful, ICAPS 2008; Transition-based directed model checking,
/// TACAS 2009; with two queues in MCTA-2012).
///
/// Estimates see transitions that are not possible yet and take them for another way. Where all transitions of a state look
/// useless they contradict the definition, since every way begins with one of them: those with the smallest estimate are
/// not useless then.
#[derive(Clone, Debug)]
pub struct Useless<W = i32> {
    /// The state that is being expanded.
    source: Option<ZoneState<W>>,
    /// The estimate of the state that was asked about last.
    last: Option<Estimate>,
    /// The estimates of the new successors.
    estimates: Vec<Estimate>,
}

impl<W> Default for Useless<W> {
    fn default() -> Useless<W> {
        Useless {
            source: None,
            last: None,
            estimates: Vec::new(),
        }
    }
}

impl<W: Word> QueueRule<W> for Useless<W> {
    fn queue(&mut self, reached: &Reached<'_, W>, heuristic: &mut dyn Heuristic<W>) -> u32 {
        self.last = Some(reached.estimate);
        let Some(source) = &self.source else {
            return 0;
        };
        u32::from(heuristic.is_useless(source, reached.parts, reached.state))
    }

    fn on_stored(&mut self, at: Stored) {
        if let Stored::New(_) = at {
            self.estimates.extend(self.last.take());
        }
    }

    fn rank_together(&mut self, queues: &mut [u32]) {
        if queues.iter().all(|&queue| queue > 0) {
            let least = self.estimates.iter().min();
            for (queue, estimate) in queues.iter_mut().zip(&self.estimates) {
                *queue = u32::from(Some(estimate) != least);
            }
        }
        self.estimates.clear();
    }

    fn before_expand(&mut self, _: StateId, state: &ZoneState<W>) {
        match &mut self.source {
            Some(source) => source.clone_from(state),
            source => *source = Some(state.clone()),
        }
    }
}
