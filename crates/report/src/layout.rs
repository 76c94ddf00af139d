//! Text in columns.

use std::fmt::{self, Write as _};

/// Columns that text has where no terminal says otherwise.
pub const WIDTH: usize = 80;

/// Width of the titles on the left.
pub(crate) const INDENT: usize = 14;

/// Text that keeps within a number of columns, where words allow it.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    text: String,
    width: usize,
}

impl Page {
    /// An empty page.
    pub(crate) fn new(width: usize) -> Page {
        Page {
            text: String::new(),
            width,
        }
    }

    pub(crate) fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }
}

impl fmt::Write for Page {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.write_str(text)
    }
}

/// `title` on the left and the items beside it, separated by commas, in as many lines as it takes; nothing when
/// there are no items. At most `limit` of them are listed, the others counted.
pub(crate) fn list(page: &mut Page, title: &str, items: &[String], limit: usize) {
    if items.is_empty() {
        return;
    }
    let mut words: Vec<String> = items.iter().take(limit).map(|item| format!("{item},")).collect();
    if items.len() > limit {
        words.push(format!("… {} more", items.len() - limit));
    } else if let Some(last) = words.last_mut() {
        last.pop();
    }
    fill(page, title, &words, 0);
}

/// `title` on the left and the words beside it, in as many lines as it takes; all but the first are set in by `hang`
/// more columns.
fn fill<T: AsRef<str>>(page: &mut Page, title: &str, words: &[T], hang: usize) {
    let mut line = format!("{title:<INDENT$}");
    let mut width = line.chars().count();
    let mut is_fresh = true;
    for word in words {
        let word = word.as_ref();
        let length = word.chars().count();
        if !is_fresh && width + 1 + length > page.width {
            let _ = writeln!(page, "{}", line.trim_end());
            width = INDENT + hang;
            line = " ".repeat(width);
            is_fresh = true;
        }
        if !is_fresh {
            line.push(' ');
            width += 1;
        }
        line.push_str(word);
        width += length;
        is_fresh = false;
    }
    let _ = writeln!(page, "{}", line.trim_end());
}

/// Writes running text under a title.
pub(crate) fn paragraph(page: &mut Page, title: &str, content: &str) {
    hanging(page, title, content, 0);
}

/// Running text whose lines but the first are set in by `hang` more columns.
pub(crate) fn hanging(page: &mut Page, title: &str, content: &str, hang: usize) {
    fill(page, title, &content.split_whitespace().collect::<Vec<_>>(), hang);
}

/// Breaks lines that are too long for the screen between words, where a terminal would break them anywhere. What follows
/// is set in below what the line is about. A word that is too long for a line of its own stays whole, and so do lines
/// that quote a file.
pub fn fit(text: &str, width: usize) -> String {
    fit_with(text, width, 2)
}

/// Wraps running text, with all lines beginning in the same column.
pub fn fit_prose(text: &str, width: usize) -> String {
    fit_with(text, width, 0)
}

fn fit_with(text: &str, width: usize, step: usize) -> String {
    let mut fitted = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if columns(line.trim_end_matches('\n')) <= width || is_quotation(line) {
            fitted.push_str(line);
        } else {
            fit_line(&mut fitted, line, width, step);
        }
    }
    fitted
}

fn fit_line(fitted: &mut String, line: &str, width: usize, step: usize) {
    // Deep columns on a narrow screen leave no room for words.
    let hang = hang(line, step).min(width / 2);
    let mut column = 0;
    let mut place = |word: &Word<'_>, length: usize| {
        if column > hang && column + word.blanks + length > width {
            let _ = write!(fitted, "\n{:hang$}", "");
            column = hang;
        } else {
            let _ = write!(fitted, "{:blanks$}", "", blanks = word.blanks);
            column += word.blanks;
        }
        fitted.push_str(word.text);
        column += word.length;
    };
    let words = words(line);
    let mut rest = words.as_slice();
    while let Some(first) = rest.first() {
        let (unit, after) = rest.split_at(unit_length(rest));
        let length = first.length + unit[1..].iter().map(|w| w.blanks + w.length).sum::<usize>();
        if hang + length > width {
            unit.iter().for_each(|word| place(word, word.length));
        } else {
            place(first, length);
            // They fit, because all of them together do.
            unit[1..].iter().for_each(|word| place(word, word.length));
        }
        rest = after;
    }
}

/// A word with the blanks before it.
struct Word<'a> {
    blanks: usize,
    text: &'a str,
    length: usize,
}

impl Word<'_> {
    fn is(&self, text: &str) -> bool {
        self.blanks == 1 && without_escapes(self.text).trim_end() == text
    }
}

fn words(line: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut blanks = 0;
    for piece in line.split_inclusive(' ') {
        let text = piece.trim_end_matches(' ');
        if !text.is_empty() {
            let length = columns(text.trim_end_matches('\n'));
            words.push(Word { blanks, text, length });
            blanks = 0;
        }
        blanks += piece.len() - text.len();
    }
    words
}

/// Number of leading words that must stay together: code between `` ` ``, or a change `x: 0 → 1`.
fn unit_length(words: &[Word<'_>]) -> usize {
    let marks = |word: &Word<'_>| word.text.matches('`').count();
    let is_arrow = |at: usize| words.get(at).is_some_and(|word| word.is("→"));
    let mut is_code = false;
    for (at, word) in words.iter().enumerate() {
        is_code ^= marks(word) % 2 == 1;
        let names_change = word.text.ends_with(':') && is_arrow(at + 2);
        let is_joined = is_code || is_arrow(at) || is_arrow(at + 1) || names_change;
        if !is_joined {
            return at + 1;
        }
    }
    words.len()
}

/// The column where a line's continuations begin: below the last of its columns, its label or its number, else a step to
/// the right of its beginning.
fn hang(line: &str, step: usize) -> usize {
    let plain = without_escapes(line);
    let indent = plain.len() - plain.trim_start_matches(' ').len();
    let content = &plain[indent..];
    // Columns are two blanks apart.
    let in_columns = content.match_indices("  ").filter(|(at, _)| *at < 40).last();
    if let Some((at, _)) = in_columns {
        let rest = &content[at..];
        return indent + content[..at].chars().count() + rest.len() - rest.trim_start_matches(' ').len();
    }
    let label = ["= help: ", "= note: ", "= in: ", "error: ", "note: "];
    if let Some(label) = label.iter().find(|label| content.starts_with(**label)) {
        return indent + label.len();
    }
    let digits = content.len() - content.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 && content[digits..].starts_with(". ") {
        return indent + digits + 2;
    }
    indent + step
}

/// Whether a line shows a line of a file, which diagnostics cut by themselves.
fn is_quotation(line: &str) -> bool {
    let plain = without_escapes(line);
    let content = plain.trim_start_matches(' ');
    let after_number = content.trim_start_matches(|c: char| c.is_ascii_digit());
    if after_number.len() == content.len() {
        return content.starts_with("| ") || content.starts_with("--> ");
    }
    [" | ", " - ", " + "]
        .iter()
        .any(|sign| after_number.starts_with(sign))
}

/// Columns that a text takes; colours take none.
fn columns(text: &str) -> usize {
    without_escapes(text).chars().count()
}

fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        // A sequence ends with its first letter.
        let end = after.find(|c: char| c.is_ascii_alphabetic());
        rest = end.map_or("", |end| &after[end + 1..]);
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::{Palette, Role};

    #[test]
    fn lists_wrap_and_stop() {
        let items: Vec<String> = (0..40).map(|i| format!("name{i} = {i}")).collect();
        let mut page = Page::new(WIDTH);
        list(&mut page, "variables", &items, 12);
        let text = page.into_text();
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH));
        assert!(
            text.lines()
                .skip(1)
                .all(|line| line.starts_with(&" ".repeat(INDENT)))
        );
        assert!(text.ends_with("… 28 more\n"), "{text}");
    }

    #[test]
    fn a_word_longer_than_the_line_stands_alone() {
        let mut page = Page::new(WIDTH);
        fill(
            &mut page,
            "x",
            &["a".to_owned(), "b".repeat(100), "c".to_owned()],
            0,
        );
        assert_eq!(page.into_text().lines().count(), 3);
    }

    const STEP: &str =
        "    6       30        6  shut: Controller Waiting → Waiting, Valve Open → Closing; told: 0 → 1\n";

    #[test]
    fn lines_hang_below_their_columns() {
        let fitted = fit(STEP, 60);
        assert_eq!(
            fitted,
            "    6       30        6  shut: Controller Waiting → Waiting,\n\
             \x20                        Valve Open → Closing; told: 0 → 1\n"
        );
        assert_eq!(
            fit("    7       34        4  Tank High → Overflow; high: 1 → 0\n", 55),
            "    7       34        4  Tank High → Overflow;\n\
             \x20                        high: 1 → 0\n"
        );
        assert_eq!(
            fit("one of `E<> p` and `A[] p`\n", 24),
            "one of `E<> p` and\n  `A[] p`\n"
        );
        assert_eq!(fit(STEP, 200), STEP);
        assert_eq!(hang("   = help: say which one", 2), 11);
        assert_eq!(hang("12. A[] not deadlock", 2), 4);
        assert_eq!(hang("locations     P.a, Q.b", 2), 14);
    }

    #[test]
    fn colours_take_no_columns() {
        let word = Palette::Ansi.paint(Role::Bad, "violated");
        let line = format!("{word}: a b c\n");
        assert_eq!(fit(&line, 15), line);
        assert_eq!(fit(&line, 12), format!("{word}: a\n  b c\n"));
    }

    #[test]
    fn words_stay_whole() {
        for width in [20, 40, 60, 80] {
            let fitted = fit(STEP, width);
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&fitted), words(STEP));
            let fits = |line: &str| columns(line) <= width || line.split_whitespace().count() == 1;
            assert!(fitted.lines().all(fits), "{fitted}");
        }
        let quoted = "12 | process P() { state a; init a; }\n   |             ^ here it is, and it is long\n";
        assert_eq!(fit(quoted, 20), quoted);
    }
}
