//! The arguments as they are given.

#[cfg(feature = "papers")]
mod bench;
mod examples;
mod group;
mod lint;
mod proofs;
mod refine;
mod search;
mod statistics;
pub(crate) mod value;
mod verifyta;

#[cfg(feature = "papers")]
pub(crate) use bench::{BenchArgs, BenchFormat};
pub(crate) use lint::LintArgs;
pub(crate) use proofs::{JudgeArgs, ProofArgs};
pub(crate) use refine::{RefineArgs, ShownRun};
pub(crate) use search::{CheckArgs, ExploreArgs, SearchArgs, TuningArgs, When};
pub(crate) use verifyta::VerifytaArgs;

use crate::chart::{ChartKind, TraceFormat};
use crate::terminal;
use anstream::ColorChoice;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use zonewalk_report::layout::{WIDTH, fit_prose};

/// The version, and what it was built from and for.
const LONG_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("ZONEWALK_BUILD"), ")");

/// Finds errors in real-time system models: networks of timed automata in UPPAAL's language
#[derive(Debug, Parser)]
#[command(name = "zonewalk", version, long_version = LONG_VERSION, after_help = examples::ALL)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours: auto, always or never
    #[arg(long, global = true, display_order = 90, help_heading = group::OUTPUT)]
    #[arg(value_name = "WHEN", default_value = "auto", value_parser = value::color)]
    pub(crate) color: ColorChoice,

    /// Print no warnings and no progress
    #[arg(long, global = true, display_order = 91, help_heading = group::OUTPUT)]
    pub(crate) quiet: bool,
}

impl Args {
    /// The arguments, with a note of which of them were given.
    pub(crate) fn read(args: &[OsString]) -> Result<Self, clap::Error> {
        // Help is laid out for the screen, which takes longer than all the rest of reading arguments: only where it is shown.
        let matches = match definition(Args::command()).try_get_matches_from(args) {
            Ok(matches) => matches,
            Err(_) => definition(for_screen(Args::command())).try_get_matches_from(args)?,
        };
        let mut args = Args::from_arg_matches(&matches)?;
        let given = matches.subcommand().map(|(_, of_command)| given(of_command));
        match &mut args.command {
            Command::Check(check) => check.search.given = given.unwrap_or_default(),
            Command::Explore(explore) => explore.search.given = given.unwrap_or_default(),
            #[cfg(feature = "serve")]
            Command::Serve(serve) => serve.search.given = given.unwrap_or_default(),
            Command::Refine(refine) => refine.given = given.unwrap_or_default(),
            _ => {}
        }
        Ok(args)
    }
}

/// The options of all commands. A negative number after one of them is a value that it refuses in its own words, no option.
fn definition(command: clap::Command) -> clap::Command {
    command.mut_subcommands(|command| {
        group::with_short_help(command).mut_args(|arg| {
            let is_option = !arg.is_positional() && arg.get_action().takes_values();
            arg.allow_negative_numbers(is_option)
        })
    })
}

/// With help in the columns of the screen: `clap` breaks what it lays out itself, and knows nothing of lists and examples.
pub(crate) fn for_screen(command: clap::Command) -> clap::Command {
    // Very long lines are hard to read.
    let width = terminal::of_results().unwrap_or(WIDTH).min(100);
    let fit = |text: Option<&clap::builder::StyledStr>| text.map(|text| fit_prose(&text.to_string(), width));
    let fitted = |command: clap::Command| {
        let (about, below) = (fit(command.get_about()), fit(command.get_after_help()));
        let command = match about {
            // `help searches` is nothing else.
            Some(about) if command.is_hide_set() => command.about(about),
            _ => command,
        };
        match below {
            Some(below) => command.after_help(below),
            None => command,
        }
    };
    let command = fitted(command.term_width(width));
    command.mut_subcommands(|command| fitted(command.term_width(width)))
}

fn given(matches: &ArgMatches) -> Vec<String> {
    let is_given = |id: &&clap::Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
    matches.ids().filter(is_given).map(ToString::to_string).collect()
}

#[derive(Debug, Subcommand)]
// There is one of them in a process.
#[allow(clippy::large_enum_variant)]
pub(crate) enum Command {
    /// Check the queries of a model; shows a trace for every state found
    #[command(after_help = examples::CHECK)]
    Check(CheckArgs),

    /// Explore the states of a model, or walk through it: how many, how fast, what is never reached
    #[command(after_help = examples::EXPLORE)]
    Explore(ExploreArgs),

    /// Check timed I/O automata: refinement, consistency and the other queries of ECDAR
    #[command(after_help = examples::REFINE)]
    Refine(RefineArgs),

    /// Check a trace file step by step with the reference interpreter
    #[command(after_help = examples::REPLAY)]
    Replay(ReplayArgs),

    /// Judge a certificate: whether it proves by the rules of the language what it claims
    #[command(after_help = examples::JUDGE, alias = "validate")]
    Judge(JudgeArgs),

    /// Generate a model from a family, with its queries
    #[command(after_help = examples::GENERATE)]
    Generate(GenerateArgs),

    /// Reproduce the tables of the papers, and print them next to the papers' figures
    #[command(after_help = examples::BENCH)]
    #[cfg(feature = "papers")]
    Bench(BenchArgs),

    /// Show what a model contains, which features it uses, and which engines support it
    #[command(after_help = examples::INFO)]
    Info(InfoArgs),

    /// Look for mistakes in a model: what is never reached, read or synchronised with, deadlocks, zeno cycles
    #[command(after_help = examples::lint())]
    Lint(LintArgs),

    /// Simulate a model step by step, at random or interactively
    #[command(after_help = examples::SIMULATE)]
    Simulate(SimulateArgs),

    /// Draw the automata of a model, as SVG or as a graph for Graphviz
    #[command(after_help = examples::DRAW)]
    Draw(DrawArgs),

    /// Work on a model in the browser: build runs, check queries, open counterexamples, see zones
    #[cfg(feature = "serve")]
    #[command(after_help = examples::SERVE, mut_arg("progress", |arg| arg.hide(true)))]
    Serve(ServeArgs),

    /// Show a trace as a web page: automata, steps, states and charts in one file
    #[command(after_help = examples::VIEW)]
    View(ViewArgs),

    /// Check queries with the options and messages of UPPAAL's verifyta, for existing scripts
    #[command(after_help = examples::VERIFYTA)]
    Verifyta(VerifytaArgs),

    /// Print shell completions: bash, zsh, fish, elvish or powershell
    #[command(after_help = examples::COMPLETIONS)]
    Completions(CompletionsArgs),

    /// Print the manual page of zonewalk, or of one of its commands
    #[command(after_help = examples::MAN)]
    Man(ManArgs),

    #[command(hide = true, about = examples::searches(), help_template = "{about}\n")]
    Searches,

    /// Anything else, to be refused by name.
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

/// Arguments that name a model.
#[derive(Debug, clap::Args)]
pub(crate) struct ModelArgs {
    /// The model: .xml, .xta or .ta, or - for standard input; check and explore also accept .aut, an
    /// explicit transition system
    pub(crate) model: PathBuf,

    /// Override a global constant, such as -D N=5 or -D 'D={10,20,18}'; can be repeated
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = value::definition)]
    #[arg(help_heading = group::MODEL)]
    pub(crate) define: Vec<(String, String)>,
}

/// How the result is written.
#[derive(Debug, clap::Args)]
pub(crate) struct FormatArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = group::OUTPUT)]
    pub(crate) format: Format,
}

/// Arguments that name its queries.
#[derive(Debug, clap::Args)]
pub(crate) struct QueryArgs {
    /// The query file [default: the queries in the model, or else the file of the same name with .q]
    #[arg(value_name = "QUERYFILE")]
    pub(crate) query_file: Option<PathBuf>,

    /// Check this query instead; can be repeated
    #[arg(short = 'q', value_name = "FORMULA", conflicts_with = "query_file", help_heading = group::MODEL)]
    pub(crate) query: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) output: FormatArgs,

    #[command(flatten)]
    pub(crate) queries: QueryArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) output: FormatArgs,

    /// The trace file, as written by `check` and `refine` with --trace-file TRACE.json
    #[arg(value_name = "TRACE.json")]
    pub(crate) trace: PathBuf,

    /// Print the state after step STEP: 0 is the initial state, -1 the last one; all for every state
    #[arg(long, value_name = "STEP", allow_hyphen_values = true, value_parser = value::state_number)]
    pub(crate) state: Option<value::StateNumber>,

    /// Also print the trace: as a table, a sequence chart or a Gantt chart
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) trace_format: Option<TraceFormat>,
}

#[cfg(feature = "serve")]
#[derive(Debug, clap::Args)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    #[command(flatten)]
    pub(crate) queries: QueryArgs,

    /// The port of 127.0.0.1 to listen on [default: any that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    #[command(flatten)]
    pub(crate) tuning: TuningArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DrawArgs {
    /// The model: .xml, .xta or .ta, the folder of an ECDAR project, or - for standard input
    pub(crate) model: PathBuf,

    /// Draw only this template or component; can be repeated
    #[arg(long = "template", value_name = "NAME")]
    pub(crate) templates: Vec<String>,

    /// The file to write: .svg or .dot
    #[arg(short = 'o', long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ViewArgs {
    /// The model: .xml, .xta or .ta, an ECDAR project, or - for standard input
    pub(crate) model: PathBuf,

    /// The trace file, as written by `check` and `refine` with --trace-file TRACE.json
    #[arg(value_name = "TRACE.json")]
    pub(crate) trace: PathBuf,

    /// Override a global constant, such as -D N=5; constants that the trace file names are set anyway
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = value::definition)]
    pub(crate) define: Vec<(String, String)>,

    /// The page to write, .html; with --chart a picture, .svg
    #[arg(short = 'o', long, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Draw a chart alone, as a picture: who synchronises with whom, or where each process is over time
    #[arg(long, value_enum, value_name = "CHART")]
    pub(crate) chart: Option<ChartKind>,

    /// The steps of the chart, such as 10..40; all of them unless given
    #[arg(long, value_name = "FROM..TO", value_parser = value::step_range, requires = "chart")]
    pub(crate) steps: Option<(usize, usize)>,

    /// A process of the chart; can be repeated. All of them unless given
    #[arg(long = "process", value_name = "NAME", requires = "chart")]
    pub(crate) processes: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct GenerateArgs {
    /// The family
    #[arg(required_unless_present = "list")]
    pub(crate) family: Option<String>,

    /// The size: the family's parameter n
    #[arg(short = 'n', value_name = "N")]
    pub(crate) n: Option<String>,

    /// Set a parameter of the family; can be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = value::parameter)]
    pub(crate) param: Vec<(String, String)>,

    /// Write to FILE.xml; any other name is that of a folder for an ECDAR project, which families of
    /// timed I/O automata can be
    #[arg(short = 'o', long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,

    /// List the families and their parameters
    #[arg(long, conflicts_with_all = ["family", "n", "param", "output"])]
    pub(crate) list: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// The command, such as check
    pub(crate) command: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// Seed for random choices [default: 1]
    #[arg(long, value_name = "N", value_parser = value::seed, help_heading = group::RUN)]
    pub(crate) seed: Option<u64>,

    /// Number of transitions [default: 20]
    #[arg(long, value_name = "N", value_parser = value::step_count, help_heading = group::RUN)]
    pub(crate) steps: Option<usize>,

    /// Choose each transition and delay yourself
    #[arg(long, conflicts_with_all = ["seed", "steps"], help_heading = group::RUN)]
    pub(crate) interactive: bool,

    /// Begin with the run in this file, as written by --save or by `check` with --trace-file; step
    /// through it interactively, or continue it at random with --steps or --seed
    #[arg(long, value_name = "TRACE.json", help_heading = group::RUN)]
    pub(crate) from: Option<PathBuf>,

    /// Write the run to this file at the end: JSON if it ends in .json, otherwise text
    #[arg(long, value_name = "FILE", help_heading = group::RUN)]
    pub(crate) save: Option<PathBuf>,

    /// How to print the run: as a table, a sequence chart or a Gantt chart
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = group::OUTPUT)]
    pub(crate) trace_format: TraceFormat,

    #[command(flatten)]
    pub(crate) output: FormatArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

/// The formats of `check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    Text,
    Json,
    Csv,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        definition(Args::command()).debug_assert();
        definition(for_screen(Args::command())).debug_assert();
    }
}
