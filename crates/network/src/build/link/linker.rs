//! Footprints of every edge instance and invariant, and the clock bounds that follow from them.

use crate::build::assemble::EdgeDraft;
use crate::clocks::bounds::{EdgeBounds, Limits, Sources, Write};
use crate::code::cell::{Cell, Context, Extent};
use crate::code::constraint::{ClockBound, Condition, Relation, Term};
use crate::code::footprint::{Access, ClockWrite, Footprint, Lookup, Region};
use crate::code::ids::{ChannelId, InstanceId, LocationId, ProcessId};
use crate::code::instr::{Entry, Program};
use crate::network::{ChannelUse, DynamicSync, Edge, InvariantInstance, Location, Network, Routine};
use zonewalk_model::tree::Direction;

/// Footprint of an edge, for all its instances.
pub(crate) struct EdgeFootprint {
    guard: Footprint,
    channel: Vec<Region>,
    update: Footprint,
    bounds: Vec<(Vec<Region>, ClockBound)>,
}

/// Footprint of a location.
pub(crate) struct LocationFootprint {
    invariant: Footprint,
    rates: Vec<Region>,
    bounds: Vec<(Vec<Region>, ClockBound)>,
}

/// Constants as one process and edge instance see them.
struct View<'l> {
    network: &'l Network,
    context: Context,
}

impl Lookup for View<'_> {
    fn constant(&self, cell: Cell) -> Option<i32> {
        self.network.constant(cell, &self.context)
    }

    fn context(&self) -> &Context {
        &self.context
    }
}

impl Network {
    /// The variables that code, which writes none, may read in a context.
    pub fn code_reads(&self, entry: Entry, context: &Context) -> Vec<Extent> {
        let mut footprint = Footprint::default();
        footprint.code(&self.program, entry);
        if footprint.anything {
            return vec![Extent::new(0, self.layout.meta)];
        }
        let view = View {
            network: self,
            context: *context,
        };
        let mut found = Vec::new();
        footprint
            .reads
            .iter()
            .for_each(|region| region.resolve(&view, &mut found));
        clip(&mut found, self.layout.meta);
        crate::code::cell::normalise(&mut found);
        found
    }

    /// The clocks that a cell may name once `setup` has run in a context.
    pub fn named_clocks(&self, setup: Option<Entry>, cell: Cell, context: &Context) -> Vec<Extent> {
        let regions = Footprint::default().pointed(&self.program, setup, cell);
        let view = View {
            network: self,
            context: *context,
        };
        resolve(&regions, &view)
    }

    /// The cells of the state that a condition may read in a context.
    pub fn condition_reads(&self, condition: &Condition, context: &Context) -> Vec<u32> {
        match *condition {
            Condition::Compare { a, b, .. } => {
                let cells = [a, b].map(|cell| context.address(cell) as u32);
                cells
                    .into_iter()
                    .filter(|&cell| cell < self.layout.meta)
                    .collect()
            }
            Condition::Code(entry) => {
                let reads = self.code_reads(entry, context);
                reads.iter().flat_map(|e| e.start..e.end).collect()
            }
        }
    }
}

/// Computes the footprint of an edge.
pub(crate) fn edge_footprint(program: &Program, draft: &EdgeDraft) -> EdgeFootprint {
    let Edge {
        guard, sync, update, ..
    } = &draft.edge;
    let mut found = EdgeFootprint {
        guard: Footprint::default(),
        channel: Vec::new(),
        update: Footprint::default(),
        bounds: Vec::new(),
    };
    for term in guard {
        found.guard.term(program, term);
    }
    found.bounds = clock_bounds(program, guard);
    if let Some(sync) = sync {
        found.channel = found.guard.pointed(program, sync.setup, sync.channel);
    }
    if let Some(entry) = update {
        found.update.code(program, *entry);
    }
    found
}

/// Computes the footprint of a location.
pub(crate) fn location_footprint(program: &Program, location: &Location) -> LocationFootprint {
    let mut found = LocationFootprint {
        invariant: Footprint::default(),
        rates: Vec::new(),
        bounds: clock_bounds(program, &location.invariant),
    };
    for term in &location.invariant {
        found.invariant.term(program, term);
    }
    for rate in &location.rates {
        found.rates.extend(found.invariant.rate(program, rate));
    }
    found
}

/// The clocks of each bound.
fn clock_bounds(program: &Program, terms: &[Term]) -> Vec<(Vec<Region>, ClockBound)> {
    let bounds = terms.iter().filter_map(|t| match t {
        Term::Clock(bound) => Some(bound),
        Term::Data(_) => None,
    });
    bounds
        .map(|bound| {
            let mut footprint = Footprint::default();
            footprint.term(program, &Term::Clock(*bound));
            (footprint.clock_reads, *bound)
        })
        .collect()
}

/// Fills in the sets of a network.
pub(crate) struct Linker {
    pub(crate) sources: Sources,
}

impl Linker {
    /// Resolves the footprints and the channels of every edge instance.
    pub(crate) fn instances(&mut self, network: &mut Network, footprints: &[Vec<EdgeFootprint>]) {
        for number in 0..network.instances.len() {
            let mut instance = network.instances[number];
            let variant = network.processes[instance.process.index()].variant as usize;
            let footprint = &footprints[variant][instance.edge as usize];
            let view = View {
                context: network.instance_context(&instance),
                network,
            };
            let all = [Extent::new(0, network.layout.meta)];
            let cells = |regions: &[Region], anything: bool| {
                let mut found = Vec::new();
                regions.iter().for_each(|r| r.resolve(&view, &mut found));
                clip(&mut found, network.layout.meta);
                if anything { all.to_vec() } else { found }
            };
            let own = network.guards.get(instance.guard as usize).map(|terms| {
                let mut own = Footprint::default();
                terms.iter().for_each(|term| own.term(&network.program, term));
                if let Some(sync) = network.edge(&instance).sync {
                    own.pointed(&network.program, sync.setup, sync.channel);
                }
                own
            });
            let guard = own.as_ref().unwrap_or(&footprint.guard);
            let reads = cells(&guard.reads, guard.anything);
            let update_reads = cells(&footprint.update.reads, footprint.update.anything);
            let writes = cells(&footprint.update.writes, footprint.update.anything);
            let (update_needs, overwrites) = needs(&footprint.update, &view);
            let clock_reads = resolve(&footprint.guard.clock_reads, &view);
            let (clock_writes, clock_sources, assignments) = clock_writes(&footprint.update, &view);
            let channel = resolve(&footprint.channel, &view);
            let edge = network.edge(&instance);
            let mut bounds = EdgeBounds {
                source: edge.source.0,
                target: edge.target.0,
                ..EdgeBounds::default()
            };
            for (clocks, bound) in &footprint.bounds {
                self.limits(bound, clocks, &view, &mut |e, l| bounds.guard.push((e, l)));
            }
            bounds.writes = assignments;
            let direction = edge.sync.map(|s| s.direction);

            if let Some(process) = self.sources.processes.get_mut(instance.process.index()) {
                process.edges.push(bounds);
            }
            instance.reads = network.sets.intern(reads);
            instance.update_reads = network.sets.intern(update_reads);
            instance.update_needs = network.sets.intern(update_needs);
            instance.writes = network.sets.intern(writes);
            instance.overwrites = network.sets.intern(overwrites);
            instance.clock_reads = network.sets.intern(clock_reads);
            instance.clock_sources = network.sets.intern(clock_sources);
            instance.clock_writes = network.sets.intern(clock_writes);
            if let Some(direction) = direction {
                let list = match channel.as_slice() {
                    [single] if single.len() == 1 => network.channels.get_mut(single.start as usize),
                    _ => None,
                };
                match list {
                    Some(found) => {
                        instance.channel = ChannelUse::Fixed(ChannelId(channel[0].start));
                        let list = match direction {
                            Direction::Send => &mut found.senders,
                            Direction::Receive => &mut found.receivers,
                            Direction::Together => &mut found.members,
                        };
                        list.push(InstanceId(number as u32));
                    }
                    None => {
                        instance.channel = ChannelUse::Dynamic;
                        let channels = network.sets.intern(channel);
                        network.dynamic_syncs.push(DynamicSync {
                            instance: InstanceId(number as u32),
                            direction,
                            channels,
                        });
                    }
                }
            }
            network.instances[number] = instance;
        }
    }

    /// Resolves the footprints of every invariant.
    pub(crate) fn invariants(&mut self, network: &mut Network, footprints: &[Vec<LocationFootprint>]) {
        for number in 0..network.processes.len() {
            let variant = network.processes[number].variant as usize;
            if let Some(bounds) = self.sources.processes.get_mut(number) {
                bounds.locations = network.variants[variant].locations.len() as u32;
            }
            for (location, footprint) in footprints[variant].iter().enumerate() {
                let code = &network.variants[variant].locations[location];
                if code.invariant.is_empty() && code.rates.is_empty() {
                    continue;
                }
                let view = View {
                    context: network.context(ProcessId::from_index(number)),
                    network,
                };
                let mut reads = Vec::new();
                footprint
                    .invariant
                    .reads
                    .iter()
                    .for_each(|r| r.resolve(&view, &mut reads));
                clip(&mut reads, network.layout.meta);
                if footprint.invariant.anything {
                    reads = vec![Extent::new(0, network.layout.meta)];
                }
                let clock_reads = resolve(&footprint.invariant.clock_reads, &view);
                let rate_clocks = resolve(&footprint.rates, &view);
                let mut limits = Vec::new();
                for (clocks, bound) in &footprint.bounds {
                    self.limits(bound, clocks, &view, &mut |e, l| {
                        limits.push((location as u32, e, l));
                    });
                }
                if let Some(bounds) = self.sources.processes.get_mut(number) {
                    bounds.invariants.extend(limits);
                }
                let reads = network.sets.intern(reads);
                let clock_reads = network.sets.intern(clock_reads);
                let rate_clocks = network.sets.intern(rate_clocks);
                network.invariants.push(InvariantInstance {
                    process: ProcessId::from_index(number),
                    location: LocationId::from_index(location),
                    reads,
                    clock_reads,
                    rate_clocks,
                });
            }
        }
    }

    /// Resolves the footprints of the routines that run around every transition.
    pub(crate) fn around(&mut self, network: &mut Network, before: Option<Entry>, after: Option<Entry>) {
        let all = &mut self.sources.around;
        let mut routine = |entry: Entry| {
            let mut footprint = Footprint::default();
            footprint.code(&network.program, entry);
            let view = View {
                context: network.global_context(),
                network,
            };
            let cells = |regions: &[Region]| {
                let mut found = resolve(regions, &view);
                clip(&mut found, network.layout.meta);
                if footprint.anything {
                    found = vec![Extent::new(0, network.layout.meta)];
                }
                found
            };
            let (reads, writes) = (cells(&footprint.reads), cells(&footprint.writes));
            let (needs, overwrites) = needs(&footprint, &view);
            let (clock_writes, clock_sources, assignments) = clock_writes(&footprint, &view);
            all.extend(assignments);
            Routine {
                entry,
                reads: network.sets.intern(reads),
                needs: network.sets.intern(needs),
                writes: network.sets.intern(writes),
                overwrites: network.sets.intern(overwrites),
                clock_sources: network.sets.intern(clock_sources),
                clock_writes: network.sets.intern(clock_writes),
            }
        };
        let before = before.map(&mut routine);
        let after = after.map(&mut routine);
        network.before_update = before;
        network.after_update = after;
    }

    /// The limits that a bound gives to its clocks.
    fn limits(
        &mut self,
        bound: &ClockBound,
        clocks: &[Region],
        view: &View<'_>,
        emit: &mut dyn FnMut(Extent, Limits),
    ) {
        let most = view.constant(bound.bound).unwrap_or(bound.range.hi);
        let limits = if bound.right.is_some() {
            // A difference bounds both clocks on both sides, whatever the method that treats it needs.
            self.sources.diagonals = true;
            let least = view.constant(bound.bound).unwrap_or(bound.range.lo);
            let most = most.saturating_abs().max(least.saturating_abs());
            Limits::new(Some(most), Some(most))
        } else {
            match bound.relation {
                Relation::Less | Relation::LessEqual => Limits::new(None, Some(most)),
                Relation::Greater | Relation::GreaterEqual => Limits::new(Some(most), None),
                Relation::Equal | Relation::NotEqual => Limits::new(Some(most), Some(most)),
            }
        };
        for extent in resolve(clocks, view) {
            emit(extent, limits);
        }
    }
}

fn resolve(regions: &[Region], view: &View<'_>) -> Vec<Extent> {
    let mut found = Vec::new();
    regions.iter().for_each(|r| r.resolve(view, &mut found));
    crate::code::cell::normalise(&mut found);
    found
}

/// Leaves what is below `end`: variables, not constants.
fn clip(extents: &mut Vec<Extent>, end: u32) {
    for extent in extents.iter_mut() {
        extent.end = extent.end.min(end);
    }
    extents.retain(|e| e.start < e.end);
}

/// The variables whose values code may need from before it runs, and those that it always writes.
fn needs(footprint: &Footprint, view: &View<'_>) -> (Vec<Extent>, Vec<Extent>) {
    let end = view.network.layout.meta;
    if footprint.anything {
        return (vec![Extent::new(0, end)], Vec::new());
    }
    let (mut needed, mut written, mut found) = (Vec::new(), Vec::<Extent>::new(), Vec::new());
    for access in &footprint.accesses {
        found.clear();
        match access {
            Access::Read(region) => {
                region.resolve(view, &mut found);
                let is_new = |e: &&Extent| !written.iter().any(|w| w.start <= e.start && e.end <= w.end);
                needed.extend(found.iter().filter(is_new));
            }
            Access::Overwrite(region, count) => {
                region.resolve(view, &mut found);
                // Code that writes more than this one place after the other gains nothing from being known so well.
                if written.len() < 256 {
                    written.extend(found.iter().map(|e| Extent::new(e.start, *count)));
                }
            }
        }
    }
    clip(&mut needed, end);
    clip(&mut written, end);
    (needed, written)
}

/// The clocks that code may set, those that it copies, and each assignment by itself.
fn clock_writes(footprint: &Footprint, view: &View<'_>) -> (Vec<Extent>, Vec<Extent>, Vec<Write>) {
    let (mut targets, mut sources, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for ClockWrite {
        to,
        from,
        amount,
        range,
        definite,
    } in &footprint.clock_writes
    {
        let kills = match to.as_slice() {
            [region] if *definite && region.is_single() => {
                let mut found = Vec::new();
                region.resolve(view, &mut found);
                found.first().map(|e| e.start)
            }
            _ => None,
        };
        let to = resolve(to, view);
        targets.extend_from_slice(&to);
        let from = from.as_ref().map(|from| {
            let from = resolve(from, view);
            sources.extend_from_slice(&from);
            from
        });
        let known = amount.and_then(|cell| view.constant(cell));
        let amount = known.map_or((range.lo, range.hi), |c| (c, c));
        all.push(Write {
            to,
            from,
            amount,
            kills,
        });
    }
    (targets, sources, all)
}
