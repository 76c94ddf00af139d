//! Variables cell by cell, in the order in which traces name them.

use zonewalk_model::system::{Memory, System, Value};
use zonewalk_model::tree::{Model, Variable};

/// Where the cells of each variable begin.
#[derive(Clone)]
pub(super) struct Cells {
    /// By global; `None` for what has no cells.
    globals: Vec<Option<usize>>,
    /// By process and local.
    locals: Vec<Vec<Option<usize>>>,
}

impl Cells {
    pub(super) fn new(model: &Model, system: &System) -> Self {
        let mut next = 0;
        let mut place = |(variable, value): (&Variable, &Value)| {
            if variable.is_const {
                return None;
            }
            let first = next;
            next += count(value);
            (next > first).then_some(first)
        };
        let globals = model
            .globals
            .iter()
            .zip(&system.initial.globals)
            .map(&mut place)
            .collect();
        let processes = system.processes.iter().zip(&system.initial.locals);
        let locals = processes
            .map(|(process, values)| {
                let variables = &model.templates[process.template.index()].variables;
                variables.iter().zip(values).map(&mut place).collect()
            })
            .collect();
        Cells { globals, locals }
    }

    /// The values of all cells.
    pub(super) fn values(&self, memory: &Memory) -> Vec<i64> {
        let mut values = Vec::new();
        let mut take = |place: &Option<usize>, value: &Value| {
            if place.is_some() {
                each(value, &mut |cell| values.push(cell.into()));
            }
        };
        for (place, value) in self.globals.iter().zip(&memory.globals) {
            take(place, value);
        }
        for (places, locals) in self.locals.iter().zip(&memory.locals) {
            for (place, value) in places.iter().zip(locals) {
                take(place, value);
            }
        }
        values
    }

    /// Tells of every cell that differs its number and its new value.
    pub(super) fn changes(&self, old: &Memory, new: &Memory, mut tell: impl FnMut(usize, i64)) {
        for (place, (old, new)) in self.globals.iter().zip(old.globals.iter().zip(&new.globals)) {
            compare(*place, old, new, &mut tell);
        }
        for (places, (old, new)) in self.locals.iter().zip(old.locals.iter().zip(&new.locals)) {
            if old == new {
                continue;
            }
            for (place, (old, new)) in places.iter().zip(old.iter().zip(new)) {
                compare(*place, old, new, &mut tell);
            }
        }
    }
}

fn compare(place: Option<usize>, old: &Value, new: &Value, tell: &mut impl FnMut(usize, i64)) {
    let Some(first) = place.filter(|_| old != new) else {
        return;
    };
    let (mut before, mut after) = (Vec::new(), Vec::new());
    each(old, &mut |cell| before.push(cell));
    each(new, &mut |cell| after.push(cell));
    for (i, (old, new)) in before.iter().zip(&after).enumerate() {
        if old != new {
            tell(first + i, i64::from(*new));
        }
    }
}

fn count(value: &Value) -> usize {
    let mut count = 0;
    each(value, &mut |_| count += 1);
    count
}

/// The integers of a value, from left to right. Recursion is as deep as the type, which the text nests.
fn each(value: &Value, visit: &mut impl FnMut(i32)) {
    match value {
        Value::Int(value) => visit(*value),
        Value::Array(parts) | Value::Struct(parts) => parts.iter().for_each(|part| each(part, visit)),
        Value::Unknown(..) | Value::Double(_) | Value::Str(_) | Value::Clock(_) | Value::Channel(_) => {}
    }
}
