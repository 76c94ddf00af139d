//! Conditions on states, in reachability queries.

use zonewalk_syntax::diagnostic::Diagnostic;

use super::lexer::Token;
use super::parse::{ParseResult, Parser};
use super::{Instance, StateFormula};
use crate::formula::Relation;

/// A clock of an instance.
type ClockOf = (Instance, String);

/// A sum: clocks that count positively and negatively, and a number.
#[derive(Default)]
struct Sum {
    plus: Vec<ClockOf>,
    minus: Vec<ClockOf>,
    constant: i64,
}

impl Parser<'_> {
    /// Disjunctions of conjunctions.
    pub(super) fn state_formula(&mut self) -> ParseResult<StateFormula> {
        let mut parts = vec![self.state_conjunction()?];
        while self.eat(Token::Or) || self.eat_word("or") {
            parts.push(self.state_conjunction()?);
        }
        Ok(single(parts, StateFormula::Or))
    }

    fn state_conjunction(&mut self) -> ParseResult<StateFormula> {
        let mut parts = vec![self.state_operand()?];
        while self.eat(Token::And) || self.eat_word("and") {
            parts.push(self.state_operand()?);
        }
        Ok(single(parts, StateFormula::And))
    }

    fn state_operand(&mut self) -> ParseResult<StateFormula> {
        if self.eat(Token::Not) || self.eat_word("not") {
            let inner = self.nested(Self::state_operand)?;
            return Ok(StateFormula::Not(Box::new(inner)));
        }
        if self.eat(Token::LeftParen) {
            let inner = self.nested(Self::state_formula)?;
            if !self.eat(Token::RightParen) {
                return Err(self.expected("`)`, `&&` or `||`"));
            }
            return Ok(inner);
        }
        if self.eat_word("true") {
            return Ok(StateFormula::Constant(true));
        }
        if self.eat_word("false") {
            return Ok(StateFormula::Constant(false));
        }
        self.atom()
    }

    /// A location, or a comparison.
    fn atom(&mut self) -> ParseResult<StateFormula> {
        let start = self.start();
        let mut left = Sum::default();
        self.sum(&mut left, 1)?;
        let relation = match self.token() {
            Token::Less => Some(Relation::Less),
            Token::LessEqual => Some(Relation::LessEqual),
            Token::Equal => Some(Relation::Equal),
            Token::GreaterEqual => Some(Relation::GreaterEqual),
            Token::Greater => Some(Relation::Greater),
            Token::NotEqual => None,
            _ => {
                let is_single = left.plus.len() == 1 && left.minus.is_empty() && left.constant == 0;
                return match left.plus.pop() {
                    Some((instance, location)) if is_single => {
                        Ok(StateFormula::Location { instance, location })
                    }
                    _ => Err(self.expected("a comparison: `<`, `<=`, `==`, `>=` or `>`")),
                };
            }
        };
        self.bump();
        self.sum(&mut left, -1)?;
        let Some(relation) = relation else {
            let less = self.compare(&left, Relation::Less, start)?;
            let greater = self.compare(&left, Relation::Greater, start)?;
            return Ok(StateFormula::Or(vec![less, greater]));
        };
        self.compare(&left, relation, start)
    }

    /// Adds a sum, with its sign, to another.
    fn sum(&mut self, sum: &mut Sum, sign: i64) -> ParseResult<()> {
        let mut sign_here = sign;
        if self.eat(Token::Minus) {
            sign_here = -sign;
        }
        loop {
            self.term(sum, sign_here)?;
            sign_here = match self.token() {
                Token::Plus => sign,
                Token::Minus => -sign,
                _ => return Ok(()),
            };
            self.bump();
        }
    }

    fn term(&mut self, sum: &mut Sum, sign: i64) -> ParseResult<()> {
        match self.token() {
            Token::Number => {
                let Ok(value) = self.word().parse::<i32>() else {
                    let message = format!("the number {} does not fit into 32 bits", shorten(self.word()));
                    return Err(Box::new(Diagnostic::error("query-syntax", self.here(), message)));
                };
                self.bump();
                sum.constant += sign * i64::from(value);
                Ok(())
            }
            Token::Word => {
                let instance = self.instance()?;
                if !self.eat(Token::Dot) {
                    let what = format!("`.` and a location or a clock of `{}`", instance.name);
                    return Err(self.expected(&what));
                }
                if !matches!(self.token(), Token::Word | Token::Number) {
                    return Err(self.expected("the name of a location or a clock"));
                }
                let start = self.start();
                let mut name = self.word().to_owned();
                self.bump();
                // An element of an array of clocks.
                while self.at(Token::Bracket) {
                    name.push_str(self.word());
                    self.bump();
                }
                let member = (instance.name.clone(), name.clone(), self.span_from(start));
                self.parsed.members.push(member);
                let clocks = if sign > 0 { &mut sum.plus } else { &mut sum.minus };
                clocks.push((instance, name));
                Ok(())
            }
            _ => Err(self.expected("a location, a clock or a number")),
        }
    }

    /// `sum relation 0`, if it is a bound on a clock or on a difference of two.
    fn compare(&self, sum: &Sum, relation: Relation, start: usize) -> ParseResult<StateFormula> {
        let mut plus = sum.plus.clone();
        let mut minus = sum.minus.clone();
        // A clock minus itself is nothing.
        plus.retain(|clock| match minus.iter().position(|other| other == clock) {
            Some(at) => {
                minus.remove(at);
                false
            }
            None => true,
        });
        let (plus, minus, relation, constant) = if plus.is_empty() && !minus.is_empty() {
            (minus, plus, flipped(relation), -sum.constant)
        } else {
            (plus, minus, relation, sum.constant)
        };
        let place = self.span_from(start);
        if plus.len() > 1 || minus.len() > 1 {
            let message = "a comparison of more than a difference of two clocks";
            let error = Diagnostic::error("query-syntax", place, message);
            return Err(Box::new(
                error.help("bounds have the form `A.x <= 5` or `A.x - B.y <= 5`"),
            ));
        }
        let Some(clock) = plus.into_iter().next() else {
            return Ok(StateFormula::Constant(match relation {
                Relation::Less => constant < 0,
                Relation::LessEqual => constant <= 0,
                Relation::Equal => constant == 0,
                Relation::GreaterEqual => constant >= 0,
                Relation::Greater => constant > 0,
            }));
        };
        let Ok(bound) = i32::try_from(-constant) else {
            let message = "the bound does not fit into 32 bits";
            return Err(Box::new(Diagnostic::error("query-syntax", place, message)));
        };
        Ok(StateFormula::Compare {
            clock,
            minus: minus.into_iter().next(),
            relation,
            bound,
        })
    }
}

fn single(mut parts: Vec<StateFormula>, join: fn(Vec<StateFormula>) -> StateFormula) -> StateFormula {
    match parts.len() {
        1 => parts.remove(0),
        _ => join(parts),
    }
}

fn flipped(relation: Relation) -> Relation {
    match relation {
        Relation::Less => Relation::Greater,
        Relation::LessEqual => Relation::GreaterEqual,
        Relation::Equal => Relation::Equal,
        Relation::GreaterEqual => Relation::LessEqual,
        Relation::Greater => Relation::Less,
    }
}

fn shorten(text: &str) -> String {
    let mut digits: String = text.chars().take(30).collect();
    if digits.len() < text.len() {
        digits.push('…');
    }
    digits
}
