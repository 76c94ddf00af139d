//! Transitions by edge instances, and what they are in the terms of the model.

use crate::code::ids::InstanceId;
use crate::network::{Network, Select};
use zonewalk_run::{Part, Run, Step};

/// A transition. Engines that store many use lists of their own and say it by slices.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Transition {
    /// Edge instances: the initiator's, then the receivers' in the order of the processes.
    pub parts: Vec<InstanceId>,
    /// Values of the selects that no guard or channel needs, in the order of the parts.
    pub selects: Vec<i32>,
}

impl Network {
    /// A step of a run, by edge instances and the values of those selects that no guard or channel needs.
    pub fn step(&self, delay: i64, parts: &[InstanceId], mut selects: &[i32]) -> Step {
        let part = |&part: &InstanceId| {
            let instance = self.instance(part);
            let edge = self.edge(instance);
            let mut expanded = self.select_values(instance);
            let mut free = || {
                let (first, rest) = selects.split_first()?;
                selects = rest;
                Some(*first)
            };
            let value = |s: &Select| if s.expanded { expanded.next() } else { free() };
            Part {
                process: instance.process,
                edge: edge.id,
                selects: edge.selects.iter().filter_map(value).collect(),
            }
        };
        Step {
            delay,
            parts: parts.iter().map(part).collect(),
        }
    }

    /// A run: transitions, the delays before each of them and the one after the last, in ticks.
    pub fn run(&self, unit: i64, transitions: &[Transition], delays: &[i64]) -> Run {
        let steps = transitions.iter().zip(delays);
        Run {
            unit,
            steps: steps
                .map(|(t, &delay)| self.step(delay, &t.parts, &t.selects))
                .collect(),
            last_delay: delays.last().copied().unwrap_or(0),
        }
    }
}
