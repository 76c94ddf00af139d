//! Specialised code that is nothing but a conjunction of comparisons.

use super::Specialised;
use crate::code::cell::{Cell, Context};
use crate::code::constraint::Relation;
use crate::code::instr::{Entry, Instr};
use crate::network::Network;

/// Longer ones stay code.
const MOST: usize = 64;

/// Two addresses whose values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// How the first is compared with the second.
    pub relation: Relation,
    /// The first.
    pub a: u32,
    /// The second.
    pub b: u32,
}

impl Specialised {
    /// The comparisons that the code at `entry` is the conjunction of in a context.
    pub(crate) fn comparisons(
        &mut self,
        network: &Network,
        entry: Entry,
        context: &Context,
    ) -> Option<Vec<Comparison>> {
        let (code, arrays) = (self.program.code.len(), self.program.arrays.len());
        // A jump and an end for each.
        let made = self.add_up_to(2 * MOST + 2, network, (entry, &[]), context);
        let found = made.and_then(|made| self.conjunction(made));
        self.truncate(code, arrays);
        found
    }

    /// The comparisons that code is the conjunction of, if it is one; there may be none.
    pub fn conjunction(&self, entry: Entry) -> Option<Vec<Comparison>> {
        let zero = *self.constants.get(&0)?;
        let mut found = Vec::new();
        let mut at = entry.0 as usize;
        while found.len() <= MOST {
            let instr = *self.program.code.get(at)?;
            let (comparison, target) = match instr {
                Instr::JumpUnless { a, target } => ((Relation::Equal, a.absolute() as u32, zero), target),
                Instr::JumpIf { a, target } => ((Relation::NotEqual, a.absolute() as u32, zero), target),
                Instr::JumpLess { a, b, target } => (compare(Relation::Less, a, b), target),
                Instr::JumpLessEqual { a, b, target } => (compare(Relation::LessEqual, a, b), target),
                Instr::JumpEqual { a, b, target } => (compare(Relation::Equal, a, b), target),
                Instr::JumpNotEqual { a, b, target } => (compare(Relation::NotEqual, a, b), target),
                Instr::Halt { value } => {
                    match self.truth(at) {
                        Some(true) => {}
                        // Never true: any comparison that fails will do.
                        Some(false) => found.push(Comparison {
                            relation: Relation::NotEqual,
                            a: zero,
                            b: zero,
                        }),
                        None => found.push(Comparison {
                            relation: Relation::NotEqual,
                            a: value.absolute() as u32,
                            b: zero,
                        }),
                    }
                    return Some(found);
                }
                // The last comparison may be the value.
                Instr::Less { to, a, b }
                | Instr::LessEqual { to, a, b }
                | Instr::Equal { to, a, b }
                | Instr::NotEqual { to, a, b } => {
                    let relation = match instr {
                        Instr::Less { .. } => Relation::Less,
                        Instr::LessEqual { .. } => Relation::LessEqual,
                        Instr::Equal { .. } => Relation::Equal,
                        _ => Relation::NotEqual,
                    };
                    let (relation, a, b) = compare(relation, a, b);
                    found.push(Comparison { relation, a, b });
                    let is_value = self.program.code.get(at + 1) == Some(&Instr::Halt { value: to });
                    return is_value.then_some(found);
                }
                _ => return None,
            };
            let (relation, a, b) = comparison;
            // One of the two ways leads to no, the other one leads on.
            if self.truth(target.0 as usize) == Some(false) {
                let relation = relation.negated();
                found.push(Comparison { relation, a, b });
                at += 1;
            } else if self.truth(at + 1) == Some(false) {
                found.push(Comparison { relation, a, b });
                at = target.0 as usize;
            } else {
                return None;
            }
        }
        None
    }

    /// Value of code that does nothing but return a constant.
    fn truth(&self, at: usize) -> Option<bool> {
        match *self.program.code.get(at)? {
            Instr::Halt { value } => {
                let address = value.absolute() as u32;
                let found = self.constants.iter().find(|(_, at)| **at == address);
                found.map(|(value, _)| *value != 0)
            }
            _ => None,
        }
    }
}

fn compare(relation: Relation, a: Cell, b: Cell) -> (Relation, u32, u32) {
    (relation, a.absolute() as u32, b.absolute() as u32)
}
