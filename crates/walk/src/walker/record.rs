//! Record of a walk: enough to walk it again.
//!
//! A form of its own beside [`zonewalk_run::Run`], because a walk writes it in every step: three lists that only grow, with
//! numbers of edge instances, and nothing is allocated for a step.

use crate::plan::WalkPlan;
use zonewalk_network::Transition;
use zonewalk_network::ids::InstanceId;
use zonewalk_run::Run;

/// A step of a walk: when, and where its edges begin in the lists of the record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recorded {
    pub(crate) at: i64,
    pub(crate) parts: u32,
    pub(crate) selects: u32,
}

/// The choices of a walk. [`Record::run`] puts them into the terms of the model.
#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) steps: Vec<Recorded>,
    /// Edge instances: the initiator's, then the receivers'.
    pub(crate) parts: Vec<InstanceId>,
    /// Values of the selects that no guard or channel needs, in the order of the parts.
    pub(crate) selects: Vec<i32>,
}

impl Clone for Record {
    fn clone(&self) -> Record {
        Record {
            steps: self.steps.clone(),
            parts: self.parts.clone(),
            selects: self.selects.clone(),
        }
    }

    // What is derived would give back memory.
    fn clone_from(&mut self, other: &Record) {
        self.copy_first(other, other.steps.len());
    }
}

impl Record {
    pub(crate) fn clear(&mut self) {
        self.steps.clear();
        self.parts.clear();
        self.selects.clear();
    }

    /// Edges and select values of a step.
    pub(crate) fn step(&self, index: usize) -> (&[InstanceId], &[i32]) {
        let step = self.steps[index];
        let next = self.steps.get(index + 1);
        let parts = step.parts as usize..next.map_or(self.parts.len(), |n| n.parts as usize);
        let selects = step.selects as usize..next.map_or(self.selects.len(), |n| n.selects as usize);
        (&self.parts[parts], &self.selects[selects])
    }

    /// The transitions of all steps.
    pub(crate) fn transitions(&self) -> Vec<Transition> {
        let transition = |index| {
            let (parts, selects) = self.step(index);
            Transition {
                parts: parts.to_vec(),
                selects: selects.to_vec(),
            }
        };
        (0..self.steps.len()).map(transition).collect()
    }

    /// The run of the first `steps` steps, and a delay until `end`.
    pub(crate) fn run(&self, plan: &WalkPlan<'_>, steps: usize, end: i64) -> Run {
        let mut now = 0;
        let mut list = Vec::with_capacity(steps);
        for (index, step) in self.steps.iter().enumerate().take(steps) {
            let (parts, selects) = self.step(index);
            list.push(plan.network.step(step.at - now, parts, selects));
            now = step.at;
        }
        Run {
            unit: plan.unit,
            steps: list,
            last_delay: end - now,
        }
    }

    /// Becomes the first steps of another one.
    pub(crate) fn copy_first(&mut self, other: &Record, steps: usize) {
        self.clear();
        let next = other.steps.get(steps);
        let parts = next.map_or(other.parts.len(), |n| n.parts as usize);
        let selects = next.map_or(other.selects.len(), |n| n.selects as usize);
        self.steps.extend_from_slice(&other.steps[..steps]);
        self.parts.extend_from_slice(&other.parts[..parts]);
        self.selects.extend_from_slice(&other.selects[..selects]);
    }

    #[inline]
    pub(crate) fn push(&mut self, at: i64, parts: &[InstanceId], selects: &[i32]) {
        self.steps.push(Recorded {
            at,
            parts: self.parts.len() as u32,
            selects: self.selects.len() as u32,
        });
        // One by one: there is one part, or two, more often than not.
        for &part in parts {
            self.parts.push(part);
        }
        if !selects.is_empty() {
            self.selects.extend_from_slice(selects);
        }
    }
}
