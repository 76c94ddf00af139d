//! Keeping a state's knowledge up to date: guards, invariants, rates.

use crate::condition::{Conjunction, General, bounded};
use crate::plan::{Limit, NONE, Plan, Role};
use crate::state::{ClockValue, ClockValues, FOREVER, State, Window};
use zonewalk_network::cell::Context;
use zonewalk_network::constraint::ClockBound;
use zonewalk_network::vm::Trap;
use zonewalk_syntax::span::Span;

/// Why a walk cannot go on: an error of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A run-time error of its code.
    Trap(Trap),
    /// Two processes give a clock different rates, or a rate that is neither 0 nor 1.
    Rate {
        /// The clock.
        clock: u32,
        /// The rate that does not fit.
        rate: i32,
        /// Where it is set.
        span: Span,
    },
}

impl From<Trap> for Stop {
    fn from(trap: Trap) -> Self {
        Stop::Trap(trap)
    }
}

impl ClockValues {
    /// The window that a limit leaves, where that is a matter of one number.
    #[inline(always)]
    fn limited(&self, limit: Limit) -> Option<Window> {
        let (clock, ticks, is_upper) = match limit {
            Limit::None => return Some(Window::ALL),
            Limit::Upper { clock, ticks } => (clock, ticks, true),
            Limit::Lower { clock, ticks } => (clock, ticks, false),
            Limit::Other => return None,
        };
        let value = self.values[clock as usize];
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
    /// Whether the data fulfil a conjunction; if so, `window` is cut to what its clocks allow. `context` says where code
    /// of the conjunction finds its variables.
    #[inline]
    pub(crate) fn holds(
        &mut self,
        plan: &Plan<'_>,
        conjunction: &Conjunction,
        context: impl FnOnce() -> Context,
        window: &mut Window,
    ) -> Result<bool, Trap> {
        Ok(plan.conditions.data_hold(conjunction, &self.memory)
            && self.clocks_hold(plan, conjunction, context, window)?)
    }

    /// The same for a conjunction whose comparisons hold.
    #[inline]
    fn clocks_hold(
        &mut self,
        plan: &Plan<'_>,
        conjunction: &Conjunction,
        context: impl FnOnce() -> Context,
        window: &mut Window,
    ) -> Result<bool, Trap> {
        self.cut(plan, conjunction, window);
        if conjunction.rest.is_empty() {
            return Ok(true);
        }
        self.rest_holds(plan, conjunction, &context(), window)
    }

    /// Cuts a window to what the bounds of a conjunction allow.
    #[inline]
    fn cut(&self, plan: &Plan<'_>, conjunction: &Conjunction, window: &mut Window) {
        for bound in plan.conditions.bounds(conjunction) {
            *window = window.and(bound.window(self.clocks.values[bound.clock as usize]));
        }
    }

    fn rest_holds(
        &mut self,
        plan: &Plan<'_>,
        conjunction: &Conjunction,
        context: &Context,
        window: &mut Window,
    ) -> Result<bool, Trap> {
        for number in conjunction.rest.clone() {
            match plan.conditions.rest[number as usize] {
                General::Compare(compare) => {
                    if !compare.holds(&self.memory) {
                        return Ok(false);
                    }
                }
                General::Code { entry, echo } => {
                    if !self.ask(plan, number, (entry, echo), context)? {
                        return Ok(false);
                    }
                }
                General::Clock(of) => {
                    let (bound, context) = &plan.conditions.clock_bounds[of as usize];
                    *window = window.and(self.general(plan, number, bound, context)?);
                }
            }
        }
        Ok(true)
    }

    /// A bound with a condition, computed parts or two clocks. Its number is that among the [rest](Conditions::rest) of all
    /// conditions, `NONE` if it has none.
    pub(crate) fn general(
        &mut self,
        plan: &Plan<'_>,
        number: u32,
        bound: &ClockBound,
        context: &Context,
    ) -> Result<Window, Trap> {
        let program = &plan.network.program;
        if let Some(when) = &bound.when
            && !when.holds(program, context, &mut self.memory)?
        {
            return Ok(Window::ALL);
        }
        if let Some(setup) = bound.setup {
            let results = [bound.bound, bound.left, bound.right.unwrap_or(bound.left)];
            self.tailor.prepare(
                plan,
                number as usize,
                (setup, &results),
                (context, &mut self.effort),
                &mut self.memory,
            )?;
        }
        let get = |cell| self.memory[context.address(cell)];
        let ticks = i64::from(get(bound.bound)) * plan.unit;
        let left = self.clocks.values[get(bound.left) as usize];
        let Some(right) = bound.right else {
            return Ok(bounded(bound.relation, left, ticks));
        };
        let right = self.clocks.values[get(right) as usize];
        let stands = |origin: i64| ClockValue { origin, runs: false };
        Ok(match (left.runs, right.runs) {
            // Both run: their difference never changes.
            (true, true) => bounded(bound.relation, stands(right.origin - left.origin), ticks),
            (true, false) => bounded(bound.relation, left, ticks + right.origin),
            (false, true) => bounded(bound.relation.flipped(), right, left.origin - ticks),
            (false, false) => bounded(bound.relation, stands(left.origin - right.origin), ticks),
        })
    }

    /// Whether the comparisons of an edge's guard hold.
    #[inline(always)]
    pub(crate) fn comparisons_hold(&self, plan: &Plan<'_>, number: u32) -> bool {
        let edge = &plan.edges[number as usize];
        if edge.is_counted {
            self.edges[number as usize].unmet == 0
        } else {
            plan.conditions.data_hold(&edge.guard, &self.memory)
        }
    }

    /// Looks at an edge that leaves the current location of its process, and lists it if it is ready. Nothing is known of it
    /// unless `keeps_rest` says that no variable which the rest of its guard reads has changed.
    #[inline(always)]
    pub(crate) fn refresh_edge(&mut self, plan: &Plan<'_>, number: u32, keeps_rest: bool) {
        let edge = &plan.edges[number as usize];
        let known = &mut self.edges[number as usize];
        if !keeps_rest && edge.rest_reads.is_some() {
            known.rest = None;
        }
        let holds = if edge.is_counted {
            known.unmet == 0
        } else {
            plan.conditions.data_hold(&edge.guard, &self.memory)
        };
        if !holds {
            self.remove(plan, number);
            return;
        }
        // The window of a plain edge never changes.
        if !edge.is_plain {
            match self.clocks.limited(edge.limit) {
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
    fn fail(&mut self, plan: &Plan<'_>, number: u32, trap: Trap) {
        self.remove(plan, number);
        self.edges[number as usize].rest = None;
        if !self.failing.iter().any(|(edge, _)| *edge == number) {
            self.failing.push((number, trap.into()));
        }
    }

    /// The same for an edge whose comparisons hold.
    fn refresh_timed_edge(&mut self, plan: &Plan<'_>, number: u32) -> Result<(), Trap> {
        let edge = &plan.edges[number as usize];
        let mut window = Window::ALL;
        let holds = match self.edges[number as usize].rest {
            Some(holds) => {
                self.cut(plan, &edge.guard, &mut window);
                holds
            }
            None => {
                let holds = self.clocks_hold(plan, &edge.guard, || edge.context, &mut window)?;
                if edge.rest_reads.is_some() {
                    self.edges[number as usize].rest = Some(holds);
                }
                holds
            }
        };
        if holds {
            self.edges[number as usize].window = window;
            let channel = if edge.channel != NONE || edge.role == Role::Internal {
                edge.channel
            } else {
                self.channel_of(plan, number)?
            };
            self.set_ready(plan, number, channel);
        } else {
            self.remove(plan, number);
        }
        Ok(())
    }

    /// Looks at all the edges that leave the location of a process.
    pub(crate) fn refresh_edges(&mut self, plan: &Plan<'_>, process: u32) {
        for number in plan.place(process, self.location(process)).outgoing.clone() {
            self.refresh_edge(plan, number, false);
        }
    }

    /// The channel of an edge whose data guard holds (`semantics.md` 14), where the state decides it.
    fn channel_of(&mut self, plan: &Plan<'_>, number: u32) -> Result<u32, Trap> {
        let edge = &plan.edges[number as usize];
        let instance = &plan.network.instances[number as usize];
        let Some(sync) = plan.network.edge(instance).sync else {
            return Ok(NONE);
        };
        if let Some(setup) = sync.setup {
            self.tailor.prepare(
                plan,
                edge.channel_code as usize,
                (setup, &[sync.channel]),
                (&edge.context, &mut self.effort),
                &mut self.memory,
            )?;
        }
        Ok(self.memory[edge.context.address(sync.channel)] as u32)
    }

    /// Computes the deadline of a process, and says when its invariant holds.
    #[inline(always)]
    pub(crate) fn refresh_invariant(&mut self, plan: &Plan<'_>, process: u32) -> Result<Window, Trap> {
        let place = plan.place(process, self.location(process));
        let window = match self.clocks.limited(place.limit) {
            Some(window) => window,
            None => self.invariant_window(plan, process, &place.invariant)?,
        };
        self.deadlines.set(process as usize, window.hi);
        Ok(window)
    }

    fn invariant_window(
        &mut self,
        plan: &Plan<'_>,
        process: u32,
        invariant: &Conjunction,
    ) -> Result<Window, Trap> {
        let context = || plan.network.context(process);
        let mut window = Window::ALL;
        if !self.holds(plan, invariant, context, &mut window)? {
            window = Window::NEVER;
        }
        Ok(window)
    }
}
