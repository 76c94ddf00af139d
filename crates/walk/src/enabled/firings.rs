//! The ways to take a transition: who receives a broadcast, by which of its edges, and the values of selects that only
//! updates need. Which of them exist is up to the invariants of their targets.

use crate::Stop;
use crate::enabled::candidate::{Candidate, list_ready};
use crate::plan::Role;
use crate::time::Window;
use crate::walker::Walker;
use zonewalk_network::ids::InstanceId;
use zonewalk_numbers::Random;
use zonewalk_product::{Regions, split};

/// Number of ways that are tried before it counts as unknown whether one exists.
const MOST: u32 = 1 << 12;

/// One way after the other. Its lists are used again and again.
#[derive(Default)]
pub(crate) struct Firings {
    /// Receiving edges that are enabled, those of one process next to each other.
    receivers: Vec<InstanceId>,
    /// By process that receives: its edges in `receivers`, and the one whose turn it is.
    choices: Vec<ReceiverChoice>,
    pub(crate) parts: Vec<InstanceId>,
    /// By free select of the parts.
    pub(crate) selects: Vec<i32>,
    pieces: Pieces,
}

struct ReceiverChoice {
    first: usize,
    count: usize,
    turn: usize,
}

impl Firings {
    /// The first way. Requires: the same partners are enabled all through the window of the candidate.
    pub(crate) fn begin(&mut self, walker: &Walker<'_>, candidate: Candidate) {
        self.parts.clear();
        self.parts.push(candidate.initiator);
        self.receivers.clear();
        self.choices.clear();
        if let Some(partner) = candidate.partner.get() {
            self.parts.push(partner);
        } else {
            let ready = receivers(walker, candidate.initiator);
            self.receivers
                .extend(ready.filter(|&r| is_open(walker, r, candidate.window.lo)));
            self.receivers.sort_unstable();
            let mut first = 0;
            for edges in walker.plan.by_process(&self.receivers) {
                let count = edges.len();
                self.choices.push(ReceiverChoice {
                    first,
                    count,
                    turn: 0,
                });
                first += count;
                self.parts.push(edges[0]);
            }
        }
        walker.plan.first_selects(&self.parts, &mut self.selects);
    }

    /// The next way; false when there is none.
    pub(crate) fn next(&mut self, walker: &Walker<'_>) -> bool {
        if walker.plan.next_selects(&self.parts, &mut self.selects) {
            return true;
        }
        // The receivers' edges follow the sender's.
        for (choice, part) in self.choices.iter_mut().zip(&mut self.parts[1..]) {
            choice.turn = (choice.turn + 1) % choice.count;
            *part = self.receivers[choice.first + choice.turn];
            if choice.turn > 0 {
                walker.plan.first_selects(&self.parts, &mut self.selects);
                return true;
            }
        }
        false
    }

    /// Part that the invariants of the target leave of a window that has instants, if the transition is taken this way; `None`
    /// when that is not known.
    pub(crate) fn try_out(&self, walker: &mut Walker<'_>, window: Window) -> Result<Option<Window>, Stop> {
        let at = window.lo + (window.lo & 1);
        let allowed = walker.try_out(at, &self.parts, &self.selects)?;
        Ok(allowed.map(|allowed| window.and(allowed)))
    }

    /// Draws one of the ways that exist in the window of a candidate. The window that the invariants leave of it, with the
    /// way in `parts` and `selects`. An error says that some fail and no other exists.
    pub(crate) fn draw(
        &mut self,
        walker: &mut Walker<'_>,
        candidate: Candidate,
        random: &mut Random,
    ) -> Result<Drawn, Stop> {
        let mut pieces = std::mem::take(&mut self.pieces);
        pieces.split(walker, candidate);
        let (mut count, mut tries, mut is_known) = (0, 0, true);
        let (mut drawn, mut failed) = (None, None);
        for window in pieces.list.iter().copied().filter(|w| !w.is_empty()) {
            self.begin(walker, Candidate { window, ..candidate });
            loop {
                let allowed = self.try_out(walker, window).unwrap_or_else(|stop| {
                    walker.note(stop, window.lo + (window.lo & 1), &self.parts, &self.selects);
                    failed = Some(stop);
                    Some(Window::NEVER)
                });
                is_known &= allowed.is_some();
                if let Some(allowed) = allowed.filter(|w| !w.is_empty()) {
                    count += 1;
                    if random.index(count) == 0 {
                        drawn = Some((allowed, self.parts.clone(), self.selects.clone()));
                    }
                }
                tries += 1;
                is_known &= tries < MOST;
                if tries >= MOST || !self.next(walker) {
                    break;
                }
            }
        }
        self.pieces = pieces;
        match (drawn, failed) {
            (Some((window, parts, selects)), _) => {
                (self.parts, self.selects) = (parts, selects);
                Ok(Drawn::Firing(window))
            }
            (None, Some(stop)) => Err(stop),
            (None, None) if is_known => Ok(Drawn::None),
            (None, None) => Ok(Drawn::Unknown),
        }
    }
}

impl Firings {
    /// The instants up to `horizon` after all that can be done: to wait until then is to be in a deadlock. `None` when there
    /// are no such instants, when nothing can be done at all, or when that is not known.
    pub(crate) fn silence(
        &mut self,
        walker: &mut Walker<'_>,
        horizon: i64,
        candidates: &mut Vec<Candidate>,
    ) -> Option<Window> {
        if walker.failing().is_some() {
            return None;
        }
        let mut missed = false;
        // Whatever has priority over another transition is enabled itself.
        list_ready(walker, horizon, &[], candidates, &mut missed);
        let (mut last, mut pieces) = (i64::MIN, Pieces::default());
        for &candidate in candidates.iter() {
            if candidate.window.hi <= last {
                continue;
            }
            pieces.split(walker, candidate);
            for &window in pieces.list.iter().filter(|w| !w.is_empty()) {
                last = last.max(
                    self.last_chance(walker, Candidate { window, ..candidate })
                        .possible,
                );
                if last >= horizon {
                    return None;
                }
            }
        }
        (!missed && last > i64::MIN).then(|| Window {
            lo: last + 1,
            hi: horizon,
        })
    }

    /// The last instant up to `horizon` at which something can be done, or an earlier one: until then there is no deadlock. `None` when
    /// nothing is known to be possible.
    pub(crate) fn last_known_chance(
        &mut self,
        walker: &mut Walker<'_>,
        horizon: i64,
        candidates: &mut Vec<Candidate>,
    ) -> Option<i64> {
        if walker.failing().is_some() {
            return None;
        }
        // Whatever has priority over another transition is enabled itself.
        list_ready(walker, horizon, &[], candidates, &mut false);
        let (mut last, mut pieces) = (i64::MIN, Pieces::default());
        for &candidate in candidates.iter() {
            if candidate.window.hi <= last {
                continue;
            }
            pieces.split(walker, candidate);
            for &window in pieces.list.iter().filter(|w| !w.is_empty()) {
                last = last.max(self.last_chance(walker, Candidate { window, ..candidate }).known);
            }
        }
        (last > i64::MIN).then(|| last.min(horizon))
    }

    /// The last instant at which a candidate can be taken in any way. Requires: the same partners are enabled all through its window.
    fn last_chance(&mut self, walker: &mut Walker<'_>, candidate: Candidate) -> LastChance {
        self.begin(walker, candidate);
        let mut known = i64::MIN;
        for _ in 0..MOST {
            let Ok(Some(allowed)) = self.try_out(walker, candidate.window) else {
                break;
            };
            if allowed.lo <= allowed.hi {
                known = known.max(allowed.hi);
            }
            if known >= candidate.window.hi || !self.next(walker) {
                return LastChance {
                    known,
                    possible: known,
                };
            }
        }
        LastChance {
            known,
            possible: candidate.window.hi,
        }
    }
}

/// The last instant at which something can be done, from both sides.
struct LastChance {
    /// It can be done then; the least number where no instant is known.
    known: i64,
    /// It cannot be done later.
    possible: i64,
}

/// Result of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drawn {
    Firing(Window),
    /// No way exists at any instant of the grid.
    None,
    Unknown,
}

/// The edges that may receive a broadcast, if the candidate is one.
pub(crate) fn receivers<'w>(
    walker: &'w Walker<'_>,
    initiator: InstanceId,
) -> impl Iterator<Item = InstanceId> + 'w {
    let (plan, state) = (walker.plan, &walker.state);
    let edge = plan.edge(initiator);
    let ready = match edge.role {
        Role::Send => &state.ready[state.edges[initiator.index()].channel.index()].receivers[..],
        Role::Internal | Role::Receive | Role::Together => &[],
    };
    plan.receivers(initiator, ready)
}

/// An odd instant stands for those next to it.
pub(crate) fn is_open(walker: &Walker<'_>, edge: InstanceId, at: i64) -> bool {
    walker.state.edges[edge.index()].window.contains(at)
}

/// The window of a candidate, split where the receivers of a broadcast change. Its lists are used again and again.
#[derive(Default)]
pub(crate) struct Pieces {
    /// In order.
    pub(crate) list: Vec<Window>,
    next: Vec<Window>,
    with: Vec<(usize, Window)>,
    rest: Vec<Window>,
}

impl Pieces {
    /// Splits the window of a candidate (`semantics.md` 12).
    pub(crate) fn split(&mut self, walker: &Walker<'_>, candidate: Candidate) {
        self.list.clear();
        self.list.push(candidate.window);
        if candidate.partner.get().is_some() {
            return;
        }
        for receiver in receivers(walker, candidate.initiator) {
            let guard = walker.state.edges[receiver.index()].window;
            for piece in self.list.drain(..) {
                let guards = std::iter::once(&guard);
                split(&WindowRegions, &piece, guards, &mut self.with, &mut self.rest);
                self.next.extend(self.with.drain(..).map(|(_, part)| part));
                self.next.append(&mut self.rest);
            }
            std::mem::swap(&mut self.list, &mut self.next);
        }
        self.list.sort_unstable_by_key(|piece| piece.lo);
    }
}

/// Parts of a state at a point are windows of instants.
pub(crate) struct WindowRegions;

impl Regions for WindowRegions {
    type Region = Window;
    type Guard = Window;

    fn within(&self, window: &Window, guard: &Window) -> Option<Window> {
        let part = window.and(*guard);
        (part.lo <= part.hi).then_some(part)
    }

    /// Requires: the parts are disjoint and sorted.
    fn without<'a>(&self, window: &Window, parts: impl Iterator<Item = &'a Window>, rest: &mut Vec<Window>) {
        let mut lo = window.lo;
        for part in parts {
            if part.hi < lo {
                continue;
            }
            if part.lo > window.hi {
                break;
            }
            if part.lo > lo {
                rest.push(Window { lo, hi: part.lo - 1 });
            }
            match part.hi.checked_add(1) {
                Some(next) => lo = next,
                None => return,
            }
        }
        if lo <= window.hi {
            rest.push(Window { lo, hi: window.hi });
        }
    }
}
