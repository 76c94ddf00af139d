//! The `zonewalk` command: arguments → configuration → run → exit status.
//!
//! The package `zonewalk` has the binary and its tests.
//!
//! # Rooms
//!
//! `args` (what was typed) → `config` (what is meant) → a module per command → `Status`.
//!
//! - Input: `load` has the checker load a model, from standard input too, and knows what to do about mistakes with
//!   files; `input` bounds what is read; `advice` has hints for mistakes that the errors themselves do not explain.
//! - Output: `output` owns both streams, `terminal` knows how wide the screen is, `chart` chooses among tables and
//!   charts of a trace. `whole_file` writes files whole or not at all; `trace_file` writes traces by it, `certificate_file`
//!   certificates, and `reports` reports.
//! - A search that is under way: `progress` shows it, `interrupt` stops it. `guard` gives it a deep stack and turns a
//!   panic into exit status 70.
//! - Commands: `check::decide` decides queries for `check` itself, for `serve`, and for `verifyta` with the sentences of that tool;
//!   each answer becomes an `outcome`.
//!   `explicit` is `check` and `explore` on systems in Aldebaran format. `refine` decides queries about timed I/O
//!   automata: `queries` reads them, `describe` has a run judged and puts it into words, `save` writes components,
//!   `replay` judges runs from files.
//! - `bench` measures the tables of the papers, by the crate `papers`.

mod advice;
mod args;
#[cfg(feature = "papers")]
mod bench;
mod certificate_file;
mod chart;
mod check;
mod command_line;
mod config;
mod document;
mod draw;
mod explicit;
mod explore;
mod generate;
mod guard;
mod info;
mod input;
mod interrupt;
mod judge;
mod lint;
mod load;
mod manual;
mod outcome;
mod output;
mod plot;
mod progress;
mod refine;
mod replay;
mod replayed;
mod reports;
#[cfg(feature = "serve")]
mod serve;
mod simulate;
mod skipped;
mod status;
mod terminal;
mod trace_file;
mod unavailable;
mod verifyta;
mod view;
mod whole_file;

use clap::error::ErrorKind;
use config::Job;
use input::is_explicit;
use output::Output;
use status::Status;
use std::ffi::OsString;
use std::process::ExitCode;

/// Does what the arguments of this process ask for.
pub fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    status(&args).into()
}

/// Does what these arguments ask for, the first of which is the name of the command; its exit status. `program` starts the command
/// as a process: a file and its first arguments.
pub fn run_as(args: &[OsString], program: &[OsString]) -> u8 {
    #[cfg(feature = "papers")]
    zonewalk_papers::set_program(program);
    #[cfg(not(feature = "papers"))]
    let _ = program;
    status(args).code()
}

fn status(args: &[OsString]) -> Status {
    match args::Args::read(args) {
        Ok(args) => guard::on_a_deep_stack(move || run(args)),
        Err(error) => refuse(&error, args.get(1)),
    }
}

/// Help and version go to standard output with status 0, bad usage to standard error with status 2.
fn refuse(error: &clap::Error, command: Option<&OsString>) -> Status {
    if matches!(
        error.kind(),
        ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand
    ) {
        let is_check = command.is_some_and(|word| word == "check" || word == "explore");
        let foreign = error
            .context()
            .filter(|_| is_check)
            .find_map(|(_, value)| advice::of_foreign_option(&value.to_string()));
        if let Some(message) = foreign {
            return status::Error::new(message).report(&mut Output::new(anstream::ColorChoice::Auto));
        }
    }
    // As scripts for the tool of that name expect.
    let is_verifyta = command.is_some_and(|word| word == "verifyta");
    if error.use_stderr() {
        let message = error.render().ansi().to_string();
        Output::new(anstream::ColorChoice::Auto).message(message.trim_end());
    } else if let Err(loss) = error.print()
        && loss.kind() != std::io::ErrorKind::BrokenPipe
    {
        return status::Error::from(loss).report(&mut Output::new(anstream::ColorChoice::Auto));
    }
    // If standard error is closed, there is no way to report it.
    if error.use_stderr() {
        if is_verifyta { Status::No } else { Status::Failure }
    } else {
        Status::Success
    }
}

fn run(args: args::Args) -> Status {
    let mut output = Output::new(args.color);
    let outcome = Job::try_from(args).and_then(|job| match &job {
        Job::Check(config) if is_explicit(&config.request.model) => explicit::check(config, &mut output),
        Job::Check(config) => check::run(config, &mut output),
        Job::Explore(config) if is_explicit(&config.request.model) => explicit::explore(config, &mut output),
        Job::Explore(config) => explore::run(config, &mut output),
        Job::Refine(config) => refine::run(config, &mut output),
        Job::Replay(config) => replay::run(config, &mut output),
        Job::Generate(config) => generate::run(config, &mut output),
        #[cfg(feature = "papers")]
        Job::Bench(config) => bench::run(config, &mut output),
        Job::Judge(config) => judge::run(config, &mut output),
        Job::Lint(config) => lint::run(config, &mut output),
        Job::Info(config) => info::run(config, &mut output),
        Job::Simulate(config) => simulate::run(config, &mut output),
        #[cfg(feature = "serve")]
        Job::Serve(config) => serve::run(config, &mut output),
        Job::Draw(config) => draw::run(config, &mut output),
        Job::View(config) => view::run(config, &mut output),
        Job::Verifyta(config) => verifyta::run(config, &mut output),
        Job::Completions(shell) => manual::completions(*shell, &mut output),
        Job::Man(command) => manual::page(command.as_deref(), &mut output),
        Job::Searches => manual::searches(&mut output),
    });
    let status = match outcome {
        Ok(status) => status,
        Err(error) => error.report(&mut output),
    };
    output.end(status)
}
