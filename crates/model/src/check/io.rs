//! `IO` lines: the actions of timed I/O automata.

use super::scope::Symbol;
use super::{Rules, TypeChecker};
use crate::ids::{ProcessSetId, SlotId};
use crate::tree::{ExprKind, IoLine, IoProcesses, Sync, VarRef};
use crate::types::Type;
use zonewalk_syntax::ast::{self, Ident, Name};
use zonewalk_syntax::diagnostic::Diagnostic;

impl TypeChecker<'_> {
    /// Reads an `IO` line. Networks have none.
    pub(super) fn io_line(&mut self, line: &ast::IoLine) {
        if self.rules == Rules::Network {
            let message =
                "an `IO` line: it belongs to timed I/O automata, not to a network of timed automata";
            self.error("io-line", line.span, message);
            return;
        }
        let Some((processes, params)) = self.io_processes(&line.process) else {
            return;
        };
        if !line.args.is_empty() && line.args.len() != params.len() {
            let message = super::call::wrong_count(&line.process.name, params.len(), line.args.len());
            self.error("arguments", line.span, message);
            return;
        }
        self.slots.clear();
        self.scopes.push();
        let args = (line.args.iter().zip(&params))
            .map(|(arg, param)| self.io_argument(arg, param))
            .collect();
        let actions = line.actions.iter().filter_map(|a| self.io_action(a)).collect();
        self.scopes.pop();
        self.slots.clear();
        self.io_lines.push(IoLine {
            processes,
            args,
            actions,
            span: line.span,
        });
    }

    /// The processes an `IO` line is for, and the names and types of their parameters.
    fn io_processes(&mut self, name: &Ident) -> Option<(IoProcesses, Vec<(Name, Type)>)> {
        let by_name = |set: &crate::tree::ProcessSet| set.name == name.name;
        if let Some(index) = self.process_sets.iter().position(by_name) {
            let free = &self.process_sets[index].free;
            let params = free.iter().map(|b| (b.name.clone(), b.ty.clone())).collect();
            return Some((IoProcesses::Set(ProcessSetId::from_index(index)), params));
        }
        if let Some(index) = self.templates.iter().position(|t| t.name == name.name) {
            let params = self.templates[index].params.iter();
            let params = params.map(|p| (p.name.clone(), p.ty.clone())).collect();
            let id = crate::ids::TemplateId::from_index(index);
            return Some((IoProcesses::Template(id), params));
        }
        // Lines for what is not there occur in practice, and do no harm.
        let message = format!("an `IO` line for `{}`, which does not exist", name.name);
        self.warn("unknown-name", name.span, message);
        None
    }

    /// A new name takes the value of the parameter; anything else is a value to compare with. Every argument has a slot.
    fn io_argument(&mut self, arg: &ast::Expr, param: &(Name, Type)) -> Option<crate::tree::Expr> {
        let slot: SlotId = self.new_slot(true, true);
        if let ast::ExprKind::Name(name) = &arg.kind
            && !self.is_constant(name)
        {
            let ident = Ident {
                name: name.clone(),
                span: arg.span,
            };
            let symbol = Symbol::Variable {
                var: VarRef::Slot(slot),
                ty: param.1.clone(),
            };
            self.declare(&ident, symbol);
            return None;
        }
        let value = self.expression(arg);
        if !value.ty.is_integral() && !value.ty.is_scalar() {
            self.type_error(&value, "a value, or a new name");
        }
        Some(value)
    }

    fn is_constant(&self, name: &Name) -> bool {
        match self.scopes.lookup(name).map(|d| &d.symbol) {
            Some(Symbol::Variable {
                var: VarRef::Global(g),
                ..
            }) => self.globals[g.index()].is_const,
            _ => false,
        }
    }

    fn io_action(&mut self, action: &ast::Sync) -> Option<Sync> {
        let channel = self.expression(&action.channel);
        if matches!(channel.ty, Type::Error) {
            return None;
        }
        if !channel.ty.base().is_chan() || matches!(channel.kind, ExprKind::Unsupported(_)) {
            let message = "expected a channel or an array of channels";
            self.report(Diagnostic::error("io-line", action.span, message));
            return None;
        }
        Some(Sync {
            channel,
            direction: action.direction,
            span: action.span,
        })
    }
}
