//! Abstract states with their distances, to be looked up by concrete ones.

use crate::estimate::Estimate;
use rustc_hash::FxHashMap;
use zonewalk_network::ids::ClockId;
use zonewalk_product::Pattern;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_zones::{Bound, Word, dbm};

/// The abstract states of a projection.
#[derive(Clone, Debug)]
pub(super) struct Table<W> {
    /// The cells that are kept.
    cells: Vec<u32>,
    groups: FxHashMap<Box<[i32]>, Group>,
    zones: Vec<Bound<W>>,
}

/// The abstract states with the same discrete part.
#[derive(Clone, Debug, Default)]
struct Group {
    clocks: Vec<ClockId>,
    /// Distances, the largest first, with the numbers of the zones.
    entries: Vec<(Estimate, u32)>,
}

/// Room to work in.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch<W> {
    key: Vec<i32>,
    places: Vec<usize>,
    zone: Vec<Bound<W>>,
    meet: Vec<Bound<W>>,
}

impl<W: Word> Table<W> {
    pub(super) fn new(pattern: &Pattern) -> Table<W> {
        Table {
            cells: pattern.cells().collect(),
            groups: FxHashMap::default(),
            zones: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, state: &ZoneState<W>, distance: Estimate) {
        let key: Box<[i32]> = self
            .cells
            .iter()
            .map(|&cell| state.discrete[cell as usize])
            .collect();
        let group = self.groups.entry(key).or_insert_with(|| Group {
            clocks: state.clocks.clone(),
            entries: Vec::new(),
        });
        group.entries.push((distance, self.zones.len() as u32));
        self.zones.extend_from_slice(&state.zone);
    }

    /// Puts the entries in order and drops those that say nothing: a zone in a larger one of the same distance.
    pub(super) fn finish(&mut self) {
        let mut zones = Vec::new();
        // The order of the groups shows in the places of their zones alone.
        #[allow(clippy::iter_over_hash_type)]
        for group in self.groups.values_mut() {
            let size = (group.clocks.len() + 1).pow(2);
            let zone = |at: u32| &self.zones[at as usize..at as usize + size];
            group.entries.sort_by_key(|entry| std::cmp::Reverse(entry.0));
            let mut kept: Vec<(Estimate, u32)> = Vec::with_capacity(group.entries.len());
            for same in group.entries.chunk_by(|a, b| a.0 == b.0) {
                let start = kept.len();
                for &(distance, at) in same {
                    let is_known = kept[start..].iter().any(|k| dbm::includes(zone(k.1), zone(at)));
                    if !is_known {
                        // Order among equals does not matter.
                        let mut next = start;
                        while let Some(entry) = kept.get(next) {
                            if dbm::includes(zone(at), zone(entry.1)) {
                                kept.swap_remove(next);
                            } else {
                                next += 1;
                            }
                        }
                        kept.push((distance, at));
                    }
                }
            }
            for entry in &mut kept {
                let start = zones.len() as u32;
                zones.extend_from_slice(zone(entry.1));
                entry.1 = start;
            }
            kept.shrink_to_fit();
            group.entries = kept;
        }
        zones.shrink_to_fit();
        self.zones = zones;
    }

    /// The estimate for the points of a state. A point's distance is at least that of every abstract zone that holds it; and
    /// every point that can be reached lies in some abstract zone. `None` if no abstract state fits.
    pub(super) fn get(&self, state: &ZoneState<W>, scratch: &mut Scratch<W>) -> Option<Estimate> {
        scratch.key.clear();
        scratch
            .key
            .extend(self.cells.iter().map(|&cell| state.discrete[cell as usize]));
        let group = self.groups.get(scratch.key.as_slice())?;
        if group.clocks.is_empty() {
            return group.entries.first().map(|entry| entry.0);
        }
        let dim = group.clocks.len() + 1;
        scratch.project(state, &group.clocks);
        let zone = |at: u32| &self.zones[at as usize..at as usize + dim * dim];
        let Scratch {
            zone: points, meet, ..
        } = scratch;
        let mut all = group.entries.iter();
        if let Some(entry) = all.find(|entry| dbm::includes(zone(entry.1), points)) {
            return Some(entry.0);
        }
        let mut all = group.entries.iter().rev();
        all.find(|entry| dbm::intersects(zone(entry.1), points, dim, meet))
            .map(|entry| entry.0)
    }

    pub(super) fn bytes(&self) -> usize {
        let groups = self.groups.values();
        let entries: usize = groups.map(|g| g.entries.len() * 12 + g.clocks.len() * 4).sum();
        size_of_val(self.zones.as_slice())
            + entries
            + self.groups.len() * (size_of::<Group>() + 16 + 4 * self.cells.len())
    }
}

impl<W: Word> Scratch<W> {
    /// The points of a state as far as some clocks are concerned. A clock that does not matter in the state may have any value.
    fn project(&mut self, state: &ZoneState<W>, clocks: &[ClockId]) {
        let (dim, whole) = (clocks.len() + 1, state.dim());
        self.places.clear();
        self.places.push(0);
        for clock in clocks {
            let place = state.clocks.binary_search(clock);
            self.places.push(place.map_or(usize::MAX, |at| at + 1));
        }
        self.zone.clear();
        for (i, &row) in self.places.iter().enumerate() {
            for (j, &column) in self.places.iter().enumerate() {
                self.zone.push(match (row, column) {
                    _ if i == j => Bound::LE_ZERO,
                    (usize::MAX, _) => Bound::INFINITY,
                    // No clock is negative.
                    (_, usize::MAX) => state.zone[row * whole],
                    _ => state.zone[row * whole + column],
                });
            }
        }
        debug_assert!(dbm::is_closed(&self.zone, dim));
    }
}
