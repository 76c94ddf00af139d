//! Statistical model checking of refinement, the baseline of the paper (sections 1 and 4.3): the left side runs together with the
//! complement of the right side, by the stochastic semantics of UPPAAL SMC, until the complement reaches its error location.
//!
//! The complement has the locations of the right side without their invariants. Its error location is reached by an output that the
//! right side does not allow, and, where its invariant is exceeded, by an output of its own that has no deadline. So the complement
//! need not be built: it draws an instant at rate 1 from the end of the right side's invariant on.
//!
//! Every automaton of the left side that can send something draws an instant: uniformly between the first one at which it can
//! send and the end of its invariant, or exponentially with rate 1 after the former where there is no end. The earliest one wins and
//! takes one of the edges that are enabled then, each as likely as the others; where none is, the race begins anew. No side sends the
//! inputs of the left side.

use zonewalk_tioa::Side as Which;

use crate::systems::set::TooLarge;
use crate::walk::instant::{FOREVER, Window};
use crate::walk::plan::PairPlan;
use crate::walk::schedule::uniform;
use crate::walk::state::{Move, State};
use crate::walk::walker::{StepResult, Violation, WalkEnd, WalkObserver, Walker};
use zonewalk_numbers::Random;

impl Walker {
    /// One race.
    pub(super) fn race(
        &mut self,
        random: &mut Random,
        is_last: bool,
        witness: &mut impl WalkObserver,
    ) -> Result<StepResult, TooLarge> {
        let allowed = self.state.horizon(Which::Right);
        if is_last {
            return Ok(StepResult::Ended(WalkEnd::Depth));
        }
        if self.state.is_free() || self.state.now >= FOREVER / 2 {
            return Ok(StepResult::Ended(WalkEnd::Stuck));
        }
        let deadline = self.state.horizon(Which::Left);
        let mut winner = None;
        let mut first = FOREVER;
        for &part in self.state.senders.items() {
            if let Some(at) = draw(&self.plan, &self.state, part, random)
                && at < first
            {
                (first, winner) = (at, Some(part));
            }
        }
        // The complement's own output, from the first instant on at which the right side's invariant is broken.
        let error = (allowed < FOREVER)
            .then(|| after((allowed + 2) & !1, self.state.now, self.plan.unit, random))
            .filter(|&at| at < first && at <= deadline);
        let until = error.unwrap_or(first).min(deadline);
        if until > allowed && self.overdue.is_none() {
            self.overdue = Some(allowed + 1);
        }
        if let (Some(at), true) = (self.overdue, error.is_some()) {
            return Ok(StepResult::Ended(WalkEnd::Violation(Violation::Delay { at })));
        }
        let Some(part) = winner.filter(|_| first <= deadline) else {
            // Time stops before anything is sent.
            return Ok(StepResult::Ended(WalkEnd::Stuck));
        };
        self.state.now = first;
        let Some((offer, edge)) = self.enabled(part, random) else {
            return Ok(StepResult::Waited);
        };
        if !self.join(offer, part, edge, random) {
            return Ok(StepResult::Waited);
        }
        if let Some(at) = self.overdue
            && !self.plan.offers[offer as usize].followers.is_empty()
        {
            // Where its invariant is broken the right side allows no output.
            return Ok(StepResult::Ended(WalkEnd::Violation(Violation::Delay { at })));
        }
        self.follow(offer, witness)
    }

    /// One of the edges by which an automaton can send right now.
    fn enabled(&self, part: u32, random: &mut Random) -> Option<(u32, u32)> {
        let (plan, state) = (&self.plan, &self.state);
        let place = state.places[part as usize];
        let mut found = None;
        let mut count = 0;
        for (offer, edge) in plan.sent_from(part, place) {
            if holding(plan, state, edge).is_some() {
                count += 1;
                if random.below(count) == 0 {
                    found = Some((offer, edge as u32));
                }
            }
        }
        found
    }

    /// Sets the moves of all automata of the left side that take part; none if one of them refuses.
    fn join(&mut self, offer: u32, sender: u32, edge: u32, random: &mut Random) -> bool {
        let (plan, state) = (&self.plan, &self.state);
        self.moves.clear();
        for &(part, local) in plan.participants(plan.offers[offer as usize].leaders) {
            let mut chosen = None;
            let mut count = 0;
            for own in plan.on(state.places[part as usize], local) {
                if part == sender && own != edge as usize {
                    continue;
                }
                let Some(alternative) = holding(plan, state, own) else {
                    continue;
                };
                count += 1;
                if random.below(count) == 0 {
                    chosen = Some(Move {
                        part,
                        edge: own as u32,
                        alternative,
                    });
                }
            }
            match chosen {
                Some(own) => self.moves.push(own),
                None => return false,
            }
        }
        true
    }
}

/// The alternative by which an edge is enabled right now.
fn holding(plan: &PairPlan, state: &State, edge: usize) -> Option<u32> {
    let mut alternatives = plan.edges[edge].alternatives.range();
    let found = alternatives.find(|&k| plan.holds(k, &state.since, state.now));
    found.map(|alternative| alternative as u32)
}

/// The instant at which an automaton wants to send, if it ever can.
fn draw(plan: &PairPlan, state: &State, part: u32, random: &mut Random) -> Option<i64> {
    let place = state.places[part as usize];
    let deadline = state.deadlines[part as usize];
    let window = Window {
        lo: state.now,
        hi: deadline,
    };
    let mut earliest = FOREVER;
    for (_, edge) in plan.sent_from(part, place) {
        for alternative in plan.edges[edge].alternatives.range() {
            let own = plan.within(alternative, &state.since, window);
            let lo = (own.lo + 1) & !1;
            if lo <= own.hi & !1 {
                earliest = earliest.min(lo);
            }
        }
    }
    if earliest >= FOREVER {
        return None;
    }
    let hi = deadline & !1;
    Some(if deadline < FOREVER {
        uniform(Window { lo: earliest, hi }, random)
    } else {
        after(earliest, state.now, plan.unit, random)
    })
}

/// Exponentially distributed with rate 1 after an instant, or after this moment if that is later.
fn after(from: i64, now: i64, unit: i64, random: &mut Random) -> i64 {
    let wait = (random.exponential(1.0) * unit as f64) as i64;
    from.max(now) + (wait & !1)
}
