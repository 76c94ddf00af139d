//! Expressions: names, elements, fields, quantifiers.

use super::TypeChecker;
use super::compatibility::{is_integer, is_number};
use super::scope::Symbol;
use crate::tree::{Binder, Expr, ExprKind, Feature, VarRef};
use crate::types::{Condition, IndexType, Type};
use zonewalk_syntax::ast::{self, Ident, Quantifier, TypeExpr, TypeKind, UnaryOp};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

impl TypeChecker<'_> {
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
                    self.error("dynamic", span, "`exit()` is only allowed in dynamic templates");
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
                format!("`{}` is not a dynamic template", template.name),
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
        if !self.require_pure(&body, "the body of a quantifier") {
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
