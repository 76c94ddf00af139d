//! How often edges began a transition, for RLC and RLC-A (FMICS 2021, section 2).

use crate::plan::{EdgeInstance, WalkPlan};

/// Unit that has a counter. The paper says "the sending edge" and leaves open what that is where a template has several
/// processes and an edge several selections. Each reading is blind somewhere: with counters per process all processes act
/// equally often, so some pairs of them never meet; with one per template only one process may ever get far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Granularity {
    /// The edge of a process, whatever it selects.
    Process,
    /// The edge of a process for one selection.
    Selection,
    /// The edge of a template, whichever process takes it.
    Template,
}

impl Granularity {
    /// In the order in which cycles of walks use them.
    pub(crate) const ALL: [Granularity; 3] = [
        Granularity::Process,
        Granularity::Selection,
        Granularity::Template,
    ];
}

/// Counters of all grains, whichever decides: those of one are shaken by the walks of the others, so that a regular
/// pattern which never reaches the goal does not go on forever.
#[derive(Clone, Debug)]
pub struct Coverage {
    counts: [Vec<u32>; Granularity::ALL.len()],
}

impl Coverage {
    /// Nothing has been counted.
    pub fn new(plan: &WalkPlan<'_>) -> Self {
        Coverage {
            counts: Granularity::ALL.map(|_| vec![0; plan.coverage_count as usize]),
        }
    }

    /// No counters at all.
    pub(crate) fn none() -> Self {
        Coverage {
            counts: Granularity::ALL.map(|_| Vec::new()),
        }
    }

    /// How often each edge of a process began a transition: by process, and for each by the edges of its template.
    pub fn by_edge(&self) -> &[u32] {
        &self.counts[Granularity::Process as usize]
    }

    pub(crate) fn clear(&mut self) {
        self.counts.iter_mut().for_each(|counts| counts.fill(0));
    }

    /// Counts an edge that began a transition.
    #[inline]
    pub(crate) fn count(&mut self, edge: &EdgeInstance) {
        for (counts, &counter) in self.counts.iter_mut().zip(&edge.own.coverage) {
            let count = &mut counts[counter as usize];
            *count = count.saturating_add(1);
        }
    }

    /// How often an edge, or what counts for it, began a transition, and how many of its transitions have this count.
    ///
    /// An edge that is several transitions has one counter for them all. Were each counted on its own and the least
    /// covered taken, after `n` of them each of the `ways` would have been taken `n / ways` times and some once more: that
    /// is what counts where selections do.
    #[inline]
    pub(crate) fn of(&self, edge: &EdgeInstance, grain: Granularity) -> (u32, u64) {
        let count = self.counts[grain as usize][edge.own.coverage[grain as usize] as usize];
        if edge.own.ways == 1 || grain != Granularity::Selection {
            return (count, edge.own.ways);
        }
        let (rounds, rest) = (u64::from(count) / edge.own.ways, u64::from(count) % edge.own.ways);
        (rounds as u32, edge.own.ways - rest)
    }
}
