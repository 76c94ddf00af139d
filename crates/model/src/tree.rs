//! The typed tree: every name resolved, every expression typed. The one description of a model that the
//! reference interpreter and the compiled network both start from.

mod expression;
mod names;
mod outermost;
pub mod statistical;
pub mod types;

use crate::ids::{LocationId, ParamId, ProcessSetId, ScalarSetId, SlotId, TemplateId};
pub use expression::{Binder, Builtin, Expr, ExprKind, ProcessExpr, VarRef};
pub use names::GlobalNames;
pub(crate) use names::{Declared, Symbol};
pub use outermost::ValueUse;
pub use statistical::Statistical;
use types::{Bound, Type};
pub use zonewalk_syntax::ast::{
    BinaryOp, Dialect, Direction, Drawing, Extremum, Name, OtherQuery, OtherQueryFamily, Outcome,
};
use zonewalk_syntax::source::SourceMap;
use zonewalk_syntax::span::Span;

/// A well-formed model.
#[derive(Clone, Debug)]
pub struct Model {
    /// The texts that it was read from.
    pub sources: SourceMap,
    /// Which generation of the language it is written in.
    pub dialect: Dialect,
    /// Global variables, constants, clocks and channels, those of the system section included.
    pub globals: Vec<Variable>,
    /// Functions, global and local to templates. A function only calls functions before it.
    pub functions: Vec<Function>,
    /// Templates.
    pub templates: Vec<Template>,
    /// Scalar sets.
    pub scalar_sets: Vec<ScalarSet>,
    /// The names on the system line, from left to right.
    pub process_sets: Vec<ProcessSet>,
    /// Channel priorities; `None` when there is no such declaration.
    pub channel_priorities: Option<ChannelPriorities>,
    /// Whether the system line orders processes by priority.
    pub has_process_priorities: bool,
    /// `IO` lines; empty unless the model was checked as timed I/O automata.
    pub io_lines: Vec<IoLine>,
    /// The rows of `gantt` sections.
    pub gantt: Vec<GanttRow>,
    /// Run before every update of a transition.
    pub before_update: Vec<Expr>,
    /// Run after every update of a transition.
    pub after_update: Vec<Expr>,
    /// Frame slots that `before_update` and `after_update` need.
    pub update_slots: usize,
    /// Features the model uses beyond plain timed automata, with a place for each.
    pub features: Vec<FeatureUse>,
    /// Meanings of global names, for queries.
    pub names: GlobalNames,
    /// Values of the constants among the globals, by `GlobalId`; a placeholder for variables.
    pub constants: Vec<crate::system::Value>,
}

/// A variable, constant, clock or channel, or an array or struct of them.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// `const`
    pub is_const: bool,
    /// `meta`: not part of state equality.
    pub is_meta: bool,
    /// The initial value, in the type's own order and shape; `None` for the default.
    pub init: Option<Init>,
    /// The by-value template parameter that this variable holds, if that is what it is.
    pub from_param: Option<ParamId>,
    /// Span of the declaration.
    pub span: Span,
}

/// An initialiser, in the order of the type's fields and elements.
#[derive(Clone, Debug)]
pub enum Init {
    /// A value (which may be a whole struct or array).
    Expr(Expr),
    /// One initialiser per element or field.
    List(Vec<Init>),
}

/// A scalar set.
#[derive(Clone, Debug)]
pub struct ScalarSet {
    /// The name of its typedef, if it has one.
    pub name: Option<Name>,
    /// The number of its elements.
    pub size: Bound,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// The template that it is local to.
    pub template: Option<TemplateId>,
    /// The type of its result.
    pub result: Type,
    /// Its parameters; parameter `i` lives in slot `i`.
    pub params: Vec<FunctionParam>,
    /// Its body; `None` for a function of an external library.
    pub body: Option<Block>,
    /// The number of slots that an activation needs, parameters first.
    pub slots: usize,
    /// Whether it writes to anything but its own slots, itself or through what it calls.
    pub has_side_effects: bool,
    /// Whether it reads variables that are neither constant nor its own.
    pub reads_state: bool,
    /// Span of the declaration.
    pub span: Span,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct FunctionParam {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// By reference: the slot refers to the caller's variable.
    pub by_reference: bool,
    /// `const`
    pub is_const: bool,
}

/// `{ … }` inside a function. Its variables are initialised, in order, every time it is entered.
#[derive(Clone, Debug)]
pub struct Block {
    /// Variables with their slots.
    pub variables: Vec<SlotVariable>,
    /// Statements.
    pub statements: Vec<Statement>,
}

/// A variable of a block.
#[derive(Clone, Debug)]
pub struct SlotVariable {
    /// Its slot.
    pub slot: SlotId,
    /// The variable.
    pub variable: Variable,
}

/// Statements.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Statement {
    Expr(Expr),
    Block(Block),
    If {
        condition: Expr,
        then: Box<Statement>,
        otherwise: Option<Box<Statement>>,
    },
    While {
        condition: Expr,
        body: Box<Statement>,
    },
    DoWhile {
        body: Box<Statement>,
        condition: Expr,
    },
    For {
        init: Expr,
        condition: Expr,
        step: Expr,
        body: Box<Statement>,
    },
    /// Over all the values of an integer or scalar type, smallest first.
    ForIn {
        slot: SlotId,
        ty: Type,
        body: Box<Statement>,
    },
    Return(Option<Expr>),
    /// Fails the run when the condition is false.
    Assert(Expr),
}

/// A template.
#[derive(Clone, Debug)]
pub struct Template {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its variables: by-value parameters first, then the declarations.
    pub variables: Vec<Variable>,
    /// By `LocalId`: whether a label or function of the template may assign to the variable.
    pub assigned: Vec<bool>,
    /// Its locations.
    pub locations: Vec<Location>,
    /// The initial one.
    pub initial: LocationId,
    /// Its edges. An edge into a branchpoint is there once per branch.
    pub edges: Vec<Edge>,
    /// Frame slots that any label of the template may need.
    pub slots: usize,
    /// A template for dynamic processes: never instantiated on the system line.
    pub is_dynamic: bool,
    /// Source span.
    pub span: Span,
}

/// A parameter of a template.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// How it is passed.
    pub mode: ParamMode,
    /// Span of the declaration.
    pub span: Span,
}

/// How a template parameter is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamMode {
    /// `const T p`: a value known when the process is made. Named by `VarRef::Param`.
    Const,
    /// `T p`: a variable of the process with that initial value. Named by `VarRef::Local`.
    Value,
    /// `T &p`: another name for a variable, clock or channel. Named by `VarRef::Param`.
    Reference,
}

/// A location.
#[derive(Clone, Debug)]
pub struct Location {
    /// Its name; `_` and the id of an unnamed one.
    pub name: Name,
    /// Whether the file names it.
    pub is_named: bool,
    /// Invariant (rates included); `None` for true.
    pub invariant: Option<Expr>,
    /// Exponential rate.
    pub exponential_rate: Option<(Expr, Option<Expr>)>,
    /// Committed.
    pub committed: bool,
    /// Urgent.
    pub urgent: bool,
    /// For editors.
    pub drawing: Drawing,
    /// Source span.
    pub span: Span,
}

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Source of the edge.
    pub source: LocationId,
    /// Target of the edge.
    pub target: LocationId,
    /// Selections; all combinations of their values are edges.
    pub selects: Vec<Binder>,
    /// Guard; `None` for true.
    pub guard: Option<Expr>,
    /// Synchronisation.
    pub sync: Option<Sync>,
    /// Updates, left to right: those of the edge, then those of the branch.
    pub updates: Vec<Expr>,
    /// Number of the branch among those of the branchpoint, and its weight.
    pub branch: Option<Branch>,
    /// False for edges of the environment.
    pub controllable: bool,
    /// Source span.
    pub span: Span,
    /// For editors.
    pub drawing: Drawing,
}

/// A branch of a probabilistic edge.
#[derive(Clone, Debug)]
pub struct Branch {
    /// Number of the edge into the branchpoint, among the edges of the file.
    pub group: u32,
    /// The weight; `None` for 1. Never evaluated for reachability.
    pub weight: Option<Expr>,
}

/// `c!`, `c?` or `c`.
#[derive(Clone, Debug)]
pub struct Sync {
    /// The channel.
    pub channel: Expr,
    /// How the edge takes part.
    pub direction: Direction,
    /// Source span.
    pub span: Span,
}

/// A name on the system line: one process, or one per combination of values of its free parameters.
#[derive(Clone, Debug)]
pub struct ProcessSet {
    /// The name.
    pub name: Name,
    /// The template in the end.
    pub template: TemplateId,
    /// The free parameters, first one outermost; each has its slot (0, 1, …) in the frame in which `args` are
    /// evaluated.
    pub free: Vec<Binder>,
    /// The arguments for the template's parameters. Values may use the free parameters' slots; for references
    /// they are places.
    pub args: Vec<Expr>,
    /// Priority level of the system line, 0 lowest.
    pub priority: u32,
    /// Span of its name on the system line.
    pub span: Span,
}

/// `IO P(i) { in[i]?, out! }`: the actions of processes.
#[derive(Clone, Debug)]
pub struct IoLine {
    /// Processes the line is for.
    pub processes: IoProcesses,
    /// Arguments for the parameters: a new name, whose value is in the slot of the same number, or a value that the parameter
    /// must have.
    pub args: Vec<Option<Expr>>,
    /// Channels, or whole arrays of them, evaluated in a frame with the values of the parameters.
    pub actions: Vec<Sync>,
    /// Source span.
    pub span: Span,
}

/// The processes that an `IO` line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IoProcesses {
    /// Processes of a name on the system line; their free parameters are meant.
    Set(ProcessSetId),
    /// All those of a template; its own parameters are meant.
    Template(TemplateId),
}

/// A row of a `gantt` section: one for each combination of values of its names.
#[derive(Clone, Debug)]
pub struct GanttRow {
    /// Its title.
    pub name: Name,
    /// Bound names.
    pub selects: Vec<Binder>,
    /// Bars of the row.
    pub bars: Vec<GanttBar>,
}

/// A bar of a row: one for each combination of values of its names.
#[derive(Clone, Debug)]
pub struct GanttBar {
    /// Bound names.
    pub selects: Vec<Binder>,
    /// When it shows.
    pub condition: Expr,
    /// The number of its colour.
    pub color: Expr,
}

/// `chan priority`.
#[derive(Clone, Debug)]
pub struct ChannelPriorities {
    /// Levels, lowest first. A channel expression may name a whole array.
    pub levels: Vec<Vec<Expr>>,
    /// The level of internal edges and of channels that are not listed.
    pub default_level: u32,
    /// Source span.
    pub span: Span,
}

/// A construct worth naming, at its first place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureUse {
    /// Which.
    pub feature: Feature,
    /// Where first.
    pub span: Span,
    /// Number of uses.
    pub count: u32,
}

/// Features a model may use beyond plain timed automata over integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Feature {
    Broadcast,
    UrgentChannels,
    UrgentLocations,
    CommittedLocations,
    ChannelPriorities,
    ProcessPriorities,
    Branchpoints,
    ExponentialRates,
    Stopwatches,
    /// A clock rate that is neither 0 nor 1 for sure.
    ClockRates,
    HybridClocks,
    Doubles,
    Strings,
    MathFunctions,
    RandomFunctions,
    ExternalFunctions,
    DynamicTemplates,
    ClockDifferences,
    /// `x = y + 1`: a clock gets a value that is not an integer expression.
    ClockCopies,
    /// `x + y <= 3`, `2 * x <= 5`, `i = fint(x)`: clocks outside simple bounds.
    ClockArithmetic,
    ClockGuardsOnReceivers,
    ClockGuardsOnUrgent,
    LowerBoundInvariants,
    ScalarSets,
    MetaVariables,
    Selects,
    Functions,
    Structs,
    BeforeAfterUpdate,
    UncontrollableEdges,
    LiveSequenceCharts,
    Gantt,
    ProgressMeasures,
    LocationInGuard,
    /// A channel without `!` or `?`.
    CspSynchronisation,
    /// A synchronisation on an edge out of a branchpoint, and another one on the edge into it.
    BranchConditions,
}

/// A query, typed against the instantiated system.
#[derive(Clone, Debug)]
pub struct Query {
    /// Kind of query.
    pub kind: QueryKind,
    /// Its text on one line.
    pub text: String,
    /// Source span.
    pub span: Span,
    /// The author's comment.
    pub comment: String,
    /// Options that the file records for it, name and value.
    pub options: Vec<(String, String)>,
    /// Recorded or expected outcome.
    pub outcome: Option<Outcome>,
    /// Level expression of importance splitting and its text: the progress of a state towards the query's goal.
    pub levels: Option<(Expr, String)>,
    /// Frame slots that its expressions need.
    pub slots: usize,
}

/// Kinds of queries.
#[derive(Clone, Debug)]
pub enum QueryKind {
    /// `E<> p`
    Reachable(Expr),
    /// `A[] p`
    Invariant(Expr),
    /// `E[] p`
    PotentiallyAlways(Expr),
    /// `A<> p`
    Inevitable(Expr),
    /// `p --> q`
    LeadsTo(Expr, Expr),
    /// `sup`, `inf`, `bounds`
    Extremum {
        /// Which.
        kind: Extremum,
        /// The states to look at.
        predicate: Option<Expr>,
        /// The expressions.
        exprs: Vec<Expr>,
    },
    /// Probabilities and expected values.
    Statistical(Box<Statistical>),
    /// Recognised, and decided by no engine.
    Other(OtherQuery),
}

/// The scalar set of a type, if it is one.
pub fn scalar_set(ty: &Type) -> Option<ScalarSetId> {
    match ty {
        Type::Scalar(s) => Some(*s),
        _ => None,
    }
}
