//! The analysis: bounds go backwards along the edges of each process, until nothing changes.

use super::{ClockBounds, ClockLimits, Limits};
use crate::code::cell::Extent;
use crate::code::ids::ClockId;

/// Number of times, per location and edge, that bounds may grow before they are taken to be infinite.
const PATIENCE: usize = 64;

/// Inputs of the analysis of bounds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    pub(crate) processes: Vec<ProcessBounds>,
    /// Clock writes around every transition.
    pub(crate) around: Vec<Write>,
    pub(crate) diagonals: bool,
}

impl Sources {
    /// Whether a clock is ever copied into another one.
    pub(crate) fn has_copies(&self) -> bool {
        let edges = self.processes.iter().flat_map(|p| &p.edges);
        self.around
            .iter()
            .chain(edges.flat_map(|e| &e.writes))
            .any(|w| w.from.is_some())
    }
}

/// An edge instance as the analysis of bounds sees it.
#[derive(Clone, Debug, Default)]
pub(crate) struct EdgeBounds {
    pub(crate) source: u32,
    pub(crate) target: u32,
    pub(crate) guard: Vec<(Extent, Limits)>,
    /// In the order of execution.
    pub(crate) writes: Vec<Write>,
}

/// An assignment to clocks.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    /// The clocks that may be set.
    pub(crate) to: Vec<Extent>,
    /// The clocks that may be copied; `None` for a number.
    pub(crate) from: Option<Vec<Extent>>,
    /// Between which values the number lies, or what is added to the copy.
    pub(crate) amount: (i32, i32),
    /// The one clock that is set for certain.
    pub(crate) kills: Option<u32>,
}

/// A process, as far as bounds are concerned.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProcessBounds {
    pub(crate) locations: u32,
    pub(crate) invariants: Vec<(u32, Extent, Limits)>,
    pub(crate) edges: Vec<EdgeBounds>,
}

/// Computes the bounds of all processes.
///
/// `everywhere` has the bounds that always matter, by clock. `refusing`: by process and location, whether it matters what is
/// not possible there; nowhere beyond the end.
pub(crate) fn analyse(sources: &Sources, everywhere: Vec<Limits>, refusing: &[Vec<bool>]) -> ClockBounds {
    let Sources {
        processes,
        around,
        diagonals,
    } = sources;
    let has_copies = sources.has_copies();
    let clocks = everywhere.len();
    let mut result = ClockBounds {
        everywhere,
        diagonals: *diagonals,
        ..ClockBounds::default()
    };
    // Bounds that some process has somewhere: what another process may read after a copy.
    let mut anywhere = result.everywhere.clone();
    for round in 0.. {
        result.entries.clear();
        result.starts.clear();
        let mut reached = result.everywhere.clone();
        for (number, process) in processes.iter().enumerate() {
            let context = Surroundings {
                anywhere: if has_copies { anywhere.as_slice() } else { &[] },
                refusing: refusing.get(number).map_or(&[], Vec::as_slice),
            };
            process.solve(&context, round > PATIENCE, &mut result);
        }
        for entry in &result.entries {
            if let Some(limits) = reached.get_mut(entry.clock.index()) {
                *limits = limits.max(entry.limits);
            }
        }
        if !has_copies {
            break;
        }
        // A copy around every transition makes its source matter everywhere.
        for write in around {
            if let Some(sources) = &write.from {
                let needed = join(&write.to, &reached).before_shift(write.amount, round > PATIENCE);
                for source in sources
                    .iter()
                    .flat_map(|e| e.start..e.end)
                    .filter(|&s| (s as usize) < clocks)
                {
                    let limits = &mut result.everywhere[source as usize];
                    *limits = limits.max(needed);
                    reached[source as usize] = reached[source as usize].max(needed);
                }
            }
        }
        if reached == anywhere {
            break;
        }
        anywhere = reached;
    }
    result
}

fn join(clocks: &[Extent], limits: &[Limits]) -> Limits {
    let all = clocks.iter().flat_map(|e| e.start..e.end);
    all.filter_map(|c| limits.get(c as usize))
        .fold(Limits::INACTIVE, |a, b| a.max(*b))
}

/// Facts about a process that its edges do not tell.
struct Surroundings<'a> {
    /// Uses that other processes may make of a clock after a copy; empty when nothing is copied.
    anywhere: &'a [Limits],
    /// By location: whether it matters what is not possible there.
    refusing: &'a [bool],
}

impl Surroundings<'_> {
    /// Limits by a comparison, as they count for a location.
    fn counted(&self, location: u32, limits: Limits) -> Limits {
        if self.refuses(location) {
            limits.on_both_sides()
        } else {
            limits
        }
    }

    fn refuses(&self, location: u32) -> bool {
        self.refusing.get(location as usize).is_some_and(|&mark| mark)
    }
}

impl ProcessBounds {
    /// Solves the equations of one process and appends its bounds to `result`.
    fn solve(&self, context: &Surroundings<'_>, mut widen: bool, result: &mut ClockBounds) {
        let anywhere = context.anywhere;
        let relevant = self.relevant(anywhere);
        let width = relevant.len();
        let mut table = vec![Limits::INACTIVE; width * self.locations as usize];
        let column = |clock: u32| relevant.binary_search(&clock).ok();
        let mut incoming: Vec<Vec<u32>> = vec![Vec::new(); self.locations as usize];
        for (edge, number) in self.edges.iter().zip(0..) {
            if let Some(list) = incoming.get_mut(edge.target as usize) {
                list.push(number);
            }
        }
        let raise = |table: &mut [Limits], location: u32, clock: u32, limits: Limits| {
            let Some(slot) = column(clock).and_then(|c| table.get_mut(location as usize * width + c)) else {
                return false;
            };
            let raised = slot.max(limits);
            std::mem::replace(slot, raised) != raised
        };
        // The limits by invariants on both sides, where some location refuses.
        let mut entries = match context.refusing.contains(&true) {
            true => table.clone(),
            false => Vec::new(),
        };
        for (location, clocks, limits) in &self.invariants {
            for clock in clocks.start..clocks.end {
                raise(&mut entries, *location, clock, limits.on_both_sides());
                raise(&mut table, *location, clock, context.counted(*location, *limits));
            }
        }
        for edge in &self.edges {
            for (clocks, limits) in &edge.guard {
                for clock in clocks.start..clocks.end {
                    raise(
                        &mut table,
                        edge.source,
                        clock,
                        context.counted(edge.source, *limits),
                    );
                }
            }
        }
        let mut waiting: Vec<u32> = (0..self.locations).collect();
        let mut is_waiting = vec![true; self.locations as usize];
        let mut row = vec![Limits::INACTIVE; width];
        let mut patience = PATIENCE * (self.locations as usize + self.edges.len());
        while let Some(location) = waiting.pop() {
            patience = patience.saturating_sub(1);
            widen |= patience == 0;
            is_waiting[location as usize] = false;
            for &number in &incoming[location as usize] {
                let edge = &self.edges[number as usize];
                let start = location as usize * width;
                row.copy_from_slice(&table[start..start + width]);
                if context.refuses(edge.source) {
                    // Who takes the edge must be let in.
                    let entry = &entries[start..start + width];
                    row.iter_mut().zip(entry).for_each(|(l, e)| *l = l.max(*e));
                }
                for write in edge.writes.iter().rev() {
                    write.undo(&mut row, &relevant, anywhere, widen);
                }
                let mut changed = false;
                for (&clock, &limits) in relevant.iter().zip(&row) {
                    changed |= limits.is_active() && raise(&mut table, edge.source, clock, limits);
                }
                if changed && !std::mem::replace(&mut is_waiting[edge.source as usize], true) {
                    waiting.push(edge.source);
                }
            }
        }
        let mut starts = Vec::with_capacity(self.locations as usize + 1);
        for location in 0..self.locations as usize {
            starts.push(result.entries.len() as u32);
            let row = &table[location * width..(location + 1) * width];
            let active = relevant.iter().zip(row).filter(|(_, l)| l.is_active());
            result.entries.extend(active.map(|(&clock, &limits)| ClockLimits {
                clock: ClockId(clock),
                limits,
            }));
        }
        starts.push(result.entries.len() as u32);
        result.starts.push(starts);
    }

    /// The clocks that may have a bound: those compared, and those copied into something.
    fn relevant(&self, anywhere: &[Limits]) -> Vec<u32> {
        let mut clocks: Vec<u32> = Vec::new();
        let compared = self.invariants.iter().map(|(_, c, _)| *c);
        let compared = compared.chain(self.edges.iter().flat_map(|e| &e.guard).map(|(c, _)| *c));
        clocks.extend(compared.flat_map(|e| e.start..e.end));
        if !anywhere.is_empty() {
            for sources in self
                .edges
                .iter()
                .flat_map(|e| &e.writes)
                .filter_map(|w| w.from.as_ref())
            {
                clocks.extend(sources.iter().flat_map(|e| e.start..e.end));
            }
        }
        clocks.sort_unstable();
        clocks.dedup();
        clocks
    }
}

impl Write {
    /// Computes the bounds before the assignment from those after it.
    fn undo(&self, row: &mut [Limits], relevant: &[u32], anywhere: &[Limits], widen: bool) {
        let position = |clock: u32| relevant.binary_search(&clock).ok();
        let mut needed = Limits::INACTIVE;
        if self.from.is_some() {
            for clock in self.to.iter().flat_map(|e| e.start..e.end) {
                let own = position(clock).map_or(Limits::INACTIVE, |p| row[p]);
                let others = anywhere.get(clock as usize).copied().unwrap_or(Limits::INACTIVE);
                needed = needed.max(own).max(others);
            }
            needed = needed.before_shift(self.amount, widen);
            // A value below zero is an error, whatever reads it: whether the clock is below the shift matters.
            let (least, _) = self.amount;
            if least < 0 {
                needed = needed.max(Limits::new(None, Some(least.saturating_neg())));
            }
        }
        if let Some(p) = self.kills.and_then(position) {
            row[p] = Limits::INACTIVE;
        }
        if let Some(sources) = &self.from {
            for p in sources.iter().flat_map(|e| e.start..e.end).filter_map(position) {
                row[p] = row[p].max(needed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::ids::{LocationId, ProcessId};

    fn solved(processes: Vec<ProcessBounds>, clocks: usize) -> ClockBounds {
        solved_refusing(processes, clocks, &[])
    }

    fn solved_refusing(processes: Vec<ProcessBounds>, clocks: usize, refusing: &[Vec<bool>]) -> ClockBounds {
        let sources = Sources {
            processes,
            ..Sources::default()
        };
        analyse(&sources, vec![Limits::INACTIVE; clocks], refusing)
    }

    fn edge(source: u32, target: u32) -> EdgeBounds {
        EdgeBounds {
            source,
            target,
            ..EdgeBounds::default()
        }
    }

    fn reset(clock: u32) -> Write {
        Write {
            to: vec![Extent::new(clock, 1)],
            from: None,
            amount: (0, 0),
            kills: Some(clock),
        }
    }

    fn copy(to: u32, from: u32, plus: i32) -> Write {
        Write {
            to: vec![Extent::new(to, 1)],
            from: Some(vec![Extent::new(from, 1)]),
            amount: (plus, plus),
            kills: Some(to),
        }
    }

    fn lower(bound: i32) -> Limits {
        Limits::new(Some(bound), None)
    }

    fn at(bounds: &ClockBounds, process: u32, location: u32) -> Vec<(u32, Option<i32>, Option<i32>)> {
        let entries = bounds.at(ProcessId(process), LocationId(location)).iter();
        entries
            .map(|e| (e.clock.0, e.limits.lower(), e.limits.upper()))
            .collect()
    }

    /// `0 -x:=0-> 1 -x>=5-> 2 -> 0`: what matters before the reset is nothing.
    #[test]
    fn bounds_end_at_resets() {
        let mut guard = edge(1, 2);
        guard.guard.push((Extent::new(0, 1), lower(5)));
        let mut set = edge(0, 1);
        set.writes.push(reset(0));
        let process = ProcessBounds {
            locations: 3,
            invariants: vec![(1, Extent::new(0, 1), Limits::new(None, Some(9)))],
            edges: vec![set, guard, edge(2, 0)],
        };
        let bounds = solved(vec![process], 1);
        assert_eq!(at(&bounds, 0, 0), []);
        assert_eq!(at(&bounds, 0, 1), [(0, Some(5), Some(9))]);
        assert_eq!(at(&bounds, 0, 2), []);
    }

    /// `0 -> 1 -x>=5-> 2 (x<=9, y<=7) -y:=0-> 2`: the constants of 1 count on both sides from there backwards, and no others do.
    #[test]
    fn refusals_count_both_sides_of_what_a_location_asks() {
        let mut guard = edge(1, 2);
        guard.guard.push((Extent::new(0, 1), lower(5)));
        let mut set = edge(2, 2);
        set.writes.push(reset(1));
        let upper = |bound| Limits::new(None, Some(bound));
        let process = || ProcessBounds {
            locations: 3,
            invariants: vec![(2, Extent::new(0, 1), upper(9)), (2, Extent::new(1, 1), upper(7))],
            edges: vec![edge(0, 1), guard.clone(), set.clone()],
        };
        let (x, y) = ((0, Some(5), Some(9)), (1, None, Some(7)));
        let plain = solved(vec![process()], 2);
        assert_eq!(at(&plain, 0, 0), [x, y]);
        assert_eq!(at(&plain, 0, 2), [(0, None, Some(9)), y]);

        let marked = |location: usize| vec![(0..3).map(|l| l == location).collect()];
        let both = [(0, Some(9), Some(9)), (1, Some(7), Some(7))];
        let bounds = solved_refusing(vec![process()], 2, &marked(1));
        assert_eq!(at(&bounds, 0, 0), both);
        assert_eq!(at(&bounds, 0, 1), both);
        assert_eq!(
            at(&bounds, 0, 2),
            [(0, None, Some(9)), y],
            "nothing is asked there"
        );

        // The edge sets y, so that its target lets in whatever y was.
        let bounds = solved_refusing(vec![process()], 2, &marked(2));
        assert_eq!(at(&bounds, 0, 2), both);
        let bounds = solved_refusing(vec![process()], 2, &marked(0));
        assert_eq!(
            at(&bounds, 0, 0),
            [x, y],
            "the target of its edge has no invariant"
        );
    }

    /// One process copies `y = x + 2`, the other compares `y`: `x` matters to the first one before the copy.
    #[test]
    fn copies_carry_bounds_between_processes() {
        let mut copying = edge(0, 1);
        copying.writes.push(copy(1, 0, 2));
        let first = ProcessBounds {
            locations: 2,
            edges: vec![copying],
            ..ProcessBounds::default()
        };
        let mut guard = edge(0, 0);
        guard.guard.push((Extent::new(1, 1), lower(7)));
        let second = ProcessBounds {
            locations: 1,
            edges: vec![guard],
            ..ProcessBounds::default()
        };
        let bounds = solved(vec![first, second], 2);
        assert_eq!(at(&bounds, 0, 0), [(0, Some(5), None)]);
        assert_eq!(at(&bounds, 0, 1), []);
        assert_eq!(at(&bounds, 1, 0), [(1, Some(7), None)]);
    }

    /// `x = x - 1` in a loop: no finite bound is enough.
    #[test]
    fn endless_shifts_end() {
        let mut step = edge(0, 0);
        step.writes.push(copy(0, 0, -1));
        step.guard.push((Extent::new(0, 1), lower(3)));
        let process = ProcessBounds {
            locations: 1,
            edges: vec![step],
            ..ProcessBounds::default()
        };
        let bounds = solved(vec![process], 1);
        assert_eq!(at(&bounds, 0, 0), [(0, Some(i32::MAX), Some(i32::MAX))]);
    }
}
