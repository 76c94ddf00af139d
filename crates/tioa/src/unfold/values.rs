//! The values of a process's variables, and names for them.

use zonewalk_model::ids::ClockId;
use zonewalk_model::system::Value;
use zonewalk_model::types::{Bound, IndexType, Type};

use crate::action::Action;
use crate::component::{Alphabet, Direction};

/// Sorted lists of actions.
pub(crate) fn alphabet(known: impl IntoIterator<Item = (Action, Direction)>) -> Alphabet {
    let mut alphabet = Alphabet::default();
    for (action, direction) in known {
        match direction {
            Direction::Input => alphabet.inputs.push(action),
            Direction::Output => alphabet.outputs.push(action),
        }
    }
    for list in [&mut alphabet.inputs, &mut alphabet.outputs] {
        list.sort_unstable();
        list.dedup();
    }
    alphabet
}

/// The name of a process's clock without that of the process.
pub(super) fn local_name(clock: &str, process: &str) -> String {
    let rest = clock
        .strip_prefix(process)
        .and_then(|rest| rest.strip_prefix('.'));
    rest.unwrap_or(clock).to_owned()
}

pub(super) fn own_clocks(value: &Value, see: &mut impl FnMut(ClockId)) {
    match value {
        Value::Clock(clock) => see(*clock),
        Value::Array(parts) | Value::Struct(parts) => parts.iter().for_each(|part| own_clocks(part, see)),
        _ => {}
    }
}

pub(super) fn flatten(value: &Value, out: &mut Vec<i32>) {
    match value {
        Value::Int(value) => out.push(*value),
        Value::Array(parts) | Value::Struct(parts) => parts.iter().for_each(|part| flatten(part, out)),
        // Other values do not change; doubles are refused before.
        _ => {}
    }
}

pub(super) fn cell_names(value: &Value, ty: &Type, name: String, out: &mut Vec<String>) {
    match (value, ty) {
        (Value::Int(_), _) => out.push(name),
        (Value::Array(parts), Type::Array(array)) => {
            // Indices as the model writes them, which need not begin at 0.
            let first = match &array.index {
                IndexType::Range(range) => match range.lo {
                    Bound::Const(lo) => i64::from(lo),
                    Bound::Expr(_) => 0,
                },
                _ => 0,
            };
            for (index, part) in parts.iter().enumerate() {
                let index = first + index as i64;
                cell_names(part, &array.element, format!("{name}[{index}]"), out);
            }
        }
        (Value::Struct(parts), Type::Struct(fields)) => {
            for (part, (field, ty)) in parts.iter().zip(&fields.fields) {
                cell_names(part, ty, format!("{name}.{field}"), out);
            }
        }
        _ => {}
    }
}
