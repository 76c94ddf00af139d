//! How wide the words of zones must be.
//!
//! **Claim.** In 32 bits no sum of bounds overflows in the zones of a frame of `dim` rows that [`fits`]. All numbers that its clocks
//! are compared with, set to or extrapolated with are at most `M` ([`Pair::largest_number`]). Every finite entry of a zone is the weight
//! of a simple path over constraints that are not implied by others. In a stored zone these are at most `M`: extrapolation replaced
//! larger ones. Conditions add constraints of at most `M`, and letting time pass only takes constraints away, so all entries are at
//! most `dim · M`. Where zones are subtracted, entries of the one may cut the other, and paths over those are again of at most
//! `dim` steps: `dim² · M`. A quarter of the largest constant of a word leaves room for the sums that are compared on the way.
//!
//! Searches begin in 32 bits. Frames are known only when their states are met; the first one that does not fit makes the
//! search begin anew in 64 bits, where `M` is below 2⁵⁰ for all numbers of the language and as many clocks as a system may have.

use zonewalk_zones::{Bound, Word};

use crate::control::Limit;
use crate::symbolic::pair::Pair;
use crate::systems::automaton::Automaton;
use crate::systems::set::TooLarge;

/// Why a search in words of some width ended early.
pub(crate) enum Halt {
    /// It met a limit.
    Limit(Limit),
    /// Zones need wider words.
    TooNarrow,
}

impl<L: Into<Limit>> From<L> for Halt {
    fn from(limit: L) -> Self {
        Halt::Limit(limit.into())
    }
}

impl From<TooLarge> for Limit {
    fn from(TooLarge: TooLarge) -> Self {
        Limit::TooLarge
    }
}

/// Whether zones of so many rows fit into words of a width, where no number exceeds `number`. All fit into the widest words.
pub(crate) fn fits<W: Word>(dim: usize, number: i64) -> bool {
    let room: i64 = Bound::<W>::MAX_CONSTANT.into();
    let paths = (dim * dim) as i64;
    size_of::<W>() == size_of::<i64>() || number.saturating_mul(paths) <= room / 4
}

/// The answer of a search in 32 bits, or of the one in 64 if those are too few.
pub(crate) fn or_wider<T>(
    narrow: Result<T, Halt>,
    wide: impl FnOnce() -> Result<T, Halt>,
) -> Result<T, Limit> {
    let answer = match narrow {
        Err(Halt::TooNarrow) => wide(),
        answer => answer,
    };
    answer.map_err(|halt| match halt {
        Halt::Limit(limit) => limit,
        Halt::TooNarrow => unreachable!("everything fits into 64 bits"),
    })
}

impl Pair {
    /// A number that nothing exceeds which the zones of both sides are constrained by, set to or extrapolated with.
    pub(crate) fn largest_number(&self) -> i64 {
        let parts = self.left.parts.iter().chain(&self.right.parts);
        parts.map(Automaton::largest_number).fold(0, i64::max)
    }
}
