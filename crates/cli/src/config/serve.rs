//! Configuration of `zonewalk serve`.

use super::{SearchConfig, query_source, request};
use crate::args::{ServeArgs, When};
use crate::input;
use crate::load::Request;
use crate::status::Error;
use zonewalk_checker::TraceKind;

/// `zonewalk serve`.
#[derive(Debug)]
pub(crate) struct ServeConfig {
    pub(crate) request: Request,
    pub(crate) quiet: bool,
    /// 0 is any that is free.
    pub(crate) port: u16,
    pub(crate) search: SearchConfig,
}

impl ServeConfig {
    pub(crate) fn new(mut args: ServeArgs, quiet: bool) -> Result<Self, Error> {
        if input::is_stdin(&args.model.model) {
            return Err(Error::new(
                "serve reads the model again when it changes, so it cannot come from standard input",
            ));
        }
        args.tuning.progress = When::Never;
        Ok(ServeConfig {
            search: SearchConfig::new(&args.search, &args.tuning, TraceKind::Some, quiet)?,
            request: request(args.model, query_source(args.queries))?,
            quiet,
            port: args.port,
        })
    }
}
