//! The periods of a run: where it may be cut so that its processes can go on as they did.
//!
//! Runs of schedulers consist of periods, of which the last one matters, or the last two. No state comes back, because some
//! task is always a little late; but what clocks release comes back after exactly the same time, over and over.

use std::collections::BTreeMap;

/// Periods that are tried for about the same length of what is left, and places at which each of them is cut out.
const PERIODS: usize = 2;
const PLACES: usize = 8;

/// The periods of a run.
pub(crate) struct Periods<'t> {
    /// The instants of its steps.
    times: &'t [i64],
    /// Times after which many kinds of moves come again, and how many do.
    list: Vec<(i64, usize)>,
}

impl<'t> Periods<'t> {
    /// `times` are the instants of the steps; `moves` tells of every kind of move by which steps it is made.
    pub(crate) fn of(times: &'t [i64], moves: &[Vec<usize>]) -> Self {
        Periods {
            times,
            list: periods(times, moves),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether a period has steps enough for every kind of move that the run has. Where time is chosen from a few values
    /// everything comes again after any time, and that means nothing.
    pub(crate) fn have_everything(&self, moves: &[Vec<usize>]) -> bool {
        let kinds = moves.iter().filter(|steps| !steps.is_empty()).count();
        self.times.len() >= self.list.len() * kinds
    }

    /// Stretches of the run, as numbers of steps, that last for one of its periods, those first that leave little.
    pub(crate) fn cuts(&self) -> Vec<(usize, usize)> {
        let mut by_length: BTreeMap<u32, Vec<(usize, i64)>> = BTreeMap::new();
        for &(period, support) in &self.list {
            let length = self.left(period).checked_ilog2().unwrap_or(0);
            by_length.entry(length).or_default().push((support, period));
        }
        let mut list = Vec::new();
        for periods in by_length.values_mut() {
            periods.sort_unstable_by(|a, b| b.cmp(a));
            for &(_, period) in periods.iter().take(PERIODS) {
                let starts = (0..PLACES).map(|place| self.left(period) * place / PLACES);
                let cuts = starts.map(|start| (start, self.end(start, period)));
                list.extend(cuts.filter(|(start, end)| start < end));
            }
        }
        list.dedup();
        list
    }

    fn end(&self, start: usize, period: i64) -> usize {
        let now = if start == 0 { 0 } else { self.times[start - 1] };
        self.times.partition_point(|&t| t <= now.saturating_add(period))
    }

    /// The steps that are left when a period is cut out.
    fn left(&self, period: i64) -> usize {
        self.times.len() - self.end(0, period)
    }
}

/// The times after which many kinds of moves come again, at least half as many as after any other time, and their number.
fn periods(times: &[i64], moves: &[Vec<usize>]) -> Vec<(i64, usize)> {
    let mut distances = Vec::new();
    for steps in moves {
        let first = distances.len();
        // The first of all may belong to the beginning, which is not like the rest.
        for (index, &from) in steps.iter().enumerate().take(2) {
            let later = steps[index + 1..].iter().map(|&to| times[to] - times[from]);
            distances.extend(later.filter(|&d| d > 0));
        }
        distances[first..].sort_unstable();
        let mut kept = first;
        for i in first..distances.len() {
            if i == first || distances[i] != distances[kept - 1] {
                distances[kept] = distances[i];
                kept += 1;
            }
        }
        distances.truncate(kept);
    }
    distances.sort_unstable();
    let groups = distances.chunk_by(|a, b| a == b);
    let most = groups.clone().map(<[i64]>::len).max().unwrap_or(0);
    groups
        .map(|group| (group[0], group.len()))
        .filter(|&(_, support)| support > 1 && 2 * support >= most)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five tasks are released every 10; one of them ends at times that do not recur, and another one is released every 7.
    fn run() -> (Vec<i64>, Vec<Vec<usize>>) {
        let mut steps = Vec::new();
        for k in 0..8 {
            steps.extend((0..5).map(|kind| (10 * k, kind)));
            steps.extend([(10 * k + k * k % 11 / 2 + 1, 5), (7 * k, 6)]);
        }
        steps.sort_unstable();
        let times = steps.iter().map(|s| s.0).collect();
        let of = |kind: i64| (0..steps.len()).filter(|&s| steps[s].1 == kind).collect();
        (times, (0..7).map(of).collect())
    }

    #[test]
    fn a_period_is_what_most_moves_have_in_common() {
        let (times, moves) = run();
        let found: Vec<i64> = periods(&times, &moves).iter().map(|p| p.0).collect();
        assert_eq!(found, [10, 20, 30, 40, 50, 60, 70]);
    }

    #[test]
    fn cuts_last_for_a_period_and_the_longest_come_first() {
        let (times, moves) = run();
        let periods = Periods::of(&times, &moves);
        assert!(periods.have_everything(&moves));
        let cuts = periods.cuts();
        let left = |&(start, end): &(usize, usize)| times.len() - (end - start);
        assert!(left(&cuts[0]) < times.len() / 4, "{cuts:?}");
        let at = |step: usize| step.checked_sub(1).map_or(0, |s| times[s]);
        for &(start, end) in &cuts {
            assert!(start < end && end <= times.len());
            let next = times.get(end).copied().unwrap_or(i64::MAX);
            assert!((1..=7).any(|k| at(end) <= at(start) + 10 * k && at(start) + 10 * k < next));
        }
    }

    #[test]
    fn a_run_without_time_has_no_periods() {
        let moves = [vec![0, 2, 4], vec![1, 3]];
        assert!(Periods::of(&[0; 5], &moves).is_empty());
        assert!(Periods::of(&[], &[]).is_empty());
    }
}
