//! `--sweep`: which constants take which values.

use crate::args::{CheckArgs, CheckFormat};
use crate::input::is_explicit;
use crate::status::Error;
use zonewalk_checker::{Sweep, SweepError};

/// A table of answers.
#[derive(Debug)]
pub(crate) struct SweepConfig {
    /// The combinations; of no constants, the model as it is.
    pub(crate) sweep: Sweep,
    pub(crate) format: CheckFormat,
}

impl SweepConfig {
    /// Configuration of a table, if one is asked for.
    pub(super) fn new(args: &CheckArgs) -> Result<Option<Self>, Error> {
        if args.sweep.is_empty() && args.format != CheckFormat::Csv {
            return Ok(None);
        }
        if is_explicit(&args.model.model) {
            return Err(Error::new(if args.sweep.is_empty() {
                "--format csv applies to models; for an explicit system (.aut), use json"
            } else {
                "--sweep: an explicit system (.aut) has no constants"
            }));
        }
        if args.expect {
            return Err(Error::new(if args.sweep.is_empty() {
                "--expect has no column in --format csv; use json"
            } else {
                "--expect compares with outcomes that the model records for its own constants, so it does not go with --sweep"
            }));
        }
        if args.proofs.certificate.is_some() {
            return Err(Error::new(if args.sweep.is_empty() {
                "--certificate does not go with --format csv; use json"
            } else {
                "--certificate is for one model, so it does not go with --sweep; give the constants by -D"
            }));
        }
        let mut sweep = Sweep::new();
        for text in &args.sweep {
            sweep = sweep.parse(text).map_err(|error| refuse(text, &error))?;
        }
        for (name, _) in &args.model.define {
            if sweep.names().any(|swept| swept == name) {
                return Err(Error::new(format_args!(
                    "{name} is given a value by -D and swept by --sweep: leave one of them out"
                )));
            }
        }
        Ok(Some(SweepConfig {
            sweep,
            format: args.format,
        }))
    }
}

fn refuse(text: &str, error: &SweepError) -> Error {
    match error {
        SweepError::Twice { name } => Error::new(format_args!(
            "--sweep {name}=… is given twice; one --sweep takes several values, such as {name}=1,2,5"
        )),
        error => Error::new(format_args!("--sweep {text}: {error}")),
    }
}
