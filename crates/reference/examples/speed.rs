//! Measures a random run and its replay: `speed MODEL STEPS`.
#![allow(clippy::print_stdout)]

use std::time::Instant;
use zonewalk_reference::Interpreter;
use zonewalk_reference::simulate::RandomRun;
use zonewalk_syntax::source::SourceMap;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("expected a model")?;
    let steps: usize = args.next().ok_or("expected a number of steps")?.parse()?;
    let start = Instant::now();
    let mut sources = SourceMap::new();
    let (document, _) = zonewalk_syntax::read::read_model(&path, &std::fs::read(&path)?, None, &mut sources);
    let (model, _) = zonewalk_model::check::check(sources, &document.ok_or("no model")?, &[]);
    let model = model.map_err(|_| "the model has errors")?;
    let loaded = start.elapsed();
    let start = Instant::now();
    let system = zonewalk_model::instance::instantiate(&model).map_err(|e| format!("{e:?}"))?;
    println!(
        "{} processes; load {loaded:.0?}, instantiate {:.0?}",
        system.processes.len(),
        start.elapsed()
    );

    let interpreter = Interpreter::new(&model, &system)?;
    let mut run = RandomRun::new(&interpreter, 1)?;
    let start = Instant::now();
    let mut taken = Vec::new();
    while taken.len() < steps {
        match run.step()? {
            Some(step) => taken.push(step.step),
            None => break,
        }
    }
    println!("{} random steps in {:.2?}", taken.len(), start.elapsed());
    let start = Instant::now();
    let mut state = interpreter.initial()?;
    for step in &taken {
        state = interpreter.replay_step(&state, step)?;
    }
    assert_eq!(&state, run.state());
    println!("replayed in {:.2?}", start.elapsed());
    Ok(())
}
