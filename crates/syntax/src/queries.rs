//! Query files, and formulas that span lines (`semantics.md` 25b, 30).
//!
//! One query per line; `\` at the end of a line continues it; comments and blank lines stand between. What is
//! wrong with a query is kept with the query: a model is usable whatever its queries.

use crate::ast::{Dialect, NoQuery, Outcome, Queries, QueryEntry};
use crate::diagnostic::Diagnostic;
use crate::fragment::Fragment;
use crate::heading::is_heading;
use crate::parser::{self, Context};

/// The queries of a query file. Blank lines and comments between queries are ignored.
pub(crate) fn file(text: &Fragment<'_>) -> Queries {
    let mut queries = Queries::default();
    for line in split(text.text()).iter().filter(|line| line.has_code()) {
        queries.push(unless_heading(both_dialects(line, text)));
    }
    queries
}

/// The queries of a `<formula>` or of a formula on the command line: one where its lines make sense together,
/// otherwise one per line. At least one, or what stands in its place.
pub(crate) fn formula(text: &Fragment<'_>, dialect: Dialect) -> Vec<Result<QueryEntry, NoQuery>> {
    let mut lines = split(text.text());
    lines.retain(Line::has_code);
    let mut joined = Line::default();
    for line in &lines {
        joined.code.extend_from_slice(&line.code);
        joined.comments.extend_from_slice(&line.comments);
        joined.outcome = joined.outcome.or_else(|| line.outcome.clone());
    }
    match lines.as_slice() {
        [] if text.text().trim().is_empty() => vec![Err(NoQuery::Empty)],
        [] => vec![Err(NoQuery::Comment)],
        [line] => vec![unless_heading(entry(line, text, dialect))],
        _ => {
            let whole = entry(&joined, text, dialect);
            if whole.errors.is_empty() {
                return vec![Ok(whole)];
            }
            let parts: Vec<_> = lines
                .iter()
                .map(|line| unless_heading(entry(line, text, dialect)))
                .collect();
            let is_whole = |part: &Result<QueryEntry, NoQuery>| {
                part.as_ref().map_or(true, |entry| entry.errors.is_empty())
            };
            if parts.iter().all(is_whole) {
                parts
            } else {
                vec![Ok(whole)]
            }
        }
    }
}

/// Treats an entry that does not parse as a heading if it looks like one.
fn unless_heading(entry: QueryEntry) -> Result<QueryEntry, NoQuery> {
    if !entry.errors.is_empty() && is_heading(&entry.text) {
        return Err(NoQuery::Heading);
    }
    Ok(entry)
}

/// A query file does not say for which generation of models it was written.
fn both_dialects(line: &Line, text: &Fragment<'_>) -> QueryEntry {
    let new = entry(line, text, Dialect::New);
    if new.errors.is_empty() {
        return new;
    }
    let old = entry(line, text, Dialect::Old);
    if old.errors.is_empty() { old } else { new }
}

fn entry(line: &Line, text: &Fragment<'_>, dialect: Dialect) -> QueryEntry {
    // Comments are left out, and so are line ends: a blank keeps the words on both sides apart.
    let mut formula = Fragment::empty(text.address(line.start()));
    for &(start, end) in &line.code {
        if !formula.text().is_empty() {
            let end = formula.span().end;
            formula.push_entity(' ', end, end);
        }
        formula.append(&text.slice(start, end));
    }
    let mut cx = Context::new(dialect);
    let query = parser::query(&formula, &mut cx);
    // After the first error in a line of code the others follow from it.
    let errors: Vec<Diagnostic> = cx
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .take(1)
        .cloned()
        .collect();
    QueryEntry {
        number: 1,
        query: query.filter(|_| errors.is_empty()),
        text: line.one_line(text.text()),
        span: text.range(line.start(), line.end()),
        comment: line.comment(text.text()),
        options: Vec::new(),
        outcome: line.outcome.clone(),
        levels: None,
        errors,
    }
}

/// A range of bytes of the text.
type Range = (usize, usize);

/// A line with its continuations, as ranges of the text.
#[derive(Clone, Debug, Default)]
struct Line {
    /// Its parts that are neither comments, blanks nor the `\` that continue it.
    code: Vec<Range>,
    /// The comments on it or, where it has code, before it.
    comments: Vec<Range>,
    /// Outcome from an `EXPECT:` in one of the comments.
    outcome: Option<Outcome>,
}

impl Line {
    fn has_code(&self) -> bool {
        !self.code.is_empty()
    }

    fn start(&self) -> usize {
        self.code.first().map_or(0, |r| r.0)
    }

    fn end(&self) -> usize {
        self.code.last().map_or(0, |r| r.1)
    }

    fn one_line(&self, text: &str) -> String {
        let words = self
            .code
            .iter()
            .flat_map(|&(start, end)| text[start..end].split_whitespace());
        words.collect::<Vec<_>>().join(" ")
    }

    fn comment(&self, text: &str) -> String {
        let comments = self.comments.iter().map(|&(start, end)| {
            let comment = &text[start..end];
            let body = comment.strip_prefix("//").unwrap_or_else(|| {
                let body = comment.strip_prefix("/*").unwrap_or(comment);
                body.strip_suffix("*/").unwrap_or(body)
            });
            unescape(body.trim())
        });
        comments
            .filter(|comment| !comment.is_empty())
            .collect::<Vec<_>>()
            .join("\n")
    }
}

/// Cuts a text into its lines.
fn split(text: &str) -> Vec<Line> {
    let bytes = text.as_bytes();
    let mut lines = Vec::new();
    let mut line = Line::default();
    // Comments on lines of their own wait for the query that they belong to.
    let mut waiting: Vec<Range> = Vec::new();
    let mut blank_before = false;
    let mut at = 0;
    loop {
        let rest = &bytes[at..];
        if rest.starts_with(b"//") {
            let end = at + rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            line.comments.push((at, end));
            at = end;
        } else if let Some(len) = block_comment(rest) {
            line.comments.push((at, at + len));
            at += len;
        } else if let Some(len) = continuation(rest) {
            at += len;
        } else if rest.first().is_none_or(|&b| b == b'\n') {
            let finished = std::mem::take(&mut line);
            if finished.has_code() {
                lines.push(complete(finished, &mut waiting, text));
                blank_before = false;
            } else if finished.comments.is_empty() {
                blank_before = true;
            } else {
                // A comment that stands apart from the next one, such as a file's head, is not about the query.
                if blank_before {
                    waiting.clear();
                }
                waiting.extend(finished.comments);
                blank_before = false;
            }
            if rest.is_empty() {
                return lines;
            }
            at += 1;
        } else {
            let len = code(rest);
            if !text[at..at + len].trim().is_empty() {
                line.code.push((at, at + len));
            }
            at += len;
        }
    }
}

/// Gives a line with code the comments before it.
fn complete(mut line: Line, waiting: &mut Vec<Range>, text: &str) -> Line {
    let mut comments = std::mem::take(waiting);
    comments.append(&mut line.comments);
    line.comments = comments;
    line.outcome = line
        .comments
        .iter()
        .rev()
        .find_map(|&(start, end)| expectation(&text[start..end]));
    trim(&mut line.code, text);
    line
}

/// Makes the code begin and end with a character that is not blank.
fn trim(code: &mut [Range], text: &str) {
    if let Some((start, end)) = code.first_mut() {
        *start = *end - text[*start..*end].trim_start().len();
    }
    if let Some((start, end)) = code.last_mut() {
        *end = *start + text[*start..*end].trim_end().len();
    }
}

/// The length of the comment that `bytes` begin with. One that does not end is left to the parser, as code.
fn block_comment(bytes: &[u8]) -> Option<usize> {
    if !bytes.starts_with(b"/*") {
        return None;
    }
    bytes[2..].windows(2).position(|w| w == b"*/").map(|len| len + 4)
}

/// The length of the `\`, blanks and line end that `bytes` begin with.
fn continuation(bytes: &[u8]) -> Option<usize> {
    let rest = bytes.strip_prefix(b"\\")?;
    let blanks = rest.iter().position(|b| !matches!(b, b' ' | b'\t' | b'\r'))?;
    (rest[blanks] == b'\n').then_some(blanks + 2)
}

/// The length of the code that `bytes` begin with, at least 1 and ending at a character's border: up to a comment,
/// a continuation or the line's end. Comment signs inside strings do not count.
fn code(bytes: &[u8]) -> usize {
    if bytes.starts_with(b"/*") {
        // It does not end: everything that follows is in it.
        return bytes.len();
    }
    let mut quoted = false;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' => break,
            b'"' => quoted = !quoted,
            b'/' | b'\\' if at > 0 && !quoted => {
                let rest = &bytes[at..];
                if rest.starts_with(b"//") || rest.starts_with(b"/*") || continuation(rest).is_some() {
                    break;
                }
            }
            _ => {}
        }
        at += 1;
    }
    at
}

/// The verdict that a comment expects: `EXPECT:F`, `EXPECT:T,2.5s`, `EXPECT:8`.
fn expectation(comment: &str) -> Option<Outcome> {
    let start = comment.find("EXPECT:")? + "EXPECT:".len();
    let words = comment[start..].split([' ', '\t', '\r', '\n']).next()?;
    let words = words.strip_suffix("*/").unwrap_or(words);
    words.split(',').find_map(|word| {
        let outcome = match word.to_ascii_uppercase().as_str() {
            "T" | "TRUE" | "SAT" | "SATISFIED" => "success",
            "F" | "FALSE" | "UNSAT" | "UNSATISFIED" => "failure",
            "MT" | "MAYBE_TRUE" | "MSAT" | "MAYBE_SATISFIED" => "maybe_true",
            "MF" | "MAYBE_FALSE" | "MUNSAT" | "MAYBE_UNSATISFIED" => "maybe_false",
            "E" | "ERR" | "ERROR" => "error",
            // Other words are resources, such as `2.5s`, except for a bare number.
            number => {
                number.parse::<f64>().ok()?;
                let value = Some(word.to_owned());
                return Some(Outcome {
                    outcome: "success".to_owned(),
                    kind: "quantity".to_owned(),
                    value,
                    expected: true,
                });
            }
        };
        Some(Outcome {
            outcome: outcome.to_owned(),
            kind: "quality".to_owned(),
            value: None,
            expected: true,
        })
    })
}

/// Replaces `\u00e9` in a comment: UPPAAL's editor writes query files in ASCII.
fn unescape(comment: &str) -> String {
    let mut pieces = comment.split("\\u");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let code = piece
            .get(..4)
            .and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match code.and_then(char::from_u32) {
            Some(c) => {
                text.push(c);
                text.push_str(&piece[4..]);
            }
            None => {
                text.push_str("\\u");
                text.push_str(piece);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Code on one line, comment, outcome of every line with code.
    fn lines(text: &str) -> Vec<(String, String, Option<String>)> {
        split(text)
            .iter()
            .filter(|line| line.has_code())
            .map(|line| {
                (
                    line.one_line(text),
                    line.comment(text),
                    line.outcome.as_ref().map(|o| o.outcome.clone()),
                )
            })
            .collect()
    }

    fn line(code: &str, comment: &str) -> (String, String, Option<String>) {
        (code.to_owned(), comment.to_owned(), None)
    }

    #[test]
    fn the_editors_layout() {
        let text = "//This file was generated\n\n/*\nmutual \\u00e9xclusion\n*/\nA[] p\n\n/*\n\n*/\n//NO_QUERY\n\n/*\n*/\nE<> q  \n";
        assert_eq!(
            lines(text),
            [line("A[] p", "mutual éxclusion"), line("E<> q", "")]
        );
    }

    #[test]
    fn lines_may_be_continued() {
        let text = "A[] a \\\n  and \\ \t\r\n b\r\nE<> c // d\nE<> /* x\ny */ e";
        assert_eq!(
            lines(text),
            [line("A[] a and b", ""), line("E<> c", "d"), line("E<> e", "x\ny")]
        );
    }

    #[test]
    fn comment_signs_in_strings_are_none() {
        let text = "strategy S = loadStrategy(\"a//b/*c\")\nE<> p";
        assert_eq!(
            lines(text),
            [
                line("strategy S = loadStrategy(\"a//b/*c\")", ""),
                line("E<> p", "")
            ]
        );
    }

    #[test]
    fn a_comment_that_does_not_end_is_code() {
        assert_eq!(lines("E<> p\n/* q\nr"), [line("E<> p", ""), line("/* q r", "")]);
        assert_eq!(lines("/*/"), [line("/*/", "")]);
    }

    #[test]
    fn expectations() {
        let outcomes: Vec<_> =
            lines("/* EXPECT:F */\nE<> p\nE<> q /*EXPECT:sat*/\n/* EXPECT:1s,MT */ E<> r\nE<> s")
                .into_iter()
                .map(|(_, _, outcome)| outcome)
                .collect();
        let expected = [Some("failure"), Some("success"), Some("maybe_true"), None];
        assert_eq!(outcomes, expected.map(|o| o.map(str::to_owned)));
        let number = expectation("/* EXPECT:8 */").unwrap();
        assert_eq!(
            (number.kind.as_str(), number.value.as_deref(), number.expected),
            ("quantity", Some("8"), true)
        );
        assert_eq!(expectation("/* EXPECT:inf_ */"), None);
    }

    #[test]
    fn blank_texts_hold_no_query() {
        for text in ["", "\n \r\n", "// E<> p", "/* E<> p\n */\n"] {
            assert!(lines(text).is_empty(), "{text}");
        }
    }
}
