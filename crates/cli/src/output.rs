//! Standard output for results, standard error for everything else.

use anstream::{AutoStream, ColorChoice};
use std::io::{self, BufWriter, Stderr, Stdout, Write as _};
use zonewalk_report::diagnostic::text::{Style, render, render_all};
use zonewalk_syntax::diagnostic::{Diagnostic, Diagnostics};
use zonewalk_syntax::source::SourceMap;

/// Both streams. Colours are stripped where they are not wanted (`NO_COLOR`, pipes, `--color`).
pub(crate) struct Output {
    results: BufWriter<AutoStream<Stdout>>,
    messages: AutoStream<Stderr>,
}

impl Output {
    /// Streams with this choice of colours.
    pub(crate) fn new(color: ColorChoice) -> Self {
        Output {
            results: BufWriter::new(AutoStream::new(io::stdout(), color)),
            messages: AutoStream::new(io::stderr(), color),
        }
    }

    /// Writes a part of the result.
    pub(crate) fn result(&mut self, text: &str) -> io::Result<()> {
        self.results.write_all(text.as_bytes())
    }

    /// Makes sure that the result has reached its reader.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.results.flush()
    }

    /// Writes a message that is about zonewalk's use rather than about a place in a file.
    pub(crate) fn error(&mut self, message: &str) -> io::Result<()> {
        self.flush()?;
        writeln!(self.messages, "\u{1b}[1;31merror\u{1b}[0m: {}", visible(message))
    }

    /// Writes a remark that calls for nothing.
    pub(crate) fn note(&mut self, message: &str) -> io::Result<()> {
        self.message(&format!("\u{1b}[1mnote\u{1b}[0m: {}", visible(message)))
    }

    /// Writes a line beside the results.
    pub(crate) fn message(&mut self, line: &str) -> io::Result<()> {
        self.flush()?;
        writeln!(self.messages, "{line}")
    }

    /// Writes diagnostics and how many there are.
    pub(crate) fn diagnostics(&mut self, diagnostics: &Diagnostics, sources: &SourceMap) -> io::Result<()> {
        self.flush()?;
        write!(self.messages, "{}", render_all(diagnostics, sources, STYLE))
    }

    /// Writes one diagnostic.
    pub(crate) fn diagnostic(&mut self, diagnostic: &Diagnostic, sources: &SourceMap) -> io::Result<()> {
        self.flush()?;
        writeln!(self.messages, "{}", render(diagnostic, sources, STYLE))
    }
}

/// The stream takes the colours out again where they are not wanted.
const STYLE: Style = Style {
    color: true,
    width: 100,
};

/// File names and arguments may hold control characters that would work on the terminal.
fn visible(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_control() && c != '\n' {
                '\u{fffd}'
            } else {
                c
            }
        })
        .collect()
}
