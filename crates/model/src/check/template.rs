//! Templates: parameters, locations, edges.

use super::compatibility::is_condition;
use super::edge::BoundKinds;
use super::scope::Symbol;
use super::{Rules, TemplateContext, TypeChecker};
use crate::ids::{LocalId, LocationId, ParamId, TemplateId};
use crate::tree::{Drawing, Expr, Feature, Location, Param, ParamMode, Template, VarRef, Variable};
use crate::types::{Condition, Type};
use rustc_hash::FxHashMap;
use zonewalk_syntax::ast::{self, Ident, Name};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

impl TypeChecker<'_> {
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
            assigned: Vec::new(),
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
        let mut assigned = context.assigned;
        assigned.resize(context.variables.len(), false);
        self.templates.to_mut().push(Template {
            name: template.name.name.clone(),
            params: context.params,
            assigned,
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

    pub(super) fn unknown_location(&mut self, name: &Ident, places: &FxHashMap<Name, LocationId>) {
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
        let invariant = location
            .invariant
            .as_ref()
            .map(|e| self.pure_condition(e, "an invariant", None));
        if let Some(invariant) = &invariant
            && self.require_invariant(invariant)
        {
            self.require_pure(invariant, "an invariant");
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
        if self.rules == Rules::Components {
            // Any combination; a rate is a matter for the engines.
            return is_condition(&invariant.ty, Condition::InvariantWithRates)
                || self.require_condition(invariant, Condition::Constraint, "an invariant");
        }
        let good = self.require_condition(invariant, Condition::InvariantWithRates, "an invariant");
        if good {
            let mut look = BoundKinds::default();
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
