//! Certificates as text.

use crate::{Certificate, Claim, Columns, Constraint, Header, Node};
use std::io::{self, Write};
use zonewalk_model::ids::{ClockId, ProcessId};

/// The first line of every file: the name of the format and its version.
pub(crate) const FIRST_LINE: &str = "zonewalk-certificate 1";

/// Writes nodes as they come. The file is complete after [`Writer::finish`] only, which counts them.
pub struct Writer<'c, W: Write> {
    columns: &'c Columns,
    out: W,
    nodes: u64,
}

impl<'c, W: Write> Writer<'c, W> {
    /// A file that begins with its header.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn new(columns: &'c Columns, header: &Header, claim: &Claim, mut out: W) -> io::Result<Self> {
        writeln!(out, "{FIRST_LINE}")?;
        writeln!(out, "model {}", one_line(&header.model))?;
        writeln!(out, "query {}", one_line(&header.query))?;
        writeln!(out, "claim {claim}")?;
        let cells = columns.cells.iter().map(|cell| &cell.name);
        list(&mut out, "processes", columns.processes.iter())?;
        list(&mut out, "clocks", columns.clocks.iter())?;
        list(&mut out, "variables", cells)?;
        Ok(Writer {
            columns,
            out,
            nodes: 0,
        })
    }

    /// Adds a node. Requires: it has the shape of the columns.
    ///
    /// # Errors
    /// When the output cannot be written; a node of another shape.
    pub fn node(&mut self, node: &Node) -> io::Result<()> {
        let line = self.line(node).ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::InvalidInput,
                "a node that does not have the shape of its model",
            )
        })?;
        self.nodes += 1;
        writeln!(self.out, "{line}")
    }

    /// Ends the file, and gives back where it went.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        writeln!(self.out, "end {}", self.nodes)?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn line(&self, node: &Node) -> Option<String> {
        if node.locations.len() != self.columns.processes.len()
            || node.values.len() != self.columns.cells.len()
        {
            return None;
        }
        let mut line = String::new();
        for (i, &location) in node.locations.iter().enumerate() {
            word(
                &mut line,
                self.columns.location(ProcessId::from_index(i), location)?,
            );
        }
        line.push_str(" |");
        for value in &node.values {
            match value {
                Some(value) => word(&mut line, &value.to_string()),
                None => word(&mut line, "*"),
            }
        }
        line.push_str(" |");
        for constraint in &node.constraints {
            word(&mut line, &self.constraint(constraint)?);
        }
        for (name, number) in [("depth", node.depth), ("rank", node.rank)] {
            if let Some(number) = number {
                line.push_str(&format!(" | {name} {number}"));
            }
        }
        Some(line)
    }

    /// `x<=3`, `x>=3` and `x-y<3`.
    fn constraint(&self, constraint: &Constraint) -> Option<String> {
        let name = |clock: Option<ClockId>| match clock {
            Some(clock) => self.columns.clock(clock).map(Some),
            None => Some(None),
        };
        let Constraint { bound, strict, .. } = *constraint;
        let equal = if strict { "" } else { "=" };
        Some(match (name(constraint.left)?, name(constraint.right)?) {
            (Some(left), Some(right)) => format!("{left}-{right}<{equal}{bound}"),
            (Some(left), None) => format!("{left}<{equal}{bound}"),
            (None, Some(right)) => format!("{right}>{equal}{}", bound.checked_neg()?),
            (None, None) => format!("0<{equal}{bound}"),
        })
    }
}

impl Certificate {
    /// The text of a file. Requires: all nodes have the shape of the columns.
    ///
    /// # Errors
    /// A node of another shape.
    pub fn to_text(&self, columns: &Columns) -> io::Result<Vec<u8>> {
        let mut writer = Writer::new(columns, &self.header, &self.claim, Vec::new())?;
        for node in &self.nodes {
            writer.node(node)?;
        }
        writer.finish()
    }
}

fn word(line: &mut String, word: &str) {
    if !line.is_empty() {
        line.push(' ');
    }
    line.push_str(word);
}

fn list<'a>(out: &mut impl Write, name: &str, words: impl Iterator<Item = &'a String>) -> io::Result<()> {
    write!(out, "{name}")?;
    for word in words {
        write!(out, " {word}")?;
    }
    writeln!(out)
}

/// Queries of several lines lose their line breaks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
