//! Guards, invariants and updates, with the data known and the clocks not.

use rustc_hash::FxHashMap;
use zonewalk_model::eval::{
    ClockTerm, Code, Domain, Evaluator, Fault, FaultKind, Scope, Store, World, Wraps, wrap_warning,
};
use zonewalk_model::ids::{ChannelId, ClockId, ProcessId};
use zonewalk_model::system::{Binding, Memory, System, Value};
use zonewalk_model::tree::{BinaryOp, Binder, Expr, ExprKind, Model, Variable};
use zonewalk_model::types::Type;
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

use crate::formula::{Clock, Comparison, Formula, Relation};

/// Values that the quantifiers of one condition may go through together.
const MAX_VALUES: u64 = 1_000_000;

/// Evaluates what belongs to one process.
pub(super) struct Conditions<'a> {
    model: &'a Model,
    process: ProcessId,
    bindings: &'a [Binding],
    variables: &'a [Variable],
    /// The process's own clocks.
    clocks: FxHashMap<ClockId, Clock>,
    values_left: u64,
    /// Where arithmetic wraps.
    wraps: Wraps,
}

/// Writes down what is asked about clocks.
#[derive(Default)]
struct Recorder {
    /// Whether a comparison of clocks is expected.
    expects: bool,
    compared: Option<(ClockTerm, BinaryOp)>,
    assigned: Vec<(ClockId, ClockTerm)>,
}

impl World for Recorder {
    fn compare(&mut self, term: ClockTerm, op: BinaryOp) -> Result<bool, FaultKind> {
        if !self.expects || self.compared.is_some() {
            return Err(FaultKind::unsupported("a comparison of clocks inside a value"));
        }
        self.compared = Some((term, op));
        Ok(true)
    }

    fn assign(&mut self, clock: ClockId, term: ClockTerm) -> Result<(), FaultKind> {
        self.assigned.push((clock, term));
        Ok(())
    }
}

impl<'a> Conditions<'a> {
    pub(super) fn new(
        model: &'a Model,
        system: &'a System,
        process: ProcessId,
        clocks: FxHashMap<ClockId, Clock>,
    ) -> Self {
        let instance = &system.processes[process.index()];
        Conditions {
            model,
            process,
            bindings: &instance.bindings,
            variables: &model.templates[instance.template.index()].variables,
            clocks,
            values_left: 0,
            wraps: Wraps::default(),
        }
    }

    fn evaluator<'e>(&'e self, store: Store<'e>, frame: &[Value], world: &'e mut Recorder) -> Evaluator<'e> {
        let scope = Scope {
            process: self.process,
            bindings: self.bindings,
            variables: self.variables,
        };
        let code = Code {
            wraps: Some(&self.wraps),
            ..self.model.into()
        };
        Evaluator::new(code, store, world)
            .in_process(scope)
            .with_frame(frame)
    }

    /// Warnings about arithmetic that wraps.
    pub(super) fn warnings(&self) -> Vec<Diagnostic> {
        self.wraps.places().into_iter().map(wrap_warning).collect()
    }

    /// The values of a selection.
    pub(super) fn domain(&self, memory: &Memory, ty: &Type, span: Span) -> Result<Domain, Fault> {
        let mut world = Recorder::default();
        self.evaluator(Store::Shared(memory), &[], &mut world)
            .domain(ty, span)
    }

    /// The channel that an expression names.
    pub(super) fn channel(&self, memory: &Memory, frame: &[Value], expr: &Expr) -> Result<ChannelId, Fault> {
        let mut world = Recorder::default();
        self.evaluator(Store::Shared(memory), frame, &mut world)
            .channel(expr)
    }

    /// Clock condition of a guard or an invariant.
    pub(super) fn formula(
        &mut self,
        memory: &Memory,
        frame: &[Value],
        expr: &Expr,
    ) -> Result<Formula, Fault> {
        self.values_left = MAX_VALUES;
        self.condition(memory, &mut frame.to_vec(), expr)
    }

    fn condition(&mut self, memory: &Memory, frame: &mut Vec<Value>, expr: &Expr) -> Result<Formula, Fault> {
        if expr.ty.is_integral() {
            return self.truth(memory, frame, expr);
        }
        match &expr.kind {
            ExprKind::And(parts) => {
                let mut kept = Vec::new();
                for part in parts {
                    match self.condition(memory, frame, part)? {
                        Formula::Constant(true) => {}
                        // What follows is not examined, as in any conjunction.
                        Formula::Constant(false) => return Ok(Formula::Constant(false)),
                        formula => kept.push(formula),
                    }
                }
                Ok(all(kept))
            }
            ExprKind::Or(parts) => {
                let mut kept = Vec::new();
                for part in parts {
                    match self.condition(memory, frame, part)? {
                        Formula::Constant(false) => {}
                        Formula::Constant(true) => return Ok(Formula::Constant(true)),
                        formula => kept.push(formula),
                    }
                }
                Ok(any(kept))
            }
            ExprKind::Not(inner) => Ok(not(self.condition(memory, frame, inner)?)),
            ExprKind::Imply(a, b) => match self.condition(memory, frame, a)? {
                Formula::Constant(false) => Ok(Formula::TRUE),
                Formula::Constant(true) => self.condition(memory, frame, b),
                a => Ok(either(not(a), self.condition(memory, frame, b)?)),
            },
            ExprKind::Xor(a, b) => {
                let a = self.condition(memory, frame, a)?;
                let b = self.condition(memory, frame, b)?;
                Ok(either(both(a.clone(), not(b.clone())), both(not(a), b)))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                match self.condition(memory, frame, condition)? {
                    Formula::Constant(true) => self.condition(memory, frame, then),
                    Formula::Constant(false) => self.condition(memory, frame, otherwise),
                    condition => {
                        let then = self.condition(memory, frame, then)?;
                        let otherwise = self.condition(memory, frame, otherwise)?;
                        Ok(either(
                            both(condition.clone(), then),
                            both(not(condition), otherwise),
                        ))
                    }
                }
            }
            ExprKind::Forall(binder, body) => {
                let parts = self.each(memory, frame, binder, body, expr.span)?;
                if parts.contains(&Formula::Constant(false)) {
                    return Ok(Formula::Constant(false));
                }
                Ok(all(parts.into_iter().filter(|p| !p.is_true()).collect()))
            }
            ExprKind::Exists(binder, body) => {
                let parts = self.each(memory, frame, binder, body, expr.span)?;
                if parts.iter().any(Formula::is_true) {
                    return Ok(Formula::TRUE);
                }
                let open = |p: &Formula| *p != Formula::Constant(false);
                Ok(any(parts.into_iter().filter(open).collect()))
            }
            ExprKind::CompareClocks(..) => self.comparison(memory, frame, expr),
            ExprKind::SetRate(..) => {
                Err(FaultKind::unsupported("the rate of a clock in a timed I/O automaton").at(expr.span))
            }
            _ => self.truth(memory, frame, expr),
        }
    }

    fn truth(&self, memory: &Memory, frame: &[Value], expr: &Expr) -> Result<Formula, Fault> {
        let mut world = Recorder::default();
        let mut evaluator = self.evaluator(Store::Shared(memory), frame, &mut world);
        evaluator.holds(expr).map(Formula::Constant)
    }

    /// The body of a quantifier for each value.
    fn each(
        &mut self,
        memory: &Memory,
        frame: &mut Vec<Value>,
        binder: &Binder,
        body: &Expr,
        span: Span,
    ) -> Result<Vec<Formula>, Fault> {
        let domain = {
            let mut world = Recorder::default();
            self.evaluator(Store::Shared(memory), frame, &mut world)
                .domain(&binder.ty, span)?
        };
        let at = binder.slot.index();
        if frame.len() <= at {
            frame.resize(at + 1, Value::Int(0));
        }
        let mut parts = Vec::new();
        for value in domain.iter() {
            let left = self.values_left.checked_sub(1);
            self.values_left = left.ok_or_else(|| FaultKind::DoesNotTerminate.at(span))?;
            frame[at] = Value::Int(value);
            parts.push(self.condition(memory, frame, body)?);
        }
        Ok(parts)
    }

    fn comparison(&self, memory: &Memory, frame: &[Value], expr: &Expr) -> Result<Formula, Fault> {
        let mut world = Recorder {
            expects: true,
            ..Recorder::default()
        };
        self.evaluator(Store::Shared(memory), frame, &mut world)
            .holds(expr)?;
        let Some((term, op)) = world.compared else {
            return Err(FaultKind::unsupported("this comparison").at(expr.span));
        };
        self.compare(term, op, expr.span)
    }

    /// `term op 0` as a formula.
    fn compare(&self, term: ClockTerm, op: BinaryOp, span: Span) -> Result<Formula, Fault> {
        let own = |clock: ClockId| match self.clocks.get(&clock) {
            Some(&clock) => Ok(clock),
            None => Err(FaultKind::unsupported("a clock that processes share").at(span)),
        };
        // Clocks stand on the left: `0 <= 5 - x` is `x <= 5`.
        let (op, term) = if term.plus.is_none() && term.minus.is_some() {
            (flipped(op), term.negated())
        } else {
            (op, term)
        };
        let Some(clock) = term.plus else {
            let (value, zero) = (term.constant, 0);
            return Ok(Formula::Constant(match op {
                BinaryOp::Less => value < zero,
                BinaryOp::LessEqual => value <= zero,
                BinaryOp::Equal => value == zero,
                BinaryOp::NotEqual => value != zero,
                BinaryOp::GreaterEqual => value >= zero,
                _ => value > zero,
            }));
        };
        let bound = clock_number(-term.constant).ok_or_else(|| FaultKind::TimeTooLarge.at(span))?;
        let (clock, minus) = (own(clock)?, term.minus.map(own).transpose()?);
        let with = |relation| {
            Formula::Compare(Comparison {
                clock,
                minus,
                relation,
                bound,
            })
        };
        Ok(match op {
            BinaryOp::Less => with(Relation::Less),
            BinaryOp::LessEqual => with(Relation::LessEqual),
            BinaryOp::Equal => with(Relation::Equal),
            BinaryOp::NotEqual => Formula::Or(vec![with(Relation::Less), with(Relation::Greater)]),
            BinaryOp::GreaterEqual => with(Relation::GreaterEqual),
            BinaryOp::Greater => with(Relation::Greater),
            _ => return Err(FaultKind::unsupported("this comparison of clocks").at(span)),
        })
    }

    /// Does an update: data change in `memory`, clocks in `updates`.
    pub(super) fn update(
        &self,
        memory: &mut Memory,
        frame: &[Value],
        update: &Expr,
        updates: &mut Vec<(Clock, i32)>,
    ) -> Result<(), Fault> {
        let mut world = Recorder::default();
        self.evaluator(Store::Exclusive(memory), frame, &mut world)
            .run(update)?;
        for (clock, term) in world.assigned {
            let Some(&clock) = self.clocks.get(&clock) else {
                return Err(FaultKind::unsupported("a clock that processes share").at(update.span));
            };
            if term.plus.is_some() || term.minus.is_some() {
                let what = "setting a clock to anything but a number";
                return Err(FaultKind::unsupported(what).at(update.span));
            }
            let negative = || FaultKind::NegativeClock(term.constant.to_string()).at(update.span);
            let value = clock_number(term.constant);
            let value = value.ok_or_else(|| FaultKind::TimeTooLarge.at(update.span))?;
            if value < 0 {
                return Err(negative());
            }
            // The last value counts.
            updates.retain(|(known, _)| *known != clock);
            updates.push((clock, value));
        }
        Ok(())
    }
}

fn clock_number(value: i64) -> Option<i32> {
    value.try_into().ok()
}

fn flipped(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        BinaryOp::Greater => BinaryOp::Less,
        other => other,
    }
}

fn all(mut parts: Vec<Formula>) -> Formula {
    match parts.len() {
        0 => Formula::TRUE,
        1 => parts.remove(0),
        _ => Formula::And(parts),
    }
}

fn any(mut parts: Vec<Formula>) -> Formula {
    match parts.len() {
        0 => Formula::Constant(false),
        1 => parts.remove(0),
        _ => Formula::Or(parts),
    }
}

fn not(formula: Formula) -> Formula {
    match formula {
        Formula::Constant(value) => Formula::Constant(!value),
        Formula::Not(inner) => *inner,
        other => Formula::Not(Box::new(other)),
    }
}

fn both(a: Formula, b: Formula) -> Formula {
    match (a, b) {
        (Formula::Constant(true), other) | (other, Formula::Constant(true)) => other,
        (Formula::Constant(false), _) | (_, Formula::Constant(false)) => Formula::Constant(false),
        (a, b) => Formula::And(vec![a, b]),
    }
}

fn either(a: Formula, b: Formula) -> Formula {
    match (a, b) {
        (Formula::Constant(false), other) | (other, Formula::Constant(false)) => other,
        (Formula::Constant(true), _) | (_, Formula::Constant(true)) => Formula::TRUE,
        (a, b) => Formula::Or(vec![a, b]),
    }
}
