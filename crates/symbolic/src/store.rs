//! Stored states: discrete parts once each, with the zones that they have been reached with.
//!
//! Discrete parts are written as bytes of variable length, since most cells hold small numbers. Zones are kept in the
//! narrowest integers that all of them fit into, without their diagonals; when one does not fit, all are widened. Zones of
//! retired states make room for new ones of the same size.

mod numbers;
mod signature;
mod zones;

use crate::sown::Bug;
use crate::state::ZoneState;
use hashbrown::HashTable;
use numbers::{decode, encode};
use rustc_hash::{FxBuildHasher, FxHashMap};
use signature::{Signature, Signatures, Signer};
use std::hash::BuildHasher;
use std::marker::PhantomData;
use zones::{Relation, Zones};
use zonewalk_network::ids::ClockId;
use zonewalk_search::{DepthStore, StateId, Store, Stored};
use zonewalk_zones::{Bound, Word};

const NONE: u32 = u32::MAX;

/// Relation by which a state covers another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covering {
    /// A state with the same discrete part and a zone that includes its zone; what a new state covers is retired.
    Inclusion,
    /// A state with the same discrete part and a zone that includes its zone, and nothing is retired.
    Kept,
    /// Equal states only.
    Equality,
}

/// A store of zone-graph states.
#[derive(Debug)]
pub struct ZoneStore<W = i32> {
    covering: Covering,
    /// Cells of the discrete part that are compared; what follows are `meta` variables (`semantics.md` 18).
    compared: usize,
    table: HashTable<u32>,
    discrete: Vec<Discrete>,
    keys: Vec<u8>,
    /// Sets of clocks that zones are over.
    frames: Vec<Vec<ClockId>>,
    frame_ids: FxHashMap<Vec<ClockId>, u32>,
    states: Vec<Entry>,
    /// The `meta` variables of each state, one after the other: they belong to the way to it.
    meta: Vec<i32>,
    /// How many they are.
    meta_cells: usize,
    /// Depth of each state, in searches that ask for it.
    depths: Vec<u32>,
    zones: Zones,
    width: PhantomData<W>,
    indexes: Vec<Index>,
    index_bytes: usize,
    /// Made with the first index.
    signer: Option<Signer>,
    stored: usize,
    /// Nodes that a deeper one covered.
    reopened: u64,
    key: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Discrete {
    /// Where its bytes begin.
    key: u64,
    /// How many of them are compared.
    length: u32,
    frame: u32,
    /// Its first state; with many of them, the number of their index.
    head: u32,
    is_indexed: bool,
}

/// A discrete part with more states than this has an index.
const FEW: u32 = 8;

/// The states of a discrete part, with the signatures of their zones side by side.
#[derive(Debug, Default)]
struct Index {
    signatures: Signatures,
    states: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    discrete: u32,
    /// Where the zone is; [`NONE`] for retired states.
    zone: u32,
    /// The next state with the same discrete part.
    next: u32,
}

impl<W: Word> ZoneStore<W> {
    /// An empty store for states of a network.
    pub fn new(network: &zonewalk_network::Network, covering: Covering) -> ZoneStore<W> {
        ZoneStore {
            covering,
            compared: network.layout.state as usize,
            table: HashTable::new(),
            discrete: Vec::new(),
            keys: Vec::new(),
            frames: Vec::new(),
            frame_ids: FxHashMap::default(),
            states: Vec::new(),
            meta: Vec::new(),
            meta_cells: (network.layout.meta - network.layout.state) as usize,
            depths: Vec::new(),
            zones: Zones::new(),
            width: PhantomData,
            indexes: Vec::new(),
            index_bytes: 0,
            signer: None,
            stored: 0,
            reopened: 0,
            key: Vec::new(),
        }
    }

    /// How many different discrete parts there are.
    pub fn discrete_states(&self) -> usize {
        self.discrete.len()
    }

    /// The states that are kept, in the order in which they were stored.
    pub fn ids(&self) -> impl Iterator<Item = StateId> + '_ {
        let kept = self
            .states
            .iter()
            .zip(0..)
            .filter(|(entry, _)| entry.zone != NONE);
        kept.map(|(_, id)| StateId(id))
    }

    /// Depth of a state, where the search asked for it.
    pub fn depth(&self, id: StateId) -> Option<u32> {
        self.depths.get(id.index()).copied()
    }

    fn key_of(&self, number: u32) -> &[u8] {
        let discrete = &self.discrete[number as usize];
        &self.keys[discrete.key as usize..discrete.key as usize + discrete.length as usize]
    }

    fn find(&self, key: &[u8], hash: u64) -> Option<u32> {
        self.table.find(hash, |&d| self.key_of(d) == key).copied()
    }

    /// The number of a discrete part, which is added if it is new.
    fn discrete(&mut self, state: &ZoneState<W>) -> u32 {
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
            self.discrete.push(Discrete {
                key: start as u64,
                length,
                frame,
                head: NONE,
                is_indexed: false,
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

    fn frame(&mut self, clocks: &[ClockId]) -> u32 {
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
    fn put(&mut self, state: &ZoneState<W>, depth: Option<u32>) -> Stored {
        let discrete = self.discrete(state);
        self.zones.prepare(&state.zone, state.dim());
        if self.discrete[discrete as usize].is_indexed {
            return self.put_into_index(discrete, state, depth);
        }
        let mut previous = NONE;
        let mut at = self.discrete[discrete as usize].head;
        let mut count = 0;
        let mut is_reopened = false;
        while at != NONE {
            let entry = self.states[at as usize];
            let relation = self.zones.compare(entry.zone);
            if self.covers(at, relation, depth) {
                return Stored::Covered(StateId(at));
            }
            is_reopened |= self.would_cover(relation);
            if self.is_retired(at, relation, depth) {
                self.retire(at);
                match previous {
                    NONE => self.discrete[discrete as usize].head = entry.next,
                    previous => self.states[previous as usize].next = entry.next,
                }
            } else {
                previous = at;
                count += 1;
            }
            at = entry.next;
        }
        self.reopened += u64::from(is_reopened);
        let next = self.discrete[discrete as usize].head;
        let id = self.add(discrete, next, state, depth);
        self.discrete[discrete as usize].head = id;
        if count >= FEW {
            self.make_index(discrete, state.dim());
        }
        Stored::New(StateId(id))
    }

    /// Indexes a discrete part with many states: most are passed over by a look at their signatures.
    fn put_into_index(&mut self, discrete: u32, state: &ZoneState<W>, depth: Option<u32>) -> Stored {
        let number = self.discrete[discrete as usize].head as usize;
        let signature = self.sign(&state.zone, state.dim());
        let mut index = std::mem::take(&mut self.indexes[number]);
        let mut at = 0;
        let mut is_reopened = false;
        while let Some(near) = index.signatures.near(signature, at) {
            at = near;
            let other = index.signatures.get(at);
            let (may_cover, may_be_covered) = (other.may_include(signature), signature.may_include(other));
            let id = index.states[at];
            let zone = self.states[id as usize].zone;
            let relation = self.zones.compare_as_told(zone, may_cover, may_be_covered);
            if self.covers(id, relation, depth) {
                // What covers once covers again: it moves halfway to the front.
                index.states.swap(at, at / 2);
                index.signatures.swap(at, at / 2);
                self.indexes[number] = index;
                return Stored::Covered(StateId(id));
            }
            is_reopened |= self.would_cover(relation);
            if self.is_retired(id, relation, depth) {
                self.retire(id);
                index.states.swap_remove(at);
                index.signatures.swap_remove(at);
                continue;
            }
            at += 1;
        }
        self.reopened += u64::from(is_reopened);
        let id = self.add(discrete, NONE, state, depth);
        self.index_bytes -= index.bytes();
        index.states.push(id);
        index.signatures.push(signature);
        self.index_bytes += index.bytes();
        self.indexes[number] = index;
        Stored::New(StateId(id))
    }

    /// Whether a stored state covers the new one.
    fn covers(&self, id: u32, relation: Relation, depth: Option<u32>) -> bool {
        let is_no_deeper = depth.is_none_or(|depth| self.depths[id as usize] <= depth);
        is_no_deeper && self.would_cover(relation)
    }

    /// Whether a stored state covers the new one but for its depth.
    fn would_cover(&self, relation: Relation) -> bool {
        let covers = relation.covers || Bug::Covering.is_sown() && relation.is_covered;
        covers && (relation.is_covered || self.covering != Covering::Equality)
    }

    /// Whether a stored state is not needed beside the new one.
    fn is_retired(&self, id: u32, relation: Relation, depth: Option<u32>) -> bool {
        relation.is_covered
            && match depth {
                Some(depth) => {
                    self.depths[id as usize] >= depth
                        && (relation.covers || self.covering != Covering::Equality)
                }
                None => self.covering == Covering::Inclusion,
            }
    }

    fn retire(&mut self, id: u32) {
        let entry = &mut self.states[id as usize];
        let zone = std::mem::replace(&mut entry.zone, NONE);
        self.zones.free(zone);
        self.stored -= 1;
    }

    fn add(&mut self, discrete: u32, next: u32, state: &ZoneState<W>, depth: Option<u32>) -> u32 {
        let id = self.states.len() as u32;
        let zone = self.zones.store();
        self.states.push(Entry { discrete, zone, next });
        self.meta.extend_from_slice(&state.discrete[self.compared..]);
        self.depths.extend(depth);
        self.stored += 1;
        id
    }

    fn sign(&mut self, zone: &[Bound<W>], dim: usize) -> Signature {
        let signer = self
            .signer
            .get_or_insert_with(|| Signer::new(zonewalk_zones::dbm::magnitude(zone).into()));
        signer.prepare(dim);
        signer.sign(zone, dim)
    }

    fn make_index(&mut self, discrete: u32, dim: usize) {
        let mut index = Index::default();
        let mut zone = Vec::new();
        let mut at = self.discrete[discrete as usize].head;
        while at != NONE {
            let entry = self.states[at as usize];
            self.zones.load(entry.zone, dim, &mut zone);
            index.signatures.push(self.sign(&zone, dim));
            index.states.push(at);
            at = entry.next;
        }
        self.index_bytes += index.bytes();
        let place = &mut self.discrete[discrete as usize];
        (place.head, place.is_indexed) = (self.indexes.len() as u32, true);
        self.indexes.push(index);
    }

    fn find_covering(&self, state: &ZoneState<W>, may_cover: impl Fn(u32) -> bool) -> Option<StateId> {
        let mut key = Vec::new();
        encode(&state.discrete[..self.compared], &mut key);
        let hash = FxBuildHasher.hash_one(key.as_slice());
        let place = &self.discrete[self.find(&key, hash)? as usize];
        let packed = self.zones.packed(&state.zone, state.dim());
        let covers = |&at: &u32| {
            let zone = self.states[at as usize].zone;
            let relation = self.zones.relation(zone, &packed, &state.zone, state.dim());
            self.would_cover(relation) && may_cover(at)
        };
        if place.is_indexed {
            let index = self.indexes.get(place.head as usize)?;
            let signature = self.signer.as_ref()?.sign(&state.zone, state.dim());
            let mut at = 0;
            while let Some(near) = index.signatures.near(signature, at) {
                let id = index.states[near];
                if index.signatures.get(near).may_include(signature) && covers(&id) {
                    return Some(StateId(id));
                }
                at = near + 1;
            }
            return None;
        }
        let first = Some(place.head).filter(|&head| head != NONE);
        let mut linked = std::iter::successors(first, |&at| {
            Some(self.states[at as usize].next).filter(|&next| next != NONE)
        });
        linked.find(covers).map(StateId)
    }
}

impl Index {
    fn bytes(&self) -> usize {
        self.signatures.bytes() + self.states.capacity() * size_of::<u32>()
    }
}

impl<W: Word> Store for ZoneStore<W> {
    type State = ZoneState<W>;

    fn insert(&mut self, state: &ZoneState<W>) -> Stored {
        self.put(state, None)
    }

    fn covering(&self, state: &ZoneState<W>) -> Option<StateId> {
        self.find_covering(state, |_| true)
    }

    fn load(&self, id: StateId, into: &mut ZoneState<W>) {
        let entry = self.states[id.index()];
        let discrete = &self.discrete[entry.discrete as usize];
        let length = discrete.length as usize;
        into.discrete.clear();
        decode(
            &self.keys[discrete.key as usize..discrete.key as usize + length],
            &mut into.discrete,
        );
        let meta = id.index() * self.meta_cells;
        into.discrete
            .extend_from_slice(&self.meta[meta..meta + self.meta_cells]);
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
            + self.meta.capacity() * size_of::<i32>()
            + self.depths.capacity() * size_of::<u32>()
            + self.indexes.capacity() * size_of::<Index>()
            + self.index_bytes
            + self.zones.bytes()
    }

    fn bytes_of(&self, state: &ZoneState<W>) -> usize {
        size_of_val(state)
            + size_of_val(&state.discrete[..])
            + size_of_val(&state.clocks[..])
            + size_of_val(&state.zone[..])
    }
}

impl<W: Word> DepthStore for ZoneStore<W> {
    fn insert_at(&mut self, state: &ZoneState<W>, depth: u32) -> Stored {
        self.put(state, Some(depth))
    }

    fn covering_at(&self, state: &ZoneState<W>, depth: u32) -> Option<StateId> {
        self.find_covering(state, |at| {
            self.depths.get(at as usize).is_none_or(|&d| d <= depth)
        })
    }

    fn reopened(&self) -> u64 {
        self.reopened
    }
}
