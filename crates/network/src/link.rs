//! From code to a network: processes get their data, edges their instances, and what each of them touches.

use crate::assemble::{Draft, EdgeDraft};
use crate::bounds::{EdgeBounds, Limits, ProcessBounds, Sources, Write, analyse};
use crate::cell::{Cell, Context, Extent};
use crate::constraint::{ClockBound, Condition, Relation, Term};
use crate::error::Result;
use crate::footprint::{ClockWrite, Footprint, Lookup, Region};
use crate::instr::{Entry, Program};
use crate::lower::Builder;
use crate::network::{
    Channel, DynamicSync, Edge, Instance, InvariantInstance, Layout, Location, Network, Process, Routine,
    Variant,
};
use crate::sets::{Readers, SetPool};
use crate::storage::{Stored, fit};
use crate::variables::Variables;
use zonewalk_model::system::System;
use zonewalk_model::tree::Model;

/// What an edge touches, for all its instances.
struct EdgeFootprint {
    guard: Footprint,
    channel: Vec<Region>,
    update: Footprint,
    bounds: Vec<(Vec<Region>, ClockBound)>,
}

/// The same for a location.
struct LocationFootprint {
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

/// Makes the network of a model from the code of its variants.
pub(crate) fn link(
    builder: Builder<'_>,
    drafts: Vec<Draft>,
    before: Option<Entry>,
    after: Option<Entry>,
) -> Result<Network> {
    let (model, system) = (builder.model, builder.system);
    let mut network = empty(&builder, model, system);
    let processes = vec![ProcessBounds::default(); network.processes.len()];
    let mut linker = Linker {
        sources: Sources {
            processes,
            ..Sources::default()
        },
    };
    network.image = builder.storage.image.clone();
    place_data(&mut network, &builder)?;

    let footprints: Vec<Vec<EdgeFootprint>> = drafts
        .iter()
        .map(|d| {
            d.edges
                .iter()
                .map(|e| edge_footprint(&builder.program, e))
                .collect()
        })
        .collect();
    let locations: Vec<Vec<LocationFootprint>> = drafts
        .iter()
        .map(|d| {
            d.locations
                .iter()
                .map(|l| location_footprint(&builder.program, l))
                .collect()
        })
        .collect();
    network.program = builder.program;
    instances(&mut network, &drafts)?;
    // Now every constant has its place.
    network.layout.data = fit(network.image.len() as u64)?;
    network.variants = drafts
        .into_iter()
        .zip(builder.plans)
        .map(|(draft, plan)| Variant {
            template: plan.template,
            locations: draft.locations,
            edges: draft.edges.into_iter().map(|e| e.edge).collect(),
        })
        .collect();
    network.finish_layout()?;

    drop_dead_instances(&mut network);
    linker.instances(&mut network, &footprints);
    linker.invariants(&mut network, &locations);
    linker.around(&mut network, before, after);
    let cells = network.layout.meta;
    let sets = &network.sets;
    let readers = Readers::new(cells, network.instances.iter().map(|i| sets.get(i.reads)));
    let invariant_readers = Readers::new(cells, network.invariants.iter().map(|i| sets.get(i.reads)));
    network.guard_readers = readers;
    network.invariant_readers = invariant_readers;
    let everywhere = vec![Limits::INACTIVE; network.clocks.len()];
    network.bounds = analyse(&linker.sources, everywhere);
    network.bound_sources = linker.sources.has_copies().then(|| Box::new(linker.sources));
    Ok(network)
}

fn empty(builder: &Builder<'_>, model: &Model, system: &System) -> Network {
    let storage = &builder.storage;
    let channels = system.channels.iter().map(|c| Channel {
        name: c.name.clone(),
        urgent: c.urgent,
        broadcast: c.broadcast,
        priority: c.priority,
        senders: Vec::new(),
        receivers: Vec::new(),
    });
    let processes = system.processes.iter().enumerate().map(|(number, p)| {
        let home = storage.processes[number];
        let next = |address: fn(&crate::storage::Home) -> u32, end: u32| {
            let end = storage.processes.get(number + 1).map_or(end, address);
            Extent {
                start: address(&home),
                end,
            }
        };
        Process {
            name: p.name.clone(),
            variant: home.variant,
            initial: storage.image.get(number).map_or(0, |&l| l as u32),
            priority: p.priority,
            instances: 0..0,
            variables: next(|h| h.local, storage.variables),
            meta: next(|h| h.meta, storage.meta),
            data: Extent::new(0, 0),
            by_location: Vec::new(),
        }
    });
    Network {
        program: Program::default(),
        layout: Layout {
            locations: storage.locations,
            state: storage.variables,
            meta: storage.meta,
            constants: storage.constants,
            data: storage.constants,
            program: 0,
            frame: 0,
        },
        variants: Vec::new(),
        processes: processes.collect(),
        instances: Vec::new(),
        clocks: system.clocks.iter().map(|c| c.initial).collect(),
        channels: channels.collect(),
        dynamic_syncs: Vec::new(),
        default_priority: system.default_priority,
        has_priorities: model.channel_priorities.is_some() || model.has_process_priorities,
        before_update: None,
        after_update: None,
        sets: SetPool::default(),
        guard_readers: Readers::default(),
        invariant_readers: Readers::default(),
        invariants: Vec::new(),
        bounds: crate::bounds::ClockBounds::default(),
        image: Vec::new(),
        variables: variables(builder),
        bound_sources: None,
    }
}

fn variables(builder: &Builder<'_>) -> Variables {
    let (storage, types) = (&builder.storage, &builder.types);
    let size = |stored: &Stored| types.size(stored.ty).cells;
    Variables {
        globals: storage
            .globals
            .iter()
            .map(|s| Extent::new(s.cell.map_or(0, Cell::offset), size(s)))
            .collect(),
        locals: storage
            .locals
            .iter()
            .map(|l| l.iter().map(|s| Some((s.cell?, size(s)))).collect())
            .collect(),
    }
}

/// Appends the data of every process.
fn place_data(network: &mut Network, builder: &Builder<'_>) -> Result<()> {
    // The position of each process among those of its variant.
    let mut rows = vec![0usize; network.processes.len()];
    for plan in builder.plans {
        for (row, process) in plan.processes.iter().enumerate() {
            rows[process.index()] = row;
        }
    }
    for (process, row) in network.processes.iter_mut().zip(rows) {
        let data = &builder.data[process.variant as usize];
        let start = fit(network.image.len() as u64)?;
        network
            .image
            .extend(data.columns.iter().map(|c| c.get(row).copied().unwrap_or(0)));
        process.data = Extent {
            start,
            end: fit(network.image.len() as u64)?,
        };
    }
    Ok(())
}

/// Makes the instances of all edges and appends their data.
fn instances(network: &mut Network, drafts: &[Draft]) -> Result<()> {
    let mut seen = vec![0usize; drafts.len()];
    // For each variant and edge, where the rows of the next process begin.
    let mut next: Vec<Vec<usize>> = drafts.iter().map(|d| vec![0; d.edges.len()]).collect();
    // For each variant, its edges by source location.
    let by_source: Vec<Vec<Vec<usize>>> = drafts.iter().map(edges_by_source).collect();
    let empty = network.sets.intern(Vec::new());
    for number in 0..network.processes.len() {
        let variant = network.processes[number].variant as usize;
        let draft = &drafts[variant];
        let position = seen[variant];
        seen[variant] += 1;
        let first = network.instances.len() as u32;
        let mut by_location = Vec::with_capacity(draft.locations.len() + 1);
        for edges in &by_source[variant] {
            by_location.push(network.instances.len() as u32);
            for &edge in edges {
                let EdgeDraft { rows, data, .. } = &draft.edges[edge];
                let row = &mut next[variant][edge];
                while rows.get(*row).is_some_and(|r| r.process as usize == position) {
                    let start = fit(network.image.len() as u64)?;
                    network.image.extend(data.columns.iter().map(|c| c[*row]));
                    network.instances.push(Instance {
                        process: number as u32,
                        edge: edge as u32,
                        data: start,
                        channel: Instance::NO_CHANNEL,
                        reads: empty,
                        update_reads: empty,
                        writes: empty,
                        clock_reads: empty,
                        clock_sources: empty,
                        clock_writes: empty,
                    });
                    *row += 1;
                }
            }
        }
        by_location.push(network.instances.len() as u32);
        let process = &mut network.processes[number];
        process.instances = first..network.instances.len() as u32;
        process.by_location = by_location;
    }
    Ok(())
}

fn edges_by_source(draft: &Draft) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new(); draft.locations.len()];
    for (number, edge) in draft.edges.iter().enumerate() {
        if let Some(list) = lists.get_mut(edge.edge.source as usize) {
            list.push(number);
        }
    }
    lists
}

/// Removes instances whose guard is false for constants alone. What stands before the false part must not be able to
/// fail, or the model would lose an error.
fn drop_dead_instances(network: &mut Network) {
    let dead = |network: &Network, instance: &Instance| {
        let context = network.instance_context(instance);
        for term in &network.edge(instance).guard {
            match term {
                Term::Data(Condition::Compare { relation, a, b }) => {
                    let sides = network.constant(*a, &context).zip(network.constant(*b, &context));
                    if sides.is_some_and(|(a, b)| !relation.holds(a, b)) {
                        return true;
                    }
                }
                Term::Clock(ClockBound {
                    setup: None,
                    when: None | Some(Condition::Compare { .. }),
                    ..
                }) => {}
                _ => return false,
            }
        }
        false
    };
    let mut kept = Vec::with_capacity(network.instances.len());
    // Old numbers to new ones, ends included.
    let mut numbers = Vec::with_capacity(network.instances.len() + 1);
    for instance in &network.instances {
        numbers.push(kept.len() as u32);
        if !dead(network, instance) {
            kept.push(*instance);
        }
    }
    numbers.push(kept.len() as u32);
    network.instances = kept;
    for process in &mut network.processes {
        let renumber = |n: &mut u32| *n = numbers[*n as usize];
        process.by_location.iter_mut().for_each(renumber);
        renumber(&mut process.instances.start);
        renumber(&mut process.instances.end);
    }
}

fn edge_footprint(program: &Program, draft: &EdgeDraft) -> EdgeFootprint {
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

fn location_footprint(program: &Program, location: &Location) -> LocationFootprint {
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

struct Linker {
    sources: Sources,
}

impl Linker {
    fn instances(&mut self, network: &mut Network, footprints: &[Vec<EdgeFootprint>]) {
        for number in 0..network.instances.len() {
            let mut instance = network.instances[number];
            let variant = network.processes[instance.process as usize].variant as usize;
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
            let reads = cells(&footprint.guard.reads, footprint.guard.anything);
            let update_reads = cells(&footprint.update.reads, footprint.update.anything);
            let writes = cells(&footprint.update.writes, footprint.update.anything);
            let clock_reads = resolve(&footprint.guard.clock_reads, &view);
            let (clock_writes, clock_sources, assignments) = clock_writes(&footprint.update, &view);
            let channel = resolve(&footprint.channel, &view);
            let edge = network.edge(&instance);
            let mut bounds = EdgeBounds {
                source: edge.source,
                target: edge.target,
                ..EdgeBounds::default()
            };
            for (clocks, bound) in &footprint.bounds {
                self.limits(bound, clocks, &view, &mut |e, l| bounds.guard.push((e, l)));
            }
            bounds.writes = assignments;
            let direction = edge.sync.map(|s| s.direction);

            if let Some(process) = self.sources.processes.get_mut(instance.process as usize) {
                process.edges.push(bounds);
            }
            instance.reads = network.sets.intern(reads);
            instance.update_reads = network.sets.intern(update_reads);
            instance.writes = network.sets.intern(writes);
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
                        instance.channel = channel[0].start;
                        let list = match direction {
                            zonewalk_model::tree::Direction::Send => &mut found.senders,
                            zonewalk_model::tree::Direction::Receive => &mut found.receivers,
                        };
                        list.push(number as u32);
                    }
                    None => {
                        instance.channel = Instance::ANY_CHANNEL;
                        let channels = network.sets.intern(channel);
                        network.dynamic_syncs.push(DynamicSync {
                            instance: number as u32,
                            direction,
                            channels,
                        });
                    }
                }
            }
            network.instances[number] = instance;
        }
    }

    fn invariants(&mut self, network: &mut Network, footprints: &[Vec<LocationFootprint>]) {
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
                    context: network.context(number as u32),
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
                    process: number as u32,
                    location: location as u32,
                    reads,
                    clock_reads,
                    rate_clocks,
                });
            }
        }
    }

    /// What runs around every transition.
    fn around(&mut self, network: &mut Network, before: Option<Entry>, after: Option<Entry>) {
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
            let (clock_writes, clock_sources, assignments) = clock_writes(&footprint, &view);
            all.extend(assignments);
            Routine {
                entry,
                reads: network.sets.intern(reads),
                writes: network.sets.intern(writes),
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
    crate::cell::normalise(&mut found);
    found
}

/// Leaves what is below `end`: variables, not constants.
fn clip(extents: &mut Vec<Extent>, end: u32) {
    for extent in extents.iter_mut() {
        extent.end = extent.end.min(end);
    }
    extents.retain(|e| e.start < e.end);
}

/// The clocks that code may set, those that it copies, and each assignment by itself.
fn clock_writes(footprint: &Footprint, view: &View<'_>) -> (Vec<Extent>, Vec<Extent>, Vec<Write>) {
    let (mut targets, mut sources, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for ClockWrite {
        to,
        from,
        plus,
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
            let shift = match plus {
                None => (0, 0),
                Some(cell) => view.constant(*cell).map_or((i32::MIN, i32::MAX), |c| (c, c)),
            };
            (from, shift)
        });
        all.push(Write { to, from, kills });
    }
    (targets, sources, all)
}

impl Network {
    /// Fixes the ends of the parts of memory after code has been added.
    pub(crate) fn finish_layout(&mut self) -> Result<()> {
        let program = u64::from(self.layout.data) + self.program.constants.len() as u64;
        self.layout.program = fit(program)?;
        self.layout.frame = fit(program + u64::from(self.program.frame))?;
        Ok(())
    }
}
