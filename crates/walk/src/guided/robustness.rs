//! How close clocks are to enabling an edge that may make the goal true.
//!
//! Such an edge, or the edge that synchronises with it, has a guard with a lower bound on a clock: `x > c`, `x >= c` or `x == c`. While
//! its process is in the location where the edge begins, `x / c` is how much of the bound the clock has reached. The largest such share
//! of a state counts. Bounds that are satisfied are left out.
//!
//! Falsifiers of cyber-physical systems call such a measure robustness. Theirs is the difference `x - c`. Here it is the quotient:
//! a clock never lacks much of a short deadline, so by differences a short one would hide a long one.

use super::readers::Readers;
use crate::plan::assign::Assign;
use crate::plan::{EdgeInstance, Role, WalkPlan};
use crate::time::ClockValue;
use crate::walker::Walker;
use std::collections::BTreeSet;
use zonewalk_network::constraint::Relation;
use zonewalk_network::ids::{ClockId, ProcessId};
use zonewalk_network::predicate::{NormalForm, Part};

/// The whole of a bound.
pub(crate) const WHOLE: u64 = 1 << 20;

/// With more processes to look at in every step the search would do little else.
const MOST_PROCESSES: usize = 1 << 10;

/// A lower bound on a clock, in a guard of an edge that makes the goal true.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) process: ProcessId,
    pub(crate) clock: ClockId,
    pub(crate) ticks: i64,
    /// The least value that satisfies the guard.
    enough: i64,
    /// Parts of [`WHOLE`] in a tick.
    per_tick: f64,
}

impl Point {
    /// How much of the bound a value is, in parts of [`WHOLE`]. Products of this kind are the same on every machine.
    #[inline]
    fn share(&self, value: i64) -> u64 {
        (value as f64 * self.per_tick) as u64
    }
}

/// The bounds of edges that make a goal true.
#[derive(Debug)]
pub(crate) struct Robustness {
    pub(crate) points: Vec<Point>,
    /// By place: which of them count there.
    by_location: Vec<Vec<u32>>,
    /// Processes with such places.
    processes: Vec<ProcessId>,
}

/// The largest share that was seen of bounds that were not satisfied, and of which point and value it is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Largest {
    pub(crate) share: u64,
    /// Whether a bound was satisfied, and whether another was not.
    is_satisfied: bool,
    is_open: bool,
    pub(crate) point: u32,
    pub(crate) value: i64,
}

impl Robustness {
    /// `None` where no such edge has a lower bound on a clock, or too many processes have one.
    pub(crate) fn new(plan: &WalkPlan<'_>, form: &NormalForm) -> Option<Robustness> {
        let mut made = Robustness {
            points: Vec::new(),
            by_location: vec![Vec::new(); plan.locations.len()],
            processes: Vec::new(),
        };
        let helpers = Helpers::new(plan, form);
        let mut channels = BTreeSet::new();
        for number in 0..plan.edges.len() {
            if helpers.contain(number) {
                let edge = &plan.edges[number];
                made.add(plan, edge);
                channels.extend(
                    edge.channel
                        .map(|channel| (channel.index(), edge.role == Role::Send)),
                );
            }
        }
        // The guard that matters may be the partner's.
        for edge in &plan.edges {
            let partner = edge
                .channel
                .map(|channel| (channel.index(), edge.role != Role::Send));
            if partner.is_some_and(|partner| channels.contains(&partner)) {
                made.add(plan, edge);
            }
        }
        let mut processes: Vec<ProcessId> = made.points.iter().map(|point| point.process).collect();
        processes.sort_unstable();
        processes.dedup();
        made.processes = processes;
        (1..=MOST_PROCESSES)
            .contains(&made.processes.len())
            .then_some(made)
    }

    fn add(&mut self, plan: &WalkPlan<'_>, edge: &EdgeInstance) {
        for bound in plan.conditions.bounds(&edge.guard) {
            let is_lower = matches!(
                bound.relation,
                Relation::Greater | Relation::GreaterEqual | Relation::Equal
            );
            if !is_lower || bound.ticks <= 0 {
                continue;
            }
            let point = Point {
                process: edge.process,
                clock: bound.clock,
                ticks: bound.ticks,
                enough: bound.ticks + i64::from(bound.relation == Relation::Greater),
                per_tick: WHOLE as f64 / bound.ticks as f64,
            };
            let known = self.points.iter().position(|other| *other == point);
            let number = known.unwrap_or_else(|| {
                self.points.push(point);
                self.points.len() - 1
            }) as u32;
            let here = &mut self.by_location[edge.endpoints.0.index()];
            if !here.contains(&number) {
                here.push(number);
            }
        }
    }

    /// The largest share in a state: what processes have reached that could take such an edge.
    #[inline]
    pub(crate) fn largest(&self, walker: &Walker<'_>) -> Largest {
        let (plan, state) = (walker.plan, &walker.state);
        let mut largest = Largest::default();
        for &process in &self.processes {
            let place = plan.location_number(process, state.location(process));
            for &number in &self.by_location[place.index()] {
                let point = &self.points[number as usize];
                self.see(number, state.clocks.value(point.clock), &mut largest);
            }
        }
        largest
    }

    /// Largest values for the processes of the last step, when they made it: what they reset by it counts as it was.
    #[inline]
    pub(crate) fn at_last(&self, walker: &Walker<'_>) -> Largest {
        let mut largest = Largest::default();
        let Some(last) = walker.record.steps.len().checked_sub(1) else {
            return largest;
        };
        let clocks = &walker.state.clocks;
        for &part in walker.record.step(last).0 {
            for &number in &self.by_location[walker.plan.edge(part).endpoints.0.index()] {
                let point = &self.points[number as usize];
                let before = clocks.log.iter().find(|(clock, _)| *clock == point.clock);
                let value: ClockValue =
                    before.map_or(clocks.values[point.clock.index()], |(_, before)| *before);
                self.see(number, value.at(clocks.now), &mut largest);
            }
        }
        largest
    }

    /// A bound that is satisfied would outweigh all others forever, so it is left out.
    #[inline]
    fn see(&self, number: u32, value: i64, largest: &mut Largest) {
        let point = &self.points[number as usize];
        if value >= point.enough {
            largest.is_satisfied = true;
            return;
        }
        largest.is_open = true;
        let share = point.share(value);
        if share > largest.share {
            (largest.share, largest.point, largest.value) = (share, number, value);
        }
    }
}

impl Largest {
    /// Score of a state: where all bounds are satisfied, clocks cannot come closer.
    #[inline]
    pub(crate) fn score(&self) -> u64 {
        let is_done = self.is_satisfied && !self.is_open;
        if is_done { WHOLE } else { self.share.min(WHOLE - 1) }
    }
}

/// Which edges may make a part of the goal true: those that enter or leave a location for it, or write what the part reads. An update
/// that only assigns constants is tried on the initial values; of any other it is taken for granted.
struct Helpers<'a> {
    plan: &'a WalkPlan<'a>,
    form: &'a NormalForm,
    /// By process: locations that matter, and whether it should be there.
    locations: Vec<Vec<(i32, bool)>>,
    /// Readers of conditions on data, by their numbers in the form.
    readers: Readers,
    /// Variables of the initial state.
    memory: Vec<i32>,
}

impl<'a> Helpers<'a> {
    fn new(plan: &'a WalkPlan<'a>, form: &'a NormalForm) -> Self {
        let mut helpers = Helpers {
            plan,
            form,
            locations: vec![Vec::new(); plan.network.processes.len()],
            readers: Readers::default(),
            memory: plan.network.memory(),
        };
        for (part, number) in form.parts().iter().zip(0..) {
            match part {
                Part::At {
                    process,
                    location,
                    is,
                } => helpers.locations[process.index()].push((*location, *is)),
                Part::Data { reads, .. } => helpers.readers.add(plan.network, *reads, number),
                _ => {}
            }
        }
        helpers
    }

    fn contain(&self, number: usize) -> bool {
        let edge = &self.plan.edges[number];
        let (from, to) = (edge.source.0 as i32, edge.target.0 as i32);
        let moves =
            |&(location, is): &(i32, bool)| (from == location) != (to == location) && (to == location) == is;
        self.locations[edge.process.index()].iter().any(moves) || self.makes_true(number)
    }

    /// Whether the update of an edge can make a condition true.
    fn makes_true(&self, number: usize) -> bool {
        let (plan, network) = (self.plan, self.plan.network);
        let read = self.readers.of(network, network.instances[number].writes);
        let Some(assigns) = plan.edges[number]
            .own
            .assigns
            .as_ref()
            .filter(|_| !read.is_empty())
        else {
            return !read.is_empty();
        };
        let assigns = &plan.assigns[assigns.start as usize..assigns.end as usize];
        if assigns.iter().any(|assign| matches!(assign, Assign::Copy { .. })) {
            return true;
        }
        let mut memory = self.memory.clone();
        for assign in assigns {
            if let Assign::Number { to, value } = assign {
                memory[*to as usize] = *value;
            }
        }
        let context = network.global_context();
        let parts = self.form.parts();
        read.iter().any(|&part| {
            let truth = parts[part as usize].by_data(&network.program, &context, &mut memory);
            truth == Ok(Some(true))
        })
    }
}
