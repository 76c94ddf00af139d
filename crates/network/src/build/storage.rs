//! Where every variable lives.
//!
//! Memory is `[locations | variables | meta variables | global constants | data | program constants | frame]`.
//! The first two parts are the discrete state; `data` holds what is constant for a process or an edge instance.

use crate::build::types::{Size, TypeId, Types};
use crate::build::variants::TemplateVariant;
use crate::code::cell::{Base, Cell, MAX_CELLS};
use crate::error::{CompileError, Result};
use crate::expressions::constants::{KnownConstants, NoSlots, Scope};
use zonewalk_model::ids::{LocalId, ProcessId};
use zonewalk_model::system::{Place, Root, System, Value};
use zonewalk_model::tree::{Model, Variable};
use zonewalk_syntax::span::Span;

/// The scope in which global types are looked up, as a number of a code copy.
pub(crate) const GLOBAL: u32 = u32::MAX;

/// A variable's type and its first cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stored {
    pub(crate) ty: TypeId,
    /// `None` for a constant of a template, whose values are data of the process.
    pub(crate) cell: Option<Cell>,
}

/// The addresses of a process.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ProcessAddresses {
    pub(crate) variant: u32,
    pub(crate) local: u32,
    pub(crate) meta: u32,
}

/// Where everything that the tree declares lives.
#[derive(Debug, Default)]
pub(crate) struct Storage {
    pub(crate) globals: Vec<Stored>,
    /// By variant, then by variable of the template.
    pub(crate) locals: Vec<Vec<Stored>>,
    pub(crate) processes: Vec<ProcessAddresses>,
    /// Ends of the parts of memory.
    pub(crate) locations: u32,
    pub(crate) variables: u32,
    pub(crate) meta: u32,
    pub(crate) constants: u32,
    /// Initial values of all of these.
    pub(crate) image: Vec<i32>,
}

/// The scope of what is the same in all the processes of a variant.
pub(crate) fn variant_scope<'a>(
    model: &'a Model,
    system: &'a System,
    variant: &'a TemplateVariant,
) -> Scope<'a> {
    Scope {
        model,
        system,
        process: variant.processes.first().copied(),
        known: KnownConstants::Uniform(&variant.uniform_params, &variant.uniform_locals),
        slots: &NoSlots,
    }
}

impl Storage {
    /// Lays out all variables.
    pub(crate) fn new(
        model: &Model,
        system: &System,
        variants: &[TemplateVariant],
        types: &mut Types,
    ) -> Result<Storage> {
        let mut storage = Storage::default();
        let global = Scope::global(model, system);
        let locations = fit(system.processes.len() as u64)?;
        storage.locations = locations;
        storage.globals = declare(&model.globals, types, &global, GLOBAL)?;
        for (number, variant) in variants.iter().enumerate() {
            // The representative knows all the parameters that a type depends on.
            let template = model
                .templates
                .get(variant.template.index())
                .ok_or_else(|| CompileError::internal(Span::NONE, "a process without a template"))?;
            let scope = variant_scope(model, system, variant);
            storage
                .locals
                .push(declare(&template.variables, types, &scope, number as u32)?);
        }
        storage.processes = vec![ProcessAddresses::default(); system.processes.len()];
        for (number, variant) in variants.iter().enumerate() {
            for process in &variant.processes {
                storage.processes[process.index()].variant = number as u32;
            }
        }
        storage.place_variables(model, variants, types)?;
        storage.fill(model, system, types)?;
        Ok(storage)
    }

    fn place_variables(&mut self, model: &Model, variants: &[TemplateVariant], types: &Types) -> Result<()> {
        // Offsets of each variant's variables from its bases, and how much they take.
        let mut sizes = Vec::new();
        for (variant, stored) in variants.iter().zip(&mut self.locals) {
            let (mut local, mut meta) = (0u64, 0u64);
            for (variable, stored) in model.templates[variant.template.index()]
                .variables
                .iter()
                .zip(stored)
            {
                let size = u64::from(types.size(stored.ty).cells);
                if variable.is_const {
                    continue;
                }
                let (base, end) = if variable.is_meta {
                    (Base::Meta, &mut meta)
                } else {
                    (Base::Local, &mut local)
                };
                stored.cell = Some(Cell::new(base, fit(*end)?));
                *end += size;
            }
            sizes.push((fit(local)?, fit(meta)?));
        }
        let mut next = u64::from(self.locations);
        self.place_globals(model, types, &mut next, |v| !v.is_const && !v.is_meta)?;
        for home in &mut self.processes {
            home.local = fit(next)?;
            next += u64::from(sizes[home.variant as usize].0);
        }
        self.variables = fit(next)?;
        self.place_globals(model, types, &mut next, |v| !v.is_const && v.is_meta)?;
        for home in &mut self.processes {
            home.meta = fit(next)?;
            next += u64::from(sizes[home.variant as usize].1);
        }
        self.meta = fit(next)?;
        self.place_globals(model, types, &mut next, |v| v.is_const)?;
        self.constants = fit(next)?;
        Ok(())
    }

    fn place_globals(
        &mut self,
        model: &Model,
        types: &Types,
        next: &mut u64,
        which: impl Fn(&Variable) -> bool,
    ) -> Result<()> {
        for (stored, _) in self
            .globals
            .iter_mut()
            .zip(&model.globals)
            .filter(|(_, v)| which(v))
        {
            stored.cell = Some(Cell::new(Base::Absolute, fit(*next)?));
            *next += u64::from(types.size(stored.ty).cells);
        }
        Ok(())
    }

    fn fill(&mut self, model: &Model, system: &System, types: &Types) -> Result<()> {
        self.image = vec![0; self.constants as usize];
        for number in 0..self.globals.len() {
            let stored = self.globals[number];
            let address = stored.cell.map_or(0, Cell::offset);
            let value = system.initial.globals.get(number);
            self.put(address, value, types.size(stored.ty), model.globals[number].span)?;
        }
        for (number, process) in system.processes.iter().enumerate() {
            let id = ProcessId::from_index(number);
            let template = &model.templates[process.template.index()];
            let values = system.initial.locals.get(number);
            for (local, variable) in template.variables.iter().enumerate() {
                if let Some(address) = self.address_of_local(id, local) {
                    let size = self
                        .local(id, LocalId::from_index(local))
                        .map(|s| types.size(s.ty));
                    let value = values.and_then(|v| v.get(local));
                    self.put(address, value, size.unwrap_or_default(), variable.span)?;
                }
            }
            self.image[number] = template.initial.0 as i32;
        }
        Ok(())
    }

    fn put(&mut self, address: u32, value: Option<&Value>, size: Size, span: Span) -> Result<()> {
        let value = value.ok_or_else(|| CompileError::internal(span, "a variable has no value"))?;
        if !identities_are_contiguous(value) {
            return Err(CompileError::internal(
                span,
                "the clocks or channels of a variable are scattered",
            ));
        }
        let mut cells = Vec::new();
        flatten(value, &mut cells);
        let start = address as usize;
        match self.image.get_mut(start..start + cells.len()) {
            Some(image) if cells.len() == size.cells as usize => image.copy_from_slice(&cells),
            _ => {
                return Err(CompileError::internal(
                    span,
                    "a variable's value has another shape than its type",
                ));
            }
        }
        Ok(())
    }

    /// The address of a variable of a process; `None` for its constants.
    pub(crate) fn address_of_local(&self, process: ProcessId, local: usize) -> Option<u32> {
        let home = self.processes.get(process.index())?;
        let cell = self.locals.get(home.variant as usize)?.get(local)?.cell?;
        let base = if cell.base() == Base::Meta {
            home.meta
        } else {
            home.local
        };
        Some(base + cell.offset())
    }

    /// Variable `local` of a process.
    pub(crate) fn local(&self, process: ProcessId, local: LocalId) -> Option<Stored> {
        let home = self.processes.get(process.index())?;
        self.locals
            .get(home.variant as usize)?
            .get(local.index())
            .copied()
    }

    /// Address and type of a variable or a part of one. The address means nothing for parts without cells.
    pub(crate) fn address(&self, place: &Place, types: &Types) -> Option<(u32, TypeId)> {
        let (address, mut ty) = match place.root {
            Root::Global(id) => {
                let stored = self.globals.get(id.index())?;
                (stored.cell?.offset(), stored.ty)
            }
            Root::Local(process, id) => (
                self.address_of_local(process, id.index())?,
                self.local(process, id)?.ty,
            ),
            Root::Slot(..) => return None,
        };
        let mut offset = Size::default();
        for &step in &place.path {
            let (start, inner) = types.part(ty, step)?;
            offset.cells += start.cells;
            ty = inner;
        }
        Some((address + offset.cells, ty))
    }
}

fn declare(variables: &[Variable], types: &mut Types, scope: &Scope<'_>, copy: u32) -> Result<Vec<Stored>> {
    variables
        .iter()
        .map(|v| {
            Ok(Stored {
                ty: types.resolve(&v.ty, v.is_const, scope, copy, v.span)?,
                cell: None,
            })
        })
        .collect()
}

/// A size or address within the limits of a memory.
pub(crate) fn fit(size: u64) -> Result<u32> {
    u32::try_from(size)
        .ok()
        .filter(|&s| s < MAX_CELLS)
        .ok_or_else(|| {
            CompileError::too_large(
                Span::NONE,
                format!("the model needs more than {MAX_CELLS} cells of memory"),
            )
        })
}

/// The cells of a value, in order.
pub(crate) fn flatten(value: &Value, into: &mut Vec<i32>) {
    match value {
        Value::Int(i) => into.push(*i),
        Value::Array(parts) | Value::Struct(parts) => parts.iter().for_each(|p| flatten(p, into)),
        Value::Double(value) => into.extend(crate::code::double::halves(*value)),
        Value::Unknown(..) | Value::Str(_) | Value::Clock(_) | Value::Channel(_) => {}
    }
}

/// Which of the three spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Cells,
    Clocks,
    Channels,
}

impl Size {
    /// In one space.
    pub(crate) fn of(self, space: Space) -> u32 {
        match space {
            Space::Cells => self.cells,
            Space::Clocks => self.clocks,
            Space::Channels => self.channels,
        }
    }
}

/// The first clock or channel of a value; `None` when it has none.
pub(crate) fn first_identity(value: &Value, space: Space) -> Option<u32> {
    match (value, space) {
        (Value::Clock(id), Space::Clocks) => Some(id.0),
        (Value::Channel(id), Space::Channels) => Some(id.0),
        (Value::Array(parts) | Value::Struct(parts), _) => {
            parts.iter().find_map(|p| first_identity(p, space))
        }
        _ => None,
    }
}

/// Whether the clocks and channels of every variable are numbered one after the other, as indexing needs.
fn identities_are_contiguous(value: &Value) -> bool {
    fn check(value: &Value, next: &mut [Option<u32>; 2]) -> bool {
        let (id, next) = match value {
            Value::Clock(id) => (id.0, &mut next[0]),
            Value::Channel(id) => (id.0, &mut next[1]),
            Value::Array(parts) | Value::Struct(parts) => return parts.iter().all(|p| check(p, next)),
            _ => return true,
        };
        let fits = next.is_none_or(|n| n == id);
        *next = Some(id + 1);
        fits
    }
    check(value, &mut [None, None])
}
