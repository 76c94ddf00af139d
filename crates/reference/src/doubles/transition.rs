//! Transitions of a run in doubles: which processes take part, and what is updated.

use super::readings::Readings;
use super::{DoubleState, DoubleStep, Judge, Judged};
use crate::edges::frame;
use zonewalk_model::eval::{Store, advance};
use zonewalk_model::ids::{ChannelId, EdgeId, ProcessId};
use zonewalk_model::tree::{Direction, Edge};
use zonewalk_run::Part;
use zonewalk_syntax::span::Span;

impl Judge<'_> {
    fn edge(&self, part: &Part) -> Judged<&Edge> {
        let process = self.system.processes.get(part.process.index());
        let template = process.map(|p| &self.model.templates[p.template.index()]);
        let edge = template.and_then(|t| t.edges.get(part.edge.index()));
        edge.filter(|e| e.selects.len() == part.selects.len())
            .ok_or_else(|| ("there is no such edge".into(), Span::NONE))
    }

    fn channel(&self, state: &DoubleState, part: &Part) -> Judged<Option<(ChannelId, Direction)>> {
        let edge = self.edge(part)?;
        let Some(sync) = &edge.sync else {
            return Ok(None);
        };
        let slots = frame(edge, &part.selects);
        let channel = self.look(state, Some(part.process), &slots, 0.0, |e| {
            e.channel(&sync.channel)
        })?;
        Ok(Some((channel, sync.direction)))
    }

    /// Whether an edge can be taken, as far as its own process is concerned.
    fn is_ready(&self, state: &DoubleState, part: &Part, tolerance: f64) -> Judged<bool> {
        let edge = self.edge(part)?;
        if state.locations[part.process.index()] != edge.source {
            return Ok(false);
        }
        match &edge.guard {
            Some(guard) => {
                let slots = frame(edge, &part.selects);
                self.look(state, Some(part.process), &slots, tolerance, |e| e.holds(guard))
            }
            None => Ok(true),
        }
    }

    pub(super) fn take(&self, state: &mut DoubleState, step: &DoubleStep) -> Judged<()> {
        let Some(first) = step.parts.first() else {
            return Err(("nobody takes part".into(), Span::NONE));
        };
        let tolerance = self.tolerance();
        for part in &step.parts {
            if !self.is_ready(state, part, tolerance)? {
                let message = format!("{} cannot take its edge", self.name(part.process));
                return Err((message, self.edge(part)?.span));
            }
        }
        self.synchronise(state, first, &step.parts[1..], tolerance)?;
        let is_committed = |p: ProcessId| self.location(state, p).committed;
        if let Some(process) = self.processes().find(|p| is_committed(*p))
            && !step.parts.iter().any(|part| is_committed(part.process))
        {
            let message = format!("{} is committed, and takes no part", self.name(process));
            return Err((message, self.location(state, process).span));
        }
        self.update(state, step)?;
        self.invariants(state)
    }

    /// Whether exactly the processes take part that have to.
    fn synchronise(
        &self,
        state: &DoubleState,
        first: &Part,
        receivers: &[Part],
        tolerance: f64,
    ) -> Judged<()> {
        let span = self.edge(first)?.span;
        let channel = match self.channel(state, first)? {
            None if receivers.is_empty() => return Ok(()),
            None => return Err(("an edge without a channel has receivers".into(), span)),
            Some((_, Direction::Receive | Direction::Together)) => {
                return Err(("a transition begins with an edge that receives".into(), span));
            }
            Some((channel, Direction::Send)) => channel,
        };
        let mut last = None;
        for part in receivers {
            if self.channel(state, part)? != Some((channel, Direction::Receive)) {
                let message = format!("{} does not receive on the channel", self.name(part.process));
                return Err((message, self.edge(part)?.span));
            }
            if part.process == first.process || last >= Some(part.process) {
                return Err(("the receivers are not in the order of the processes".into(), span));
            }
            last = Some(part.process);
        }
        // Who certainly could have received has to.
        for process in self.processes() {
            let takes_part = process == first.process || receivers.iter().any(|p| p.process == process);
            if !takes_part && self.could_receive(state, process, channel, -tolerance)? {
                let message = format!("{} could receive, and takes no part", self.name(process));
                return Err((message, span));
            }
        }
        Ok(())
    }

    fn could_receive(
        &self,
        state: &DoubleState,
        process: ProcessId,
        channel: ChannelId,
        tolerance: f64,
    ) -> Judged<bool> {
        let template = &self.model.templates[self.system.processes[process.index()].template.index()];
        for (number, edge) in template.edges.iter().enumerate() {
            let receives = edge
                .sync
                .as_ref()
                .is_some_and(|s| s.direction == Direction::Receive);
            if !receives || edge.source != state.locations[process.index()] {
                continue;
            }
            let domains = self.look(state, Some(process), &[], tolerance, |e| {
                let selects = edge.selects.iter();
                selects
                    .map(|s| e.domain(&s.ty, edge.span))
                    .collect::<Result<Vec<_>, _>>()
            })?;
            if domains.iter().any(|d| d.count() == 0) {
                continue;
            }
            let mut part = Part {
                process,
                edge: EdgeId::from_index(number),
                selects: domains.iter().map(|d| d.lo).collect(),
            };
            loop {
                if self.is_ready(state, &part, tolerance)?
                    && self.channel(state, &part)? == Some((channel, Direction::Receive))
                {
                    return Ok(true);
                }
                if !advance(&mut part.selects, &domains) {
                    break;
                }
            }
        }
        Ok(false)
    }

    fn update(&self, state: &mut DoubleState, step: &DoubleStep) -> Judged<()> {
        let DoubleState {
            locations,
            memory,
            clocks,
            ..
        } = state;
        let before = locations.clone();
        let mut readings = Readings::new(clocks, &before).with_draws(&step.draws, 0);
        for update in &self.model.before_update {
            self.with(Store::Exclusive(memory), &mut readings, None, &[], |e| {
                e.run(update)
            })?;
        }
        for part in &step.parts {
            let edge = self.edge(part)?;
            let slots = frame(edge, &part.selects);
            for update in &edge.updates {
                let store = Store::Exclusive(memory);
                self.with(store, &mut readings, Some(part.process), &slots, |e| {
                    e.run(update)
                })?;
            }
            locations[part.process.index()] = edge.target;
        }
        for update in &self.model.after_update {
            self.with(Store::Exclusive(memory), &mut readings, None, &[], |e| {
                e.run(update)
            })?;
        }
        if readings.drawn != step.draws.len() {
            return Err(("fewer draws than were recorded".into(), Span::NONE));
        }
        Ok(())
    }
}
