//! The transitions of a state, each with the delays after which it can be taken.

use crate::edges::Ready;
use crate::error::{Activity, Error};
use crate::interpreter::{Flow, Interpreter, State, View};
use crate::region::{Clocks, Region};
use crate::window::Windows;
use std::collections::BTreeMap;
use zonewalk_model::eval::FaultKind;
use zonewalk_model::ids::{ChannelId, LocationId, ProcessId};
use zonewalk_model::tree::Direction;
use zonewalk_numbers::rational::Rational;
use zonewalk_run::Part;

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The channel; `None` for an internal edge.
    pub channel: Option<ChannelId>,
    /// The edges: the sender's, then the receivers' in the order of the processes; without `!` or `?` all in that order.
    pub parts: Vec<Part>,
    /// The delays after which it can be taken; not empty.
    pub windows: Windows,
}

/// A way to synchronise, with the region in which it is possible.
#[derive(Clone, Debug)]
pub(crate) struct Candidate<R = Windows> {
    pub channel: Option<ChannelId>,
    pub parts: Vec<Part>,
    pub region: R,
}

impl From<Candidate> for Transition {
    fn from(candidate: Candidate) -> Self {
        Transition {
            channel: candidate.channel,
            parts: candidate.parts,
            windows: candidate.region,
        }
    }
}

/// Priority of a transition: channels first, then processes (`semantics.md` 15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Priority {
    channel: u32,
    process: u32,
}

impl Interpreter<'_> {
    /// All transitions that are enabled after some delay, in the order of their first processes and edges.
    ///
    /// # Errors
    /// A run-time error, or conflicting rates.
    pub fn transitions(&self, state: &State) -> Result<Vec<Transition>, Error> {
        let flow = self.flow(state)?;
        let limit = self.time_limit(&flow)?;
        let mut ready = self.all_ready(flow.view(), &limit)?;
        let allowed = self.until_urgent(&limit, &ready);
        for r in &mut ready {
            r.region = r.region.and(&allowed);
        }
        ready.retain(|r| !r.region.is_empty());
        self.transitions_of(&flow, self.possible(&state.locations, &ready)?)
    }

    /// All transitions that are enabled without delay.
    ///
    /// # Errors
    /// A run-time error, or conflicting rates.
    pub fn enabled_now(&self, state: &State) -> Result<Vec<Transition>, Error> {
        let flow = self.flow(state)?;
        let ready = self.all_ready(flow.view(), &Windows::point(Rational::ZERO))?;
        self.transitions_of(&flow, self.possible(&state.locations, &ready)?)
    }

    /// A transition that exists after a delay and has priority over another one. What is not above that one is not tried: whether
    /// its update fails does not matter to it. Requires: the delay is possible.
    pub(crate) fn blocker_at(
        &self,
        flow: &Flow<'_>,
        delay: Rational,
        blocked: &Transition,
    ) -> Result<Option<Transition>, Error> {
        let ready = self.all_ready(flow.view(), &Windows::point(delay))?;
        let mut above = self.possible(&flow.state.locations, &ready)?;
        let level = self.priority(blocked.channel, &blocked.parts);
        above.retain(|other| self.priority(other.channel, &other.parts) > level);
        Ok(self.transitions_of(flow, above)?.into_iter().next())
    }

    fn transitions_of(&self, flow: &Flow<'_>, candidates: Vec<Candidate>) -> Result<Vec<Transition>, Error> {
        let view = flow.view();
        let existing = self.existing(candidates, |parts, free| self.exists(view, parts, free))?;
        Ok(existing.into_iter().map(Transition::from).collect())
    }

    /// The delays of a set after which the target's invariants hold (`semantics.md` 9).
    pub(crate) fn exists(&self, view: View<'_>, parts: &[Part], free: &Windows) -> Result<Windows, Error> {
        view.clocks.filter(view.locations, free, |world| {
            let landing = self.lands(view.memory, view.locations, parts, world)?;
            Ok(landing.is_some())
        })
    }

    /// The parts of all processes whose guards hold somewhere in `domain`.
    pub(crate) fn all_ready<C: Clocks>(
        &self,
        view: View<'_, C>,
        domain: &C::Region,
    ) -> Result<Vec<Ready<C::Region>>, Error> {
        let mut ready = Vec::new();
        if !domain.is_empty() {
            for process in self.processes() {
                ready.extend(self.ready(view, process, domain, |_| true)?);
            }
        }
        Ok(ready)
    }

    /// Leaves those of some candidates that exist: not blocked by a higher priority, target invariants satisfied
    /// (`semantics.md` 9, 15). `exists` says of edges in which part of a region their target's invariants hold.
    pub(crate) fn existing<R: Region>(
        &self,
        mut candidates: Vec<Candidate<R>>,
        mut exists: impl FnMut(&[Part], &R) -> Result<R, Error>,
    ) -> Result<Vec<Candidate<R>>, Error> {
        if self.has_priorities {
            // From the highest priority down, so that an update that is blocked everywhere is never run.
            let priority = |c: &Candidate<R>| self.priority(c.channel, &c.parts);
            let mut order: Vec<usize> = (0..candidates.len()).collect();
            order.sort_by_key(|&i| std::cmp::Reverse(priority(&candidates[i])));
            let (mut blocked, mut level): (Option<R>, Option<R>) = (None, None);
            let mut current = None;
            for i in order {
                let of_this = priority(&candidates[i]);
                if current != Some(of_this) {
                    blocked = either(blocked, level.take());
                    current = Some(of_this);
                }
                let Candidate { parts, region, .. } = &mut candidates[i];
                if let Some(blocked) = &blocked {
                    *region = region.minus(blocked);
                }
                *region = exists(parts, region)?;
                level = either(level, Some(region.clone()));
            }
        } else {
            for Candidate { parts, region, .. } in &mut candidates {
                *region = exists(parts, region)?;
            }
        }
        candidates.retain(|t| !t.region.is_empty());
        Ok(candidates)
    }

    /// The transitions of ready parts that committed locations leave (`semantics.md` 10).
    ///
    /// # Errors
    /// There are too many.
    pub(crate) fn possible<R: Region>(
        &self,
        locations: &[LocationId],
        ready: &[Ready<R>],
    ) -> Result<Vec<Candidate<R>>, Error> {
        let mut candidates = self.candidates(ready)?;
        if let Some(committed) = self.committed(locations) {
            candidates.retain(|t| t.parts.iter().any(|part| committed[part.process.index()]));
        }
        Ok(candidates)
    }

    /// Which processes are in a committed location; `None` when none is.
    fn committed(&self, locations: &[LocationId]) -> Option<Vec<bool>> {
        let is_committed = |p: ProcessId| self.location(p, locations[p.index()]).committed;
        let committed: Vec<bool> = self.processes().map(is_committed).collect();
        committed.contains(&true).then_some(committed)
    }

    fn priority(&self, channel: Option<ChannelId>, parts: &[Part]) -> Priority {
        let channel = match channel {
            Some(channel) => self.system.channels[channel.index()].priority,
            None => self.system.default_priority,
        };
        let processes = parts.iter().map(|part| self.process(part.process).priority);
        Priority {
            channel,
            process: processes.max().unwrap_or(0),
        }
    }

    /// Internal edges, and all ways to synchronise, by the guards alone.
    fn candidates<R: Region>(&self, ready: &[Ready<R>]) -> Result<Vec<Candidate<R>>, Error> {
        // Those that join another process: receivers, and all participants without `!` or `?`.
        let mut partners: BTreeMap<ChannelId, Vec<&Ready<R>>> = BTreeMap::new();
        for r in ready {
            if let Some((channel, Direction::Receive | Direction::Together)) = r.sync {
                partners.entry(channel).or_default().push(r);
            }
        }
        let partners = |channel| partners.get(&channel).map_or(&[][..], Vec::as_slice);
        let mut candidates = Vec::new();
        let too_many = |r: &Ready<R>| {
            let construct = format!("a state with more than {MOST_WAYS} ways to synchronise on one channel");
            let edge = self.edge(r.part.process, r.part.edge);
            let fault = FaultKind::unsupported(construct).at(edge.span);
            self.fault(fault, Activity::Channel, Some(r.part.process))
        };
        for r in ready {
            match r.sync {
                None => candidates.push(Candidate {
                    channel: None,
                    parts: vec![r.part.clone()],
                    region: r.region.clone(),
                }),
                Some((channel, Direction::Send)) => {
                    let others: Vec<&Ready<R>> = partners(channel)
                        .iter()
                        .copied()
                        .filter(|o| o.part.process != r.part.process)
                        .collect();
                    let joined = if self.system.channels[channel.index()].broadcast {
                        broadcasts(r, &others).ok_or_else(|| too_many(r))?
                    } else {
                        handshakes(r, &others)
                    };
                    candidates.extend(on(channel, joined));
                }
                Some((channel, Direction::Together)) => {
                    let participants = &self.system.channels[channel.index()].participants;
                    if participants.first() == Some(&r.part.process) {
                        let ways = together(r, &participants[1..], partners(channel));
                        candidates.extend(on(channel, ways.ok_or_else(|| too_many(r))?));
                    }
                }
                Some((_, Direction::Receive)) => {}
            }
        }
        candidates.retain(|t| !t.region.is_empty());
        Ok(candidates)
    }
}

fn either<R: Region>(a: Option<R>, b: Option<R>) -> Option<R> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.or(&b)),
        (a, b) => a.or(b),
    }
}

/// The edges of a way to synchronise, and the region in which it is possible.
type Synchronisation<R> = (Vec<Part>, R);

fn on<R>(channel: ChannelId, ways: Vec<Synchronisation<R>>) -> impl Iterator<Item = Candidate<R>> {
    ways.into_iter().map(move |(parts, region)| Candidate {
        channel: Some(channel),
        parts,
        region,
    })
}

/// Ways to synchronise that one edge may begin in a state: all of them are held at once.
const MOST_WAYS: usize = 1 << 18;

/// Every participant takes part with one of its edges, `first` being the edge of the first of them; all combinations are
/// behaviours (`semantics.md` 16a). `None` if they are too many.
fn together<R: Region>(
    first: &Ready<R>,
    others: &[ProcessId],
    members: &[&Ready<R>],
) -> Option<Vec<Synchronisation<R>>> {
    let mut ways = vec![(vec![first.part.clone()], first.region.clone())];
    for &process in others {
        let mut extended = Vec::new();
        for (parts, region) in &ways {
            for choice in members.iter().filter(|m| m.part.process == process) {
                let with = region.and(&choice.region);
                if !with.is_empty() {
                    let mut parts = parts.clone();
                    parts.push(choice.part.clone());
                    extended.push((parts, with));
                }
            }
        }
        ways = extended;
        if ways.len() > MOST_WAYS {
            return None;
        }
    }
    Some(ways)
}

fn handshakes<R: Region>(sender: &Ready<R>, receivers: &[&Ready<R>]) -> Vec<Synchronisation<R>> {
    let with = |r: &&Ready<R>| {
        (
            vec![sender.part.clone(), r.part.clone()],
            sender.region.and(&r.region),
        )
    };
    receivers.iter().map(with).collect()
}

/// Every process with an enabled receiving edge takes part, with any one of them. Which edges are enabled may
/// depend on the moment, so each choice has the region of its edge, and going without a process has the region
/// in which none of its edges is enabled (`semantics.md` 11, 12). `None` if there are too many ways.
fn broadcasts<R: Region>(sender: &Ready<R>, receivers: &[&Ready<R>]) -> Option<Vec<Synchronisation<R>>> {
    let mut ways = vec![(vec![sender.part.clone()], sender.region.clone())];
    for choices in receivers.chunk_by(|a, b| a.part.process == b.part.process) {
        let mut extended = Vec::new();
        for (parts, region) in &ways {
            let mut without = region.clone();
            for choice in choices {
                let with = region.and(&choice.region);
                without = without.minus(&choice.region);
                if !with.is_empty() {
                    let mut parts = parts.clone();
                    parts.push(choice.part.clone());
                    extended.push((parts, with));
                }
            }
            if !without.is_empty() {
                extended.push((parts.clone(), without));
            }
        }
        ways = extended;
        if ways.len() > MOST_WAYS {
            return None;
        }
    }
    Some(ways)
}
