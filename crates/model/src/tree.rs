//! The typed tree: every name resolved, every expression typed. The one description of a model that the
//! reference interpreter and the compiled network both start from.

use crate::ids::{
    FunctionId, GlobalId, LocalId, LocationId, ParamId, ProcessSetId, ScalarSetId, SlotId, TemplateId,
};
use crate::types::{Bound, Type};
pub use zonewalk_syntax::ast::{BinaryOp, Dialect, Direction, Drawing, Extremum, Name, OtherQuery, Outcome};
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
    /// Run before every update of a transition.
    pub before_update: Vec<Expr>,
    /// Run after every update of a transition.
    pub after_update: Vec<Expr>,
    /// Frame slots that `before_update` and `after_update` need.
    pub update_slots: usize,
    /// What the model uses beyond plain timed automata, with a place for each.
    pub features: Vec<FeatureUse>,
    /// What global names mean, for queries.
    pub names: crate::check::GlobalNames,
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
    /// Where it is declared.
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
    /// Where it is declared.
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

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

impl Expr {
    /// Calls `visit` for every direct operand.
    pub fn operands<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        use ExprKind as K;
        match &self.kind {
            K::Int(_) | K::Double(_) | K::Str(_) | K::Var(_) | K::Deadlock | K::Unsupported(_) => {}
            K::Index(a, b)
            | K::Imply(a, b)
            | K::Xor(a, b)
            | K::Compare(_, a, b)
            | K::CompareClocks(_, a, b)
            | K::Same(_, a, b)
            | K::SetRate(a, b)
            | K::Assign(a, b)
            | K::AssignWith(_, a, b) => {
                visit(a);
                visit(b);
            }
            K::Field(a, _)
            | K::Negate(a)
            | K::Not(a)
            | K::Rate(a)
            | K::Forall(_, a)
            | K::Exists(_, a)
            | K::Sum(_, a)
            | K::Step { place: a, .. } => visit(a),
            K::Arithmetic(first, rest) => {
                visit(first);
                rest.iter().for_each(|(_, e)| visit(e));
            }
            K::And(list) | K::Or(list) | K::Call(_, list) | K::Builtin(_, list) | K::Comma(list) => {
                list.iter().for_each(visit);
            }
            K::Conditional(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
            K::AtLocation(p, _) | K::Member(p, _) | K::ParamMember(p, _) => p.args.iter().for_each(visit),
            K::ProcessCall(p, _, args) => {
                p.args.iter().for_each(&mut *visit);
                args.iter().for_each(visit);
            }
        }
    }
}

/// The forms of typed expressions.
///
/// Operators are split by what they work on, so that an evaluator needs to look at no type: `Compare` compares
/// integers (or doubles), `Clock…` forms compare clocks, `Same` compares scalars, arrays and structs.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer, boolean or scalar constant.
    Int(i32),
    /// A floating-point constant.
    Double(f64),
    /// A string.
    Str(Name),
    /// A variable.
    Var(VarRef),
    /// `a[i]`. The index type is in the array's type.
    Index(Box<Expr>, Box<Expr>),
    /// `s.f`, by the field's number.
    Field(Box<Expr>, usize),
    /// `-e`
    Negate(Box<Expr>),
    /// `!e`, on integers or conditions.
    Not(Box<Expr>),
    /// Left-to-right arithmetic of integers (or doubles): `first op e op e …`. Operators: `Power`, `Mul`, `Div`,
    /// `Mod`, `Add`, `Sub`, the shifts, `Min`, `Max`, the bit operators. On clocks: `x + 1`, `x - y`, `x - 1`.
    Arithmetic(Box<Expr>, Vec<(BinaryOp, Expr)>),
    /// Short-circuit conjunction of two or more, from left to right.
    And(Vec<Expr>),
    /// Short-circuit disjunction of two or more, from left to right.
    Or(Vec<Expr>),
    /// `a imply b`, short-circuit.
    Imply(Box<Expr>, Box<Expr>),
    /// `a xor b`
    Xor(Box<Expr>, Box<Expr>),
    /// Comparison of numbers: `Less` … `NotEqual`.
    Compare(BinaryOp, Box<Expr>, Box<Expr>),
    /// Comparison in which clocks, clock differences or clock sums take part.
    CompareClocks(BinaryOp, Box<Expr>, Box<Expr>),
    /// `==` (true) or `!=` (false) of scalars, structs, arrays or channels.
    Same(bool, Box<Expr>, Box<Expr>),
    /// `x' == e`: sets the rate of the clock, the first operand, to the second.
    SetRate(Box<Expr>, Box<Expr>),
    /// `x'` as a value (statistical models only).
    Rate(Box<Expr>),
    /// `c ? a : b`; also a left side.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `forall`, over all values of `ty`.
    Forall(Binder, Box<Expr>),
    /// `exists`
    Exists(Binder, Box<Expr>),
    /// `sum`
    Sum(Binder, Box<Expr>),
    /// `place = value`: of integers with a range check against the type of the place, of clocks, of whole structs
    /// and arrays. Its value is the place's new value, and it is a left side itself.
    Assign(Box<Expr>, Box<Expr>),
    /// `place op= value` on integers.
    AssignWith(BinaryOp, Box<Expr>, Box<Expr>),
    /// `++p`, `p++`, `--p`, `p--`.
    Step {
        /// Up or down.
        increment: bool,
        /// The value is the new one rather than the old one; a prefix form is a left side too.
        prefix: bool,
        /// The integer that is changed.
        place: Box<Expr>,
    },
    /// `a, b` in the head of a loop: all are evaluated, the value is that of the last.
    Comma(Vec<Expr>),
    /// A function call; arguments for reference parameters are places.
    Call(FunctionId, Vec<Expr>),
    /// A built-in function, by name: `abs`, `fabs`, `random`, `sqrt`, ….
    Builtin(Builtin, Vec<Expr>),
    /// `deadlock` (queries).
    Deadlock,
    /// `P.loc`, `P(i).loc` (queries): 1 when the process is there.
    AtLocation(ProcessExpr, LocationId),
    /// `P.x`, `P(i).x` (queries): a variable of a process.
    Member(ProcessExpr, LocalId),
    /// `P(i).p` (queries): a constant or reference parameter of a process.
    ParamMember(ProcessExpr, ParamId),
    /// `P.f(x)`, `P(i).f(x)` (queries): a function of a process.
    ProcessCall(ProcessExpr, FunctionId, Vec<Expr>),
    /// A construct that is well-formed and that no engine runs, by name: `spawn`, the name of a location in a guard.
    Unsupported(&'static str),
}

/// A process in a query: a set and the values of its free parameters.
#[derive(Clone, Debug)]
pub struct ProcessExpr {
    /// Which name of the system line.
    pub set: ProcessSetId,
    /// One value per free parameter; empty for a single process.
    pub args: Vec<Expr>,
}

/// `i : T` in a quantifier.
#[derive(Clone, Debug)]
pub struct Binder {
    /// Where the value lives.
    pub slot: SlotId,
    /// Its name.
    pub name: Name,
    /// A bounded integer or scalar type.
    pub ty: Type,
}

/// What a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VarRef {
    /// A global.
    Global(GlobalId),
    /// A variable of the process.
    Local(LocalId),
    /// A constant or reference parameter of the process's template.
    Param(ParamId),
    /// A slot of the current activation.
    Slot(SlotId),
}

/// Built-in functions; `Builtin::ALL` has their names and types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin(pub usize);

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
    /// Where it stands.
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
    /// Where it is declared.
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
    /// Where it stands.
    pub span: Span,
}

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it leaves.
    pub source: LocationId,
    /// Where it enters.
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
    /// Where it stands.
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
    /// Where it stands.
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
    /// Where it is named.
    pub span: Span,
}

/// `chan priority`.
#[derive(Clone, Debug)]
pub struct ChannelPriorities {
    /// Levels, lowest first. A channel expression may name a whole array.
    pub levels: Vec<Vec<Expr>>,
    /// The level of internal edges and of channels that are not listed.
    pub default_level: u32,
    /// Where it stands.
    pub span: Span,
}

/// A construct worth naming, at its first place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeatureUse {
    /// Which.
    pub feature: Feature,
    /// Where first.
    pub span: Span,
    /// How often.
    pub count: u32,
}

/// What a model may use beyond plain timed automata over integers.
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
    /// `x + y <= 3`, `2 * x <= 5`, `i = fint(x)`: clocks outside of simple bounds.
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
    /// A guard or synchronisation on an edge out of a branchpoint.
    BranchConditions,
}

/// A query, typed against the instantiated system.
#[derive(Clone, Debug)]
pub struct Query {
    /// What it asks.
    pub kind: QueryKind,
    /// Its text on one line.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// The author's comment.
    pub comment: String,
    /// Recorded or expected outcome.
    pub outcome: Option<Outcome>,
    /// Frame slots that its expressions need.
    pub slots: usize,
}

/// What a query asks.
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
