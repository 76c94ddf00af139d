//! Every combination of several values of a model's constants.

use std::fmt;
use std::ops::RangeInclusive;

/// Values of constants, every combination of which is asked about.
///
/// ```
/// use zonewalk_checker::Sweep;
///
/// let sweep = Sweep::new().range("N", 2..=3)?.values("D", [10, 20])?;
/// let all: Vec<_> = sweep.combinations().collect();
/// assert_eq!(all.len(), 4);
/// assert_eq!(all[1], [("N".to_owned(), "2".to_owned()), ("D".to_owned(), "20".to_owned())]);
/// # Ok::<(), zonewalk_checker::SweepError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sweep {
    axes: Vec<(String, Vec<String>)>,
}

/// The values of some constants, as the language writes them.
pub type Combination = Vec<(String, String)>;

/// Error of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SweepError {
    /// A text is not of the form `NAME=LO..HI` or `NAME=a,b,c`: what is wrong with it.
    Syntax(String),
    /// A constant is swept twice, or swept and given a value.
    Twice {
        /// Its name.
        name: String,
    },
    /// There are no values of a constant.
    Empty {
        /// Its name.
        name: String,
    },
    /// There are more combinations than [`Sweep::LIMIT`].
    TooMany {
        /// How many, at least.
        count: u64,
    },
}

impl fmt::Display for SweepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SweepError::Syntax(what) => f.write_str(what),
            SweepError::Twice { name } => write!(f, "the constant {name} is given values twice"),
            SweepError::Empty { name } => write!(f, "the constant {name} has no values: the range is empty"),
            SweepError::TooMany { count } => write!(
                f,
                "{count} combinations are more than the {} that one sweep may have: give fewer values",
                Sweep::LIMIT
            ),
        }
    }
}

impl std::error::Error for SweepError {}

impl Sweep {
    /// The most combinations of a sweep.
    pub const LIMIT: u64 = 10_000;

    /// A sweep of no constants: one combination, which changes nothing.
    pub fn new() -> Self {
        Sweep::default()
    }

    /// Gives a constant all the values of a range.
    ///
    /// # Errors
    /// The range is empty, the constant has values already, or there are too many combinations.
    pub fn range(self, name: impl Into<String>, values: RangeInclusive<i32>) -> Result<Self, SweepError> {
        let count = i64::from(*values.end()) - i64::from(*values.start()) + 1;
        // Before a list is made of it.
        if count > Self::LIMIT as i64 {
            return Err(SweepError::TooMany {
                count: count.unsigned_abs().saturating_mul(self.len()),
            });
        }
        self.values(name, values)
    }

    /// Gives a constant these values, as the language writes them.
    ///
    /// # Errors
    /// There are none, the constant has values already, or there are too many combinations.
    pub fn values(
        mut self,
        name: impl Into<String>,
        values: impl IntoIterator<Item: ToString>,
    ) -> Result<Self, SweepError> {
        let name = name.into();
        let values: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
        if values.is_empty() {
            return Err(SweepError::Empty { name });
        }
        if self.names().any(|earlier| earlier == name) {
            return Err(SweepError::Twice { name });
        }
        self.axes.push((name, values));
        match self.len() {
            count if count > Self::LIMIT => Err(SweepError::TooMany { count }),
            _ => Ok(self),
        }
    }

    /// Adds what a text says: `NAME=LO..HI`, both ends included, or `NAME=a,b,c`. What is in braces is one value.
    ///
    /// # Errors
    /// The text is malformed, and what [`range`](Sweep::range) and [`values`](Sweep::values) refuse.
    pub fn parse(self, text: &str) -> Result<Self, SweepError> {
        const FORM: &str = "expected NAME=LO..HI or NAME=VALUE,VALUE,…, such as N=2..10 or D=10,20";
        let syntax = |what: String| SweepError::Syntax(what);
        let (name, values) = text.split_once('=').ok_or_else(|| syntax(FORM.to_owned()))?;
        let name = name.trim();
        if name.is_empty() {
            return Err(syntax("expected the name of a constant before `=`".to_owned()));
        }
        let number = |text: &str| {
            text.trim().parse::<i32>().map_err(|error| {
                let text = text.trim();
                syntax(format!(
                    "`{text}` is not a valid end of a range for {name}: {error}"
                ))
            })
        };
        if let Some((low, high)) = values.split_once("..").filter(|_| !values.contains('{')) {
            let (low, high) = (number(low)?, number(high.strip_prefix('=').unwrap_or(high))?);
            if low > high {
                return Err(syntax(format!(
                    "the range {low}..{high} of {name} is empty: the smaller end comes first"
                )));
            }
            return self.range(name, low..=high);
        }
        let values = split(values);
        for value in &values {
            let is_other = (value.starts_with('{') && value.ends_with('}'))
                || matches!(value.as_str(), "true" | "false");
            if let (false, Err(error)) = (is_other, value.parse::<i32>()) {
                return Err(syntax(format!(
                    "`{value}` is not a valid value for {name}: {error}; {FORM}"
                )));
            }
        }
        self.values(name, values)
    }

    /// The constants, in the order in which they were given.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.axes.iter().map(|(name, _)| name.as_str())
    }

    /// The number of combinations.
    pub fn len(&self) -> u64 {
        let counts = self.axes.iter().map(|(_, values)| values.len() as u64);
        counts.fold(1, u64::saturating_mul)
    }

    /// Whether no constant is given values.
    pub fn is_empty(&self) -> bool {
        self.axes.is_empty()
    }

    /// The combinations; the values of the last constant change fastest.
    pub fn combinations(&self) -> impl ExactSizeIterator<Item = Combination> + '_ {
        // At most the limit, which a usize holds everywhere.
        (0..self.len() as u32).map(|place| self.combination(u64::from(place)))
    }

    fn combination(&self, mut place: u64) -> Combination {
        let mut combination: Combination = Vec::with_capacity(self.axes.len());
        for (name, values) in self.axes.iter().rev() {
            let count = values.len() as u64;
            combination.push((name.clone(), values[(place % count) as usize].clone()));
            place /= count;
        }
        combination.reverse();
        combination
    }
}

/// At the commas that are in no braces.
fn split(values: &str) -> Vec<String> {
    let mut depth = 0usize;
    let mut parts = vec![String::new()];
    for c in values.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match (c, parts.last_mut()) {
            (',', _) if depth == 0 => parts.push(String::new()),
            (c, Some(part)) => part.push(c),
            (_, None) => {}
        }
    }
    parts.iter().map(|part| part.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(texts: &[&str]) -> Result<Vec<String>, String> {
        let sweep = texts
            .iter()
            .try_fold(Sweep::new(), |sweep, text| sweep.parse(text));
        let sweep = sweep.map_err(|error| error.to_string())?;
        let told = |combination: Combination| {
            let each = combination.iter().map(|(name, value)| format!("{name}={value}"));
            each.collect::<Vec<_>>().join(" ")
        };
        Ok(sweep.combinations().map(told).collect())
    }

    #[test]
    fn the_last_constant_changes_fastest() {
        let all = parsed(&["N=2..3", " D = 10, 20 "]).unwrap();
        assert_eq!(all, ["N=2 D=10", "N=2 D=20", "N=3 D=10", "N=3 D=20"]);
        assert_eq!(parsed(&["N=-1..1"]).unwrap(), ["N=-1", "N=0", "N=1"]);
        assert_eq!(parsed(&["B=true,false"]).unwrap(), ["B=true", "B=false"]);
        assert_eq!(parsed(&[]).unwrap(), [""]);
    }

    #[test]
    fn what_is_in_braces_is_one_value() {
        assert_eq!(
            parsed(&["D={1,{2,3}},{4,{5,6}}"]).unwrap(),
            ["D={1,{2,3}}", "D={4,{5,6}}"]
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (texts, words) in [
            (&["N"][..], "expected NAME=LO..HI"),
            (&["=1"], "the name of a constant"),
            (&["N="], "not a valid value for N"),
            (&["N=1,,2"], "not a valid value for N"),
            (&["N=a..3"], "`a` is not a valid end"),
            (&["N=3..2"], "is empty"),
            (&["N=1..3000000000"], "too large"),
            (&["N=1..2", "N=3"], "N is given values twice"),
            (&["N=0..2000000000"], "2000000001 combinations"),
            (&["N=1..200", "M=1..200"], "40000 combinations"),
        ] {
            let error = parsed(texts).unwrap_err();
            assert!(error.contains(words), "{texts:?}: {error}");
        }
    }
}
