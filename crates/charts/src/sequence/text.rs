//! Sequence charts as characters.

use super::{Event, Sequence};
use crate::escape::cut;
use std::fmt::Write as _;

/// Columns of a lifeline, at least and at most.
const NARROW: usize = 10;
const WIDE: usize = 24;

impl Sequence {
    /// Within `width` columns. Lifelines that do not fit are counted.
    pub fn to_text(&self, width: usize) -> String {
        let time = self.events.iter().map(|event| event.time.to_string().len()).max();
        let time = time.unwrap_or(0).max(4);
        let step = self
            .events
            .last()
            .map_or(1, |event| event.step)
            .to_string()
            .len()
            .max(4);
        let margin = step + time + 3;
        let room = width.saturating_sub(margin);
        let fitting = (room / NARROW).clamp(1, self.lifelines.len().max(1));
        let longest = self.lifelines.iter().map(|life| life.name.chars().count()).max();
        let column = (room / fitting)
            .clamp(NARROW, WIDE)
            .min(longest.unwrap_or(0).max(NARROW) + 6);
        let canvas = Canvas {
            column,
            count: fitting.min(self.lifelines.len()),
        };
        let mut text = String::new();
        let head = |text: &mut String, step_is: &str, time_is: &str, line: &str| {
            let line = format!("{step_is:>step$} {time_is:>time$}  {line}");
            let _ = writeln!(text, "{}", line.trim_end());
        };
        let names: Vec<&str> = self.lifelines.iter().map(|life| life.name.as_str()).collect();
        head(&mut text, "step", "time", &canvas.words(&names));
        let places: Vec<&str> = self.lifelines.iter().map(|life| life.location.as_str()).collect();
        head(&mut text, "", "", &canvas.words(&places));
        for event in &self.events {
            if let Some((first, last)) = self.cycle
                && event.step == first
            {
                let steps = if first == last {
                    format!("step {first}")
                } else {
                    format!("steps {first} to {last}")
                };
                head(&mut text, "", "", &format!("── {steps} again and again ──"));
            }
            let (number, at) = (event.step.to_string(), event.time.to_string());
            head(&mut text, &number, &at, &canvas.arrows(event));
            let mut entered = vec!["│"; self.lifelines.len()];
            for (lifeline, location) in &event.moves {
                entered[*lifeline] = location;
            }
            head(&mut text, "", "", &canvas.words(&entered));
        }
        let hidden = self.lifelines.len() - canvas.count;
        let fit = (hidden > 0).then(|| format!("{hidden} more lifelines do not fit into {width} columns"));
        for note in self.notes.iter().chain(&fit) {
            let _ = writeln!(text, "({note})");
        }
        text
    }
}

struct Canvas {
    /// Columns of a lifeline.
    column: usize,
    /// Number of lifelines.
    count: usize,
}

impl Canvas {
    /// Where a lifeline stands.
    fn middle(&self, lifeline: usize) -> usize {
        lifeline * self.column + self.column / 2
    }

    fn empty(&self) -> Vec<char> {
        vec![' '; self.count * self.column]
    }

    fn put(line: &mut [char], at: usize, text: &str) {
        for (place, c) in line.iter_mut().skip(at).zip(text.chars()) {
            *place = c;
        }
    }

    /// A word at each lifeline, in its middle.
    fn words(&self, words: &[&str]) -> String {
        let mut line = self.empty();
        for (lifeline, word) in words.iter().enumerate().take(self.count) {
            let word = cut(word, self.column - 1);
            let start = self.middle(lifeline).saturating_sub(word.chars().count() / 2);
            Self::put(&mut line, start.max(lifeline * self.column), &word);
        }
        line.into_iter().collect()
    }

    /// The message of an event, from its sender to its receivers.
    fn arrows(&self, event: &Event) -> String {
        let mut line = self.empty();
        for lifeline in 0..self.count {
            line[self.middle(lifeline)] = '│';
        }
        let places: Vec<usize> = event
            .moves
            .iter()
            .filter(|(lifeline, _)| *lifeline < self.count)
            .map(|(lifeline, _)| self.middle(*lifeline))
            .collect();
        let Some((&from, to)) = places.split_first() else {
            return line.into_iter().collect();
        };
        for &end in to {
            let (low, high) = (from.min(end), from.max(end));
            for place in &mut line[low + 1..high] {
                *place = '─';
            }
        }
        for &end in to {
            line[end] = if end < from { '◀' } else { '▶' };
        }
        line[from] = if to.is_empty() { '■' } else { '●' };
        let label = match (&event.channel, event.hidden) {
            (Some(channel), 0) => channel.clone(),
            (Some(channel), hidden) => format!("{channel} (+{hidden})"),
            (None, 0) => String::new(),
            (None, hidden) => format!("(+{hidden})"),
        };
        // On the longest free stretch of the line that follows the sender.
        let nearest = to.iter().copied().min_by_key(|end| end.abs_diff(from));
        let (start, room) = match nearest {
            Some(end) if end > from => (from + 2, end - from - 3),
            Some(end) => (end + 2, from - end - 3),
            None => (from + 2, self.column.saturating_sub(self.column / 2 + 3)),
        };
        Self::put(&mut line, start, &cut(&label, room));
        line.into_iter().collect()
    }
}
