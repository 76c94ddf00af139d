//! The symbolic view: the zone of the run's discrete path.

use std::fmt;
use std::time::{Duration, Instant};
use zonewalk_network::Network;
use zonewalk_reference::{Part, Step};
use zonewalk_symbolic::path_zones::ZonesAlong;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::stop::Stop;
use zonewalk_zones::display::constraints;

/// Follows a path through the zone graph, and remembers how far it is.
pub struct PathZones<'n> {
    network: &'n Network,
    along: ZonesAlong<'n>,
    names: Vec<String>,
    is_approximate: bool,
    /// The edges of each step so far.
    path: Vec<Vec<Part>>,
}

/// All points that a discrete path can lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    /// Its convex pieces, one nearly always, as constraints on clocks.
    pub pieces: Vec<String>,
    /// Whether it may hold more points than the path leads to, because clocks can be stopped.
    pub is_approximate: bool,
    /// Whether there may be further pieces.
    pub is_cut: bool,
}

/// Why there is no zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ZoneError {
    /// The time was over after this number of steps.
    Late(usize),
    /// The model fails, or compares clocks with numbers that zones cannot hold.
    Stop(String),
}

impl fmt::Display for ZoneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ZoneError::Late(steps) => write!(
                f,
                "the path is too long: {steps} of its steps were followed in the time for it; ask again to go on"
            ),
            ZoneError::Stop(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ZoneError {}

impl<'n> PathZones<'n> {
    /// At the beginning of a path. `names`: those of the clocks, in their order.
    ///
    /// # Errors
    /// The model fails at once.
    pub fn new(plan: &'n ZonePlan<'n>, names: Vec<String>) -> Result<Self, ZoneError> {
        Ok(PathZones {
            network: plan.network,
            along: ZonesAlong::new(plan).map_err(|stop| of(&stop))?,
            names,
            is_approximate: plan.is_approximate(),
            path: Vec::new(),
        })
    }

    /// The zone after these steps, whatever their delays are. What they have in common with those of the last time is not
    /// computed again.
    ///
    /// # Errors
    /// It takes longer than this, or the model fails.
    pub fn after<'s>(
        &mut self,
        steps: impl ExactSizeIterator<Item = &'s Step>,
        limit: Duration,
    ) -> Result<Zone, ZoneError> {
        let start = Instant::now();
        let steps: Vec<&Step> = steps.collect();
        let is_prefix = self.path.len() <= steps.len()
            && (self.path.iter().zip(&steps)).all(|(known, step)| *known == step.parts);
        if !is_prefix {
            self.path.clear();
            self.along.restart().map_err(|stop| of(&stop))?;
        }
        for step in &steps[self.path.len()..] {
            if start.elapsed() > limit {
                return Err(ZoneError::Late(self.path.len()));
            }
            let network = self.network;
            let is_wanted = |found: zonewalk_symbolic::graph::Step<'_>| {
                network.step(0, found.parts, found.selects).parts == step.parts
            };
            let advanced = self.along.advance(is_wanted);
            self.path.push(step.parts.clone());
            if let Err(stop) = advanced {
                self.forget();
                return Err(of(&stop));
            }
        }
        let pieces = self.along.zones().iter();
        let zone = Zone {
            pieces: pieces
                .map(|state| constraints(&state.zone, state.dim(), &self.names).to_string())
                .collect(),
            is_approximate: self.is_approximate,
            is_cut: self.along.is_cut(),
        };
        Ok(zone)
    }

    /// The next path begins anew, whatever it is.
    fn forget(&mut self) {
        self.path.clear();
        // Where even that fails, the next path says so.
        let _ = self.along.restart();
    }
}

fn of(stop: &Stop) -> ZoneError {
    ZoneError::Stop(match stop {
        Stop::Constant(constant) => format!("zones cannot hold the constant {constant}"),
        Stop::NegativeClock(_) => "a clock may become negative on this path".to_owned(),
        Stop::Alarm | Stop::TooManyTransitions => "a state of this path has too many transitions".to_owned(),
        Stop::Model(_) => "the model fails on this path for some values of its clocks".to_owned(),
    })
}
