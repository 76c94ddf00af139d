//! Stored states: discrete parts once each, with the zones that they have been reached with.
//!
//! Discrete parts are written as bytes of variable length, since most cells hold small numbers. Zones are kept in the
//! narrowest integers that all of them fit into, without their diagonals; when one does not fit, all are widened. Zones of
//! retired states make room for new ones of the same size.

use crate::state::ZoneState;
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use zonewalk_search::{DepthStore, StateId, Store, Stored};
use zonewalk_zones::Bound;
use zonewalk_zones::packed::Narrow;

const NONE: u32 = u32::MAX;

/// What covers a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covering {
    /// A state with the same discrete part and a zone that includes its zone; what a new state covers is retired.
    Inclusion,
    /// The same, but nothing is retired: breadth first, every state is then met on a shortest path.
    KeepingInclusion,
    /// The same state.
    Equality,
}

/// A store of zone-graph states.
#[derive(Debug)]
pub struct ZoneStore {
    covering: Covering,
    /// Cells of the discrete part that are compared; what follows are `meta` variables.
    compared: usize,
    table: HashTable<u32>,
    discrete: Vec<Discrete>,
    keys: Vec<u8>,
    /// Sets of clocks that zones are over.
    frames: Vec<Vec<u32>>,
    frame_ids: FxHashMap<Vec<u32>, u32>,
    states: Vec<Entry>,
    /// Of each state, in searches that ask for it.
    depths: Vec<u32>,
    zones: Zones,
    stored: usize,
    key: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Discrete {
    /// Where its bytes begin.
    key: u64,
    /// How many of them are compared.
    length: u32,
    /// How many follow for `meta` variables.
    meta: u32,
    frame: u32,
    /// Its first state.
    head: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    discrete: u32,
    /// Where the zone is; [`NONE`] for retired states.
    zone: u32,
    /// The next state with the same discrete part.
    next: u32,
}

impl ZoneStore {
    /// An empty store for states of a network.
    pub fn new(network: &zonewalk_network::Network, covering: Covering) -> ZoneStore {
        ZoneStore {
            covering,
            compared: network.layout.state as usize,
            table: HashTable::new(),
            discrete: Vec::new(),
            keys: Vec::new(),
            frames: Vec::new(),
            frame_ids: FxHashMap::default(),
            states: Vec::new(),
            depths: Vec::new(),
            zones: Zones::new(),
            stored: 0,
            key: Vec::new(),
        }
    }

    /// How many different discrete parts there are.
    pub fn discrete_states(&self) -> usize {
        self.discrete.len()
    }

    fn bytes_of(&self, number: u32) -> &[u8] {
        let discrete = &self.discrete[number as usize];
        &self.keys[discrete.key as usize..discrete.key as usize + discrete.length as usize]
    }

    fn find(&self, key: &[u8], hash: u64) -> Option<u32> {
        self.table.find(hash, |&d| self.bytes_of(d) == key).copied()
    }

    /// The number of a discrete part, which is added if it is new.
    fn discrete(&mut self, state: &ZoneState) -> u32 {
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        encode(&state.discrete[..self.compared], &mut key);
        let hash = FxBuildHasher.hash_one(key.as_slice());
        let found = self.find(&key, hash).unwrap_or_else(|| {
            let frame = self.frame(&state.clocks);
            let number = self.discrete.len() as u32;
            let start = self.keys.len();
            self.keys.extend_from_slice(&key);
            let length = key.len() as u32;
            encode(&state.discrete[self.compared..], &mut self.keys);
            self.discrete.push(Discrete {
                key: start as u64,
                length,
                meta: (self.keys.len() - start) as u32 - length,
                frame,
                head: NONE,
            });
            let (discrete, keys) = (&self.discrete, &self.keys);
            self.table.insert_unique(hash, number, |&d| {
                let d = &discrete[d as usize];
                FxBuildHasher.hash_one(&keys[d.key as usize..d.key as usize + d.length as usize])
            });
            number
        });
        self.key = key;
        found
    }

    fn frame(&mut self, clocks: &[u32]) -> u32 {
        if let Some(&frame) = self.frame_ids.get(clocks) {
            return frame;
        }
        let frame = self.frames.len() as u32;
        self.frames.push(clocks.to_vec());
        self.frame_ids.insert(clocks.to_vec(), frame);
        frame
    }

    /// Stores a state unless it is covered. Where a depth is given, states that are deeper cover nothing, and those that
    /// are less deep are not retired.
    fn put(&mut self, state: &ZoneState, depth: Option<u32>) -> Stored {
        let discrete = self.discrete(state);
        self.zones.prepare(&state.zone, state.dim());
        let is_equality = self.covering == Covering::Equality;
        let mut previous = NONE;
        let mut at = self.discrete[discrete as usize].head;
        while at != NONE {
            let entry = self.states[at as usize];
            let relation = self.zones.compare(entry.zone);
            let other = depth.map(|depth| (self.depths[at as usize], depth));
            let may_cover = other.is_none_or(|(other, depth)| other <= depth);
            if may_cover && relation.covers && (relation.is_covered || !is_equality) {
                return Stored::Covered(StateId(at));
            }
            let may_retire = match other {
                Some((other, depth)) => other >= depth && (relation.covers || !is_equality),
                None => self.covering == Covering::Inclusion,
            };
            if relation.is_covered && may_retire {
                self.zones.free(entry.zone);
                self.states[at as usize].zone = NONE;
                self.stored -= 1;
                match previous {
                    NONE => self.discrete[discrete as usize].head = entry.next,
                    previous => self.states[previous as usize].next = entry.next,
                }
            } else {
                previous = at;
            }
            at = entry.next;
        }
        let id = self.states.len() as u32;
        let zone = self.zones.store();
        self.states.push(Entry {
            discrete,
            zone,
            next: std::mem::replace(&mut self.discrete[discrete as usize].head, id),
        });
        self.depths.extend(depth);
        self.stored += 1;
        Stored::New(StateId(id))
    }

    fn find_covering(&self, state: &ZoneState, may_cover: impl Fn(u32) -> bool) -> Option<StateId> {
        let mut key = Vec::new();
        encode(&state.discrete[..self.compared], &mut key);
        let hash = FxBuildHasher.hash_one(key.as_slice());
        let mut at = self.discrete[self.find(&key, hash)? as usize].head;
        let looked_for = self.zones.packed(&state.zone, state.dim());
        while at != NONE {
            let entry = self.states[at as usize];
            let relation = self
                .zones
                .relation(entry.zone, &looked_for, &state.zone, state.dim());
            let covers = relation.covers && (relation.is_covered || self.covering != Covering::Equality);
            if covers && may_cover(at) {
                return Some(StateId(at));
            }
            at = entry.next;
        }
        None
    }
}

impl Store for ZoneStore {
    type State = ZoneState;

    fn insert(&mut self, state: &ZoneState) -> Stored {
        self.put(state, None)
    }

    fn covering(&self, state: &ZoneState) -> Option<StateId> {
        self.find_covering(state, |_| true)
    }

    fn load(&self, id: StateId, into: &mut ZoneState) {
        let entry = self.states[id.index()];
        let discrete = &self.discrete[entry.discrete as usize];
        let length = discrete.length as usize + discrete.meta as usize;
        into.discrete.clear();
        decode(
            &self.keys[discrete.key as usize..discrete.key as usize + length],
            &mut into.discrete,
        );
        into.clocks.clone_from(&self.frames[discrete.frame as usize]);
        let dim = into.dim();
        self.zones.load(entry.zone, dim, &mut into.zone);
    }

    fn is_alive(&self, id: StateId) -> bool {
        self.states.get(id.index()).is_some_and(|e| e.zone != NONE)
    }

    fn stored(&self) -> usize {
        self.stored
    }

    fn bytes(&self) -> usize {
        self.table.allocation_size()
            + self.discrete.capacity() * size_of::<Discrete>()
            + self.keys.capacity()
            + self.states.capacity() * size_of::<Entry>()
            + self.depths.capacity() * size_of::<u32>()
            + self.zones.bytes()
    }
}

impl DepthStore for ZoneStore {
    fn insert_at(&mut self, state: &ZoneState, depth: u32) -> Stored {
        self.put(state, Some(depth))
    }

    fn covering_at(&self, state: &ZoneState, depth: u32) -> Option<StateId> {
        self.find_covering(state, |at| {
            self.depths.get(at as usize).is_none_or(|&d| d <= depth)
        })
    }
}

/// How a stored zone compares with another.
#[derive(Clone, Copy)]
struct Relation {
    covers: bool,
    is_covered: bool,
}

/// Zones without their diagonals, in integers of one width.
#[derive(Debug)]
struct Zones {
    cells: Cells,
    /// By number of cells: places of that size that are free.
    free: Vec<Vec<u32>>,
    /// The zone that is being looked up.
    size: usize,
}

#[derive(Debug)]
enum Cells {
    I8(Arena<i8>),
    I16(Arena<i16>),
    I32(Arena<i32>),
}

#[derive(Debug)]
struct Arena<N> {
    cells: Vec<N>,
    current: Vec<N>,
}

/// The same for each width.
macro_rules! each {
    ($cells:expr, $arena:ident => $body:expr) => {
        match $cells {
            Cells::I8($arena) => $body,
            Cells::I16($arena) => $body,
            Cells::I32($arena) => $body,
        }
    };
}

impl Zones {
    fn new() -> Zones {
        Zones {
            cells: Cells::I8(Arena {
                cells: Vec::new(),
                current: Vec::new(),
            }),
            free: Vec::new(),
            size: 0,
        }
    }

    /// Packs the zone that is looked up next, after widening if it does not fit.
    fn prepare(&mut self, zone: &[Bound], dim: usize) {
        self.size = dim * (dim - 1);
        loop {
            let fits = each!(&mut self.cells, arena => arena.prepare(zone, dim));
            if fits {
                return;
            }
            self.cells = match &self.cells {
                Cells::I8(arena) => Cells::I16(arena.widened()),
                Cells::I16(arena) => Cells::I32(arena.widened()),
                Cells::I32(_) => return,
            };
        }
    }

    #[inline]
    fn compare(&self, at: u32) -> Relation {
        each!(&self.cells, arena => arena.relation(at as usize, &arena.current))
    }

    /// A zone as those here are stored; `None` when it does not fit.
    fn packed(&self, zone: &[Bound], dim: usize) -> Option<Cells> {
        fn pack<N: Narrow>(zone: &[Bound], dim: usize, wrap: fn(Arena<N>) -> Cells) -> Option<Cells> {
            let mut arena = Arena {
                cells: Vec::new(),
                current: Vec::new(),
            };
            arena.prepare(zone, dim).then(|| wrap(arena))
        }
        match &self.cells {
            Cells::I8(_) => pack(zone, dim, Cells::I8),
            Cells::I16(_) => pack(zone, dim, Cells::I16),
            Cells::I32(_) => pack(zone, dim, Cells::I32),
        }
    }

    fn relation(&self, at: u32, packed: &Option<Cells>, zone: &[Bound], dim: usize) -> Relation {
        let at = at as usize;
        match (&self.cells, packed) {
            (Cells::I8(mine), Some(Cells::I8(other))) => mine.relation(at, &other.current),
            (Cells::I16(mine), Some(Cells::I16(other))) => mine.relation(at, &other.current),
            (Cells::I32(mine), Some(Cells::I32(other))) => mine.relation(at, &other.current),
            // A zone that is wider than all that are stored may be included in one without bounds.
            _ => each!(&self.cells, arena => {
                let stored = arena.cells[at..at + dim * (dim - 1)].iter();
                let gaps = (0..dim - 1).flat_map(|gap| &zone[gap * (dim + 1) + 1..(gap + 1) * (dim + 1)]);
                let covers = stored.zip(gaps).all(|(mine, other)| *other <= mine.to_bound());
                Relation { covers, is_covered: false }
            }),
        }
    }

    /// Stores the zone that was looked up.
    fn store(&mut self) -> u32 {
        let size = self.size;
        if size == 0 {
            return 0;
        }
        if let Some(at) = self.free.get_mut(size).and_then(Vec::pop) {
            each!(&mut self.cells, arena => {
                let Arena { cells, current } = arena;
                cells[at as usize..at as usize + size].copy_from_slice(current);
            });
            return at;
        }
        each!(&mut self.cells, arena => {
            let at = arena.cells.len() as u32;
            let Arena { cells, current } = arena;
            cells.extend_from_slice(current);
            at
        })
    }

    fn free(&mut self, at: u32) {
        if self.size == 0 {
            return;
        }
        if self.free.len() <= self.size {
            self.free.resize(self.size + 1, Vec::new());
        }
        self.free[self.size].push(at);
    }

    fn load(&self, at: u32, dim: usize, into: &mut Vec<Bound>) {
        into.clear();
        into.resize(dim * dim, Bound::LE_ZERO);
        let size = dim * (dim - 1);
        each!(&self.cells, arena => {
            let cells = &arena.cells[at as usize..at as usize + size];
            // Between two entries of the diagonal there are as many others as the zone has dimensions.
            for (gap, stretch) in cells.chunks_exact(dim.max(1)).enumerate() {
                let start = gap * (dim + 1) + 1;
                for (entry, packed) in into[start..start + dim].iter_mut().zip(stretch) {
                    *entry = packed.to_bound();
                }
            }
        });
    }

    fn bytes(&self) -> usize {
        let free: usize = self.free.iter().map(|list| list.capacity() * 4).sum();
        free + each!(&self.cells, arena => size_of_val(arena.cells.as_slice()).max(arena.cells.capacity() * arena.width()))
    }
}

impl<N: Narrow> Arena<N> {
    fn width(&self) -> usize {
        size_of::<N>()
    }

    /// Packs a zone; false when it does not fit.
    fn prepare(&mut self, zone: &[Bound], dim: usize) -> bool {
        self.current.clear();
        if !N::fits(zonewalk_zones::dbm::magnitude(zone)) {
            return false;
        }
        for gap in 0..dim - 1 {
            let start = gap * (dim + 1) + 1;
            self.current
                .extend(zone[start..start + dim].iter().map(|b| N::from_bound(*b)));
        }
        true
    }

    fn widened<W: Narrow>(&self) -> Arena<W> {
        Arena {
            cells: self.cells.iter().map(|n| W::from_bound(n.to_bound())).collect(),
            current: Vec::new(),
        }
    }

    #[inline]
    fn relation(&self, at: usize, other: &[N]) -> Relation {
        let stored = &self.cells[at..at + other.len()];
        Relation {
            covers: N::includes(stored, other),
            is_covered: N::includes(other, stored),
        }
    }
}

/// Appends numbers, each in as many bytes as it needs: seven bits a byte, the sign in the lowest one.
fn encode(cells: &[i32], into: &mut Vec<u8>) {
    for &cell in cells {
        let mut rest = (cell << 1 ^ cell >> 31) as u32;
        while rest >= 0x80 {
            into.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        into.push(rest as u8);
    }
}

/// The inverse of [`encode`].
fn decode(bytes: &[u8], into: &mut Vec<i32>) {
    let (mut value, mut shift) = (0u32, 0);
    for &byte in bytes {
        value |= u32::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            into.push((value >> 1) as i32 ^ -((value & 1) as i32));
            (value, shift) = (0, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_encoding() {
        let numbers = [0, 1, -1, 63, 64, -64, -65, 8191, 8192, i32::MAX, i32::MIN];
        let (mut bytes, mut back) = (Vec::new(), Vec::new());
        encode(&numbers, &mut bytes);
        decode(&bytes, &mut back);
        assert_eq!(back, numbers);
        bytes.clear();
        encode(&[-64, 63], &mut bytes);
        assert_eq!(bytes.len(), 2);
    }
}
