//! Overview of the whole model, as the search for an answer has seen it.

use zonewalk_symbolic::lasso;

/// Summary of all reachable states of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Overview {
    /// By edge instance: whether some transition takes it.
    pub(crate) taken: Vec<bool>,
    /// The premises of the query that hold nowhere, by number.
    pub(crate) vacuous: Vec<usize>,
}

impl Overview {
    /// Overview for a query without premises.
    pub(crate) fn of_taken(taken: Vec<bool>) -> Overview {
        let vacuous = Vec::new();
        Overview { taken, vacuous }
    }
}

impl From<lasso::Overview> for Overview {
    fn from(seen: lasso::Overview) -> Overview {
        Overview {
            taken: seen.taken,
            vacuous: if seen.has_premise { Vec::new() } else { vec![0] },
        }
    }
}
