//! Errors in a request for a model.

use crate::spec::ParamSpec;
use std::fmt::{self, Display, Formatter};

/// Why there is no such model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// No family has this name.
    UnknownFamily {
        /// Requested name.
        name: String,
        /// The family that was probably meant.
        similar: Option<&'static str>,
        /// All families.
        known: Vec<&'static str>,
    },
    /// The family has no such parameter.
    UnknownParameter {
        /// The family.
        family: &'static str,
        /// The parameter that was given.
        name: String,
        /// The parameter that was probably meant.
        similar: Option<&'static str>,
        /// The family's parameters.
        known: Vec<&'static str>,
    },
    /// A parameter is given twice.
    Repeated {
        /// Its name.
        name: String,
    },
    /// The value is neither a number nor one of the parameter's words.
    NotAValue {
        /// The parameter.
        param: ParamSpec,
        /// Given text.
        text: String,
    },
    /// The value is too small or too large.
    OutOfRange {
        /// The parameter.
        param: ParamSpec,
        /// Given value.
        value: i64,
    },
    /// The values are all right one by one, but not together.
    Conflict {
        /// Which, and why.
        reason: String,
    },
    /// The family is one of networks, which ECDAR does not have.
    NoProject {
        /// The family.
        name: String,
        /// Families that are timed I/O automata.
        known: Vec<&'static str>,
    },
}

impl Error {
    pub(crate) fn unknown_family(name: &str, known: impl Iterator<Item = &'static str>) -> Self {
        let known: Vec<_> = known.collect();
        Error::UnknownFamily {
            name: name.to_owned(),
            similar: closest(name, &known),
            known,
        }
    }

    pub(crate) fn unknown_parameter(
        family: &'static str,
        name: &str,
        known: impl Iterator<Item = &'static str>,
    ) -> Self {
        let known: Vec<_> = known.collect();
        Error::UnknownParameter {
            family,
            name: name.to_owned(),
            similar: closest(name, &known),
            known,
        }
    }

    pub(crate) fn conflict(reason: impl Into<String>) -> Self {
        Error::Conflict {
            reason: reason.into(),
        }
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Error::UnknownFamily { name, similar, known } => {
                write!(f, "no family is called `{name}`")?;
                hint(f, *similar)?;
                write!(f, "; the families are {}", known.join(", "))
            }
            Error::UnknownParameter {
                family,
                name,
                similar,
                known,
            } => {
                write!(f, "`{family}` has no parameter `{name}`")?;
                hint(f, *similar)?;
                write!(f, "; its parameters are {}", known.join(", "))
            }
            Error::Repeated { name } => write!(f, "the parameter `{name}` is given twice"),
            Error::NotAValue { param, text } => {
                write!(f, "`{text}` is not a valid value of `{}`, which is ", param.name)?;
                values(f, param)
            }
            Error::OutOfRange { param, value } => {
                write!(f, "`{}` cannot be {value}; it is ", param.name)?;
                values(f, param)
            }
            Error::Conflict { reason } => f.write_str(reason),
            Error::NoProject { name, known } => write!(
                f,
                "`{name}` is a network of timed automata: write it to a file, such as {name}.xml; ECDAR projects are {}",
                known.join(", ")
            ),
        }
    }
}

impl std::error::Error for Error {}

fn hint(f: &mut Formatter<'_>, similar: Option<&str>) -> fmt::Result {
    match similar {
        Some(similar) => write!(f, " (did you mean `{similar}`?)"),
        None => Ok(()),
    }
}

fn values(f: &mut Formatter<'_>, param: &ParamSpec) -> fmt::Result {
    if param.words.is_empty() {
        write!(f, "a number from {} to {}", param.min, param.max)
    } else {
        let words = param.words.iter().zip(param.min..);
        let words: Vec<_> = words.map(|(word, value)| format!("{word} ({value})")).collect();
        write!(f, "one of {}", words.join(", "))
    }
}

/// The name that `wrong` was probably meant to be.
fn closest(wrong: &str, names: &[&'static str]) -> Option<&'static str> {
    let wrong: Vec<char> = wrong.to_lowercase().chars().collect();
    // Far longer than any name: not worth the quadratic comparison.
    if wrong.is_empty() || wrong.len() > 64 {
        return None;
    }
    let begins = |name: &str| {
        wrong.len() > 2 && name.chars().zip(&wrong).filter(|(a, b)| a == *b).count() == wrong.len()
    };
    if let Some(name) = names.iter().find(|name| begins(name)) {
        return Some(name);
    }
    let ranked = names.iter().map(|&name| (distance(&wrong, name), name));
    let (distance, name) = ranked.min_by_key(|&(distance, _)| distance)?;
    (distance <= 1 + name.len() / 4 && distance < wrong.len()).then_some(name)
}

/// Insertions, deletions and replacements between two words, `_` and `-` being alike.
fn distance(a: &[char], b: &str) -> usize {
    let mut row: Vec<usize> = (0..=a.len()).collect();
    for (i, b) in b.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &a) in a.iter().enumerate() {
            let is_same = a == b || (a == '_' && b == '-');
            let replaced = diagonal + usize::from(!is_same);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[a.len()]
}
