//! Parameters of families: their names, and the values that they may have.

/// A parameter of a family. Its values are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamSpec {
    /// Its name on the command line.
    pub name: &'static str,
    /// The value when none is given.
    pub default: i64,
    /// The smallest value.
    pub min: i64,
    /// The largest value.
    pub max: i64,
    /// Words for the values from `min` on; empty when numbers say it best.
    pub words: &'static [&'static str],
    /// One-line description of the parameter.
    pub summary: &'static str,
}

impl ParamSpec {
    /// A parameter whose values are numbers.
    pub(crate) const fn number(
        name: &'static str,
        default: i64,
        (min, max): (i64, i64),
        summary: &'static str,
    ) -> Self {
        ParamSpec {
            name,
            default,
            min,
            max,
            words: &[],
            summary,
        }
    }

    /// A parameter whose values are words, numbered from 0; the first one is the default.
    pub(crate) const fn choice(
        name: &'static str,
        words: &'static [&'static str],
        summary: &'static str,
    ) -> Self {
        ParamSpec {
            name,
            default: 0,
            min: 0,
            max: words.len() as i64 - 1,
            words,
            summary,
        }
    }

    /// The value as a user would write it: the word for it where there is one.
    pub fn text(&self, value: i64) -> String {
        let word = usize::try_from(value - self.min)
            .ok()
            .and_then(|i| self.words.get(i));
        word.map_or_else(|| value.to_string(), ToString::to_string)
    }
}
