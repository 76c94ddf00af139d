//! The race of the processes (David, Larsen, Legay, Mikučionis, Wang: Time for Statistical Model Checking of Real-Time Systems,
//! CAV 2011): each draws a delay of its own, and the smallest one wins.

use crate::code::next_values;
use crate::flow::Varying;
use crate::lower::RateSetting;
use crate::machine::Ran;
use crate::plan::LocationPlan;
use crate::state::{Racer, Runner, Stop};
use libm::log1p;
use zonewalk_sampling::RunErrorKind;

/// The next process to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mover {
    /// The winner of a race.
    Process(usize),
    /// One of those that can move then: time must stop. Those that draw no delay go first.
    Anyone,
    /// No process yet: time passes, and all draw again.
    Later,
    /// No process, ever.
    None,
}

/// The end of a race.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RaceResult {
    pub(crate) delay: f64,
    pub(crate) mover: Mover,
    /// Some process is committed: it takes part in the next transition.
    pub(crate) is_committed: bool,
    /// The process whose invariant or urgency stops time, if that is what stops it.
    pub(crate) stopped_by: Option<usize>,
}

impl RaceResult {
    /// No process moves.
    pub(crate) const NONE: RaceResult = RaceResult {
        delay: f64::INFINITY,
        mover: Mover::None,
        is_committed: false,
        stopped_by: None,
    };

    /// Time passes, and the race is drawn again.
    pub(crate) fn later(delay: f64) -> RaceResult {
        RaceResult {
            delay,
            mover: Mover::Later,
            ..RaceResult::NONE
        }
    }

    fn now(process: usize, is_committed: bool) -> RaceResult {
        RaceResult {
            delay: 0.0,
            mover: Mover::Anyone,
            is_committed,
            stopped_by: Some(process),
        }
    }
}

/// How much a rounding error may violate an invariant.
pub(crate) const SLACK: f64 = 1e-9;

impl Runner<'_> {
    pub(crate) fn place(&self, process: usize) -> &'_ LocationPlan {
        &self.machine.plan.processes[process].locations[self.machine.locations[process] as usize]
    }

    /// Lets all processes draw. Requires: the flow begins now. `left` is the time that is left.
    pub(crate) fn race(&mut self, left: f64) -> Result<RaceResult, Stop> {
        let plan = self.machine.plan;
        let processes = plan.processes.len();
        let mut urgent = None;
        for process in 0..processes {
            let place = self.place(process);
            if place.committed {
                return Ok(RaceResult::now(process, true));
            }
            if place.urgent && urgent.is_none() {
                urgent = Some(process);
            }
        }
        self.racers.clear();
        if let Some(process) = urgent {
            // Those whose invariants end now do not wait either.
            for process in 0..processes {
                let place = &plan.processes[process].locations[self.machine.locations[process] as usize];
                self.machine.refuel();
                let deadline = self.deadline(place)?;
                self.racers.push(Racer {
                    deadline,
                    ..Racer::default()
                });
            }
            return Ok(RaceResult::now(process, false));
        }
        for process in 0..processes {
            // Who has nothing to draw for does not draw.
            let has_outputs = !self.place(process).outputs.is_empty();
            let unit = if has_outputs {
                self.machine.random.unit()
            } else {
                0.0
            };
            self.racers.push(Racer {
                unit,
                ..Racer::default()
            });
        }
        // Conditions that are not linear are examined further and further, until the race is decided.
        self.reach = left.min(64.0 * plan.options.discretization);
        loop {
            let decided = self.heat(left)?;
            if let Some(race) = decided {
                return Ok(race);
            }
            self.reach = (2.0 * self.reach).min(left);
        }
    }

    /// One look as far as `self.reach`; `None` if that was not far enough.
    fn heat(&mut self, left: f64) -> Result<Option<RaceResult>, Stop> {
        let plan = self.machine.plan;
        let is_last = self.reach >= left;
        let (mut horizon, mut stopped_by) = (f64::INFINITY, None);
        let (mut best, mut winner, mut ties) = (f64::INFINITY, None, 0usize);
        // The earliest instant that something unknown may still bring.
        let mut unknown = f64::INFINITY;
        self.is_looked_for = false;
        let mut any_looked = false;
        for process in 0..plan.processes.len() {
            let place = &plan.processes[process].locations[self.machine.locations[process] as usize];
            self.machine.refuel();
            self.is_looked_for = false;
            let deadline = self.deadline(place)?;
            // What was examined may end the invariant between there and its known end.
            let is_open = self.is_looked_for && deadline > self.reach && !is_last;
            if deadline < horizon {
                (horizon, stopped_by) = (deadline, Some(process));
            }
            let (first, urgent_first) = self.first_instant(place)?;
            any_looked |= self.is_looked_for;
            if let Some(urgent) = urgent_first
                && urgent < horizon
            {
                (horizon, stopped_by) = (urgent, Some(process));
            }
            let racer = &mut self.racers[process];
            (racer.first, racer.deadline, racer.is_open) = (first, deadline, is_open);
            let Some(first) = first.filter(|first| *first <= deadline) else {
                continue;
            };
            if is_open {
                unknown = unknown.min(first);
                continue;
            }
            let delay = self.draw(process, place, first, deadline)?;
            if delay > best || delay == f64::INFINITY {
                continue;
            }
            ties = if delay == best { ties + 1 } else { 1 };
            if ties == 1 || self.machine.random.index(ties) == 0 {
                winner = Some(process);
            }
            best = delay;
        }
        let next = best.min(horizon);
        // What was looked for and not found comes later than `reach`.
        if any_looked && !is_last && (next > self.reach || unknown < next) {
            return Ok(None);
        }
        Ok(Some(match winner {
            Some(process) if best <= horizon => RaceResult {
                delay: best,
                mover: Mover::Process(process),
                is_committed: false,
                stopped_by: None,
            },
            _ if horizon < f64::INFINITY => RaceResult {
                delay: horizon,
                mover: Mover::Anyone,
                is_committed: false,
                stopped_by,
            },
            _ => RaceResult::NONE,
        }))
    }

    /// Time until the invariant of a location stops holding.
    fn deadline(&mut self, place: &LocationPlan) -> Ran<f64> {
        let Some(invariant) = &place.invariant else {
            return Ok(f64::INFINITY);
        };
        self.machine.slack = SLACK;
        let windows = self.when(invariant);
        self.machine.slack = 0.0;
        // One that does not hold leaves no time at all.
        Ok(windows?.end().unwrap_or(0.0))
    }

    /// The first instants at which an edge of a location can begin a transition, and at which one on an urgent channel can.
    fn first_instant(&mut self, place: &LocationPlan) -> Ran<(Option<f64>, Option<f64>)> {
        let plan = self.machine.plan;
        let earlier = |a: Option<f64>, b: f64| Some(a.map_or(b, |a| a.min(b)));
        let (mut first, mut urgent_first) = (None, None);
        for stem in &place.outputs {
            let mut values: smallvec::SmallVec<[i32; 4]> = stem.selects.iter().map(|s| s.lo).collect();
            if stem.selects.iter().any(|s| s.lo > s.hi) {
                continue;
            }
            loop {
                for (select, value) in stem.selects.iter().zip(&values) {
                    self.machine.set_int(select.cell, *value);
                }
                let at = match &stem.guard {
                    Some(guard) => self.when(guard)?.first(),
                    None => Some(0.0),
                };
                if let Some(at) = at {
                    first = earlier(first, at);
                    let own = if stem.has_syncs {
                        &stem.branches[..]
                    } else {
                        &stem.branches[..1]
                    };
                    for branch in own {
                        let Some(channel) = &branch.channel else {
                            continue;
                        };
                        let channel = self.machine.int(channel)? as usize;
                        let at = match &branch.guard {
                            Some(guard) => self.when(guard)?.first(),
                            None => Some(at),
                        };
                        if let Some(at) = at
                            && plan.urgent.get(channel).copied().unwrap_or(false)
                        {
                            urgent_first = earlier(urgent_first, at);
                        }
                    }
                }
                if !next_values(&mut values, &stem.selects) {
                    break;
                }
            }
        }
        Ok((first, urgent_first))
    }

    /// The delay that a process draws: uniform up to its deadline, or exponential where there is none.
    fn draw(&mut self, process: usize, place: &LocationPlan, first: f64, deadline: f64) -> Result<f64, Stop> {
        let unit = self.racers[process].unit;
        if deadline < f64::INFINITY {
            return Ok((first + unit * (deadline - first)).clamp(first, deadline));
        }
        let mut rate = 1.0;
        if let Some((value, divisor)) = &place.rate {
            rate = self.machine.real(value)?;
            if let Some(divisor) = divisor {
                rate /= self.machine.real(divisor)?;
            }
            if !rate.is_finite() || rate < 0.0 {
                let name = &self.machine.plan.processes[process].name;
                let message = format!(
                    "the exponential rate of {name}.{} is {rate}, and not a number of at least 0",
                    place.name
                );
                return Err(Stop::Error(RunErrorKind::Rates, place.span, message));
            }
        }
        // Such a process never moves by itself.
        if rate == 0.0 {
            return Ok(f64::INFINITY);
        }
        Ok(first - log1p(-unit) / rate)
    }

    /// The rates of all clocks in this state.
    pub(crate) fn settle_rates(&mut self) -> Result<(), Stop> {
        let plan = self.machine.plan;
        if !plan.has_rates {
            return Ok(());
        }
        self.flow.rates.fill(1.0);
        self.flow.varying.clear();
        self.scratch.set_by.clear();
        self.scratch.set_by.resize(plan.clocks.len(), None);
        for (number, process) in plan.processes.iter().enumerate() {
            let place = &process.locations[self.machine.locations[number] as usize];
            for (index, setting) in place.rates.iter().enumerate() {
                if setting.values.iter().any(|v| v.lo > v.hi) {
                    continue;
                }
                let mut values: Vec<i32> = setting.values.iter().map(|v| v.lo).collect();
                loop {
                    for (bound, value) in setting.values.iter().zip(&values) {
                        self.machine.set_int(bound.cell, *value);
                    }
                    self.set_rate(number, index, setting, &values)?;
                    if !next_values(&mut values, &setting.values) {
                        break;
                    }
                }
            }
        }
        for (clock, rate) in self.flow.rates.iter().enumerate() {
            self.machine.set_double(plan.rate_cells + clock as u32, *rate);
        }
        Ok(())
    }

    /// Sets one rate, if its conditions are met.
    fn set_rate(
        &mut self,
        process: usize,
        index: usize,
        setting: &RateSetting,
        values: &[i32],
    ) -> Result<(), Stop> {
        let plan = self.machine.plan;
        for (condition, wanted) in &setting.conditions {
            if (self.machine.int(condition)? != 0) != *wanted {
                return Ok(());
            }
        }
        let cell = self.machine.resolve(&setting.clock)?;
        let clock = plan.clock_in[cell as usize] as usize;
        let rate = if setting.timed {
            f64::NAN
        } else {
            self.machine.real(&setting.rate)?
        };
        if !setting.timed && !rate.is_finite() {
            let message = format!("a clock rate that is {rate}");
            return Err(Stop::Error(RunErrorKind::Fault, setting.span, message));
        }
        let set = (process, index);
        if let Some(other) = self.scratch.set_by[clock] {
            // A quantifier inside another one sets the same rate several times.
            let is_same = if setting.timed {
                other == set
            } else {
                self.flow.rates[clock] == rate
            };
            if is_same {
                return Ok(());
            }
            let [first, second] = [other.0, process].map(|p| &plan.processes[p].name);
            let message = format!("{first} and {second} set the rate of one clock to different values");
            return Err(Stop::Error(RunErrorKind::Rates, setting.span, message));
        }
        self.scratch.set_by[clock] = Some(set);
        self.flow.rates[clock] = rate;
        if setting.timed {
            self.flow.varying.push(Varying {
                clock,
                process,
                setting: index,
                values: values.to_vec(),
            });
        }
        Ok(())
    }
}
