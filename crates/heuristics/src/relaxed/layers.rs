//! The layers of an evaluation: what may hold after one transition, after two, and so on, nothing ever being lost.
//!
//! Layer `k + 1` is layer `k` with the effects of all transitions that are possible in it, each condition being evaluated on
//! its own. Everything is examined again only when a cell or a location that it reads has grown.

use super::facts::{Facts, Free, Proposal};
use super::problem::{NONE, Problem, RelaxedGoal, Role, Unit};
use super::sync::Meetings;
use rustc_hash::{FxHashMap, FxHashSet};
use zonewalk_network::ids::{ChannelId, InstanceId};

/// Layers after which the number is good enough: it is a lower bound.
pub(super) const MOST_LAYERS: u32 = 10_000;

/// Limit on the effort of one evaluation, half a second or more: time limits are not checked in between.
pub(super) const MOST_EFFORT: u64 = 1 << 25;

/// A value that was written for others in the same transition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed {
    /// [`NONE`] for `before_update`, which all see.
    pub(super) channel: u32,
    pub(super) fact: u32,
    pub(super) cell: u32,
    /// Process that wrote the value; its own edges read it without being passed it.
    pub(super) process: u32,
    pub(super) speaker: u32,
    /// The sender of a channel comes first, the others in the order of the processes (`semantics.md` 7).
    pub(super) is_first: bool,
}

impl Passed {
    /// Whether a process comes later in the same transition.
    pub(super) fn reaches(&self, process: u32) -> bool {
        if self.is_first {
            self.process != process
        } else {
            self.process < process
        }
    }
}

/// A channel that a unit has computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    pub(super) channel: ChannelId,
    /// Where the facts that it was computed from begin and end among the witnesses.
    pub(super) witnesses: (u32, u32),
    /// The one before.
    pub(super) next: u32,
}

/// Working memory of an evaluation.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    pub(super) facts: Facts,
    /// The state itself, constants and temporaries: what code runs on.
    pub(super) memory: Vec<i32>,
    /// By edge instance: how many of its needs are open.
    pub(super) open: Vec<u16>,
    /// By edge instance: the sum of the layers of its needs.
    pub(super) costs: Vec<u32>,
    /// By edge instance: [`NONE`] while it cannot be taken; then its partner, or itself.
    pub(super) partners: Vec<u32>,
    /// By conjunct: where its witnesses begin and end; [`NONE`] while it cannot hold.
    pub(super) witnesses: Vec<(u32, u32)>,
    pub(super) witness_facts: Vec<u32>,
    /// For units that compute channels: the channels that they have named, as a list.
    pub(super) named: Vec<Named>,
    /// By unit: the last one.
    pub(super) last_named: Vec<u32>,
    /// By place of the goal: the fact that fulfils it.
    pub(super) location_sets: Vec<u32>,
    /// By unit: it counts from now on.
    pub(super) is_active: Vec<bool>,
    pub(super) is_queued: Vec<bool>,
    /// By unit: anything may come out of it.
    pub(super) is_wild: Vec<bool>,
    /// By unit and read: how many values have been run.
    pub(super) seen: Vec<u32>,
    /// Units to be run in this layer: conditions and channels, updates and routines.
    pub(super) asking: Vec<u32>,
    writing: Vec<u32>,
    pub(super) ready: Vec<InstanceId>,
    pub(super) enabled: Vec<InstanceId>,
    pub(super) meetings: Meetings,
    pub(super) passed: Vec<Passed>,
    /// By fact and channel, the processes heard with it: the first one or two, and the earliest of the others.
    pub(super) heard: FxHashMap<(u32, u32), [u32; 3]>,
    /// By dimension: the values that are combined.
    pub(super) choices: Vec<Vec<(i32, u32)>>,
    pub(super) index: Vec<usize>,
    pub(super) picked: Vec<u32>,
    pub(super) changes: Vec<(u32, i32)>,
    /// The goal may have come within reach in this layer.
    pub(super) is_nearer: bool,
    /// The transition that does not exist, for `estimate_without`.
    pub(super) banned: Vec<InstanceId>,
    /// Cells that the projection removes.
    pub(super) free: Vec<Free>,
    /// The only edge instances that there are; `None` if there are all.
    pub(super) only: Option<FxHashSet<InstanceId>>,
    /// Combinations of values that code was run on, and facts, in all evaluations.
    pub(super) work: u64,
    /// Total effort of all evaluations, in the units of [`effort`](super::effort).
    pub(super) effort: u64,
    /// The most of it that one evaluation may take.
    pub(super) most_effort: u64,
}

impl Layers {
    pub(super) fn new(problem: &Problem<'_>) -> Layers {
        let network = problem.network;
        Layers {
            facts: Facts::new(problem.is_relevant.len()),
            memory: network.memory(),
            open: Vec::new(),
            costs: Vec::new(),
            partners: Vec::new(),
            witnesses: Vec::new(),
            witness_facts: Vec::new(),
            named: Vec::new(),
            last_named: Vec::new(),
            location_sets: Vec::new(),
            is_active: Vec::new(),
            is_queued: Vec::new(),
            is_wild: Vec::new(),
            seen: Vec::new(),
            asking: Vec::new(),
            writing: Vec::new(),
            ready: Vec::new(),
            enabled: Vec::new(),
            meetings: Meetings::new(network.channels.len()),
            passed: Vec::new(),
            heard: FxHashMap::default(),
            choices: Vec::new(),
            index: Vec::new(),
            picked: Vec::new(),
            changes: Vec::new(),
            is_nearer: false,
            banned: Vec::new(),
            free: Vec::new(),
            only: None,
            work: 0,
            effort: 0,
            most_effort: MOST_EFFORT,
        }
    }

    fn begin(&mut self, p: &Problem<'_>, discrete: &[i32]) {
        self.memory[..discrete.len()].copy_from_slice(discrete);
        self.facts.begin(&p.cells, discrete);
        self.facts.release(&self.free);
        self.open.clear();
        self.open.extend(p.edges.iter().map(|e| e.needs));
        refill(&mut self.costs, p.edges.len(), 0);
        refill(&mut self.partners, p.edges.len(), NONE);
        refill(&mut self.witnesses, p.conjuncts.len(), (NONE, NONE));
        refill(&mut self.location_sets, p.location_sets.len(), NONE);
        refill(&mut self.is_active, p.units.len(), false);
        refill(&mut self.is_queued, p.units.len(), false);
        refill(&mut self.is_wild, p.units.len(), false);
        refill(&mut self.seen, p.reads.len(), 0);
        self.witness_facts.clear();
        self.named.clear();
        refill(&mut self.last_named, p.units.len(), NONE);
        self.asking.clear();
        self.writing.clear();
        self.ready.clear();
        self.enabled.clear();
        self.meetings.clear();
        self.is_nearer = true;
        for (number, unit) in (0..).zip(&p.units) {
            use super::problem::Purpose::{After, Before, Guard};
            if matches!(unit.purpose, Guard { .. } | Before { .. } | After { .. }) {
                self.activate(p, number);
            }
        }
    }

    /// The number of the first layer in which the goal can hold, or `most` if it is no earlier; `None` if there is none.
    pub(super) fn run(&mut self, p: &Problem<'_>, discrete: &[i32], most: u32) -> Option<u32> {
        self.begin(p, discrete);
        let end = self.effort + self.most_effort;
        loop {
            self.look(p);
            if std::mem::take(&mut self.is_nearer) && self.holds(&p.wanted) {
                return Some(self.facts.layer);
            }
            self.write(p);
            if self.facts.fresh == self.facts.all.len() {
                return None;
            }
            self.facts.layer += 1;
            if self.facts.layer >= most || self.effort > end {
                return Some(self.facts.layer);
            }
        }
    }

    /// The smallest and the largest value of each cell when nothing new comes any more; `None` where that is not known.
    pub(super) fn saturate(&mut self, p: &Problem<'_>, discrete: &[i32]) -> Vec<Option<(i32, i32)>> {
        self.begin(p, discrete);
        let end = self.effort + self.most_effort;
        let mut is_complete = true;
        loop {
            self.look(p);
            self.write(p);
            if self.facts.fresh == self.facts.all.len() {
                break;
            }
            self.facts.layer += 1;
            if self.facts.layer >= MOST_LAYERS || self.effort > end {
                is_complete = false;
                break;
            }
        }
        let mut found = vec![None; p.is_relevant.len()];
        for &cell in p.cells.iter().filter(|_| is_complete) {
            let values = &self.facts.cells[cell as usize];
            let all = || values.list.iter().map(|v| v.0);
            if values.any == NONE {
                found[cell as usize] = all().min().zip(all().max());
            }
        }
        found
    }

    /// Whether the goal can hold in the present layer.
    pub(super) fn holds(&self, wanted: &RelaxedGoal) -> bool {
        match wanted {
            RelaxedGoal::Constant(truth) => *truth,
            RelaxedGoal::And(list) => list.iter().all(|w| self.holds(w)),
            RelaxedGoal::Or(list) => list.iter().any(|w| self.holds(w)),
            RelaxedGoal::Locations(place) => self.location_sets[*place as usize] != NONE,
            RelaxedGoal::Conjunct(conjunct) => self.witnesses[*conjunct as usize].0 != NONE,
        }
    }

    /// Activates a unit: it runs now, and again whenever one of its cells gets a new value.
    fn activate(&mut self, p: &Problem<'_>, unit: u32) {
        self.is_active[unit as usize] = true;
        self.queue(p, unit);
    }

    pub(super) fn queue(&mut self, p: &Problem<'_>, unit: u32) {
        use super::problem::Purpose::{After, Before, Channel, Guard, Update};
        let at = unit as usize;
        if !self.is_active[at] || self.is_wild[at] || std::mem::replace(&mut self.is_queued[at], true) {
            return;
        }
        match p.units[at].purpose {
            Guard { .. } | Channel { .. } => self.asking.push(unit),
            Update { .. } | Before { .. } | After { .. } => self.writing.push(unit),
        }
    }

    /// Brings edges together whose needs are all met.
    pub(super) fn get_ready(&mut self, p: &Problem<'_>) {
        while let Some(id) = self.ready.pop() {
            if self.only.as_ref().is_some_and(|only| !only.contains(&id)) {
                continue;
            }
            match p.edges[id.index()].role {
                Role::Internal => {
                    if self.banned != [id] {
                        self.enable(id, id.0);
                    }
                }
                Role::On(_, channel) => self.arrive(p, id, channel),
                Role::Dynamic(_, unit) => self.activate(p, unit),
            }
        }
    }

    /// An edge can be taken, with a partner.
    pub(super) fn enable(&mut self, id: InstanceId, partner: u32) {
        if self.partners[id.index()] == NONE {
            self.partners[id.index()] = partner;
            self.enabled.push(id);
        }
    }

    /// An edge is ready on a channel.
    pub(super) fn arrive(&mut self, p: &Problem<'_>, id: InstanceId, channel: ChannelId) {
        let mut found = std::mem::take(&mut self.meetings.found);
        self.meetings.arrive(p, id, channel, &self.banned, &mut found);
        for &(id, partner) in &found {
            self.enable(id, partner);
        }
        found.clear();
        self.meetings.found = found;
    }

    /// Takes all the transitions that are possible.
    fn write(&mut self, p: &Problem<'_>) {
        self.passed.clear();
        self.heard.clear();
        // What was possible before is run for new values, what has just become possible for all.
        let mut writing = std::mem::take(&mut self.writing);
        for &unit in &writing {
            self.is_queued[unit as usize] = false;
            if Some(unit) != p.after {
                self.run_new(p, unit);
            }
        }
        writing.clear();
        self.writing = writing;
        let mut enabled = std::mem::take(&mut self.enabled);
        for &id in &enabled {
            let edge = p.edges[id.index()];
            let partner = self.partners[id.index()];
            let mut cause = Proposal {
                edge: id.0,
                partner,
                operands: &[],
                cost: self.cost(id.0, partner),
                is_passed: false,
                made: None,
            };
            if p.is_relevant[edge.process as usize] {
                self.facts.add(edge.process, edge.target, &mut cause);
            }
            for i in edge.effects.0..edge.effects.1 {
                let (cell, value) = p.effects[i as usize];
                if let Some(fact) = self.facts.add(cell, value, &mut cause) {
                    self.speak(p, id.0, cell, fact);
                }
            }
            for unit in edge.updates.0..edge.updates.1 {
                self.is_active[unit as usize] = true;
                self.run_new(p, unit);
            }
        }
        enabled.clear();
        self.enabled = enabled;
        self.pass_on(p);
        if let Some(after) = p.after {
            self.run_after(p, after);
        }
    }

    /// The sum of the layers of what a transition needs.
    pub(super) fn cost(&self, edge: u32, partner: u32) -> u32 {
        let of = |id: u32| self.costs.get(id as usize).copied().unwrap_or(0);
        if partner == edge {
            of(edge)
        } else {
            of(edge).saturating_add(of(partner))
        }
    }

    /// The channels that a unit has named, the newest first.
    pub(super) fn named_by(&self, unit: u32) -> impl Iterator<Item = &Named> {
        let next = |named: &&Named| self.named.get(named.next as usize);
        std::iter::successors(self.named.get(self.last_named[unit as usize] as usize), next)
    }

    /// Where the numbers of seen values of a unit begin.
    pub(super) fn seen_of(&mut self, unit: &Unit) -> &mut [u32] {
        &mut self.seen[unit.reads.start as usize..unit.reads.end as usize]
    }

    pub(super) fn bytes(&self) -> usize {
        self.facts.bytes()
            + 4 * self.memory.len()
            + 10 * self.open.capacity()
            + 8 * self.witnesses.capacity()
            + 3 * self.is_wild.capacity()
            + 4 * self.seen.capacity()
            + self.meetings.bytes()
    }
}

fn refill<T: Clone>(list: &mut Vec<T>, count: usize, value: T) {
    list.clear();
    list.resize(count, value);
}
