//! Checks a query on a model:
//!
//! ```text
//! cargo run --release -p zonewalk --example check -- FILE QUERY
//! ```
#![allow(clippy::print_stdout)]

use std::error::Error;
use zonewalk::{Options, Outcome, check_text};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(query)) = (arguments.next(), arguments.next()) else {
        return Err("say which file, and which query".into());
    };
    let model = std::fs::read_to_string(&file)?;
    let report = check_text(&file, &model, &query, &Options::default())?;
    match report.outcome {
        Outcome::Decided { satisfied, witness } => {
            let steps = witness.map(|witness| witness.steps);
            println!("{satisfied} by {}, steps of the run: {steps:?}", report.search);
        }
        other => println!("{other:?}"),
    }
    Ok(())
}
