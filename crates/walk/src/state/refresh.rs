//! Keeping a state's knowledge up to date: guards, invariants, rates.

use crate::plan::condition::{Bound, bounded};
use crate::plan::{Limit, WalkPlan};
use crate::state::State;
use crate::state::long_code::may_begin;
use crate::time::{ClockValue, ClockValues, FOREVER, Window};
use zonewalk_network::cell::{Cell, Context};
use zonewalk_network::ids::InstanceId;
use zonewalk_network::ids::ProcessId;
use zonewalk_network::instr::Entry;
use zonewalk_network::vm::{Code, NoClocks, Trap, run};
use zonewalk_product::{ClockConstraint, CodeOf, EvaluatedPart, Valuation};

/// A state at all the instants from now on: conditions cut the window in which they hold.
pub(crate) struct Instants<'s, 'p> {
    plan: &'s WalkPlan<'p>,
    state: &'s mut State,
    pub(crate) window: Window,
}

impl<'s, 'p> Instants<'s, 'p> {
    #[inline(always)]
    pub(crate) fn new(plan: &'s WalkPlan<'p>, state: &'s mut State) -> Self {
        Instants {
            plan,
            state,
            window: Window::ALL,
        }
    }
}

impl Valuation for Instants<'_, '_> {
    type Bound = Bound;
    type Stop = Trap;

    #[inline(always)]
    fn memory(&self) -> &[i32] {
        &self.state.memory
    }

    fn execute(&mut self, entry: Entry, context: &Context) -> Result<i32, Trap> {
        let code = Code::new(&self.plan.network.program, entry, context);
        run(code, &mut self.state.memory, &mut NoClocks, &mut ())
    }

    #[inline(always)]
    fn bounds(&mut self, bounds: &[Bound]) {
        for bound in bounds {
            let clock = self.state.clocks.values[bound.clock.index()];
            self.window = self.window.and(bound.window(clock));
        }
    }

    fn clock(&mut self, asked: ClockConstraint) -> Result<bool, Trap> {
        self.window = self.window.and(self.state.clocks.when(asked));
        Ok(true)
    }

    #[inline(always)]
    fn ask(&mut self, number: u32, entry: Entry, context: &Context) -> Result<bool, Trap> {
        self.state.ask(self.plan, number, entry, context)
    }

    #[inline(always)]
    fn prepare(&mut self, of: CodeOf, setup: Entry, results: &[Cell], context: &Context) -> Result<(), Trap> {
        let number = match of {
            CodeOf::Condition(number) => number,
            CodeOf::Channel(edge) => self.plan.edge(edge).own.channel_code,
            CodeOf::Other => return self.execute(setup, context).map(|_| ()),
        } as usize;
        let State {
            specialised,
            memory,
            effort,
            alarm,
            ..
        } = &mut *self.state;
        may_begin(alarm, setup, self.plan.efforts[number])?;
        *effort += u64::from(self.plan.efforts[number]);
        let (code, values) = ((setup, results, context), (&mut memory[..], &mut NoClocks));
        specialised
            .run(self.plan, number, code, values, &mut ())
            .map(|_| ())
    }
}

impl ClockValues {
    /// When a bound on clocks holds.
    pub(crate) fn when(&self, asked: ClockConstraint) -> Window {
        let (relation, ticks) = (asked.relation, i64::from(asked.number) * self.unit);
        let left = self.values[asked.left.index()];
        let Some(right) = asked.right else {
            return bounded(relation, left, ticks);
        };
        let right = self.values[right.index()];
        let stands = |origin: i64| ClockValue { origin, runs: false };
        match (left.runs, right.runs) {
            // Both run: their difference never changes.
            (true, true) => bounded(relation, stands(right.origin - left.origin), ticks),
            (true, false) => bounded(relation, left, ticks + right.origin),
            (false, true) => bounded(relation.flipped(), right, left.origin - ticks),
            (false, false) => bounded(relation, stands(left.origin - right.origin), ticks),
        }
    }

    /// The window that a limit leaves, where that is a matter of one number.
    #[inline(always)]
    fn limited(&self, limit: Limit) -> Option<Window> {
        let (clock, ticks, is_upper) = match limit {
            Limit::None => return Some(Window::ALL),
            Limit::Upper { clock, ticks } => (clock, ticks, true),
            Limit::Lower { clock, ticks } => (clock, ticks, false),
            Limit::Other => return None,
        };
        let value = self.values[clock.index()];
        let bound = value.origin + ticks;
        let (lo, hi) = if is_upper {
            (i64::MIN, bound)
        } else {
            (bound, FOREVER)
        };
        value.runs.then_some(Window { lo, hi })
    }
}

impl State {
    /// Whether the comparisons of an edge's guard hold.
    #[inline(always)]
    pub(crate) fn comparisons_hold(&self, plan: &WalkPlan<'_>, number: InstanceId) -> bool {
        let edge = plan.edge(number);
        if edge.own.is_counted {
            self.edges[number.index()].unmet == 0
        } else {
            plan.conditions.data_hold(&edge.guard, &self.memory)
        }
    }

    /// Looks at an edge that leaves the current location of its process, and lists it if it is ready. Nothing is known of it
    /// unless `keeps_rest` says that no variable which the rest of its guard reads has changed.
    #[inline(always)]
    pub(crate) fn refresh_edge(&mut self, plan: &WalkPlan<'_>, number: InstanceId, keeps_rest: bool) {
        let edge = plan.edge(number);
        let known = &mut self.edges[number.index()];
        if !keeps_rest && edge.own.rest_reads.is_some() {
            known.rest = None;
        }
        let holds = if edge.own.is_counted {
            known.unmet == 0
        } else {
            plan.conditions.data_hold(&edge.guard, &self.memory)
        };
        if !holds {
            self.remove(plan, number);
            return;
        }
        // The window of a plain edge never changes.
        if !edge.own.is_plain {
            match self.clocks.limited(edge.own.limit) {
                Some(window) => known.window = window,
                None => {
                    if let Err(trap) = self.refresh_timed_edge(plan, number) {
                        self.fail(plan, number, trap);
                    }
                    return;
                }
            }
        }
        self.set_ready(plan, number, edge.channel);
    }

    /// An edge fails. That concerns transitions that it may take part in, and no others.
    #[cold]
    fn fail(&mut self, plan: &WalkPlan<'_>, number: InstanceId, trap: Trap) {
        self.remove(plan, number);
        self.edges[number.index()].rest = None;
        if !self.failing.iter().any(|(edge, _)| *edge == number) {
            self.failing.push((number, trap.into()));
        }
    }

    /// Refreshes an edge whose comparisons hold.
    fn refresh_timed_edge(&mut self, plan: &WalkPlan<'_>, number: InstanceId) -> Result<(), Trap> {
        let edge = plan.edge(number);
        let known = self.edges[number.index()].rest;
        let mut instants = Instants::new(plan, self);
        let known = known.map_or(EvaluatedPart::Compares, EvaluatedPart::Data);
        let enabled = plan.enabled(number, known, &mut instants)?;
        let window = instants.window;
        if edge.own.rest_reads.is_some() {
            self.edges[number.index()].rest = Some(enabled.is_some());
        }
        if let Some(channel) = enabled {
            self.edges[number.index()].window = window;
            self.set_ready(plan, number, channel);
        } else {
            self.remove(plan, number);
        }
        Ok(())
    }

    /// Looks at all the edges that leave the location of a process.
    pub(crate) fn refresh_edges(&mut self, plan: &WalkPlan<'_>, process: ProcessId) {
        for number in plan.location(process, self.location(process)).outgoing {
            self.refresh_edge(plan, number, false);
        }
    }

    /// Computes the deadline of a process, and says when its invariant holds.
    #[inline(always)]
    pub(crate) fn refresh_invariant(
        &mut self,
        plan: &WalkPlan<'_>,
        process: ProcessId,
    ) -> Result<Window, Trap> {
        let place = plan.location(process, self.location(process));
        let window = match self.clocks.limited(place.own.limit) {
            Some(window) => window,
            None => self.invariant_window(plan, process)?,
        };
        self.deadlines.set(process.index(), window.hi);
        Ok(window)
    }

    fn invariant_window(&mut self, plan: &WalkPlan<'_>, process: ProcessId) -> Result<Window, Trap> {
        let mut instants = Instants::new(plan, self);
        match plan.invariant(process, &mut instants)? {
            true => Ok(instants.window),
            false => Ok(Window::NEVER),
        }
    }
}
