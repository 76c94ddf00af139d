//! Room to work in: what computing successors writes to, so that the graph itself stays as it is.

use crate::graph::assignment::Assignments;
use crate::graph::{StepRecord, ZoneGraph};
use crate::state::constraint::Constraint;
use crate::state::{Frame, ZoneState};
use crate::stop::Stop;
use zonewalk_network::Transition;
use zonewalk_network::ids::{ChannelId, ClockId, InstanceId};
use zonewalk_network::vm::LoopWork;
use zonewalk_product::{Moves, Urgent};
use zonewalk_search::Alarm;
use zonewalk_zones::{Bound, Word, dbm};

/// Time that a successor takes in a graph without clocks, in nanoseconds or so.
const SUCCESSOR: u64 = 300;

/// Time for each entry of its zone.
const ENTRY: u64 = 8;

/// Time for each edge of the transition that leads there.
const EDGE: u64 = 50;

/// Working memory of one thread on a [`ZoneGraph`]: lists that are used again and again, and notes made on the
/// way. No successor depends on what it was used for before. It fits the graph that made it.
pub struct Scratch<W = i32> {
    /// Code runs in here; the discrete state comes first.
    pub(crate) memory: Vec<i32>,
    /// The clocks of the state whose successors are looked for.
    pub(crate) source: Frame<W>,
    /// The clocks of the state that is being entered.
    pub(crate) target: Frame<W>,
    /// In the units of [`crate::plan::effort`].
    pub(crate) effort: u64,
    /// By edge instance: whether it took part in a transition to some successor.
    pub(crate) taken: Vec<bool>,

    // When to leave off.
    pub(crate) alarm: Alarm,
    /// Work done in the loops of guards, not yet told to the alarm.
    pub(crate) loops: LoopWork,

    // What failed.
    /// The first failure since successors were asked for. What does not depend on it goes on.
    pub(crate) failed: Option<Stop>,
    /// The transition that was tried then; of an edge whose guard fails that edge alone.
    pub(crate) attempt: Option<Transition>,

    // The transitions of the source.
    pub(crate) moves: Moves<Vec<Bound<W>>>,
    /// Conditions of the guards of ready edges on clocks.
    pub(crate) constraints: Vec<Constraint>,

    // The transition that is being taken.
    /// The part of the source zone in which it is possible.
    pub(crate) guarded: Vec<Bound<W>>,
    /// Its edge instances.
    pub(crate) edges: Vec<InstanceId>,
    /// The values of its free selects.
    pub(crate) selects: Vec<i32>,
    /// The only values of selects that are looked for, if others do not matter.
    pub(crate) only_selects: Option<Vec<i32>>,
    pub(crate) is_tick: bool,
    pub(crate) assignments: Assignments,

    // The state that is being entered.
    pub(crate) invariant: Vec<Constraint>,
    /// Time stops where one of these sets of constraints holds.
    pub(crate) stops: Vec<Vec<Constraint>>,
    pub(crate) urgent: Urgent,
    /// Conditions of their guards.
    pub(crate) asked: Vec<Constraint>,
    /// Whether clocks run whose rates are set, by clock and as a list.
    pub(crate) rate_of: Vec<Option<bool>>,
    pub(crate) rates: Vec<(ClockId, bool)>,
    /// By index in the zone: whether the clock runs.
    pub(crate) running: Vec<bool>,
    /// By index in the zone: the index before and the number that make up the value.
    pub(crate) origins: Vec<(u32, i32)>,
    /// By index in the zone: where the value comes from, if it matters, in zones with stamps.
    pub(crate) sources: Vec<Option<Source>>,
    pub(crate) zone: Vec<Bound<W>>,
    pub(crate) out: ZoneState<W>,
    pub(crate) record: StepRecord,

    /// For questions about a state that is just being entered; made when there is one.
    pub(crate) inner: Option<Box<Scratch<W>>>,
}

/// Where a row of the zone that is entered comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    /// Rows before, whose difference it is.
    pub(crate) rows: (usize, usize),
    pub(crate) plus: i32,
}

impl ZoneGraph<'_> {
    /// Room to work in. Every thread that works on the graph at the same time needs its own.
    pub fn scratch<W: Word>(&self) -> Scratch<W> {
        let clocks = self.everywhere.len();
        let frame = || Frame::new(&self.everywhere, &self.plan.symmetric, self.endless);
        Scratch {
            memory: self.plan.image.clone(),
            source: frame(),
            target: frame(),
            moves: Moves::new(self.plan),
            assignments: Assignments::new(clocks),
            effort: 0,
            alarm: Alarm::default(),
            loops: LoopWork::default(),
            failed: None,
            attempt: None,
            constraints: Vec::new(),
            guarded: Vec::new(),
            edges: Vec::new(),
            selects: Vec::new(),
            only_selects: None,
            is_tick: false,
            invariant: Vec::new(),
            stops: Vec::new(),
            urgent: Urgent::default(),
            asked: Vec::new(),
            rate_of: Vec::new(),
            rates: Vec::new(),
            running: Vec::new(),
            origins: Vec::new(),
            sources: Vec::new(),
            zone: Vec::new(),
            out: ZoneState::default(),
            record: StepRecord::default(),
            inner: None,
            taken: vec![false; self.plan.edges.len()],
        }
    }
}

impl<W: Word> Scratch<W> {
    /// The channel of an edge in the state whose successors were computed last; `None` for an internal edge. Requires: the edge
    /// began one of its transitions.
    pub fn channel(&self, edge: InstanceId) -> Option<ChannelId> {
        self.moves.about(edge).channel
    }

    /// Cost of the successors so far, in 1/[`UNITS_PER_STEP`](crate::plan::effort::UNITS_PER_STEP) of a step of a walk.
    pub fn effort(&self) -> u64 {
        self.effort
    }

    /// By edge instance of the product, which is one of the network unless it is projected: whether it took part in a
    /// transition to some successor so far. Where the zones are an abstraction, an
    /// instance without a mark is taken nowhere.
    pub fn taken(&self) -> &[bool] {
        &self.taken
    }

    /// The transition that was tried when successors failed last; of an edge whose guard fails that edge alone. `None` where
    /// it was none.
    pub fn attempt(&self) -> Option<Transition> {
        self.attempt.clone().filter(|attempt| !attempt.parts.is_empty())
    }

    /// Something fails; what does not depend on it goes on.
    #[cold]
    pub(crate) fn fail(&mut self, stop: Stop, parts: &[InstanceId], selects: &[i32]) {
        if self.failed.is_none() {
            self.failed = Some(stop);
            self.attempt = Some(Transition {
                parts: parts.to_vec(),
                selects: selects.to_vec(),
            });
        }
    }

    /// Notes a failure of the transition that is being taken.
    #[cold]
    pub(crate) fn fail_now(&mut self, stop: Stop) {
        let (edges, selects) = (std::mem::take(&mut self.edges), std::mem::take(&mut self.selects));
        self.fail(stop, &edges, &selects);
        (self.edges, self.selects) = (edges, selects);
    }

    /// Counts the work on a successor with what code has done in loops. Whether to leave off.
    #[inline]
    pub(crate) fn is_to_leave_off(&mut self) -> bool {
        let dim = self.source.dim() as u64;
        let edges = self.edges.len() as u64;
        let loops = std::mem::take(&mut self.loops).0;
        self.alarm
            .rings_after(SUCCESSOR + ENTRY * dim * dim + EDGE * edges + loops)
    }

    /// Leaves off: the successors that were not computed may be anything.
    #[cold]
    pub(crate) fn leave_off(&mut self) -> Stop {
        self.failed = Some(Stop::Alarm);
        self.attempt = None;
        Stop::Alarm
    }

    /// The failure, if there was one.
    pub(crate) fn failure(&mut self) -> Result<(), Stop> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Lets time pass in a zone of the target, whatever the invariant.
    pub(crate) fn up(&self, zone: &mut [Bound<W>], is_running: bool) {
        let dim = self.target.dim();
        if is_running {
            dbm::up(zone, dim);
        } else {
            dbm::up_some(zone, dim, &self.running);
        }
    }
}
