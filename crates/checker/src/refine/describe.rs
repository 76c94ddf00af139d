//! Runs of timed I/O automata, repeated by the judge and put into words.

use zonewalk_reference::tioa::{
    Moment, Objection, Pair, Phase, ReplayedRun, Shown, Specification, Start, State, Wait, judge_run,
};
use zonewalk_report::refinement::{
    Alphabet, Direction, End, Inputs, Move, Rule, Run as Described, StatePart, Step,
};
use zonewalk_report::trace::{ClockValue, Time};
use zonewalk_tioa::{
    Action, AlphabetOf, Inputs as ReadInputs, Instance, Project, Reading, Rule as RunRule, Run, StateFormula,
    System, Taken,
};

/// Systems and query that a run is about.
pub struct Subject<'a> {
    /// The project that has the systems.
    pub project: &'a Project,
    /// One system or two, expanded.
    pub systems: &'a [System],
    /// How their components are read.
    pub reading: Reading,
    /// Where a run of one system begins, with the condition on that; `None` for the initial state.
    pub from: Option<(&'a StateFormula, &'a Start)>,
    /// The state that it should reach.
    pub goal: Option<&'a StateFormula>,
}

/// Has a run judged, and tells what happens in it.
///
/// # Errors
/// The objection of the judge.
pub fn describe(subject: &Subject<'_>, run: &Run) -> Result<Described, Objection> {
    let Subject {
        project,
        systems,
        reading,
        from,
        goal,
    } = *subject;
    let mut steps = Vec::new();
    let mut start = None;
    let end = match systems {
        [left, right] => {
            let pair = Pair::new(project, left, right, reading, run.scale)?;
            let (left, right) = (Side::new(&pair.left), Side::new(&pair.right));
            let judged = pair.judge(run, &mut |moment| {
                steps.extend(step(project, run.scale, &left, Some(&right), moment));
            })?;
            end(project, run, &judged, &left, Some(&right))
        }
        systems => {
            let empty = System::Composition(Vec::new());
            let system = systems.first().unwrap_or(&empty);
            let anything = StateFormula::Constant(true);
            let goal = goal.unwrap_or(&anything);
            // The judge has one of its own; the states of both are alike.
            let specification = Specification::new(project, system, reading, run.scale.max(1));
            let side = specification.as_ref().ok().map(Side::new);
            let judged = judge_run(project, system, reading, from, goal, run, &mut |moment| {
                if let Some(side) = &side {
                    if matches!(moment.phase, Phase::Start) && from.is_some() {
                        start = Some(side.places(moment.left, run.scale));
                    }
                    steps.extend(step(project, run.scale, side, None, moment));
                }
            })?;
            match &side {
                Some(side) => end(project, run, &judged, side, None),
                // The judge has refused it above.
                None => unreachable!("the judge has built the same system"),
            }
        }
    };
    Ok(Described {
        systems: systems.iter().map(ToString::to_string).collect(),
        alphabet: match reading.alphabet {
            AlphabetOf::Edges => Alphabet::Edges,
            AlphabetOf::Declared => Alphabet::Declared,
        },
        inputs: match reading.inputs {
            ReadInputs::Complete => Inputs::Complete,
            ReadInputs::Strict => Inputs::Strict,
        },
        start,
        steps,
        last_delay: time(run.last_delay.into(), run.scale),
        end,
    })
}

/// Ticks as a time.
fn time(ticks: i128, scale: i64) -> Time {
    // The judge refuses runs without ticks.
    Time::new(ticks, scale.into()).unwrap_or(Time::ZERO)
}

/// A side with the names of its components.
struct Side<'a, 'p> {
    specification: &'a Specification<'p>,
    names: Vec<String>,
}

impl<'a, 'p> Side<'a, 'p> {
    fn new(specification: &'a Specification<'p>) -> Self {
        let names = names(specification.parts().map(|(instance, _)| instance));
        Side { specification, names }
    }

    fn name(&self, part: u32) -> String {
        self.names.get(part as usize).cloned().unwrap_or_default()
    }

    fn moves(&self, state: &State, taken: &[Taken]) -> Vec<Move> {
        let shown = self.specification.shown(state);
        let location = |wanted: u32| {
            let title = shown.iter().find_map(|shown| match shown {
                Shown::Part { part, location, .. } if *part == wanted => Some(location.title()),
                _ => None,
            });
            title.unwrap_or_default()
        };
        let component = |wanted: u32| self.specification.parts().nth(wanted as usize);
        let moves = taken.iter().map(|taken| match *taken {
            Taken::Edge { part, edge } => {
                let drawn = component(part).and_then(|(_, component)| {
                    let edge = component.edges.get(edge as usize)?;
                    let title = |id| component.location(id).title();
                    Some((edge.id.clone(), title(edge.source), title(edge.target)))
                });
                let (id, source, target) = drawn.unwrap_or_default();
                Move::Edge {
                    part,
                    component: self.name(part),
                    edge,
                    id,
                    source,
                    target,
                }
            }
            Taken::Ignored { part } => Move::Ignores {
                part,
                component: self.name(part),
                location: location(part),
            },
            Taken::Loop { part } => Move::Stays {
                part,
                component: self.name(part),
                location: location(part),
            },
            Taken::Universal { quotient } => Move::Universal { quotient },
            Taken::Error { quotient } => Move::Error { quotient },
        });
        moves.collect()
    }

    fn places(&self, state: &State, scale: i64) -> Vec<StatePart> {
        let shown = self.specification.shown(state).into_iter();
        let places = shown.map(|shown| match shown {
            Shown::Part {
                part,
                component,
                location,
                clocks,
                ..
            } => StatePart::Location {
                part,
                component: self.name(part),
                location: location.title(),
                clocks: component
                    .clocks
                    .iter()
                    .zip(clocks)
                    .map(|(name, &ticks)| ClockValue {
                        name: name.clone(),
                        value: time(ticks, scale),
                    })
                    .collect(),
            },
            Shown::Universal { quotient } => StatePart::Universal { quotient },
            Shown::Error { quotient } => StatePart::Error { quotient },
        });
        places.collect()
    }
}

/// How components are called: as the query mentions them, and by a number where that is the same twice.
fn names<'i>(instances: impl Iterator<Item = &'i Instance>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut mentioned: Vec<String> = Vec::new();
    for instance in instances {
        let name = instance.to_string();
        let before = mentioned.iter().filter(|earlier| **earlier == name).count();
        names.push(if before == 0 {
            name.clone()
        } else {
            format!("{name} ({})", before + 1)
        });
        mentioned.push(name);
    }
    names
}

fn step(
    project: &Project,
    scale: i64,
    left: &Side<'_, '_>,
    right: Option<&Side<'_, '_>>,
    moment: Moment<'_>,
) -> Option<Step> {
    let Phase::Before(step) = moment.phase else {
        return None;
    };
    let right = right
        .zip(moment.right)
        .map(|(side, state)| side.moves(state, &step.right));
    Some(Step {
        delay: time(step.delay.into(), scale),
        time: time(moment.time, scale),
        action: action_name(project, step.action),
        direction: if left.specification.outputs().contains(&step.action) {
            Direction::Output
        } else {
            Direction::Input
        },
        left: left.moves(moment.left, &step.left),
        right,
    })
}

fn action_name(project: &Project, action: Action) -> String {
    project.actions.get(action.index()).cloned().unwrap_or_default()
}

fn end(
    project: &Project,
    run: &Run,
    judged: &ReplayedRun,
    left: &Side<'_, '_>,
    right: Option<&Side<'_, '_>>,
) -> End {
    let from = judged.time - i128::from(run.last_delay);
    let until = |wait: Wait| match wait {
        Wait::Never => "never".to_owned(),
        Wait::Below(end) => format!("< {}", time(from + end, run.scale)),
        Wait::UpTo(end) => time(from + end, run.scale).to_string(),
        Wait::Forever => "no bound".to_owned(),
    };
    let (rule, action) = match run.rule {
        RunRule::Output(action) => (Rule::Output, Some(action)),
        RunRule::Input(action) => (Rule::Input, Some(action)),
        RunRule::Delay => (Rule::Delay, None),
        RunRule::Reached => (Rule::Reached, None),
    };
    let right = right.zip(judged.right.as_ref());
    End {
        rule,
        action: action.map(|action| action_name(project, action)),
        time: time(judged.time, run.scale),
        left_until: until(judged.left_wait),
        right_until: judged.right_wait.map(until),
        left: left.places(&judged.left, run.scale),
        right: right.map(|(side, state)| side.places(state, run.scale)),
    }
}
