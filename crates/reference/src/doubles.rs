//! The judge of runs in doubles: computes a recorded run again, with the draws and the instants that were recorded.
//!
//! It shares with the engine what the exact interpreter shares with its engines: the typed tree, and the evaluator of
//! `zonewalk_model`, which the engine does not use. Which edges are ready and who receives, what committed and urgent locations rule
//! out, invariants, rates and updates are written here a second time. Differential equations are integrated by another method
//! (classical Runge and Kutta with small steps), so that a run is confirmed up to a tolerance.

use crate::edges::frame;
use std::fmt;
use zonewalk_model::eval::{ClockTerm, Code, Evaluator, Fault, FaultKind, Scope, Store, World, advance};
use zonewalk_model::ids::{ChannelId, ClockId, EdgeId, LocationId, ProcessId};
use zonewalk_model::system::{Memory, System, Value};
use zonewalk_model::tree::{BinaryOp, Direction, Expr, ExprKind, Location, Model};
use zonewalk_run::Part;
use zonewalk_syntax::span::Span;

/// Clocks and doubles may differ by so much, relatively.
pub const TOLERANCE: f64 = 1e-6;

/// Where rates depend on clocks, two integrators have been at work.
pub const INTEGRATED_TOLERANCE: f64 = 1e-3;

/// Steps of the integration of one delay, at least; and of one unit of time.
const STEPS: f64 = 200.0;

/// Instants of a delay at which invariants are looked at.
const LOOKS: u32 = 16;

/// A run in doubles, as it was recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct DoubleRun {
    /// What initial values drew.
    pub initial_draws: Vec<f64>,
    /// The transitions.
    pub steps: Vec<DoubleStep>,
    /// When it ends.
    pub end: f64,
}

/// A transition of it.
#[derive(Clone, Debug, PartialEq)]
pub struct DoubleStep {
    /// When it is taken.
    pub time: f64,
    /// Who takes part: who begins it, then the receivers.
    pub parts: Vec<Part>,
    /// What its updates drew.
    pub draws: Vec<f64>,
}

/// A state with clocks in doubles.
#[derive(Clone, Debug, PartialEq)]
pub struct DoubleState {
    /// By `ProcessId`.
    pub locations: Vec<LocationId>,
    /// The variables.
    pub memory: Memory,
    /// By `ClockId`.
    pub clocks: Vec<f64>,
    /// The time since the beginning.
    pub time: f64,
}

/// Why a run is none of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Objection {
    /// The number of the transition, from 1; one more than there are for what comes after the last.
    pub step: usize,
    /// What is wrong.
    pub message: String,
    /// Where, if it is somewhere.
    pub span: Span,
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "transition {}: {}", self.step, self.message)
    }
}

impl std::error::Error for Objection {}

/// Computes a run again, and gives the states after its transitions, the initial one first and that at its end last.
///
/// # Errors
/// What the semantics does not allow.
pub fn judge(model: &Model, system: &System, run: &DoubleRun) -> Result<Vec<DoubleState>, Objection> {
    let judge = Judge { model, system };
    let object = |step: usize| {
        move |objection: (String, Span)| Objection {
            step,
            message: objection.0,
            span: objection.1,
        }
    };
    let mut state = judge.initial(&run.initial_draws).map_err(object(0))?;
    let mut states = vec![state.clone()];
    for (number, step) in run.steps.iter().enumerate() {
        judge.delay(&mut state, step.time).map_err(object(number + 1))?;
        judge.take(&mut state, step).map_err(object(number + 1))?;
        states.push(state.clone());
    }
    judge
        .delay(&mut state, run.end)
        .map_err(object(run.steps.len() + 1))?;
    states.push(state);
    Ok(states)
}

/// Whether a condition of a query holds in a state, up to the tolerance of the judge.
///
/// # Errors
/// The run-time error that it runs into, in words.
pub fn holds(model: &Model, system: &System, state: &DoubleState, condition: &Expr) -> Result<bool, String> {
    let judge = Judge { model, system };
    let mut clocks = state.clocks.clone();
    let mut readings = Readings {
        clocks: &mut clocks,
        locations: &state.locations,
        draws: &[],
        drawn: 0,
        tolerance: judge.tolerance(),
        rates: &[],
    };
    let store = Store::Shared(&state.memory);
    let truth = judge.with(store, &mut readings, None, &[], |e| e.holds(condition));
    truth.map_err(|(message, _)| message)
}

type Judged<T> = Result<T, (String, Span)>;

fn because(fault: &Fault) -> (String, Span) {
    (fault.to_string(), fault.span)
}

struct Judge<'m> {
    model: &'m Model,
    system: &'m System,
}

/// Clocks as numbers, and draws as they were recorded.
struct Readings<'a> {
    clocks: &'a mut [f64],
    locations: &'a [LocationId],
    draws: &'a [f64],
    drawn: usize,
    tolerance: f64,
    rates: &'a [f64],
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

    fn location(&self, state: &DoubleState, process: ProcessId) -> &Location {
        let template = self.system.processes[process.index()].template;
        &self.model.templates[template.index()].locations[state.locations[process.index()].index()]
    }

    fn processes(&self) -> impl Iterator<Item = ProcessId> + use<> {
        (0..self.system.processes.len()).map(ProcessId::from_index)
    }

    fn name(&self, process: ProcessId) -> &str {
        &self.system.processes[process.index()].name
    }

    /// Whether a rate depends on clocks somewhere, so that values are only about right.
    fn tolerance(&self) -> f64 {
        let mut invariants = self
            .model
            .templates
            .iter()
            .flat_map(|t| &t.locations)
            .filter_map(|l| l.invariant.as_ref());
        if invariants.any(has_varying_rate) {
            INTEGRATED_TOLERANCE
        } else {
            TOLERANCE
        }
    }

    /// Evaluates something with clocks as numbers.
    fn with<T>(
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

    fn holds(
        &self,
        state: &DoubleState,
        process: ProcessId,
        slots: &[Value],
        condition: &Expr,
        tolerance: f64,
    ) -> Judged<bool> {
        let mut clocks = state.clocks.clone();
        let mut readings = Readings {
            clocks: &mut clocks,
            locations: &state.locations,
            draws: &[],
            drawn: 0,
            tolerance,
            rates: &[],
        };
        self.with(
            Store::Shared(&state.memory),
            &mut readings,
            Some(process),
            slots,
            |e| e.holds(condition),
        )
    }

    /// The initial state. Initial values that are drawn, and all that come after them, are computed here.
    fn initial(&self, draws: &[f64]) -> Judged<DoubleState> {
        let mut clocks: Vec<f64> = self.system.clocks.iter().map(|c| f64::from(c.initial)).collect();
        let mut memory = self.system.initial.clone();
        let locations: Vec<LocationId> = self
            .processes()
            .map(|p| self.model.templates[self.system.processes[p.index()].template.index()].initial)
            .collect();
        let mut drawn = 0;
        let mut is_late = false;
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
            is_late = is_late || zonewalk_model::late::is_late(self.model, variable, init);
            if !is_late {
                continue;
            }
            let before = memory.clone();
            let mut readings = Readings {
                clocks: &mut clocks,
                locations: &locations,
                draws,
                drawn,
                tolerance: 0.0,
                rates: &[],
            };
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
        init: &zonewalk_model::tree::Init,
    ) -> Judged<()> {
        use zonewalk_model::tree::Init;
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

    /// The rates of all clocks, with the clocks as they are.
    fn rates(&self, state: &DoubleState, clocks: &[f64]) -> Judged<Vec<f64>> {
        let mut rates = vec![1.0; clocks.len()];
        let mut values = clocks.to_vec();
        for process in self.processes() {
            let Some(invariant) = &self.location(state, process).invariant else {
                continue;
            };
            let mut settings = Vec::new();
            let mut readings = Readings {
                clocks: &mut values,
                locations: &state.locations,
                draws: &[],
                drawn: 0,
                tolerance: 0.0,
                rates: &[],
            };
            self.with(
                Store::Shared(&state.memory),
                &mut readings,
                Some(process),
                &[],
                |e| settings_of(invariant, e, &mut settings),
            )?;
            for (clock, rate) in settings {
                rates[clock.index()] = rate;
            }
        }
        Ok(rates)
    }

    /// Lets time pass to an instant.
    fn delay(&self, state: &mut DoubleState, to: f64) -> Judged<()> {
        let delay = to - state.time;
        // An instant is a sum of delays, and its last digit is rounded.
        if delay < -TOLERANCE * to.abs().max(1.0) || !delay.is_finite() {
            return Err((format!("time goes from {} to {to}", state.time), Span::NONE));
        }
        self.invariants(state)?;
        if delay > TOLERANCE * to.abs().max(1.0) {
            for process in self.processes() {
                let location = self.location(state, process);
                if location.committed || location.urgent {
                    let message = format!("time passes while {} is in {}", self.name(process), location.name);
                    return Err((message, location.span));
                }
            }
        }
        if delay > 0.0 {
            let invariants = self
                .processes()
                .filter_map(|p| self.location(state, p).invariant.as_ref());
            let varies = invariants.into_iter().any(has_varying_rate);
            for look in 0..LOOKS {
                let part = delay / f64::from(LOOKS);
                if varies {
                    self.integrate(state, part)?;
                } else {
                    let rates = self.rates(state, &state.clocks)?;
                    for (clock, rate) in state.clocks.iter_mut().zip(rates) {
                        *clock += rate * part;
                    }
                }
                if look + 1 == LOOKS {
                    state.time = to;
                }
                self.invariants(state)?;
            }
        }
        state.time = to;
        Ok(())
    }

    /// Classical Runge and Kutta, in small steps.
    fn integrate(&self, state: &mut DoubleState, delay: f64) -> Judged<()> {
        let count = (STEPS * delay.max(0.1)).ceil();
        let h = delay / count;
        let shifted = |from: &[f64], by: &[f64], h: f64| -> Vec<f64> {
            from.iter().zip(by).map(|(x, d)| x + h * d).collect()
        };
        for _ in 0..count as u64 {
            let x = state.clocks.clone();
            let k1 = self.rates(state, &x)?;
            let k2 = self.rates(state, &shifted(&x, &k1, h / 2.0))?;
            let k3 = self.rates(state, &shifted(&x, &k2, h / 2.0))?;
            let k4 = self.rates(state, &shifted(&x, &k3, h))?;
            for (i, clock) in state.clocks.iter_mut().enumerate() {
                *clock += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            }
        }
        Ok(())
    }

    fn invariants(&self, state: &DoubleState) -> Judged<()> {
        let tolerance = self.tolerance();
        for process in self.processes() {
            let location = self.location(state, process);
            if let Some(invariant) = &location.invariant
                && !self.holds(state, process, &[], invariant, tolerance)?
            {
                let name = self.name(process);
                let message = format!("the invariant of {name}.{} does not hold", location.name);
                return Err((message, invariant.span));
            }
        }
        Ok(())
    }

    fn edge(&self, part: &Part) -> Judged<&zonewalk_model::tree::Edge> {
        let process = self.system.processes.get(part.process.index());
        let template = process.map(|p| &self.model.templates[p.template.index()]);
        let edge = template.and_then(|t| t.edges.get(part.edge.index()));
        edge.filter(|e| e.selects.len() == part.selects.len())
            .ok_or_else(|| ("there is no such edge".into(), Span::NONE))
    }

    fn channel(&self, state: &DoubleState, part: &Part) -> Judged<Option<(ChannelId, Direction)>> {
        let edge = self.edge(part)?;
        let Some(sync) = &edge.sync else {
            return Ok(None);
        };
        let mut clocks = state.clocks.clone();
        let mut readings = Readings {
            clocks: &mut clocks,
            locations: &state.locations,
            draws: &[],
            drawn: 0,
            tolerance: 0.0,
            rates: &[],
        };
        let slots = frame(edge, &part.selects);
        let store = Store::Shared(&state.memory);
        let channel = self.with(store, &mut readings, Some(part.process), &slots, |e| {
            e.channel(&sync.channel)
        })?;
        Ok(Some((channel, sync.direction)))
    }

    /// Whether an edge can be taken, as far as its own process is concerned.
    fn is_ready(&self, state: &DoubleState, part: &Part, tolerance: f64) -> Judged<bool> {
        let edge = self.edge(part)?;
        if state.locations[part.process.index()] != edge.source {
            return Ok(false);
        }
        match &edge.guard {
            Some(guard) => {
                let slots = frame(edge, &part.selects);
                self.holds(state, part.process, &slots, guard, tolerance)
            }
            None => Ok(true),
        }
    }

    fn take(&self, state: &mut DoubleState, step: &DoubleStep) -> Judged<()> {
        let Some(first) = step.parts.first() else {
            return Err(("nobody takes part".into(), Span::NONE));
        };
        let tolerance = self.tolerance();
        for part in &step.parts {
            if !self.is_ready(state, part, tolerance)? {
                let message = format!("{} cannot take its edge", self.name(part.process));
                return Err((message, self.edge(part)?.span));
            }
        }
        self.synchronise(state, first, &step.parts[1..], tolerance)?;
        let is_committed = |p: ProcessId| self.location(state, p).committed;
        if let Some(process) = self.processes().find(|p| is_committed(*p))
            && !step.parts.iter().any(|part| is_committed(part.process))
        {
            let message = format!("{} is committed, and takes no part", self.name(process));
            return Err((message, self.location(state, process).span));
        }
        self.update(state, step)?;
        self.invariants(state)
    }

    /// Whether exactly those take part who have to.
    fn synchronise(
        &self,
        state: &DoubleState,
        first: &Part,
        receivers: &[Part],
        tolerance: f64,
    ) -> Judged<()> {
        let span = self.edge(first)?.span;
        let channel = match self.channel(state, first)? {
            None if receivers.is_empty() => return Ok(()),
            None => return Err(("an edge without a channel has receivers".into(), span)),
            Some((_, Direction::Receive | Direction::Together)) => {
                return Err(("a transition begins with an edge that receives".into(), span));
            }
            Some((channel, Direction::Send)) => channel,
        };
        let mut last = None;
        for part in receivers {
            if self.channel(state, part)? != Some((channel, Direction::Receive)) {
                let message = format!("{} does not receive on the channel", self.name(part.process));
                return Err((message, self.edge(part)?.span));
            }
            if part.process == first.process || last >= Some(part.process) {
                return Err(("the receivers are not in the order of the processes".into(), span));
            }
            last = Some(part.process);
        }
        // Who certainly could have received has to.
        for process in self.processes() {
            let takes_part = process == first.process || receivers.iter().any(|p| p.process == process);
            if !takes_part && self.could_receive(state, process, channel, -tolerance)? {
                let message = format!("{} could receive, and takes no part", self.name(process));
                return Err((message, span));
            }
        }
        Ok(())
    }

    fn could_receive(
        &self,
        state: &DoubleState,
        process: ProcessId,
        channel: ChannelId,
        tolerance: f64,
    ) -> Judged<bool> {
        let template = &self.model.templates[self.system.processes[process.index()].template.index()];
        for (number, edge) in template.edges.iter().enumerate() {
            let receives = edge
                .sync
                .as_ref()
                .is_some_and(|s| s.direction == Direction::Receive);
            if !receives || edge.source != state.locations[process.index()] {
                continue;
            }
            let mut clocks = state.clocks.clone();
            let mut readings = Readings {
                clocks: &mut clocks,
                locations: &state.locations,
                draws: &[],
                drawn: 0,
                tolerance,
                rates: &[],
            };
            let store = Store::Shared(&state.memory);
            let domains = self.with(store, &mut readings, Some(process), &[], |e| {
                let selects = edge.selects.iter();
                selects
                    .map(|s| e.domain(&s.ty, edge.span))
                    .collect::<Result<Vec<_>, _>>()
            })?;
            if domains.iter().any(|d| d.count() == 0) {
                continue;
            }
            let mut part = Part {
                process,
                edge: EdgeId::from_index(number),
                selects: domains.iter().map(|d| d.lo).collect(),
            };
            loop {
                if self.is_ready(state, &part, tolerance)?
                    && self.channel(state, &part)? == Some((channel, Direction::Receive))
                {
                    return Ok(true);
                }
                if !advance(&mut part.selects, &domains) {
                    break;
                }
            }
        }
        Ok(false)
    }

    fn update(&self, state: &mut DoubleState, step: &DoubleStep) -> Judged<()> {
        let DoubleState {
            locations,
            memory,
            clocks,
            ..
        } = state;
        let before = locations.clone();
        let mut readings = Readings {
            clocks,
            locations: &before,
            draws: &step.draws,
            drawn: 0,
            tolerance: 0.0,
            rates: &[],
        };
        for update in &self.model.before_update {
            self.with(Store::Exclusive(memory), &mut readings, None, &[], |e| {
                e.run(update)
            })?;
        }
        for part in &step.parts {
            let edge = self.edge(part)?;
            let slots = frame(edge, &part.selects);
            for update in &edge.updates {
                let store = Store::Exclusive(memory);
                self.with(store, &mut readings, Some(part.process), &slots, |e| {
                    e.run(update)
                })?;
            }
            locations[part.process.index()] = edge.target;
        }
        for update in &self.model.after_update {
            self.with(Store::Exclusive(memory), &mut readings, None, &[], |e| {
                e.run(update)
            })?;
        }
        if readings.drawn != step.draws.len() {
            return Err(("fewer draws than were recorded".into(), Span::NONE));
        }
        Ok(())
    }
}

/// Whether an invariant sets a rate that depends on clocks.
fn has_varying_rate(expr: &Expr) -> bool {
    fn reads_clock(expr: &Expr) -> bool {
        let mut any = expr.ty.is_clock();
        // What a function reads is not looked at: it may be a clock.
        any = any || matches!(expr.kind, ExprKind::Call(..));
        expr.operands(&mut |e| any = any || reads_clock(e));
        any
    }
    if let ExprKind::SetRate(_, rate) = &expr.kind {
        return reads_clock(rate);
    }
    let mut any = false;
    expr.operands(&mut |e| any = any || has_varying_rate(e));
    any
}

/// The rates that an invariant sets. In `b || x' == 0` the rate is set when `b` is false, on whichever side it stands.
fn settings_of(
    expr: &Expr,
    evaluator: &mut Evaluator<'_>,
    settings: &mut Vec<(ClockId, f64)>,
) -> Result<(), Fault> {
    let sets = crate::rates::sets_rate;
    match &expr.kind {
        ExprKind::SetRate(clock, rate) => {
            let Value::Clock(clock) = evaluator.value(clock)? else {
                return Err(FaultKind::unsupported("the rate of something other than a clock").at(clock.span));
            };
            settings.push((clock, evaluator.number_of(rate)?));
        }
        ExprKind::And(parts) => {
            for part in parts {
                settings_of(part, evaluator, settings)?;
            }
        }
        ExprKind::Or(parts) if sets(expr) => {
            for part in parts.iter().filter(|p| !sets(p)) {
                if evaluator.holds(part)? {
                    return Ok(());
                }
            }
            for part in parts.iter().filter(|p| sets(p)) {
                settings_of(part, evaluator, settings)?;
            }
        }
        ExprKind::Imply(condition, body) if sets(body) && evaluator.holds(condition)? => {
            settings_of(body, evaluator, settings)?;
        }
        ExprKind::Conditional(condition, then, otherwise) if sets(expr) => {
            let chosen = if evaluator.holds(condition)? {
                then
            } else {
                otherwise
            };
            settings_of(chosen, evaluator, settings)?;
        }
        ExprKind::Forall(binder, body) if sets(body) => {
            for value in evaluator.domain(&binder.ty, expr.span)?.iter() {
                evaluator.set_slot(binder.slot, Value::Int(value));
                settings_of(body, evaluator, settings)?;
            }
        }
        _ => {}
    }
    Ok(())
}
