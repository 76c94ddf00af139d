//! Objections of the judge to a run.

use zonewalk_tioa::{Action, Project, Rule, Side, Taken};

use super::delay::Wait;
use super::goal::UnknownInGoal;
use super::specification::Refused;

/// Where a run goes wrong, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    /// How many steps were repeated before.
    pub steps: usize,
    /// The error.
    pub reason: Reason,
}

/// Reason why a run is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There is no such system.
    System(Side, Refused),
    /// There is no such state to ask for.
    Goal(UnknownInGoal),
    /// A unit of time has no ticks.
    Scale,
    /// The invariants do not hold at the start.
    NoInitialState(Side),
    /// The start is not one of those that are asked for.
    WrongStart,
    /// A delay is negative.
    NegativeDelay,
    /// A side cannot wait so long.
    TooLong {
        /// Which side.
        side: Side,
        /// The delay, in ticks.
        delay: i64,
        /// How long it can wait.
        wait: Wait,
    },
    /// It is neither the left side's to send nor the right side's to receive, or one sends what the other receives.
    NoLeader(Action),
    /// A side does not do the action now.
    Cannot(Side, Action),
    /// The parts of a side cannot do the action like that.
    OtherParts {
        /// Which side.
        side: Side,
        /// The action.
        action: Action,
        /// Steps that the run claims for them.
        said: Vec<Taken>,
    },
    /// A side has several answers, so that one of them proves nothing.
    SeveralAnswers(Side, Action),
    /// The rule is not broken: the side that has to allow the action does, or does not know it.
    Allowed(Side, Action),
    /// The rule is not broken: the right side can wait as well.
    BothWait,
    /// The state is not the one that was asked for.
    NotReached,
    /// The rule is one for the other kind of run.
    WrongRule(Rule),
}

impl Objection {
    /// The objection in words.
    pub fn text(&self, project: &Project) -> String {
        let name = |action: Action| {
            let name = project.actions.get(action.index());
            format!("`{}`", name.map_or("?", String::as_str))
        };
        let what = match &self.reason {
            Reason::System(side, refused) => return format!("the {}: {refused}", side_name(*side)),
            Reason::Goal(unknown) => return unknown.to_string(),
            Reason::Scale => return "a unit of time has no ticks".to_owned(),
            Reason::NoInitialState(side) => {
                return format!("the {} has no initial state", side_name(*side));
            }
            Reason::WrongStart => return "the start is not one of those asked for".to_owned(),
            Reason::NegativeDelay => "a delay is negative".to_owned(),
            Reason::TooLong { side, delay, .. } => {
                format!("the {} cannot wait for {delay} ticks", side_name(*side))
            }
            Reason::NoLeader(action) => format!("neither side can initiate {}", name(*action)),
            Reason::Cannot(side, action) => {
                format!("the {} cannot do {}", side_name(*side), name(*action))
            }
            Reason::OtherParts { side, action, .. } => {
                format!(
                    "the {} can do {} only in other ways",
                    side_name(*side),
                    name(*action)
                )
            }
            Reason::SeveralAnswers(side, action) => {
                format!(
                    "the {} has several responses to {}",
                    side_name(*side),
                    name(*action)
                )
            }
            Reason::Allowed(side, action) => {
                format!("the {} allows {}", side_name(*side), name(*action))
            }
            Reason::BothWait => "the right side can wait as well".to_owned(),
            Reason::NotReached => "the state is not the one that was asked for".to_owned(),
            Reason::WrongRule(_) => "the run shows something else".to_owned(),
        };
        format!("after {} steps: {what}", self.steps)
    }
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Left => "left side",
        Side::Right => "right side",
    }
}
