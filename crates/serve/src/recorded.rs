//! The run in the form that pages show.

use zonewalk_page::{Ending, Run, RunBuilder};
use zonewalk_reference::Step;
use zonewalk_report::palette::Palette;
use zonewalk_report::trace::{End, text};
use zonewalk_session::Session;

/// The run recorded last: a run that only grows is not recomputed from the beginning.
#[derive(Default)]
pub(crate) struct Recorded<'i, 'm> {
    builder: Option<RunBuilder<'i, 'm>>,
    steps: Vec<Step>,
}

impl<'i, 'm> Recorded<'i, 'm> {
    /// The run of a session.
    ///
    /// # Errors
    /// Why it cannot be shown.
    pub(crate) fn run(&mut self, session: &Session<'i, 'm>) -> Result<Run, String> {
        let interpreter = session.interpreter();
        let is_longer =
            self.steps.len() <= session.len() && self.steps.iter().zip(session.steps()).all(|(a, b)| a == b);
        let builder = self.builder.take().filter(|_| is_longer);
        let mut builder = match builder {
            Some(builder) => builder,
            None => {
                self.steps.clear();
                RunBuilder::live(interpreter, session.len()).map_err(|error| error.to_string())?
            }
        };
        for step in session.steps().skip(self.steps.len()) {
            let replayed = interpreter
                .replay(builder.state(), step)
                .map_err(|error| error.to_string())?;
            builder.step(
                step.delay,
                &step.parts,
                replayed.channel,
                &replayed.delayed,
                &replayed.state,
            );
            self.steps.push(step.clone());
        }
        let made = builder.clone().finish_with(session.last_delay(), ending(session));
        self.builder = Some(builder);
        let mut run = made.map_err(|error| error.to_string())?;
        run.title = session.ending().query.clone().unwrap_or_default();
        Ok(run)
    }
}

fn ending(session: &Session<'_, '_>) -> Ending {
    let end = &session.ending().end;
    Ending {
        // What was made by hand just stops.
        text: match end {
            End::Quit | End::Steps => String::new(),
            end => text::reason(end, Palette::Plain),
        },
        cycle: match end {
            End::Cycle { start, length } => Some((*start, *length)),
            _ => None,
        },
        rule: None,
    }
}
