//! Conditions on the states of a system, as reachability asks for them, over zones.

use zonewalk_tioa::{Instance, Project, Relation, StateFormula, System};
use zonewalk_zones::{Bound, Federation, Word};

use crate::symbolic::frame::Frame;
use crate::symbolic::pair::Pair;
use crate::symbolic::question::Start;
use crate::systems::set::{self, Constraint};
use crate::systems::system::instances;

/// A name in a condition that means nothing, or several things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misnamed {
    /// No component of the system is called so.
    Instance(String),
    /// Several components are called so.
    Ambiguous(String),
    /// The component has no such location.
    Location(String, String),
    /// The component has no such clock.
    Clock(String, String),
    /// A start does not say where this component is.
    Unplaced(String),
    /// A start has too many alternatives.
    TooMany,
}

impl std::fmt::Display for Misnamed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Misnamed::Instance(name) => write!(f, "the system has no component `{name}`"),
            Misnamed::Ambiguous(name) => write!(
                f,
                "the system has several components `{name}`; give them tags, as in `{name}[1]`"
            ),
            Misnamed::Location(name, location) => {
                write!(f, "component `{name}` has no location `{location}`")
            }
            Misnamed::Clock(name, clock) => write!(f, "component `{name}` has no clock `{clock}`"),
            Misnamed::Unplaced(name) => write!(f, "the start does not say in which location `{name}` is"),
            Misnamed::TooMany => f.write_str("the start has more than 10,000 alternatives"),
        }
    }
}

impl std::error::Error for Misnamed {}

/// A condition whose names are resolved. Clocks are those of the pair, counting from 1.
#[derive(Clone, Debug)]
pub enum StateCondition {
    /// `true` or `false`.
    Constant(bool),
    /// The component is in one of these locations.
    In(usize, Vec<u32>),
    /// `clock − minus ~ bound`.
    Compare {
        /// A clock.
        clock: u16,
        /// A clock, or 0.
        minus: u16,
        /// How they are compared.
        relation: Relation,
        /// With what.
        bound: i64,
    },
    /// All of them.
    And(Vec<StateCondition>),
    /// One of them.
    Or(Vec<StateCondition>),
    /// The opposite.
    Not(Box<StateCondition>),
}

/// Names of the components of an expanded system, with the clocks before theirs.
pub struct Names<'a> {
    project: &'a Project,
    instances: Vec<&'a Instance>,
    offsets: Vec<u16>,
}

impl<'a> Names<'a> {
    /// The names of a system that is the left side of `pair`.
    pub fn new(project: &'a Project, system: &'a System, pair: &Pair) -> Self {
        let mut offsets = Vec::new();
        for (part, &offset) in pair.left.parts.iter().zip(&pair.left.offsets) {
            part.clock_offsets(offset, &mut offsets);
        }
        Names {
            project,
            instances: instances(system),
            offsets,
        }
    }

    /// Resolves the names of a condition.
    ///
    /// # Errors
    /// A name that means nothing, or several things.
    pub fn goal(&self, formula: &StateFormula) -> Result<StateCondition, Misnamed> {
        let all = |parts: &[StateFormula]| {
            parts
                .iter()
                .map(|part| self.goal(part))
                .collect::<Result<Vec<_>, _>>()
        };
        Ok(match formula {
            StateFormula::Constant(value) => StateCondition::Constant(*value),
            StateFormula::Location { instance, location } => {
                let part = self.part(instance)?;
                let component = self.component(part);
                let named = component
                    .into_iter()
                    .flat_map(|component| component.locations.iter().enumerate());
                let is_called = |there: &zonewalk_tioa::Location| {
                    there.name == *location || there.alias.as_ref() == Some(location)
                };
                let places: Vec<u32> = named
                    .filter(|(_, there)| is_called(there))
                    .map(|(id, _)| id as u32)
                    .collect();
                if places.is_empty() {
                    return Err(Misnamed::Location(instance.name.clone(), location.clone()));
                }
                StateCondition::In(part, places)
            }
            StateFormula::Compare {
                clock,
                minus,
                relation,
                bound,
            } => StateCondition::Compare {
                clock: self.clock(clock)?,
                minus: minus.as_ref().map_or(Ok(0), |minus| self.clock(minus))?,
                relation: *relation,
                bound: i64::from(*bound),
            },
            StateFormula::And(parts) => StateCondition::And(all(parts)?),
            StateFormula::Or(parts) => StateCondition::Or(all(parts)?),
            StateFormula::Not(inner) => StateCondition::Not(Box::new(self.goal(inner)?)),
        })
    }

    fn component(&self, part: usize) -> Option<&'a zonewalk_tioa::Component> {
        self.project.component(&self.instances[part].name)
    }

    fn part(&self, instance: &Instance) -> Result<usize, Misnamed> {
        let shown = match &instance.tag {
            Some(tag) => format!("{}[{tag}]", instance.name),
            None => instance.name.clone(),
        };
        let mut matching = (0..self.instances.len()).filter(|&part| self.instances[part] == instance);
        match (matching.next(), matching.next()) {
            (Some(part), None) => Ok(part),
            (None, _) => Err(Misnamed::Instance(shown)),
            (Some(_), Some(_)) => Err(Misnamed::Ambiguous(shown)),
        }
    }

    fn clock(&self, (instance, name): &(Instance, String)) -> Result<u16, Misnamed> {
        let part = self.part(instance)?;
        let clocks = self
            .component(part)
            .map_or(&[][..], |component| &component.clocks);
        match clocks.iter().position(|known| known == name) {
            Some(place) => Ok(self.offsets[part] + place as u16 + 1),
            None => Err(Misnamed::Clock(instance.name.clone(), name.clone())),
        }
    }

    /// For each component its place and the values of its clocks, of the values of all clocks of the system.
    pub fn values(
        &self,
        places: &[Option<u32>],
        clocks: &[i64],
    ) -> Vec<(zonewalk_tioa::LocationId, Vec<i64>)> {
        let parts = (0..self.instances.len()).map(|part| {
            let count = self.component(part).map_or(0, |component| component.clocks.len());
            let from = usize::from(self.offsets[part]);
            let place = places.get(part).copied().flatten().unwrap_or(0);
            (
                zonewalk_tioa::LocationId(place),
                clocks[from..from + count].to_vec(),
            )
        });
        parts.collect()
    }

    /// The states that a condition describes, each component in a place that it names. Only for systems without quotients does
    /// a tuple of places say where the automata are.
    ///
    /// # Errors
    /// When a component has no place.
    pub fn starts(&self, goal: &StateCondition) -> Result<Vec<Placed>, Misnamed> {
        let mut found = vec![Placed {
            places: vec![None; self.instances.len()],
            clocks: Vec::new(),
        }];
        self.place(goal, true, &mut found)?;
        for placed in &found {
            if let Some(part) = placed.places.iter().position(Option::is_none) {
                return Err(Misnamed::Unplaced(self.instances[part].name.clone()));
            }
        }
        Ok(found)
    }

    fn place(&self, goal: &StateCondition, positive: bool, found: &mut Vec<Placed>) -> Result<(), Misnamed> {
        match goal {
            StateCondition::Constant(value) => {
                if *value != positive {
                    found.clear();
                }
            }
            StateCondition::In(part, places) => {
                let count = self
                    .component(*part)
                    .map_or(0, |component| component.locations.len() as u32);
                let meant: Vec<u32> = (0..count).filter(|id| places.contains(id) == positive).collect();
                let mut next = Vec::new();
                for placed in found.iter() {
                    for &id in &meant {
                        if placed.places[*part].is_none_or(|there| there == id) {
                            let mut with = placed.clone();
                            with.places[*part] = Some(id);
                            next.push(with);
                        }
                    }
                }
                *found = next;
            }
            StateCondition::Compare { .. } => {
                for placed in found.iter_mut() {
                    placed.clocks.push((goal.clone(), positive));
                }
            }
            StateCondition::Not(inner) => self.place(inner, !positive, found)?,
            StateCondition::And(parts) | StateCondition::Or(parts)
                if matches!(goal, StateCondition::And(_)) == positive =>
            {
                for part in parts {
                    self.place(part, positive, found)?;
                }
            }
            StateCondition::And(parts) | StateCondition::Or(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    let mut some = found.clone();
                    self.place(part, positive, &mut some)?;
                    all.append(&mut some);
                }
                *found = all;
            }
        }
        if found.len() > 10_000 {
            return Err(Misnamed::TooMany);
        }
        Ok(())
    }
}

/// A place for each component, and conditions on clocks with their signs.
#[derive(Clone, Debug)]
pub struct Placed {
    /// A place for each component.
    pub places: Vec<Option<u32>>,
    clocks: Vec<(StateCondition, bool)>,
}

impl Placed {
    /// As a start of an exploration: conditions with alternatives (`!=`, a negated `==`) give several.
    pub fn starts(&self, state: &[u32]) -> Vec<Start> {
        let mut lists = vec![Vec::new()];
        for (goal, positive) in &self.clocks {
            let StateCondition::Compare {
                clock,
                minus,
                relation,
                bound,
            } = goal
            else {
                continue;
            };
            let mut next = Vec::new();
            for list in &lists {
                for part in constraints(*clock, *minus, *relation, *bound, *positive) {
                    let mut longer: Vec<Constraint> = list.clone();
                    longer.extend(part);
                    next.push(longer);
                }
            }
            lists = next;
        }
        let start = |clocks| Start {
            state: state.to_vec(),
            clocks: Some(clocks),
        };
        lists.into_iter().map(start).collect()
    }
}

impl StateCondition {
    /// The clocks that are compared, with the largest constant of each.
    pub fn clocks(&self, out: &mut Vec<(u16, i64)>) {
        match self {
            StateCondition::Constant(_) | StateCondition::In(..) => {}
            StateCondition::Compare {
                clock, minus, bound, ..
            } => {
                for clock in [*clock, *minus] {
                    if clock != 0 {
                        out.push((clock, bound.abs()));
                    }
                }
            }
            StateCondition::And(parts) | StateCondition::Or(parts) => {
                parts.iter().for_each(|part| part.clocks(out));
            }
            StateCondition::Not(inner) => inner.clocks(out),
        }
    }

    /// Comparisons of the difference of two clocks, as constraints along which zones have to be split.
    pub fn diagonals(&self, out: &mut Vec<Constraint>) {
        match self {
            StateCondition::Constant(_) | StateCondition::In(..) => {}
            StateCondition::Compare {
                clock,
                minus,
                relation,
                bound,
            } => {
                if *minus != 0 {
                    out.extend(
                        constraints(*clock, *minus, *relation, *bound, true)
                            .into_iter()
                            .flatten(),
                    );
                }
            }
            StateCondition::And(parts) | StateCondition::Or(parts) => {
                parts.iter().for_each(|part| part.diagonals(out));
            }
            StateCondition::Not(inner) => inner.diagonals(out),
        }
    }

    /// The points of a zone in which the condition holds. `places` says where components are.
    pub fn within<W: Word>(
        &self,
        zone: &[Bound<W>],
        frame: &Frame<W>,
        places: &[Option<u32>],
    ) -> Federation<W> {
        self.signed(true, Federation::from_zone(zone, frame.dim()), frame, places)
    }

    fn signed<W: Word>(
        &self,
        positive: bool,
        mut points: Federation<W>,
        frame: &Frame<W>,
        places: &[Option<u32>],
    ) -> Federation<W> {
        let none = Federation::new(points.dim());
        match self {
            StateCondition::Constant(value) if *value == positive => points,
            StateCondition::Constant(_) => none,
            StateCondition::In(part, list) => {
                let is_in = places
                    .get(*part)
                    .copied()
                    .flatten()
                    .is_some_and(|place| list.contains(&place));
                if is_in == positive { points } else { none }
            }
            StateCondition::Compare {
                clock,
                minus,
                relation,
                bound,
            } => {
                let mut all = none;
                for part in constraints(*clock, *minus, *relation, *bound, positive) {
                    for zone in &points {
                        let mut zone = zone.to_vec();
                        if frame.constrain(&mut zone, &part, 0) {
                            all.push(&zone);
                        }
                    }
                }
                all
            }
            StateCondition::Not(inner) => inner.signed(!positive, points, frame, places),
            StateCondition::And(parts) | StateCondition::Or(parts) => {
                if matches!(self, StateCondition::And(_)) == positive {
                    for part in parts {
                        points = part.signed(positive, points, frame, places);
                    }
                    return points;
                }
                let mut all = none;
                for part in parts {
                    for zone in &part.signed(positive, points.clone(), frame, places) {
                        all.push(zone);
                    }
                }
                all
            }
        }
    }
}

/// A comparison, or its opposite, as alternatives of conjunctions.
fn constraints(
    clock: u16,
    minus: u16,
    relation: Relation,
    bound: i64,
    positive: bool,
) -> Vec<Vec<Constraint>> {
    let upper = |strict| Constraint {
        left: clock,
        right: minus,
        bound: set::Bound::new(bound, strict),
    };
    let lower = |strict| Constraint {
        left: minus,
        right: clock,
        bound: set::Bound::new(-bound, strict),
    };
    match (relation, positive) {
        (Relation::Less, true) | (Relation::GreaterEqual, false) => vec![vec![upper(true)]],
        (Relation::LessEqual, true) | (Relation::Greater, false) => vec![vec![upper(false)]],
        (Relation::GreaterEqual, true) | (Relation::Less, false) => vec![vec![lower(false)]],
        (Relation::Greater, true) | (Relation::LessEqual, false) => vec![vec![lower(true)]],
        (Relation::Equal, true) => vec![vec![upper(false), lower(false)]],
        (Relation::Equal, false) => vec![vec![upper(true)], vec![lower(true)]],
    }
}
