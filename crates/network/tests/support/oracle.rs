//! The plain evaluator as judge of compiled labels.

use super::Loaded;
use std::collections::HashMap;
use zonewalk_model::eval::{
    ClockTerm, Code, Evaluator, Fault, FaultKind, Scope, Store, World, Wraps, arithmetic,
};
use zonewalk_model::ids::{ClockId, EdgeId, LocationId, ProcessId};
use zonewalk_model::system::Value;
use zonewalk_model::tree::{BinaryOp, Edge, Expr};
use zonewalk_network::constraint::{ClockBound, Condition, Relation, Term};
use zonewalk_network::instr::Entry;
use zonewalk_network::predicate::{ClocksAndDeadlock, Predicate};
use zonewalk_network::specialise::{Comparison, Specialised};
use zonewalk_network::vm::{self, Clocks, NoClocks, Trap, run};
use zonewalk_network::{Cell, ChannelUse, Context, Instance, InstanceId, Network, NetworkBuilder};
use zonewalk_reference::rational::Rational;
use zonewalk_reference::{Interpreter, State};

/// Clocks at a point of time.
#[derive(Clone)]
pub struct Point {
    pub clocks: Vec<Rational>,
    pub locations: Vec<LocationId>,
}

impl Point {
    /// Without clocks, for code that is about data.
    fn nowhere() -> Point {
        Point {
            clocks: Vec::new(),
            locations: Vec::new(),
        }
    }
}

impl Point {
    fn value(&self, term: ClockTerm) -> Rational {
        let mut value = Rational::new(i128::from(term.constant), 1).unwrap();
        if let Some(c) = term.plus {
            value = value.plus(self.clocks[c.index()]).unwrap();
        }
        if let Some(c) = term.minus {
            value = value.minus(self.clocks[c.index()]).unwrap();
        }
        value
    }
}

impl World for Point {
    fn compare(&mut self, term: ClockTerm, op: BinaryOp) -> Result<bool, FaultKind> {
        arithmetic::compare(op, &self.value(term).signum(), &0)
    }

    fn assign(&mut self, clock: ClockId, term: ClockTerm) -> Result<(), FaultKind> {
        let value = self.value(term);
        if value.signum() < 0 {
            return Err(FaultKind::NegativeClock(value.to_string()));
        }
        self.clocks[clock.index()] = value;
        Ok(())
    }

    fn location(&self, process: ProcessId) -> Option<LocationId> {
        self.locations.get(process.index()).copied()
    }
}

impl Clocks for Point {
    fn set(&mut self, clock: ClockId, value: i32) {
        self.clocks[clock.index()] = Rational::from(value);
    }

    fn copy(&mut self, to: ClockId, from: ClockId, plus: i32) -> bool {
        let value = self.clocks[from.index()].plus(Rational::from(plus)).unwrap();
        self.clocks[to.index()] = value;
        value.signum() >= 0
    }
}

/// A world in which every clock comparison holds.
struct DataOnly;

impl World for DataOnly {
    fn compare(&mut self, _: ClockTerm, _: BinaryOp) -> Result<bool, FaultKind> {
        Ok(true)
    }
}

/// Compares a network with the tree, state by state.
pub struct Judge<'l> {
    pub loaded: &'l Loaded,
    pub network: Network,
    predicates: Vec<(usize, Predicate)>,
    /// For each instance what its guard said for which values of the cells that it says it reads.
    answers: HashMap<(InstanceId, Vec<i32>), bool>,
    pub labels: usize,
    /// Specialised code, with what there is of it by entry and context.
    special: Specialised,
    made: HashMap<(Entry, Context), Option<Entry>>,
    pub specialised: usize,
    /// Where the tree has wrapped.
    wraps: Wraps,
}

impl<'l> Judge<'l> {
    pub fn new(loaded: &'l Loaded, mut builder: NetworkBuilder<'_>) -> Judge<'l> {
        let mut predicates = Vec::new();
        for (number, query) in loaded.queries.iter().enumerate() {
            use zonewalk_model::tree::QueryKind::*;
            let exprs: Vec<&Expr> = match &query.kind {
                Reachable(p) | Invariant(p) | PotentiallyAlways(p) | Inevitable(p) => vec![p],
                LeadsTo(p, q) => vec![p, q],
                Extremum { .. } | Statistical(_) | Other(_) => Vec::new(),
            };
            for expr in exprs {
                if let Ok(p) = builder.predicate(query.slots, expr) {
                    predicates.push((number, p));
                }
            }
        }
        let network = builder.finish();
        Judge {
            loaded,
            special: Specialised::new(&network),
            network,
            predicates,
            answers: HashMap::new(),
            labels: 0,
            made: HashMap::new(),
            specialised: 0,
            wraps: Wraps::default(),
        }
    }

    /// Runs code, and what is made of it for the context, which does the same and leaves the same results.
    fn run(
        &mut self,
        (entry, results): (Entry, &[Cell]),
        context: &Context,
        memory: &mut [i32],
        clocks: &mut Point,
    ) -> Result<i32, Trap> {
        let made = self.made.entry((entry, *context));
        let made = *made.or_insert_with(|| self.special.add(&self.network, entry, context, results));
        let before = (memory.to_vec(), clocks.clone());
        let code = vm::Code::new(&self.network.program, entry, context);
        let result = run(code, memory, clocks, &mut ());
        if let Some(made) = made {
            let (mut other, mut others) = before;
            let found = run(self.special.code(made), &mut other, &mut others, &mut ());
            let end = self.network.layout.meta as usize;
            let code = || format!("{:#?}", &self.special.program().code[made.0 as usize..]);
            assert_eq!(found, result, "{}", code());
            assert_eq!(other[..end], memory[..end], "{}", code());
            assert_eq!(others.clocks, clocks.clocks, "{}", code());
            if result.is_ok() {
                for &cell in results {
                    let address = context.address(cell);
                    assert_eq!(other[address], memory[address], "{cell:?} of {}", code());
                }
            }
            self.specialised += 1;
            if let Some(comparisons) = self.special.conjunction(made) {
                let holds = |c: &Comparison| c.relation.holds(other[c.a as usize], other[c.b as usize]);
                assert_eq!(Ok(comparisons.iter().all(holds)), result.map(|value| value != 0));
            }
        }
        result
    }

    fn holds(&mut self, condition: &Condition, context: &Context, memory: &mut [i32]) -> Result<bool, Trap> {
        if let Condition::Code(entry) = *condition {
            return Ok(self.run((entry, &[]), context, memory, &mut Point::nowhere())? != 0);
        }
        condition.holds(&self.network.program, context, memory)
    }

    fn resolve(&mut self, bound: &ClockBound, context: &Context, memory: &mut [i32]) -> Result<Bound, Trap> {
        if let Some(setup) = bound.setup {
            let results = [bound.bound, bound.left, bound.right.unwrap_or(bound.left)];
            self.run((setup, &results), context, memory, &mut Point::nowhere())?;
        }
        let get = |cell| memory[context.address(cell)];
        let value = get(bound.bound);
        assert!(bound.range.contains(value), "{value} is not in {:?}", bound.range);
        Ok(Bound {
            left: get(bound.left) as u32,
            right: bound.right.map(|r| get(r) as u32),
            relation: bound.relation,
            bound: value,
        })
    }

    fn evaluator<'e>(
        &'e self,
        store: Store<'e>,
        world: &'e mut dyn World,
        process: ProcessId,
    ) -> Evaluator<'e> {
        let found = &self.loaded.system.processes[process.index()];
        let variables = &self.loaded.model.templates[found.template.index()].variables;
        let scope = Scope {
            process,
            bindings: &found.bindings,
            variables,
        };
        let code = Code {
            wraps: Some(&self.wraps),
            ..(&self.loaded.model).into()
        };
        Evaluator::new(code, store, world)
            .in_system(&self.loaded.system)
            .in_process(scope)
    }

    /// The state as memory of the network.
    pub fn memory(&self, state: &State) -> Vec<i32> {
        let mut memory = self.network.memory();
        self.network.write_values(&state.memory, &mut memory);
        for (cell, location) in memory.iter_mut().zip(&state.locations) {
            *cell = location.0 as i32;
        }
        memory
    }

    /// Compares everything that the state can be asked.
    pub fn check(&mut self, state: &State, interpreter: &Interpreter<'_>) {
        let mut memory = self.memory(state);
        for number in 0..self.loaded.system.processes.len() {
            let process = ProcessId::from_index(number);
            self.invariant(state, process, &mut memory);
            let template =
                &self.loaded.model.templates[self.loaded.system.processes[number].template.index()];
            for (id, edge) in template.edges.iter().enumerate() {
                if edge.source == state.locations[number] {
                    self.edge(state, process, EdgeId::from_index(id), edge, &mut memory);
                }
            }
        }
        self.rates(state, interpreter, &mut memory);
        self.check_predicates(state, interpreter, &mut memory);
        let noted = self.network.wraps();
        for place in &self.wraps.places() {
            assert!(
                noted.contains(place),
                "{place:?} wraps, and the code does not say so"
            );
        }
    }

    /// Compares what the queries say about the state.
    pub fn check_queries(&mut self, state: &State, interpreter: &Interpreter<'_>) {
        let mut memory = self.memory(state);
        self.check_predicates(state, interpreter, &mut memory);
    }

    fn invariant(&mut self, state: &State, process: ProcessId, memory: &mut [i32]) {
        let location = state.locations[process.index()];
        let template =
            &self.loaded.model.templates[self.loaded.system.processes[process.index()].template.index()];
        let expected = match &template.locations[location.index()].invariant {
            None => Ok(true),
            Some(expr) => {
                let mut point = Point {
                    clocks: state.clocks.clone(),
                    locations: state.locations.clone(),
                };
                self.evaluator(Store::Shared(&state.memory), &mut point, process)
                    .holds(expr)
            }
        };
        let variant = self.network.processes[process.index()].variant as usize;
        let terms = self.network.variants[variant].locations[location.index()]
            .invariant
            .clone();
        let context = self.network.context(process);
        let found = self.terms(&terms, &context, memory);
        if let Ok(Some(bounds)) = &found {
            self.covered(process, location, bounds);
        }
        let found = found
            .map(|bounds| bounds.is_some_and(|b| b.iter().all(|bound| self.bound(bound, &state.clocks))));
        self.labels += 1;
        same(&self.network, &expected, found, || {
            format!("invariant of {process:?} in {location:?}")
        });
    }

    /// Evaluates terms: `None` when data are against it, else the clock bounds that remain.
    fn terms(
        &mut self,
        terms: &[Term],
        context: &Context,
        memory: &mut [i32],
    ) -> Result<Option<Vec<Bound>>, Trap> {
        let mut bounds = Vec::new();
        for term in terms {
            match term {
                Term::Data(condition) => {
                    if !self.holds(condition, context, memory)? {
                        return Ok(None);
                    }
                }
                Term::Clock(bound) => {
                    if let Some(when) = &bound.when
                        && !self.holds(when, context, memory)?
                    {
                        continue;
                    }
                    bounds.push(self.resolve(bound, context, memory)?);
                }
            }
        }
        Ok(Some(bounds))
    }

    /// The bounds of the location know of every comparison that is made in it.
    fn covered(&self, process: ProcessId, location: LocationId, bounds: &[Bound]) {
        let known = self.network.bounds.at(process, location);
        for bound in bounds {
            let entry = known
                .iter()
                .find(|e| e.clock.0 == bound.left)
                .expect("a compared clock is active");
            let within = |limit: Option<i32>| limit.is_some_and(|l| l >= bound.bound);
            let fine = match bound.relation {
                Relation::Less | Relation::LessEqual => within(entry.limits.upper()),
                Relation::Greater | Relation::GreaterEqual => within(entry.limits.lower()),
                _ => within(entry.limits.upper()) && within(entry.limits.lower()),
            };
            assert!(
                fine,
                "{bound:?} is not covered by {entry:?} of {process:?} in {location:?}"
            );
        }
    }

    fn bound(&self, bound: &Bound, clocks: &[Rational]) -> bool {
        holds(bound.left, bound.right, bound.relation, bound.bound, clocks)
    }

    fn edge(&mut self, state: &State, process: ProcessId, id: EdgeId, edge: &Edge, memory: &mut [i32]) {
        let mut world = DataOnly;
        let mut evaluator = self.evaluator(Store::Shared(&state.memory), &mut world, process);
        let domains: Vec<_> = edge
            .selects
            .iter()
            .map(|s| evaluator.domain(&s.ty, edge.span).unwrap())
            .collect();
        drop(evaluator);
        let combinations = domains.iter().map(|d| d.count()).product::<u64>();
        // Of many values some are enough.
        let stride = (combinations / 60).max(1);
        let mut number = 0;
        while number < combinations {
            let mut rest = number;
            let mut selects = vec![0; domains.len()];
            for (value, domain) in selects.iter_mut().zip(&domains).rev() {
                *value = (i64::from(domain.lo) + (rest % domain.count()) as i64) as i32;
                rest /= domain.count();
            }
            self.part(state, process, id, edge, &selects, memory);
            number += stride;
        }
    }

    fn part(
        &mut self,
        state: &State,
        process: ProcessId,
        id: EdgeId,
        edge: &Edge,
        selects: &[i32],
        memory: &mut [i32],
    ) {
        let what = || format!("{process:?} {id:?} {selects:?}");
        let size = edge.selects.iter().map(|s| s.slot.index() + 1).max().unwrap_or(0);
        let mut frame = vec![Value::Int(0); size];
        for (select, &value) in edge.selects.iter().zip(selects) {
            frame[select.slot.index()] = Value::Int(value);
        }
        let shared = || Store::Shared(&state.memory);
        let data = edge.guard.as_ref().map_or(Ok(true), |guard| {
            self.evaluator(shared(), &mut DataOnly, process)
                .with_frame(&frame)
                .holds(guard)
        });

        let Some((number, instance)) = self.instance(process, id, edge, selects) else {
            assert_eq!(data, Ok(false), "{}: the instance was dropped", what());
            return;
        };
        let context = self.network.instance_context(&instance);
        let terms = self.network.guard(&instance).to_vec();
        let found = self.terms(&terms, &context, memory);
        self.labels += 1;
        same(&self.network, &data, found.clone().map(|f| f.is_some()), || {
            format!("guard of {}", what())
        });
        if let Ok(found) = &found {
            let reads = self.network.sets.members(instance.reads);
            let values: Vec<i32> = reads.map(|cell| memory[cell as usize]).collect();
            let known = *self.answers.entry((number, values)).or_insert(found.is_some());
            assert_eq!(
                known,
                found.is_some(),
                "guard of {} reads more than it says",
                what()
            );
        }
        let (Ok(true), Ok(Some(bounds))) = (data, found) else {
            return;
        };

        if let Some(sync) = &edge.sync {
            let channel = self
                .evaluator(shared(), &mut DataOnly, process)
                .with_frame(&frame)
                .channel(&sync.channel);
            let compiled = self.network.edge(&instance).sync.expect("a synchronisation");
            let found = match compiled.setup {
                Some(setup) => {
                    let code = (setup, &[compiled.channel][..]);
                    let found = self.run(code, &context, memory, &mut Point::nowhere());
                    found.map(drop)
                }
                None => Ok(()),
            };
            let found = found.map(|()| memory[context.address(compiled.channel)] as u32);
            same(&self.network, &channel.clone().map(|c| c.0), found, || {
                format!("channel of {}", what())
            });
            let Ok(channel) = channel else { return };
            if instance.channel == ChannelUse::Dynamic {
                let entry = self
                    .network
                    .dynamic_syncs
                    .iter()
                    .find(|d| d.instance == number)
                    .expect("listed");
                assert!(
                    self.network.sets.members(entry.channels).any(|c| c == channel.0),
                    "{}",
                    what()
                );
            } else {
                assert_eq!(instance.channel, ChannelUse::Fixed(channel), "{}", what());
            }
        }

        let mut point = Point {
            clocks: state.clocks.clone(),
            locations: state.locations.clone(),
        };
        let timed = edge.guard.as_ref().map_or(Ok(true), |guard| {
            self.evaluator(shared(), &mut point, process)
                .with_frame(&frame)
                .holds(guard)
        });
        let found = bounds.iter().all(|b| self.bound(b, &state.clocks));
        self.covered(process, state.locations[process.index()], &bounds);
        for bound in &bounds {
            for clock in [Some(bound.left), bound.right].into_iter().flatten() {
                assert!(
                    self.network
                        .sets
                        .members(instance.clock_reads)
                        .any(|c| c == clock),
                    "{}",
                    what()
                );
            }
        }
        if let Ok(timed) = timed {
            assert_eq!(timed, found, "clock guard of {}", what());
        }
        self.update(state, process, edge, &instance, selects, &frame);
    }

    fn update(
        &mut self,
        state: &State,
        process: ProcessId,
        edge: &Edge,
        instance: &Instance,
        selects: &[i32],
        frame: &[Value],
    ) {
        let mut values = state.memory.clone();
        let mut point = Point {
            clocks: state.clocks.clone(),
            locations: state.locations.clone(),
        };
        let mut evaluator = self
            .evaluator(Store::Exclusive(&mut values), &mut point, process)
            .with_frame(frame);
        let expected = edge.updates.iter().try_for_each(|u| evaluator.run(u));
        drop(evaluator);

        let before = self.memory(state);
        let mut memory = before.clone();
        let context = self.network.instance_context(instance);
        let compiled = self.network.edge(instance);
        for (select, &value) in compiled.selects.iter().zip(selects).filter(|(s, _)| !s.expanded) {
            memory[context.address(select.cell)] = value;
        }
        let mut clocks = Point {
            clocks: state.clocks.clone(),
            locations: Vec::new(),
        };
        let found = match compiled.update {
            Some(entry) => self
                .run((entry, &[]), &context, &mut memory, &mut clocks)
                .map(drop),
            None => Ok(()),
        };
        let id = self.network.edge(instance).id;
        let what = || format!("update of {process:?} {id:?} {selects:?}");
        self.labels += 1;
        same(&self.network, &expected, found, what);
        if expected.is_ok() {
            let mut after = state.memory.clone();
            self.network.read_values(&memory, &mut after);
            assert!(after == values, "{}: {after:?}\n{values:?}", what());
            assert_eq!(clocks.clocks, point.clocks, "{}", what());
            let end = self.network.layout.meta as usize;
            let writes: Vec<u32> = self.network.sets.members(instance.writes).collect();
            for (cell, (old, new)) in before[..end].iter().zip(&memory[..end]).enumerate() {
                assert!(
                    old == new || writes.contains(&(cell as u32)),
                    "{} writes more than it says",
                    what()
                );
            }
            for (clock, (old, new)) in state.clocks.iter().zip(&clocks.clocks).enumerate() {
                let listed = self
                    .network
                    .sets
                    .members(instance.clock_writes)
                    .any(|c| c == clock as u32);
                assert!(old == new || listed, "{} sets more clocks than it says", what());
            }
        }
    }

    fn instance(
        &self,
        process: ProcessId,
        id: EdgeId,
        edge: &Edge,
        selects: &[i32],
    ) -> Option<(InstanceId, Instance)> {
        let range = self.network.outgoing(process, edge.source);
        range
            .map(|number| (number, *self.network.instance(number)))
            .find(|(_, instance)| {
                let compiled = self.network.edge(instance);
                let wanted = compiled
                    .selects
                    .iter()
                    .zip(selects)
                    .filter(|(s, _)| s.expanded)
                    .map(|(_, &v)| v);
                compiled.id == id && self.network.select_values(instance).eq(wanted)
            })
    }

    fn rates(&mut self, state: &State, interpreter: &Interpreter<'_>, memory: &mut [i32]) {
        let Ok(expected) = interpreter.rates(state) else {
            return;
        };
        let mut found = vec![1; expected.len()];
        for (number, location) in state.locations.iter().enumerate() {
            let variant = self.network.processes[number].variant as usize;
            let context = self.network.context(ProcessId::from_index(number));
            for rate in &self.network.variants[variant].locations[location.index()].rates {
                let program = &self.network.program;
                if rate
                    .when
                    .is_some_and(|w| !w.holds(program, &context, memory).unwrap())
                {
                    continue;
                }
                if let Some(setup) = rate.setup {
                    let code = vm::Code::new(program, setup, &context);
                    run(code, memory, &mut NoClocks, &mut ()).unwrap();
                }
                let clock = memory[context.address(rate.clock)] as usize;
                let value = memory[context.address(rate.rate)];
                assert!(rate.range.contains(value));
                found[clock] = value;
            }
        }
        assert_eq!(found, expected, "rates");
    }

    fn check_predicates(&mut self, state: &State, interpreter: &Interpreter<'_>, memory: &mut [i32]) {
        for (number, predicate) in &self.predicates {
            let query = &self.loaded.queries[*number];
            use zonewalk_model::tree::QueryKind::*;
            let (Reachable(expr) | Invariant(expr) | PotentiallyAlways(expr) | Inevitable(expr)) =
                &query.kind
            else {
                continue;
            };
            let Ok(expected) = interpreter.holds(state, expr) else {
                continue;
            };
            let mut asked = Answers {
                clocks: &state.clocks,
                deadlock: &mut || interpreter.is_deadlock(state).unwrap(),
            };
            let found = predicate.holds(&self.network, memory, &mut asked).unwrap();
            assert_eq!(expected, found, "{}", query.text);
            self.labels += 1;
        }
    }
}

/// A clock bound with its numbers.
#[derive(Clone, Debug)]
pub struct Bound {
    left: u32,
    right: Option<u32>,
    relation: Relation,
    bound: i32,
}

fn holds(left: u32, right: Option<u32>, relation: Relation, bound: i32, clocks: &[Rational]) -> bool {
    let mut value = clocks[left as usize];
    if let Some(right) = right {
        value = value.minus(clocks[right as usize]).unwrap();
    }
    relation.holds(value, Rational::from(bound))
}

struct Answers<'a> {
    clocks: &'a [Rational],
    deadlock: &'a mut dyn FnMut() -> bool,
}

impl ClocksAndDeadlock for Answers<'_> {
    fn clock(&mut self, left: ClockId, right: Option<ClockId>, relation: Relation, bound: i32) -> bool {
        holds(left.0, right.map(|clock| clock.0), relation, bound, self.clocks)
    }

    fn deadlock(&mut self) -> bool {
        (self.deadlock)()
    }
}

/// Both have the same value, or fail in the same way at the same place.
#[track_caller]
pub fn same<T: PartialEq + std::fmt::Debug>(
    network: &Network,
    expected: &Result<T, Fault>,
    found: Result<T, Trap>,
    what: impl Fn() -> String,
) {
    let found = found.map_err(|trap| network.fault(trap));
    match (expected, &found) {
        // How far below zero a clock would have gone is for the engine to say.
        (Err(e), Err(f)) if matches!(e.kind, FaultKind::NegativeClock(_)) => {
            assert_eq!((e.kind.code(), e.span), (f.kind.code(), f.span), "{}", what());
        }
        // Evaluators count steps differently.
        (Err(e), Err(f)) if e.kind == FaultKind::DoesNotTerminate => assert_eq!(e.kind, f.kind, "{}", what()),
        _ => assert_eq!(expected, &found, "{}", what()),
    }
}
