//! Decoded text that remembers where each of its bytes came from.
//!
//! `x &lt;= 5` in an XML file is lexed as `x <= 5`; the column of an error must be that of the file.

use crate::span::Span;
use std::borrow::Cow;

/// A piece of text to parse: a declaration, a guard, a whole XTA file.
#[derive(Clone, Debug)]
pub struct Fragment<'a> {
    text: Cow<'a, str>,
    /// Where runs of bytes that are copied one to one begin; sorted by offset, the first at offset 0.
    runs: Vec<Run>,
    /// Address just past the last byte.
    end: u32,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    /// Offset in the decoded text.
    offset: u32,
    /// Address in the source map.
    address: u32,
}

impl<'a> Fragment<'a> {
    /// Text that stands in the source as it is, beginning at `address`.
    pub fn plain(text: &'a str, address: u32) -> Self {
        Fragment {
            text: Cow::Borrowed(text),
            runs: vec![Run { offset: 0, address }],
            end: address + text.len() as u32,
        }
    }

    /// No text, at `address`; to be extended.
    pub fn empty(address: u32) -> Self {
        Fragment::plain("", address)
    }

    /// Appends text that stands in the source as it is, at `address`.
    pub fn push_plain(&mut self, text: &'a str, address: u32) {
        if self.text.is_empty() {
            *self = Fragment::plain(text, address);
        } else {
            self.runs.push(Run {
                offset: self.text.len() as u32,
                address,
            });
            self.text.to_mut().push_str(text);
            self.end = address + text.len() as u32;
        }
    }

    /// Appends a character that the source writes as an entity at `address..end`.
    pub fn push_entity(&mut self, decoded: char, address: u32, end: u32) {
        if self.text.is_empty() {
            self.runs.clear();
        }
        self.runs.push(Run {
            offset: self.text.len() as u32,
            address,
        });
        self.text.to_mut().push(decoded);
        self.end = end;
    }

    /// The part of the decoded text from `start` to `end`, both at characters' borders.
    #[must_use]
    pub fn slice(&self, start: usize, end: usize) -> Fragment<'_> {
        let end = end.min(self.text.len());
        let start = start.min(end);
        let first = self.runs.partition_point(|r| r.offset as usize <= start);
        let mut runs = vec![Run {
            offset: 0,
            address: self.address(start),
        }];
        let inside = self.runs[first..]
            .iter()
            .take_while(|r| (r.offset as usize) < end);
        runs.extend(inside.map(|r| Run {
            offset: r.offset - start as u32,
            address: r.address,
        }));
        let stop = self.range(start, end).end;
        Fragment {
            text: Cow::Borrowed(&self.text[start..end]),
            runs,
            end: stop,
        }
    }

    /// Appends `other`, wherever in the source it stands.
    pub fn append(&mut self, other: &Fragment<'a>) {
        if self.text.is_empty() {
            self.clone_from(other);
            return;
        }
        let offset = self.text.len() as u32;
        self.runs.extend(other.runs.iter().map(|r| Run {
            offset: r.offset + offset,
            address: r.address,
        }));
        self.text.to_mut().push_str(&other.text);
        self.end = other.end;
    }

    /// The decoded text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether there is nothing but white space.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The span of the whole in the source.
    pub fn span(&self) -> Span {
        Span::new(self.runs.first().map_or(self.end, |r| r.address), self.end)
    }

    /// The address of the byte at `offset` of the decoded text.
    pub fn address(&self, offset: usize) -> u32 {
        if offset >= self.text.len() {
            return self.end;
        }
        let next = self.runs.partition_point(|r| r.offset as usize <= offset);
        let run = self.runs[next - 1];
        run.address + (offset as u32 - run.offset)
    }

    /// The span of a range of the decoded text. The end is taken from the last byte inside, so that a token that
    /// ends with an entity covers the whole entity up to the next run.
    pub fn range(&self, start: usize, end: usize) -> Span {
        if end <= start {
            let at = self.address(start);
            return Span::new(at, at);
        }
        let mut last = end - 1;
        while !self.text.is_char_boundary(last) {
            last -= 1;
        }
        let next = self.runs.partition_point(|r| r.offset as usize <= last);
        let run = self.runs[next - 1];
        // Inside a run addresses are consecutive; a run that ends exactly here may be an entity, whose source
        // text is longer than the character that it stands for.
        let stop = match self.runs.get(next) {
            Some(following) if following.offset as usize == end => following.address,
            None if end == self.text.len() => self.end,
            _ => run.address + (end as u32 - run.offset),
        };
        Span::new(self.address(start), stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_keep_their_place() {
        // source at 100: `x &lt;= 5`
        let mut f = Fragment::empty(100);
        f.push_plain("x ", 100);
        f.push_entity('<', 102, 106);
        f.push_plain("= 5", 106);
        assert_eq!(f.text(), "x <= 5");
        assert_eq!(f.range(2, 4), Span::new(102, 107));
        assert_eq!(f.range(5, 6), Span::new(108, 109));
        assert_eq!(f.range(2, 3), Span::new(102, 106));
        assert_eq!(f.span(), Span::new(100, 109));
        assert_eq!(f.address(6), 109);
    }

    #[test]
    fn slices_keep_their_place() {
        // source at 100: `a &lt;= b &amp;&amp; c`
        let mut f = Fragment::empty(100);
        f.push_plain("a ", 100);
        f.push_entity('<', 102, 106);
        f.push_plain("= b ", 106);
        f.push_entity('&', 110, 115);
        f.push_entity('&', 115, 120);
        f.push_plain(" c", 120);
        assert_eq!(f.text(), "a <= b && c");
        let tail = f.slice(5, 9);
        assert_eq!((tail.text(), tail.span()), ("b &&", Span::new(108, 120)));
        assert_eq!(tail.range(2, 3), Span::new(110, 115));
        let mut joined = f.slice(0, 2);
        joined.append(&f.slice(10, 11));
        assert_eq!((joined.text(), joined.range(2, 3)), ("a c", Span::new(121, 122)));
        assert_eq!(f.slice(11, 11).text(), "");
    }
}
