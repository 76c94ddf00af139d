//! Compiles the expression of a query to a tree of leaves.

use crate::build::lower::{Slot, Unit};
use crate::code::sets::SetId;
use crate::error::{CompileError, Result};
use crate::expressions::visit;
use crate::network::predicate::{Node, NodeId};
use zonewalk_model::tree::{Binder, Expr, ExprKind};

/// Nodes that writing out quantifiers may make.
const MAX_NODES: usize = 1 << 20;
/// A quantifier over data and locations with more leaves than this stays a loop in code: beyond that, writing it out takes
/// longer than many a search.
const MAX_LEAVES: usize = 1 << 17;

/// A set that is filled in later.
const LATER: SetId = SetId(0);

/// Makes the nodes of a predicate.
pub(super) struct PredicateCompiler<'m, 'b, 'a> {
    unit: &'m mut Unit<'b, 'a>,
    nodes: Vec<Node>,
}

impl<'m, 'b, 'a> PredicateCompiler<'m, 'b, 'a> {
    pub(super) fn new(unit: &'m mut Unit<'b, 'a>) -> Self {
        PredicateCompiler {
            unit,
            nodes: Vec::new(),
        }
    }

    /// The nodes, and which is the whole.
    pub(super) fn predicate(mut self, expr: &Expr) -> Result<(Vec<Node>, NodeId)> {
        let root = self.node(expr)?;
        let mut kept = Vec::new();
        let mut numbers = vec![None; self.nodes.len()];
        let root = self.keep(root, &mut kept, &mut numbers);
        Ok((kept, root))
    }

    /// Copies what is still in use, children first.
    fn keep(&self, id: NodeId, kept: &mut Vec<Node>, numbers: &mut [Option<NodeId>]) -> NodeId {
        if let Some(number) = numbers[id.0 as usize] {
            return number;
        }
        let mut all = |parts: &[NodeId]| -> Vec<NodeId> {
            parts.iter().map(|&p| self.keep(p, kept, numbers)).collect()
        };
        let node = match &self.nodes[id.0 as usize] {
            Node::And(parts) => Node::And(all(parts)),
            Node::Or(parts) => Node::Or(all(parts)),
            Node::Not(part) => Node::Not(all(&[*part])[0]),
            leaf => leaf.clone(),
        };
        kept.push(node);
        let number = NodeId(kept.len() as u32 - 1);
        numbers[id.0 as usize] = Some(number);
        number
    }

    fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() as u32 - 1)
    }

    fn constant(&self, id: NodeId) -> Option<bool> {
        match self.nodes[id.0 as usize] {
            Node::Constant(truth) => Some(truth),
            _ => None,
        }
    }

    fn node(&mut self, expr: &Expr) -> Result<NodeId> {
        if self.nodes.len() > MAX_NODES {
            let message = format!(
                "the quantifiers have too many values: expanded, as clocks and `deadlock` require, they \
                 give more than {MAX_NODES} conditions"
            );
            return Err(CompileError::too_large(expr.span, message));
        }
        if let Some(value) = self.unit.scope().fold(expr) {
            return Ok(self.add(Node::Constant(value != 0)));
        }
        match &expr.kind {
            ExprKind::And(parts) => {
                let parts = parts.iter().map(|p| self.node(p)).collect::<Result<_>>()?;
                Ok(self.join(parts, true))
            }
            ExprKind::Or(parts) => {
                let parts = parts.iter().map(|p| self.node(p)).collect::<Result<_>>()?;
                Ok(self.join(parts, false))
            }
            ExprKind::Not(a) => {
                let inner = self.node(a)?;
                Ok(self.not(inner))
            }
            ExprKind::Imply(a, b) => {
                let condition = self.node(a)?;
                let parts = vec![self.not(condition), self.node(b)?];
                Ok(self.join(parts, false))
            }
            ExprKind::Xor(a, b) if !is_data(a) || !is_data(b) => {
                let (first, second) = (self.node(a)?, self.node(b)?);
                let (not_first, not_second) = (self.not(first), self.not(second));
                let parts = vec![
                    self.join(vec![first, not_second], true),
                    self.join(vec![not_first, second], true),
                ];
                Ok(self.join(parts, false))
            }
            ExprKind::Conditional(c, a, b) if !is_data(expr) => {
                let (condition, first, second) = (self.node(c)?, self.node(a)?, self.node(b)?);
                let otherwise = self.not(condition);
                let parts = vec![
                    self.join(vec![condition, first], true),
                    self.join(vec![otherwise, second], true),
                ];
                Ok(self.join(parts, false))
            }
            ExprKind::Forall(binder, body) => self.quantifier(expr, binder, body, true),
            ExprKind::Exists(binder, body) => self.quantifier(expr, binder, body, false),
            ExprKind::AtLocation(process, location) => match self.unit.known_process(process, expr.span)? {
                Some(process) => Ok(self.add(Node::At {
                    process,
                    location: *location,
                })),
                None => self.data(expr),
            },
            ExprKind::CompareClocks(op, a, b) => {
                let (start, frame) = (self.unit.here(), self.unit.mark());
                let mut bound = self.unit.clock_bound(*op, a, b, expr.span)?;
                bound.setup = self.unit.setup(start);
                self.unit.release(frame);
                Ok(self.add(Node::Clock {
                    bound,
                    reads: LATER,
                    clocks: LATER,
                }))
            }
            ExprKind::Deadlock => Ok(self.add(Node::Deadlock)),
            _ => self.data(expr),
        }
    }

    fn not(&mut self, id: NodeId) -> NodeId {
        match self.nodes[id.0 as usize] {
            Node::Constant(truth) => self.add(Node::Constant(!truth)),
            Node::Not(inner) => inner,
            _ => self.add(Node::Not(id)),
        }
    }

    /// A conjunction or disjunction without what does not matter. What comes before a part that decides everything
    /// stays: evaluating it may fail.
    fn join(&mut self, parts: Vec<NodeId>, conjunction: bool) -> NodeId {
        let mut kept = Vec::new();
        for part in parts {
            match (self.constant(part), &self.nodes[part.0 as usize]) {
                (Some(truth), _) if truth == conjunction => {}
                (Some(_), _) => {
                    kept.push(part);
                    break;
                }
                (None, Node::And(inner)) if conjunction => kept.extend_from_slice(inner),
                (None, Node::Or(inner)) if !conjunction => kept.extend_from_slice(inner),
                _ => kept.push(part),
            }
        }
        match kept.as_slice() {
            [] => self.add(Node::Constant(conjunction)),
            [single] => *single,
            _ if conjunction => self.add(Node::And(kept)),
            _ => self.add(Node::Or(kept)),
        }
    }

    /// A quantifier, written out unless it is large and about data and locations alone.
    fn quantifier(&mut self, expr: &Expr, binder: &Binder, body: &Expr, conjunction: bool) -> Result<NodeId> {
        let range = self.unit.scope().range(&binder.ty);
        let range = range
            .ok_or_else(|| CompileError::internal(expr.span, "a quantifier over a type without values"))?;
        // What is written out is watched one by one, and costs nothing while it does not change.
        let small =
            self.leaves(expr) <= MAX_LEAVES && self.size(expr) <= MAX_NODES.saturating_sub(self.nodes.len());
        if !small && is_data(expr) {
            return self.data(expr);
        }
        let outer = self.unit.activation().slot_of(binder.slot);
        let mut parts = Vec::new();
        for value in range.lo..=range.hi {
            self.unit.activation().set(binder.slot, Slot::Value(value));
            parts.push(self.node(body)?);
        }
        self.unit.activation().set(binder.slot, outer);
        Ok(self.join(parts, conjunction))
    }

    /// Number of values of a quantifier's variable.
    fn count(&self, binder: &Binder) -> usize {
        let range = self.unit.scope().range(&binder.ty);
        range.map_or(1, |r| (i64::from(r.hi) - i64::from(r.lo) + 1).max(0) as usize)
    }

    /// Number of leaves of an expression once its quantifiers are written out.
    fn leaves(&self, expr: &Expr) -> usize {
        let own = match &expr.kind {
            ExprKind::Forall(b, _) | ExprKind::Exists(b, _) => self.count(b),
            _ => 1,
        };
        let mut inner = 0usize;
        visit::children(expr, &mut |child| {
            inner = inner.saturating_add(self.leaves(child));
        });
        own.saturating_mul(inner.max(1))
    }

    /// Upper bound on the nodes an expression takes when its quantifiers are written out.
    fn size(&self, expr: &Expr) -> usize {
        let (own, times) = match &expr.kind {
            ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Not(_) => (1, 1),
            ExprKind::Imply(..) => (2, 1),
            ExprKind::Xor(..) | ExprKind::Conditional(..) => (5, 1),
            ExprKind::Forall(b, _) | ExprKind::Exists(b, _) => (1, self.count(b)),
            _ => return 1,
        };
        let mut inner = 0usize;
        visit::children(expr, &mut |child| {
            inner = inner.saturating_add(self.size(child));
        });
        inner.saturating_mul(times).saturating_add(own)
    }

    fn data(&mut self, expr: &Expr) -> Result<NodeId> {
        Ok(match self.unit.condition(&[(expr, true)])? {
            None => self.add(Node::Constant(true)),
            Some(condition) => self.add(Node::Data {
                condition,
                reads: LATER,
                may_fail: true,
            }),
        })
    }
}

/// Whether an expression is about data and locations alone.
fn is_data(expr: &Expr) -> bool {
    !visit::any(expr, &mut |e| {
        matches!(e.kind, ExprKind::CompareClocks(..) | ExprKind::Deadlock)
    })
}
