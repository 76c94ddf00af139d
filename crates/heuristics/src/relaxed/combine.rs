//! Running code for all combinations of the values of the cells that it reads.
//!
//! The code itself is run, so that whatever the language can compute is computed here too. Where there are too many
//! combinations, anything may come out.

use super::effort;
use super::layers::{Layers, Passed};
use super::problem::{NONE, Problem, Purpose, Unit};
use rustc_hash::FxHashSet;
use zonewalk_model::tree::Direction;
use zonewalk_network::constraint::Relation;

/// A read whose values were run when it could have any.
const ALL_SEEN: u32 = u32::MAX;

/// Limit on the values passed on within transitions of one layer; beyond it, any value is assumed possible.
const MOST_PASSED: usize = 4096;

/// Which values of a cell are meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueAge {
    Old,
    New,
    All,
}

/// Values whose listing costs as much as running code once.
const VALUES_PER_RUN: usize = 16;

impl Layers {
    /// Runs a unit with the values that are new in this layer.
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

    /// Number of values of a cell in this layer, or including the next one (`ahead`).
    fn count(&self, cell: u32, ahead: bool) -> u32 {
        let values = &self.facts.cells[cell as usize];
        if ahead {
            values.list.len() as u32
        } else {
            values.visible
        }
    }

    /// Puts values of a read that the guard accepts into its dimension. False if it may have any value.
    fn choose(
        &mut self,
        p: &Problem<'_>,
        unit: &Unit,
        dimension: usize,
        which: ValueAge,
        ahead: bool,
    ) -> bool {
        let cell = p.reads(unit)[dimension];
        self.effort += effort::READ;
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
                    if accepts(value) && (which == ValueAge::All || is_new == (which == ValueAge::New)) {
                        choices.push((value, any));
                    }
                }
                None => is_known = false,
            }
        } else {
            let count = self.count(cell, ahead);
            let range = match which {
                ValueAge::Old => 0..seen.min(count),
                ValueAge::New => seen.min(count)..count,
                ValueAge::All => 0..count,
            };
            let list = &self.facts.cells[cell as usize].list[range.start as usize..range.end as usize];
            self.work += (list.len() / VALUES_PER_RUN) as u64;
            self.effort += (list.len() / VALUES_PER_RUN) as u64 * effort::RUN;
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

    /// Number of combinations of the first dimensions.
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
        // A counter gets a value in each layer: those before need not be listed again to know that they are not too many.
        let is_small = |cell: u32| {
            self.facts.any(cell, ahead).is_none() && self.count(cell, ahead) as usize <= unit.most
        };
        let has_one = !is_first && cells == 1 && unit.selects.is_empty();
        let mut dimensions = cells;
        if !has_one || !is_small(p.reads(unit)[0]) {
            let is_known = (0..cells).all(|j| self.choose(p, unit, j, ValueAge::All, ahead));
            if !is_known {
                return self.go_wild(p, number, None);
            }
            dimensions = self.choose_selects(unit, cells);
            if self.combinations(dimensions) > unit.most {
                return self.go_wild(p, number, None);
            }
        }
        let mut has_stopped = false;
        if is_first {
            has_stopped = self.run_all(p, number, dimensions, None);
        } else {
            for new in 0..cells {
                let is_old = |j: usize| if j < new { ValueAge::All } else { ValueAge::Old };
                self.choose(p, unit, new, ValueAge::New, ahead);
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

    /// Lets the edges that follow in the same transition see what was written.
    pub(super) fn pass_on(&mut self, p: &Problem<'_>) {
        let (mut at, mut runs) = (0, 0);
        let mut drowned = FxHashSet::default();
        while let Some(&passed) = self.passed.get(at) {
            // Thousands that count the same variable up, one after the other: a reader may see any value then.
            let is_too_much = runs > MOST_PASSED;
            if !is_too_much || drowned.insert((passed.channel, passed.cell)) {
                for &id in p.listeners_to(passed.channel, passed.cell) {
                    let edge = p.edges[id.index()];
                    if self.partners[id.index()] == NONE {
                        continue;
                    }
                    for unit in edge.updates.0..edge.updates.1 {
                        let is_reader = p.reads(&p.units[unit as usize]).contains(&passed.cell);
                        if !is_reader || self.is_wild[unit as usize] {
                            continue;
                        }
                        if is_too_much {
                            self.go_wild(p, unit, None);
                        } else if passed.reaches(edge.process) {
                            runs += 1;
                            self.run_passed(p, unit, at);
                        }
                    }
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
        let Purpose::Update { owner, .. } = unit.purpose else {
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
            if !self.choose(p, unit, j, ValueAge::All, false) {
                return self.go_wild(p, number, partner);
            }
            if read == cell {
                self.choices[j].clear();
                self.choices[j].push((self.facts.all[fact as usize].value, fact));
            } else if unit.is_passed[j] {
                self.effort += at as u64 / effort::PASSED;
                for i in 0..at {
                    let other = self.passed[i];
                    let is_heard = other.channel == channel || other.channel == NONE || channel == NONE;
                    if other.cell != read || !other.reaches(process) || !is_heard {
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
        self.effort += effort::READ * dimensions as u64;
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
}
