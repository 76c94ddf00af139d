//! Parameters of families: what they may be, and their values in one member.

use crate::Family;
use crate::error::Error;

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

    fn read(&self, text: &str) -> Result<i64, Error> {
        let text = text.trim();
        if let Some(i) = self.words.iter().position(|word| *word == text) {
            return Ok(self.min + i as i64);
        }
        let value = text.parse().map_err(|_| Error::NotAValue {
            param: *self,
            text: text.to_owned(),
        })?;
        if value < self.min || value > self.max {
            return Err(Error::OutOfRange { param: *self, value });
        }
        Ok(value)
    }
}

/// The values of a family's parameters in one member.
#[derive(Clone, Debug)]
pub(crate) struct Params {
    specs: &'static [ParamSpec],
    /// By position in `specs`.
    values: Vec<i64>,
}

impl Params {
    /// Reads the given values and fills in defaults.
    pub(crate) fn read(family: &Family, given: &[(String, String)]) -> Result<Self, Error> {
        let specs = family.params;
        let mut values: Vec<Option<i64>> = vec![None; specs.len()];
        for (name, text) in given {
            let Some(i) = specs.iter().position(|spec| spec.name == name) else {
                return Err(Error::unknown_parameter(
                    family.name,
                    name,
                    specs.iter().map(|spec| spec.name),
                ));
            };
            if values[i].replace(specs[i].read(text)?).is_some() {
                return Err(Error::Repeated { name: name.clone() });
            }
        }
        let values = specs.iter().zip(values);
        Ok(Params {
            specs,
            values: values
                .map(|(spec, value)| value.unwrap_or(spec.default))
                .collect(),
        })
    }

    /// The value of a parameter. Requires: the family has it.
    pub(crate) fn get(&self, name: &str) -> i64 {
        let i = self.specs.iter().position(|spec| spec.name == name);
        self.values[i.expect("a family asks for parameters of its own")]
    }

    /// The command that writes this member again.
    pub(crate) fn command(&self, family: &str) -> String {
        let mut command = format!("zonewalk generate {family}");
        for (spec, &value) in self.specs.iter().zip(&self.values) {
            let text = spec.text(value);
            command += &match spec.name {
                "n" => format!(" -n {text}"),
                name => format!(" --param {name}={text}"),
            };
        }
        command
    }
}
