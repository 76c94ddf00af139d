//! When conditions hold, as time passes.
//!
//! Where both sides of a comparison are linear in time the instant is a quotient. Elsewhere it is looked for between the instants
//! of a grid and bisected down to neighbouring doubles, and the side on which the condition holds is taken.

use crate::code::{Cond, Real, Values};
use crate::machine::{Ran, compare_doubles};
use crate::plan::NO_CLOCK;
use crate::state::{Crossing, Runner};
use crate::windows::{Interval, Windows};
use zonewalk_model::eval::FaultKind;
use zonewalk_model::tree::BinaryOp;
use zonewalk_syntax::span::Span;

/// A value that is linear in time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linear {
    pub(crate) now: f64,
    pub(crate) slope: f64,
}

/// Maximal number of times a piece of a curve is halved.
const BENDS: u32 = 8;

/// A straight line may be so far from the curve that it stands for, relatively.
const NEAR: f64 = 1e-4;

/// Bisections until two instants are neighbours, from anywhere.
const BISECTIONS: u32 = 200;

impl Runner<'_> {
    /// The instants from now on at which a condition holds, as far as `self.reach` where they are looked for.
    pub(crate) fn when(&mut self, condition: &Cond) -> Ran<Windows> {
        match condition {
            Cond::Data(int) => Ok(Windows::constant(self.machine.int(int)? != 0)),
            Cond::Compare(op, a, b, span) => self.when_compared(*op, a, b, *span),
            Cond::And(parts) => {
                let mut all = Windows::always();
                for part in parts {
                    all = all.and(&self.when(part)?);
                    if all.is_never() {
                        break;
                    }
                }
                Ok(all)
            }
            Cond::Or(parts) => {
                let mut any = Windows::never();
                for part in parts {
                    let part = self.when(part)?;
                    any = if any.is_never() { part } else { any.or(&part) };
                }
                Ok(any)
            }
            Cond::Not(part) => Ok(self.when(part)?.not()),
            Cond::Any(values, body) => {
                let mut any = Windows::never();
                self.each_value(values, body, &mut |w| any = any.or(&w))?;
                Ok(any)
            }
            Cond::All(values, body) => {
                let mut all = Windows::always();
                self.each_value(values, body, &mut |w| all = all.and(&w))?;
                Ok(all)
            }
            Cond::Opaque(_) => self.look(false, &mut |runner| runner.machine.holds(condition)),
        }
    }

    fn each_value(&mut self, values: &Values, body: &Cond, see: &mut dyn FnMut(Windows)) -> Ran<()> {
        for value in values.lo..=values.hi {
            self.machine.set_int(values.cell, value);
            see(self.when(body)?);
        }
        Ok(())
    }

    fn when_compared(&mut self, op: BinaryOp, a: &Real, b: &Real, span: Span) -> Ran<Windows> {
        let (Some(left), Some(right)) = (self.linear(a)?, self.linear(b)?) else {
            return if op == BinaryOp::Equal {
                self.look_for_zero(a, b, span)
            } else {
                let condition = Cond::Compare(op, a.clone(), b.clone(), span);
                let is_fine = self.is_close(a, b)?;
                self.look(is_fine, &mut |runner| runner.machine.holds(&condition))
            };
        };
        for side in [left, right] {
            if !side.now.is_finite() || !side.slope.is_finite() {
                let number = if side.now.is_finite() {
                    side.slope
                } else {
                    side.now
                };
                let message = match number.is_nan() {
                    true => "a comparison with what is not a number (NaN)".to_owned(),
                    false => format!("a comparison with an infinite number ({number})"),
                };
                return Err(Box::new(FaultKind::NoNumber(message.into()).at(span)));
            }
        }
        let slope = left.slope - right.slope;
        if slope == 0.0 {
            let holds = compare_doubles(op, left.now, right.now, span)?
                || (self.machine.slack > 0.0 && self.nearly(op, left.now, right.now));
            return Ok(Windows::constant(holds));
        }
        let mut at = (right.now - left.now) / slope;
        // What is past by a rounding error is now.
        if self.machine.slack > 0.0 && at < 0.0 && at >= -self.machine.slack * self.scale(left, right, slope)
        {
            at = 0.0;
        }
        if at >= 0.0 && at.is_finite() {
            for (side, code, other) in [(left, a, right), (right, b, left)] {
                if let Real::Load(cell) = code
                    && side.slope != 0.0
                    && other.slope == 0.0
                {
                    self.crossings.push(Crossing {
                        at,
                        cell: *cell,
                        value: other.now,
                    });
                }
            }
        }
        Ok(match (op, slope > 0.0) {
            (BinaryOp::GreaterEqual, true) | (BinaryOp::LessEqual, false) => Windows::from(at, false),
            (BinaryOp::Greater, true) | (BinaryOp::Less, false) => Windows::from(at, true),
            (BinaryOp::LessEqual, true) | (BinaryOp::GreaterEqual, false) => Windows::until(at, false),
            (BinaryOp::Less, true) | (BinaryOp::Greater, false) => Windows::until(at, true),
            (BinaryOp::Equal, _) if at < 0.0 => Windows::never(),
            (BinaryOp::Equal, _) => point(at),
            _ if at < 0.0 => Windows::always(),
            _ => point(at).not(),
        })
    }

    fn scale(&self, left: Linear, right: Linear, slope: f64) -> f64 {
        left.now.abs().max(right.now.abs()).max(1.0) / slope.abs()
    }

    fn nearly(&self, op: BinaryOp, a: f64, b: f64) -> bool {
        let near = (a - b).abs() <= self.machine.slack * a.abs().max(b.abs()).max(1.0);
        near && !matches!(op, BinaryOp::NotEqual)
    }

    /// The value of an expression as a function of time, if it is linear.
    pub(crate) fn linear(&mut self, code: &Real) -> Ran<Option<Linear>> {
        let constant = |now| Some(Linear { now, slope: 0.0 });
        Ok(match code {
            Real::Const(value) => constant(*value),
            Real::Load(cell) => self.linear_cell(*cell),
            Real::Read(addr) => {
                let cell = self.machine.resolve(addr)?;
                self.linear_cell(cell)
            }
            Real::Int(_, true) | Real::If(_, true, ..) => None,
            Real::Int(int, false) => constant(f64::from(self.machine.int(int)?)),
            Real::Add(a, b) => match (self.linear(a)?, self.linear(b)?) {
                (Some(a), Some(b)) => Some(Linear {
                    now: a.now + b.now,
                    slope: a.slope + b.slope,
                }),
                _ => None,
            },
            Real::Sub(a, b) => match (self.linear(a)?, self.linear(b)?) {
                (Some(a), Some(b)) => Some(Linear {
                    now: a.now - b.now,
                    slope: a.slope - b.slope,
                }),
                _ => None,
            },
            Real::Mul(a, b) => match (self.linear(a)?, self.linear(b)?) {
                (Some(a), Some(b)) if a.slope == 0.0 || b.slope == 0.0 => Some(Linear {
                    now: a.now * b.now,
                    slope: a.now * b.slope + a.slope * b.now,
                }),
                _ => None,
            },
            Real::Div(a, b) => match (self.linear(a)?, self.linear(b)?) {
                (Some(a), Some(b)) if b.slope == 0.0 => Some(Linear {
                    now: a.now / b.now,
                    slope: a.slope / b.now,
                }),
                _ => None,
            },
            Real::Negate(a) => self.linear(a)?.map(|a| Linear {
                now: -a.now,
                slope: -a.slope,
            }),
            Real::If(condition, false, a, b) => {
                let chosen = if self.machine.int(condition)? != 0 { a } else { b };
                self.linear(chosen)?
            }
            Real::Sum(values, body) => {
                let mut sum = Linear { now: 0.0, slope: 0.0 };
                for value in values.lo..=values.hi {
                    self.machine.set_int(values.cell, value);
                    let Some(term) = self.linear(body)? else {
                        return Ok(None);
                    };
                    sum.now += term.now;
                    sum.slope += term.slope;
                }
                Some(sum)
            }
            Real::OneOf(index, all) => {
                let i = self.machine.int(index)? as usize;
                self.linear(&all[i.min(all.len() - 1)])?
            }
            Real::Unary(_, a) => match self.is_still(a)? {
                true => constant(self.machine.real(code)?),
                false => None,
            },
            Real::Binary(_, a, b) | Real::Arithmetic(_, a, b, _) => {
                match self.is_still(a)? && self.is_still(b)? {
                    true => constant(self.machine.real(code)?),
                    false => None,
                }
            }
            Real::Builtin(_, args, _) => {
                for arg in args {
                    if let crate::code::Number::Real(arg) = arg
                        && !self.is_still(arg)?
                    {
                        return Ok(None);
                    }
                }
                constant(self.machine.real(code)?)
            }
            Real::Call(call) if call.timed => None,
            Real::Call(_) | Real::Draw(..) | Real::After(..) | Real::Before(..) => {
                constant(self.machine.real(code)?)
            }
        })
    }

    fn linear_cell(&self, cell: u32) -> Option<Linear> {
        let now = self.machine.double(cell);
        match self.machine.plan.clock_in[cell as usize] {
            NO_CLOCK => Some(Linear { now, slope: 0.0 }),
            clock => {
                let slope = self.flow.rates[clock as usize];
                (!slope.is_nan()).then_some(Linear { now, slope })
            }
        }
    }

    fn is_still(&mut self, code: &Real) -> Ran<bool> {
        Ok(self.linear(code)?.is_some_and(|value| value.slope == 0.0))
    }

    /// Whether something holds after a time. Leaves the clocks there.
    fn holds_at(&mut self, at: f64, holds: &mut Holds<'_>) -> Ran<bool> {
        self.flow.set(&mut self.machine, at);
        holds(self)
    }

    /// Whether two values are about the same now: one may have crossed the other just now, and cross it again soon.
    fn is_close(&mut self, a: &Real, b: &Real) -> Ran<bool> {
        const CLOSE: f64 = 1e-4;
        let (a, b) = (self.machine.real(a)?, self.machine.real(b)?);
        Ok((a - b).abs() <= CLOSE * a.abs().max(b.abs()).max(1.0))
    }

    /// The windows of a condition that is not linear, by looking between the instants of a grid.
    fn look(&mut self, is_fine: bool, holds: &mut Holds<'_>) -> Ran<Windows> {
        self.is_looked_for = true;
        self.flow.extend(&mut self.machine, self.reach)?;
        let mut grid = std::mem::take(&mut self.grid);
        self.flow.grid(self.reach, is_fine, &mut grid);
        let found = self.look_between(&grid, holds);
        self.grid = grid;
        self.flow.set(&mut self.machine, 0.0);
        found
    }

    fn look_between(&mut self, grid: &[f64], holds: &mut Holds<'_>) -> Ran<Windows> {
        let mut windows = Windows::never();
        let mut held = self.holds_at(0.0, holds)?;
        let (mut before, mut since) = (0.0, 0.0);
        for &at in grid {
            let now_holds = self.holds_at(at, holds)?;
            if now_holds != held {
                let (last, first) = self.bisect(before, at, held, holds)?;
                if held {
                    windows.push(closed(since, last));
                } else {
                    since = first;
                }
                held = now_holds;
            }
            before = at;
        }
        if held {
            // As far as is known it goes on.
            windows.push(closed(since, f64::INFINITY));
        }
        Ok(windows)
    }

    /// Two neighbouring instants, with the change between them.
    fn bisect(&mut self, mut lo: f64, mut hi: f64, held: bool, holds: &mut Holds<'_>) -> Ran<(f64, f64)> {
        for _ in 0..BISECTIONS {
            let middle = lo + (hi - lo) / 2.0;
            if middle <= lo || middle >= hi {
                break;
            }
            if self.holds_at(middle, holds)? == held {
                lo = middle;
            } else {
                hi = middle;
            }
        }
        Ok((lo, hi))
    }

    /// Where two values that are not linear are the same: a grid does not meet these instants, but sees the sign change.
    fn look_for_zero(&mut self, a: &Real, b: &Real, span: Span) -> Ran<Windows> {
        let above = Cond::Compare(BinaryOp::GreaterEqual, a.clone(), b.clone(), span);
        let is_fine = self.is_close(a, b)?;
        let windows = self.look(is_fine, &mut |runner| runner.machine.holds(&above))?;
        let pinned = self.pinned(a, b)?.or(self.pinned(b, a)?);
        let mut points = Windows::never();
        for interval in windows.intervals() {
            for end in [interval.lo, interval.hi] {
                if end > 0.0 && end <= self.reach {
                    if let Some((cell, value)) = pinned {
                        self.crossings.push(Crossing { at: end, cell, value });
                    }
                    points.push(closed(end, end));
                }
            }
        }
        Ok(points)
    }

    /// A clock, with the value that it is compared with, if that stays.
    fn pinned(&mut self, clock: &Real, value: &Real) -> Ran<Option<(u32, f64)>> {
        let Real::Load(cell) = *clock else {
            return Ok(None);
        };
        let is_clock = self.machine.plan.clock_in[cell as usize] != NO_CLOCK;
        let value = self.linear(value)?.filter(|value| value.slope == 0.0);
        Ok(value.filter(|_| is_clock).map(|value| (cell, value.now)))
    }

    /// The values of an expression while time passes, as points between which it is linear or nearly so.
    pub(crate) fn curve(
        &mut self,
        code: &Real,
        delay: f64,
        from: f64,
        into: &mut Vec<(f64, f64)>,
    ) -> Ran<()> {
        if let Some(line) = self.linear(code)? {
            into.push((from, line.now));
            if delay > 0.0 {
                into.push((from + delay, line.now + line.slope * delay));
            }
            return Ok(());
        }
        if delay == 0.0 {
            into.push((from, self.machine.real(code)?));
            return Ok(());
        }
        self.flow.extend(&mut self.machine, delay)?;
        let mut grid = std::mem::take(&mut self.grid);
        self.flow.grid(delay, false, &mut grid);
        let mut before: Option<(f64, f64)> = None;
        for &at in &grid {
            let end = (at, self.value_at(code, at)?);
            if let Some(start) = before {
                self.bend(code, (start, end), from, BENDS, into)?;
            }
            into.push((from + at, end.1));
            before = Some(end);
        }
        self.grid = grid;
        self.flow.set(&mut self.machine, 0.0);
        Ok(())
    }

    /// The value of an expression after a time. Leaves the clocks there.
    fn value_at(&mut self, code: &Real, at: f64) -> Ran<f64> {
        self.flow.set(&mut self.machine, at);
        self.machine.real(code)
    }

    /// Points between two others, as many as it takes for straight lines between them to be near the curve: what is greatest on them
    /// is then about the greatest value.
    fn bend(
        &mut self,
        code: &Real,
        (start, end): ((f64, f64), (f64, f64)),
        from: f64,
        depth: u32,
        into: &mut Vec<(f64, f64)>,
    ) -> Ran<()> {
        let at = start.0 + (end.0 - start.0) / 2.0;
        if depth == 0 || at <= start.0 || at >= end.0 {
            return Ok(());
        }
        let middle = (at, self.value_at(code, at)?);
        let straight = start.1 + (end.1 - start.1) / 2.0;
        let is_near = (middle.1 - straight).abs() <= NEAR * middle.1.abs().max(1.0);
        if !is_near {
            self.bend(code, (start, middle), from, depth - 1, into)?;
            into.push((from + at, middle.1));
            self.bend(code, (middle, end), from, depth - 1, into)?;
        }
        Ok(())
    }
}

type Holds<'a> = dyn FnMut(&mut Runner<'_>) -> Ran<bool> + 'a;

fn closed(lo: f64, hi: f64) -> Interval {
    Interval {
        lo,
        hi,
        lo_open: false,
        hi_open: false,
    }
}

fn point(at: f64) -> Windows {
    Windows::one(closed(at, at))
}
