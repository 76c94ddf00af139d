//! Checking a trace from elsewhere.

use crate::judge::record::Recorder;
use std::fmt;
use zonewalk_model::ids::{EdgeId, ProcessId};
use zonewalk_model::tree::statistical::{Path, Statistical};
use zonewalk_model::tree::{Expr, QueryKind};
use zonewalk_reference::rational::Rational;
use zonewalk_reference::{Error, ExpectedError, Interpreter, Part, Replayed, State, Step};
use zonewalk_report::trace::{self, End, Participant, Time, Trace};

/// Combinations of edges that are tried where a trace does not name them.
const COMBINATIONS: usize = 1000;

/// Why a trace is not one of the model's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The step, counted from 1; `None` for the initial state and for what comes after the last step.
    pub step: Option<usize>,
    /// The error.
    pub message: String,
}

impl std::error::Error for Invalid {}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            Some(step) => write!(f, "step {step}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// Property that the end of a trace must show.
#[derive(Clone, Copy, Debug)]
pub enum Purpose<'e> {
    /// A predicate has this truth value.
    Goal(&'e Expr, bool),
    /// One of these expressions has the value that the trace says, in a state that fulfils the condition.
    Value(Option<&'e Expr>, &'e [Expr]),
}

impl<'e> Purpose<'e> {
    /// Purpose of a trace for such a query: a state and the truth value of a predicate there, or a value; `None` for runs that are
    /// judged as a whole.
    pub fn of(kind: &'e QueryKind) -> Option<Purpose<'e>> {
        match kind {
            QueryKind::Reachable(expr) => Some(Purpose::Goal(expr, true)),
            QueryKind::Invariant(expr) => Some(Purpose::Goal(expr, false)),
            QueryKind::Extremum { predicate, exprs, .. } => Some(Purpose::Value(predicate.as_ref(), exprs)),
            // A run of many: one that reaches the state, or leaves it where it should always hold.
            QueryKind::Statistical(statistical) => match &**statistical {
                Statistical::Probability(sampled) | Statistical::Test { sampled, .. } => {
                    match &sampled.path {
                        Path::Eventually(expr) => Some(Purpose::Goal(expr, true)),
                        Path::Always(expr) => Some(Purpose::Goal(expr, false)),
                        Path::Until(..) => None,
                    }
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// Repeats a trace step by step on the reference interpreter. Everything that it says must be so: the initial state, who
/// takes part, what changes, when; and its end must show what it is for, if that is given.
///
/// # Errors
/// The first thing that is not so.
pub fn replay(
    interpreter: &Interpreter<'_>,
    trace: &Trace,
    purpose: Option<Purpose<'_>>,
) -> Result<(), Invalid> {
    replay_each(interpreter, trace, purpose, &mut |_, _, _| {})
}

/// Replays, and shows each step on the way: its number, counted from 1, what it is in the terms of the model, and where it leads.
/// The steps shown count only when the end is reached without an error.
///
/// # Errors
/// The first thing that is not so.
pub fn replay_each(
    interpreter: &Interpreter<'_>,
    trace: &Trace,
    purpose: Option<Purpose<'_>>,
    visit: &mut dyn FnMut(usize, &Step, &Replayed),
) -> Result<(), Invalid> {
    let recorder = Recorder::new(interpreter);
    let invalid = |message: String| Invalid { step: None, message };
    let mut state = interpreter
        .initial()
        .map_err(|error| invalid(error.to_string()))?;
    same_state(&trace.initial, &recorder.state(&state)).map_err(invalid)?;
    let mut cycle = CycleCheck::new(&trace.end, trace.steps.len()).map_err(invalid)?;
    for (index, recorded) in trace.steps.iter().enumerate() {
        cycle.pass(index, || recorder.state(&state)).map_err(invalid)?;
        let invalid = |message: String| Invalid {
            step: Some(index + 1),
            message,
        };
        let (step, replayed) = take(interpreter, &state, recorded).map_err(invalid)?;
        let real = recorder.step(&replayed.delayed, &step, replayed.channel, &replayed.state);
        same_step(recorded, &real).map_err(invalid)?;
        visit(index + 1, &step, &replayed);
        state = replayed.state;
    }
    cycle
        .pass(trace.steps.len(), || recorder.state(&state))
        .map_err(invalid)?;
    let after = |error: Error| invalid(format!("after the last step: {error}"));
    let delay = rational(trace.last_delay).map_err(invalid)?;
    let last = interpreter.delay(&state, delay).map_err(after)?;
    let is_shown = match (purpose, &trace.end) {
        (_, End::Error { attempt: None, .. }) => true,
        // What was tried is known only where the judge has met the error itself.
        (_, End::Error { message, .. }) => {
            let asked: Vec<&Expr> = match &purpose {
                Some(Purpose::Goal(expr, _)) => vec![*expr],
                Some(Purpose::Value(condition, exprs)) => condition.iter().copied().chain(*exprs).collect(),
                None => Vec::new(),
            };
            let failure = interpreter.failure(&last, ExpectedError::Told(message), &asked);
            if failure.is_none() {
                return Err(invalid(format!(
                    "every step is possible, but the error that the trace ends with does not happen: {message}"
                )));
            }
            true
        }
        (_, End::Deadlock { .. }) if !interpreter.is_deadlock(&last).map_err(after)? => {
            return Err(invalid(
                "every step is possible, but the trace does not end in a deadlock".to_owned(),
            ));
        }
        // Runs that the user ended show nothing.
        (_, End::Quit) => true,
        (Some(Purpose::Goal(expr, wanted)), _) => interpreter.holds(&last, expr).map_err(after)? == wanted,
        (Some(Purpose::Value(condition, exprs)), End::Value { expression, value }) => {
            let value = rational(*value).map_err(invalid)?;
            let is_meant = |expr: &&Expr| written(interpreter, expr) == *expression;
            let Some(expr) = exprs.iter().find(is_meant) else {
                return Err(invalid(format!("the query does not ask for {expression}")));
            };
            let real = interpreter.value(&last, expr).map_err(after)?;
            if real != value {
                return Err(invalid(format!(
                    "the trace says that {expression} is {value} at the end, but it is {real}"
                )));
            }
            match condition {
                Some(condition) => interpreter.holds(&last, condition).map_err(after)?,
                None => true,
            }
        }
        _ => true,
    };
    if is_shown {
        return Ok(());
    }
    Err(invalid(
        "every step is possible, but the trace does not end where the query says".to_owned(),
    ))
}

/// A cycle must come back to the locations and variables that it begins with.
struct CycleCheck {
    cycle: Option<(usize, usize)>,
    first: Option<trace::State>,
}

impl CycleCheck {
    fn new(end: &End, steps: usize) -> Result<CycleCheck, String> {
        let cycle = match *end {
            End::Cycle { start, length } => Some((start, length)),
            _ => None,
        };
        if let Some((start, length)) = cycle
            && (length == 0 || start.checked_add(length).is_none_or(|end| end > steps))
        {
            return Err(format!(
                "the trace has {steps} steps: a cycle of {length} that begins after {start} is not among them"
            ));
        }
        Ok(CycleCheck { cycle, first: None })
    }

    /// The state after a number of steps.
    fn pass(&mut self, steps: usize, state: impl Fn() -> trace::State) -> Result<(), String> {
        let Some((start, length)) = self.cycle else {
            return Ok(());
        };
        if steps == start {
            self.first = Some(state());
        } else if steps == start + length
            && let Some(first) = &self.first
        {
            let now = state();
            if (&now.locations, &now.variables) != (&first.locations, &first.variables) {
                return Err(format!(
                    "the cycle of {length} steps does not return to the locations and variables that it begins with"
                ));
            }
        }
        Ok(())
    }
}

/// An expression as it was written.
pub(crate) fn written(interpreter: &Interpreter<'_>, expr: &Expr) -> String {
    let written = interpreter.model().sources.slice(expr.span);
    written.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Takes a step as the trace records it.
fn take(
    interpreter: &Interpreter<'_>,
    state: &State,
    recorded: &trace::Step,
) -> Result<(Step, Replayed), String> {
    let delay = rational(recorded.delay)?;
    let mut choices = Vec::with_capacity(recorded.edges.len());
    for participant in &recorded.edges {
        choices.push(parts(interpreter, participant)?);
    }
    let combinations = choices.iter().map(Vec::len).fold(1, usize::saturating_mul);
    let mut refusal = String::new();
    for number in 0..combinations.min(COMBINATIONS) {
        let mut rest = number;
        let pick = |choice: &Vec<Part>| {
            let part = choice[rest % choice.len()].clone();
            rest /= choice.len();
            part
        };
        let step = Step {
            delay,
            parts: choices.iter().map(pick).collect(),
        };
        match interpreter.replay(state, &step) {
            Ok(replayed) => return Ok((step, replayed)),
            Err(error) if number == 0 => refusal = error.to_string(),
            Err(_) => {}
        }
    }
    Err(refusal)
}

/// The edges that a participant may mean: one where it is numbered. Never empty.
fn parts(interpreter: &Interpreter<'_>, recorded: &Participant) -> Result<Vec<Part>, String> {
    let (model, system) = (interpreter.model(), interpreter.system());
    let process = system.processes.iter().position(|p| *p.name == *recorded.process);
    let Some(process) = process else {
        return Err(format!("there is no process {}", recorded.process));
    };
    let template = &model.templates[system.processes[process].template.index()];
    let name = |id: zonewalk_model::ids::LocationId| &*template.locations[id.index()].name;
    let fits = |(number, edge): &(usize, &zonewalk_model::tree::Edge)| {
        recorded.edge.is_none_or(|recorded| recorded == *number)
            && name(edge.source) == recorded.source
            && name(edge.target) == recorded.target
            && edge.selects.len() == recorded.selects.len()
    };
    let edges = template.edges.iter().enumerate().filter(fits);
    let parts: Vec<_> = edges
        .map(|(number, _)| Part {
            process: ProcessId::from_index(process),
            edge: EdgeId::from_index(number),
            selects: recorded.selects.iter().map(|select| select.value).collect(),
        })
        .collect();
    if parts.is_empty() {
        let number = recorded
            .edge
            .map(|edge| format!(" number {edge}"))
            .unwrap_or_default();
        return Err(format!(
            "{} has no edge{number} from {} to {} with {} selections",
            recorded.process,
            recorded.source,
            recorded.target,
            recorded.selects.len()
        ));
    }
    Ok(parts)
}

fn same_state(recorded: &trace::State, real: &trace::State) -> Result<(), String> {
    let first = "the initial state is not the model's:";
    if recorded.locations.len() != real.locations.len() {
        let (recorded, real) = (recorded.locations.len(), real.locations.len());
        return Err(format!(
            "{first} the trace has {recorded} processes, the model has {real}"
        ));
    }
    for (recorded, real) in recorded.locations.iter().zip(&real.locations) {
        if recorded != real {
            return Err(format!(
                "{first} the trace has {}.{}, the model has {}.{}",
                recorded.process, recorded.location, real.process, real.location
            ));
        }
    }
    if recorded.variables.len() != real.variables.len() || recorded.clocks.len() != real.clocks.len() {
        return Err(format!("{first} it has other variables or clocks"));
    }
    for (recorded, real) in recorded.variables.iter().zip(&real.variables) {
        if recorded != real {
            return Err(format!(
                "{first} the trace has {} = {}, the model has {} = {}",
                recorded.name, recorded.value, real.name, real.value
            ));
        }
    }
    for (recorded, real) in recorded.clocks.iter().zip(&real.clocks) {
        if recorded != real {
            return Err(format!(
                "{first} the trace has {} = {}, the model has {} = {}",
                recorded.name, recorded.value, real.name, real.value
            ));
        }
    }
    Ok(())
}

fn same_step(recorded: &trace::Step, real: &trace::Step) -> Result<(), String> {
    if recorded.time != real.time {
        return Err(format!(
            "the trace says that it is at time {}, but it is at {}",
            recorded.time, real.time
        ));
    }
    if recorded.channel != real.channel {
        let name = |channel: &Option<String>| channel.clone().unwrap_or_else(|| "no channel".to_owned());
        return Err(format!(
            "the trace says that it is on {}, but it is on {}",
            name(&recorded.channel),
            name(&real.channel)
        ));
    }
    let describe = |c: &trace::Change| format!("{}: {} → {}", c.name, c.old, c.new);
    if let Some(change) = recorded
        .changes
        .iter()
        .find(|change| !real.changes.contains(change))
    {
        let really = real.changes.iter().find(|real| real.name == change.name);
        let really = really.map_or_else(|| format!("{} does not change", change.name), describe);
        return Err(format!("the trace says {}, but {really}", describe(change)));
    }
    if let Some(change) = real
        .changes
        .iter()
        .find(|change| !recorded.changes.contains(change))
    {
        return Err(format!("the trace leaves out {}", describe(change)));
    }
    Ok(())
}

fn rational(time: Time) -> Result<Rational, String> {
    Rational::new(time.numerator(), time.denominator()).map_err(|error| error.to_string())
}
