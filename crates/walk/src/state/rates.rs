//! Stopwatches: which clocks run.
//!
//! A location says of some clocks whether they run, most often by the value of a variable (`job[i]' == runs[i]`). There are
//! models with one location that rates every clock, and a step changes few of these variables: it costs no more than those.

use crate::Stop;
use crate::plan::WalkPlan;
use crate::plan::rates::RateCell;
use crate::state::State;
use crate::state::refresh::Instants;
use zonewalk_network::ids::{ClockId, ProcessId};
use zonewalk_syntax::span::Span;

impl State {
    /// The variable that is a rate may have changed. Requires: its process is where it was.
    #[inline]
    pub(crate) fn refresh_rate(
        &mut self,
        plan: &WalkPlan<'_>,
        of: &RateCell,
        switched: &mut Vec<ClockId>,
    ) -> Result<(), Stop> {
        let rate = self.memory[of.cell as usize];
        let runs = &mut self.rates[of.process.index()][of.index as usize].1;
        if rate == i32::from(*runs) {
            return Ok(());
        }
        if !matches!(rate, 0 | 1) {
            return Err(Stop::Rate {
                clock: of.clock,
                rate,
                span: self.setting_span(plan, of.process, of.index as usize),
            });
        }
        let ran = *runs;
        *runs = !ran;
        self.setters(ran)[of.clock.index()] -= 1;
        self.setters(!ran)[of.clock.index()] += 1;
        switched.push(of.clock);
        Ok(())
    }

    /// Looks at the rates that the location of a process sets. Clocks for which that has changed are added to `switched`.
    pub(crate) fn refresh_rates(
        &mut self,
        plan: &WalkPlan<'_>,
        process: ProcessId,
        room: &mut Vec<(ClockId, bool)>,
        switched: &mut Vec<ClockId>,
    ) -> Result<(), Stop> {
        let place = plan.location(process, self.location(process));
        let (has_rates, known) = (place.has_rates, &self.rates[process.index()]);
        if !has_rates && known.is_empty() {
            return Ok(());
        }
        room.clear();
        if has_rates {
            self.collect_rates(plan, process, room)?;
        }
        if *room == self.rates[process.index()] {
            return Ok(());
        }
        let old = std::mem::take(&mut self.rates[process.index()]);
        let is_same_place = old.len() == room.len() && old.iter().zip(&*room).all(|(a, b)| a.0 == b.0);
        for (index, &(clock, runs)) in old.iter().enumerate() {
            if !is_same_place || room[index].1 != runs {
                self.setters(runs)[clock.index()] -= 1;
                switched.push(clock);
            }
        }
        for (index, &(clock, runs)) in room.iter().enumerate() {
            if !is_same_place || old[index].1 != runs {
                self.setters(runs)[clock.index()] += 1;
                switched.push(clock);
            }
        }
        self.rates[process.index()] = old;
        self.rates[process.index()].clone_from(room);
        Ok(())
    }

    fn setting_span(&self, plan: &WalkPlan<'_>, process: ProcessId, index: usize) -> Span {
        let settings = plan.rate_settings(process, self.location(process));
        settings.get(index).map_or(Span::NONE, |s| s.span)
    }

    fn setters(&mut self, runs: bool) -> &mut [u16] {
        if runs {
            &mut self.runners
        } else {
            &mut self.stoppers
        }
    }

    fn collect_rates(
        &mut self,
        plan: &WalkPlan<'_>,
        process: ProcessId,
        list: &mut Vec<(ClockId, bool)>,
    ) -> Result<(), Stop> {
        let location = self.location(process);
        plan.rates(
            process,
            location,
            &mut Instants::new(plan, self),
            |_, clock, runs| {
                list.push((clock, runs));
                Ok(())
            },
        )
    }

    /// Starts and stops the clocks whose setters have changed, and keeps in `clocks` only those that really did.
    pub(crate) fn apply_rates(&mut self, plan: &WalkPlan<'_>, clocks: &mut Vec<ClockId>) -> Result<(), Stop> {
        clocks.sort_unstable();
        clocks.dedup();
        let mut conflict = None;
        clocks.retain(|&clock| {
            let (stopped, running) = (self.stoppers[clock.index()] > 0, self.runners[clock.index()] > 0);
            if stopped && running {
                conflict = Some(clock);
            }
            let changes = self.clocks.values[clock.index()].runs == stopped;
            if changes {
                self.clocks.switch(clock, !stopped);
            }
            changes
        });
        match conflict {
            Some(clock) => Err(Stop::Rate {
                clock,
                rate: 1,
                span: self.rate_span(plan, clock),
            }),
            None => Ok(()),
        }
    }

    /// Where the rate of a clock is set to 1 at the moment.
    fn rate_span(&self, plan: &WalkPlan<'_>, clock: ClockId) -> Span {
        let setter = plan
            .processes()
            .zip(&self.rates)
            .find(|(_, rates)| rates.contains(&(clock, true)));
        let settings = setter.map(|(process, _)| plan.rate_settings(process, self.location(process)));
        settings.and_then(|s| s.first()).map_or(Span::NONE, |s| s.span)
    }
}
