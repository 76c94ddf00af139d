//! Kinds of queries, as far as searches distinguish them.

use zonewalk_model::tree::QueryKind;

/// Kinds of questions that searches answer.
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

    /// Classifies a query; `None` if no search decides it.
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

/// Extent to which a search can answer a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The search cannot answer the question.
    Nothing,
    /// It finds what there is, and never learns that there is nothing.
    Finds,
    /// It finds, and proves that there is nothing under this condition.
    ProvesIf(&'static str),
    /// It finds, and proves that there is nothing when it completes.
    Proves,
}
