//! Lower and upper bounds of clocks by location, from the guards ahead of it.
//!
//! A clock that is set before it is compared again has no bound: it is not active there. The analysis goes backwards
//! along the edges of each process on its own (Behrmann, Bouyer, Fleury, Larsen: Static guard analysis in timed
//! automata verification, TACAS 2003); the bounds of a state are the largest among those of its processes' locations.
//! A copy `x = y + c` makes the bounds of `x`, whatever reads it, bounds of `y`.
//!
//! Where [refusals](crate::refusals) matter, the constants of a location (those of its invariant, of its edges' guards, and of
//! the invariants of their targets, as far as they limit clocks that the edge does not set) count on both sides; from
//! there they go backwards as all others do.

mod analyse;

pub(crate) use analyse::{EdgeBounds, ProcessBounds, Sources, Write, analyse};

use crate::code::ids::{ClockId, LocationId, ProcessId};

/// The largest constants that a clock is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    lower: i32,
    upper: i32,
}

/// No comparison.
const NONE: i32 = i32::MIN;
/// Bounds grow without end: the clock is copied to itself with a shift.
const ENDLESS: i32 = i32::MAX;

impl Limits {
    /// Limits of a clock that is never compared.
    pub const INACTIVE: Limits = Limits {
        lower: NONE,
        upper: NONE,
    };

    /// The limits with these bounds; negative ones are as good as 0.
    pub fn new(lower: Option<i32>, upper: Option<i32>) -> Limits {
        let bound = |b: Option<i32>| b.map_or(NONE, |b| b.max(0));
        Limits {
            lower: bound(lower),
            upper: bound(upper),
        }
    }

    /// The largest constant in `x > c` or `x >= c`.
    pub fn lower(self) -> Option<i32> {
        (self.lower != NONE).then_some(self.lower)
    }

    /// The largest constant in `x < c` or `x <= c`.
    pub fn upper(self) -> Option<i32> {
        (self.upper != NONE).then_some(self.upper)
    }

    /// Whether the clock's value matters.
    pub fn is_active(self) -> bool {
        self != Limits::INACTIVE
    }

    /// The larger of both, on each side.
    #[must_use]
    pub fn max(self, other: Limits) -> Limits {
        Limits {
            lower: self.lower.max(other.lower),
            upper: self.upper.max(other.upper),
        }
    }

    /// The larger bound on both sides.
    #[must_use]
    fn on_both_sides(self) -> Limits {
        let most = self.lower.max(self.upper);
        Limits {
            lower: most,
            upper: most,
        }
    }

    /// For `y` when these are those of `x` after `x = y + plus`.
    ///
    /// `widen`: bounds have been growing for long enough, growth has no end.
    fn before_shift(self, plus: (i32, i32), widen: bool) -> Limits {
        // The smallest shift gives the largest bound.
        let shift = |bound: i32| match bound {
            NONE | ENDLESS => bound,
            _ if widen && plus.0 < 0 => ENDLESS,
            _ => (i64::from(bound) - i64::from(plus.0)).clamp(0, i64::from(ENDLESS)) as i32,
        };
        Limits {
            lower: shift(self.lower),
            upper: shift(self.upper),
        }
    }
}

/// A clock with its limits in a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockLimits {
    /// The clock.
    pub clock: ClockId,
    /// Its limits; never inactive.
    pub limits: Limits,
}

/// The bounds of all clocks in all locations.
#[derive(Clone, Debug, Default)]
pub struct ClockBounds {
    entries: Vec<ClockLimits>,
    /// By process: where the entries of its locations begin.
    starts: Vec<Vec<u32>>,
    /// Limits that hold in every location: those of queries, and of clocks copied around every transition.
    everywhere: Vec<Limits>,
    /// Whether differences of clocks are compared, so that extrapolation by these bounds is not sound by itself.
    pub diagonals: bool,
}

impl ClockBounds {
    /// The clocks that matter to a process in a location, sorted.
    pub fn at(&self, process: ProcessId, location: LocationId) -> &[ClockLimits] {
        let starts = self.starts.get(process.index()).map_or(&[][..], Vec::as_slice);
        match (starts.get(location.index()), starts.get(location.index() + 1)) {
            (Some(&start), Some(&end)) => &self.entries[start as usize..end as usize],
            _ => &[],
        }
    }

    /// Limits of the clock that apply in every location.
    pub fn everywhere(&self, clock: ClockId) -> Limits {
        self.everywhere
            .get(clock.index())
            .copied()
            .unwrap_or(Limits::INACTIVE)
    }

    /// A clock that no bound is enough for, because copies shift it again and again.
    pub fn endless(&self) -> Option<ClockId> {
        let is_endless = |limits: Limits| limits.lower == ENDLESS || limits.upper == ENDLESS;
        let everywhere = self.everywhere.iter().position(|limits| is_endless(*limits));
        let somewhere = || self.entries.iter().find(|entry| is_endless(entry.limits));
        everywhere
            .map(ClockId::from_index)
            .or_else(|| somewhere().map(|entry| entry.clock))
    }

    /// The bounds with further limits that apply in every location.
    pub(crate) fn with_everywhere(&self, more: &[Limits]) -> ClockBounds {
        let mut bounds = self.clone();
        for (limits, more) in bounds.everywhere.iter_mut().zip(more) {
            *limits = limits.max(*more);
        }
        bounds
    }

    /// The bounds with every clock active everywhere, for callers that show zones rather than only compare them.
    #[must_use]
    pub fn with_all_active(&self) -> ClockBounds {
        let all = vec![Limits::new(Some(0), Some(0)); self.everywhere.len()];
        self.with_everywhere(&all)
    }

    /// The bounds in a projection that keeps only some processes and clocks. The locations of the other processes count as 0,
    /// whatever they are.
    #[must_use]
    pub fn projected(
        &self,
        keeps_process: impl Fn(ProcessId) -> bool,
        keeps_clock: impl Fn(ClockId) -> bool,
    ) -> ClockBounds {
        let mut bounds = ClockBounds {
            diagonals: self.diagonals,
            everywhere: self.everywhere.clone(),
            ..ClockBounds::default()
        };
        for (clock, limits) in bounds.everywhere.iter_mut().enumerate() {
            if !keeps_clock(ClockId::from_index(clock)) {
                *limits = Limits::INACTIVE;
            }
        }
        let kept = |entry: &&ClockLimits| keeps_clock(entry.clock);
        for (process, locations) in self.starts.iter().enumerate() {
            let process = ProcessId::from_index(process);
            let locations = (0..locations.len().saturating_sub(1) as u32).map(LocationId);
            let mut starts = vec![bounds.entries.len() as u32];
            if keeps_process(process) {
                for location in locations {
                    bounds
                        .entries
                        .extend(self.at(process, location).iter().filter(kept));
                    starts.push(bounds.entries.len() as u32);
                }
            } else {
                let mut all: Vec<ClockLimits> = locations
                    .flat_map(|location| self.at(process, location).iter().filter(kept).copied())
                    .collect();
                all.sort_by_key(|entry| entry.clock);
                for group in all.chunk_by(|a, b| a.clock == b.clock) {
                    let limits = group.iter().fold(Limits::INACTIVE, |most, e| most.max(e.limits));
                    bounds.entries.push(ClockLimits { limits, ..group[0] });
                }
                starts.push(bounds.entries.len() as u32);
            }
            bounds.starts.push(starts);
        }
        bounds
    }

    /// The limits of all clocks for a vector of locations.
    pub fn of_state(&self, locations: &[i32], into: &mut [Limits]) {
        for (clock, limits) in into.iter_mut().enumerate() {
            *limits = self.everywhere(ClockId::from_index(clock));
        }
        for (process, &location) in locations.iter().enumerate() {
            for entry in self.at(ProcessId::from_index(process), LocationId(location as u32)) {
                if let Some(limits) = into.get_mut(entry.clock.index()) {
                    *limits = limits.max(entry.limits);
                }
            }
        }
    }
}
