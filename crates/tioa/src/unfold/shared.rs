//! Checks that processes share nothing: components of a timed I/O system have nothing in common but actions.

use rustc_hash::FxHashSet;
use zonewalk_model::ids::{FunctionId, ProcessId};
use zonewalk_model::system::{Binding, Root, System};
use zonewalk_model::tree::{Expr, ExprKind, Model, VarRef, Variable};
use zonewalk_model::types::Type;
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

/// An error for each global variable or clock that a process uses.
pub(super) fn errors(model: &Model, system: &System, process: ProcessId) -> Vec<Diagnostic> {
    let instance = &system.processes[process.index()];
    let template = &model.templates[instance.template.index()];
    let mut look = SharedData {
        model,
        functions: FxHashSet::default(),
        variables: FxHashSet::default(),
        errors: Vec::new(),
    };
    for variable in &template.variables {
        if let Some(init) = &variable.init {
            init.expressions(&mut |e| look.expr(e));
        }
    }
    for location in &template.locations {
        location.invariant.iter().for_each(|e| look.expr(e));
    }
    for edge in &template.edges {
        edge.guard.iter().for_each(|e| look.expr(e));
        edge.sync.iter().for_each(|sync| look.expr(&sync.channel));
        edge.updates.iter().for_each(|e| look.expr(e));
    }
    let set = model.process_sets.get(instance.set.index());
    for (binding, param) in instance.bindings.iter().zip(&template.params) {
        if let Binding::Place(place) = binding
            && let Root::Global(global) = place.root
        {
            let span = set.map_or(param.span, |set| set.span);
            look.global(global.index(), span);
        }
    }
    look.errors
}

/// Whether a variable holds something that changes: data, or clocks.
fn is_shared(variable: &Variable) -> bool {
    !variable.is_const && !is_channels(&variable.ty)
}

fn is_channels(ty: &Type) -> bool {
    matches!(ty.base(), Type::Chan(_))
}

struct SharedData<'a> {
    model: &'a Model,
    functions: FxHashSet<FunctionId>,
    variables: FxHashSet<usize>,
    errors: Vec<Diagnostic>,
}

impl SharedData<'_> {
    fn global(&mut self, index: usize, span: Span) {
        let variable = &self.model.globals[index];
        if !is_shared(variable) || !self.variables.insert(index) {
            return;
        }
        let what = if matches!(variable.ty.base(), Type::Clock { .. }) {
            "clock"
        } else {
            "variable"
        };
        let message = format!(
            "the global {what} `{}` is not supported in timed I/O automata",
            variable.name
        );
        let help = "components share only actions: declare it in the template, or make it a constant";
        let error = Diagnostic::error("shared-variable", span, message)
            .related(variable.span, "declared here")
            .help(help);
        self.errors.push(error);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Var(VarRef::Global(global)) => self.global(global.index(), expr.span),
            ExprKind::Call(function, _) => self.function(*function),
            _ => {}
        }
        expr.operands(&mut |e| self.expr(e));
    }

    fn function(&mut self, id: FunctionId) {
        if !self.functions.insert(id) {
            return;
        }
        let model = self.model;
        if let Some(body) = &model.functions[id.index()].body {
            body.expressions(&mut |e, _| self.expr(e));
        }
    }
}
