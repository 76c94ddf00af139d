//! Errors that stop the interpreter, or make it refuse a step.

use std::fmt;
use zonewalk_model::eval::Fault;
use zonewalk_model::tree::Name;
use zonewalk_numbers::rational::{Rational, TooLarge};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

/// A construct that the reference interpreter does not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// Its name.
    pub construct: &'static str,
    /// Where it stands.
    pub span: Span,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the reference interpreter does not support {}", self.construct)
    }
}

impl std::error::Error for Unsupported {}

/// Why there is no answer about a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A run-time error of the model (`semantics.md` 17).
    Fault {
        /// The fault and its place in the text.
        fault: Box<Fault>,
        /// Activity during which it happened.
        activity: Activity,
        /// The process whose label it was; `None` for queries and for labels of the whole system.
        process: Option<Name>,
    },
    /// The initial invariants do not hold (`semantics.md` 6a).
    NoInitialState {
        /// A process whose invariant is violated.
        process: Name,
        /// Its initial location.
        location: Name,
        /// The invariant.
        span: Span,
    },
    /// Two invariants give one clock different rates (`semantics.md` 3).
    ConflictingRates {
        /// The clock.
        clock: Name,
        /// The processes and the rates that they want.
        wanted: [(Name, i32); 2],
        /// The later one of the two places.
        span: Span,
    },
    /// A time that exact arithmetic cannot hold.
    TimeTooLarge,
    /// The step asked for is not one of the model.
    Refused(Refusal),
}

/// Kinds of labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Activity {
    Select,
    Guard,
    Channel,
    Update,
    Invariant,
    Predicate,
}

/// Why a step is not one of the model's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A negative delay.
    NegativeDelay(Rational),
    /// A process is in a committed or urgent location, so time stands still.
    TimeStops(Name),
    /// An invariant ends earlier.
    Invariant {
        /// Process whose invariant it is.
        process: Name,
        /// The delay asked for.
        delay: Rational,
    },
    /// A synchronisation on an urgent channel is possible earlier.
    Urgent {
        /// The channel.
        channel: Name,
        /// The delay asked for.
        delay: Rational,
    },
    /// There is no such process, edge or value of a select.
    Unknown(String),
    /// The process is somewhere else.
    NotThere {
        /// The process.
        process: Name,
        /// Where the edge leaves.
        source: Name,
    },
    /// The guard does not hold at that moment.
    Guard(Name),
    /// The edges do not make one transition.
    Malformed(String),
    /// Some process is in a committed location, and none of the edges leaves one.
    Committed(Name),
    /// A process that can receive the broadcast is left out.
    ReceiverLeftOut(Name),
    /// A process that has the channel in its alphabet is left out.
    ParticipantLeftOut(Name),
    /// A transition of higher priority is possible at that moment.
    Priority(String),
    /// The invariants of the target do not hold.
    Target(Name),
}

impl From<TooLarge> for Error {
    fn from(_: TooLarge) -> Self {
        Error::TimeTooLarge
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Error::Refused(refusal)
    }
}

impl fmt::Display for Activity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Activity::Select => "select",
            Activity::Guard => "guard",
            Activity::Channel => "synchronisation",
            Activity::Update => "update",
            Activity::Invariant => "invariant",
            Activity::Predicate => "query",
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Fault {
                fault,
                activity,
                process: Some(process),
            } => {
                write!(f, "{fault} (in the {activity} of {process})")
            }
            Error::Fault {
                fault,
                activity,
                process: None,
            } => write!(f, "{fault} (in the {activity})"),
            Error::NoInitialState {
                process, location, ..
            } => {
                write!(
                    f,
                    "there is no initial state: the invariant of {process}.{location} does not hold"
                )
            }
            Error::ConflictingRates {
                clock,
                wanted: [(p, a), (q, b)],
                ..
            } => {
                write!(f, "{p} gives {clock} the rate {a}, {q} gives it the rate {b}")
            }
            Error::TimeTooLarge => TooLarge.fmt(f),
            Error::Refused(refusal) => refusal.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NegativeDelay(delay) => write!(f, "the delay {delay} is negative"),
            Refusal::TimeStops(p) => write!(
                f,
                "no delay is possible: {p} is in a committed or urgent location"
            ),
            Refusal::Invariant { process, delay } => {
                write!(
                    f,
                    "the invariant of {process} does not hold throughout the delay {delay}"
                )
            }
            Refusal::Urgent { channel, delay } => {
                write!(
                    f,
                    "the urgent channel {channel} is enabled before the delay {delay} is over"
                )
            }
            Refusal::Unknown(what) => write!(f, "there is no {what}"),
            Refusal::NotThere { process, source } => write!(f, "{process} is not in {source}"),
            Refusal::Guard(process) => write!(f, "the guard of {process}'s edge does not hold"),
            Refusal::Malformed(why) => f.write_str(why),
            Refusal::Committed(process) => {
                write!(
                    f,
                    "{process} is in a committed location, and no edge leaves a committed location"
                )
            }
            Refusal::ParticipantLeftOut(process) => {
                write!(
                    f,
                    "{process} has the channel on one of its edges and must take part"
                )
            }
            Refusal::ReceiverLeftOut(process) => {
                write!(f, "{process} can receive the broadcast but is left out")
            }
            Refusal::Priority(other) => write!(f, "{other} has a higher priority at that moment"),
            Refusal::Target(process) => {
                write!(f, "the invariant of {process} does not hold after the updates")
            }
        }
    }
}

impl Error {
    /// As an error of the model, at the place that it is about.
    pub fn to_diagnostic(&self) -> Diagnostic {
        match self {
            Error::Fault {
                fault,
                activity,
                process,
            } => {
                let diagnostic = fault.to_diagnostic();
                match process {
                    Some(process) => diagnostic.label(format!("in the {activity} of {process}")),
                    None => diagnostic.label(format!("in the {activity}")),
                }
            }
            Error::NoInitialState { span, .. } => {
                Diagnostic::error("no-initial-state", *span, self.to_string())
            }
            Error::ConflictingRates { span, .. } => {
                Diagnostic::error("conflicting-rates", *span, self.to_string())
            }
            Error::TimeTooLarge => Diagnostic::error("time-too-large", Span::NONE, self.to_string()),
            Error::Refused(_) => Diagnostic::error("no-such-step", Span::NONE, self.to_string()),
        }
    }
}
