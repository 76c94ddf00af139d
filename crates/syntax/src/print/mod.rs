//! Syntax trees back to text, in the new dialect's textual format.
//!
//! Parsing the text gives the tree again, spans and drawings aside: two trees are the same model
//! exactly when they print the same. Charts and the `action` attribute of edges have no textual form and are left
//! out; so are queries, which have a file of their own ([`query`]).

mod declaration;
mod expression;
mod template;

use crate::ast::{Decl, Document, Expr, Extremum, Param, Query, TypeExpr};

/// A whole model.
pub fn document(document: &Document) -> String {
    let mut p = Printer::default();
    for decl in &document.decls {
        p.decl(decl);
    }
    for template in &document.templates {
        p.template(template);
    }
    for item in &document.system {
        p.system_item(item);
    }
    p.out
}

/// A declaration, with its line end.
pub fn declaration(decl: &Decl) -> String {
    let mut p = Printer::default();
    p.decl(decl);
    p.out
}

/// A type.
pub fn type_expr(ty: &TypeExpr) -> String {
    let mut p = Printer::default();
    p.ty(ty);
    p.out
}

/// Parameters, in their parentheses.
pub fn params(params: &[Param]) -> String {
    let mut p = Printer::default();
    p.params(params);
    p.out
}

/// An expression, with the parentheses that it needs.
pub fn expr(expr: &Expr) -> String {
    let mut p = Printer::default();
    p.expr(expr);
    p.out
}

/// A query; `None` for statistical ones and for the kinds that are recognised by name only.
pub fn query(query: &Query) -> Option<String> {
    let mut p = Printer::default();
    let (quantifier, predicate) = match query {
        Query::Reachable(e) => ("E<> ", e),
        Query::Invariant(e) => ("A[] ", e),
        Query::PotentiallyAlways(e) => ("E[] ", e),
        Query::Inevitable(e) => ("A<> ", e),
        Query::LeadsTo(from, to) => {
            p.expr(from);
            p.word(" --> ");
            p.expr(to);
            return Some(p.out);
        }
        Query::Extremum {
            kind,
            predicate,
            exprs,
        } => {
            p.word(match kind {
                Extremum::Sup => "sup",
                Extremum::Inf => "inf",
                Extremum::Bounds => "bounds",
            });
            if let Some(predicate) = predicate {
                p.word("{");
                p.expr(predicate);
                p.word("}");
            }
            p.word(": ");
            p.list(exprs, Printer::expr);
            return Some(p.out);
        }
        Query::Statistical(_) | Query::Other(_) => return None,
    };
    p.word(quantifier);
    p.expr(predicate);
    Some(p.out)
}

/// The text so far.
#[derive(Default)]
struct Printer {
    out: String,
    /// Levels of indentation.
    indent: usize,
}

impl Printer {
    fn word(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Begins a line.
    fn margin(&mut self) {
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
    }

    /// Separated by commas.
    fn list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        for (i, element) in items.iter().enumerate() {
            if i > 0 {
                self.word(", ");
            }
            item(self, element);
        }
    }
}
