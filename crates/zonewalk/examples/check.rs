//! Checks a query on a model, and shows the run that decides it:
//!
//! ```text
//! cargo run --release --example check -- FILE QUERY
//! ```
#![allow(clippy::print_stdout)]

use std::error::Error;
use zonewalk::{Loader, Options};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(query)) = (arguments.next(), arguments.next()) else {
        return Err("give a model and a query".into());
    };
    let model = Loader::new().query(query).load(file)?;
    for warning in model.warnings() {
        println!("warning: {warning}");
    }
    let report = model.check(0, &Options::default())?;
    println!("{report}");
    let trace = report.witness.and_then(|witness| witness.trace);
    for step in trace.iter().flat_map(|trace| &trace.steps) {
        let edges: Vec<_> = step
            .edges
            .iter()
            .map(|edge| format!("{}: {} -> {}", edge.process, edge.source, edge.target))
            .collect();
        println!("{:>8}  {}", step.time.to_string(), edges.join(", "));
    }
    Ok(())
}
