//! Runs of one system to a state that was asked for.

use zonewalk_tioa::{LocationId, Project, Reading, Rule, Run, Side, StateFormula, System};

use super::judge::{Moment, Phase, ReplayedRun, take, wait};
use super::objection::{Objection, Reason};
use super::specification::Specification;
use super::state::{ComponentState, State};

/// A start other than the initial state: each component, from left to right, with its location and the values of its clocks in
/// ticks. Quotients are where both operands play their parts.
pub type Start = Vec<(LocationId, Vec<i64>)>;

/// Repeats a run of one system, which is the left side of it, to a state with the property `to`.
///
/// `from` is the condition on the start and the start itself; without it the run begins in the initial state.
///
/// # Errors
/// The first thing that is wrong.
pub fn judge_run(
    project: &Project,
    system: &System,
    reading: Reading,
    from: Option<(&StateFormula, &Start)>,
    to: &StateFormula,
    run: &Run,
    watch: &mut dyn FnMut(Moment<'_>),
) -> Result<ReplayedRun, Objection> {
    let mut steps = 0;
    let mut judge = || {
        if run.scale <= 0 {
            return Err(Reason::Scale);
        }
        let specification = Specification::new(project, system, reading, run.scale)
            .map_err(|refused| Reason::System(Side::Left, refused))?;
        let start = start(&specification, from)?;
        let reached = repeat(&specification, start, run, watch, &mut steps)?;
        let goal = specification.goal(to).map_err(Reason::Goal)?;
        if !specification.satisfies(&reached.left, &goal) {
            return Err(Reason::NotReached);
        }
        Ok(reached)
    };
    judge().map_err(|reason| Objection { steps, reason })
}

fn start(specification: &Specification<'_>, from: Option<(&StateFormula, &Start)>) -> Result<State, Reason> {
    let state = match from {
        None => specification.initial(),
        Some((condition, places)) => {
            let state = placed(specification, places).ok_or(Reason::WrongStart)?;
            let condition = specification.goal(condition).map_err(Reason::Goal)?;
            if !specification.satisfies(&state, &condition) {
                return Err(Reason::WrongStart);
            }
            state
        }
    };
    if specification.holds(&state) {
        Ok(state)
    } else {
        Err(Reason::NoInitialState(Side::Left))
    }
}

/// The state with the given places, if they are places of these components.
fn placed(specification: &Specification<'_>, places: &Start) -> Option<State> {
    let parts: Vec<_> = specification.parts().collect();
    let fits = parts.len() == places.len()
        && parts
            .iter()
            .zip(places)
            .all(|((_, component), (location, clocks))| {
                location.index() < component.locations.len()
                    && clocks.len() == component.clocks.len()
                    && clocks.iter().all(|clock| *clock >= 0)
            });
    fits.then(|| {
        specification.state_of(&mut |part, _| ComponentState {
            location: places[part].0,
            clocks: places[part].1.iter().copied().map(i128::from).collect(),
            overdue: false,
        })
    })
}

fn repeat(
    specification: &Specification<'_>,
    start: State,
    run: &Run,
    watch: &mut dyn FnMut(Moment<'_>),
    steps: &mut usize,
) -> Result<ReplayedRun, Reason> {
    if run.rule != Rule::Reached {
        return Err(Reason::WrongRule(run.rule));
    }
    let mut state = start;
    let mut time = 0;
    let mut show = |phase, time, left: &State| {
        watch(Moment {
            phase,
            time,
            left,
            right: None,
        });
    };
    show(Phase::Start, time, &state);
    for step in &run.steps {
        state = wait(specification, Side::Left, &state, step.delay)?;
        time += i128::from(step.delay);
        show(Phase::Before(step), time, &state);
        if !specification.knows(step.action) {
            return Err(Reason::NoLeader(step.action));
        }
        if !step.right.is_empty() {
            return Err(Reason::OtherParts {
                side: Side::Right,
                action: step.action,
                said: step.right.clone(),
            });
        }
        state = take(specification, Side::Left, &state, step.action, &step.left, false)?;
        show(Phase::After(step), time, &state);
        *steps += 1;
    }
    let left_wait = specification.wait(&state);
    let left = wait(specification, Side::Left, &state, run.last_delay)?;
    Ok(ReplayedRun {
        left_wait,
        right_wait: None,
        left,
        right: None,
        time: time + i128::from(run.last_delay),
    })
}
