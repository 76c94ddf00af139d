//! Claims of certificates about their models.

use std::fmt;

/// Claim of a certificate. The query, which is given beside it, says which states are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// No state that would decide the query the other way is reachable: `A[] p` is satisfied, `E<> p` is not.
    Unreachable,
    /// No run-time error is reachable.
    ErrorFree,
    /// Values of `sup`, `inf` and `bounds`: those of each expression lie in its intervals.
    Values(Vec<Vec<Interval>>),
    /// No run with fewer transitions reaches a state that decides the query by a run.
    Steps(u32),
    /// No run reaches a state that decides the query by a run before this time; strict: nor at it.
    Time(End),
    /// Every maximal run fulfils what `A<>` or `-->` asks for; of `E[]`: none does.
    Inevitable,
    /// Every reachable state is in a node.
    Explored,
}

/// One end of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Where it is.
    pub at: i64,
    /// Whether that is left out.
    pub strict: bool,
}

/// Numbers between two ends; `None`: no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The lower end.
    pub lower: Option<End>,
    /// The upper end.
    pub upper: Option<End>,
}

impl Interval {
    /// All numbers up to an end.
    pub fn up_to(upper: End) -> Self {
        Interval {
            lower: None,
            upper: Some(upper),
        }
    }

    /// All numbers from an end.
    pub fn from(lower: End) -> Self {
        Interval {
            lower: Some(lower),
            upper: None,
        }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.lower {
            None => f.write_str("(-inf,")?,
            Some(End { at, strict }) => write!(f, "{}{at},", if strict { '(' } else { '[' })?,
        }
        match self.upper {
            None => f.write_str("inf)"),
            Some(End { at, strict }) => write!(f, "{at}{}", if strict { ')' } else { ']' }),
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Unreachable => f.write_str("unreachable"),
            Claim::ErrorFree => f.write_str("error-free"),
            Claim::Values(expressions) => {
                f.write_str("values")?;
                for intervals in expressions {
                    let shown: Vec<String> = intervals.iter().map(Interval::to_string).collect();
                    write!(
                        f,
                        " {}",
                        if shown.is_empty() {
                            "none".to_owned()
                        } else {
                            shown.join("+")
                        }
                    )?;
                }
                Ok(())
            }
            Claim::Steps(steps) => write!(f, "steps {steps}"),
            Claim::Time(End { at, strict }) => write!(f, "time {}{at}", if *strict { ">" } else { ">=" }),
            Claim::Inevitable => f.write_str("inevitable"),
            Claim::Explored => f.write_str("explored"),
        }
    }
}

impl Claim {
    /// The claim that a text stands for, the inverse of its display; `None` for another text.
    pub fn parse(text: &str) -> Option<Claim> {
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        Some(match name {
            "unreachable" | "error-free" | "inevitable" | "explored" if !rest.is_empty() => return None,
            "unreachable" => Claim::Unreachable,
            "error-free" => Claim::ErrorFree,
            "inevitable" => Claim::Inevitable,
            "explored" => Claim::Explored,
            "steps" => Claim::Steps(rest.parse().ok()?),
            "time" => {
                let number = rest.strip_prefix('>')?;
                let (strict, number) = match number.strip_prefix('=') {
                    Some(number) => (false, number),
                    None => (true, number),
                };
                Claim::Time(end(number, strict)?)
            }
            "values" => Claim::Values(rest.split_whitespace().map(intervals).collect::<Option<_>>()?),
            _ => return None,
        })
    }
}

fn intervals(text: &str) -> Option<Vec<Interval>> {
    match text {
        "none" => Some(Vec::new()),
        _ => text.split('+').map(interval).collect(),
    }
}

fn interval(text: &str) -> Option<Interval> {
    let (lower, upper) = text.split_once(',')?;
    let lower = match lower {
        "(-inf" => None,
        _ => Some(match lower.strip_prefix('[') {
            Some(number) => end(number, false)?,
            None => end(lower.strip_prefix('(')?, true)?,
        }),
    };
    let upper = match upper {
        "inf)" => None,
        _ => Some(match upper.strip_suffix(']') {
            Some(number) => end(number, false)?,
            None => end(upper.strip_suffix(')')?, true)?,
        }),
    };
    Some(Interval { lower, upper })
}

fn end(number: &str, strict: bool) -> Option<End> {
    let at: i64 = number.parse().ok()?;
    (at.unsigned_abs() <= crate::LARGEST_BOUND as u64).then_some(End { at, strict })
}
