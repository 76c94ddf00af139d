//! Sequence charts: a lifeline for each process, messages for synchronisations, time beside them.

mod svg;
mod text;

use crate::select::{Selection, Unknown};
use std::collections::HashMap;
use zonewalk_report::trace::{End, Time, Trace};

/// A sequence chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// The processes, in the order of the system line.
    pub lifelines: Vec<Lifeline>,
    /// The transitions that are shown.
    pub events: Vec<Event>,
    /// First and last shown step of the cycle, if the run is infinite.
    pub cycle: Option<(usize, usize)>,
    /// Notes about omitted parts.
    pub notes: Vec<String>,
}

/// A process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifeline {
    /// Its name.
    pub name: String,
    /// Location before the first event.
    pub location: String,
}

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The number of the step, counted from 1.
    pub step: usize,
    /// When it happens.
    pub time: Time,
    /// The channel; `None` for an internal transition.
    pub channel: Option<String>,
    /// Participants, sender first: the lifeline and the location it enters.
    pub moves: Vec<(usize, String)>,
    /// Number of participants that are not shown.
    pub hidden: usize,
}

impl Sequence {
    /// Lifelines of a chart, at most.
    pub const LIFELINES: usize = 100;
    /// Events of a chart, at most.
    pub const EVENTS: usize = 1000;

    /// The chart of a part of a run. Processes that take part in nothing that is shown have no lifeline, unless they are asked for.
    ///
    /// # Errors
    /// Steps or processes that are asked for and not there.
    pub fn new(trace: &Trace, selection: &Selection) -> Result<Sequence, Unknown> {
        let mut steps = selection.steps(trace)?;
        let mut shown = selection.processes(trace)?;
        let numbers: HashMap<&str, usize> = trace
            .initial
            .locations
            .iter()
            .enumerate()
            .map(|(index, at)| (at.process.as_str(), index))
            .collect();
        let mut notes = Vec::new();
        if steps.len() > Self::EVENTS {
            let rest = steps.len() - Self::EVENTS;
            steps.end = steps.start + Self::EVENTS;
            notes.push(format!("{rest} more steps are not shown"));
        }
        let number = |process: &str| numbers.get(process).copied();
        let mut places: Vec<&str> = trace
            .initial
            .locations
            .iter()
            .map(|at| at.location.as_str())
            .collect();
        for edge in trace.steps[..steps.start].iter().flat_map(|step| &step.edges) {
            if let Some(index) = number(&edge.process) {
                places[index] = &edge.target;
            }
        }
        if selection.processes.is_empty() {
            let mut takes_part = vec![false; places.len()];
            for edge in trace.steps[steps.clone()].iter().flat_map(|step| &step.edges) {
                if let Some(index) = number(&edge.process) {
                    takes_part[index] = true;
                }
            }
            shown.retain(|&index| takes_part[index]);
            let idle = takes_part.iter().filter(|part| !**part).count();
            if idle > 0 {
                notes.push(format!("{} without a step not shown", counted(idle)));
            }
        }
        if shown.len() > Self::LIFELINES {
            notes.push(format!(
                "{} more not shown",
                counted(shown.len() - Self::LIFELINES)
            ));
            shown.truncate(Self::LIFELINES);
        }
        let mut column = vec![None; places.len()];
        for (lifeline, &index) in shown.iter().enumerate() {
            column[index] = Some(lifeline);
        }
        let mut events = Vec::with_capacity(steps.len());
        for (index, step) in trace.steps[steps.clone()].iter().enumerate() {
            let moves: Vec<(usize, String)> = step
                .edges
                .iter()
                .filter_map(|edge| Some((column[number(&edge.process)?]?, edge.target.clone())))
                .collect();
            if !moves.is_empty() {
                events.push(Event {
                    step: steps.start + index + 1,
                    time: step.time,
                    channel: step.channel.clone(),
                    hidden: step.edges.len() - moves.len(),
                    moves,
                });
            }
        }
        let cycle = match trace.end {
            End::Cycle { start, length } => {
                let (first, last) = ((start + 1).max(steps.start + 1), (start + length).min(steps.end));
                (first <= last).then_some((first, last))
            }
            _ => None,
        };
        Ok(Sequence {
            lifelines: shown
                .iter()
                .map(|&index| Lifeline {
                    name: trace.initial.locations[index].process.clone(),
                    location: places[index].to_owned(),
                })
                .collect(),
            events,
            cycle,
            notes,
        })
    }
}

fn counted(processes: usize) -> String {
    match processes {
        1 => "1 process".to_owned(),
        n => format!("{n} processes"),
    }
}
