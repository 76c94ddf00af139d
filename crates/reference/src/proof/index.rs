//! The nodes of a certificate, by discrete state: which of them stand for a state, and whether they cover a set of points.

use crate::proof::zone::{Zone, bound};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use zonewalk_certificate::{Certificate, Columns, LARGEST_BOUND, Node};
use zonewalk_model::ids::LocationId;
use zonewalk_model::system::System;
use zonewalk_model::tree::Model;

/// Pieces into which what is not yet covered may fall apart. Certificates that are valid need a handful.
const MOST_PIECES: usize = 10_000;

/// All nodes with the same locations and values.
pub(crate) struct Group {
    pub locations: Box<[LocationId]>,
    pub values: Box<[Option<i32>]>,
    pub members: Vec<Member>,
}

/// A node that is not empty.
pub(crate) struct Member {
    /// Its number in the certificate.
    pub number: usize,
    pub zone: Arc<Zone>,
    pub depth: Option<u32>,
    pub rank: Option<u32>,
}

/// The groups that specify the same values, by these.
struct Layer {
    specified: Box<[bool]>,
    groups: FxHashMap<Box<[i32]>, usize>,
}

/// All nodes.
pub(crate) struct Index {
    pub groups: Vec<Group>,
    by_locations: FxHashMap<Box<[LocationId]>, Vec<Layer>>,
}

/// Part of a set that no node covers.
pub(crate) enum Uncovered {
    /// These points; all of a set, or what the nodes leave of it.
    Points(Zone),
    /// The search for it was given up.
    TooManyPieces,
}

/// A node that does not have the shape of the model.
pub(crate) struct Malformed {
    pub number: usize,
    pub what: String,
}

impl Index {
    /// Requires: `columns` are those of the model.
    pub(crate) fn new(
        model: &Model,
        system: &System,
        columns: &Columns,
        certificate: &Certificate,
        clocks: usize,
    ) -> Result<Self, Malformed> {
        let mut index = Index {
            groups: Vec::new(),
            by_locations: FxHashMap::default(),
        };
        for (number, node) in certificate.nodes.iter().enumerate() {
            check_shape(model, system, columns, node).map_err(|what| Malformed { number, what })?;
            let zone = zone(node, clocks).map_err(|what| Malformed { number, what })?;
            // A node without points covers nothing and has nothing to be shown of.
            if let Some(zone) = zone {
                let group = index.group(node);
                index.groups[group].members.push(Member {
                    number,
                    zone: Arc::new(zone),
                    depth: node.depth,
                    rank: node.rank,
                });
            }
        }
        Ok(index)
    }

    fn group(&mut self, node: &Node) -> usize {
        let layers = match self.by_locations.get_mut(&node.locations[..]) {
            Some(layers) => layers,
            None => self
                .by_locations
                .entry(node.locations.as_slice().into())
                .or_default(),
        };
        let is_layer = |layer: &Layer| {
            let both = layer.specified.iter().zip(&node.values);
            both.into_iter()
                .all(|(specified, value)| *specified == value.is_some())
        };
        let at = layers.iter().position(is_layer).unwrap_or_else(|| {
            layers.push(Layer {
                specified: node.values.iter().map(Option::is_some).collect(),
                groups: FxHashMap::default(),
            });
            layers.len() - 1
        });
        let groups = &mut self.groups;
        let key: Box<[i32]> = node.values.iter().flatten().copied().collect();
        *layers[at].groups.entry(key).or_insert_with(|| {
            groups.push(Group {
                locations: node.locations.as_slice().into(),
                values: node.values.as_slice().into(),
                members: Vec::new(),
            });
            groups.len() - 1
        })
    }

    /// The groups whose nodes stand for a discrete state. A value that is not specified is covered by nodes that leave it open.
    pub(crate) fn standing_for(
        &self,
        locations: &[LocationId],
        values: &[Option<i32>],
        into: &mut Vec<usize>,
    ) {
        into.clear();
        let mut key = Vec::with_capacity(values.len());
        for layer in self.by_locations.get(locations).into_iter().flatten() {
            key.clear();
            let fits = layer.specified.iter().zip(values).all(|(specified, value)| {
                if *specified {
                    key.extend(value);
                }
                !specified || value.is_some()
            });
            if fits {
                into.extend(layer.groups.get(&key[..]));
            }
        }
    }

    /// Whether all points of a set are in the nodes of some groups, of those that `counts` says may be used: in a single one, or
    /// else in several together.
    pub(crate) fn covers(
        &self,
        groups: &[usize],
        zone: &Zone,
        counts: impl Fn(&Member) -> bool,
    ) -> Result<(), Uncovered> {
        let members = || {
            let members = groups.iter().flat_map(|&g| &self.groups[g].members);
            members.filter(|member| counts(member))
        };
        if members().any(|member| member.zone.includes(zone)) {
            return Ok(());
        }
        let mut left = vec![zone.clone()];
        for member in members() {
            if member.zone.is_apart(zone) {
                continue;
            }
            left = left.iter().flat_map(|piece| piece.minus(&member.zone)).collect();
            if left.len() > MOST_PIECES {
                return Err(Uncovered::TooManyPieces);
            }
        }
        match left.pop() {
            None => Ok(()),
            Some(piece) => Err(Uncovered::Points(piece)),
        }
    }
}

/// Locations and values of a node may only be what the model has: nothing else is looked at again.
fn check_shape(model: &Model, system: &System, columns: &Columns, node: &Node) -> Result<(), String> {
    if node.locations.len() != system.processes.len() {
        return Err("it does not have one location for each process".into());
    }
    for (location, process) in node.locations.iter().zip(&system.processes) {
        if location.index() >= model.templates[process.template.index()].locations.len() {
            return Err(format!("{} has no such location", process.name));
        }
    }
    if node.values.len() != columns.cells.len() {
        return Err("it does not have one value for each variable".into());
    }
    for (value, cell) in node.values.iter().zip(&columns.cells) {
        if value.is_some_and(|value| !cell.domain.contains(value)) {
            return Err(format!("{} is outside of its range", cell.name));
        }
    }
    Ok(())
}

/// The points that the constraints of a node leave; `None` when there is none.
fn zone(node: &Node, clocks: usize) -> Result<Option<Zone>, String> {
    let mut zone = Zone::universal(clocks);
    for constraint in &node.constraints {
        let place = |clock: Option<zonewalk_model::ids::ClockId>| match clock {
            None => Ok(0),
            Some(clock) if clock.index() < clocks => Ok(clock.index() + 1),
            Some(_) => Err("it constrains a clock that is not there".to_owned()),
        };
        let (i, j) = (place(constraint.left)?, place(constraint.right)?);
        if constraint.bound.unsigned_abs() > LARGEST_BOUND as u64 {
            return Err(format!("a bound is beyond {LARGEST_BOUND}"));
        }
        let bound = bound(constraint.bound, constraint.strict);
        let possible = if i == j {
            bound >= crate::proof::zone::ZERO
        } else {
            zone.constrain(i, j, bound)
        };
        if !possible {
            return Ok(None);
        }
    }
    Ok(Some(zone))
}
