//! Goals: state predicates, examined over the whole delay that a state allows (`semantics.md` 5).
//!
//! A predicate is turned into negation normal form once. Its conjuncts are watched one at a time, as SAT solvers watch
//! literals: while the watched conjunct is false nothing else is evaluated, so that a `forall` over two thousand processes
//! costs a step no more than one comparison. Of many alternatives only those are examined whose
//! locations and variables fit.

pub(crate) mod alternatives;
pub(crate) mod expiry;

use crate::Stop;
use crate::goal::alternatives::{Alternatives, Open};
use crate::goal::expiry::{Expiries, Expiry};
use crate::plan::WalkPlan;
use crate::state::State;
use crate::state::atom::Atom;
use crate::state::refresh::Instants;
use crate::time::Window;
use zonewalk_network::predicate::{NormalForm, Part, PartId};
use zonewalk_network::{Context, Predicate};
use zonewalk_product::{ClockConstraint, CodeOf, Valuation};

/// A goal.
#[derive(Clone, Debug)]
pub struct WalkGoal {
    form: NormalForm,
    /// Conjuncts of the whole, in the order of evaluation.
    conjuncts: Vec<PartId>,
    /// Number of leading conjuncts that may be evaluated in any order, because none of them can fail.
    safe: usize,
    context: Context,
    /// By conjunct, where it is a disjunction of many parts.
    alternatives: Vec<Option<Alternatives>>,
    /// Upper bounds that it sets to clocks.
    expiries: Vec<Expiry>,
    denies_deadlock: bool,
    /// A little more than the largest number that it compares clocks with, in ticks.
    pub(crate) reach: i64,
}

/// No delay is longer than this for the sake of a goal: 2^18 of them must not exceed the range of time.
const FARTHEST: i64 = 1 << 43;

impl WalkGoal {
    /// The states in which `predicate` holds, or those in which it does not (for `A[] p`).
    pub fn new(plan: &WalkPlan<'_>, predicate: &Predicate, holds: bool) -> WalkGoal {
        let form = predicate.normal_form(holds);
        let conjuncts = form.conjuncts();
        let context = plan.network.global_context();
        let mut expiries: Vec<Expiry> = Vec::new();
        for &conjunct in &conjuncts {
            if let Part::Clock(bound) = form.part(conjunct)
                && let Some(expiry) = Expiry::new(plan, bound, &context)
                && !expiries.iter().any(|other| other.covers(&expiry))
            {
                expiries.push(expiry);
            }
        }
        let alternatives = conjuncts.iter();
        let alternatives = alternatives.map(|&c| Alternatives::new(plan, &form, c, &context));
        let largest = form.parts().iter().filter_map(|part| match part {
            Part::Clock(bound) => Some(
                i64::from(bound.range.lo)
                    .abs()
                    .max(i64::from(bound.range.hi).abs()),
            ),
            _ => None,
        });
        let reach = largest.max().map_or(0, |largest| (largest + 1) * plan.unit);
        WalkGoal {
            reach: reach.min(FARTHEST & -plan.unit),
            alternatives: alternatives.collect(),
            safe: conjuncts.iter().take_while(|&&c| !form.may_fail(c)).count(),
            denies_deadlock: form
                .parts()
                .iter()
                .any(|part| matches!(part, Part::Deadlock(false))),
            form,
            conjuncts,
            context,
            expiries,
        }
    }

    /// Whether it asks for a state that is not a deadlock.
    pub(crate) fn denies_deadlock(&self) -> bool {
        self.denies_deadlock
    }

    /// Itself, without negations.
    pub(crate) fn form(&self) -> &NormalForm {
        &self.form
    }

    /// Whether deadlocks matter to it.
    pub fn mentions_deadlock(&self) -> bool {
        self.form.mentions_deadlock
    }

    /// Whether a part holds that asks for data or locations alone; `None` for others.
    #[inline(always)]
    fn by_data(&self, part: &Part, plan: &WalkPlan<'_>, state: &mut State) -> Result<Option<bool>, Stop> {
        Ok(part.by_data(&plan.network.program, &self.context, &mut state.memory)?)
    }
}

impl WalkGoal {
    /// Lists bounds on clocks that make the goal true, as it is at an instant: of an alternative the first part that holds
    /// then. False when the goal does not hold. What it says of deadlocks is taken for true.
    pub(crate) fn atoms(
        &self,
        plan: &WalkPlan<'_>,
        state: &mut State,
        at: i64,
        list: &mut Vec<Atom>,
    ) -> Result<bool, Stop> {
        for &conjunct in &self.conjuncts {
            if !self.part_atoms(conjunct, plan, state, at, list)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn part_atoms(
        &self,
        id: PartId,
        plan: &WalkPlan<'_>,
        state: &mut State,
        at: i64,
        list: &mut Vec<Atom>,
    ) -> Result<bool, Stop> {
        let start = list.len();
        Ok(match self.form.part(id) {
            Part::Deadlock(_) => true,
            Part::Clock(bound) => {
                let atom = state.atom(plan, bound, &self.context)?;
                let holds = atom.is_none_or(|a| a.holds(plan, state, at));
                list.extend(atom);
                holds
            }
            Part::And(children) => {
                for &child in children {
                    if !self.part_atoms(child, plan, state, at, list)? {
                        return Ok(false);
                    }
                }
                true
            }
            Part::Or(children) => {
                for &child in children {
                    if self.part_atoms(child, plan, state, at, list)? {
                        return Ok(true);
                    }
                    list.truncate(start);
                }
                false
            }
            leaf => self.by_data(leaf, plan, state)? == Some(true),
        })
    }
}

/// The instants that a goal is evaluated for.
#[derive(Clone, Copy)]
struct EvaluationSpan {
    span: Window,
    /// Whether nothing can be done at any of them, or later; `Some(false)` where something can at the last of them, or later; `None`
    /// where that is not known.
    is_stuck: Option<bool>,
}

/// A goal with the conjunct that is watched, and room to compute in.
pub(crate) struct Watch<'g> {
    goal: &'g WalkGoal,
    watched: usize,
    expiries: Expiries<'g>,
    /// By conjunct with many alternatives: those that wait for nothing.
    open: Vec<Open>,
    windows: Vec<Window>,
    others: Vec<Window>,
}

impl<'g> Watch<'g> {
    pub(crate) fn new(goal: &'g WalkGoal) -> Self {
        Watch {
            goal,
            watched: 0,
            expiries: Expiries::new(&goal.expiries),
            open: goal
                .alternatives
                .iter()
                .map(|a| a.as_ref().map(Alternatives::begin).unwrap_or_default())
                .collect(),
            windows: Vec::new(),
            others: Vec::new(),
        }
    }

    /// A walk begins.
    pub(crate) fn begin(&mut self) {
        self.expiries.begin();
    }

    /// The last instant at which the goal may hold, as far as that is known.
    #[inline]
    pub(crate) fn last_instant(&mut self, state: &State) -> i64 {
        self.expiries.last_instant(state)
    }

    /// The first instant of the grid, from now to `horizon`, at which the goal is known to hold. Whether nothing can be done from now on, or
    /// something even at the horizon, is `is_stuck`; `None` where that is not known.
    pub(crate) fn check(
        &mut self,
        plan: &WalkPlan<'_>,
        state: &mut State,
        horizon: i64,
        is_stuck: Option<bool>,
    ) -> Result<Option<i64>, Stop> {
        let span = Window {
            lo: state.clocks.now,
            hi: horizon,
        };
        self.check_within(plan, state, EvaluationSpan { span, is_stuck })
    }

    /// Checks the goal in a window of instants at which nothing can be done any more. A whole number of units, if that
    /// will do: nothing happens then that would say when.
    pub(crate) fn check_silence(
        &mut self,
        plan: &WalkPlan<'_>,
        state: &mut State,
        silence: Window,
    ) -> Result<Option<i64>, Stop> {
        let dead = |span| EvaluationSpan {
            span,
            is_stuck: Some(true),
        };
        let whole = Window {
            lo: (silence.lo.saturating_add(plan.unit - 1)).div_euclid(plan.unit) * plan.unit,
            hi: silence.hi,
        };
        if let Some(at) = self.check_within(plan, state, dead(whole))? {
            return Ok(Some(at));
        }
        self.check_within(plan, state, dead(silence))
    }

    /// Adds the windows from now to `horizon` in which the goal holds, in order. There may be windows without an instant of
    /// the grid among them.
    pub(crate) fn windows(
        &mut self,
        plan: &WalkPlan<'_>,
        state: &mut State,
        horizon: i64,
        into: &mut Vec<Window>,
    ) -> Result<(), Stop> {
        let span = Window {
            lo: state.clocks.now,
            hi: horizon,
        };
        let look = EvaluationSpan {
            span,
            is_stuck: Some(false),
        };
        into.append(&mut self.all_within(plan, state, look)?);
        Ok(())
    }

    /// Checks the goal in a window of instants, which begins no earlier than now.
    fn check_within(
        &mut self,
        plan: &WalkPlan<'_>,
        state: &mut State,
        look: EvaluationSpan,
    ) -> Result<Option<i64>, Stop> {
        let all = self.all_within(plan, state, look)?;
        Ok(all.iter().find(|w| !w.is_empty()).map(|w| w.lo + (w.lo & 1)))
    }

    /// All windows in which the goal holds.
    fn all_within(
        &mut self,
        plan: &WalkPlan<'_>,
        state: &mut State,
        look: EvaluationSpan,
    ) -> Result<Vec<Window>, Stop> {
        let count = self.goal.conjuncts.len();
        // Safe conjuncts first, beginning with the one that was false last time.
        for offset in 0..self.goal.safe {
            let at = (self.watched + offset) % self.goal.safe.max(1);
            if !self.possible(at, plan, state, look)? {
                self.watched = at;
                return Ok(Vec::new());
            }
        }
        for at in self.goal.safe..count {
            if !self.possible(at, plan, state, look)? {
                return Ok(Vec::new());
            }
        }
        // Each conjunct holds at some instant; now the instants at which all do.
        let mut all = vec![look.span];
        for at in 0..count {
            self.collect_conjunct(at, plan, state, look)?;
            intersect(&mut all, &self.windows, &mut self.others);
            if all.is_empty() {
                break;
            }
        }
        Ok(all)
    }

    /// Whether a conjunct, by its place, holds at some instant; quick for a single location or condition.
    #[inline]
    fn possible(
        &mut self,
        at: usize,
        plan: &WalkPlan<'_>,
        state: &mut State,
        look: EvaluationSpan,
    ) -> Result<bool, Stop> {
        let goal = self.goal;
        match goal.by_data(goal.form.part(goal.conjuncts[at]), plan, state)? {
            Some(truth) => Ok(truth),
            None => {
                self.collect_conjunct(at, plan, state, look)?;
                Ok(!self.windows.is_empty())
            }
        }
    }

    /// Leaves in `windows` the instants of `span` at which a conjunct, by its place, holds.
    fn collect_conjunct(
        &mut self,
        at: usize,
        plan: &WalkPlan<'_>,
        state: &mut State,
        look: EvaluationSpan,
    ) -> Result<(), Stop> {
        let goal = self.goal;
        let Some(alternatives) = &goal.alternatives[at] else {
            return self.collect(goal.conjuncts[at], plan, state, look);
        };
        alternatives.update(&state.memory, &mut self.open[at]);
        let mut any: Vec<Window> = Vec::new();
        for i in 0..self.open[at].list().len() {
            let part = alternatives.part(self.open[at].list()[i]);
            self.collect(part, plan, state, look)?;
            if self.add_to(&mut any, look.span) {
                break;
            }
        }
        self.windows = union(any);
        Ok(())
    }

    /// Adds the windows to a list. Whether that is the whole span: then nothing else matters.
    fn add_to(&mut self, any: &mut Vec<Window>, span: Window) -> bool {
        let is_all = self
            .windows
            .first()
            .is_some_and(|w| w.lo <= span.lo && w.hi >= span.hi);
        any.append(&mut self.windows);
        is_all
    }

    /// Leaves in `windows` the instants of `span` at which a part holds, disjoint and sorted.
    fn collect(
        &mut self,
        id: PartId,
        plan: &WalkPlan<'_>,
        state: &mut State,
        look: EvaluationSpan,
    ) -> Result<(), Stop> {
        let goal = self.goal;
        match goal.form.part(id) {
            Part::Deadlock(is) => self.leave(look.is_stuck == Some(*is), look.span),
            Part::Clock(bound) => {
                self.windows.clear();
                let asked = Instants::new(plan, state).resolve(CodeOf::Other, bound, &goal.context)?;
                for asked in asked.iter().flat_map(ClockConstraint::convex) {
                    let window = state.clocks.when(asked).and(look.span);
                    if window.lo <= window.hi {
                        self.windows.push(window);
                    }
                }
            }
            Part::And(list) => {
                // Data decide most conjunctions, and then nothing is allocated.
                let mut all: Option<Vec<Window>> = None;
                for &child in list {
                    match goal.by_data(goal.form.part(child), plan, state)? {
                        Some(true) => continue,
                        Some(false) => {
                            self.windows.clear();
                            return Ok(());
                        }
                        None => self.collect(child, plan, state, look)?,
                    }
                    let all = match &mut all {
                        Some(all) => {
                            intersect(all, &self.windows, &mut self.others);
                            all
                        }
                        None => all.insert(std::mem::take(&mut self.windows)),
                    };
                    if all.is_empty() {
                        break;
                    }
                }
                match all {
                    Some(all) => self.windows = all,
                    None => self.leave(true, look.span),
                }
            }
            Part::Or(list) => {
                let mut any: Vec<Window> = Vec::new();
                for &child in list {
                    self.collect(child, plan, state, look)?;
                    if self.add_to(&mut any, look.span) {
                        break;
                    }
                }
                self.windows = union(any);
            }
            leaf => {
                let truth = goal.by_data(leaf, plan, state)? == Some(true);
                self.leave(truth, look.span);
            }
        }
        Ok(())
    }

    /// All of `span`, or nothing.
    fn leave(&mut self, truth: bool, span: Window) {
        self.windows.clear();
        if truth {
            self.windows.push(span);
        }
    }
}

/// Makes windows disjoint and sorted.
fn union(mut any: Vec<Window>) -> Vec<Window> {
    any.sort_by_key(|w| w.lo);
    any.dedup_by(|next, kept| {
        let touches = next.lo <= kept.hi.saturating_add(1);
        if touches {
            kept.hi = kept.hi.max(next.hi);
        }
        touches
    });
    any
}

/// Keeps in `all` what is in `windows` too; both are disjoint and sorted.
fn intersect(all: &mut Vec<Window>, windows: &[Window], room: &mut Vec<Window>) {
    room.clear();
    for a in all.iter() {
        room.extend(windows.iter().map(|b| a.and(*b)).filter(|w| w.lo <= w.hi));
    }
    std::mem::swap(all, room);
}

#[cfg(test)]
mod tests;
