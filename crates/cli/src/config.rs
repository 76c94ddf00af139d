//! The arguments as they are meant: consistent, and with nothing left to parse.

#[cfg(feature = "papers")]
mod bench;
mod explicit;
mod judge;
mod refine;
mod search;
#[cfg(feature = "serve")]
mod serve;
mod sweep;
mod verifyta;

pub(crate) use judge::JudgeConfig;
pub(crate) use refine::RefineConfig;
pub(crate) use search::{CheckConfig, ExploreConfig, SearchConfig};
#[cfg(feature = "serve")]
pub(crate) use serve::ServeConfig;
pub(crate) use sweep::SweepConfig;
pub(crate) use verifyta::{VerifytaCheck, VerifytaConfig};

use crate::args::value::StateNumber;
use crate::args::{Args, Command, DrawArgs, Format, LintArgs, ModelArgs, QueryArgs, ViewArgs};
use crate::chart::{ChartKind, TraceFormat};
use crate::load::{QuerySource, Request};
use crate::status::Error;
use crate::unavailable;
use std::path::PathBuf;
use zonewalk_charts::Selection;
use zonewalk_checker::resources::default_memory;

/// Job of the command.
#[derive(Debug)]
pub(crate) enum Job {
    Check(CheckConfig),
    Explore(ExploreConfig),
    Refine(RefineConfig),
    Replay(ReplayConfig),
    Generate(GenerateConfig),
    #[cfg(feature = "papers")]
    Bench(zonewalk_papers::Config),
    Info(InfoConfig),
    Judge(JudgeConfig),
    Lint(LintConfig),
    Simulate(SimulateConfig),
    #[cfg(feature = "serve")]
    Serve(ServeConfig),
    Draw(DrawConfig),
    View(ViewConfig),
    Verifyta(VerifytaConfig),
    Completions(clap_complete::Shell),
    Man(Option<String>),
    Searches,
}

/// `zonewalk replay`.
#[derive(Debug)]
pub(crate) struct ReplayConfig {
    pub(crate) request: Request,
    pub(crate) format: Format,
    pub(crate) quiet: bool,
    pub(crate) trace: PathBuf,
    /// The states to print.
    pub(crate) state: Option<StateNumber>,
    pub(crate) trace_format: Option<TraceFormat>,
}

/// `zonewalk draw`.
#[derive(Debug)]
pub(crate) struct DrawConfig {
    pub(crate) model: PathBuf,
    /// Templates to draw; everything if none is named.
    pub(crate) templates: Vec<String>,
    pub(crate) file: PathBuf,
    pub(crate) format: Picture,
    pub(crate) quiet: bool,
}

/// `zonewalk view`.
#[derive(Debug)]
pub(crate) struct ViewConfig {
    /// The model and the trace.
    pub(crate) replay: ReplayConfig,
    pub(crate) file: PathBuf,
    /// A chart of these steps and processes in place of a page.
    pub(crate) chart: Option<(ChartKind, Selection)>,
}

impl ViewConfig {
    fn new(args: ViewArgs, quiet: bool) -> Result<Self, Error> {
        let ending = args.output.extension().and_then(|ending| ending.to_str());
        let ends_in = |endings: &[&str]| {
            ending.is_some_and(|ending| endings.iter().any(|one| ending.eq_ignore_ascii_case(one)))
        };
        let shown = args.output.display();
        match args.chart {
            None if ends_in(&["svg"]) => {
                return Err(Error::new(format_args!(
                    "-o {shown}: for a picture say which chart, --chart sequence or --chart gantt; a page ends in .html"
                )));
            }
            None if !ends_in(&["html", "htm"]) => {
                return Err(Error::new(format_args!("-o {shown}: the name must end in .html")));
            }
            Some(_) if !ends_in(&["svg"]) => {
                return Err(Error::new(format_args!(
                    "-o {shown}: with --chart the name must end in .svg"
                )));
            }
            _ => {}
        }
        let is_stdin = crate::input::is_stdin;
        if is_stdin(&args.model) && is_stdin(&args.trace) {
            return Err(Error::new("model and trace cannot both be standard input"));
        }
        let model = ModelArgs {
            model: args.model,
            define: args.define,
        };
        Ok(ViewConfig {
            replay: ReplayConfig {
                request: request(model, QuerySource::Nothing)?,
                format: Format::Text,
                quiet,
                trace: args.trace,
                state: None,
                trace_format: None,
            },
            file: args.output,
            chart: args.chart.map(|kind| {
                let (from, to) = args.steps.unzip();
                let processes = args.processes;
                (kind, Selection { from, to, processes })
            }),
        })
    }
}

/// How automata are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Picture {
    Svg,
    Dot,
}

impl DrawConfig {
    fn new(args: DrawArgs, quiet: bool) -> Result<Self, Error> {
        let ending = args.output.extension().and_then(|ending| ending.to_str());
        let format = match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("svg") => Picture::Svg,
            Some("dot" | "gv") => Picture::Dot,
            _ => {
                return Err(Error::new(format_args!(
                    "-o {}: the name must end in .svg or .dot",
                    args.output.display()
                )));
            }
        };
        Ok(DrawConfig {
            model: args.model,
            templates: args.templates,
            file: args.output,
            format,
            quiet,
        })
    }
}

/// `zonewalk generate`.
#[derive(Debug)]
pub(crate) enum GenerateConfig {
    /// Names the families.
    List,
    /// Writes a model.
    Member {
        family: String,
        params: Vec<(String, String)>,
        /// A file of XML, or the folder of a project; standard output unless given.
        output: Option<PathBuf>,
    },
}

/// `zonewalk info`.
#[derive(Debug)]
pub(crate) struct InfoConfig {
    pub(crate) request: Request,
    pub(crate) format: Format,
    pub(crate) quiet: bool,
}

/// `zonewalk lint`.
#[derive(Debug)]
pub(crate) struct LintConfig {
    pub(crate) request: Request,
    pub(crate) format: Format,
    pub(crate) quiet: bool,
    pub(crate) options: zonewalk_lint::LintOptions,
}

/// `zonewalk simulate`.
#[derive(Debug)]
pub(crate) struct SimulateConfig {
    pub(crate) request: Request,
    pub(crate) format: Format,
    pub(crate) quiet: bool,
    pub(crate) mode: SimulateMode,
    /// The run to begin with.
    pub(crate) from: Option<PathBuf>,
    /// Where the run goes.
    pub(crate) save: Option<PathBuf>,
    pub(crate) trace_format: TraceFormat,
}

/// How the steps of a run are chosen.
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
            Command::Check(check) => Ok(Job::Check(CheckConfig::new(check, quiet)?)),
            Command::Explore(explore) => Ok(Job::Explore(ExploreConfig::new(explore, quiet)?)),
            Command::Refine(refine) => Ok(Job::Refine(RefineConfig::new(refine, quiet)?)),
            Command::Replay(replay) => {
                let format = replay.output.format;
                let is_stdin = crate::input::is_stdin;
                if is_stdin(&replay.model.model) && is_stdin(&replay.trace) {
                    return Err(Error::new("model and trace cannot both be standard input"));
                }
                Ok(Job::Replay(ReplayConfig {
                    request: request(replay.model, QuerySource::Nothing)?,
                    format,
                    quiet,
                    trace: replay.trace,
                    state: replay.state,
                    trace_format: replay.trace_format,
                }))
            }
            Command::Generate(generate) => Ok(Job::Generate(match generate.family {
                None => GenerateConfig::List,
                Some(family) => {
                    let n = generate.n.map(|n| ("n".to_owned(), n));
                    GenerateConfig::Member {
                        family,
                        params: n.into_iter().chain(generate.param).collect(),
                        output: generate.output,
                    }
                }
            })),
            #[cfg(feature = "papers")]
            Command::Bench(bench) => Ok(Job::Bench(bench::config(bench)?)),
            Command::Info(info) => {
                let format = info.output.format;
                Ok(Job::Info(InfoConfig {
                    request: request(info.model, query_source(info.queries))?,
                    format,
                    quiet,
                }))
            }
            Command::Judge(judge) => Ok(Job::Judge(JudgeConfig::new(judge, quiet)?)),
            Command::Lint(lint) => Ok(Job::Lint(LintConfig::new(lint, quiet)?)),
            Command::Simulate(simulate) => {
                let is_random = simulate.seed.is_some() || simulate.steps.is_some();
                // A run that is loaded is there to be stepped through, unless random steps are asked for.
                let is_interactive = simulate.interactive || simulate.from.is_some() && !is_random;
                let mode = if is_interactive {
                    SimulateMode::Interactive
                } else {
                    SimulateMode::Random {
                        seed: simulate.seed.unwrap_or(1),
                        steps: simulate.steps.unwrap_or(20),
                    }
                };
                let format = simulate.output.format;
                if is_interactive && format == Format::Json {
                    return Err(Error::new("--format json does not apply to --interactive"));
                }
                let request = request(simulate.model, QuerySource::Nothing)?;
                let is_stdin = crate::input::is_stdin;
                let reads = [Some(&request.model), simulate.from.as_ref()];
                if is_interactive && reads.into_iter().flatten().any(|file| is_stdin(file)) {
                    return Err(Error::new(
                        "an interactive simulation reads its commands from standard input, so the model and the run cannot come from there",
                    ));
                }
                if reads.into_iter().flatten().filter(|file| is_stdin(file)).count() > 1 {
                    return Err(Error::new("model and run cannot both be standard input"));
                }
                Ok(Job::Simulate(SimulateConfig {
                    request,
                    format,
                    quiet,
                    mode,
                    from: simulate.from,
                    save: simulate.save,
                    trace_format: simulate.trace_format,
                }))
            }
            #[cfg(feature = "serve")]
            Command::Serve(serve) => Ok(Job::Serve(ServeConfig::new(serve, quiet)?)),
            Command::Draw(draw) => Ok(Job::Draw(DrawConfig::new(draw, quiet)?)),
            Command::View(view) => Ok(Job::View(ViewConfig::new(view, quiet)?)),
            Command::Verifyta(verifyta) => Ok(Job::Verifyta(VerifytaConfig::new(verifyta, quiet))),
            Command::Completions(args) => Ok(Job::Completions(args.shell)),
            Command::Man(args) => Ok(Job::Man(args.command)),
            Command::Searches => Ok(Job::Searches),
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

impl LintConfig {
    fn new(args: LintArgs, quiet: bool) -> Result<Self, Error> {
        let format = args.output.format;
        let is_wanted = |check: &zonewalk_lint::Check| match args.only.is_empty() {
            true => !args.skip.contains(check),
            false => args.only.contains(check),
        };
        let checks: Vec<_> = zonewalk_lint::Check::ALL.into_iter().filter(is_wanted).collect();
        if checks.is_empty() {
            return Err(Error::new("--skip leaves no check"));
        }
        Ok(LintConfig {
            options: zonewalk_lint::LintOptions {
                checks,
                timeout: args.timeout,
                memory: args.memory.or_else(default_memory),
                threads: args.threads.unwrap_or_else(search::cores),
                seed: args.seed,
            },
            request: request(args.model, query_source(args.queries))?,
            format,
            quiet,
        })
    }
}

fn query_source(queries: QueryArgs) -> QuerySource {
    match (queries.query_file, queries.query.is_empty()) {
        (Some(file), _) => QuerySource::File(file),
        (None, false) => QuerySource::Formulas(queries.query),
        (None, true) => QuerySource::Model,
    }
}

/// Refuses two values for one constant.
fn defined_once(define: &[(String, String)]) -> Result<(), Error> {
    for (i, (name, _)) in define.iter().enumerate() {
        if define[..i].iter().any(|(earlier, _)| earlier == name) {
            return Err(Error::new(format_args!("-D {name}=… is given twice")));
        }
    }
    Ok(())
}

fn request(model: ModelArgs, queries: QuerySource) -> Result<Request, Error> {
    defined_once(&model.define)?;
    Ok(Request {
        model: model.model,
        queries,
        overrides: model.define,
        levels: None,
    })
}
