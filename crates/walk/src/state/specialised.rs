//! Code that runs often is made anew for its process and edge (`zonewalk_network::specialise`).
//!
//! Making it costs as much as some dozen runs, or some thousand where loops are written out, and most code of a large model runs
//! rarely or never: so it is counted first.

use crate::plan::WalkPlan;
use crate::plan::assign::{self, Assign};
use zonewalk_network::cell::{Cell, Context};
use zonewalk_network::instr::Entry;
use zonewalk_network::specialise::Specialised;
use zonewalk_network::vm::{Clocks, Code, CodeObserver, Trap, run};

/// Number of runs that make short code worth it.
const OFTEN: u32 = 48;

/// Code that takes a multiple of these instructions must run a multiple as often.
const SHORT: u32 = 128;

/// Short forms of a piece of code in its context.
#[derive(Clone, Copy, Debug)]
enum Specialisation {
    /// How often code must run before a specialised copy is made.
    Pending(u32),
    Code(Entry),
    /// Assignments that cannot fail, in [`SpecialisedCode::assigns`]. Code only if it is to run.
    Assigns {
        code: Entry,
        start: u32,
        end: u32,
    },
    /// It would be too long.
    Never,
}

/// Specialised code of guards and updates.
#[derive(Clone, Debug)]
pub(crate) struct SpecialisedCode {
    specialised: Option<Box<Specialised>>,
    pieces: Vec<Specialisation>,
    assigns: Vec<Assign>,
}

impl SpecialisedCode {
    /// With room for pieces of code that take a number of instructions.
    pub(crate) fn new(efforts: &[u32]) -> SpecialisedCode {
        let pending = |&effort: &u32| Specialisation::Pending(OFTEN.saturating_mul((effort / SHORT).max(1)));
        SpecialisedCode {
            specialised: None,
            pieces: efforts.iter().map(pending).collect(),
            assigns: Vec::new(),
        }
    }

    /// Assignments of a piece of code, where it is nothing but plain assignments when it is made for its process and edge. They
    /// know what they change: nothing has to be saved and compared.
    #[inline]
    pub(crate) fn assigns(&self, number: u32) -> Option<&[Assign]> {
        match self.pieces.get(number as usize) {
            Some(&Specialisation::Assigns { start, end, .. }) => {
                Some(&self.assigns[start as usize..end as usize])
            }
            _ => None,
        }
    }

    /// Runs the code at `entry`, which is always the same for a number, as are its context and the cells that it leaves its
    /// results in, if they are read.
    #[inline]
    pub(crate) fn run<C: Clocks, W: CodeObserver>(
        &mut self,
        plan: &WalkPlan<'_>,
        number: usize,
        (entry, results, context): (Entry, &[Cell], &Context),
        (memory, clocks): (&mut [i32], &mut C),
        observer: &mut W,
    ) -> Result<i32, Trap> {
        if let Some(specialised) = &self.specialised
            && let Some(Specialisation::Code(made) | Specialisation::Assigns { code: made, .. }) =
                self.pieces.get(number)
        {
            return run(specialised.code(*made), memory, clocks, observer);
        }
        self.count(plan, number, (entry, results), context);
        let code = Code::new(&plan.network.program, entry, context);
        run(code, memory, clocks, observer)
    }

    /// Counts a run, and makes code if there are many.
    fn count(
        &mut self,
        plan: &WalkPlan<'_>,
        number: usize,
        (entry, results): (Entry, &[Cell]),
        context: &Context,
    ) {
        let Some(Specialisation::Pending(left)) = self.pieces.get_mut(number) else {
            return;
        };
        *left = left.saturating_sub(1);
        if *left > 0 {
            return;
        }
        let specialised = self
            .specialised
            .get_or_insert_with(|| Box::new(Specialised::new(plan.network)));
        self.pieces[number] = match specialised.add(plan.network, entry, context, results) {
            None => Specialisation::Never,
            Some(code) => {
                let (program, start) = (specialised.program(), self.assigns.len() as u32);
                let list = &mut self.assigns;
                let is_plain = results.is_empty()
                    && assign::decode_code(plan.network, (program, code), context, plan.unit, list);
                let end = self.assigns.len() as u32;
                if is_plain {
                    Specialisation::Assigns { code, start, end }
                } else {
                    Specialisation::Code(code)
                }
            }
        };
    }
}
