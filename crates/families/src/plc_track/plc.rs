//! The cycle of a PLC: it polls, runs its programs, changes its outputs and lets the programs move on.

use super::inputs::Inputs;
use crate::model::{Edge, LocationRef, Template, at};

/// The PLC of that many observers, of the control unit and of the signal of side 1.
pub(super) fn first(inputs: &Inputs, observers: i64) -> Template {
    let mut programs: Vec<_> = (1..=observers).map(|i| format!("run_observer[{i}]")).collect();
    programs.extend(["run_control".to_owned(), "run_signal[1]".to_owned()]);
    let outputs = ["permit[1] = will_permit[1]", "permit[2] = will_permit[2]"];
    plc("Plc1", "", &programs, &outputs, |edge| {
        inputs.poll(1, edge);
        for i in 1..=observers {
            edge.update(format!("seen[{i}] = passing[{i}]"));
        }
    })
}

/// The PLC of the signal of side 2.
pub(super) fn second(inputs: &Inputs) -> Template {
    plc("Plc2", "", &["run_signal[2]".to_owned()], &[], |edge| {
        edge.update("permitted = permit[2]");
        inputs.poll(2, edge);
    })
}

/// The PLC of a relay. The first relay reads the outputs of the control unit, the others each the one before.
pub(super) fn of_relay() -> Template {
    plc(
        "RelayPlc",
        "const relay_t id",
        &["run_relay[id]".to_owned()],
        &[],
        |edge| {
            edge.update("seen_in_use[id] = id == 1 ? permit[1] || permit[2] : in_use[id - 1]");
        },
    )
}

/// A PLC with its programs, the outputs that change when they have run, and the inputs.
fn plc(
    name: &'static str,
    parameters: &'static str,
    programs: &[String],
    outputs: &[&str],
    poll: impl Fn(&mut Edge),
) -> Template {
    let mut plc = Template::new(name, parameters);
    plc.declare("clock z;       // since the cycle began");
    plc.spacing = (238.0, 204.0);
    let start = plc.add(at(0.0, 0.0, "start").invariant("z <= 0"));
    let polling = plc.add(at(1.0, 0.0, "polling").invariant("z <= CYCLE"));
    let polled = plc.add(at(2.0, 0.0, "polled").invariant("z <= CYCLE"));
    let last = 2.0 + programs.len() as f64;
    let mut calls = |row: f64, name: &str| -> Vec<LocationRef> {
        let place = |i: usize| match row {
            0.0 => at(3.0 + i as f64, row, format!("{name}_{}", i + 1)),
            _ => at(last - 1.0 - i as f64, row, format!("{name}_{}", i + 1)),
        };
        (0..programs.len())
            .map(|i| plc.add(place(i).committed()))
            .collect()
    };
    let (deciding, moving) = (calls(0.0, "deciding"), calls(1.0, "moving"));
    let updating = plc.add(at(last, 1.0, "updating").invariant("z <= CYCLE"));

    plc.edge(start, polling);
    let edge = plc.edge(polling, polled).guard("z > 0");
    poll(edge);
    plc.edge(polled, deciding[0]);
    for (chain, end) in [(&deciding, updating), (&moving, polling)] {
        for (i, program) in programs.iter().enumerate() {
            let next = chain.get(i + 1).copied().unwrap_or(end);
            plc.edge(chain[i], next).sync(format!("{program}?"));
        }
    }
    let update = plc.edge(updating, moving[0]);
    for output in outputs {
        update.update(output);
    }
    update.update("z = 0");
    plc
}
