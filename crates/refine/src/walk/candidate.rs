//! The transitions that a walk chooses from.

use crate::walk::instant::Window;
use crate::walk::plan::PairPlan;
use crate::walk::state::{Move, State};
use crate::walk::walker::Walker;
use zonewalk_numbers::Random;

/// Transitions to choose from.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    list: Vec<Candidate>,
    chosen: Vec<Move>,
}

/// A transition of the leader, with the instants at which it is enabled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) offer: u32,
    /// Which of the offer's ways, in the order of [`combine`].
    way: u32,
    pub(super) window: Window,
}

impl Walker {
    /// RET: one of all transitions that are enabled now or later (section 3.1 of the paper).
    pub(super) fn random_transition(&mut self, horizon: i64, random: &mut Random) -> Option<Candidate> {
        self.candidates.list.clear();
        for &offer in self.state.possible.items() {
            self.candidates.add(&self.plan, &self.state, offer, horizon);
        }
        self.candidates.any(random)
    }

    /// RCF: a channel, and one of its transitions; another channel if it has none (section 3.1 of the paper). Those of which an
    /// automaton has no edge are left out beforehand, which changes no probability.
    pub(super) fn random_channel(&mut self, horizon: i64, random: &mut Random) -> Option<Candidate> {
        for rest in (1..=self.state.possible.items().len()).rev() {
            self.state.possible.swap(random.index(rest), rest - 1);
            let offer = self.state.possible.items()[rest - 1];
            self.candidates.list.clear();
            self.candidates.add(&self.plan, &self.state, offer, horizon);
            if let Some(candidate) = self.candidates.any(random) {
                return Some(candidate);
            }
        }
        None
    }
}

impl Candidates {
    #[inline]
    fn any(&self, random: &mut Random) -> Option<Candidate> {
        match self.list.len() {
            0 => None,
            1 => Some(self.list[0]),
            many => Some(self.list[random.index(many)]),
        }
    }

    /// Adds the transitions of an offer that are enabled before the horizon: an edge for each leader, and an alternative of each
    /// edge's condition.
    #[inline]
    fn add(&mut self, plan: &PairPlan, state: &State, offer: u32, horizon: i64) {
        let about = &plan.offers[offer as usize];
        let all = Window {
            lo: state.now,
            hi: horizon,
        };
        let mut window = all;
        for &(part, local) in plan.participants(about.leaders) {
            let slot = plan.slot(state.rows[part as usize], local);
            if !slot.is_single() || about.is_refusal {
                self.add_all(plan, state, offer, all);
                return;
            }
            window = plan.within_only(slot, &state.since, window);
        }
        let window = on_grid(window);
        if window.lo <= window.hi {
            self.list.push(Candidate {
                offer,
                way: 0,
                window,
            });
        }
    }

    fn add_all(&mut self, plan: &PairPlan, state: &State, offer: u32, window: Window) {
        let about = &plan.offers[offer as usize];
        if about.is_refusal && !may_be_refused(plan, state, offer) {
            return;
        }
        let mut way = 0;
        let list = &mut self.list;
        combine(
            plan,
            state,
            plan.participants(about.leaders),
            window,
            &mut self.chosen,
            &mut |_, window| {
                let window = on_grid(window);
                if window.lo <= window.hi {
                    list.push(Candidate { offer, way, window });
                }
                way += 1;
            },
        );
    }

    /// Writes down what a transition does. Requires: nothing has changed since it was added.
    #[inline]
    pub(super) fn write(
        &mut self,
        plan: &PairPlan,
        state: &State,
        candidate: Candidate,
        horizon: i64,
        out: &mut Vec<Move>,
    ) {
        let leaders = plan.participants(plan.offers[candidate.offer as usize].leaders);
        for &(part, local) in leaders {
            let slot = plan.slot(state.rows[part as usize], local);
            if !slot.is_single() {
                out.clear();
                self.write_way(plan, state, candidate, horizon, out);
                return;
            }
            let edge = slot.edges().start;
            out.push(Move {
                part,
                edge: edge as u32,
                alternative: plan.edges[edge].alternatives.from,
            });
        }
    }

    fn write_way(
        &mut self,
        plan: &PairPlan,
        state: &State,
        candidate: Candidate,
        horizon: i64,
        out: &mut Vec<Move>,
    ) {
        let leaders = plan.participants(plan.offers[candidate.offer as usize].leaders);
        let window = Window {
            lo: state.now,
            hi: horizon,
        };
        let mut way = 0;
        combine(plan, state, leaders, window, &mut self.chosen, &mut |moves, _| {
            if way == candidate.way {
                out.extend_from_slice(moves);
            }
            way += 1;
        });
    }
}

/// The ticks of a window.
#[inline]
fn on_grid(window: Window) -> Window {
    Window {
        lo: (window.lo + 1) & !1,
        hi: window.hi & !1,
    }
}

/// Shows every way in which leaders can do an action together, with the instants of a window at which they can.
fn combine(
    plan: &PairPlan,
    state: &State,
    leaders: &[(u32, u32)],
    window: Window,
    chosen: &mut Vec<Move>,
    see: &mut impl FnMut(&[Move], Window),
) {
    let Some((&(part, local), rest)) = leaders.split_first() else {
        see(chosen, window);
        return;
    };
    for edge in plan.slot(state.rows[part as usize], local).edges() {
        for alternative in plan.edges[edge].alternatives.range() {
            let window = plan.within(alternative, &state.since, window);
            if window.lo <= window.hi {
                chosen.push(Move {
                    part,
                    edge: edge as u32,
                    alternative: alternative as u32,
                });
                combine(plan, state, rest, window, chosen, see);
                chosen.pop();
            }
        }
    }
}

/// Whether the left side accepts an input for some instants only, or not at all.
fn may_be_refused(plan: &PairPlan, state: &State, offer: u32) -> bool {
    let followers = plan.participants(plan.offers[offer as usize].followers);
    followers.iter().any(|&(part, local)| {
        let mut edges = plan.on(state.places[part as usize], local);
        let is_everything = |edge: usize| {
            let mut parts = plan.edges[edge].alternatives.range();
            parts.any(|alternative| plan.atoms(alternative).is_empty())
        };
        !edges.any(is_everything)
    })
}
