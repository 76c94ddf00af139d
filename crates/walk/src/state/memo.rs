//! Conditions that are code, evaluated once for many processes.
//!
//! When a variable changes that the guards of many processes of one template read, the same code runs for each of them in
//! the same state. The first result says for which processes it is good (`zonewalk_network::validity`); the others need no
//! more than a comparison. Of three hundred guards that loop over an array, two run.

use crate::plan::WalkPlan;
use crate::state::State;
use crate::state::long_code::may_begin;
use zonewalk_network::cell::Context;
use zonewalk_network::instr::Entry;
use zonewalk_network::validity::Validity;
use zonewalk_network::vm::{Code, NoClocks, Trap, run};

/// The last result of a piece of code.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memo {
    /// The state that it was computed in.
    epoch: u64,
    holds: bool,
    validity: Validity,
    /// The code depends on more than constants of the process.
    is_useless: bool,
}

impl Memo {
    /// Whether it is known that the code says no for a process.
    #[inline]
    pub(crate) fn denies(&self, epoch: u64, context: &Context, memory: &[i32]) -> bool {
        !self.holds && self.epoch == epoch && self.validity.covers(context, memory)
    }
}

impl State {
    /// Value of code, a number of `Conditions::rest`, for the process of a context.
    pub(crate) fn ask(
        &mut self,
        plan: &WalkPlan<'_>,
        number: u32,
        entry: Entry,
        context: &Context,
    ) -> Result<bool, Trap> {
        let memo = plan.memos[number as usize];
        let known = self.memos.get_mut(memo as usize).filter(|e| !e.is_useless);
        let Some(known) = known else {
            let (number, code) = (number as usize, (entry, &[][..], context));
            may_begin(&mut self.alarm, entry, plan.efforts[number])?;
            self.effort += u64::from(plan.efforts[number]);
            let values = (&mut self.memory[..], &mut NoClocks);
            return Ok(self.specialised.run(plan, number, code, values, &mut ())? != 0);
        };
        if known.epoch != self.epoch || !known.validity.covers(context, &self.memory) {
            // Good for no state, should the code fail.
            known.epoch = 0;
            known.validity.clear();
            may_begin(&mut self.alarm, entry, plan.efforts[number as usize])?;
            let code = Code::new(&plan.network.program, entry, context);
            known.holds = run(code, &mut self.memory, &mut NoClocks, &mut known.validity)? != 0;
            known.is_useless = known.validity.is_private();
            known.epoch = self.epoch;
        }
        Ok(known.holds)
    }
}
