//! Configuration of `zonewalk judge`.

use super::request;
use super::search::cores;
use crate::args::{Format, JudgeArgs};
use crate::input;
use crate::load::{QuerySource, Request};
use crate::status::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use zonewalk_checker::JudgeOptions;
use zonewalk_checker::resources::default_memory;

/// `zonewalk judge`.
#[derive(Debug)]
pub(crate) struct JudgeConfig {
    pub(crate) request: Request,
    pub(crate) format: Format,
    pub(crate) quiet: bool,
    pub(crate) certificate: PathBuf,
    /// Counted from 1.
    pub(crate) query_index: Option<usize>,
    /// Whether only the form of the file is looked at.
    pub(crate) lints: bool,
    timeout: Option<Duration>,
    options: JudgeOptions,
}

impl JudgeConfig {
    pub(super) fn new(args: JudgeArgs, quiet: bool) -> Result<Self, Error> {
        if args.query_index == Some(0) {
            return Err(Error::new("--query-index counts from 1"));
        }
        if input::is_stdin(&args.model.model) && input::is_stdin(&args.certificate) {
            return Err(Error::new("model and certificate cannot both be standard input"));
        }
        let memory = args.memory.or_else(default_memory);
        let queries = match args.query {
            Some(formula) => QuerySource::Formulas(vec![formula]),
            None => QuerySource::Model,
        };
        Ok(JudgeConfig {
            request: request(args.model, queries)?,
            format: args.output.format,
            quiet,
            certificate: args.certificate,
            query_index: args.query_index,
            lints: args.lint,
            timeout: args.timeout,
            options: JudgeOptions {
                threads: args.jobs.unwrap_or_else(cores),
                sample: args.sample,
                deadline: None,
                most_bytes: memory
                    .and_then(|bytes| usize::try_from(bytes).ok())
                    .unwrap_or(usize::MAX),
            },
        })
    }

    /// For a judgement that begins now.
    pub(crate) fn options(&self) -> JudgeOptions {
        JudgeOptions {
            deadline: self
                .timeout
                .and_then(|timeout| Instant::now().checked_add(timeout)),
            ..self.options
        }
    }
}
