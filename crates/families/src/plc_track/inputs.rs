//! The inputs from outside: what they are about, who polls them, and the sensors behind them.

use crate::model::{Edge, Model, Template, at};
use std::fmt::Write as _;

/// Information that an input gives a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// The signal of a side is broken.
    Fault(usize),
    /// Trams that wait at the signal of a side.
    Waiting(usize),
    /// Trams that have come from a side and are still on the track.
    Leaving(usize),
    /// Trams that come to a side, for the control unit.
    Coming(usize),
}

/// Subjects of the counters, in order; more counters start over.
const COUNTERS: [Subject; 6] = [
    Subject::Waiting(1),
    Subject::Waiting(2),
    Subject::Leaving(1),
    Subject::Leaving(2),
    Subject::Coming(1),
    Subject::Coming(2),
];

impl Subject {
    /// Which PLC polls it.
    fn plc(self) -> usize {
        match self {
            Subject::Fault(side) | Subject::Waiting(side) => side,
            Subject::Leaving(_) | Subject::Coming(_) => 1,
        }
    }
}

/// An input: its subject, and the number of its sensor.
type Input = (Subject, usize);

/// All the inputs of a model.
pub(super) struct Inputs {
    counters: Vec<Input>,
    faults: Vec<Input>,
}

impl Inputs {
    /// Creates inputs with three values (`counters`) and with two (`faults`). With shared sensors, a tram waiting at a signal and
    /// the same tram coming to the control unit use one sensor, and a fault breaks both signals.
    pub(super) fn new(counters: i64, faults: i64, is_shared: bool) -> Self {
        let mut inputs = Inputs {
            counters: Vec::new(),
            faults: Vec::new(),
        };
        for i in 0..usize::try_from(counters).unwrap_or(0) {
            let subject = COUNTERS[i % COUNTERS.len()];
            let shared = match subject {
                Subject::Coming(side) if is_shared => {
                    // The trams of its round that wait on that side.
                    let round = i - i % COUNTERS.len();
                    inputs.counters.get(round + side - 1).map(|&(_, sensor)| sensor)
                }
                _ => None,
            };
            let sensor = shared.unwrap_or_else(|| sensors(&inputs.counters));
            inputs.counters.push((subject, sensor));
        }
        for i in 0..usize::try_from(faults).unwrap_or(0) {
            let subject = Subject::Fault(1 + i % 2);
            let sensor = if is_shared { i / 2 } else { i };
            inputs.faults.push((subject, sensor));
        }
        inputs
    }

    pub(super) fn declare(&self, model: &mut Model) {
        for (inputs, what, polled, sensor, values, about) in [
            (
                &self.counters,
                "counter",
                "count",
                "trams",
                "int[0, 2]",
                "none, one, more",
            ),
            (
                &self.faults,
                "fault",
                "faulty",
                "failure",
                "bool",
                "something is broken",
            ),
        ] {
            if inputs.is_empty() {
                continue;
            }
            model.declare(format!(
                "
                typedef int[0, {}] {what}_t;
                {values} {sensor}[{what}_t];        // what the sensors say: {about}
                {values} {polled}[{}];              // the inputs as polled
                ",
                sensors(inputs) - 1,
                inputs.len(),
            ));
        }
    }

    /// Reads the inputs of a PLC.
    pub(super) fn poll(&self, plc: usize, edge: &mut Edge) {
        for (i, (subject, sensor)) in self.counters.iter().enumerate() {
            if subject.plc() == plc {
                edge.update(format!("count[{i}] = trams[{sensor}]"));
            }
        }
        for (i, (subject, sensor)) in self.faults.iter().enumerate() {
            if subject.plc() == plc {
                edge.update(format!("faulty[{i}] = failure[{sensor}]"));
            }
        }
    }

    /// A part of a guard: that some input about `subject` says so, or that none does. Without such an input both are free.
    pub(super) fn says(&self, subject: Subject, so: bool) -> String {
        let counters = self.counters.iter().map(|input| (input, "count"));
        let faults = self.faults.iter().map(|input| (input, "faulty"));
        let polled: Vec<_> = counters
            .enumerate()
            .chain(faults.enumerate())
            .filter(|(_, ((about, _), _))| *about == subject)
            .map(|(i, (_, array))| (array, i))
            .collect();
        let compare = |&(array, i): &(&str, usize)| match (array, so) {
            ("count", true) => format!("{array}[{i}] > 0"),
            ("count", false) => format!("{array}[{i}] == 0"),
            (_, true) => format!("{array}[{i}]"),
            (_, false) => format!("!{array}[{i}]"),
        };
        let parts: Vec<_> = polled.iter().map(compare).collect();
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = match (parts.len(), so) {
            (0, _) => Ok(()),
            (1, _) | (_, false) => write!(text, " && {}", parts.join(" && ")),
            (_, true) => write!(text, " && ({})", parts.join(" || ")),
        };
        text
    }

    /// Templates that change what the sensors say, at any time, with their names.
    pub(super) fn drivers(&self) -> Vec<(Template, &'static str)> {
        let mut drivers = Vec::new();
        if !self.counters.is_empty() {
            let mut driver = Template::new("Traffic", "const counter_t id");
            let here = driver.add(at(0.0, 0.0, "here"));
            driver
                .edge(here, here)
                .select("number : int[0, 2]")
                .guard("number != trams[id]")
                .update("trams[id] = number");
            drivers.push((driver, "Traffic"));
        }
        if !self.faults.is_empty() {
            let mut driver = Template::new("Failure", "const fault_t id");
            let here = driver.add(at(0.0, 0.0, "here"));
            driver.edge(here, here).update("failure[id] = !failure[id]");
            drivers.push((driver, "Failure"));
        }
        drivers
    }
}

/// Number of sensors of these inputs; sensors are numbered consecutively.
fn sensors(inputs: &[Input]) -> usize {
    inputs.iter().map(|&(_, sensor)| sensor + 1).max().unwrap_or(0)
}
