//! How long time may pass.

use super::support::*;
use zonewalk_reference::tioa::Wait;
use zonewalk_tioa::{Clock, Comparison, Formula, Kind, Project, Relation};

/// How long the initial state of a component with this invariant lasts once x is `x` ticks.
fn wait(invariant: Formula, x: i128) -> Wait {
    let mut project = Project::default();
    draw(&mut project, "A").at("L", invariant).done();
    specification(&project, &one("A"), USUAL).wait(&at(0, x, 0))
}

#[test]
fn bounds_are_exact_and_strict_ones_are_told_apart() {
    assert_eq!(wait(at_most(X, 5), 0), Wait::UpTo(10));
    assert_eq!(wait(below(X, 5), 0), Wait::Below(10));
    assert_eq!(wait(at_most(X, 5), 3), Wait::UpTo(7));
    assert_eq!(wait(at_most(X, 5), 10), Wait::UpTo(0));
    assert_eq!(wait(below(X, 5), 10), Wait::Never);
    assert_eq!(wait(TRUE, 1_000_000), Wait::Forever);
    assert_eq!(wait(exactly(X, 5), 10), Wait::UpTo(0));
}

#[test]
fn several_bounds_and_lower_bounds() {
    let both = Formula::And(vec![at_most(X, 5), below(Y, 5)]);
    assert_eq!(wait(both.clone(), 0), Wait::Below(10));
    assert_eq!(wait(both, 1), Wait::UpTo(9));
    // A lower bound is not waited for.
    assert_eq!(wait(above(X, 3), 6), Wait::Never);
    assert_eq!(wait(above(X, 3), 7), Wait::Forever);
    assert_eq!(wait(at_least(X, 3), 6), Wait::Forever);
}

#[test]
fn time_does_not_cross_a_gap() {
    let gap = |low: Formula, high: Formula| Formula::Or(vec![low, high]);
    assert_eq!(wait(gap(below(X, 2), above(X, 4)), 0), Wait::Below(4));
    assert_eq!(wait(gap(below(X, 2), above(X, 4)), 8), Wait::Never);
    assert_eq!(wait(gap(below(X, 2), above(X, 4)), 9), Wait::Forever);
    assert_eq!(wait(gap(at_most(X, 2), above(X, 4)), 0), Wait::UpTo(4));
    // A single instant is a gap, and touching parts have none.
    assert_eq!(wait(gap(below(X, 2), above(X, 2)), 0), Wait::Below(4));
    assert_eq!(wait(gap(at_most(X, 2), above(X, 2)), 0), Wait::Forever);
    // So is what lies between two instants.
    assert_eq!(wait(gap(exactly(X, 0), at_least(X, 1)), 0), Wait::UpTo(0));
    let not = Formula::Not(Box::new(exactly(X, 3)));
    assert_eq!(wait(not, 0), Wait::Below(6));
}

#[test]
fn differences_do_not_change() {
    let difference = Formula::Compare(Comparison {
        clock: Clock(X),
        minus: Some(Clock(Y)),
        relation: Relation::LessEqual,
        bound: 1,
    });
    assert_eq!(wait(difference.clone(), 2), Wait::Forever);
    assert_eq!(wait(difference, 3), Wait::Never);
}

#[test]
fn time_stops_in_urgent_and_inconsistent_locations() {
    let mut project = Project::default();
    draw(&mut project, "Urgent")
        .at("L", at_most(X, 5))
        .urgent()
        .done();
    draw(&mut project, "Wrong")
        .at("L", TRUE)
        .kind(Kind::Inconsistent)
        .done();
    draw(&mut project, "Broken")
        .at("L", below(X, 0))
        .kind(Kind::Inconsistent)
        .done();
    draw(&mut project, "Free")
        .at("L", at_most(X, 5))
        .urgent()
        .kind(Kind::Universal)
        .done();
    let wait = |name| {
        let specification = specification(&project, &one(name), USUAL);
        specification.wait(&specification.initial())
    };
    assert_eq!(wait("Urgent"), Wait::UpTo(0));
    assert_eq!(wait("Wrong"), Wait::UpTo(0));
    assert_eq!(wait("Broken"), Wait::Never);
    assert_eq!(wait("Free"), Wait::Forever);
}

#[test]
fn a_product_waits_for_the_first_and_a_quotient_for_none() {
    let mut project = Project::default();
    draw(&mut project, "A").at("L", at_most(X, 5)).done();
    draw(&mut project, "B").at("L", below(X, 5)).done();
    let quotient = quotient(&mut project, one("A"), one("B"));
    let initial = |system| {
        let specification = specification(&project, &system, USUAL);
        specification.wait(&specification.initial())
    };
    assert_eq!(initial(composition(&["A", "B"])), Wait::Below(10));
    assert_eq!(initial(conjunction(&["A", "A"])), Wait::UpTo(10));
    assert_eq!(initial(quotient.clone()), Wait::Forever);
    let specification = specification(&project, &quotient, USUAL);
    assert_eq!(specification.wait(&ERROR), Wait::UpTo(0));
    assert_eq!(specification.wait(&specification.delayed(&ERROR, 1)), Wait::Never);
}

#[test]
fn waits_are_ordered_by_what_they_allow() {
    let all = [
        Wait::Never,
        Wait::UpTo(0),
        Wait::Below(10),
        Wait::UpTo(10),
        Wait::Below(11),
        Wait::Forever,
    ];
    assert!(all.is_sorted());
    let allowed = all.map(|wait| [0, 10, 11].map(|delay| wait.allows(delay)));
    assert_eq!(
        allowed,
        [
            [false, false, false],
            [true, false, false],
            [true, false, false],
            [true, true, false],
            [true, true, false],
            [true, true, true],
        ]
    );
}
