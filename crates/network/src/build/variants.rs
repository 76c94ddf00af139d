//! Which processes share code.
//!
//! Code is made once per *variant*: a template together with the values of those parameters that its types depend
//! on (sizes, ranges). All other parameters are data of the process. What all the processes of a variant agree on
//! is folded into the code.

use crate::expressions::visit;
use rustc_hash::FxHashMap;
use zonewalk_model::ids::{FunctionId, ParamId, ProcessId, TemplateId};
use zonewalk_model::system::{Binding, System, Value};
use zonewalk_model::tree::{Expr, ExprKind, Model, VarRef};

/// A template for the processes that share its code.
#[derive(Clone, Debug)]
pub(crate) struct TemplateVariant {
    pub(crate) template: TemplateId,
    /// Never empty; the first one stands for all where they agree.
    pub(crate) processes: Vec<ProcessId>,
    /// Parameters that stand for the same in all of them.
    pub(crate) uniform_params: Vec<bool>,
    /// Variables whose initial values, and the identities of whose clocks and channels, are the same in all.
    pub(crate) uniform_locals: Vec<bool>,
}

/// Groups the processes. Variants are in the order of their first processes.
pub(crate) fn of(model: &Model, system: &System) -> Vec<TemplateVariant> {
    let shaping: Vec<Vec<ParamId>> = (0..model.templates.len())
        .map(|t| shaping_params(model, t))
        .collect();
    let mut variants: Vec<TemplateVariant> = Vec::new();
    let mut by_key: FxHashMap<(TemplateId, Vec<i64>), usize> = FxHashMap::default();
    for (number, process) in system.processes.iter().enumerate() {
        let mut key = Vec::new();
        for param in shaping.get(process.template.index()).into_iter().flatten() {
            if let Some(Binding::Value(value)) = process.bindings.get(param.index()) {
                flatten(value, &mut key);
            }
        }
        let id = ProcessId::from_index(number);
        let next = variants.len();
        let variant = *by_key.entry((process.template, key)).or_insert(next);
        if variant == next {
            variants.push(TemplateVariant {
                template: process.template,
                processes: Vec::new(),
                uniform_params: Vec::new(),
                uniform_locals: Vec::new(),
            });
        }
        variants[variant].processes.push(id);
    }
    for variant in &mut variants {
        let (first, others) = variant
            .processes
            .split_first()
            .map_or((ProcessId(0), &[][..]), |(f, o)| (*f, o));
        let bindings = |p: ProcessId| &system.processes[p.index()].bindings;
        variant.uniform_params = (0..bindings(first).len())
            .map(|i| {
                others
                    .iter()
                    .all(|&p| bindings(p).get(i) == bindings(first).get(i))
            })
            .collect();
        let locals = |p: ProcessId| system.initial.locals.get(p.index());
        variant.uniform_locals = (0..locals(first).map_or(0, |l| l.len()))
            .map(|i| {
                let value = |p| locals(p).and_then(|l| l.get(i));
                others.iter().all(|&p| value(p) == value(first))
            })
            .collect();
    }
    variants
}

/// The constant parameters that some type of the template depends on.
fn shaping_params(model: &Model, template: usize) -> Vec<ParamId> {
    let mut found = Vec::new();
    let mut seen = Vec::new();
    visit::template_bounds(model, template, &mut |bound| {
        params_of(model, bound, &mut found, &mut seen);
    });
    // A constant of the template may carry a parameter into a size: `const int n = p + 1; int a[n];`.
    let Some(this) = model.templates.get(template) else {
        return found;
    };
    let mut locals = Vec::new();
    visit::template_bounds(model, template, &mut |bound| {
        visit::expression(bound, &mut |e| {
            if let ExprKind::Var(VarRef::Local(local)) = e.kind {
                locals.push(local);
            }
        });
    });
    let mut next = 0;
    while let Some(&local) = locals.get(next) {
        next += 1;
        let Some(init) = this.variables.get(local.index()).and_then(|v| v.init.as_ref()) else {
            continue;
        };
        init.expressions(&mut |e| {
            params_of(model, e, &mut found, &mut seen);
            visit::expression(e, &mut |e| {
                if let ExprKind::Var(VarRef::Local(local)) = e.kind
                    && !locals.contains(&local)
                {
                    locals.push(local);
                }
            });
        });
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Parameters that an expression names, itself or through the functions that it calls.
fn params_of(model: &Model, expr: &Expr, found: &mut Vec<ParamId>, seen: &mut Vec<FunctionId>) {
    visit::expression(expr, &mut |e| match &e.kind {
        ExprKind::Var(VarRef::Param(param)) => found.push(*param),
        ExprKind::Call(function, _) if !seen.contains(function) => {
            seen.push(*function);
            if let Some(body) = model
                .functions
                .get(function.index())
                .and_then(|f| f.body.as_ref())
            {
                body.expressions(&mut |e, _| params_of(model, e, found, seen));
            }
        }
        _ => {}
    });
}

/// A value as a list of numbers that is equal for equal values of one type.
fn flatten(value: &Value, into: &mut Vec<i64>) {
    match value {
        Value::Int(i) => into.push(i64::from(*i)),
        // Models that are compiled have none.
        Value::Unknown(lo, hi) => into.extend([i64::from(*lo), i64::from(*hi)]),
        Value::Double(d) => into.push(d.to_bits() as i64),
        Value::Str(s) => into.extend(s.bytes().map(i64::from)),
        Value::Clock(c) => into.push(i64::from(c.0)),
        Value::Channel(c) => into.push(i64::from(c.0)),
        Value::Array(parts) | Value::Struct(parts) => parts.iter().for_each(|p| flatten(p, into)),
    }
}
