//! The transitions of a state, each with the delays after which it can be taken.

use crate::edges::Ready;
use crate::error::Error;
use crate::interpreter::{Flow, Interpreter, State};
use crate::moment::sweep;
use crate::window::Windows;
use std::collections::BTreeMap;
use zonewalk_model::ids::{ChannelId, ProcessId};
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
        let mut ready = self.all_ready(&flow, &limit)?;
        let allowed = self.until_urgent(&limit, &ready);
        for r in &mut ready {
            r.windows = r.windows.and(&allowed);
        }
        ready.retain(|r| !r.windows.is_empty());
        self.existing(&flow, self.possible(state, &ready))
    }

    /// All transitions that are enabled without delay.
    ///
    /// # Errors
    /// A run-time error, or conflicting rates.
    pub fn enabled_now(&self, state: &State) -> Result<Vec<Transition>, Error> {
        let flow = self.flow(state)?;
        let ready = self.all_ready(&flow, &Windows::point(Rational::ZERO))?;
        self.existing(&flow, self.possible(state, &ready))
    }

    /// A transition that exists after a delay and has priority over another one. What is not above that one is not tried: whether
    /// its update fails does not matter to it. Requires: the delay is possible.
    pub(crate) fn blocker_at(
        &self,
        flow: &Flow<'_>,
        delay: Rational,
        blocked: &Transition,
    ) -> Result<Option<Transition>, Error> {
        let ready = self.all_ready(flow, &Windows::point(delay))?;
        let mut above = self.possible(flow.state, &ready);
        above.retain(|other| self.priority(other) > self.priority(blocked));
        Ok(self.existing(flow, above)?.into_iter().next())
    }

    fn all_ready(&self, flow: &Flow<'_>, domain: &Windows) -> Result<Vec<Ready>, Error> {
        let mut ready = Vec::new();
        if !domain.is_empty() {
            for process in self.processes() {
                ready.extend(self.ready(flow.view(), process, domain, |_| true)?);
            }
        }
        Ok(ready)
    }

    /// Leaves those of some candidates that exist: not blocked by a higher priority, target invariants satisfied.
    fn existing(&self, flow: &Flow<'_>, mut candidates: Vec<Transition>) -> Result<Vec<Transition>, Error> {
        // From the highest priority down, so that an update that is blocked at every moment is never run.
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(self.priority(&candidates[i])));
        let (mut blocked, mut level) = (Windows::none(), Windows::none());
        let mut current = None;
        for i in order {
            let priority = self.priority(&candidates[i]);
            if current != Some(priority) {
                blocked = blocked.or(&level);
                level = Windows::none();
                current = Some(priority);
            }
            let Transition { parts, windows, .. } = &candidates[i];
            let free = windows.minus(&blocked);
            let exists = sweep(&free, |moment| self.lands(flow.view(), parts, moment))?;
            if self.has_priorities {
                level = level.or(&exists);
            }
            candidates[i].windows = exists;
        }
        candidates.retain(|t| !t.windows.is_empty());
        Ok(candidates)
    }

    /// The transitions of ready parts that committed locations leave.
    pub(crate) fn possible(&self, state: &State, ready: &[Ready]) -> Vec<Transition> {
        let mut candidates = self.candidates(ready);
        if let Some(locations) = self.committed(state) {
            candidates.retain(|t| t.parts.iter().any(|part| locations[part.process.index()]));
        }
        candidates
    }

    /// Which processes are in a committed location; `None` when none is.
    fn committed(&self, state: &State) -> Option<Vec<bool>> {
        let is_committed = |p: ProcessId| self.location(p, state.locations[p.index()]).committed;
        let committed: Vec<bool> = self.processes().map(is_committed).collect();
        committed.contains(&true).then_some(committed)
    }

    pub(crate) fn priority(&self, transition: &Transition) -> Priority {
        let channel = match transition.channel {
            Some(channel) => self.system.channels[channel.index()].priority,
            None => self.system.default_priority,
        };
        let processes = transition
            .parts
            .iter()
            .map(|part| self.process(part.process).priority);
        Priority {
            channel,
            process: processes.max().unwrap_or(0),
        }
    }

    /// Internal edges, and all ways to synchronise, by the guards alone.
    fn candidates(&self, ready: &[Ready]) -> Vec<Transition> {
        // Those that join another process: receivers, and all participants without `!` or `?`.
        let mut partners: BTreeMap<ChannelId, Vec<&Ready>> = BTreeMap::new();
        for r in ready {
            if let Some((channel, Direction::Receive | Direction::Together)) = r.sync {
                partners.entry(channel).or_default().push(r);
            }
        }
        let partners = |channel| partners.get(&channel).map_or(&[][..], Vec::as_slice);
        let mut candidates = Vec::new();
        for r in ready {
            match r.sync {
                None => candidates.push(Transition {
                    channel: None,
                    parts: vec![r.part.clone()],
                    windows: r.windows.clone(),
                }),
                Some((channel, Direction::Send)) => {
                    let others: Vec<&Ready> = partners(channel)
                        .iter()
                        .copied()
                        .filter(|o| o.part.process != r.part.process)
                        .collect();
                    let joined = if self.system.channels[channel.index()].broadcast {
                        broadcasts(r, &others)
                    } else {
                        handshakes(r, &others)
                    };
                    candidates.extend(on(channel, joined));
                }
                Some((channel, Direction::Together)) => {
                    let participants = &self.system.channels[channel.index()].participants;
                    if participants.first() == Some(&r.part.process) {
                        candidates.extend(on(channel, together(r, &participants[1..], partners(channel))));
                    }
                }
                Some((_, Direction::Receive)) => {}
            }
        }
        candidates.retain(|t| !t.windows.is_empty());
        candidates
    }
}

fn on(channel: ChannelId, ways: Vec<(Vec<Part>, Windows)>) -> impl Iterator<Item = Transition> {
    ways.into_iter().map(move |(parts, windows)| Transition {
        channel: Some(channel),
        parts,
        windows,
    })
}

/// Every participant takes part with one of its edges, `first` being the edge of the first of them; all combinations are
/// behaviours (`semantics.md` 16a).
fn together(first: &Ready, others: &[ProcessId], members: &[&Ready]) -> Vec<(Vec<Part>, Windows)> {
    let mut ways = vec![(vec![first.part.clone()], first.windows.clone())];
    for &process in others {
        let mut extended = Vec::new();
        for (parts, windows) in &ways {
            for choice in members.iter().filter(|m| m.part.process == process) {
                let with = windows.and(&choice.windows);
                if !with.is_empty() {
                    let mut parts = parts.clone();
                    parts.push(choice.part.clone());
                    extended.push((parts, with));
                }
            }
        }
        ways = extended;
    }
    ways
}

fn handshakes(sender: &Ready, receivers: &[&Ready]) -> Vec<(Vec<Part>, Windows)> {
    let with = |r: &&Ready| {
        (
            vec![sender.part.clone(), r.part.clone()],
            sender.windows.and(&r.windows),
        )
    };
    receivers.iter().map(with).collect()
}

/// Every process with an enabled receiving edge takes part, with any one of them. Which edges are enabled may
/// depend on the moment, so each choice has the windows of its edge, and going without a process has the windows
/// in which none of its edges is enabled (`semantics.md` 11, 12).
fn broadcasts(sender: &Ready, receivers: &[&Ready]) -> Vec<(Vec<Part>, Windows)> {
    let mut ways = vec![(vec![sender.part.clone()], sender.windows.clone())];
    for choices in receivers.chunk_by(|a, b| a.part.process == b.part.process) {
        let mut extended = Vec::new();
        for (parts, windows) in &ways {
            let mut without = windows.clone();
            for choice in choices {
                let with = windows.and(&choice.windows);
                without = without.minus(&choice.windows);
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
    }
    ways
}
