//! Leaving off within a step: one step may run hundreds of guards, and each of them may take ten million instructions.

use zonewalk_network::instr::Entry;
use zonewalk_network::vm::{Cause, Trap};
use zonewalk_search::Alarm;

/// Instructions of a loop of thousands of rounds, as `WalkPlan::efforts` counts them. The clock is looked at before such code.
const LONG: u32 = 1 << 12;

/// Refuses to begin long code when the time is over. That is no error of the model: no walker notes it.
#[inline]
pub(super) fn may_begin(alarm: &mut Alarm, entry: Entry, effort: u32) -> Result<(), Trap> {
    if effort < LONG || !alarm.rings_after(u64::MAX) {
        return Ok(());
    }
    Err(Trap {
        at: entry,
        cause: Cause::DoesNotTerminate,
    })
}
