//! Refinements that the queries of projects expect, on a grid of time points.

use crate::support::generate;
use crate::support::pairs::{is_flawless, load_project, refinements, violation};
use std::path::PathBuf;
use zonewalk_reference::tioa::judge_pair;
use zonewalk_tioa::read::load_file;
use zonewalk_tioa::{
    Action, AlphabetOf, Formula, Inputs, Loaded, Location, Project, Reading, Rule, Run, Taken,
};

/// The first refinement of a generated project.
fn first(family: &str, params: &str, scale: i64) -> Option<Rule> {
    let mut loaded = load_project(family, params);
    let (_, left, right) = refinements(&loaded.project).remove(0);
    violation(&mut loaded.project, AlphabetOf::Edges, &left, &right, scale)
}

#[test]
fn milner() {
    for (params, scale) in [
        ("n=2 d=1 deadline=2 v=0", 4),
        ("n=2 d=2 deadline=3 v=0", 2),
        ("n=3 d=1 deadline=3 v=0", 2),
        ("n=3 d=2 deadline=5 v=0", 2),
    ] {
        assert_eq!(first("milner-tioa", params, scale), None, "{params}");
    }
    // Too little time, or a token that comes round too early and is lost.
    for (params, scale) in [
        ("n=2 d=1 deadline=2 v=1", 2),
        ("n=3 d=1 deadline=3 v=10", 2),
        ("n=2 d=0 deadline=1 v=0", 2),
        ("n=2 d=1 deadline=3 v=0", 2),
        ("n=3 d=1 deadline=4 v=0", 4),
    ] {
        assert_eq!(first("milner-tioa", params, scale), Some(Rule::Delay), "{params}");
    }
}

#[test]
fn leader_election_and_its_mutants() {
    for params in ["n=2 v=0", "n=3 v=0", "n=4 maxd=1 v=0"] {
        assert_eq!(first("leader-tioa", params, 1), None, "{params}");
    }
    for params in ["n=2 v=1", "n=3 v=1", "n=4 maxd=1 v=2"] {
        assert_eq!(first("leader-tioa", params, 1), Some(Rule::Delay), "{params}");
    }
    for mutant in ["m1", "m2", "m3", "m4"] {
        for mutants in ["one", "all"] {
            let params = format!("n=3 maxd=1 v=0 mutant={mutant} mutants={mutants}");
            assert_eq!(first("leader-tioa", &params, 1), Some(Rule::Delay), "{params}");
        }
    }
}

/// A project of the folder `models`.
fn shipped(name: &str) -> Loaded {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", "models", name]
        .iter()
        .collect();
    let loaded = zonewalk_tioa::load(&folder).unwrap();
    is_flawless(&loaded);
    loaded
}

#[test]
fn the_tea_machine() {
    let mut loaded = shipped("tea-machine");
    let refinements = refinements(&loaded.project);
    let verdicts: Vec<_> = refinements
        .iter()
        .map(|(text, left, right)| {
            let found = violation(&mut loaded.project, AlphabetOf::Edges, left, right, 2);
            (text.as_str(), found.is_none())
        })
        .collect();
    assert_eq!(
        verdicts,
        [
            ("refinement: Researcher || Machine <= Spec", true),
            ("refinement: Researcher || SlowMachine <= Spec", false),
            ("refinement: Machine <= SlowMachine", true),
            ("refinement: SlowMachine <= Machine", false),
            ("refinement: Researcher <= Spec // Machine", true),
            ("refinement: Researcher <= Spec // SlowMachine", false),
        ]
    );
}

/// The deadline of 10 is a unit too early: 4 for the tea, 7 for the work.
#[test]
fn a_run_of_the_slow_machine() {
    let loaded = shipped("tea-machine");
    let project = &loaded.project;
    let action = |name: &str| Action(project.actions.iter().position(|known| known == name).unwrap() as u32);
    let step = |delay, name, left: &[(u32, u32)], right: Option<u32>| {
        let edge = |&(part, edge): &(u32, u32)| Taken::Edge { part, edge };
        zonewalk_tioa::Step {
            delay,
            action: action(name),
            left: left.iter().map(edge).collect(),
            right: right.iter().map(|&number| edge(&(0, number))).collect(),
        }
    };
    let run = Run {
        scale: 1,
        steps: vec![
            step(8, "w", &[(0, 0)], Some(0)),
            step(0, "coin", &[(0, 3), (1, 0)], Some(1)),
            step(4, "tea", &[(0, 1), (1, 1)], None),
        ],
        last_delay: 7,
        rule: Rule::Delay,
    };
    let reading = Reading {
        alphabet: AlphabetOf::Edges,
        inputs: Inputs::Complete,
    };
    let (_, left, right) = &refinements(project)[1];
    let judged = judge_pair(project, left, right, reading, &run);
    let judged = judged.unwrap_or_else(|objection| panic!("{}", objection.text(project)));
    assert_eq!(
        (judged.left_wait, judged.right_wait),
        (
            zonewalk_reference::tioa::Wait::UpTo(7),
            Some(zonewalk_reference::tioa::Wait::UpTo(6))
        )
    );
}

#[test]
fn narrow_errors() {
    let mut loaded = shipped("narrow");
    let f = loaded.project.intern("f");
    let refinements = refinements(&loaded.project);
    let (_, left, right) = &refinements[1];
    let rounds = violation(&mut loaded.project, AlphabetOf::Edges, left, right, 2);
    assert_eq!(rounds, Some(Rule::Output(f)));
    // A million units are too many for a grid.
    let (_, left, right) = &refinements[0];
    let reading = Reading {
        alphabet: AlphabetOf::Edges,
        inputs: Inputs::Complete,
    };
    for (last_delay, is_error) in [(1_999_998, false), (1_999_999, true), (2_000_000, true)] {
        let run = Run {
            scale: 2,
            steps: Vec::new(),
            last_delay,
            rule: Rule::Output(f),
        };
        let judged = judge_pair(&loaded.project, left, right, reading, &run);
        assert_eq!(judged.is_ok(), is_error);
    }
}

/// A component in a form that does not depend on how it was written: names instead of numbers, and what never happens left out.
#[derive(Debug, PartialEq)]
struct Plain {
    clocks: Vec<String>,
    initial: String,
    locations: Vec<(String, String)>,
    edges: Vec<String>,
    inputs: Vec<String>,
    outputs: Vec<String>,
}

/// `send[1][4]` in templates is `send1_4` in projects of ECDAR, which know no arrays.
fn plain_name(action: &str) -> String {
    action.replace("][", "_").replace(['[', ']'], "")
}

/// The location `Run(cur=3)` of a template is `Run3` in a project; there are no data anywhere else.
fn place(location: &Location) -> String {
    let name = location.alias.as_ref().unwrap_or(&location.name);
    let value = location.values.iter().find(|(data, _)| data == "cur");
    match value {
        Some((_, value)) if name == "Run" => format!("{name}{value}"),
        _ => name.clone(),
    }
}

fn plain(project: &Project, name: &str) -> Plain {
    let component = project.component(name).unwrap();
    let formula = |formula: &Formula| match formula {
        Formula::And(parts) if parts.is_empty() => "true".to_owned(),
        other => other.text(&component.clocks),
    };
    let never = Formula::Constant(false);
    let mut edges: Vec<String> = component
        .edges
        .iter()
        .filter(|edge| edge.guard != never)
        .map(|edge| {
            let [source, target] = [edge.source, edge.target].map(|id| place(component.location(id)));
            let action = plain_name(project.action_name(edge.action));
            let mut updates = edge.updates.clone();
            updates.sort_unstable();
            let guard = formula(&edge.guard);
            format!(
                "{source} {action} {:?} {guard} {updates:?} {target}",
                edge.direction
            )
        })
        .collect();
    edges.sort();
    let locations = component.locations.iter();
    let mut locations: Vec<_> = locations
        .map(|location| (place(location), formula(&location.invariant)))
        .collect();
    locations.sort();
    let declared = component.declared.clone().unwrap_or_default();
    let all = |declared: &[Action], used: &[Action]| {
        let actions = declared.iter().chain(used);
        let mut names: Vec<_> = actions
            .map(|action| plain_name(project.action_name(*action)))
            .collect();
        names.sort();
        names.dedup();
        names
    };
    Plain {
        clocks: component.clocks.clone(),
        initial: place(component.location(component.initial)),
        locations,
        edges,
        inputs: all(&declared.inputs, &component.alphabet.inputs),
        outputs: all(&declared.outputs, &component.alphabet.outputs),
    }
}

/// Templates and components are written apart, and mean the same.
#[test]
fn templates_and_projects_are_equal() {
    for (family, params) in [
        ("milner-tioa", "n=2 d=1 deadline=3 v=5"),
        ("milner-tioa", ""),
        ("leader-tioa", "n=2"),
        ("leader-tioa", ""),
        ("leader-tioa", "n=4 mutant=m1"),
        ("leader-tioa", "n=4 mutant=m2"),
        ("leader-tioa", "n=4 mutant=m3 mutants=all"),
        ("leader-tioa", "n=5 mutant=m4 mutants=all"),
    ] {
        let text = generate(family, params);
        let templates = load_file(family, text.as_bytes()).unwrap();
        is_flawless(&templates);
        let project = load_project(family, params);
        // A template without parameters is a component as well, whether it has processes or not.
        for name in project.project.components.iter().map(|component| &component.name) {
            assert_eq!(
                plain(&templates.project, name),
                plain(&project.project, name),
                "{family} {params}: {name}"
            );
        }
        assert_eq!(
            templates.project.queries, project.project.queries,
            "{family} {params}"
        );
    }
}

/// The declared alphabet makes the templates decide as the projects do.
#[test]
fn templates_decide_as_projects_do() {
    for (family, params, expected) in [
        ("milner-tioa", "n=3 d=1 deadline=3 v=0", None),
        ("milner-tioa", "n=3 d=1 deadline=3 v=10", Some(Rule::Delay)),
        ("leader-tioa", "n=3 v=0", None),
        ("leader-tioa", "n=3 v=0 mutant=m2", Some(Rule::Delay)),
    ] {
        let mut loaded = load_file(family, generate(family, params).as_bytes()).unwrap();
        assert_eq!(loaded.project.alphabet, Some(AlphabetOf::Declared));
        let (_, left, right) = refinements(&loaded.project).remove(0);
        let found = violation(&mut loaded.project, AlphabetOf::Declared, &left, &right, 2);
        assert_eq!(found, expected, "{family} {params}");
    }
}
