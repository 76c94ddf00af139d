//! Models and runs of networks.

mod enabled;
mod gantt;
mod values;

use crate::document::{Channel, Columns, Ending, Model, Process, Run, Start, Template, Timed};
use enabled::EnabledTable;
use rustc_hash::FxHashMap;
use values::Cells;
use zonewalk_drawing::{Drawing, joined_edges, svg};
use zonewalk_model::ids::ChannelId;
use zonewalk_model::system::System;
use zonewalk_model::tree::{self, Feature};
use zonewalk_numbers::rational::{Rational, TooLarge};
use zonewalk_reference::gantt::Chart;
use zonewalk_reference::{Error, Interpreter, Part, State};
use zonewalk_report::palette::Palette;
use zonewalk_report::trace::{End, Trace, text};
use zonewalk_syntax::ast;

/// Runs with more steps do not say what is possible in each state.
pub const ENABLED_STEPS: usize = 2000;
/// Largest magnitude a script can count exactly, with room for sums.
const EXACT: i128 = 1 << 50;

/// The automata and names of a network. `variables` are the names of cells, as traces have them.
pub fn model_of(
    model: &tree::Model,
    system: &System,
    syntax: &[ast::Template],
    variables: Vec<String>,
) -> Model {
    let drawings: FxHashMap<&str, Drawing> = syntax
        .iter()
        .map(|template| (&*template.name.name, zonewalk_drawing::template(template)))
        .collect();
    // Templates that no process has are drawn by `draw`.
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    let mut templates = Vec::new();
    let mut processes = Vec::new();
    for process in &system.processes {
        let index = process.template.index();
        let template = *numbers.entry(index).or_insert_with(|| {
            let typed = &model.templates[index];
            templates.push(self::template(typed, drawings.get(&*typed.name)));
            templates.len() - 1
        });
        processes.push(Process {
            name: process.name.to_string(),
            template,
            side: None,
        });
    }
    let channel = |channel: &zonewalk_model::system::Channel| Channel {
        name: channel.name.to_string(),
        broadcast: channel.broadcast,
    };
    Model {
        templates,
        processes,
        variables,
        clocks: system.clocks.iter().map(|clock| clock.name.to_string()).collect(),
        channels: system.channels.iter().map(channel).collect(),
        sides: Vec::new(),
    }
}

fn template(typed: &tree::Template, drawing: Option<&Drawing>) -> Template {
    let drawn = drawing.map(joined_edges).unwrap_or_default();
    Template {
        name: typed.name.to_string(),
        svg: drawing
            .map(|drawing| svg::fragment(drawing, &svg::Marks::default()))
            .unwrap_or_default(),
        locations: typed
            .locations
            .iter()
            .map(|location| location.name.to_string())
            .collect(),
        targets: typed.edges.iter().map(|edge| edge.target.index()).collect(),
        drawn,
    }
}

/// Collects a run while the reference interpreter repeats it.
#[derive(Clone)]
pub struct RunBuilder<'i, 'm> {
    interpreter: &'i Interpreter<'m>,
    title: String,
    cells: Cells,
    start: Start,
    start_clocks: Vec<Rational>,
    transitions: FxHashMap<Vec<i64>, usize>,
    list: Vec<Vec<i64>>,
    steps: Vec<usize>,
    delays: Vec<Rational>,
    variables: Columns<i64>,
    clocks: Columns<Rational>,
    clock_rates: Vec<i64>,
    /// Rates of clocks at present, where the model sets any.
    rates: Vec<i32>,
    has_rates: bool,
    enabled: Option<EnabledTable>,
    chart: Chart<'m>,
    state: State,
    notes: Vec<String>,
}

impl<'i, 'm> RunBuilder<'i, 'm> {
    /// A run that begins in the initial state, with room for a number of steps.
    ///
    /// # Errors
    /// There is no initial state, or its rates conflict.
    pub fn new(
        interpreter: &'i Interpreter<'m>,
        title: &str,
        steps: usize,
    ) -> std::result::Result<Self, Error> {
        let mut builder = RunBuilder::live(interpreter, steps)?;
        title.clone_into(&mut builder.title);
        let processes = interpreter.system().processes.len();
        builder.enabled = EnabledTable::new(steps, processes, &mut builder.notes);
        builder.look();
        Ok(builder)
    }

    /// Creates a builder for a page that learns the enabled transitions from elsewhere.
    ///
    /// # Errors
    /// There is no initial state, or its rates conflict.
    pub fn live(interpreter: &'i Interpreter<'m>, steps: usize) -> std::result::Result<Self, Error> {
        let state = interpreter.initial()?;
        let (model, system) = (interpreter.model(), interpreter.system());
        let uses = |feature: Feature| model.features.iter().any(|used| used.feature == feature);
        let has_rates =
            uses(Feature::Stopwatches) || uses(Feature::ClockRates) || uses(Feature::HybridClocks);
        let rates = if has_rates {
            interpreter.rates(&state)?
        } else {
            vec![1; system.clocks.len()]
        };
        let cells = Cells::new(model, system);
        let start = Start {
            locations: state.locations.iter().map(|location| location.index()).collect(),
            variables: cells.values(&state.memory),
            clocks: Vec::new(),
            rates: rates.iter().map(|&rate| rate.into()).collect(),
        };
        let chart = Chart::new(interpreter, steps);
        Ok(RunBuilder {
            interpreter,
            title: String::new(),
            cells,
            start,
            start_clocks: state.clocks.clone(),
            transitions: FxHashMap::default(),
            list: Vec::new(),
            steps: Vec::new(),
            delays: Vec::new(),
            variables: Columns::default(),
            clocks: Columns::default(),
            clock_rates: Vec::new(),
            rates,
            has_rates,
            enabled: None,
            chart,
            state,
            notes: Vec::new(),
        })
    }

    /// The state after the last step so far.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// A step of the run: `delayed` is the state between its delay and its transition, `after` the one after it.
    pub fn step(
        &mut self,
        delay: Rational,
        parts: &[Part],
        channel: Option<ChannelId>,
        delayed: &State,
        after: &State,
    ) {
        self.chart.pass(self.interpreter, &self.state, delay);
        let key = key(channel, parts);
        let number = self.number(key);
        self.steps.push(number);
        self.delays.push(delay);
        let before = self.variables.id.len();
        let Columns { id, value, .. } = &mut self.variables;
        self.cells.changes(&delayed.memory, &after.memory, |cell, new| {
            id.push(cell);
            value.push(new);
        });
        self.variables.count.push(self.variables.id.len() - before);
        // Rates that conflict matter only when time passes, which the judge then refuses.
        let rates = if self.has_rates {
            self.interpreter.rates(after).ok()
        } else {
            None
        };
        let rates = rates.unwrap_or_else(|| self.rates.clone());
        let before = self.clocks.id.len();
        for (clock, (old, new)) in delayed.clocks.iter().zip(&after.clocks).enumerate() {
            let rate = rates[clock];
            if old != new || rate != self.rates[clock] {
                self.clocks.id.push(clock);
                self.clocks.value.push(*new);
                self.clock_rates.push(rate.into());
            }
        }
        self.clocks.count.push(self.clocks.id.len() - before);
        self.rates = rates;
        self.state = after.clone();
        self.look();
    }

    fn number(&mut self, key: Vec<i64>) -> usize {
        let next = self.list.len();
        let list = &mut self.list;
        *self.transitions.entry(key).or_insert_with_key(|key| {
            list.push(key.clone());
            next
        })
    }

    /// Notes what is possible.
    fn look(&mut self) {
        let Some(mut table) = self.enabled.take() else {
            return;
        };
        match self.interpreter.transitions(&self.state) {
            Ok(transitions) => {
                let found = transitions.iter().map(|transition| {
                    let number = self.number(key(transition.channel, &transition.parts));
                    (number, transition.windows.to_string())
                });
                table.push(found.collect());
            }
            // What fails when all transitions are asked for need not fail on the way of the run.
            Err(error) => {
                self.notes.push(format!(
                    "what is possible after step {} is not known: {error}",
                    self.steps.len()
                ));
                table.push(Vec::new());
            }
        }
        self.enabled = Some(table);
    }

    /// The run, up to its end.
    ///
    /// # Errors
    /// Times have no common denominator that fits into 127 bits.
    pub fn finish(self, trace: &Trace) -> std::result::Result<Run, TooLarge> {
        let last = trace.last_delay;
        self.finish_with(
            Rational::new(last.numerator(), last.denominator())?,
            ending(trace),
        )
    }

    /// Finishes the run with an ending worded by the caller. Requires: the last delay is possible.
    ///
    /// # Errors
    /// Times have no common denominator that fits into 127 bits.
    pub fn finish_with(mut self, last_delay: Rational, end: Ending) -> std::result::Result<Run, TooLarge> {
        self.chart.pass(self.interpreter, &self.state, last_delay);
        let mut scale = Scale::new();
        let all = [&self.delays, &self.start_clocks, &self.clocks.value]
            .into_iter()
            .flatten();
        for &value in all.chain([&last_delay]) {
            scale.include(value)?;
        }
        gantt::times(&self.chart).try_for_each(|time| scale.include(time))?;
        self.notes.extend(self.chart.trouble().map(str::to_owned));
        let total = self.state.time.plus(last_delay)?;
        let mut largest = scale.of(total)?.unsigned_abs();
        for &value in self.start_clocks.iter().chain(&self.clocks.value) {
            largest = largest.max(scale.of(value)?.unsigned_abs());
        }
        let rate = self
            .clock_rates
            .iter()
            .chain(&self.start.rates)
            .map(|rate| rate.unsigned_abs())
            .max();
        let big = largest.saturating_mul(u128::from(rate.unwrap_or(1)).max(1)) > EXACT as u128
            || scale.unit > EXACT;
        let timed = |values: &[Rational]| values.iter().map(|&value| scale.timed(value)).collect();
        self.start.clocks = timed(&self.start_clocks);
        let (enabled, windows) = self.enabled.map(EnabledTable::finish).unwrap_or_default();
        Ok(Run {
            title: self.title,
            model: None,
            unit: written(scale.unit),
            big,
            selects: selects(self.interpreter, &self.list),
            transitions: self.list,
            start: self.start,
            steps: self.steps,
            delays: timed(&self.delays),
            variables: self.variables,
            clocks: Columns {
                count: self.clocks.count,
                id: self.clocks.id,
                value: timed(&self.clocks.value),
            },
            rates: self.clock_rates,
            last_delay: scale.timed(last_delay),
            end,
            enabled,
            windows,
            gantt: gantt::rows(&self.chart, &scale),
            notes: self.notes,
        })
    }
}

/// A transition as numbers: two that are the same have the same.
fn key(channel: Option<ChannelId>, parts: &[Part]) -> Vec<i64> {
    let mut key = vec![channel.map_or(-1, |channel| channel.index() as i64)];
    for part in parts {
        key.extend([
            part.process.index() as i64,
            part.edge.index() as i64,
            part.selects.len() as i64,
        ]);
        key.extend(part.selects.iter().map(|&value| i64::from(value)));
    }
    key
}

/// The names of what the edges of these transitions select.
fn selects(interpreter: &Interpreter<'_>, transitions: &[Vec<i64>]) -> Vec<(usize, usize, Vec<String>)> {
    let (model, system) = (interpreter.model(), interpreter.system());
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    for process in &system.processes {
        let next = numbers.len();
        numbers.entry(process.template.index()).or_insert(next);
    }
    let mut found = std::collections::BTreeMap::new();
    for transition in transitions {
        let mut rest = &transition[1..];
        while let [process, edge, count, more @ ..] = rest {
            let index = |value: &i64| usize::try_from(*value).unwrap_or(0);
            if *count > 0 {
                let template = system.processes[index(process)].template.index();
                let edge = index(edge);
                let names = model.templates[template].edges[edge].selects.iter();
                found
                    .entry((numbers[&template], edge))
                    .or_insert_with(|| names.map(|binder| binder.name.to_string()).collect());
            }
            rest = more.get(index(count)..).unwrap_or_default();
        }
    }
    found
        .into_iter()
        .map(|((template, edge), names)| (template, edge, names))
        .collect()
}

fn ending(trace: &Trace) -> Ending {
    let cycle = match trace.end {
        End::Cycle { start, length } => Some((start, length)),
        _ => None,
    };
    Ending {
        text: text::end(trace, Palette::Plain).trim().to_owned(),
        cycle,
        rule: None,
    }
}

/// The common denominator of times.
pub(crate) struct Scale {
    unit: i128,
}

impl Scale {
    pub(crate) fn new() -> Self {
        Scale { unit: 1 }
    }

    pub(crate) fn include(&mut self, value: Rational) -> std::result::Result<(), TooLarge> {
        let denominator = value.denominator();
        if self.unit % denominator != 0 {
            let common = gcd(self.unit, denominator);
            self.unit = (self.unit / common).checked_mul(denominator).ok_or(TooLarge)?;
        }
        Ok(())
    }

    fn of(&self, value: Rational) -> std::result::Result<i128, TooLarge> {
        value
            .numerator()
            .checked_mul(self.unit / value.denominator())
            .ok_or(TooLarge)
    }

    /// Requires: the value was included.
    pub(crate) fn timed(&self, value: Rational) -> Timed {
        self.of(value)
            .map_or_else(|_| Timed::Large("0".to_owned()), written)
    }

    pub(crate) fn unit(&self) -> Timed {
        written(self.unit)
    }
}

fn written(value: i128) -> Timed {
    match i64::try_from(value) {
        Ok(small) if i128::from(small).abs() <= 1 << 53 => Timed::Small(small),
        _ => Timed::Large(value.to_string()),
    }
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
