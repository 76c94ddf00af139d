//! Computes with zones: what is left of a machine's times after a guard, a reset, a delay and an invariant, and what lies outside.
//!
//! ```text
//! cargo run --release --example zones
//! ```
#![allow(clippy::print_stdout)]

use zonewalk::zones::{Bound, dbm, display};

/// Two clocks `x` and `y`, and the reference clock 0.
const DIM: usize = 3;
const X: usize = 1;
const Y: usize = 2;
const NAMES: [&str; 2] = ["x", "y"];

fn show(what: &str, zone: &[Bound]) {
    println!("{what:<28}{}", display::constraints(zone, DIM, &NAMES));
}

fn main() {
    let mut zone = vec![Bound::INFINITY; DIM * DIM];
    dbm::set_zero(&mut zone, DIM);
    show("initially", &zone);
    dbm::up(&mut zone, DIM);
    show("time passes", &zone);
    let is_possible = dbm::constrain(&mut zone, DIM, X, 0, Bound::le(5))
        && dbm::constrain(&mut zone, DIM, 0, X, Bound::lt(-2));
    assert!(is_possible, "some time lies in between");
    show("guard 2 < x <= 5", &zone);
    dbm::reset(&mut zone, DIM, Y, 0);
    show("y := 0", &zone);
    dbm::up(&mut zone, DIM);
    let before_invariant = zone.clone();
    assert!(
        dbm::constrain(&mut zone, DIM, X, 0, Bound::le(9)),
        "the invariant holds for a while"
    );
    show("time passes while x <= 9", &zone);
    println!(
        "{:<28}{}",
        "the invariant cuts",
        !dbm::includes(&zone, &before_invariant)
    );
    // A guard that no point fulfils.
    let mut empty = zone.clone();
    let is_possible = dbm::constrain(&mut empty, DIM, Y, 0, Bound::lt(8))
        && dbm::constrain(&mut empty, DIM, 0, Y, Bound::lt(-7));
    println!("{:<28}{}", "guard 7 < y < 8 is possible", is_possible);
}
