//! The judge of runs in doubles: computes a recorded run again, with the draws and the instants that were recorded.
//!
//! It shares with the engine what the exact interpreter shares with its engines: the typed tree, and the evaluator of
//! `zonewalk_model`, which the engine does not use. Which edges are ready and who receives, what committed and urgent locations rule
//! out, invariants, rates and updates are written here a second time. Differential equations are integrated by another method
//! (classical Runge and Kutta with small steps), so that a run is confirmed up to a tolerance.

mod delay;
mod initial;
mod readings;
mod transition;

use std::fmt;
use zonewalk_model::eval::Fault;
use zonewalk_model::ids::{LocationId, ProcessId};
use zonewalk_model::system::{Memory, System};
use zonewalk_model::tree::{Expr, Location, Model};
use zonewalk_run::Part;
use zonewalk_syntax::span::Span;

/// Relative difference that clocks and doubles may have.
pub const TOLERANCE: f64 = 1e-6;

/// Where rates depend on clocks, two integrators have been at work.
pub const INTEGRATED_TOLERANCE: f64 = 1e-3;

/// Number of transitions in almost no time that let clocks go on straight for a step of the integrator: a ball that comes to rest bounces
/// without end in a finite time, and no run would come beyond it.
pub const CHATTER: usize = 64;

/// A run in doubles, as it was recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct DoubleRun {
    /// Random numbers drawn by initial values.
    pub initial_draws: Vec<f64>,
    /// The transitions.
    pub steps: Vec<DoubleStep>,
    /// Between which instants clocks with differential equations went on straight: no longer than a step of the integrator, and
    /// only after [`CHATTER`] transitions within a thousandth of it.
    pub straight: Vec<(f64, f64)>,
    /// That step (`--discretization`).
    pub discretization: f64,
    /// When it ends.
    pub end: f64,
}

/// A transition of it.
#[derive(Clone, Debug, PartialEq)]
pub struct DoubleStep {
    /// When it is taken.
    pub time: f64,
    /// Participants: the process that begins it, then the receivers.
    pub parts: Vec<Part>,
    /// Random numbers drawn by its updates.
    pub draws: Vec<f64>,
}

/// A state with clocks in doubles.
#[derive(Clone, Debug, PartialEq)]
pub struct DoubleState {
    /// By `ProcessId`.
    pub locations: Vec<LocationId>,
    /// The variables.
    pub memory: Memory,
    /// By `ClockId`.
    pub clocks: Vec<f64>,
    /// The time since the beginning.
    pub time: f64,
}

/// Why a run is not a run of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Objection {
    /// The number of the transition, from 1; one more than there are for what comes after the last.
    pub step: usize,
    /// The error.
    pub message: String,
    /// Where, if it is somewhere.
    pub span: Span,
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "transition {}: {}", self.step, self.message)
    }
}

impl std::error::Error for Objection {}

/// Computes a run again, and gives the states after its transitions, the initial one first and that at its end last.
///
/// # Errors
/// The first step that the semantics does not allow.
pub fn judge(model: &Model, system: &System, run: &DoubleRun) -> Result<Vec<DoubleState>, Objection> {
    let judge = Judge { model, system };
    let object = |step: usize| {
        move |objection: (String, Span)| Objection {
            step,
            message: objection.0,
            span: objection.1,
        }
    };
    let mut state = judge.initial(&run.initial_draws).map_err(object(0))?;
    let mut states = vec![state.clone()];
    let mut straight = run.straight.iter();
    for (number, step) in run.steps.iter().enumerate() {
        judge
            .pass(&mut state, step.time, (run, &run.steps[..number], &mut straight))
            .map_err(object(number + 1))?;
        judge.take(&mut state, step).map_err(object(number + 1))?;
        states.push(state.clone());
    }
    judge
        .pass(&mut state, run.end, (run, &run.steps, &mut straight))
        .map_err(object(run.steps.len() + 1))?;
    states.push(state);
    Ok(states)
}

/// Whether a condition of a query holds in a state, up to the tolerance of the judge.
///
/// # Errors
/// The run-time error that it runs into, in words.
pub fn holds(model: &Model, system: &System, state: &DoubleState, condition: &Expr) -> Result<bool, String> {
    let judge = Judge { model, system };
    let look = |tolerance: f64| {
        let truth = judge.look(state, None, &[], tolerance, |e| e.holds(condition));
        truth.map_err(|(message, _)| message)
    };
    // Behind a negation a tolerance is the other way round.
    let tolerance = judge.tolerance();
    Ok(look(tolerance)? || look(-tolerance)?)
}

type Judged<T> = Result<T, (String, Span)>;

fn because(fault: &Fault) -> (String, Span) {
    (fault.to_string(), fault.span)
}

struct Judge<'m> {
    model: &'m Model,
    system: &'m System,
}

impl Judge<'_> {
    fn location(&self, state: &DoubleState, process: ProcessId) -> &Location {
        let template = self.system.processes[process.index()].template;
        &self.model.templates[template.index()].locations[state.locations[process.index()].index()]
    }

    fn processes(&self) -> impl Iterator<Item = ProcessId> + use<> {
        (0..self.system.processes.len()).map(ProcessId::from_index)
    }

    fn name(&self, process: ProcessId) -> &str {
        &self.system.processes[process.index()].name
    }
}
