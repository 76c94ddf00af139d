//! Refinements that the queries of projects expect, on a grid of time points.

use crate::support::pairs::{is_flawless, load_project, refinements, violation};
use std::path::PathBuf;
use zonewalk_reference::tioa::judge_pair;
use zonewalk_tioa::{Action, AlphabetOf, Inputs, Loaded, Reading, Rule, Run, Taken};

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
