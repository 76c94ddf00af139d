//! The groups of options in the help, in the order of use, and the options that the short help (`-h`) has.

pub(super) const MODEL: &str = "Model and queries";
pub(super) const PROJECT: &str = "Project and queries";
pub(super) const SEARCH: &str = "Search";
pub(super) const LIMITS: &str = "Limits";
pub(super) const RUN: &str = "Run";
pub(super) const TRACES: &str = "Traces";
pub(super) const PROOFS: &str = "Proofs";
pub(super) const OUTPUT: &str = "Output";
pub(super) const WALKS: &str = "Walks";
pub(super) const ZONES: &str = "Zone graph";
pub(super) const DIRECTED: &str = "Directed searches";
pub(super) const DEEP: &str = "Deep random search and highway search";
pub(super) const STATISTICS: &str = "Statistical queries";

/// By command: what most users need. Everything else is in the long help (`--help`) alone.
const USUAL: [(&str, &[&str]); 4] = [
    (
        "check",
        &[
            "define",
            "query",
            "query_index",
            "expect",
            "strict",
            "search",
            "timeout",
            "threads",
            "trace",
            "trace_file",
            "certificate",
            "format",
            "report",
        ],
    ),
    (
        "explore",
        &[
            "define",
            "search",
            "seed",
            "timeout",
            "threads",
            "memory",
            "max_states",
            "max_walks",
            "format",
            "coverage",
        ],
    ),
    (
        "refine",
        &[
            "define",
            "query_index",
            "expect",
            "search",
            "timeout",
            "threads",
            "trace",
            "trace_file",
            "output",
            "format",
            "report",
        ],
    ),
    (
        "serve",
        &[
            "define", "query", "port", "search", "timeout", "threads", "memory",
        ],
    ),
];

/// Leaves rarely used options out of the short help of a command, where it has many, and of the text below them all but
/// the examples.
pub(super) fn with_short_help(command: clap::Command) -> clap::Command {
    let name = command.get_name().to_owned();
    let Some((_, usual)) = USUAL.iter().find(|(known, _)| *known == name) else {
        return command;
    };
    let below = command
        .get_after_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let examples = below.split("\n\n").next().unwrap_or_default();
    let short = format!("{examples}\n\nAll options, searches and exit statuses: zonewalk {name} --help");
    command.after_help(short).after_long_help(below).mut_args(|arg| {
        let is_rare = !arg.is_positional() && !usual.contains(&arg.get_id().as_str());
        // Options of all commands, which are added later, are usual.
        arg.hide_short_help(is_rare)
    })
}
