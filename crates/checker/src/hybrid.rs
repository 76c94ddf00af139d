//! Symbolic analysis ignores hybrid clocks: a model in which nothing depends on them is searched without them.

use zonewalk_model::hybrid;
use zonewalk_model::instance::instantiate;
use zonewalk_model::system::System;
use zonewalk_model::tree::{Model, Query};
use zonewalk_syntax::diagnostic::{Code, Diagnostic};

/// A model without its hybrid clocks.
pub(crate) struct StrippedModel {
    /// The model.
    pub(crate) model: Model,
    /// Its processes, clocks and channels.
    pub(crate) system: System,
}

/// The model without its hybrid clocks, for queries that are not statistical; `None` for a model that has none.
///
/// # Errors
/// Where something depends on a hybrid clock.
pub(crate) fn without_hybrid_clocks(
    model: &Model,
    queries: &[&Query],
) -> Option<Result<StrippedModel, Box<Diagnostic>>> {
    let stripped = match hybrid::without_hybrid_clocks(model, queries)? {
        Ok(stripped) => stripped,
        Err(influence) => {
            let message = "searches do not support hybrid clocks that something else depends on";
            let error = Diagnostic::error(Code::UNSUPPORTED, influence.0, message)
                .help("symbolic analysis ignores hybrid clocks: only rates and updates of their own may mention them");
            return Some(Err(Box::new(error)));
        }
    };
    Some(match instantiate(&stripped) {
        Ok(system) => Ok(StrippedModel {
            model: stripped,
            system,
        }),
        Err(mut errors) => Err(Box::new(errors.swap_remove(0))),
    })
}
