//! Declarations of variables and types, global, in templates and in blocks.

use super::TypeChecker;
use super::compatibility::describe;
use super::scope::Symbol;
use crate::eval::{self, Fault, FaultKind};
use crate::ids::{GlobalId, LocalId, SlotId, TemplateId};
use crate::system::{Memory, Value};
use crate::tree::{Binder, Expr, ExprKind, Feature, Init, SlotVariable, VarRef, Variable};
use crate::types::{ArrayType, Type};
use std::sync::Arc;
use zonewalk_syntax::ast::{self, Decl, Declarator, Select, TypeExpr, TypePrefix};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

/// Where a variable is declared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Global,
    Template,
    Block,
}

impl TypeChecker<'_> {
    /// Declarations of the model or of its system section.
    pub(super) fn global_declarations(&mut self, decls: &[Decl]) {
        for decl in decls {
            self.global_declaration(decl);
        }
    }

    pub(super) fn global_declaration(&mut self, decl: &Decl) {
        match decl {
            Decl::Variables { ty, declarators } => {
                self.variables(ty, declarators, Level::Global, &mut Vec::new());
            }
            Decl::Typedef { ty, declarators } => self.typedef(ty, declarators),
            Decl::Function(function) => self.function(function, None),
            Decl::ChanPriority(priority) => self.chan_priority(priority),
            Decl::Progress(measures) => self.progress(measures),
            Decl::Gantt(rows) => self.gantt(rows),
            Decl::BeforeUpdate(updates) => {
                let typed = self.global_updates(updates);
                self.before_update.extend(typed);
            }
            Decl::AfterUpdate(updates) => {
                let typed = self.global_updates(updates);
                self.after_update.extend(typed);
            }
            Decl::Dynamic { name, params } => {
                self.feature(Feature::DynamicTemplates, name.span);
                self.scopes.push();
                for param in params {
                    self.param_type(param);
                }
                self.scopes.pop();
                // The template's number is set when its definition comes.
                self.declare(name, Symbol::DynamicTemplate(TemplateId(u32::MAX)));
            }
            Decl::Import(import) => {
                self.feature(Feature::ExternalFunctions, import.span);
                for function in &import.functions {
                    self.external_function(function);
                }
            }
        }
    }

    /// Declarations of a template.
    pub(super) fn template_declarations(&mut self, decls: &[Decl]) {
        for decl in decls {
            match decl {
                Decl::Variables { ty, declarators } => {
                    self.variables(ty, declarators, Level::Template, &mut Vec::new());
                }
                Decl::Typedef { ty, declarators } => self.typedef(ty, declarators),
                Decl::Function(function) => {
                    let template = self.template.as_ref().map(|t| t.id);
                    self.function(function, template);
                }
                other => self.misplaced(other),
            }
        }
    }

    /// Declarations at the head of a block.
    pub(super) fn block_declarations(&mut self, decls: &[Decl]) -> Vec<SlotVariable> {
        let mut variables = Vec::new();
        for decl in decls {
            match decl {
                Decl::Variables { ty, declarators } => {
                    self.variables(ty, declarators, Level::Block, &mut variables);
                }
                Decl::Typedef { ty, declarators } => self.typedef(ty, declarators),
                other => self.misplaced(other),
            }
        }
        variables
    }

    fn misplaced(&mut self, decl: &Decl) {
        let (what, span) = match decl {
            Decl::Function(f) => ("a function", f.name.span),
            Decl::ChanPriority(p) => ("channel priorities", p.span),
            Decl::Dynamic { name, .. } => ("a dynamic template", name.span),
            Decl::Import(i) => ("an import", i.span),
            Decl::BeforeUpdate(list) | Decl::AfterUpdate(list) => {
                ("an update section", list.first().map_or(Span::NONE, |e| e.span))
            }
            _ => ("this", Span::NONE),
        };
        let message = format!("{what} can only be declared globally");
        let diagnostic = Diagnostic::error("misplaced", span, message);
        self.report(match decl {
            // No engine calls them, wherever they are declared.
            Decl::Import(_) => diagnostic
                .help("external functions are not supported: write them in the model's own language"),
            _ => diagnostic,
        });
    }

    fn typedef(&mut self, ty: &TypeExpr, declarators: &[Declarator]) {
        let name = declarators.first().map(|d| &d.name.name);
        let base = self.resolve_type(ty, name);
        let prefix = self.prefix(ty);
        for declarator in declarators {
            let ty = self.declarator_type(&base, declarator);
            self.declare(&declarator.name, Symbol::Type(ty, prefix));
        }
    }

    fn variables(
        &mut self,
        ty: &TypeExpr,
        declarators: &[Declarator],
        level: Level,
        block: &mut Vec<SlotVariable>,
    ) {
        let base = self.resolve_type(ty, None);
        let prefix = self.prefix(ty);
        if prefix.is_meta {
            self.feature(Feature::MetaVariables, ty.span);
        }
        for declarator in declarators {
            let resolved = self.declarator_type(&base, declarator);
            let variable = self.variable(prefix, resolved, declarator, level);
            self.add_variable(variable, declarator, level, block);
            self.overridden = None;
        }
    }

    fn variable(
        &mut self,
        prefix: TypePrefix,
        resolved: Type,
        declarator: &Declarator,
        level: Level,
    ) -> Variable {
        let name = &declarator.name;
        if matches!(resolved, Type::Void) {
            self.error(
                "void",
                name.span,
                format!("the variable `{}` cannot be void", name.name),
            );
        }
        if level == Level::Block && resolved.any(&mut |t| matches!(t, Type::Clock { .. } | Type::Chan(_))) {
            self.error("local", name.span, "a function cannot declare clocks or channels");
        }
        let mut init = None;
        match &declarator.init {
            Some(given) if resolved.base().is_chan() && !matches!(resolved, Type::Error) => {
                self.error(
                    "initialiser",
                    given.span(),
                    "a channel cannot have an initialiser",
                );
            }
            Some(given) => init = self.checked_initialiser(&resolved, given, level != Level::Block),
            None if prefix.is_const && !matches!(resolved, Type::Error) => {
                self.error(
                    "initialiser",
                    name.span,
                    format!("the constant `{}` has no value", name.name),
                );
            }
            None => {}
        }
        if level == Level::Global && prefix.is_const {
            init = self.overridden(name, &resolved, init);
        }
        // A constant without a value would only cause errors at its uses.
        let ty_known = !prefix.is_const || init.is_some();
        Variable {
            name: name.name.clone(),
            ty: if ty_known { resolved } else { Type::Error },
            is_const: prefix.is_const,
            is_meta: prefix.is_meta,
            init,
            from_param: None,
            span: name.span,
        }
    }

    /// The value that the command line gives to a constant, if it does.
    fn overridden(&mut self, name: &ast::Ident, ty: &Type, init: Option<Init>) -> Option<Init> {
        let Some(given) = self.overrides.get_mut(&*name.name) else {
            return init;
        };
        given.is_used = true;
        let given = given.init.clone();
        let declared = format!("`{}` is declared here as {}", name.name, describe(ty));
        self.overridden = Some((name.span, declared));
        self.checked_initialiser(ty, &given, true)
    }

    fn add_variable(
        &mut self,
        variable: Variable,
        declarator: &Declarator,
        level: Level,
        block: &mut Vec<SlotVariable>,
    ) {
        let mut variable = variable;
        if level != Level::Block {
            self.widen_constant(&mut variable);
        }
        let ty = variable.ty.clone();
        let name = &declarator.name;
        match level {
            Level::Global => {
                let value = self.global_value(&variable);
                let id = GlobalId::from_index(self.globals.len());
                self.globals.to_mut().push(variable);
                self.values.push(value);
                self.declare(
                    name,
                    Symbol::Variable {
                        var: VarRef::Global(id),
                        ty,
                    },
                );
            }
            Level::Template => {
                let Some(template) = &mut self.template else {
                    return;
                };
                let id = LocalId::from_index(template.variables.len());
                template.variables.push(variable);
                self.declare(
                    name,
                    Symbol::Variable {
                        var: VarRef::Local(id),
                        ty,
                    },
                );
            }
            Level::Block => {
                if let Some(value) = self.known_constant(&variable) {
                    self.declare(name, Symbol::Constant(value));
                    return;
                }
                let slot = self.new_slot(variable.is_const, false);
                block.push(SlotVariable { slot, variable });
                self.declare(
                    name,
                    Symbol::Variable {
                        var: VarRef::Slot(slot),
                        ty,
                    },
                );
            }
        }
    }

    /// The literal behind a local integer constant: usable as the size of an array.
    fn known_constant(&mut self, variable: &Variable) -> Option<Expr> {
        let Some(Init::Expr(init)) = &variable.init else {
            return None;
        };
        if !variable.is_const
            || !variable.ty.is_integral()
            || !self.is_computable(init)
            || !self.is_closed(init)
        {
            return None;
        }
        match self.evaluate(init)? {
            Value::Int(value) => Some(Expr {
                kind: ExprKind::Int(value),
                ty: variable.ty.clone(),
                span: variable.span,
            }),
            _ => None,
        }
    }

    /// The initial value of a global: needed now for constants, and computed for variables with an initialiser to
    /// find a value out of range or an array too large at its declaration.
    fn global_value(&mut self, variable: &Variable) -> Value {
        let placeholder = Value::Int(0);
        if matches!(variable.ty, Type::Error | Type::Void) {
            return placeholder;
        }
        match self.initial_value(&variable.ty, variable) {
            Ok(value) if variable.is_const => value,
            Ok(_) => placeholder,
            // Drawn when a run begins.
            Err(_) if !variable.is_const && variable.init.as_ref().is_some_and(draws) => placeholder,
            Err(fault) => {
                self.report(fault.to_diagnostic());
                placeholder
            }
        }
    }

    /// The initial value of a variable, as one of another type.
    fn initial_value(&mut self, ty: &Type, variable: &Variable) -> Result<Value, Fault> {
        let memory = Memory {
            globals: std::mem::take(&mut self.values),
            locals: Vec::new(),
        };
        let code = eval::Code {
            globals: &self.globals,
            functions: &self.functions,
            scalar_sets: &self.scalar_sets,
            wraps: Some(&self.wraps),
        };
        let mut evaluator = eval::Evaluator::at_compile_time(code, &memory);
        let is_data = !ty.any(&mut |t| matches!(t, Type::Clock { .. } | Type::Chan(_)));
        let result = match &variable.init {
            Some(init) if is_data => evaluator.initial(ty, variable.is_const, Some(init), variable.span),
            _ => evaluator.element_count(ty, variable.span).map(|_| Value::Int(0)),
        };
        self.values = memory.globals;
        result
    }

    /// Gives a constant that is only out of its range all integers for its range, and warns of it (`semantics.md` 17d). What the
    /// command line gives must fit.
    fn widen_constant(&mut self, variable: &mut Variable) {
        let is_fixed = variable.is_const && variable.init.is_some() && self.overridden.is_none();
        let Some(wide) = without_range(&variable.ty).filter(|_| is_fixed) else {
            return;
        };
        let Err(fault) = self.initial_value(&variable.ty, variable) else {
            return;
        };
        if matches!(fault.kind, FaultKind::OutOfRange { .. }) && self.initial_value(&wide, variable).is_ok() {
            let message = format!("{}, the range of the constant `{}`", fault, variable.name);
            let warning = Diagnostic::warning(fault.kind.code(), fault.span, message);
            self.report(warning.help("the constant has this value all the same; widen its range to say so"));
            variable.ty = wide;
        }
    }

    // ------------------------------------------------------------ sections

    fn global_updates(&mut self, updates: &[ast::Expr]) -> Vec<Expr> {
        self.slots.clear();
        self.max_slots = 0;
        let typed: Vec<Expr> = updates.iter().map(|e| self.update(e)).collect();
        if let Some(first) = typed.first() {
            self.feature(Feature::BeforeAfterUpdate, first.span);
        }
        self.update_slots = self.update_slots.max(self.max_slots);
        typed
    }

    pub(super) fn bind_selects(&mut self, selects: &[Select]) -> Vec<Binder> {
        let mut binders = Vec::new();
        for select in selects {
            let ty = self.enumerated_type(&select.ty, "bound name");
            let slot = self.new_slot(true, true);
            binders.push(self.bind_select(&select.name, slot, ty));
        }
        binders
    }

    /// Binds the name of a select, which hides what had it before.
    pub(super) fn bind_select(&mut self, name: &ast::Ident, slot: SlotId, ty: Type) -> Binder {
        let symbol = Symbol::Variable {
            var: VarRef::Slot(slot),
            ty: ty.clone(),
        };
        self.scopes.replace(name, symbol);
        Binder {
            slot,
            name: name.name.clone(),
            ty,
        }
    }

    /// An update: an assignment or a call; anything else has no effect and is warned about.
    pub(super) fn update(&mut self, update: &ast::Expr) -> Expr {
        let typed = self.expression(update);
        if matches!(typed.ty, Type::Error) {
            return typed;
        }
        if matches!(
            typed.ty,
            Type::Condition(_) | Type::Chan(_) | Type::Process | Type::Difference | Type::Rate
        ) {
            let diagnostic = Diagnostic::error("update", typed.span, "this is not an assignment");
            self.report(match &typed.kind {
                ExprKind::CompareClocks(..) => diagnostic.help("use `=` to assign"),
                _ => diagnostic,
            });
        } else if !self.has_effects(&typed) && !matches!(typed.kind, ExprKind::Int(1)) {
            let mut diagnostic = Diagnostic::warning("no-effect", typed.span, "this has no effect");
            if matches!(typed.kind, ExprKind::Compare(ast::BinaryOp::Equal, ..)) {
                diagnostic = diagnostic.help("`==` compares; use `=` to assign");
            }
            self.report(diagnostic);
        }
        typed
    }
}

/// The type of constants with the same shape and without ranges; `None` for a type that has no range.
fn without_range(ty: &Type) -> Option<Type> {
    match ty {
        Type::Range(_) => Some(Type::Int),
        Type::Array(array) => {
            let element = without_range(&array.element)?;
            let array = ArrayType {
                element,
                ..(**array).clone()
            };
            Some(Type::Array(Arc::new(array)))
        }
        _ => None,
    }
}

/// Whether an initial value is a random number, or is computed from one.
fn draws(init: &Init) -> bool {
    fn expr(e: &Expr) -> bool {
        let mut any = matches!(&e.kind, ExprKind::Builtin(builtin, _) if builtin.info().random);
        e.operands(&mut |operand| any = any || expr(operand));
        any
    }
    match init {
        Init::Expr(e) => expr(e),
        Init::List(items) => items.iter().any(draws),
    }
}
