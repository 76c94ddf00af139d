//! `zonewalk bench`: the tables of the papers, measured again and printed beside what they say.

mod child;
mod drs;
mod fmics;
mod grid;
mod highway;
mod machine;
mod mcta;
mod model;
mod setta;
mod svg;
mod zones;

use crate::config::{BenchConfig, BenchFormat};
use crate::document;
use crate::interrupt;
use crate::output::Output;
use crate::status::{Error, Status};
use serde_json::{Value, json};
use std::sync::Arc;
use zonewalk::Control;

/// A paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paper {
    Fmics,
    Drs,
    Highway,
    Setta,
    Mcta,
    /// No paper, but a peer: TChecker.
    Zones,
}

impl Paper {
    const ALL: [(Paper, &str); 6] = [
        (Paper::Fmics, "fmics"),
        (Paper::Drs, "drs"),
        (Paper::Highway, "highway"),
        (Paper::Setta, "setta"),
        (Paper::Mcta, "mcta"),
        (Paper::Zones, "zones"),
    ];

    fn numbers(self) -> Vec<u32> {
        match self {
            Paper::Fmics => fmics::numbers().collect(),
            Paper::Drs => drs::numbers().collect(),
            Paper::Highway => highway::NUMBERS.to_vec(),
            Paper::Setta => setta::numbers().collect(),
            Paper::Mcta => mcta::NUMBERS.to_vec(),
            Paper::Zones => zones::NUMBERS.to_vec(),
        }
    }
}

/// The tables and figures that a name stands for: all of a paper, or one.
pub(crate) fn tables(name: &str) -> Option<Vec<(Paper, u32)>> {
    let (paper, rest) = Paper::ALL
        .into_iter()
        .find_map(|(paper, title)| Some((paper, name.strip_prefix(title)?)))?;
    let all = paper.numbers();
    let numbers = match rest {
        "" => all,
        _ => {
            let wanted = rest.strip_prefix('-')?;
            all.into_iter().filter(|n| n.to_string() == wanted).collect()
        }
    };
    (!numbers.is_empty()).then(|| numbers.into_iter().map(|number| (paper, number)).collect())
}

/// Measures tables row by row.
pub(crate) fn run(config: &BenchConfig, output: &mut Output) -> Result<Status, Error> {
    output.need_reader();
    let control = Arc::new(Control::default());
    interrupt::listen(&control);
    let mut documents = Vec::new();
    for (paper, _) in Paper::ALL {
        let numbers: Vec<u32> = config
            .tables
            .iter()
            .filter(|(of, _)| *of == paper)
            .map(|(_, number)| *number)
            .collect();
        if numbers.is_empty() {
            continue;
        }
        documents.extend(match paper {
            Paper::Fmics => fmics::run(config, &numbers, &control, output)?,
            Paper::Drs => drs::run(config, &numbers, &control, output)?,
            Paper::Highway => highway::run(config, &numbers, &control, output)?,
            Paper::Setta => setta::run(config, &numbers, &control, output)?,
            Paper::Mcta => mcta::run(config, &numbers, &control, output)?,
            Paper::Zones => zones::run(config, &control, output)?,
        });
    }
    if let Some(row) = config.rows.iter().find(|row| !is_measured(row, &documents)) {
        output.flush()?;
        return Err(Error::new(format_args!(
            "there is no row `{row}` in these tables, or its model is not at hand; without --row they are all printed"
        )));
    }
    if config.format == BenchFormat::Json {
        output.result(&document::render(&json!({
            "zonewalk": env!("CARGO_PKG_VERSION"),
            "schema": 1,
            "models": config.models.as_ref().map(|models| models.display().to_string()),
            "timeout_s": config.timeout.as_secs_f64(),
            "peak_memory_bytes": crate::resources::peak_memory(),
            "tables": documents,
        })))?;
    }
    output.flush()?;
    Ok(if control.is_interrupted() {
        Status::Interrupted
    } else {
        Status::Success
    })
}

/// Whether one of the tables has a row of this name.
fn is_measured(name: &str, tables: &[Value]) -> bool {
    let mut rows = tables
        .iter()
        .filter_map(|table| table["rows"].as_array())
        .flatten();
    rows.any(|row| {
        row.as_object()
            .is_some_and(|row| row.values().any(|value| value == name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tables() {
        assert_eq!(tables("drs-3"), Some(vec![(Paper::Drs, 3)]));
        assert_eq!(tables("fmics").map(|list| list.len()), Some(6));
        assert_eq!(tables("highway").map(|list| list.len()), Some(5));
        assert_eq!(tables("zones"), Some(vec![(Paper::Zones, 1)]));
        let setta = [1, 2, 3, 4, 5, 6, 10].map(|number| (Paper::Setta, number));
        assert_eq!(tables("setta"), Some(setta.to_vec()));
        let mcta = [1, 2, 3, 4].map(|number| (Paper::Mcta, number));
        assert_eq!(tables("mcta"), Some(mcta.to_vec()));
        assert_eq!(tables("setta-10"), Some(vec![(Paper::Setta, 10)]));
        for wrong in ["drs-5", "fmic", "fmics9", "highway-", "setta-7"] {
            assert_eq!(tables(wrong), None, "{wrong}");
        }
    }
}
