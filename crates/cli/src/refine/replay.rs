//! `zonewalk replay` of a run of timed I/O automata.

use crate::args::Format;
use crate::config::ReplayConfig;
use crate::document::{self, Header};
use crate::input;
use crate::output::Output;
use crate::replayed::Replayed;
use crate::status::{Error, Status};
use crate::trace_file::RunDocument;
use zonewalk_checker::refine::{Subject, describe, fraction};
use zonewalk_reference::tioa::{Objection, Reason, Start};
use zonewalk_report::palette::Palette;
use zonewalk_report::refinement::{
    Alphabet, Inputs as RecordedInputs, Move, Rule as RecordedRule, Run as RecordedRun, StatePart, text,
};
use zonewalk_report::trace::Time;
use zonewalk_report::verdict::text::count;
use zonewalk_syntax::diagnostic::Diagnostics;
use zonewalk_tioa::{
    Action, AlphabetOf, Inputs, LocationId, Project, Query, Reading, Rule, Run, Side, Step, System, Taken,
    query,
};

/// Mistake in a run, with its step, counted from 1.
struct Invalid {
    step: Option<usize>,
    message: String,
}

impl Invalid {
    fn whole(message: impl Into<String>) -> Invalid {
        Invalid {
            step: None,
            message: message.into(),
        }
    }

    fn at(index: usize, message: impl Into<String>) -> Invalid {
        Invalid {
            step: Some(index + 1),
            message: message.into(),
        }
    }
}

/// Has a run from a file judged.
pub(crate) fn run(
    config: &ReplayConfig,
    document: &RunDocument,
    output: &mut Output,
) -> Result<Status, Error> {
    let name = input::name(&config.trace);
    let bad = |why: String| Error::new(format_args!("{name} is not a trace: {why}"));
    let recorded = &document.run;
    let (query, systems) = subject(document).map_err(bad)?;
    let mut loaded = match super::load_of_run(&config.request.model, &config.request.overrides, document)? {
        Ok(loaded) => loaded,
        Err(malformed) => {
            document::refuse(config.format, &malformed, output)?;
            return Ok(Status::Failure);
        }
    };
    if !config.quiet {
        let mut diagnostics = Diagnostics::new();
        let warnings = std::mem::take(&mut loaded.warnings);
        warnings.into_iter().for_each(|warning| diagnostics.push(warning));
        output.diagnostics(&diagnostics, &loaded.sources);
    }
    let outcome = judge(&mut loaded.project, recorded, &query, &systems);
    // A run to a state that was not asked for shows why a side cannot be used, and the judge does not know that rule.
    let is_judged = systems.len() == 2 || matches!(query, Query::Reachability { .. });
    print(config, &name, document, is_judged, &outcome, output)?;
    Ok(if outcome.is_ok() {
        Status::Success
    } else {
        Status::No
    })
}

/// Has a run judged before it is shown.
///
/// # Errors
/// The first mistake, and its place.
pub(crate) fn confirm(project: &mut Project, document: &RunDocument) -> Result<(), String> {
    let (query, systems) = subject(document)?;
    judge(project, &document.run, &query, &systems).map_err(|invalid| match invalid.step {
        Some(step) => format!("step {step}: {}", invalid.message),
        None => invalid.message,
    })
}

/// Subject of a run: its query, and its one or two systems.
fn subject(document: &RunDocument) -> Result<(Query, Vec<System>), String> {
    let query = read_query(&document.query).map_err(|why| format!("its query: {why}"))?;
    let systems = document.run.systems.iter().map(|text| read_system(text));
    let systems: Vec<System> = systems
        .collect::<Result<_, _>>()
        .map_err(|why| format!("its systems: {why}"))?;
    if !matches!(systems.len(), 1 | 2) {
        return Err(format!("it has {} systems; expected 1 or 2", systems.len()));
    }
    Ok((query, systems))
}

fn read_query(text: &str) -> Result<Query, String> {
    let queries = query::parse(text).map_err(|error| error.message.clone())?;
    let mut queries = queries.into_iter();
    match (queries.next(), queries.next()) {
        (Some(query), None) => Ok(query),
        _ => Err("expected one query".to_owned()),
    }
}

/// Systems are read as parts of queries.
fn read_system(text: &str) -> Result<System, String> {
    match read_query(&format!("determinism: {text}"))? {
        Query::Determinism(system) => Ok(system),
        _ => Err(format!("`{text}` is not a system")),
    }
}

/// Everything that the file says has to be so.
fn judge(
    project: &mut Project,
    recorded: &RecordedRun,
    query: &Query,
    given: &[System],
) -> Result<(), Invalid> {
    let expand = |project: &Project, system: &System| {
        let expanded = project.expand(system);
        expanded.map_err(|unresolved| Invalid::whole(unresolved.to_string()))
    };
    let mut expanded = Vec::new();
    for system in given {
        let system = expand(project, system)?;
        project.intern_fresh_inputs(&system);
        expanded.push(system);
    }
    let mut asked = Vec::new();
    for system in query.systems() {
        asked.push(expand(project, system)?);
    }
    let is_of_query = match expanded.as_slice() {
        [only] if !matches!(query, Query::Reachability { .. }) => {
            // It shows what is wrong with a part of what the query is about.
            asked.contains(only) || asked.iter().any(|system| mentions(system, only))
        }
        _ => expanded == asked,
    };
    if !is_of_query {
        return Err(Invalid::whole(
            "it is a run of systems other than those of its query",
        ));
    }
    let run = timed(project, recorded)?;
    let (from, goal) = match query {
        Query::Reachability { from, to, .. } => (from.as_ref(), Some(to)),
        _ => (None, None),
    };
    let start = match (from, &recorded.start) {
        (None, None) => None,
        (Some(_), Some(places)) => Some(start(project, places, run.scale)?),
        (Some(_), None) => return Err(Invalid::whole("it does not say where it starts")),
        (None, Some(_)) => {
            return Err(Invalid::whole(
                "it has its own start, but its query begins in the initial state",
            ));
        }
    };
    let subject = Subject {
        project,
        systems: &expanded,
        reading: reading(recorded),
        from: from.zip(start.as_ref()),
        goal,
    };
    let happened = describe(&subject, &run).map_err(|objection| {
        // The last delay and the rule are after the last step.
        let is_step = objection.steps < run.steps.len();
        Invalid {
            step: is_step.then_some(objection.steps + 1),
            message: in_words(&objection, project, &run, expanded.len()),
        }
    })?;
    let differing = happened
        .steps
        .iter()
        .zip(&recorded.steps)
        .position(|(a, b)| a != b);
    if let Some(index) = differing {
        return Err(Invalid::at(
            index,
            "names, locations or times differ from the file",
        ));
    }
    if happened.start != recorded.start {
        return Err(Invalid::whole("the start differs from the file"));
    }
    if happened.end != recorded.end {
        return Err(Invalid::whole("the end differs from the file"));
    }
    Ok(())
}

/// Whether a component is a part of a system. Tags tell instances apart, not components.
fn mentions(system: &System, component: &System) -> bool {
    match (system, component) {
        (System::Component(instance), System::Component(wanted)) => instance.name == wanted.name,
        (System::Composition(parts) | System::Conjunction(parts), _) => {
            parts.contains(component) || parts.iter().any(|part| mentions(part, component))
        }
        (System::Quotient { whole, part }, _) => mentions(whole, component) || mentions(part, component),
        _ => false,
    }
}

fn reading(recorded: &RecordedRun) -> Reading {
    Reading {
        alphabet: match recorded.alphabet {
            Alphabet::Edges => AlphabetOf::Edges,
            Alphabet::Declared => AlphabetOf::Declared,
        },
        inputs: match recorded.inputs {
            RecordedInputs::Complete => Inputs::Complete,
            RecordedInputs::Strict => Inputs::Strict,
        },
    }
}

/// The run in ticks, of which there are as many in a unit as its fractions need.
fn timed(project: &Project, recorded: &RecordedRun) -> Result<Run, Invalid> {
    let too_fine = || Invalid::whole("its times are too large or too fine");
    let times = recorded.steps.iter().map(|step| step.delay);
    let clocks = recorded.start.iter().flatten().flat_map(|place| match place {
        StatePart::Location { clocks, .. } => clocks.as_slice(),
        _ => &[],
    });
    let scale = times
        .chain([recorded.last_delay])
        .chain(clocks.map(|clock| clock.value))
        .try_fold(1_i128, |scale, time| common_multiple(scale, time.denominator()))
        .ok_or_else(too_fine)?;
    let ticks = |time: Time| in_ticks(time, scale);
    let action = |name: &str| {
        let index = project.actions.iter().position(|known| known == name);
        let index = index.and_then(|index| u32::try_from(index).ok());
        index
            .map(Action)
            .ok_or_else(|| format!("the project has no action `{name}`"))
    };
    let mut steps = Vec::with_capacity(recorded.steps.len());
    for (index, step) in recorded.steps.iter().enumerate() {
        steps.push(Step {
            delay: ticks(step.delay).ok_or_else(too_fine)?,
            action: action(&step.action).map_err(|why| Invalid::at(index, why))?,
            left: taken(&step.left),
            right: step.right.as_deref().map(taken).unwrap_or_default(),
        });
    }
    let of_end = || {
        let name = recorded.end.action.as_deref();
        let name = name.ok_or_else(|| Invalid::whole("its end names no action"))?;
        action(name).map_err(Invalid::whole)
    };
    Ok(Run {
        scale: i64::try_from(scale).map_err(|_| too_fine())?,
        steps,
        last_delay: ticks(recorded.last_delay).ok_or_else(too_fine)?,
        rule: match recorded.end.rule {
            RecordedRule::Output => Rule::Output(of_end()?),
            RecordedRule::Input => Rule::Input(of_end()?),
            RecordedRule::Delay => Rule::Delay,
            RecordedRule::Reached => Rule::Reached,
        },
    })
}

/// Requires: the scale is a multiple of the denominator.
fn in_ticks(time: Time, scale: i128) -> Option<i64> {
    let ticks = time.numerator().checked_mul(scale / time.denominator())?;
    i64::try_from(ticks).ok()
}

/// Where a run begins. Components are named once more when the start is compared with what the judge makes of it.
fn start(project: &Project, places: &[StatePart], scale: i64) -> Result<Start, Invalid> {
    let wrong = || Invalid::whole("its start is not a state of the system");
    let places = places.iter().map(|place| {
        let StatePart::Location {
            component,
            location,
            clocks,
            ..
        } = place
        else {
            return Err(wrong());
        };
        // Tags and numbers of instances follow the name.
        let known = project
            .components
            .iter()
            .filter(|known| component.starts_with(&known.name));
        let known = known.max_by_key(|known| known.name.len()).ok_or_else(wrong)?;
        let index = known
            .locations
            .iter()
            .position(|known| known.title() == *location);
        let index = index
            .and_then(|index| u32::try_from(index).ok())
            .ok_or_else(wrong)?;
        let clocks = clocks.iter().map(|clock| in_ticks(clock.value, scale.into()));
        let clocks: Option<Vec<i64>> = clocks.collect();
        Ok((LocationId(index), clocks.ok_or_else(wrong)?))
    });
    places.collect()
}

/// Requires: both are positive.
fn common_multiple(a: i128, b: i128) -> Option<i128> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    // Whatever fits into ticks stays far below what sums of them may reach.
    (a / x).checked_mul(b).filter(|multiple| *multiple <= 1 << 40)
}

fn taken(moves: &[Move]) -> Vec<Taken> {
    let taken = moves.iter().map(|one| match *one {
        Move::Edge { part, edge, .. } => Taken::Edge { part, edge },
        Move::Ignores { part, .. } => Taken::Ignored { part },
        Move::Stays { part, .. } => Taken::Loop { part },
        Move::Universal { quotient } => Taken::Universal { quotient },
        Move::Error { quotient } => Taken::Error { quotient },
    });
    taken.collect()
}

/// Words of the judge, in units of time rather than in ticks.
fn in_words(objection: &Objection, project: &Project, run: &Run, systems: usize) -> String {
    if let Reason::TooLong { side, delay, .. } = objection.reason {
        let side = match side {
            Side::Left => "left",
            Side::Right => "right",
        };
        let delay = fraction(delay.into(), run.scale.into());
        return format!("the {side} side cannot wait for {delay}");
    }
    let name = |action: Action| format!("`{}`", project.action_name(action));
    let rule = |rule: Rule| match rule {
        Rule::Output(_) => "`output`",
        Rule::Input(_) => "`input`",
        Rule::Delay => "`delay`",
        Rule::Reached => "`reached`",
    };
    match (&objection.reason, run.rule) {
        (Reason::WrongRule(Rule::Reached), _) => {
            return "its end has the rule `reached`, which is for runs of one system".to_owned();
        }
        (Reason::WrongRule(wrong), _) => {
            return format!(
                "its end has the rule {}, which is for runs of two systems",
                rule(*wrong)
            );
        }
        (Reason::NoLeader(action), _) if systems == 1 => {
            return format!("{} is not an action of the system", name(*action));
        }
        (Reason::NoLeader(action), _) if objection.steps < run.steps.len() => {
            return format!(
                "{} is neither an output of the left side nor an input of the right side, or one side sends it and the \
                 other receives it",
                name(*action)
            );
        }
        (Reason::NoLeader(action), Rule::Input(_)) => {
            return format!(
                "its end has the rule `input`, and {} is not an input of the right side, or the left side sends it",
                name(*action)
            );
        }
        (Reason::NoLeader(action), _) => {
            return format!(
                "its end has the rule `output`, and {} is not an output of the left side, or the right side receives it",
                name(*action)
            );
        }
        _ => {}
    }
    let text = objection.text(project);
    let counted = format!("after {} steps: ", objection.steps);
    text.strip_prefix(&counted).unwrap_or(&text).to_owned()
}

fn print(
    config: &ReplayConfig,
    name: &str,
    document: &RunDocument,
    is_judged: bool,
    outcome: &Result<(), Invalid>,
    output: &mut Output,
) -> Result<(), Error> {
    let run = &document.run;
    match config.format {
        Format::Json => {
            let invalid = outcome.as_ref().err();
            output.result(&document::render(&Replayed {
                header: Header::new(true),
                model: &input::name(&config.request.model),
                trace: name,
                query: Some(&document.query),
                trace_valid: invalid.is_none(),
                steps: run.steps.len(),
                duration: run.end.time.to_string(),
                step: invalid.and_then(|invalid| invalid.step),
                reason: invalid.map(|invalid| invalid.message.as_str()),
                states: None,
            }))?;
        }
        Format::Text => match outcome {
            Ok(()) => {
                let width = output.width();
                output.text(&text::run(run, width, Palette::Ansi))?;
                let (steps, query) = (count(run.steps.len() as u64, "step"), &document.query);
                let shows = if is_judged {
                    format!("it decides {query}")
                } else {
                    format!("whether it decides {query} was not checked")
                };
                output.text(&format!("\nvalid: {steps}, time {}; {shows}\n", run.end.time))?;
            }
            Err(Invalid { step, message }) => {
                let step = step.map(|step| format!("step {step}: ")).unwrap_or_default();
                output.text(&format!("invalid: {step}{message}\n"))?;
            }
        },
    }
    Ok(output.flush()?)
}
