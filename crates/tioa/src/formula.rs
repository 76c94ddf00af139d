//! Conditions on the clocks of one component.

/// A clock of a component, by its place in [`Component::clocks`](crate::Component::clocks).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clock(pub u32);

impl Clock {
    /// The place of the clock in the list of its component.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How two values are compared. A difference `!=` is written as a disjunction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `==`
    Equal,
    /// `>=`
    GreaterEqual,
    /// `>`
    Greater,
}

impl Relation {
    /// The sign in the language.
    pub fn sign(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::LessEqual => "<=",
            Relation::Equal => "==",
            Relation::GreaterEqual => ">=",
            Relation::Greater => ">",
        }
    }
}

/// `clock ~ bound`, or `clock - minus ~ bound`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Comparison {
    /// The clock that counts positively.
    pub clock: Clock,
    /// The clock that is taken from it.
    pub minus: Option<Clock>,
    /// How it is compared.
    pub relation: Relation,
    /// With what.
    pub bound: i32,
}

/// A guard or an invariant: any combination of comparisons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// `true` or `false`.
    Constant(bool),
    /// A comparison.
    Compare(Comparison),
    /// All of them; true when there are none.
    And(Vec<Formula>),
    /// One of them; false when there are none.
    Or(Vec<Formula>),
    /// The opposite.
    Not(Box<Formula>),
}

impl Formula {
    /// The condition that always holds.
    pub const TRUE: Formula = Formula::Constant(true);

    /// Whether it is plainly true, without any comparison.
    pub fn is_true(&self) -> bool {
        match self {
            Formula::Constant(value) => *value,
            Formula::And(parts) => parts.iter().all(Formula::is_true),
            Formula::Or(parts) => parts.iter().any(Formula::is_true),
            Formula::Compare(_) | Formula::Not(_) => false,
        }
    }

    /// Calls `see` for each comparison.
    pub fn comparisons(&self, see: &mut impl FnMut(&Comparison)) {
        match self {
            Formula::Constant(_) => {}
            Formula::Compare(comparison) => see(comparison),
            Formula::And(parts) | Formula::Or(parts) => {
                for part in parts {
                    part.comparisons(see);
                }
            }
            Formula::Not(inner) => inner.comparisons(see),
        }
    }

    /// The formula in the language of ECDAR, with the clocks' names.
    pub fn text(&self, clocks: &[String]) -> String {
        let mut out = String::new();
        self.write(clocks, Level::Or, &mut out);
        out
    }

    fn write(&self, clocks: &[String], level: Level, out: &mut String) {
        match self {
            Formula::Constant(value) => out.push_str(if *value { "true" } else { "false" }),
            Formula::Compare(comparison) => comparison.write(clocks, out),
            Formula::And(parts) => join(parts, " && ", "true", Level::And, level, clocks, out),
            Formula::Or(parts) => join(parts, " || ", "false", Level::Or, level, clocks, out),
            Formula::Not(inner) => {
                out.push('!');
                out.push('(');
                inner.write(clocks, Level::Or, out);
                out.push(')');
            }
        }
    }
}

/// Operator precedence, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
}

fn join(
    parts: &[Formula],
    sign: &str,
    none: &str,
    own: Level,
    around: Level,
    clocks: &[String],
    out: &mut String,
) {
    match parts {
        [] => out.push_str(none),
        [only] => only.write(clocks, around, out),
        _ => {
            let brackets = own < around;
            if brackets {
                out.push('(');
            }
            for (i, part) in parts.iter().enumerate() {
                if i > 0 {
                    out.push_str(sign);
                }
                part.write(clocks, own, out);
            }
            if brackets {
                out.push(')');
            }
        }
    }
}

impl Comparison {
    fn write(&self, clocks: &[String], out: &mut String) {
        let name = |clock: Clock| clocks.get(clock.index()).map_or("?", String::as_str);
        out.push_str(name(self.clock));
        if let Some(minus) = self.minus {
            out.push_str(" - ");
            out.push_str(name(minus));
        }
        out.push_str(&format!(" {} {}", self.relation.sign(), self.bound));
    }
}
