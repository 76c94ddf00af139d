//! The `zonewalk` command: arguments → configuration → run → exit status.

mod args;
mod config;
mod guard;
mod info;
mod input;
mod load;
mod output;
mod simulate;
mod status;
mod unavailable;

use clap::Parser as _;
use config::Job;
use output::Output;
use status::Status;
use std::process::ExitCode;

fn main() -> ExitCode {
    // clap prints help and version to standard output with status 0, and bad usage to standard error with status 2.
    let args = args::Args::parse();
    guard::on_a_deep_stack(move || run(args)).into()
}

fn run(args: args::Args) -> Status {
    let mut output = Output::new(args.color);
    let outcome = Job::try_from(args).and_then(|job| match &job {
        Job::Info(config) => info::run(config, &mut output),
        Job::Simulate(config) => simulate::run(config, &mut output),
    });
    match outcome {
        Ok(status) => status,
        Err(error) => error.report(&mut output),
    }
}
