//! States of a certificate in words.

use crate::proof::zone::Zone;
use std::fmt::Write;
use zonewalk_certificate::Columns;
use zonewalk_model::ids::{ClockId, LocationId, ProcessId};
use zonewalk_numbers::rational::Rational;

/// A discrete state, as messages name it.
pub(crate) struct Place<'a> {
    pub columns: &'a Columns,
    pub locations: &'a [LocationId],
    pub values: &'a [Option<i32>],
}

impl Place<'_> {
    /// `P.a Q.b | i=3 j=* | x<=5 y-x<2`
    pub(crate) fn states(&self, zone: &Zone) -> String {
        let mut text = self.discrete();
        text.push_str(" |");
        for (i, j, bound) in zone.constraints() {
            let (c, equal) = (bound >> 1, if bound & 1 == 1 { "=" } else { "" });
            // Writing into a string does not fail.
            let _ = match (self.clock(i), self.clock(j)) {
                (Some(x), Some(y)) => write!(text, " {x}-{y}<{equal}{c}"),
                (Some(x), None) => write!(text, " {x}<{equal}{c}"),
                (None, Some(y)) => write!(text, " {y}>{equal}{}", -c),
                (None, None) => Ok(()),
            };
        }
        text
    }

    /// `P.a Q.b | i=3 j=* | x=5/2 y=0`
    pub(crate) fn point(&self, zone: &Zone) -> String {
        let mut text = self.discrete();
        text.push_str(" |");
        let (values, unit) = zone.sample();
        for (i, value) in values.into_iter().enumerate() {
            let value = Rational::from(value).over(Rational::from(unit));
            if let (Some(clock), Ok(value)) = (self.clock(i + 1), value) {
                let _ = write!(text, " {clock}={value}");
            }
        }
        text
    }

    fn discrete(&self) -> String {
        let mut text = String::new();
        for (p, (process, &location)) in self.columns.processes.iter().zip(self.locations).enumerate() {
            let location = self.columns.location(ProcessId::from_index(p), location);
            let separator = if p > 0 { " " } else { "" };
            let _ = write!(text, "{separator}{process}.{}", location.unwrap_or("?"));
        }
        text.push_str(" |");
        for (cell, value) in self.columns.cells.iter().zip(self.values) {
            let _ = match value {
                Some(value) => write!(text, " {}={value}", cell.name),
                None => write!(text, " {}=*", cell.name),
            };
        }
        text
    }

    fn clock(&self, index: usize) -> Option<&str> {
        self.columns.clock(ClockId::from_index(index.checked_sub(1)?))
    }
}
