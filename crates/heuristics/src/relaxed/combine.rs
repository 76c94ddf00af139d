//! Running code for all combinations of the values of the cells that it reads.
//!
//! The code itself is run, so that whatever the language can compute is computed here too. Where there are too many
//! combinations, anything may come out.

use super::facts::Proposal;
use super::layers::{Layers, Passed};
use super::problem::{NOBODY, NONE, Problem, Task, Unit};
use zonewalk_model::tree::Direction;
use zonewalk_network::SetId;
use zonewalk_network::cell::Context;
use zonewalk_network::constraint::Relation;
use zonewalk_network::ids::{ChannelId, InstanceId};
use zonewalk_network::instr::Entry;
use zonewalk_network::vm::{Changes, Code, NoClocks, run};

/// A read whose values were run when it could have any.
const ALL_SEEN: u32 = u32::MAX;

/// Which values of a cell are meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Old,
    New,
    All,
}

impl Layers {
    /// Looks whether a condition can hold, or on which channels an edge can be, with the values that are new.
    pub(super) fn ask(&mut self, p: &Problem<'_>, number: u32) {
        self.run_values(p, number, false);
    }

    /// Runs an update with the values that are new.
    pub(super) fn run_new(&mut self, p: &Problem<'_>, number: u32) {
        self.run_values(p, number, false);
    }

    /// Runs `after_update` on everything that the transitions of this layer can have written, and on what it writes itself:
    /// it comes last in each of them.
    pub(super) fn run_after(&mut self, p: &Problem<'_>, number: u32) {
        loop {
            let before = self.facts.all.len();
            self.run_values(p, number, true);
            if self.facts.all.len() == before {
                return;
            }
        }
    }

    /// How many values of a cell there are, in this layer or ahead of it.
    fn count(&self, cell: u32, ahead: bool) -> u32 {
        let values = &self.facts.cells[cell as usize];
        if ahead {
            values.list.len() as u32
        } else {
            values.visible
        }
    }

    /// Puts values of a read that the guard accepts into its dimension. False if it may have any value.
    fn choose(&mut self, p: &Problem<'_>, unit: &Unit, dimension: usize, which: Which, ahead: bool) -> bool {
        let cell = p.reads(unit)[dimension];
        let seen = self.seen[unit.reads.start as usize + dimension];
        if self.choices.len() <= dimension {
            self.choices.resize_with(dimension + 1, Vec::new);
        }
        let mut choices = std::mem::take(&mut self.choices[dimension]);
        choices.clear();
        let mut is_known = p.is_relevant[cell as usize];
        let filters = || unit.filters.iter().filter(|f| f.0 as usize == dimension);
        let accepts = |value: i32| filters().all(|f| f.1.holds(value, f.2));
        if let Some(any) = self.facts.any(cell, ahead) {
            // Of all the values that it may have, the guard may accept a single one.
            match filters().find(|f| f.1 == Relation::Equal) {
                Some(&(_, _, value)) => {
                    let is_new = seen != ALL_SEEN;
                    if accepts(value) && (which == Which::All || is_new == (which == Which::New)) {
                        choices.push((value, any));
                    }
                }
                None => is_known = false,
            }
        } else {
            let count = self.count(cell, ahead);
            let range = match which {
                Which::Old => 0..seen.min(count),
                Which::New => seen.min(count)..count,
                Which::All => 0..count,
            };
            let list = &self.facts.cells[cell as usize].list[range.start as usize..range.end as usize];
            choices.extend(list.iter().filter(|v| accepts(v.0)));
        }
        self.choices[dimension] = choices;
        is_known
    }

    /// Puts the values of selects behind those of the cells; returns how many dimensions there are.
    fn choose_selects(&mut self, unit: &Unit, cells: usize) -> usize {
        for (at, &(_, lo, hi)) in (cells..).zip(&unit.selects) {
            if self.choices.len() <= at {
                self.choices.resize_with(at + 1, Vec::new);
            }
            self.choices[at].clear();
            // One more than are ever run is enough to know that there are too many.
            let hi = hi.min(lo.saturating_add(unit.most as i32));
            self.choices[at].extend((lo..=hi).map(|value| (value, NONE)));
        }
        cells + unit.selects.len()
    }

    /// How many combinations the first dimensions have.
    fn combinations(&self, dimensions: usize) -> usize {
        let sizes = self.choices[..dimensions].iter().map(Vec::len);
        sizes.fold(1, usize::saturating_mul)
    }

    /// Runs a unit for all combinations with a new value.
    fn run_values(&mut self, p: &Problem<'_>, number: u32, ahead: bool) {
        let unit = &p.units[number as usize];
        if self.is_wild[number as usize] || !self.is_active[number as usize] {
            return;
        }
        let cells = unit.reads.len();
        let is_first = self.seen_of(unit).iter().all(|&seen| seen == 0);
        let is_known = (0..cells).all(|j| self.choose(p, unit, j, Which::All, ahead));
        if !is_known {
            return self.go_wild(p, number, None);
        }
        let dimensions = self.choose_selects(unit, cells);
        if self.combinations(dimensions) > unit.most {
            return self.go_wild(p, number, None);
        }
        let mut has_stopped = false;
        if is_first {
            has_stopped = self.run_all(p, number, dimensions, None);
        } else {
            for new in 0..cells {
                let is_old = |j: usize| if j < new { Which::All } else { Which::Old };
                self.choose(p, unit, new, Which::New, ahead);
                if self.choices[new].is_empty() {
                    continue;
                }
                for j in (0..cells).filter(|&j| j != new) {
                    self.choose(p, unit, j, is_old(j), ahead);
                }
                has_stopped = self.run_all(p, number, dimensions, None);
                if has_stopped {
                    break;
                }
            }
        }
        if has_stopped {
            self.is_active[number as usize] = false;
        }
        for j in 0..cells {
            let cell = p.reads(unit)[j];
            let seen = match self.facts.any(cell, ahead) {
                Some(_) => ALL_SEEN,
                None => self.count(cell, ahead),
            };
            self.seen_of(unit)[j] = seen;
        }
    }

    /// Lets those who take part later in the same transition see what was written.
    pub(super) fn pass_on(&mut self, p: &Problem<'_>) {
        let mut at = 0;
        while let Some(&passed) = self.passed.get(at) {
            let listeners = if passed.channel == NONE {
                p.before_listeners.get(&passed.cell)
            } else {
                p.listeners.get(&(passed.channel, passed.cell))
            };
            for &id in listeners.into_iter().flatten() {
                let edge = p.edges[id.index()];
                if edge.process != passed.process && self.partners[id.index()] != NONE && edge.update != NONE
                {
                    self.run_passed(p, edge.update, at);
                }
            }
            at += 1;
        }
    }

    /// Runs an update for all combinations with a value that was passed on.
    fn run_passed(&mut self, p: &Problem<'_>, number: u32, at: usize) {
        let unit = &p.units[number as usize];
        if self.is_wild[number as usize] || !self.is_active[number as usize] {
            return;
        }
        let Passed {
            channel,
            fact,
            cell,
            speaker,
            ..
        } = self.passed[at];
        let Task::Update { owner, .. } = unit.task else {
            return;
        };
        let process = p.edges[owner.index()].process;
        let is_any = |layers: &Layers, cell: u32, fact: u32| layers.facts.cells[cell as usize].any == fact;
        let is_sender = |edge: u32| p.edges[edge as usize].role.direction() == Some(Direction::Send);
        let partner = (channel != NONE && is_sender(speaker)).then_some(speaker);
        if is_any(self, cell, fact) {
            return self.go_wild(p, number, partner);
        }
        for (j, &read) in p.reads(unit).iter().enumerate() {
            if !self.choose(p, unit, j, Which::All, false) {
                return self.go_wild(p, number, partner);
            }
            if read == cell {
                self.choices[j].clear();
                self.choices[j].push((self.facts.all[fact as usize].value, fact));
            } else if unit.is_passed[j] {
                for i in 0..at {
                    let other = self.passed[i];
                    let is_heard = other.channel == channel || other.channel == NONE || channel == NONE;
                    if other.cell != read || other.process == process || !is_heard {
                        continue;
                    }
                    if is_any(self, other.cell, other.fact) {
                        return self.go_wild(p, number, partner);
                    }
                    let value = (self.facts.all[other.fact as usize].value, other.fact);
                    if !self.choices[j].contains(&value) {
                        self.choices[j].push(value);
                    }
                }
            }
        }
        let dimensions = self.choose_selects(unit, unit.reads.len());
        if self.combinations(dimensions) > unit.most {
            return self.go_wild(p, number, partner);
        }
        self.run_all(p, number, dimensions, partner);
    }

    /// Runs a unit for all combinations of what was chosen; true if no more is wanted of it.
    fn run_all(&mut self, p: &Problem<'_>, number: u32, dimensions: usize, partner: Option<u32>) -> bool {
        let unit = &p.units[number as usize];
        let cells = unit.reads.len();
        if self.choices[..dimensions].iter().any(Vec::is_empty) {
            return false;
        }
        let mut index = std::mem::take(&mut self.index);
        let mut picked = std::mem::take(&mut self.picked);
        index.clear();
        index.resize(dimensions, 0usize);
        picked.clear();
        let address = |d: usize| {
            if d < cells {
                p.reads(unit)[d]
            } else {
                unit.selects[d - cells].0
            }
        };
        for d in 0..dimensions {
            let (value, fact) = self.choices[d][0];
            self.memory[address(d) as usize] = value;
            picked.push(fact);
        }
        let mut has_stopped = false;
        'all: loop {
            if self.perform(p, number, &picked[..cells], partner) {
                has_stopped = true;
                break;
            }
            for d in 0..=dimensions {
                if d == dimensions {
                    break 'all;
                }
                index[d] += 1;
                let is_over = index[d] == self.choices[d].len();
                if is_over {
                    index[d] = 0;
                }
                let (value, fact) = self.choices[d][index[d]];
                self.memory[address(d) as usize] = value;
                picked[d] = fact;
                if !is_over {
                    break;
                }
            }
        }
        for &cell in p.reads(unit) {
            if let Some(first) = self.facts.cells[cell as usize].list.first() {
                self.memory[cell as usize] = first.0;
            }
        }
        (self.index, self.picked) = (index, picked);
        has_stopped
    }

    /// Runs the code of a unit on the values that memory holds; true if no more is wanted of it.
    fn perform(&mut self, p: &Problem<'_>, number: u32, picked: &[u32], partner: Option<u32>) -> bool {
        let unit = &p.units[number as usize];
        match unit.task {
            Task::Guard {
                conjunct,
                condition,
                is,
            } => {
                // A run that has failed goes nowhere.
                let holds = condition.holds(&p.network.program, &unit.context, &mut self.memory);
                if holds.is_ok_and(|truth| truth == is) {
                    let start = self.witness_facts.len();
                    self.witness_facts.extend_from_slice(picked);
                    self.satisfy(p, conjunct, start);
                    return true;
                }
                false
            }
            Task::Channel { owner, setup, cell } => {
                if let Some(setup) = setup {
                    let code = Code::new(&p.network.program, setup, &unit.context);
                    if run(code, &mut self.memory, &mut NoClocks, &mut ()).is_err() {
                        return false;
                    }
                }
                let channel = ChannelId(self.memory[unit.context.address(cell)] as u32);
                let is_known = |n: &(u32, ChannelId, _)| (n.0, n.1) == (number, channel);
                if !self.named.iter().any(is_known) {
                    let start = self.witness_facts.len() as u32;
                    self.witness_facts.extend_from_slice(picked);
                    let end = self.witness_facts.len() as u32;
                    self.named.push((number, channel, (start, end)));
                    self.arrive(p, owner, channel);
                }
                false
            }
            Task::Update { owner, entry, .. } => {
                let mut checks = unit.checks.iter();
                let holds = checks.all(|&check| {
                    let guard = &p.units[check as usize];
                    let Task::Guard { condition, is, .. } = guard.task else {
                        return true;
                    };
                    let holds = condition.holds(&p.network.program, &guard.context, &mut self.memory);
                    holds.is_ok_and(|truth| truth == is)
                });
                if holds {
                    self.update(p, owner.0, entry, &unit.context, picked, partner);
                }
                false
            }
            Task::Before { entry, .. } | Task::After { entry, .. } => {
                self.update(p, NONE, entry, &unit.context, picked, None);
                false
            }
        }
    }

    fn proposal<'a>(&self, owner: u32, picked: &'a [u32], partner: Option<u32>) -> Proposal<'a> {
        let standing = self.partners.get(owner as usize).copied().unwrap_or(NOBODY);
        let partner = partner.unwrap_or(standing);
        let layer = |fact: &u32| self.facts.all.get(*fact as usize).map_or(0, |f| f.layer);
        let layers = picked.iter().map(layer).sum::<u32>();
        Proposal {
            edge: owner,
            partner,
            operands: picked,
            cost: self.cost(owner, partner).saturating_add(layers),
            is_passed: picked.iter().any(|f| layer(f) > self.facts.layer),
            made: None,
        }
    }

    /// Runs an update and adds what it changes. What it writes without a change is what the state, or an operand, has.
    fn update(
        &mut self,
        p: &Problem<'_>,
        owner: u32,
        entry: Entry,
        context: &Context,
        picked: &[u32],
        partner: Option<u32>,
    ) {
        let mut changes = std::mem::take(&mut self.changes);
        changes.clear();
        let code = Code::new(&p.network.program, entry, context);
        let end = p.network.layout.meta;
        let result = run(
            code,
            &mut self.memory,
            &mut NoClocks,
            &mut Changes::new(&mut changes, end),
        );
        if result.is_ok() {
            let mut proposal = self.proposal(owner, picked, partner);
            for &(cell, _) in &changes {
                if p.is_relevant[cell as usize]
                    && let Some(fact) = self.facts.add(cell, self.memory[cell as usize], &mut proposal)
                {
                    self.speak(p, owner, cell, fact);
                }
            }
        }
        for &(cell, old) in changes.iter().rev() {
            self.memory[cell as usize] = old;
        }
        self.changes = changes;
    }

    /// Notes a new value for those who take part later in the same transition.
    fn speak(&mut self, p: &Problem<'_>, owner: u32, cell: u32, fact: u32) {
        if owner == NONE {
            if p.before_listeners.contains_key(&cell) {
                self.pass(NONE, cell, fact, NONE, NONE);
            }
        } else if p.edges[owner as usize].speaks
            && let Some((_, on)) = p.channels.of(p.network, InstanceId(owner))
        {
            for channel in on.filter(|c| p.listeners.contains_key(&(c.0, cell))) {
                self.pass(channel.0, cell, fact, p.edges[owner as usize].process, owner);
            }
        }
    }

    fn pass(&mut self, channel: u32, cell: u32, fact: u32, process: u32, speaker: u32) {
        // Two speakers of different processes are heard by everybody.
        let same = self
            .passed
            .iter()
            .filter(|o| o.channel == channel && o.fact == fact);
        let (mut count, mut is_known) = (0, false);
        for other in same {
            count += 1;
            is_known |= other.process == process;
        }
        if !is_known && count < 2 {
            self.passed.push(Passed {
                channel,
                fact,
                cell,
                process,
                speaker,
            });
        }
    }

    /// Anything may come out of a unit.
    fn go_wild(&mut self, p: &Problem<'_>, number: u32, partner: Option<u32>) {
        self.is_wild[number as usize] = true;
        let unit = &p.units[number as usize];
        let anys: Vec<u32> = p
            .reads(unit)
            .iter()
            .filter_map(|&cell| self.facts.any(cell, false))
            .collect();
        match unit.task {
            Task::Guard { conjunct, .. } => {
                let start = self.witness_facts.len();
                self.witness_facts.extend_from_slice(&anys);
                self.satisfy(p, conjunct, start);
            }
            Task::Channel { owner, .. } => {
                if let Some((_, on)) = p.channels.of(p.network, owner) {
                    on.for_each(|channel| self.arrive(p, owner, channel));
                }
            }
            Task::Update { owner, writes, .. } => self.write_anything(p, owner.0, writes, &anys, partner),
            Task::Before { writes, .. } | Task::After { writes, .. } => {
                self.write_anything(p, NONE, writes, &anys, None);
            }
        }
    }

    fn write_anything(
        &mut self,
        p: &Problem<'_>,
        owner: u32,
        writes: SetId,
        anys: &[u32],
        partner: Option<u32>,
    ) {
        let mut proposal = self.proposal(owner, anys, partner);
        for cell in p.network.sets.members(writes) {
            if p.is_relevant.get(cell as usize).copied().unwrap_or(false)
                && let Some(fact) = self.facts.add_any(cell, &mut proposal)
            {
                self.speak(p, owner, cell, fact);
            }
        }
    }
}
