//! Making the edges of a new state known: all those of processes that moved, and those that read what has changed.

use crate::plan::condition::GuardEffect;
use crate::plan::dependents::{Guards, MANY, ProcessReaders, Reader};
use crate::plan::{EdgeInstance, NONE};
use crate::walker::Walker;
use crate::walker::effort::READING;
use zonewalk_network::ids::InstanceId;

/// Number of readers up to which all are looked through one by one.
const FEW_READERS: usize = 8;

impl Walker<'_> {
    /// Looks at the edges that a transition may have changed. A loop that changes nothing costs nothing, however many edges
    /// leave its location.
    #[inline(always)]
    pub(crate) fn update_enabled(&mut self, parts: &[InstanceId]) {
        let plan = self.plan;
        // First of all: the evaluation of a guard needs its counter to be right.
        let has_counts = !plan.counts.is_empty();
        if has_counts {
            self.count();
        }
        for &part in parts {
            let edge = plan.edge(part);
            if edge.source != edge.target {
                self.scratch.moved_mark[edge.process.index()] = self.scratch.mark;
                self.leave(edge);
                for number in plan.locations[edge.endpoints.1.index()].outgoing {
                    self.state.refresh_edge(plan, number, false);
                }
            }
        }
        if has_counts {
            for i in 0..self.scratch.crossed.len() {
                self.cross(InstanceId(self.scratch.crossed[i]));
            }
        }
        for i in 0..self.scratch.changed.len() {
            let (cell, old) = self.scratch.changed[i];
            let Some(watcher) = plan.dependents.watchers.get(cell as usize) else {
                continue;
            };
            let mark = self.scratch.moved_mark.get(watcher.process as usize);
            if watcher.process == NONE || mark == Some(&self.scratch.mark) {
                continue;
            }
            // It is what it was, whatever it has been in between. Other cells of the same extent may have changed.
            if old == self.state.memory[cell as usize] {
                continue;
            }
            if watcher.extent != MANY {
                self.refresh_extent(watcher.extent, cell, old);
            } else {
                self.refresh_extents(cell, old);
            }
        }
        if !self.scratch.is_decoded {
            self.update_clock_readers();
            return;
        }
        for &part in parts {
            let readers = &plan.edge(part).own.clock_readers;
            if !readers.is_empty() {
                let readers = &plan.clock_readers[readers.start as usize..readers.end as usize];
                self.refresh_readers(readers, |walker, reader| walker.look_again(reader.edge, true));
            }
        }
    }

    /// Looks at guards that read an extent with a cell that had another value, once in a transition.
    #[inline(always)]
    fn refresh_extent(&mut self, extent: u32, cell: u32, old: i32) {
        let mark = &mut self.scratch.extent_mark[extent as usize];
        if *mark == self.scratch.mark {
            return;
        }
        *mark = self.scratch.mark;
        self.refresh_guards(&self.plan.dependents.guards[extent as usize], cell, old);
    }

    /// Refreshes all extents that a cell is part of.
    fn refresh_extents(&mut self, cell: u32, old: i32) {
        for &extent in self.plan.network.guard_readers.extents_at(cell) {
            self.refresh_extent(extent, cell, old);
        }
    }

    /// Brings the counters of guards up to date, and lists the edges for which that matters.
    fn count(&mut self) {
        let (counts, scratch) = (&self.plan.counts, &mut self.scratch);
        scratch.crossed.clear();
        for &(cell, old) in &scratch.changed {
            let number = counts.number(cell);
            if number == NONE {
                continue;
            }
            // A cell that was written twice has its value from before in its first entry.
            let mark = &mut scratch.count_mark[number as usize];
            if *mark == scratch.mark {
                continue;
            }
            *mark = scratch.mark;
            let new = self.state.memory[cell as usize];
            if old != new {
                counts.change(
                    number,
                    (old, new),
                    self.state.edges.as_mut_slice(),
                    &mut scratch.crossed,
                );
            }
        }
    }

    /// Looks at an edge whose counter has reached zero or left it.
    fn cross(&mut self, number: InstanceId) {
        let plan = self.plan;
        let edge = plan.edge(number);
        // All the edges of a process that has moved are known already.
        if self.scratch.moved_mark[edge.process.index()] != self.scratch.mark
            && self.state.location(edge.process) == edge.source
        {
            self.state.refresh_edge(plan, number, true);
        }
    }

    /// Looks at guards that read clocks which were set, stopped or started.
    fn update_clock_readers(&mut self) {
        for i in 0..self.state.clocks.log.len() {
            let clock = self.state.clocks.log[i].0;
            let readers = &self.plan.dependents.by_clock[clock.index()].guards;
            self.refresh_readers(readers, |walker, reader| walker.look_again(reader.edge, true));
        }
    }

    /// Looks at guards that read a cell which had another value.
    #[inline(always)]
    fn refresh_guards(&mut self, guards: &Guards, cell: u32, old: i32) {
        let plan = self.plan;
        let new = self.state.memory[cell as usize];
        if let Some(key) = guards.waiting_for(old) {
            if key.gate != NONE {
                self.state.gated.set(key.gate, false);
            }
            self.refresh_readers(&key.guards, |walker, reader| {
                walker.state.remove(plan, reader.edge);
            });
        }
        if let Some(key) = guards.waiting_for(new) {
            if key.gate != NONE {
                self.state.gated.set(key.gate, true);
            }
            self.refresh_readers(&key.guards, |walker, reader| {
                walker.state.refresh_edge(plan, reader.edge, true);
            });
        }
        self.refresh_readers(guards.others(), |walker, reader| {
            match reader.question.effect(old, new) {
                GuardEffect::Same => {}
                GuardEffect::No => walker.state.remove(plan, reader.edge),
                GuardEffect::Open => walker.look_again(reader.edge, !reader.question.is_any()),
            }
        });
    }

    /// Calls `look` for those of the given edges that leave the current location of a process that has not moved.
    #[inline(always)]
    fn refresh_readers(&mut self, guards: &[ProcessReaders], mut look: impl FnMut(&mut Self, &Reader)) {
        let plan = self.plan;
        self.state.effort += READING * guards.len() as u64;
        for touched in guards {
            // All the edges of a process that has moved are known already.
            if self.scratch.moved_mark[touched.process.index()] == self.scratch.mark {
                continue;
            }
            let mut readers =
                &plan.dependents.readers[touched.edges.start as usize..touched.edges.end as usize];
            let location = self.state.location(touched.process);
            if readers.len() > FEW_READERS {
                // The readers are in order, and the edges of a location are neighbours.
                let outgoing = &plan.location(touched.process, location).outgoing;
                let first = readers.partition_point(|r| outgoing.begin_behind(r.edge));
                readers = &readers[first..];
                let count = readers.partition_point(|r| outgoing.reach(r.edge));
                readers = &readers[..count];
            }
            for reader in readers {
                if reader.source == location {
                    look(self, reader);
                }
            }
        }
    }

    /// Most edges stay as they are, and seeing that must be quick. See [`State::refresh_edge`](crate::state::State) for
    /// `keeps_rest`.
    #[inline(always)]
    fn look_again(&mut self, number: InstanceId, keeps_rest: bool) {
        let plan = self.plan;
        let edge = plan.edge(number);
        let is_ready = self.state.edges[number.index()].position != NONE;
        if !is_ready
            && let Some(memo) = self.state.memos.get(edge.own.memo as usize)
            && memo.denies(self.state.epoch, &edge.context, &self.state.memory)
        {
            if !keeps_rest {
                self.state.edges[number.index()].rest = Some(false);
            }
            return;
        }
        if !self.state.comparisons_hold(plan, number) {
            if is_ready {
                self.state.remove(plan, number);
            }
            if !keeps_rest && edge.own.rest_reads.is_some() {
                self.state.edges[number.index()].rest = None;
            }
        } else if !(is_ready && edge.own.is_plain) {
            self.state.refresh_edge(plan, number, keeps_rest);
        }
    }

    /// A process has left a location: its edges are not ready any more.
    #[inline(always)]
    fn leave(&mut self, edge: &EdgeInstance) {
        let plan = self.plan;
        let old = &plan.locations[edge.endpoints.0.index()];
        for edge in old.outgoing {
            self.state.remove(plan, edge);
        }
        if edge.own.is_pressing {
            let new = &plan.locations[edge.endpoints.1.index()];
            self.state.urgent = self.state.urgent + u32::from(new.urgent) - u32::from(old.urgent);
            match (old.committed, new.committed) {
                (false, true) => self.state.committed.push(edge.process),
                (true, false) => self.state.committed.retain(|&p| p != edge.process),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests;
