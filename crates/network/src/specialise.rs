//! Code made for one process or edge instance: a partial evaluator (Jones, Gomard and Sestoft, *Partial Evaluation and
//! Automatic Program Generation*, 1993).
//!
//! The code of a template is shared by its processes, and finds parameters, selected values and variables through a
//! [`Context`]. What runs a million times for the same process can be better: all addresses are known, parameters are
//! numbers, and so are loop counters that begin with a number. [`Specialised::add`] follows code from its entry with the
//! values of temporaries as far as they are known (`store`), emits what is left to do (`trace`), and goes on with
//! every way that an open condition leaves. `while (i < id) if (!used[i++]) return false;` becomes one jump for each
//! element, calls are gone, and an index that is known is an address.
//!
//! Invariant: a run of specialised code has the effects, the result and the failure (its place included) of the code
//! that it was made from, apart from temporaries that are not asked for. Ways back pay for themselves, so that a loop without end is still noticed;
//! how many rounds that takes is another matter.

mod cells;
mod conjunction;
mod region;
mod store;
mod trace;
pub(crate) mod unfold;

use crate::code::cell::{Base, Cell, Context};
use crate::code::instr::{Entry, Instr, Program};
use crate::network::Network;
use crate::vm::{Code, Resolved};
use region::Region;
use rustc_hash::FxHashMap;
use trace::Trace;

pub use conjunction::Comparison;

/// Code that becomes longer than this is left as it is.
const LONGEST: usize = 20_000;
/// All specialised code together has at most this many instructions.
const MOST: usize = 1 << 18;

/// Specialised code of a network.
#[derive(Clone, Debug)]
pub struct Specialised {
    program: Program,
    /// Where constants are in memory.
    constants: FxHashMap<i32, u32>,
}

impl Specialised {
    /// No code yet.
    pub fn new(network: &Network) -> Specialised {
        let program = &network.program;
        let addresses = network.layout.data..;
        Specialised {
            program: Program {
                ranges: program.ranges.clone(),
                wraps: program.wraps.clone(),
                ..Program::default()
            },
            constants: program.constants.iter().copied().zip(addresses).collect(),
        }
    }

    /// Adds the code at `entry` for a context and says where it begins; `None` if it would be too long. `results` are the
    /// temporaries that are read afterwards.
    ///
    /// Requires: no other temporaries are read that the code leaves behind.
    pub fn add(
        &mut self,
        network: &Network,
        entry: Entry,
        context: &Context,
        results: &[Cell],
    ) -> Option<Entry> {
        self.add_up_to(LONGEST, network, (entry, results), context)
    }

    fn add_up_to(
        &mut self,
        longest: usize,
        network: &Network,
        (entry, results): (Entry, &[Cell]),
        context: &Context,
    ) -> Option<Entry> {
        if self.program.code.len() > MOST {
            return None;
        }
        let start = self.program.code.len();
        let arrays = self.program.arrays.len();
        let region = Region::new(&network.program, entry, results)?;
        let made = Trace::new(self, network, context, &region, longest).run(entry);
        if made.is_none() {
            self.truncate(start, arrays);
        }
        made.map(|()| Entry(start as u32))
    }

    fn truncate(&mut self, code: usize, arrays: usize) {
        self.program.code.truncate(code);
        self.program.arrays.truncate(arrays);
        self.program.origins.truncate(code);
    }

    /// Code that was added.
    #[inline(always)]
    pub fn code(&self, entry: Entry) -> Code<'_, Resolved> {
        Code::new(&self.program, entry, &Resolved)
    }

    /// The code that was added, its addresses resolved.
    pub fn program(&self) -> &Program {
        &self.program
    }

    fn push(&mut self, instr: Instr, origin: u32) {
        self.program.code.push(instr);
        self.program.origins.push(origin);
    }
}

/// Whether code is another one for each instance of an edge, and not only for each process.
pub fn needs_instance(program: &Program, entry: Entry) -> bool {
    Region::needs_instance(program, entry)
}

/// The cell at an address.
fn absolute(address: usize) -> Cell {
    Cell::new(Base::Absolute, address as u32)
}
