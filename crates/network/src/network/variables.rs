//! Between cells and the values of variables as the typed tree knows them.

use crate::code::cell::{Base, Cell, Extent};
use crate::network::Network;
use zonewalk_model::ids::{GlobalId, LocalId};
use zonewalk_model::system::{Memory, Value};

/// Where variables are. A place without cells (a clock, a channel) has an empty extent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Variables {
    /// By `GlobalId`.
    pub(crate) globals: Vec<Extent>,
    /// By variant, then by `LocalId`: the first cell and how many; `None` for constants.
    pub(crate) locals: Vec<Vec<Option<(Cell, u32)>>>,
}

impl Network {
    /// The cells of a global variable or constant.
    pub fn global(&self, id: GlobalId) -> Extent {
        self.variables
            .globals
            .get(id.index())
            .copied()
            .unwrap_or(Extent { start: 0, end: 0 })
    }

    /// The cells of a variable of a process; `None` for its constants, which are folded into the code.
    pub fn local(&self, process: u32, id: LocalId) -> Option<Extent> {
        let home = self.processes.get(process as usize)?;
        let variant = self.variables.locals.get(home.variant as usize)?;
        let (cell, count) = (*variant.get(id.index())?)?;
        let base = if cell.base() == Base::Meta {
            home.meta.start
        } else {
            home.variables.start
        };
        Some(Extent::new(base + cell.offset(), count))
    }

    /// Writes the integers of `values` into the cells of their variables.
    pub fn write_values(&self, values: &Memory, memory: &mut [i32]) {
        self.each_variable(|this, extent, global, local| {
            let value = match (global, local) {
                (Some(g), _) => values.globals.get(g),
                (None, Some((p, l))) => values.locals.get(p).and_then(|v| v.get(l)),
                (None, None) => None,
            };
            let mut at = extent.start.min(this.layout.frame) as usize;
            if let Some(value) = value {
                put(value, memory, &mut at);
            }
        });
    }

    /// Writes the cells of variables into the integers of `values`, which has the shape of the initial values.
    pub fn read_values(&self, memory: &[i32], values: &mut Memory) {
        self.each_variable(|_, extent, global, local| {
            let value = match (global, local) {
                (Some(g), _) => values.globals.get_mut(g),
                (None, Some((p, l))) => values.locals.get_mut(p).and_then(|v| v.get_mut(l)),
                (None, None) => None,
            };
            let mut at = extent.start as usize;
            if let Some(value) = value {
                get(value, memory, &mut at);
            }
        });
    }

    fn each_variable(&self, mut visit: impl FnMut(&Network, Extent, Option<usize>, Option<(usize, usize)>)) {
        for (number, &extent) in self.variables.globals.iter().enumerate() {
            visit(self, extent, Some(number), None);
        }
        for (process, home) in self.processes.iter().enumerate() {
            let locals = self
                .variables
                .locals
                .get(home.variant as usize)
                .map_or(0, Vec::len);
            for local in 0..locals {
                if let Some(extent) = self.local(process as u32, LocalId::from_index(local)) {
                    visit(self, extent, None, Some((process, local)));
                }
            }
        }
    }
}

fn put(value: &Value, memory: &mut [i32], at: &mut usize) {
    match value {
        Value::Int(i) => {
            if let Some(cell) = memory.get_mut(*at) {
                *cell = *i;
            }
            *at += 1;
        }
        Value::Array(parts) | Value::Struct(parts) => parts.iter().for_each(|p| put(p, memory, at)),
        Value::Unknown(..) | Value::Double(_) | Value::Str(_) | Value::Clock(_) | Value::Channel(_) => {}
    }
}

fn get(value: &mut Value, memory: &[i32], at: &mut usize) {
    match value {
        Value::Int(i) => {
            if let Some(cell) = memory.get(*at) {
                *i = *cell;
            }
            *at += 1;
        }
        Value::Array(parts) | Value::Struct(parts) => parts.iter_mut().for_each(|p| get(p, memory, at)),
        Value::Unknown(..) | Value::Double(_) | Value::Str(_) | Value::Clock(_) | Value::Channel(_) => {}
    }
}
