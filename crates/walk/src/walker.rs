//! Taking transitions: updates, invariants of the target, and the way back when they do not hold.

use crate::affected::Touched;
use crate::condition::{Conjunction, General};
use crate::plan::{NONE, Plan};
use crate::refresh::Stop;
use crate::state::{State, Window};
use zonewalk_network::vm::run;
use zonewalk_network::{Extent, Routine};

/// Write sets of at most this many cells are saved before a transition, to find out what it really changed and to take
/// it back. A transition that writes more and then turns out to violate an invariant is taken back by walking again from
/// the start, which is rare.
const SAVED_CELLS: u32 = 1 << 16;

/// So many readers are looked through one by one.
const FEW_READERS: usize = 8;

/// What became of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fired {
    /// It was taken.
    Yes,
    /// An invariant of the target would not hold now (`semantics.md` 9). It would hold in this window, if that is not
    /// empty; nothing has changed.
    Only(Window),
}

/// A step of a walk: when, and where its edges begin in the lists of the record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recorded {
    pub(crate) at: i64,
    pub(crate) parts: u32,
    pub(crate) selects: u32,
}

/// The choices of a walk: enough to walk it again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub(crate) steps: Vec<Recorded>,
    /// Edge instances: the initiator's, then the receivers'.
    pub(crate) parts: Vec<u32>,
    /// Values of the selects that no guard or channel needs, in the order of the parts.
    pub(crate) selects: Vec<i32>,
}

impl Record {
    pub(crate) fn clear(&mut self) {
        self.steps.clear();
        self.parts.clear();
        self.selects.clear();
    }

    /// Edges and select values of a step.
    pub(crate) fn step(&self, index: usize) -> (&[u32], &[i32]) {
        let step = self.steps[index];
        let next = self.steps.get(index + 1);
        let parts = step.parts as usize..next.map_or(self.parts.len(), |n| n.parts as usize);
        let selects = step.selects as usize..next.map_or(self.selects.len(), |n| n.selects as usize);
        (&self.parts[parts], &self.selects[selects])
    }

    /// Becomes the first steps of another one.
    pub(crate) fn copy_first(&mut self, other: &Record, steps: usize) {
        self.clear();
        let next = other.steps.get(steps);
        let parts = next.map_or(other.parts.len(), |n| n.parts as usize);
        let selects = next.map_or(other.selects.len(), |n| n.selects as usize);
        self.steps.extend_from_slice(&other.steps[..steps]);
        self.parts.extend_from_slice(&other.parts[..parts]);
        self.selects.extend_from_slice(&other.selects[..selects]);
    }

    pub(crate) fn push(&mut self, at: i64, parts: &[u32], selects: &[i32]) {
        self.steps.push(Recorded {
            at,
            parts: self.parts.len() as u32,
            selects: self.selects.len() as u32,
        });
        self.parts.extend_from_slice(parts);
        self.selects.extend_from_slice(selects);
    }
}

/// A state that walks.
pub(crate) struct Walker<'p> {
    pub(crate) plan: &'p Plan<'p>,
    initial: State,
    pub(crate) state: State,
    pub(crate) record: Record,
    scratch: Scratch,
}

/// Lists that are used again and again.
#[derive(Default)]
struct Scratch {
    /// The cells that a transition may write, and their old values.
    written: Vec<Extent>,
    saved: Vec<i32>,
    /// Cells with another value than before, and that value if it is known.
    changed: Vec<(u32, Option<i32>)>,
    /// Processes whose invariants must be looked at.
    invariants: Vec<u32>,
    /// Marks of the current transition: processes in another location than before, processes whose invariants are listed,
    /// extents of readers that have been looked at.
    moved_mark: Vec<u32>,
    invariant_mark: Vec<u32>,
    extent_mark: Vec<u32>,
    mark: u32,
    /// Processes whose rates must be looked at.
    rated: Vec<u32>,
    rates: Vec<(u32, bool)>,
    switched: Vec<u32>,
    again: Record,
}

impl<'p> Walker<'p> {
    /// In the initial state; `None` when the initial invariants do not hold (`semantics.md` 6a).
    pub(crate) fn new(plan: &'p Plan<'p>) -> Result<Option<Self>, Stop> {
        let processes = plan.network.processes.len();
        let mut state = State::new(plan);
        let mut switched = Vec::new();
        for process in 0..processes as u32 {
            state.refresh_rates(plan, process, &mut Vec::new(), &mut switched)?;
        }
        state.apply_rates(plan, &mut switched)?;
        for process in 0..processes as u32 {
            let place = plan.place(process, state.location(process));
            if place.committed {
                state.committed.push(process);
            }
            state.urgent += u32::from(place.urgent);
            if !state.refresh_invariant(plan, process)?.contains(0) {
                return Ok(None);
            }
            if let Err(trap) = state.refresh_edges(plan, process) {
                state.pending = Some(trap.into());
            }
        }
        state.clocks.log.clear();
        let scratch = Scratch {
            moved_mark: vec![0; processes],
            invariant_mark: vec![0; processes],
            extent_mark: vec![0; plan.dependents.guards.len()],
            ..Scratch::default()
        };
        Ok(Some(Walker {
            plan,
            initial: state.clone(),
            state,
            record: Record::default(),
            scratch,
        }))
    }

    /// The processes whose invariants the last transition may have changed, or the clocks that these bound.
    pub(crate) fn affected(&self) -> &[u32] {
        &self.scratch.invariants
    }

    /// Back to the initial state.
    pub(crate) fn restart(&mut self) {
        self.state.restore(&self.initial);
        self.record.clear();
    }

    /// Takes a transition at an instant: the initiator's edge, then the receivers' in the order of the processes.
    /// Requires: the edges are enabled then, and time may pass until then.
    pub(crate) fn fire(&mut self, at: i64, parts: &[u32], selects: &[i32]) -> Result<Fired, Stop> {
        let (before, is_saved, violation) = self.try_out(at, parts, selects)?;
        if let Some(window) = violation {
            self.take_back(before, parts, is_saved)?;
            return Ok(Fired::Only(window));
        }
        // A guard that fails is an error of whoever looks for successors; the state itself is reached all the same.
        self.state.pending = self.settle(parts).err();
        self.record.push(at, parts, selects);
        Ok(Fired::Yes)
    }

    /// Whether a transition exists at an instant, as far as the invariants of its target are concerned. The state stays.
    pub(crate) fn exists(&mut self, at: i64, parts: &[u32], selects: &[i32]) -> Result<bool, Stop> {
        let (before, is_saved, violation) = self.try_out(at, parts, selects)?;
        self.take_back(before, parts, is_saved)?;
        Ok(violation.is_none())
    }

    /// Runs the updates of a transition and looks at the invariants of the target. Gives the time before, whether the old
    /// values were saved, and the window in which the invariants would hold if they do not.
    fn try_out(
        &mut self,
        at: i64,
        parts: &[u32],
        selects: &[i32],
    ) -> Result<(i64, bool, Option<Window>), Stop> {
        let before = std::mem::replace(&mut self.state.clocks.now, at);
        self.state.clocks.log.clear();
        let is_saved = self.save(parts);
        self.update(parts, selects)?;
        for &part in parts {
            let edge = &self.plan.edges[part as usize];
            self.state.memory[edge.process as usize] = edge.target as i32;
        }
        self.mark_affected(parts, is_saved);
        let set = self.state.clocks.log.len();
        Ok((before, is_saved, self.violation(set)?))
    }

    /// Notes the values of all cells that the transition may write; false when there are too many.
    fn save(&mut self, parts: &[u32]) -> bool {
        let (plan, scratch) = (self.plan, &mut self.scratch);
        scratch.written.clear();
        scratch.saved.clear();
        for &part in parts {
            let writes = &plan.edges[part as usize].writes;
            scratch
                .written
                .extend_from_slice(&plan.writes[writes.start as usize..writes.end as usize]);
        }
        if plan.has_routines {
            for routine in [plan.network.before_update, plan.network.after_update]
                .iter()
                .flatten()
            {
                scratch
                    .written
                    .extend_from_slice(plan.network.sets.get(routine.writes));
            }
        }
        let cells: u32 = scratch.written.iter().map(|e| e.len()).sum();
        if cells > SAVED_CELLS {
            return false;
        }
        for extent in &scratch.written {
            if extent.len() == 1 {
                scratch.saved.push(self.state.memory[extent.start as usize]);
            } else {
                let cells = extent.start as usize..extent.end as usize;
                scratch.saved.extend_from_slice(&self.state.memory[cells]);
            }
        }
        true
    }

    /// Sender first, then receivers (`semantics.md` 7).
    fn update(&mut self, parts: &[u32], selects: &[i32]) -> Result<(), Stop> {
        let network = self.plan.network;
        if self.plan.has_routines {
            self.routine(network.before_update)?;
        }
        let mut values = selects.iter();
        for &part in parts {
            let edge = &self.plan.edges[part as usize];
            if edge.has_free_selects {
                let selects = &network.edge(&network.instances[part as usize]).selects;
                for select in selects.iter().filter(|s| !s.expanded) {
                    // Without an update nobody reads the value, and it has no cell.
                    if let Some(&value) = values.next()
                        && edge.update.is_some()
                    {
                        self.state.memory[edge.context.address(select.cell)] = value;
                    }
                }
            }
            if let Some(update) = edge.update {
                run(
                    &network.program,
                    update,
                    &edge.context,
                    &mut self.state.memory,
                    &mut self.state.clocks,
                )?;
            }
        }
        if self.plan.has_routines {
            self.routine(network.after_update)?;
        }
        Ok(())
    }

    fn routine(&mut self, routine: Option<Routine>) -> Result<(), Stop> {
        let network = self.plan.network;
        if let Some(routine) = routine {
            let context = network.global_context();
            run(
                &network.program,
                routine.entry,
                &context,
                &mut self.state.memory,
                &mut self.state.clocks,
            )?;
        }
        Ok(())
    }

    /// Finds out what the transition has changed, and the invariants and rates that depend on it.
    fn mark_affected(&mut self, parts: &[u32], is_saved: bool) {
        let (plan, state, scratch) = (self.plan, &self.state, &mut self.scratch);
        scratch.mark += 1;
        scratch.invariants.clear();
        scratch.rated.clear();
        for &part in parts {
            let edge = &plan.edges[part as usize];
            if edge.source != edge.target {
                scratch.moved_mark[edge.process as usize] = scratch.mark;
                scratch.mark_invariants(&[edge.process]);
                scratch.rated.push(edge.process);
            }
        }
        scratch.find_changes(state, is_saved);
        for i in 0..scratch.changed.len() {
            for &extent in plan.network.invariant_readers.extents_at(scratch.changed[i].0) {
                let processes = &plan.dependents.invariants[extent as usize];
                scratch.mark_invariants(processes);
                scratch.rated.extend_from_slice(processes);
            }
        }
        for &(clock, ..) in &state.clocks.log {
            scratch.mark_invariants(&plan.dependents.by_clock[clock as usize].invariants);
        }
    }

    /// Sets the rates of the target, and looks at its invariants. `None` when they hold; otherwise the window in which
    /// they would. The first `set` entries of the log are the clocks that the update has set.
    fn violation(&mut self, set: usize) -> Result<Option<Window>, Stop> {
        let plan = self.plan;
        self.scratch.switched.clear();
        if plan.has_rates {
            self.refresh_rates()?;
            self.state.apply_rates(plan, &mut self.scratch.switched)?;
        }
        for i in 0..self.scratch.switched.len() {
            let clock = self.scratch.switched[i] as usize;
            self.scratch
                .mark_invariants(&plan.dependents.by_clock[clock].invariants);
        }
        let now = self.state.clocks.now;
        let mut holds = true;
        for i in 0..self.scratch.invariants.len() {
            holds &= self
                .state
                .refresh_invariant(plan, self.scratch.invariants[i])?
                .contains(now);
        }
        if holds {
            return Ok(None);
        }
        let mut window = Window::ALL;
        for i in 0..self.scratch.invariants.len() {
            window = window.and(self.entry_window(self.scratch.invariants[i], set)?);
        }
        Ok(Some(window))
    }

    fn refresh_rates(&mut self) -> Result<(), Stop> {
        for i in 0..self.scratch.rated.len() {
            let scratch = &mut self.scratch;
            self.state.refresh_rates(
                self.plan,
                scratch.rated[i],
                &mut scratch.rates,
                &mut scratch.switched,
            )?;
        }
        Ok(())
    }

    /// When the invariant of a process would hold if the transition were taken then: bounds on clocks that it has set
    /// are the same whenever it is taken, those on other clocks are windows of time.
    fn entry_window(&mut self, process: u32, set: usize) -> Result<Window, Stop> {
        let plan = self.plan;
        let place = plan.place(process, self.state.location(process));
        let context = plan.network.context(process);
        let now = self.state.clocks.now;
        let mut window = Window::ALL;
        let conditions = &plan.conditions;
        if !conditions
            .compares(&place.invariant)
            .iter()
            .all(|c| c.holds(&self.state.memory))
        {
            return Ok(Window::NEVER);
        }
        let is_set = |state: &State, clock: u32| state.clocks.log[..set].iter().any(|&(c, ..)| c == clock);
        let mut narrow = |part: Window, is_fixed: bool| {
            // A clock that the transition has set has the same value whenever that is.
            if !is_fixed {
                window = window.and(part);
            }
            !is_fixed || part.contains(now)
        };
        for bound in conditions.bounds(&place.invariant) {
            let clock = bound.clock as usize;
            let part = bound.window(self.state.clocks.origin[clock], self.state.clocks.runs[clock]);
            if !narrow(part, is_set(&self.state, bound.clock)) {
                return Ok(Window::NEVER);
            }
        }
        for index in place.invariant.rest.clone() {
            let one = Conjunction {
                rest: index..index + 1,
                ..Conjunction::default()
            };
            let mut part = Window::ALL;
            if !self.state.holds(plan, &one, &context, &mut part)? {
                return Ok(Window::NEVER);
            }
            let is_fixed = match conditions.rest[index as usize] {
                General::Clock(number) => {
                    let (bound, context) = &conditions.clock_bounds[number as usize];
                    let at = |cell| self.state.memory[context.address(cell)] as u32;
                    is_set(&self.state, at(bound.left))
                        || bound.right.is_some_and(|r| is_set(&self.state, at(r)))
                }
                General::Compare(_) | General::Code(_) => false,
            };
            if !narrow(part, is_fixed) {
                return Ok(Window::NEVER);
            }
        }
        Ok(window)
    }

    /// Undoes the updates of a transition whose target is not allowed.
    fn take_back(&mut self, before: i64, parts: &[u32], is_saved: bool) -> Result<(), Stop> {
        if !is_saved {
            return self.walk_again();
        }
        let plan = self.plan;
        for &part in parts {
            let edge = &plan.edges[part as usize];
            self.state.memory[edge.process as usize] = edge.source as i32;
        }
        let mut start = 0;
        for extent in &self.scratch.written {
            let old = &self.scratch.saved[start..start + extent.len() as usize];
            self.state.memory[extent.start as usize..extent.end as usize].copy_from_slice(old);
            start += old.len();
        }
        self.state.clocks.roll_back(0);
        self.state.clocks.now = before;
        self.scratch.switched.clear();
        self.refresh_rates()?;
        // The clocks are as they were; only the counts of who sets their rates had changed.
        for i in 0..self.scratch.invariants.len() {
            self.state.refresh_invariant(plan, self.scratch.invariants[i])?;
        }
        self.state.clocks.log.clear();
        Ok(())
    }

    /// Rebuilds the state by the record.
    fn walk_again(&mut self) -> Result<(), Stop> {
        let record = std::mem::take(&mut self.record);
        let mut room = std::mem::take(&mut self.scratch.again);
        room.clear();
        self.record = room;
        self.state.restore(&self.initial);
        for (index, step) in record.steps.iter().enumerate() {
            let (parts, selects) = record.step(index);
            self.fire(step.at, parts, selects)?;
        }
        self.scratch.again = record;
        Ok(())
    }

    /// Makes the new state's edges known: all those of processes that moved, and those that read what has changed. A loop
    /// that changes nothing costs nothing, however many edges leave its location.
    fn settle(&mut self, parts: &[u32]) -> Result<(), Stop> {
        let plan = self.plan;
        for &part in parts {
            let edge = &plan.edges[part as usize];
            if edge.source != edge.target {
                self.leave(edge.process, edge.source);
                self.state.refresh_edges(plan, edge.process)?;
            }
        }
        for i in 0..self.scratch.changed.len() {
            let (cell, old) = self.scratch.changed[i];
            let change = old.map(|old| (old, self.state.memory[cell as usize]));
            for &extent in plan.network.guard_readers.extents_at(cell) {
                let mark = &mut self.scratch.extent_mark[extent as usize];
                if *mark != self.scratch.mark {
                    *mark = self.scratch.mark;
                    self.refresh_readers(&plan.dependents.guards[extent as usize], change)?;
                }
            }
        }
        // The log has clocks that were set and those that were stopped or started.
        for i in 0..self.state.clocks.log.len() {
            let clock = self.state.clocks.log[i].0;
            self.refresh_readers(&plan.dependents.by_clock[clock as usize].guards, None)?;
        }
        Ok(())
    }

    /// Looks again at those of the given edges that leave the current location of a process that has not moved, and whose
    /// answer the change of a cell (from, to) may have changed.
    fn refresh_readers(&mut self, guards: &[Touched], change: Option<(i32, i32)>) -> Result<(), Stop> {
        let plan = self.plan;
        for touched in guards {
            let readers = &plan.dependents.readers[touched.edges.start as usize..touched.edges.end as usize];
            let location = self.state.location(touched.process);
            // The readers are in order, and the edges of a location are neighbours.
            let first = if readers.len() <= FEW_READERS {
                0
            } else {
                let outgoing = &plan.place(touched.process, location).outgoing;
                readers.partition_point(|r| r.edge < outgoing.start)
            };
            for reader in &readers[first..] {
                if reader.source != location {
                    if readers.len() > FEW_READERS {
                        break;
                    }
                    continue;
                }
                if change.is_none_or(|(old, new)| reader.question.is_touched(old, new))
                    && self.scratch.moved_mark[touched.process as usize] != self.scratch.mark
                {
                    self.look_again(reader.edge)?;
                }
            }
        }
        Ok(())
    }

    /// Most edges stay as they are, and seeing that must be quick.
    #[inline]
    fn look_again(&mut self, number: u32) -> Result<(), Stop> {
        let plan = self.plan;
        let edge = &plan.edges[number as usize];
        let holds = plan
            .conditions
            .compares(&edge.guard)
            .iter()
            .all(|c| c.holds(&self.state.memory));
        match (holds, self.state.position[number as usize] != NONE) {
            (false, false) => {}
            (true, true) if edge.is_plain => {}
            (false, true) => self.state.remove(plan, number),
            (true, _) => self.state.refresh_edge(plan, number)?,
        }
        Ok(())
    }

    /// A process has left a location: its edges are not ready any more.
    fn leave(&mut self, process: u32, source: u32) {
        let plan = self.plan;
        let old = plan.place(process, source);
        for edge in old.outgoing.clone() {
            self.state.remove(plan, edge);
        }
        let new = plan.place(process, self.state.location(process));
        self.state.urgent = self.state.urgent + u32::from(new.urgent) - u32::from(old.urgent);
        match (old.committed, new.committed) {
            (false, true) => self.state.committed.push(process),
            (true, false) => self.state.committed.retain(|&p| p != process),
            _ => {}
        }
    }
}

impl Scratch {
    /// Lists the cells that have another value than before.
    fn find_changes(&mut self, state: &State, is_saved: bool) {
        self.changed.clear();
        let mut start = 0;
        for extent in &self.written {
            let new = &state.memory[extent.start as usize..extent.end as usize];
            if !is_saved {
                self.changed
                    .extend((extent.start..extent.end).map(|cell| (cell, None)));
                continue;
            }
            let old = &self.saved[start..start + new.len()];
            start += new.len();
            if old != new {
                for (i, (&old, &new)) in (0..).zip(old.iter().zip(new)) {
                    if old != new {
                        self.changed.push((extent.start + i, Some(old)));
                    }
                }
            }
        }
    }

    fn mark_invariants(&mut self, processes: &[u32]) {
        for &process in processes {
            let mark = &mut self.invariant_mark[process as usize];
            if *mark != self.mark {
                *mark = self.mark;
                self.invariants.push(process);
            }
        }
    }
}
