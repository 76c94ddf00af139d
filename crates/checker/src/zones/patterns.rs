//! Patterns of projections in the words of the model: names of processes, variables and clocks.

use crate::judge::record::Recorder;
use crate::task::{Checker, CompiledModel};
use std::fmt;
use zonewalk_heuristics::PatternSource;
use zonewalk_network::ids::ClockId;
use zonewalk_product::Pattern;
use zonewalk_reference::State;
use zonewalk_reference::rational::Rational;

/// A name in a pattern that stands for nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownComponent {
    /// Empty where there should be one.
    name: String,
    /// The processes of the template that it is the name of.
    processes: Vec<String>,
}

/// Number of processes of a template that are named.
const MOST_NAMED: usize = 4;

impl UnknownComponent {
    /// Names to write in its place.
    pub fn help(&self) -> String {
        let named = self.processes.len().min(MOST_NAMED);
        let listed = self.processes[..named].join("`, `");
        let rest = match self.processes.len() {
            0 => {
                return "a pattern names processes (`P`, `P(1)`), variables (`v`, `a[2]`, `P.v`), clocks (`x`, `P.x`), or all that \
                        belongs to a process (`P.*`); `auto` and `downward` choose one"
                    .to_owned();
            }
            1..=MOST_NAMED => "",
            _ => " and so on",
        };
        format!(
            "`{}` is a template; its processes are `{listed}`{rest}",
            self.name
        )
    }
}

impl fmt::Display for UnknownComponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.as_str() {
            "" => f.write_str("the pattern is empty; expected names, as in `P,v,x`"),
            name => write!(f, "there is no process, variable or clock `{name}`"),
        }
    }
}

impl std::error::Error for UnknownComponent {}

/// Something that a pattern may keep.
#[derive(Clone, Copy)]
enum Component {
    Cell(u32),
    Clock(ClockId),
}

impl CompiledModel<'_> {
    /// All that a pattern may keep, with its names.
    fn components(&self) -> Vec<(String, Component)> {
        let (network, system) = (&self.network, self.interpreter.system());
        let mut components: Vec<(String, Component)> = (0..)
            .zip(&system.processes)
            .map(|(number, process)| (process.name.to_string(), Component::Cell(number)))
            .collect();
        // A state whose variables hold their own addresses: names come with cells.
        let addresses: Vec<i32> = (0..network.layout.frame as i32).collect();
        let mut memory = system.initial.clone();
        network.read_values(&addresses, &mut memory);
        let state = State {
            locations: Vec::new(),
            memory,
            clocks: Vec::new(),
            time: Rational::from(0),
        };
        Recorder::new(&self.interpreter).each_cell(&state, &mut |name, address| {
            let cell = address as u32;
            if (network.layout.locations..network.layout.state).contains(&cell) {
                components.push((name.to_owned(), Component::Cell(cell)));
            }
        });
        let clocks = (0..).zip(&system.clocks);
        components.extend(clocks.map(|(n, clock)| (clock.name.to_string(), Component::Clock(ClockId(n)))));
        components
    }

    /// Reads patterns: components with commas between them, patterns with semicolons.
    pub(crate) fn read_patterns(&self, text: &str) -> Result<Vec<Pattern>, UnknownComponent> {
        let components = self.components();
        let mut patterns = Vec::new();
        for part in split(text, ';') {
            let mut pattern = Pattern::empty(&self.network);
            for name in split(part, ',') {
                let whole = name.strip_suffix(".*");
                let belongs = |known: &str| match whole {
                    Some(process) => known == process || is_part(known, process),
                    None => known == name,
                };
                let mut found: Vec<Component> = matching(&components, belongs);
                if found.is_empty() {
                    found = matching(&components, |known| is_part(known, name));
                }
                if found.is_empty() {
                    let of = whole.unwrap_or(name);
                    let is_of =
                        |known: &&str| known.strip_prefix(of).is_some_and(|rest| rest.starts_with('('));
                    let processes = components.iter().map(|(known, _)| known.as_str()).filter(is_of);
                    let processes = processes.filter(|known| known.ends_with(')'));
                    return Err(UnknownComponent {
                        name: of.to_owned(),
                        processes: processes.map(str::to_owned).collect(),
                    });
                }
                for component in found {
                    match component {
                        Component::Cell(cell) => pattern.set(&self.network, cell, true),
                        Component::Clock(clock) => pattern.set_clock(clock, true),
                    }
                }
            }
            if !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
        Ok(patterns)
    }

    /// A pattern in the words in which it could be given.
    pub(crate) fn show_pattern(&self, pattern: &Pattern) -> String {
        let is_kept = |component: &Component| match component {
            Component::Cell(cell) => pattern.keeps(*cell),
            Component::Clock(clock) => pattern.keeps_clock(*clock),
        };
        let components = self.components();
        let names: Vec<&str> = components
            .iter()
            .filter(|(_, component)| is_kept(component))
            .map(|(name, _)| name.as_str())
            .collect();
        names.join(",")
    }
}

impl Checker<'_, '_> {
    /// Sets the patterns of pattern databases: `auto`, `downward` for downward pattern refinement, or components with commas between them; several patterns have
    /// semicolons between them.
    ///
    /// # Errors
    /// When a name stands for nothing.
    pub fn set_patterns(&mut self, text: &str) -> Result<(), UnknownComponent> {
        self.patterns = match text.trim() {
            "auto" => PatternSource::Growing,
            "downward" => PatternSource::Downward,
            text => PatternSource::Given(self.task.read_patterns(text)?),
        };
        Ok(())
    }
}

fn matching(components: &[(String, Component)], is_it: impl Fn(&str) -> bool) -> Vec<Component> {
    let found = components.iter().filter(|(name, _)| is_it(name));
    found.map(|(_, component)| *component).collect()
}

/// Whether something is an element or a field of something else.
fn is_part(known: &str, of: &str) -> bool {
    known
        .strip_prefix(of)
        .is_some_and(|rest| rest.starts_with(['[', '.']))
}

/// The parts of a text between separators outside parentheses and brackets, without the space around them.
fn split(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, character) in text.char_indices() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ if character == separator && depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + character.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_parentheses_do_not_separate() {
        assert_eq!(split("P(1,2), v ,a[f(1,2)]", ','), ["P(1,2)", "v", "a[f(1,2)]"]);
        assert!(is_part("a[2]", "a") && is_part("P.x", "P") && !is_part("ab", "a"));
    }
}
