//! Runs of one system.

use super::support::*;
use zonewalk_reference::tioa::{Objection, Reason, ReplayedRun, Start, UnknownInGoal, judge_run};
use zonewalk_tioa::{Instance, LocationId, Project, Relation, Rule, Run, Side, StateFormula, Step, Taken};

fn instance(name: &str, tag: Option<&str>) -> Instance {
    Instance {
        name: name.to_owned(),
        tag: tag.map(str::to_owned),
    }
}

fn at_location(name: &str, location: &str) -> StateFormula {
    StateFormula::Location {
        instance: instance(name, None),
        location: location.to_owned(),
    }
}

fn clock(name: &str, clock: &str, relation: Relation, bound: i32) -> StateFormula {
    StateFormula::Compare {
        clock: (instance(name, None), clock.to_owned()),
        minus: None,
        relation,
        bound,
    }
}

/// A goes from L to M by `i` once x is 2, B stays where it is.
fn project() -> Project {
    let mut project = Project::default();
    draw(&mut project, "A")
        .at("L", at_most(X, 4))
        .at("M", TRUE)
        .edge(("L", "M"), "i?", at_least(X, 2), &[(X, 0)])
        .done();
    draw(&mut project, "B").at("L", TRUE).done();
    project
}

fn judged(
    delay: i64,
    taken: Taken,
    last_delay: i64,
    from: Option<(&StateFormula, &Start)>,
    to: &StateFormula,
) -> Result<ReplayedRun, Objection> {
    let project = project();
    let run = Run {
        scale: SCALE,
        steps: vec![Step {
            delay,
            action: action(&project, "i"),
            left: vec![taken],
            right: Vec::new(),
        }],
        last_delay,
        rule: Rule::Reached,
    };
    let system = composition(&["A", "B"]);
    judge_run(&project, &system, USUAL, from, to, &run, &mut |_| {})
}

#[test]
fn states_are_reached_or_not() {
    let to = StateFormula::And(vec![
        at_location("A", "M"),
        clock("A", "x", Relation::Less, 1),
        StateFormula::Compare {
            clock: (instance("B", None), "x".to_owned()),
            minus: Some((instance("A", None), "x".to_owned())),
            relation: Relation::Equal,
            bound: 3,
        },
        StateFormula::Not(Box::new(at_location("A", "L"))),
    ]);
    assert!(judged(6, edge(0, 0), 1, None, &to).is_ok());
    let reason = |found: Result<ReplayedRun, Objection>| found.expect_err("it is not reached").reason;
    assert_eq!(reason(judged(6, edge(0, 0), 2, None, &to)), Reason::NotReached);
    assert_eq!(
        reason(judged(3, Taken::Ignored { part: 0 }, 1, None, &to)),
        Reason::NotReached
    );
    assert!(matches!(
        reason(judged(9, edge(0, 0), 1, None, &to)),
        Reason::TooLong { side: Side::Left, .. }
    ));
}

#[test]
fn a_start_must_be_one_that_is_asked_for() {
    let from = StateFormula::And(vec![
        at_location("A", "L"),
        clock("A", "x", Relation::GreaterEqual, 2),
    ]);
    let to = at_location("A", "M");
    let judge = |start: Start| judged(0, edge(0, 0), 0, Some((&from, &start)), &to).map(|_| ());
    let start = |x| vec![(LocationId(0), vec![x, 0]), (LocationId(0), vec![7, 7])];
    let reason = |start| judge(start).expect_err("it is a wrong start").reason;
    assert_eq!(judge(start(4)), Ok(()));
    assert_eq!(reason(start(3)), Reason::WrongStart);
    assert_eq!(reason(start(9)), Reason::NoInitialState(Side::Left));
    assert_eq!(reason(start(-1)), Reason::WrongStart);
    assert_eq!(reason(Vec::new()), Reason::WrongStart);
}

#[test]
fn names_must_mean_one_thing() {
    let unknown = |to| match judged(4, edge(0, 0), 0, None, &to)
        .expect_err("it is unknown")
        .reason
    {
        Reason::Goal(unknown) => unknown.to_string(),
        other => format!("{other:?}"),
    };
    assert_eq!(unknown(at_location("Z", "L")), "the system has no component `Z`");
    assert_eq!(
        unknown(at_location("A", "Z")),
        "component `A` has no location `Z`"
    );
    assert_eq!(
        unknown(clock("B", "z", Relation::Less, 1)),
        "component `B` has no clock `z`"
    );
    let project = project();
    let twice = composition(&["B", "B"]);
    let it = specification(&project, &twice, USUAL);
    assert_eq!(
        it.goal(&at_location("B", "L")).expect_err("there are two"),
        UnknownInGoal::Ambiguous("B".to_owned())
    );
}
