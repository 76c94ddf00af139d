//! Edges and branches.

use super::scope::Symbol;
use super::{Rules, TypeChecker};
use crate::ids::LocationId;
use crate::tree::{Binder, Branch, Direction, Edge, Expr, ExprKind, Feature, Sync, VarRef};
use crate::types::{Condition, Type};
use rustc_hash::FxHashMap;
use zonewalk_syntax::ast::{self, Name};
use zonewalk_syntax::diagnostic::Diagnostic;

/// An edge up to its target: everything that happens before a branch is chosen.
struct EdgePrefix {
    source: LocationId,
    selects: Vec<Binder>,
    guard: Option<Expr>,
    sync: Option<Sync>,
    updates: Vec<Expr>,
}

impl TypeChecker<'_> {
    pub(super) fn edges(
        &mut self,
        template: &ast::Template,
        places: &FxHashMap<Name, LocationId>,
        branchpoints: &FxHashMap<Name, usize>,
    ) -> Vec<Edge> {
        let mut edges = Vec::new();
        // Edges into each branchpoint; the branches are joined to them at the end.
        let mut stems: Vec<Vec<(u32, EdgePrefix, &ast::Edge)>> =
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

    /// An edge out of a branchpoint joins every edge into it. Names selected there are visible in its labels. Its guard must hold
    /// with that of the edge into the branchpoint, before any update; one of the two may synchronise.
    fn branch(
        &mut self,
        branch: &ast::Edge,
        places: &FxHashMap<Name, LocationId>,
        branchpoints: &FxHashMap<Name, usize>,
        stems: &[Vec<(u32, EdgePrefix, &ast::Edge)>],
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
            let guard = conjunction(stem.guard.clone(), self.guard(branch));
            let sync = match (&branch.sync, &stem.sync) {
                (None, sync) => sync.clone(),
                (Some(sync), None) => self.sync(sync, guard.as_ref()),
                (Some(own), Some(other)) => {
                    self.feature(Feature::BranchConditions, own.span);
                    let message = "the edge into the branchpoint synchronises, too: no engine supports both";
                    let warning = Diagnostic::warning("branchpoint", own.span, message);
                    self.report(warning.related(other.span, "the other synchronisation"));
                    self.sync(own, guard.as_ref())
                }
            };
            let weight = branch.weight.as_ref().map(|e| self.weight(e));
            let mut updates = stem.updates.clone();
            updates.extend(branch.updates.iter().map(|e| self.update(e)));
            self.scopes.pop();
            let stem = EdgePrefix {
                source: stem.source,
                selects,
                guard,
                sync,
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
        } else {
            self.require_pure(&typed, "a weight");
        }
        typed
    }

    /// Checks everything of an edge but its target, in the open scope.
    fn stem(&mut self, source: LocationId, edge: &ast::Edge) -> EdgePrefix {
        let selects = self.edge_selects(&edge.selects);
        let guard = self.guard(edge);
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
        EdgePrefix {
            source,
            selects,
            guard,
            sync,
            updates,
        }
    }

    fn guard(&mut self, edge: &ast::Edge) -> Option<Expr> {
        let guard = self.pure_condition(edge.guard.as_ref()?, "a guard", Some("=="));
        if !matches!(guard.ty, Type::Error) && self.require_condition(&guard, self.guard_form(), "a guard") {
            self.require_pure(&guard, "a guard");
        }
        Some(guard)
    }

    /// The widest form that a guard may have.
    fn guard_form(&self) -> Condition {
        match self.rules {
            Rules::Network => Condition::Guard,
            Rules::Components => Condition::Constraint,
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
                self.report(diagnostic.related(span, "the hidden declaration"));
            }
            let slot = self.new_slot(true, false);
            binders.push(self.bind_select(&select.name, slot, ty));
        }
        binders
    }

    fn sync(&mut self, sync: &ast::Sync, guard: Option<&Expr>) -> Option<Sync> {
        let channel = self.expression(&sync.channel);
        let is_csp = sync.direction == Direction::Together;
        match self.csp {
            None => self.csp = Some((is_csp, sync.span)),
            Some((first, place)) if first != is_csp && self.rules == Rules::Network => {
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
        if !self.require_pure(&channel, "a synchronisation") {
            return None;
        }
        let direction = sync.direction;
        if direction == Direction::Together && self.rules == Rules::Network {
            if chan.broadcast {
                // A broadcast has a sender that nothing can block; partners of equal rank are something else.
                let message = "a broadcast channel needs `!` or `?`";
                let help = "without them a label waits for every process that has the channel on an edge";
                self.report(Diagnostic::error("sync", sync.span, message).help(help));
                return None;
            }
            self.feature(Feature::CspSynchronisation, sync.span);
        }
        if let Some(guard) = guard.filter(|g| matches!(g.ty, Type::Condition(_))) {
            if chan.urgent {
                self.feature(Feature::ClockGuardsOnUrgent, guard.span);
                let mut look = BoundKinds::default();
                look.expr(guard);
                if look.strict_lower {
                    self.warn(
                        "urgent-strict",
                        guard.span,
                        "a strict lower bound on an urgent edge: there is no first instant at which it can be taken",
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

/// Both guards, as far as they are given.
fn conjunction(first: Option<Expr>, second: Option<Expr>) -> Option<Expr> {
    let (first, second) = match (first, second) {
        (Some(first), Some(second)) => (first, second),
        (one, other) => return one.or(other),
    };
    let wider = |a: &Type, b: &Type| match (a, b) {
        (Type::Error, _) | (_, Type::Error) => Type::Error,
        (Type::Condition(a), Type::Condition(b)) => Type::Condition(*a.max(b)),
        (Type::Condition(_), _) => a.clone(),
        (_, Type::Condition(_)) => b.clone(),
        _ => Type::Bool,
    };
    Some(Expr {
        span: second.span,
        ty: wider(&first.ty, &second.ty),
        kind: ExprKind::And(vec![first, second]),
    })
}

fn finished(stem: EdgePrefix, target: LocationId, edge: &ast::Edge, branch: Option<Branch>) -> Edge {
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
pub(super) struct BoundKinds {
    pub(super) strict_upper: bool,
    pub(super) strict_lower: bool,
    pub(super) lower: bool,
}

impl BoundKinds {
    pub(super) fn expr(&mut self, expr: &Expr) {
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
        expr.operands(&mut |e| self.expr(e));
    }
}
