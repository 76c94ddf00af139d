//! The system section: partial instances and the system line (`semantics.md` 21–21c).

use super::TypeChecker;
use super::call::wrong_count;
use super::compatibility::describe;
use super::scope::Symbol;
use super::types::is_default_int;
use crate::ids::{ProcessSetId, SlotId, TemplateId};
use crate::tree::{Binder, Expr, ExprKind, Feature, Param, ParamMode, ProcessSet, VarRef};
use crate::types::Type;
use zonewalk_syntax::ast::{self, Document, Ident, SystemItem, SystemLine};
use zonewalk_syntax::diagnostic::{Code, Diagnostic};

/// A template, or a partial instance of one: what an instantiation or the system line may name.
pub(super) struct Instance {
    name: Ident,
    template: TemplateId,
    /// Its own parameters; parameter `i` is slot `i` of `args`.
    params: Vec<InstanceParam>,
    /// The arguments for the template's parameters.
    args: Vec<Expr>,
    /// Whether it is erroneous; the error has been reported.
    broken: bool,
}

#[derive(Clone)]
struct InstanceParam {
    name: ast::Name,
    ty: Type,
    by_reference: bool,
    is_const: bool,
    /// Used in the size of an array or the range of a selection.
    restricted: bool,
    span: zonewalk_syntax::span::Span,
}

impl Instance {
    /// A template that is not checked yet.
    pub(super) fn of_template(template: TemplateId, name: Ident) -> Self {
        Instance {
            name,
            template,
            params: Vec::new(),
            args: Vec::new(),
            broken: false,
        }
    }

    /// Adds what checking has found out about the template's parameters.
    pub(super) fn complete(&mut self, params: &[Param], consts: &[bool], restricted: &[bool]) {
        self.params = (params.iter().zip(consts).zip(restricted))
            .map(|((param, &is_const), &restricted)| InstanceParam {
                name: param.name.clone(),
                ty: param.ty.clone(),
                by_reference: param.mode == ParamMode::Reference,
                is_const,
                restricted,
                span: param.span,
            })
            .collect();
        self.args = (self.params.iter().enumerate())
            .map(|(i, p)| Expr {
                kind: ExprKind::Var(VarRef::Slot(SlotId::from_index(i))),
                ty: p.ty.clone(),
                span: p.span,
            })
            .collect();
    }
}

impl TypeChecker<'_> {
    pub(super) fn system_section(&mut self, document: &Document) {
        let mut line: Option<&SystemLine> = None;
        for item in &document.system {
            match item {
                SystemItem::Decl(decl) => self.global_declaration(decl),
                SystemItem::Instantiation(instantiation) => self.instantiation(instantiation),
                SystemItem::Io(_) => {}
                SystemItem::System(system) => {
                    if let Some(first) = line {
                        self.report(
                            Diagnostic::error("system", system.span, "a second system line")
                                .related(first.span, "the first one"),
                        );
                    } else {
                        line = Some(system);
                        self.system_line(system);
                    }
                }
            }
        }
        for item in &document.system {
            if let SystemItem::Io(line) = item {
                self.io_line(line);
            }
        }
        if line.is_none() {
            self.report(
                Diagnostic::error("system", document.end, "the model has no `system` line")
                    .help("name the processes at the end: `system P, Q;`"),
            );
        }
    }

    /// Live sequence charts look like templates to the system section. No engine runs them; they observe, so leaving
    /// them out changes nothing for the processes.
    pub(super) fn charts(&mut self, charts: &[ast::Chart]) {
        for chart in charts {
            self.feature(Feature::LiveSequenceCharts, chart.name.span);
            self.scopes.push();
            for param in &chart.params {
                self.param_type(param);
            }
            self.scopes.pop();
            self.declare(&chart.name, Symbol::Chart);
        }
    }

    fn instantiation(&mut self, instantiation: &ast::Instantiation) {
        if let Some(Symbol::Chart) = self
            .scopes
            .lookup(&instantiation.template.name)
            .map(|d| &d.symbol)
        {
            for arg in &instantiation.args {
                self.expression(arg);
            }
            self.declare(&instantiation.name, Symbol::Chart);
            return;
        }
        self.slots.clear();
        self.scopes.push();
        let mut params: Vec<InstanceParam> = Vec::new();
        for param in &instantiation.params {
            let ty = self.param_type(param);
            let is_const = self.prefix(&param.ty).is_const;
            // A constant parameter is known when processes are made; others are not (`semantics.md` 21b).
            let slot = self.new_slot(is_const, is_const && !param.by_reference);
            self.declare(
                &param.name,
                Symbol::Variable {
                    var: VarRef::Slot(slot),
                    ty: ty.clone(),
                },
            );
            params.push(InstanceParam {
                name: param.name.name.clone(),
                ty,
                by_reference: param.by_reference,
                is_const,
                restricted: false,
                span: param.name.span,
            });
        }
        let args: Vec<Expr> = instantiation.args.iter().map(|a| self.expression(a)).collect();
        let built = self.build_instance(instantiation, params, &args);
        self.scopes.pop();
        let symbol = Symbol::Instance(self.instances.len());
        self.instances.push(built);
        self.declare(&instantiation.name, symbol);
        self.slots.clear();
    }

    fn build_instance(
        &mut self,
        instantiation: &ast::Instantiation,
        mut params: Vec<InstanceParam>,
        args: &[Expr],
    ) -> Instance {
        let name = instantiation.name.clone();
        let broken = Instance {
            name: name.clone(),
            template: TemplateId(0),
            params: Vec::new(),
            args: Vec::new(),
            broken: true,
        };
        let Some(base) = self.find_instance(&instantiation.template) else {
            return broken;
        };
        let (base_name, base_params) = (
            self.instances[base].name.clone(),
            self.instances[base].params.clone(),
        );
        if self.instances[base].broken {
            return broken;
        }
        if base_params.len() != args.len() {
            let message = wrong_count(&base_name.name, base_params.len(), args.len());
            let diagnostic = Diagnostic::error("arguments", instantiation.span, message);
            self.report(diagnostic.related(base_name.span, "declared here"));
            return broken;
        }
        let mut good = true;
        for (param, arg) in base_params.iter().zip(args) {
            good &= self.instance_argument(param, arg);
            if param.restricted {
                mark_restricted(arg, &mut params);
            }
        }
        if !good {
            return broken;
        }
        let base = &self.instances[base];
        let args = base.args.iter().map(|e| substitute(e, args)).collect();
        Instance {
            name,
            template: base.template,
            params,
            args,
            broken: false,
        }
    }

    /// The template or partial instance of a name.
    fn find_instance(&mut self, name: &Ident) -> Option<usize> {
        match self.scopes.lookup(&name.name).map(|d| &d.symbol) {
            Some(Symbol::Instance(index)) => Some(*index),
            Some(Symbol::DynamicTemplate(_)) => {
                let message = format!(
                    "`{}` is a dynamic template: it is spawned, not instantiated",
                    name.name
                );
                self.error("dynamic", name.span, message);
                None
            }
            Some(_) => {
                self.error(
                    "not-a-template",
                    name.span,
                    format!("`{}` is not a template", name.name),
                );
                None
            }
            None => {
                self.unknown_name(&name.name, name.span, "template");
                None
            }
        }
    }

    /// Whether an argument fits a template's parameter (`semantics.md` 21c).
    fn instance_argument(&mut self, param: &InstanceParam, arg: &Expr) -> bool {
        if matches!(arg.ty, Type::Error) {
            return false;
        }
        if !self.require_pure(arg, "an argument") {
            return false;
        }
        let computable = self.is_computable(arg);
        let reference = param.by_reference && !param.is_const;
        if reference && !self.is_unique(arg) {
            let message = format!(
                "the parameter `{}` is a reference and needs one fixed variable",
                param.name
            );
            self.report(
                Diagnostic::error("argument", arg.span, message)
                    .help("an index here must be known at compile time"),
            );
            return false;
        }
        if !reference && !computable {
            let message = format!("the argument for `{}` must be known at compile time", param.name);
            let mut diagnostic = Diagnostic::error("argument", arg.span, message);
            if self.is_modifiable(arg) {
                diagnostic = diagnostic.help(format!(
                    "to pass the variable itself, declare the parameter as a reference: `&{}`",
                    param.name
                ));
            }
            self.report(diagnostic);
            return false;
        }
        self.argument(&param.name, &param.ty, param.by_reference, param.is_const, arg)
    }

    /// Whether it is one fixed variable: every index on the way is known at compile time.
    pub(super) fn is_unique(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Var(_) => true,
            ExprKind::Field(a, _) => self.is_unique(a),
            ExprKind::Index(a, i) => self.is_unique(a) && self.is_computable(i),
            _ => false,
        }
    }

    fn system_line(&mut self, line: &SystemLine) {
        self.has_process_priorities = line.levels.len() > 1;
        if self.has_process_priorities {
            self.feature(Feature::ProcessPriorities, line.span);
        }
        let mut listed: Vec<Ident> = Vec::new();
        for (priority, level) in line.levels.iter().enumerate() {
            for name in level {
                if let Some(first) = listed.iter().find(|n| n.name == name.name) {
                    let message = format!("the process `{}` is listed twice", name.name);
                    let diagnostic = Diagnostic::error(Code::DUPLICATE_PROCESS, name.span, message);
                    self.report(diagnostic.related(first.span, "first listed here"));
                    continue;
                }
                listed.push(name.clone());
                self.process_set(name, priority as u32);
            }
        }
    }

    fn process_set(&mut self, name: &Ident, priority: u32) {
        if let Some(Symbol::Chart) = self.scopes.lookup(&name.name).map(|d| &d.symbol) {
            return;
        }
        let Some(index) = self.find_process(name) else {
            return;
        };
        let instance = &self.instances[index];
        if instance.broken {
            return;
        }
        let (template, params) = (instance.template, instance.params.clone());
        let mut good = true;
        for param in &params {
            good &= self.free_param(name, param);
        }
        if !good {
            return;
        }
        let free = (params.iter().enumerate())
            .map(|(i, p)| Binder {
                slot: SlotId::from_index(i),
                name: p.name.clone(),
                ty: p.ty.clone(),
            })
            .collect();
        let args = self.instances[index].args.clone();
        let args = args.into_iter().map(|a| self.folded(a)).collect();
        // From here on (progress measures, Gantt charts, queries) the name stands for processes.
        let set = ProcessSetId::from_index(self.process_sets.len());
        self.scopes.replace(name, Symbol::Process(set));
        self.process_sets.to_mut().push(ProcessSet {
            name: name.name.clone(),
            template,
            free,
            args,
            priority,
            span: name.span,
        });
    }

    /// Arguments that are known now become literals, so that making a process is quick.
    fn folded(&mut self, arg: Expr) -> Expr {
        if !arg.ty.is_integral() || !self.is_closed(&arg) || !self.is_computable(&arg) {
            return arg;
        }
        match self.evaluate(&arg) {
            Some(crate::system::Value::Int(value)) => Expr {
                kind: ExprKind::Int(value),
                ..arg
            },
            _ => arg,
        }
    }

    fn find_process(&mut self, name: &Ident) -> Option<usize> {
        if self.scopes.lookup(&name.name).is_none() {
            let mut names: Vec<&str> = self.instances.iter().map(|i| &*i.name.name).collect();
            names.sort_unstable();
            let similar = super::scope::closest(&name.name, names.into_iter()).map(str::to_string);
            let message = format!("unknown process `{}`", name.name);
            let mut diagnostic = Diagnostic::error("unknown-name", name.span, message);
            if let Some(similar) = similar {
                diagnostic = diagnostic
                    .help(format!("did you mean `{similar}`?"))
                    .suggest(name.span, similar);
            }
            self.report(diagnostic);
            return None;
        }
        self.find_instance(name)
    }

    /// A parameter that stays free gives one process per value: it must be bounded and passed by value.
    fn free_param(&mut self, name: &Ident, param: &InstanceParam) -> bool {
        if matches!(param.ty, Type::Error) {
            return false;
        }
        let bounded = matches!(param.ty, Type::Range(_) | Type::Scalar(_)) && !is_default_int(&param.ty);
        if param.by_reference || !bounded {
            let message = format!(
                "the parameter `{}` of `{}` has no argument, and {} cannot be enumerated",
                param.name,
                name.name,
                if param.by_reference {
                    "a reference".to_string()
                } else {
                    describe(&param.ty)
                }
            );
            self.report(
                Diagnostic::error("free-parameter", name.span, message)
                    .related(param.span, "the parameter")
                    .help(format!(
                        "give it a value (`Q = {}(…);`) or a bounded integer or scalar type",
                        name.name
                    )),
            );
            return false;
        }
        if param.restricted {
            let message = format!(
                "the parameter `{}` of `{}` sizes an array or a selection and must be given a value",
                param.name, name.name
            );
            self.report(
                Diagnostic::error("free-parameter", name.span, message).related(param.span, "the parameter"),
            );
            return false;
        }
        true
    }
}

/// Replaces slot `i` by argument `i`.
fn substitute(expr: &Expr, args: &[Expr]) -> Expr {
    let mut result = expr.clone();
    substitute_in(&mut result, args);
    result
}

fn substitute_in(expr: &mut Expr, args: &[Expr]) {
    use ExprKind as K;
    if let K::Var(VarRef::Slot(slot)) = &expr.kind {
        if let Some(arg) = args.get(slot.index()) {
            *expr = arg.clone();
        }
        return;
    }
    match &mut expr.kind {
        K::Index(a, b) | K::Imply(a, b) | K::Xor(a, b) | K::Compare(_, a, b) | K::Same(_, a, b) => {
            substitute_in(a, args);
            substitute_in(b, args);
        }
        K::Field(a, _) | K::Negate(a) | K::Not(a) | K::Forall(_, a) | K::Exists(_, a) | K::Sum(_, a) => {
            substitute_in(a, args);
        }
        K::Arithmetic(first, rest) => {
            substitute_in(first, args);
            rest.iter_mut().for_each(|(_, e)| substitute_in(e, args));
        }
        K::And(list) | K::Or(list) | K::Call(_, list) | K::Builtin(_, list) | K::Comma(list) => {
            list.iter_mut().for_each(|e| substitute_in(e, args));
        }
        K::Conditional(a, b, c) => {
            substitute_in(a, args);
            substitute_in(b, args);
            substitute_in(c, args);
        }
        // Arguments have no side effects, look at no clocks and name no processes.
        _ => {}
    }
}

/// Marks the parameters that an argument for a restricted parameter is made of.
fn mark_restricted(arg: &Expr, params: &mut [InstanceParam]) {
    if let ExprKind::Var(VarRef::Slot(slot)) = &arg.kind
        && let Some(param) = params.get_mut(slot.index())
    {
        param.restricted = true;
    }
    let mut parts = Vec::new();
    arg.operands(&mut |e| parts.push(e));
    for part in parts {
        mark_restricted(part, params);
    }
}
