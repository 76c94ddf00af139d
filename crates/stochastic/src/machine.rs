//! Runs code on cells.

mod condition;
mod statement;
mod value;

pub(crate) use condition::compare_doubles;

use crate::code::{Addr, int_bits, to_int};
use crate::plan::StochasticPlan;
use zonewalk_model::eval::{Fault, FaultKind, STEP_LIMIT};
use zonewalk_numbers::Random;
use zonewalk_syntax::span::Span;

/// A fault is rare, and a pointer to it keeps results small.
pub(crate) type Ran<T> = Result<T, Box<Fault>>;

/// Recording of random numbers.
#[derive(Debug)]
pub(crate) enum Draws {
    /// Drawn anew and not recorded.
    Fresh,
    /// Drawn anew and recorded, so that the run can be repeated.
    Recorded(Vec<f64>),
}

/// The cells of a run, and what running code needs beside them.
pub(crate) struct Machine<'p> {
    pub(crate) plan: &'p StochasticPlan,
    pub(crate) cells: Vec<u64>,
    /// By process.
    pub(crate) locations: Vec<u32>,
    pub(crate) random: Random,
    pub(crate) draws: Draws,
    /// By how much a comparison with clocks may miss.
    pub(crate) slack: f64,
    fuel: u64,
}

fn fault<T>(kind: FaultKind, span: Span) -> Ran<T> {
    Err(Box::new(kind.at(span)))
}

impl<'p> Machine<'p> {
    pub(crate) fn new(plan: &'p StochasticPlan) -> Machine<'p> {
        Machine {
            plan,
            cells: plan.initial.clone(),
            locations: plan.processes.iter().map(|p| p.initial).collect(),
            random: Random::for_walk(0, 0),
            draws: Draws::Fresh,
            slack: 0.0,
            fuel: STEP_LIMIT,
        }
    }

    /// Lets the next label take as many steps as any.
    pub(crate) fn refuel(&mut self) {
        self.fuel = STEP_LIMIT;
    }

    #[inline]
    pub(crate) fn double(&self, cell: u32) -> f64 {
        f64::from_bits(self.cells[cell as usize])
    }

    #[inline]
    pub(crate) fn set_double(&mut self, cell: u32, value: f64) {
        self.cells[cell as usize] = value.to_bits();
    }

    pub(crate) fn set_int(&mut self, cell: u32, value: i32) {
        self.cells[cell as usize] = int_bits(value);
    }

    #[inline]
    fn load(&self, cell: u32) -> i32 {
        to_int(self.cells[cell as usize])
    }

    /// The cell that an address stands for.
    pub(crate) fn resolve(&mut self, addr: &Addr) -> Ran<u32> {
        Ok(match addr {
            Addr::Cell(cell) => *cell,
            Addr::Element {
                base,
                index,
                extent,
                span,
            } => {
                let base = self.resolve(base)?;
                let i = self.int(index)?;
                let position = i64::from(i) - i64::from(extent.lo);
                if position < 0 || position >= i64::from(extent.len) {
                    let hi = i64::from(extent.lo) + i64::from(extent.len) - 1;
                    let kind = FaultKind::IndexOutOfRange {
                        index: i,
                        lo: extent.lo,
                        hi: hi as i32,
                    };
                    return fault(kind, *span);
                }
                base + position as u32 * extent.stride
            }
            Addr::Plus(base, n) => self.resolve(base)? + n,
            Addr::Through(cell) => self.cells[*cell as usize] as u32,
            Addr::If(condition, a, b) => {
                let chosen = if self.int(condition)? != 0 { a } else { b };
                self.resolve(chosen)?
            }
            Addr::OneOf(index, all) => {
                let i = self.int(index)? as usize;
                self.resolve(&all[i.min(all.len() - 1)])?
            }
            Addr::After(effect, addr) => {
                self.perform(effect)?;
                self.resolve(addr)?
            }
            Addr::Result(call) => {
                self.call(call)?;
                self.plan.functions[call.function].result
            }
        })
    }
}
