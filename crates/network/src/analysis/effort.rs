//! Effort of code, known before it runs.
//!
//! Budgets that shape results are counted in effort. They must come out the same whether code is interpreted, specialised or
//! translated, so the instructions that happen to run cannot be counted: effort is a matter of the code as it was compiled.

use crate::code::cell::Cell;
use crate::code::instr::{Entry, Instr};
use crate::network::Network;
use std::collections::BTreeMap;

/// Rounds that are assumed of a loop that compares with no constant.
const ROUNDS: u64 = 8;

/// No loop counts as more rounds: more are cut off.
const MOST_ROUNDS: u64 = 1 << 12;

/// Calls that nest more deeply count as one instruction.
const DEEPEST: u32 = 64;

/// Effort of the code asked about so far.
#[derive(Default)]
pub struct Efforts {
    /// By entry.
    known: BTreeMap<u32, u64>,
}

impl Efforts {
    /// About how many instructions a run takes; nothing where there is no code.
    pub fn of(&mut self, network: &Network, entry: Option<Entry>) -> u32 {
        let context = network.global_context();
        let constant = |cell: Cell| network.constant(cell, &context);
        let cost = entry.map_or(0, |entry| self.count(&network.program.code, &constant, entry, 0));
        u32::try_from(cost).unwrap_or(u32::MAX)
    }

    fn count(
        &mut self,
        code: &[Instr],
        constant: &dyn Fn(Cell) -> Option<i32>,
        entry: Entry,
        depth: u32,
    ) -> u64 {
        if let Some(&cost) = self.known.get(&entry.0) {
            return cost;
        }
        // By instruction: its cost, and the constant that it compares with, unless a loop has taken note of that.
        let mut seen: Vec<(u64, Option<i32>)> = Vec::new();
        let mut last = entry.0;
        for (at, instr) in (entry.0..).zip(code.get(entry.0 as usize..).unwrap_or_default()) {
            last = instr.jumps_to().map_or(last, |target| last.max(target.0));
            let cost = match *instr {
                Instr::Loop { target, .. } => {
                    let start = seen.len().min(target.0.saturating_sub(entry.0) as usize);
                    let body = &mut seen[start..];
                    let bound = body.iter_mut().filter_map(|(_, compared)| compared.take()).max();
                    let rounds = bound.map_or(ROUNDS, |bound| u64::try_from(bound).unwrap_or(1));
                    let round = body
                        .iter()
                        .fold(1, |sum: u64, (cost, _)| sum.saturating_add(*cost));
                    round.saturating_mul(rounds.clamp(1, MOST_ROUNDS) - 1)
                }
                Instr::Call { target, .. } if depth < DEEPEST => {
                    let called = self.count(code, constant, target, depth + 1);
                    called.saturating_add(1)
                }
                _ => 1,
            };
            let compared = instr.compares().and_then(|(a, b)| constant(a).or(constant(b)));
            seen.push((cost, compared));
            let ends = matches!(instr, Instr::Halt { .. } | Instr::Return { .. } | Instr::Fail);
            if ends && at >= last {
                break;
            }
        }
        let cost = seen
            .iter()
            .fold(0, |sum: u64, (cost, _)| sum.saturating_add(*cost));
        self.known.insert(entry.0, cost);
        cost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::cell::Base;

    #[test]
    fn loops_count_as_often_as_they_run_and_calls_what_is_called() {
        let (cell, ten) = (Cell::new(Base::Frame, 0), Cell::new(Base::Constant, 0));
        let step = Instr::Copy { to: cell, from: cell };
        let back = Instr::Loop {
            target: Entry(1),
            cost: 1,
        };
        let below = Instr::JumpLess {
            a: ten,
            b: cell,
            target: Entry(4),
        };
        let call = Instr::Call {
            target: Entry(0),
            back: cell,
        };
        let end = Instr::Halt { value: cell };
        let of = |second: Instr, entry: u32| {
            let code = [step, second, step, back, Instr::Return { back: cell }, call, end];
            let constant = |cell: Cell| (cell == ten).then_some(10);
            Efforts::default().count(&code, &constant, Entry(entry), 0)
        };
        // The first round, the others with the way back, and what surrounds the loop.
        assert_eq!(of(below, 0), 1 + 2 + 9 * 3 + 1);
        assert_eq!(of(step, 0), 1 + 2 + (ROUNDS - 1) * 3 + 1);
        assert_eq!(of(step, 5), 1 + of(step, 0) + 1);
        assert_eq!(of(step, 6), 1);
    }
}
