//! Walking without a goal: how fast, and what was reached.

use crate::control::Control;
use crate::engine::{Engine, heuristic_name};
use crate::monitor::{Monitor, watch_control};
use crate::options::Options;
use crate::order::Order;
use crate::outcome::{CheckerReport, Count as _, Limit, Outcome, Stats, Times};
use crate::task::Checker;
use std::time::Instant;
use zonewalk_model::ids::{EdgeId, LocationId, TemplateId};
use zonewalk_model::tree::Edge;
use zonewalk_walk::choose::Heuristic;
use zonewalk_walk::explore;
use zonewalk_walk::search::{self, Limits};

/// Result of walks without a goal.
#[derive(Clone, Debug)]
pub struct Explored {
    /// Why they ended. Walks that were asked for and made are `Undecided` by their number.
    pub report: CheckerReport,
    /// Parts of the model that they reached.
    pub coverage: Coverage,
}

/// Locations and edges that the processes reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Locations of all processes.
    pub locations: usize,
    /// Edges of all processes.
    pub edges: usize,
    /// Locations that some process of their template never reached.
    pub unreached_locations: Vec<Unreached<LocationId>>,
    /// Edges that some process of their template never took.
    pub unreached_edges: Vec<Unreached<EdgeId>>,
}

/// A location or an edge that was not reached by all processes of its template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreached<Id> {
    /// The template.
    pub template: TemplateId,
    /// The location or edge.
    pub id: Id,
    /// Processes that did not reach it.
    pub missed: usize,
    /// Processes of the template.
    pub processes: usize,
}

impl Checker<'_, '_> {
    /// Explores while a monitor watches, which may cancel it.
    pub fn explore_with(&self, options: &Options, monitor: &dyn Monitor) -> Explored {
        watch_control(monitor, options, |control| self.explore(options, control))
    }

    /// Visits states or makes walks without a goal, to the end or until a limit is reached. `auto` is RET here: its choice
    /// is the least biased.
    pub fn explore(&self, options: &Options, control: &Control) -> Explored {
        let heuristic = match Engine::of(options.search) {
            Engine::Walks(heuristic) => heuristic,
            Engine::Portfolio if self.task.can_walk() => Heuristic::Ret,
            // Without walks everything is explored, and this order is the best for that.
            Engine::Portfolio => return self.explore_zones(Order::Breadth, options, control),
            Engine::States(order) => return self.explore_zones(order, options, control),
        };
        let walks = explore::Options {
            heuristic,
            schedule: options.walks.schedule,
            delays: options.walks.delays,
            seed: options.seed,
            max_steps: options.depth(),
            time_bound: options.walks.time_bound,
        };
        let limits = Limits {
            deadline: options.deadline,
            first_walk: options.walks.first,
            max_walks: options.last_walk(),
            ..Limits::default()
        };
        control.begin(heuristic, options.walks.first, options.depth());
        let start = Instant::now();
        let (report, taken) = explore::explore(
            self.walk_plan(),
            &walks,
            options.threads.get(),
            &limits,
            &control.walks,
        );
        let times = Times::of_search(start);
        let mut stats = Stats::default();
        stats.add(&report);
        let is_late = options.is_late() && options.walks.max_walks.is_none_or(|max| report.walks < max);
        let outcome = match report.outcome {
            search::WalkOutcome::Error(stop, found) => self.no_beginning(stop, *found, options),
            search::WalkOutcome::NoInitialState => self.no_state(),
            search::WalkOutcome::Interrupted => Outcome::undecided(Limit::Cancelled, stats, options),
            _ if is_late => Outcome::undecided(Limit::Time, stats, options),
            _ => Outcome::undecided(Limit::Walks, stats, options),
        };
        let fault = report
            .fault
            .map(|failed| self.walk_fault(&failed, &[], None, (options, report.effort)));
        let report = CheckerReport::new(heuristic_name(heuristic), outcome, stats, times);
        Explored {
            report: report.with_fault(fault.transpose()).settled(),
            coverage: self.coverage(&taken),
        }
    }

    /// The zone graph, all of it unless a limit is reached.
    fn explore_zones(&self, by: Order, options: &Options, control: &Control) -> Explored {
        let mut taken = vec![false; self.task.network.instances.len()];
        let report = self.visit_zones(by, options, control, &mut taken);
        Explored {
            report: self.certified(None, report.settled(), options, control),
            coverage: self.coverage(&taken),
        }
    }

    /// From marks on edge instances to processes' locations and edges.
    fn coverage(&self, taken: &[bool]) -> Coverage {
        let (model, system) = (self.task.interpreter.model(), self.task.interpreter.system());
        let network = &self.task.network;
        // By template: how many processes there are, and how many reached each of its locations and edges.
        let mut processes = vec![0; model.templates.len()];
        let mut locations: Vec<Vec<usize>> = model
            .templates
            .iter()
            .map(|t| vec![0; t.locations.len()])
            .collect();
        let mut edges: Vec<Vec<usize>> = model.templates.iter().map(|t| vec![0; t.edges.len()]).collect();
        for (process, compiled) in system.processes.iter().zip(&network.processes) {
            let template = process.template.index();
            let definition = &model.templates[template];
            let mut reached = vec![false; definition.locations.len()];
            let mut used = vec![false; definition.edges.len()];
            reached[definition.initial.index()] = true;
            for instance in compiled.instances.filter(|i| taken[i.index()]) {
                let edge = network.edge(network.instance(instance));
                used[edge.id.index()] = true;
                reached[edge.target.index()] = true;
            }
            processes[template] += 1;
            let count = |sums: &mut [usize], marks: &[bool]| {
                for (sum, &mark) in sums.iter_mut().zip(marks) {
                    *sum += usize::from(mark);
                }
            };
            count(&mut locations[template], &reached);
            count(&mut edges[template], &used);
        }
        Coverage {
            locations: processes
                .iter()
                .zip(&locations)
                .map(|(n, list)| n * list.len())
                .sum(),
            edges: processes.iter().zip(&edges).map(|(n, list)| n * list.len()).sum(),
            unreached_locations: unreached(&processes, &locations, LocationId::from_index),
            unreached_edges: unreached(&processes, &edges, EdgeId::from_index),
        }
    }

    /// An edge of a template.
    pub fn edge(&self, edge: &Unreached<EdgeId>) -> &Edge {
        &self.task.interpreter.model().templates[edge.template.index()].edges[edge.id.index()]
    }
}

fn unreached<Id>(processes: &[usize], reached: &[Vec<usize>], id: fn(usize) -> Id) -> Vec<Unreached<Id>> {
    let mut list = Vec::new();
    for (template, (&processes, counts)) in processes.iter().zip(reached).enumerate() {
        for (index, &count) in counts.iter().enumerate().filter(|(_, count)| **count < processes) {
            list.push(Unreached {
                template: TemplateId::from_index(template),
                id: id(index),
                missed: processes - count,
                processes,
            });
        }
    }
    list
}
