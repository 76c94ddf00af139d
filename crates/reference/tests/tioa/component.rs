//! Single components step by step.

use super::support::*;
use zonewalk_tioa::{AlphabetOf, Kind, Project, Reading, Taken};

const IGNORED: Taken = Taken::Ignored { part: 0 };
const LOOP: Taken = Taken::Loop { part: 0 };

#[test]
fn an_edge_needs_its_guard_and_both_invariants() {
    let mut project = Project::default();
    draw(&mut project, "A")
        .at("L", at_most(X, 5))
        .at("M", at_most(Y, 2))
        .edge(("L", "M"), "o!", at_least(X, 1), &[(X, 3)])
        .edge(("L", "M"), "p!", TRUE, &[(Y, 0)])
        .done();
    let system = one("A");
    let ways = |x, y, name| ways(&project, &system, USUAL, &at(0, x, y), name);
    assert_eq!(ways(1, 1, "o"), []);
    assert_eq!(ways(2, 2, "o"), [(at(1, 6, 2), vec![edge(0, 0)])]);
    // y is above 2 in M.
    assert_eq!(ways(5, 5, "o"), []);
    assert_eq!(ways(5, 5, "p"), [(at(1, 5, 0), vec![edge(0, 1)])]);
    // The invariant of L is over.
    assert_eq!(ways(11, 0, "p"), []);
}

#[test]
fn inputs_are_ignored_where_no_edge_takes_them() {
    let mut project = Project::default();
    draw(&mut project, "A")
        .at("L", at_most(X, 5))
        .at("M", at_most(X, 1))
        .edge(("L", "M"), "i?", at_least(X, 1), &[])
        .done();
    let system = one("A");
    let complete = |place| ways(&project, &system, USUAL, &place, "i");
    assert_eq!(complete(at(0, 0, 0)), [(at(0, 0, 0), vec![IGNORED])]);
    assert_eq!(complete(at(0, 2, 0)), [(at(1, 2, 0), vec![edge(0, 0)])]);
    // The guard holds, but the invariant of the target does not.
    assert_eq!(complete(at(0, 3, 0)), [(at(0, 3, 0), vec![IGNORED])]);
    // Locations without edges ignore inputs, too; where the invariant is broken nothing happens.
    assert_eq!(complete(at(1, 2, 0)), [(at(1, 2, 0), vec![IGNORED])]);
    assert_eq!(complete(at(1, 3, 0)), []);
    let strict = |place| ways(&project, &system, STRICT, &place, "i");
    assert_eq!(strict(at(0, 0, 0)), []);
    assert_eq!(strict(at(0, 2, 0)), [(at(1, 2, 0), vec![edge(0, 0)])]);
}

#[test]
fn every_edge_is_a_way_of_its_own() {
    let mut project = Project::default();
    draw(&mut project, "A")
        .at("L", TRUE)
        .edge(("L", "L"), "o!", TRUE, &[])
        .edge(("L", "L"), "o!", at_most(X, 5), &[])
        .edge(("L", "L"), "o!", TRUE, &[(X, 0)])
        .done();
    assert_eq!(
        ways(&project, &one("A"), USUAL, &at(0, 4, 0), "o"),
        [
            (at(0, 4, 0), vec![edge(0, 0)]),
            (at(0, 4, 0), vec![edge(0, 1)]),
            (at(0, 0, 0), vec![edge(0, 2)]),
        ]
    );
}

#[test]
fn universal_locations_take_everything_and_inconsistent_ones_inputs() {
    let mut project = Project::default();
    draw(&mut project, "A")
        .at("L", TRUE)
        .at("U", at_most(X, 1))
        .kind(Kind::Universal)
        .at("E", at_most(X, 1))
        .kind(Kind::Inconsistent)
        .edge(("L", "U"), "i?", TRUE, &[])
        .edge(("L", "E"), "o!", TRUE, &[])
        // Drawn edges that leave such locations do not count.
        .edge(("U", "L"), "o!", TRUE, &[])
        .edge(("E", "L"), "o!", TRUE, &[])
        .edge(("E", "L"), "i?", TRUE, &[])
        .done();
    for reading in [USUAL, STRICT] {
        let ways = |place, name| ways(&project, &one("A"), reading, &place, name);
        // The invariant of a universal location is none.
        assert_eq!(ways(at(0, 9, 0), "i"), [(at(1, 9, 0), vec![edge(0, 0)])]);
        assert_eq!(ways(at(1, 9, 0), "i"), [(at(1, 9, 0), vec![LOOP])]);
        assert_eq!(ways(at(1, 9, 0), "o"), [(at(1, 9, 0), vec![LOOP])]);
        // That of an inconsistent one counts.
        assert_eq!(ways(at(0, 9, 0), "o"), []);
        assert_eq!(ways(at(0, 2, 0), "o"), [(at(2, 2, 0), vec![edge(0, 1)])]);
        assert_eq!(ways(at(2, 2, 0), "i"), [(at(2, 2, 0), vec![LOOP])]);
        assert_eq!(ways(at(2, 2, 0), "o"), []);
        assert_eq!(ways(overdue(2, 2, 0), "i"), []);
    }
}

#[test]
fn declared_actions_count_if_asked_for() {
    let mut project = Project::default();
    draw(&mut project, "A")
        .at("L", TRUE)
        .edge(("L", "L"), "o!", TRUE, &[])
        .declare(&["i?", "p!"])
        .done();
    let edges = specification(&project, &one("A"), USUAL);
    let [i, o, p] = ["i", "o", "p"].map(|name| action(&project, name));
    assert_eq!((edges.inputs(), edges.outputs()), (&[][..], &[o][..]));
    assert_eq!(edges.successors(&edges.initial(), i), []);
    let reading = Reading {
        alphabet: AlphabetOf::Declared,
        ..USUAL
    };
    let declared = specification(&project, &one("A"), reading);
    assert_eq!((declared.inputs(), declared.outputs()), (&[i][..], &[o, p][..]));
    assert_eq!(
        declared.successors(&declared.initial(), i),
        [(at(0, 0, 0), vec![IGNORED])]
    );
    assert_eq!(declared.successors(&declared.initial(), p), []);
}
