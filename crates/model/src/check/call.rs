//! Calls and their arguments (`semantics.md` 20, 21c).

use super::TypeChecker;
use super::compatibility::{assignable, capability, describe, equivalent, is_number};
use super::scope::Symbol;
use crate::builtin::Number;
use crate::tree::{Builtin, Expr, ExprKind, Feature, FunctionParam};
use crate::types::Type;
use zonewalk_syntax::ast;
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

/// "`f` takes 1 argument, not 3"
pub(super) fn wrong_count(name: &str, taken: usize, given: usize) -> String {
    let plural = if taken == 1 { "" } else { "s" };
    format!("`{name}` takes {taken} argument{plural}, not {given}")
}

impl TypeChecker<'_> {
    pub(super) fn call(&mut self, callee: &ast::Expr, args: &[ast::Expr], span: Span) -> Expr {
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
            let message = wrong_count(info.name, info.params.len(), args.len());
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
            let message = wrong_count(name, params.len(), args.len());
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
                .help("it is passed by reference: a constant or a computed value is not allowed"),
            );
            return false;
        }
        if by_reference && !is_const {
            self.note_assigned(arg);
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
                diagnostic = diagnostic.help("a reference needs a variable of exactly the same range");
            }
            self.report(diagnostic);
        }
        fits
    }
}
