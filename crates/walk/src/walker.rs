//! Taking transitions: updates, invariants of the target, and the way back when they do not hold.

pub(crate) mod effort;
pub(crate) mod fault;
pub(crate) mod record;
mod refresh;
mod scratch;
mod updates;

use crate::Stop;
use crate::plan::WalkPlan;
use crate::state::State;
use crate::time::Window;
use crate::walker::effort::RATES;
use crate::walker::fault::Fault;
pub(crate) use record::Record;
use scratch::Scratch;
use updates::Updates;
use zonewalk_network::ids::{InstanceId, ProcessId};
use zonewalk_search::Alarm;

/// Result of firing a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fired {
    /// It was taken.
    Yes,
    /// An invariant of the target would not hold now (`semantics.md` 9). It would hold in this window, if that is not
    /// empty; nothing has changed.
    Only(Window),
    /// Its update, or an invariant or rate of its target, fails; nothing has changed.
    Failed(Stop),
}

/// A state that walks.
pub(crate) struct Walker<'p> {
    pub(crate) plan: &'p WalkPlan<'p>,
    initial: State,
    pub(crate) state: State,
    pub(crate) record: Record,
    pub(crate) scratch: Scratch,
    /// The first run-time error since the last query.
    pub(crate) fault: Option<Box<Fault>>,
    /// The only one that is of interest; all are where none is given.
    pub(crate) sought: Option<Stop>,
}

impl<'p> Walker<'p> {
    /// In the initial state; `None` when the initial invariants do not hold (`semantics.md` 6a).
    pub(crate) fn new(plan: &'p WalkPlan<'p>) -> Result<Option<Self>, Stop> {
        Walker::leaving_off(plan, Alarm::default())
    }

    /// Leaves off within a step when the alarm rings: from then on the guards of long code fail, which no walker notes.
    pub(crate) fn leaving_off(plan: &'p WalkPlan<'p>, alarm: Alarm) -> Result<Option<Self>, Stop> {
        let processes = plan.network.processes.len();
        let mut state = State::new(plan);
        state.alarm = alarm;
        let mut switched = Vec::new();
        for process in plan.processes() {
            state.refresh_rates(plan, process, &mut Vec::new(), &mut switched)?;
        }
        state.apply_rates(plan, &mut switched)?;
        for process in plan.processes() {
            let place = plan.location(process, state.location(process));
            if place.committed {
                state.committed.push(process);
            }
            state.urgent += u32::from(place.urgent);
            if !state.refresh_invariant(plan, process)?.contains(0) {
                return Ok(None);
            }
            state.refresh_edges(plan, process);
        }
        state.clocks.log.clear();
        let scratch = Scratch {
            moved_mark: vec![0; processes],
            invariant_mark: vec![0; processes],
            extent_mark: vec![0; plan.dependents.guards.len()],
            count_mark: vec![0; plan.counts.len()],
            rated_mark: vec![0; processes],
            ..Scratch::default()
        };
        Ok(Some(Walker {
            plan,
            initial: state.clone(),
            state,
            record: Record::default(),
            scratch,
            fault: None,
            sought: None,
        }))
    }

    /// The processes whose invariants the last transition, which had these parts, may have changed, or the clocks that these
    /// bound.
    pub(crate) fn with_changed_invariants(&self, parts: &[InstanceId]) -> Vec<ProcessId> {
        let plan = self.plan;
        let own = parts.iter().map(|&part| plan.edge(part).process);
        let listed = parts.iter().flat_map(|&part| plan.bounded(part)).copied();
        let mut all: Vec<ProcessId> = own
            .chain(listed)
            .chain(self.scratch.invariants.iter().copied())
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Back to the initial state.
    pub(crate) fn restart(&mut self) {
        self.state.restore(&self.initial);
        self.record.clear();
        self.note_failing();
    }

    /// Goes to a state that this walk has led to.
    pub(crate) fn resume(&mut self, state: &State, record: &Record) {
        self.state.restore(state);
        self.record.clone_from(record);
    }

    /// Takes a transition at an instant: the initiator's edge, then the receivers' in the order of the processes.
    /// Requires: the edges are enabled then, and time may pass until then.
    #[inline(never)]
    pub(crate) fn fire(&mut self, at: i64, parts: &[InstanceId], selects: &[i32]) -> Result<Fired, Stop> {
        self.take(at, parts, selects)
    }

    /// Fires an internal edge without free selects: most of the transitions of most models.
    #[inline(always)]
    pub(crate) fn fire_alone(&mut self, at: i64, edge: InstanceId) -> Result<Fired, Stop> {
        self.take(at, &[edge], &[])
    }

    #[inline(always)]
    fn take(&mut self, at: i64, parts: &[InstanceId], selects: &[i32]) -> Result<Fired, Stop> {
        let before = self.state.clocks.now;
        if let Err(stop) = self.apply(at, parts, selects) {
            return self.give_up(stop, before, at, (parts, selects));
        }
        let set = self.state.clocks.log.len();
        match self.is_allowed(parts) {
            Ok(true) => {}
            Ok(false) => return self.refused(before, at, (parts, selects), set),
            Err(stop) => return self.give_up(stop, before, at, (parts, selects)),
        }
        self.update_enabled(parts);
        self.record.push(at, parts, selects);
        if !self.state.failing.is_empty() {
            self.look_at_failing();
        }
        Ok(Fired::Yes)
    }

    /// When a transition may be taken, as far as the invariants of its target are concerned; the state stays. `None` when
    /// that is not known.
    /// Requires: the edges are enabled at the instant `at`, and time may pass until then.
    pub(crate) fn try_out(
        &mut self,
        at: i64,
        parts: &[InstanceId],
        selects: &[i32],
    ) -> Result<Option<Window>, Stop> {
        if !self.can_try_out(parts) {
            return Ok(None);
        }
        let before = self.state.clocks.now;
        let tried = self.target_window(at, parts, selects);
        // Also when it failed: that is for the real transition to report.
        self.take_back(before, parts)?;
        tried.map(Some)
    }

    /// The window in which the invariants of a target would hold. Whatever comes of it must be taken back.
    fn target_window(&mut self, at: i64, parts: &[InstanceId], selects: &[i32]) -> Result<Window, Stop> {
        self.apply(at, parts, selects)?;
        let set = self.state.clocks.log.len();
        // Looks at the invariants of the target that depend on clocks whose rates change, too.
        self.is_allowed(parts)?;
        self.allowed_window(parts, set)
    }

    /// Whether the values of all clocks after a transition follow from one trial.
    fn can_try_out(&self, parts: &[InstanceId]) -> bool {
        let network = self.plan.network;
        let edges = parts.iter().map(|&part| network.instance(part).clock_sources);
        let routines = [network.before_update, network.after_update];
        let routines = routines.iter().flatten().map(|r| r.clock_sources);
        edges
            .chain(routines)
            .all(|sources| network.sets.get(sources).is_empty())
    }

    /// Takes back a transition that is not allowed, and says when it would be.
    #[cold]
    fn refused(
        &mut self,
        before: i64,
        at: i64,
        (parts, selects): (&[InstanceId], &[i32]),
        set: usize,
    ) -> Result<Fired, Stop> {
        match self.allowed_window(parts, set) {
            Ok(window) => {
                self.take_back(before, parts)?;
                Ok(Fired::Only(window))
            }
            Err(stop) => self.give_up(stop, before, at, (parts, selects)),
        }
    }

    /// Runs the updates of a transition, and finds out what it has changed and which invariants and rates depend on that.
    #[inline(always)]
    fn apply(&mut self, at: i64, parts: &[InstanceId], selects: &[i32]) -> Result<(), Stop> {
        let plan = self.plan;
        self.state.clocks.now = at;
        self.state.epoch += 1;
        self.state.clocks.log.clear();
        self.scratch.forget();
        let mut updates = Updates {
            plan,
            state: &mut self.state,
            changed: &mut self.scratch.changed,
            is_decoded: true,
        };
        plan.update(parts, selects, &mut updates)?;
        let is_decoded = updates.is_decoded;
        self.scratch.is_decoded = is_decoded && !plan.has_rates;
        self.mark_dependents(parts, is_decoded);
        Ok(())
    }

    /// Lists the processes whose invariants and rates depend on what has changed.
    #[inline(always)]
    fn mark_dependents(&mut self, parts: &[InstanceId], is_decoded: bool) {
        let (plan, state, scratch) = (self.plan, &mut self.state, &mut self.scratch);
        scratch.mark += 1;
        if plan.has_rates {
            scratch.mark_rated(plan, parts);
        }
        if !scratch.changed.is_empty() && !plan.dependents.invariants.is_empty() {
            scratch.mark_readers(plan, state);
        }
        if !is_decoded {
            for &(clock, _) in &state.clocks.log {
                scratch.mark_invariants(&plan.dependents.by_clock[clock.index()].invariants);
            }
        }
    }

    /// Sets the rates of the target, and looks at its invariants.
    #[inline(always)]
    fn is_allowed(&mut self, parts: &[InstanceId]) -> Result<bool, Stop> {
        let plan = self.plan;
        if plan.has_rates {
            self.scratch.switched.clear();
            self.state.effort += RATES;
            self.refresh_rates()?;
            self.state.apply_rates(plan, &mut self.scratch.switched)?;
            for i in 0..self.scratch.switched.len() {
                let clock = self.scratch.switched[i].index();
                self.scratch
                    .mark_invariants(&plan.dependents.by_clock[clock].invariants);
            }
        }
        let now = self.state.clocks.now;
        let mut holds = true;
        for &part in parts {
            for &process in plan.bounded(part) {
                holds &= self.state.refresh_invariant(plan, process)?.contains(now);
            }
        }
        for i in 0..self.scratch.invariants.len() {
            holds &= self
                .state
                .refresh_invariant(plan, self.scratch.invariants[i])?
                .contains(now);
        }
        Ok(holds)
    }

    /// The window in which the invariants of the target would hold, if the transition were taken then. The first `set`
    /// entries of the log are the clocks that the update has set.
    fn allowed_window(&mut self, parts: &[InstanceId], set: usize) -> Result<Window, Stop> {
        let plan = self.plan;
        // Until the transition, whenever that is, clocks run as in its source; those that it sets have the same value then.
        let clocks = &mut self.state.clocks;
        clocks.roll_back(set);
        for i in 0..set {
            let clock = clocks.log[i].0;
            clocks.freeze(clock);
        }
        let mut window = Window::ALL;
        for &process in parts.iter().flat_map(|&part| plan.bounded(part)) {
            window = window.and(self.state.refresh_invariant(plan, process)?);
        }
        for i in 0..self.scratch.invariants.len() {
            window = window.and(self.state.refresh_invariant(plan, self.scratch.invariants[i])?);
        }
        Ok(window)
    }

    fn refresh_rates(&mut self) -> Result<(), Stop> {
        let (plan, state, scratch) = (self.plan, &mut self.state, &mut self.scratch);
        for &process in &scratch.rated {
            state.refresh_rates(plan, process, &mut scratch.rates, &mut scratch.switched)?;
        }
        for &number in &scratch.rate_cells {
            state.refresh_rate(plan, &plan.rate_cells[number as usize], &mut scratch.switched)?;
        }
        Ok(())
    }

    /// Undoes the updates of a transition whose target is not allowed.
    pub(crate) fn take_back(&mut self, before: i64, parts: &[InstanceId]) -> Result<(), Stop> {
        let plan = self.plan;
        for &part in parts {
            let edge = plan.edge(part);
            self.state.memory[edge.process.index()] = edge.source.0 as i32;
        }
        for &(cell, old) in self.scratch.changed.iter().rev() {
            self.state.memory[cell as usize] = old;
        }
        self.state.clocks.roll_back(0);
        self.state.clocks.now = before;
        self.state.epoch += 1;
        self.scratch.switched.clear();
        self.refresh_rates()?;
        // The clocks are as they were; only the counts of who sets their rates had changed.
        for &process in parts.iter().flat_map(|&part| plan.bounded(part)) {
            self.state.refresh_invariant(plan, process)?;
        }
        for i in 0..self.scratch.invariants.len() {
            self.state.refresh_invariant(plan, self.scratch.invariants[i])?;
        }
        self.state.clocks.log.clear();
        Ok(())
    }
}
