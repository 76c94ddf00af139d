//! Code that runs often is made anew for its process and edge (`zonewalk_network::specialise`).
//!
//! Making it costs as much as some dozen runs, and most code of a large model runs rarely or never: so it is counted first.

use crate::plan::Plan;
use zonewalk_network::cell::Context;
use zonewalk_network::instr::Entry;
use zonewalk_network::specialise::Specialised;
use zonewalk_network::vm::{Clocks, Trap, run};

/// So many runs make code worth it.
const OFTEN: u32 = 48;

/// What there is for a piece of code in its context.
#[derive(Clone, Copy, Debug)]
enum Made {
    /// It has run so often.
    Nothing(u32),
    Code(Entry),
    /// It would be too long.
    Never,
}

/// Specialised code of guards and updates.
#[derive(Clone, Debug)]
pub(crate) struct Tailor {
    specialised: Option<Box<Specialised>>,
    made: Vec<Made>,
}

impl Tailor {
    /// With room for `count` pieces of code.
    pub(crate) fn new(count: usize) -> Tailor {
        Tailor {
            specialised: None,
            made: vec![Made::Nothing(0); count],
        }
    }

    /// Runs the code at `entry`, which is always the same for a number, as is the context.
    #[inline]
    pub(crate) fn run<C: Clocks>(
        &mut self,
        plan: &Plan<'_>,
        number: usize,
        (entry, context): (Entry, &Context),
        memory: &mut [i32],
        clocks: &mut C,
    ) -> Result<i32, Trap> {
        if let Some(specialised) = &self.specialised
            && let Some(Made::Code(made)) = self.made.get(number)
        {
            return specialised.run(*made, memory, clocks);
        }
        self.count(plan, number, entry, context);
        run(&plan.network.program, entry, context, memory, clocks)
    }

    /// Counts a run, and makes code if there are many.
    fn count(&mut self, plan: &Plan<'_>, number: usize, entry: Entry, context: &Context) {
        let Some(Made::Nothing(runs)) = self.made.get_mut(number) else {
            return;
        };
        *runs += 1;
        if *runs >= OFTEN {
            let specialised = self
                .specialised
                .get_or_insert_with(|| Box::new(Specialised::new(plan.network)));
            let made = specialised.add(plan.network, entry, context);
            self.made[number] = made.map_or(Made::Never, Made::Code);
        }
    }
}
