//! Priorities (`semantics.md` 15): a transition is blocked at the instants at which a higher one exists.
//!
//! A higher transition that the invariants of its target forbid at an instant does not exist then and blocks nothing, so
//! it is tried out: highest level first, because what is blocked itself blocks nothing and need not be tried. Where a
//! trial says nothing, because clocks are copied or the ways to take the transition are too many, it counts as existing: a
//! step of the model may then be missed, and no other step is ever taken.

use crate::candidate::Candidate;
use crate::plan::{NONE, Role};
use crate::refresh::Stop;
use crate::state::Window;
use crate::walker::Walker;
use crate::ways::{Ways, is_open, receivers, split};
use std::cmp::Reverse;

/// Channel priority first, then the highest priority among the processes.
type Level = (u32, u32);

/// So many ways to take one transition are tried: choices of receiving edges and of values for selects.
const WAYS: u32 = 64;

/// Finds out which transitions are not blocked. Its lists are used again and again.
#[derive(Default)]
pub(crate) struct Sieve {
    /// Candidates in windows in which their partners, and so their levels, stay the same.
    pieces: Vec<(Level, Candidate)>,
    /// Windows of the levels above, and of the level that is being looked at; disjoint and sorted.
    above: Vec<Window>,
    level: Vec<Window>,
    left: Vec<Window>,
    found: Vec<Window>,
    ways: Ways,
}

impl Sieve {
    /// Cuts from every window the instants at which a higher transition exists. Candidates without any left are dropped; one
    /// whose window falls apart is there several times, one after the other. `only` is the one candidate that matters.
    pub(crate) fn sift(
        &mut self,
        walker: &mut Walker<'_>,
        candidates: &mut Vec<Candidate>,
        only: Option<(u32, u32)>,
    ) -> Result<(), Stop> {
        self.pieces.clear();
        for candidate in candidates.drain(..) {
            split(walker, candidate, &mut self.left);
            let pieces = self.left.iter().map(|&window| Candidate { window, ..candidate });
            self.pieces
                .extend(pieces.map(|piece| (level(walker, &piece, piece.window.lo), piece)));
        }
        let matters = |c: &Candidate| only.is_none_or(|only| only == (c.initiator, c.partner));
        let needed = self.pieces.iter().filter(|(_, c)| matters(c));
        let Some(lowest) = needed.map(|p| p.0).min() else {
            return Ok(());
        };
        self.pieces.retain(|p| p.0 >= lowest);
        self.pieces
            .sort_unstable_by_key(|&(level, c)| (Reverse(level), c.initiator, c.partner, c.window.lo));
        self.above.clear();
        for group in self.pieces.chunk_by(|a, b| a.0 == b.0) {
            self.level.clear();
            for &(level, candidate) in group {
                subtract(candidate.window, &self.above, &mut self.left);
                for &window in &self.left {
                    let piece = Candidate { window, ..candidate };
                    if level == lowest {
                        // It blocks nothing that matters.
                        self.found.clear();
                        self.found.push(window);
                    } else {
                        find_existing(walker, piece, &mut self.ways, &mut self.found)?;
                        self.level.extend_from_slice(&self.found);
                    }
                    let found = self.found.iter();
                    candidates.extend(found.map(|&window| Candidate { window, ..candidate }));
                }
            }
            self.above.append(&mut self.level);
            join(&mut self.above);
        }
        candidates.retain(matters);
        candidates.sort_unstable_by_key(|c| (c.initiator, c.partner, c.window.lo));
        // What was split for the sake of receivers and is left on both sides is one window.
        candidates.dedup_by(|next, kept| {
            let touches = next.is_same(kept) && next.window.lo <= kept.window.hi.saturating_add(1);
            if touches {
                kept.window.hi = kept.window.hi.max(next.window.hi);
            }
            touches
        });
        Ok(())
    }
}

/// When a transition exists: the windows in which the invariants of its target hold, by some way to take it.
/// Requires: the same partners are enabled all through the window of the candidate. Ensures: disjoint and sorted.
fn find_existing(
    walker: &mut Walker<'_>,
    candidate: Candidate,
    ways: &mut Ways,
    found: &mut Vec<Window>,
) -> Result<(), Stop> {
    let window = candidate.window;
    found.clear();
    if window.is_empty() {
        // No instant of the grid is concerned.
        found.push(window);
        return Ok(());
    }
    ways.begin(walker, candidate);
    for _ in 0..WAYS {
        let allowed = ways.try_out(walker, window)?;
        let allowed = allowed.unwrap_or(window);
        if allowed.lo <= allowed.hi {
            found.push(allowed);
            join(found);
        }
        if found.first() == Some(&window) || !ways.next(walker) {
            return Ok(());
        }
    }
    found.clear();
    found.push(window);
    Ok(())
}

/// The candidates with a higher priority at an instant.
pub(crate) fn above(
    walker: &Walker<'_>,
    candidate: &Candidate,
    others: &[Candidate],
    at: i64,
) -> Vec<Candidate> {
    let own = level(walker, candidate, at);
    others
        .iter()
        .filter(|c| level(walker, c, at) > own)
        .copied()
        .collect()
}

/// The level of a candidate at an instant.
fn level(walker: &Walker<'_>, candidate: &Candidate, at: i64) -> Level {
    let (plan, state) = (walker.plan, &walker.state);
    let process = |edge: u32| {
        let process = plan.edges[edge as usize].process;
        plan.network.processes[process as usize].priority
    };
    let mut highest = process(candidate.initiator);
    if plan.edges[candidate.initiator as usize].role == Role::Internal {
        return (plan.network.default_priority, highest);
    }
    let channel = state.edges[candidate.initiator as usize].channel as usize;
    if candidate.partner != NONE {
        highest = highest.max(process(candidate.partner));
    } else {
        let receivers = receivers(walker, candidate.initiator).filter(|&r| is_open(walker, r, at));
        highest = receivers.map(process).fold(highest, u32::max);
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
mod tests;
