//! The compiled processes with their locations and edges, as runs look them up.

use crate::code::{Cond, Effect, Function, Int, Real, Values};
use crate::layout::Layout;
use crate::lower::{Lower, RateSetting};
use crate::options::Options;
use zonewalk_model::eval::{Fault, FaultKind};
use zonewalk_model::run_start;
use zonewalk_model::system::System;
use zonewalk_model::tree::{Direction, Edge, Expr, Feature, Location, Model, Name, Template, Variable};
use zonewalk_model::types::Type;
use zonewalk_syntax::span::Span;

/// A model, compiled for runs in doubles, with the conditions and expressions of queries.
pub struct StochasticPlan {
    pub(crate) options: Options,
    /// Initial contents of all cells.
    pub(crate) initial: Vec<u64>,
    /// The cell of each clock.
    pub(crate) clocks: Vec<u32>,
    /// The clock in each cell; `NO_CLOCK` where there is none.
    pub(crate) clock_in: Vec<u32>,
    /// The first of the cells that hold the rates of the clocks.
    pub(crate) rate_cells: u32,
    pub(crate) functions: Vec<Function>,
    pub(crate) processes: Vec<Process>,
    /// Whether each channel is urgent.
    pub(crate) urgent: Vec<bool>,
    /// Initial values that are not known before a run.
    pub(crate) at_start: Vec<Effect>,
    pub(crate) before_update: Vec<Effect>,
    pub(crate) after_update: Vec<Effect>,
    pub(crate) conditions: Vec<Cond>,
    pub(crate) expressions: Vec<Real>,
    /// Whether some location sets rates.
    pub(crate) has_rates: bool,
    /// Whether some rate depends on clocks.
    pub(crate) is_integrated: bool,
}

pub(crate) const NO_CLOCK: u32 = u32::MAX;

/// A process.
pub(crate) struct Process {
    pub(crate) name: Name,
    pub(crate) initial: u32,
    pub(crate) locations: Vec<LocationPlan>,
}

/// A location of a process.
pub(crate) struct LocationPlan {
    pub(crate) name: Name,
    pub(crate) span: Span,
    pub(crate) committed: bool,
    pub(crate) urgent: bool,
    pub(crate) invariant: Option<Cond>,
    pub(crate) rates: Vec<RateSetting>,
    /// The exponential rate, and what it is divided by.
    pub(crate) rate: Option<(Real, Option<Real>)>,
    /// Edges that begin a transition.
    pub(crate) outputs: Vec<Stem>,
    /// Edges that receive.
    pub(crate) inputs: Vec<Stem>,
}

/// An edge up to its branches.
pub(crate) struct Stem {
    pub(crate) selects: Vec<Values>,
    /// Holds while one of its branches can be taken.
    pub(crate) guard: Option<Cond>,
    /// Its branches synchronise each in its own way: the branch is chosen first.
    pub(crate) has_syncs: bool,
    pub(crate) branches: Vec<Branch>,
    pub(crate) span: Span,
}

/// Weight, guard and effect of one branch of an edge.
pub(crate) struct Branch {
    /// `None` for 1.
    pub(crate) weight: Option<Real>,
    /// Where branches have guards of their own.
    pub(crate) guard: Option<Cond>,
    pub(crate) channel: Option<Int>,
    /// Names that are selected after the branchpoint.
    pub(crate) selects: Vec<Values>,
    pub(crate) updates: Vec<Effect>,
    pub(crate) target: u32,
    /// Its number among the edges of the template.
    pub(crate) edge: u32,
    pub(crate) span: Span,
}

/// A construct that statistical runs do not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// For a person.
    pub construct: String,
    /// Where.
    pub span: Span,
}

impl From<Fault> for Unsupported {
    fn from(fault: Fault) -> Unsupported {
        let construct = match &fault.kind {
            FaultKind::Unsupported(construct) => construct.to_string(),
            _ => fault.to_string(),
        };
        Unsupported {
            construct,
            span: fault.span,
        }
    }
}

impl StochasticPlan {
    /// Compiles a model together with the conditions and expressions of queries, which are known by their numbers later on.
    ///
    /// # Errors
    /// A construct that the stochastic semantics does not know: handshakes, priorities, dynamic templates, external functions.
    pub fn new(
        model: &Model,
        system: &System,
        conditions: &[&Expr],
        expressions: &[&Expr],
        options: Options,
    ) -> Result<StochasticPlan, Unsupported> {
        refuse(model, system)?;
        let mut lower = Lower::new(Layout::new(model, system));
        let mut processes = Vec::with_capacity(system.processes.len());
        for (number, process) in system.processes.iter().enumerate() {
            let template = &model.templates[process.template.index()];
            processes.push(Process {
                name: process.name.clone(),
                initial: template.initial.0,
                locations: places(&mut lower, number, template)?,
            });
        }
        lower.enter(None);
        let at_start = initial_values(&mut lower, model, system)?;
        lower.enter(None);
        lower.may_draw = true;
        let before_update = lower.effects(&model.before_update)?;
        let after_update = lower.effects(&model.after_update)?;
        lower.enter(None);
        let conditions = conditions.iter().map(|c| lower.condition(c));
        let conditions = conditions.collect::<Result<_, Fault>>()?;
        lower.enter(None);
        let expressions = expressions.iter().map(|e| lower.real(e));
        let expressions = expressions.collect::<Result<_, Fault>>()?;
        let mut clock_in = vec![NO_CLOCK; lower.layout.initial.len()];
        for (clock, cell) in lower.layout.clocks.iter().enumerate() {
            clock_in[*cell as usize] = clock as u32;
        }
        let settings = || {
            let places = processes.iter().flat_map(|p: &Process| &p.locations);
            places.flat_map(|place| &place.rates)
        };
        let has_rates = settings().next().is_some();
        let is_integrated = settings().any(|setting| setting.timed);
        Ok(StochasticPlan {
            options,
            rate_cells: lower.rate_cells,
            initial: lower.layout.initial,
            clocks: lower.layout.clocks,
            clock_in,
            functions: lower.functions,
            processes,
            urgent: system.channels.iter().map(|c| c.urgent).collect(),
            at_start,
            before_update,
            after_update,
            conditions,
            expressions,
            has_rates,
            is_integrated,
        })
    }
}

/// Rejects models that the stochastic semantics does not support.
fn refuse(model: &Model, system: &System) -> Result<(), Unsupported> {
    for used in &model.features {
        let construct = match used.feature {
            Feature::ChannelPriorities => "channel priorities",
            Feature::ProcessPriorities => "process priorities",
            Feature::DynamicTemplates => "dynamic templates",
            Feature::LocationInGuard => "the name of a location as a condition",
            Feature::BranchConditions => "synchronisations before and after a branchpoint",
            Feature::CspSynchronisation => "synchronisations without `!` or `?`",
            _ => continue,
        };
        return Err(Unsupported {
            construct: construct.to_owned(),
            span: used.span,
        });
    }
    // A handshake has two processes that draw, and no rule says which delay counts.
    for process in &system.processes {
        for edge in &model.templates[process.template.index()].edges {
            if let Some(sync) = &edge.sync
                && matches!(sync.channel.ty, Type::Chan(kind) if !kind.broadcast)
            {
                return Err(Unsupported {
                    construct: "handshakes: channels that are not `broadcast`".to_owned(),
                    span: sync.span,
                });
            }
        }
    }
    Ok(())
}

/// Edges with their numbers among those of the template.
type Numbered<'m> = Vec<(u32, &'m Edge)>;

fn places(lower: &mut Lower<'_>, process: usize, template: &Template) -> Result<Vec<LocationPlan>, Fault> {
    let mut places = Vec::with_capacity(template.locations.len());
    for location in &template.locations {
        places.push(place(lower, process, location)?);
    }
    // Branches of one edge come apart from each other in the list of edges.
    let mut groups: Vec<(Option<u32>, Numbered<'_>)> = Vec::new();
    for (number, edge) in template.edges.iter().enumerate() {
        let group = edge.branch.as_ref().map(|b| b.group);
        let same = groups
            .iter_mut()
            .find(|(known, _)| group.is_some() && *known == group);
        match same {
            Some((_, edges)) => edges.push((number as u32, edge)),
            None => groups.push((group, vec![(number as u32, edge)])),
        }
    }
    for (_, edges) in groups {
        let (inputs, outputs): (Numbered<'_>, Numbered<'_>) =
            edges.into_iter().partition(|(_, edge)| receives(edge));
        for part in [inputs, outputs] {
            let Some((_, first)) = part.first() else {
                continue;
            };
            let stem = stem(lower, process, &part)?;
            let place = &mut places[first.source.index()];
            let list = if receives(first) {
                &mut place.inputs
            } else {
                &mut place.outputs
            };
            list.push(stem);
        }
    }
    Ok(places)
}

fn receives(edge: &Edge) -> bool {
    edge.sync
        .as_ref()
        .is_some_and(|s| s.direction == Direction::Receive)
}

fn place(lower: &mut Lower<'_>, process: usize, location: &Location) -> Result<LocationPlan, Fault> {
    lower.enter(Some(process));
    let invariant = location.invariant.as_ref();
    let mut rates = Vec::new();
    if let Some(invariant) = invariant {
        lower.rates(invariant, &mut rates)?;
    }
    let invariant = match invariant {
        Some(invariant) => match lower.condition(invariant)? {
            Cond::Data(Int::Const(1..)) => None,
            condition => Some(condition),
        },
        None => None,
    };
    let rate = match &location.exponential_rate {
        Some((rate, divisor)) => {
            let divisor = divisor.as_ref().map(|d| lower.real(d)).transpose()?;
            Some((lower.real(rate)?, divisor))
        }
        None => None,
    };
    Ok(LocationPlan {
        name: location.name.clone(),
        span: location.span,
        committed: location.committed,
        urgent: location.urgent,
        invariant,
        rates,
        rate,
        outputs: Vec::new(),
        inputs: Vec::new(),
    })
}

/// An edge with its branches.
fn stem(lower: &mut Lower<'_>, process: usize, edges: &[(u32, &Edge)]) -> Result<Stem, Fault> {
    lower.enter(Some(process));
    let (_, first) = edges[0];
    // What all branches have in common is selected before the branchpoint.
    let common = edges.iter().map(|(_, e)| e.selects.len()).min().unwrap_or(0);
    let selects = first.selects[..common].iter();
    let selects = selects.map(|binder| lower.values(binder, first.span));
    let selects = selects.collect::<Result<_, Fault>>()?;
    // Branches with labels of their own have guards, or synchronise each in its way.
    let place = |of: Option<Span>| of.unwrap_or(Span::NONE);
    let guard_at = |edge: &Edge| place(edge.guard.as_ref().map(|g| g.span));
    let sync_at = |edge: &Edge| place(edge.sync.as_ref().map(|s| s.span));
    let has_guards = edges.iter().any(|(_, e)| guard_at(e) != guard_at(first));
    let has_syncs = edges.iter().any(|(_, e)| sync_at(e) != sync_at(first));
    if has_syncs && receives(first) {
        let construct = "several branches that receive behind one branchpoint";
        return Err(FaultKind::unsupported(construct.to_owned()).at(sync_at(first)));
    }
    let mut guards = Vec::new();
    let mut branches = Vec::with_capacity(edges.len());
    for (number, edge) in edges {
        let own = edge.selects[common..].iter();
        let own = own.map(|binder| lower.values(binder, edge.span));
        let own: Vec<Values> = own.collect::<Result<_, Fault>>()?;
        let guard = edge
            .guard
            .as_ref()
            .map(|guard| lower.condition(guard))
            .transpose()?;
        let channel = edge
            .sync
            .as_ref()
            .map(|sync| lower.int(&sync.channel))
            .transpose()?;
        if (has_guards || has_syncs) && !own.is_empty() {
            let construct = "selections behind a branchpoint whose branches have guards or synchronisations";
            return Err(FaultKind::unsupported(construct.to_owned()).at(edge.span));
        }
        guards.push(guard.clone());
        lower.may_draw = true;
        let weight = match edge.branch.as_ref().and_then(|b| b.weight.as_ref()) {
            Some(weight) => Some(lower.real(weight)?),
            None => None,
        };
        let updates = lower.effects(&edge.updates)?;
        lower.may_draw = false;
        branches.push(Branch {
            weight,
            guard: guard.filter(|_| has_guards),
            channel,
            selects: own,
            updates,
            target: edge.target.0,
            edge: *number,
            span: edge.span,
        });
    }
    // The edge can be taken while one of its branches can.
    let guard = if has_guards {
        let all: Option<Vec<Cond>> = guards.into_iter().collect();
        all.map(Cond::Or)
    } else {
        guards.into_iter().next().flatten()
    };
    Ok(Stem {
        selects,
        guard,
        has_syncs,
        branches,
        span: first.span,
    })
}

/// Initial values that are drawn or are not integers for clocks, and all that come after the first of them: they may be computed
/// from it.
fn initial_values(lower: &mut Lower<'_>, model: &Model, system: &System) -> Result<Vec<Effect>, Fault> {
    let mut effects = Vec::new();
    let mut is_at_run_start = false;
    let mut add = |lower: &mut Lower<'_>, cell: u32, variable: &Variable| -> Result<(), Fault> {
        is_at_run_start = is_at_run_start
            || variable
                .init
                .as_ref()
                .is_some_and(|init| run_start::initialised_at_run_start(model, variable, init));
        if is_at_run_start && variable.init.is_some() {
            lower.initialise(crate::code::Addr::Cell(cell), variable, &mut effects)?;
        }
        Ok(())
    };
    lower.may_draw = true;
    for (index, variable) in model.globals.iter().enumerate() {
        let cell = lower.layout.global(index);
        add(lower, cell, variable)?;
    }
    for (number, process) in system.processes.iter().enumerate() {
        lower.enter(Some(number));
        lower.may_draw = true;
        let template = &model.templates[process.template.index()];
        for (index, variable) in template.variables.iter().enumerate() {
            if variable.from_param.is_none() {
                let cell = lower.layout.local(number, index);
                add(lower, cell, variable)?;
            }
        }
    }
    Ok(effects)
}
