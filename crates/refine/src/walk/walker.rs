//! One walk: compare the maximal delays, choose a transition, choose an instant, let the other side follow; again and again.

use zonewalk_tioa::Side as Which;

use crate::systems::set::TooLarge;
use crate::walk::Heuristic;
use crate::walk::candidate::Candidates;
use crate::walk::instant::{END_OF_TIME, FOREVER};
use crate::walk::plan::PairPlan;
use crate::walk::schedule::DelayDistribution;
use crate::walk::state::{Move, State};
use zonewalk_numbers::Random;

/// Makes walks, one after the other, in the same memory.
#[derive(Debug)]
pub(super) struct Walker {
    pub(super) plan: PairPlan,
    initial: State,
    pub(super) state: State,
    pub(super) candidates: Candidates,
    /// Moves of the step that is being made.
    pub(super) moves: Vec<Move>,
    /// The first instant at which the left side had waited too long. Only SMC walks go on then.
    pub(super) overdue: Option<i64>,
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WalkEnd {
    /// It took all its steps.
    Depth,
    /// Nothing is enabled any more, or nothing can be wrong any more.
    Stuck,
    /// A rule is broken.
    Violation(Violation),
}

/// A rule that is broken, after the delays and steps of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Violation {
    /// At this instant the left side can still wait and the right side cannot.
    Delay { at: i64 },
    /// No move follows the offer at this instant. The leaders' moves are those of the walker.
    Unmatched { offer: u32, at: i64 },
}

/// Result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepResult {
    Taken,
    /// Time has passed, and nothing else has happened.
    Waited,
    Ended(WalkEnd),
}

/// Hears about the steps of a walk.
pub(super) trait WalkObserver {
    /// A step is about to be taken, at the instant that it is now.
    fn see(&mut self, plan: &PairPlan, state: &State, offer: u32, moves: &[Move]);
}

/// No observer.
pub(super) struct Unobserved;

impl WalkObserver for Unobserved {
    #[inline]
    fn see(&mut self, _: &PairPlan, _: &State, _: u32, _: &[Move]) {}
}

impl Walker {
    pub(super) fn new(mut plan: PairPlan) -> Result<Walker, TooLarge> {
        let initial = State::initial(&mut plan)?;
        Ok(Walker {
            state: initial.clone(),
            initial,
            plan,
            candidates: Candidates::default(),
            moves: Vec::new(),
            overdue: None,
        })
    }

    /// Counts time in other parts of a unit, and begins anew.
    pub(super) fn rescale(&mut self, unit: i64) -> Result<(), TooLarge> {
        if unit != self.plan.unit {
            self.plan.rescale(unit);
            self.initial = State::initial(&mut self.plan)?;
        }
        self.restart();
        Ok(())
    }

    /// Whether the left side has an initial state. Without one there is nothing to walk on.
    pub(super) fn can_start(&self) -> bool {
        self.initial.horizon(Which::Left) >= 0
    }

    /// Begins anew.
    pub(super) fn restart(&mut self) {
        self.state.copy_from(&self.initial);
        self.overdue = None;
    }

    /// Goes on until `until` steps have been made, of which `taken` exist already.
    pub(super) fn walk(
        &mut self,
        heuristic: Heuristic,
        distribution: DelayDistribution,
        random: &mut Random,
        taken: &mut u32,
        until: u32,
        witness: &mut impl WalkObserver,
    ) -> Result<WalkEnd, TooLarge> {
        loop {
            // The delay rule is examined in every pair (section 3 of the paper), also in the last one.
            let turn = match heuristic {
                Heuristic::Smc => self.race(random, *taken == until, witness)?,
                _ => self.step(heuristic, distribution, random, *taken == until, witness)?,
            };
            match turn {
                StepResult::Ended(end) => return Ok(end),
                StepResult::Taken | StepResult::Waited => *taken += 1,
            }
        }
    }

    fn step(
        &mut self,
        heuristic: Heuristic,
        distribution: DelayDistribution,
        random: &mut Random,
        is_last: bool,
        witness: &mut impl WalkObserver,
    ) -> Result<StepResult, TooLarge> {
        let horizon = self.state.horizon(Which::Left);
        let right = self.state.horizon(Which::Right);
        if right < horizon {
            return Ok(StepResult::Ended(WalkEnd::Violation(Violation::Delay {
                at: right + 1,
            })));
        }
        if is_last {
            return Ok(StepResult::Ended(WalkEnd::Depth));
        }
        if self.state.is_free() || self.state.now > END_OF_TIME {
            return Ok(StepResult::Ended(WalkEnd::Stuck));
        }
        let chosen = match heuristic {
            Heuristic::Rcf => self.random_channel(horizon, random),
            _ => self.random_transition(horizon, random),
        };
        let Some(candidate) = chosen else {
            return Ok(StepResult::Ended(WalkEnd::Stuck));
        };
        let mut window = candidate.window;
        if window.hi >= FOREVER {
            // The paper does not say how late is late where nothing bounds it: where nothing new happens to any clock.
            window.hi = window.lo + self.plan.beyond;
        }
        self.moves.clear();
        self.candidates
            .write(&self.plan, &self.state, candidate, horizon, &mut self.moves);
        self.state.now = distribution.choose(window, random);
        self.follow(candidate.offer, witness)
    }

    /// Lets the other side follow the leaders' moves at this instant.
    pub(super) fn follow(
        &mut self,
        offer: u32,
        witness: &mut impl WalkObserver,
    ) -> Result<StepResult, TooLarge> {
        let about = self.plan.offers[offer as usize];
        let now = self.state.now;
        let leading = self.moves.len();
        for &(part, local) in self.plan.participants(about.followers) {
            let slot = self.plan.slot(self.state.rows[part as usize], local);
            let mut answer: Option<Move> = None;
            for edge in slot.edges() {
                let span = self.plan.edges[edge].alternatives;
                let holding = span.range().find(|&k| self.plan.holds(k, &self.state.since, now));
                let Some(alternative) = holding else { continue };
                if let Some(other) = answer {
                    if !self.plan.is_same(other.edge as usize, edge) {
                        // With two answers it is not certain that the walk must end in a violation.
                        return Ok(StepResult::Ended(WalkEnd::Stuck));
                    }
                    continue;
                }
                answer = Some(Move {
                    part,
                    edge: edge as u32,
                    alternative: alternative as u32,
                });
            }
            match answer {
                Some(answer) => self.moves.push(answer),
                None if about.is_output || about.leader == Which::Right => {
                    self.moves.truncate(leading);
                    return Ok(StepResult::Ended(WalkEnd::Violation(Violation::Unmatched {
                        offer,
                        at: now,
                    })));
                }
                // An input that the right side refuses may be refused by the left side: there is no such step.
                None => return Ok(StepResult::Waited),
            }
        }
        witness.see(&self.plan, &self.state, offer, &self.moves);
        self.state.take(&mut self.plan, &self.moves)?;
        Ok(StepResult::Taken)
    }
}
