//! Expressions: names, places, calls, quantifiers.

use super::Checker;
use super::compatibility::{assignable, capability, describe, equivalent, is_integer, is_number};
use super::effects::root;
use super::scope::Symbol;
use crate::builtin::Number;
use crate::tree::{BinaryOp, Binder, Builtin, Expr, ExprKind, Feature, FunctionParam, ParamMode, VarRef};
use crate::types::{Condition, IndexType, Type};
use zonewalk_syntax::ast::{self, AssignOp, Ident, Quantifier, TypeExpr, TypeKind, UnaryOp};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

impl Checker<'_> {
    /// Types an expression. After an error its type is `Type::Error`, which fits everything.
    pub(super) fn expression(&mut self, expr: &ast::Expr) -> Expr {
        use ast::ExprKind as A;
        let span = expr.span;
        let simple = |kind, ty| Expr { kind, ty, span };
        match &expr.kind {
            A::Error => self.broken(span),
            A::Int(value) => simple(ExprKind::Int(*value), Type::Int),
            A::Double(value) => {
                self.feature(Feature::Doubles, span);
                simple(ExprKind::Double(*value), Type::Double)
            }
            A::Bool(value) => simple(ExprKind::Int(i32::from(*value)), Type::Bool),
            A::Str(text) => simple(ExprKind::Str(text.clone()), Type::Str),
            A::Deadlock => simple(ExprKind::Deadlock, Type::Condition(Condition::Formula)),
            A::Name(name) => self.name(name, span),
            A::Index(array, index) => {
                let array = self.expression(array);
                let index = self.expression(index);
                self.index(array, index, span)
            }
            A::Field(object, field) => self.field(object, field, span),
            A::Call(function, args) => self.call(function, args, span),
            A::Rate(clock) => {
                let clock = self.expression(clock);
                if !clock.ty.is_clock() {
                    self.type_error(&clock, "a clock");
                    return self.broken(span);
                }
                simple(ExprKind::Rate(Box::new(clock)), Type::Rate)
            }
            A::Unary(op, operand) => {
                let operand = self.expression(operand);
                match op {
                    UnaryOp::Not => self.negation(operand, span),
                    UnaryOp::Minus => self.sign(true, operand, span),
                    UnaryOp::Plus => self.sign(false, operand, span),
                }
            }
            A::Step {
                increment,
                prefix,
                operand,
            } => {
                let place = self.expression(operand);
                if !self.require_place(&place) {
                    return self.broken(span);
                }
                if !is_integer(&place.ty) {
                    self.type_error(&place, "an integer");
                    return self.broken(span);
                }
                let ty = if *prefix { place.ty.clone() } else { Type::Int };
                let kind = ExprKind::Step {
                    increment: *increment,
                    prefix: *prefix,
                    place: Box::new(place),
                };
                simple(kind, ty)
            }
            A::Chain { first, rest } => {
                let first = self.expression(first);
                let rest = rest.iter().map(|(op, e)| (*op, self.expression(e))).collect();
                self.chain(first, rest, span)
            }
            A::Assign(op, place, value) => {
                let place = self.expression(place);
                let value = self.expression(value);
                self.assignment(*op, place, value, span)
            }
            A::Conditional(condition, then, otherwise) => {
                let condition = self.expression(condition);
                let then = self.expression(then);
                let otherwise = self.expression(otherwise);
                self.conditional(condition, then, otherwise, span)
            }
            A::Quantifier {
                quantifier,
                binder,
                ty,
                body,
            } => self.quantified(*quantifier, binder, ty, body, span),
            A::Comma(list) => {
                let list: Vec<Expr> = list.iter().map(|e| self.expression(e)).collect();
                let ty = list.last().map_or(Type::Error, |e| e.ty.clone());
                simple(ExprKind::Comma(list), ty)
            }
            A::Spawn(template, args) => {
                self.feature(Feature::DynamicTemplates, span);
                for arg in args {
                    self.expression(arg);
                }
                self.require_dynamic(template);
                simple(ExprKind::Unsupported("spawn"), Type::Int)
            }
            A::Exit => {
                self.feature(Feature::DynamicTemplates, span);
                if !self.template.as_ref().is_some_and(|t| t.is_dynamic) {
                    self.error(
                        "dynamic",
                        span,
                        "`exit()` is only for templates that are declared as dynamic",
                    );
                }
                simple(ExprKind::Unsupported("exit"), Type::Int)
            }
            A::NumOf(template) => {
                self.feature(Feature::DynamicTemplates, span);
                self.require_dynamic(template);
                simple(ExprKind::Unsupported("numOf"), Type::Int)
            }
        }
    }

    fn require_dynamic(&mut self, template: &Ident) {
        match self.scopes.lookup(&template.name).map(|d| &d.symbol) {
            Some(Symbol::DynamicTemplate(_)) => {}
            Some(_) => self.error(
                "dynamic",
                template.span,
                format!("`{}` is no dynamic template", template.name),
            ),
            None => self.unknown_name(&template.name, template.span, "dynamic template"),
        }
    }

    fn name(&mut self, name: &ast::Name, span: Span) -> Expr {
        let Some(declared) = self.scopes.lookup(name) else {
            self.unknown_name(name, span, "name");
            return self.broken(span);
        };
        match declared.symbol.clone() {
            Symbol::Variable { var, ty } => Expr {
                kind: ExprKind::Var(var),
                ty,
                span,
            },
            Symbol::Constant(value) => Expr { span, ..value },
            // A location of the same template passes as a boolean; its meaning is undocumented (`semantics.md` 16e).
            Symbol::Location => {
                self.feature(Feature::LocationInGuard, span);
                Expr {
                    kind: ExprKind::Unsupported("the name of a location in an expression"),
                    ty: Type::Bool,
                    span,
                }
            }
            Symbol::Process(set) => self.single_process(set, span),
            Symbol::Function(_) => {
                self.report(
                    Diagnostic::error("function", span, format!("`{name}` is a function"))
                        .help(format!("call it: `{name}(…)`")),
                );
                self.broken(span)
            }
            Symbol::Type(..) => {
                self.error("type-name", span, format!("`{name}` is a type, not a value"));
                self.broken(span)
            }
            Symbol::Instance(_) | Symbol::DynamicTemplate(_) | Symbol::Chart => {
                self.error(
                    "template-name",
                    span,
                    format!("`{name}` is a template or process, not a value"),
                );
                self.broken(span)
            }
        }
    }

    fn index(&mut self, array: Expr, index: Expr, span: Span) -> Expr {
        let Type::Array(ty) = &array.ty else {
            self.type_error(&array, "an array");
            return self.broken(span);
        };
        let fits = match (&ty.index, &index.ty) {
            (_, Type::Error) => true,
            (IndexType::Scalar(a), Type::Scalar(b)) => a == b,
            (IndexType::Scalar(_), _) => false,
            (_, other) => other.is_integral(),
        };
        if !fits {
            let expected = match &ty.index {
                IndexType::Scalar(_) => "an element of the scalar set that indexes the array",
                _ => "an integer as index",
            };
            self.type_error(&index, expected);
            return self.broken(span);
        }
        let element = ty.element.clone();
        Expr {
            kind: ExprKind::Index(Box::new(array), Box::new(index)),
            ty: element,
            span,
        }
    }

    fn field(&mut self, object: &ast::Expr, field: &Ident, span: Span) -> Expr {
        if let Some(process) = self.process(object) {
            return match process {
                Ok(process) => self.member(process, field, span),
                Err(()) => self.broken(span),
            };
        }
        let object = self.expression(object);
        match &object.ty {
            Type::Error => self.broken(span),
            Type::Struct(ty) => {
                let found = ty.fields.iter().position(|(name, _)| *name == field.name);
                if let Some(index) = found {
                    let ty = ty.fields[index].1.clone();
                    return Expr {
                        kind: ExprKind::Field(Box::new(object), index),
                        ty,
                        span,
                    };
                }
                let names = ty.fields.iter().map(|(name, _)| &**name);
                let similar = super::scope::closest(&field.name, names).map(str::to_string);
                let mut diagnostic = Diagnostic::error(
                    "unknown-field",
                    field.span,
                    format!("the struct has no field `{}`", field.name),
                );
                if let Some(similar) = similar {
                    diagnostic = diagnostic
                        .help(format!("did you mean `{similar}`?"))
                        .suggest(field.span, similar);
                }
                self.report(diagnostic);
                self.broken(span)
            }
            _ => {
                self.type_error(&object, "a struct or a process");
                self.broken(span)
            }
        }
    }

    fn call(&mut self, callee: &ast::Expr, args: &[ast::Expr], span: Span) -> Expr {
        if let ast::ExprKind::Field(object, function) = &callee.kind
            && let Some(process) = self.process(object)
        {
            return match process {
                Ok(process) => self.process_call(process, function, args, span),
                Err(()) => self.broken(span),
            };
        }
        let ast::ExprKind::Name(name) = &callee.kind else {
            self.error("call", callee.span, "only a function can be called");
            return self.broken(span);
        };
        let symbol = self.scopes.lookup(name).map(|d| d.symbol.clone());
        let typed: Vec<Expr> = args.iter().map(|a| self.expression(a)).collect();
        match symbol {
            Some(Symbol::Function(id)) => {
                let function = &self.functions[id.index()];
                let (params, result) = (function.params.clone(), function.result.clone());
                if self.functions[id.index()].body.is_none() {
                    self.feature(Feature::ExternalFunctions, span);
                }
                if !self.arguments(name, &params, &typed, span) {
                    return self.broken(span);
                }
                Expr {
                    kind: ExprKind::Call(id, typed),
                    ty: result,
                    span,
                }
            }
            Some(Symbol::Process(_)) => {
                self.error(
                    "process",
                    span,
                    "a process needs a `.` and the name of a location or variable",
                );
                self.broken(span)
            }
            Some(_) => {
                self.error("call", callee.span, format!("`{name}` is not a function"));
                self.broken(span)
            }
            None => match Builtin::find(name) {
                Some(builtin) => self.builtin_call(builtin, typed, span),
                None => {
                    self.unknown_name(name, callee.span, "function");
                    self.broken(span)
                }
            },
        }
    }

    fn builtin_call(&mut self, builtin: Builtin, args: Vec<Expr>, span: Span) -> Expr {
        let info = builtin.info();
        if args.len() != info.params.len() {
            let message = format!(
                "`{}` takes {} arguments, not {}",
                info.name,
                info.params.len(),
                args.len()
            );
            self.error("arguments", span, message);
            return self.broken(span);
        }
        for (param, arg) in info.params.iter().zip(&args) {
            let fits = match param {
                Number::Double => is_number(&arg.ty),
                Number::Int | Number::Bool => arg.ty.is_integral(),
            };
            if !fits {
                self.type_error(
                    arg,
                    if *param == Number::Double {
                        "a number"
                    } else {
                        "an integer"
                    },
                );
                return self.broken(span);
            }
        }
        if info.random {
            self.feature(Feature::RandomFunctions, span);
        } else if info.name != "abs" {
            self.feature(Feature::MathFunctions, span);
        }
        let ty = match info.result {
            Number::Int => Type::Int,
            Number::Double => Type::Double,
            Number::Bool => Type::Bool,
        };
        Expr {
            kind: ExprKind::Builtin(builtin, args),
            ty,
            span,
        }
    }

    /// Checks the arguments of a call against the parameters.
    pub(super) fn arguments(
        &mut self,
        name: &str,
        params: &[FunctionParam],
        args: &[Expr],
        span: Span,
    ) -> bool {
        if params.len() != args.len() {
            let message = format!("`{name}` takes {} arguments, not {}", params.len(), args.len());
            self.error("arguments", span, message);
            return false;
        }
        let mut fits = true;
        for (param, arg) in params.iter().zip(args) {
            fits &= self.argument(&param.name, &param.ty, param.by_reference, param.is_const, arg);
        }
        fits
    }

    /// Whether an argument fits a parameter (`semantics.md` 20, 21c).
    pub(super) fn argument(
        &mut self,
        name: &str,
        ty: &Type,
        by_reference: bool,
        is_const: bool,
        arg: &Expr,
    ) -> bool {
        if matches!(arg.ty, Type::Error) || matches!(ty, Type::Error) {
            return !matches!(arg.ty, Type::Error);
        }
        let modifiable = self.is_modifiable(arg);
        if by_reference && !is_const && !modifiable {
            self.report(
                Diagnostic::error(
                    "argument",
                    arg.span,
                    format!("the parameter `{name}` needs a variable"),
                )
                .help("it is passed by reference: a constant or a computed value does not fit"),
            );
            return false;
        }
        let fits = match (ty, &arg.ty) {
            (Type::Chan(param), Type::Chan(chan)) => capability(*chan) >= capability(*param),
            _ if by_reference && modifiable => equivalent(&arg.ty, ty),
            _ => assignable(ty, &arg.ty),
        };
        if !fits {
            let message = format!(
                "the parameter `{name}` is of type {}, the argument of type {}",
                describe(ty),
                describe(&arg.ty)
            );
            let mut diagnostic = Diagnostic::error("argument", arg.span, message);
            if by_reference && arg.ty.is_integral() && ty.is_integral() {
                diagnostic = diagnostic.help("a reference needs a variable of the very same range");
            }
            self.report(diagnostic);
        }
        fits
    }

    // ------------------------------------------------------------ places

    /// Whether it is a left side that may change.
    pub(super) fn is_modifiable(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Var(var) => match var {
                VarRef::Global(g) => !self.globals[g.index()].is_const,
                VarRef::Local(l) => self
                    .template
                    .as_ref()
                    .is_some_and(|t| !t.variables[l.index()].is_const),
                VarRef::Param(p) => self.template.as_ref().is_some_and(|t| {
                    t.params[p.index()].mode == ParamMode::Reference && !t.const_refs[p.index()]
                }),
                VarRef::Slot(s) => self.slots.get(s.index()).is_some_and(|s| !s.is_const),
            },
            ExprKind::Index(a, _) | ExprKind::Field(a, _) => self.is_modifiable(a),
            ExprKind::Assign(..) | ExprKind::AssignWith(..) => true,
            ExprKind::Step { prefix, .. } => *prefix,
            ExprKind::Conditional(_, a, b) => {
                self.is_modifiable(a) && self.is_modifiable(b) && equivalent(&a.ty, &b.ty)
            }
            ExprKind::Comma(list) => list.last().is_some_and(|e| self.is_modifiable(e)),
            _ => false,
        }
    }

    fn require_place(&mut self, place: &Expr) -> bool {
        if matches!(place.ty, Type::Error) {
            return false;
        }
        let modifiable = self.is_modifiable(place);
        if !modifiable {
            let message = match root(place) {
                Some(_) => "this is constant and cannot be changed",
                None => "this is not a variable and cannot be changed",
            };
            self.error("left-side", place.span, message);
        }
        modifiable
    }

    fn assignment(&mut self, op: AssignOp, place: Expr, value: Expr, span: Span) -> Expr {
        if matches!(place.ty, Type::Error) || matches!(value.ty, Type::Error) {
            return self.broken(span);
        }
        let fits = match op {
            AssignOp::Plain => assignable(&place.ty, &value.ty),
            // `b += 1` is none for a boolean, `b -= 1` is (`semantics.md` 17b).
            AssignOp::With(BinaryOp::Add) => is_integer(&place.ty) && value.ty.is_integral(),
            AssignOp::With(_) => place.ty.is_integral() && value.ty.is_integral(),
        };
        if !fits {
            let message = format!(
                "a value of type {} does not fit {}",
                describe(&value.ty),
                describe(&place.ty)
            );
            let mut diagnostic = Diagnostic::error("assignment", span, message);
            if matches!(op, AssignOp::With(_)) && !place.ty.is_integral() {
                diagnostic = diagnostic.help("only integers can be changed like this; use `=`");
            }
            self.report(diagnostic);
            return self.broken(span);
        }
        if !self.require_place(&place) {
            return self.broken(span);
        }
        if place.ty.is_clock() && !value.ty.is_integral() {
            let feature = match &value.ty {
                Type::Clock { .. } => Feature::ClockCopies,
                _ => Feature::Doubles,
            };
            self.feature(feature, span);
        }
        if matches!(place.ty, Type::Double) && matches!(value.ty, Type::Clock { .. }) {
            self.feature(Feature::ClockArithmetic, span);
        }
        let ty = place.ty.clone();
        let kind = match op {
            AssignOp::Plain => ExprKind::Assign(Box::new(place), Box::new(value)),
            AssignOp::With(op) => ExprKind::AssignWith(op, Box::new(place), Box::new(value)),
        };
        Expr { kind, ty, span }
    }

    fn conditional(&mut self, condition: Expr, then: Expr, otherwise: Expr, span: Span) -> Expr {
        if [&condition, &then, &otherwise]
            .iter()
            .any(|e| matches!(e.ty, Type::Error))
        {
            return self.broken(span);
        }
        if !super::compatibility::is_condition(&condition.ty, Condition::Guard) {
            self.type_error(&condition, "a condition before `?`");
            return self.broken(span);
        }
        let clock = |t: &Type| matches!(t, Type::Clock { .. });
        let (a, b) = (&then.ty, &otherwise.ty);
        let ty = if a.is_integral() && b.is_integral() {
            // Two like variables stay a left side; anything else is a value.
            if equivalent(a, b) {
                Some(a.clone())
            } else {
                Some(Type::Int)
            }
        } else if clock(a) != clock(b) && is_number(a) && is_number(b) {
            self.feature(Feature::ClockArithmetic, span);
            Some(Type::Double)
        } else if assignable(a, b) || equivalent(a, b) {
            Some(a.clone())
        } else if assignable(b, a) {
            Some(b.clone())
        } else {
            None
        };
        let Some(ty) = ty else {
            let message = format!("the two values are of types {} and {}", describe(a), describe(b));
            self.error("conditional", span, message);
            return self.broken(span);
        };
        if !condition.ty.is_integral() {
            self.feature(Feature::ClockArithmetic, condition.span);
        }
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
        Expr { kind, ty, span }
    }

    // ------------------------------------------------------------ quantifiers

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        binder: &Ident,
        ty: &TypeExpr,
        body: &ast::Expr,
        span: Span,
    ) -> Expr {
        // `forall (p : P)` over the processes of a dynamic template.
        if let TypeKind::Name(name) = &ty.kind
            && let Some(Symbol::DynamicTemplate(_)) = self.scopes.lookup(&name.name).map(|d| &d.symbol)
        {
            self.feature(Feature::DynamicTemplates, span);
            return Expr {
                kind: ExprKind::Unsupported("a quantifier over dynamic processes"),
                ty: Type::Bool,
                span,
            };
        }
        let bound = self.enumerated_type(ty, "bound name");
        let slots = self.slots.len();
        self.scopes.push();
        let slot = self.new_slot(true, true);
        self.scopes.replace(
            binder,
            Symbol::Variable {
                var: VarRef::Slot(slot),
                ty: bound.clone(),
            },
        );
        let body = self.expression(body);
        self.scopes.pop();
        self.slots.truncate(slots);
        if matches!(body.ty, Type::Error) || matches!(bound, Type::Error) {
            return self.broken(span);
        }
        if self.has_effects(&body) {
            self.error(
                "side-effect",
                body.span,
                "the body of a quantifier must not change variables",
            );
            return self.broken(span);
        }
        let binder = Binder {
            slot,
            name: binder.name.clone(),
            ty: bound,
        };
        let (ty, kind): (_, fn(Binder, Box<Expr>) -> ExprKind) = match quantifier {
            Quantifier::Forall => (forall_type(&body.ty), ExprKind::Forall),
            Quantifier::Exists => (exists_type(&body.ty), ExprKind::Exists),
            Quantifier::Sum => (sum_type(&body.ty), ExprKind::Sum),
        };
        let Some(ty) = ty else {
            let expected = if quantifier == Quantifier::Sum {
                "a number"
            } else {
                "a condition"
            };
            self.type_error(&body, expected);
            return self.broken(span);
        };
        Expr {
            kind: kind(binder, Box::new(body)),
            ty,
            span,
        }
    }
}

fn forall_type(body: &Type) -> Option<Type> {
    if body.is_integral() {
        return Some(Type::Bool);
    }
    match body {
        Type::Condition(c) if *c != Condition::Formula => Some(Type::Condition(*c)),
        _ => None,
    }
}

fn exists_type(body: &Type) -> Option<Type> {
    if body.is_integral() {
        return Some(Type::Bool);
    }
    super::compatibility::is_condition(body, Condition::Constraint)
        .then_some(Type::Condition(Condition::Constraint))
}

fn sum_type(body: &Type) -> Option<Type> {
    if body.is_integral() {
        return Some(Type::Int);
    }
    is_number(body).then_some(Type::Double)
}
