//! A relaxed way to the goal, taken back from the layers: `hU` is the number of its transitions (Hoffmann, Nebel: The FF planning
//! system, JAIR 14, 2001, for MCTA's abstraction).

use super::layers::Layers;
use super::problem::{NO_PARTNER, NONE, Problem, RelaxedGoal, Role};
use zonewalk_model::tree::Direction;
use zonewalk_network::ids::InstanceId;

/// A transition of the relaxed way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    /// Its edge instances, the initiator's first. Of a broadcast, the receivers that are needed; of a synchronisation without
    /// `!` and `?`, those that are known. None at all if any transition would do.
    pub parts: Vec<InstanceId>,
    /// It can be taken at once, and it is of use at once (a *helpful* transition).
    pub is_helpful: bool,
    /// The one of two that is there only because the other needs a partner.
    filler: Option<InstanceId>,
    is_broadcast: bool,
}

impl Marked {
    /// Whether a step of the zone graph is this transition. Of a broadcast the sender decides.
    pub fn is(&self, parts: &[InstanceId]) -> bool {
        if self.is_broadcast {
            self.parts.first() == parts.first()
        } else {
            self.parts == parts
        }
    }
}

/// Scratch memory for extracting a relaxed plan.
#[derive(Clone, Debug, Default)]
pub(super) struct Extraction {
    pub(super) marked: Vec<Marked>,
    /// By transition of the way: the layer that it leads to.
    layers: Vec<u32>,
    /// By edge instance: the transition that it takes part in, the earliest one so far.
    part_of: Vec<u32>,
    touched: Vec<u32>,
    /// By fact: the layer in which it must hold; [`NONE`] for those that have not been on the agenda.
    needed: Vec<u32>,
    /// By fact: the earliest layer so far that a marked transition brings it to; [`NONE`] if there is none.
    given: Vec<u32>,
    /// Facts by layer.
    agenda: Vec<Vec<u32>>,
    /// The layer that transitions lead to at the moment.
    layer: u32,
    /// Memory for the parts of transitions.
    spare: Vec<Vec<InstanceId>>,
}

impl Extraction {
    /// Marks the transitions of a relaxed way. Requires: the goal can hold in the last of the layers.
    ///
    /// Facts are achieved where they first appear, the latest first. A transition that has been marked for a later layer serves
    /// again for what it always does, if that is early enough; otherwise it is taken another time.
    pub(super) fn run(&mut self, p: &Problem<'_>, layers: &Layers) {
        self.clear();
        for edge in self.touched.drain(..) {
            self.part_of[edge as usize] = NONE;
        }
        self.part_of.resize(p.edges.len(), NONE);
        self.needed.clear();
        self.needed.resize(layers.facts.all.len(), NONE);
        self.given.clear();
        self.given.resize(layers.facts.all.len(), NONE);
        self.agenda.resize_with(layers.facts.layer as usize + 1, Vec::new);
        self.agenda.iter_mut().for_each(Vec::clear);
        self.layer = layers.facts.layer + 1;
        self.want_goal(layers, &p.wanted);
        for layer in (1..self.agenda.len()).rev() {
            self.layer = layer as u32;
            // A fact may need others of its own layer: what was passed on within a transition.
            while let Some(fact) = self.agenda[layer].pop() {
                self.achieve(p, layers, fact);
            }
        }
    }

    /// No transition is marked.
    pub(super) fn clear(&mut self) {
        for mut marked in self.marked.drain(..) {
            marked.parts.clear();
            self.spare.push(marked.parts);
        }
        self.layers.clear();
    }

    /// A fact is needed before the transitions of this layer; one of the layer itself, within them.
    fn want(&mut self, layers: &Layers, fact: u32) {
        let Some(known) = layers.facts.all.get(fact as usize) else {
            return;
        };
        if known.layer == 0 {
            return;
        }
        let needed = &mut self.needed[fact as usize];
        if *needed == NONE {
            self.agenda[known.layer as usize].push(fact);
        }
        *needed = (*needed).min(self.layer - 1).max(known.layer);
    }

    fn want_goal(&mut self, layers: &Layers, wanted: &RelaxedGoal) {
        match wanted {
            RelaxedGoal::Constant(_) => {}
            RelaxedGoal::And(list) => list.iter().for_each(|w| self.want_goal(layers, w)),
            RelaxedGoal::Or(list) => {
                let open = list.iter().filter(|w| layers.holds(w));
                if let Some(nearest) = open.min_by_key(|w| cost(layers, w)) {
                    self.want_goal(layers, nearest);
                }
            }
            RelaxedGoal::Locations(place) => self.want(layers, layers.location_sets[*place as usize]),
            RelaxedGoal::Conjunct(conjunct) => {
                self.want_witnesses(layers, layers.witnesses[*conjunct as usize]);
            }
        }
    }

    fn want_witnesses(&mut self, layers: &Layers, (start, end): (u32, u32)) {
        if start != NONE {
            for i in start..end {
                self.want(layers, layers.witness_facts[i as usize]);
            }
        }
    }

    /// Marks the transition that a fact comes from.
    fn achieve(&mut self, p: &Problem<'_>, layers: &Layers, fact: u32) {
        if self.given[fact as usize] <= self.needed[fact as usize] {
            return;
        }
        let Some(cause) = layers
            .facts
            .causes
            .get(layers.facts.all[fact as usize].cause as usize)
        else {
            return;
        };
        for i in cause.operands.0..cause.operands.1 {
            self.want(layers, layers.facts.operands[i as usize]);
        }
        if cause.edge == NONE {
            // What every transition does: one more, unless there is one anyway.
            if self.marked.is_empty() {
                self.push(&[], None, false);
                self.marked[0].is_helpful = self.layer == 1;
            }
            return;
        }
        let number = self.mark(p, layers, cause.edge, cause.partner);
        self.marked[number as usize].is_helpful |= self.layer == 1;
    }

    /// The transition of this layer that an edge takes part in.
    fn known(&self, edge: u32) -> Option<u32> {
        let known = self.part_of[edge as usize];
        (known != NONE && self.layers[known as usize] == self.layer).then_some(known)
    }

    /// The transition that an edge is taken in; a new one if it cannot be one that is there already.
    fn mark(&mut self, p: &Problem<'_>, layers: &Layers, edge: u32, partner: u32) -> u32 {
        if let Some(known) = self.known(edge) {
            let filler = &mut self.marked[known as usize].filler;
            *filler = filler.filter(|&id| id.0 != edge);
            return known;
        }
        self.want_edge(p, layers, edge, partner);
        if partner == edge || partner >= NO_PARTNER {
            return self.add(p, layers, &[edge], None, partner == NO_PARTNER);
        }
        let there = self.known(partner);
        if there.is_none() {
            self.want_edge(p, layers, partner, edge);
        }
        let direction = p.edges[edge as usize].role.direction();
        let can_join =
            layers.partners[partner as usize] == NO_PARTNER || direction == Some(Direction::Together);
        if can_join {
            let Some(there) = there else {
                return self.add(p, layers, &[partner, edge], None, true);
            };
            self.marked[there as usize].parts.push(InstanceId(edge));
            self.take(p, layers, edge, there);
            return there;
        }
        // A handshake that is there already may not need the second one that it was given.
        if let Some(there) = there
            && let Some(filler) = self.marked[there as usize].filler.filter(|f| f.0 != partner)
        {
            let transition = &mut self.marked[there as usize];
            let place = transition.parts.iter_mut().find(|part| **part == filler);
            place.into_iter().for_each(|part| *part = InstanceId(edge));
            transition.filler = None;
            if self.part_of[filler.index()] == there {
                self.part_of[filler.index()] = NONE;
            }
            self.take(p, layers, edge, there);
            return there;
        }
        let parts = if direction == Some(Direction::Send) {
            [edge, partner]
        } else {
            [partner, edge]
        };
        self.add(p, layers, &parts, Some(InstanceId(partner)), false)
    }

    fn add(
        &mut self,
        p: &Problem<'_>,
        layers: &Layers,
        parts: &[u32],
        filler: Option<InstanceId>,
        is_broadcast: bool,
    ) -> u32 {
        // A transition that stood for any other is this one.
        if self.marked.len() == 1 && self.marked[0].parts.is_empty() {
            self.clear();
        }
        let number = self.push(parts, filler, is_broadcast);
        for &edge in parts {
            self.take(p, layers, edge, number);
        }
        number
    }

    fn push(&mut self, parts: &[u32], filler: Option<InstanceId>, is_broadcast: bool) -> u32 {
        let mut own = self.spare.pop().unwrap_or_default();
        own.extend(parts.iter().map(|&edge| InstanceId(edge)));
        self.marked.push(Marked {
            parts: own,
            is_helpful: false,
            filler,
            is_broadcast,
        });
        self.layers.push(self.layer);
        self.marked.len() as u32 - 1
    }

    /// An edge takes part in a transition, which gives what the edge always does.
    fn take(&mut self, p: &Problem<'_>, layers: &Layers, edge: u32, number: u32) {
        self.part_of[edge as usize] = number;
        self.touched.push(edge);
        let of = &p.edges[edge as usize];
        let effects = &p.effects[of.effects.0 as usize..of.effects.1 as usize];
        for &(cell, value) in effects.iter().chain(&[(of.process, of.target)]) {
            if p.is_relevant[cell as usize]
                && let Some(fact) = layers.facts.find(cell, value)
            {
                self.given[fact as usize] = self.layer;
            }
        }
    }

    fn want_edge(&mut self, p: &Problem<'_>, layers: &Layers, edge: u32, partner: u32) {
        let instance = p.network.instance(InstanceId(edge));
        let source = p.network.edge(instance).source.0 as i32;
        let values = &layers.facts.cells[instance.process.index()];
        match values.list.iter().find(|v| v.0 == source) {
            Some(&(_, fact)) => self.want(layers, fact),
            None => self.want(layers, values.any),
        }
        for &conjunct in p.conjuncts_of.get(edge) {
            self.want_witnesses(layers, layers.witnesses[conjunct as usize]);
        }
        if let Role::Dynamic(_, unit) = p.edges[edge as usize].role {
            let fixed = match p.edges.get(partner as usize).map(|e| e.role) {
                Some(Role::On(_, channel)) => Some(channel),
                _ => None,
            };
            let mut named = layers.named_by(unit);
            if let Some(named) = named.find(|n| fixed.is_none_or(|c| n.channel == c)) {
                self.want_witnesses(layers, named.witnesses);
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        4 * (self.part_of.capacity() + self.needed.capacity() + self.given.capacity())
            + self.marked.capacity() * size_of::<Marked>()
    }
}

/// The sum of the layers of what a part of the goal needs.
fn cost(layers: &Layers, wanted: &RelaxedGoal) -> u64 {
    let layer = |fact: u32| {
        layers
            .facts
            .all
            .get(fact as usize)
            .map_or(0, |f| u64::from(f.layer))
    };
    match wanted {
        RelaxedGoal::Constant(_) => 0,
        RelaxedGoal::And(list) => list.iter().map(|w| cost(layers, w)).sum(),
        RelaxedGoal::Or(list) => {
            let open = list.iter().filter(|w| layers.holds(w));
            open.map(|w| cost(layers, w)).min().unwrap_or(0)
        }
        RelaxedGoal::Locations(place) => layer(layers.location_sets[*place as usize]),
        RelaxedGoal::Conjunct(conjunct) => {
            let (start, end) = layers.witnesses[*conjunct as usize];
            if start == NONE {
                0
            } else {
                (start..end)
                    .map(|i| layer(layers.witness_facts[i as usize]))
                    .sum()
            }
        }
    }
}
