//! Certificates with a mistake, judged beside random runs of the reference interpreter: where a run is in a state that no node has,
//! the certificate must be refused. Not every mistake matters: smaller sets of states can be closed, too.

// With --nocapture the tallies are shown.
#![allow(clippy::print_stdout)]

use crate::support::proof::{
    Exploration, Shown, WAYS, explore, judged, networks, stands_for, states_of_runs,
};
use std::collections::BTreeMap;
use zonewalk_certificate::{Certificate, Columns, Constraint, Node};
use zonewalk_model::ids::{ClockId, LocationId};
use zonewalk_reference::proof::Judgement;
use zonewalk_reference::simulate::Random;
use zonewalk_testkit::Loaded;

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mistake {
    DropNode,
    TightenBound,
    MakeStrict,
    OtherValue,
    OtherLocation,
    SpecifyValue,
    Empty,
    Halve,
}

const MISTAKES: [Mistake; 8] = [
    Mistake::DropNode,
    Mistake::TightenBound,
    Mistake::MakeStrict,
    Mistake::OtherValue,
    Mistake::OtherLocation,
    Mistake::SpecifyValue,
    Mistake::Empty,
    Mistake::Halve,
];

impl Mistake {
    /// Makes it somewhere; `None` where it cannot be made.
    fn make(
        self,
        proof: &Certificate,
        loaded: &Loaded,
        columns: &Columns,
        random: &mut Random,
    ) -> Option<Certificate> {
        let mut pick = |count: usize| (count > 0).then(|| random.below(count as u64) as usize);
        let mut changed = proof.clone();
        let nodes = &mut changed.nodes;
        if self == Mistake::Empty {
            nodes.clear();
            return Some(changed);
        }
        let fits = |node: &Node| match self {
            Mistake::TightenBound => !node.constraints.is_empty(),
            Mistake::MakeStrict => node.constraints.iter().any(|c| !c.strict),
            Mistake::OtherValue => node.values.iter().any(Option::is_some),
            Mistake::SpecifyValue => node.values.iter().any(Option::is_none),
            _ => true,
        };
        let candidates: Vec<usize> = (0..nodes.len()).filter(|&at| fits(&nodes[at])).collect();
        let at = candidates[pick(candidates.len())?];
        let node = &mut nodes[at];
        match self {
            Mistake::DropNode | Mistake::Empty => {
                nodes.remove(at);
            }
            Mistake::TightenBound => {
                let constraint = pick(node.constraints.len())?;
                node.constraints[constraint].bound -= 1;
            }
            Mistake::MakeStrict => {
                let weak: Vec<usize> = (0..node.constraints.len())
                    .filter(|&c| !node.constraints[c].strict)
                    .collect();
                node.constraints[weak[pick(weak.len())?]].strict = true;
            }
            Mistake::OtherValue | Mistake::SpecifyValue => {
                let is_chosen = |value: &Option<i32>| value.is_some() == (self == Mistake::OtherValue);
                let cells: Vec<usize> = (0..node.values.len())
                    .filter(|&v| is_chosen(&node.values[v]))
                    .collect();
                let cell = cells[pick(cells.len())?];
                let domain = columns.cells[cell].domain;
                node.values[cell] = match node.values[cell] {
                    None => Some(domain.lo),
                    Some(value) if value < domain.hi => Some(value + 1),
                    Some(_) => Some(domain.lo),
                };
            }
            Mistake::OtherLocation => {
                let process = pick(node.locations.len())?;
                let template = loaded.system.processes[process].template;
                let count = loaded.model.templates[template.index()].locations.len();
                let next = (node.locations[process].index() + 1) % count;
                node.locations[process] = LocationId(next as u32);
            }
            Mistake::Halve => {
                let clock = ClockId::from_index(pick(loaded.system.clocks.len())?);
                node.constraints.push(Constraint {
                    left: Some(clock),
                    right: None,
                    bound: 1,
                    strict: false,
                });
            }
        }
        Some(changed)
    }
}

/// How many of the certificates with a mistake were judged which way.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    /// Refused, and a run leaves the nodes.
    shown: u64,
    /// Refused.
    refused: u64,
    /// Accepted, and no run leaves the nodes.
    accepted: u64,
    /// Accepted although a run leaves the nodes.
    wrong: u64,
}

#[test]
fn certificates_with_mistakes_that_matter_are_refused() {
    let mut table: BTreeMap<Mistake, Row> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (seed, generated, loaded) in networks(40) {
        let columns = Columns::of(&loaded.model, &loaded.system).unwrap();
        let states = states_of_runs(&loaded, 8, 10);
        let mut random = Random::new(seed);
        for (number, question) in (0..).zip(generated.questions.iter().take(3)) {
            let query = loaded.query(&format!("E<> {question}")).unwrap();
            let way = Exploration {
                most: 150,
                ..WAYS[(seed as usize + number) % WAYS.len()]
            };
            let Some(Shown::Proved(proof)) = explore(&loaded, &query, way) else {
                continue;
            };
            for mistake in MISTAKES {
                let Some(changed) = mistake.make(&proof, &loaded, &columns, &mut random) else {
                    continue;
                };
                if changed.nodes == proof.nodes {
                    continue;
                }
                let has_node = |state| changed.nodes.iter().any(|node| stands_for(node, state, &columns));
                let is_left = !states.iter().all(has_node);
                let row = table.entry(mistake).or_default();
                match (judged(&loaded, &query, &changed), is_left) {
                    (Judgement::Accepted(_), true) => {
                        row.wrong += 1;
                        wrong.push(format!(
                            "seed {seed}: {mistake:?}: {}\n{}",
                            query.text, generated.text
                        ));
                    }
                    (Judgement::Accepted(_), false) => row.accepted += 1,
                    (_, true) => row.shown += 1,
                    (_, false) => row.refused += 1,
                }
            }
        }
    }
    for (mistake, row) in &table {
        println!(
            "| {mistake:?} | {} | {} | {} | {} |",
            row.shown, row.refused, row.accepted, row.wrong
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        table.values().filter(|row| row.shown > 0).count() >= 6,
        "{table:?}"
    );
}
