//! The ways to take a transition: who receives a broadcast, by which of its edges, and the values of selects that only
//! updates need. Which of them exist is up to the invariants of their targets.

use crate::candidate::{Candidate, list_ready};
use crate::plan::{NONE, Role};
use crate::random::Random;
use crate::refresh::Stop;
use crate::state::Window;
use crate::walker::Walker;

/// So many ways are tried before it counts as unknown whether there is one that exists.
const MOST: u32 = 1 << 12;

/// One way after the other. Its lists are used again and again.
#[derive(Default)]
pub(crate) struct Ways {
    /// Receiving edges that are enabled, those of one process beside each other.
    receivers: Vec<u32>,
    /// By process that receives: its edges in `receivers`, and the one whose turn it is.
    choices: Vec<Choice>,
    pub(crate) parts: Vec<u32>,
    /// By free select of the parts.
    ranges: Vec<(i32, i32)>,
    pub(crate) selects: Vec<i32>,
}

struct Choice {
    first: usize,
    count: usize,
    turn: usize,
}

impl Ways {
    /// The first way. Requires: the same partners are enabled all through the window of the candidate.
    pub(crate) fn begin(&mut self, walker: &Walker<'_>, candidate: Candidate) {
        self.parts.clear();
        self.parts.push(candidate.initiator);
        self.receivers.clear();
        self.choices.clear();
        if candidate.partner != NONE {
            self.parts.push(candidate.partner);
        } else {
            let ready = receivers(walker, candidate.initiator);
            self.receivers
                .extend(ready.filter(|&r| is_open(walker, r, candidate.window.lo)));
            self.receivers.sort_unstable();
            let process = |edge: &u32| walker.plan.edges[*edge as usize].process;
            let mut first = 0;
            for edges in self.receivers.chunk_by(|a, b| process(a) == process(b)) {
                let count = edges.len();
                self.choices.push(Choice {
                    first,
                    count,
                    turn: 0,
                });
                first += count;
                self.parts.push(edges[0]);
            }
        }
        self.begin_selects(walker);
    }

    fn begin_selects(&mut self, walker: &Walker<'_>) {
        let network = walker.plan.network;
        let edges = self
            .parts
            .iter()
            .map(|&p| network.edge(&network.instances[p as usize]));
        let selects = edges.flat_map(|e| e.selects.iter().filter(|s| !s.expanded));
        self.ranges.clear();
        self.ranges.extend(selects.map(|s| (s.lo, s.hi)));
        self.selects.clear();
        self.selects.extend(self.ranges.iter().map(|r| r.0));
    }

    /// The next way; false when there is none.
    pub(crate) fn next(&mut self, walker: &Walker<'_>) -> bool {
        for (value, &(lo, hi)) in self.selects.iter_mut().zip(&self.ranges) {
            if *value < hi {
                *value += 1;
                return true;
            }
            *value = lo;
        }
        // The receivers' edges follow the sender's.
        for (choice, part) in self.choices.iter_mut().zip(&mut self.parts[1..]) {
            choice.turn = (choice.turn + 1) % choice.count;
            *part = self.receivers[choice.first + choice.turn];
            if choice.turn > 0 {
                self.begin_selects(walker);
                return true;
            }
        }
        false
    }

    /// What the invariants of the target leave of a window that has instants, if the transition is taken this way; `None`
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
        let mut pieces = Vec::new();
        split(walker, candidate, &mut pieces);
        let (mut count, mut tries, mut is_known) = (0, 0, true);
        let (mut drawn, mut failed) = (None, None);
        for window in pieces.into_iter().filter(|w| !w.is_empty()) {
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
        match (drawn, failed) {
            (Some((window, parts, selects)), _) => {
                (self.parts, self.selects) = (parts, selects);
                Ok(Drawn::Way(window))
            }
            (None, Some(stop)) => Err(stop),
            (None, None) if is_known => Ok(Drawn::None),
            (None, None) => Ok(Drawn::Unknown),
        }
    }
}

impl Ways {
    /// The instants up to `horizon` after all that can be done: to wait until then is to be in a dead end. `None` when there
    /// are none, when nothing can be done at all, or when that is not known.
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
        let (mut last, mut pieces) = (i64::MIN, Vec::new());
        for &candidate in candidates.iter() {
            if candidate.window.hi <= last {
                continue;
            }
            split(walker, candidate, &mut pieces);
            for &window in pieces.iter().filter(|w| !w.is_empty()) {
                last = last.max(self.last_chance(walker, Candidate { window, ..candidate }));
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

    /// The last instant at which a candidate can be taken in any way, or a later one where that is not known. Requires: the
    /// same partners are enabled all through its window.
    fn last_chance(&mut self, walker: &mut Walker<'_>, candidate: Candidate) -> i64 {
        self.begin(walker, candidate);
        let mut last = i64::MIN;
        for _ in 0..MOST {
            let Ok(Some(allowed)) = self.try_out(walker, candidate.window) else {
                break;
            };
            if allowed.lo <= allowed.hi {
                last = last.max(allowed.hi);
            }
            if last >= candidate.window.hi || !self.next(walker) {
                return last;
            }
        }
        candidate.window.hi
    }
}

/// What a draw came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drawn {
    Way(Window),
    /// No way exists at any instant of the grid.
    None,
    Unknown,
}

/// The edges that may receive a broadcast, if the candidate is one.
pub(crate) fn receivers<'w>(walker: &'w Walker<'_>, initiator: u32) -> impl Iterator<Item = u32> + 'w {
    let (plan, state) = (walker.plan, &walker.state);
    let edge = &plan.edges[initiator as usize];
    let receivers = match edge.role {
        Role::Send => &state.ends[state.edges[initiator as usize].channel as usize].receivers[..],
        Role::Internal | Role::Receive => &[],
    };
    let is_other = |r: &u32| plan.edges[*r as usize].process != edge.process;
    receivers.iter().copied().filter(is_other)
}

/// An odd instant stands for those next to it.
pub(crate) fn is_open(walker: &Walker<'_>, edge: u32, at: i64) -> bool {
    walker.state.edges[edge as usize].window.contains(at)
}

/// Splits the window of a candidate where the receivers of a broadcast change (`semantics.md` 12).
pub(crate) fn split(walker: &Walker<'_>, candidate: Candidate, pieces: &mut Vec<Window>) {
    pieces.clear();
    pieces.push(candidate.window);
    if candidate.partner != NONE {
        return;
    }
    for receiver in receivers(walker, candidate.initiator) {
        let Window { lo, hi } = walker.state.edges[receiver as usize].window;
        if lo > hi {
            continue;
        }
        for begin in [Some(lo), hi.checked_add(1)].into_iter().flatten() {
            let at = pieces.partition_point(|p| p.hi < begin);
            if let Some(piece) = pieces.get_mut(at)
                && piece.lo < begin
            {
                let last = std::mem::replace(&mut piece.hi, begin - 1).max(begin);
                pieces.insert(at + 1, Window { lo: begin, hi: last });
            }
        }
    }
}
