//! The tables of the papers, measured again and printed beside what they say.
//!
//! # Rooms
//!
//! There is a module for each paper (`fmics`, `drs`, `highway`, `setta`, `mcta`), one for the zone graph (`zones`) and one for
//! statistical queries (`smc`); `tables` lists them. In the modules of papers, `paper` has the printed figures, `row` the
//! models, `measure` the searches, and `render` the table.
//!
//! Cells are measured once and kept in a file (`session`, `results`, `machine`). `model` loads what is measured, `boxed` limits
//! processor time, `child` measures in a process of its own. Tables are `grid` and `text`, plots `svg`; `rows` and `columns`
//! choose among them.
//!
//! Invariant: nothing here prints. Tables go to an [`Output`].

mod boxed;
mod child;
mod columns;
mod config;
mod drs;
mod fmics;
mod grid;
mod highway;
mod machine;
mod mcta;
mod model;
mod output;
mod results;
mod rows;
mod session;
mod setta;
mod smc;
mod svg;
mod tables;
mod text;
mod zones;

pub use child::set_program;
pub use config::{Config, Format, Paper};
pub use output::{Error, Output};
pub use tables::tables;

use serde_json::{Value, json};
use session::Session;
use tables::fill;
use zonewalk_checker::{Control, resources};

/// Measures tables row by row.
///
/// # Errors
/// A model cannot be measured, the results of earlier runs cannot be read, or nothing can be written.
pub fn run(config: &Config, control: &Control, output: &mut dyn Output) -> Result<(), Error> {
    let config = &Config {
        tables: rows::tables(config, control, output)?,
        ..config.clone()
    };
    let mut session = Session::new(config, control, output)?;
    // Once to know what is missing, and how long that may take.
    fill(&mut session)?;
    session.begin();
    let documents = fill(&mut session)?;
    session.end()?;
    if let Some(row) = config.rows.iter().find(|row| !rows::has(&documents, row)) {
        output.flush()?;
        return Err(Error::new(format_args!(
            "the row `{row}` is not among those that --quick measures, or its model is missing"
        )));
    }
    match config.format {
        Format::Json => output.result(&document(&json!({
            "zonewalk": env!("CARGO_PKG_VERSION"),
            "schema": 1,
            "models": config.models.as_ref().map(|models| models.display().to_string()),
            "timeout_s": config.timeout.map(|time| time.as_secs_f64()),
            "peak_memory_bytes": resources::peak_memory(),
            "tables": documents,
        })))?,
        Format::Csv => output.result(&text::csv(&documents))?,
        Format::Md | Format::Text => {}
    }
    Ok(output.flush()?)
}

/// A document as text, ending with a line break.
fn document(value: &Value) -> String {
    format!("{value:#}\n")
}
