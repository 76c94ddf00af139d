//! Names on the command line that stand for one of a few.

use std::fmt;

/// A name that stands for none of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchName {
    what: &'static str,
    names: Vec<&'static str>,
}

impl fmt::Display for NoSuchName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} are {}", self.what, self.names.join(", "))
    }
}

impl std::error::Error for NoSuchName {}

/// The one with this name; `what` says what all of them are.
pub(crate) fn find<T: Copy>(
    all: &[T],
    name_of: impl Fn(T) -> &'static str,
    name: &str,
    what: &'static str,
) -> Result<T, NoSuchName> {
    let found = all.iter().copied().find(|&one| name_of(one) == name);
    found.ok_or_else(|| NoSuchName {
        what,
        names: all.iter().map(|&one| name_of(one)).collect(),
    })
}
