//! How long time may pass (`semantics.md` 1, 2, 2a).

use crate::edges::Ready;
use crate::error::{Activity, Error, Refusal};
use crate::interpreter::{Flow, Interpreter, State, View};
use crate::region::{Clocks, Region};
use crate::window::Windows;
use zonewalk_model::ids::{ChannelId, LocationId, ProcessId};
use zonewalk_model::system::Channel;
use zonewalk_model::tree::{Direction, Edge};
use zonewalk_model::types::Type;
use zonewalk_numbers::rational::Rational;

impl Interpreter<'_> {
    /// The delays that are possible: one window that begins at 0.
    ///
    /// # Errors
    /// A run-time error, or conflicting rates.
    pub fn delays(&self, state: &State) -> Result<Windows, Error> {
        let flow = self.flow(state)?;
        let limit = self.time_limit(&flow)?;
        let ready = self.ready_urgent(flow.view(), &limit)?;
        Ok(self.until_urgent(&limit, &ready))
    }

    /// The state after a delay.
    ///
    /// # Errors
    /// [`Refusal`] when the delay is not possible; a run-time error, or conflicting rates.
    pub fn delay(&self, state: &State, delay: Rational) -> Result<State, Error> {
        let flow = self.flow(state)?;
        self.check_delay(&flow, delay)?;
        let clocks = flow
            .clocks
            .iter()
            .map(|line| line.at(delay))
            .collect::<Result<_, _>>()?;
        Ok(State {
            locations: state.locations.clone(),
            memory: state.memory.clone(),
            clocks,
            time: state.time.plus(delay)?,
        })
    }

    /// A process in a committed or urgent location.
    pub(crate) fn time_stopper(&self, locations: &[LocationId]) -> Option<ProcessId> {
        self.processes().find(|&p| {
            let location = self.location(p, locations[p.index()]);
            location.committed || location.urgent
        })
    }

    /// The delays that invariants and locations allow, urgent channels aside.
    pub(crate) fn time_limit(&self, flow: &Flow<'_>) -> Result<Windows, Error> {
        if self.time_stopper(&flow.state.locations).is_some() {
            return Ok(Windows::point(Rational::ZERO));
        }
        let mut limit = Windows::all();
        let bounded = |p: &ProcessId| !self.conditions(&flow.state.locations, *p).is_empty();
        for process in self.processes().filter(bounded) {
            limit = self.invariant_windows(flow, process, &limit)?.prefix();
        }
        Ok(limit)
    }

    fn invariant_windows(
        &self,
        flow: &Flow<'_>,
        process: ProcessId,
        domain: &Windows,
    ) -> Result<Windows, Error> {
        let view = flow.view();
        let mut windows = domain.clone();
        for condition in self.conditions(view.locations, process) {
            windows = self
                .filter(view, Some(process), &[], condition, &windows)
                .map_err(|fault| self.fault(fault, Activity::Invariant, Some(process)))?;
        }
        Ok(windows)
    }

    /// The parts that may have to do with urgent channels. A parameter that is not declared urgent never stands
    /// for an urgent channel (`semantics.md` 21c), so other edges need no look.
    pub(crate) fn ready_urgent<C: Clocks>(
        &self,
        view: View<'_, C>,
        domain: &C::Region,
    ) -> Result<Vec<Ready<C::Region>>, Error> {
        let mut ready = Vec::new();
        if self.has_urgent_channels && !domain.is_empty() {
            for process in self.processes() {
                ready.extend(self.ready(view, process, domain, may_be_urgent)?);
            }
        }
        Ok(ready)
    }

    /// Where synchronisations on urgent channels are enabled: both partners for a handshake, the sender alone for
    /// a broadcast, all participants where there is neither `!` nor `?`, by their guards alone (`semantics.md` 2, 16a).
    pub(crate) fn urgent<R: Region>(&self, ready: &[Ready<R>]) -> Vec<(ChannelId, R)> {
        let mut urgent = self.urgent_together(ready);
        for sender in ready {
            let Some((channel, Direction::Send)) = sender.sync else {
                continue;
            };
            let kind = &self.system.channels[channel.index()];
            if !kind.urgent {
                continue;
            }
            if kind.broadcast {
                urgent.push((channel, sender.region.clone()));
                continue;
            }
            let receivers = ready.iter().filter(|r| {
                r.sync == Some((channel, Direction::Receive)) && r.part.process != sender.part.process
            });
            urgent.extend(receivers.map(|r| (channel, sender.region.and(&r.region))));
        }
        urgent.retain(|(_, region)| !region.is_empty());
        urgent
    }

    fn urgent_together<R: Region>(&self, ready: &[Ready<R>]) -> Vec<(ChannelId, R)> {
        let channels = self.system.channels.iter().enumerate();
        let urgent = channels.filter(|(_, c)| c.urgent && !c.participants.is_empty());
        let all_ready = |(i, kind): (usize, &Channel)| {
            let channel = ChannelId::from_index(i);
            // Where each participant has an edge on the channel that is ready.
            let members = kind.participants.iter().map(|&process| {
                let own = ready
                    .iter()
                    .filter(|r| r.part.process == process && r.sync == Some((channel, Direction::Together)));
                own.map(|r| r.region.clone()).reduce(|any, other| any.or(&other))
            });
            let all = members.reduce(|all, member| Some(all?.and(&member?))).flatten();
            all.map(|region| (channel, region))
        };
        urgent.filter_map(all_ready).collect()
    }

    /// Cuts delays at the first instant of an urgent synchronisation. Where a strict bound leaves no first
    /// instant, time stops all the same (`semantics.md` 2a).
    pub(crate) fn until_urgent(&self, limit: &Windows, ready: &[Ready]) -> Windows {
        let urgent = self.urgent(ready);
        match urgent.iter().filter_map(|(_, windows)| windows.infimum()).min() {
            Some(first) => limit.and(&Windows::up_to(first)),
            None => limit.clone(),
        }
    }

    /// Whether a delay is possible; no delay at all always is.
    pub(crate) fn check_delay(&self, flow: &Flow<'_>, delay: Rational) -> Result<(), Error> {
        match delay.signum() {
            0 => return Ok(()),
            1 => {}
            _ => return Err(Refusal::NegativeDelay(delay).into()),
        }
        if let Some(process) = self.time_stopper(&flow.state.locations) {
            return Err(Refusal::TimeStops(self.name(process)).into());
        }
        let whole = Windows::up_to(delay);
        let bounded = |p: &ProcessId| !self.conditions(&flow.state.locations, *p).is_empty();
        for process in self.processes().filter(bounded) {
            if self.invariant_windows(flow, process, &whole)? != whole {
                return Err(Refusal::Invariant {
                    process: self.name(process),
                    delay,
                }
                .into());
            }
        }
        let ready = self.ready_urgent(flow.view(), &Windows::before(delay))?;
        match self.urgent(&ready).first() {
            Some((channel, _)) => {
                let channel = self.system.channels[channel.index()].name.clone();
                Err(Refusal::Urgent { channel, delay }.into())
            }
            None => Ok(()),
        }
    }
}

/// Whether an edge may have to do with urgent channels.
pub(crate) fn may_be_urgent(edge: &Edge) -> bool {
    match &edge.sync {
        Some(sync) => !matches!(sync.channel.ty, Type::Chan(kind) if !kind.urgent),
        None => false,
    }
}
