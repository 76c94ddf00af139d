//! Runs in the terms of the model, apart from how they were found.

use crate::plan::Plan;
use crate::walker::Record;
use zonewalk_model::ids::{EdgeId, ProcessId};
use zonewalk_network::ids::InstanceId;
use zonewalk_network::{Network, Select};

/// A run from the initial state: exact, in ticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Ticks per unit of time.
    pub unit: i64,
    /// Delays and transitions.
    pub steps: Vec<TraceStep>,
    /// The delay after the last transition, in ticks.
    pub last_delay: i64,
}

/// A delay, then a transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// The delay before the transition, in ticks.
    pub delay: i64,
    /// The edges: the initiator's, then the receivers' in the order of the processes.
    pub parts: Vec<TracePart>,
}

/// An edge that takes part in a transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracePart {
    /// The process.
    pub process: ProcessId,
    /// The edge, in the process's template.
    pub edge: EdgeId,
    /// Values of its selections, in the order of the label.
    pub selects: Vec<i32>,
}

impl Trace {
    /// All of it, in ticks.
    pub fn duration(&self) -> i64 {
        self.steps.iter().map(|s| s.delay).sum::<i64>() + self.last_delay
    }

    /// The first `steps` steps of a record, and a delay until `end`.
    pub(crate) fn from_record(plan: &Plan<'_>, record: &Record, steps: usize, end: i64) -> Trace {
        let mut now = 0;
        let mut list = Vec::with_capacity(steps);
        for (index, step) in record.steps.iter().enumerate().take(steps) {
            let (parts, selects) = record.step(index);
            let delay = step.at - now;
            list.push(TraceStep::new(plan.network, delay, parts, selects));
            now = step.at;
        }
        Trace {
            unit: plan.unit,
            steps: list,
            last_delay: end - now,
        }
    }
}

impl TraceStep {
    /// A transition by edge instances of a network, with the values of those selections that no guard or channel needs.
    pub fn new(network: &Network, delay: i64, parts: &[InstanceId], mut selects: &[i32]) -> TraceStep {
        let part = |&part: &InstanceId| {
            let instance = network.instance(part);
            let edge = network.edge(instance);
            let mut expanded = network.select_values(instance);
            let mut free = || {
                let (first, rest) = selects.split_first()?;
                selects = rest;
                Some(*first)
            };
            let value = |s: &Select| if s.expanded { expanded.next() } else { free() };
            TracePart {
                process: instance.process,
                edge: edge.id,
                selects: edge.selects.iter().filter_map(value).collect(),
            }
        };
        TraceStep {
            delay,
            parts: parts.iter().map(part).collect(),
        }
    }
}
