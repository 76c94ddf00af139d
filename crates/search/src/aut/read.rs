//! The reader of the Aldebaran format.

use std::fmt;
use std::hash::BuildHasher as _;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::Aut;

/// An error in a file, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutError {
    /// The line, from 1.
    pub line: usize,
    /// The byte of that line, from 1.
    pub column: usize,
    /// Error message.
    pub message: String,
}

impl fmt::Display for AutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for AutError {}

/// One line being read.
struct Line<'a> {
    bytes: &'a [u8],
    at: usize,
    number: usize,
}

impl<'a> Line<'a> {
    fn error<V>(&self, message: impl Into<String>) -> Result<V, AutError> {
        Err(AutError {
            line: self.number,
            column: self.at + 1,
            message: message.into(),
        })
    }

    fn skip_space(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8, what: &str) -> Result<(), AutError> {
        self.skip_space();
        if self.bytes.get(self.at) != Some(&byte) {
            return self.error(format!("expected `{}` {what}", byte as char));
        }
        self.at += 1;
        self.skip_space();
        Ok(())
    }

    fn number(&mut self, what: &str) -> Result<u32, AutError> {
        let start = self.at;
        let mut value = 0u64;
        while let Some(digit) = self.bytes.get(self.at).filter(|b| b.is_ascii_digit()) {
            value = (value * 10 + u64::from(digit - b'0')).min(u64::from(u32::MAX) + 1);
            self.at += 1;
        }
        if self.at == start {
            return self.error(format!("expected {what}, a number"));
        }
        match u32::try_from(value) {
            // The greatest number is not given away: it marks the end elsewhere.
            Ok(value) if value < u32::MAX => Ok(value),
            _ => {
                self.at = start;
                self.error(format!("{what} is too large"))
            }
        }
    }

    fn end(&mut self) -> Result<(), AutError> {
        self.skip_space();
        if self.at < self.bytes.len() {
            self.error("unexpected text at the end of the line")
        } else {
            Ok(())
        }
    }

    /// The label, which ends at the last comma of the line: tools differ in whether they quote it and in how they
    /// write a quotation mark within.
    fn label(&mut self) -> Result<&'a [u8], AutError> {
        let rest = &self.bytes[self.at..];
        let Some(length) = rest.iter().rposition(|b| *b == b',') else {
            return self.error("expected a label and the target state, separated by a comma");
        };
        self.at += length;
        let label = rest[..length].trim_ascii();
        Ok(match label {
            [b'"', inner @ .., b'"'] => inner,
            _ => label,
        })
    }
}

/// Labels, each kept once.
#[derive(Default)]
struct Names {
    table: HashTable<u32>,
    names: Vec<Box<[u8]>>,
}

impl Names {
    fn intern(&mut self, name: &[u8]) -> u32 {
        let hash = FxBuildHasher.hash_one(name);
        if let Some(id) = self.table.find(hash, |id| &*self.names[*id as usize] == name) {
            return *id;
        }
        let id = self.names.len() as u32;
        self.names.push(name.into());
        let names = &self.names;
        self.table
            .insert_unique(hash, id, |id| FxBuildHasher.hash_one(&*names[*id as usize]));
        id
    }
}

pub(super) fn read(bytes: &[u8]) -> Result<Aut, AutError> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut lines = bytes
        .split(|b| *b == b'\n')
        .enumerate()
        .map(|(index, bytes)| Line {
            bytes,
            at: 0,
            number: index + 1,
        })
        .filter(|line| !is_empty(line.bytes));
    let Some(mut header) = lines.next() else {
        return Err(AutError {
            line: 1,
            column: 1,
            message: "the file is empty".to_owned(),
        });
    };
    let (initial, transitions, states) = read_header(&mut header)?;
    // The file is no shorter than this, whatever its header says.
    let capacity = (transitions as usize).min(bytes.len() / 6);
    let mut names = Names::default();
    let (mut sources, mut labels, mut targets) = (
        Vec::with_capacity(capacity),
        Vec::with_capacity(capacity),
        Vec::with_capacity(capacity),
    );
    let mut last = header.number;
    for mut line in lines {
        last = line.number;
        line.expect(b'(', "before a transition")?;
        let source = read_state(&mut line, states, "the source state")?;
        line.expect(b',', "after the source state")?;
        let label = names.intern(line.label()?);
        line.expect(b',', "after the label")?;
        let target = read_state(&mut line, states, "the target state")?;
        line.expect(b')', "after the target state")?;
        line.end()?;
        if targets.len() == transitions as usize {
            line.at = 0;
            return line.error(format!(
                "more transitions than the {transitions} that the first line announces"
            ));
        }
        sources.push(source);
        labels.push(label);
        targets.push(target);
    }
    if targets.len() < transitions as usize {
        let message = format!(
            "the file ends after {} transitions, but the first line announces {transitions}: is it complete?",
            targets.len()
        );
        return Err(AutError {
            line: last,
            column: 1,
            message,
        });
    }
    let (starts, labels, targets) = by_source(&sources, labels, targets)?;
    Ok(Aut {
        initial,
        states,
        starts,
        labels,
        targets,
        names: names.names,
    })
}

/// Blank lines and comments occur in files that were edited or generated by scripts.
fn is_empty(line: &[u8]) -> bool {
    matches!(line.trim_ascii(), [] | [b'%' | b'#', ..] | [b'/', b'/', ..])
}

fn read_header(line: &mut Line<'_>) -> Result<(u32, u32, u32), AutError> {
    line.skip_space();
    if !line.bytes[line.at..].starts_with(b"des") {
        return line.error("expected `des (first state, transitions, states)`");
    }
    line.at += 3;
    line.expect(b'(', "after `des`")?;
    let at = line.at;
    let initial = line.number("the first state")?;
    line.expect(b',', "after the first state")?;
    let transitions = line.number("the number of transitions")?;
    line.expect(b',', "after the number of transitions")?;
    let states = line.number("the number of states")?;
    line.expect(b')', "after the number of states")?;
    line.end()?;
    if initial >= states {
        line.at = at;
        return line.error(format!(
            "the first state must be below the number of states, {states}"
        ));
    }
    Ok((initial, transitions, states))
}

fn read_state(line: &mut Line<'_>, states: u32, what: &str) -> Result<u32, AutError> {
    let at = line.at;
    let state = line.number(what)?;
    if state >= states {
        line.at = at;
        return line.error(format!("{what} must be below the number of states, {states}"));
    }
    Ok(state)
}

type Columns = (Vec<u32>, Vec<u32>, Vec<u32>);

/// Sorts transitions by their source, in the order of the file for each (counting sort).
fn by_source(sources: &[u32], labels: Vec<u32>, targets: Vec<u32>) -> Result<Columns, AutError> {
    let states = sources.iter().max().map_or(0, |most| *most as usize + 1);
    // A few bytes must not demand gigabytes: numbers that no tool would give away are refused.
    if states > 64 * sources.len() + (1 << 20) {
        let message = format!(
            "state number {} is too large for {} transitions",
            states - 1,
            sources.len()
        );
        return Err(AutError {
            line: 1,
            column: 1,
            message,
        });
    }
    let mut starts = vec![0u32; states + 1];
    for source in sources {
        starts[*source as usize + 1] += 1;
    }
    for state in 0..states {
        starts[state + 1] += starts[state];
    }
    if sources.is_sorted() {
        return Ok((starts, labels, targets));
    }
    let mut next = starts.clone();
    let (mut sorted_labels, mut sorted_targets) = (vec![0; labels.len()], vec![0; targets.len()]);
    for ((source, label), target) in sources.iter().zip(&labels).zip(&targets) {
        let place = &mut next[*source as usize];
        sorted_labels[*place as usize] = *label;
        sorted_targets[*place as usize] = *target;
        *place += 1;
    }
    Ok((starts, sorted_labels, sorted_targets))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(aut: &Aut, state: u32) -> Vec<(String, u32)> {
        aut.steps(state)
            .map(|(label, target)| (aut.label(label).into_owned(), target))
            .collect()
    }

    #[test]
    fn what_tools_write_is_read() {
        let text = "\u{FEFF}% made by a script\r\n des ( 0 , 6,4 )   \r\n\r\n(2,\"a, b (c)\",0)\r\n  (0, plain ,1)\r\n\
                    (0,PUT !\"x\" !1,2)\n(1,\"say \"hi\"\",1)\n(0,\"plain\",3)\n(0,\"\",0)";
        let aut = Aut::read(text.as_bytes()).unwrap();
        assert_eq!((aut.initial(), aut.states(), aut.transitions()), (0, 4, 6));
        let owned = |list: &[(&str, u32)]| {
            list.iter()
                .map(|(l, t)| ((*l).to_owned(), *t))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            steps(&aut, 0),
            owned(&[("plain", 1), ("PUT !\"x\" !1", 2), ("plain", 3), ("", 0)])
        );
        assert_eq!(steps(&aut, 1), owned(&[("say \"hi\"", 1)]));
        assert_eq!(steps(&aut, 2), owned(&[("a, b (c)", 0)]));
        assert!(aut.is_deadlock(3) && !aut.is_deadlock(2));
    }

    #[test]
    fn a_single_state_without_steps_is_a_system() {
        let aut = Aut::read(b"des (0,0,1)\n").unwrap();
        assert!(aut.is_deadlock(0));
    }

    #[test]
    fn errors_say_where() {
        let place = |text: &str| {
            let error = Aut::read(text.as_bytes()).unwrap_err();
            (error.line, error.column, error.message)
        };
        for (text, line, column, part) in [
            ("", 1, 1, "empty"),
            ("\n\nlts", 3, 1, "des"),
            ("des (0,1", 1, 9, "expected `,`"),
            ("des (5,1,5)", 1, 6, "below the number of states"),
            ("des (0,1,99999999999999999999)", 1, 10, "too large"),
            ("des (0 1/2 1,1,2)", 1, 8, "expected `,`"),
            ("des (0,1,2)\n(0,\"a\",2)", 2, 8, "below the number of states"),
            ("des (0,1,2)\n(0,\"a\",1 1/2 0)", 2, 10, "expected `)`"),
            ("des (0,1,2)\n(0 1)", 2, 4, "expected `,`"),
            ("des (0,1,2)\n(0,1)", 2, 4, "a label"),
            ("des (0,1,2)\n(0,\"a\",1) x", 2, 11, "unexpected text"),
            ("des (0,1,2)\n(0,a,1)\n(0,a,1)", 3, 1, "more transitions"),
            ("des (0,2,2)\n(0,a,1)\n", 2, 1, "announces 2"),
            (
                "des (0,1,4000000000)\n(3999999999,a,1)",
                1,
                1,
                "too large for 1 transitions",
            ),
        ] {
            let (at_line, at_column, message) = place(text);
            assert_eq!((at_line, at_column), (line, column), "{text:?}: {message}");
            assert!(message.contains(part), "{text:?}: {message}");
        }
    }
}
