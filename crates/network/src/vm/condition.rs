//! Conditions on data, decided by running their code.

use crate::code::cell::Context;
use crate::code::constraint::Condition;
use crate::code::instr::{Entry, Program};
use crate::vm::{Cause, Code, NoClocks, Trap, run};

impl Condition {
    /// Whether it holds.
    ///
    /// # Errors
    /// When the model fails.
    #[inline]
    pub fn holds(&self, program: &Program, context: &Context, memory: &mut [i32]) -> Result<bool, Trap> {
        match *self {
            Condition::Compare { relation, a, b } => {
                let get = |cell| {
                    let value = memory.get(context.address(cell)).copied();
                    value.ok_or(Trap {
                        at: Entry(0),
                        cause: Cause::Misplaced,
                    })
                };
                Ok(relation.holds(get(a)?, get(b)?))
            }
            Condition::Code(entry) => {
                Ok(run(Code::new(program, entry, context), memory, &mut NoClocks, &mut ())? != 0)
            }
        }
    }
}
