//! A family: its name, its parameters, and the function that builds a member.

use crate::error::Error;
use crate::model::Model;
use crate::params::{ParamSpec, Params};

/// A family of models.
#[derive(Debug)]
pub struct Family {
    /// Its name on the command line.
    pub name: &'static str,
    /// One-line description of the modelled system.
    pub summary: &'static str,
    /// The parameters, `n` first.
    pub params: &'static [ParamSpec],
    pub(crate) build: fn(&Params) -> Result<Model, Error>,
}
