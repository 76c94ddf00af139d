//! Answers about timed I/O automata for people, and runs as tables.

use super::{Move, RefineResult, Rule, Run, RunSummary, StatePart, Step};
use crate::palette::{Palette, Role};
use crate::verdict::Answer;
use crate::verdict::text::{count, seconds};
use std::fmt::Write as _;

/// A result as text, without its run. `number` is that of the query where there are several.
pub fn render(result: &RefineResult, number: Option<usize>, palette: Palette) -> String {
    let title = number.map(|number| format!("{number}. ")).unwrap_or_default();
    let mut text = format!("{title}{}\n", visible(&result.query));
    let mut line = |words: &str| {
        let _ = writeln!(text, "{:indent$}{words}", "", indent = title.len());
    };
    line(&verdict(result, palette));
    if let Some(effort) = effort(result) {
        line(&effort);
    }
    if let Some(file) = result.component.as_ref().and_then(|made| made.file.as_deref()) {
        line(&format!("saved in {}", visible(file)));
    }
    if let Some(file) = result.trace.as_ref().and_then(|trace| trace.file.as_deref()) {
        line(&format!("trace in {}", visible(file)));
    }
    for note in &result.notes {
        line(&format!("note: {}", visible(note)));
    }
    if let Some(expected) = &result.expected {
        line(&expected.line());
    }
    text
}

/// The answer, and what there is to say about it first.
fn verdict(result: &RefineResult, palette: Palette) -> String {
    let role = match result.verdict {
        Answer::Satisfied => Role::Good,
        Answer::NotSatisfied => Role::Bad,
        _ => Role::Open,
    };
    let word = palette.paint(role, result.verdict.word());
    let about = match (&result.reason, &result.relation, &result.component, &result.trace) {
        (Some(reason), ..) => visible(&reason.text),
        (_, Some(relation), ..) => format!(
            "no run violates a rule; {} and {} were explored; proof not judged",
            pairs(relation.pairs),
            count(relation.zones as u64, "zone")
        ),
        (_, _, Some(made), _) => format!(
            "a component of {}, {} and {}",
            count(made.locations as u64, "location"),
            count(made.edges as u64, "edge"),
            count(made.clocks as u64, "clock")
        ),
        (_, _, _, Some(trace)) => return format!("{word}: a run of {}", extent(trace)),
        _ => return word,
    };
    format!("{word}: {about}")
}

/// `1 pair of locations`, `2 pairs of locations`
fn pairs(number: usize) -> String {
    format!("{} of locations", count(number as u64, "pair"))
}

/// Formats the search that found the answer, and its work.
fn effort(result: &RefineResult) -> Option<String> {
    if result.search_s <= 0.0 {
        return None;
    }
    let stats = &result.stats;
    let mut counts = Vec::new();
    if stats.walks > 0 {
        counts.push(format!(
            "{}, {}",
            count(stats.walks, "walk"),
            count(stats.steps, "step")
        ));
    }
    if stats.states_explored > 0 {
        counts.push(count(stats.states_explored, "zone"));
    }
    let mut text = match (result.verdict, &result.trace) {
        (Answer::NotSatisfied, Some(trace)) => format!("shown by a run of {}, ", extent(trace)),
        _ => String::new(),
    };
    text.push_str(match result.verdict {
        Answer::Unknown => "searched",
        _ if result.relation.is_some() => "proved",
        _ if result.trace.is_some() => "found",
        _ => "decided",
    });
    let _ = write!(text, " by {} in {}", result.search, seconds(result.search_s));
    if !counts.is_empty() {
        let _ = write!(text, ": {}", counts.join("; "));
    }
    if let Some(trace) = result
        .trace
        .as_ref()
        .filter(|trace| trace.found_steps > trace.steps)
    {
        let _ = write!(
            text,
            "; shortened from {}",
            count(trace.found_steps as u64, "step")
        );
    }
    Some(text)
}

fn extent(trace: &RunSummary) -> String {
    format!("{}, time {}", count(trace.steps as u64, "step"), trace.duration)
}

/// The widths of the columns of a run.
#[derive(Clone, Copy, Debug)]
struct Columns {
    time: usize,
    delay: usize,
    action: usize,
    /// Unless the sides are below each other.
    left: Option<usize>,
    palette: Palette,
}

/// A run as a table within a number of columns, with what its end shows.
pub fn run(run: &Run, width: usize, palette: Palette) -> String {
    let columns = Columns::of(run, width, palette);
    let mut text = String::new();
    if let Some(start) = &run.start {
        let _ = writeln!(text, "start  {}\n", places(start));
    }
    if !run.steps.is_empty() {
        text.push_str(&columns.header(run));
    }
    for (index, step) in run.steps.iter().enumerate() {
        text.push_str(&columns.step(index + 1, step));
    }
    text.push_str(&end(run, palette));
    text
}

impl Columns {
    fn of(run: &Run, width: usize, palette: Palette) -> Columns {
        let widest = |title: &str, cell: &dyn Fn(&Step) -> usize| {
            let cells = run.steps.iter().map(cell);
            cells.max().unwrap_or(0).max(title.len())
        };
        let (time, delay) = (
            widest("time", &|step| step.time.to_string().len()),
            widest("delay", &|step| step.delay.to_string().len()),
        );
        let action = widest("action", &|step| length(&action(step)));
        let left = widest("left", &|step| length(&moves(&step.left)));
        let right = widest("right", &|step| {
            step.right.as_ref().map_or(0, |right| length(&moves(right)))
        });
        // A step, three columns with their blanks, and the two sides.
        let all = 5 + 1 + time + 1 + delay + 2 + action + 2 + left + 2 + right;
        Columns {
            time,
            delay,
            action,
            left: (all <= width).then_some(left),
            palette,
        }
    }

    fn header(self, run: &Run) -> String {
        let Columns {
            time, delay, action, ..
        } = self;
        let sides = match (run.systems.len(), self.left) {
            (..=1, _) => visible(run.systems.first().map_or("", String::as_str)),
            (_, Some(left)) => format!("{:<left$}  right", "left"),
            (_, None) => "left, and right below it".to_owned(),
        };
        let line = format!(
            "{:>5} {:>time$} {:>delay$}  {:<action$}  {sides}",
            "step", "time", "delay", "action"
        );
        format!("{}\n", line.trim_end())
    }

    fn step(self, number: usize, step: &Step) -> String {
        let Columns { time, palette, .. } = self;
        let role = if step.delay.is_zero() {
            Role::NoDelay
        } else {
            Role::Delay
        };
        let delay = palette.paint(role, &format!("{:>width$}", step.delay, width = self.delay));
        let action = padded(&action(step), self.action);
        let left = moves(&step.left);
        let head = format!("{number:>5} {:>time$} {delay}  {action}  ", step.time);
        let Some(right) = step.right.as_ref().map(|right| moves(right)) else {
            return format!("{head}{left}\n");
        };
        match self.left {
            Some(width) => format!("{head}{}  {right}\n", padded(&left, width)),
            None => {
                let blank = 5 + 1 + time + 1 + self.delay + 2 + self.action + 2;
                format!("{head}{left}\n{:blank$}{right}\n", "")
            }
        }
    }
}

fn padded(text: &str, width: usize) -> String {
    let blanks = width.saturating_sub(length(text));
    format!("{text}{:blanks$}", "")
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// `coin!`; an action may have an empty name.
fn action(step: &Step) -> String {
    format!("{}{}", visible(&step.action), step.direction.sign())
}

fn moves(moves: &[Move]) -> String {
    if moves.is_empty() {
        return "stands still".to_owned();
    }
    let moves: Vec<_> = moves.iter().map(a_move).collect();
    moves.join(", ")
}

fn a_move(one: &Move) -> String {
    visible(&match one {
        Move::Edge {
            component,
            source,
            target,
            ..
        } => format!("{component}: {source} → {target}"),
        Move::Ignores { component, .. } => format!("{component}: ignores it"),
        Move::Stays {
            component, location, ..
        } => format!("{component}: stays in {location}"),
        Move::Universal { .. } => "quotient: universal".to_owned(),
        Move::Error { .. } => "quotient: error".to_owned(),
    })
}

/// Formats the conclusion drawn from a run with its numbers, and the location of every part.
fn end(run: &Run, palette: Palette) -> String {
    let end = &run.end;
    let action = visible(end.action.as_deref().unwrap_or_default());
    let until = |until: &str| match until {
        "no bound" => "forever".to_owned(),
        "never" => "not at all".to_owned(),
        until => match until.strip_prefix("< ") {
            Some(bound) => format!("until just before {bound}"),
            None => format!("until {until}"),
        },
    };
    let (title, what) = match end.rule {
        Rule::Output => (
            "output",
            format!("the left side can send {action}, the right side does not allow it"),
        ),
        Rule::Input => (
            "input",
            format!("the right side accepts {action}, the left side does not"),
        ),
        Rule::Delay => (
            "delay",
            format!(
                "the left side can wait {}, the right side {}",
                until(&end.left_until),
                until(end.right_until.as_deref().unwrap_or("no bound"))
            ),
        ),
        Rule::Reached => ("reached", String::new()),
    };
    let mut text = String::new();
    if !run.steps.is_empty() {
        text.push('\n');
    }
    let _ = write!(
        text,
        "{} (after {}, at time {}",
        palette.paint(Role::Goal, title),
        count(run.steps.len() as u64, "step"),
        end.time
    );
    if !run.last_delay.is_zero() {
        let _ = write!(text, " with a last delay of {}", run.last_delay);
    }
    text.push(')');
    if !what.is_empty() {
        let _ = write!(text, ": {what}");
    }
    text.push('\n');
    match &end.right {
        Some(right) => {
            let _ = writeln!(text, "  left   {}", places(&end.left));
            let _ = writeln!(text, "  right  {}", places(right));
        }
        None => {
            let _ = writeln!(text, "  state  {}", places(&end.left));
        }
    }
    text
}

/// Parts of a state that are listed; a composition of hundreds would fill many screens.
const LISTED: usize = 20;

fn places(places: &[StatePart]) -> String {
    let mut listed: Vec<_> = places.iter().take(LISTED).map(place).collect();
    if places.len() > LISTED {
        listed.push(format!("… {} more", places.len() - LISTED));
    }
    listed.join("; ")
}

fn place(place: &StatePart) -> String {
    visible(&match place {
        StatePart::Location {
            component,
            location,
            clocks,
            ..
        } => {
            let mut text = format!("{component}.{location}");
            for clock in clocks {
                let _ = write!(text, ", {} = {}", clock.name, clock.value);
            }
            text
        }
        StatePart::Universal { .. } => "quotient universal".to_owned(),
        StatePart::Error { .. } => "quotient in error".to_owned(),
    })
}

/// Replaces control characters: text from a project must not reach the terminal unescaped.
pub(super) fn visible(text: &str) -> String {
    let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Alphabet, Direction, End, Inputs};
    use super::*;
    use crate::trace::{ClockValue, Time};

    fn edge(component: &str, source: &str, target: &str) -> Move {
        Move::Edge {
            part: 0,
            component: component.to_owned(),
            edge: 0,
            id: "E0".to_owned(),
            source: source.to_owned(),
            target: target.to_owned(),
        }
    }

    fn example() -> Run {
        let place = |component: &str, location: &str, clock: &str, value: i32| StatePart::Location {
            part: 0,
            component: component.to_owned(),
            location: location.to_owned(),
            clocks: vec![ClockValue {
                name: clock.to_owned(),
                value: value.into(),
            }],
        };
        let time = Time::new(7, 2).unwrap();
        Run {
            systems: vec!["M".to_owned(), "S".to_owned()],
            alphabet: Alphabet::Edges,
            inputs: Inputs::Complete,
            start: None,
            steps: vec![Step {
                delay: time,
                time,
                action: "coin".to_owned(),
                direction: Direction::Input,
                left: vec![edge("M", "Idle", "Brew")],
                right: Some(Vec::new()),
            }],
            last_delay: Time::ZERO,
            end: End {
                rule: Rule::Delay,
                action: None,
                time,
                left_until: "< 9".to_owned(),
                right_until: Some("5".to_owned()),
                left: vec![place("M", "Brew", "x", 0)],
                right: Some(vec![place("S", "Busy\u{1b}", "z", 3)]),
            },
        }
    }

    #[test]
    fn a_run_beside_each_other_and_below() {
        let text = run(&example(), 80, Palette::Plain);
        assert_eq!(
            text,
            " step time delay  action  left            right\n\
             \x20   1  7/2   7/2  coin?   M: Idle → Brew  stands still\n\
             \n\
             delay (after 1 step, at time 7/2): the left side can wait until just before 9, the right side until 5\n\
             \x20 left   M.Brew, x = 0\n\
             \x20 right  S.Busy\u{fffd}, z = 3\n"
        );
        let narrow = run(&example(), 40, Palette::Plain);
        assert!(
            narrow.contains("M: Idle → Brew\n                          stands still\n"),
            "{narrow}"
        );
    }

    #[test]
    fn a_run_is_read_as_it_was_written() {
        let json = serde_json::to_string(&example()).unwrap();
        assert!(
            json.contains("\"delay\":\"7/2\"") && json.contains("\"does\":\"edge\""),
            "{json}"
        );
        assert_eq!(serde_json::from_str::<Run>(&json).unwrap(), example());
    }
}
