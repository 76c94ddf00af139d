//! Random runs of whole models.

use zonewalk_reference::simulate::RandomRun;
use zonewalk_reference::{Error, Interpreter, Transition};
use zonewalk_testkit::Loaded;

/// Runs a model a little; `None` when the interpreter does not support it.
pub(crate) fn run(name: &str, loaded: &Loaded) -> Option<()> {
    let interpreter = loaded.interpreter().ok()?;
    let steps = if loaded.system.processes.len() > 200 {
        2
    } else {
        15
    };
    let outcome = steps_replay(&interpreter, steps);
    assert!(!matches!(outcome, Err(Error::Refused(_))), "{name}: {outcome:?}");
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
        let parts = |list: &[Transition]| list.iter().map(|t| t.parts.clone()).collect::<Vec<_>>();
        assert_eq!(parts(&now), parts(&later));
    }
    Ok(())
}

/// How many of so many steps several processes take together. Where a run ends, a new one begins.
pub(crate) fn steps_together(loaded: &Loaded, steps: usize) -> usize {
    let interpreter = loaded.interpreter().expect("supported");
    let (mut together, mut taken, mut seed) = (0, 0, 0);
    while taken < steps {
        seed += 1;
        let mut run = RandomRun::new(&interpreter, seed).expect("an initial state");
        while taken < steps
            && let Some(step) = run.step().expect("a step")
        {
            together += usize::from(step.transition.parts.len() > 1);
            taken += 1;
        }
    }
    together
}
