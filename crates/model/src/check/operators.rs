//! The types of operators (`semantics.md` 16b–16d, 17b, 29).

use super::TypeChecker;
use super::compatibility::{describe, equivalent, is_condition, is_integer, is_number};
use crate::tree::{BinaryOp, Expr, ExprKind, Feature};
use crate::types::{Condition, Type};
use zonewalk_syntax::ast::{self, AssignOp};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::parser::MAX_NESTING;
use zonewalk_syntax::span::Span;

/// The type of `a op b` for arithmetic, or `None`.
fn arithmetic_type(op: BinaryOp, a: &Type, b: &Type) -> Option<Type> {
    use BinaryOp as B;
    let integral = a.is_integral() && b.is_integral();
    let clock = |t: &Type| matches!(t, Type::Clock { .. });
    let difference = |t: &Type| matches!(t, Type::Difference);
    match op {
        B::Add if integral => Some(Type::Int),
        B::Add if (is_integer(a) && clock(b)) || (clock(a) && is_integer(b)) => {
            Some(Type::Clock { hybrid: false })
        }
        B::Add if (difference(a) && is_integer(b)) || (is_integer(a) && difference(b)) => {
            Some(Type::Difference)
        }
        B::Sub if integral => Some(Type::Int),
        B::Sub if clock(a) && is_integer(b) => Some(Type::Clock { hybrid: false }),
        B::Sub if clock(a) && clock(b) => Some(Type::Difference),
        B::Sub if (difference(a) && is_integer(b)) || (is_integer(a) && difference(b)) => {
            Some(Type::Difference)
        }
        B::Add | B::Sub | B::Mul | B::Div | B::Power | B::Min | B::Max => {
            if integral {
                Some(Type::Int)
            } else {
                (is_number(a) && is_number(b)).then_some(Type::Double)
            }
        }
        _ => integral.then_some(Type::Int),
    }
}

/// Kinds of comparisons: of numbers, of clocks, of whole values, or the setting of a rate.
enum Comparison {
    Numbers,
    Clocks(Condition),
    Whole,
    SetRate,
}

fn comparison(op: BinaryOp, a: &Type, b: &Type) -> Option<Comparison> {
    use BinaryOp as B;
    let clock = |t: &Type| matches!(t, Type::Clock { .. });
    let difference = |t: &Type| matches!(t, Type::Difference);
    let bound = |t: &Type| is_integer(t) || matches!(t, Type::Bool | Type::Double);
    if matches!(a, Type::Error) || matches!(b, Type::Error) {
        return Some(Comparison::Numbers);
    }
    if a.is_integral() && b.is_integral() {
        return Some(Comparison::Numbers);
    }
    let timed = clock(a) || clock(b) || difference(a) || difference(b);
    let simple = (clock(a) && clock(b))
        || ((clock(a) || difference(a)) && bound(b))
        || (bound(a) && (clock(b) || difference(b)));
    match op {
        B::Less | B::LessEqual | B::Greater | B::GreaterEqual if simple => {
            Some(Comparison::Clocks(Condition::Invariant))
        }
        B::Less | B::LessEqual | B::Greater | B::GreaterEqual if timed && is_number(a) && is_number(b) => {
            Some(Comparison::Clocks(Condition::Guard))
        }
        B::Equal if timed && is_number(a) && is_number(b) => Some(Comparison::Clocks(Condition::Guard)),
        B::Equal if matches!(a, Type::Rate) && is_number(b) => Some(Comparison::SetRate),
        B::Equal if matches!(b, Type::Rate) && is_number(a) => Some(Comparison::SetRate),
        B::NotEqual if simple => Some(Comparison::Clocks(Condition::Constraint)),
        _ if is_number(a) && is_number(b) => Some(Comparison::Numbers),
        B::Equal | B::NotEqual if equivalent(a, b) => Some(Comparison::Whole),
        _ => None,
    }
}

/// The type of `a && b`.
fn and_type(a: &Type, b: &Type) -> Option<Type> {
    use Condition::*;
    if a.is_integral() && b.is_integral() {
        return Some(Type::Bool);
    }
    [Invariant, InvariantWithRates, Guard, Constraint, Formula]
        .into_iter()
        .find(|&kind| is_condition(a, kind) && is_condition(b, kind))
        .map(Type::Condition)
}

/// The type of `a || b`: at most one side has clocks, unless it is a query.
fn or_type(a: &Type, b: &Type) -> Option<Type> {
    use Condition::*;
    if a.is_integral() && b.is_integral() {
        return Some(Type::Bool);
    }
    let clocks = match (a, b) {
        (Type::Condition(c), other) | (other, Type::Condition(c)) if other.is_integral() => Some(*c),
        _ => None,
    };
    match clocks {
        Some(c) if c <= Guard => Some(Type::Condition(c)),
        _ => (is_condition(a, Constraint) && is_condition(b, Constraint))
            .then_some(Type::Condition(Constraint))
            .or_else(|| {
                (is_condition(a, Formula) && is_condition(b, Formula)).then_some(Type::Condition(Formula))
            }),
    }
}

fn not_type(a: &Type) -> Option<Type> {
    if a.is_integral() {
        Some(Type::Bool)
    } else if is_condition(a, Condition::Constraint) {
        Some(Type::Condition(Condition::Constraint))
    } else {
        is_condition(a, Condition::Formula).then_some(Type::Condition(Condition::Formula))
    }
}

impl TypeChecker<'_> {
    /// A chain of left-associative operators of one precedence level.
    pub(super) fn chain(&mut self, first: Expr, rest: Vec<(BinaryOp, Expr)>, span: Span) -> Expr {
        use BinaryOp as B;
        let all_integral = first.ty.is_integral() && rest.iter().all(|(_, e)| e.ty.is_integral());
        let op = rest[0].0;
        match op {
            B::And => self.conjunction(first, rest, span),
            B::Or | B::Xor | B::Imply => self.disjunction(first, rest, span),
            B::Less | B::LessEqual | B::Greater | B::GreaterEqual | B::Equal | B::NotEqual => {
                self.fold(first, rest, Self::compare)
            }
            _ if all_integral => Expr {
                kind: ExprKind::Arithmetic(Box::new(first), rest),
                ty: Type::Int,
                span,
            },
            _ => self.fold(first, rest, Self::arithmetic),
        }
    }

    /// Pairs from the left. The tree gets as deep as the chain is long, so that has a limit.
    fn fold(
        &mut self,
        first: Expr,
        rest: Vec<(BinaryOp, Expr)>,
        pair: fn(&mut Self, BinaryOp, Expr, Expr) -> Expr,
    ) -> Expr {
        if rest.len() > MAX_NESTING {
            let span = first.span.to(rest[rest.len() - 1].1.span);
            self.error(
                "nesting",
                span,
                format!("a chain of more than {MAX_NESTING} such operators"),
            );
            return self.broken(span);
        }
        rest.into_iter()
            .fold(first, |left, (op, right)| pair(self, op, left, right))
    }

    pub(super) fn broken(&self, span: Span) -> Expr {
        Expr {
            kind: ExprKind::Int(0),
            ty: Type::Error,
            span,
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let span = a.span.to(b.span);
        if matches!(a.ty, Type::Error) || matches!(b.ty, Type::Error) {
            return self.broken(span);
        }
        let Some(ty) = arithmetic_type(op, &a.ty, &b.ty) else {
            return self.bad_operands(op, &a, &b);
        };
        let timed = |t: &Type| matches!(t, Type::Clock { .. } | Type::Difference);
        if matches!(ty, Type::Double) && (timed(&a.ty) || timed(&b.ty)) {
            self.feature(Feature::ClockArithmetic, span);
        }
        Expr {
            kind: ExprKind::Arithmetic(Box::new(a), vec![(op, b)]),
            ty,
            span,
        }
    }

    fn compare(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let span = a.span.to(b.span);
        if matches!(a.ty, Type::Error) || matches!(b.ty, Type::Error) {
            return self.broken(span);
        }
        let Some(what) = comparison(op, &a.ty, &b.ty) else {
            return self.bad_operands(op, &a, &b);
        };
        let (a_box, b_box) = (Box::new(a), Box::new(b));
        match what {
            Comparison::Numbers => Expr {
                kind: ExprKind::Compare(op, a_box, b_box),
                ty: Type::Bool,
                span,
            },
            Comparison::Whole => Expr {
                kind: ExprKind::Same(op == BinaryOp::Equal, a_box, b_box),
                ty: Type::Bool,
                span,
            },
            Comparison::Clocks(condition) => {
                let clock = |t: &Type| matches!(t, Type::Clock { .. });
                let difference = |t: &Type| matches!(t, Type::Difference);
                if difference(&a_box.ty) || difference(&b_box.ty) || (clock(&a_box.ty) && clock(&b_box.ty)) {
                    self.feature(Feature::ClockDifferences, span);
                }
                if matches!(a_box.ty, Type::Double) || matches!(b_box.ty, Type::Double) {
                    self.feature(Feature::Doubles, span);
                }
                let kind = ExprKind::CompareClocks(op, a_box, b_box);
                Expr {
                    kind,
                    ty: Type::Condition(condition),
                    span,
                }
            }
            Comparison::SetRate => {
                let (rate, value) = if matches!(a_box.ty, Type::Rate) {
                    (a_box, b_box)
                } else {
                    (b_box, a_box)
                };
                let ExprKind::Rate(clock) = rate.kind else {
                    return self.broken(span);
                };
                // Symbolic analysis ignores hybrid clocks, so their rates rule nothing out.
                if !matches!(clock.ty, Type::Clock { hybrid: true }) {
                    self.rate_feature(&value, span);
                }
                let ty = Type::Condition(Condition::InvariantWithRates);
                Expr {
                    kind: ExprKind::SetRate(clock, value),
                    ty,
                    span,
                }
            }
        }
    }

    /// A constant rate other than 0 or 1 makes a model statistical; other integer rates are stopwatches
    /// (`semantics.md` 3).
    fn rate_feature(&mut self, value: &Expr, span: Span) {
        let known = match &value.kind {
            ExprKind::Int(v) => Some(*v),
            _ if value.ty.is_integral() && self.is_computable(value) && self.is_closed(value) => {
                match self.evaluate(value) {
                    Some(crate::system::Value::Int(v)) => Some(v),
                    _ => None,
                }
            }
            _ => None,
        };
        let feature = match known {
            Some(0 | 1) => Feature::Stopwatches,
            Some(_) => Feature::ClockRates,
            None if value.ty.is_integral() => Feature::Stopwatches,
            None => Feature::ClockRates,
        };
        self.feature(feature, span);
    }

    fn conjunction(&mut self, first: Expr, rest: Vec<(BinaryOp, Expr)>, span: Span) -> Expr {
        let mut ty = first.ty.clone();
        for (op, right) in &rest {
            if matches!(ty, Type::Error) || matches!(right.ty, Type::Error) {
                ty = Type::Error;
                continue;
            }
            match and_type(&ty, &right.ty) {
                Some(joined) => ty = joined,
                None => {
                    let left = Expr {
                        kind: ExprKind::Int(0),
                        ty: ty.clone(),
                        span: first.span,
                    };
                    self.bad_operands(*op, &left, right);
                    ty = Type::Error;
                }
            }
        }
        let mut list = vec![first];
        list.extend(rest.into_iter().map(|(_, e)| e));
        Expr {
            kind: ExprKind::And(list),
            ty,
            span,
        }
    }

    /// `||`, `xor` and `imply` mixed; runs of `||` become one disjunction.
    fn disjunction(&mut self, first: Expr, rest: Vec<(BinaryOp, Expr)>, span: Span) -> Expr {
        if rest.iter().filter(|(op, _)| *op != BinaryOp::Or).count() > MAX_NESTING {
            self.error(
                "nesting",
                span,
                format!("a chain of more than {MAX_NESTING} such operators"),
            );
            return self.broken(span);
        }
        let mut left = first;
        for (op, right) in rest {
            let joined = left.span.to(right.span);
            if matches!(left.ty, Type::Error) || matches!(right.ty, Type::Error) {
                left = self.broken(joined);
                continue;
            }
            let ty = match op {
                BinaryOp::Or => or_type(&left.ty, &right.ty),
                BinaryOp::Imply => not_type(&left.ty).and_then(|not| or_type(&not, &right.ty)),
                _ => (left.ty.is_integral() && right.ty.is_integral()).then_some(Type::Bool),
            };
            let Some(ty) = ty else {
                left = self.bad_operands(op, &left, &right);
                continue;
            };
            let kind = match (op, left.kind) {
                (BinaryOp::Or, ExprKind::Or(mut list)) => {
                    list.push(right);
                    ExprKind::Or(list)
                }
                (BinaryOp::Or, kind) => ExprKind::Or(vec![Expr { kind, ..left }, right]),
                (BinaryOp::Imply, kind) => ExprKind::Imply(Box::new(Expr { kind, ..left }), Box::new(right)),
                (_, kind) => ExprKind::Xor(Box::new(Expr { kind, ..left }), Box::new(right)),
            };
            left = Expr {
                kind,
                ty,
                span: joined,
            };
        }
        Expr { span, ..left }
    }

    pub(super) fn negation(&mut self, operand: Expr, span: Span) -> Expr {
        if matches!(operand.ty, Type::Error) {
            return self.broken(span);
        }
        match not_type(&operand.ty) {
            Some(ty) => Expr {
                kind: ExprKind::Not(Box::new(operand)),
                ty,
                span,
            },
            None => {
                self.type_error(&operand, "a condition");
                self.broken(span)
            }
        }
    }

    pub(super) fn sign(&mut self, negative: bool, operand: Expr, span: Span) -> Expr {
        let ty = if matches!(operand.ty, Type::Error) {
            Type::Error
        } else if operand.ty.is_integral() {
            Type::Int
        } else if is_number(&operand.ty) {
            if !matches!(operand.ty, Type::Double) {
                self.feature(Feature::ClockArithmetic, span);
            }
            Type::Double
        } else {
            self.type_error(&operand, "a number");
            Type::Error
        };
        if !negative {
            return Expr { ty, span, ..operand };
        }
        match operand.kind {
            ExprKind::Int(value) if value != i32::MIN => Expr {
                kind: ExprKind::Int(-value),
                ty,
                span,
            },
            kind => {
                let operand = Expr { kind, ..operand };
                Expr {
                    kind: ExprKind::Negate(Box::new(operand)),
                    ty,
                    span,
                }
            }
        }
    }

    /// Reports operands that an operator does not take.
    fn bad_operands(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Expr {
        let span = a.span.to(b.span);
        let (left, right) = (describe(&a.ty), describe(&b.ty));
        let message = format!("`{}` does not apply to {left} and {right}", op.symbol());
        let mut diagnostic = Diagnostic::error("operands", span, message);
        let clocks = |t: &Type| matches!(t, Type::Condition(_));
        if matches!(op, BinaryOp::Or) && clocks(&a.ty) && clocks(&b.ty) {
            diagnostic = diagnostic.help("only one side of `||` may have clocks: use two edges or locations");
        }
        self.report(diagnostic);
        self.broken(span)
    }

    /// Reports an expression of the wrong type.
    pub(super) fn type_error(&mut self, expr: &Expr, expected: &str) {
        if matches!(expr.ty, Type::Error) {
            return;
        }
        let message = format!("expected {expected}, found {}", describe(&expr.ty));
        self.error("type", expr.span, message);
    }

    /// Checks an expression in the place of a condition. Assignments bind loosest, so a `=` written for `==` anywhere in it makes
    /// the whole an assignment, and an error about its left side would only be puzzling. `sign` is the comparison to suggest, if
    /// only one fits.
    pub(super) fn pure_condition(&mut self, expr: &ast::Expr, what: &str, sign: Option<&str>) -> Expr {
        let ast::ExprKind::Assign(AssignOp::Plain, place, value) = &expr.kind else {
            return self.expression(expr);
        };
        let message = format!("{what} must not change variables");
        let diagnostic = Diagnostic::error("side-effect", expr.span, message);
        let between = Span::new(place.span.end, value.span.start);
        self.report(match sign {
            Some(sign) => diagnostic
                .help(format!("`=` assigns; use `{sign}` to compare"))
                .suggest(between, format!(" {sign} ")),
            None => diagnostic.help("`=` assigns; use `<=` to bound a clock, `==` to compare integers"),
        });
        self.broken(expr.span)
    }

    /// Whether the expression may stand where conditions of this kind are asked for; reports it if not.
    pub(super) fn require_condition(&mut self, expr: &Expr, kind: Condition, what: &str) -> bool {
        if is_condition(&expr.ty, kind) {
            return true;
        }
        let found = describe(&expr.ty);
        let message = format!("this {found} cannot be used as {what}");
        let mut diagnostic = Diagnostic::error("condition", expr.span, message);
        diagnostic.help = match &expr.ty {
            Type::Condition(Condition::InvariantWithRates) => {
                Some("rates of clocks can only be set in invariants".into())
            }
            Type::Condition(Condition::Constraint) => Some(
                "clocks can be compared with `<`, `<=`, `==`, `>=`, `>` and joined with `&&`; `||` may have clocks on \
                 one side only, and `!`, `!=` and `exists` cannot have any"
                    .into(),
            ),
            Type::Condition(Condition::Guard) => {
                Some("an invariant cannot compare clocks with `==`".into())
            }
            _ => None,
        };
        self.report(diagnostic);
        false
    }
}
