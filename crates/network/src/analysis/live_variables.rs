//! Variables whose values do not matter any more.
//!
//! A variable is live for a process in a location when, along edges of that process alone, it may be read before the
//! process itself always writes it; it is dead in a state when it is live for no process. Two states that differ in dead
//! variables only have the same future: a process that reads one of them later has written it first. So a search may set them to
//! a fixed value and explore one state instead of many. The analysis goes backwards along the edges of each process, like
//! that of the clocks ([`crate::clocks::bounds`]).
//!
//! A value that a sender passes on in a variable is known to be written before the receiver reads it: what all senders of a
//! channel always write is not live before an edge that receives on it.

use crate::code::cell::Extent;
use crate::code::ids::{ChannelId, InstanceId, LocationId, ProcessId};
use crate::code::sets::SetId;
use crate::network::Network;
use zonewalk_model::tree::Direction;

/// Words of 64 variables, by location of a process and by channel, that an analysis may take.
const MOST_WORDS: usize = 1 << 22;
/// Variables that one edge may let die; those of longer lists are kept.
const MOST_DYING: usize = 128;

/// Which variables are dead where.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// Variables with their fixed values: address, value.
    fixed: Vec<(u32, i32)>,
    /// By variable of `fixed`: the processes that it is live for somewhere.
    watchers: Vec<Vec<ProcessId>>,
    /// By edge instance: the variables of `fixed`, by number, that may die when it is taken.
    dying: Vec<Vec<u32>>,
    places: Places,
}

/// A set of variables for every location of every process.
#[derive(Clone, Debug)]
struct Places {
    bases: Vec<u32>,
    words: usize,
    /// The address of the first variable.
    first: u32,
    bits: Vec<u64>,
}

impl Places {
    fn row(&self, process: ProcessId, location: LocationId) -> usize {
        (self.bases[process.index()] + location.0) as usize * self.words
    }

    fn has(&self, process: ProcessId, location: LocationId, address: u32) -> bool {
        let bit = (address - self.first) as usize;
        self.bits[self.row(process, location) + bit / 64] >> (bit % 64) & 1 == 1
    }
}

impl Liveness {
    /// The analysis of a network in which these variables, and those at some addresses, are examined in every state, or `None` when every variable
    /// matters everywhere, or the network is too large for it.
    pub fn new(network: &Network, observed: &[SetId], also: &[u32]) -> Option<Liveness> {
        let first = network.layout.locations;
        let count = (network.layout.state - first) as usize;
        let words = count.div_ceil(64);
        let mut bases = Vec::with_capacity(network.processes.len());
        let mut places = 0;
        for process in &network.processes {
            bases.push(places);
            places += network.variants[process.variant as usize].locations.len() as u32;
        }
        let rows = places as usize + network.channels.len();
        if count == 0 || words.saturating_mul(rows) > MOST_WORDS {
            return None;
        }
        let mut analysis = Analysis {
            network,
            places: Places {
                bases,
                words,
                first,
                bits: vec![0; words * places as usize],
            },
            end: network.layout.state,
        };
        let mut kept = vec![0; words];
        for &set in observed {
            analysis.add(set, &mut kept);
        }
        for &address in also.iter().filter(|a| (first..network.layout.state).contains(*a)) {
            let bit = (address - first) as usize;
            kept[bit / 64] |= 1 << (bit % 64);
        }
        for routine in [network.before_update, network.after_update]
            .into_iter()
            .flatten()
        {
            analysis.add(routine.reads, &mut kept);
            analysis.add(routine.writes, &mut kept);
        }
        analysis.spread();
        analysis.finish(kept)
    }

    /// Sets the variables that die with a transition, whose edge instances these are. Requires: `memory` is that of the
    /// state after it.
    #[inline]
    pub fn forget(&self, edges: &[InstanceId], memory: &mut [i32]) {
        for &edge in edges {
            for &number in &self.dying[edge.index()] {
                self.forget_one(number, memory);
            }
        }
    }

    /// Sets all the variables that are dead.
    pub fn forget_all(&self, memory: &mut [i32]) {
        for number in 0..self.fixed.len() as u32 {
            self.forget_one(number, memory);
        }
    }

    /// Addresses of all the variables that are dead in a state.
    pub fn dead<'a>(&'a self, memory: &'a [i32]) -> impl Iterator<Item = u32> + 'a {
        let numbers = 0..self.fixed.len() as u32;
        let dead = numbers.filter(|&number| self.is_dead(number, memory));
        dead.map(|number| self.fixed[number as usize].0)
    }

    #[inline]
    fn forget_one(&self, number: u32, memory: &mut [i32]) {
        if self.is_dead(number, memory) {
            let (address, value) = self.fixed[number as usize];
            memory[address as usize] = value;
        }
    }

    #[inline]
    fn is_dead(&self, number: u32, memory: &[i32]) -> bool {
        let (address, _) = self.fixed[number as usize];
        let is_live = |&p: &ProcessId| {
            let location = LocationId(memory[p.index()] as u32);
            self.places.has(p, location, address)
        };
        !self.watchers[number as usize].iter().any(is_live)
    }
}

struct Analysis<'n> {
    network: &'n Network,
    places: Places,
    /// One past the address of the last variable.
    end: u32,
}

impl Analysis<'_> {
    fn each(&self, set: SetId, visit: &mut dyn FnMut(usize)) {
        let first = self.places.first;
        for &Extent { start, end } in self.network.sets.get(set) {
            (start.max(first)..end.min(self.end)).for_each(|address| visit((address - first) as usize));
        }
    }

    fn add(&self, set: SetId, into: &mut [u64]) {
        self.each(set, &mut |bit| into[bit / 64] |= 1 << (bit % 64));
    }

    fn remove(&self, set: SetId, from: &mut [u64]) {
        self.each(set, &mut |bit| from[bit / 64] &= !(1 << (bit % 64)));
    }

    /// By channel: what every sender on it always writes. Everything if there is no sender.
    fn passed(&self) -> Vec<Vec<u64>> {
        let network = self.network;
        let all = vec![u64::MAX; self.places.words];
        let mut passed = vec![all; network.channels.len()];
        let mut narrow = |channel: ChannelId, instance: InstanceId| {
            let mut written = vec![0; self.places.words];
            self.add(network.instance(instance).overwrites, &mut written);
            if let Some(known) = passed.get_mut(channel.index()) {
                known.iter_mut().zip(written).for_each(|(k, w)| *k &= w);
            }
        };
        for (number, channel) in (0..).map(ChannelId).zip(&network.channels) {
            channel.senders.iter().for_each(|&sender| narrow(number, sender));
        }
        for sync in &network.dynamic_syncs {
            if sync.direction == Direction::Send {
                let channels = network.sets.channels(sync.channels);
                channels.for_each(|channel| narrow(channel, sync.instance));
            }
        }
        passed
    }

    /// Computes what is live where, to a fixed point: what an edge needs, and what its target does unless the edge or its
    /// sender writes that.
    fn spread(&mut self) {
        let network = self.network;
        let passed = self.passed();
        for invariant in &network.invariants {
            let row = self.places.row(invariant.process, invariant.location);
            let mut bits = std::mem::take(&mut self.places.bits);
            self.add(invariant.reads, &mut bits[row..row + self.places.words]);
            self.places.bits = bits;
        }
        let mut live = vec![0; self.places.words];
        for process in &network.processes {
            let mut changed = true;
            while changed {
                changed = false;
                // Most edges lead to locations that come later.
                for number in process.instances.rev() {
                    let instance = network.instance(number);
                    let edge = network.edge(instance);
                    let target = self.places.row(instance.process, edge.target);
                    live.copy_from_slice(&self.places.bits[target..target + self.places.words]);
                    self.remove(instance.overwrites, &mut live);
                    self.add(instance.update_needs, &mut live);
                    let receives = edge.sync.is_some_and(|s| s.direction == Direction::Receive);
                    if let Some(channel) = instance.channel.fixed().filter(|_| receives) {
                        let passed = &passed[channel.index()];
                        live.iter_mut().zip(passed).for_each(|(l, p)| *l &= !p);
                    }
                    self.add(instance.reads, &mut live);
                    let source = self.places.row(instance.process, edge.source);
                    for (known, &new) in self.places.bits[source..].iter_mut().zip(&live) {
                        changed |= new & !*known != 0;
                        *known |= new;
                    }
                }
            }
        }
    }

    /// Builds the result: which edge instances let which variables die. `kept`: the variables that are live everywhere.
    fn finish(self, mut kept: Vec<u64>) -> Option<Liveness> {
        let network = self.network;
        let (words, first) = (self.places.words, self.places.first);
        let mut watchers = vec![Vec::new(); words * 64];
        for (number, process) in (0..).map(ProcessId).zip(&network.processes) {
            let locations = network.variants[process.variant as usize].locations.len() as u32;
            let (mut somewhere, mut everywhere) = (vec![0u64; words], vec![u64::MAX; words]);
            for location in (0..locations).map(LocationId) {
                let row = self.places.row(number, location);
                for (at, &bits) in self.places.bits[row..row + words].iter().enumerate() {
                    somewhere[at] |= bits;
                    everywhere[at] &= bits;
                }
            }
            if locations > 0 {
                kept.iter_mut().zip(&everywhere).for_each(|(k, e)| *k |= e);
            }
            for (at, bits) in somewhere.iter().enumerate() {
                let members = (0..64).filter(|bit| bits >> bit & 1 == 1);
                members.for_each(|bit| watchers[64 * at + bit].push(number));
            }
        }
        let mut dying = Vec::with_capacity(network.instances.len());
        for instance in &network.instances {
            let edge = network.edge(instance);
            let [source, target] = [edge.source, edge.target].map(|l| self.places.row(instance.process, l));
            let mut gone = self.places.bits[source..source + words].to_vec();
            self.add(instance.writes, &mut gone);
            for (at, bits) in gone.iter_mut().enumerate() {
                *bits &= !self.places.bits[target + at] & !kept[at];
            }
            let members = |word: u64| (0..64).filter(move |bit| word >> bit & 1 == 1);
            let list: Vec<u32> = (0..)
                .zip(&gone)
                .flat_map(|(at, &w)| members(w).map(move |b| 64 * at + b))
                .collect();
            dying.push(list);
        }
        // What is too much work to forget is remembered.
        for list in dying.iter().filter(|list| list.len() > MOST_DYING) {
            list.iter()
                .for_each(|&bit| kept[bit as usize / 64] |= 1 << (bit % 64));
        }
        let is_kept = |bit: u32| kept[bit as usize / 64] >> (bit % 64) & 1 == 1;
        let mut numbers = vec![u32::MAX; words * 64];
        let mut fixed = Vec::new();
        for bit in (0..self.end - first).filter(|&bit| !is_kept(bit)) {
            numbers[bit as usize] = fixed.len() as u32;
            fixed.push((first + bit, network.image[(first + bit) as usize]));
        }
        for list in &mut dying {
            list.retain(|&bit| !is_kept(bit));
            list.iter_mut().for_each(|bit| *bit = numbers[*bit as usize]);
        }
        let watchers = fixed
            .iter()
            .map(|(address, _)| std::mem::take(&mut watchers[(address - first) as usize]))
            .collect();
        (!fixed.is_empty()).then_some(Liveness {
            fixed,
            watchers,
            dying,
            places: self.places,
        })
    }
}
