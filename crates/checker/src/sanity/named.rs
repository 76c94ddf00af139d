//! Locations that a query names, and that no process reaches or leaves.
//!
//! Where a query is about one location alone, as `A[] not P.error` is, its answer says all there is to say. Where it combines
//! locations, as `A[] not (P.critical and Q.critical)` does, the answer is worth little if one of the two is never reached.

use super::reach::Reach;
use crate::task::CompiledModel;
use zonewalk_model::ids::LocationId;
use zonewalk_model::tree::{Expr, ExprKind, ProcessExpr};
use zonewalk_network::ids::ProcessId;
use zonewalk_syntax::diagnostic::Diagnostic;

/// A location in a query, beside another one.
struct Named<'e> {
    process: &'e ProcessExpr,
    location: LocationId,
    /// Whether the states that are looked for have the process there.
    is_wanted: bool,
    expr: &'e Expr,
}

/// Warnings about the locations in a predicate; states in which it is `wanted` were looked for, and there are none.
pub(super) fn warnings(
    task: &CompiledModel<'_>,
    reach: &Reach<'_>,
    expr: &Expr,
    wanted: bool,
) -> Vec<Diagnostic> {
    let mut named = Vec::new();
    collect(expr, wanted, true, &mut named);
    let mut found: Vec<Diagnostic> = Vec::new();
    for named in &named {
        let warning = named.warning(task, reach);
        let is_new = |warning: &Diagnostic| found.iter().all(|known| known.message != warning.message);
        found.extend(warning.filter(is_new));
    }
    found
}

/// Collects the locations in what is looked for. `is_alone` says that no other location has to be taken at the same time: then the
/// answer is about this one.
fn collect<'e>(expr: &'e Expr, is_wanted: bool, is_alone: bool, found: &mut Vec<Named<'e>>) {
    let mut go = |expr: &'e Expr, is_wanted: bool, is_alone: bool| collect(expr, is_wanted, is_alone, found);
    let are_several = |parts: &[&Expr]| parts.iter().filter(|part| names_location(part)).count() > 1;
    match &expr.kind {
        ExprKind::AtLocation(process, location) if !is_alone => found.push(Named {
            process,
            location: *location,
            is_wanted,
            expr,
        }),
        ExprKind::AtLocation(..) => {}
        ExprKind::And(list) | ExprKind::Or(list) => {
            let is_joint = is_wanted == matches!(expr.kind, ExprKind::And(_));
            let is_alone = is_alone && !(is_joint && are_several(&list.iter().collect::<Vec<_>>()));
            list.iter().for_each(|part| go(part, is_wanted, is_alone));
        }
        ExprKind::Not(part) => go(part, !is_wanted, is_alone),
        ExprKind::Imply(premise, then) => {
            let is_alone = is_alone && (is_wanted || !are_several(&[premise, then]));
            go(premise, !is_wanted, is_alone);
            go(then, is_wanted, is_alone);
        }
        ExprKind::Forall(_, body) => go(body, is_wanted, is_alone && !is_wanted),
        ExprKind::Exists(_, body) => go(body, is_wanted, is_alone && is_wanted),
        ExprKind::Sum(_, body) => go(body, is_wanted, false),
        // `sum(…) == 0` rules a location out.
        ExprKind::Compare(_, _, right) if matches!(right.kind, ExprKind::Int(0)) => {}
        _ => {
            let mut operands = Vec::new();
            expr.operands(&mut |operand| operands.push(operand));
            let is_alone = is_alone && !are_several(&operands);
            // What a number has to be in the states that are looked for is not known.
            operands.iter().for_each(|operand| go(operand, true, is_alone));
        }
    }
}

fn names_location(expr: &Expr) -> bool {
    let mut found = matches!(expr.kind, ExprKind::AtLocation(..));
    expr.operands(&mut |operand| found = found || names_location(operand));
    found
}

impl Named<'_> {
    /// The processes that may be meant, and their name.
    fn processes(&self, task: &CompiledModel<'_>) -> Option<(Vec<ProcessId>, String)> {
        let system = task.interpreter.system();
        let range = system.sets.get(self.process.set.index())?;
        let number = |arg: &Expr| match arg.kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        };
        let known: Option<Vec<i32>> = self.process.args.iter().map(number).collect();
        let mut offset = 0u32;
        for (at, &(lo, count)) in range.dims.iter().enumerate() {
            let value = known.as_ref().and_then(|known| known.get(at));
            let place = value.and_then(|value| u32::try_from(value.checked_sub(lo)?).ok());
            let Some(place) = place.filter(|&place| place < count) else {
                // Any of them: a bound name, or an expression.
                let all: u32 = range.dims.iter().map(|&(_, count)| count).product();
                let set = &task.interpreter.model().process_sets[self.process.set.index()];
                let members = (range.first.0..range.first.0 + all).map(ProcessId);
                return Some((members.collect(), set.name.to_string()));
            };
            offset = offset * count + place;
        }
        let process = range.first.0 + offset;
        let name = &system.processes.get(process as usize)?.name;
        Some((vec![ProcessId(process)], name.to_string()))
    }

    fn warning(&self, task: &CompiledModel<'_>, reach: &Reach<'_>) -> Option<Diagnostic> {
        let (processes, name) = self.processes(task)?;
        let location = LocationId(self.location.0);
        let template = task.interpreter.system().processes[processes.first()?.index()].template;
        let declared = &task.interpreter.model().templates[template.index()].locations[location.index()];
        let is_unreached = self.is_wanted
            && processes
                .iter()
                .all(|&process| !reach.is_reached(process, location));
        let (code, what) = if is_unreached {
            ("unreachable-location", "reached")
        } else if processes
            .iter()
            .all(|&process| reach.is_never_left(process, location))
        {
            ("location-never-left", "left")
        } else {
            return None;
        };
        let message = match processes.len() {
            1 => format!("{name}.{}, which the query names, is never {what}", declared.name),
            _ => format!(
                "location {} of {name}, which the query names, is never {what} by any of them",
                declared.name
            ),
        };
        Some(Diagnostic::warning(code, self.expr.span, message).related(declared.span, "declared here"))
    }
}
