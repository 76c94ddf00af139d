//! Sets of positions of a run, as spans without gaps.

use std::cmp::Ordering;

/// An instant, and the number of the state that the run is in. Positions are ordered by both. A state has the instants from its
/// beginning up to its end, which belongs to the next one; a state without duration has one instant. The last state has its end,
/// too.
pub(super) type Position = (f64, u32);

/// One end of a span. What ends with a state that has a duration ends there as an open one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SpanEnd {
    at: Position,
    /// Whether the position itself does not belong to the span.
    is_open: bool,
}

impl SpanEnd {
    fn closed(at: Position) -> SpanEnd {
        SpanEnd { at, is_open: false }
    }

    fn open(at: Position) -> SpanEnd {
        SpanEnd { at, is_open: true }
    }
}

fn order(a: Position, b: Position) -> Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

/// By where spans with these lower ends begin.
fn order_lower(a: &SpanEnd, b: &SpanEnd) -> Ordering {
    order(a.at, b.at).then(a.is_open.cmp(&b.is_open))
}

/// By where spans with these upper ends end.
fn order_upper(a: &SpanEnd, b: &SpanEnd) -> Ordering {
    order(a.at, b.at).then(b.is_open.cmp(&a.is_open))
}

/// A set of positions without gaps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    from: SpanEnd,
    to: SpanEnd,
}

/// Spans in their order, no two of which overlap or are neighbours.
pub(super) type Set = Vec<Span>;

impl Span {
    pub(super) fn closed(from: Position, to: Position) -> Span {
        Span {
            from: SpanEnd::closed(from),
            to: SpanEnd::closed(to),
        }
    }

    /// Without the last position.
    pub(super) fn half_open(from: Position, to: Position) -> Span {
        Span {
            from: SpanEnd::closed(from),
            to: SpanEnd::open(to),
        }
    }

    /// With its end, if it ends there.
    pub(super) fn close(&mut self, at: Position) {
        if self.to.at == at {
            self.to.is_open = false;
        }
    }

    fn is_empty(&self) -> bool {
        match order(self.from.at, self.to.at) {
            Ordering::Less => false,
            Ordering::Equal => self.from.is_open || self.to.is_open,
            Ordering::Greater => true,
        }
    }

    fn contains(&self, at: Position) -> bool {
        let (lower, upper) = (order(self.from.at, at), order(at, self.to.at));
        let is_behind = lower == Ordering::Less || (lower == Ordering::Equal && !self.from.is_open);
        is_behind && (upper == Ordering::Less || (upper == Ordering::Equal && !self.to.is_open))
    }

    /// Whether the first position of the run belongs to it.
    pub(super) fn is_from_the_beginning(&self) -> bool {
        self.from == SpanEnd::closed((0.0, 0))
    }

    /// Whether another one that does not begin earlier overlaps it or comes at once after it.
    fn reaches(&self, next: &Span) -> bool {
        let (to, from) = (self.to, next.from);
        match order(from.at, to.at) {
            Ordering::Less => true,
            Ordering::Equal => !(to.is_open && from.is_open),
            // The end of a state, and the beginning of the next.
            Ordering::Greater => !from.is_open && from.at.0 == to.at.0 && from.at.1 == to.at.1 + 1,
        }
    }
}

/// The states after which comes one at whose beginning a set holds.
pub(super) fn before(timeline: &Timeline, set: &Set) -> Set {
    let states = 0..timeline.starts.len().saturating_sub(1) as u32;
    let holds = |state: &u32| {
        let next = timeline.start_of_next(*state);
        next.is_some_and(|next| set.iter().any(|span| span.contains(next)))
    };
    let whole = |state: u32| {
        let (from, to) = (timeline.start_of(state), timeline.end_of(state));
        if from < to {
            Span::half_open((from, state), (to, state))
        } else {
            Span::closed((from, state), (to, state))
        }
    };
    union(states.filter(holds).map(whole).collect())
}

/// When the states of a run begin, and when it ends.
#[derive(Clone, Debug, Default)]
pub(super) struct Timeline {
    starts: Vec<f64>,
    end: f64,
}

impl Timeline {
    pub(super) fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    pub(super) fn begin_state(&mut self, at: f64) {
        self.starts.push(at);
    }

    pub(super) fn extend(&mut self, to: f64) {
        self.end = to;
    }

    pub(super) fn end(&self) -> f64 {
        self.end
    }

    /// Requires: there is a state.
    pub(super) fn last_state(&self) -> u32 {
        (self.starts.len() - 1) as u32
    }

    /// The first position of the state after another one, if there is one.
    pub(super) fn start_of_next(&self, state: u32) -> Option<Position> {
        let start = self.starts.get(state as usize + 1)?;
        Some((*start, state + 1))
    }

    /// The last position at an instant; `None` unless time has passed after it.
    pub(super) fn last_known_at(&self, at: f64) -> Option<Position> {
        let begun = self.starts.partition_point(|start| *start <= at);
        (at < self.end && begun > 0).then(|| (at, begun as u32 - 1))
    }

    fn start_of(&self, state: u32) -> f64 {
        self.starts[state as usize]
    }

    fn end_of(&self, state: u32) -> f64 {
        self.starts.get(state as usize + 1).copied().unwrap_or(self.end)
    }

    /// The last position.
    pub(super) fn last(&self) -> Position {
        (self.end, self.last_state())
    }

    pub(super) fn everything(&self) -> Set {
        vec![Span::closed((0.0, 0), self.last())]
    }

    /// Requires: there is a state.
    pub(super) fn start_of_last(&self) -> f64 {
        self.start_of(self.last_state())
    }

    /// The lower end of what comes after a position; `None` if nothing does.
    fn behind(&self, at: Position) -> Option<SpanEnd> {
        let (instant, state) = at;
        if instant < self.end_of(state) {
            return Some(SpanEnd::open(at));
        }
        (state < self.last_state()).then(|| SpanEnd::closed((instant, state + 1)))
    }

    /// The upper end of what comes before a position; `None` if nothing does.
    fn before(&self, at: Position) -> Option<SpanEnd> {
        let (instant, state) = at;
        if instant > self.start_of(state) {
            return Some(SpanEnd::open(at));
        }
        let state = state.checked_sub(1)?;
        Some(SpanEnd {
            at: (instant, state),
            is_open: self.start_of(state) < instant,
        })
    }

    /// The lower end of what comes after a span with an upper end; `None` if nothing does.
    fn beyond(&self, to: SpanEnd) -> Option<SpanEnd> {
        if !to.is_open {
            return self.behind(to.at);
        }
        let (instant, state) = to.at;
        let is_inside = instant < self.end_of(state) || state == self.last_state();
        Some(SpanEnd::closed((instant, state + u32::from(!is_inside))))
    }

    /// The first state that has an instant.
    fn first_at(&self, instant: f64) -> u32 {
        let begun = self.starts.partition_point(|start| *start < instant);
        let begins = self.starts.get(begun) == Some(&instant);
        (if begins { begun } else { begun.saturating_sub(1) }) as u32
    }

    /// The last state that has an instant.
    fn last_at(&self, instant: f64) -> u32 {
        (self.starts.partition_point(|start| *start <= instant).max(1) - 1) as u32
    }

    /// The lower end of all positions from an instant on, or after it.
    fn from(&self, instant: f64, is_open: bool) -> Option<SpanEnd> {
        if instant < 0.0 {
            return Some(SpanEnd::closed((0.0, 0)));
        }
        if is_open {
            return self.behind((instant, self.last_at(instant)));
        }
        Some(SpanEnd::closed((instant, self.first_at(instant))))
    }

    /// The upper end of all positions up to an instant, or before it.
    fn up_to(&self, instant: f64, is_open: bool) -> Option<SpanEnd> {
        if instant < 0.0 {
            return None;
        }
        if is_open {
            return self.before((instant, self.first_at(instant)));
        }
        Some(SpanEnd::closed((instant, self.last_at(instant))))
    }
}

/// Where `p U[a,b] q` holds: q at a position between a and b from now, and p from now until there.
pub(super) fn until(timeline: &Timeline, p: &[Span], (a, b): (f64, f64), q: &[Span]) -> Set {
    // q may come at once: then p need not hold at all.
    let mut found = if a == 0.0 { q.to_vec() } else { Vec::new() };
    let mut first = 0;
    for p in p {
        // q may come where p ends, too.
        let end = timeline.beyond(p.to).filter(|next| !next.is_open).unwrap_or(p.to);
        let with_end = Span {
            from: p.from,
            to: end,
        };
        while q.get(first).is_some_and(|q| order(q.to.at, p.from.at).is_lt()) {
            first += 1;
        }
        for q in q[first..].iter().take_while(|q| order(q.from.at, end.at).is_le()) {
            let witnesses = meet(&with_end, q);
            if witnesses.is_empty() {
                continue;
            }
            let (Some(from), Some(to)) = (
                timeline.from(witnesses.from.at.0 - b, witnesses.from.is_open),
                if a == 0.0 {
                    Some(witnesses.to)
                } else {
                    timeline.up_to(witnesses.to.at.0 - a, witnesses.to.is_open)
                },
            ) else {
                continue;
            };
            let both = meet(p, &Span { from, to });
            if !both.is_empty() {
                found.push(both);
            }
        }
    }
    union(found)
}

fn meet(a: &Span, b: &Span) -> Span {
    Span {
        from: if order_lower(&a.from, &b.from).is_lt() {
            b.from
        } else {
            a.from
        },
        to: if order_upper(&a.to, &b.to).is_lt() {
            a.to
        } else {
            b.to
        },
    }
}

pub(super) fn intersect(a: &[Span], b: &[Span]) -> Set {
    let (mut i, mut j) = (0, 0);
    let mut found = Vec::new();
    while let (Some(left), Some(right)) = (a.get(i), b.get(j)) {
        let both = meet(left, right);
        if !both.is_empty() {
            found.push(both);
        }
        // Whichever ends first meets nothing else.
        if order_upper(&left.to, &right.to).is_lt() {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

/// Adds a span that does not begin before the last one does.
pub(super) fn join(set: &mut Set, span: Span) {
    if span.is_empty() {
        return;
    }
    match set.last_mut() {
        Some(last) if last.reaches(&span) => {
            if order_upper(&last.to, &span.to).is_lt() {
                last.to = span.to;
            }
        }
        _ => set.push(span),
    }
}

/// Union of spans in any order.
pub(super) fn union(mut any: Vec<Span>) -> Set {
    any.sort_by(|a, b| order_lower(&a.from, &b.from));
    let mut joined = Vec::with_capacity(any.len());
    any.into_iter().for_each(|span| join(&mut joined, span));
    joined
}

/// All other positions of the run.
pub(super) fn complement(timeline: &Timeline, set: &[Span]) -> Set {
    let mut found = Vec::new();
    let mut from = Some(SpanEnd::closed((0.0, 0)));
    for span in set {
        let to = if span.from.is_open {
            Some(SpanEnd::closed(span.from.at))
        } else {
            timeline.before(span.from.at)
        };
        if let (Some(from), Some(to)) = (from, to) {
            join(&mut found, Span { from, to });
        }
        from = timeline.beyond(span.to);
    }
    if let Some(from) = from {
        let to = SpanEnd::closed(timeline.last());
        join(&mut found, Span { from, to });
    }
    found
}
