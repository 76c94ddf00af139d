//! Public models, where they are present: random runs replay, and the two ways to look at a state agree.

// A helper that unwraps is an assertion.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use zonewalk_model::{check, instance};
use zonewalk_reference::simulate::RandomRun;
use zonewalk_reference::{Error, Interpreter};
use zonewalk_syntax::read;
use zonewalk_syntax::source::SourceMap;

fn models() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|e| e == "xml" || e == "xta" || e == "ta")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Runs a model a little; `None` when there is nothing to run.
fn run(path: &Path) -> Option<()> {
    let mut sources = SourceMap::new();
    let bytes = std::fs::read(path).unwrap();
    let (document, diagnostics) = read::read_model(&path.to_string_lossy(), &bytes, None, &mut sources);
    let document = document.filter(|_| !diagnostics.has_errors())?;
    let (model, _) = check::check(sources, &document, &[]);
    let model = model.ok()?;
    let system = instance::instantiate(&model).ok()?;
    let interpreter = Interpreter::new(&model, &system).ok()?;
    let steps = if system.processes.len() > 200 { 2 } else { 15 };
    let outcome = steps_replay(&interpreter, steps);
    assert!(
        !matches!(outcome, Err(Error::Refused(_))),
        "{}: {outcome:?}",
        path.display()
    );
    Some(())
}

fn steps_replay(interpreter: &Interpreter<'_>, steps: usize) -> Result<(), Error> {
    let mut random = RandomRun::new(interpreter, 1)?;
    for _ in 0..steps {
        let before = random.state().clone();
        let Some(taken) = random.step()? else {
            return Ok(());
        };
        assert_eq!(interpreter.replay_step(&before, &taken.step)?, taken.state);

        let mut later = interpreter.transitions(&before)?;
        later.retain(|t| t.windows.contains(0.into()));
        let now = interpreter.enabled_now(&before)?;
        let parts = |list: &[zonewalk_reference::Transition]| {
            list.iter().map(|t| t.parts.clone()).collect::<Vec<_>>()
        };
        assert_eq!(parts(&now), parts(&later));
    }
    Ok(())
}

#[test]
fn random_runs_replay() {
    let models = models();
    let ran = models.iter().filter(|path| run(path).is_some()).count();
    // Nearly all of them are plain timed automata.
    assert!(ran * 2 >= models.len(), "{ran} of {}", models.len());
}
