//! Configurations of an instant, with their zones.

use crate::state::ZoneState;
use crate::sweep::rigid::{Key, Rigid, unfold};
use crate::sweep::{Merging, Progress};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use zonewalk_network::ids::ClockId;
use zonewalk_zones::{Bound, Word, dbm};

/// A zone over the rigid classes of its configuration.
pub(crate) type Small<W> = Box<[Bound<W>]>;

struct Configuration<W> {
    discrete: Box<[i32]>,
    clocks: Box<[ClockId]>,
    places: Box<[(u32, i64)]>,
    /// Length of the longest known way from the instant.
    rank: u32,
    waiting: Vec<Small<W>>,
    /// Those whose successors are known.
    expanded: Vec<Small<W>>,
}

/// Configurations, those first that are fewer steps away from the instant.
pub(crate) struct Configurations<W> {
    by_key: FxHashMap<Key, usize>,
    list: Vec<Configuration<W>>,
    queue: BTreeSet<(u32, usize)>,
    zones: usize,
    /// Bytes of all zones and configurations, until everything is forgotten.
    bytes: usize,
    /// The union of two zones.
    joined: Vec<Bound<W>>,
}

impl<W> Default for Configurations<W> {
    fn default() -> Self {
        Configurations {
            by_key: FxHashMap::default(),
            list: Vec::new(),
            queue: BTreeSet::new(),
            zones: 0,
            bytes: 0,
            joined: Vec::new(),
        }
    }
}

impl<W: Word> Configurations<W> {
    /// Number of zones.
    pub(crate) fn zones(&self) -> usize {
        self.zones
    }

    /// Memory, at most.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The configuration that is expanded next.
    pub(crate) fn next(&mut self) -> Option<usize> {
        self.queue.pop_first().map(|(_, number)| number)
    }

    pub(crate) fn rank(&self, number: usize) -> u32 {
        self.list[number].rank
    }

    /// Takes the zones that wait.
    pub(crate) fn take(&mut self, number: usize) -> Vec<Small<W>> {
        std::mem::take(&mut self.list[number].waiting)
    }

    /// The state of a configuration with a zone.
    pub(crate) fn load(&self, number: usize, zone: &[Bound<W>], state: &mut ZoneState<W>) {
        let configuration = &self.list[number];
        state.discrete.clear();
        state.discrete.extend_from_slice(&configuration.discrete);
        state.clocks.clear();
        state.clocks.extend_from_slice(&configuration.clocks);
        unfold(&configuration.places, zone, &mut state.zone);
    }

    /// Adds a zone unless it is known.
    pub(crate) fn insert(
        &mut self,
        key: Key,
        state: &ZoneState<W>,
        rigid: Rigid<W>,
        rank: u32,
        merging: Merging,
        progress: &mut Progress,
    ) {
        let Rigid { places, zone } = rigid;
        let number = *self.by_key.entry(key).or_insert_with(|| {
            progress.configurations += 1;
            // The key has the discrete part and the places a second time.
            let parts = (size_of_val(&*state.discrete), size_of_val(&*places));
            self.bytes +=
                2 * (parts.0 + parts.1) + size_of_val(&*state.clocks) + size_of::<Configuration<W>>();
            self.list.push(Configuration {
                discrete: state.discrete.as_slice().into(),
                clocks: state.clocks.as_slice().into(),
                places,
                rank,
                waiting: Vec::new(),
                expanded: Vec::new(),
            });
            self.list.len() - 1
        });
        let place = &mut self.list[number];
        let includes = |known: &Small<W>| dbm::includes(known, &zone);
        if place.expanded.iter().any(includes) || place.waiting.iter().any(includes) {
            progress.covered += 1;
            return;
        }
        self.bytes += size_of_val(&*zone);
        let was_queued = !place.waiting.is_empty();
        let before = place.waiting.len();
        join(zone, &mut place.waiting, &mut self.joined, progress);
        while place.waiting.len() > merging.most.max(1) {
            let Some(zone) = place.waiting.pop() else { break };
            let nearest = (0..place.waiting.len()).min_by_key(|&at| growth(&place.waiting[at], &zone));
            let other = place.waiting.swap_remove(nearest.unwrap_or(0));
            dbm::hull(&zone, &other, &mut self.joined);
            progress.hulls += 1;
            let hull = self.joined.as_slice().into();
            join(hull, &mut place.waiting, &mut self.joined, progress);
        }
        self.zones = self.zones + place.waiting.len() - before;
        if was_queued && rank > place.rank {
            self.queue.remove(&(place.rank, number));
        }
        place.rank = place.rank.max(rank);
        self.queue.insert((place.rank, number));
    }

    /// Keeps a zone whose successors are known.
    pub(crate) fn keep(&mut self, number: usize, zone: Small<W>, progress: &mut Progress) {
        let place = &mut self.list[number];
        let before = place.expanded.len();
        join(zone, &mut place.expanded, &mut self.joined, progress);
        self.zones = self.zones + place.expanded.len() - before - 1;
    }
}

/// Adds a zone to a list without loss: what it includes goes, and where its union with another one is a zone, that takes the place of
/// both.
fn join<W: Word>(
    mut zone: Small<W>,
    list: &mut Vec<Small<W>>,
    joined: &mut Vec<Bound<W>>,
    progress: &mut Progress,
) {
    let dim = zone.len().isqrt();
    'again: loop {
        list.retain(|known| !dbm::includes(&zone, known));
        for at in 0..list.len() {
            if dbm::is_union_convex(&list[at], &zone, dim, joined) {
                progress.joined += 1;
                list.swap_remove(at);
                zone = joined.as_slice().into();
                continue 'again;
            }
        }
        list.push(zone);
        return;
    }
}

/// By how much both zones are smaller than their hull.
fn growth<W: Word>(a: &[Bound<W>], b: &[Bound<W>]) -> i64 {
    let both = a.iter().zip(b);
    both.map(|(a, b)| {
        let (a, b): (i64, i64) = (a.raw().into(), b.raw().into());
        (a - b).abs()
    })
    .fold(0, i64::saturating_add)
}

/// States at instants that few states lead to.
pub(crate) struct Kept<W> {
    by_key: FxHashMap<Key, Vec<Small<W>>>,
    bytes: usize,
}

impl<W> Default for Kept<W> {
    fn default() -> Self {
        Kept {
            by_key: FxHashMap::default(),
            bytes: 0,
        }
    }
}

impl<W: Word> Kept<W> {
    /// Memory, about.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Removes the waiting zones that are known, and keeps the others; their number.
    pub(crate) fn cover(&mut self, here: &mut Configurations<W>) -> u64 {
        let mut covered = 0;
        for place in &mut here.list {
            let key = Key::new(&place.discrete, &place.places);
            let known = self.by_key.entry(key).or_default();
            let before = place.waiting.len();
            place
                .waiting
                .retain(|zone| !known.iter().any(|other| dbm::includes(other, zone)));
            covered += (before - place.waiting.len()) as u64;
            here.zones -= before - place.waiting.len();
            self.bytes += size_of_val(&*place.discrete) + size_of_val(&*place.places);
            self.bytes += place
                .waiting
                .iter()
                .map(|zone| size_of_val(&**zone))
                .sum::<usize>();
            known.extend(place.waiting.iter().cloned());
        }
        covered
    }
}
