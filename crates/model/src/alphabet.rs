//! Alphabets of processes, for synchronisations without `!` or `?` (`semantics.md` 16a).
//!
//! A channel belongs to the alphabet of a process when the label of some edge may name it, and then no other process synchronises
//! on it without that process. Labels alone decide: values of selects and parameters count one by one, an index that
//! depends on the state may be any element, and guards play no part. Who takes part would otherwise depend on how well
//! it is known that a guard never holds.

use crate::eval::{Code, Domain, Evaluator, Fault, FaultKind, STEP_LIMIT, Scope, advance, constant};
use crate::ids::{ProcessId, SlotId};
use crate::system::{Binding, Channel, Memory, Place, Process, Root, Value};
use crate::tree::{Direction, Edge, Expr, ExprKind, Model, Template, VarRef, Variable};
use crate::types::{IndexType, Type};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

/// Lists for every channel the processes that have it in their alphabets.
///
/// # Errors
/// Labels that stand for too many channels, or whose evaluation does not end.
pub(crate) fn assign(
    model: &Model,
    memory: &Memory,
    processes: &[Process],
    channels: &mut [Channel],
) -> Result<(), Box<Diagnostic>> {
    // What the processes of a template may treat as constant, found once for all of them.
    let mut variables: Vec<Option<Vec<Variable>>> = vec![None; model.templates.len()];
    let mut budget = STEP_LIMIT;
    for (number, process) in processes.iter().enumerate() {
        let template = &model.templates[process.template.index()];
        if !template.edges.iter().any(is_together) {
            continue;
        }
        let variables = variables[process.template.index()].get_or_insert_with(|| steady(template));
        let mut labels = Labels {
            code: model.into(),
            memory,
            scope: Scope {
                process: ProcessId::from_index(number),
                bindings: &process.bindings,
                variables,
            },
            budget,
            found: Vec::new(),
        };
        for edge in template.edges.iter().filter(|e| is_together(e)) {
            labels.edge(edge).map_err(|fault| fault.to_diagnostic())?;
        }
        budget = labels.budget;
        let mut found = labels.found;
        found.sort_unstable();
        found.dedup();
        for channel in found {
            if let Some(channel) = channels.get_mut(channel) {
                channel.participants.push(ProcessId::from_index(number));
            }
        }
    }
    Ok(())
}

fn is_together(edge: &Edge) -> bool {
    edge.sync
        .as_ref()
        .is_some_and(|s| s.direction == Direction::Together)
}

/// The variables of a template, those by-value parameters constant that nothing assigns to: `P(int[1,N] id)` means the
/// same as `P(const int[1,N] id)` where `c[id]` is written.
fn steady(template: &Template) -> Vec<Variable> {
    let is_assigned = |i: usize| template.assigned.get(i).is_none_or(|&is| is);
    let steady = |(i, variable): (usize, &Variable)| Variable {
        is_const: variable.is_const || (variable.from_param.is_some() && !is_assigned(i)),
        ..variable.clone()
    };
    template.variables.iter().enumerate().map(steady).collect()
}

/// The labels of one process.
struct Labels<'a> {
    code: Code<'a>,
    memory: &'a Memory,
    scope: Scope<'a>,
    /// Channels that may still be examined; without a limit a select over all integers would look like a hang.
    budget: u64,
    found: Vec<usize>,
}

impl<'a> Labels<'a> {
    /// Adds the channels of an edge, for all the values of the selects that its channel depends on.
    fn edge(&mut self, edge: &Edge) -> Result<(), Fault> {
        let Some(sync) = &edge.sync else { return Ok(()) };
        let selects: Vec<_> = edge
            .selects
            .iter()
            .filter(|s| mentions(&sync.channel, s.slot))
            .collect();
        let mut evaluator = Evaluator::at_compile_time(self.code, self.memory).in_process(self.scope);
        let domains = selects
            .iter()
            .map(|s| evaluator.domain(&s.ty, edge.span))
            .collect::<Result<Vec<Domain>, Fault>>()?;
        // An empty range leaves no edge (`semantics.md` 13a). All selects count here, not only those of the label.
        for select in &edge.selects {
            if evaluator.domain(&select.ty, edge.span)?.count() == 0 {
                return Ok(());
            }
        }
        let slots = selects.iter().map(|s| s.slot.index() + 1).max().unwrap_or(0);
        let mut frame = vec![Value::Int(0); slots];
        let mut values: Vec<i32> = domains.iter().map(|d| d.lo).collect();
        loop {
            for (select, &value) in selects.iter().zip(&values) {
                frame[select.slot.index()] = Value::Int(value);
            }
            let mut named = Vec::new();
            self.places(&sync.channel, &frame, &mut named)?;
            self.spend(1 + named.len() as u64, sync.span)?;
            for value in named {
                if let Value::Channel(c) = value {
                    self.found.push(c.index());
                }
            }
            if !advance(&mut values, &domains) {
                return Ok(());
            }
        }
    }

    /// Adds what a channel, or an array or struct of channels, may be. A label that fails whenever it is evaluated
    /// names nothing.
    fn places(&mut self, expr: &Expr, frame: &[Value], found: &mut Vec<&'a Value>) -> Result<(), Fault> {
        match &expr.kind {
            ExprKind::Var(var) => found.extend(self.variable(*var)),
            ExprKind::Field(base, field) => {
                let mut bases = Vec::new();
                self.places(base, frame, &mut bases)?;
                found.extend(bases.into_iter().filter_map(|base| part(base, *field)));
            }
            ExprKind::Index(base, index) => {
                let mut bases = Vec::new();
                self.places(base, frame, &mut bases)?;
                match self.constant(index, frame)? {
                    StaticValue::Never => {}
                    StaticValue::State => {
                        for base in bases {
                            if let Value::Array(elements) = base {
                                self.spend(elements.len() as u64, expr.span)?;
                                found.extend(elements);
                            }
                        }
                    }
                    StaticValue::Value(index) => {
                        let first = self.first_index(&base.ty, expr.span)?;
                        let position = usize::try_from(i64::from(index) - i64::from(first)).ok();
                        let element = |base| part(base, position?);
                        found.extend(bases.into_iter().filter_map(element));
                    }
                }
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let (yes, no) = match self.constant(condition, frame)? {
                    StaticValue::Value(value) => (value != 0, value == 0),
                    StaticValue::State => (true, true),
                    StaticValue::Never => (false, false),
                };
                if yes {
                    self.places(then, frame, found)?;
                }
                if no {
                    self.places(otherwise, frame, found)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn constant(&self, expr: &Expr, frame: &[Value]) -> Result<StaticValue, Fault> {
        match constant(self.code, self.memory, Some(self.scope), frame, expr) {
            Ok(Value::Int(value)) => Ok(StaticValue::Value(value)),
            Err(fault) => match fault.kind {
                FaultKind::NotConstant(_) => Ok(StaticValue::State),
                FaultKind::DoesNotTerminate => Err(fault),
                _ => Ok(StaticValue::Never),
            },
            Ok(_) => Ok(StaticValue::Never),
        }
    }

    fn variable(&self, var: VarRef) -> Option<&'a Value> {
        let memory = self.memory;
        let local = |process: ProcessId, l: usize| memory.locals.get(process.index())?.get(l);
        match var {
            VarRef::Global(g) => memory.globals.get(g.index()),
            VarRef::Local(l) => local(self.scope.process, l.index()),
            VarRef::Param(p) => match self.scope.bindings.get(p.index())? {
                Binding::Value(value) => Some(value),
                Binding::Place(Place { root, path }) => {
                    let value = match root {
                        Root::Global(g) => memory.globals.get(g.index()),
                        Root::Local(p, l) => local(*p, l.index()),
                        Root::Slot(..) => None,
                    };
                    path.iter().try_fold(value?, |v, &at| part(v, at as usize))
                }
            },
            VarRef::Slot(_) => None,
        }
    }

    fn first_index(&self, ty: &Type, span: Span) -> Result<i32, Fault> {
        match ty {
            Type::Array(array) => match &array.index {
                IndexType::Range(range) => {
                    let mut evaluator =
                        Evaluator::at_compile_time(self.code, self.memory).in_process(self.scope);
                    let domain = evaluator.domain(&Type::Range(range.clone()), span)?;
                    Ok(domain.lo)
                }
                IndexType::Size(_) | IndexType::Scalar(_) => Ok(0),
            },
            _ => Ok(0),
        }
    }

    fn spend(&mut self, channels: u64, span: Span) -> Result<(), Fault> {
        match self.budget.checked_sub(channels) {
            Some(left) => {
                self.budget = left;
                Ok(())
            }
            None => Err(FaultKind::unsupported(format!(
                "a system whose labels without `!` or `?` stand for more than {STEP_LIMIT} channels"
            ))
            .at(span)),
        }
    }
}

/// Static value of an expression, as far as it is known.
enum StaticValue {
    Value(i32),
    /// It depends on the state.
    State,
    /// It fails.
    Never,
}

fn part(value: &Value, at: usize) -> Option<&Value> {
    match value {
        Value::Array(parts) | Value::Struct(parts) => parts.get(at),
        _ => None,
    }
}

fn mentions(expr: &Expr, slot: SlotId) -> bool {
    let mut found = matches!(expr.kind, ExprKind::Var(VarRef::Slot(s)) if s == slot);
    expr.operands(&mut |e| found = found || mentions(e, slot));
    found
}
