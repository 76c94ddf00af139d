//! A system as one component: for `get-component`, and without what must go wrong for `prune`.

use rustc_hash::FxHashMap;
use zonewalk_tioa::{
    Clock, Comparison, Component, Direction, Edge, Formula, Kind, Location, LocationId, Project, Reading,
    Relation, System, Taken,
};
use zonewalk_zones::Federation;

use crate::control::{Control, Limit, Limits};
use crate::questions::game::{self, Good, Outputs, before_updates};
use crate::questions::precondition::Obstacle;
use crate::systems::automaton::Automaton;
use crate::systems::leaf::Polarity;
use crate::systems::set::{Constraint, Set};
use crate::systems::system::{Builder, instances};

/// The system as one component. It is expanded.
///
/// # Errors
/// When it cannot be built, or a limit is met.
pub fn component(
    project: &Project,
    reading: Reading,
    system: &System,
    name: &str,
    limits: Limits,
    control: &Control,
) -> Result<Component, Obstacle> {
    let mut automaton = Builder::new(project, reading).automaton(system, Polarity::Both)?;
    let locations = game::reachable(&mut automaton, limits, control)?;
    Ok(Writer::new(project, system, &automaton, None).component(name, &locations)?)
}

/// The system as one component, restricted to the states from which it can go on whatever its environment does. Nothing if the
/// initial state is not one of them.
///
/// # Errors
/// When it cannot be built, or a limit is met.
pub fn pruned(
    project: &Project,
    reading: Reading,
    system: &System,
    name: &str,
    limits: Limits,
    control: &Control,
) -> Result<Option<Component>, Obstacle> {
    let mut automaton = Builder::new(project, reading).automaton(system, Polarity::Both)?;
    let good = game::solve(&mut automaton, Outputs::One, limits, control)?;
    if !good.has_initial() {
        return Ok(None);
    }
    // Only what can still be reached, from the initial location on.
    let mut locations = vec![automaton.initial];
    let mut next = 0;
    while let Some(&id) = locations.get(next) {
        next += 1;
        for edge in &automaton.location(id).edges {
            let is_good = good.of(edge.target).is_some_and(|states| !states.is_empty());
            if is_good && !locations.contains(&edge.target) {
                locations.push(edge.target);
            }
        }
    }
    let writer = Writer::new(project, system, &automaton, Some(&good));
    Ok(Some(writer.component(name, &locations)?))
}

struct Writer<'a> {
    automaton: &'a Automaton,
    good: Option<&'a Good>,
    parts: Vec<&'a Component>,
    clocks: Vec<String>,
}

impl<'a> Writer<'a> {
    fn new(
        project: &'a Project,
        system: &'a System,
        automaton: &'a Automaton,
        good: Option<&'a Good>,
    ) -> Self {
        let parts: Vec<&Component> = instances(system)
            .iter()
            .filter_map(|instance| project.component(&instance.name))
            .collect();
        let mut offsets = Vec::new();
        automaton.clock_offsets(0, &mut offsets);
        // Clocks that no component has stop time in urgent locations and in the error states of quotients.
        let mut clocks: Vec<String> = (1..=automaton.clocks)
            .map(|clock| format!("stop{clock}"))
            .collect();
        for (part, &offset) in parts.iter().zip(&offsets) {
            for (place, clock) in part.clocks.iter().enumerate() {
                clocks[usize::from(offset) + place].clone_from(clock);
            }
        }
        make_unique(&mut clocks);
        Writer {
            automaton,
            good,
            parts,
            clocks,
        }
    }

    fn component(&self, name: &str, ids: &[u32]) -> Result<Component, Limit> {
        let numbers: FxHashMap<u32, u32> = ids
            .iter()
            .enumerate()
            .map(|(place, &id)| (id, place as u32))
            .collect();
        let mut names: Vec<String> = ids.iter().map(|&id| self.title(id)).collect();
        make_unique(&mut names);
        let mut locations = Vec::with_capacity(ids.len());
        let mut edges = Vec::new();
        for (place, (&id, name)) in ids.iter().zip(names).enumerate() {
            let here = self.automaton.location(id);
            // Next to a part in an error, where time stops, others may still send: such a location is drawn as it is.
            let sends = here.edges.iter().any(|edge| edge.is_output);
            let kind = match (here.is_universal, here.is_inconsistent) {
                (true, _) => Kind::Universal,
                (_, true) if !sends => Kind::Inconsistent,
                _ => Kind::Normal,
            };
            locations.push(Location {
                name,
                alias: None,
                values: Vec::new(),
                invariant: formula(&self.invariant(id))?,
                kind,
                urgent: false,
            });
            if kind != Kind::Normal {
                continue;
            }
            for edge in &here.edges {
                let ignored = edge
                    .taken
                    .iter()
                    .all(|taken| matches!(taken, Taken::Ignored { .. }));
                let Some(&target) = numbers.get(&edge.target) else {
                    continue;
                };
                // What is ignored as a whole is completed again by its reader.
                if ignored && target as usize == place {
                    continue;
                }
                let guard = self.guard(edge);
                if guard.is_nothing() {
                    continue;
                }
                edges.push(Edge {
                    id: format!("E{}", edges.len()),
                    source: LocationId(place as u32),
                    target: LocationId(target),
                    action: edge.action,
                    direction: if edge.is_output {
                        Direction::Output
                    } else {
                        Direction::Input
                    },
                    guard: formula(&guard)?,
                    updates: edge
                        .updates
                        .iter()
                        .map(|&(clock, value)| (Clock(u32::from(clock) - 1), value))
                        .collect(),
                });
            }
        }
        self.keep_alphabet(&mut edges);
        Ok(Component {
            name: name.to_owned(),
            clocks: self.clocks.clone(),
            locations,
            initial: LocationId(0),
            alphabet: Component::alphabet_of(&edges),
            edges,
            declared: Some(self.automaton.alphabet.clone()),
        })
    }

    /// An action that never happens, or is always ignored, is still one that the system knows: it gets an edge that is never allowed.
    fn keep_alphabet(&self, edges: &mut Vec<Edge>) {
        let known = Component::alphabet_of(edges);
        let all = &self.automaton.alphabet;
        let inputs = all
            .inputs
            .iter()
            .filter(|action| known.inputs.binary_search(action).is_err());
        let outputs = all
            .outputs
            .iter()
            .filter(|action| known.outputs.binary_search(action).is_err());
        let missing = inputs
            .map(|action| (*action, Direction::Input))
            .chain(outputs.map(|action| (*action, Direction::Output)));
        for (action, direction) in missing {
            edges.push(Edge {
                id: format!("E{}", edges.len()),
                source: LocationId(0),
                target: LocationId(0),
                action,
                direction,
                guard: Formula::Constant(false),
                updates: Vec::new(),
            });
        }
    }

    fn invariant(&self, id: u32) -> Set {
        match self.good.and_then(|good| good.of(id)) {
            Some(states) => Set::of_federation(states),
            None => self.automaton.location(id).invariant.clone(),
        }
    }

    fn guard(&self, edge: &crate::systems::automaton::Edge) -> Set {
        let Some(good) = self.good else {
            return edge.allowed.clone();
        };
        let dim = usize::from(self.automaton.clocks) + 1;
        let mut before = match good.of(edge.target) {
            Some(states) => before_updates(states, &edge.updates),
            None => Federation::new(dim),
        };
        before.intersect_federation(&edge.allowed.federation(dim));
        before.reduce();
        Set::of_federation(&before)
    }

    fn title(&self, id: u32) -> String {
        let mut places = Vec::new();
        self.automaton.places(id, &mut places);
        let here = self.automaton.location(id);
        let of_quotient = || {
            if here.is_inconsistent {
                "Error"
            } else {
                "Universal"
            }
        };
        let names = self.parts.iter().zip(&places).map(|(part, place)| match place {
            Some(place) => part.location(LocationId(*place)).name.clone(),
            None => of_quotient().to_owned(),
        });
        let mut names: Vec<String> = names.collect();
        names.dedup_by(|a, b| a == b && places.iter().any(Option::is_none));
        names.join("_")
    }
}

/// Tells equal names apart by numbers.
fn make_unique(names: &mut [String]) {
    let mut seen: rustc_hash::FxHashSet<String> = rustc_hash::FxHashSet::default();
    for name in names {
        let mut number = 1;
        let mut unique = name.clone();
        while !seen.insert(unique.clone()) {
            number += 1;
            unique = format!("{name}_{number}");
        }
        *name = unique;
    }
}

fn formula(set: &Set) -> Result<Formula, Limit> {
    if set.is_everything() {
        return Ok(Formula::TRUE);
    }
    let parts = set.parts().iter().map(|part| {
        let mut all: Vec<Formula> = part.iter().map(comparison).collect::<Result<_, _>>()?;
        Ok(if all.len() == 1 {
            all.remove(0)
        } else {
            Formula::And(all)
        })
    });
    let mut parts: Vec<Formula> = parts.collect::<Result<_, Limit>>()?;
    Ok(if parts.len() == 1 {
        parts.remove(0)
    } else {
        Formula::Or(parts)
    })
}

fn comparison(c: &Constraint) -> Result<Formula, Limit> {
    let strict = c.bound.is_strict();
    let (clock, minus, relation, bound) = if c.left == 0 {
        let relation = if strict {
            Relation::Greater
        } else {
            Relation::GreaterEqual
        };
        (c.right, 0, relation, -c.bound.constant())
    } else {
        let relation = if strict {
            Relation::Less
        } else {
            Relation::LessEqual
        };
        (c.left, c.right, relation, c.bound.constant())
    };
    // A sum of constants may be too large for a file.
    let bound = bound.try_into().map_err(|_| Limit::Number)?;
    Ok(Formula::Compare(Comparison {
        clock: Clock(u32::from(clock) - 1),
        minus: (minus != 0).then(|| Clock(u32::from(minus) - 1)),
        relation,
        bound,
    }))
}
