//! Where sets of states lead: by delays, and by transitions.

use crate::delay::may_be_urgent;
use crate::edges::{Offer, Ready};
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
use zonewalk_model::tree::Edge;
use zonewalk_run::Part;

/// Invariants that are unions of more convex sets are evaluated for each set of states.
const MOST_PIECES: usize = 4;

/// The states of a node, or of a part of it.
pub(crate) type States<'a> = View<'a, Points<'a>>;

/// How time passes in a discrete state.
pub(crate) struct Time {
    /// By clock: whether it runs.
    pub running: Vec<bool>,
    /// Whether all clocks of the model run.
    pub all_run: bool,
}

/// Invariants of a discrete state as unions of sets of bounds `(i, j, bound)`; `None` where each set of states must be looked at.
pub(crate) struct Invariant(Option<Vec<Vec<(usize, usize, i64)>>>);

/// Facts about a discrete state that hold for all values of clocks.
pub(crate) struct Scene {
    pub time: Time,
    /// Whether time stands still.
    is_still: bool,
    offers: Vec<Offer>,
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
    /// The invariants of a discrete state, evaluated once for all values of so many clocks.
    pub(crate) fn invariant(&self, view: States<'_>, clocks: usize) -> Invariant {
        let everything = Union::of(Zone::universal(clocks));
        // Where that fails, some set of states need not, and the others have to be told.
        let holds = self.evaluated_within(view, &everything).ok();
        let holds = holds.filter(|zones| zones.iter().count() <= MOST_PIECES);
        Invariant(holds.map(|zones| zones.iter().map(|zone| zone.bounds()).collect()))
    }

    /// The states of a set that satisfy their invariants: there are no others.
    pub(crate) fn within_invariants(
        &self,
        view: States<'_>,
        invariant: &Invariant,
        zones: &Union,
    ) -> Result<Union, Error> {
        let Some(pieces) = &invariant.0 else {
            return self.evaluated_within(view, zones);
        };
        let mut inside = Vec::new();
        for zone in zones.iter() {
            for bounds in pieces {
                if bounds.iter().all(|&(i, j, bound)| zone.at(i, j) <= bound) {
                    inside.push(Arc::clone(zone));
                    continue;
                }
                let mut zone = Zone::clone(zone);
                if bounds.iter().all(|&(i, j, bound)| zone.constrain(i, j, bound)) {
                    inside.push(Arc::new(zone));
                }
            }
        }
        Ok(Union(inside))
    }

    fn evaluated_within(&self, view: States<'_>, zones: &Union) -> Result<Union, Error> {
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

    /// Facts about a discrete state; `None`: some clock has a rate other than 0 and 1. `clocks` is as for [`Interpreter::time`].
    pub(crate) fn scene(&self, view: States<'_>, clocks: usize) -> Result<Option<Scene>, Error> {
        let Some(time) = self.time(view, clocks)? else {
            return Ok(None);
        };
        let mut offers = Vec::new();
        for process in self.processes() {
            offers.extend(self.offers(view.memory, view.locations, process)?);
        }
        Ok(Some(Scene {
            time,
            is_still: self.time_stopper(view.locations).is_some(),
            offers,
        }))
    }

    /// The parts of a scene whose guards hold somewhere in a set of states, of the edges that are wanted.
    fn ready_in(
        &self,
        view: States<'_>,
        scene: &Scene,
        zones: &Union,
        wanted: impl Fn(&Edge) -> bool,
    ) -> Result<Vec<Ready<Union>>, Error> {
        let mut ready = Vec::new();
        for offer in &scene.offers {
            if !zones.is_empty() && wanted(self.edge(offer.part.process, offer.part.edge)) {
                ready.extend(self.taken_up(view, offer, zones)?);
            }
        }
        Ok(ready)
    }

    /// Which clocks run. `clocks` may be one more than the model has: the last one then counts the time. `None`: some clock has
    /// a rate other than 0 and 1.
    fn time(&self, view: States<'_>, clocks: usize) -> Result<Option<Time>, Error> {
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
    pub(crate) fn delays_of(
        &self,
        view: States<'_>,
        invariant: &Invariant,
        scene: &Scene,
        zones: &Union,
    ) -> Result<Delays, Error> {
        if scene.is_still {
            return Ok(Delays {
                standing: zones.clone(),
                ..Delays::default()
            });
        }
        let future = self.future(view, invariant, zones, &scene.time)?;
        let urgent = self.urgent(&self.ready_in(view, scene, &future, may_be_urgent)?);
        let regions = urgent.into_iter().map(|(_, region)| region);
        let stops: Union = regions.reduce(|all, one| all.or(&one)).unwrap_or_default();
        self.until(view, invariant, zones, &scene.time, &stops)
    }

    /// States after delays, until they reach one of the points at which they have to stop.
    ///
    /// If all clocks run, the points after a stop are those that are strictly later than a stop *that is itself reached*: a convex
    /// set without stops has no point on both sides of one.
    fn until(
        &self,
        view: States<'_>,
        invariant: &Invariant,
        zones: &Union,
        time: &Time,
        stops: &Union,
    ) -> Result<Delays, Error> {
        let mut delays = Delays::default();
        for zone in zones.iter() {
            let zone = Union(vec![Arc::clone(zone)]);
            delays.standing = delays.standing.or(&zone.and(stops));
            for piece in zone.minus(stops).iter() {
                let mut reached = self.future(view, invariant, &Union(vec![Arc::clone(piece)]), time)?;
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
    fn future(
        &self,
        view: States<'_>,
        invariant: &Invariant,
        zones: &Union,
        time: &Time,
    ) -> Result<Union, Error> {
        let later = |zone: &Arc<Zone>| {
            let mut zone = Zone::clone(zone);
            zone.up(&time.running);
            zone
        };
        self.within_invariants(view, invariant, &zones.iter().map(later).collect())
    }

    /// The transitions that exist in some states, and where they lead (`semantics.md` 7 to 16).
    pub(crate) fn moves(&self, view: States<'_>, scene: &Scene, zones: &Union) -> Result<Moves, Error> {
        let ready = self.ready_in(view, scene, zones, |_| true)?;
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
