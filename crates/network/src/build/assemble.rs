//! The code of templates: locations and edges, once per variant.

use crate::build::instance_limit::Tally;
use crate::build::lower::{Activation, Builder, Data, Instances, Row, Slot, Unit, View};
use crate::code::cell::{Base, Cell};
use crate::error::{CompileError, Result};
use crate::expressions::visit;
use crate::network::{Edge, Location, Select, Sync};
use zonewalk_model::eval;
use zonewalk_model::ids::{EdgeId, SlotId};
use zonewalk_model::system::Value;
use zonewalk_model::tree::{self, Expr, ExprKind, Template, VarRef};
use zonewalk_syntax::span::Span;

/// A template's code before processes are linked to it.
pub(crate) struct Draft {
    pub(crate) locations: Vec<Location>,
    pub(crate) edges: Vec<EdgeDraft>,
}

/// An edge with its instances.
pub(crate) struct EdgeDraft {
    pub(crate) edge: Edge,
    /// By process, and then by the values of the expanded selects, the last varying fastest.
    pub(crate) rows: Vec<Row>,
    pub(crate) data: Data,
}

impl Builder<'_> {
    /// Makes the code of a variant. What cannot be compiled goes to `errors`.
    pub(crate) fn variant(
        &mut self,
        number: u32,
        instances: &mut Tally,
        errors: &mut Vec<CompileError>,
    ) -> Draft {
        let mut draft = Draft {
            locations: Vec::new(),
            edges: Vec::new(),
        };
        let model = self.model;
        let Some(template) = self
            .variants
            .get(number as usize)
            .and_then(|p| model.templates.get(p.template.index()))
        else {
            return draft;
        };
        for location in &template.locations {
            match self.location(number, template, location) {
                Ok(location) => draft.locations.push(location),
                Err(error) => errors.push(*error),
            }
        }
        for (id, edge) in template.edges.iter().enumerate() {
            match self.edge(number, template, EdgeId::from_index(id), edge, instances) {
                Ok(edge) => draft.edges.push(edge),
                Err(error) => errors.push(*error),
            }
        }
        draft
    }

    fn location(&mut self, variant: u32, template: &Template, location: &tree::Location) -> Result<Location> {
        let view = View::Variant(variant);
        let (mut invariant, mut rates) = (Vec::new(), Vec::new());
        if let Some(expr) = &location.invariant {
            let mut unit = Unit::new(self, view, Activation::new(template.slots), [expr])?;
            (invariant, rates) = unit.terms(expr)?.into_parts();
        }
        let mut exponential_rate = None;
        if let Some((first, second)) = &location.exponential_rate {
            let first = self.quantity(view, template, first)?;
            let second = second
                .as_ref()
                .map(|e| self.quantity(view, template, e))
                .transpose()?;
            exponential_rate = Some((first, second));
        }
        let (committed, urgent) = (location.committed, location.urgent);
        Ok(Location {
            invariant,
            rates,
            exponential_rate,
            committed,
            urgent,
        })
    }

    /// A number for stochastic walks. What code cannot express does not keep other engines from running the model.
    fn quantity(
        &mut self,
        view: View,
        template: &Template,
        expr: &Expr,
    ) -> Result<crate::code::constraint::Quantity> {
        let constant = self.real(view, expr);
        let exprs = if constant.is_some() { None } else { Some(expr) };
        match Unit::new(self, view, Activation::new(template.slots), exprs) {
            Ok(mut unit) => Ok(unit.quantity(expr, constant)),
            Err(error) => Ok(crate::code::constraint::Quantity::Unsupported(error.span)),
        }
    }

    /// The value of a constant that is not an integer, where all the processes agree.
    fn real(&self, view: View, expr: &Expr) -> Option<f64> {
        let scope = self.scope(view);
        let uniform = !visit::any(expr, &mut |e| match &e.kind {
            ExprKind::Var(VarRef::Local(_) | VarRef::Param(_)) => scope.value(e).is_none(),
            ExprKind::Call(..) => true,
            _ => false,
        });
        if !uniform {
            return None;
        }
        let process = scope.process?;
        let found = scope.system.processes.get(process.index())?;
        let variables = &scope.model.templates.get(found.template.index())?.variables;
        let place = eval::Scope {
            process,
            bindings: &found.bindings,
            variables,
        };
        match eval::constant(scope.model.into(), &scope.system.initial, Some(place), &[], expr) {
            Ok(Value::Double(real)) => Some(real),
            _ => None,
        }
    }

    fn edge(
        &mut self,
        variant: u32,
        template: &Template,
        id: EdgeId,
        edge: &tree::Edge,
        instances: &mut Tally,
    ) -> Result<EdgeDraft> {
        let view = View::Variant(variant);
        let (selects, rows, mut data) = self.selects(variant, edge, instances)?;

        let labels = edge.guard.iter().chain(edge.sync.as_ref().map(|s| &s.channel));
        let activation = self.activation(template, edge, &selects)?;
        let mut unit = Unit::new(self, view, activation, labels)?.for_instances(Instances {
            rows: &rows,
            data: &mut data,
        });
        let (mut guard, mut sync) = (Vec::new(), None);
        if let Some(expr) = &edge.guard {
            guard = unit.terms(expr)?.into_parts().0;
        }
        if let Some(label) = &edge.sync {
            let start = unit.here();
            let channel = unit.channel(&label.channel)?;
            sync = Some(Sync {
                direction: label.direction,
                setup: unit.setup(start),
                channel,
            });
        }

        let mut update = None;
        let mut selects = selects;
        if !edge.updates.is_empty() {
            let activation = self.activation(template, edge, &selects)?;
            let mut unit = Unit::new(self, view, activation, &edge.updates)?.for_instances(Instances {
                rows: &rows,
                data: &mut data,
            });
            for (select, binder) in selects.iter_mut().zip(&edge.selects).filter(|(s, _)| !s.expanded) {
                select.cell = unit.alloc(1, edge.span)?;
                unit.meaning(binder.slot, select.cell, &binder.ty, edge.span)?;
            }
            let entry = unit.here();
            for expr in &edge.updates {
                unit.statement_of_update(expr)?;
            }
            unit.halt(0);
            update = Some(entry);
        }

        let mut branch = None;
        if let Some(b) = &edge.branch {
            let weight = b
                .weight
                .as_ref()
                .map(|w| self.quantity(view, template, w))
                .transpose()?;
            branch = Some((b.group, weight));
        }
        let edge = Edge {
            id,
            source: edge.source,
            target: edge.target,
            guard,
            sync,
            update,
            selects,
            branch,
            controllable: edge.controllable,
        };
        Ok(EdgeDraft { edge, rows, data })
    }

    /// The selects of an edge, and an instance for each process and each combination of the expanded ones.
    fn selects(
        &mut self,
        variant: u32,
        edge: &tree::Edge,
        instances: &mut Tally,
    ) -> Result<(Vec<Select>, Vec<Row>, Data)> {
        let scope = self.scope(View::Variant(variant));
        let variant = self.variants.get(variant as usize);
        let processes = variant.map_or(0, |p| p.processes.len());
        let mut selects = Vec::new();
        let mut expanded = Vec::new();
        for binder in &edge.selects {
            let range = scope
                .range(&binder.ty)
                .ok_or_else(|| CompileError::internal(edge.span, "a selection from a type without values"))?;
            let needed = |e: &Expr| mentions(e, binder.slot);
            let expand = edge.guard.as_ref().is_some_and(needed)
                || edge.sync.as_ref().is_some_and(|s| needed(&s.channel))
                // An empty range leaves no edge, whatever needs the value.
                || range.lo > range.hi;
            let cell = Cell::new(Base::Instance, expanded.len() as u32);
            if expand {
                expanded.push(range);
            }
            let (lo, hi, name) = (range.lo, range.hi, binder.name.clone());
            selects.push(Select {
                name,
                cell,
                lo,
                hi,
                expanded: expand,
            });
        }
        let mut count = processes as u64;
        for range in &expanded {
            let values = (i64::from(range.hi) - i64::from(range.lo) + 1).max(0) as u64;
            count = count.saturating_mul(values);
        }
        let count = instances.count(count, edge.span)?;
        let per_process = if processes == 0 {
            0
        } else {
            count / processes as u64
        };
        let mut rows = Vec::with_capacity(count as usize);
        let mut columns = vec![Vec::with_capacity(count as usize); expanded.len()];
        for process in 0..processes as u32 {
            for number in 0..per_process {
                rows.push(Row { process });
                let mut rest = number;
                for (range, column) in expanded.iter().zip(&mut columns).rev() {
                    let values = (i64::from(range.hi) - i64::from(range.lo) + 1) as u64;
                    column.push((i64::from(range.lo) + (rest % values) as i64) as i32);
                    rest /= values;
                }
            }
        }
        let data = Data::with_columns(rows.len(), columns);
        Ok((selects, rows, data))
    }

    fn activation(
        &mut self,
        template: &Template,
        edge: &tree::Edge,
        selects: &[Select],
    ) -> Result<Activation> {
        let mut activation = Activation::new(template.slots);
        for (binder, select) in edge.selects.iter().zip(selects).filter(|(_, s)| s.expanded) {
            let range = crate::code::instr::Range {
                lo: select.lo,
                hi: select.hi,
            };
            let ty = self
                .types
                .intern(crate::build::types::Kind::Int(range), edge.span)?;
            activation.set(
                binder.slot,
                Slot::Cells {
                    cell: select.cell,
                    ty,
                    range,
                    constant: true,
                },
            );
        }
        Ok(activation)
    }
}

impl Unit<'_, '_> {
    /// Gives a slot its cell.
    fn meaning(
        &mut self,
        slot: SlotId,
        cell: Cell,
        ty: &zonewalk_model::types::Type,
        span: Span,
    ) -> Result<()> {
        let ty = self.resolve(ty, false, span)?;
        let range = self
            .builder
            .types
            .range(ty)
            .unwrap_or(crate::code::instr::Range::ALL);
        self.activation().set(
            slot,
            Slot::Cells {
                cell,
                ty,
                range,
                constant: true,
            },
        );
        Ok(())
    }
}

/// Whether an expression names a slot.
fn mentions(expr: &Expr, slot: SlotId) -> bool {
    visit::any(
        expr,
        &mut |e| matches!(e.kind, ExprKind::Var(VarRef::Slot(s)) if s == slot),
    )
}
