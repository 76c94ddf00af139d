//! `zonewalk verifyta` in terms of `zonewalk check`.

use super::search::SearchConfig;
use crate::args::{VerifytaArgs, When};
use crate::load::{QuerySource, Request};
use std::io::IsTerminal as _;
use std::path::PathBuf;
use zonewalk_checker::{Abstraction, Search, TraceKind};

/// `zonewalk verifyta`.
#[derive(Debug)]
pub(crate) enum VerifytaConfig {
    /// Says which version this is.
    Version,
    /// Decides queries.
    Check(Box<VerifytaCheck>),
}

/// Queries to decide.
#[derive(Debug)]
pub(crate) struct VerifytaCheck {
    pub(crate) request: Request,
    pub(crate) search: SearchConfig,
    pub(crate) quiet: bool,
    /// Traces go to files whose names begin so.
    pub(crate) trace_prefix: Option<PathBuf>,
    /// `-X`: traces in XML, which are not supported.
    pub(crate) wants_xml_traces: bool,
    /// Where curves and histograms go.
    pub(crate) plot: Option<PathBuf>,
    /// List the options first.
    pub(crate) lists_options: bool,
    /// Show what each formula took.
    pub(crate) shows_usage: bool,
    /// Options that change nothing here.
    pub(crate) idle: Vec<String>,
    /// Where something else is done than was asked for.
    pub(crate) notes: Vec<&'static str>,
}

impl VerifytaConfig {
    pub(super) fn new(args: VerifytaArgs, quiet: bool) -> Self {
        let Some(model) = args.model.clone().filter(|_| !args.show_version) else {
            return VerifytaConfig::Version;
        };
        let (idle, notes) = remarks(&args);
        let trace = match args.trace {
            None => TraceKind::None,
            Some(1) => TraceKind::Shortest,
            Some(2) => TraceKind::Fastest,
            Some(_) => TraceKind::Some,
        };
        let search = match args.order {
            // The best trace has no time limit here, and no other search knows when it has found it.
            _ if wants_best(&args) => Search::Bfs,
            Some(0 | 3) => Search::Bfs,
            Some(1) => Search::Dfs,
            Some(_) => Search::Rdfs,
            None => Search::Auto,
        };
        let extrapolation = match args.extrapolation {
            1 => Some(Abstraction::None),
            4 => Some(Abstraction::Lu),
            _ => None,
        };
        // Elsewhere than on a terminal a line of progress would be taken for an error.
        let progress = if quiet || args.no_progress || !std::io::stderr().is_terminal() {
            When::Never
        } else {
            When::Auto
        };
        VerifytaConfig::Check(Box::new(VerifytaCheck {
            request: Request {
                model,
                queries: args.query_file.map_or(QuerySource::Model, QuerySource::File),
                overrides: Vec::new(),
                levels: args.statistics.levels.clone(),
            },
            search: SearchConfig::simple(search, trace, args.seed, extrapolation, progress)
                .with_statistics(args.statistics.options()),
            plot: args.statistics.plot,
            quiet,
            trace_prefix: args.trace_prefix,
            wants_xml_traces: args.xml_prefix.is_some(),
            lists_options: !args.no_summary,
            shows_usage: args.usage,
            idle,
            notes,
        }))
    }
}

fn wants_best(args: &VerifytaArgs) -> bool {
    matches!(args.trace, Some(1 | 2))
}

/// The options that change nothing here, and what is done in place of what was asked for.
fn remarks(args: &VerifytaArgs) -> (Vec<String>, Vec<&'static str>) {
    let with_value = [
        ("-S", &args.reduction),
        ("-H", &args.hash_size),
        ("--state-representation", &args.representation),
    ];
    let flags = [
        ("-C", args.plain_zones),
        ("-T", args.reuse),
        ("-U", args.unpack),
        ("-e", args.e),
    ];
    let mut idle: Vec<String> = with_value
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name} {}", value.as_ref()?)))
        .collect();
    idle.extend(
        flags
            .into_iter()
            .filter(|(_, is_given)| *is_given)
            .map(|(name, _)| name.to_owned()),
    );
    let notes = [
        (
            wants_best(args) && matches!(args.order, Some(1 | 2 | 4)),
            "-o: breadth first is used, because -t 1 and -t 2 ask for the best trace",
        ),
        (
            args.order == Some(3),
            "-o 3: breadth first is used instead of optimal first",
        ),
        (
            args.order == Some(4) && !wants_best(args),
            "-o 4: random depth first is used instead of random optimal depth first",
        ),
        (
            matches!(args.extrapolation, 2 | 3),
            "-n: the automatic extrapolation is used",
        ),
        (
            args.over,
            "-A: the search is exact, and does not over-approximate",
        ),
        (
            args.under,
            "-Z: the search is exact, and does not under-approximate",
        ),
        (
            args.symbolic,
            "-y: traces are shown with exact times in place of zones",
        ),
        (
            args.trace.is_none() && args.trace_prefix.is_some(),
            "-f: without -t there are no traces to write",
        ),
    ];
    let notes = notes
        .into_iter()
        .filter_map(|(holds, note)| holds.then_some(note));
    (idle, notes.collect())
}
