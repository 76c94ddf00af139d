//! `zonewalk bench`: the tables of the papers, on the streams of the command.

use crate::interrupt;
use crate::output::Output;
use crate::status::{Error, Status};
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Arc;
use std::time::{Duration, Instant};
use zonewalk_checker::Control;
use zonewalk_papers::Config;

/// In a log, the time between two lines of progress.
const PAUSE: Duration = Duration::from_secs(60);

/// Measures tables row by row.
pub(crate) fn run(config: &Config, output: &mut Output) -> Result<Status, Error> {
    output.need_reader();
    let control = Arc::new(Control::default());
    interrupt::listen(&control);
    let mut streams = Streams { output, shown: None };
    zonewalk_papers::run(config, &control, &mut streams).map_err(|error| match error {
        zonewalk_papers::Error::Message(message) => Error::Message(message),
        zonewalk_papers::Error::Unwritten(error) => error.into(),
    })?;
    Ok(if control.is_interrupted() {
        Status::Interrupted
    } else {
        Status::Success
    })
}

/// Streams of the command.
struct Streams<'o> {
    output: &'o mut Output,
    /// When progress was shown last.
    shown: Option<Instant>,
}

impl zonewalk_papers::Output for Streams<'_> {
    fn result(&mut self, text: &str) -> io::Result<()> {
        self.output.result(text)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    fn note(&mut self, text: &str) {
        self.output.note(text);
    }

    /// In place on a terminal, in a log now and then.
    fn progress(&mut self, line: &str) {
        let mut stream = io::stderr();
        let is_terminal = stream.is_terminal();
        if !is_terminal && self.shown.is_some_and(|shown| shown.elapsed() < PAUSE) {
            return;
        }
        self.shown = Some(Instant::now());
        // A standard error that is gone keeps no measurement from its end.
        let _ = if is_terminal {
            write!(stream, "\r\u{1b}[K{line}\r").and_then(|()| stream.flush())
        } else {
            writeln!(stream, "{line}")
        };
    }
}
