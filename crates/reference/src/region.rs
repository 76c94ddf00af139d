//! Where a condition on clocks holds: among the moments of one delay, or among all points of a set.
//!
//! The rules of the language (`semantics.md` 7 to 16) ask for two things only: which part of some region fulfils a condition, and
//! unions, intersections and differences of such parts. So they are written once. Runs are judged over [`Windows`] of one delay,
//! proofs over sets of clock values ([`crate::proof`]).

use crate::moment::{Instant, Line, sweep};
use crate::window::Windows;
use zonewalk_model::eval::World;
use zonewalk_model::ids::LocationId;

/// A set of moments, or of clock values.
pub(crate) trait Region: Clone {
    fn is_empty(&self) -> bool;

    #[must_use]
    fn and(&self, other: &Self) -> Self;

    #[must_use]
    fn or(&self, other: &Self) -> Self;

    #[must_use]
    fn minus(&self, other: &Self) -> Self;
}

/// The values that clocks have across a region.
pub(crate) trait Clocks: Copy {
    type Region: Region;

    /// The part of a region in which a test is true. The test asks the world that it is given about clocks, and may set them; it
    /// is repeated as often as the answers differ within the region.
    ///
    /// # Errors
    /// The first error of the test.
    fn filter<E>(
        self,
        locations: &[LocationId],
        domain: &Self::Region,
        test: impl FnMut(&mut dyn World) -> Result<bool, E>,
    ) -> Result<Self::Region, E>;
}

impl Clocks for &[Line] {
    type Region = Windows;

    fn filter<E>(
        self,
        locations: &[LocationId],
        domain: &Windows,
        mut test: impl FnMut(&mut dyn World) -> Result<bool, E>,
    ) -> Result<Windows, E> {
        sweep(domain, |moment| {
            let mut instant = Instant::new(moment, self, locations);
            let holds = test(&mut instant)?;
            Ok((holds, instant.next))
        })
    }
}

impl Region for Windows {
    fn is_empty(&self) -> bool {
        Windows::is_empty(self)
    }

    fn and(&self, other: &Self) -> Self {
        Windows::and(self, other)
    }

    fn or(&self, other: &Self) -> Self {
        Windows::or(self, other)
    }

    fn minus(&self, other: &Self) -> Self {
        Windows::minus(self, other)
    }
}
