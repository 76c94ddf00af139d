//! The edges of one process that are enabled somewhere in a region.

use crate::error::{Activity, Error};
use crate::interpreter::{Interpreter, View};
use crate::moment::DataOnly;
use crate::region::{Clocks, Region};
use crate::window::Windows;
use zonewalk_model::eval::{Domain, FaultKind, STEP_LIMIT, Store, advance};
use zonewalk_model::ids::{ChannelId, EdgeId, LocationId, ProcessId};
use zonewalk_model::system::{Memory, Value};
use zonewalk_model::tree::{Direction, Edge};
use zonewalk_run::Part;

/// A part that is enabled as far as the process itself is concerned.
#[derive(Clone, Debug)]
pub(crate) struct Ready<R = Windows> {
    pub part: Part,
    pub sync: Option<(ChannelId, Direction)>,
    /// Where the guard holds.
    pub region: R,
}

/// A part whose guard may hold, as far as data tell.
pub(crate) struct Offer {
    pub part: Part,
    pub sync: Option<(ChannelId, Direction)>,
    /// Whether the guard asks about clocks.
    asks: bool,
}

impl Interpreter<'_> {
    /// The parts of a process whose guard holds somewhere in `domain`, of the edges that are `wanted`.
    pub(crate) fn ready<C: Clocks>(
        &self,
        view: View<'_, C>,
        process: ProcessId,
        domain: &C::Region,
        wanted: impl Fn(&Edge) -> bool,
    ) -> Result<Vec<Ready<C::Region>>, Error> {
        let mut ready = Vec::new();
        let locations = view.locations;
        self.each_part(view.memory, locations, process, wanted, |part| {
            ready.extend(self.ready_part(view, part, domain)?);
            Ok(())
        })?;
        Ok(ready)
    }

    /// The parts of a process whose guard may hold, as far as data tell: they are the same for all values of clocks.
    pub(crate) fn offers(
        &self,
        memory: &Memory,
        locations: &[LocationId],
        process: ProcessId,
    ) -> Result<Vec<Offer>, Error> {
        let mut offers = Vec::new();
        self.each_part(
            memory,
            locations,
            process,
            |_| true,
            |part| {
                offers.extend(self.offer(memory, part)?);
                Ok(())
            },
        )?;
        Ok(offers)
    }

    /// Looks at all parts of a process: its edges where it is, with all values of their selects.
    fn each_part(
        &self,
        memory: &Memory,
        locations: &[LocationId],
        process: ProcessId,
        wanted: impl Fn(&Edge) -> bool,
        mut look: impl FnMut(Part) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Some(&location) = locations.get(process.index()) else {
            return Ok(());
        };
        for &edge in self.outgoing(process, location) {
            if !wanted(self.edge(process, edge)) {
                continue;
            }
            // Every combination of values is an edge of its own; an empty range leaves none (`semantics.md` 13).
            let domains = self.select_domains(memory, process, edge)?;
            if domains.iter().any(|d| d.count() == 0) {
                continue;
            }
            self.check_count(&domains, process, edge)?;
            let mut selects: Vec<i32> = domains.iter().map(|d| d.lo).collect();
            loop {
                look(Part {
                    process,
                    edge,
                    selects: selects.clone(),
                })?;
                if !advance(&mut selects, &domains) {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Without a limit a select over all integers would look like a hang.
    pub(crate) fn check_count(
        &self,
        domains: &[Domain],
        process: ProcessId,
        edge: EdgeId,
    ) -> Result<(), Error> {
        let count = domains.iter().fold(1, |n: u64, d| n.saturating_mul(d.count()));
        if count <= STEP_LIMIT {
            return Ok(());
        }
        let construct = format!("a select with {count} values");
        let fault = FaultKind::unsupported(construct).at(self.edge(process, edge).span);
        Err(self.fault(fault, Activity::Select, Some(process)))
    }

    pub(crate) fn select_domains(
        &self,
        memory: &Memory,
        process: ProcessId,
        edge: EdgeId,
    ) -> Result<Vec<Domain>, Error> {
        let edge = self.edge(process, edge);
        let mut world = DataOnly::default();
        let mut evaluator = self.evaluator(Store::Shared(memory), &mut world, Some(process));
        let domains = edge
            .selects
            .iter()
            .map(|select| evaluator.domain(&select.ty, edge.span));
        domains
            .collect::<Result<_, _>>()
            .map_err(|fault| self.fault(fault, Activity::Select, Some(process)))
    }

    /// The part with the region of its guard; `None` when there is none in `domain`.
    ///
    /// The data of the guard are evaluated first, then the channel, then the clocks (`semantics.md` 14, 16b).
    pub(crate) fn ready_part<C: Clocks>(
        &self,
        view: View<'_, C>,
        part: Part,
        domain: &C::Region,
    ) -> Result<Option<Ready<C::Region>>, Error> {
        match self.offer(view.memory, part)? {
            Some(offer) => self.taken_up(view, &offer, domain),
            None => Ok(None),
        }
    }

    /// The part if its guard may hold, as far as data tell.
    fn offer(&self, memory: &Memory, part: Part) -> Result<Option<Offer>, Error> {
        let process = part.process;
        let edge = self.edge(process, part.edge);
        let frame = frame(edge, &part.selects);
        let fault = |fault, activity| self.fault(fault, activity, Some(process));

        let mut data = DataOnly::default();
        if let Some(guard) = &edge.guard {
            let evaluator = self.evaluator(Store::Shared(memory), &mut data, Some(process));
            let possible = evaluator.with_frame(&frame).holds(guard);
            if !possible.map_err(|f| fault(f, Activity::Guard))? {
                return Ok(None);
            }
        }
        let sync = match &edge.sync {
            None => None,
            Some(sync) => {
                let mut world = DataOnly::default();
                let evaluator = self.evaluator(Store::Shared(memory), &mut world, Some(process));
                let channel = evaluator.with_frame(&frame).channel(&sync.channel);
                Some((channel.map_err(|f| fault(f, Activity::Channel))?, sync.direction))
            }
        };
        let asks = data.asked;
        Ok(Some(Offer { part, sync, asks }))
    }

    /// A part that may be possible, with the region of its guard; `None` when there is none in `domain`.
    pub(crate) fn taken_up<C: Clocks>(
        &self,
        view: View<'_, C>,
        offer: &Offer,
        domain: &C::Region,
    ) -> Result<Option<Ready<C::Region>>, Error> {
        let Offer { part, sync, asks } = offer;
        let edge = self.edge(part.process, part.edge);
        let region = match &edge.guard {
            Some(guard) if *asks => self
                .filter(
                    view,
                    Some(part.process),
                    &frame(edge, &part.selects),
                    guard,
                    domain,
                )
                .map_err(|fault| self.fault(fault, Activity::Guard, Some(part.process)))?,
            _ => domain.clone(),
        };
        Ok((!region.is_empty()).then(|| Ready {
            part: part.clone(),
            sync: *sync,
            region,
        }))
    }
}

/// The slots that an edge's labels begin with: the values of its selects.
pub(crate) fn frame(edge: &Edge, selects: &[i32]) -> Vec<Value> {
    let size = edge.selects.iter().map(|s| s.slot.index() + 1).max().unwrap_or(0);
    let mut frame = vec![Value::Int(0); size];
    for (select, &value) in edge.selects.iter().zip(selects) {
        frame[select.slot.index()] = Value::Int(value);
    }
    frame
}
