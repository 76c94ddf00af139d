//! Components as files of ECDAR.
//!
//! This crate and the public tools read the files. They know no negation, no negative numbers and differ about the
//! precedence of `&&` and `||`: so formulas are written without the former and with parentheses for the latter.

use rustc_hash::FxHashSet;
use serde_json::{Value, json};
use zonewalk_syntax::token::is_reserved_name;

use crate::component::{Component, Direction, Kind, LocationId};
use crate::formula::{Clock, Comparison, Formula, Relation};
use crate::project::Action;

/// The file of a component. `actions` are the names of the project's actions.
///
/// Locations that data tell apart get names of their own, clocks names that any tool accepts, and edges ids of their own.
pub fn component_json(component: &Component, actions: &[String]) -> String {
    let clocks = clock_names(&component.clocks);
    let ids = location_ids(component);
    let locations: Vec<Value> = (0..component.locations.len())
        .map(|index| location(component, index, &ids, &clocks))
        .collect();
    let names = edge_ids(component);
    let mut edges = Edges {
        component,
        ids: &ids,
        clocks: &clocks,
        actions,
        taken: names.iter().cloned().collect(),
        names,
        list: Vec::new(),
    };
    for edge in &component.edges {
        let guard = plain(&edge.guard, true);
        edges.push(
            edge.source,
            edge.target,
            (edge.action, edge.direction),
            &guard,
            &edge.updates,
        );
    }
    edges.initial_loops();
    edges.silent_actions();
    let declarations = if clocks.is_empty() {
        String::new()
    } else {
        format!("clock {};", clocks.join(", "))
    };
    let file = json!({
        "name": component.name,
        "declarations": declarations,
        "locations": locations,
        "edges": edges.list,
        "description": "",
        "x": 5.0,
        "y": 5.0,
        "width": (f64::from(COLUMNS) + 1.0) * STEP_X,
        "height": (component.locations.len() as f64 / f64::from(COLUMNS)).ceil().mul_add(STEP_Y, STEP_Y),
        "color": "1",
        "includeInPeriodicCheck": false,
    });
    format!("{file:#}\n")
}

/// Locations in a row of the drawing.
const COLUMNS: u32 = 4;
/// Between columns.
const STEP_X: f64 = 240.0;
/// Between rows.
const STEP_Y: f64 = 200.0;

/// Where a location is drawn.
fn spot(index: usize) -> (f64, f64) {
    let (column, row) = (index % COLUMNS as usize, index / COLUMNS as usize);
    (
        STEP_X.mul_add(column as f64, 120.0),
        STEP_Y.mul_add(row as f64, 120.0),
    )
}

fn location(component: &Component, index: usize, ids: &[String], clocks: &[String]) -> Value {
    let location = &component.locations[index];
    let is_initial = component.initial.index() == index;
    // The initial location has no type of its own left; loops stand in for it.
    let kind = match location.kind {
        _ if is_initial => "INITIAL",
        Kind::Normal => "NORMAL",
        Kind::Universal => "UNIVERSAL",
        Kind::Inconsistent => "INCONSISTENT",
    };
    let is_urgent = location.urgent || (is_initial && location.kind == Kind::Inconsistent);
    let invariant = match location.kind {
        Kind::Universal if is_initial => Formula::TRUE,
        _ => plain(&location.invariant, true),
    };
    let (x, y) = spot(index);
    json!({
        "id": ids[index],
        "nickname": location.alias.as_deref().unwrap_or(""),
        "invariant": text(&invariant, clocks),
        "type": kind,
        "urgency": if is_urgent { "URGENT" } else { "NORMAL" },
        "x": x,
        "y": y,
        "color": "1",
        "nicknameX": 30.0,
        "nicknameY": -10.0,
        "invariantX": 30.0,
        "invariantY": 10.0,
    })
}

struct Edges<'a> {
    component: &'a Component,
    ids: &'a [String],
    clocks: &'a [String],
    actions: &'a [String],
    /// Ids of the component's own edges.
    names: Vec<String>,
    taken: FxHashSet<String>,
    list: Vec<Value>,
}

impl Edges<'_> {
    fn push(
        &mut self,
        source: LocationId,
        target: LocationId,
        (action, direction): (Action, Direction),
        guard: &Formula,
        updates: &[(Clock, i32)],
    ) {
        let updates: Vec<String> = updates
            .iter()
            .map(|(clock, value)| format!("{} = {value}", self.clocks[clock.index()]))
            .collect();
        let guard = text(guard, self.clocks);
        let number = self.list.len();
        let id = match self.names.get(number) {
            Some(id) => id.clone(),
            None => unique(&format!("E{number}"), &mut self.taken),
        };
        let mut kinds = vec!["SYNCHRONIZATION"];
        kinds.extend((!guard.is_empty()).then_some("GUARD"));
        kinds.extend((!updates.is_empty()).then_some("UPDATE"));
        let edge = json!({
            "id": id,
            "group": "",
            "sourceLocation": self.ids[source.index()],
            "targetLocation": self.ids[target.index()],
            "status": match direction {
                Direction::Input => "INPUT",
                Direction::Output => "OUTPUT",
            },
            "select": "",
            "guard": guard,
            "update": updates.join(", "),
            "sync": self.actions.get(action.index()).map_or("", String::as_str),
            "isLocked": false,
            "nails": nails(source.index(), target.index(), &kinds),
        });
        self.list.push(edge);
    }

    /// The loops of an initial location that is universal or inconsistent.
    fn initial_loops(&mut self) {
        let initial = self.component.initial;
        let alphabet = &self.component.alphabet;
        let kind = self.component.location(initial).kind;
        let inputs = alphabet.inputs.iter().map(|a| (*a, Direction::Input));
        let outputs = alphabet.outputs.iter().map(|a| (*a, Direction::Output));
        let loops: Vec<(Action, Direction)> = match kind {
            Kind::Normal => Vec::new(),
            Kind::Universal => inputs.chain(outputs).collect(),
            Kind::Inconsistent => inputs.collect(),
        };
        for label in loops {
            self.push(initial, initial, label, &Formula::TRUE, &[]);
        }
    }

    /// Edges that are never open, for actions that no edge has: the alphabet of a file is that of its edges.
    fn silent_actions(&mut self) {
        let alphabet = &self.component.alphabet;
        let used: FxHashSet<Action> = self.component.edges.iter().map(|edge| edge.action).collect();
        let inputs = alphabet.inputs.iter().map(|a| (*a, Direction::Input));
        let outputs = alphabet.outputs.iter().map(|a| (*a, Direction::Output));
        let silent = inputs.chain(outputs).filter(|(action, _)| !used.contains(action));
        let initial = self.component.initial;
        for label in silent {
            self.push(initial, initial, label, &Formula::Constant(false), &[]);
        }
    }
}

/// Points that the labels of an edge are drawn at.
fn nails(source: usize, target: usize, kinds: &[&str]) -> Vec<Value> {
    let ((x1, y1), (x2, y2)) = (spot(source), spot(target));
    let count = kinds.len() as f64 + 1.0;
    let mut nails = Vec::new();
    for (index, kind) in kinds.iter().enumerate() {
        let part = (index as f64 + 1.0) / count;
        // Loops go round above their location, other edges straight.
        let (x, y) = if source == target {
            (part.mul_add(80.0, x1 - 40.0), y1 - 60.0)
        } else {
            (x1 + (x2 - x1) * part, y1 + (y2 - y1) * part)
        };
        nails.push(json!({
            "x": x.round(),
            "y": y.round(),
            "propertyType": kind,
            "propertyX": 10.0,
            "propertyY": -10.0,
        }));
    }
    nails
}

/// Names of clocks that are names in every tool, each once.
fn clock_names(clocks: &[String]) -> Vec<String> {
    let mut taken: FxHashSet<String> = FxHashSet::default();
    clocks
        .iter()
        .map(|clock| {
            let mut name = word(clock);
            let is_odd = name.starts_with(|c: char| c.is_ascii_digit());
            if name.is_empty() || is_odd || is_reserved_name(&name) {
                name.insert_str(0, "c_");
            }
            unique(&name, &mut taken)
        })
        .collect()
}

/// Ids of locations, each once; where data tell locations apart, the values are part of the id.
fn location_ids(component: &Component) -> Vec<String> {
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let ids = component.locations.iter().map(|location| {
        let mut id = location.name.clone();
        for (_, value) in &location.values {
            id.push_str(&format!("_{value}").replace('-', "m"));
        }
        unique(&id, &mut taken)
    });
    ids.collect()
}

/// The ids of edges if they are all different, else none: then they are numbered.
fn edge_ids(component: &Component) -> Vec<String> {
    let ids: Vec<String> = component.edges.iter().map(|edge| edge.id.clone()).collect();
    let different: FxHashSet<&String> = ids.iter().collect();
    if different.len() == ids.len() {
        return ids;
    }
    (0..ids.len()).map(|number| format!("E{number}")).collect()
}

/// Letters, digits and `_` of a name, with `_` for the rest.
fn word(name: &str) -> String {
    let plain = name.trim_end_matches(|c: char| !c.is_alphanumeric());
    let keep = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    plain.chars().map(keep).collect()
}

fn unique(name: &str, taken: &mut FxHashSet<String>) -> String {
    let mut candidate = name.to_owned();
    let mut number = 1;
    while !taken.insert(candidate.clone()) {
        number += 1;
        candidate = format!("{name}_{number}");
    }
    candidate
}

/// The formula, or its opposite, without negations and without negative bounds.
fn plain(formula: &Formula, positive: bool) -> Formula {
    match formula {
        Formula::Constant(value) => Formula::Constant(*value == positive),
        Formula::Not(inner) => plain(inner, !positive),
        Formula::And(parts) | Formula::Or(parts) => {
            let parts = parts.iter().map(|part| plain(part, positive)).collect();
            if matches!(formula, Formula::And(_)) == positive {
                Formula::And(parts)
            } else {
                Formula::Or(parts)
            }
        }
        Formula::Compare(comparison) => {
            if positive {
                return compared(*comparison);
            }
            let with = |relation| {
                compared(Comparison {
                    relation,
                    ..*comparison
                })
            };
            match comparison.relation {
                Relation::Less => with(Relation::GreaterEqual),
                Relation::LessEqual => with(Relation::Greater),
                Relation::Equal => Formula::Or(vec![with(Relation::Less), with(Relation::Greater)]),
                Relation::GreaterEqual => with(Relation::Less),
                Relation::Greater => with(Relation::LessEqual),
            }
        }
    }
}

/// A comparison without a negative bound: clocks are not negative, and a difference can be turned round.
fn compared(comparison: Comparison) -> Formula {
    let Comparison {
        clock,
        minus,
        relation,
        bound,
    } = comparison;
    if bound >= 0 {
        return Formula::Compare(comparison);
    }
    let (Some(minus), Some(bound)) = (minus, bound.checked_neg()) else {
        // `x > -3` always holds, `x <= -3` never does; and no difference is as low as the lowest number.
        return Formula::Constant(matches!(relation, Relation::Greater | Relation::GreaterEqual));
    };
    let relation = match relation {
        Relation::Less => Relation::Greater,
        Relation::LessEqual => Relation::GreaterEqual,
        Relation::Equal => Relation::Equal,
        Relation::GreaterEqual => Relation::LessEqual,
        Relation::Greater => Relation::Less,
    };
    Formula::Compare(Comparison {
        clock: minus,
        minus: Some(clock),
        relation,
        bound,
    })
}

/// The text of a plain formula; nothing for one that always holds.
fn text(formula: &Formula, clocks: &[String]) -> String {
    if formula.is_true() {
        return String::new();
    }
    inner(formula, clocks)
}

fn inner(formula: &Formula, clocks: &[String]) -> String {
    let join = |parts: &[Formula], sign: &str, none: &str| match parts {
        [] => none.to_owned(),
        [only] => inner(only, clocks),
        _ => {
            let texts: Vec<String> = parts.iter().map(|part| operand(part, clocks)).collect();
            texts.join(sign)
        }
    };
    match formula {
        Formula::And(parts) => join(parts, " && ", "true"),
        Formula::Or(parts) => join(parts, " || ", "false"),
        other => other.text(clocks),
    }
}

fn operand(formula: &Formula, clocks: &[String]) -> String {
    match formula {
        Formula::And(parts) | Formula::Or(parts) if parts.len() > 1 => {
            format!("({})", inner(formula, clocks))
        }
        _ => inner(formula, clocks),
    }
}
