//! The values that a state adds: those of its points that fulfil the condition, and those that time leads to from there.

use super::{MeasureKnowledge, RequestedValues};
use crate::explorer::Explorer;
use crate::goal::ZoneGoal;
use crate::graph::ZoneGraph;
use crate::graph::scratch::Scratch;
use crate::state::ZoneState;
use crate::state::constraint::ClockRef;
use crate::stop::Stop;
use zonewalk_network::Measure;
use zonewalk_network::cell::Cell;
use zonewalk_network::ids::ClockId;
use zonewalk_network::instr::Entry;
use zonewalk_network::vm::{Code, NoClocks, run};
use zonewalk_zones::{Bound, Federation, Word, dbm};

/// Number of states kept to look for cycles beyond the constants.
const KEPT: usize = 4096;

/// How a state is examined.
pub(super) struct Examination<'a> {
    pub(super) condition: &'a Option<ZoneGoal>,
    pub(super) measures: &'a [Measure],
    pub(super) wish: RequestedValues,
}

impl Examination<'_> {
    /// Adds the values of the state's points that fulfil the condition.
    pub(super) fn at<W: Word>(
        &self,
        watch: &mut Explorer<'_, W>,
        found: &mut [MeasureKnowledge],
        beyond: &mut Vec<(usize, ClockId, ZoneState<W>)>,
        state: &ZoneState<W>,
    ) -> Result<(), Stop> {
        if self.wish != RequestedValues::Lowest {
            self.keep(watch, found, beyond, state)?;
        }
        let (graph, scratch) = watch.parts();
        let points = match self.condition {
            Some(condition) => graph.points(scratch, condition, state)?,
            None => Federation::from_zone(&state.zone, state.dim()),
        };
        if points.is_empty() {
            return Ok(());
        }
        let mut endless: Option<Federation<W>> = None;
        for (measure, found) in self.measures.iter().zip(found) {
            graph.load(scratch, state);
            match *measure {
                Measure::Integer { setup, value, .. } => {
                    let value = graph.cell(scratch, setup, value)?;
                    found.values.add_integer(value);
                }
                Measure::Clock { setup, clock, .. } => {
                    let clock = ClockId(graph.cell(scratch, setup, clock)? as u32);
                    let Some(index) = scratch.source.index(ClockRef::of(clock)) else {
                        continue;
                    };
                    let mut is_beyond = false;
                    for zone in &points {
                        is_beyond |= found.values.add_clock(zone, state.dim(), index, found.ceiling);
                    }
                    if !is_beyond || self.wish == RequestedValues::Lowest {
                        found.is_beyond |= is_beyond;
                        continue;
                    }
                    if endless.is_none() {
                        endless = Some(graph.endless(scratch, state)?);
                    }
                    let is_running = graph.runs(scratch, index);
                    for zone in endless.iter().flatten().filter(|_| is_running) {
                        found.values.add_endless(zone, index, found.ceiling);
                    }
                    found.is_beyond = true;
                }
            }
        }
        Ok(())
    }

    /// Keeps a state with values beyond the constants, whether it fulfils the condition or leads to it.
    fn keep<W: Word>(
        &self,
        watch: &mut Explorer<'_, W>,
        found: &[MeasureKnowledge],
        beyond: &mut Vec<(usize, ClockId, ZoneState<W>)>,
        state: &ZoneState<W>,
    ) -> Result<(), Stop> {
        let (graph, scratch) = watch.parts();
        for (number, (measure, found)) in self.measures.iter().zip(found).enumerate() {
            let Measure::Clock { setup, clock, .. } = *measure else {
                continue;
            };
            if found.values.has_no_end() || beyond.len() >= KEPT {
                continue;
            }
            graph.load(scratch, state);
            let clock = ClockId(graph.cell(scratch, setup, clock)? as u32);
            let Some(index) = scratch.source.index(ClockRef::of(clock)) else {
                continue;
            };
            if dbm::upper(&state.zone, state.dim(), index) > Bound::le(word(found.ceiling)) {
                beyond.push((number, clock, state.clone()));
            }
        }
        Ok(())
    }
}

/// A ceiling in the words of zones that were chosen for it.
pub(super) fn word<W: Word>(ceiling: i64) -> W {
    W::from_i64(ceiling).unwrap_or(W::MAX_CONSTANT)
}

impl ZoneGraph<'_> {
    /// The value of a cell in the loaded state.
    fn cell<W: Word>(&self, scratch: &mut Scratch<W>, setup: Option<Entry>, cell: Cell) -> Result<i32, Stop> {
        let network = self.plan.network;
        let context = network.global_context();
        if let Some(setup) = setup {
            let code = Code::new(&network.program, setup, &context);
            run(code, &mut scratch.memory, &mut NoClocks, &mut ())?;
        }
        Ok(scratch.memory[context.address(cell)])
    }
}
