//! Shortens the trace of a violation, and gives it simple times. The effort is bounded, and the same trace always becomes the same.

use rustc_hash::FxHashMap;

use crate::systems::set::TooLarge;
use crate::walk::record::{Record, RecordedStep};
use crate::walk::retime::EndCondition;
use crate::walk::walker::Walker;

/// Steps that may be examined in all. A trace of a few hundred steps is searched thoroughly.
const EFFORT: u64 = 1_000_000;
/// Traces that get simple times first of all.
const SHORT: usize = 10_000;
/// How many returns to the same locations are tried from one place.
const RETURNS: usize = 3;

/// A shorter trace that ends in a violation, too.
pub(super) fn shrink(walker: &mut Walker, trace: Record) -> Result<Record, TooLarge> {
    let Some((trace, goal)) = walker.repeat(&trace)? else {
        return Ok(trace);
    };
    let mut shrinker = Shrinker {
        walker,
        trace,
        goal,
        effort: EFFORT,
    };
    // Times for a long trace cost more than those of what remains in the end.
    let mut is_timed = shrinker.trace.steps.len() <= SHORT && shrinker.attempt(0..0)?;
    is_timed |= shrinker.cut_circles()?;
    is_timed |= shrinker.cut_stretches()?;
    if !is_timed {
        shrinker.attempt(0..0)?;
    }
    Ok(shrinker.trace)
}

struct Shrinker<'a> {
    walker: &'a mut Walker,
    trace: Record,
    goal: EndCondition,
    effort: u64,
}

impl Shrinker<'_> {
    /// Leaves steps out, finds times for the others, and keeps that if it is a violation.
    fn attempt(&mut self, without: std::ops::Range<usize>) -> Result<bool, TooLarge> {
        let all = &self.trace.steps;
        let rest: Vec<&RecordedStep> = all[..without.start].iter().chain(&all[without.end..]).collect();
        let retimed = self
            .walker
            .retime(&rest, &self.trace.end, &self.goal, &mut self.effort)?;
        let Some(retimed) = retimed else { return Ok(false) };
        let Some((trace, goal)) = self.walker.repeat(&retimed)? else {
            return Ok(false);
        };
        self.trace = trace;
        self.goal = goal;
        Ok(true)
    }

    /// Leaves out ways that lead back to the same locations: the steps after them are possible without them, but for the times.
    /// Says whether there was one.
    fn cut_circles(&mut self) -> Result<bool, TooLarge> {
        let mut from = 0;
        let mut cut_any = false;
        while from < self.trace.steps.len() && self.effort > 0 {
            let marks = self.marks();
            let mut by_mark: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
            for (place, &mark) in marks.iter().enumerate() {
                by_mark.entry(mark).or_default().push(place);
            }
            let mut cut = false;
            while from < self.trace.steps.len() && !cut && self.effort > 0 {
                let returns = &by_mark[&marks[from]];
                // The longest ways first.
                let later = returns.iter().rev().take_while(|&&place| place > from);
                for &place in later.take(RETURNS) {
                    if self.attempt(from..place)? {
                        cut = true;
                        break;
                    }
                }
                cut_any |= cut;
                if !cut {
                    from += 1;
                }
            }
        }
        Ok(cut_any)
    }

    /// A number for the locations before each step and at the end; different ones for different locations, as good as always.
    fn marks(&self) -> Vec<u64> {
        let mut at = self.goal.locations.clone();
        let mut mark = 0u64;
        let mut marks = vec![0; self.trace.steps.len() + 1];
        for (number, step) in self.trace.steps.iter().enumerate().rev() {
            marks[number + 1] = mark;
            for choice in &step.choices {
                let there = std::mem::replace(&mut at[choice.part as usize], choice.location);
                mark ^= scrambled(choice.part, there) ^ scrambled(choice.part, choice.location);
            }
        }
        marks[0] = mark;
        marks
    }

    /// Leaves out stretches of steps, long ones first. Says whether there was one.
    fn cut_stretches(&mut self) -> Result<bool, TooLarge> {
        let mut length = (self.trace.steps.len() / 2).max(1);
        let mut cut_any = false;
        loop {
            let mut from = 0;
            let mut cut = false;
            while from < self.trace.steps.len() && self.effort > 0 {
                let until = (from + length).min(self.trace.steps.len());
                if self.attempt(from..until)? {
                    cut = true;
                } else {
                    from += length;
                }
            }
            cut_any |= cut;
            if self.effort == 0 || (length == 1 && !cut) {
                return Ok(cut_any);
            }
            length = (length / 2).max(1);
        }
    }
}

/// SplitMix64 of an automaton and a location.
fn scrambled(part: u32, location: u32) -> u64 {
    let mut z = (u64::from(part) << 32 | u64::from(location)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
