//! Reads and side effects of expressions; compile-time constants.

use super::TypeChecker;
use crate::ids::{FunctionId, SlotId};
use crate::tree::{Block, Expr, ExprKind, Name, ParamMode, VarRef};
use crate::types::{Bound, Type};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

/// The variable that a place begins at; `None` when there is none, or more than one (`b ? i : j`).
pub(super) fn root(place: &Expr) -> Option<VarRef> {
    match &place.kind {
        ExprKind::Var(var) => Some(*var),
        ExprKind::Index(a, _)
        | ExprKind::Field(a, _)
        | ExprKind::Assign(a, _)
        | ExprKind::AssignWith(_, a, _) => root(a),
        ExprKind::Step { place, .. } => root(place),
        ExprKind::Comma(list) => list.last().and_then(root),
        _ => None,
    }
}

impl TypeChecker<'_> {
    /// Whether every name that `expr` may read is known at compile time (`semantics.md` 19).
    pub(super) fn is_computable(&self, expr: &Expr) -> bool {
        let own = match &expr.kind {
            ExprKind::Var(var) => match var {
                VarRef::Global(g) => self.globals[g.index()].is_const,
                VarRef::Local(l) => self
                    .template
                    .as_ref()
                    .is_some_and(|t| t.variables[l.index()].is_const),
                VarRef::Param(p) => self.template.as_ref().is_some_and(|t| {
                    let param = &t.params[p.index()];
                    param.mode == ParamMode::Const && !matches!(param.ty, Type::Double)
                }),
                VarRef::Slot(s) => self.slots.get(s.index()).is_some_and(|s| s.computable),
            },
            ExprKind::Call(f, _) => !self.functions[f.index()].reads_state,
            ExprKind::Member(..)
            | ExprKind::AtLocation(..)
            | ExprKind::ProcessCall(..)
            | ExprKind::Deadlock => false,
            _ => true,
        };
        let mut all = own;
        expr.operands(&mut |e| all = all && self.is_computable(e));
        all
    }

    /// Whether it can be evaluated right now: it depends on no parameter or variable of a template.
    pub(super) fn is_closed(&self, expr: &Expr) -> bool {
        let own = match &expr.kind {
            ExprKind::Var(VarRef::Local(_) | VarRef::Param(_) | VarRef::Slot(_)) => false,
            ExprKind::Call(f, _) => self.functions[f.index()].template.is_none(),
            _ => true,
        };
        let mut all = own;
        expr.operands(&mut |e| all = all && self.is_closed(e));
        all
    }

    /// Whether evaluating it may change a variable.
    pub(super) fn has_effects(&self, expr: &Expr) -> bool {
        let mut any = self.has_own_effect(expr);
        expr.operands(&mut |e| any = any || self.has_effects(e));
        any
    }

    /// Whether the expression itself, apart from its operands, has a side effect.
    fn has_own_effect(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Assign(..) | ExprKind::AssignWith(..) | ExprKind::Step { .. } => true,
            ExprKind::Call(f, _) | ExprKind::ProcessCall(_, f, _) => {
                let function = &self.functions[f.index()];
                function.has_side_effects || function.params.iter().any(|p| p.by_reference && !p.is_const)
            }
            ExprKind::Unsupported(what) => matches!(*what, "spawn" | "exit"),
            _ => false,
        }
    }

    /// Whether evaluating it changes no variable; says which rule it breaks if not. `what` must be pure: `a guard`.
    pub(super) fn require_pure(&mut self, expr: &Expr, what: &str) -> bool {
        if !self.has_effects(expr) {
            return true;
        }
        let rule = format!("{what} must not change variables");
        let diagnostic = match self.harmless_reference(expr) {
            Some(Reference { arg, param, function }) => Diagnostic::error(
                "side-effect",
                arg,
                format!("`{function}` takes this argument by a reference that is not `const`, and {rule}"),
            )
            .help(format!(
                "make the parameter `{param}` a `const` reference: `{function}` does not change it"
            )),
            None => Diagnostic::error("side-effect", expr.span, rule),
        };
        self.report(diagnostic);
        false
    }

    /// The first argument that a function could change and does not, if nothing else in the expression changes anything.
    fn harmless_reference(&self, expr: &Expr) -> Option<Reference> {
        let mut found: Option<Reference> = None;
        // Expressions nest a thousand deep at most, but operands of flat chains are many.
        let mut rest = vec![expr];
        while let Some(expr) = rest.pop() {
            let (ExprKind::Call(f, args) | ExprKind::ProcessCall(_, f, args)) = &expr.kind else {
                if self.has_own_effect(expr) {
                    return None;
                }
                expr.operands(&mut |e| rest.push(e));
                continue;
            };
            let function = &self.functions[f.index()];
            let body = function.body.as_ref().filter(|_| !function.has_side_effects)?;
            let written = self.effects(body).slots;
            for (slot, (param, arg)) in function.params.iter().zip(args).enumerate() {
                if !param.by_reference || param.is_const {
                    continue;
                }
                if written.iter().any(|s| s.index() == slot) {
                    return None;
                }
                let is_first = |other: &Reference| arg.span.start < other.arg.start;
                if found.as_ref().is_none_or(is_first) {
                    found = Some(Reference {
                        arg: arg.span,
                        param: param.name.clone(),
                        function: function.name.clone(),
                    });
                }
            }
            expr.operands(&mut |e| rest.push(e));
        }
        found
    }

    /// Marks the constant parameters that a size depends on: they cannot stay free (`semantics.md` 21b).
    pub(super) fn restrict(&mut self, bound: &Bound) {
        if let Bound::Expr(expr) = bound {
            let expr = expr.clone();
            self.restrict_expr(&expr);
        }
    }

    fn restrict_expr(&mut self, expr: &Expr) {
        if let (ExprKind::Var(VarRef::Param(p)), Some(t)) = (&expr.kind, &mut self.template)
            && let Some(flag) = t.restricted.get_mut(p.index())
        {
            *flag = true;
        }
        let mut parts = Vec::new();
        expr.operands(&mut |e| parts.push(e));
        for part in parts {
            self.restrict_expr(part);
        }
    }

    /// Effects and reads of a function's body: (writes outside its own slots, reads what is not constant).
    pub(super) fn function_effects(&self, body: &Block) -> (bool, bool) {
        let effects = self.effects(body);
        (effects.writes, effects.reads)
    }

    fn effects(&self, body: &Block) -> Effects<'_, '_> {
        let mut effects = Effects {
            checker: self,
            writes: false,
            reads: false,
            slots: Vec::new(),
        };
        body.expressions(&mut |e, _| effects.expr(e));
        effects
    }
}

/// An argument that is passed by reference.
struct Reference {
    arg: Span,
    param: Name,
    function: Name,
}

struct Effects<'c, 'a> {
    checker: &'c TypeChecker<'a>,
    writes: bool,
    reads: bool,
    /// Slots of its own that it writes to, or lets others write to.
    slots: Vec<SlotId>,
}

impl Effects<'_, '_> {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(VarRef::Slot(_)) => {}
            ExprKind::Var(_) => self.reads |= !self.checker.is_computable(expr),
            ExprKind::Assign(place, _) | ExprKind::AssignWith(_, place, _) | ExprKind::Step { place, .. } => {
                self.write(place);
            }
            ExprKind::Call(f, args) => self.call(*f, args),
            _ => {}
        }
        let mut parts = Vec::new();
        expr.operands(&mut |e| parts.push(e));
        for part in parts {
            self.expr(part);
        }
    }

    fn write(&mut self, place: &Expr) {
        // A conditional left side has no single root: assume the worst.
        match root(place) {
            Some(VarRef::Slot(slot)) => self.slots.push(slot),
            _ => self.writes = true,
        }
    }

    fn call(&mut self, callee: FunctionId, args: &[Expr]) {
        let function = &self.checker.functions[callee.index()];
        self.writes |= function.has_side_effects;
        self.reads |= function.reads_state;
        for (param, arg) in function.params.iter().zip(args) {
            if param.by_reference && !param.is_const {
                self.write(arg);
            }
        }
    }
}
