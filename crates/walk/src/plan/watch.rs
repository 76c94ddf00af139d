//! How guards are watched from step to step: behind gates, by counters, by the last result of code that many share, and by
//! what a reader must be asked when a cell has changed.

use super::condition::{self, Question};
use super::counts::Counts;
use super::gate::{self, Gate};
use super::{EdgeInstance, NONE, Role, WalkPlan};
use std::collections::BTreeMap;
use zonewalk_network::Extent;
use zonewalk_network::ids::InstanceId;
use zonewalk_product::{General, Product};

/// Code that fewer conditions share is run for each of them.
const FEWEST: u32 = 4;

impl WalkPlan<'_> {
    /// Puts internal edges that wait for the same value of the same variable behind gates.
    pub(super) fn add_gates(&mut self) {
        let network = self.network;
        for (number, extent) in (0..).zip(network.guard_readers.extents()) {
            if extent.len() != 1 {
                continue;
            }
            let cell = extent.start;
            let mut waiting: Vec<(i32, InstanceId)> = Vec::new();
            for &number in network.guard_readers.of_extent(number) {
                let edge = &self.edges[number.index()];
                // Code must not run before its turn.
                let is_one = edge.role == Role::Internal && edge.own.ways == 1;
                if is_one && edge.own.gate == NONE && edge.guard.rest.is_empty() {
                    waiting.extend(self.question(number, cell).key().map(|value| (value, number)));
                }
            }
            waiting.sort_unstable();
            for list in waiting.chunk_by(|a, b| a.0 == b.0) {
                if list.len() < gate::FEWEST {
                    continue;
                }
                for &(_, number) in list {
                    let product = &mut self.product;
                    let edge = &mut product.edges[number.index()];
                    edge.own.gate = self.gates.len() as u32;
                    condition::drop_question(&mut product.conditions, &mut edge.guard, cell);
                }
                self.gates.push(Gate {
                    cell,
                    value: list[0].0,
                    ways: 1,
                });
            }
        }
        self.list_by_ways();
    }

    /// Lists internal edges that are several transitions by their number. Requires: all other gates are there.
    pub(super) fn list_by_ways(&mut self) {
        let mut lists: BTreeMap<u64, u32> = BTreeMap::new();
        for edge in &mut self.product.edges {
            if edge.role != Role::Internal || edge.own.ways == 1 {
                continue;
            }
            edge.own.gate = *lists.entry(edge.own.ways).or_insert_with(|| {
                self.gates.push(Gate {
                    cell: NONE,
                    value: 0,
                    ways: edge.own.ways,
                });
                self.gates.len() as u32 - 1
            });
        }
    }

    /// Lets guards count their comparisons.
    pub(super) fn add_counts(&mut self) {
        let Product {
            network,
            edges,
            conditions,
            image,
            ..
        } = &mut self.product;
        let meta = network.layout.meta;
        let constant = |address: u32| (address >= meta).then(|| image[address as usize]);
        self.counts = Counts::of_guards(edges, conditions, meta, constant);
    }

    /// Numbers the pieces of code that many conditions share.
    pub(super) fn share_code(&mut self) {
        (self.memos, self.memo_count) = share(&self.conditions.rest);
    }

    /// Question for an edge that reads an extent which has changed; `None` when a gate or a counter sees to it.
    pub(super) fn asked(&self, number: InstanceId, extent: Extent) -> Option<Question> {
        let edge = &self.edges[number.index()];
        let gate = self.gates.get(edge.own.gate as usize);
        if extent.len() == 1 && gate.is_some_and(|gate| gate.cell == extent.start) {
            return None;
        }
        if edge.own.is_counted && !self.reads_otherwise(edge, extent) {
            return None;
        }
        Some(match extent.len() {
            1 => self.question(number, extent.start),
            _ => Question::ANY,
        })
    }

    /// Question that the guard of an edge asks of a cell.
    pub(super) fn question(&self, edge: InstanceId, cell: u32) -> Question {
        let edge = &self.edges[edge.index()];
        if self.reads_otherwise(edge, Extent::new(cell, 1)) {
            return Question::ANY;
        }
        condition::question(&self.conditions, &edge.guard, cell, |address| {
            self.constant(address)
        })
    }

    /// Whether more than the comparisons of an edge's guard may depend on an extent.
    pub(super) fn reads_otherwise(&self, edge: &EdgeInstance, extent: Extent) -> bool {
        if edge.is_dynamic() {
            return true;
        }
        if edge.guard.rest.is_empty() {
            return false;
        }
        edge.own.rest_reads.as_ref().is_none_or(|reads| {
            let mut reads = self.rest_reads[reads.start as usize..reads.end as usize].iter();
            reads.any(|read| read.start < extent.end && extent.start < read.end)
        })
    }
}

/// By condition the number of the code that it is, where many conditions share that code, and `NONE` elsewhere; and how many
/// pieces of such code there are.
fn share(conditions: &[General]) -> (Vec<u32>, usize) {
    let mut uses: BTreeMap<u32, u32> = BTreeMap::new();
    for general in conditions {
        if let General::Code(entry) = general {
            *uses.entry(entry.0).or_default() += 1;
        }
    }
    uses.retain(|_, count| *count >= FEWEST);
    let numbers: BTreeMap<u32, u32> = uses.into_keys().zip(0..).collect();
    let number = |general: &General| match general {
        General::Code(entry) => numbers.get(&entry.0).copied().unwrap_or(NONE),
        _ => NONE,
    };
    (conditions.iter().map(number).collect(), numbers.len())
}
