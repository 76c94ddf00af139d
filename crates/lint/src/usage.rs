//! Readers and writers of the variables that a model declares.
//!
//! Only what can run counts: the labels of instantiated templates, the functions that these call, and queries. What a variable's
//! own update reads of it (`n = n + 1`, `n++`) is not a use of it.

use rustc_hash::FxHashMap;
use std::mem;
use zonewalk_model::ids::{FunctionId, GlobalId, LocalId, ParamId, SlotId, TemplateId};
use zonewalk_model::tree::statistical::{BoundAxis, Mitl, Path, RunBound};
use zonewalk_model::tree::{
    Edge, Expr, ExprKind, Init, Model, ParamMode, Query, QueryKind, Statistical, Template, ValueUse, VarRef,
};

/// A declaration that can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Root {
    Global(GlobalId),
    Local(TemplateId, LocalId),
    /// A reference parameter of a template: another name.
    Param(TemplateId, ParamId),
    /// A slot of a function; of interest are its reference parameters.
    Slot(FunctionId, SlotId),
}

/// How something is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Use {
    /// By a label or a function.
    pub(crate) is_read: bool,
    /// By a query.
    pub(crate) is_asked_about: bool,
    pub(crate) is_written: bool,
}

/// The uses of everything.
#[derive(Default)]
pub(crate) struct Usage {
    uses: FxHashMap<Root, Use>,
}

impl Usage {
    /// Collects the uses in the labels and functions of a model and its queries. `is_live[t]` says whether template `t` has
    /// processes.
    pub(crate) fn new<'m>(
        model: &'m Model,
        is_live: &[bool],
        queries: impl Iterator<Item = &'m Query>,
    ) -> Usage {
        let mut walk = Walk {
            model,
            uses: FxHashMap::default(),
            functions: vec![false; model.functions.len()],
            summaries: vec![None; model.functions.len()],
            scope: Scope::default(),
            own: Vec::new(),
            is_query: false,
        };
        for (index, template) in model.templates.iter().enumerate() {
            if is_live[index] || template.is_dynamic {
                walk.template(TemplateId::from_index(index), template);
            }
        }
        walk.scope = Scope::default();
        let around = model.before_update.iter().chain(&model.after_update);
        around.for_each(|expr| walk.perform(expr));
        walk.is_query = true;
        queries.for_each(|query| walk.kind(&query.kind));
        walk.is_query = false;
        walk.arguments(is_live);
        Usage { uses: walk.uses }
    }

    pub(crate) fn of(&self, root: Root) -> Use {
        self.uses.get(&root).copied().unwrap_or_default()
    }
}

/// Owner of the code being examined.
#[derive(Clone, Copy, Default)]
struct Scope {
    template: Option<TemplateId>,
    function: Option<FunctionId>,
}

struct Walk<'m> {
    model: &'m Model,
    uses: FxHashMap<Root, Use>,
    /// By function: whether its body was examined.
    functions: Vec<bool>,
    /// By function: what it does to each parameter.
    summaries: Vec<Option<Vec<Use>>>,
    scope: Scope,
    /// Variables being assigned to; reads for that purpose do not count as uses.
    own: Vec<Root>,
    is_query: bool,
}

impl<'m> Walk<'m> {
    fn template(&mut self, id: TemplateId, template: &'m Template) {
        self.scope = Scope {
            template: Some(id),
            function: None,
        };
        for location in &template.locations {
            location.invariant.iter().for_each(|expr| self.read(expr));
            if let Some((rate, below)) = &location.exponential_rate {
                self.read(rate);
                below.iter().for_each(|expr| self.read(expr));
            }
        }
        template.edges.iter().for_each(|edge| self.edge(edge));
        template.variables.iter().for_each(|v| self.init(v.init.as_ref()));
    }

    fn edge(&mut self, edge: &'m Edge) {
        edge.guard.iter().for_each(|expr| self.read(expr));
        if let Some(sync) = &edge.sync {
            self.read(&sync.channel);
        }
        edge.updates.iter().for_each(|expr| self.perform(expr));
        let weight = edge.branch.as_ref().and_then(|branch| branch.weight.as_ref());
        weight.into_iter().for_each(|expr| self.read(expr));
    }

    fn init(&mut self, init: Option<&'m Init>) {
        match init {
            None => {}
            Some(Init::Expr(expr)) => self.read(expr),
            Some(Init::List(items)) => items.iter().for_each(|item| self.init(Some(item))),
        }
    }

    /// An expression whose value is not used.
    fn perform(&mut self, expr: &'m Expr) {
        match &expr.kind {
            ExprKind::Assign(place, value) | ExprKind::AssignWith(_, place, value) => {
                self.write(place);
                let own = self.root(place);
                self.own.extend(own);
                self.read(value);
                if own.is_some() {
                    self.own.pop();
                }
            }
            ExprKind::Step { place, .. } => self.write(place),
            ExprKind::Comma(list) => list.iter().for_each(|expr| self.perform(expr)),
            ExprKind::Conditional(condition, one, other) => {
                self.read(condition);
                self.perform(one);
                self.perform(other);
            }
            _ => self.read(expr),
        }
    }

    /// An expression whose value is used.
    fn read(&mut self, expr: &'m Expr) {
        match &expr.kind {
            ExprKind::Var(_) | ExprKind::Member(..) | ExprKind::ParamMember(..) => {
                if let Some(root) = self.root(expr)
                    && !self.own.contains(&root)
                {
                    let is_query = self.is_query;
                    let of = self.uses.entry(root).or_default();
                    of.is_read |= !is_query;
                    of.is_asked_about |= is_query;
                }
                self.operands(expr);
            }
            ExprKind::Assign(place, _) | ExprKind::AssignWith(_, place, _) => {
                self.perform(expr);
                self.read(place);
            }
            ExprKind::Step { place, .. } => {
                self.write(place);
                self.read(place);
            }
            // To set a rate is not to read the clock.
            ExprKind::SetRate(clock, rate) => {
                self.write(clock);
                self.read(rate);
            }
            ExprKind::Call(function, args) | ExprKind::ProcessCall(_, function, args) => {
                if let ExprKind::ProcessCall(process, ..) = &expr.kind {
                    process.args.iter().for_each(|arg| self.read(arg));
                }
                self.call(*function, args);
            }
            _ => self.operands(expr),
        }
    }

    fn operands(&mut self, expr: &'m Expr) {
        expr.operands(&mut |operand| self.read(operand));
    }

    fn write(&mut self, place: &'m Expr) {
        if let Some(root) = self.root(place) {
            self.uses.entry(root).or_default().is_written = true;
        }
        self.indices(place);
    }

    /// Reads what says which part of a variable is meant.
    fn indices(&mut self, place: &'m Expr) {
        match &place.kind {
            ExprKind::Index(of, index) => {
                self.indices(of);
                self.read(index);
            }
            ExprKind::Field(of, _) => self.indices(of),
            ExprKind::Conditional(condition, one, other) => {
                self.read(condition);
                self.write(one);
                self.write(other);
            }
            ExprKind::Assign(..) | ExprKind::AssignWith(..) | ExprKind::Step { .. } => self.perform(place),
            ExprKind::Member(process, _) | ExprKind::ParamMember(process, _) => {
                process.args.iter().for_each(|arg| self.read(arg));
            }
            _ => {}
        }
    }

    /// The variable that a place is part of.
    fn root(&self, place: &Expr) -> Option<Root> {
        match &place.kind {
            ExprKind::Var(VarRef::Global(id)) => Some(Root::Global(*id)),
            ExprKind::Var(VarRef::Local(id)) => Some(Root::Local(self.scope.template?, *id)),
            ExprKind::Var(VarRef::Param(id)) => Some(Root::Param(self.scope.template?, *id)),
            ExprKind::Var(VarRef::Slot(id)) => Some(Root::Slot(self.scope.function?, *id)),
            ExprKind::Index(of, _) | ExprKind::Field(of, _) => self.root(of),
            ExprKind::Assign(of, _) | ExprKind::AssignWith(_, of, _) => self.root(of),
            ExprKind::Step { place, .. } => self.root(place),
            ExprKind::Member(process, id) => Some(Root::Local(self.template_of(process)?, *id)),
            ExprKind::ParamMember(process, id) => Some(Root::Param(self.template_of(process)?, *id)),
            _ => None,
        }
    }

    fn template_of(&self, process: &zonewalk_model::tree::ProcessExpr) -> Option<TemplateId> {
        let set = self.model.process_sets.get(process.set.index())?;
        Some(set.template)
    }

    fn call(&mut self, function: FunctionId, args: &'m [Expr]) {
        self.function(function);
        let model = self.model;
        let of = &model.functions[function.index()];
        for (number, (param, arg)) in of.params.iter().zip(args).enumerate() {
            if !param.by_reference {
                self.read(arg);
                continue;
            }
            let summary = self.summaries[function.index()].as_ref();
            // What has no body may do anything.
            let everything = Use {
                is_read: true,
                is_asked_about: false,
                is_written: !param.is_const,
            };
            let used = summary.map_or(everything, |of| of[number]);
            if used.is_written {
                self.write(arg);
            }
            if used.is_read || used.is_asked_about {
                self.read(arg);
            } else {
                self.indices(arg);
            }
        }
    }

    /// Looks at the body of a function that is called. It calls only functions before it, so this ends.
    fn function(&mut self, id: FunctionId) {
        if mem::replace(&mut self.functions[id.index()], true) {
            return;
        }
        let model = self.model;
        let function = &model.functions[id.index()];
        let Some(body) = &function.body else { return };
        let place = mem::replace(
            &mut self.scope,
            Scope {
                template: function.template,
                function: Some(id),
            },
        );
        let own = mem::take(&mut self.own);
        let is_query = mem::replace(&mut self.is_query, false);
        body.expressions(&mut |expr, value| match value {
            ValueUse::Used => self.read(expr),
            ValueUse::Dropped => self.perform(expr),
        });
        self.is_query = is_query;
        self.own = own;
        self.scope = place;
        let of = |slot: usize| {
            let root = Root::Slot(id, SlotId::from_index(slot));
            self.uses.get(&root).copied().unwrap_or_default()
        };
        self.summaries[id.index()] = Some((0..function.params.len()).map(of).collect());
    }

    /// Transfers uses of reference parameters to their arguments.
    fn arguments(&mut self, is_live: &[bool]) {
        let model = self.model;
        for set in model
            .process_sets
            .iter()
            .filter(|set| is_live[set.template.index()])
        {
            self.scope = Scope::default();
            let template = &model.templates[set.template.index()];
            for (index, (param, arg)) in template.params.iter().zip(&set.args).enumerate() {
                if param.mode != ParamMode::Reference {
                    self.read(arg);
                    continue;
                }
                let root = Root::Param(set.template, ParamId::from_index(index));
                let used = self.uses.get(&root).copied().unwrap_or_default();
                if used.is_written {
                    self.write(arg);
                }
                if used.is_read {
                    self.read(arg);
                }
                if used.is_asked_about {
                    self.is_query = true;
                    self.read(arg);
                    self.is_query = false;
                }
                self.indices(arg);
            }
        }
    }
}

impl<'q> Walk<'q> {
    fn kind(&mut self, kind: &'q QueryKind) {
        match kind {
            QueryKind::Reachable(p)
            | QueryKind::Invariant(p)
            | QueryKind::PotentiallyAlways(p)
            | QueryKind::Inevitable(p) => self.read(p),
            QueryKind::LeadsTo(p, q) => {
                self.read(p);
                self.read(q);
            }
            QueryKind::Extremum { predicate, exprs, .. } => {
                predicate.iter().chain(exprs).for_each(|expr| self.read(expr));
            }
            QueryKind::Statistical(statistical) => self.statistical(statistical),
            QueryKind::Other(_) => {}
        }
    }

    fn statistical(&mut self, statistical: &'q Statistical) {
        let mut sampled = |of: &'q zonewalk_model::tree::statistical::Sampled| {
            self.bound(&of.bound);
            match &of.path {
                Path::Eventually(p) | Path::Always(p) => self.read(p),
                Path::Until(p, q) => {
                    self.read(p);
                    self.read(q);
                }
            }
        };
        match statistical {
            Statistical::Probability(of) | Statistical::Test { sampled: of, .. } => sampled(of),
            Statistical::Comparison(one, other) => {
                sampled(one);
                sampled(other);
            }
            Statistical::Expectation { bound, expr, .. } => {
                self.bound(bound);
                self.read(expr);
            }
            Statistical::Simulation { bound, exprs, filter } => {
                self.bound(bound);
                exprs.iter().for_each(|(expr, _)| self.read(expr));
                filter.iter().for_each(|filter| self.read(&filter.expr));
            }
            Statistical::Mitl(mitl) => self.mitl(mitl),
        }
    }

    fn bound(&mut self, bound: &'q RunBound) {
        if let BoundAxis::Clock(clock) = &bound.axis {
            self.read(clock);
        }
    }

    fn mitl(&mut self, mitl: &'q Mitl) {
        match mitl {
            Mitl::Atom(expr) => self.read(expr),
            Mitl::And(list) | Mitl::Or(list) => list.iter().for_each(|m| self.mitl(m)),
            Mitl::Next(m) | Mitl::Eventually(_, m) | Mitl::Always(_, m) => self.mitl(m),
            Mitl::Until(one, _, other) | Mitl::Release(one, _, other) => {
                self.mitl(one);
                self.mitl(other);
            }
        }
    }
}
