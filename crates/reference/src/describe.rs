//! Transitions and states in words.

use crate::error::Error;
use crate::interpreter::{Interpreter, State};
use crate::transition::Transition;
use std::fmt::Write;
use zonewalk_model::eval::FaultKind;
use zonewalk_model::ids::{ChannelId, ProcessId};
use zonewalk_model::tree::Dialect;
use zonewalk_run::Part;
use zonewalk_syntax::diagnostic::Diagnostic;

impl Interpreter<'_> {
    /// `Train(1).Safe -> Appr, Gate.Free -> Occ (appr[1])`, on one line.
    pub fn describe(&self, transition: &Transition) -> String {
        self.describe_parts(&transition.parts, transition.channel)
    }

    pub(crate) fn describe_parts(&self, parts: &[Part], channel: Option<ChannelId>) -> String {
        let parts: Vec<String> = parts.iter().map(|part| self.describe_part(part)).collect();
        let mut text = parts.join(", ");
        if let Some(channel) = channel {
            // Writing into a string does not fail.
            let _ = write!(text, " ({})", self.system.channels[channel.index()].name);
        }
        text
    }

    /// `Train(1).Safe -> Appr`, with the values of selects.
    pub fn describe_part(&self, part: &Part) -> String {
        let edge = self.edge(part.process, part.edge);
        let location = |l| &self.location(part.process, l).name;
        let mut text = format!(
            "{}.{} -> {}",
            self.name(part.process),
            location(edge.source),
            location(edge.target)
        );
        for (i, (select, value)) in edge.selects.iter().zip(&part.selects).enumerate() {
            let _ = write!(
                text,
                "{}{} = {value}",
                if i == 0 { " [" } else { ", " },
                select.name
            );
        }
        if !part.selects.is_empty() {
            text.push(']');
        }
        text
    }

    /// The name of the location that a process is in.
    pub fn location_name(&self, state: &State, process: ProcessId) -> &str {
        &self.location(process, state.locations[process.index()]).name
    }

    /// An error as a diagnostic, with what a reader of this model should know about it.
    pub fn diagnose(&self, error: &Error) -> Diagnostic {
        let diagnostic = error.to_diagnostic();
        let out_of_range = matches!(
            error,
            Error::Fault { fault, .. } if matches!(fault.kind, FaultKind::OutOfRange { .. })
        );
        if out_of_range && self.model.dialect == Dialect::Old {
            // `semantics.md` 17: an old model may have been written for another rule.
            diagnostic
                .help("versions before 4.0 kept such a value at the nearest bound, or dropped the transition")
        } else {
            diagnostic
        }
    }
}
