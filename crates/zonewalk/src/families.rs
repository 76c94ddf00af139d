//! Models as functions of a few parameters, with their queries.
//!
//! ```
//! use zonewalk::{Loader, families};
//!
//! let text = families::generate("fischer", &[("n", "3")])?;
//! let model = Loader::new().load_text("fischer.xml", &text)?;
//! assert_eq!(model.processes().count(), 3);
//! # Ok::<(), zonewalk::Error>(())
//! ```

use crate::error::Error;

/// A family of models.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// One-line description of the modelled system.
    pub summary: &'static str,
    /// Its parameters; `n` is its size.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a family.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// One-line description of the parameter.
    pub summary: &'static str,
    /// The value when none is given.
    pub default: String,
    /// The smallest and the largest value.
    pub range: (i64, i64),
    /// Words for the values, where words say it best.
    pub words: &'static [&'static str],
}

/// All families.
pub fn all() -> Vec<Family> {
    let parameter = |of: &zonewalk_families::ParamSpec| Parameter {
        name: of.name,
        summary: of.summary,
        default: of.text(of.default),
        range: (of.min, of.max),
        words: of.words,
    };
    let family = |of: &zonewalk_families::Family| Family {
        name: of.name,
        summary: of.summary,
        parameters: of.params.iter().map(parameter).collect(),
    };
    zonewalk_families::all().map(family).collect()
}

/// The XML of a member of a family, with its queries. Parameters that are left out have their defaults.
///
/// # Errors
/// An unknown family or parameter, or a value that does not fit ([`Error::Query`]).
pub fn generate(family: &str, parameters: &[(&str, &str)]) -> Result<String, Error> {
    let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    let parameters: Vec<_> = parameters.iter().map(owned).collect();
    zonewalk_families::generate(family, &parameters).map_err(|error| Error::Query(error.to_string()))
}
