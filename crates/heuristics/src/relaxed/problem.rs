//! The relaxed problem of a network and a goal, laid out once: conditions, updates, and the units to re-examine when a cell gets
//! a new value.

use crate::alive::Channels;
use crate::goal::Locations;
use rustc_hash::FxHashMap;
use std::ops::Range;
use zonewalk_model::tree::Direction;
use zonewalk_network::cell::{Cell, Context};
use zonewalk_network::constraint::{Condition, Relation};
use zonewalk_network::ids::{ChannelId, InstanceId};
use zonewalk_network::instr::Entry;
use zonewalk_network::{Network, SetId};

/// "None" among numbers.
pub(super) const NONE: u32 = u32::MAX;
/// No partner in particular: the edge that begins a broadcast, or a synchronisation without `!` and `?`.
pub(super) const NO_PARTNER: u32 = u32::MAX - 1;

/// A condition on data that is examined on its own, shared by all units that ask for it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Conjunct {
    /// A cell against a constant.
    Constant {
        cell: u32,
        relation: Relation,
        number: i32,
    },
    /// Anything else, by the unit that evaluates it.
    Unit(u32),
}

/// Code with the cells that it reads: it is run for every combination of their values.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub(super) purpose: Purpose,
    pub(super) context: Context,
    /// The cells that it reads, in [`Problem::reads`].
    pub(super) reads: Range<u32>,
    /// Limit on the number of combinations run.
    pub(super) most: usize,
    /// Effort of one run.
    pub(super) effort: u64,
    /// By read: its values are narrowed to those that the guard of the edge accepts.
    pub(super) filters: Vec<(u32, Relation, i32)>,
    /// Conditions of the guard on several of the cells, as units.
    pub(super) checks: Vec<u32>,
    /// By read: whether another participant of the same transition, or `before_update`, may have written it.
    pub(super) is_passed: Vec<bool>,
    /// Values that are chosen freely: address, smallest, largest.
    pub(super) selects: Vec<(u32, i32, i32)>,
}

/// Purpose of a unit.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose {
    /// Whether a condition is as it should be.
    Guard {
        conjunct: u32,
        condition: Condition,
        is: bool,
    },
    /// The update of an edge instance.
    Update {
        owner: InstanceId,
        entry: Entry,
        writes: SetId,
    },
    /// The channel of an edge instance.
    Channel {
        owner: InstanceId,
        setup: Option<Entry>,
        cell: Cell,
    },
    /// `before_update`.
    Before { entry: Entry, writes: SetId },
    /// `after_update`.
    After { entry: Entry, writes: SetId },
}

/// Whom a new value of a cell concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Watcher {
    Conjunct(u32),
    Unit(u32),
    /// A set of locations of the goal.
    Locations(u32),
}

/// An edge instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct RelaxedEdge {
    pub(super) process: u32,
    pub(super) target: i32,
    /// Its source, its conditions. What takes no part at all needs more than there is.
    pub(super) needs: u16,
    pub(super) role: Role,
    /// The units of its update, from one number to another; none if that changes nothing that matters, or always the same.
    pub(super) updates: (u32, u32),
    /// Unconditional effects of its update, in [`Problem::effects`].
    pub(super) effects: (u32, u32),
    /// Another process may see what it writes in the same transition.
    pub(super) speaks: bool,
}

/// How an edge takes part in transitions.
#[derive(Clone, Copy, Debug)]
pub(super) enum Role {
    Internal,
    On(Direction, ChannelId),
    /// The unit says on which channel.
    Dynamic(Direction, u32),
}

impl Role {
    pub(super) fn direction(self) -> Option<Direction> {
        match self {
            Role::Internal => None,
            Role::On(direction, _) | Role::Dynamic(direction, _) => Some(direction),
        }
    }
}

/// A goal whose leaves are conditions and sets of locations.
#[derive(Clone, Debug)]
pub(super) enum RelaxedGoal {
    Constant(bool),
    And(Vec<RelaxedGoal>),
    Or(Vec<RelaxedGoal>),
    Locations(u32),
    Conjunct(u32),
}

/// Lists of numbers, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Lists<V> {
    starts: Vec<u32>,
    values: Vec<V>,
}

impl<V: Copy + Ord> Lists<V> {
    pub(super) fn new(keys: usize, mut pairs: Vec<(u32, V)>) -> Lists<V> {
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0u32; keys + 1];
        pairs.iter().for_each(|(key, _)| starts[*key as usize + 1] += 1);
        for i in 0..keys {
            starts[i + 1] += starts[i];
        }
        Lists {
            starts,
            values: pairs.into_iter().map(|pair| pair.1).collect(),
        }
    }

    #[inline]
    pub(super) fn get(&self, key: u32) -> &[V] {
        &self.values[self.starts[key as usize] as usize..self.starts[key as usize + 1] as usize]
    }

    fn bytes(&self) -> usize {
        4 * self.starts.len() + size_of_val(self.values.as_slice())
    }
}

/// The relaxation of a network toward a goal.
#[derive(Clone, Debug)]
pub(super) struct Problem<'n> {
    pub(super) network: &'n Network,
    pub(super) channels: Channels,
    /// The cells that matter, in order.
    pub(super) cells: Vec<u32>,
    /// By cell.
    pub(super) is_relevant: Vec<bool>,
    pub(super) conjuncts: Vec<Conjunct>,
    pub(super) units: Vec<Unit>,
    pub(super) reads: Vec<u32>,
    /// Cells with the values that they get.
    pub(super) effects: Vec<(u32, i32)>,
    /// By edge instance.
    pub(super) edges: Vec<RelaxedEdge>,
    /// By edge instance: its conditions.
    pub(super) conjuncts_of: Lists<u32>,
    /// By condition: the edge instances that ask for it.
    pub(super) edges_of: Lists<u32>,
    /// By cell.
    pub(super) watchers: Lists<Watcher>,
    /// By channel and cell: the edge instances that see it in the transition in which another participant writes it.
    pub(super) listeners: FxHashMap<(u32, u32), Vec<InstanceId>>,
    /// By cell: the edge instances that see what `before_update` writes there.
    pub(super) before_listeners: FxHashMap<u32, Vec<InstanceId>>,
    /// The unit of `after_update`.
    pub(super) after: Option<u32>,
    pub(super) location_sets: Vec<Locations>,
    pub(super) wanted: RelaxedGoal,
}

impl Problem<'_> {
    /// The cells that a unit reads.
    pub(super) fn reads(&self, unit: &Unit) -> &[u32] {
        &self.reads[unit.reads.start as usize..unit.reads.end as usize]
    }

    /// The edge instances that may see a cell in the transition in which it is written: on a channel or, for [`NONE`], by
    /// `before_update`.
    pub(super) fn listeners_to(&self, channel: u32, cell: u32) -> &[InstanceId] {
        let list = if channel == NONE {
            self.before_listeners.get(&cell)
        } else {
            self.listeners.get(&(channel, cell))
        };
        list.map_or(&[], Vec::as_slice)
    }

    /// Number of entries in the tables of an evaluation.
    pub(super) fn size(&self) -> u64 {
        let each = self.edges.len() + self.conjuncts.len() + self.units.len() + self.reads.len();
        (each + self.cells.len()) as u64
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.edges.as_slice())
            + size_of_val(self.units.as_slice())
            + size_of_val(self.conjuncts.as_slice())
            + 4 * self.reads.len()
            + 8 * self.effects.len()
            + self.is_relevant.len()
            + self.conjuncts_of.bytes()
            + self.edges_of.bytes()
            + self.watchers.bytes()
    }
}

impl Purpose {
    /// The code that it runs.
    pub(super) fn entry(&self) -> Option<Entry> {
        match *self {
            Purpose::Guard {
                condition: Condition::Compare { .. },
                ..
            } => None,
            Purpose::Guard {
                condition: Condition::Code(entry),
                ..
            }
            | Purpose::Update { entry, .. }
            | Purpose::Before { entry, .. }
            | Purpose::After { entry, .. } => Some(entry),
            Purpose::Channel { setup, .. } => setup,
        }
    }
}
