//! Looking at expressions at moments of a delay.
//!
//! While time passes, data do not change and clocks move along straight lines, so what a condition says can change
//! only where one of its clock comparisons does. A condition is therefore evaluated, by the plain evaluator, at a
//! point, then just after the point, then at the next point where one of the comparisons that it examined will
//! change, and so on. That gives exactly the delays at which it holds, whatever its form.

use crate::window::{Cut, Windows};
use std::borrow::Cow;
use zonewalk_model::eval::{ClockTerm, FaultKind, World, arithmetic};
use zonewalk_model::ids::{ClockId, LocationId, ProcessId};
use zonewalk_model::tree::BinaryOp;
use zonewalk_numbers::rational::{Rational, TooLarge};

/// A value that moves with the delay: `value + rate * delay`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub value: Rational,
    pub rate: Rational,
}

impl Line {
    pub(crate) fn constant(value: Rational) -> Self {
        Line {
            value,
            rate: Rational::ZERO,
        }
    }

    pub(crate) fn at(self, delay: Rational) -> Result<Rational, TooLarge> {
        if delay == Rational::ZERO || self.rate == Rational::ZERO {
            Ok(self.value)
        } else if self.rate == Rational::ONE {
            self.value.plus(delay)
        } else {
            self.value.plus(self.rate.times(delay)?)
        }
    }

    fn plus(self, other: Line) -> Result<Line, TooLarge> {
        Ok(Line {
            value: self.value.plus(other.value)?,
            rate: self.rate.plus(other.rate)?,
        })
    }

    fn negated(self) -> Line {
        Line {
            value: self.value.negated(),
            rate: self.rate.negated(),
        }
    }
}

/// A point of a delay, or the time just after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub delay: Rational,
    /// Later than `delay` by less than any number.
    pub after: bool,
}

impl Moment {
    pub(crate) const NOW: Moment = Moment {
        delay: Rational::ZERO,
        after: false,
    };
}

/// Whether nothing can happen any more from a cut on, and the cut at which that changes.
type AskDeadlock<'a> = dyn FnMut(Cut) -> Result<(bool, Cut), FaultKind> + 'a;

/// The clocks and locations of a state at a moment of a delay.
pub(crate) struct Instant<'a> {
    pub moment: Moment,
    /// The clocks as functions of the delay; those that an update assigns change.
    pub clocks: Cow<'a, [Line]>,
    pub locations: &'a [LocationId],
    /// The nearest later delay at which an answer given so far will be another.
    pub next: Option<Rational>,
    /// Asked by `deadlock` alone.
    pub deadlock: Option<&'a mut AskDeadlock<'a>>,
}

impl<'a> Instant<'a> {
    pub(crate) fn new(moment: Moment, clocks: &'a [Line], locations: &'a [LocationId]) -> Self {
        Instant {
            moment,
            clocks: Cow::Borrowed(clocks),
            locations,
            next: None,
            deadlock: None,
        }
    }

    fn change_at(&mut self, delay: Rational) {
        if delay > self.moment.delay && self.next.is_none_or(|next| delay < next) {
            self.next = Some(delay);
        }
    }

    fn line(&self, term: ClockTerm) -> Result<Line, FaultKind> {
        let constant = Line::constant(Rational::from(term.constant));
        let clock = |c: ClockId| {
            self.clocks
                .get(c.index())
                .copied()
                .ok_or_else(|| FaultKind::unsupported("an unknown clock"))
        };
        match (term.plus, term.minus) {
            (None, None) => Ok(constant),
            (Some(c), None) => Ok(clock(c)?.plus(constant)?),
            (None, Some(c)) => Ok(constant.plus(clock(c)?.negated())?),
            (Some(a), Some(b)) => Ok(clock(a)?.plus(clock(b)?.negated())?.plus(constant)?),
        }
    }

    /// The sign of the line at the moment.
    fn sign(&mut self, line: Line) -> Result<i32, FaultKind> {
        if line.rate == Rational::ONE {
            self.change_at(line.value.negated());
        } else if line.rate != Rational::ZERO {
            self.change_at(line.value.negated().over(line.rate)?);
        }
        let sign = line.at(self.moment.delay)?.signum();
        Ok(if sign == 0 && self.moment.after {
            line.rate.signum()
        } else {
            sign
        })
    }
}

impl World for Instant<'_> {
    fn compare(&mut self, term: ClockTerm, op: BinaryOp) -> Result<bool, FaultKind> {
        let line = self.line(term)?;
        let sign = self.sign(line)?;
        arithmetic::compare(op, &sign, &0)
    }

    fn assign(&mut self, clock: ClockId, term: ClockTerm) -> Result<(), FaultKind> {
        let line = self.line(term)?;
        if self.sign(line)? < 0 {
            return Err(FaultKind::NegativeClock(line.at(self.moment.delay)?.to_string()));
        }
        if let Some(slot) = self.clocks.to_mut().get_mut(clock.index()) {
            *slot = line;
        }
        Ok(())
    }

    fn location(&self, process: ProcessId) -> Option<LocationId> {
        self.locations.get(process.index()).copied()
    }

    fn deadlock(&mut self) -> Result<bool, FaultKind> {
        let Some(ask) = &mut self.deadlock else {
            return Err(FaultKind::unsupported("`deadlock`"));
        };
        let here = if self.moment.after {
            Cut::After(self.moment.delay)
        } else {
            Cut::Before(self.moment.delay)
        };
        let (is_deadlock, change) = ask(here)?;
        if let Some((point, _)) = change.point() {
            self.change_at(point);
        }
        Ok(is_deadlock)
    }
}

/// A world in which every clock comparison holds: what is false there is false for its data alone.
///
/// Clock conditions of guards stand under no negation (`semantics.md` 16b), so the rest of a guard cannot become
/// true by a comparison that fails.
#[derive(Default)]
pub(crate) struct DataOnly {
    /// Whether a comparison was asked for.
    pub asked: bool,
}

impl World for DataOnly {
    fn compare(&mut self, _: ClockTerm, _: BinaryOp) -> Result<bool, FaultKind> {
        self.asked = true;
        Ok(true)
    }
}

/// The delays of `domain` at which `holds` is true. `holds` also says until when its answer is good.
pub(crate) fn sweep<E>(
    domain: &Windows,
    mut holds: impl FnMut(Moment) -> Result<(bool, Option<Rational>), E>,
) -> Result<Windows, E> {
    let mut result = Windows::none();
    for window in domain.iter() {
        let mut from = window.lower;
        while from < window.upper {
            // `from` is below another cut, so it is at a point.
            let Some((delay, after)) = from.point() else { break };
            let (truth, next) = holds(Moment { delay, after })?;
            let until = match next {
                _ if !after => Cut::After(delay),
                Some(next) => Cut::Before(next),
                None => Cut::Infinity,
            };
            if truth {
                result.push(from, until.min(window.upper));
            }
            from = until;
        }
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The delays at which `clock op bound`, for a clock with this value and rate.
    fn when(value: i32, rate: i32, op: BinaryOp, bound: i64) -> String {
        let line = Line {
            value: value.into(),
            rate: rate.into(),
        };
        let term = ClockTerm {
            constant: -bound,
            ..ClockTerm::clock(ClockId(0))
        };
        let windows = sweep(&Windows::all(), |moment| {
            let clocks = [line];
            let mut instant = Instant::new(moment, &clocks, &[]);
            let truth = instant.compare(term, op)?;
            Ok::<_, FaultKind>((truth, instant.next))
        });
        windows.unwrap().to_string()
    }

    #[test]
    fn bounds_become_windows() {
        use BinaryOp::*;
        assert_eq!(when(0, 1, LessEqual, 5), "[0, 5]");
        assert_eq!(when(2, 1, Less, 5), "[0, 3)");
        assert_eq!(when(0, 1, Greater, 5), "(5, inf)");
        assert_eq!(when(0, 1, GreaterEqual, 0), "[0, inf)");
        assert_eq!(when(0, 1, Greater, 0), "(0, inf)");
        assert_eq!(when(0, 3, Equal, 5), "[5/3, 5/3]");
        assert_eq!(when(0, 1, NotEqual, 5), "[0, 5) or (5, inf)");
        assert_eq!(when(5, 0, Equal, 5), "[0, inf)");
        assert_eq!(when(5, 0, Less, 5), "never");
        assert_eq!(when(6, -1, Less, 5), "(1, inf)");
    }

    #[test]
    fn updates_move_with_the_delay() {
        let lines = [
            Line {
                value: 1.into(),
                rate: 1.into(),
            },
            Line {
                value: 0.into(),
                rate: 1.into(),
            },
        ];
        let (x, y) = (ClockId(0), ClockId(1));
        let moment = Moment {
            delay: Rational::from(2),
            after: false,
        };
        let mut instant = Instant::new(moment, &lines, &[]);
        // y = x - 1: the value depends on when it is done.
        instant
            .assign(
                y,
                ClockTerm {
                    constant: -1,
                    ..ClockTerm::clock(x)
                },
            )
            .unwrap();
        assert_eq!(
            instant.clocks[1],
            Line {
                value: 0.into(),
                rate: 1.into()
            }
        );
        instant.assign(x, ClockTerm::constant(7)).unwrap();
        assert_eq!(instant.clocks[0], Line::constant(7.into()));
        let negative = instant.assign(
            x,
            ClockTerm {
                constant: -9,
                ..ClockTerm::clock(y)
            },
        );
        assert_eq!(negative, Err(FaultKind::NegativeClock("-7".into())));
    }
}
