//! Why a query about timed I/O automata has the answer that it has, in words.

use zonewalk_reference::tioa::{ReplayedRun, Wait};
use zonewalk_refine::control::Limit;
use zonewalk_refine::implementation::Flaw;
use zonewalk_refine::precondition::Failure;
use zonewalk_tioa::{Action, LocationId, Project, Rule, Run, Taken};

/// Why a query has its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// For programs.
    pub kind: ReasonKind,
    /// In words, beginning with a small letter.
    pub text: String,
}

/// The rule that is broken, or what else decides a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReasonKind {
    /// The left side has an output that the right side does not allow.
    Output,
    /// The right side accepts an input that the left side does not.
    Input,
    /// The left side can wait longer than the right side.
    Delay,
    /// The initial states do not match.
    Start,
    /// The two sides cannot be compared.
    Precondition,
    /// The system is not consistent.
    Inconsistent,
    /// The system is not deterministic.
    Nondeterministic,
    /// The system is not an implementation.
    Implementation,
    /// No run leads there.
    Unreachable,
    /// A run leads there.
    Reached,
    /// A limit was reached first.
    Limit,
    /// The query is not supported.
    Unsupported,
}

impl ReasonKind {
    /// Its name in documents.
    pub fn name(self) -> &'static str {
        match self {
            ReasonKind::Output => "output",
            ReasonKind::Input => "input",
            ReasonKind::Delay => "delay",
            ReasonKind::Start => "start",
            ReasonKind::Precondition => "precondition",
            ReasonKind::Inconsistent => "inconsistent",
            ReasonKind::Nondeterministic => "nondeterministic",
            ReasonKind::Implementation => "implementation",
            ReasonKind::Unreachable => "unreachable",
            ReasonKind::Reached => "reached",
            ReasonKind::Limit => "limit",
            ReasonKind::Unsupported => "unsupported",
        }
    }
}

impl Reason {
    pub(crate) fn new(kind: ReasonKind, text: impl Into<String>) -> Reason {
        Reason {
            kind,
            text: text.into(),
        }
    }

    /// A limit that was met.
    pub(crate) fn limit(limit: Limit, of: &str) -> Reason {
        let text = match limit {
            Limit::Time => "the time limit was reached",
            Limit::Memory => "the memory limit was reached",
            Limit::Stopped => "the search was interrupted",
            Limit::Walks => "the walks found no violation",
            Limit::Stuck => {
                "no walk can take a step; under the stochastic semantics (smc) nothing sends the inputs of the left side"
            }
            Limit::TooLarge => "a guard has more than 20,000 alternatives",
            Limit::Number => "a bound of the component does not fit into 32 bits",
        };
        Reason::new(ReasonKind::Limit, format!("{text}{of}"))
    }

    /// Why two systems cannot be compared, or a system is not what is asked.
    ///
    /// `asked` is the rule that a query itself asks for: a component that is not deterministic breaks the rule of `determinism:`, and
    /// a precondition of `refinement:`.
    pub(crate) fn failure(failure: &Failure, project: &Project, asked: Option<ReasonKind>) -> Reason {
        let rule = |own: ReasonKind| asked.map_or(ReasonKind::Precondition, |_| own);
        match failure {
            Failure::Nondeterministic {
                component, choice, ..
            } => {
                let action = project.action_name(choice.action);
                let place = place(project, component, choice.location);
                let first = edge(project, component, choice.first);
                let second = edge(project, component, choice.second);
                Reason::new(
                    rule(ReasonKind::Nondeterministic),
                    format!(
                        "{component} is not deterministic: in {place}, {first} and {second} are both possible on {action}"
                    ),
                )
            }
            Failure::Inconsistent { system, stuck } => {
                let where_ = stuck.map(|id| place(project, system, id));
                let text = match where_ {
                    Some(place) => format!(
                        "{system} is inconsistent: its environment can drive it into a state where time stops and no output is possible, in {place}"
                    ),
                    None => format!(
                        "{system} is inconsistent: its environment can drive it into a state where time stops and no output is possible"
                    ),
                };
                Reason::new(rule(ReasonKind::Inconsistent), text)
            }
            Failure::NoStart { system } => Reason::new(
                rule(ReasonKind::Inconsistent),
                format!("{system} has no initial state: an invariant does not hold when all clocks are zero"),
            ),
            Failure::NotEnabled {
                component,
                location,
                input,
                ..
            } => Reason::new(
                rule(ReasonKind::Input),
                format!(
                    "{component} does not accept {} everywhere in {}",
                    project.action_name(*input),
                    place(project, component, *location)
                ),
            ),
            Failure::Clash(action) => {
                let name = project.action_name(*action);
                Reason::new(
                    ReasonKind::Precondition,
                    format!("{name} is an input of one side and an output of the other"),
                )
            }
            Failure::Inputs(actions) => Reason::new(
                ReasonKind::Precondition,
                format!(
                    "the right side does not know {} of the left side",
                    list(project, actions, "input")
                ),
            ),
            Failure::Outputs(actions) => Reason::new(
                ReasonKind::Precondition,
                format!(
                    "the left side does not know {} of the right side",
                    list(project, actions, "output")
                ),
            ),
            Failure::NoImplementation { component, flaw, .. } => Reason::new(
                rule(ReasonKind::Implementation),
                match flaw {
                    Flaw::Waits { location, output } => format!(
                        "{component} is not an implementation: in {}, it can send {} and can also wait",
                        place(project, component, *location),
                        project.action_name(*output)
                    ),
                    Flaw::Stops { location } => format!(
                        "{component} is not an implementation: in {}, time stops and no output occurs before that",
                        place(project, component, *location)
                    ),
                },
            ),
        }
    }
}

/// The rule that a run of a pair breaks, with both sides' bounds in numbers.
pub(crate) fn of_run(project: &Project, run: &Run, judged: &ReplayedRun) -> Reason {
    let name = |action: Action| project.action_name(action);
    let at = |ticks: i128| fraction(ticks, i128::from(run.scale));
    let now = at(judged.time);
    match run.rule {
        Rule::Output(action) => Reason::new(
            ReasonKind::Output,
            format!(
                "at time {now} the left side can send {}, which the right side does not allow",
                name(action)
            ),
        ),
        Rule::Input(action) => Reason::new(
            ReasonKind::Input,
            format!(
                "at time {now} the right side accepts {}, which the left side does not",
                name(action)
            ),
        ),
        Rule::Delay => {
            let from = judged.time - i128::from(run.last_delay);
            let until = |wait: Wait| match wait {
                Wait::Never => "not be there at all".to_owned(),
                Wait::Below(end) => format!("wait until just before {}", at(from + end)),
                Wait::UpTo(end) => format!("wait until {}", at(from + end)),
                Wait::Forever => "wait forever".to_owned(),
            };
            let left = until(judged.left_wait);
            let right = match judged.right_wait.unwrap_or(Wait::Forever) {
                Wait::Never => "may not be there at all".to_owned(),
                wait => format!("only {}", until(wait).replacen("wait ", "", 1)),
            };
            Reason::new(
                ReasonKind::Delay,
                format!(
                    "at time {} the left side may {left}, the right side {right}",
                    at(from)
                ),
            )
        }
        Rule::Reached => Reason::new(ReasonKind::Reached, format!("reached at time {now}")),
    }
}

/// Ticks as an exact number of units: an integer or a fraction.
pub fn fraction(ticks: i128, scale: i128) -> String {
    let (mut a, mut b) = (ticks.abs(), scale);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let divisor = a.max(1);
    let (over, under) = (ticks / divisor, scale / divisor);
    if under == 1 {
        over.to_string()
    } else {
        format!("{over}/{under}")
    }
}

fn place(project: &Project, component: &str, id: u32) -> String {
    let component = project.component(component);
    let title = component.and_then(|component| component.locations.get(LocationId(id).index()));
    title.map_or_else(
        || "some location".to_owned(),
        |location| format!("location {}", location.title()),
    )
}

fn edge(project: &Project, component: &str, taken: Taken) -> String {
    let component = project.component(component);
    match (taken, component) {
        (Taken::Edge { edge, .. }, Some(component)) => {
            let Some(edge) = component.edges.get(edge as usize) else {
                return "an edge".to_owned();
            };
            format!(
                "edge {} (to {})",
                edge.id,
                component.location(edge.target).title()
            )
        }
        _ => "ignoring it".to_owned(),
    }
}

fn list(project: &Project, actions: &[Action], what: &str) -> String {
    const SHOWN: usize = 5;
    let names: Vec<&str> = actions
        .iter()
        .take(SHOWN)
        .map(|&action| project.action_name(action))
        .collect();
    let more = actions.len().saturating_sub(SHOWN);
    let s = if actions.len() == 1 { "" } else { "s" };
    let rest = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    format!("the {what}{s} {}{rest}", names.join(", "))
}
