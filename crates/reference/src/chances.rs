//! Until when a transition is possible, where some of them fail (`semantics.md` 28a).

use crate::edges::Ready;
use crate::error::Error;
use crate::interpreter::{Flow, Interpreter, State};
use crate::transition::Candidate;
use crate::window::{Cut, Windows};
use zonewalk_model::ids::{ChannelId, ProcessId};
use zonewalk_numbers::rational::Rational;
use zonewalk_run::Part;

/// The cuts after the last delay after which a transition is possible, from both sides.
#[derive(Debug)]
pub(crate) struct Chances {
    /// Before it, some transition is certain: the state is no deadlock.
    pub known: Cut,
    /// From it on, not even one that fails is left: the state is a deadlock.
    pub possible: Cut,
    /// The first run-time error, where some transition fails.
    pub error: Option<Error>,
}

/// Parts that are ready, and what failed while they were looked for.
struct Tried {
    ready: Vec<Ready>,
    error: Option<Error>,
}

impl Interpreter<'_> {
    /// Until when a transition is possible from a state on. One that fails is none, but neither is it certain that it is none.
    ///
    /// # Errors
    /// A run-time error in an invariant of the state itself, or conflicting rates.
    pub(crate) fn chances(&self, state: &State) -> Result<Chances, Error> {
        let flow = self.flow(state)?;
        let limit = self.time_limit(&flow)?;
        let tried = self.try_ready(&flow, &limit);
        let mut error = tried.error;
        let end = |windows: &Windows| windows.end().unwrap_or(Cut::Before(Rational::ZERO));
        // A guard that fails may belong to a transition as long as time may pass.
        let mut possible = match &error {
            Some(_) => end(&limit),
            None => Cut::Before(Rational::ZERO),
        };
        let mut known = Cut::Before(Rational::ZERO);
        let candidates = match &error {
            // What fails may have priority over everything else.
            Some(_) if self.has_priorities => Vec::new(),
            Some(_) => {
                let mut candidates = self.candidates_in_time(&flow, &limit, tried.ready)?;
                candidates.retain(|candidate| self.knows_receivers(&flow, &limit, candidate));
                candidates
            }
            None => self.candidates_in_time(&flow, &limit, tried.ready)?,
        };
        let mut failed: Vec<Vec<Part>> = Vec::new();
        let view = flow.view();
        let existing = self.existing(candidates, |parts, free| {
            Ok(self.exists(view, parts, free).unwrap_or_else(|fault| {
                // It may exist everywhere, and then it has priority over what is below it.
                error.get_or_insert(fault);
                failed.push(parts.to_vec());
                free.clone()
            }))
        })?;
        for candidate in &existing {
            possible = possible.max(end(&candidate.region));
            if !failed.contains(&candidate.parts) {
                known = known.max(end(&candidate.region));
            }
        }
        Ok(Chances {
            known,
            possible,
            error,
        })
    }

    /// The parts of all processes whose guards hold within `limit`, without those that fail.
    fn try_ready(&self, flow: &Flow<'_>, limit: &Windows) -> Tried {
        let mut tried = Tried {
            ready: Vec::new(),
            error: None,
        };
        for process in self.processes() {
            let fail = &mut |fault| _ = tried.error.get_or_insert(fault);
            for part in self.parts(flow, process, fail) {
                match self.ready_part(flow.view(), part, limit) {
                    Ok(ready) => tried.ready.extend(ready),
                    Err(error) => _ = tried.error.get_or_insert(error),
                }
            }
        }
        tried
    }

    /// The transitions that ready parts make while time is certain to pass.
    fn candidates_in_time(
        &self,
        flow: &Flow<'_>,
        limit: &Windows,
        mut ready: Vec<Ready>,
    ) -> Result<Vec<Candidate>, Error> {
        let allowed = match self.ready_urgent(flow.view(), limit) {
            Ok(urgent) => self.until_urgent(limit, &urgent),
            // Time may stop at once.
            Err(_) => limit.and(&Windows::point(Rational::ZERO)),
        };
        for r in &mut ready {
            r.region = r.region.and(&allowed);
        }
        ready.retain(|r| !r.region.is_empty());
        self.possible(&flow.state.locations, &ready)
    }

    /// Whether it is known who takes part: no guard of a receiver of a broadcast fails.
    fn knows_receivers(&self, flow: &Flow<'_>, limit: &Windows, candidate: &Candidate) -> bool {
        let is_broadcast = |channel: &ChannelId| self.system.channels[channel.index()].broadcast;
        candidate.channel.filter(is_broadcast).is_none_or(|channel| {
            let takes_part = |p: ProcessId| candidate.parts.iter().any(|part| part.process == p);
            let mut others = self.processes().filter(|&p| !takes_part(p));
            others.all(|p| self.receivers(flow, limit, channel, p).is_ok())
        })
    }
}
