//! The inner loops that every width of words has. `crate::kernels` implements them.

use super::Bound;

/// The kernels that are compiled for vector units, for one width of words: a function that is chosen by the features of
/// the processor is not generic.
pub trait Kernels: Sized {
    /// Floyd–Warshall. Requires: more than four dimensions.
    fn close(dbm: &mut [Bound<Self>], dim: usize) -> bool;
    /// Closes again after one entry was tightened. Requires: more than four dimensions.
    fn tighten(dbm: &mut [Bound<Self>], dim: usize, i: usize, j: usize, bound: Bound<Self>);
    /// The shortest ways of two steps.
    fn two_steps(steps: &[Bound<Self>], dim: usize, out: &mut [Bound<Self>]);
    /// The test of the LU-preorder. Requires: more than four dimensions.
    fn alu_covers(a: &[Bound<Self>], b: &[Bound<Self>], dim: usize, l: &[Self], u: &[Self]) -> bool;
    /// Closes some rows again. Requires: more than four dimensions.
    fn close_rows(dbm: &mut [Bound<Self>], dim: usize, relaxed: Relaxed);
    /// Extra-LU+. Requires: more than four dimensions.
    fn extra_lu_plus(dbm: &mut [Bound<Self>], dim: usize, l: &[Self], u: &[Self]) -> bool;
}

/// The number of rows that masks of rows tell apart.
pub(crate) const MASKED: usize = 64;

/// Rows of a matrix that were relaxed. Beyond [`MASKED`] rows the masks only tell whether there are any.
#[derive(Copy, Clone, Default)]
pub struct Relaxed {
    /// Whether any entry changed.
    pub(crate) any: bool,
    /// Rows with a change and a finite entry off the diagonal, to be closed again: other rows are exact still, since
    /// relaxing only lengthens paths, or lead nowhere.
    pub(crate) open: u64,
    /// Rows with a finite entry off the diagonal, the only ones that paths lead through.
    pub(crate) leading: u64,
}

impl Relaxed {
    /// Notes the outcome of row `i`.
    #[inline(always)]
    pub(crate) fn record(&mut self, i: usize, changed: bool, finite: bool) {
        self.any |= changed;
        self.open |= u64::from(changed & finite) << (i % MASKED);
        self.leading |= u64::from(finite) << (i % MASKED);
    }
}
