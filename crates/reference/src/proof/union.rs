//! Finite unions of convex sets of clock values: the regions of proofs.

use crate::proof::zone::Zone;
use crate::region::Region;
use std::sync::Arc;

/// A union of convex sets, which need not be disjoint. Copies share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Union(pub Vec<Arc<Zone>>);

impl Union {
    pub(crate) fn of(zone: Zone) -> Self {
        Union(vec![Arc::new(zone)])
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<Zone>> {
        self.0.iter()
    }

    fn without(self, taken: &Zone) -> Self {
        let mut left = Vec::with_capacity(self.0.len());
        for zone in self.0 {
            if zone.is_apart(taken) {
                left.push(zone);
            } else if !taken.includes(&zone) {
                left.extend(zone.minus(taken).into_iter().map(Arc::new));
            }
        }
        Union(left)
    }
}

impl Region for Union {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn and(&self, other: &Self) -> Self {
        let mut both = Vec::new();
        for a in &self.0 {
            for b in &other.0 {
                if Arc::ptr_eq(a, b) || b.includes(a) {
                    both.push(Arc::clone(a));
                } else if a.includes(b) {
                    both.push(Arc::clone(b));
                } else {
                    both.extend(a.meet(b).map(Arc::new));
                }
            }
        }
        Union(both)
    }

    fn or(&self, other: &Self) -> Self {
        let mut any = self.clone();
        for zone in &other.0 {
            if !any.0.iter().any(|known| Arc::ptr_eq(known, zone)) {
                any.0.push(Arc::clone(zone));
            }
        }
        any
    }

    fn minus(&self, other: &Self) -> Self {
        other
            .0
            .iter()
            .fold(self.clone(), |left, taken| left.without(taken))
    }
}

impl FromIterator<Zone> for Union {
    fn from_iter<I: IntoIterator<Item = Zone>>(zones: I) -> Self {
        Union(zones.into_iter().map(Arc::new).collect())
    }
}
