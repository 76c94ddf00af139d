//! Processes that a query chooses by a value that is known only at run time: `P(i).v` in a sum that stays a loop, or
//! with a variable for `i`.
//!
//! The processes of a set are numbered one after the other, so their locations are an array, and so are their
//! variables wherever the addresses lie at equal distances: the choice is one index more. Where they do not, a loop
//! is written out instead ([`Unit::must_write_out`]).

use super::lvalue::{Lvalue, Root, Step};
use super::{Unit, View};
use crate::build::storage::{Space, first_identity, flatten};
use crate::build::types::{Kind, Size, TypeId};
use crate::code::cell::{Base, Cell};
use crate::code::instr::{Check, Instr, Range};
use crate::error::{CompileError, Result};
use crate::expressions::constants::Scope;
use crate::expressions::visit;
use zonewalk_model::ids::{LocalId, ParamId, ProcessId, ProcessSetId, SlotId};
use zonewalk_model::system::{Binding, Place as SystemPlace, Root as SystemRoot, SetRange, Value};
use zonewalk_model::tree::{Expr, ExprKind, ProcessExpr};
use zonewalk_syntax::span::Span;

/// The process that a query names.
pub(super) enum Chosen {
    /// This one.
    One(ProcessId),
    /// One of many.
    Among(Choice),
}

/// One of the processes of a set.
pub(super) struct Choice {
    set: ProcessSetId,
    /// Number of processes that the constant arguments skip.
    skipped: u32,
    /// The other arguments. Their strides count processes.
    steps: Vec<(Step, u32)>,
}

/// Variable or parameter of a process that a query names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Member {
    Local(LocalId),
    Param(ParamId),
}

/// Where a member lies in the processes of a set: that of the first one, and how far it is to the next.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    ty: TypeId,
    first: First,
    stride: Size,
}

#[derive(Clone, Debug)]
enum First {
    /// Constants: those of all the processes.
    Constants(Vec<i32>),
    /// In each space that the type uses: the address, the number of the clock or channel.
    Variable([Option<u32>; 3]),
}

const SPACES: [Space; 3] = [Space::Cells, Space::Clocks, Space::Channels];

impl Unit<'_, '_> {
    /// The process that a query names by constants; `None` when an argument is known only at run time.
    pub(crate) fn known_process(&self, process: &ProcessExpr, span: Span) -> Result<Option<ProcessId>> {
        let scope = self.scope();
        let args: Option<Vec<i32>> = process.args.iter().map(|a| scope.fold(a)).collect();
        let Some(args) = args else { return Ok(None) };
        let set = scope.system.sets.get(process.set.index());
        let set = set.filter(|s| s.dims.len() == args.len());
        match set.and_then(|s| s.process(&args)) {
            Some(process) => Ok(Some(process)),
            None => Err(self.no_process(process.set, &args, span)),
        }
    }

    /// The process that a query names. Evaluates and checks the arguments.
    pub(super) fn process(&mut self, process: &ProcessExpr, span: Span) -> Result<Chosen> {
        if let Some(process) = self.known_process(process, span)? {
            return Ok(Chosen::One(process));
        }
        let set = self.builder.system.sets.get(process.set.index());
        let set = set.filter(|s| s.dims.len() == process.args.len() && !s.is_empty());
        let dims = match set {
            Some(set) => &set.dims,
            None => return Err(self.no_process(process.set, &[], span)),
        };
        let mut choice = Choice {
            set: process.set,
            skipped: 0,
            steps: Vec::new(),
        };
        let mut weight: u32 = dims.iter().map(|d| d.1).product();
        for (arg, &(lo, count)) in process.args.iter().zip(dims) {
            // The set is not empty, so `count` is not 0.
            weight /= count.max(1);
            let known = self.scope().fold(arg);
            let position = known.map(|value| i64::from(value) - i64::from(lo));
            if let Some(position) = position.filter(|p| (0..i64::from(count)).contains(p)) {
                choice.skipped += position as u32 * weight;
                continue;
            }
            let last = (i64::from(lo) + i64::from(count) - 1).min(i64::from(i32::MAX)) as i32;
            let interval = self.interval(arg);
            let (mut start, mut len) = (lo, count);
            // An argument that cannot fail need not be looked for among all the values.
            let safe = interval.lo <= interval.hi && interval.within(Range { lo, hi: last });
            if safe {
                choice.skipped += (i64::from(interval.lo) - i64::from(lo)) as u32 * weight;
                start = interval.lo;
                len = (i64::from(interval.hi) - i64::from(interval.lo) + 1) as u32;
            }
            let step = Step {
                index: self.value(arg, None)?,
                lo: start,
                len,
                stride: Size::default(),
                span: arg.span,
                checked: safe,
            };
            choice.steps.push((step, weight));
        }
        // All arguments are evaluated before the process is looked for.
        for (step, _) in choice.steps.iter_mut().filter(|(step, _)| !step.checked) {
            let array = self.builder.array(step.array(Cell::new(Base::Absolute, 0), 1));
            let index = step.index;
            self.emit_at(Instr::CheckIndex { index, array }, Check::Process, span);
            step.checked = true;
        }
        Ok(Chosen::Among(choice))
    }

    /// A cell with the location of a process.
    pub(super) fn location(&mut self, process: &ProcessExpr, span: Span) -> Result<Cell> {
        // The cells of the locations come first in memory, by process.
        let choice = match self.process(process, span)? {
            Chosen::One(process) => return Ok(Cell::new(Base::Absolute, process.0)),
            Chosen::Among(choice) => choice,
        };
        let first = self.first(choice.set);
        let ty = self.builder.types.intern(Kind::Int(Range::ALL), span)?;
        let root = Root::Cell(Cell::new(Base::Absolute, first));
        let stride = Size {
            cells: 1,
            ..Size::default()
        };
        let place = choice.lvalue(ty, root, stride);
        self.read(&place, None, span)
    }

    /// A variable or parameter of one of many processes.
    pub(super) fn chosen_member(&mut self, choice: &Choice, member: Member, span: Span) -> Result<Lvalue> {
        let Some(row) = self.row(choice.set, member, span)? else {
            let name = self.set_name(choice.set);
            let message = format!(
                "this differs in size or position between the processes of `{name}`, so the process must be \
                 selected by a constant or by a variable of `forall`, `exists` or `sum`"
            );
            return Err(CompileError::unsupported(span, message));
        };
        let root = match row.first {
            First::Constants(values) => Root::Cell(self.builder.table(values)?),
            First::Variable([Some(address), None, None]) => Root::Cell(Cell::new(Base::Absolute, address)),
            First::Variable(starts) => {
                // Addresses and numbers are below the limit of cells.
                Root::Pointers(starts.map(|start| Some(self.builder.constant(start? as i32))))
            }
        };
        Ok(choice.lvalue(row.ty, root, row.stride))
    }

    /// Whether a loop over the values of `slot` must be written out, because its body names something of a process
    /// chosen by the slot that no index leads to.
    pub(crate) fn must_write_out(&mut self, slot: SlotId, body: &Expr) -> Result<bool> {
        let mut members = Vec::new();
        let mut calls = false;
        visit::expression(body, &mut |e| {
            let chosen = |p: &ProcessExpr| p.args.iter().any(|arg| arg.names(slot));
            match &e.kind {
                ExprKind::Member(p, id) if chosen(p) => members.push((p.set, Member::Local(*id), e.span)),
                ExprKind::ParamMember(p, id) if chosen(p) => {
                    members.push((p.set, Member::Param(*id), e.span));
                }
                ExprKind::ProcessCall(p, _, _) if chosen(p) => calls = true,
                _ => {}
            }
        });
        for (set, member, span) in members {
            if self.row(set, member, span)?.is_none() {
                return Ok(true);
            }
        }
        Ok(calls)
    }

    /// How a member lies in the processes of a set; `None` when no index leads from one to the next.
    fn row(&mut self, set: ProcessSetId, member: Member, span: Span) -> Result<Option<Row>> {
        if let Some(row) = self.builder.rows.get(&(set, member)) {
            return Ok(row.clone());
        }
        let row = self.make_row(set, member, span)?;
        self.builder.rows.insert((set, member), row.clone());
        Ok(row)
    }

    fn make_row(&mut self, set: ProcessSetId, member: Member, span: Span) -> Result<Option<Row>> {
        let first = self.first(set);
        let count = self.builder.system.sets.get(set.index()).map_or(0, SetRange::len);
        let processes = || (first..first + count).map(ProcessId);
        let mut ty = None;
        for process in processes() {
            let this = self.member_type(process, member, span)?;
            ty = match ty {
                Some(other) => match self.joined(other, this, span)? {
                    Some(both) => Some(both),
                    None => return Ok(None),
                },
                None => Some(this),
            };
        }
        let Some(ty) = ty else { return Ok(None) };
        let size = self.builder.types.size(ty);
        let found: Option<Vec<(Option<u32>, &Value)>> =
            processes().map(|p| self.member_start(p, member)).collect();
        let unknown = || CompileError::internal(span, "a variable without a place in memory");
        let found = found.ok_or_else(unknown)?;
        if found.iter().all(|(address, _)| address.is_none()) {
            let mut values = Vec::new();
            found.iter().for_each(|(_, value)| flatten(value, &mut values));
            // What has clocks or channels in it is not a constant.
            let fits = values.len() as u64 == u64::from(size.cells) * u64::from(count);
            return Ok(fits.then_some(Row {
                ty,
                first: First::Constants(values),
                stride: size,
            }));
        }
        let mut starts = [None; 3];
        let mut strides = [0; 3];
        for (number, &space) in SPACES.iter().enumerate().filter(|(_, s)| size.of(**s) > 0) {
            let starts_of = found.iter().map(|(address, value)| match space {
                Space::Cells => *address,
                _ => first_identity(value, space),
            });
            let Some((start, stride)) = starts_of.collect::<Option<Vec<u32>>>().and_then(|s| line(&s)) else {
                return Ok(None);
            };
            (starts[number], strides[number]) = (Some(start), stride);
        }
        let [cells, clocks, channels] = strides;
        Ok(Some(Row {
            ty,
            first: First::Variable(starts),
            stride: Size {
                cells,
                clocks,
                channels,
            },
        }))
    }

    /// A type for what has one type or another. Only ranges may differ.
    fn joined(&mut self, a: TypeId, b: TypeId, span: Span) -> Result<Option<TypeId>> {
        if a == b {
            return Ok(Some(a));
        }
        let types = &self.builder.types;
        let kind = match (types.kind(a).clone(), types.kind(b).clone()) {
            (Kind::Int(_) | Kind::Bool, Kind::Int(_) | Kind::Bool) => Kind::Int(Range::ALL),
            (
                Kind::Array { element, lo, len },
                Kind::Array {
                    element: other,
                    lo: also_lo,
                    len: also_len,
                },
            ) if (lo, len) == (also_lo, also_len) => match self.joined(element, other, span)? {
                Some(element) => Kind::Array { element, lo, len },
                None => return Ok(None),
            },
            (Kind::Struct(fields), Kind::Struct(others)) if fields.len() == others.len() => {
                let fields = fields.into_iter().zip(others);
                let fields = fields.map(|(a, b)| self.joined(a, b, span));
                match fields.collect::<Result<Option<Vec<TypeId>>>>()? {
                    Some(fields) => Kind::Struct(fields),
                    None => return Ok(None),
                }
            }
            _ => return Ok(None),
        };
        Ok(Some(self.builder.types.intern(kind, span)?))
    }

    pub(super) fn member_type(&mut self, process: ProcessId, member: Member, span: Span) -> Result<TypeId> {
        match member {
            Member::Local(id) => match self.builder.storage.local(process, id) {
                Some(stored) => Ok(stored.ty),
                None => Err(CompileError::internal(span, "an unknown variable of a process")),
            },
            Member::Param(id) => self.param_type(View::Process(process), id, span),
        }
    }

    /// The address of a member, unless it is a constant, and what it holds at first.
    fn member_start(&self, process: ProcessId, member: Member) -> Option<(Option<u32>, &Value)> {
        let scope = Scope::process(self.builder.model, self.builder.system, process);
        match member {
            Member::Local(id) => {
                let place = SystemPlace {
                    root: SystemRoot::Local(process, id),
                    path: Vec::new(),
                };
                let address = self.builder.storage.address_of_local(process, id.index());
                Some((address, scope.place(&place)?.0))
            }
            Member::Param(id) => {
                let binding = self.builder.system.processes.get(process.index())?;
                match binding.bindings.get(id.index())? {
                    Binding::Value(value) => Some((None, value)),
                    Binding::Place(place) => {
                        let (address, _) = self.builder.storage.address(place, &self.builder.types)?;
                        Some((Some(address), scope.place(place)?.0))
                    }
                }
            }
        }
    }

    /// Says which of the arguments are not values of their parameters. Without arguments: there is no process at all.
    fn no_process(&self, id: ProcessSetId, args: &[i32], span: Span) -> Box<CompileError> {
        let name = self.set_name(id);
        if args.is_empty() {
            return CompileError::no_process(span, format!("there is no process `{name}(…)`"));
        }
        let params = self.builder.model.process_sets.get(id.index());
        let params = params.iter().flat_map(|set| &set.free);
        let ranges = self.builder.system.sets.get(id.index());
        let ranges = ranges.iter().flat_map(|set| &set.dims);
        let wrong: Vec<String> = params
            .zip(ranges)
            .zip(args)
            .filter_map(|((param, &(low, count)), &arg)| {
                let high = i64::from(low) + i64::from(count) - 1;
                let is_value = (i64::from(low)..=high).contains(&arg.into());
                (!is_value).then(|| format!("`{}` ranges from {low} to {high}", param.name))
            })
            .collect();
        let args: Vec<String> = args.iter().map(i32::to_string).collect();
        let message = format!(
            "there is no process `{name}({})`: {}",
            args.join(", "),
            wrong.join(", ")
        );
        CompileError::no_process(span, message)
    }

    fn first(&self, set: ProcessSetId) -> u32 {
        self.builder.system.sets.get(set.index()).map_or(0, |s| s.first.0)
    }

    pub(super) fn set_name(&self, set: ProcessSetId) -> &str {
        let set = self.builder.model.process_sets.get(set.index());
        set.map_or("", |set| &set.name)
    }
}

impl Choice {
    pub(super) fn set(&self) -> ProcessSetId {
        self.set
    }

    /// Place that lies at `root` in the first process of the set, and `stride` further in each following one.
    fn lvalue(&self, ty: TypeId, root: Root, stride: Size) -> Lvalue {
        // All of these are between the first and the last process, whose addresses are within the limits.
        let times = |count| stride.times(count).unwrap_or_default();
        let steps = self.steps.iter().filter(|_| stride != Size::default());
        let steps = steps.map(|(step, weight)| Step {
            stride: times(*weight),
            ..step.clone()
        });
        Lvalue {
            ty,
            root,
            offset: times(self.skipped),
            steps: steps.collect(),
        }
    }
}

/// Where numbers at equal distances begin, and how far apart they are.
fn line(numbers: &[u32]) -> Option<(u32, u32)> {
    let first = *numbers.first()?;
    let stride = match numbers.get(1) {
        Some(second) => second.checked_sub(first)?,
        None => 0,
    };
    let regular = numbers.windows(2).all(|w| w[1].checked_sub(w[0]) == Some(stride));
    regular.then_some((first, stride))
}
