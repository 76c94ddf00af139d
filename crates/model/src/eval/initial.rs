//! Initial values.

use super::fault::{Fault, FaultKind, Subject};
use super::{Evaluator, STEP_LIMIT};
use crate::ids::{ChannelId, ClockId};
use crate::system::{Parts, Value};
use crate::tree::Init;
use crate::types::{ArrayType, ChanType, StructType, Type};
use std::fmt::Write;
use zonewalk_syntax::span::Span;

/// Makes the clocks and channels that variables consist of.
pub trait Identities {
    /// A new clock.
    fn clock(&mut self, name: &str, initial: i32, hybrid: bool) -> ClockId;

    /// A new channel.
    fn channel(&mut self, name: &str, kind: ChanType) -> ChannelId;
}

/// For where there are no clocks and channels: every one of them is number 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoIdentities;

impl Identities for NoIdentities {
    fn clock(&mut self, _: &str, _: i32, _: bool) -> ClockId {
        ClockId(0)
    }

    fn channel(&mut self, _: &str, _: ChanType) -> ChannelId {
        ChannelId(0)
    }
}

impl Evaluator<'_> {
    /// The initial value of a variable without clocks and channels.
    ///
    /// # Errors
    /// The run-time error that the initialiser runs into; a variable that is too large.
    pub fn initial(
        &mut self,
        ty: &Type,
        is_const: bool,
        init: Option<&Init>,
        span: Span,
    ) -> Result<Value, Fault> {
        self.steps_left = STEP_LIMIT;
        self.depth = 0;
        self.element_count(ty, span)?;
        self.data(ty, is_const, init, span)
    }

    /// Initial value of a variable of a block, within the limits of the call.
    pub(super) fn initial_in_block(
        &mut self,
        ty: &Type,
        is_const: bool,
        init: Option<&Init>,
        span: Span,
    ) -> Result<Value, Fault> {
        let cells = self.element_count(ty, span)?;
        self.spend(cells, span)?;
        self.data(ty, is_const, init, span)
    }

    /// The initial value of a variable that may have clocks and channels in it: each gets a name made of `name`,
    /// indices and fields.
    ///
    /// # Errors
    /// The run-time error that the initialiser runs into; a variable that is too large.
    pub fn initial_with(
        &mut self,
        ty: &Type,
        is_const: bool,
        init: Option<&Init>,
        span: Span,
        name: &mut String,
        identities: &mut dyn Identities,
    ) -> Result<Value, Fault> {
        self.steps_left = STEP_LIMIT;
        self.depth = 0;
        self.element_count(ty, span)?;
        self.mixed(ty, is_const, init, span, name, identities)
    }

    fn mixed(
        &mut self,
        ty: &Type,
        is_const: bool,
        init: Option<&Init>,
        span: Span,
        name: &mut String,
        identities: &mut dyn Identities,
    ) -> Result<Value, Fault> {
        if !ty.any(&mut |t| matches!(t, Type::Clock { .. } | Type::Chan(_))) {
            return self.data(ty, is_const, init, span);
        }
        match ty {
            Type::Clock { hybrid } => {
                let initial = match init {
                    Some(Init::Expr(e)) => match self.eval(e)? {
                        Value::Int(i) => i,
                        // A fraction makes the model statistical: it can be examined, and no engine runs it.
                        _ => 0,
                    },
                    _ => 0,
                };
                if initial < 0 {
                    return Err(FaultKind::NegativeClock(initial.to_string()).at(span));
                }
                Ok(Value::Clock(identities.clock(name, initial, *hybrid)))
            }
            Type::Chan(kind) => Ok(Value::Channel(identities.channel(name, *kind))),
            Type::Array(a) => {
                let (length, first) = (self.length(a, span)?, self.first_index(a, span)?);
                let items = items(init)?;
                let end = name.len();
                let mut elements = Vec::new();
                for i in 0..length {
                    // Names go with the index that the model writes, which need not begin at 0.
                    let _ = write!(name, "[{}]", i64::from(first) + i as i64);
                    let item = items.and_then(|items| items.get(i as usize));
                    elements.push(self.mixed(&a.element, is_const, item, span, name, identities)?);
                    name.truncate(end);
                }
                Ok(Value::Array(elements.into()))
            }
            Type::Struct(s) => {
                let items = items(init)?;
                let end = name.len();
                let mut fields = Vec::new();
                for (i, (field, ty)) in s.fields.iter().enumerate() {
                    name.push('.');
                    name.push_str(field);
                    let item = items.and_then(|items| items.get(i));
                    fields.push(self.mixed(ty, is_const, item, span, name, identities)?);
                    name.truncate(end);
                }
                Ok(Value::Struct(fields.into()))
            }
            _ => self.data(ty, is_const, init, span),
        }
    }

    /// Finds the lists of an initialiser that have another number of values than their arrays have elements, where the
    /// number of elements depends on the process; tells of both.
    ///
    /// # Errors
    /// A size that cannot be evaluated.
    pub fn miscounted(
        &mut self,
        ty: &Type,
        init: &Init,
        span: Span,
        found: &mut dyn FnMut(&[Init], u64),
    ) -> Result<(), Fault> {
        match (ty, init) {
            (Type::Array(array), Init::List(items)) => {
                let length = self.length(array, span)?;
                if length != items.len() as u64 && !array.index.is_known() {
                    found(items, length);
                }
                items
                    .iter()
                    .try_for_each(|item| self.miscounted(&array.element, item, span, found))
            }
            (Type::Struct(fields), Init::List(items)) => {
                let mut parts = fields.fields.iter().zip(items);
                parts.try_for_each(|((_, ty), item)| self.miscounted(ty, item, span, found))
            }
            _ => Ok(()),
        }
    }

    fn data(&mut self, ty: &Type, is_const: bool, init: Option<&Init>, span: Span) -> Result<Value, Fault> {
        match init {
            None => self.default_value(ty, span),
            Some(Init::Expr(e)) => {
                let value = self.eval(e)?;
                self.fit(value, ty, is_const, &Subject::Value, e.span)
            }
            Some(Init::List(items)) => match ty {
                Type::Array(a) => self.array(a, is_const, items, span),
                Type::Struct(s) => self.record(s, is_const, items, span),
                _ => Err(FaultKind::unsupported("a list for a single value").at(span)),
            },
        }
    }

    fn array(&mut self, ty: &ArrayType, is_const: bool, items: &[Init], span: Span) -> Result<Value, Fault> {
        let length = self.length(ty, span)?;
        let element = self.resolved(&ty.element, span)?;
        // What a short list leaves out gets the default value, what a long one has beyond it is ignored; there is a warning.
        let all = items.iter().map(Some).chain(std::iter::repeat(None));
        let elements = all
            .take(length as usize)
            .map(|item| self.data(&element, is_const, item, span));
        Ok(Value::Array(elements.collect::<Result<_, Fault>>()?))
    }

    fn record(
        &mut self,
        ty: &StructType,
        is_const: bool,
        items: &[Init],
        span: Span,
    ) -> Result<Value, Fault> {
        let (expected, found) = (ty.fields.len() as u64, items.len() as u64);
        if expected != found {
            return Err(FaultKind::ElementCount { expected, found }.at(span));
        }
        let fields = ty
            .fields
            .iter()
            .zip(items)
            .map(|((_, t), item)| self.data(t, is_const, Some(item), span));
        Ok(Value::Struct(fields.collect::<Result<_, Fault>>()?))
    }

    /// 0, or the smallest value of a range without 0 (`semantics.md` 19a).
    fn default_value(&mut self, ty: &Type, span: Span) -> Result<Value, Fault> {
        match ty {
            Type::Array(a) => {
                let length = self.length(a, span)?;
                if length == 0 {
                    return Ok(Value::Array(Parts::default()));
                }
                // `element_count` has seen to it that the length is small.
                let element = self.default_value(&a.element, span)?;
                Ok(Value::Array(vec![element; length as usize].into()))
            }
            Type::Struct(s) => {
                let fields = s.fields.iter().map(|(_, t)| self.default_value(t, span));
                Ok(Value::Struct(fields.collect::<Result<_, Fault>>()?))
            }
            Type::Double => Ok(Value::Double(0.0)),
            Type::Str => Ok(Value::Str("".into())),
            Type::Range(_) | Type::Scalar(_) => {
                let domain = self.domain(ty, span)?;
                match domain {
                    d if d.count() == 0 => Err(FaultKind::EmptyRange { lo: d.lo, hi: d.hi }.at(span)),
                    d if d.contains(0) => Ok(Value::Int(0)),
                    d => Ok(Value::Int(d.lo)),
                }
            }
            _ => Ok(Value::Int(0)),
        }
    }
}

/// The elements of a list initialiser.
fn items(init: Option<&Init>) -> Result<Option<&[Init]>, Fault> {
    match init {
        None => Ok(None),
        Some(Init::List(items)) => Ok(Some(items)),
        Some(Init::Expr(e)) => Err(FaultKind::unsupported("a copy of clocks as initialiser").at(e.span)),
    }
}
