//! Values resulting from one combination of inputs, and from code with too many combinations to run.

use super::facts::Proposal;
use super::layers::{Layers, Named, Passed};
use super::problem::{NO_PARTNER, NONE, Problem, Purpose};
use zonewalk_model::tree::Direction;
use zonewalk_network::SetId;
use zonewalk_network::cell::Context;
use zonewalk_network::ids::{ChannelId, InstanceId};
use zonewalk_network::instr::Entry;
use zonewalk_network::vm::{Changes, Code, NoClocks, run};

impl Layers {
    /// Runs the code of a unit on the values that memory holds; true if no more is wanted of it.
    pub(super) fn perform(
        &mut self,
        p: &Problem<'_>,
        number: u32,
        picked: &[u32],
        partner: Option<u32>,
    ) -> bool {
        let unit = &p.units[number as usize];
        self.work += 1;
        self.effort += unit.effort;
        match unit.purpose {
            Purpose::Guard {
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
            Purpose::Channel { owner, setup, cell } => {
                if let Some(setup) = setup {
                    let code = Code::new(&p.network.program, setup, &unit.context);
                    if run(code, &mut self.memory, &mut NoClocks, &mut ()).is_err() {
                        return false;
                    }
                }
                let channel = ChannelId(self.memory[unit.context.address(cell)] as u32);
                if self.named_by(number).all(|n| n.channel != channel) {
                    let start = self.witness_facts.len() as u32;
                    self.witness_facts.extend_from_slice(picked);
                    let last = self.named.len() as u32;
                    self.named.push(Named {
                        channel,
                        witnesses: (start, self.witness_facts.len() as u32),
                        next: std::mem::replace(&mut self.last_named[number as usize], last),
                    });
                    self.arrive(p, owner, channel);
                }
                false
            }
            Purpose::Update { owner, entry, .. } => {
                let mut checks = unit.checks.iter();
                let holds = checks.all(|&check| {
                    let guard = &p.units[check as usize];
                    let Purpose::Guard { condition, is, .. } = guard.purpose else {
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
            Purpose::Before { entry, .. } | Purpose::After { entry, .. } => {
                self.update(p, NONE, entry, &unit.context, picked, None);
                false
            }
        }
    }

    fn proposal<'a>(&self, owner: u32, picked: &'a [u32], partner: Option<u32>) -> Proposal<'a> {
        let standing = self.partners.get(owner as usize).copied().unwrap_or(NO_PARTNER);
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

    /// Notes a new value for the edges that follow in the same transition.
    pub(super) fn speak(&mut self, p: &Problem<'_>, owner: u32, cell: u32, fact: u32) {
        let mut passed = Passed {
            channel: NONE,
            fact,
            cell,
            process: NONE - 1,
            speaker: owner,
            is_first: true,
        };
        if owner == NONE {
            if p.before_listeners.contains_key(&cell) {
                self.pass(passed);
            }
        } else if p.edges[owner as usize].speaks
            && let Some((direction, on)) = p.channels.of(p.network, InstanceId(owner))
        {
            passed.process = p.edges[owner as usize].process;
            passed.is_first = direction == Direction::Send;
            for channel in on.filter(|c| p.listeners.contains_key(&(c.0, cell))) {
                self.pass(Passed {
                    channel: channel.0,
                    ..passed
                });
            }
        }
    }

    fn pass(&mut self, passed: Passed) {
        let Passed {
            process, is_first, ..
        } = passed;
        let heard = self
            .heard
            .entry((passed.channel, passed.fact))
            .or_insert([NONE; 3]);
        let [one, other, least] = heard;
        // Whom it reaches is reached already by another that comes first, or by an earlier one.
        let reaches_more = if is_first {
            *one != process && *other == NONE
        } else {
            process < *least && *other == NONE && *one != process
        };
        if !reaches_more {
            return;
        }
        match is_first {
            true if *one == NONE => *one = process,
            true => *other = process,
            false => *least = process,
        }
        self.passed.push(passed);
    }

    /// Anything may come out of a unit.
    pub(super) fn go_wild(&mut self, p: &Problem<'_>, number: u32, partner: Option<u32>) {
        self.is_wild[number as usize] = true;
        let unit = &p.units[number as usize];
        let anys: Vec<u32> = p
            .reads(unit)
            .iter()
            .filter_map(|&cell| self.facts.any(cell, false))
            .collect();
        match unit.purpose {
            Purpose::Guard { conjunct, .. } => {
                let start = self.witness_facts.len();
                self.witness_facts.extend_from_slice(&anys);
                self.satisfy(p, conjunct, start);
            }
            Purpose::Channel { owner, .. } => {
                if let Some((_, on)) = p.channels.of(p.network, owner) {
                    on.for_each(|channel| self.arrive(p, owner, channel));
                }
            }
            Purpose::Update { owner, writes, .. } => self.write_anything(p, owner.0, writes, &anys, partner),
            Purpose::Before { writes, .. } | Purpose::After { writes, .. } => {
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
