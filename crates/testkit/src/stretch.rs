//! Models and queries with all their times multiplied by a number, as text, so that what fails can be read.
//!
//! Time has no unit in a model: only relations between times matter. Whatever is compared with a clock, assigned to one or
//! added to one is a time and becomes `((…) * k)` in the text; all other numbers stay as they are.

use crate::load::Loaded;
use std::collections::BTreeSet;
use zonewalk_model::check;
use zonewalk_model::tree::{
    BinaryOp, Block, Expr, ExprKind, Init, Model, Query, QueryKind, Statement, Template, Variable,
};
use zonewalk_model::types::Type;
use zonewalk_network::ids::{ClockId, LocationId, ProcessId};
use zonewalk_network::{Network, NetworkBuilder};
use zonewalk_syntax::read::read_formula;
use zonewalk_syntax::source::Source;
use zonewalk_syntax::span::Span;

/// The places of all times in a text.
#[derive(Default)]
struct Times {
    spans: BTreeSet<Span>,
    /// Clocks are multiplied, say, so that other numbers than times would have to change.
    is_entangled: bool,
}

impl Loaded {
    /// The text of the model with all its times multiplied. `None` where clocks are used in sums, products or functions.
    pub fn stretched(&self, factor: i32) -> Option<String> {
        let mut times = Times::default();
        times.model(&self.model);
        times.multiplied(self.model.sources.iter().next()?, factor)
    }

    /// The text of a query with all its times multiplied, `None` as for a model.
    pub fn stretched_query(&self, text: &str, factor: i32) -> Option<String> {
        let mut sources = self.model.sources.clone();
        let entry = read_formula("query", text, &mut sources);
        let query = check::queries(&self.model, &[entry]).remove(0).ok()?;
        let mut times = Times::default();
        times.query(&query);
        times.multiplied(sources.iter().last()?, factor)
    }

    /// No clock is compared with more than this, or set to more, in the model or in a query.
    pub fn largest_time(&self, query: &Query) -> Option<i32> {
        let mut builder = NetworkBuilder::new(&self.model, &self.system).ok()?;
        let mut predicates = Vec::new();
        let mut add = |expr: &Expr| predicates.push(builder.predicate(query.slots, expr));
        match &query.kind {
            QueryKind::Reachable(p)
            | QueryKind::Invariant(p)
            | QueryKind::PotentiallyAlways(p)
            | QueryKind::Inevitable(p) => add(p),
            QueryKind::LeadsTo(p, q) => [p, q].into_iter().for_each(add),
            QueryKind::Extremum { predicate, .. } => predicate.iter().for_each(add),
            QueryKind::Statistical(_) | QueryKind::Other(_) => return None,
        }
        let predicates: Vec<_> = predicates.into_iter().collect::<Result<_, _>>().ok()?;
        let network = builder.finish();
        let bounds = network.bounds_for(&predicates.iter().collect::<Vec<_>>());
        let clocks = (0..network.clocks.len()).map(ClockId::from_index);
        let everywhere = clocks.clone().map(|clock| bounds.everywhere(clock));
        let local = locations(&network)
            .flat_map(|(process, location)| bounds.at(process, location).iter().map(|entry| entry.limits));
        let compared = everywhere
            .chain(local)
            .flat_map(|l| [l.lower(), l.upper()])
            .flatten();
        let set = clocks.filter_map(|clock| network.clock_updates.largest_number(clock));
        compared
            .chain(set)
            .chain(network.clocks.iter().copied())
            .max()
            .or(Some(0))
    }
}

fn locations(network: &Network) -> impl Iterator<Item = (ProcessId, LocationId)> {
    (0..)
        .map(ProcessId)
        .zip(&network.processes)
        .flat_map(|(number, process)| {
            let locations = network.variants[process.variant as usize].locations.len() as u32;
            (0..locations).map(move |location| (number, LocationId(location)))
        })
}

impl Times {
    fn multiplied(&self, source: &Source, factor: i32) -> Option<String> {
        if self.is_entangled {
            return None;
        }
        let mut parts = Vec::new();
        for span in &self.spans {
            parts.push((span.start - source.base(), "((".to_owned()));
            parts.push((span.end - source.base(), format!(") * {factor})")));
        }
        parts.sort_by_key(|&(at, _)| at);
        let mut text = String::new();
        let mut copied = 0;
        for (at, part) in parts {
            text += source.text.get(copied..at as usize)?;
            text += &part;
            copied = at as usize;
        }
        text += &source.text[copied..];
        Some(text)
    }

    fn model(&mut self, model: &Model) {
        self.variables(&model.globals);
        for function in &model.functions {
            function.body.iter().for_each(|body| self.block(body));
        }
        for template in &model.templates {
            self.template(template);
        }
        for expr in model.before_update.iter().chain(&model.after_update) {
            self.find(expr);
        }
    }

    fn template(&mut self, template: &Template) {
        self.variables(&template.variables);
        for location in &template.locations {
            location
                .invariant
                .iter()
                .for_each(|invariant| self.find(invariant));
        }
        for edge in &template.edges {
            edge.guard
                .iter()
                .chain(&edge.updates)
                .for_each(|expr| self.find(expr));
        }
    }

    fn variables(&mut self, variables: &[Variable]) {
        for variable in variables {
            variable
                .init
                .iter()
                .for_each(|init| self.initial(&variable.ty, init));
        }
    }

    fn initial(&mut self, ty: &Type, init: &Init) {
        match (ty, init) {
            (Type::Clock { .. }, Init::Expr(expr)) => self.time(expr),
            (Type::Array(array), Init::List(list)) => {
                list.iter().for_each(|init| self.initial(&array.element, init));
            }
            (Type::Struct(fields), Init::List(list)) => {
                let typed = fields.fields.iter().zip(list);
                typed.for_each(|((_, ty), init)| self.initial(ty, init));
            }
            _ => {}
        }
    }

    fn block(&mut self, block: &Block) {
        block
            .statements
            .iter()
            .for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Expr(expr) | Statement::Assert(expr) | Statement::Return(Some(expr)) => {
                self.find(expr);
            }
            Statement::Return(None) => {}
            Statement::Block(block) => self.block(block),
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                self.find(condition);
                self.statement(then);
                otherwise.iter().for_each(|otherwise| self.statement(otherwise));
            }
            Statement::While { condition, body } | Statement::DoWhile { body, condition } => {
                self.find(condition);
                self.statement(body);
            }
            Statement::For {
                init,
                condition,
                step,
                body,
            } => {
                [init, condition, step]
                    .into_iter()
                    .for_each(|expr| self.find(expr));
                self.statement(body);
            }
            Statement::ForIn { body, .. } => self.statement(body),
        }
    }

    fn query(&mut self, query: &Query) {
        match &query.kind {
            QueryKind::Reachable(p)
            | QueryKind::Invariant(p)
            | QueryKind::PotentiallyAlways(p)
            | QueryKind::Inevitable(p) => self.find(p),
            QueryKind::LeadsTo(p, q) => [p, q].into_iter().for_each(|expr| self.find(expr)),
            QueryKind::Extremum { predicate, exprs, .. } => {
                predicate.iter().for_each(|predicate| self.find(predicate));
                for expr in exprs {
                    if is_time(expr) {
                        self.time(expr);
                    } else {
                        self.find(expr);
                    }
                }
            }
            QueryKind::Statistical(_) | QueryKind::Other(_) => self.is_entangled = true,
        }
    }

    /// Finds times in an expression that is none itself.
    fn find(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::CompareClocks(_, left, right) => {
                [left, right].into_iter().for_each(|side| self.time(side));
            }
            ExprKind::Assign(place, value) if is_time(place) => {
                [place, value].into_iter().for_each(|e| self.time(e));
            }
            ExprKind::Builtin(_, arguments) if arguments.iter().any(is_time) => self.is_entangled = true,
            _ => expr.operands(&mut |operand| self.find(operand)),
        }
    }

    /// Finds the numbers in a time.
    fn time(&mut self, expr: &Expr) {
        if !is_time(expr) {
            self.find(expr);
            self.spans.insert(expr.span);
            return;
        }
        match &expr.kind {
            ExprKind::Var(_) => {}
            ExprKind::Index(..) | ExprKind::Field(..) | ExprKind::Member(..) | ExprKind::ParamMember(..) => {
                expr.operands(&mut |operand| self.find(operand));
            }
            ExprKind::Arithmetic(first, rest)
                if rest
                    .iter()
                    .all(|(op, _)| matches!(op, BinaryOp::Add | BinaryOp::Sub)) =>
            {
                self.time(first);
                rest.iter().for_each(|(_, term)| self.time(term));
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.find(condition);
                self.time(then);
                self.time(otherwise);
            }
            _ => self.is_entangled = true,
        }
    }
}

/// Whether an expression is a clock, or computed from clocks.
pub fn is_time(expr: &Expr) -> bool {
    matches!(expr.ty, Type::Clock { .. } | Type::Difference)
}

#[cfg(test)]
mod tests {
    use crate::load::xta;

    #[test]
    fn times_are_multiplied_and_numbers_are_not() {
        let model = xta("clock x = 1, y; clock c[2] = {0, 2}; int v; void wait(clock &z, int n) { if (v > 1) z = n; }
            process P(int[0,3] d) { state s { x <= d + 1 && y' == 0 }, t; init s;
            trans s -> t { guard v < 3 && (v == 0 || x - y > 2); assign x = y + 1, c[v] = 0, v = v + 2, wait(x, 7); }; }
            system P;");
        let text = model.stretched(10).unwrap();
        for part in [
            "clock x = ((1) * 10), y;",
            "{((0) * 10), ((2) * 10)}",
            "if (v > 1) z = ((n) * 10);",
            "x <= ((d + 1) * 10) && y' == 0",
            "guard v < 3 && (v == 0 || x - y > ((2) * 10));",
            "x = y + ((1) * 10), c[v] = ((0) * 10), v = v + 2, wait(x, 7);",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        xta(&text);
        let query = model.stretched_query("sup{x - y > 3 && v == 2}: x + 1, v", 10);
        assert_eq!(
            query.as_deref(),
            Some("sup{x - y > ((3) * 10) && v == 2}: x + ((1) * 10), v")
        );
        let query = model.query("E<> x > 50").unwrap();
        assert_eq!(model.largest_time(&query), Some(50));
    }
}
