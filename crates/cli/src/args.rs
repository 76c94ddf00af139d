//! The arguments as they are given.

use anstream::ColorChoice;
use clap::{Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// Finds errors in real-time system models: networks of timed automata in UPPAAL's language
#[derive(Debug, Parser)]
#[command(name = "zonewalk", version, max_term_width = 100, after_help = EXAMPLES)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours: auto, always or never
    #[arg(long, global = true, display_order = 90)]
    #[arg(value_name = "WHEN", default_value = "auto", value_parser = color)]
    pub(crate) color: ColorChoice,

    /// Print no warnings
    #[arg(long, global = true, display_order = 91)]
    pub(crate) quiet: bool,
}

const EXAMPLES: &str = "Examples:
  zonewalk info models/fischer.xml
  zonewalk info models/fischer.xml -D N=20 --format json
  zonewalk simulate models/train-gate.xml --seed 7 --steps 20

Exit status: 0 all is well; 2 bad usage, a bad model or a run-time error of the model;
70 a bug of zonewalk.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Tell what a model consists of, what it uses, and which engines can work on it
    #[command(after_help = INFO_EXAMPLES)]
    Info(InfoArgs),

    /// Run a model step by step, at random or by your choice
    #[command(after_help = SIMULATE_EXAMPLES)]
    Simulate(SimulateArgs),

    /// Anything else, to be refused by name.
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

const INFO_EXAMPLES: &str = "Examples:
  zonewalk info models/fischer.xml
  zonewalk info models/bridge.xta models/bridge.q
  zonewalk info models/fischer.xml -q 'E<> Process(2).critical' --format json
  cat model.xml | zonewalk info -

Exit status: 0 the model is well-formed, whatever its queries; 2 otherwise.";

const SIMULATE_EXAMPLES: &str = "Examples:
  zonewalk simulate models/fischer.xml
  zonewalk simulate models/train-gate.xml -D N=2 --seed 7 --steps 50
  zonewalk simulate models/heartbeat.xml --interactive

The same seed gives the same run everywhere. Exit status: 0 the run was made; 2 the model is bad
or does what its language forbids.";

/// What names a model.
#[derive(Debug, clap::Args)]
pub(crate) struct ModelArgs {
    /// The model: .xml, .xta or .ta, or - for standard input
    pub(crate) model: PathBuf,

    /// Override a global integer constant; may be given several times
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = definition)]
    pub(crate) define: Vec<(String, i32)>,

    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// The queries; by default those inside the model, else the file of the same name with .q
    #[arg(value_name = "QUERYFILE")]
    pub(crate) query_file: Option<PathBuf>,

    /// Use this query instead; may be given several times
    #[arg(short = 'q', value_name = "FORMULA", conflicts_with = "query_file")]
    pub(crate) query: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,

    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Number of transitions
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) steps: usize,

    /// Choose each transition and delay yourself
    #[arg(long, conflicts_with_all = ["seed", "steps"])]
    pub(crate) interactive: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

fn color(value: &str) -> Result<ColorChoice, String> {
    match value {
        "auto" => Ok(ColorChoice::Auto),
        "always" => Ok(ColorChoice::Always),
        "never" => Ok(ColorChoice::Never),
        _ => Err("auto, always or never is expected".to_owned()),
    }
}

fn definition(value: &str) -> Result<(String, i32), String> {
    let (name, number) = value
        .split_once('=')
        .ok_or("NAME=VALUE is expected, such as N=5")?;
    let (name, number) = (name.trim(), number.trim());
    if name.is_empty() {
        return Err("the name of a constant is expected before `=`".to_owned());
    }
    match number.parse() {
        Ok(number) => Ok((name.to_owned(), number)),
        Err(error) => Err(format!("`{number}` is no value of a constant: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn definitions() {
        assert_eq!(definition("N=-3"), Ok(("N".into(), -3)));
        assert_eq!(definition(" N = 3"), Ok(("N".into(), 3)));
        assert!(definition("N").is_err());
        assert!(definition("=3").is_err());
        assert!(definition("N=3000000000").unwrap_err().contains("too large"));
        assert!(definition("N=x").is_err());
    }
}
