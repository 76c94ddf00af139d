//! The form of a certificate: what its writer did not have to write. None of it matters to the judge.

use std::collections::HashMap;
use zonewalk_certificate::{Certificate, Claim, FIRST_NODE_LINE, Node};
use zonewalk_model::ids::{ClockId, LocationId};
use zonewalk_zones::{Bound, dbm, minimal};

/// A flaw in the form of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormFinding {
    /// The line of the file.
    pub line: usize,
    /// The flaw: half a sentence.
    pub message: String,
}

/// The nodes of a discrete part that have points, by number, with their zones.
type Zones = Vec<(usize, Vec<Bound<i64>>)>;

/// Looks for flaws in the form, in the order of lines. Requires: nodes have no clocks but `clocks` of them.
pub(super) fn lint(certificate: &Certificate, clocks: usize) -> Vec<FormFinding> {
    let mut findings = Vec::new();
    let mut find = |number: usize, message: String| {
        findings.push(FormFinding {
            line: number + FIRST_NODE_LINE,
            message,
        });
    };
    let nodes = &certificate.nodes;
    for (number, pair) in nodes.windows(2).enumerate() {
        match pair[0].cmp(&pair[1]) {
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal => find(number + 1, "the node repeats the one before it".to_owned()),
            std::cmp::Ordering::Greater => find(
                number + 1,
                "the node is not in order: nodes are sorted by locations, values and constraints".to_owned(),
            ),
        }
    }
    let (needs_depth, needs_rank) = (
        matches!(certificate.claim, Claim::Steps(_)),
        matches!(certificate.claim, Claim::Inevitable),
    );
    let mut parts: HashMap<(&[LocationId], &[Option<i32>]), Zones> = HashMap::new();
    for (number, node) in nodes.iter().enumerate() {
        let fields = [
            ("depth", node.depth, needs_depth),
            ("rank", node.rank, needs_rank),
        ];
        for (name, _, _) in fields
            .iter()
            .filter(|(_, value, needed)| value.is_some() && !needed)
        {
            find(number, format!("the claim needs no {name}"));
        }
        let Some(zone) = zone(node, clocks + 1) else {
            find(number, "no clock values satisfy the constraints".to_owned());
            continue;
        };
        let fewest = minimal::constraints(&zone, clocks + 1).len();
        if node.constraints.len() > fewest {
            find(
                number,
                format!(
                    "{} constraints where {fewest} say the same",
                    node.constraints.len()
                ),
            );
        }
        let part = (node.locations.as_slice(), node.values.as_slice());
        parts.entry(part).or_default().push((number, zone));
    }
    // The order does not matter: findings are sorted.
    #[allow(clippy::iter_over_hash_type)]
    for zones in parts.values() {
        for (number, zone) in zones {
            let covers = |(other, larger): &&(usize, Vec<Bound<i64>>)| {
                let (this, that) = (&nodes[*number], &nodes[*other]);
                let is_comparable = this.depth == that.depth && this.rank == that.rank;
                other != number && is_comparable && larger != zone && dbm::includes(larger, zone)
            };
            if let Some((other, _)) = zones.iter().find(covers) {
                find(
                    *number,
                    format!("the node of line {} has all its states", other + FIRST_NODE_LINE),
                );
            }
        }
    }
    findings.sort_by(|a, b| (a.line, &a.message).cmp(&(b.line, &b.message)));
    findings
}

/// The points of a node, closed; `None` when there is none.
fn zone(node: &Node, dim: usize) -> Option<Vec<Bound<i64>>> {
    let mut zone = vec![Bound::INFINITY; dim * dim];
    dbm::set_universal(&mut zone, dim);
    let index = |clock: Option<ClockId>| clock.map_or(0, |clock| clock.index() + 1);
    for constraint in &node.constraints {
        let (i, j) = (index(constraint.left), index(constraint.right));
        let bound = Bound::new(constraint.bound, constraint.strict);
        let is_possible = if i == j {
            bound >= Bound::LE_ZERO
        } else {
            dbm::constrain(&mut zone, dim, i, j, bound)
        };
        if !is_possible {
            return None;
        }
    }
    Some(zone)
}
