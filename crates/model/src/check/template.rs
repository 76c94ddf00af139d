//! Templates: parameters, locations, edges.

use super::scope::Symbol;
use super::{Checker, TemplateContext};
use crate::ids::{LocalId, LocationId, ParamId, TemplateId};
use crate::tree::{
    Binder, Branch, Direction, Drawing, Edge, Expr, ExprKind, Feature, Location, Param, ParamMode, Sync,
    Template, VarRef, Variable,
};
use crate::types::{Condition, Type};
use rustc_hash::FxHashMap;
use zonewalk_syntax::ast::{self, Ident, Name};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

/// An edge up to its target: everything that happens before a branch is chosen.
struct Stem {
    source: LocationId,
    selects: Vec<Binder>,
    guard: Option<Expr>,
    sync: Option<Sync>,
    updates: Vec<Expr>,
}

impl Checker<'_> {
    /// Makes the names of the templates known.
    pub(super) fn declare_templates(&mut self, templates: &[ast::Template]) {
        for (index, template) in templates.iter().enumerate() {
            let id = TemplateId::from_index(index);
            let name = &template.name;
            // `dynamic P();` announced it.
            if let Some(Symbol::DynamicTemplate(TemplateId(u32::MAX))) =
                self.scopes.lookup_here(&name.name).map(|d| &d.symbol)
            {
                self.scopes.replace(name, Symbol::DynamicTemplate(id));
            } else {
                let instance = self.instances.len();
                self.declare(name, Symbol::Instance(instance));
            }
            self.instances
                .push(super::system::Instance::of_template(id, name.clone()));
        }
    }

    pub(super) fn template(&mut self, index: usize, template: &ast::Template) {
        let id = TemplateId::from_index(index);
        let is_dynamic = matches!(
            self.scopes.lookup(&template.name.name).map(|d| &d.symbol),
            Some(Symbol::DynamicTemplate(_))
        );
        self.template = Some(TemplateContext {
            id,
            params: Vec::new(),
            variables: Vec::new(),
            restricted: Vec::new(),
            const_refs: Vec::new(),
            is_dynamic,
        });
        self.slots.clear();
        self.max_slots = 0;
        self.scopes.push();
        self.template_params(&template.params);
        self.template_declarations(&template.decls);

        let mut places: FxHashMap<Name, LocationId> = FxHashMap::default();
        for (number, location) in template.locations.iter().enumerate() {
            let id = LocationId::from_index(number);
            self.declare(&location.name, Symbol::Location);
            places.insert(location.name.name.clone(), id);
        }
        let branchpoints: FxHashMap<Name, usize> = template
            .branchpoints
            .iter()
            .enumerate()
            .map(|(i, b)| (b.name.name.clone(), i))
            .collect();
        if let Some(first) = template.branchpoints.first() {
            self.feature(Feature::Branchpoints, first.name.span);
        }
        let initial = self.initial_location(template, &places);
        let mut locations: Vec<Location> = template.locations.iter().map(|l| self.location(l)).collect();
        if locations.is_empty() {
            locations.push(only_location(template.name.span));
        }
        let edges = self.edges(template, &places, &branchpoints);
        self.scopes.pop();

        let slots = self.max_slots;
        let Some(context) = self.template.take() else {
            return;
        };
        self.instances[index].complete(&context.params, &context.const_refs, &context.restricted);
        self.templates.to_mut().push(Template {
            name: template.name.name.clone(),
            params: context.params,
            variables: context.variables,
            locations,
            initial,
            edges,
            slots,
            is_dynamic,
            span: template.name.span,
        });
    }

    fn template_params(&mut self, params: &[ast::Param]) {
        for (number, param) in params.iter().enumerate() {
            let ty = self.param_type(param);
            let is_const = self.prefix(&param.ty).is_const;
            let mode = match (param.by_reference, is_const) {
                (true, _) => ParamMode::Reference,
                (false, true) => ParamMode::Const,
                (false, false) => ParamMode::Value,
            };
            let id = ParamId::from_index(number);
            let Some(context) = &mut self.template else { return };
            let var = if mode == ParamMode::Value {
                let local = LocalId::from_index(context.variables.len());
                context.variables.push(Variable {
                    name: param.name.name.clone(),
                    ty: ty.clone(),
                    is_const: false,
                    is_meta: false,
                    init: None,
                    from_param: Some(id),
                    span: param.name.span,
                });
                VarRef::Local(local)
            } else {
                VarRef::Param(id)
            };
            context.params.push(Param {
                name: param.name.name.clone(),
                ty: ty.clone(),
                mode,
                span: param.name.span,
            });
            context.restricted.push(false);
            context.const_refs.push(is_const);
            self.declare(&param.name, Symbol::Variable { var, ty });
        }
    }

    fn initial_location(
        &mut self,
        template: &ast::Template,
        places: &FxHashMap<Name, LocationId>,
    ) -> LocationId {
        let Some(initial) = &template.initial else {
            // `process P() {}` is legal: a process that does nothing.
            if template.is_textual && template.locations.is_empty() && template.edges.is_empty() {
                return LocationId(0);
            }
            let message = format!("the template `{}` has no initial location", template.name.name);
            self.report(
                Diagnostic::error("initial-location", template.name.span, message)
                    .help("mark one as initial"),
            );
            return LocationId(0);
        };
        match places.get(&initial.name) {
            Some(id) => *id,
            None => {
                self.unknown_location(initial, places);
                LocationId(0)
            }
        }
    }

    fn unknown_location(&mut self, name: &Ident, places: &FxHashMap<Name, LocationId>) {
        let mut names: Vec<&Name> = places.keys().collect();
        names.sort();
        let similar = super::scope::closest(&name.name, names.into_iter().map(|n| &**n));
        let message = format!("the template has no location `{}`", name.name);
        let mut diagnostic = Diagnostic::error("unknown-name", name.span, message);
        if let Some(similar) = similar {
            diagnostic = diagnostic.help(format!("did you mean `{similar}`?"));
        }
        self.report(diagnostic);
    }

    fn location(&mut self, location: &ast::Location) -> Location {
        self.slots.clear();
        let invariant = location.invariant.as_ref().map(|e| self.expression(e));
        if let Some(invariant) = &invariant
            && self.require_invariant(invariant)
            && self.has_effects(invariant)
        {
            self.error(
                "side-effect",
                invariant.span,
                "an invariant must not change variables",
            );
        }
        let exponential_rate = location.rate.as_ref().map(|(first, second)| {
            let rate = (
                self.expression(first),
                second.as_ref().map(|e| self.expression(e)),
            );
            self.feature(Feature::ExponentialRates, rate.0.span);
            if !rate.0.ty.is_integral() && !matches!(rate.0.ty, Type::Double) {
                self.type_error(&rate.0, "a number");
            }
            rate
        });
        if location.committed && location.urgent {
            self.error(
                "location",
                location.name.span,
                "a location is either committed or urgent, not both",
            );
        }
        if location.committed {
            self.feature(Feature::CommittedLocations, location.name.span);
        }
        if location.urgent {
            self.feature(Feature::UrgentLocations, location.name.span);
        }
        Location {
            name: location.name.name.clone(),
            is_named: location.is_named,
            invariant,
            exponential_rate,
            committed: location.committed,
            urgent: location.urgent,
            drawing: location.drawing.clone(),
            span: location.span,
        }
    }

    /// An invariant: bounds and rates (`semantics.md` 16c).
    fn require_invariant(&mut self, invariant: &Expr) -> bool {
        if matches!(invariant.ty, Type::Error) {
            return false;
        }
        let good = self.require_condition(invariant, Condition::InvariantWithRates, "an invariant");
        if good {
            let mut look = BoundsLook::default();
            look.expr(invariant);
            if look.strict_upper {
                self.warn(
                    "strict-invariant",
                    invariant.span,
                    "a strict upper bound: time stops just before it",
                );
            }
            if look.lower {
                self.feature(Feature::LowerBoundInvariants, invariant.span);
            }
        }
        good
    }

    // ------------------------------------------------------------ edges

    fn edges(
        &mut self,
        template: &ast::Template,
        places: &FxHashMap<Name, LocationId>,
        branchpoints: &FxHashMap<Name, usize>,
    ) -> Vec<Edge> {
        let mut edges = Vec::new();
        // Edges into each branchpoint; the branches are joined to them at the end.
        let mut stems: Vec<Vec<(u32, Stem, &ast::Edge)>> =
            (0..branchpoints.len()).map(|_| Vec::new()).collect();
        let mut branches: Vec<&ast::Edge> = Vec::new();
        for (number, edge) in template.edges.iter().enumerate() {
            if branchpoints.contains_key(&edge.source.name) {
                branches.push(edge);
                continue;
            }
            let Some(&source) = places.get(&edge.source.name) else {
                self.unknown_location(&edge.source, places);
                continue;
            };
            self.slots.clear();
            self.scopes.push();
            let stem = self.stem(source, edge);
            if let Some(&target) = branchpoints.get(&edge.target.name) {
                stems[target].push((number as u32, stem, edge));
                self.scopes.pop();
                continue;
            }
            self.scopes.pop();
            let Some(&target) = places.get(&edge.target.name) else {
                self.unknown_location(&edge.target, places);
                continue;
            };
            edges.push(finished(stem, target, edge, None));
        }
        for branch in branches {
            self.branch(branch, places, branchpoints, &stems, &mut edges);
        }
        edges
    }

    /// An edge out of a branchpoint joins every edge into it. Names selected there are visible in its update.
    fn branch(
        &mut self,
        branch: &ast::Edge,
        places: &FxHashMap<Name, LocationId>,
        branchpoints: &FxHashMap<Name, usize>,
        stems: &[Vec<(u32, Stem, &ast::Edge)>],
        edges: &mut Vec<Edge>,
    ) {
        let Some(&target) = places.get(&branch.target.name) else {
            if branchpoints.contains_key(&branch.target.name) {
                self.error(
                    "branchpoint",
                    branch.target.span,
                    "a branch must lead to a location",
                );
            } else {
                self.unknown_location(&branch.target, places);
            }
            return;
        };
        if branch.guard.is_some() || branch.sync.is_some() {
            self.feature(Feature::BranchConditions, branch.span);
            let message = "a guard or synchronisation behind a branchpoint: no engine runs such a model";
            self.warn("branchpoint", branch.span, message);
        }
        for (group, stem, edge) in &stems[branchpoints[&branch.source.name]] {
            self.slots.clear();
            self.scopes.push();
            for (select, binder) in edge.selects.iter().zip(&stem.selects) {
                self.new_slot(true, false);
                let symbol = Symbol::Variable {
                    var: VarRef::Slot(binder.slot),
                    ty: binder.ty.clone(),
                };
                self.scopes.replace(&select.name, symbol);
            }
            let mut selects = stem.selects.clone();
            selects.extend(self.edge_selects(&branch.selects));
            if let Some(guard) = &branch.guard {
                self.expression(guard);
            }
            if let Some(sync) = &branch.sync {
                self.sync(sync, None);
            }
            let weight = branch.weight.as_ref().map(|e| self.weight(e));
            let mut updates = stem.updates.clone();
            updates.extend(branch.updates.iter().map(|e| self.update(e)));
            self.scopes.pop();
            let stem = Stem {
                source: stem.source,
                selects,
                guard: stem.guard.clone(),
                sync: stem.sync.clone(),
                updates,
            };
            edges.push(finished(
                stem,
                target,
                edge,
                Some(Branch {
                    group: *group,
                    weight,
                }),
            ));
        }
    }

    fn weight(&mut self, weight: &ast::Expr) -> Expr {
        let typed = self.expression(weight);
        if !typed.ty.is_integral() && !matches!(typed.ty, Type::Double) {
            self.type_error(&typed, "a number as weight");
        } else if self.has_effects(&typed) {
            self.error("side-effect", typed.span, "a weight must not change variables");
        }
        typed
    }

    /// Everything of an edge but its target, in the scope that is open.
    fn stem(&mut self, source: LocationId, edge: &ast::Edge) -> Stem {
        let selects = self.edge_selects(&edge.selects);
        let guard = edge.guard.as_ref().map(|e| self.expression(e));
        if let Some(guard) = &guard
            && !matches!(guard.ty, Type::Error)
            && self.require_condition(guard, Condition::Guard, "a guard")
            && self.has_effects(guard)
        {
            let mut diagnostic =
                Diagnostic::error("side-effect", guard.span, "a guard must not change variables");
            if matches!(guard.kind, ExprKind::Assign(..)) {
                diagnostic = diagnostic.help("`=` assigns; use `==` to compare");
            }
            self.report(diagnostic);
        }
        let sync = edge
            .sync
            .as_ref()
            .and_then(|sync| self.sync(sync, guard.as_ref()));
        let updates = edge.updates.iter().map(|e| self.update(e)).collect();
        if let Some(weight) = &edge.weight {
            self.weight(weight);
        }
        if !edge.controllable {
            self.feature(Feature::UncontrollableEdges, edge.span);
        }
        Stem {
            source,
            selects,
            guard,
            sync,
            updates,
        }
    }

    fn edge_selects(&mut self, selects: &[ast::Select]) -> Vec<Binder> {
        let mut binders = Vec::new();
        for select in selects {
            self.feature(Feature::Selects, select.name.span);
            let ty = self.enumerated_type(&select.ty, "selection");
            if let Type::Range(range) = &ty {
                let range = range.clone();
                self.restrict(&range.lo);
                self.restrict(&range.hi);
            }
            if let Some(outer) = self.scopes.lookup(&select.name.name) {
                let span = outer.span;
                let message = format!("the selection `{}` hides another declaration", select.name.name);
                let diagnostic = Diagnostic::warning("shadow", select.name.span, message);
                self.report(diagnostic.related(span, "the declaration that is hidden"));
            }
            let slot = self.new_slot(true, false);
            self.scopes.replace(
                &select.name,
                Symbol::Variable {
                    var: VarRef::Slot(slot),
                    ty: ty.clone(),
                },
            );
            binders.push(Binder {
                slot,
                name: select.name.name.clone(),
                ty,
            });
        }
        binders
    }

    fn sync(&mut self, sync: &ast::Sync, guard: Option<&Expr>) -> Option<Sync> {
        let channel = self.expression(&sync.channel);
        let is_csp = sync.direction.is_none();
        match self.csp {
            None => self.csp = Some((is_csp, sync.span)),
            Some((first, place)) if first != is_csp => {
                let message = "channels with and without `!` or `?` cannot be mixed";
                self.report(
                    Diagnostic::error("sync", sync.span, message).related(place, "the other kind is here"),
                );
                return None;
            }
            _ => {}
        }
        let chan = match &channel.ty {
            Type::Error => return None,
            Type::Chan(chan) => *chan,
            _ => {
                self.type_error(&channel, "a channel");
                return None;
            }
        };
        if self.has_effects(&channel) {
            self.error(
                "side-effect",
                channel.span,
                "a synchronisation must not change variables",
            );
            return None;
        }
        let Some(direction) = sync.direction else {
            self.feature(Feature::CspSynchronisation, sync.span);
            self.warn(
                "csp",
                sync.span,
                "a channel without `!` or `?` (CSP style): no engine runs such a model",
            );
            return None;
        };
        if let Some(guard) = guard.filter(|g| matches!(g.ty, Type::Condition(_))) {
            if chan.urgent {
                self.feature(Feature::ClockGuardsOnUrgent, guard.span);
                let mut look = BoundsLook::default();
                look.expr(guard);
                if look.strict_lower {
                    self.warn(
                        "urgent-strict",
                        guard.span,
                        "a strict lower bound on an urgent edge: there is no first instant to take it",
                    );
                }
            }
            if chan.broadcast && direction == Direction::Receive {
                self.feature(Feature::ClockGuardsOnReceivers, guard.span);
            }
        }
        Some(Sync {
            channel,
            direction,
            span: sync.span,
        })
    }
}

/// The one location of a template without any.
fn only_location(span: Span) -> Location {
    Location {
        name: Name::from("_"),
        is_named: false,
        invariant: None,
        exponential_rate: None,
        committed: false,
        urgent: false,
        drawing: Drawing::default(),
        span,
    }
}

fn finished(stem: Stem, target: LocationId, edge: &ast::Edge, branch: Option<Branch>) -> Edge {
    Edge {
        source: stem.source,
        target,
        selects: stem.selects,
        guard: stem.guard,
        sync: stem.sync,
        updates: stem.updates,
        branch,
        controllable: edge.controllable,
        span: edge.span,
        drawing: edge.drawing.clone(),
    }
}

/// Which kinds of clock bounds a condition has.
#[derive(Default)]
struct BoundsLook {
    strict_upper: bool,
    strict_lower: bool,
    lower: bool,
}

impl BoundsLook {
    fn expr(&mut self, expr: &Expr) {
        use ast::BinaryOp as B;
        if let ExprKind::CompareClocks(op, a, b) = &expr.kind {
            let left = matches!(a.ty, Type::Clock { .. } | Type::Difference);
            let right = matches!(b.ty, Type::Clock { .. } | Type::Difference);
            // `x < 5` and `5 > x` bound from above.
            let upper = if left && !right {
                matches!(op, B::Less | B::LessEqual)
            } else {
                matches!(op, B::Greater | B::GreaterEqual)
            };
            let strict = matches!(op, B::Less | B::Greater);
            if left != right {
                self.strict_upper |= upper && strict;
                self.strict_lower |= !upper && strict;
                self.lower |= !upper;
            }
        }
        super::effects::operands(expr, &mut |e| self.expr(e));
    }
}
