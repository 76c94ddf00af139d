//! Projections: a network that knows a [`Pattern`] alone and can do all that the whole one can.
//!
//! Whatever mentions something removed is dropped from guards and invariants; a removed process is in one location, and its
//! edges are loops there. So every transition of the network is one of its projection, in the same state as far as the
//! pattern is concerned:
//! - A kept variable that is computed from removed ones gets all the values that it may get ([`ChosenCell`]), or it is removed, too
//!   ([`Pattern::close`]).
//! - Who receives a broadcast is certain only of edges that lost nothing ([`EdgeInstance::is_partial`]); the others may receive it or
//!   not. In the same way only edges that lost nothing stop time by an urgent channel.
//! - Where a location is committed, an edge of a removed process is possible that leaves a committed location.
//! - Priorities block nothing: what has priority may be impossible for reasons that are removed.
//! - An edge that fails is not possible. It keeps nothing else from happening, since it may not be there.

mod merge;

use crate::condition::{ClockForm, Conjunction};
use crate::effect::{ChosenCell, Effect};
use crate::influence::Influences;
use crate::pattern::Pattern;
use crate::stop::Stop;
use crate::tables::{EdgeInstance, LocationInstance, LocationInstanceId, Product, Role};
use crate::update::{Unprojected, Updated};
use merge::{Free, Merged};
use zonewalk_network::constraint::Term;
use zonewalk_network::ids::{ChannelId, InstanceId, Instances, LocationId, ProcessId};
use zonewalk_network::vm::Clocks;
use zonewalk_network::{ChannelUse, Network, Routine};

/// An edge of a projection that is not laid out yet.
#[derive(Clone, Debug)]
struct Draft {
    number: InstanceId,
    process: ProcessId,
    /// Source location; for a removed process, its only location.
    source: LocationId,
    target: LocationId,
    role: Role,
    channel: Option<ChannelId>,
    guard: Vec<Term>,
    is_partial: bool,
    /// Whether it leaves a committed location.
    is_committed: bool,
    /// Whether it changes something kept.
    changes: bool,
}

impl<'n, F: ClockForm, X: Default, Y: Default> Product<'n, F, X, Y> {
    /// The projection of a network. Requires: the pattern is [closed](Pattern::close) for the same influences.
    ///
    /// # Errors
    /// When the engine does not support a bound on clocks.
    pub fn projected(
        network: &'n Network,
        form: F,
        pattern: &Pattern,
        influences: &Influences,
    ) -> Result<Self, F::Refusal> {
        let mut product = Product::begin(network, form);
        for routine in &mut product.routines {
            *routine = routine.filter(|routine| pattern.is_changed_by_routine(network, routine));
        }
        product.has_routines = product.routines.iter().any(Option::is_some);
        product.has_priorities = false;
        product.project_places(pattern)?;
        let drafts = product.drafts(pattern);
        product.project_edges(drafts, pattern, influences)?;
        product.find_urgent_edges();
        for cell in (0..network.layout.locations).filter(|&cell| !pattern.keeps(cell)) {
            product.image[cell as usize] = 0;
        }
        Ok(product)
    }

    fn project_places(&mut self, pattern: &Pattern) -> Result<(), F::Refusal> {
        let network = self.network;
        let unknown_rates: Vec<(ProcessId, LocationId)> = network
            .invariants
            .iter()
            .filter(|invariant| pattern.misses(network, invariant.reads))
            .map(|invariant| (invariant.process, invariant.location))
            .collect();
        for (number, process) in (0..).map(ProcessId).zip(&network.processes) {
            self.location_base.push(self.locations.len() as u32);
            if !pattern.keeps_process(number) {
                let anywhere = self
                    .conditions
                    .add(network, &[], &network.context(number), &self.form)?;
                self.locations.push(place(anywhere));
                continue;
            }
            let context = network.context(number);
            let locations = &network.variants[process.variant as usize].locations;
            for (l, location) in (0..).map(LocationId).zip(locations) {
                let knows = |term: &&Term| pattern.knows_term(network, term, &context);
                let terms: Vec<Term> = location.invariant.iter().filter(knows).copied().collect();
                self.locations.push(LocationInstance {
                    has_rates: !location.rates.is_empty()
                        && unknown_rates.binary_search(&(number, l)).is_err(),
                    committed: location.committed,
                    urgent: location.urgent,
                    ..place(self.conditions.add(network, &terms, &context, &self.form)?)
                });
            }
        }
        self.has_rates = self.locations.iter().any(|place| place.has_rates);
        Ok(())
    }

    /// All edges as the projection sees them, without those that do nothing.
    fn drafts(&self, pattern: &Pattern) -> Vec<Draft> {
        let network = self.network;
        let mut drafts = Vec::new();
        let mut idle = Vec::new();
        for number in (0..network.instances.len() as u32).map(InstanceId) {
            let instance = network.instance(number);
            let edge = network.edge(instance);
            let context = network.instance_context(instance);
            let is_kept = pattern.keeps_process(instance.process);
            let guard = network.guard(instance);
            let knows = |term: &&Term| pattern.knows_term(network, term, &context);
            let known: Vec<Term> = guard.iter().filter(knows).copied().collect();
            let home = network.processes[instance.process.index()].variant;
            let place = |location| if is_kept { location } else { LocationId(0) };
            let (channels, is_any) = self.channels(number, pattern);
            let draft = Draft {
                number,
                process: instance.process,
                source: place(edge.source),
                target: place(edge.target),
                role: Role::of(edge),
                channel: None,
                is_partial: !is_kept || known.len() < guard.len() || is_any,
                is_committed: network.variants[home as usize].locations[edge.source.index()].committed,
                changes: pattern.is_changed_by(network, number),
                guard: known,
            };
            // Where the state decides about the channel, the edge asks for something.
            let is_dynamic = draft.role != Role::Internal && channels.contains(&None);
            let asks = is_dynamic || !draft.guard.is_empty();
            let is_idle = !is_kept && !asks && !draft.changes && !self.has_routines;
            let list = if is_idle { &mut idle } else { &mut drafts };
            list.extend(channels.into_iter().map(|channel| Draft {
                channel,
                ..draft.clone()
            }));
        }
        Free::new(self, &drafts, idle).join(self, drafts)
    }

    /// The channels of an edge instance: the fixed one, `None` if the state decides or it has none; all that it may have, if what
    /// decides is removed.
    fn channels(&self, number: InstanceId, pattern: &Pattern) -> (Vec<Option<ChannelId>>, bool) {
        let network = self.network;
        let instance = network.instance(number);
        let dynamic = network
            .dynamic_syncs
            .binary_search_by_key(&number, |d| d.instance);
        match (instance.channel, network.edge(instance).sync, dynamic) {
            (ChannelUse::Dynamic, Some(sync), Ok(at)) => {
                let context = network.instance_context(instance);
                let code = sync.setup.map(|entry| network.code_reads(entry, &context));
                let mut reads = code.iter().flatten().flat_map(|e| e.start..e.end);
                let is_known = reads.all(|cell| pattern.keeps(cell))
                    && pattern.keeps(context.address(sync.channel) as u32);
                if is_known {
                    return (vec![None], false);
                }
                let all = network.sets.channels(network.dynamic_syncs[at].channels);
                (all.map(Some).collect(), true)
            }
            (channel, ..) => (vec![channel.fixed()], false),
        }
    }

    fn project_edges(
        &mut self,
        drafts: Vec<Draft>,
        pattern: &Pattern,
        influences: &Influences,
    ) -> Result<(), F::Refusal> {
        let network = self.network;
        let drafts = Merged::new(network, pattern, influences).merge(drafts);
        let committed = LocationInstanceId(self.locations.len() as u32);
        for (draft, effect) in drafts {
            let place = self.location_number(draft.process, draft.source);
            let at = self.edges.len() as u32;
            let outgoing = &mut self.locations[place.index()].outgoing;
            *outgoing = match outgoing.len() {
                0 => Instances::new(at, at + 1),
                count => Instances::new(at - count as u32, at + 1),
            };
            let source = if draft.is_committed { committed } else { place };
            let target = self.location_number(draft.process, draft.target);
            let edge = self.whole_edge(draft.number, &draft.guard)?;
            let choices: Vec<ChosenCell> = match &effect {
                Effect::Of(_, guesses) => guesses
                    .iter()
                    .map(|&(address, lo, hi)| ChosenCell { address, lo, hi })
                    .collect(),
                Effect::Fixed(..) => Vec::new(),
            };
            let runs = matches!(effect, Effect::Of(..));
            let written = network.sets.members(network.instance(draft.number).writes);
            let removed = written.chain(choices.iter().map(|choice| choice.address));
            self.resets.push(match runs {
                true => self.reset(removed, pattern),
                false => Vec::new(),
            });
            self.edges.push(EdgeInstance {
                source: draft.source,
                target: draft.target,
                role: draft.role,
                channel: draft.channel,
                endpoints: (source, target),
                update: edge.update.filter(|_| runs),
                has_free_selects: runs && (edge.has_free_selects || !choices.is_empty()),
                is_partial: draft.is_partial,
                ..edge
            });
            self.choices.push(choices);
            self.effects.push(effect);
        }
        // No process is ever here: it is where the edges of removed processes leave that left a committed location.
        let nowhere = self
            .conditions
            .add(network, &[], &network.global_context(), &self.form)?;
        self.locations.push(LocationInstance {
            committed: true,
            ..place(nowhere)
        });
        let routines = self.routines.iter().flatten();
        let written = routines.flat_map(|routine| network.sets.members(routine.writes));
        self.always_reset = self.reset(written, pattern);
        let mut processes = std::mem::take(&mut self.processes);
        processes.retain(|&process| {
            let has_edges = self.location(process, LocationId(0)).outgoing.len() > 0;
            has_edges || pattern.keeps_process(process)
        });
        self.processes = processes;
        Ok(())
    }

    /// The removed ones among some cells, with the values that stand there instead of theirs.
    fn reset(&self, cells: impl Iterator<Item = u32>, pattern: &Pattern) -> Vec<(u32, i32)> {
        let removed = cells.filter(|&cell| !pattern.keeps(cell));
        let mut resets: Vec<_> = removed.map(|cell| (cell, self.image[cell as usize])).collect();
        resets.sort_unstable();
        resets.dedup();
        resets
    }
}

/// A state whose edges do what a projection knows of them. `C` is what updates do to the clocks.
pub struct Projected<'a, C> {
    /// Where code is run.
    pub unprojected: Unprojected<'a, C>,
    effects: &'a [Effect],
}

impl<C: Clocks, X> Updated<X> for Projected<'_, C> {
    type Stop = Stop;

    fn memory(&mut self) -> &mut [i32] {
        self.unprojected.memory
    }

    fn update(&mut self, number: InstanceId, edge: &EdgeInstance<X>) -> Result<(), Stop> {
        match &self.effects[number.index()] {
            Effect::Fixed(cells, clocks) => {
                for &(cell, value) in cells {
                    self.unprojected.memory[cell as usize] = value;
                }
                for &(clock, value) in clocks {
                    self.unprojected.clocks.set(clock, value);
                }
                Ok(())
            }
            Effect::Of(..) => self.unprojected.update(number, edge),
        }
    }

    fn routine(&mut self, routine: Routine) -> Result<(), Stop> {
        Updated::<X>::routine(&mut self.unprojected, routine)
    }
}

impl<F: ClockForm, X, Y> Product<'_, F, X, Y> {
    /// In a projection: a state that its updates change.
    pub fn projected_state<'a, C>(&'a self, unprojected: Unprojected<'a, C>) -> Projected<'a, C> {
        let effects = &self.effects;
        Projected { unprojected, effects }
    }

    /// In a projection: forgets what a transition, given by its edges, has written to removed cells.
    pub fn forget_removed(&self, parts: &[InstanceId], memory: &mut [i32]) {
        let of_parts = parts
            .iter()
            .filter_map(|part| self.resets.get(part.index()))
            .flatten();
        for &(cell, value) in of_parts.chain(&self.always_reset) {
            memory[cell as usize] = value;
        }
    }
}

fn place<Y: Default>(invariant: Conjunction) -> LocationInstance<Y> {
    LocationInstance {
        invariant,
        has_rates: false,
        committed: false,
        urgent: false,
        outgoing: Instances::default(),
        urgent_edges: 0..0,
        own: Y::default(),
    }
}
