//! Metric interval temporal logic, bounded: the signals of the atoms are recorded as far as the formula looks, then it is
//! evaluated at the beginning, subformula by subformula, as sets of instants.
//!
//! Signals are continuous from the right: where several states are passed through at one instant, the last one counts.

use std::ops::ControlFlow;
use zonewalk_sampling::{ConditionId, Monitor, Piece, RunError};

/// A set of instants without gaps. Ends may be open.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    from: f64,
    to: f64,
    is_open_from: bool,
    is_open_to: bool,
}

impl Span {
    fn closed(from: f64, to: f64) -> Span {
        Span {
            from,
            to,
            is_open_from: false,
            is_open_to: false,
        }
    }

    fn is_empty(&self) -> bool {
        self.from > self.to || (self.from == self.to && (self.is_open_from || self.is_open_to))
    }

    fn contains(&self, at: f64) -> bool {
        (self.from < at || (self.from == at && !self.is_open_from))
            && (at < self.to || (at == self.to && !self.is_open_to))
    }
}

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
    /// The second holds between so much and so much time from now, and the first until then.
    Until(Box<Formula>, (f64, f64), Box<Formula>),
    /// The second holds between so much and so much time from now, unless the first has held before or does then.
    Release(Box<Formula>, (f64, f64), Box<Formula>),
}

impl Formula {
    /// How far it looks into a run.
    pub fn horizon(&self) -> f64 {
        match self {
            Formula::Atom(_) | Formula::True | Formula::False => 0.0,
            Formula::And(all) | Formula::Or(all) => all.iter().map(Formula::horizon).fold(0.0, f64::max),
            Formula::Until(p, (_, to), q) | Formula::Release(p, (_, to), q) => {
                to + p.horizon().max(q.horizon())
            }
        }
    }

    /// The instants at which it holds, up to `end`, of which signals are known.
    fn holds(&self, signals: &[Vec<Span>], end: f64) -> Vec<Span> {
        let everything = || vec![Span::closed(0.0, end)];
        match self {
            Formula::Atom(condition) => signals[condition.0].clone(),
            Formula::True => everything(),
            Formula::False => Vec::new(),
            Formula::And(all) => {
                let sets = all.iter().map(|f| f.holds(signals, end));
                sets.fold(everything(), |all, set| intersect(&all, &set))
            }
            Formula::Or(any) => union(any.iter().flat_map(|f| f.holds(signals, end)).collect()),
            Formula::Until(p, times, q) => until(&p.holds(signals, end), *times, &q.holds(signals, end)),
            Formula::Release(p, times, q) => {
                let not = |f: &Formula| complement(&f.holds(signals, end), end);
                complement(&until(&not(p), *times, &not(q)), end)
            }
        }
    }
}

/// Where p U[a,b] q holds.
fn until(p: &[Span], (a, b): (f64, f64), q: &[Span]) -> Vec<Span> {
    // q may come at once: then p need not hold at all.
    let mut found = if a == 0.0 { q.to_vec() } else { Vec::new() };
    let mut first = 0;
    for p in p {
        while q.get(first).is_some_and(|q| q.to < p.from) {
            first += 1;
        }
        for q in q[first..].iter().take_while(|q| q.from <= p.to) {
            // p holds from an instant of its span until any other up to its end, whether that belongs to it or not.
            let (to, is_open_to) = if q.to <= p.to {
                (q.to, q.is_open_to)
            } else {
                (p.to, false)
            };
            let before = Span {
                from: q.from - b,
                to: to - a,
                is_open_from: q.is_open_from,
                is_open_to,
            };
            let both = meet(p, &before);
            if !both.is_empty() {
                found.push(both);
            }
        }
    }
    union(found)
}

fn meet(a: &Span, b: &Span) -> Span {
    let (from, is_open_from) = match a.from.total_cmp(&b.from) {
        std::cmp::Ordering::Less => (b.from, b.is_open_from),
        std::cmp::Ordering::Greater => (a.from, a.is_open_from),
        std::cmp::Ordering::Equal => (a.from, a.is_open_from || b.is_open_from),
    };
    let (to, is_open_to) = match a.to.total_cmp(&b.to) {
        std::cmp::Ordering::Less => (a.to, a.is_open_to),
        std::cmp::Ordering::Greater => (b.to, b.is_open_to),
        std::cmp::Ordering::Equal => (a.to, a.is_open_to || b.is_open_to),
    };
    Span {
        from,
        to,
        is_open_from,
        is_open_to,
    }
}

fn intersect(a: &[Span], b: &[Span]) -> Vec<Span> {
    let (mut i, mut j) = (0, 0);
    let mut found = Vec::new();
    while let (Some(left), Some(right)) = (a.get(i), b.get(j)) {
        let both = meet(left, right);
        if !both.is_empty() {
            found.push(both);
        }
        // Whichever ends first meets nothing else.
        if left.to < right.to || (left.to == right.to && left.is_open_to) {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

/// Sorted and disjoint, with neighbours joined.
fn union(mut any: Vec<Span>) -> Vec<Span> {
    any.retain(|span| !span.is_empty());
    any.sort_by(|a, b| {
        a.from
            .total_cmp(&b.from)
            .then(a.is_open_from.cmp(&b.is_open_from))
    });
    let mut joined: Vec<Span> = Vec::with_capacity(any.len());
    for span in any {
        match joined.last_mut() {
            Some(last)
                if span.from < last.to
                    || (span.from == last.to && !(span.is_open_from && last.is_open_to)) =>
            {
                if span.to > last.to {
                    (last.to, last.is_open_to) = (span.to, span.is_open_to);
                } else if span.to == last.to {
                    last.is_open_to &= span.is_open_to;
                }
            }
            _ => joined.push(span),
        }
    }
    joined
}

/// The other instants from 0 to `end`.
fn complement(set: &[Span], end: f64) -> Vec<Span> {
    let mut found = Vec::new();
    let (mut from, mut is_open_from) = (0.0, false);
    for span in set {
        let gap = Span {
            from,
            to: span.from,
            is_open_from,
            is_open_to: !span.is_open_from,
        };
        if !gap.is_empty() {
            found.push(gap);
        }
        (from, is_open_from) = (span.to, !span.is_open_to);
    }
    let rest = Span {
        from,
        to: end,
        is_open_from,
        is_open_to: false,
    };
    if !rest.is_empty() {
        found.push(rest);
    }
    found
}

/// Records the signals of a formula's conditions as far as it looks. Runs are to be bounded by [`Formula::horizon`].
#[derive(Clone, Debug)]
pub struct Recorder {
    horizon: f64,
    signals: Vec<Vec<Span>>,
    /// How far they are known.
    known: f64,
    /// By condition: whether it holds then.
    at_end: Vec<bool>,
    room: Vec<(f64, f64)>,
}

impl Recorder {
    /// For a formula over so many conditions.
    pub fn new(formula: &Formula, conditions: usize) -> Recorder {
        Recorder {
            horizon: formula.horizon(),
            signals: vec![Vec::new(); conditions],
            known: 0.0,
            at_end: vec![false; conditions],
            room: Vec::new(),
        }
    }

    /// At the beginning of a run.
    pub fn begin(&mut self) {
        self.signals.iter_mut().for_each(Vec::clear);
        self.known = 0.0;
    }

    /// Whether the formula holds of the run; `None` when too little of it is known.
    pub fn verdict(&mut self, formula: &Formula) -> Option<bool> {
        if self.known < self.horizon {
            return None;
        }
        // The last state at the last instant.
        for (signal, _) in self
            .signals
            .iter_mut()
            .zip(&self.at_end)
            .filter(|(_, holds)| **holds)
        {
            match signal.last_mut() {
                Some(span) if span.to == self.horizon => span.is_open_to = false,
                _ => signal.push(Span::closed(self.horizon, self.horizon)),
            }
        }
        let set = formula.holds(&self.signals, self.horizon);
        Some(set.first().is_some_and(|span| span.contains(0.0)))
    }
}

impl Monitor for Recorder {
    fn piece(&mut self, piece: &mut dyn Piece) -> Result<ControlFlow<()>, RunError> {
        let (start, end) = (piece.from(), piece.to());
        self.known = end;
        for (condition, signal) in self.signals.iter_mut().enumerate() {
            self.room.clear();
            piece.holds(ConditionId(condition), &mut self.room)?;
            self.at_end[condition] = self.room.last().is_some_and(|&(_, to)| to == end);
            if start == end {
                continue;
            }
            for &(from, to) in &self.room {
                // At the end of the piece another state may follow.
                let part = Span {
                    is_open_to: to == end,
                    ..Span::closed(from, to)
                };
                match signal.last_mut() {
                    Some(before) if before.to == part.from => {
                        (before.to, before.is_open_to) = (part.to, part.is_open_to);
                    }
                    _ if part.is_empty() => {}
                    _ => signal.push(part),
                }
            }
        }
        Ok(ControlFlow::Continue(()))
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
        let horizon = formula.horizon();
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
                holds: (0..3).map(truth).collect(),
                lines: Vec::new(),
            }
        };
        let mut pieces: Vec<Written> = within.map(piece).collect();
        show(&mut pieces, &mut recorder);
        recorder.verdict(formula)
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
        // A state without duration is no gap.
        let blink: &[(f64, f64, &[usize])] = &[(0.0, 3.0, &[0]), (3.0, 3.0, &[]), (3.0, NEVER, &[1])];
        assert_eq!(holds(&formula(0.0, 5.0), blink), Some(true));
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
        assert_eq!(response(2.0).horizon(), 12.0);
        assert_eq!(holds(&response(2.0), run), Some(true));
        assert_eq!(holds(&response(1.9), run), Some(false));
        // A run that is cut says nothing.
        assert_eq!(holds(&response(2.0), &run[..3]), None);
    }
}
