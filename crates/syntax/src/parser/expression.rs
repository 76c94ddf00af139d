//! Expressions, by precedence climbing.

use super::Parser;
use crate::ast::{AssignOp, BinaryOp, Direction, Expr, ExprKind, Quantifier, Sync, UnaryOp};
use crate::span::Span;
use crate::token::Token;

/// The operator of a token.
fn binary_op(token: Token) -> Option<BinaryOp> {
    Some(match token {
        Token::StarStar => BinaryOp::Power,
        Token::Star => BinaryOp::Mul,
        Token::Slash => BinaryOp::Div,
        Token::Percent => BinaryOp::Mod,
        Token::Plus => BinaryOp::Add,
        Token::Minus => BinaryOp::Sub,
        Token::ShiftLeft => BinaryOp::ShiftLeft,
        Token::ShiftRight => BinaryOp::ShiftRight,
        Token::Min => BinaryOp::Min,
        Token::Max => BinaryOp::Max,
        Token::Less => BinaryOp::Less,
        Token::LessEqual => BinaryOp::LessEqual,
        Token::Greater => BinaryOp::Greater,
        Token::GreaterEqual => BinaryOp::GreaterEqual,
        Token::EqualEqual => BinaryOp::Equal,
        Token::NotEqual => BinaryOp::NotEqual,
        Token::Ampersand => BinaryOp::BitAnd,
        Token::Caret => BinaryOp::BitXor,
        Token::Bar => BinaryOp::BitOr,
        Token::AmpAmp | Token::And => BinaryOp::And,
        Token::BarBar | Token::Or => BinaryOp::Or,
        Token::Xor => BinaryOp::Xor,
        Token::Imply => BinaryOp::Imply,
        _ => return None,
    })
}

fn assign_op(token: Token) -> Option<AssignOp> {
    Some(match token {
        Token::Assign => AssignOp::Plain,
        Token::AddAssign => AssignOp::With(BinaryOp::Add),
        Token::SubAssign => AssignOp::With(BinaryOp::Sub),
        Token::MulAssign => AssignOp::With(BinaryOp::Mul),
        Token::DivAssign => AssignOp::With(BinaryOp::Div),
        Token::ModAssign => AssignOp::With(BinaryOp::Mod),
        Token::AndAssign => AssignOp::With(BinaryOp::BitAnd),
        Token::OrAssign => AssignOp::With(BinaryOp::BitOr),
        Token::XorAssign => AssignOp::With(BinaryOp::BitXor),
        Token::ShiftLeftAssign => AssignOp::With(BinaryOp::ShiftLeft),
        Token::ShiftRightAssign => AssignOp::With(BinaryOp::ShiftRight),
        _ => return None,
    })
}

impl Parser<'_, '_> {
    /// Any expression, assignments included.
    pub(super) fn expr(&mut self) -> Expr {
        let start = self.mark();
        let error = Expr {
            kind: ExprKind::Error,
            span: self.here(),
        };
        self.nested(|p| {
            let left = p.conditional();
            let Some(op) = assign_op(p.token()) else {
                return left;
            };
            p.bump();
            let right = p.expr();
            let kind = ExprKind::Assign(op, Box::new(left), Box::new(right));
            Expr {
                kind,
                span: p.span_from(start),
            }
        })
        .unwrap_or(error)
    }

    /// `a, b, c`
    pub(super) fn expression_list(&mut self) -> Vec<Expr> {
        let mut list = vec![self.expr()];
        while self.eat(Token::Comma) {
            list.push(self.expr());
        }
        list
    }

    /// A guard or an invariant: in the old dialect commas stand for "and" (`semantics.md` 24).
    pub(super) fn condition(&mut self) -> Expr {
        let start = self.mark();
        let first = self.expr();
        if !self.is_old() || !self.at(Token::Comma) {
            return first;
        }
        let mut rest = Vec::new();
        while self.eat(Token::Comma) {
            rest.push((BinaryOp::And, self.expr()));
        }
        Expr {
            kind: ExprKind::Chain {
                first: Box::new(first),
                rest,
            },
            span: self.span_from(start),
        }
    }

    /// `e` or `e : e`.
    pub(super) fn rate(&mut self) -> (Expr, Option<Expr>) {
        let first = self.expr();
        let second = self.eat(Token::Colon).then(|| self.expr());
        (first, second)
    }

    /// `c!`, `c?` or `c`.
    pub(super) fn sync(&mut self) -> Sync {
        let start = self.mark();
        let channel = self.conditional();
        let direction = if self.eat(Token::Exclamation) {
            Direction::Send
        } else if self.eat(Token::Question) {
            Direction::Receive
        } else {
            Direction::Together
        };
        Sync {
            channel,
            direction,
            span: self.span_from(start),
        }
    }

    fn conditional(&mut self) -> Expr {
        let start = self.mark();
        let condition = self.binary(1);
        // The `?` of a receiving synchronisation stands at the end of its label.
        if !self.at(Token::Question) || matches!(self.peek().0, Token::End | Token::Semicolon) {
            return condition;
        }
        self.bump();
        let then = self.expr();
        self.expect(Token::Colon, "`:` of a conditional expression");
        // Right-associative, and an assignment may follow: `b ? i : j = 3` assigns to `j`.
        let otherwise = self.expr();
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
        Expr {
            kind,
            span: self.span_from(start),
        }
    }

    /// Binary operators of at least precedence `min`. Operators of one level form one flat chain.
    pub(super) fn binary(&mut self, min: u8) -> Expr {
        let start = self.mark();
        let mut left = self.unary();
        // Precedence of the chain that `left` is, if this loop has built it.
        let mut level = None;
        while let Some(op) = binary_op(self.token()).filter(|op| op.precedence() >= min) {
            self.bump();
            let right = self.binary(op.precedence() + 1);
            left = match left {
                Expr {
                    kind: ExprKind::Chain { first, mut rest },
                    ..
                } if level == Some(op.precedence()) => {
                    rest.push((op, right));
                    // The span is set once, below.
                    Expr {
                        kind: ExprKind::Chain { first, rest },
                        span: Span::NONE,
                    }
                }
                _ => {
                    if level.is_some() {
                        left.span = self.span_before(start, &right);
                    }
                    level = Some(op.precedence());
                    Expr {
                        kind: ExprKind::Chain {
                            first: Box::new(left),
                            rest: vec![(op, right)],
                        },
                        span: Span::NONE,
                    }
                }
            };
        }
        if level.is_some() {
            left.span = self.span_from(start);
        }
        left
    }

    /// Span from `start` to just before `next`: that of a complete left operand.
    fn span_before(&self, start: usize, next: &Expr) -> Span {
        let from = self.fragment.range(start, start).start;
        Span::new(from, next.span.start)
    }

    fn unary(&mut self) -> Expr {
        let start = self.mark();
        let op = match self.token() {
            Token::Minus => Some(UnaryOp::Minus),
            Token::Plus => Some(UnaryOp::Plus),
            Token::Exclamation | Token::Not => Some(UnaryOp::Not),
            Token::Increment | Token::Decrement => None,
            _ => return self.postfix(),
        };
        let increment = self.at(Token::Increment);
        self.bump();
        if op == Some(UnaryOp::Minus) && self.at(Token::BigInt) && self.text() == "2147483648" {
            self.bump();
            return Expr {
                kind: ExprKind::Int(i32::MIN),
                span: self.span_from(start),
            };
        }
        let here = self.here();
        let operand = self.nested(Self::unary).unwrap_or(Expr {
            kind: ExprKind::Error,
            span: here,
        });
        let operand = Box::new(operand);
        let kind = match op {
            Some(op) => ExprKind::Unary(op, operand),
            None => ExprKind::Step {
                increment,
                prefix: true,
                operand,
            },
        };
        Expr {
            kind,
            span: self.span_from(start),
        }
    }

    /// `a[i].b(c)'++` and so on. Each suffix nests the tree one deeper, so each counts.
    pub(super) fn postfix(&mut self) -> Expr {
        let start = self.mark();
        let mut expr = self.primary();
        let depth = self.depth;
        loop {
            let kind = match self.token() {
                Token::LeftBracket => {
                    self.bump();
                    let index = self.expr();
                    self.expect(Token::RightBracket, "`]`");
                    ExprKind::Index(Box::new(expr), Box::new(index))
                }
                Token::LeftParen => {
                    let args = self.arguments();
                    ExprKind::Call(Box::new(expr), args)
                }
                Token::Dot => {
                    self.bump();
                    match self.name("the name of a field, a variable or a location") {
                        Some(field) => ExprKind::Field(Box::new(expr), field),
                        None => ExprKind::Error,
                    }
                }
                Token::Prime => {
                    self.bump();
                    ExprKind::Rate(Box::new(expr))
                }
                Token::Increment | Token::Decrement => {
                    let increment = self.at(Token::Increment);
                    self.bump();
                    ExprKind::Step {
                        increment,
                        prefix: false,
                        operand: Box::new(expr),
                    }
                }
                _ => break,
            };
            expr = Expr {
                kind,
                span: self.span_from(start),
            };
            self.depth += 1;
            if self.nested(|_| ()).is_none() {
                break;
            }
        }
        self.depth = depth;
        expr
    }

    /// `(a, b)`
    pub(super) fn arguments(&mut self) -> Vec<Expr> {
        self.expect(Token::LeftParen, "`(`");
        let args = if self.at(Token::RightParen) {
            Vec::new()
        } else {
            self.expression_list()
        };
        self.expect(Token::RightParen, "`)` or `,`");
        args
    }

    fn primary(&mut self) -> Expr {
        let start = self.mark();
        let kind = match self.token() {
            Token::Int => match self.text().parse() {
                Ok(value) => ExprKind::Int(value),
                Err(_) => ExprKind::Error,
            },
            Token::Double => ExprKind::Double(self.text().parse().unwrap_or(f64::NAN)),
            Token::BigInt => {
                let message = format!("the number {} does not fit into 32 bits", shorten(self.text()));
                self.error_here(message, Some("the largest integer is 2147483647".into()));
                ExprKind::Error
            }
            Token::Str => {
                let text = self.text();
                ExprKind::Str(self.cx.intern(&text[1..text.len() - 1]))
            }
            Token::True => ExprKind::Bool(true),
            Token::False => ExprKind::Bool(false),
            Token::Deadlock => ExprKind::Deadlock,
            Token::Ident => ExprKind::Name(self.ident_here().name),
            Token::LeftParen => {
                self.bump();
                let mut inner = self.expr();
                self.expect(Token::RightParen, "`)`");
                inner.span = self.span_from(start);
                return inner;
            }
            Token::Forall => return self.quantifier(Quantifier::Forall),
            Token::Exists => return self.quantifier(Quantifier::Exists),
            Token::Sum => return self.quantifier(Quantifier::Sum),
            Token::Spawn => {
                self.bump();
                let name = self.name("the name of a dynamic template");
                let args = self.arguments();
                let kind = name.map_or(ExprKind::Error, |n| ExprKind::Spawn(n, args));
                return Expr {
                    kind,
                    span: self.span_from(start),
                };
            }
            Token::Exit => {
                self.bump();
                self.arguments();
                return Expr {
                    kind: ExprKind::Exit,
                    span: self.span_from(start),
                };
            }
            Token::NumOf => {
                self.bump();
                self.expect(Token::LeftParen, "`(`");
                let name = self.name("the name of a dynamic template");
                self.expect(Token::RightParen, "`)`");
                let kind = name.map_or(ExprKind::Error, ExprKind::NumOf);
                return Expr {
                    kind,
                    span: self.span_from(start),
                };
            }
            _ => {
                self.error_expected("an expression");
                return Expr {
                    kind: ExprKind::Error,
                    span: self.here(),
                };
            }
        };
        self.bump();
        Expr {
            kind,
            span: self.span_from(start),
        }
    }

    /// `forall (i : T) body`, the body as far to the right as possible.
    fn quantifier(&mut self, quantifier: Quantifier) -> Expr {
        let start = self.mark();
        self.bump();
        self.expect(Token::LeftParen, "`(`");
        let binder = self.declared_name("a name to bind");
        self.expect(Token::Colon, "`:` and a type");
        let ty = self.type_expr();
        self.expect(Token::RightParen, "`)`");
        let body = Box::new(self.expr());
        let kind = match binder {
            Some(binder) => ExprKind::Quantifier {
                quantifier,
                binder,
                ty,
                body,
            },
            None => ExprKind::Error,
        };
        Expr {
            kind,
            span: self.span_from(start),
        }
    }
}

/// The first digits of a long number.
fn shorten(text: &str) -> String {
    if text.len() <= 30 {
        text.to_string()
    } else {
        format!("{}…", &text[..30])
    }
}
