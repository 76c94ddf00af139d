//! Importance splitting with fixed effort, for events that plain runs hardly ever meet.
//!
//! A level expression says how far a state is on its way to the goal. In each stage the same number of runs is made; each goes on
//! until the expression has risen to the next level, the goal is met, or the run has ended. The states in which the level was
//! entered are where the runs of the next stage begin. A run that meets the goal adds the weight of its stage divided by the
//! effort to the estimate; the weight is the product of the shares of runs that reached the levels before.
//!
//! The estimate is unbiased, whatever the expression, the effort and the levels (Garvels: The splitting method in rare event
//! simulation, 2000, chapter 2; L'Ecuyer, Demers, Tuffin: Rare events, splitting, and quasi-Monte Carlo, ACM TOMACS 17, 2007,
//! section 3). Let h(x) be the probability of the goal from the state x. Given the states x_1 … x_M in which a stage begins, each used
//! equally often in expectation, the expected number of runs that meet the goal plus the sum of h over the states entered is the
//! effort times the mean of h(x_i): entering a level is a stopping time, and processes draw anew after each transition, so that a run
//! that goes on from a state has the law of the run that has led there. Hence weight × mean of h is a martingale over the stages,
//! which begins with the probability asked for and ends with the estimate. The next level may depend on the states entered (it is
//! the lowest value above the lowest of theirs), because it is fixed before the runs of its stage are made.
//!
//! One such estimate says nothing about its spread: its runs are not independent. Several independent ones do.

use crate::monitor::Interruptible;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use zonewalk_numbers::Random;
use zonewalk_sampling::{Bound, ConditionId, Ended, ExpressionId, Monitor, Piece, Restart, RunError};

/// A rare-event query and the effort spent on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Splitting {
    /// The goal.
    pub goal: ConditionId,
    /// Level of a state: its progress towards the goal. It is examined after each transition; levels are its whole values.
    pub level: ExpressionId,
    /// Bound that ends runs.
    pub bound: Bound,
    /// Runs of each stage. Requires: at least 1.
    pub effort: u64,
}

/// Interrupts from outside that end runs.
#[derive(Clone, Copy)]
pub struct StopFlags<'a> {
    /// Flags; either one ends the runs.
    pub flags: [&'a AtomicBool; 2],
    /// Returns true once the deadline has passed.
    pub is_late: &'a dyn Fn() -> bool,
}

/// A stage of one estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    /// Level that its runs aim for.
    pub level: f64,
    /// Number of runs that reached the level.
    pub entered: u64,
    /// Number of runs that met the goal before or at that instant.
    pub hits: u64,
    /// Number of runs for which this is unknown.
    pub undecided: u64,
}

/// One estimate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replication {
    /// The probability, where undecided runs count as not satisfied.
    pub low: f64,
    /// The probability, with undecided runs counted as satisfied.
    pub high: f64,
    /// Its stages.
    pub stages: Vec<Stage>,
    /// Runs of all stages.
    pub runs: u64,
    /// Their transitions.
    pub steps: u64,
    /// Whether the level has ever risen above its first value.
    pub has_risen: bool,
    /// The first value of the level.
    pub start: f64,
    /// The least of what the bound counts, when the goal was met.
    pub first_hit: Option<f64>,
    /// A run that meets the goal.
    pub sample: Option<StagedRun>,
}

/// A run through the stages: for each the level that it reached, and its number.
#[derive(Clone, Debug, PartialEq)]
pub struct StagedRun {
    /// Level and number; the last stage ends with the goal.
    pub stages: Vec<(f64, u64)>,
    /// When the goal is met.
    pub instant: f64,
}

/// A state in which a level was entered.
struct Entry<S> {
    state: S,
    value: f64,
}

/// Makes one estimate, by its number. `None` when it was interrupted.
pub fn replicate<S: Restart>(
    sampler: &mut S,
    (seed, number): (u64, u64),
    of: &Splitting,
    stop: &StopFlags<'_>,
) -> Option<Result<Replication, RunError>> {
    let mut replicator = Replicator {
        sampler,
        of,
        stop,
        seed,
        number,
        made: Replication::default(),
        lineage: Vec::new(),
    };
    match replicator.all() {
        Ok(true) => Some(Ok(replicator.made)),
        Ok(false) => None,
        Err(error) => Some(Err(RunError { run: number, ..error })),
    }
}

/// Makes the run of an estimate again, from the initial state to the goal: the sampler is left there. When the goal is met.
///
/// # Errors
/// The error of the model that the run meets; it met none before.
pub fn again<S: Restart>(
    sampler: &mut S,
    (seed, number): (u64, u64),
    of: &Splitting,
    way: &StagedRun,
) -> Result<Option<f64>, RunError> {
    for (stage, &(level, run)) in way.stages.iter().enumerate() {
        let mut watch = Watch::new(of, level);
        let stream = stream(seed, number, stage as u64);
        if stage == 0 {
            sampler.run(stream, run, &of.bound, &mut watch)?;
        } else {
            sampler.go_on(stream, run, &of.bound, &mut watch)?;
        }
        match watch.met {
            Some(Met::Level(_)) => {}
            Some(Met::Goal { instant, .. }) => return Ok(Some(instant)),
            None => return Ok(None),
        }
    }
    Ok(None)
}

/// The seed of a stage of an estimate.
fn stream(seed: u64, number: u64, stage: u64) -> u64 {
    // SplitMix64 of each in turn.
    let mix = |seed: u64, number: u64| {
        let mut mixed =
            (seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_add(0x632B_E59B_D9B4_E019);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    };
    mix(mix(seed, number), stage)
}

/// The run whose first state alone is examined, and the generator that shares states out: no runs of a stage have these numbers.
const PEEK: u64 = u64::MAX;
const SHARES: u64 = u64::MAX - 1;

struct Replicator<'a, S: Restart> {
    sampler: &'a mut S,
    of: &'a Splitting,
    stop: &'a StopFlags<'a>,
    seed: u64,
    number: u64,
    made: Replication,
    /// For each stage the states entered: the number of the run, and the state that it began in.
    lineage: Vec<Vec<(u64, usize)>>,
}

impl<S: Restart> Replicator<'_, S> {
    /// All stages; false when it was interrupted.
    fn all(&mut self) -> Result<bool, RunError> {
        let Some(start) = self.peek()? else {
            return Ok(false);
        };
        self.made.start = start;
        let mut level = start.floor() + 1.0;
        let (mut entries, mut weight): (Vec<Entry<S::State>>, f64) = (Vec::new(), 1.0);
        for stage in 0.. {
            let Some(next) = self.stage(stage, level, weight, &entries)? else {
                return Ok(false);
            };
            let lowest = next.iter().map(|entry| entry.value).reduce(f64::min);
            let Some(lowest) = lowest else { break };
            weight *= next.len() as f64 / self.of.effort as f64;
            level = lowest.floor() + 1.0;
            entries = next;
        }
        Ok(true)
    }

    /// The first value of the level.
    fn peek(&mut self) -> Result<Option<f64>, RunError> {
        let mut watch = Watch::new(self.of, f64::NEG_INFINITY);
        let stream = stream(self.seed, self.number, 0);
        let mut monitor = Interruptible::new(&mut watch, self.stop.flags, self.stop.is_late);
        self.sampler.run(stream, PEEK, &self.of.bound, &mut monitor)?;
        Ok((!monitor.is_interrupted).then_some(watch.highest))
    }

    /// One stage: the states in which the level was entered, or `None` when it was interrupted.
    fn stage(
        &mut self,
        number: u64,
        level: f64,
        weight: f64,
        from: &[Entry<S::State>],
    ) -> Result<Option<Vec<Entry<S::State>>>, RunError> {
        let effort = self.of.effort;
        let stream = stream(self.seed, self.number, number);
        let starts = shares(from.len(), effort, &mut Random::for_walk(stream, SHARES));
        let share = weight / effort as f64;
        let mut done = Stage {
            level,
            entered: 0,
            hits: 0,
            undecided: 0,
        };
        let (mut entered, mut lineage) = (Vec::new(), Vec::new());
        for run in 0..effort {
            let mut watch = Watch::new(self.of, level);
            let mut monitor = Interruptible::new(&mut watch, self.stop.flags, self.stop.is_late);
            let start = starts.get(run as usize).copied();
            let ended = match start {
                None => self.sampler.run(stream, run, &self.of.bound, &mut monitor)?,
                Some(start) => {
                    self.sampler.restore(&from[start].state);
                    self.sampler.go_on(stream, run, &self.of.bound, &mut monitor)?
                }
            };
            if monitor.is_interrupted {
                return Ok(None);
            }
            self.made.steps += monitor.steps();
            self.made.runs += 1;
            self.made.has_risen |= watch.highest >= self.made.start.floor() + 1.0;
            match watch.met {
                Some(Met::Level(value)) => {
                    entered.push(Entry {
                        state: self.sampler.keep(),
                        value,
                    });
                    lineage.push((run, start.unwrap_or(0)));
                }
                Some(Met::Goal { progress, instant }) => {
                    done.hits += 1;
                    self.made.low += share;
                    self.made.high += share;
                    let first = self.made.first_hit.map_or(progress, |first| first.min(progress));
                    self.made.first_hit = Some(first);
                    if self.made.sample.is_none() {
                        self.made.sample = Some(self.way(level, run, start, instant));
                    }
                }
                None if ended == Ended::StepLimit => {
                    done.undecided += 1;
                    self.made.high += share;
                }
                None => {}
            }
        }
        done.entered = entered.len() as u64;
        self.made.stages.push(done);
        self.lineage.push(lineage);
        Ok(Some(entered))
    }

    /// The path of a run of the present stage to its state.
    fn way(&self, level: f64, run: u64, start: Option<usize>, instant: f64) -> StagedRun {
        let mut stages = vec![(level, run)];
        let mut start = start;
        for (stage, entered) in self.made.stages.iter().zip(&self.lineage).rev() {
            let Some((run, before)) = start.and_then(|start| entered.get(start)).copied() else {
                break;
            };
            stages.push((stage.level, run));
            start = Some(before);
        }
        stages.reverse();
        StagedRun { stages, instant }
    }
}

/// Which of a number of states each run begins in: all of them equally often, and once more those that are drawn.
fn shares(states: usize, effort: u64, random: &mut Random) -> Vec<usize> {
    if states == 0 {
        return Vec::new();
    }
    let effort = effort as usize;
    let mut order: Vec<usize> = (0..states).collect();
    random.shuffle(&mut order);
    let whole = effort / states * states;
    (0..whole)
        .map(|run| run % states)
        .chain(order.into_iter().take(effort - whole))
        .collect()
}

/// Event that ended a run of a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Met {
    /// The level, with its value.
    Level(f64),
    /// The goal.
    Goal { progress: f64, instant: f64 },
}

/// Watches a run of a stage.
struct Watch {
    goal: ConditionId,
    level: ExpressionId,
    threshold: f64,
    /// Transitions before the last piece.
    seen: Option<u64>,
    highest: f64,
    met: Option<Met>,
    room: Vec<(f64, f64)>,
}

impl Watch {
    fn new(of: &Splitting, threshold: f64) -> Watch {
        Watch {
            goal: of.goal,
            level: of.level,
            threshold,
            seen: None,
            highest: f64::NEG_INFINITY,
            met: None,
            room: Vec::new(),
        }
    }
}

impl Monitor for Watch {
    fn piece(&mut self, piece: &mut dyn Piece) -> Result<ControlFlow<()>, RunError> {
        // Runs go on from states after transitions alone: only there does nothing depend on earlier draws.
        let mut value = f64::NEG_INFINITY;
        if self.seen != Some(piece.steps()) {
            self.seen = Some(piece.steps());
            self.room.clear();
            piece.values(self.level, &mut self.room)?;
            value = self.room.first().map_or(f64::NEG_INFINITY, |point| point.1);
            self.highest = self.highest.max(value);
        }
        self.room.clear();
        piece.holds(self.goal, &mut self.room)?;
        let hit = self.room.first().map(|window| window.0);
        let is_entered = value >= self.threshold;
        self.met = match hit {
            Some(instant) if !is_entered || instant <= piece.from() => Some(Met::Goal {
                progress: piece.progress(instant)?,
                instant,
            }),
            _ if is_entered => Some(Met::Level(value)),
            _ => None,
        };
        Ok(match self.met {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        })
    }
}

#[cfg(test)]
mod tests;
