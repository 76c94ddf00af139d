//! The few lines of a source that a diagnostic shows.

use std::ops::Range;
use zonewalk_syntax::source::Source;
use zonewalk_syntax::span::Span;

/// Bytes taken before the first mark and after the last one, at most. Generated models have lines of a megabyte;
/// whatever is beyond this would be trimmed by the renderer anyway, after it had measured every character.
pub(super) const REACH: usize = 300;

/// Bytes of one mark that are underlined, at most.
const LONGEST_MARK: usize = 200;

/// Marks this many bytes apart still share an excerpt.
const NEAR: u32 = 1500;

/// A stretch of a source, from the middle of a line in the worst case, that covers all its marks.
pub(super) struct Excerpt<'a> {
    /// The text, borrowed: a diagnostic never copies the file.
    pub(super) text: &'a str,
    /// Number of its first line.
    pub(super) first_line: usize,
    /// Whether its first line and its last line go on beyond it.
    pub(super) is_cut: [bool; 2],
    /// Offset of the text in the source.
    start: usize,
    source: &'a Source,
}

/// Whether two places can share an excerpt.
pub(super) fn are_near(a: Span, b: Span) -> bool {
    a.start.abs_diff(b.start) <= NEAR
}

impl<'a> Excerpt<'a> {
    /// The lines around the marks, up to `reach` bytes on either side. Requires: at least one mark, all of them in
    /// `source` and near each other.
    pub(super) fn around(
        source: &'a Source,
        marks: impl Iterator<Item = Span> + Clone,
        reach: usize,
    ) -> Self {
        let text = source.text.as_str();
        let ranges = marks.map(|mark| clip(source, mark));
        let first = ranges.clone().map(|r| r.start).min().unwrap_or(0);
        let last = ranges.map(|r| r.end).max().unwrap_or(first);

        let left = floor(text, first.saturating_sub(reach));
        let line_start = text[left..first].rfind('\n').map(|newline| left + newline + 1);
        let right = ceil(text, (last + reach).min(text.len()));
        let line_end = text[last..right].find('\n').map(|newline| last + newline);

        let (start, end) = (line_start.unwrap_or(left), line_end.unwrap_or(right));
        Excerpt {
            text: text[start..end].trim_end_matches('\r'),
            first_line: source.line(source.base() + first as u32) as usize,
            is_cut: [
                line_start.is_none() && left > 0,
                line_end.is_none() && right < text.len(),
            ],
            start,
            source,
        }
    }

    /// Position of a mark in the excerpt's text. The end is cut at the end of the first line, or earlier.
    pub(super) fn range(&self, mark: Span) -> Range<usize> {
        let range = clip(self.source, mark);
        let inside = |offset: usize| offset.saturating_sub(self.start).min(self.text.len());
        inside(range.start)..inside(range.end)
    }
}

/// The visible part of a mark, as offsets in the source's text: what is on its first line, not too long.
fn clip(source: &Source, mark: Span) -> Range<usize> {
    let text = source.text.as_str();
    let offset = |address: u32| (address.saturating_sub(source.base()) as usize).min(text.len());
    let start = floor(text, offset(mark.start));
    let end = offset(mark.end).clamp(start, start + LONGEST_MARK);
    let end = ceil(text, end.min(text.len()));
    let line_end = text[start..end]
        .find(['\r', '\n'])
        .map_or(end, |newline| start + newline);
    start..line_end
}

/// The nearest character boundary at or before `offset`. Requires: `offset` is inside the text or at its end.
fn floor(text: &str, mut offset: usize) -> usize {
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// The nearest character boundary at or after `offset`. Requires: `offset` is inside the text or at its end.
fn ceil(text: &str, mut offset: usize) -> usize {
    while !text.is_char_boundary(offset) {
        offset += 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;
    use zonewalk_syntax::source::SourceMap;

    #[test]
    fn a_huge_line_is_cut_on_both_sides() {
        let mut map = SourceMap::new();
        let text = format!("\n{}é bug {}\n", "é".repeat(100_000), "x".repeat(100_000));
        let at = text.find("bug").unwrap() as u32;
        let base = map.add("a", text).unwrap();
        let source = map.source(base).unwrap();
        let mark = Span::new(base + at, base + at + 3);
        let excerpt = Excerpt::around(source, [mark].into_iter(), REACH);
        assert!(excerpt.text.len() < 2 * REACH + 20);
        assert_eq!(&excerpt.text[excerpt.range(mark)], "bug");
        assert_eq!(excerpt.first_line, 2);
        assert_eq!(excerpt.is_cut, [true, true]);
    }

    #[test]
    fn a_mark_ends_with_its_line_and_stays_inside() {
        let mut map = SourceMap::new();
        let base = map.add("a", "first\r\nsecond {\r\n}\r\n".into()).unwrap();
        let source = map.source(base).unwrap();
        let mark = Span::new(base + 14, base + 1000);
        let excerpt = Excerpt::around(source, [mark].into_iter(), REACH);
        assert_eq!(excerpt.text, "second {");
        assert_eq!(excerpt.is_cut, [false, false]);
        assert_eq!(&excerpt.text[excerpt.range(mark)], "{");
        let end = source.span().after();
        assert_eq!(Excerpt::around(source, [end].into_iter(), REACH).range(end), 0..0);
    }
}
