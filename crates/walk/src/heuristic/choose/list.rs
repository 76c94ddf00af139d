//! All candidates of a state, where a draw needs them.

use super::Chooser;
use crate::Stop;
use crate::enabled::candidate::list_ready;
use crate::walker::Walker;

impl Chooser {
    /// Lists every candidate that is or will be enabled, windows cut to what is left of the future.
    pub(crate) fn list(&mut self, walker: &mut Walker<'_>, horizon: i64) -> Result<(), Stop> {
        self.list_pieces(walker, horizon)?;
        if walker.plan.network.has_priorities {
            self.keep_one_piece();
        }
        Ok(())
    }

    /// Lists the candidates, one for every piece of a window that priorities let fall apart.
    pub(super) fn list_pieces(&mut self, walker: &mut Walker<'_>, horizon: i64) -> Result<(), Stop> {
        let (candidates, refused) = (&mut self.candidates, &self.refused);
        if !walker.plan.network.has_priorities {
            list_ready(walker, horizon, refused, candidates, &mut self.missed);
            return Ok(());
        }
        // What was refused at one instant may still block others at another one.
        list_ready(walker, horizon, &[], candidates, &mut self.missed);
        self.sieve.sift(walker, candidates, None);
        candidates.retain(|c| {
            let is_on_grid = !c.window.is_empty();
            self.missed |= !is_on_grid;
            is_on_grid && !refused.iter().any(|r| r.is_same(c))
        });
        Ok(())
    }

    /// Keeps one piece of every candidate at random, so that a candidate stays one candidate.
    pub(super) fn keep_one_piece(&mut self) {
        let candidates = &mut self.candidates;
        let (mut kept, mut first) = (0, 0);
        while first < candidates.len() {
            let group = candidates[first..].iter();
            let count = group.take_while(|c| c.is_same(&candidates[first])).count();
            candidates[kept] = candidates[first + self.random.index(count)];
            kept += 1;
            first += count;
        }
        candidates.truncate(kept);
    }
}
