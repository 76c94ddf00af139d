//! Links code into a network: processes get their data, edges their instances, and both their footprints.

mod linker;

use crate::build::assemble::{Draft, EdgeDraft};
use crate::build::lower::Builder;
use crate::build::storage::{Stored, fit};
use crate::clocks::bounds::{Limits, ProcessBounds, Sources, analyse};
use crate::clocks::clock_updates::ClockUpdates;
use crate::code::cell::{Cell, Extent};
use crate::code::constraint::{ClockBound, Condition, Term};
use crate::code::ids::{InstanceId, InvariantId, LocationId};
use crate::code::ids::{Instances, ProcessId};
use crate::code::instr::{Entry, Program};
use crate::code::sets::{Readers, SetPool};
use crate::error::Result;
use crate::network::variables::Variables;
use crate::network::{Channel, ChannelUse, Instance, Layout, Network, Process, Variant};
use crate::specialise::unfold::unfold;
use linker::{EdgeFootprint, Linker, LocationFootprint, edge_footprint, location_footprint};
use zonewalk_model::system::System;
use zonewalk_model::tree::Model;

/// Makes the network of a model from the code of its variants.
pub(crate) fn link(
    mut builder: Builder<'_>,
    drafts: Vec<Draft>,
    before: Option<Entry>,
    after: Option<Entry>,
) -> Result<Network> {
    let (model, system) = (builder.model, builder.system);
    // Specialised code needs numbers that no label has.
    for number in SMALL {
        builder.constant(number);
    }
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
        .zip(builder.variants)
        .map(|(draft, variant)| Variant {
            template: variant.template,
            locations: draft.locations,
            edges: draft.edges.into_iter().map(|e| e.edge).collect(),
        })
        .collect();
    lay_out(&mut network)?;

    unfold(&mut network);
    drop_dead_instances(&mut network);
    linker.instances(&mut network, &footprints);
    linker.invariants(&mut network, &locations);
    linker.around(&mut network, before, after);
    let cells = network.layout.meta;
    let sets = &network.sets;
    let readers = Readers::new(
        cells,
        network.instances.iter().map(|i| sets.get(i.reads)),
        InstanceId,
    );
    let invariant_readers = Readers::new(
        cells,
        network.invariants.iter().map(|i| sets.get(i.reads)),
        InvariantId,
    );
    network.guard_readers = readers;
    network.invariant_readers = invariant_readers;
    let everywhere = vec![Limits::INACTIVE; network.clocks.len()];
    network.bounds = analyse(&linker.sources, everywhere, &[]);
    network.clock_updates = ClockUpdates::of(&linker.sources, network.clocks.len());
    network.bound_sources = Box::new(linker.sources);
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
        members: Vec::new(),
        participants: c.participants.clone(),
    });
    let processes = system.processes.iter().enumerate().map(|(number, p)| {
        let home = storage.processes[number];
        let next = |address: fn(&crate::build::storage::ProcessAddresses) -> u32, end: u32| {
            let end = storage.processes.get(number + 1).map_or(end, address);
            Extent {
                start: address(&home),
                end,
            }
        };
        Process {
            name: p.name.clone(),
            variant: home.variant,
            initial: storage
                .image
                .get(number)
                .map_or(LocationId(0), |&l| LocationId(l as u32)),
            priority: p.priority,
            instances: Instances::default(),
            variables: next(|h| h.local, storage.variables),
            meta: next(|h| h.meta, storage.meta),
            data: Extent::new(0, 0),
            starts: 0,
        }
    });
    Network {
        program: Program::default(),
        guards: Vec::new(),
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
        bounds: crate::clocks::bounds::ClockBounds::default(),
        image: Vec::new(),
        variables: variables(builder),
        starts: Vec::new(),
        clock_updates: ClockUpdates::default(),
        bound_sources: Box::default(),
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
    for variant in builder.variants {
        for (row, process) in variant.processes.iter().enumerate() {
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
        network.processes[number].starts = network.starts.len() as u32;
        for edges in &by_source[variant] {
            network.starts.push(network.instances.len() as u32);
            for &edge in edges {
                let EdgeDraft { rows, data, .. } = &draft.edges[edge];
                let row = &mut next[variant][edge];
                while rows.get(*row).is_some_and(|r| r.process as usize == position) {
                    let start = fit(network.image.len() as u64)?;
                    network.image.extend(data.columns.iter().map(|c| c[*row]));
                    network.instances.push(Instance {
                        process: ProcessId::from_index(number),
                        edge: edge as u32,
                        data: start,
                        guard: u32::MAX,
                        channel: ChannelUse::None,
                        reads: empty,
                        update_reads: empty,
                        update_needs: empty,
                        writes: empty,
                        overwrites: empty,
                        clock_reads: empty,
                        clock_sources: empty,
                        clock_writes: empty,
                    });
                    *row += 1;
                }
            }
        }
        network.starts.push(network.instances.len() as u32);
        network.processes[number].instances = Instances::new(first, network.instances.len() as u32);
    }
    Ok(())
}

fn edges_by_source(draft: &Draft) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new(); draft.locations.len()];
    for (number, edge) in draft.edges.iter().enumerate() {
        if let Some(list) = lists.get_mut(edge.edge.source.index()) {
            list.push(number);
        }
    }
    lists
}

/// Numbers that have a cell in every network.
const SMALL: std::ops::RangeInclusive<i32> = -1..=16;

/// Removes instances whose guard is false for constants alone. What comes before the false part must not be able to
/// fail, or the model would lose an error.
fn drop_dead_instances(network: &mut Network) {
    let dead = |network: &Network, instance: &Instance| {
        let context = network.instance_context(instance);
        for term in network.guard(instance) {
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
    let renumber = |n: &mut u32| *n = numbers[*n as usize];
    network.starts.iter_mut().for_each(renumber);
    for process in &mut network.processes {
        process.instances.ends().into_iter().for_each(renumber);
    }
}

/// Fixes the ends of the parts of memory after code has been added. Changes nothing when there is no room for it.
pub(crate) fn lay_out(network: &mut Network) -> Result<()> {
    let Network { layout, program, .. } = network;
    let end = u64::from(layout.data) + program.constants.len() as u64;
    let frame = fit(end + u64::from(program.frame))?;
    layout.program = fit(end)?;
    layout.frame = frame;
    Ok(())
}
