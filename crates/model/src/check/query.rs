//! Queries, typed against the instantiated system (`semantics.md` 23, 25–29).

use super::TypeChecker;
use super::call::wrong_count;
use super::scope::{Scopes, Symbol};
use crate::ids::{LocalId, LocationId, ParamId, ProcessSetId};
use crate::tree::{Binder, Expr, ExprKind, Model, ParamMode, ProcessExpr, ProcessSet, QueryKind};
use crate::types::{Bound, Condition, Type};
use std::borrow::Cow;
use zonewalk_syntax::ast::{self, Ident, Query, QueryEntry};
use zonewalk_syntax::diagnostic::{Diagnostic, Diagnostics};
use zonewalk_syntax::span::Span;

impl<'a> TypeChecker<'a> {
    /// A checker that knows the globals and the processes of a finished model.
    pub(super) fn for_query(model: &'a Model) -> Self {
        let mut checker = TypeChecker::new(model.dialect, &[]);
        checker.scopes = Scopes::from_globals(&model.names);
        checker.globals = Cow::Borrowed(&model.globals);
        checker.functions = Cow::Borrowed(&model.functions);
        checker.templates = Cow::Borrowed(&model.templates);
        checker.process_sets = Cow::Borrowed(&model.process_sets);
        checker.scalar_sets.clone_from(&model.scalar_sets);
        checker.values.clone_from(&model.constants);
        checker
    }

    /// One query as the file holds it.
    pub(super) fn query_entry(&mut self, entry: &QueryEntry) -> Result<crate::tree::Query, Vec<Diagnostic>> {
        let Some(query) = &entry.query else {
            return Err(entry.errors.clone());
        };
        let kind = self.query(query);
        let levels = entry
            .levels
            .as_ref()
            .and_then(|levels| self.levels(levels, &kind, entry.span));
        let slots = self.max_slots;
        if self.diagnostics.has_errors() {
            let mut errors: Vec<Diagnostic> = Vec::new();
            for error in self.diagnostics.iter().filter(|d| d.is_error()) {
                // A name that is not there may be used in several places.
                if errors.iter().all(|told| told.message != error.message) {
                    errors.push(error.clone());
                }
            }
            return Err(errors);
        }
        Ok(crate::tree::Query {
            kind,
            text: entry.text.clone(),
            span: entry.span,
            comment: entry.comment.clone(),
            options: entry.options.clone(),
            outcome: entry.outcome.clone(),
            levels,
            slots,
        })
    }

    /// The typed query; `max_slots` is the number of slots that it needs.
    fn query(&mut self, query: &Query) -> QueryKind {
        self.diagnostics = Diagnostics::new();
        self.slots.clear();
        self.max_slots = 0;
        match query {
            Query::Reachable(p) => QueryKind::Reachable(self.predicate(p, Condition::Formula)),
            Query::Invariant(p) => QueryKind::Invariant(self.predicate(p, Condition::Formula)),
            Query::PotentiallyAlways(p) => {
                QueryKind::PotentiallyAlways(self.predicate(p, Condition::Constraint))
            }
            Query::Inevitable(p) => QueryKind::Inevitable(self.predicate(p, Condition::Constraint)),
            Query::LeadsTo(p, q) => {
                let p = self.predicate(p, Condition::Constraint);
                QueryKind::LeadsTo(p, self.predicate(q, Condition::Constraint))
            }
            Query::Extremum {
                kind,
                predicate,
                exprs,
            } => QueryKind::Extremum {
                kind: *kind,
                predicate: predicate
                    .as_ref()
                    .map(|p| self.predicate(p, Condition::Constraint)),
                exprs: exprs.iter().map(|e| self.measured(e)).collect(),
            },
            Query::Statistical(query) => {
                let Some(query) = self.statistical(query) else {
                    // An error has been reported.
                    return QueryKind::Reachable(self.broken(Span::NONE));
                };
                QueryKind::Statistical(Box::new(query))
            }
            Query::Other(family) => QueryKind::Other(*family),
        }
    }

    pub(super) fn predicate(&mut self, expr: &ast::Expr, kind: Condition) -> Expr {
        let typed = self.pure_condition(expr, "a query", Some("=="));
        if matches!(typed.ty, Type::Error) {
            return typed;
        }
        if matches!(typed.ty, Type::Condition(Condition::Formula)) && kind != Condition::Formula {
            self.error(
                "deadlock",
                typed.span,
                "`deadlock` is only allowed in `E<>` and `A[]`",
            );
        } else {
            self.require_condition(&typed, kind, "a state predicate");
        }
        self.require_pure(&typed, "a query");
        typed
    }

    fn measured(&mut self, expr: &ast::Expr) -> Expr {
        let typed = self.expression(expr);
        if !typed.ty.is_integral() && !typed.ty.is_clock() {
            self.type_error(&typed, "an integer expression or a clock");
        } else {
            self.require_pure(&typed, "a query");
        }
        typed
    }

    // ------------------------------------------------------------ processes

    /// How a query names what a name means inside templates: `P.x`, one for each line of processes that has it. Nothing
    /// where no query is checked.
    pub(super) fn members_named(&self, name: &str) -> Vec<String> {
        // Only a finished model is borrowed.
        let Cow::Borrowed(sets) = self.process_sets else {
            return Vec::new();
        };
        let has = |set: &ProcessSet| self.member_names(set).any(|known| known == name);
        let shown = |set: &ProcessSet| {
            let arguments = if set.free.is_empty() { "" } else { "(…)" };
            format!("{}{arguments}.{name}", set.name)
        };
        sets.iter().filter(|set| has(set)).map(shown).collect()
    }

    /// Locations and variables of a process.
    fn member_names(&self, set: &ProcessSet) -> impl Iterator<Item = &str> {
        let template = &self.templates[set.template.index()];
        let locations = template.locations.iter().map(|l| &*l.name);
        locations.chain(template.variables.iter().map(|v| &*v.name))
    }

    /// As [`Self::members_named`], for a name that differs little.
    pub(super) fn members_like(&self, name: &str) -> Vec<String> {
        let Cow::Borrowed(sets) = self.process_sets else {
            return Vec::new();
        };
        let names = sets.iter().flat_map(|set| self.member_names(set));
        super::scope::closest(name, names).map_or(Vec::new(), |name| self.members_named(name))
    }

    /// Message for a template's name used in place of a process. `None` unless a query is being checked.
    pub(super) fn template_named(&self, name: &str) -> Option<(String, String)> {
        let Cow::Borrowed(sets) = self.process_sets else {
            return None;
        };
        let template = self.templates.iter().position(|t| &*t.name == name)?;
        let of_template = sets.iter().filter(|set| set.template.index() == template);
        let processes: Vec<String> = of_template.map(|set| self.processes_of(set)).collect();
        let message = format!("`{name}` is a template, but queries refer to processes");
        let help = match processes.as_slice() {
            [] => "the system has no process of this template".to_owned(),
            [only] => format!("its only process is {only}"),
            [first, second] => format!("its processes are {first} and {second}"),
            [first, second, third] => format!("its processes are {first}, {second} and {third}"),
            [first, .., last] => format!("its processes are {first} … {last}"),
        };
        Some((message, help))
    }

    /// The processes of the system line, the first few of them by name. Nothing where no query is checked.
    pub(super) fn processes(&self) -> Option<String> {
        const SHOWN: usize = 8;
        let Cow::Borrowed(sets) = self.process_sets else {
            return None;
        };
        let named: Vec<String> = sets
            .iter()
            .take(SHOWN)
            .map(|set| self.processes_of(set))
            .collect();
        let more = if sets.len() > SHOWN { ", …" } else { "" };
        (!named.is_empty()).then(|| format!("{}{more}", named.join(", ")))
    }

    /// The processes of a name of the system line: `` `P(1)` … `P(6)` ``.
    fn processes_of(&self, set: &ProcessSet) -> String {
        let range = |binder: &Binder| match &binder.ty {
            Type::Range(range) => match (&range.lo, &range.hi) {
                (Bound::Const(lo), Bound::Const(hi)) => Some((*lo, *hi)),
                _ => None,
            },
            _ => None,
        };
        let ranges: Option<Vec<_>> = set.free.iter().map(range).collect();
        let name = &set.name;
        match ranges {
            Some(ranges) if ranges.is_empty() => format!("`{name}`"),
            Some(ranges) => {
                let process = |value: fn(&(i32, i32)) -> i32| {
                    let values: Vec<_> = ranges.iter().map(|range| value(range).to_string()).collect();
                    format!("`{name}({})`", values.join(", "))
                };
                let (first, last) = (process(|range| range.0), process(|range| range.1));
                if first == last {
                    first
                } else {
                    format!("{first} … {last}")
                }
            }
            // Elements of scalar sets have no names.
            None => format!("`{name}(…)`"),
        }
    }

    /// A name of the system line on its own is not a value.
    pub(super) fn single_process(&mut self, set: ProcessSetId, span: Span) -> Expr {
        let name = self.process_sets[set.index()].name.clone();
        self.report(
            Diagnostic::error("process", span, format!("`{name}` is a process, not a value"))
                .help(format!("name a location or a variable of it: `{name}.…`")),
        );
        self.broken(span)
    }

    /// The process that an expression names, if it names one: `P`, `P(1, 0)`. An error has been reported for
    /// `Some(Err(()))`.
    pub(super) fn process(&mut self, expr: &ast::Expr) -> Option<Result<ProcessExpr, ()>> {
        let (name, args): (_, &[ast::Expr]) = match &expr.kind {
            ast::ExprKind::Name(name) => (name, &[]),
            ast::ExprKind::Call(callee, args) => match &callee.kind {
                ast::ExprKind::Name(name) => (name, args),
                _ => return None,
            },
            ast::ExprKind::Index(array, _) => {
                // `P[3]` is a common slip for `P(3)`.
                if let ast::ExprKind::Name(name) = &array.kind
                    && let Some(Symbol::Process(set)) = self.scopes.lookup(name).map(|d| &d.symbol)
                {
                    let message = format!("`{name}` is not an array");
                    let processes = self.processes_of(&self.process_sets[set.index()]);
                    let help = format!("select a process with parentheses: {processes}");
                    self.report(Diagnostic::error("process", expr.span, message).help(help));
                    return Some(Err(()));
                }
                return None;
            }
            _ => return None,
        };
        let Some(Symbol::Process(set)) = self.scopes.lookup(name).map(|d| d.symbol.clone()) else {
            return None;
        };
        let free = self.process_sets[set.index()].free.clone();
        let typed: Vec<Expr> = args.iter().map(|a| self.expression(a)).collect();
        if typed.len() != free.len() {
            let diagnostic = if free.is_empty() {
                let message = format!("`{name}` is a single process and takes no arguments");
                Diagnostic::error("process", expr.span, message).help(format!("write `{name}`"))
            } else {
                let count = wrong_count(name, free.len(), typed.len());
                let message = format!("{count}: it stands for many processes");
                let processes = self.processes_of(&self.process_sets[set.index()]);
                let help =
                    format!("say which one: {processes}; use `forall` or `exists` for all or any of them");
                Diagnostic::error("process", expr.span, message).help(help)
            };
            self.report(diagnostic);
            return Some(Err(()));
        }
        for (binder, arg) in free.iter().zip(&typed) {
            if matches!(arg.ty, Type::Error) || !self.argument(&binder.name, &binder.ty, false, true, arg) {
                return Some(Err(()));
            }
        }
        Some(Ok(ProcessExpr { set, args: typed }))
    }

    /// `P.x`: a location, a variable or a parameter.
    pub(super) fn member(&mut self, process: ProcessExpr, field: &Ident, span: Span) -> Expr {
        let set = &self.process_sets[process.set.index()];
        let template = &self.templates[set.template.index()];
        if let Some(index) = template.locations.iter().position(|l| l.name == field.name) {
            let kind = ExprKind::AtLocation(process, LocationId::from_index(index));
            return Expr {
                kind,
                ty: Type::Bool,
                span,
            };
        }
        if let Some(index) = template.variables.iter().position(|v| v.name == field.name) {
            let ty = template.variables[index].ty.clone();
            return Expr {
                kind: ExprKind::Member(process, LocalId::from_index(index)),
                ty,
                span,
            };
        }
        let params = &template.params;
        if let Some(index) = params
            .iter()
            .position(|p| p.name == field.name && p.mode != ParamMode::Value)
        {
            let ty = params[index].ty.clone();
            return Expr {
                kind: ExprKind::ParamMember(process, ParamId::from_index(index)),
                ty,
                span,
            };
        }
        let names = (template.locations.iter().map(|l| &l.name))
            .chain(template.variables.iter().map(|v| &v.name))
            .chain(params.iter().map(|p| &p.name));
        let similar = super::scope::closest(&field.name, names.map(|n| &**n)).map(str::to_string);
        let message = format!(
            "the process `{}` has no location or variable `{}`",
            set.name, field.name
        );
        let mut diagnostic = Diagnostic::error("unknown-name", field.span, message);
        if let Some(similar) = similar {
            diagnostic = diagnostic
                .help(format!("did you mean `{similar}`?"))
                .suggest(field.span, similar);
        }
        self.report(diagnostic);
        self.broken(span)
    }

    /// `P.f(x)`: a function of the process's template.
    pub(super) fn process_call(
        &mut self,
        process: ProcessExpr,
        name: &Ident,
        args: &[ast::Expr],
        span: Span,
    ) -> Expr {
        let template = self.process_sets[process.set.index()].template;
        let found = self
            .functions
            .iter()
            .position(|f| f.template == Some(template) && f.name == name.name);
        let Some(index) = found else {
            self.error(
                "unknown-name",
                name.span,
                format!("the process has no function `{}`", name.name),
            );
            return self.broken(span);
        };
        let typed: Vec<Expr> = args.iter().map(|a| self.expression(a)).collect();
        let function = &self.functions[index];
        let (params, result) = (function.params.clone(), function.result.clone());
        if !self.arguments(&name.name, &params, &typed, span) {
            return self.broken(span);
        }
        let id = crate::ids::FunctionId::from_index(index);
        Expr {
            kind: ExprKind::ProcessCall(process, id, typed),
            ty: result,
            span,
        }
    }
}
