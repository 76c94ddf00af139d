//! Runs that others have found, in the form in which walks are made shorter.

use crate::plan::WalkPlan;
use crate::search::FoundWalk;
use crate::walker::record::Record;
use zonewalk_network::Transition;
use zonewalk_run::Run;

impl FoundWalk {
    /// A run, which consists of these transitions, as if a walk had found it. Times that are not instants of the grid are moved to the
    /// next one; shrinking looks for instants that are possible anyway.
    pub fn from_run(plan: &WalkPlan<'_>, run: &Run, transitions: &[Transition]) -> FoundWalk {
        let instant = |ticks: i64| {
            let ticks = i128::from(ticks) * i128::from(plan.unit) / i128::from(run.unit.max(1));
            i64::try_from(ticks).unwrap_or(i64::MAX / 4) & !1
        };
        let mut record = Record::default();
        let mut now = 0i64;
        for (step, transition) in run.steps.iter().zip(transitions) {
            now = now.saturating_add(step.delay);
            record.push(instant(now), &transition.parts, &transition.selects);
        }
        FoundWalk {
            walk: 0,
            run: record.run(plan, record.steps.len(), instant(run.duration())),
            record,
        }
    }
}
