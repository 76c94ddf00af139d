//! Nodes as memories of the interpreter, and back.

use zonewalk_certificate::Columns;
use zonewalk_model::ids::ProcessId;
use zonewalk_model::system::{Memory, Root, System, Value};
use zonewalk_model::tree::Model;

/// The memory that agrees with the values of a node, by column. What the node leaves open is unknown, and so is every `meta`
/// variable at the beginning of a transition (`semantics.md` 18). Requires: one value for each column.
pub(crate) fn memory(model: &Model, system: &System, columns: &Columns, values: &[Option<i32>]) -> Memory {
    let mut memory = system.initial.clone();
    let mut rest = values;
    for variable in columns.cells.chunk_by(|a, b| a.root == b.root) {
        let (own, others) = rest.split_at(variable.len().min(rest.len()));
        rest = others;
        let Some(value) = root(&mut memory, variable[0].root) else {
            continue;
        };
        let mut given = variable.iter().zip(own);
        integers_mut(value, &mut |value| {
            if let Some((cell, given)) = given.next() {
                *value = match given {
                    Some(given) => Value::Int(*given),
                    None => Value::Unknown(cell.domain.lo, cell.domain.hi),
                };
            }
        });
    }
    forget_meta(model, system, &mut memory);
    memory
}

/// Makes all `meta` variables unknown. Their ranges are not needed: whatever reads or copies them is refused.
pub(crate) fn forget_meta(model: &Model, system: &System, memory: &mut Memory) {
    let mut forget = |value: &mut Value| *value = Value::Unknown(i32::MIN, i32::MAX);
    for (value, variable) in memory.globals.iter_mut().zip(&model.globals) {
        if variable.is_meta && !variable.is_const {
            integers_mut(value, &mut forget);
        }
    }
    for (locals, process) in memory.locals.iter_mut().zip(&system.processes) {
        for (at, variable) in model.templates[process.template.index()]
            .variables
            .iter()
            .enumerate()
        {
            if variable.is_meta
                && !variable.is_const
                && let Some(value) = locals.get_mut(at)
            {
                integers_mut(value, &mut forget);
            }
        }
    }
}

/// The values of a memory by column, `None` for those that are unknown. The column where a value or all values that it may have
/// are not of the cell's type is an error: no node stands for that.
pub(crate) fn values(memory: &Memory, columns: &Columns, into: &mut Vec<Option<i32>>) -> Result<(), usize> {
    into.clear();
    for variable in columns.cells.chunk_by(|a, b| a.root == b.root) {
        let from = into.len();
        let value = match variable[0].root {
            Root::Global(g) => memory.globals.get(g.index()),
            Root::Local(p, l) => memory.locals.get(p.index()).and_then(|m| m.get(l.index())),
            Root::Slot(..) => None,
        };
        let mut wrong = None;
        if let Some(value) = value {
            integers(value, &mut |value| {
                let fits = |value| {
                    variable
                        .get(into.len() - from)
                        .is_some_and(|c| c.domain.contains(value))
                };
                let (given, fits) = match *value {
                    Value::Unknown(lo, hi) => (None, fits(lo) && fits(hi)),
                    Value::Int(value) => (Some(value), fits(value)),
                    _ => (None, true),
                };
                if !fits {
                    wrong.get_or_insert(into.len());
                }
                into.push(given);
            });
        }
        if let Some(column) = wrong.or((into.len() != from + variable.len()).then_some(from)) {
            return Err(column);
        }
    }
    Ok(())
}

fn root(memory: &mut Memory, root: Root) -> Option<&mut Value> {
    match root {
        Root::Global(g) => memory.globals.get_mut(g.index()),
        Root::Local(p, l) => local(memory, p)?.get_mut(l.index()),
        Root::Slot(..) => None,
    }
}

fn local(memory: &mut Memory, process: ProcessId) -> Option<&mut [Value]> {
    memory.locals.get_mut(process.index()).map(|parts| &mut **parts)
}

/// The integers of a value, from left to right. Recursion is as deep as the type.
fn integers(value: &Value, visit: &mut impl FnMut(&Value)) {
    match value {
        Value::Int(_) | Value::Unknown(..) => visit(value),
        Value::Array(parts) | Value::Struct(parts) => parts.iter().for_each(|part| integers(part, visit)),
        Value::Double(_) | Value::Str(_) | Value::Clock(_) | Value::Channel(_) => {}
    }
}

fn integers_mut(value: &mut Value, visit: &mut impl FnMut(&mut Value)) {
    match value {
        Value::Int(_) | Value::Unknown(..) => visit(value),
        Value::Array(parts) | Value::Struct(parts) => {
            parts.iter_mut().for_each(|part| integers_mut(part, visit));
        }
        Value::Double(_) | Value::Str(_) | Value::Clock(_) | Value::Channel(_) => {}
    }
}
