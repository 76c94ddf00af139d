//! Between which values an integer expression lies, judged by types, constants and tables.

use crate::code::instr::Range;
use crate::expressions::constants::{INT, Scope, part};
use crate::expressions::fold::{compare, is_abs};
use zonewalk_model::ids::SlotId;
use zonewalk_model::system::Value;
use zonewalk_model::tree::{BinaryOp, Expr, ExprKind, VarRef};
use zonewalk_model::types::Type;

/// Context for computing the interval of an expression.
pub(crate) trait ExprContext {
    /// Constants and parameters.
    fn scope(&self) -> Scope<'_>;

    /// Between which values a slot of the current activation lies.
    fn slot(&self, slot: SlotId) -> Range;

    /// Whether whole `int`s of a slot have 32 bits: it is a constant.
    fn slot_is_constant(&self, slot: SlotId) -> bool;
}

impl Range {
    /// Exactly one value.
    pub(crate) fn single(value: i32) -> Range {
        Range { lo: value, hi: value }
    }

    /// Whether every value of this is in `other`.
    pub(crate) fn within(self, other: Range) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    fn union(self, other: Range) -> Range {
        Range {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
        }
    }

    /// The values between two results, if those fit into 32 bits; otherwise some wrap, and may be anything.
    fn wrapping(lo: i64, hi: i64) -> Range {
        match (i32::try_from(lo), i32::try_from(hi)) {
            (Ok(lo), Ok(hi)) => Range { lo, hi },
            _ => Range::ALL,
        }
    }

    fn wide(self) -> (i64, i64) {
        (i64::from(self.lo), i64::from(self.hi))
    }
}

const TRUTH: Range = Range { lo: 0, hi: 1 };

/// Between which values `expr` lies whenever it has a value at all.
pub(crate) fn interval(around: &dyn ExprContext, expr: &Expr) -> Range {
    let is_double = |expr: &Expr| matches!(expr.ty, Type::Double);
    match &expr.kind {
        _ if is_double(expr) => Range::ALL,
        ExprKind::Compare(_, a, b) if is_double(a) || is_double(b) => TRUTH,
        ExprKind::Int(value) => Range::single(*value),
        ExprKind::Var(_)
        | ExprKind::Index(..)
        | ExprKind::Field(..)
        | ExprKind::Member(..)
        | ExprKind::ParamMember(..) => of_place(around, expr),
        ExprKind::Negate(a) => {
            let (lo, hi) = interval(around, a).wide();
            Range::wrapping(-hi, -lo)
        }
        ExprKind::Arithmetic(first, rest) => {
            let start = interval(around, first);
            rest.iter().fold(start, |a, (op, operand)| {
                combine(*op, a, interval(around, operand))
            })
        }
        ExprKind::Not(_)
        | ExprKind::And(_)
        | ExprKind::Or(_)
        | ExprKind::Imply(..)
        | ExprKind::Xor(..)
        | ExprKind::Same(..)
        | ExprKind::CompareClocks(..)
        | ExprKind::Forall(..)
        | ExprKind::Exists(..)
        | ExprKind::AtLocation(..) => TRUTH,
        ExprKind::Compare(op, a, b) => {
            let (a, b) = (interval(around, a), interval(around, b));
            // All of one side on one side of the other decides `<` and its kin.
            let at = |x: i32, y: i32| compare(*op, x, y).unwrap_or(false);
            let corners = [at(a.lo, b.lo), at(a.lo, b.hi), at(a.hi, b.lo), at(a.hi, b.hi)];
            match op {
                BinaryOp::Equal | BinaryOp::NotEqual if a.lo <= b.hi && b.lo <= a.hi => {
                    if a.lo == a.hi && a == b {
                        Range::single(i32::from(corners[0]))
                    } else {
                        TRUTH
                    }
                }
                _ if corners == [true; 4] => Range::single(1),
                _ if corners == [false; 4] => Range::single(0),
                _ => TRUTH,
            }
        }
        ExprKind::Conditional(condition, a, b) => match interval(around, condition) {
            Range { lo: 0, hi: 0 } => interval(around, b),
            c if !c.contains(0) => interval(around, a),
            _ => interval(around, a).union(interval(around, b)),
        },
        ExprKind::Assign(place, _) | ExprKind::AssignWith(_, place, _) => of_place(around, place),
        ExprKind::Step { place, .. } => of_place(around, place),
        ExprKind::Sum(binder, body) => {
            let count = around.scope().range(&binder.ty).map_or(i64::from(u32::MAX), |r| {
                (i64::from(r.hi) - i64::from(r.lo) + 1).max(0)
            });
            let (lo, hi) = match body.ty {
                // The binder is not a slot that is known out here, so the body counts by its type.
                Type::Bool | Type::Condition(_) => (0, 1),
                _ => of_type(around, &body.ty, true).wide(),
            };
            Range::wrapping((lo * count).min(0), (hi * count).max(0))
        }
        ExprKind::Comma(parts) => parts.last().map_or(Range::ALL, |last| interval(around, last)),
        ExprKind::Call(function, _) | ExprKind::ProcessCall(_, function, _) => {
            match around.scope().model.functions.get(function.index()) {
                Some(f) => of_type(around, &f.result, false),
                None => Range::ALL,
            }
        }
        ExprKind::Builtin(builtin, args) => match args.as_slice() {
            [a] if is_abs(*builtin) => {
                let (lo, hi) = interval(around, a).wide();
                let least = if lo <= 0 && hi >= 0 {
                    0
                } else {
                    lo.abs().min(hi.abs())
                };
                Range::wrapping(least, lo.abs().max(hi.abs()))
            }
            _ => Range::ALL,
        },
        _ => Range::ALL,
    }
}

/// By the type alone. `unranged`: an `int` here has 32 bits.
fn of_type(around: &dyn ExprContext, ty: &Type, unranged: bool) -> Range {
    match ty {
        Type::Int if unranged => Range::ALL,
        Type::Int => INT,
        _ => around.scope().range(ty).unwrap_or(Range::ALL),
    }
}

fn of_place(around: &dyn ExprContext, expr: &Expr) -> Range {
    if let ExprKind::Var(VarRef::Slot(slot)) = expr.kind {
        return around.slot(slot);
    }
    let scope = around.scope();
    if let Some(hull) = hull(around, expr) {
        return hull;
    }
    let constant = match root(expr) {
        Some(VarRef::Global(id)) => scope.model.globals.get(id.index()).is_some_and(|v| v.is_const),
        Some(VarRef::Local(id)) => {
            let template = scope.process.and_then(|p| scope.system.processes.get(p.index()));
            let template = template.and_then(|p| scope.model.templates.get(p.template.index()));
            template
                .and_then(|t| t.variables.get(id.index()))
                .is_some_and(|v| v.is_const)
        }
        // A reference stands for a variable nearly always; only the process knows.
        Some(VarRef::Param(id)) => scope
            .process
            .and_then(|p| scope.parameter(p, id))
            .is_none_or(|(_, mutable)| !mutable),
        Some(VarRef::Slot(slot)) => around.slot_is_constant(slot),
        None => true,
    };
    of_type(around, &expr.ty, constant)
}

/// The variable that a left side begins at.
pub(crate) fn root(expr: &Expr) -> Option<VarRef> {
    match &expr.kind {
        ExprKind::Var(var) => Some(*var),
        ExprKind::Index(base, _) | ExprKind::Field(base, _) => root(base),
        _ => None,
    }
}

/// Smallest and largest value among those that a constant place may have.
fn hull(around: &dyn ExprContext, expr: &Expr) -> Option<Range> {
    let mut found: Vec<&Value> = Vec::new();
    candidates(around, expr, &mut found)?;
    let mut range: Option<Range> = None;
    for value in found {
        let Value::Int(i) = value else { return None };
        range = Some(range.map_or(Range::single(*i), |r| r.union(Range::single(*i))));
    }
    range
}

/// The constants that an expression may stand for. `None` when it is not constant.
fn candidates<'s>(around: &'s dyn ExprContext, expr: &Expr, found: &mut Vec<&'s Value>) -> Option<()> {
    match &expr.kind {
        ExprKind::Index(base, index) => {
            let mut arrays = Vec::new();
            candidates(around, base, &mut arrays)?;
            let Type::Array(ty) = &base.ty else { return None };
            let (lo, len) = around.scope().extent(&ty.index)?;
            let index = interval(around, index);
            let first = (i64::from(index.lo) - i64::from(lo)).max(0) as usize;
            let last = (i64::from(index.hi) - i64::from(lo)).min(i64::from(len) - 1);
            let count = usize::try_from(last + 1).unwrap_or(0).saturating_sub(first);
            // Tables beyond this size cost more to look through than a better bound is worth.
            if arrays.len().saturating_mul(count) > 100_000 {
                return None;
            }
            for array in arrays {
                found.extend((first..first + count).filter_map(|i| part(array, i)));
            }
            Some(())
        }
        ExprKind::Field(base, field) => {
            let mut structs = Vec::new();
            candidates(around, base, &mut structs)?;
            found.extend(structs.into_iter().filter_map(|s| part(s, *field)));
            Some(())
        }
        ExprKind::Var(_) | ExprKind::Member(..) | ExprKind::ParamMember(..) => {
            let (value, mutable) = around.scope().value(expr)?;
            if mutable {
                return None;
            }
            found.push(value);
            Some(())
        }
        _ => None,
    }
}

/// Between which values the result of an operation lies whenever it does not fail.
pub(crate) fn combine(op: BinaryOp, a: Range, b: Range) -> Range {
    let ((al, ah), (bl, bh)) = (a.wide(), b.wide());
    let corners = |f: &dyn Fn(i64, i64) -> i64| {
        let all = [f(al, bl), f(al, bh), f(ah, bl), f(ah, bh)];
        let lo = all.iter().copied().fold(i64::MAX, i64::min);
        let hi = all.iter().copied().fold(i64::MIN, i64::max);
        Range::wrapping(lo, hi)
    };
    match op {
        BinaryOp::Add => Range::wrapping(al + bl, ah + bh),
        BinaryOp::Sub => Range::wrapping(al - bh, ah - bl),
        BinaryOp::Mul => corners(&|x, y| x * y),
        BinaryOp::Div => {
            // The divisors nearest to zero on each side give the extremes; zero itself fails.
            let mut range: Option<Range> = None;
            for (lo, hi) in [(bl, bh.min(-1)), (bl.max(1), bh)] {
                if lo > hi {
                    continue;
                }
                let all = [al / lo, al / hi, ah / lo, ah / hi];
                let least = all.iter().copied().fold(i64::MAX, i64::min);
                let most = all.iter().copied().fold(i64::MIN, i64::max);
                let part = Range::wrapping(least, most);
                range = Some(range.map_or(part, |r| r.union(part)));
            }
            // Truncation towards zero makes 0 the least in absolute value.
            range.map_or(Range::ALL, |r| {
                if al <= 0 && ah >= 0 {
                    r.union(Range::single(0))
                } else {
                    r
                }
            })
        }
        BinaryOp::Mod => {
            let most = (bl.abs().max(bh.abs()) - 1).max(0);
            let lo = if al < 0 { (-most).max(al) } else { 0 };
            let hi = if ah > 0 { most.min(ah) } else { 0 };
            Range::wrapping(lo, hi)
        }
        BinaryOp::Min => Range {
            lo: a.lo.min(b.lo),
            hi: a.hi.min(b.hi),
        },
        BinaryOp::Max => Range {
            lo: a.lo.max(b.lo),
            hi: a.hi.max(b.hi),
        },
        BinaryOp::BitAnd if a.lo >= 0 || b.lo >= 0 => {
            let hi = match (a.lo >= 0, b.lo >= 0) {
                (true, true) => a.hi.min(b.hi),
                (true, false) => a.hi,
                _ => b.hi,
            };
            Range { lo: 0, hi }
        }
        BinaryOp::BitOr | BinaryOp::BitXor if a.lo >= 0 && b.lo >= 0 => {
            let bits = 32 - (a.hi | b.hi).leading_zeros();
            Range::wrapping(0, (1i64 << bits) - 1)
        }
        BinaryOp::ShiftRight => {
            let (least, most) = (bl.clamp(0, 31), bh.clamp(0, 31));
            let all = [al >> least, al >> most, ah >> least, ah >> most];
            Range::wrapping(
                all.iter().copied().fold(i64::MAX, i64::min),
                all.iter().copied().fold(i64::MIN, i64::max),
            )
        }
        BinaryOp::ShiftLeft if al >= 0 => {
            let (least, most) = (bl.clamp(0, 31), bh.clamp(0, 31));
            Range::wrapping(al << least, ah << most)
        }
        _ => Range::ALL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use BinaryOp::*;
    use proptest::prelude::*;
    use zonewalk_model::eval::arithmetic::integer;

    const ALL: [BinaryOp; 13] = [
        Add, Sub, Mul, Div, Mod, Power, Min, Max, BitAnd, BitOr, BitXor, ShiftLeft, ShiftRight,
    ];

    fn holds(op: BinaryOp, (a, x): (Range, i32), (b, y): (Range, i32)) {
        if let Ok((result, _)) = integer(op, x, y) {
            let range = combine(op, a, b);
            assert!(
                range.contains(result),
                "{x} {op:?} {y} = {result} not in {range:?}"
            );
        }
    }

    /// Every value that an operation gives lies in the interval, on a grid with all signs.
    #[test]
    fn intervals_hold_all_results() {
        let ends = [-40, -7, -2, -1, 0, 1, 2, 5, 33];
        let ranges: Vec<Range> = ends
            .iter()
            .flat_map(|&lo| {
                ends.iter()
                    .filter(move |&&hi| hi >= lo)
                    .map(move |&hi| Range { lo, hi })
            })
            .collect();
        for op in ALL {
            for &a in &ranges {
                for &b in &ranges {
                    for x in a.lo..=a.hi {
                        for y in b.lo..=b.hi {
                            holds(op, (a, x), (b, y));
                        }
                    }
                }
            }
        }
    }

    /// Ends where something wraps, those around them, and small ones.
    fn end() -> impl Strategy<Value = i32> {
        let near = |end: i32| (-2..3i32).prop_map(move |by| end.wrapping_add(by));
        prop_oneof![
            near(i32::MAX),
            near(0),
            near(1 << 16),
            near(-1 << 16),
            near(32),
            any::<i32>()
        ]
    }

    /// A range with one of its values.
    fn point() -> impl Strategy<Value = (Range, i32)> {
        (end(), end(), end()).prop_map(|(a, b, c)| {
            let mut sorted = [a, b, c];
            sorted.sort_unstable();
            (
                Range {
                    lo: sorted[0],
                    hi: sorted[2],
                },
                sorted[1],
            )
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        /// Intervals contain the result also for operands so large that it wraps.
        #[test]
        fn intervals_hold_what_wraps(op in 0..ALL.len(), a in point(), b in point()) {
            holds(ALL[op], a, b);
        }
    }
}
