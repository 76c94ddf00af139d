//! Metric interval temporal logic, bounded: the signals of the atoms are recorded as far as the formula looks, then it is
//! evaluated at the beginning, subformula by subformula, as sets of positions.
//!
//! A position is an instant together with the state that the run is in: where several states are passed through at one instant,
//! each of them is a position, in their order. So a state without duration counts, as it does for `<> p`, and as it does in
//! recorded results of UPPAAL (docs/decisions/statistics.md). The instant at which a state is left belongs to the next one.

mod spans;

use spans::{Position, Set, Span, Timeline, before, complement, intersect, join, union, until};
use std::ops::ControlFlow;
use zonewalk_sampling::{ConditionId, Monitor, Piece, RunError};

/// A formula in negation normal form over conditions.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// A condition holds.
    Atom(ConditionId),
    /// Always.
    True,
    /// Never.
    False,
    /// All of them.
    And(Vec<Formula>),
    /// One of them.
    Or(Vec<Formula>),
    /// It holds in the next state; there is one.
    Next(Box<Formula>),
    /// The second holds between two times from now, and the first until then.
    Until(Box<Formula>, (f64, f64), Box<Formula>),
    /// The second holds between two times from now, unless the first has held before or does then.
    Release(Box<Formula>, (f64, f64), Box<Formula>),
}

impl Formula {
    /// Time that the formula looks ahead in a run; `None` if it depends on when transitions happen.
    pub fn horizon(&self) -> Option<f64> {
        match self {
            Formula::Atom(_) | Formula::True | Formula::False => Some(0.0),
            Formula::And(all) | Formula::Or(all) => {
                let mut horizons = all.iter().map(Formula::horizon);
                horizons.try_fold(0.0, |most: f64, one| Some(most.max(one?)))
            }
            Formula::Next(_) => None,
            Formula::Until(p, (_, to), q) | Formula::Release(p, (_, to), q) => {
                Some(to + p.horizon()?.max(q.horizon()?))
            }
        }
    }

    /// Whether enough is known of a run to evaluate it at a position. What it looks at from a later position is never earlier.
    fn is_known(&self, timeline: &Timeline, (at, state): Position) -> bool {
        match self {
            Formula::Atom(_) | Formula::True | Formula::False => true,
            Formula::And(all) | Formula::Or(all) => all.iter().all(|f| f.is_known(timeline, (at, state))),
            Formula::Next(m) => timeline
                .start_of_next(state)
                .is_some_and(|next| m.is_known(timeline, next)),
            Formula::Until(p, (_, to), q) | Formula::Release(p, (_, to), q) => {
                let last = timeline.last_known_at(at + to);
                last.is_some_and(|last| p.is_known(timeline, last) && q.is_known(timeline, last))
            }
        }
    }

    /// The positions at which it holds.
    fn holds(&self, signals: &[Set], timeline: &Timeline) -> Set {
        match self {
            Formula::Atom(condition) => signals[condition.0].clone(),
            Formula::True => timeline.everything(),
            Formula::False => Vec::new(),
            Formula::And(all) => {
                let sets = all.iter().map(|f| f.holds(signals, timeline));
                sets.fold(timeline.everything(), |all, set| intersect(&all, &set))
            }
            Formula::Or(any) => union(any.iter().flat_map(|f| f.holds(signals, timeline)).collect()),
            Formula::Next(m) => before(timeline, &m.holds(signals, timeline)),
            Formula::Until(p, times, q) => {
                let p = p.holds(signals, timeline);
                until(timeline, &p, *times, &q.holds(signals, timeline))
            }
            Formula::Release(p, times, q) => {
                let not = |f: &Formula| complement(timeline, &f.holds(signals, timeline));
                complement(timeline, &until(timeline, &not(p), *times, &not(q)))
            }
        }
    }
}

/// Records the signals of a formula's conditions as far as it looks. Runs are to be bounded by [`Formula::horizon`], where there is
/// one; others end as soon as enough is known.
#[derive(Clone, Debug)]
pub struct Recorder<'f> {
    formula: &'f Formula,
    horizon: Option<f64>,
    /// By condition: the positions at which it holds.
    signals: Vec<Set>,
    timeline: Timeline,
    /// Transitions before the last state.
    steps: u64,
    room: Vec<(f64, f64)>,
}

impl<'f> Recorder<'f> {
    /// For a formula over a number of conditions, at the beginning of a run.
    pub fn new(formula: &'f Formula, conditions: usize) -> Recorder<'f> {
        Recorder {
            formula,
            horizon: formula.horizon(),
            signals: vec![Vec::new(); conditions],
            timeline: Timeline::default(),
            steps: 0,
            room: Vec::new(),
        }
    }

    /// Whether the formula holds of the run, which has ended; `None` when too little of it is known.
    pub fn verdict(mut self) -> Option<bool> {
        let is_short = |horizon: f64| self.timeline.end() < horizon;
        if self.timeline.is_empty() || self.horizon.is_some_and(is_short) {
            return None;
        }
        // The last state has its end, too.
        let last = self.timeline.last();
        for span in self.signals.iter_mut().filter_map(|signal| signal.last_mut()) {
            span.close(last);
        }
        let set = self.formula.holds(&self.signals, &self.timeline);
        Some(set.first().is_some_and(Span::is_from_the_beginning))
    }
}

impl Monitor for Recorder<'_> {
    fn piece(&mut self, piece: &mut dyn Piece) -> Result<ControlFlow<()>, RunError> {
        // Time may pass in one state piece by piece.
        if self.timeline.is_empty() || piece.steps() != self.steps {
            self.steps = piece.steps();
            self.timeline.begin_state(piece.from());
        }
        let (start, end) = (piece.from(), piece.to());
        self.timeline.extend(end);
        if start == end && start > self.timeline.start_of_last() {
            return Ok(ControlFlow::Continue(()));
        }
        let state = self.timeline.last_state();
        for (condition, signal) in self.signals.iter_mut().enumerate() {
            self.room.clear();
            piece.holds(ConditionId(condition), &mut self.room)?;
            for &(from, to) in &self.room {
                let (first, last) = ((from, state), (to, state));
                join(
                    signal,
                    if to == end && start < end {
                        Span::half_open(first, last)
                    } else {
                        Span::closed(first, last)
                    },
                );
            }
        }
        // A run that has a horizon ends there.
        let is_enough = self.horizon.is_none() && self.formula.is_known(&self.timeline, (0.0, 0));
        Ok(if is_enough {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Written, show};
    use super::*;

    fn atom(condition: usize) -> Box<Formula> {
        Box::new(Formula::Atom(ConditionId(condition)))
    }

    /// Whether a formula holds of a run: pieces, by their ends, with the conditions that hold in them. The run is long enough
    /// unless it ends before.
    fn holds(formula: &Formula, run: &[(f64, f64, &[usize])]) -> Option<bool> {
        let horizon = formula.horizon().unwrap_or(1e9);
        let mut recorder = Recorder::new(formula, 3);
        let within = run.iter().filter(|(from, ..)| *from <= horizon);
        let piece = |&(from, to, true_ones): &(f64, f64, &[usize])| {
            let to = to.min(horizon);
            let truth = |c| {
                if true_ones.contains(&c) {
                    vec![(from, to)]
                } else {
                    vec![]
                }
            };
            Written {
                from,
                to,
                steps: 0,
                holds: (0..3).map(truth).collect(),
                lines: Vec::new(),
            }
        };
        let mut pieces: Vec<Written> = within.map(piece).collect();
        (0..)
            .zip(&mut pieces)
            .for_each(|(steps, piece)| piece.steps = steps);
        show(&mut pieces, &mut recorder);
        recorder.verdict()
    }

    const NEVER: f64 = f64::INFINITY;

    #[test]
    fn eventually_and_always() {
        let eventually = |a, b| Formula::Until(Box::new(Formula::True), (a, b), atom(0));
        let always = |a, b| Formula::Release(Box::new(Formula::False), (a, b), atom(0));
        let run: &[(f64, f64, &[usize])] = &[(0.0, 2.0, &[]), (2.0, 5.0, &[0]), (5.0, NEVER, &[])];
        assert_eq!(holds(&eventually(0.0, 2.0), run), Some(true));
        assert_eq!(holds(&eventually(0.0, 1.9), run), Some(false));
        // At 5 it holds no more.
        assert_eq!(holds(&eventually(5.0, 9.0), run), Some(false));
        assert_eq!(holds(&eventually(4.9, 9.0), run), Some(true));
        assert_eq!(holds(&always(2.0, 4.9), run), Some(true));
        assert_eq!(holds(&always(2.0, 5.0), run), Some(false));
        assert_eq!(holds(&always(1.9, 4.0), run), Some(false));
    }

    #[test]
    fn until_with_times() {
        let formula = |a, b| Formula::Until(atom(0), (a, b), atom(1));
        let run: &[(f64, f64, &[usize])] = &[(0.0, 5.0, &[0]), (5.0, NEVER, &[1])];
        assert_eq!(holds(&formula(0.0, 5.0), run), Some(true));
        assert_eq!(holds(&formula(0.0, 4.9), run), Some(false));
        assert_eq!(holds(&formula(5.0, 9.0), run), Some(true));
        // Behind 5 the first one does not hold any more.
        assert_eq!(holds(&formula(6.0, 9.0), run), Some(false));
        let gap: &[(f64, f64, &[usize])] = &[(0.0, 3.0, &[0]), (3.0, 3.1, &[]), (3.1, NEVER, &[0, 1])];
        assert_eq!(holds(&formula(0.0, 5.0), gap), Some(false));
        // A state without duration is a gap, and it may be the one that is waited for.
        let blink: &[(f64, f64, &[usize])] = &[(0.0, 3.0, &[0]), (3.0, 3.0, &[]), (3.0, NEVER, &[1])];
        assert_eq!(holds(&formula(0.0, 5.0), blink), Some(false));
        let flash: &[(f64, f64, &[usize])] = &[(0.0, 3.0, &[0]), (3.0, 3.0, &[1]), (3.0, NEVER, &[])];
        assert_eq!(holds(&formula(0.0, 5.0), flash), Some(true));
        assert_eq!(holds(&formula(3.0, 3.0), flash), Some(true));
        assert_eq!(holds(&formula(4.0, 5.0), flash), Some(false));
    }

    /// Every piece but the first one follows a transition.
    #[test]
    fn next_states() {
        let next = |m: Box<Formula>| Box::new(Formula::Next(m));
        let run: &[(f64, f64, &[usize])] = &[
            (0.0, 2.0, &[]),
            (2.0, 2.0, &[1]),
            (2.0, 5.0, &[0]),
            (5.0, NEVER, &[1]),
        ];
        assert_eq!(next(atom(0)).horizon(), None);
        // A state without duration counts.
        assert_eq!(holds(&next(atom(1)), run), Some(true));
        assert_eq!(holds(&next(atom(0)), run), Some(false));
        assert_eq!(holds(&next(next(atom(0))), run), Some(true));
        // There is no fourth transition.
        let four = next(next(next(next(Box::new(Formula::True)))));
        assert_eq!(holds(&four, run), Some(false));
        let eventually = |a, b, m| Formula::Until(Box::new(Formula::True), (a, b), m);
        assert_eq!(holds(&eventually(0.0, 2.0, next(atom(0))), run), Some(true));
        assert_eq!(holds(&eventually(0.0, 1.9, next(atom(0))), run), Some(false));
        assert_eq!(holds(&eventually(3.0, 4.0, next(atom(1))), run), Some(true));
        assert_eq!(holds(&eventually(5.0, 6.0, next(atom(1))), run), Some(false));
    }

    /// □[0,10] (¬p ∨ p U[0,2] q): every p is answered within 2.
    #[test]
    fn nested() {
        let response = |limit| {
            let answered = Formula::Until(atom(0), (0.0, limit), atom(1));
            let body = Formula::Or(vec![*atom(2), answered]);
            Formula::Release(Box::new(Formula::False), (0.0, 10.0), Box::new(body))
        };
        // Condition 2 is "not p".
        let run: &[(f64, f64, &[usize])] = &[
            (0.0, 1.0, &[2]),
            (1.0, 3.0, &[0]),
            (3.0, 4.0, &[1, 2]),
            (4.0, NEVER, &[2]),
        ];
        assert_eq!(response(2.0).horizon(), Some(12.0));
        assert_eq!(holds(&response(2.0), run), Some(true));
        assert_eq!(holds(&response(1.9), run), Some(false));
        // A run that is cut says nothing.
        assert_eq!(holds(&response(2.0), &run[..3]), None);
    }

    /// The definition, position by position. Everything changes at whole numbers, so whole and half ones are enough.
    mod by_definition {
        use super::*;

        /// Instant, and what holds.
        pub(super) type Places<'r> = [(f64, &'r [usize])];

        pub(super) fn holds(formula: &Formula, places: &Places<'_>, at: usize) -> bool {
            let now = places[at].0;
            let within = |(a, b): (f64, f64), place: usize| (now + a..=now + b).contains(&places[place].0);
            match formula {
                Formula::Atom(condition) => places[at].1.contains(&condition.0),
                Formula::True => true,
                Formula::False => false,
                Formula::And(all) => all.iter().all(|f| holds(f, places, at)),
                Formula::Or(any) => any.iter().any(|f| holds(f, places, at)),
                // Positions of one state cannot be distinguished here; `next_states` is about it.
                Formula::Next(_) => false,
                Formula::Until(p, times, q) => (at..places.len()).any(|then| {
                    within(*times, then)
                        && holds(q, places, then)
                        && (at..then).all(|between| holds(p, places, between))
                }),
                Formula::Release(p, times, q) => (at..places.len()).all(|then| {
                    !within(*times, then)
                        || holds(q, places, then)
                        || (at..then).any(|between| holds(p, places, between))
                }),
            }
        }
    }

    #[test]
    fn sets_of_positions_follow_the_definition() {
        let mut state = 17u64;
        let mut below = |n: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        const SETS: [&[usize]; 8] = [&[], &[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]];
        let mut count = [0, 0];
        for _ in 0..3000 {
            // Formulas of two operators, and their times.
            let mut formula = *atom(below(3) as usize);
            for _ in 0..2 {
                let other = match below(4) {
                    0 => Box::new(Formula::True),
                    1 => Box::new(Formula::False),
                    _ => atom(below(3) as usize),
                };
                let from = below(3) as f64;
                let times = (from, from + below(3) as f64);
                let (p, q) = match below(2) {
                    0 => (other, Box::new(formula)),
                    _ => (Box::new(formula), other),
                };
                formula = match below(4) {
                    0 => Formula::Until(p, times, q),
                    1 => Formula::Release(p, times, q),
                    2 => Formula::Or(vec![*p, Formula::Until(q, times, atom(below(3) as usize))]),
                    _ => Formula::And(vec![*p, Formula::Release(q, times, atom(below(3) as usize))]),
                };
            }
            // A run of states, many of them without duration.
            let mut run: Vec<(f64, f64, &[usize])> = Vec::new();
            let mut at = 0.0;
            let horizon = formula.horizon().unwrap_or_default();
            while at <= horizon {
                let to = at + [0.0, 0.0, 1.0, 2.0][below(4) as usize];
                run.push((at, to, SETS[below(8) as usize]));
                at = to;
            }
            let mut places: Vec<(f64, &[usize])> = Vec::new();
            let last = run.len() - 1;
            for (index, &(from, to, set)) in run.iter().enumerate() {
                let halves = (2.0 * (to - from)) as u32 + u32::from(index == last || from == to);
                places.extend((0..halves).map(|half| (from + f64::from(half) / 2.0, set)));
            }
            places.retain(|place| place.0 <= horizon);
            let expected = by_definition::holds(&formula, &places, 0);
            assert_eq!(holds(&formula, &run), Some(expected), "{formula:?} on {run:?}");
            count[usize::from(expected)] += 1;
        }
        assert!(count.iter().all(|count| *count > 500), "{count:?}");
    }
}
