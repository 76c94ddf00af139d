//! The colours of all output, in one place.

/// Role of a piece of text, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The answer "satisfied".
    Good,
    /// The answer "not satisfied"; an error.
    Bad,
    /// An answer that is not certain.
    Open,
    /// Opening of a note.
    Note,
    /// A delay of a trace.
    Delay,
    /// A delay of 0, which is not a delay.
    NoDelay,
    /// New value of a variable or a clock.
    Changed,
    /// State a trace leads to.
    Goal,
}

impl Role {
    /// Parameters of the escape sequence "select graphic rendition".
    fn code(self) -> &'static str {
        match self {
            Role::Good => "1;32",
            Role::Bad => "1;31",
            Role::Open => "1;33",
            Role::Note | Role::Changed => "1",
            Role::Delay => "36",
            Role::NoDelay => "2",
            Role::Goal => "1;35",
        }
    }
}

/// Whether there are colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// No colours: files and reports.
    Plain,
    /// Escape sequences. A stream takes them out again where they are not wanted.
    Ansi,
}

impl Palette {
    /// A text in the colour of its role.
    pub fn paint(self, role: Role, text: &str) -> String {
        match self {
            Palette::Plain => text.to_owned(),
            Palette::Ansi => format!("\u{1b}[{}m{text}\u{1b}[0m", role.code()),
        }
    }
}
