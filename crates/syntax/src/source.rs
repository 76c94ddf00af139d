//! The texts that a run reads, and where each byte of them stands.

use crate::span::Span;

/// One source: a file, standard input or a formula given on the command line.
#[derive(Clone, Debug)]
pub struct Source {
    /// Name shown to the user: the path as given, `<stdin>`, `<-q 1>`.
    pub name: String,
    /// The decoded text. Positions count in it, not in the bytes on disk.
    pub text: String,
    /// Address of the first byte.
    base: u32,
    /// Start address of every line.
    lines: Vec<u32>,
    /// Stretches of the text with a meaning of their own, such as the guard of an edge; sorted by start and
    /// free of overlaps.
    pub regions: Vec<Region>,
}

/// A stretch of a source and the element of the model that it belongs to.
#[derive(Clone, Debug)]
pub struct Region {
    /// Where.
    pub span: Span,
    /// For a person: `template Train, edge Safe → Appr, guard`.
    pub element: String,
}

/// A line and a column, both from 1. Columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Source {
    /// Address of the first byte of the text.
    pub fn base(&self) -> u32 {
        self.base
    }

    /// The span of the whole text.
    pub fn span(&self) -> Span {
        Span::new(self.base, self.base + self.text.len() as u32)
    }

    /// The text under `span`, cut at the source's ends.
    pub fn slice(&self, span: Span) -> &str {
        let len = self.text.len();
        let start = (span.start.saturating_sub(self.base) as usize).min(len);
        let end = (span.end.saturating_sub(self.base) as usize).clamp(start, len);
        self.text.get(start..end).unwrap_or("")
    }

    /// The line of an address, from 1. Unlike [`position`](Self::position) it looks at no text.
    pub fn line(&self, address: u32) -> u32 {
        self.lines.partition_point(|&l| l <= address).max(1) as u32
    }

    /// Line and column of an address; addresses past the end give the end.
    pub fn position(&self, address: u32) -> Position {
        let line = self.line(address);
        let start = (self.lines[line as usize - 1] - self.base) as usize;
        let end = (address.saturating_sub(self.base) as usize).clamp(start, self.text.len());
        let column = self.text.as_bytes()[start..end]
            .iter()
            .filter(|&&b| b & 0xC0 != 0x80)
            .count();
        Position {
            line,
            column: column as u32 + 1,
        }
    }

    /// The element of the model that the address belongs to, if it is known.
    pub fn element(&self, address: u32) -> Option<&str> {
        let next = self.regions.partition_point(|r| r.span.start <= address);
        let region = self.regions[..next].last()?;
        (address <= region.span.end).then_some(region.element.as_str())
    }
}

/// All the sources of a run, laid out one after the other in one address space.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    sources: Vec<Source>,
}

/// A source that does not fit into the address space any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl SourceMap {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a source and says where it begins.
    ///
    /// # Errors
    /// [`TooLarge`] when all the sources together would exceed 2 GiB.
    pub fn add(&mut self, name: impl Into<String>, text: String) -> Result<u32, TooLarge> {
        // Address 0 is left to `Span::NONE`; one byte between sources keeps their end positions apart.
        let base = self.sources.last().map_or(1, |s| s.span().end + 1);
        let end = base as usize + text.len();
        if end > i32::MAX as usize {
            return Err(TooLarge);
        }
        let mut lines = vec![base];
        lines.extend(
            text.bytes()
                .enumerate()
                .filter(|&(_, b)| b == b'\n')
                .map(|(i, _)| base + i as u32 + 1),
        );
        self.sources.push(Source {
            name: name.into(),
            text,
            base,
            lines,
            regions: Vec::new(),
        });
        Ok(base)
    }

    /// The source that holds `address`, if any.
    pub fn source(&self, address: u32) -> Option<&Source> {
        let next = self.sources.partition_point(|s| s.base <= address);
        self.sources[..next].last().filter(|s| address <= s.span().end)
    }

    /// Mutable access to the source at an address, for adding regions.
    pub fn source_mut(&mut self, address: u32) -> Option<&mut Source> {
        let next = self.sources.partition_point(|s| s.base <= address);
        self.sources[..next]
            .last_mut()
            .filter(|s| address <= s.span().end)
    }

    /// The text under `span`; empty for [`Span::NONE`].
    pub fn slice(&self, span: Span) -> &str {
        self.source(span.start).map_or("", |s| s.slice(span))
    }

    /// Every source, in the order of addition.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.sources.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters() {
        let mut map = SourceMap::new();
        let a = map.add("a", "é = 1;\nx\n".into()).unwrap();
        let b = map.add("b", "y".into()).unwrap();
        let source = map.source(a).unwrap();
        assert_eq!(source.position(a + 3), Position { line: 1, column: 3 });
        assert_eq!(source.position(a + 8), Position { line: 2, column: 1 });
        assert_eq!(map.source(b).unwrap().name, "b");
        assert_eq!(map.slice(Span::new(b, b + 1)), "y");
        assert_eq!(
            map.source(a).unwrap().position(a + 1000),
            Position { line: 3, column: 1 }
        );
    }
}
