//! What queries ask, as far as it makes a difference to a search.

use zonewalk_model::tree::QueryKind;

/// What a query asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether there is a state with a property: `E<>`, `A[]`.
    States,
    /// Whether there is a maximal run with a property: `E[]`, `A<>`, `-->`.
    Runs,
    /// The largest and smallest values: `sup`, `inf`, `bounds`.
    Values,
}

impl Question {
    /// All of them.
    pub const ALL: [Question; 3] = [Question::States, Question::Runs, Question::Values];

    /// What a query asks; `None` for what no search decides.
    pub fn of(kind: &QueryKind) -> Option<Question> {
        match kind {
            QueryKind::Reachable(_) | QueryKind::Invariant(_) => Some(Question::States),
            QueryKind::PotentiallyAlways(_) | QueryKind::Inevitable(_) | QueryKind::LeadsTo(..) => {
                Some(Question::Runs)
            }
            QueryKind::Extremum { .. } => Some(Question::Values),
            // Sampling decides them, whatever the search.
            QueryKind::Statistical(_) => None,
            QueryKind::Other(_) => None,
        }
    }
}

/// How far a search can answer a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Not at all.
    Nothing,
    /// It finds what there is, and never learns that there is nothing.
    Finds,
    /// It finds, and proves that there is nothing under this condition.
    ProvesIf(&'static str),
    /// It finds, and proves that there is nothing when it comes to its end.
    Proves,
}
