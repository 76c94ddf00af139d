//! Warns of `meta` variables whose values outlive a transition.

use crate::task::{CompiledModel, CompiledQuery};
use std::collections::BTreeSet;
use zonewalk_model::ids::{GlobalId, LocalId};
use zonewalk_network::{Extent, Node, Predicate, SetId};
use zonewalk_syntax::diagnostic::Diagnostic;

impl CompiledModel<'_> {
    /// A warning of each `meta` variable that is read before it is written (`semantics.md` 18), in the order of declaration.
    pub fn stale_variables(&self) -> Vec<Diagnostic> {
        let network = &self.network;
        let stale = network.stale_cells(&self.observed());
        if stale.is_empty() {
            return Vec::new();
        }
        let (model, system) = (self.interpreter.model(), self.interpreter.system());
        let is_stale = |cells: Extent| {
            let first = stale.partition_point(|&cell| cell < cells.start);
            stale.get(first).is_some_and(|&cell| cell < cells.end)
        };
        let globals = (model.globals.iter().enumerate())
            .map(|(number, variable)| (variable, Some(network.global(GlobalId::from_index(number)))));
        let locals = (0..).zip(&system.processes).flat_map(|(process, home)| {
            let variables = model.templates[home.template.index()]
                .variables
                .iter()
                .enumerate();
            variables.map(move |(number, variable)| {
                (variable, network.local(process, LocalId::from_index(number)))
            })
        });
        let found: BTreeSet<(_, &str)> = globals
            .chain(locals)
            .filter(|(variable, cells)| variable.is_meta && cells.is_some_and(is_stale))
            .map(|(variable, _)| (variable.span, &*variable.name))
            .collect();
        found
            .into_iter()
            .map(|(span, name)| {
                let message =
                    format!("the meta variable `{name}` is read after an earlier transition wrote it");
                Diagnostic::warning("stale-meta", span, message).help(
                    "states that differ only in meta variables count as one state, so answers may depend on \
                     the search order; write it before reading it in each transition, or declare it without \
                     `meta`",
                )
            })
            .collect()
    }

    /// Cells that queries read in every state.
    fn observed(&self) -> Vec<SetId> {
        let mut sets = Vec::new();
        for asked in self.all_compiled() {
            let measures = match asked {
                CompiledQuery::Extremes { measures, .. } => measures,
                CompiledQuery::Runs(sampling) => {
                    sampling.exact.as_ref().map_or(&[][..], |exact| &exact.measures)
                }
                _ => &[],
            };
            asked
                .predicates()
                .into_iter()
                .for_each(|predicate| reads(predicate, &mut sets));
            sets.extend(measures.iter().map(zonewalk_network::Measure::reads));
        }
        sets
    }
}

fn reads(predicate: &Predicate, into: &mut Vec<SetId>) {
    into.extend(predicate.nodes.iter().filter_map(|node| match node {
        Node::Data { reads, .. } | Node::Clock { reads, .. } => Some(*reads),
        _ => None,
    }));
}
