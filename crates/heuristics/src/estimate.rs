//! Estimates, and the trait of estimators.

use std::fmt;
use zonewalk_network::ids::InstanceId;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_zones::Word;

/// An estimate of the number of transitions to a goal, infinite if no way exists.
///
/// Estimates compare as numbers, the infinite one being the largest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Estimate(u32);

impl Estimate {
    /// A goal, as far as the estimate can tell.
    pub const ZERO: Estimate = Estimate(0);
    /// No goal can be reached: this is a proof.
    pub const INFINITE: Estimate = Estimate(u32::MAX);
    /// The largest finite one.
    const MOST: u32 = u32::MAX - 1;

    /// An estimate of this many transitions.
    pub fn finite(count: u32) -> Estimate {
        Estimate(count.min(Estimate::MOST))
    }

    /// The number, if there is one.
    pub fn number(self) -> Option<u32> {
        (self != Estimate::INFINITE).then_some(self.0)
    }

    /// Whether no goal can be reached.
    pub fn is_infinite(self) -> bool {
        self == Estimate::INFINITE
    }

    /// The sum; infinite if one of them is.
    #[must_use]
    pub fn plus(self, other: Estimate) -> Estimate {
        match (self.number(), other.number()) {
            (Some(a), Some(b)) => Estimate::finite(a.saturating_add(b)),
            _ => Estimate::INFINITE,
        }
    }
}

impl fmt::Debug for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number() {
            Some(number) => write!(f, "{number}"),
            None => f.write_str("∞"),
        }
    }
}

/// Work counters of a heuristic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Number of evaluations requested.
    pub evaluations: u64,
    /// Number of evaluations answered from the cache.
    pub cache_hits: u64,
    /// States of the abstractions that it was prepared with, all that were explored.
    pub abstract_states: u64,
}

/// A source of estimates, apart from the states it is asked about.
pub trait Estimator {
    /// Whether estimates are never larger than the true number: then A* finds shortest ways.
    fn is_admissible(&self) -> bool;

    /// Its name in papers, or ours.
    fn name(&self) -> &'static str;

    /// Memory held. Called often: it must cost next to nothing.
    fn bytes(&self) -> usize {
        0
    }

    /// The evaluations so far.
    fn counters(&self) -> Counters;

    /// The cost of all estimates so far, in the units of [`zonewalk_symbolic::effort`]; 0 for what costs next to nothing.
    fn effort(&self) -> u64 {
        0
    }
}

/// Estimates the number of transitions to a goal, of states with zones in words `W`.
///
/// An infinite estimate is always right: it is safe to leave such a state out of a search.
pub trait Heuristic<W: Word = i32>: Estimator {
    /// The estimate for the best point of a state's zone.
    fn estimate(&mut self, state: &ZoneState<W>) -> Estimate;

    /// Whether a transition, given by its edge instances, is *relatively useless*: whether the estimate of its source, in the
    /// system without the transition, is no larger than that of its target.
    ///
    /// An estimate that does not tell transitions apart is the same without one of them.
    fn is_useless(
        &mut self,
        source: &ZoneState<W>,
        _transition: &[InstanceId],
        target: &ZoneState<W>,
    ) -> bool {
        self.estimate(source) <= self.estimate(target)
    }
}

impl<H: Estimator + ?Sized> Estimator for Box<H> {
    fn is_admissible(&self) -> bool {
        (**self).is_admissible()
    }

    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn bytes(&self) -> usize {
        (**self).bytes()
    }

    fn counters(&self) -> Counters {
        (**self).counters()
    }

    fn effort(&self) -> u64 {
        (**self).effort()
    }
}

impl<W: Word, H: Heuristic<W> + ?Sized> Heuristic<W> for Box<H> {
    fn estimate(&mut self, state: &ZoneState<W>) -> Estimate {
        (**self).estimate(state)
    }

    fn is_useless(
        &mut self,
        source: &ZoneState<W>,
        transition: &[InstanceId],
        target: &ZoneState<W>,
    ) -> bool {
        (**self).is_useless(source, transition, target)
    }
}

impl<H: Estimator + ?Sized> Estimator for &mut H {
    fn is_admissible(&self) -> bool {
        (**self).is_admissible()
    }

    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn bytes(&self) -> usize {
        (**self).bytes()
    }

    fn counters(&self) -> Counters {
        (**self).counters()
    }

    fn effort(&self) -> u64 {
        (**self).effort()
    }
}

impl<W: Word, H: Heuristic<W> + ?Sized> Heuristic<W> for &mut H {
    fn estimate(&mut self, state: &ZoneState<W>) -> Estimate {
        (**self).estimate(state)
    }

    fn is_useless(
        &mut self,
        source: &ZoneState<W>,
        transition: &[InstanceId],
        target: &ZoneState<W>,
    ) -> bool {
        (**self).is_useless(source, transition, target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinity_is_the_largest() {
        assert!(Estimate::finite(u32::MAX) < Estimate::INFINITE);
        assert!(Estimate::finite(3).plus(Estimate::INFINITE).is_infinite());
        assert_eq!(
            Estimate::finite(u32::MAX).plus(Estimate::finite(5)).number(),
            Some(u32::MAX - 1)
        );
    }
}
