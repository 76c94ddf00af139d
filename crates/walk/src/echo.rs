//! Conditions that are code, evaluated once for many processes.
//!
//! When a variable changes that the guards of many processes of one template read, the same code runs for each of them in
//! the same state. The first result says for which processes it is good (`zonewalk_network::reach`); the others need no
//! more than a comparison. Of three hundred guards that loop over an array, two run.

use crate::condition::{Conditions, General};
use crate::plan::{NONE, Plan};
use crate::state::State;
use std::collections::BTreeMap;
use zonewalk_network::cell::Context;
use zonewalk_network::instr::Entry;
use zonewalk_network::reach::Reach;
use zonewalk_network::vm::{Trap, run_reaching};

/// Code that fewer conditions share is run for each of them.
const FEWEST: u32 = 4;

/// The last result of a piece of code.
#[derive(Clone, Debug, Default)]
pub(crate) struct Echo {
    /// The state that it was computed in.
    epoch: u64,
    holds: bool,
    reach: Reach,
    /// The code depends on more than constants of the process.
    is_useless: bool,
}

impl Echo {
    /// Whether it is known that the code says no for a process.
    #[inline]
    pub(crate) fn denies(&self, epoch: u64, context: &Context, memory: &[i32]) -> bool {
        !self.holds && self.epoch == epoch && self.reach.covers(context, memory)
    }
}

impl State {
    /// What code, which is a number of `Conditions::rest`, says for the process of a context.
    pub(crate) fn ask(
        &mut self,
        plan: &Plan<'_>,
        number: u32,
        (entry, echo): (Entry, u32),
        context: &Context,
    ) -> Result<bool, Trap> {
        let program = &plan.network.program;
        let known = self.echoes.get_mut(echo as usize).filter(|e| !e.is_useless);
        let Some(known) = known else {
            let code = (entry, context);
            return self
                .tailor
                .ask(plan, number as usize, code, &mut self.memory, &mut self.effort);
        };
        if known.epoch != self.epoch || !known.reach.covers(context, &self.memory) {
            // Good for no state, should the code fail.
            known.epoch = 0;
            known.holds = run_reaching(program, entry, context, &mut self.memory, &mut known.reach)? != 0;
            known.is_useless = known.reach.is_private();
            known.epoch = self.epoch;
        }
        Ok(known.holds)
    }
}

impl Conditions {
    /// Numbers the pieces of code that many conditions share, and says how many there are.
    pub(crate) fn share(&mut self) -> usize {
        let mut uses: BTreeMap<u32, u32> = BTreeMap::new();
        for general in &self.rest {
            if let General::Code { entry, .. } = general {
                *uses.entry(entry.0).or_default() += 1;
            }
        }
        uses.retain(|_, count| *count >= FEWEST);
        let numbers: BTreeMap<u32, u32> = uses.into_keys().zip(0..).collect();
        for general in &mut self.rest {
            if let General::Code { entry, echo } = general {
                *echo = numbers.get(&entry.0).copied().unwrap_or(NONE);
            }
        }
        numbers.len()
    }
}
