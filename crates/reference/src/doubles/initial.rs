//! The initial state of a run in doubles.

use super::readings::Readings;
use super::{DoubleState, Judge, Judged};
use zonewalk_model::eval::{Store, World as _};
use zonewalk_model::ids::{LocationId, ProcessId};
use zonewalk_model::system::{Memory, Value};
use zonewalk_model::tree::Init;
use zonewalk_syntax::span::Span;

impl Judge<'_> {
    /// The initial state. Initial values that are drawn, and all that come after them, are computed here.
    pub(super) fn initial(&self, draws: &[f64]) -> Judged<DoubleState> {
        let mut clocks: Vec<f64> = self.system.clocks.iter().map(|c| f64::from(c.initial)).collect();
        let mut memory = self.system.initial.clone();
        let locations: Vec<LocationId> = self
            .processes()
            .map(|p| self.model.templates[self.system.processes[p.index()].template.index()].initial)
            .collect();
        let mut drawn = 0;
        let mut is_at_run_start = false;
        let count = self.model.globals.len();
        let globals = (0..count).map(|i| (None, i));
        let locals = self.processes().flat_map(|p| {
            let template = self.system.processes[p.index()].template;
            let variables = self.model.templates[template.index()].variables.len();
            (0..variables).map(move |i| (Some(p), i))
        });
        for (process, index) in globals.chain(locals) {
            let variable = match process {
                None => &self.model.globals[index],
                Some(p) => {
                    let template = self.system.processes[p.index()].template;
                    &self.model.templates[template.index()].variables[index]
                }
            };
            let Some(init) = variable.init.as_ref().filter(|_| variable.from_param.is_none()) else {
                continue;
            };
            is_at_run_start = is_at_run_start
                || zonewalk_model::run_start::initialised_at_run_start(self.model, variable, init);
            if !is_at_run_start {
                continue;
            }
            let before = memory.clone();
            let mut readings = Readings::new(&mut clocks, &locations).with_draws(draws, drawn);
            let old = match process {
                None => memory.globals[index].clone(),
                Some(p) => memory.locals[p.index()][index].clone(),
            };
            let (ty, is_const, span) = (&variable.ty, variable.is_const, variable.span);
            if ty.base().is_clock() {
                self.start_clocks(&before, &mut readings, process, &old, init)?;
                drawn = readings.drawn;
                continue;
            }
            let value = self.with(Store::Shared(&before), &mut readings, process, &[], |e| {
                e.initial(ty, is_const, Some(init), span)
            })?;
            drawn = readings.drawn;
            match process {
                None => memory.globals[index] = value,
                Some(p) => memory.locals[p.index()][index] = value,
            }
        }
        if drawn != draws.len() {
            return Err((
                "fewer draws in initial values than were recorded".into(),
                Span::NONE,
            ));
        }
        Ok(DoubleState {
            locations,
            memory,
            clocks,
            time: 0.0,
        })
    }

    fn start_clocks(
        &self,
        memory: &Memory,
        readings: &mut Readings<'_>,
        process: Option<ProcessId>,
        clocks: &Value,
        init: &Init,
    ) -> Judged<()> {
        match (clocks, init) {
            (Value::Clock(clock), Init::Expr(expr)) => {
                let value = self.with(Store::Shared(memory), readings, process, &[], |e| e.value(expr))?;
                let value = match value {
                    Value::Int(i) => f64::from(i),
                    Value::Double(d) => d,
                    _ => return Err(("a clock begins with no number".into(), expr.span)),
                };
                readings.set_reading(*clock, value);
                Ok(())
            }
            (Value::Array(parts) | Value::Struct(parts), Init::List(items)) => parts
                .iter()
                .zip(items)
                .try_for_each(|(part, item)| self.start_clocks(memory, readings, process, part, item)),
            _ => Ok(()),
        }
    }
}
