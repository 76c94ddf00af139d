//! `meta` variables that may be read before the transition that reads them has written them.
//!
//! States are not told apart by `meta` variables, so a value that a transition finds in one depends on the way on which the state
//! was met first (`semantics.md` 18). Answers that depend on such a value differ from search to search.

use crate::code::ids::InstanceId;
use crate::code::sets::SetId;
use crate::network::{ChannelUse, Instance, Network};
use zonewalk_model::tree::Direction;

/// Code that a transition runs.
#[derive(Clone, Copy)]
enum Code<'a> {
    /// Before all updates.
    Before,
    Update(&'a Instance),
    /// After all updates.
    After,
}

/// Some of that code and what it does with variables.
struct Step<'a> {
    code: Code<'a>,
    needs: SetId,
    writes: SetId,
    clock_writes: SetId,
}

impl Network {
    /// The cells of `meta` variables that hold what an earlier transition wrote when something reads them that states are told
    /// apart by: a guard, a channel, an invariant, an update of other variables, or one of the sets that are `observed`; or when
    /// they are copied to a `meta` variable that is read by one of these. Some may be named although nothing depends on them.
    pub fn stale_cells(&self, observed: &[SetId]) -> Vec<u32> {
        let cells = self.layout.state..self.layout.meta;
        if cells.is_empty() {
            return Vec::new();
        }
        let is_meta = |cell: &u32| cells.contains(cell);
        let guards = self.instances.iter().map(|instance| instance.reads);
        let states = self.invariants.iter().map(|invariant| invariant.reads);
        let mut found: Vec<u32> = Vec::new();
        // By cell, from the first one of `meta` variables on: whether what states are told apart by may depend on it.
        let mut matters = vec![false; cells.len()];
        for set in guards.chain(states).chain(observed.iter().copied()) {
            found.extend(self.sets.members(set).filter(is_meta));
        }
        let place = |cell: u32| (cell - cells.start) as usize;
        found.iter().for_each(|&cell| matters[place(cell)] = true);

        let mut idle = self.steps();
        loop {
            let (counted, rest): (Vec<_>, Vec<_>) = idle.into_iter().partition(|step| {
                let is_counted = |cell: u32| !is_meta(&cell) || matters[place(cell)];
                self.sets.members(step.writes).any(is_counted)
                    || self.sets.members(step.clock_writes).next().is_some()
            });
            if counted.is_empty() {
                break;
            }
            for step in counted {
                for cell in self.sets.members(step.needs).filter(is_meta) {
                    matters[place(cell)] = true;
                    if !self.is_passed(step.code, cell) {
                        found.push(cell);
                    }
                }
            }
            idle = rest;
        }
        found.sort_unstable();
        found.dedup();

        // What is never written keeps its initial value.
        let mut written = vec![false; cells.len()];
        for step in self.steps() {
            for cell in self.sets.members(step.writes).filter(is_meta) {
                written[place(cell)] = true;
            }
        }
        found.retain(|&cell| written[place(cell)]);
        found
    }

    /// All code that transitions run.
    fn steps(&self) -> Vec<Step<'_>> {
        let routines = [
            (Code::Before, self.before_update),
            (Code::After, self.after_update),
        ];
        let routines = routines.into_iter().filter_map(|(code, routine)| {
            routine.map(|routine| Step {
                code,
                needs: routine.needs,
                writes: routine.writes,
                clock_writes: routine.clock_writes,
            })
        });
        let updates = self.instances.iter().map(|instance| Step {
            code: Code::Update(instance),
            needs: instance.update_needs,
            writes: instance.writes,
            clock_writes: instance.clock_writes,
        });
        routines.chain(updates).collect()
    }

    /// Whether the same transition has written something for certain when some code begins: by the routine before all updates,
    /// for an update by every process that may send to its edge, for the routine after all updates by every process that may begin a transition.
    fn is_passed(&self, code: Code<'_>, cell: u32) -> bool {
        let writes = |set: SetId| self.sets.members(set).any(|written| written == cell);
        let is_early = || {
            self.before_update
                .is_some_and(|routine| writes(routine.overwrites))
        };
        match code {
            Code::Before => false,
            Code::Update(instance) => {
                is_early() || self.all_senders(instance, &|sender| writes(sender.overwrites))
            }
            Code::After => {
                let begins = |i: &&Instance| self.direction(i) != Some(Direction::Receive);
                let mut initiators = self.instances.iter().filter(begins);
                is_early() || initiators.all(|initiator| writes(initiator.overwrites))
            }
        }
    }

    fn direction(&self, instance: &Instance) -> Option<Direction> {
        self.edge(instance).sync.map(|sync| sync.direction)
    }

    /// Whether an edge receives and something holds for every process that may send to it. Who sends on a channel that depends on the
    /// state is not known.
    fn all_senders(&self, receiver: &Instance, holds: &dyn Fn(&Instance) -> bool) -> bool {
        let (Some(Direction::Receive), ChannelUse::Fixed(channel)) =
            (self.direction(receiver), receiver.channel)
        else {
            return false;
        };
        let holds = |&sender: &InstanceId| holds(self.instance(sender));
        let mut dynamic = self.dynamic_syncs.iter().filter(|sync| {
            let mut channels = self.sets.members(sync.channels).peekable();
            let may_be_any = channels.peek().is_none();
            sync.direction == Direction::Send && (may_be_any || channels.any(|c| c == channel.0))
        });
        self.channels[channel.index()].senders.iter().all(holds) && dynamic.all(|sync| holds(&sync.instance))
    }
}
