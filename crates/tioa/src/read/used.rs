//! Direction of each action of a component: no action is both an input and an output.

use rustc_hash::FxHashMap;
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

use crate::component::Direction;

/// The actions of a component's edges so far.
#[derive(Debug, Default)]
pub(super) struct Used {
    /// Direction of each action, and the span that first determined it.
    actions: FxHashMap<String, (Direction, Span)>,
}

impl Used {
    /// Notes the action of an edge; an error where it was used the other way before.
    pub(super) fn note(
        &mut self,
        component: &str,
        action: &str,
        direction: Direction,
        span: Span,
    ) -> Option<Diagnostic> {
        let Some((known, first)) = self.actions.get(action) else {
            self.actions.insert(action.to_owned(), (direction, span));
            return None;
        };
        if *known == direction {
            return None;
        }
        let message =
            format!("the action `{action}` is both an input and an output of component {component}");
        let error = Diagnostic::error("input-and-output", span, message);
        Some(error.related(*first, "the other use"))
    }
}
