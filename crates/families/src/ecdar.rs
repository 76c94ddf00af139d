//! Writes components as a project of ECDAR: a folder of JSON files.

use crate::model::component::{Component, ComponentEdge};
use crate::model::{GridPoint, Model};
use serde_json::{Value, json};

/// Pixels between columns and between rows.
const SPACING: f64 = 240.0;
/// The free border around a drawing.
const MARGIN: f64 = 120.0;

/// The files of the project, each by its path within the folder. `command` says how to write them again.
pub(crate) fn write(model: &Model, components: &[Component], command: &str) -> Vec<(String, String)> {
    let mut files = vec![
        ("GlobalDeclarations.json".to_owned(), declarations("Global", "")),
        (
            "SystemDeclarations.json".to_owned(),
            declarations("System", &system(model, components, command)),
        ),
        ("Queries.json".to_owned(), queries(model)),
    ];
    for part in components {
        files.push((format!("Components/{}.json", part.name), component(part)));
    }
    files
}

fn text(value: &Value) -> String {
    format!("{value:#}\n")
}

fn declarations(which: &str, declarations: &str) -> String {
    text(&json!({
        "name": format!("{which} Declarations"),
        "declarations": declarations,
    }))
}

fn system(model: &Model, components: &[Component], command: &str) -> String {
    let mut out = String::new();
    for line in model.title.lines().chain([command]) {
        out += &format!("// {}\n", line.trim());
    }
    let names: Vec<&str> = components.iter().map(|part| part.name.as_str()).collect();
    out += &format!("system {};\n", names.join(", "));
    for part in components {
        out += &format!("\nIO {} {{ {} }}", part.name, part.actions().join(", "));
    }
    out
}

fn queries(model: &Model) -> String {
    let queries = model.queries.iter().map(|query| {
        json!({
            "query": query.formula,
            "comment": query.remark(),
            "isPeriodic": false,
        })
    });
    text(&queries.collect())
}

fn component(part: &Component) -> String {
    let locations = part.places.iter().enumerate().map(|(i, place)| {
        let (x, y) = position(place.spot);
        json!({
            "id": place.id,
            "nickname": "",
            "invariant": place.invariant,
            "type": if i == 0 { "INITIAL" } else { "NORMAL" },
            "urgency": "NORMAL",
            "x": x,
            "y": y,
            "color": "7",
            "nicknameX": 30.0,
            "nicknameY": -10.0,
            "invariantX": 30.0,
            "invariantY": 10.0,
        })
    });
    let edges = part.arrows.iter().enumerate().map(|(i, arrow)| {
        let (name, sign) = arrow.sync.split_at(arrow.sync.len() - 1);
        json!({
            "id": format!("E{i}"),
            "group": "",
            "sourceLocation": part.places[arrow.source].id,
            "targetLocation": part.places[arrow.target].id,
            "status": if sign == "?" { "INPUT" } else { "OUTPUT" },
            "select": "",
            "guard": arrow.guard,
            "update": arrow.update,
            "sync": name,
            "isLocked": false,
            "nails": nails(part, i, arrow),
        })
    });
    let far = |pick: fn(GridPoint) -> f64| {
        let spots = part.places.iter().map(|place| pick(position(place.spot)));
        spots.fold(0.0, f64::max) + MARGIN
    };
    text(&json!({
        "name": part.name,
        "declarations": format!("clock {};", part.clocks),
        "locations": locations.collect::<Value>(),
        "edges": edges.collect::<Value>(),
        "description": "",
        "x": 5.0,
        "y": 5.0,
        "width": far(|spot| spot.0),
        "height": far(|spot| spot.1),
        "color": "7",
        "includeInPeriodicCheck": false,
    }))
}

fn position(spot: GridPoint) -> GridPoint {
    (
        (MARGIN + SPACING * spot.0).round(),
        (MARGIN + SPACING * spot.1).round(),
    )
}

/// The editor shows a label at a nail of its own. Loops go round their location; later edges between the same locations keep
/// further away from the straight line.
fn nails(part: &Component, index: usize, arrow: &ComponentEdge) -> Value {
    let labels = [
        ("GUARD", &arrow.guard),
        ("SYNCHRONIZATION", &arrow.sync),
        ("UPDATE", &arrow.update),
    ];
    let labels: Vec<_> = labels.iter().filter(|(_, text)| !text.is_empty()).collect();
    let [from, to] = [arrow.source, arrow.target].map(|place| position(part.places[place].spot));
    let earlier = &part.arrows[..index];
    let alike = earlier
        .iter()
        .filter(|other| (other.source, other.target) == (arrow.source, arrow.target))
        .count() as f64;
    let nails = labels.iter().enumerate().map(|(i, (kind, _))| {
        let (x, y) = if arrow.source == arrow.target {
            (from.0 + 40.0 * (i as f64 - 1.0), from.1 - 40.0 - 20.0 * alike)
        } else {
            let share = (i as f64 + 1.0) / (labels.len() as f64 + 1.0);
            let bow = 20.0 * (alike + 0.5);
            let sign = if arrow.source < arrow.target { 1.0 } else { -1.0 };
            (
                from.0 + share * (to.0 - from.0) + sign * bow,
                from.1 + share * (to.1 - from.1) - sign * bow,
            )
        };
        json!({
            "x": x.round(),
            "y": y.round(),
            "propertyType": kind,
            "propertyX": 10.0,
            "propertyY": -10.0,
        })
    });
    nails.collect()
}
