//! Chooses a pattern for a model and a goal, and prints what A* does with its database.
//!
//! `patterns <model> <state predicate> [removed cells...]`

#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;
use support::{Case, Space};
use zonewalk_heuristics::{Basis, Estimator as _, Order, PatternSource, prepare};
use zonewalk_product::Pattern;
use zonewalk_search::Limits;
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::store::Covering;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, model, query, rest @ ..] = &arguments[..] else {
        println!("patterns <model> <state predicate> [removed cells...]");
        return;
    };
    let case = Case::read(model, &std::fs::read(model).unwrap(), &[query]).unwrap();
    let network = &case.network;
    for (i, p) in network.processes.iter().enumerate() {
        print!("{i} {:?} ", p.name);
    }
    println!("{} cells, {} clocks", network.layout.state, network.clocks.len());
    let plan = ZonePlan::new(network).unwrap();
    let predicate = &case.predicates[0];
    let start = Instant::now();
    let basis = Basis::new(&plan, predicate, true);
    println!("basis {:.3} s", start.elapsed().as_secs_f64());
    let mut patterns = Vec::new();
    for removed in rest {
        let mut pattern = Pattern::whole(network);
        for cell in removed.split(',').filter_map(|cell| cell.parse().ok()) {
            pattern.set(network, cell, false);
        }
        patterns.push(pattern);
    }
    let choice = match patterns.len() {
        0 => PatternSource::Growing,
        _ => PatternSource::Given(patterns),
    };
    let mut heuristic = prepare(&basis, &choice, &Limits::default()).unwrap();
    for database in heuristic.databases() {
        let cells: Vec<u32> = database.pattern.cells().collect();
        let clocks: Vec<_> = database.pattern.clocks().collect();
        println!(
            "{} states, first {:?}, {cells:?} {clocks:?}",
            database.states, database.initial
        );
    }
    let spent = start.elapsed().as_secs_f64();
    println!(
        "{} abstract states, {spent:.3} s",
        heuristic.counters().abstract_states
    );
    let mut space = Space::new(&case, &plan, predicate, true, Abstraction::LuPlus, false);
    let (found, done) = space.directed(&mut heuristic, Order::AStar, Covering::Inclusion, 20_000_000);
    println!(
        "{found:?}, {} explored, {} unknown, {:.3} s",
        done.states_explored,
        heuristic.unknown(),
        start.elapsed().as_secs_f64()
    );
}
