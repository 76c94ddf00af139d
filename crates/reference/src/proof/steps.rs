//! Where sets of states lead: by delays, and by transitions.

use crate::error::Error;
use crate::fire::Successor;
use crate::interpreter::{Interpreter, View};
use crate::proof::oracle::Points;
use crate::proof::union::Union;
use crate::proof::zone::Zone;
use crate::region::{Clocks, Region};
use crate::transition::Candidate;
use std::sync::Arc;
use zonewalk_model::ids::LocationId;
use zonewalk_model::system::Memory;
use zonewalk_run::Part;

/// The states of a node, or of a part of it.
pub(crate) type States<'a> = View<'a, Points<'a>>;

/// How time passes in a discrete state.
pub(crate) struct Time {
    /// By clock: whether it runs.
    pub running: Vec<bool>,
    /// Whether all clocks of the model run.
    pub all_run: bool,
}

/// Effect of time on a set of states.
#[derive(Default)]
pub(crate) struct Delays {
    /// Convex sets with all that they reach by delays, the least delay included.
    pub passing: Vec<(Arc<Zone>, Union)>,
    /// The states in which time stands still.
    pub standing: Union,
    /// Whether urgency may end delays earlier than it is told here.
    pub may_stop: bool,
}

impl Delays {
    /// All states that are reached.
    pub(crate) fn reached(&self) -> impl Iterator<Item = &Arc<Zone>> {
        self.passing.iter().flat_map(|(_, reached)| reached.iter())
    }
}

/// The transitions that exist in some states.
pub(crate) struct Moves {
    /// Each with the states in which it exists.
    pub existing: Vec<Candidate<Union>>,
    /// The edges of each that were tried, with what they lead to.
    pub ways: Vec<(Vec<Part>, Vec<ZoneSuccessor>)>,
}

/// Where a transition leads from a convex set of states.
pub(crate) struct ZoneSuccessor {
    pub memory: Memory,
    pub locations: Vec<LocationId>,
    pub zone: Arc<Zone>,
}

impl Interpreter<'_> {
    /// The states of a set that satisfy their invariants: there are no others.
    pub(crate) fn within_invariants(&self, view: States<'_>, zones: &Union) -> Result<Union, Error> {
        if self
            .processes()
            .all(|p| self.conditions(view.locations, p).is_empty())
        {
            return Ok(zones.clone());
        }
        view.clocks.filter(view.locations, zones, |world| {
            let violated = self.violated_invariant(view.memory, view.locations, world)?;
            Ok(violated.is_none())
        })
    }

    /// Which clocks run. `clocks` may be one more than the model has: the last one then counts the time. `None`: some clock has
    /// a rate other than 0 and 1.
    pub(crate) fn time(&self, view: States<'_>, clocks: usize) -> Result<Option<Time>, Error> {
        let rates = self.rates_in(view.memory, view.locations)?;
        if rates.iter().any(|rate| !matches!(rate, 0 | 1)) {
            return Ok(None);
        }
        let all_run = rates.iter().all(|rate| *rate == 1);
        let mut running: Vec<bool> = rates.iter().map(|rate| *rate == 1).collect();
        running.resize(clocks, true);
        Ok(Some(Time { running, all_run }))
    }

    /// States after delays, up to the first instant of an urgent synchronisation (`semantics.md` 1, 2, 2a).
    ///
    /// Requires: all states satisfy their invariants. Where clocks stand still, urgency takes away nothing that is later and the
    /// least convex sets count, so that more is reached than by the rules; what is shown of it holds all the same.
    pub(crate) fn delays_of(&self, view: States<'_>, zones: &Union, time: &Time) -> Result<Delays, Error> {
        if self.time_stopper(view.locations).is_some() {
            return Ok(Delays {
                standing: zones.clone(),
                ..Delays::default()
            });
        }
        let future = self.future(view, zones, time)?;
        let urgent = self.urgent(&self.ready_urgent(view, &future)?);
        let regions = urgent.into_iter().map(|(_, region)| region);
        let stops: Union = regions.reduce(|all, one| all.or(&one)).unwrap_or_default();
        self.until(view, zones, time, &stops)
    }

    /// States after delays, until they reach one of the points at which they have to stop.
    ///
    /// If all clocks run, the points after a stop are those that are strictly later than a stop *that is itself reached*: a convex
    /// set without stops has no point on both sides of one.
    pub(crate) fn until(
        &self,
        view: States<'_>,
        zones: &Union,
        time: &Time,
        stops: &Union,
    ) -> Result<Delays, Error> {
        let mut delays = Delays::default();
        for zone in zones.iter() {
            let zone = Union(vec![Arc::clone(zone)]);
            delays.standing = delays.standing.or(&zone.and(stops));
            for piece in zone.minus(stops).iter() {
                let mut reached = self.future(view, &Union(vec![Arc::clone(piece)]), time)?;
                if !stops.is_empty() {
                    let met = reached.and(stops);
                    if time.all_run {
                        reached = reached.minus(&met.iter().filter_map(|z| z.strictly_later()).collect());
                    } else {
                        delays.may_stop |= !met.is_empty();
                    }
                }
                delays.passing.push((Arc::clone(piece), reached));
            }
        }
        Ok(delays)
    }

    /// All that is later and satisfies the invariants, which are convex (`semantics.md` 16c).
    fn future(&self, view: States<'_>, zones: &Union, time: &Time) -> Result<Union, Error> {
        let later = |zone: &Arc<Zone>| {
            let mut zone = Zone::clone(zone);
            zone.up(&time.running);
            zone
        };
        self.within_invariants(view, &zones.iter().map(later).collect())
    }

    /// The transitions that exist in some states, and where they lead (`semantics.md` 7 to 16).
    pub(crate) fn moves(&self, view: States<'_>, zones: &Union) -> Result<Moves, Error> {
        let ready = self.all_ready(view, zones)?;
        let mut ways = Vec::new();
        let existing = self.existing(self.possible(view.locations, &ready)?, |parts, free| {
            let (mut ways_of, mut exists) = (Vec::new(), Vec::new());
            for zone in free.iter() {
                view.clocks.split(
                    view.locations,
                    zone,
                    |oracle| self.lands(view.memory, view.locations, parts, oracle),
                    |piece, successor| {
                        if let Some(Successor { memory, locations }) = successor {
                            ways_of.push(ZoneSuccessor {
                                memory,
                                locations,
                                zone: piece.after(),
                            });
                            exists.push(piece.zone);
                        }
                    },
                )?;
            }
            ways.push((parts.to_vec(), ways_of));
            Ok(Union(exists))
        })?;
        Ok(Moves { existing, ways })
    }
}
