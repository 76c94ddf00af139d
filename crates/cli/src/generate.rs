//! `zonewalk generate`

use crate::config::GenerateConfig;
use crate::output::Output;
use crate::status::{Error, Status};
use std::fmt::Write as _;
use zonewalk_families::{Family, all, generate};

/// Writes a member of a family, or lists the families.
pub(crate) fn run(config: &GenerateConfig, output: &mut Output) -> Result<Status, Error> {
    match config {
        GenerateConfig::List => {
            let families: Vec<_> = all().iter().map(describe).collect();
            output.text(&families.join("\n"))?;
        }
        GenerateConfig::Member { family, params } => {
            output.result(&generate(family, params).map_err(Error::new)?)?;
        }
    }
    output.flush()?;
    Ok(Status::Success)
}

/// A family and its parameters.
fn describe(family: &Family) -> String {
    let mut text = format!("{}\n    {}\n", family.name, family.summary);
    for param in family.params {
        let name = match param.name {
            "n" => "-n".to_owned(),
            name => format!("--param {name}"),
        };
        let values = if param.words.is_empty() {
            format!("{} to {}", param.min, param.max)
        } else {
            param.words.join(", ")
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "    {name}: {} ({values}) [{}]",
            param.summary,
            param.text(param.default)
        );
    }
    text
}
