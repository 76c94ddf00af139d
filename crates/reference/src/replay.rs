//! Checking one given step, without looking at all the others.

use crate::edges::Ready;
use crate::error::{Error, Refusal};
use crate::interpreter::{Flow, Interpreter, State};
use crate::transition::Transition;
use crate::window::Windows;
use zonewalk_model::ids::{ChannelId, ProcessId};
use zonewalk_model::system::{Binding, Value};
use zonewalk_model::tree::{Direction, Edge, ExprKind, Sync, VarRef};
use zonewalk_numbers::rational::Rational;
use zonewalk_run::Part;

/// A step of a trace: a delay, then a transition.
pub type Step = zonewalk_run::Step<Rational>;

/// A step that was checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed {
    /// The channel of the transition; `None` for an internal one.
    pub channel: Option<ChannelId>,
    /// The state after the delay.
    pub delayed: State,
    /// The state after the transition.
    pub state: State,
}

impl Interpreter<'_> {
    /// The state after a step, if it is one of the model's: the delay is possible, every guard holds, the edges
    /// make one transition, committed locations, priorities and receivers of broadcasts are respected, and the
    /// target's invariants hold.
    ///
    /// # Errors
    /// [`Refusal`] with the first rule that the step breaks; a run-time error, or conflicting rates.
    pub fn replay_step(&self, state: &State, step: &Step) -> Result<State, Error> {
        Ok(self.replay(state, step)?.state)
    }

    /// Replays a step, with the events on the way.
    ///
    /// # Errors
    /// As for [`Interpreter::replay_step`].
    pub fn replay(&self, state: &State, step: &Step) -> Result<Replayed, Error> {
        for part in &step.parts {
            self.check_part(state, part)?;
        }
        let (channel, delayed) = {
            // Rates matter only while time passes, and finding them out is most of the work of a step.
            let flow = if step.delay.signum() == 0 {
                Flow::standing(state)
            } else {
                self.flow(state)?
            };
            self.check_delay(&flow, step.delay)?;
            let transition = self.assemble(&flow, step)?;
            self.check_committed(state, &transition)?;
            self.check_priority(&flow, step.delay, &transition)?;
            let clocks = flow
                .clocks
                .iter()
                .map(|line| line.at(step.delay))
                .collect::<Result<_, _>>()?;
            let delayed = State {
                locations: state.locations.clone(),
                memory: state.memory.clone(),
                clocks,
                time: state.time.plus(step.delay)?,
            };
            (transition.channel, delayed)
        };
        Ok(Replayed {
            channel,
            state: self.fire(&delayed, &step.parts)?,
            delayed,
        })
    }

    /// The part names something of the model, and the process is where the edge leaves.
    fn check_part(&self, state: &State, part: &Part) -> Result<(), Error> {
        let Some(process) = self.system.processes.get(part.process.index()) else {
            return Err(Refusal::Unknown(format!("process number {}", part.process.0)).into());
        };
        let template = self.template(process);
        let Some(edge) = template.edges.get(part.edge.index()) else {
            return Err(Refusal::Unknown(format!("edge number {} of {}", part.edge.0, process.name)).into());
        };
        if edge.selects.len() != part.selects.len() {
            let n = part.selects.len();
            return Err(Refusal::Unknown(format!("edge of {} with {n} selects", process.name)).into());
        }
        if state.locations[part.process.index()] != edge.source {
            let source = template.locations[edge.source.index()].name.clone();
            return Err(Refusal::NotThere {
                process: process.name.clone(),
                source,
            }
            .into());
        }
        Ok(())
    }

    /// The parts as a transition after the delay, without those that say that it must not be taken.
    fn assemble(&self, flow: &Flow<'_>, step: &Step) -> Result<Transition, Error> {
        let moment = Windows::point(step.delay);
        let mut ready = Vec::new();
        for part in &step.parts {
            let domains = self.select_domains(&flow.state.memory, part.process, part.edge)?;
            if let Some((_, value)) = domains
                .iter()
                .zip(&part.selects)
                .find(|(domain, value)| !domain.contains(**value))
            {
                let name = self.name(part.process);
                return Err(Refusal::Unknown(format!("edge of {name} with the select value {value}")).into());
            }
            match self.ready_part(flow.view(), part.clone(), &moment)? {
                Some(r) => ready.push(r),
                None => return Err(Refusal::Guard(self.name(part.process)).into()),
            }
        }
        let channel = self.check_roles(&ready)?;
        if let Some(channel) = channel.filter(|c| self.system.channels[c.index()].broadcast) {
            self.check_receivers(flow, &moment, channel, &step.parts)?;
        }
        Ok(Transition {
            channel,
            parts: step.parts.clone(),
            windows: moment,
        })
    }

    /// One internal edge, a sender and its receivers, or all the participants of a channel.
    fn check_roles(&self, ready: &[Ready]) -> Result<Option<ChannelId>, Error> {
        let malformed = |why: &str| Err(Refusal::Malformed(why.to_owned()).into());
        let Some((first, others)) = ready.split_first() else {
            return malformed("a transition has at least one edge");
        };
        let channel = match first.sync {
            None if others.is_empty() => return Ok(None),
            None => return malformed("an internal edge is taken alone"),
            Some((_, Direction::Receive)) => return malformed("the first edge of a synchronisation sends"),
            Some((channel, Direction::Together)) => {
                self.check_participants(channel, ready)?;
                return Ok(Some(channel));
            }
            Some((channel, Direction::Send)) => channel,
        };
        if others
            .iter()
            .any(|r| r.sync != Some((channel, Direction::Receive)))
        {
            return malformed("every edge after the first receives on the sender's channel");
        }
        if others.iter().any(|r| r.part.process == first.part.process) {
            return malformed("a process does not synchronise with itself");
        }
        if !self.system.channels[channel.index()].broadcast && others.len() != 1 {
            return malformed("a handshake has one sender and one receiver");
        }
        if !others.is_sorted_by(|a, b| a.part.process < b.part.process) {
            return malformed("receivers are listed in the order of the processes, each once");
        }
        Ok(Some(channel))
    }

    /// Every process that has the channel in its alphabet is there, once, and no other (`semantics.md` 16a).
    fn check_participants(&self, channel: ChannelId, ready: &[Ready]) -> Result<(), Error> {
        let malformed = |why: &str| Err(Refusal::Malformed(why.to_owned()).into());
        if ready
            .iter()
            .any(|r| r.sync != Some((channel, Direction::Together)))
        {
            return malformed("all edges of a synchronisation without `!` or `?` have the same channel");
        }
        if !ready.is_sorted_by(|a, b| a.part.process < b.part.process) {
            return malformed("participants are listed in the order of the processes, each once");
        }
        let takes_part = |p: ProcessId| ready.iter().any(|r| r.part.process == p);
        let participants = &self.system.channels[channel.index()].participants;
        match participants.iter().find(|&&p| !takes_part(p)) {
            Some(&process) => Err(Refusal::ParticipantLeftOut(self.name(process)).into()),
            None => Ok(()),
        }
    }

    /// Every other process that can receive is there.
    fn check_receivers(
        &self,
        flow: &Flow<'_>,
        moment: &Windows,
        channel: ChannelId,
        parts: &[Part],
    ) -> Result<(), Error> {
        let takes_part = |p: ProcessId| parts.iter().any(|part| part.process == p);
        for process in self.processes().filter(|&p| !takes_part(p)) {
            let ready = self.receivers(flow, moment, channel, process)?;
            if ready
                .iter()
                .any(|r| r.sync == Some((channel, Direction::Receive)))
            {
                return Err(Refusal::ReceiverLeftOut(self.name(process)).into());
            }
        }
        Ok(())
    }

    /// The parts of a process that may receive on a channel.
    pub(crate) fn receivers(
        &self,
        flow: &Flow<'_>,
        domain: &Windows,
        channel: ChannelId,
        process: ProcessId,
    ) -> Result<Vec<Ready>, Error> {
        let receives = |edge: &Edge| match &edge.sync {
            Some(sync) if sync.direction == Direction::Receive => {
                self.fixed_channel(process, sync).is_none_or(|c| c == channel)
            }
            _ => false,
        };
        self.ready(flow.view(), process, domain, receives)
    }

    /// The channel of a label that names one without an index: then guards of edges on other channels need no look.
    fn fixed_channel(&self, process: ProcessId, sync: &Sync) -> Option<ChannelId> {
        match sync.channel.kind {
            ExprKind::Var(VarRef::Global(global)) => match self.system.initial.globals.get(global.index()) {
                Some(&Value::Channel(channel)) => Some(channel),
                _ => None,
            },
            ExprKind::Var(VarRef::Param(param)) => match self.process(process).bindings.get(param.index()) {
                Some(&Binding::Value(Value::Channel(channel))) => Some(channel),
                _ => None,
            },
            _ => None,
        }
    }

    fn check_committed(&self, state: &State, transition: &Transition) -> Result<(), Error> {
        let committed = |p: ProcessId| self.location(p, state.locations[p.index()]).committed;
        if transition.parts.iter().any(|part| committed(part.process)) {
            return Ok(());
        }
        match self.processes().find(|&p| committed(p)) {
            Some(process) => Err(Refusal::Committed(self.name(process)).into()),
            None => Ok(()),
        }
    }

    /// Only priorities need a look at other transitions of that moment.
    fn check_priority(&self, flow: &Flow<'_>, delay: Rational, transition: &Transition) -> Result<(), Error> {
        if !self.has_priorities {
            return Ok(());
        }
        match self.blocker_at(flow, delay, transition)? {
            Some(other) => Err(Refusal::Priority(self.describe(&other)).into()),
            None => Ok(()),
        }
    }
}
