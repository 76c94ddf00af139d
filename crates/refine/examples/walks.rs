//! Measures walks on the models of the SETTA 2020 paper.
//!
//! `walks steps <nodes> <ret|rcf> <walks>` makes walks of 4096 steps in a ring that keeps its bound: for counting instructions.
//! `walks depths <nodes> <v>` compares depths of walks in leader election, `walks found <nodes> <d> <percent>` shortens one run.
//! `walks cells [seconds]` gives the mean time to a violation for cells of the paper's tables.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use support::Case;
use support::models::{leader, milner, milner_less};
use zonewalk_refine::control::{Control, Limits};
use zonewalk_refine::walk::{Delays, Heuristic, WalkOptions, first_violation};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["steps", nodes, heuristic, walks] => {
            steps(nodes.parse().unwrap(), heuristic, walks.parse().unwrap());
        }
        ["cells"] => cells(1.0),
        ["cells", seconds] => cells(seconds.parse().unwrap()),
        ["depths", nodes, less] => depths(nodes.parse().unwrap(), less.parse().unwrap()),
        ["found", nodes, early, percent] => found(
            nodes.parse().unwrap(),
            early.parse().unwrap(),
            percent.parse().unwrap(),
        ),
        _ => println!(
            "steps <nodes> <ret|rcf|smc> <walks>, cells [seconds], depths <nodes> <v>, found <nodes> <d> <percent>"
        ),
    }
}

fn steps(nodes: usize, heuristic: &str, walks: u64) {
    let heuristic = match heuristic {
        "ret" => Heuristic::Ret,
        "rcf" => Heuristic::Rcf,
        _ => Heuristic::Smc,
    };
    let case = milner(nodes, 4, 30, -100_000);
    let options = WalkOptions {
        heuristic,
        max_steps: Some(4096),
        max_walks: Some(walks),
        ..WalkOptions::default()
    };
    let control = Control::default();
    let begin = Instant::now();
    let end = first_violation(&case.pair, &options, Limits::default(), &control);
    let steps = control.steps.load(Ordering::Relaxed);
    let each = begin.elapsed().as_nanos() as f64 / steps.max(1) as f64;
    println!("{end:?}: {steps} steps, {each:.0} ns each");
}

/// Shows a run that was found, and how long it takes to shorten it.
fn found(nodes: usize, early: i32, percent: i32) {
    let case = milner(nodes, early, 30, milner_less(nodes, 30, percent));
    let begin = Instant::now();
    let walk = first_violation(
        &case.pair,
        &WalkOptions::default(),
        Limits::default(),
        &Control::default(),
    );
    let searched = begin.elapsed();
    let outcome = zonewalk_refine::walk::check(
        &case.pair,
        &WalkOptions::default(),
        Limits::default(),
        &Control::default(),
    );
    let total = begin.elapsed() - searched;
    if let zonewalk_refine::walk::WalkOutcome::Found(found) = outcome {
        case.judge(&found.run);
        println!(
            "walk {walk:?} in {searched:?}, with the run {total:?}: {} of {} steps, scale {}",
            found.run.steps.len(),
            found.found_steps,
            found.run.scale
        );
    }
}

/// Seconds that this thread has had a processor, or since some moment where that is not known. Others may be at work, too.
fn seconds_of_work() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok();
    let worked = text.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    static BEGIN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    worked.map_or_else(
        || BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64(),
        |ns| ns / 1e9,
    )
}

/// Shows the cost of leader election with walks of different depths.
fn depths(nodes: usize, less: i32) {
    let case = leader(nodes, 2, less);
    for max_steps in [64, 96, 128, 192, 256, 384, 512] {
        let control = Control::default();
        let samples = 10;
        for seed in 0..samples {
            let options = WalkOptions {
                heuristic: Heuristic::Ret,
                seed,
                max_steps: Some(max_steps),
                ..WalkOptions::default()
            };
            first_violation(&case.pair, &options, Limits::default(), &control).unwrap();
        }
        let steps = control.steps.load(Ordering::Relaxed) / samples;
        println!("leader N={nodes} v={less}, walks of {max_steps} steps: {steps} steps to a violation");
    }
}

/// Violations found one after the other, each with a seed of its own, as the paper restarts after each.
fn cell(name: &str, case: &Case, heuristic: Heuristic, delays: Delays, printed: f64, seconds: f64) {
    let limits = Limits {
        memory: None,
        deadline: Some(Instant::now() + Duration::from_secs_f64(10.0 * seconds)),
    };
    let control = Control::default();
    let begin = seconds_of_work();
    let mut found = 0u64;
    while seconds_of_work() - begin < seconds {
        let options = WalkOptions {
            heuristic,
            delays,
            seed: found,
            ..WalkOptions::default()
        };
        if first_violation(&case.pair, &options, limits, &control).is_err() {
            break;
        }
        found += 1;
    }
    let mean = (seconds_of_work() - begin) / found as f64;
    let steps = control.steps.load(Ordering::Relaxed) as f64 / found as f64;
    println!(
        "{name:28} {heuristic:?} {delays:?}: {:.3} ms, {steps:.0} steps, {found} found; printed {printed} s, {:.0} times as fast",
        1e3 * mean,
        printed / mean
    );
}

fn cells(seconds: f64) {
    tables_3_and_4(seconds);
    table_5(seconds);
}

fn tables_3_and_4(seconds: f64) {
    let printed = [
        (8, 20, [(2, 0.011, 0.007), (4, 0.003, 0.002), (6, 0.003, 0.002)]),
        (8, 4, [(2, 0.010, 0.005), (4, 0.010, 0.005), (6, 0.010, 0.005)]),
        (100, 4, [(2, 2.856, 1.279), (4, 2.721, 1.231), (6, 2.490, 1.102)]),
    ];
    for (nodes, early, row) in printed {
        for (percent, ret, rcf) in row {
            let case = milner(nodes, early, 30, milner_less(nodes, 30, percent));
            let name = format!("Milner N={nodes} d={early} v={percent}%");
            cell(&name, &case, Heuristic::Ret, Delays::Adaptive, ret, seconds);
            cell(&name, &case, Heuristic::Rcf, Delays::Adaptive, rcf, seconds);
        }
    }
    // RET-U, RET-PD, RCF-U, RCF-PD and SMC; nothing where the paper found none.
    let printed = [
        (20, 2, [f64::NAN, 0.042, f64::NAN, 0.024, f64::NAN]),
        (20, 4, [21.577, 0.008, 12.590, 0.005, 50.832]),
        (20, 6, [0.558, 0.004, 0.361, 0.003, 1.720]),
        (4, 2, [f64::NAN, 0.078, f64::NAN, 0.043, f64::NAN]),
        (4, 4, [491.800, 0.044, 1506.872, 0.026, 891.425]),
        (4, 6, [58.688, 0.033, 42.996, 0.017, 96.811]),
    ];
    let columns = [
        (Heuristic::Ret, Delays::Uniform),
        (Heuristic::Ret, Delays::Pd),
        (Heuristic::Rcf, Delays::Uniform),
        (Heuristic::Rcf, Delays::Pd),
        (Heuristic::Smc, Delays::Uniform),
    ];
    for (early, percent, row) in printed {
        let case = milner(8, early, 30, milner_less(8, 30, percent));
        let name = format!("Milner N=8 d={early} v={percent}%");
        for ((heuristic, delays), printed) in columns
            .into_iter()
            .zip(row)
            .filter(|(_, printed)| !printed.is_nan())
        {
            let seconds = if delays == Delays::Uniform {
                5.0 * seconds
            } else {
                seconds
            };
            cell(&name, &case, heuristic, delays, printed, seconds);
        }
    }
}

fn table_5(seconds: f64) {
    let printed = [
        (5, [(2, 1.411, 0.403), (4, 0.080, 0.024), (6, 0.009, 0.003)]),
        (6, [(2, 11.392, 2.916), (4, 0.576, 0.138), (6, 0.059, 0.015)]),
        (7, [(2, 102.653, 26.617), (4, 4.140, 0.722), (6, 0.345, 0.073)]),
        (8, [(2, 170.782, 172.880), (4, 38.217, 5.166), (6, 2.113, 0.340)]),
    ];
    for (nodes, row) in printed {
        for (less, ret, rcf) in row {
            let case = leader(nodes, 2, less);
            let name = format!("leader N={nodes} v={less}");
            let seconds = if less == 2 { 10.0 * seconds } else { seconds };
            cell(&name, &case, Heuristic::Ret, Delays::Adaptive, ret, seconds);
            cell(&name, &case, Heuristic::Rcf, Delays::Adaptive, rcf, seconds);
        }
    }
}
