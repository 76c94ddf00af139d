//! Traces for people: one line per transition.

use super::{Cell, End, Participant, State, Step, Time, Trace};
use crate::layout::list;
use std::fmt::Write as _;

/// Entries of a state that are listed; a network of 2,000 processes would fill many screens.
const LISTED: usize = 60;

/// The whole trace.
pub fn render(trace: &Trace) -> String {
    let mut text = state(&trace.initial);
    let columns = Columns::of(&trace.steps);
    text.push_str(&columns.header());
    for (index, item) in trace.steps.iter().enumerate() {
        text.push_str(&columns.step(index + 1, item));
    }
    text.push_str(&end(trace));
    text
}

/// A trace of an explicit system: one label a line.
pub fn labels(labels: &[String]) -> String {
    let mut text = format!("{:>5}  label\n", "step");
    for (index, label) in labels.iter().enumerate() {
        // What comes from a file must not work on the terminal.
        let shown: String = label
            .chars()
            .map(|c| if c.is_control() { '\u{fffd}' } else { c })
            .collect();
        let _ = writeln!(text, "{:>5}  {shown}", index + 1);
    }
    text
}

/// The initial state, a line or a few for each part.
pub fn state(state: &State) -> String {
    let mut text = String::new();
    let locations: Vec<_> = state
        .locations
        .iter()
        .map(|at| format!("{}.{}", at.process, at.location))
        .collect();
    list(&mut text, "locations", &locations, LISTED);
    let variables: Vec<_> = state.variables.iter().map(assignment).collect();
    list(&mut text, "variables", &variables, LISTED);
    let clocks: Vec<_> = state
        .clocks
        .iter()
        .map(|c| format!("{} = {}", c.name, c.value))
        .collect();
    list(&mut text, "clocks", &clocks, LISTED);
    text
}

/// How wide the columns of numbers are. The default is wide enough for most traces, and for those whose times are not
/// known when the first line is printed.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    time: usize,
    delay: usize,
}

impl Default for Columns {
    fn default() -> Columns {
        Columns { time: 8, delay: 8 }
    }
}

impl Columns {
    /// Wide enough for all these steps.
    pub fn of(steps: &[Step]) -> Columns {
        steps.iter().fold(Columns::default(), |columns, step| Columns {
            time: columns.time.max(step.time.to_string().len()),
            delay: columns.delay.max(step.delay.to_string().len()),
        })
    }

    /// The titles of the columns.
    pub fn header(self) -> String {
        let Columns { time, delay } = self;
        format!(
            "\n{:>5} {:>time$} {:>delay$}  transition\n",
            "step", "time", "delay"
        )
    }

    /// One transition: when, after which delay, who, and what changes.
    pub fn step(self, number: usize, step: &Step) -> String {
        let Columns { time, delay } = self;
        let (at, after) = (step.time.to_string(), step.delay.to_string());
        format!("{number:>5} {at:>time$} {after:>delay$}  {}\n", transition(step))
    }
}

/// Who takes part in a transition, and what changes.
fn transition(step: &Step) -> String {
    let mut text = String::new();
    if let Some(channel) = &step.channel {
        let _ = write!(text, "{channel}: ");
    }
    let who: Vec<_> = step.edges.iter().map(participant).collect();
    text.push_str(&who.join(", "));
    if !step.changes.is_empty() {
        let changes: Vec<_> = step
            .changes
            .iter()
            .map(|c| format!("{}: {} → {}", c.name, c.old, c.new))
            .collect();
        let _ = write!(text, "; {}", changes.join(", "));
    }
    text
}

/// Who goes from where to where, and with which selections.
pub fn participant(edge: &Participant) -> String {
    let mut text = format!("{} {} → {}", edge.process, edge.source, edge.target);
    if !edge.selects.is_empty() {
        let selects: Vec<_> = edge.selects.iter().map(assignment).collect();
        let _ = write!(text, " ({})", selects.join(", "));
    }
    text
}

/// How it ended.
pub fn end(trace: &Trace) -> String {
    let duration = trace.steps.last().map_or(Time::ZERO, |step| step.time);
    let steps = match trace.steps.len() {
        1 => "1 step".to_owned(),
        n => format!("{n} steps"),
    };
    let reason = match &trace.end {
        End::Goal => "goal reached".to_owned(),
        End::Value { expression, value } => format!("{expression} is {value}"),
        End::Steps => "stopped".to_owned(),
        End::Deadlock { time_stops: false } => {
            "deadlock: no transition is possible any more; time can pass for ever".to_owned()
        }
        End::Deadlock { time_stops: true } => {
            "deadlock: no transition is possible any more, and time cannot pass for ever".to_owned()
        }
        End::Cycle { start, length } => {
            let first = start + 1;
            match length {
                1 => format!("and so on for ever: step {first} is repeated"),
                _ => format!(
                    "and so on for ever: steps {first} to {} are repeated",
                    start + length
                ),
            }
        }
        End::Endless => "and then time passes for ever".to_owned(),
        End::Error { message } => format!("run-time error of the model: {message}"),
        End::Quit => "ended".to_owned(),
    };
    if trace.last_delay.is_zero() {
        format!("\n{reason} (after {steps}, at time {duration})\n")
    } else {
        format!(
            "\n{reason} (after {steps}, at time {duration} and a delay of {})\n",
            trace.last_delay
        )
    }
}

fn assignment(cell: &Cell) -> String {
    format!("{} = {}", cell.name, cell.value)
}
