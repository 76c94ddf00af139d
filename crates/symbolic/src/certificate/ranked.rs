//! Nodes with ranks.

use super::NodeMaker;
use crate::graph::width::Width;
use crate::infinite::lasso::{Absence, LassoOptions, LassoQuestion, NoProof, absence};
use crate::plan::ZonePlan;
use zonewalk_certificate::{Columns, Node};
use zonewalk_model::system::Memory;
use zonewalk_zones::Word;

/// Nodes that prove that every maximal run reaches the goal, as `A<>`, `-->` and the negation of `E[]` claim: with ranks where
/// the goal is due, without one for the reachable states where it may become due (`-->` alone).
///
/// The states are explored anew, without covering a state by one that was left later. Requires: as for [`NodeMaker::new`].
///
/// # Errors
/// Why there is no proof.
pub fn ranked_nodes(
    plan: &ZonePlan<'_>,
    question: &LassoQuestion,
    options: &LassoOptions<'_>,
    columns: &Columns,
    initial: &Memory,
) -> Result<Vec<Node>, NoProof> {
    match question.width(plan) {
        Width::Narrow => ranked_in_words::<i32>(plan, question, options, columns, initial),
        Width::Wide => ranked_in_words::<i64>(plan, question, options, columns, initial),
    }
}

fn ranked_in_words<W: Word>(
    plan: &ZonePlan<'_>,
    question: &LassoQuestion,
    options: &LassoOptions<'_>,
    columns: &Columns,
    initial: &Memory,
) -> Result<Vec<Node>, NoProof> {
    let Absence { left, reachable } = absence::<W>(plan, question, options)?;
    let mut nodes = Vec::new();
    if let Some((explorer, store)) = &reachable {
        nodes = NodeMaker::new(explorer.graph(), columns, initial).nodes(store);
    }
    let (explorer, store) = &left;
    let ranked = NodeMaker::new(explorer.graph(), columns, initial).nodes(store);
    nodes.extend((0..).zip(ranked).map(|(rank, node)| Node {
        rank: Some(rank),
        ..node
    }));
    Ok(nodes)
}
