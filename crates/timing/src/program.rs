//! The conditions of a path on which clocks stop.

use crate::graph::Collector;
use crate::instants::Instants;

/// `Σ factor · instant ≤ bound`, or `<`.
pub(crate) struct Sum {
    pub(crate) terms: Vec<(u32, i64)>,
    pub(crate) bound: i64,
    pub(crate) strict: bool,
}

/// All conditions of a path.
pub(crate) struct Program<'a> {
    pub(crate) instants: &'a Instants,
    pub(crate) collector: &'a Collector,
    pub(crate) sums: &'a [Sum],
}
