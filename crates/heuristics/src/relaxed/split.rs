//! Updates that are several in one: `a = x, b = y` needs all values of `x` and all of `y`, not all pairs of them.

use rustc_hash::FxHashMap;
use zonewalk_network::Network;
use zonewalk_network::cell::Context;
use zonewalk_network::instr::{Entry, Instr};

/// Cells that are read, by their numbers among all.
type Reads = u64;

/// The cells that must be combined with each other, as lists of numbers among `reads`; all of them in one if nothing better is
/// known. Each list has its cells combined, with those that are in no list at the values of the state.
///
/// A cell that is written gets, in one of the lists, all the values that it gets when everything is combined: what it is
/// computed from is there, and so is what decides whether the code fails.
pub(super) fn split(network: &Network, entry: Entry, context: &Context, reads: &[u32]) -> Vec<Vec<u32>> {
    let all = || vec![(0..reads.len() as u32).collect()];
    if reads.len() < 2 || reads.len() > Reads::BITS as usize {
        return all();
    }
    let Some(groups) = groups(network, entry, context, reads) else {
        return all();
    };
    let members = |group: Reads| (0..reads.len() as u32).filter(move |i| group & 1 << i != 0);
    groups.into_iter().map(|group| members(group).collect()).collect()
}

/// `None` for code that is not run from its beginning to its end, or that reaches through arrays or pointers.
fn groups(network: &Network, entry: Entry, context: &Context, reads: &[u32]) -> Option<Vec<Reads>> {
    use Instr::*;
    let mut origin: FxHashMap<usize, Reads> = FxHashMap::default();
    for (i, &cell) in reads.iter().enumerate() {
        origin.insert(cell as usize, 1 << i);
    }
    let mut written = Vec::new();
    // What decides about failures.
    let mut critical = 0;
    for instr in network.program.code.get(entry.0 as usize..)? {
        let mut read = 0;
        instr.cells(&mut |cell, writes| {
            if !writes {
                read |= origin.get(&context.address(cell)).copied().unwrap_or(0);
            }
        });
        match instr {
            Copy { .. } | Add { .. } | Sub { .. } | Mul { .. } | Min { .. } | Max { .. } => {}
            BitAnd { .. } | BitXor { .. } | BitOr { .. } | Negate { .. } | Abs { .. } => {}
            Not { .. } | Truth { .. } | Less { .. } | LessEqual { .. } | Equal { .. } | NotEqual { .. } => {}
            Div { .. } | Mod { .. } | Power { .. } | ShiftLeft { .. } | ShiftRight { .. } => critical |= read,
            Step { .. } | CheckRange { .. } | SetClock { .. } => critical |= read,
            Halt { .. } => {
                let mut groups: Vec<Reads> = Vec::new();
                for address in written {
                    let mut group = origin.get(&address).copied().unwrap_or(0) | critical;
                    // Lists with a cell in common are one, but for the cells that are in all of them.
                    groups.retain(|other| {
                        let is_apart = group & other & !critical == 0;
                        if !is_apart {
                            group |= other;
                        }
                        is_apart
                    });
                    groups.push(group);
                }
                return Some(groups);
            }
            _ => return None,
        }
        instr.cells(&mut |cell, writes| {
            if writes {
                let address = context.address(cell);
                origin.insert(address, read);
                if address < network.layout.meta as usize && !written.contains(&address) {
                    written.push(address);
                }
            }
        });
    }
    None
}
