//! Certificates from text. Nothing that a file says can do more than be refused.

use crate::write::FIRST_LINE;
use crate::{Certificate, Claim, Columns, Constraint, Header, LARGEST_BOUND, Node, ReadError};
use zonewalk_model::ids::ClockId;

type Result<T> = std::result::Result<T, ReadError>;

impl Certificate {
    /// The certificate that a text stands for, for the model of `columns`.
    ///
    /// # Errors
    /// The first mistake, with its place.
    pub fn read(text: &[u8], columns: &Columns) -> Result<Certificate> {
        let text = std::str::from_utf8(text).map_err(|error| {
            let line = 1 + text[..error.valid_up_to()]
                .iter()
                .filter(|&&b| b == b'\n')
                .count();
            ReadError::at(line, 0, "this is not UTF-8 text")
        })?;
        let mut lines = Lines::new(text);
        first_line(&mut lines)?;
        let header = Header {
            model: lines.entry("model")?.text.to_owned(),
            query: lines.entry("query")?.text.to_owned(),
        };
        let claim = claim(lines.entry("claim")?)?;
        let cells = columns.cells.iter().map(|cell| cell.name.as_str());
        same_words(
            lines.entry("processes")?,
            columns.processes.iter().map(String::as_str),
            "process",
        )?;
        same_words(
            lines.entry("clocks")?,
            columns.clocks.iter().map(String::as_str),
            "clock",
        )?;
        same_words(lines.entry("variables")?, cells, "variable")?;
        let mut nodes = Vec::new();
        loop {
            let line = lines.next("a node or `end`")?;
            // A location may be called `end`, but nodes have bars.
            if let Some(end) = line.after("end").filter(|end| !end.text.contains('|')) {
                check_end(end, nodes.len())?;
                break;
            }
            nodes.push(node(line, columns)?);
        }
        match lines.rest.iter().rev().position(|line| !line.trim().is_empty()) {
            Some(more) => Err(ReadError::at(
                lines.number + more + 1,
                1,
                "there is something behind the line `end`",
            )
            .help("a file has one certificate")),
            None => Ok(Certificate { header, claim, nodes }),
        }
    }
}

/// A part of a line.
#[derive(Clone, Copy)]
struct Piece<'t> {
    text: &'t str,
    line: usize,
    /// Column of its first character, from 1.
    column: usize,
}

impl<'t> Piece<'t> {
    fn error(self, message: impl Into<String>) -> ReadError {
        ReadError::at(self.line, self.column, message)
    }

    /// The rest of it from some byte on, without spaces around.
    fn part(self, from: usize, to: usize) -> Piece<'t> {
        let text = &self.text[from..to];
        let start = from + (text.len() - text.trim_start().len());
        Piece {
            text: text.trim(),
            line: self.line,
            column: self.column + self.text[..start].chars().count(),
        }
    }

    /// Rest after a name with which it begins; `None` when it begins otherwise.
    fn after(self, name: &str) -> Option<Piece<'t>> {
        let rest = self.text.strip_prefix(name)?;
        (rest.is_empty() || rest.starts_with(' ')).then(|| self.part(name.len(), self.text.len()))
    }

    /// The pieces between the characters that are `separator`; between spaces, only those that are not empty.
    fn split(self, separator: char) -> impl Iterator<Item = Piece<'t>> {
        let mut at = 0;
        let parts = self.text.split(separator).map(move |text| {
            let from = at;
            at += text.len() + separator.len_utf8();
            self.part(from, from + text.len())
        });
        parts.filter(move |piece| separator != ' ' || !piece.text.is_empty())
    }
}

struct Lines<'t> {
    /// The last one first.
    rest: Vec<&'t str>,
    number: usize,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        let mut rest: Vec<&str> = text.lines().collect();
        rest.reverse();
        Lines { rest, number: 0 }
    }

    fn next(&mut self, expected: &str) -> Result<Piece<'t>> {
        self.number += 1;
        let line = self.number;
        match self.rest.pop() {
            Some(text) => Ok(Piece {
                text,
                line,
                column: 1,
            }
            .part(0, text.len())),
            None => Err(
                ReadError::at(line, 0, format!("the file ends here; expected {expected}"))
                    .help("it may have been cut off"),
            ),
        }
    }

    /// The rest of a line that begins with a name.
    fn entry(&mut self, name: &str) -> Result<Piece<'t>> {
        let line = self.next(&format!("`{name}`"))?;
        line.after(name)
            .ok_or_else(|| line.error(format!("expected the line `{name}`")))
    }
}

fn first_line(lines: &mut Lines<'_>) -> Result<()> {
    let first = lines.next("`zonewalk-certificate`")?;
    if first.text == FIRST_LINE {
        return Ok(());
    }
    Err(match first.after("zonewalk-certificate") {
        Some(version) => version
            .error(format!("version {} of the format is not known", version.text))
            .help("this program reads version 1"),
        None => first
            .error("this is not a certificate")
            .help(format!("its first line is `{FIRST_LINE}`")),
    })
}

fn claim(piece: Piece<'_>) -> Result<Claim> {
    Claim::parse(piece.text).ok_or_else(|| {
        piece.error(format!("`{}` is not a claim", piece.text)).help(
            "claims are `unreachable`, `error-free`, `values`, `steps`, `time`, `inevitable` and `explored`",
        )
    })
}

/// The names of a header against those of the model.
fn same_words<'m>(piece: Piece<'_>, mut expected: impl Iterator<Item = &'m str>, kind: &str) -> Result<()> {
    let help = "the certificate belongs to another model, or to other constants";
    for word in piece.split(' ') {
        match expected.next() {
            Some(name) if name == word.text => {}
            Some(name) => {
                let message = format!("the {kind} `{}` stands where the model has `{name}`", word.text);
                return Err(word.error(message).help(help));
            }
            None => return Err(word.error(format!("the model has no further {kind}")).help(help)),
        }
    }
    match expected.next() {
        Some(name) => Err(piece.error(format!("the {kind} `{name}` is missing")).help(help)),
        None => Ok(()),
    }
}

fn check_end(end: Piece<'_>, found: usize) -> Result<()> {
    match end.text.parse::<usize>() {
        Ok(count) if count == found => Ok(()),
        Ok(count) => Err(end
            .error(format!(
                "the file says that it has {count} nodes, and it has {found}"
            ))
            .help("it may have been cut off or put together from parts")),
        Err(_) => Err(end.error("`end` must be followed by the number of nodes")),
    }
}

fn node(line: Piece<'_>, columns: &Columns) -> Result<Node> {
    let mut fields = line.split('|');
    let mut field = |name: &str| {
        fields.next().ok_or_else(|| {
            line.error(format!("the node has no {name}"))
                .help("a node has locations, values and constraints, with `|` between them")
        })
    };
    let mut node = Node {
        locations: Vec::with_capacity(columns.processes.len()),
        values: Vec::with_capacity(columns.cells.len()),
        ..Node::default()
    };
    locations(field("locations")?, columns, &mut node)?;
    values(field("values")?, columns, &mut node)?;
    for word in field("constraints")?.split(' ') {
        node.constraints.push(constraint(word, columns)?);
    }
    for field in fields {
        let known = [("depth", &mut node.depth), ("rank", &mut node.rank)];
        let found = known
            .into_iter()
            .find_map(|(name, slot)| Some((name, slot, field.after(name)?)));
        let Some((name, slot, number)) = found else {
            let message = format!("`{}` is not a field of a node", field.text);
            return Err(field
                .error(message)
                .help("behind the constraints, fields are `depth` and `rank`"));
        };
        let number = number.text.parse();
        let number = number.map_err(|_| field.error(format!("`{name}` must be followed by a number")))?;
        if slot.replace(number).is_some() {
            return Err(field.error(format!("`{name}` is there twice")));
        }
    }
    Ok(node)
}

fn locations(field: Piece<'_>, columns: &Columns, node: &mut Node) -> Result<()> {
    for (process, word) in field.split(' ').enumerate() {
        let Some(name) = columns.processes.get(process) else {
            return Err(word.error("there are more locations than processes"));
        };
        let location = columns.location_named(process, word.text);
        node.locations
            .push(location.ok_or_else(|| word.error(format!("{name} has no location `{}`", word.text)))?);
    }
    match columns.processes.get(node.locations.len()) {
        Some(name) => Err(field.error(format!("the location of {name} is missing"))),
        None => Ok(()),
    }
}

fn values(field: Piece<'_>, columns: &Columns, node: &mut Node) -> Result<()> {
    for (number, word) in field.split(' ').enumerate() {
        let Some(cell) = columns.cells.get(number) else {
            return Err(word.error("there are more values than variables"));
        };
        node.values.push(match word.text {
            "*" => None,
            text => match text.parse::<i32>() {
                Ok(value) if cell.domain.contains(value) => Some(value),
                Ok(value) => {
                    let (lo, hi) = (cell.domain.lo, cell.domain.hi);
                    return Err(word.error(format!(
                        "{} cannot be {value}: it has the range {lo} to {hi}",
                        cell.name
                    )));
                }
                Err(_) => {
                    return Err(word
                        .error(format!("`{text}` is not a value"))
                        .help("values are integers and `*`"));
                }
            },
        });
    }
    match columns.cells.get(node.values.len()) {
        Some(cell) => Err(field.error(format!("the value of {} is missing", cell.name))),
        None => Ok(()),
    }
}

fn constraint(word: Piece<'_>, columns: &Columns) -> Result<Constraint> {
    let bad = |what: String| {
        word.error(what)
            .help("constraints look like `x<=3`, `x>2` and `x-y<1`")
    };
    let text = word.text;
    let at = text
        .find(['<', '>'])
        .ok_or_else(|| bad(format!("`{text}` is not a constraint")))?;
    let (clocks, relation) = text.split_at(at);
    let (strict, number) = match relation[1..].strip_prefix('=') {
        Some(number) => (false, number),
        None => (true, &relation[1..]),
    };
    let bound: i64 = number
        .parse()
        .map_err(|_| bad(format!("`{number}` is not a bound")))?;
    if bound.unsigned_abs() > LARGEST_BOUND as u64 {
        return Err(bad(format!("the bound {bound} is beyond {LARGEST_BOUND}")));
    }
    let (left, right) =
        clock_pair(clocks, columns).ok_or_else(|| bad(format!("the model has no clocks `{clocks}`")))?;
    Ok(match relation.as_bytes()[0] {
        b'<' => Constraint {
            left,
            right,
            bound,
            strict,
        },
        _ => Constraint {
            left: right,
            right: left,
            bound: -bound,
            strict,
        },
    })
}

/// `x`, `x-y` or `0`. A name may have a `-` of its own, as in `P(-1).x`.
fn clock_pair(text: &str, columns: &Columns) -> Option<(Option<ClockId>, Option<ClockId>)> {
    if text == "0" {
        return Some((None, None));
    }
    if let Some(clock) = columns.clock_named(text) {
        return Some((Some(clock), None));
    }
    text.match_indices('-').find_map(|(at, _)| {
        let (left, right) = (
            columns.clock_named(&text[..at])?,
            columns.clock_named(&text[at + 1..])?,
        );
        Some((Some(left), Some(right)))
    })
}
