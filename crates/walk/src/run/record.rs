//! What a walk has done: enough to walk it again.

use crate::run::given::Given;
use zonewalk_network::ids::InstanceId;

/// A step of a walk: when, and where its edges begin in the lists of the record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recorded {
    pub(crate) at: i64,
    pub(crate) parts: u32,
    pub(crate) selects: u32,
}

/// The choices of a walk.
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

    /// All steps, at times in ticks of this length.
    pub(crate) fn given(&self, unit: i64) -> Vec<Given> {
        let step = |(index, step): (usize, &Recorded)| {
            let (parts, selects) = self.step(index);
            Given {
                at: (step.at, unit),
                parts: parts.to_vec(),
                selects: selects.to_vec(),
            }
        };
        self.steps.iter().enumerate().map(step).collect()
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
