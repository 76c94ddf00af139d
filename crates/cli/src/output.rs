//! Standard output for results, standard error for everything else.

use crate::status::{Error, Status, unwritten};
use crate::terminal;
use anstream::{AutoStream, ColorChoice};
use std::io::{self, BufWriter, ErrorKind, Stderr, Stdout, Write as _};
use zonewalk_report::diagnostic::text::{Style, render, render_all};
use zonewalk_report::layout::{WIDTH, fit};
use zonewalk_report::palette::{Palette, Role};
use zonewalk_syntax::diagnostic::{Diagnostic, Diagnostics};
use zonewalk_syntax::source::SourceMap;

/// Both streams. Colours are stripped where they are not wanted (`NO_COLOR`, pipes, `--color`).
///
/// A result that cannot be written changes no answer, and so no exit status that tells it: the first failure is kept for the
/// end of the run, and what is written after it goes nowhere. Messages that cannot be written are dropped.
pub(crate) struct Output {
    results: BufWriter<AutoStream<Stdout>>,
    messages: AutoStream<Stderr>,
    /// Columns of the screen, where there is one.
    results_width: Option<usize>,
    messages_width: Option<usize>,
    /// The reader of the results has gone.
    is_lost: bool,
    /// Why, until it has been reported.
    loss: Option<io::Error>,
    needs_reader: bool,
}

impl Output {
    /// Streams with this choice of colours.
    pub(crate) fn new(color: ColorChoice) -> Self {
        Output {
            results: BufWriter::new(AutoStream::new(io::stdout(), color)),
            messages: AutoStream::new(io::stderr(), color),
            results_width: terminal::of_results(),
            messages_width: terminal::of_messages(),
            is_lost: false,
            loss: None,
            needs_reader: false,
        }
    }

    /// From now on writing fails if the reader has gone: for runs that are made to be read, and have no answer.
    pub(crate) fn need_reader(&mut self) {
        self.needs_reader = true;
    }

    /// Columns that lists and paragraphs of the result are set in.
    pub(crate) fn width(&self) -> usize {
        self.results_width.unwrap_or(WIDTH)
    }

    /// Writes a part of the result that people read: on a screen, lines are broken between words.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        match self.results_width {
            Some(width) => self.result(&fit(text, width)),
            None => self.result(text),
        }
    }

    /// Writes a part of the result as it is.
    pub(crate) fn result(&mut self, text: &str) -> io::Result<()> {
        self.attempt(|results| results.write_all(text.as_bytes()))
    }

    /// Makes sure that the result has reached its reader.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.attempt(BufWriter::flush)
    }

    fn attempt(
        &mut self,
        write: impl FnOnce(&mut BufWriter<AutoStream<Stdout>>) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.is_lost {
            return Ok(());
        }
        let Err(error) = write(&mut self.results) else {
            return Ok(());
        };
        self.is_lost = true;
        if self.needs_reader {
            return Err(error);
        }
        self.loss = Some(error);
        Ok(())
    }

    /// The status of a run that ends, after telling whether results were lost.
    pub(crate) fn end(&mut self, status: Status) -> Status {
        match self.take_loss() {
            Some(loss) => {
                self.error(&loss);
                status.max(Status::Failure)
            }
            None => status,
        }
    }

    /// Message about results that were lost, once. A reader that went away has read what it wanted.
    pub(crate) fn take_loss(&mut self) -> Option<String> {
        // A failure is kept.
        let _ = self.flush();
        let loss = self.loss.take()?;
        (loss.kind() != ErrorKind::BrokenPipe).then(|| unwritten(&loss))
    }

    /// Writes a message that is about zonewalk's use rather than about a place in a file.
    pub(crate) fn error(&mut self, message: &str) {
        let error = Palette::Ansi.paint(Role::Bad, "error");
        self.message(&format!("{error}: {}", visible(message)));
    }

    /// Writes a remark that needs no action.
    pub(crate) fn note(&mut self, message: &str) {
        let note = Palette::Ansi.paint(Role::Note, "note");
        self.message(&format!("{note}: {}", visible(message)));
    }

    /// Writes a line beside the results.
    pub(crate) fn message(&mut self, line: &str) {
        self.beside_results(&format!("{line}\n"));
    }

    /// Writes diagnostics and how many there are.
    pub(crate) fn diagnostics(&mut self, diagnostics: &Diagnostics, sources: &SourceMap) {
        self.beside_results(&render_all(diagnostics, sources, self.style()).to_string());
    }

    /// Writes one diagnostic.
    pub(crate) fn diagnostic(&mut self, diagnostic: &Diagnostic, sources: &SourceMap) {
        self.message(&render(diagnostic, sources, self.style()).to_string());
    }

    /// Messages come after the results that were before them, and whatever became of those.
    fn beside_results(&mut self, text: &str) {
        let _ = self.flush();
        let fitted = self.messages_width.map(|width| fit(text, width));
        let text = fitted.as_deref().unwrap_or(text);
        let _ = self.messages.write_all(text.as_bytes());
    }

    /// The stream takes the colours out again where they are not wanted.
    fn style(&self) -> Style {
        Style {
            color: true,
            width: self.messages_width.unwrap_or(QUOTED),
        }
    }
}

impl Error {
    /// Tells the user.
    pub(crate) fn report(&self, output: &mut Output) -> Status {
        match self {
            Error::BrokenPipe => Status::Success,
            Error::Message(message) => {
                output.error(message);
                Status::Failure
            }
        }
    }
}

/// Columns that quoted lines of a file are cut to where there is no screen.
const QUOTED: usize = 100;

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
