//! Priorities leave what the reference interpreter says, transition by transition and instant by instant.
//!
//! `ZONEWALK_NETWORKS` says how many random networks are drawn, `ZONEWALK_SEED` which is the first.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::enabled::candidate::list_ready;
use crate::heuristic::choose::{Chooser, Heuristic, Step};
use crate::heuristic::coverage::Coverage;
use crate::heuristic::schedule::Delays;
use crate::plan::WalkPlan;
use crate::time::FOREVER;
use std::collections::BTreeMap;
use zonewalk_model::ids::{EdgeId, ProcessId};
use zonewalk_numbers::Random;
use zonewalk_reference::rational::Rational;
use zonewalk_reference::{Interpreter, State};
use zonewalk_testkit::{generate, number, xta};

#[test]
fn windows_are_cut() {
    let w = |lo, hi| Window { lo, hi };
    let mut holes = vec![w(10, 12), w(3, 4), w(4, 6), w(20, i64::MAX)];
    join(&mut holes);
    assert_eq!(holes, [w(3, 6), w(10, 12), w(20, i64::MAX)]);
    let left = |window| {
        let mut left = Vec::new();
        WindowRegions.without(&window, holes.iter(), &mut left);
        left
    };
    assert_eq!(left(w(0, 30)), [w(0, 2), w(7, 9), w(13, 19)]);
    assert_eq!(left(w(4, 5)), []);
    assert_eq!(left(w(5, 8)), [w(7, 8)]);
}

/// The edge that begins a transition, and the partner's of a handshake.
type Key = Vec<(ProcessId, EdgeId)>;

/// Instants of the grid, as pairs of the first and the last one without a gap.
type Instants = BTreeMap<Key, Vec<(i64, i64)>>;

fn normal(mut windows: BTreeMap<Key, Vec<Window>>) -> Instants {
    let mut instants = Instants::new();
    for (key, list) in &mut windows {
        list.retain(|w| !w.is_empty());
        list.sort_by_key(|w| w.lo);
        let mut merged: Vec<(i64, i64)> = Vec::new();
        for w in list {
            let (lo, hi) = (w.lo + (w.lo & 1), w.hi & !1);
            match merged.last_mut() {
                Some(last) if lo <= last.1.saturating_add(2) => last.1 = last.1.max(hi),
                _ => merged.push((lo, hi)),
            }
        }
        if !merged.is_empty() {
            instants.insert(key.clone(), merged);
        }
    }
    instants
}

fn by_walker(walker: &mut Walker<'_>) -> Instants {
    let horizon = walker.horizon();
    let mut candidates = Vec::new();
    list_ready(walker, horizon, &[], &mut candidates, &mut false);
    let mut sieve = PriorityFilter::default();
    sieve.sift(walker, &mut candidates, None);
    let (mut pieces, mut firings, mut found) = (Pieces::default(), Firings::default(), Vec::new());
    let mut windows: BTreeMap<Key, Vec<Window>> = BTreeMap::new();
    for candidate in candidates {
        let edges = [Some(candidate.initiator), candidate.partner.get()];
        let network = walker.plan.network;
        let key = edges.into_iter().flatten().map(|e| {
            let instance = network.instance(e);
            (instance.process, network.edge(instance).id)
        });
        let key: Key = key.collect();
        // Those of the lowest level have not been tried out.
        pieces.split(walker, candidate);
        for &window in &pieces.list {
            find_existing(
                walker,
                Candidate { window, ..candidate },
                &mut firings,
                &mut found,
            );
            windows.entry(key.clone()).or_default().append(&mut found);
        }
    }
    normal(windows)
}

fn by_interpreter(interpreter: &Interpreter<'_>, state: &State, now: i64, unit: i64) -> Instants {
    let ticks = |delay: Rational| {
        let ticks = delay.times(Rational::from(unit as i32)).unwrap();
        assert_eq!(ticks.denominator(), 1);
        now + ticks.numerator() as i64
    };
    let mut windows: BTreeMap<Key, Vec<Window>> = BTreeMap::new();
    for transition in interpreter.transitions(state).unwrap() {
        let is_broadcast = transition
            .channel
            .is_some_and(|c| interpreter.system().channels[c.index()].broadcast);
        let parts = &transition.parts[..if is_broadcast { 1 } else { transition.parts.len() }];
        let key: Key = parts.iter().map(|p| (p.process, p.edge)).collect();
        let list = windows.entry(key).or_default();
        list.extend(transition.windows.iter().map(|w| {
            let (lower, is_closed) = w.lower();
            let lo = ticks(lower) + i64::from(!is_closed);
            let hi = w
                .upper()
                .map_or(FOREVER, |(upper, is_closed)| ticks(upper) - i64::from(!is_closed));
            Window { lo, hi }
        }));
    }
    normal(windows)
}

/// Walks at random, and compares what is possible wherever the walks are. How many states were compared; 0 for models
/// whose transitions cannot be tried out.
fn compare(text: &str) -> usize {
    let loaded = xta(text);
    let interpreter = loaded.interpreter().unwrap();
    let network = loaded.network();
    let copies = |i: &zonewalk_network::Instance| !network.sets.get(i.clock_sources).is_empty();
    if network.instances.iter().any(copies) || crate::together::obstacle(&loaded.model, &network).is_some() {
        return 0;
    }
    let plan = WalkPlan::new(&network);
    let Ok(Some(mut walker)) = Walker::new(&plan) else {
        return 0;
    };
    let mut compared = 0;
    for (seed, heuristic) in (0..4).zip([Heuristic::Ret, Heuristic::Sem, Heuristic::Rlc, Heuristic::Ret]) {
        walker.restart();
        let mut chooser = Chooser::new(heuristic, Coverage::new(&plan));
        let delays = if seed == 3 {
            Delays::Uniform
        } else {
            Delays::Adaptive
        };
        chooser.begin(Random::for_walk(seed, 1), delays.parameters(seed));
        let mut state = interpreter.initial().unwrap();
        for index in 0..16 {
            let now = walker.state.clocks.now;
            let expected = by_interpreter(&interpreter, &state, now, plan.unit);
            assert_eq!(
                by_walker(&mut walker),
                expected,
                "step {index} of walk {seed}\n{text}"
            );
            compared += 1;
            let horizon = walker.horizon();
            if chooser.step(&mut walker, horizon) != Ok(Step::Taken) {
                assert!(
                    expected.is_empty(),
                    "stuck after {index} steps of walk {seed}\n{text}"
                );
                break;
            }
            let (parts, selects) = walker.record.step(index);
            let delay = walker.state.clocks.now - now;
            let step = network.step(delay, parts, selects).in_units(plan.unit).unwrap();
            state = interpreter
                .replay_step(&state, &step)
                .unwrap_or_else(|e| panic!("step {index} of walk {seed}: {e}\n{text}"));
        }
    }
    compared
}

#[test]
fn what_is_left_agrees_with_the_interpreter_on_random_networks() {
    let first = number("ZONEWALK_SEED").unwrap_or(1);
    let seeds = first..first + number("ZONEWALK_NETWORKS").unwrap_or(600);
    let networks = seeds.clone().map(generate::network);
    let mut compared = 0;
    for generated in networks {
        if generated.text.contains("priority") || generated.text.contains(" < P") {
            compared += compare(&generated.text);
        }
    }
    assert!(
        compared as u64 > (seeds.end - seeds.start) * 2,
        "{compared} states"
    );
}
