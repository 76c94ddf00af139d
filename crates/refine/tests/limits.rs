//! Systems that are too large, or that contradict themselves, are refused.
#![allow(clippy::unwrap_used)]

use crate::support;

use support::{USUAL, draw, one};
use zonewalk_refine::leaf::Polarity;
use zonewalk_refine::system::{Builder, Unbuildable};
use zonewalk_tioa::{Project, System};

fn refused(project: &Project, system: &System) -> Unbuildable {
    Builder::new(project, USUAL)
        .side(system, Polarity::Both)
        .map(|_| ())
        .unwrap_err()
}

#[test]
fn clocks_beyond_their_numbers() {
    let mut project = Project::default();
    let clocks: Vec<String> = (0..20_000).map(|k| format!("x{k}")).collect();
    draw(&mut project, "A", &clocks.join(",")).at("L", "").done();
    let twice = System::Conjunction(vec![one("A"), one("A")]);
    assert_eq!(refused(&project, &twice), Unbuildable::TooManyClocks);
    assert!(
        Builder::new(&project, USUAL)
            .side(&one("A"), Polarity::Both)
            .is_ok()
    );
}

#[test]
fn parts_that_do_not_fit_together() {
    let mut project = Project::default();
    draw(&mut project, "A", "")
        .at("L", "")
        .edge("L -> L", "a!", "", "")
        .done();
    draw(&mut project, "B", "")
        .at("L", "")
        .edge("L -> L", "a!", "", "")
        .done();
    draw(&mut project, "C", "")
        .at("L", "")
        .edge("L -> L", "a?", "", "")
        .done();
    let told = |system: &System| refused(&project, system).to_string();
    assert_eq!(
        told(&System::Composition(vec![one("A"), one("B")])),
        "`A` and `B` cannot be composed: both send `a`"
    );
    assert_eq!(
        told(&System::Conjunction(vec![one("C"), one("A")])),
        "`A` and `C` have no conjunction: the first sends `a`, the second receives it"
    );
    let mut with_input = project.clone();
    let quotient = System::Quotient {
        whole: Box::new(one("C")),
        part: Box::new(one("A")),
    };
    with_input.intern_fresh_inputs(&quotient);
    assert_eq!(
        refused(&with_input, &quotient).to_string(),
        "`C` has no quotient by `A`: the part sends `a`, which the whole receives"
    );
    assert_eq!(told(&one("D")), "there is no component `D`");
}
