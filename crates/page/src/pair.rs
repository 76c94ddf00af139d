//! Runs of timed I/O automata: of one system, or of two side by side.

use crate::build::Scale;
use crate::document::{Channel, Columns, Ending, Model, Process, Run, Start, Template, Timed};
use rustc_hash::FxHashMap;
use zonewalk_drawing::svg;
use zonewalk_numbers::rational::{Rational, TooLarge};
use zonewalk_report::refinement::{self, Move, StatePart};
use zonewalk_report::trace::Time;
use zonewalk_tioa::{Component, Project};

/// A run, with the automata of its systems. `rule` is what its end shows, in words.
///
/// # Errors
/// Why it cannot be shown.
pub fn run(
    project: &Project,
    recorded: &refinement::Run,
    title: &str,
    rule: Option<String>,
) -> std::result::Result<Run, String> {
    let mut builder = Builder::new(project, recorded)?;
    builder.steps(recorded)?;
    builder
        .finish(recorded, title, rule)
        .map_err(|error| error.to_string())
}

/// A component or quotient of a side.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Component(usize, u32),
    Quotient(usize, u32),
}

struct Builder<'p> {
    project: &'p Project,
    model: Model,
    /// Processes by what they are.
    numbers: FxHashMap<Part, usize>,
    /// By process: its component, and its first clock.
    components: Vec<Option<(&'p Component, usize)>>,
    templates: FxHashMap<String, usize>,
    start: Start,
    start_clocks: Vec<Rational>,
    list: Vec<Vec<i64>>,
    steps: Vec<usize>,
    delays: Vec<Rational>,
    clocks: Columns<Rational>,
}

/// The locations of what stands for a quotient.
const QUOTIENT: [&str; 3] = ["in its components", "universal", "error"];

impl<'p> Builder<'p> {
    fn new(project: &'p Project, recorded: &refinement::Run) -> std::result::Result<Self, String> {
        let mut builder = Builder {
            project,
            model: Model {
                sides: recorded.systems.clone(),
                channels: Vec::new(),
                ..Model::default()
            },
            numbers: FxHashMap::default(),
            components: Vec::new(),
            templates: FxHashMap::default(),
            start: Start::default(),
            start_clocks: Vec::new(),
            list: Vec::new(),
            steps: Vec::new(),
            delays: Vec::new(),
            clocks: Columns::default(),
        };
        let right = recorded.end.right.as_deref().unwrap_or_default();
        for (side, parts) in [(0, recorded.end.left.as_slice()), (1, right)] {
            let moves = recorded.steps.iter().flat_map(|step| match side {
                0 => step.left.as_slice(),
                _ => step.right.as_deref().unwrap_or_default(),
            });
            for of_move in moves {
                match of_move {
                    Move::Edge { part, component, .. }
                    | Move::Ignores { part, component, .. }
                    | Move::Stays { part, component, .. } => builder.component(side, *part, component)?,
                    Move::Universal { quotient } | Move::Error { quotient } => {
                        builder.quotient(side, *quotient);
                    }
                }
            }
            for part in parts {
                match part {
                    StatePart::Location { part, component, .. } => {
                        builder.component(side, *part, component)?;
                    }
                    StatePart::Universal { quotient } | StatePart::Error { quotient } => {
                        builder.quotient(side, *quotient);
                    }
                }
            }
        }
        builder.begin(recorded)?;
        Ok(builder)
    }

    fn component(&mut self, side: usize, part: u32, name: &str) -> std::result::Result<(), String> {
        let key = Part::Component(side, part);
        if self.numbers.contains_key(&key) {
            return Ok(());
        }
        let component = self
            .project
            .component(name)
            .ok_or_else(|| format!("there is no component {name}"))?;
        let template = match self.templates.get(name) {
            Some(&template) => template,
            None => {
                let drawing = zonewalk_drawing::component(component, &self.project.actions);
                self.model.templates.push(Template {
                    name: name.to_owned(),
                    svg: svg::fragment(&drawing, &svg::Marks::default()),
                    locations: component
                        .locations
                        .iter()
                        .map(zonewalk_tioa::Location::title)
                        .collect(),
                    targets: component.edges.iter().map(|edge| edge.target.index()).collect(),
                    drawn: (0..component.edges.len()).map(|edge| vec![edge]).collect(),
                });
                self.templates
                    .insert(name.to_owned(), self.model.templates.len() - 1);
                self.model.templates.len() - 1
            }
        };
        self.numbers.insert(key, self.model.processes.len());
        self.model.processes.push(Process {
            name: name.to_owned(),
            template,
            side: (self.model.sides.len() > 1).then_some(side),
        });
        self.components.push(Some((component, self.model.clocks.len())));
        for clock in &component.clocks {
            let mut full = format!("{name}.{clock}");
            if self.model.clocks.contains(&full) {
                full.push_str(if side == 0 { " (left)" } else { " (right)" });
            }
            self.model.clocks.push(full);
            self.start_clocks.push(Rational::ZERO);
        }
        self.start.locations.push(component.initial.index());
        Ok(())
    }

    fn quotient(&mut self, side: usize, number: u32) {
        let key = Part::Quotient(side, number);
        if self.numbers.contains_key(&key) {
            return;
        }
        let template = *self.templates.entry("\\".to_owned()).or_insert_with(|| {
            self.model.templates.push(Template {
                name: "quotient".to_owned(),
                svg: String::new(),
                locations: QUOTIENT.map(str::to_owned).to_vec(),
                targets: vec![1, 2],
                drawn: Vec::new(),
            });
            self.model.templates.len() - 1
        });
        self.numbers.insert(key, self.model.processes.len());
        self.model.processes.push(Process {
            name: format!("quotient {}", number + 1),
            template,
            side: (self.model.sides.len() > 1).then_some(side),
        });
        self.components.push(None);
        self.start.locations.push(0);
    }

    /// A run of one system may begin in a state that was asked for.
    fn begin(&mut self, recorded: &refinement::Run) -> std::result::Result<(), String> {
        for part in recorded.start.iter().flatten() {
            let StatePart::Location {
                part,
                location,
                clocks,
                ..
            } = part
            else {
                continue;
            };
            let Some(&process) = self.numbers.get(&Part::Component(0, *part)) else {
                continue;
            };
            let Some((component, first)) = self.components[process] else {
                continue;
            };
            let found = component
                .locations
                .iter()
                .position(|one| one.title() == *location);
            self.start.locations[process] =
                found.ok_or_else(|| format!("there is no location {location}"))?;
            for (clock, value) in clocks.iter().enumerate().take(component.clocks.len()) {
                self.start_clocks[first + clock] = rational(value.value)?;
            }
        }
        Ok(())
    }

    fn steps(&mut self, recorded: &refinement::Run) -> std::result::Result<(), String> {
        let mut channels: FxHashMap<String, usize> = FxHashMap::default();
        let mut transitions: FxHashMap<Vec<i64>, usize> = FxHashMap::default();
        for step in &recorded.steps {
            let name = format!("{}{}", step.action, step.direction.sign());
            let next = channels.len();
            let channel = *channels.entry(name.clone()).or_insert(next);
            if channel == self.model.channels.len() {
                self.model.channels.push(Channel {
                    name,
                    broadcast: false,
                });
            }
            let mut key = vec![channel as i64];
            let mut count = 0;
            let right = step.right.as_deref().unwrap_or_default();
            for (side, moves) in [(0, step.left.as_slice()), (1, right)] {
                for one in moves {
                    let (part, edge) = match one {
                        Move::Edge { part, edge, .. } => (Part::Component(side, *part), *edge as usize),
                        Move::Universal { quotient } => (Part::Quotient(side, *quotient), 0),
                        Move::Error { quotient } => (Part::Quotient(side, *quotient), 1),
                        Move::Ignores { .. } | Move::Stays { .. } => continue,
                    };
                    let process = *self.numbers.get(&part).ok_or("a part of the run is not known")?;
                    if let Some((component, first)) = self.components[process] {
                        let edge = component
                            .edges
                            .get(edge)
                            .ok_or("an edge of the run is not known")?;
                        for (clock, value) in &edge.updates {
                            self.clocks.id.push(first + clock.index());
                            self.clocks.value.push(Rational::from(*value));
                            count += 1;
                        }
                    }
                    key.extend([process as i64, edge as i64, 0]);
                }
            }
            self.clocks.count.push(count);
            let next = self.list.len();
            let list = &mut self.list;
            self.steps.push(*transitions.entry(key).or_insert_with_key(|key| {
                list.push(key.clone());
                next
            }));
            self.delays.push(rational(step.delay)?);
        }
        Ok(())
    }

    fn finish(
        mut self,
        recorded: &refinement::Run,
        title: &str,
        rule: Option<String>,
    ) -> std::result::Result<Run, TooLarge> {
        let last_delay = rational(recorded.last_delay).map_err(|_| TooLarge)?;
        let mut scale = Scale::new();
        for &value in self.delays.iter().chain(&self.start_clocks).chain([&last_delay]) {
            scale.include(value)?;
        }
        let timed =
            |values: &[Rational]| -> Vec<Timed> { values.iter().map(|&value| scale.timed(value)).collect() };
        self.start.clocks = timed(&self.start_clocks);
        self.start.rates = vec![1; self.start_clocks.len()];
        let text = format!(
            "after {} {}, at time {}",
            self.steps.len(),
            if self.steps.len() == 1 { "step" } else { "steps" },
            recorded.end.time
        );
        Ok(Run {
            title: title.to_owned(),
            unit: scale.unit(),
            // Times of such runs are small, but what is not exact would be wrong.
            big: true,
            transitions: self.list,
            selects: Vec::new(),
            start: self.start,
            steps: self.steps,
            delays: timed(&self.delays),
            variables: Columns {
                count: vec![0; self.delays.len()],
                ..Columns::default()
            },
            rates: vec![1; self.clocks.id.len()],
            clocks: Columns {
                count: self.clocks.count,
                id: self.clocks.id,
                value: timed(&self.clocks.value),
            },
            last_delay: scale.timed(last_delay),
            end: Ending {
                text,
                cycle: None,
                rule,
            },
            enabled: Vec::new(),
            windows: Vec::new(),
            gantt: Vec::new(),
            notes: Vec::new(),
            model: Some(Box::new(self.model)),
        })
    }
}

fn rational(time: Time) -> std::result::Result<Rational, String> {
    Rational::new(time.numerator(), time.denominator()).map_err(|error| error.to_string())
}
