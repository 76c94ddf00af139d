//! Places in source text.

/// A half-open range of bytes in the [`SourceMap`](crate::source::SourceMap)'s one address space.
///
/// Every source (model file, query file, command-line formula) occupies its own stretch of that space, so a
/// span of eight bytes says which file it belongs to as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of nothing in particular: built-in declarations and generated code.
    pub const NONE: Span = Span { start: 0, end: 0 };

    /// The range from `start` to `end`.
    pub fn new(start: u32, end: u32) -> Self {
        Span {
            start,
            end: end.max(start),
        }
    }

    /// The smallest span that covers both; a [`Span::NONE`] side is ignored.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        if self == Span::NONE {
            other
        } else if other == Span::NONE {
            self
        } else {
            Span {
                start: self.start.min(other.start),
                end: self.end.max(other.end),
            }
        }
    }

    /// The empty span at the end of this one.
    #[must_use]
    pub fn after(self) -> Span {
        Span {
            start: self.end,
            end: self.end,
        }
    }
}
