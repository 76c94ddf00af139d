//! Run-time errors of the model on a walk. What fails is left out, and the walk goes on.
//!
//! A guard that fails concerns the transitions that its edge may take part in. Besides, it leaves open whether time stops for
//! an urgent synchronisation, the receivers of a broadcast, and priorities: there only what is certain all the same is
//! done, because the judge must agree to it.

use crate::Stop;
use crate::plan::Role;
use crate::walker::record::Record;
use crate::walker::{Fired, Walker};
use zonewalk_network::Transition;
use zonewalk_network::ids::InstanceId;

/// A run-time error, and the steps that lead there.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) stop: Stop,
    pub(crate) record: Record,
    /// The instant at which it fails.
    pub(crate) at: i64,
    pub(crate) attempt: Transition,
}

impl Walker<'_> {
    /// Remembers a run-time error after the steps so far, if it is the first one.
    #[cold]
    pub(crate) fn note(&mut self, stop: Stop, at: i64, parts: &[InstanceId], selects: &[i32]) {
        self.note_at(stop, at, self.record.steps.len(), (parts, selects));
    }

    /// Notes an error of a goal after the first `steps` of them.
    #[cold]
    pub(crate) fn note_goal(&mut self, stop: Stop, at: i64, steps: usize) {
        self.note_at(stop, at, steps, (&[], &[]));
    }

    fn note_at(&mut self, stop: Stop, at: i64, steps: usize, (parts, selects): (&[InstanceId], &[i32])) {
        // What was left off is no error of the model.
        if self.state.alarm.rings_after(0) {
            return;
        }
        if self.fault.is_some() || self.sought.is_some_and(|sought| sought != stop) {
            return;
        }
        let mut record = Record::default();
        record.copy_first(&self.record, steps);
        let attempt = Transition {
            parts: parts.to_vec(),
            selects: selects.to_vec(),
        };
        self.fault = Some(Box::new(Fault {
            stop,
            record,
            at,
            attempt,
        }));
    }

    /// Remembers what fails in this state.
    pub(crate) fn note_failing(&mut self) {
        for number in 0..self.state.failing.len() {
            let (edge, stop) = self.state.failing[number];
            self.note(stop, self.state.clocks.now, &[edge], &[]);
        }
    }

    /// A transition that was begun fails.
    #[cold]
    pub(crate) fn give_up(
        &mut self,
        stop: Stop,
        before: i64,
        at: i64,
        (parts, selects): (&[InstanceId], &[i32]),
    ) -> Result<Fired, Stop> {
        self.take_back(before, parts)?;
        self.note(stop, at, parts, selects);
        Ok(Fired::Failed(stop))
    }

    /// Looks again at the edges that have failed. Only few models have any, and then few.
    #[cold]
    pub(crate) fn look_at_failing(&mut self) {
        let plan = self.plan;
        let mut edges: Vec<InstanceId> = self.state.failing.drain(..).map(|(edge, _)| edge).collect();
        edges.sort_unstable();
        for number in edges {
            let edge = plan.edge(number);
            if self.state.location(edge.process) == edge.source {
                self.state.refresh_edge(plan, number, false);
            }
        }
        self.note_failing();
    }

    /// Why not all transitions of this state are known, if so.
    #[inline]
    pub(crate) fn failing(&self) -> Option<Stop> {
        self.state.failing.first().map(|(_, stop)| *stop)
    }

    /// Whether anything can be said about the transitions of this state: what fails may have priority over them.
    #[inline]
    pub(crate) fn is_certain(&self) -> Result<(), Stop> {
        match self.state.failing.first() {
            Some(&(edge, stop)) if self.plan.leaves_open(edge, None) => Err(stop),
            _ => Ok(()),
        }
    }

    /// Whether an edge that fails may stop time.
    #[cold]
    pub(crate) fn may_be_urgent(&self) -> bool {
        let mut failing = self.state.failing.iter();
        failing.any(|&(edge, _)| self.plan.may_be_urgent(self.plan.edge(edge)))
    }

    /// Whether an edge that fails may receive a broadcast.
    #[cold]
    pub(crate) fn may_be_received(&self, sender: InstanceId) -> bool {
        let broadcast = (sender, self.state.edges[sender.index()].channel);
        let mut failing = self.state.failing.iter();
        self.plan.edge(sender).role == Role::Send
            && failing.any(|&(edge, _)| self.plan.leaves_open(edge, Some(broadcast)))
    }
}
