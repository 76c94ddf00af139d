//! Abstractions: how zones are made larger so that there are finitely many, without changing what can be reached.

use zonewalk_network::bounds::ClockBounds;

/// An extrapolation (Behrmann, Bouyer, Larsen, Pelánek: Lower and upper bounds in zone-based abstractions of timed
/// automata, STTT 2006).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Abstraction {
    /// None: exact, and there may be infinitely many zones.
    None,
    /// Extra-M by the larger of both bounds. It keeps what a state cannot do as well.
    M,
    /// Extra-LU.
    Lu,
    /// Extra-LU+.
    LuPlus,
    /// Extra-M on zones that have been split along all differences that the model compares (Bengtsson, Yi: On clock
    /// difference constraints and termination in reachability analysis, ICFEM 2003).
    Split,
}

impl Abstraction {
    /// The closest abstraction that is sound for a model: comparisons of differences rule out all but the last, which in
    /// turn needs to know the [differences](crate::plan::diagonals), those before assignments included.
    pub(crate) fn sound_for(self, knows_diagonals: bool, bounds: &ClockBounds) -> Abstraction {
        match self {
            Abstraction::None => Abstraction::None,
            _ if !bounds.diagonals => self,
            _ if knows_diagonals => Abstraction::Split,
            _ => Abstraction::None,
        }
    }

    /// The closest abstraction that keeps what a state cannot do, as whatever takes away points needs it.
    /// Every point of Extra-M is in the same region as one of the zone, that of the others need only be simulated by one.
    pub(crate) fn exact_in_both_ways(self) -> Abstraction {
        match self {
            Abstraction::Lu | Abstraction::LuPlus => Abstraction::M,
            other => other,
        }
    }
}
