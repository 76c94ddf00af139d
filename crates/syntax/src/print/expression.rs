//! Expressions, with no more parentheses than the tree needs.

use super::Printer;
use crate::ast::{AssignOp, Expr, ExprKind, Quantifier, UnaryOp};

/// How tightly an expression holds together; binary operators lie between (`BinaryOp::precedence`).
mod level {
    /// Assignments and conditionals.
    pub(super) const ASSIGN: u8 = 0;
    /// The weakest binary operators.
    pub(super) const BINARY: u8 = 1;
    /// Prefix operators.
    pub(super) const UNARY: u8 = 13;
    /// Operands that may be indexed, called or selected from.
    pub(super) const POSTFIX: u8 = 14;
}

fn level_of(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Assign(..) | ExprKind::Conditional(..) | ExprKind::Comma(_) => level::ASSIGN,
        ExprKind::Chain { rest, .. } => rest.first().map_or(level::BINARY, |(op, _)| op.precedence()),
        ExprKind::Unary(..) | ExprKind::Step { prefix: true, .. } => level::UNARY,
        // The smallest integer is read as one literal with its sign.
        ExprKind::Int(value) if *value < 0 => level::UNARY,
        _ => level::POSTFIX,
    }
}

/// Where an expression stands.
#[derive(Clone, Copy)]
struct Position {
    /// Weaker expressions need parentheses.
    level: u8,
    /// Whether nothing follows that could be taken for a part of the expression. A quantifier's body reaches as far right as it
    /// can (`semantics.md` 24b), so it needs parentheses everywhere else.
    is_last: bool,
}

impl Position {
    /// Alone, or between brackets.
    const ALONE: Position = Position {
        level: level::ASSIGN,
        is_last: true,
    };

    fn at(level: u8, is_last: bool) -> Self {
        Position { level, is_last }
    }
}

impl Printer {
    pub(super) fn expr(&mut self, expr: &Expr) {
        self.expr_in(expr, Position::ALONE);
    }

    /// The channel of a synchronisation, which `!` or `?` follows.
    pub(super) fn channel(&mut self, expr: &Expr) {
        self.expr_in(expr, Position::at(level::BINARY, false));
    }

    fn expr_in(&mut self, expr: &Expr, position: Position) {
        let reaches_right = matches!(expr.kind, ExprKind::Quantifier { .. })
            && (!position.is_last || position.level == level::POSTFIX);
        if level_of(expr) < position.level || reaches_right {
            self.word("(");
            self.bare(expr, true);
            self.word(")");
        } else {
            self.bare(expr, position.is_last);
        }
    }

    /// Without parentheses around the whole.
    fn bare(&mut self, expr: &Expr, is_last: bool) {
        match &expr.kind {
            ExprKind::Error => self.word("<error>"),
            ExprKind::Int(value) => self.word(&value.to_string()),
            // The debug form has a point or an exponent always. A literal too large for a double is infinite.
            ExprKind::Double(value) if value.is_finite() => self.word(&format!("{value:?}")),
            ExprKind::Double(_) => self.word("1e999"),
            ExprKind::Bool(value) => self.word(if *value { "true" } else { "false" }),
            ExprKind::Str(text) => {
                self.word("\"");
                self.word(text);
                self.word("\"");
            }
            ExprKind::Name(name) => self.word(name),
            ExprKind::Deadlock => self.word("deadlock"),
            ExprKind::Index(array, index) => {
                self.expr_in(array, Position::at(level::POSTFIX, false));
                self.word("[");
                self.expr(index);
                self.word("]");
            }
            ExprKind::Field(of, field) => {
                self.expr_in(of, Position::at(level::POSTFIX, false));
                self.word(".");
                self.word(&field.name);
            }
            ExprKind::Call(function, args) => {
                self.expr_in(function, Position::at(level::POSTFIX, false));
                self.arguments(args);
            }
            ExprKind::Rate(clock) => {
                self.expr_in(clock, Position::at(level::POSTFIX, false));
                self.word("'");
            }
            ExprKind::Unary(op, operand) => {
                self.word(match op {
                    UnaryOp::Minus => "-",
                    UnaryOp::Plus => "+",
                    UnaryOp::Not => "!",
                });
                let sign = self.out.len();
                self.expr_in(operand, Position::at(level::UNARY, is_last));
                // Two signs in a row would make one operator: `- -a`.
                if self.out.get(sign - 1..sign) == self.out.get(sign..sign + 1) && *op != UnaryOp::Not {
                    self.out.insert(sign, ' ');
                }
            }
            ExprKind::Step {
                increment,
                prefix,
                operand,
            } => {
                let op = if *increment { "++" } else { "--" };
                if *prefix {
                    self.word(op);
                    self.expr_in(operand, Position::at(level::UNARY, is_last));
                } else {
                    self.expr_in(operand, Position::at(level::POSTFIX, false));
                    self.word(op);
                }
            }
            ExprKind::Chain { first, rest } => {
                // A chain of the same level inside was in parentheses: the parser makes one chain otherwise.
                let inner = level_of(expr) + 1;
                self.expr_in(first, Position::at(inner, false));
                for (i, (op, right)) in rest.iter().enumerate() {
                    self.word(" ");
                    self.word(op.symbol());
                    self.word(" ");
                    self.expr_in(right, Position::at(inner, is_last && i + 1 == rest.len()));
                }
            }
            ExprKind::Assign(op, left, right) => {
                self.expr_in(left, Position::at(level::BINARY, false));
                self.word(" ");
                if let AssignOp::With(op) = op {
                    self.word(op.symbol());
                }
                self.word("= ");
                self.expr_in(right, Position::at(level::ASSIGN, is_last));
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.expr_in(condition, Position::at(level::BINARY, false));
                self.word(" ? ");
                self.expr_in(then, Position::ALONE);
                self.word(" : ");
                self.expr_in(otherwise, Position::at(level::ASSIGN, is_last));
            }
            ExprKind::Quantifier {
                quantifier,
                binder,
                ty,
                body,
            } => {
                self.word(match quantifier {
                    Quantifier::Forall => "forall (",
                    Quantifier::Exists => "exists (",
                    Quantifier::Sum => "sum (",
                });
                self.word(&binder.name);
                self.word(" : ");
                self.ty(ty);
                self.word(") ");
                self.expr_in(body, Position::ALONE);
            }
            ExprKind::Comma(list) => self.list(list, Self::expr),
            ExprKind::Spawn(template, args) => {
                self.word("spawn ");
                self.word(&template.name);
                self.arguments(args);
            }
            ExprKind::Exit => self.word("exit()"),
            ExprKind::NumOf(template) => {
                self.word("numOf(");
                self.word(&template.name);
                self.word(")");
            }
        }
    }

    pub(super) fn arguments(&mut self, args: &[Expr]) {
        self.word("(");
        self.list(args, Self::expr);
        self.word(")");
    }
}
