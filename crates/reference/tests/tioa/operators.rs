//! Compositions and conjunctions.

use super::support::*;
use zonewalk_reference::tioa::{Refused, Specification, State};
use zonewalk_tioa::{Project, System, Taken, Unresolved};

/// A sends `a`, which B receives; both receive `i`; A sends `o` alone.
fn project() -> Project {
    let mut project = Project::default();
    draw(&mut project, "A")
        .at("L", at_most(X, 5))
        .edge(("L", "L"), "a!", at_least(X, 1), &[(X, 0)])
        .edge(("L", "L"), "o!", TRUE, &[])
        .edge(("L", "L"), "i?", TRUE, &[(Y, 0)])
        .done();
    draw(&mut project, "B")
        .at("L", TRUE)
        .at("M", TRUE)
        .edge(("L", "M"), "a?", at_most(Y, 1), &[])
        .edge(("L", "L"), "i?", at_least(Y, 1), &[])
        .done();
    project
}

fn product(a: State, b: State) -> State {
    State::Product(vec![a, b])
}

#[test]
fn shared_actions_are_joint_and_others_are_the_owners() {
    let project = project();
    let system = composition(&["A", "B"]);
    let [a, o, i] = ["a", "o", "i"].map(|name| action(&project, name));
    let it = specification(&project, &system, USUAL);
    assert_eq!((it.inputs(), it.outputs()), (&[i][..], &[a, o][..]));
    let now = product(at(0, 2, 2), at(0, 2, 2));
    let joint = (product(at(0, 0, 2), at(1, 2, 2)), vec![edge(0, 0), edge(1, 0)]);
    assert_eq!(it.successors(&now, a), [joint]);
    assert_eq!(it.successors(&now, o), [(now.clone(), vec![edge(0, 1)])]);
    let early = product(at(0, 1, 1), at(0, 1, 1));
    assert_eq!(it.successors(&early, a), []);
    // B ignores i before 1, and a after 1.
    let ignored = Taken::Ignored { part: 1 };
    assert_eq!(
        it.successors(&early, i),
        [(product(at(0, 1, 0), at(0, 1, 1)), vec![edge(0, 2), ignored])]
    );
    let late = product(at(0, 3, 3), at(0, 3, 3));
    assert_eq!(
        it.successors(&late, a),
        [(product(at(0, 0, 3), at(0, 3, 3)), vec![edge(0, 0), ignored])]
    );
    let strict = specification(&project, &system, STRICT);
    assert_eq!(strict.successors(&late, a), []);
}

#[test]
fn a_conjunction_knows_what_all_know() {
    let mut project = project();
    draw(&mut project, "C")
        .at("L", TRUE)
        .edge(("L", "L"), "o!", at_most(X, 2), &[(X, 1)])
        .edge(("L", "L"), "i?", TRUE, &[])
        .done();
    let it = specification(&project, &conjunction(&["A", "C"]), USUAL);
    let [a, o, i] = ["a", "o", "i"].map(|name| action(&project, name));
    assert_eq!((it.inputs(), it.outputs()), (&[i][..], &[o][..]));
    let now = product(at(0, 4, 4), at(0, 4, 4));
    assert_eq!(it.successors(&now, a), []);
    assert_eq!(
        it.successors(&now, o),
        [(product(at(0, 4, 4), at(0, 2, 4)), vec![edge(0, 1), edge(1, 0)])]
    );
    let late = product(at(0, 5, 5), at(0, 5, 5));
    assert_eq!(it.successors(&late, o), []);
}

#[test]
fn operands_that_do_not_fit_are_refused() {
    let mut project = project();
    let refused = |project: &Project, system: &System| {
        Specification::new(project, system, USUAL, SCALE).expect_err("it does not fit")
    };
    assert_eq!(
        refused(&project, &one("Z")),
        Refused::Name(Unresolved::Unknown("Z".to_owned()))
    );
    assert_eq!(
        refused(&project, &composition(&["A", "B", "A"])),
        Refused::CommonOutput("a".to_owned())
    );
    assert_eq!(
        refused(&project, &conjunction(&["A", "B"])),
        Refused::Clash("a".to_owned())
    );
    // C does not know `a`, and that does not help.
    draw(&mut project, "C")
        .at("L", TRUE)
        .edge(("L", "L"), "i?", TRUE, &[])
        .done();
    assert_eq!(
        refused(&project, &conjunction(&["A", "C", "B"])),
        Refused::Clash("a".to_owned())
    );
    draw(&mut project, "D")
        .at("L", TRUE)
        .edge(("L", "L"), "o!", TRUE, &[])
        .edge(("L", "L"), "o?", TRUE, &[])
        .done();
    assert_eq!(
        refused(&project, &one("D")),
        Refused::BothWays("D".to_owned(), "o".to_owned())
    );
    let named = System::Quotient {
        whole: Box::new(one("B")),
        part: Box::new(one("A")),
    };
    assert_eq!(
        refused(&project, &named),
        Refused::FreshInput("i_new(B // A)".to_owned())
    );
    let quotient = quotient(&mut project, one("B"), one("A"));
    assert_eq!(refused(&project, &quotient), Refused::SentByPart("a".to_owned()));
    assert_eq!(
        refused(&project, &System::Composition(Vec::new())),
        Refused::NoOperands
    );
}
