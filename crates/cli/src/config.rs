//! The arguments as they are meant: consistent, and with nothing left to parse.

use crate::args::{Args, Command, Format, ModelArgs};
use crate::load::{QuerySource, Request};
use crate::status::Error;
use crate::unavailable;

/// What to do.
#[derive(Debug)]
pub(crate) enum Job {
    Info(InfoConfig),
    Simulate(SimulateConfig),
}

/// `zonewalk info`.
#[derive(Debug)]
pub(crate) struct InfoConfig {
    pub(crate) request: Request,
    pub(crate) format: Format,
    pub(crate) quiet: bool,
}

/// `zonewalk simulate`.
#[derive(Debug)]
pub(crate) struct SimulateConfig {
    pub(crate) request: Request,
    pub(crate) format: Format,
    pub(crate) quiet: bool,
    pub(crate) mode: SimulateMode,
}

/// Who chooses.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SimulateMode {
    /// Chance.
    Random { seed: u64, steps: usize },
    /// The user.
    Interactive,
}

impl TryFrom<Args> for Job {
    type Error = Error;

    fn try_from(args: Args) -> Result<Self, Error> {
        let quiet = args.quiet;
        match args.command {
            Command::Info(info) => {
                let queries = match (info.query_file, info.query.is_empty()) {
                    (Some(file), _) => QuerySource::File(file),
                    (None, false) => QuerySource::Formulas(info.query),
                    (None, true) => QuerySource::Model,
                };
                let format = info.model.format;
                Ok(Job::Info(InfoConfig {
                    request: request(info.model, queries)?,
                    format,
                    quiet,
                }))
            }
            Command::Simulate(simulate) => {
                let mode = if simulate.interactive {
                    SimulateMode::Interactive
                } else {
                    SimulateMode::Random {
                        seed: simulate.seed,
                        steps: simulate.steps,
                    }
                };
                let format = simulate.model.format;
                if simulate.interactive && format == Format::Json {
                    return Err(Error::new(
                        "--interactive speaks to people: it has no --format json",
                    ));
                }
                let request = request(simulate.model, QuerySource::Nothing)?;
                if simulate.interactive && crate::input::is_stdin(&request.model) {
                    return Err(Error::new(
                        "--interactive reads its commands from standard input, so the model cannot be there",
                    ));
                }
                Ok(Job::Simulate(SimulateConfig {
                    request,
                    format,
                    quiet,
                    mode,
                }))
            }
            Command::Other(words) => {
                let command = words
                    .first()
                    .map(|word| word.to_string_lossy().into_owned())
                    .unwrap_or_default();
                Err(Error::new(unavailable::refuse(&command)))
            }
        }
    }
}

fn request(model: ModelArgs, queries: QuerySource) -> Result<Request, Error> {
    for (i, (name, _)) in model.define.iter().enumerate() {
        if model.define[..i].iter().any(|(earlier, _)| earlier == name) {
            return Err(Error::new(format_args!("-D {name}=… is given twice")));
        }
    }
    Ok(Request {
        model: model.model,
        queries,
        overrides: model.define,
    })
}
