//! Meanings of names.

use super::types::Type;
use super::{Expr, VarRef};
use crate::ids::{FunctionId, ProcessSetId, TemplateId};
use rustc_hash::FxHashMap;
use zonewalk_syntax::ast::{Name, TypePrefix};
use zonewalk_syntax::span::Span;

/// Meaning of a name.
#[derive(Clone, Debug)]
pub(crate) enum Symbol {
    /// A variable, constant, clock, channel, parameter or bound name.
    Variable { var: VarRef, ty: Type },
    /// A predeclared constant such as `INT8_MAX`.
    Constant(Expr),
    /// A type, with the prefix of its typedef: `typedef const int[1,N] pid_t;` names constants.
    Type(Type, TypePrefix),
    /// A function.
    Function(FunctionId),
    /// A location of the template being checked.
    Location,
    /// A template or a partial instance: index into the checker's instances.
    Instance(usize),
    /// A template for dynamic processes.
    DynamicTemplate(TemplateId),
    /// A live sequence chart, or an instance of one.
    Chart,
    /// A name on the system line (queries).
    Process(ProcessSetId),
}

/// A symbol and where it was declared.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) symbol: Symbol,
    pub(crate) span: Span,
}

/// The global names of a model, kept for its queries.
#[derive(Clone, Debug, Default)]
pub struct GlobalNames(pub(crate) FxHashMap<Name, Declared>);
