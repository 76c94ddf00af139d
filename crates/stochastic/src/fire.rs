//! Taking a transition: the processes that take part, their edges and branches, and what they change.

use crate::code::{Values, next_values};
use crate::machine::Ran;
use crate::plan::{Stem, StochasticPlan};
use crate::race::{Mover, RaceResult, SLACK};
use crate::record::Taken;
use crate::state::{Choice, Racer, Runner, Selected, Stop};
use smallvec::SmallVec;
use zonewalk_sampling::RunErrorKind;

/// Precedence among processes where time must stop, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    /// Could move, but would have waited longer.
    Open,
    /// Does not wait: it is urgent, or its invariant ends.
    Due,
    Committed,
}

/// Maximal number of consecutive races without a delay or a transition.
const IDLE_LIMIT: u32 = 100;

fn stem_of<'p>(plan: &'p StochasticPlan, locations: &[u32], choice: &Choice) -> &'p Stem {
    let place = &plan.processes[choice.process].locations[locations[choice.process] as usize];
    if choice.is_output {
        &place.outputs[choice.stem]
    } else {
        &place.inputs[choice.stem]
    }
}

impl Runner<'_> {
    /// Takes a transition at the end of a race, if one can be taken.
    pub(crate) fn fire(&mut self, race: &RaceResult, delay: f64) -> Result<(), Stop> {
        self.scratch.refused.clear();
        loop {
            let mover = match race.mover {
                Mover::None | Mover::Later => return Ok(()),
                Mover::Process(process) => Some(process),
                Mover::Anyone => self.any_mover(race)?,
            };
            let Some(process) = mover else {
                return self.time_lock(race);
            };
            let mut choices = self.enabled(process, true, None)?;
            if choices.is_empty() && race.mover != Mover::Anyone {
                // A rounding error may have missed the instant; otherwise the winner has drawn one between two windows.
                self.machine.slack = SLACK;
                let found = self.enabled(process, true, None);
                self.machine.slack = 0.0;
                choices = found?;
            }
            if choices.is_empty() {
                return self.redraw(race, delay, process);
            }
            let chosen = choices.swap_remove(self.machine.random.index(choices.len()));
            self.scratch.choices = choices;
            if self.take(chosen, race.is_committed)? {
                self.scratch.idle = 0;
                self.steps += 1;
                return Ok(());
            }
        }
    }

    /// Time has passed, and all processes draw again.
    fn redraw(&mut self, race: &RaceResult, delay: f64, process: usize) -> Result<(), Stop> {
        self.scratch.idle = if delay > 0.0 { 0 } else { self.scratch.idle + 1 };
        if self.scratch.idle > IDLE_LIMIT {
            let stopped_by = race.stopped_by.or(Some(process));
            return self.time_lock(&RaceResult { stopped_by, ..*race });
        }
        Ok(())
    }

    fn time_lock(&self, race: &RaceResult) -> Result<(), Stop> {
        let plan = self.machine.plan;
        let number = race.stopped_by.unwrap_or(0);
        let process = &plan.processes[number];
        let place = &process.locations[self.machine.locations[number] as usize];
        let why = if place.committed {
            "is committed"
        } else if place.urgent {
            "is urgent"
        } else if self
            .racers
            .get(number)
            .is_some_and(|racer| racer.deadline > race.delay)
        {
            "has an edge that was to be taken at once, and cannot"
        } else {
            "has an invariant that ends"
        };
        let message = format!(
            "time cannot pass and no process can move: {}.{} {why}",
            process.name, place.name
        );
        Err(Stop::Error(RunErrorKind::TimeLock, place.span, message))
    }

    /// A process that can move now, drawn uniformly from the first class that has any: committed ones, those that are due, all others.
    fn any_mover(&mut self, race: &RaceResult) -> Result<Option<usize>, Stop> {
        let exact = self.movers(race)?;
        if let Some((process, Precedence::Due | Precedence::Committed)) = exact {
            return Ok(Some(process));
        }
        // The one that stops time may have missed its instant by a rounding error; a process that would have waited does not overtake it.
        self.machine.slack = SLACK;
        let near = self.movers(race);
        self.machine.slack = 0.0;
        let near = near?.filter(|(_, precedence)| exact.is_none() || *precedence > Precedence::Open);
        Ok(near.or(exact).map(|(process, _)| process))
    }

    fn movers(&mut self, race: &RaceResult) -> Ran<Option<(usize, Precedence)>> {
        let processes = self.machine.plan.processes.len();
        let (mut chosen, mut best, mut count) = (None, Precedence::Open, 0);
        for process in 0..processes {
            let is_committed = self.place(process).committed;
            if best == Precedence::Committed && !is_committed {
                continue;
            }
            let mut choices = self.enabled(process, true, None)?;
            if race.is_committed && !is_committed {
                // A committed process has to receive.
                let mut kept = Vec::new();
                for choice in choices {
                    if self.wakes_committed(&choice)? {
                        kept.push(choice);
                    }
                }
                choices = kept;
            }
            if !choices.is_empty() {
                let precedence = self.precedence(process, race, &choices)?;
                if precedence > best {
                    (best, count) = (precedence, 0);
                }
                if precedence == best {
                    count += 1;
                    if self.machine.random.index(count) == 0 {
                        chosen = Some((process, precedence));
                    }
                }
            }
            self.scratch.choices = choices;
        }
        Ok(chosen)
    }

    /// Classifies a process that can move now by the delay it would have drawn: none, or a longer one.
    fn precedence(&mut self, process: usize, race: &RaceResult, choices: &[Choice]) -> Ran<Precedence> {
        let place = self.place(process);
        if place.committed {
            return Ok(Precedence::Committed);
        }
        let is_over = |racer: &Racer| racer.deadline <= race.delay;
        if race.is_committed || place.urgent || self.racers.get(process).is_some_and(is_over) {
            return Ok(Precedence::Due);
        }
        if self.machine.plan.urgent.contains(&true) {
            for choice in choices {
                for branch in 0..self.ways(choice) {
                    let channel = self.channel_of(choice, branch)?;
                    if channel.is_some_and(|c| self.machine.plan.urgent.get(c as usize) == Some(&true)) {
                        return Ok(Precedence::Due);
                    }
                }
            }
        }
        Ok(Precedence::Open)
    }

    fn wakes_committed(&mut self, choice: &Choice) -> Ran<bool> {
        for branch in 0..self.ways(choice) {
            let Some(channel) = self.channel_of(choice, branch)? else {
                continue;
            };
            for process in 0..self.machine.plan.processes.len() {
                if process != choice.process && self.place(process).committed {
                    let receivers = self.enabled_list(process, false, Some(channel))?;
                    if !receivers.is_empty() {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Branches that may synchronise differently: all of them, or the first stands for all.
    fn ways(&self, choice: &Choice) -> usize {
        let stem = stem_of(self.machine.plan, &self.machine.locations, choice);
        if stem.has_syncs { stem.branches.len() } else { 1 }
    }

    fn channel_of(&mut self, choice: &Choice, branch: usize) -> Ran<Option<i32>> {
        let stem = stem_of(self.machine.plan, &self.machine.locations, choice);
        self.select(&stem.selects, &choice.selected);
        let channel = stem.branches[branch].channel.as_ref();
        channel.map(|c| self.machine.int(c)).transpose()
    }

    fn select(&mut self, selects: &[Values], selected: &[i32]) {
        for (select, value) in selects.iter().zip(selected) {
            self.machine.set_int(select.cell, *value);
        }
    }

    /// The edges of a process that can be taken now, those that were refused left out.
    fn enabled(&mut self, process: usize, is_output: bool, channel: Option<i32>) -> Ran<Vec<Choice>> {
        let mut list = std::mem::take(&mut self.scratch.choices);
        list.clear();
        self.add_enabled(process, is_output, channel, &mut list)?;
        let refused = &self.scratch.refused;
        if !refused.is_empty() {
            list.retain(|choice| !refused.contains(choice));
        }
        Ok(list)
    }

    fn enabled_list(&mut self, process: usize, is_output: bool, channel: Option<i32>) -> Ran<Vec<Choice>> {
        let mut list = Vec::new();
        self.add_enabled(process, is_output, channel, &mut list)?;
        Ok(list)
    }

    fn add_enabled(
        &mut self,
        process: usize,
        is_output: bool,
        channel: Option<i32>,
        into: &mut Vec<Choice>,
    ) -> Ran<()> {
        let plan = self.machine.plan;
        let place = &plan.processes[process].locations[self.machine.locations[process] as usize];
        let stems = if is_output { &place.outputs } else { &place.inputs };
        for (number, stem) in stems.iter().enumerate() {
            if stem.selects.iter().any(|s| s.lo > s.hi) {
                continue;
            }
            let mut values: Selected = stem.selects.iter().map(|s| s.lo).collect();
            loop {
                self.select(&stem.selects, &values);
                let mut fits = match &stem.guard {
                    Some(guard) => self.machine.holds(guard)?,
                    None => true,
                };
                if let (Some(wanted), Some(own), true) = (channel, &stem.branches[0].channel, fits) {
                    fits = self.machine.int(own)? == wanted;
                }
                if fits {
                    into.push(Choice {
                        process,
                        stem: number,
                        is_output,
                        selected: values.clone(),
                    });
                }
                if !next_values(&mut values, &stem.selects) {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Takes a transition that one edge begins; false if the invariant of its target forbids it.
    fn take(&mut self, chosen: Choice, is_committed: bool) -> Result<bool, Stop> {
        let plan = self.machine.plan;
        if is_committed && !self.place(chosen.process).committed && !self.wakes_committed(&chosen)? {
            self.scratch.refused.push(chosen);
            return Ok(false);
        }
        let mut parts = std::mem::take(&mut self.scratch.parts);
        parts.clear();
        // Where branches synchronise each in its own way, the branch determines the receivers.
        let has_syncs = stem_of(plan, &self.machine.locations, &chosen).has_syncs;
        let first = if has_syncs { self.branch(&chosen)? } else { 0 };
        let channel = self.channel_of(&chosen, first)?;
        parts.push((chosen, first));
        if let Some(channel) = channel {
            let sender = parts[0].0.process;
            for process in 0..plan.processes.len() {
                if process == sender || self.place(process).inputs.is_empty() {
                    continue;
                }
                let mut receivers = self.enabled_list(process, false, Some(channel))?;
                if !receivers.is_empty() {
                    let index = self.machine.random.index(receivers.len());
                    parts.push((receivers.swap_remove(index), 0));
                }
            }
        }
        // Weights belong to the state before all updates.
        for (choice, branch) in parts.iter_mut().skip(usize::from(has_syncs)) {
            *branch = self.branch(choice)?;
        }
        self.scratch.before.clone_from(&self.machine.cells);
        self.scratch.locations.clone_from(&self.machine.locations);
        self.update(&parts)?;
        let is_taken = self.enters(&parts)?;
        if is_taken {
            self.note(&parts);
        } else {
            std::mem::swap(&mut self.machine.cells, &mut self.scratch.before);
            std::mem::swap(&mut self.machine.locations, &mut self.scratch.locations);
            self.note_draws(false);
            let refused = parts.swap_remove(0).0;
            self.scratch.refused.push(refused);
        }
        self.scratch.parts = parts;
        Ok(is_taken)
    }

    /// Which branch an edge takes, by its weights.
    fn branch(&mut self, choice: &Choice) -> Result<usize, Stop> {
        let stem = stem_of(self.machine.plan, &self.machine.locations, choice);
        self.select(&stem.selects, &choice.selected);
        if stem.branches.len() == 1 {
            return Ok(0);
        }
        let mut weights: SmallVec<[f64; 8]> = SmallVec::new();
        for branch in &stem.branches {
            if let Some(guard) = &branch.guard
                && !self.machine.holds(guard)?
            {
                weights.push(0.0);
                continue;
            }
            let weight = match &branch.weight {
                Some(weight) => self.machine.real(weight)?,
                None => 1.0,
            };
            if weight.is_nan() || weight < 0.0 || weight == f64::INFINITY {
                let message = format!("a branch with the weight {weight}");
                return Err(Stop::Error(RunErrorKind::Weights, branch.span, message));
            }
            weights.push(weight);
        }
        let sum: f64 = weights.iter().sum();
        if sum <= 0.0 {
            let message = "all branches of the edge have the weight 0".to_owned();
            return Err(Stop::Error(RunErrorKind::Weights, stem.span, message));
        }
        let mut rest = self.machine.random.unit() * sum;
        for (index, weight) in weights.iter().enumerate() {
            if rest < *weight {
                return Ok(index);
            }
            rest -= weight;
        }
        // Rounding errors leave the last one that has a weight.
        Ok(weights.iter().rposition(|w| *w > 0.0).unwrap_or(0))
    }

    /// Runs all updates: the sender's first, then those of the receivers in the order of the processes.
    fn update(&mut self, parts: &[(Choice, usize)]) -> Result<(), Stop> {
        let plan = self.machine.plan;
        self.machine.refuel();
        for effect in &plan.before_update {
            self.machine.perform(effect)?;
        }
        for (choice, index) in parts {
            let stem = stem_of(plan, &self.scratch.locations, choice);
            let branch = &stem.branches[*index];
            for select in &branch.selects {
                let count = (i64::from(select.hi) - i64::from(select.lo) + 1).max(1) as usize;
                let value = select.lo + self.machine.random.index(count) as i32;
                self.machine.set_int(select.cell, value);
            }
            self.machine.locations[choice.process] = branch.target;
            self.machine.refuel();
            for effect in &branch.updates {
                self.machine.perform(effect)?;
            }
        }
        for effect in &plan.after_update {
            self.machine.perform(effect)?;
        }
        Ok(())
    }

    /// Whether the participants may enter their targets.
    fn enters(&mut self, parts: &[(Choice, usize)]) -> Result<bool, Stop> {
        for (number, (choice, _)) in parts.iter().enumerate() {
            let plan = self.machine.plan;
            let process = &plan.processes[choice.process];
            let place = &process.locations[self.machine.locations[choice.process] as usize];
            let Some(invariant) = &place.invariant else {
                continue;
            };
            self.machine.slack = SLACK;
            let holds = self.machine.holds(invariant);
            self.machine.slack = 0.0;
            if holds? {
                continue;
            }
            if number == 0 {
                return Ok(false);
            }
            let message = format!(
                "{} receives and would violate the invariant of {}",
                process.name, place.name
            );
            return Err(Stop::Error(RunErrorKind::ReceiverInvariant, place.span, message));
        }
        Ok(true)
    }

    /// Hands the transition to the recorder.
    fn note(&mut self, parts: &[(Choice, usize)]) {
        if self.recorder.is_none() {
            return;
        }
        let draws = self.note_draws(false);
        let plan = self.machine.plan;
        let edges = parts.iter().map(|(choice, index)| {
            let stem = stem_of(plan, &self.scratch.locations, choice);
            let branch = &stem.branches[*index];
            let own = stem.selects.iter().chain(&branch.selects);
            let selected = own.map(|s| crate::code::to_int(self.machine.cells[s.cell as usize]));
            Taken {
                process: choice.process,
                edge: branch.edge,
                selected: selected.collect(),
            }
        });
        let edges: Vec<Taken> = edges.collect();
        if let Some(recorder) = &mut self.recorder {
            recorder.transition(self.now, edges, draws);
        }
    }
}
