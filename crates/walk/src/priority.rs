//! Priorities (`semantics.md` 15): a transition is blocked at the instants at which a higher one is enabled.
//!
//! The windows of higher transitions count as a whole, although the invariants of their targets may forbid part of them.
//! What is left of a window is then never too much, so every step that is taken is one of the model's; a step that is
//! possible only because a higher transition is forbidden at that very instant is missed.

use crate::choose::Candidate;
use crate::plan::{NONE, Role};
use crate::random::Random;
use crate::state::Window;
use crate::walker::Walker;

/// Channel priority first, then the highest priority among the processes.
type Level = (u32, u32);

/// Cuts from every window the instants at which a higher candidate is enabled; candidates without any left are dropped.
/// Of a window that falls apart one piece is kept at random, so that a candidate stays one candidate.
pub(crate) fn cut(walker: &Walker<'_>, candidates: &mut Vec<Candidate>, random: &mut Random) {
    let mut levels: Vec<(Level, Candidate)> = candidates.drain(..).map(|c| (level(walker, &c), c)).collect();
    levels.sort_by_key(|&(level, c)| (std::cmp::Reverse(level), c.initiator, c.partner));
    // Windows of the levels above, disjoint and sorted.
    let mut above: Vec<Window> = Vec::new();
    let mut pieces = Vec::new();
    for group in levels.chunk_by(|a, b| a.0 == b.0) {
        for (_, candidate) in group {
            subtract(candidate.window, &above, &mut pieces);
            if !pieces.is_empty() {
                let window = pieces[random.index(pieces.len())];
                candidates.push(Candidate { window, ..*candidate });
            }
        }
        above.extend(group.iter().map(|(_, c)| c.window));
        join(&mut above);
    }
}

/// The candidates with a higher priority.
pub(crate) fn above(walker: &Walker<'_>, candidate: &Candidate, others: &[Candidate]) -> Vec<Candidate> {
    let own = level(walker, candidate);
    others
        .iter()
        .filter(|c| level(walker, c) > own)
        .copied()
        .collect()
}

/// What is left of a window without others.
pub(crate) fn left_of(window: Window, mut others: Vec<Window>) -> Vec<Window> {
    join(&mut others);
    let mut left = Vec::new();
    subtract(window, &others, &mut left);
    left
}

fn level(walker: &Walker<'_>, candidate: &Candidate) -> Level {
    let (plan, state) = (walker.plan, &walker.state);
    let process = |edge: u32| {
        let process = plan.edges[edge as usize].process;
        plan.network.processes[process as usize].priority
    };
    let mut highest = process(candidate.initiator);
    if plan.edges[candidate.initiator as usize].role == Role::Internal {
        return (plan.network.default_priority, highest);
    }
    let channel = state.channel[candidate.initiator as usize] as usize;
    if candidate.partner != NONE {
        highest = highest.max(process(candidate.partner));
    } else {
        for &receiver in &state.ends[channel].receivers {
            if !state.windows[receiver as usize].and(candidate.window).is_empty() {
                highest = highest.max(process(receiver));
            }
        }
    }
    (plan.network.channels[channel].priority, highest)
}

/// What is left of `window` without `holes`, which are disjoint and sorted.
fn subtract(window: Window, holes: &[Window], left: &mut Vec<Window>) {
    left.clear();
    let mut lo = window.lo;
    for hole in holes {
        if hole.hi < lo {
            continue;
        }
        if hole.lo > window.hi {
            break;
        }
        if hole.lo > lo {
            left.push(Window { lo, hi: hole.lo - 1 });
        }
        match hole.hi.checked_add(1) {
            Some(next) => lo = next,
            None => return,
        }
    }
    if lo <= window.hi {
        left.push(Window { lo, hi: window.hi });
    }
}

/// Sorts windows and joins those that overlap.
fn join(windows: &mut Vec<Window>) {
    windows.sort_by_key(|w| w.lo);
    windows.dedup_by(|next, kept| {
        let overlaps = next.lo <= kept.hi;
        if overlaps {
            kept.hi = kept.hi.max(next.hi);
        }
        overlaps
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_cut() {
        let w = |lo, hi| Window { lo, hi };
        let mut holes = vec![w(10, 12), w(3, 4), w(4, 6), w(20, i64::MAX)];
        join(&mut holes);
        assert_eq!(holes, [w(3, 6), w(10, 12), w(20, i64::MAX)]);
        let mut left = Vec::new();
        subtract(w(0, 30), &holes, &mut left);
        assert_eq!(left, [w(0, 2), w(7, 9), w(13, 19)]);
        subtract(w(4, 5), &holes, &mut left);
        assert_eq!(left, []);
        subtract(w(5, 8), &holes, &mut left);
        assert_eq!(left, [w(7, 8)]);
    }
}
