//! Time passes while an invariant holds, also one with alternatives: no instant may be left out on the way.

use zonewalk_zones::minimal::{self, Constraint};
use zonewalk_zones::{Bound, Federation, Word, dbm};

use crate::symbolic::frame::Frame;
use crate::systems::side::Side;

/// The invariant of a state of a side, in terms of rows of its frame. Nearly always there is one alternative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant<W = i32> {
    alternatives: Vec<Vec<Constraint<W>>>,
}

impl<W: Word> Invariant<W> {
    /// The invariant of a state. `base` is the number of clocks before those of the side.
    pub fn new(side: &Side, state: &[u32], frame: &Frame<W>, base: u16) -> Invariant<W> {
        let mut alternatives = vec![Vec::new()];
        for (offset, location) in side.locations(state) {
            let offset = offset + base;
            match location.invariant.parts() {
                [only] => {
                    for alternative in &mut alternatives {
                        alternative.extend(only.iter().map(|c| frame.place(c, offset)));
                    }
                }
                parts => {
                    let mut next = Vec::with_capacity(alternatives.len() * parts.len());
                    for alternative in &alternatives {
                        for part in parts {
                            let mut longer = alternative.clone();
                            longer.extend(part.iter().map(|c| frame.place(c, offset)));
                            next.push(longer);
                        }
                    }
                    alternatives = next;
                }
            }
        }
        Invariant { alternatives }
    }

    /// Its alternatives, as conjunctions over rows.
    pub fn alternatives(&self) -> &[Vec<Constraint<W>>] {
        &self.alternatives
    }

    /// Part of a zone that the invariant does not allow. Empty if there is none.
    pub fn excess(&self, zone: &[Bound<W>], dim: usize) -> Federation<W> {
        let implied = |part: &Vec<Constraint<W>>| minimal::includes(part, zone, dim);
        if self.alternatives.iter().any(implied) {
            return Federation::new(dim);
        }
        let mut rest = Federation::from_zone(zone, dim);
        let mut allowed = vec![Bound::INFINITY; dim * dim];
        for part in &self.alternatives {
            minimal::expand(part, dim, &mut allowed);
            rest.subtract(&allowed);
        }
        rest
    }

    /// All points that can be reached from those of a zone by waiting, without leaving the invariant on the way, together with the
    /// alternatives that are passed through. Requires: the zone is within the invariant.
    pub fn wait(&self, zone: &[Bound<W>], dim: usize) -> Vec<DelayedZone<W>> {
        if let [only] = self.alternatives.as_slice() {
            let mut waited = zone.to_vec();
            dbm::up(&mut waited, dim);
            constrain(&mut waited, only, dim);
            return vec![DelayedZone {
                zone: waited,
                chain: Vec::new(),
            }];
        }
        let mut found: Vec<DelayedZone<W>> = Vec::new();
        for (k, part) in self.alternatives.iter().enumerate() {
            let mut entry = zone.to_vec();
            if constrain(&mut entry, part, dim) {
                let link = Link {
                    alternative: k,
                    entered_by: None,
                };
                self.wait_in(&entry, &[link], dim, &mut found);
            }
        }
        found
    }

    fn wait_in(&self, entry: &[Bound<W>], chain: &[Link], dim: usize, found: &mut Vec<DelayedZone<W>>) {
        let Some(&Link { alternative: k, .. }) = chain.last() else {
            return;
        };
        let mut waited = entry.to_vec();
        dbm::up(&mut waited, dim);
        let mut reached = waited.clone();
        if constrain(&mut waited, &self.alternatives[k], dim) {
            if found.iter().any(|known| dbm::includes(&known.zone, &waited)) {
                return;
            }
            found.push(DelayedZone {
                zone: waited,
                chain: chain.to_vec(),
            });
        }
        if !constrain(
            &mut reached,
            &closed(&self.alternatives[k], BoundSide::Upper),
            dim,
        ) {
            return;
        }
        for (passing, link) in self.passings(&reached, k, chain, dim) {
            let mut longer = chain.to_vec();
            longer.push(link);
            self.wait_in(&passing, &longer, dim, found);
        }
    }

    /// The chains of alternatives that a delay from a zone can go through.
    pub(crate) fn every_chain(&self, zone: &[Bound<W>], dim: usize) -> Vec<Vec<Link>> {
        let mut chains: Vec<Vec<Link>> = Vec::new();
        for k in 0..self.alternatives.len() {
            let first = Link {
                alternative: k,
                entered_by: None,
            };
            self.lengthen(zone, &[first], dim, &mut chains);
        }
        chains.sort_by_key(Vec::len);
        chains
    }

    fn lengthen(&self, entry: &[Bound<W>], chain: &[Link], dim: usize, chains: &mut Vec<Vec<Link>>) {
        let Some(&Link { alternative: k, .. }) = chain.last() else {
            return;
        };
        chains.push(chain.to_vec());
        let mut reached = entry.to_vec();
        dbm::up(&mut reached, dim);
        if chains.len() > 256
            || !constrain(
                &mut reached,
                &closed(&self.alternatives[k], BoundSide::Upper),
                dim,
            )
        {
            return;
        }
        for (passing, link) in self.passings(&reached, k, chain, dim) {
            let mut longer = chain.to_vec();
            longer.push(link);
            self.lengthen(&passing, &longer, dim, chains);
        }
    }

    /// Where a delay in alternative `k` can pass on to another one: at the last instant of the one or the first of the other.
    fn passings(
        &self,
        reached: &[Bound<W>],
        k: usize,
        chain: &[Link],
        dim: usize,
    ) -> Vec<(Vec<Bound<W>>, Link)> {
        let mut found = Vec::new();
        for (m, next) in self.alternatives.iter().enumerate() {
            if chain.iter().any(|link| link.alternative == m) {
                continue;
            }
            for within in [k, m] {
                let mut passing = reached.to_vec();
                if constrain(&mut passing, &closed(next, BoundSide::Lower), dim)
                    && constrain(&mut passing, &self.alternatives[within], dim)
                {
                    let link = Link {
                        alternative: m,
                        entered_by: Some(within),
                    };
                    found.push((passing, link));
                }
            }
        }
        found
    }

    /// Conditions on the pieces of a delay along a chain, at the begin and at the end of each.
    pub fn pieces(&self, chain: &[Link]) -> Vec<Piece<W>> {
        if chain.is_empty() {
            let all = self.alternatives.first().cloned().unwrap_or_default();
            return vec![Piece {
                at_begin: all.clone(),
                at_end: all,
            }];
        }
        let mut pieces: Vec<Piece<W>> = Vec::with_capacity(chain.len());
        for link in chain {
            let own = &self.alternatives[link.alternative];
            let mut begin = own.clone();
            if let (Some(within), Some(last)) = (link.entered_by, pieces.last_mut()) {
                begin = closed(own, BoundSide::Lower);
                begin.extend_from_slice(&self.alternatives[within]);
                last.at_end = closed(&last.at_end, BoundSide::Upper);
            }
            pieces.push(Piece {
                at_begin: begin,
                at_end: own.clone(),
            });
        }
        pieces
    }
}

/// A zone after waiting.
#[derive(Clone, Debug)]
pub struct DelayedZone<W = i32> {
    /// The points.
    pub zone: Vec<Bound<W>>,
    /// The alternatives that were passed through; empty where there is only one.
    pub chain: Vec<Link>,
}

/// An alternative that a delay passes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    alternative: usize,
    /// The alternative that holds at the instant of entering it: this one or the one before.
    entered_by: Option<usize>,
}

/// Conditions while a piece of a delay passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece<W = i32> {
    /// When it begins.
    pub at_begin: Vec<Constraint<W>>,
    /// When it ends.
    pub at_end: Vec<Constraint<W>>,
}

/// The bounds from one side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BoundSide {
    Upper,
    Lower,
}

/// The part with its bounds from one side weakened: `x < c` to `x <= c`.
fn closed<W: Word>(part: &[Constraint<W>], edge: BoundSide) -> Vec<Constraint<W>> {
    let weakened = |c: &Constraint<W>| {
        let of_edge = match edge {
            BoundSide::Upper => c.right == 0,
            BoundSide::Lower => c.left == 0,
        };
        Constraint {
            bound: if of_edge {
                Bound::le(c.bound.constant())
            } else {
                c.bound
            },
            ..*c
        }
    };
    part.iter().map(weakened).collect()
}

fn constrain<W: Word>(zone: &mut [Bound<W>], part: &[Constraint<W>], dim: usize) -> bool {
    part.iter()
        .all(|c| dbm::constrain(zone, dim, c.left.into(), c.right.into(), c.bound))
}
