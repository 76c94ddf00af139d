//! Runs that others have found, in the form in which walks are made shorter.

use crate::plan::Plan;
use crate::run::trace::Trace;
use crate::search::Found;
use crate::walker::Record;
use zonewalk_network::ids::InstanceId;

/// A step of a run.
#[derive(Clone, Debug)]
pub struct Given {
    /// When, as a fraction of a unit of time.
    pub at: (i64, i64),
    /// Edge instances: the initiator's, then the receivers' in the order of the processes.
    pub parts: Vec<InstanceId>,
    /// Values of the selections that no guard or channel needs, in the order of the parts.
    pub selects: Vec<i32>,
}

/// A run as if a walk had found it. Times that are no instants of the grid are moved to the next one; shrinking looks for
/// instants that are possible anyway.
pub fn found(plan: &Plan<'_>, steps: &[Given], end: (i64, i64)) -> Found {
    let instant = |(number, parts): (i64, i64)| {
        let ticks = i128::from(number) * i128::from(plan.unit) / i128::from(parts.max(1));
        i64::try_from(ticks).unwrap_or(i64::MAX / 4) & !1
    };
    let mut record = Record::default();
    for step in steps {
        record.push(instant(step.at), &step.parts, &step.selects);
    }
    Found {
        walk: 0,
        trace: Trace::from_record(plan, &record, steps.len(), instant(end)),
        record,
    }
}
