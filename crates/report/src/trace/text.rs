//! Traces for people: one line per transition.

use super::fold::folded;
use super::{Attempt, Cell, ClockValue, End, Participant, State, Step, Time, Trace};
use crate::decimal::readable;
use crate::layout::{Page, WIDTH, list};
use crate::palette::{Palette, Role};
use std::fmt::Write as _;

/// Entries of a state that are listed; a network of 2,000 processes would fill many screens.
const LISTED: usize = 60;

/// The whole trace, for a file.
pub fn render(trace: &Trace) -> String {
    let mut text = state(&trace.initial, WIDTH);
    let columns = Columns::of(&trace.steps);
    text.push_str(&columns.header());
    for (index, item) in trace.steps.iter().enumerate() {
        text.push_str(&columns.step(index + 1, item));
    }
    text.push_str(&end(trace, Palette::Plain));
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

/// The initial state, a line or a few for each part, within a number of columns. An array is one entry.
pub fn state(state: &State, width: usize) -> String {
    let mut text = Page::new(width);
    let locations: Vec<_> = state
        .locations
        .iter()
        .map(|at| format!("{}.{}", at.process, at.location))
        .collect();
    list(&mut text, "locations", &locations, LISTED);
    let variables = state.variables.iter();
    let variables = folded(variables.map(|cell| (cell.name.as_str(), cell.value.to_string())));
    list(&mut text, "variables", &variables, LISTED);
    let number = |c: &'_ ClockValue| shown(c.value);
    let doubles = folded(state.doubles.iter().map(|c| (c.name.as_str(), number(c))));
    list(&mut text, "doubles", &doubles, LISTED);
    let clocks = folded(state.clocks.iter().map(|c| (c.name.as_str(), number(c))));
    list(&mut text, "clocks", &clocks, LISTED);
    text.into_text()
}

/// How wide the columns of numbers are, and in which colours. The default is wide enough for most traces, and for those whose times are not
/// known when the first line is printed.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    time: usize,
    delay: usize,
    palette: Palette,
    /// There are no steps, and so there is no table.
    is_empty: bool,
}

impl Default for Columns {
    fn default() -> Columns {
        Columns {
            time: 8,
            delay: 8,
            palette: Palette::Plain,
            is_empty: false,
        }
    }
}

impl Columns {
    /// Wide enough for all these steps.
    pub fn of(steps: &[Step]) -> Columns {
        let width = |time: Time| shown(time).chars().count();
        let none = Columns {
            is_empty: steps.is_empty(),
            ..Columns::default()
        };
        steps.iter().fold(none, |columns, step| Columns {
            time: columns.time.max(width(step.time)),
            delay: columns.delay.max(width(step.delay)),
            ..columns
        })
    }

    /// Sets the colours.
    pub fn painted(self, palette: Palette) -> Columns {
        Columns { palette, ..self }
    }

    /// The titles of the columns; nothing where there are no steps.
    pub fn header(self) -> String {
        let Columns { time, delay, .. } = self;
        if self.is_empty {
            return String::new();
        }
        format!(
            "\n{:>5} {:>time$} {:>delay$}  transition\n",
            "step", "time", "delay"
        )
    }

    /// One transition: when, after which delay, who, and what changes.
    pub fn step(self, number: usize, step: &Step) -> String {
        let Columns {
            time, delay, palette, ..
        } = self;
        let (at, after) = (shown(step.time), shown(step.delay));
        let role = if step.delay.is_zero() {
            Role::NoDelay
        } else {
            Role::Delay
        };
        let after = palette.paint(role, &format!("{after:>delay$}"));
        format!("{number:>5} {at:>time$} {after}  {}\n", transition(step, palette))
    }
}

/// Formats the participants of a transition and the changes it makes.
fn transition(step: &Step, palette: Palette) -> String {
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
            .map(|c| {
                let new = palette.paint(Role::Changed, &shown(c.new));
                format!("{}: {} → {new}", c.name, shown(c.old))
            })
            .collect();
        let _ = write!(text, "; {}", changes.join(", "));
    }
    text
}

/// Formats a participant: process, source, target and selections.
pub fn participant(edge: &Participant) -> String {
    let mut text = format!("{} {} → {}", edge.process, edge.source, edge.target);
    if !edge.selects.is_empty() {
        let selects: Vec<_> = edge.selects.iter().map(assignment).collect();
        let _ = write!(text, " ({})", selects.join(", "));
    }
    text
}

/// Why a run goes no further, in words.
pub fn reason(end: &End, palette: Palette) -> String {
    let deadlock = palette.paint(Role::Goal, "deadlock");
    let for_ever = palette.paint(Role::Goal, "and so on forever");
    match end {
        End::Goal => palette.paint(Role::Goal, "goal reached"),
        End::Value { expression, value } => {
            palette.paint(Role::Goal, &format!("{expression} is {}", shown(*value)))
        }
        End::Steps => "stopped".to_owned(),
        End::Deadlock { time_stops: false } => {
            format!("{deadlock}: no transition is possible; time can pass forever")
        }
        End::Deadlock { time_stops: true } => {
            format!("{deadlock}: no transition is possible, and time cannot pass forever")
        }
        End::Cycle { start, length } => {
            let first = start + 1;
            match length {
                1 => format!("{for_ever}: step {first} is repeated"),
                _ => format!("{for_ever}: steps {first} to {} are repeated", start + length),
            }
        }
        End::Endless => palette.paint(Role::Goal, "and then time passes forever"),
        End::Error { message, attempt } => {
            let who = attempt
                .as_ref()
                .map_or("model", |a| if a.label == "query" { "query" } else { "model" });
            let what = palette.paint(Role::Bad, &format!("run-time error in the {who}"));
            format!("{what}: {message}")
        }
        End::Quit => "ended".to_owned(),
    }
}

/// How it ended.
pub fn end(trace: &Trace, palette: Palette) -> String {
    let duration = shown(trace.steps.last().map_or(Time::ZERO, |step| step.time));
    let steps = match trace.steps.len() {
        1 => "1 step".to_owned(),
        n => format!("{n} steps"),
    };
    let reason = reason(&trace.end, palette);
    let mut text = if trace.last_delay.is_zero() {
        format!("\n{reason} (after {steps}, at time {duration})\n")
    } else {
        format!(
            "\n{reason} (after {steps}, at time {duration} and a delay of {})\n",
            shown(trace.last_delay)
        )
    };
    if let End::Error {
        attempt: Some(attempt),
        ..
    } = &trace.end
    {
        text.push_str(&tried(attempt));
    }
    text
}

/// Formats the context of a failure: the transition, the owner of the label, and the values it read.
fn tried(attempt: &Attempt) -> String {
    let mut text = String::new();
    if !attempt.edges.is_empty() {
        let channel = attempt.channel.as_ref().map(|channel| format!("{channel}: "));
        let who: Vec<_> = attempt.edges.iter().map(participant).collect();
        let _ = writeln!(text, "  tried  {}{}", channel.unwrap_or_default(), who.join(", "));
    }
    let _ = writeln!(text, "  fails  {}", attempt.place());
    if !attempt.values.is_empty() {
        let _ = writeln!(text, "  read   {}", attempt.readings());
    }
    text
}

/// A number as people read it.
fn shown(time: Time) -> String {
    readable(&time.to_string()).into_owned()
}

fn assignment(cell: &Cell) -> String {
    format!("{} = {}", cell.name, cell.value)
}
