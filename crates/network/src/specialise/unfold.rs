//! Guards whose code is nothing but comparisons for an edge instance, written out as such.
//!
//! `mayUse()` with `while (i < id) if (!used[i++]) return false;` is code, and reads all of `used`. For the process with
//! `id == 3` it is three comparisons: engines evaluate them without running anything, and know to the element whom a
//! change concerns.

use crate::code::cell::{Base, Cell};
use crate::code::constraint::{Condition, Term};
use crate::network::{Instance, Network};
use crate::specialise::Specialised;
use rustc_hash::FxHashSet;

/// Maximal number of instances that get guards of their own.
const MOST: usize = 4096;

/// Writes out the guards of a network.
pub(crate) fn unfold(network: &mut Network) {
    let mut specialised = None;
    // Code that is something else for one instance is most likely so for all, and trying costs time.
    let mut hopeless = FxHashSet::default();
    let mut found = Vec::new();
    for (number, instance) in network.instances.iter().enumerate() {
        let guard = &network.edge(instance).guard;
        let has_code = guard
            .iter()
            .any(|term| matches!(term, Term::Data(Condition::Code(entry)) if !hopeless.contains(entry)));
        if !has_code || found.len() >= MOST {
            continue;
        }
        let specialised = specialised.get_or_insert_with(|| Specialised::new(network));
        let context = network.instance_context(instance);
        let mut terms = Vec::with_capacity(guard.len());
        let mut is_better = false;
        for term in guard {
            let comparisons = match *term {
                Term::Data(Condition::Code(entry)) if !hopeless.contains(&entry) => {
                    let comparisons = specialised.comparisons(network, entry, &context);
                    if comparisons.is_none() {
                        hopeless.insert(entry);
                    }
                    comparisons
                }
                _ => None,
            };
            match comparisons {
                Some(comparisons) => {
                    is_better = true;
                    terms.extend(comparisons.iter().map(|c| {
                        Term::Data(Condition::Compare {
                            relation: c.relation,
                            a: cell(network, c.a),
                            b: cell(network, c.b),
                        })
                    }));
                }
                None => terms.push(*term),
            }
        }
        if is_better {
            found.push((number, terms));
        }
    }
    for (number, terms) in found {
        network.instances[number].guard = network.guards.len() as u32;
        network.guards.push(terms);
    }
}

/// The cell at an address, which is that of a variable or a constant.
fn cell(network: &Network, address: u32) -> Cell {
    match address.checked_sub(network.layout.data) {
        Some(offset) => Cell::new(Base::Constant, offset),
        None => Cell::new(Base::Absolute, address),
    }
}

impl Network {
    /// The guard of an edge instance.
    pub fn guard(&self, instance: &Instance) -> &[Term] {
        match self.guards.get(instance.guard as usize) {
            Some(guard) => guard,
            None => &self.edge(instance).guard,
        }
    }
}
