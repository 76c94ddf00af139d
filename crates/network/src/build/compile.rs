//! Compiles a model into its network, before any part of it is observed.

use crate::build::instance_limit::Tally;
use crate::build::link::link;
use crate::build::lower::{Activation, Builder, Unit, View};
use crate::build::unsupported::{DOUBLE_IN_STATE, double_in_state};
use crate::build::variants::TemplateVariant;
use crate::code::instr::Entry;
use crate::error::{CompileError, Result};
use crate::network::Network;
use zonewalk_model::system::System;
use zonewalk_model::tree::{Expr, Model};

/// Errors that are reported before the rest is left unsaid.
const REPORTED: usize = 50;

/// Every construct that code cannot express is an error with its place, and so are sizes beyond the limits.
pub(crate) fn compile(
    model: &Model,
    system: &System,
    variants: &[TemplateVariant],
) -> std::result::Result<Network, Vec<CompileError>> {
    if let Some(variable) = double_in_state(model) {
        let message = format!("{DOUBLE_IN_STATE} are not supported");
        return Err(vec![*CompileError::unsupported(variable.span, message)]);
    }
    let mut builder = Builder::new(model, system, variants).map_err(|e| vec![*e])?;
    let mut errors = Vec::new();
    let mut instances = Tally::default();
    let mut drafts = Vec::new();
    for number in 0..variants.len() {
        drafts.push(builder.variant(number as u32, &mut instances, &mut errors));
        if errors.len() > REPORTED {
            break;
        }
    }
    let mut around = |exprs: &[Expr]| {
        builder.global_update(exprs).unwrap_or_else(|error| {
            errors.push(*error);
            None
        })
    };
    let before = around(&model.before_update);
    let after = around(&model.after_update);
    if !errors.is_empty() {
        // One construct in a function shows wherever that is called.
        errors.dedup();
        errors.truncate(REPORTED);
        return Err(errors);
    }
    link(builder, drafts, before, after).map_err(|e| vec![*e])
}

impl Builder<'_> {
    /// Code for `before_update` or `after_update`.
    fn global_update(&mut self, exprs: &[Expr]) -> Result<Option<Entry>> {
        if exprs.is_empty() {
            return Ok(None);
        }
        let slots = self.model.update_slots;
        let mut unit = Unit::new(self, View::Global, Activation::new(slots), exprs)?;
        let entry = unit.here();
        for expr in exprs {
            unit.statement_of_update(expr)?;
        }
        unit.halt(0);
        Ok(Some(entry))
    }
}
