//! Evaluating expressions with clocks as numbers.

use super::{DoubleState, Judge, Judged, because};
use zonewalk_model::eval::{ClockTerm, Code, Evaluator, Fault, FaultKind, Scope, Store, World};
use zonewalk_model::ids::{ClockId, LocationId, ProcessId};
use zonewalk_model::system::Value;
use zonewalk_model::tree::BinaryOp;

/// Clocks as numbers, and draws as they were recorded.
pub(super) struct Readings<'a> {
    clocks: &'a mut [f64],
    locations: &'a [LocationId],
    draws: &'a [f64],
    /// How many of them have been used.
    pub(super) drawn: usize,
    tolerance: f64,
    rates: &'a [f64],
}

impl<'a> Readings<'a> {
    /// Without draws and without tolerance.
    pub(super) fn new(clocks: &'a mut [f64], locations: &'a [LocationId]) -> Readings<'a> {
        Readings {
            clocks,
            locations,
            draws: &[],
            drawn: 0,
            tolerance: 0.0,
            rates: &[],
        }
    }

    /// With these draws, and the number of them that have been used.
    pub(super) fn with_draws(self, draws: &'a [f64], drawn: usize) -> Readings<'a> {
        Readings { draws, drawn, ..self }
    }
}

impl World for Readings<'_> {
    fn compare(&mut self, _: ClockTerm, _: BinaryOp) -> Result<bool, FaultKind> {
        Err(FaultKind::unsupported("an exact comparison of clocks in doubles"))
    }

    fn location(&self, process: ProcessId) -> Option<LocationId> {
        self.locations.get(process.index()).copied()
    }

    fn reading(&self, clock: ClockId) -> Option<f64> {
        self.clocks.get(clock.index()).copied()
    }

    fn rate(&self, clock: ClockId) -> Option<f64> {
        self.rates.get(clock.index()).copied()
    }

    fn set_reading(&mut self, clock: ClockId, value: f64) {
        if let Some(slot) = self.clocks.get_mut(clock.index()) {
            *slot = value;
        }
    }

    fn tolerance(&self) -> f64 {
        self.tolerance
    }

    fn draw(&mut self, _: &'static str, _: &[f64]) -> Result<f64, FaultKind> {
        let drawn = self.draws.get(self.drawn).copied();
        self.drawn += 1;
        drawn.ok_or_else(|| FaultKind::unsupported("one draw more than was recorded"))
    }
}

impl Judge<'_> {
    fn scope(&self, process: ProcessId) -> Scope<'_> {
        let instance = &self.system.processes[process.index()];
        Scope {
            process,
            bindings: &instance.bindings,
            variables: &self.model.templates[instance.template.index()].variables,
        }
    }

    /// Evaluates something with clocks as numbers.
    pub(super) fn with<T>(
        &self,
        store: Store<'_>,
        readings: &mut Readings<'_>,
        process: Option<ProcessId>,
        slots: &[Value],
        act: impl FnOnce(&mut Evaluator<'_>) -> Result<T, Fault>,
    ) -> Judged<T> {
        let code = Code::from(self.model);
        let mut evaluator = Evaluator::new(code, store, readings).in_system(self.system);
        if let Some(process) = process {
            evaluator = evaluator.in_process(self.scope(process));
        }
        act(&mut evaluator.with_frame(slots)).map_err(|fault| because(&fault))
    }

    /// Evaluates something in a state, which stays.
    pub(super) fn look<T>(
        &self,
        state: &DoubleState,
        process: Option<ProcessId>,
        slots: &[Value],
        tolerance: f64,
        act: impl FnOnce(&mut Evaluator<'_>) -> Result<T, Fault>,
    ) -> Judged<T> {
        let mut clocks = state.clocks.clone();
        let mut readings = Readings {
            tolerance,
            ..Readings::new(&mut clocks, &state.locations)
        };
        self.with(Store::Shared(&state.memory), &mut readings, process, slots, act)
    }
}
