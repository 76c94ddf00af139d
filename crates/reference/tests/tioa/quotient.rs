//! The ten rules of the quotient.

use super::support::*;
use zonewalk_reference::tioa::{State, Wait};
use zonewalk_tioa::{Project, System, Taken};

const UNIVERSAL: Taken = Taken::Universal { quotient: 0 };
const WRONG: Taken = Taken::Error { quotient: 0 };

/// T and S, with an action for each pair of directions:
///
/// | action | T | S | quotient |
/// |---|---|---|---|
/// | `oo` | output, x in 1..5 | output, x in 2..6 | input |
/// | `oi` | output, always | input, y >= 1 | output |
/// | `ii` | input, x >= 1 | input, always | input |
/// | `o_`, `i_` | output, input | | output, input |
/// | `_o`, `_i` | | output with x >= 3, input | input, output |
///
/// T must have gone on by 10, and S by 8.
fn project() -> (Project, System) {
    let mut project = Project::default();
    let between = |low, high| zonewalk_tioa::Formula::And(vec![at_least(X, low), at_most(X, high)]);
    draw(&mut project, "T")
        .at("L", at_most(X, 10))
        .at("M", at_most(Y, 1))
        .edge(("L", "L"), "oo!", between(1, 5), &[(X, 0)])
        .edge(("L", "L"), "oi!", TRUE, &[(X, 0)])
        .edge(("L", "L"), "ii?", at_least(X, 1), &[(X, 0)])
        .edge(("L", "M"), "o_!", TRUE, &[])
        .edge(("L", "L"), "i_?", TRUE, &[(Y, 0)])
        .done();
    draw(&mut project, "S")
        .at("L", at_most(X, 8))
        .edge(("L", "L"), "oo!", between(2, 6), &[(Y, 0)])
        .edge(("L", "L"), "oi?", at_least(Y, 1), &[(X, 0)])
        .edge(("L", "L"), "ii?", TRUE, &[(X, 0)])
        .edge(("L", "L"), "_o!", at_least(X, 3), &[(X, 0)])
        .edge(("L", "L"), "_i?", TRUE, &[(Y, 0)])
        .done();
    let system = quotient(&mut project, one("T"), one("S"));
    (project, system)
}

/// Steps of the quotient when all clocks are at `units`.
fn after(units: i128, name: &str) -> Vec<(State, Vec<Taken>)> {
    let (project, system) = project();
    let now = both(at(0, 2 * units, 2 * units), at(0, 2 * units, 2 * units));
    ways(&project, &system, USUAL, &now, name)
}

fn to_universal() -> Vec<(State, Vec<Taken>)> {
    vec![(State::Universal, vec![UNIVERSAL])]
}

fn to_error() -> Vec<(State, Vec<Taken>)> {
    vec![(ERROR, vec![WRONG])]
}

#[test]
fn its_alphabet() {
    let (project, system) = project();
    let it = specification(&project, &system, USUAL);
    let named = |actions: &[zonewalk_tioa::Action]| {
        let mut names: Vec<_> = actions
            .iter()
            .map(|a| project.action_name(*a).to_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(named(it.inputs()), ["_o", "i_", "i_new(T // S)", "ii", "oo"]);
    assert_eq!(named(it.outputs()), ["_i", "o_", "oi"]);
    assert_eq!(it.quotients(), 1);
}

#[test]
fn rule_1_both_move_on_shared_actions() {
    let taken = |t, s| vec![edge(0, t), edge(1, s)];
    assert_eq!(after(3, "oo"), [(both(at(0, 0, 6), at(0, 6, 0)), taken(0, 0))]);
    assert_eq!(after(3, "oi"), [(both(at(0, 0, 6), at(0, 0, 6)), taken(1, 1))]);
    assert_eq!(after(3, "ii"), [(both(at(0, 0, 6), at(0, 0, 6)), taken(2, 2))]);
    // Inputs that an operand ignores are joint as well.
    let ignored = vec![edge(1, 2), Taken::Ignored { part: 0 }];
    assert_eq!(after(0, "ii"), [(both(at(0, 0, 0), at(0, 0, 0)), ignored)]);
}

#[test]
fn rule_2_the_part_moves_alone() {
    assert_eq!(
        after(3, "_o"),
        [(both(at(0, 6, 6), at(0, 0, 6)), vec![edge(1, 3)])]
    );
    assert_eq!(
        after(1, "_i"),
        [(both(at(0, 2, 2), at(0, 2, 0)), vec![edge(1, 4)])]
    );
    // The part may move alone when the whole is overdue.
    let (project, system) = project();
    let now = both(at(0, 22, 22), at(0, 6, 6));
    assert_eq!(
        ways(&project, &system, USUAL, &now, "_o"),
        [(both(at(0, 22, 22), at(0, 0, 6)), vec![edge(1, 3)])]
    );
}

#[test]
fn rules_3_and_4_what_the_part_does_not_send_is_arbitrary() {
    // Not by S, whether T would allow it or not.
    assert_eq!(after(1, "oo"), to_universal());
    assert_eq!(after(0, "oo"), to_universal());
    assert_eq!(after(7, "oo"), to_universal());
    assert_eq!(after(2, "_o"), to_universal());
}

#[test]
fn rule_5_a_part_that_broke_its_invariant_excuses_everything() {
    for name in ["oo", "oi", "ii", "o_", "i_", "_o", "_i", "i_new(T // S)"] {
        assert_eq!(after(9, name), to_universal(), "{name}");
        assert_eq!(after(11, name), to_universal(), "{name}");
    }
}

#[test]
fn rule_6_the_part_sends_what_the_whole_forbids() {
    assert_eq!(after(6, "oo"), to_error());
    // Not for outputs of T alone, and not for actions that T does not know.
    assert_eq!(after(3, "o_"), []);
    assert_eq!(
        after(6, "_o"),
        [(both(at(0, 12, 12), at(0, 0, 12)), vec![edge(1, 3)])]
    );
}

#[test]
fn rule_7_the_whole_is_too_late() {
    let (project, system) = project();
    let fresh = |t, s| ways(&project, &system, USUAL, &both(t, s), "i_new(T // S)");
    // In time it is ignored.
    let early = both(at(0, 20, 0), at(0, 4, 0));
    assert_eq!(fresh(at(0, 20, 0), at(0, 4, 0)), [(early, vec![])]);
    assert_eq!(fresh(at(0, 21, 0), at(0, 4, 0)), to_error());
    assert_eq!(fresh(at(0, 21, 0), at(0, 17, 0)), to_universal());
}

#[test]
fn rule_8_the_whole_moves_alone() {
    assert_eq!(
        after(1, "o_"),
        [(both(at(1, 2, 2), at(0, 2, 2)), vec![edge(0, 3)])]
    );
    assert_eq!(
        after(3, "i_"),
        [(both(at(0, 6, 0), at(0, 6, 6)), vec![edge(0, 4)])]
    );
    // The whole is too late for it: no rule speaks of that, and it is ignored, or refused in the strict reading.
    let (project, system) = project();
    let late = both(at(0, 21, 0), at(0, 4, 0));
    assert_eq!(
        ways(&project, &system, USUAL, &late, "i_"),
        [(late.clone(), vec![])]
    );
    assert_eq!(ways(&project, &system, STRICT, &late, "i_"), []);
}

#[test]
fn rules_9_and_10_the_two_ends() {
    let (project, system) = project();
    for name in ["oo", "oi", "ii", "o_", "i_", "_o", "_i", "i_new(T // S)"] {
        let ways = |state| ways(&project, &system, USUAL, &state, name);
        assert_eq!(ways(State::Universal), to_universal(), "{name}");
        let is_input = !["oi", "o_", "_i"].contains(&name);
        assert_eq!(
            ways(ERROR),
            if is_input { to_error() } else { Vec::new() },
            "{name}"
        );
        assert_eq!(ways(State::Error { overdue: true }), [], "{name}");
    }
}

#[test]
fn it_starts_even_where_invariants_are_broken_and_time_passes() {
    let mut project = Project::default();
    draw(&mut project, "T").at("L", above(X, 3)).done();
    draw(&mut project, "S").at("L", TRUE).urgent().done();
    let system = quotient(&mut project, one("T"), one("S"));
    let it = specification(&project, &system, USUAL);
    let initial = it.initial();
    assert!(it.holds(&initial));
    assert_eq!(it.wait(&initial), Wait::Forever);
    let fresh = action(&project, "i_new(T // S)");
    assert_eq!(it.successors(&initial, fresh), to_error());
    // Time has passed in the urgent location of S: that is its fault.
    let later = it.delayed(&initial, 1);
    assert_eq!(later, both(at(0, 1, 1), overdue(0, 1, 1)));
    assert_eq!(it.successors(&later, fresh), to_universal());
}

#[test]
fn operands_that_are_products_need_all_their_invariants() {
    let mut project = Project::default();
    draw(&mut project, "T1")
        .at("L", TRUE)
        .edge(("L", "L"), "o!", TRUE, &[])
        .done();
    draw(&mut project, "T2").at("L", at_most(X, 1)).done();
    draw(&mut project, "S").at("L", TRUE).done();
    let whole = composition(&["T1", "T2"]);
    let system = quotient(&mut project, whole, one("S"));
    let it = specification(&project, &system, USUAL);
    let o = action(&project, "o");
    let initial = it.initial();
    assert_eq!(it.successors(&initial, o), [(initial.clone(), vec![edge(0, 0)])]);
    // T2, which does not know o, is too late.
    assert_eq!(it.successors(&it.delayed(&initial, 3), o), []);
}

#[test]
fn quotients_in_quotients_have_numbers_and_inputs_of_their_own() {
    let mut project = Project::default();
    draw(&mut project, "T").at("L", at_most(X, 1)).done();
    draw(&mut project, "R").at("L", TRUE).done();
    draw(&mut project, "S").at("L", TRUE).done();
    let inner = quotient(&mut project, one("T"), one("R"));
    let system = quotient(&mut project, inner, one("S"));
    let it = specification(&project, &system, USUAL);
    assert_eq!(it.quotients(), 2);
    let [inner, outer] = ["i_new(T // R)", "i_new((T // R) // S)"].map(|name| action(&project, name));
    let late = it.delayed(&it.initial(), 3);
    // The outer whole is a quotient, which has no invariant.
    assert_eq!(it.successors(&late, outer), [(late.clone(), vec![])]);
    let taken = vec![Taken::Error { quotient: 1 }];
    let wrong_inside = both(ERROR, at(0, 3, 3));
    assert_eq!(it.successors(&late, inner), [(wrong_inside.clone(), taken)]);
    // Time passes, since the outer quotient does not mind; then the inner error is overdue.
    assert_eq!(
        it.successors(&wrong_inside, outer),
        [(wrong_inside.clone(), vec![])]
    );
    let later = it.delayed(&wrong_inside, 1);
    assert_eq!(it.successors(&later, outer), to_error());
}
