//! State predicates on zones: which points of a state's zone fulfil one.

use crate::condition::{Collected, constraints};
use crate::plan::diagonals::{Unbounded, compared};
use crate::state::Frame;
use crate::state::constraint::Constraint;
use crate::stop::Stop;
use zonewalk_network::constraint::ClockBound;
use zonewalk_network::predicate::{NormalForm, Part, PartId};
use zonewalk_network::vm::LoopWork;
use zonewalk_network::{Context, Network, Predicate, SetId};
use zonewalk_product::{ClockConstraint, CodeOf, Pattern, Valuation};
use zonewalk_search::Alarm;
use zonewalk_zones::{Federation, Word};

/// A state predicate or its negation, in negation normal form.
#[derive(Clone, Debug)]
pub struct ZoneGoal {
    pub(crate) form: NormalForm,
    context: Context,
    /// The variables that it reads.
    reads: Vec<SetId>,
}

impl ZoneGoal {
    /// The states in which `predicate` holds, or those in which it does not.
    pub fn new(network: &Network, predicate: &Predicate, holds: bool) -> ZoneGoal {
        ZoneGoal {
            form: predicate.normal_form(holds),
            context: network.global_context(),
            reads: predicate.reads().collect(),
        }
    }

    /// The states of a projection that it cannot tell from those of the goal: what is not about the pattern counts as true,
    /// deadlocks included.
    #[must_use]
    pub fn projected(&self, network: &Network, pattern: &Pattern) -> ZoneGoal {
        let knows = |part: &Part| match part {
            Part::Constant(_) => true,
            Part::At { process, .. } => pattern.keeps_process(*process),
            Part::Data { condition, .. } => pattern.knows(network, condition, &self.context),
            Part::Clock(bound) => pattern.knows_bound(network, bound, &self.context),
            Part::And(_) | Part::Or(_) | Part::Deadlock(_) => false,
        };
        ZoneGoal {
            form: self.form.clone().retaining(knows),
            context: self.context,
            reads: self.reads.clone(),
        }
    }

    /// All states in which both hold, the first being examined first.
    #[must_use]
    pub fn and(&self, other: &ZoneGoal) -> ZoneGoal {
        ZoneGoal {
            form: self.form.clone().and(&other.form),
            context: self.context,
            reads: [self.reads.as_slice(), &other.reads].concat(),
        }
    }

    /// Whether it asks for deadlocks.
    pub fn mentions_deadlock(&self) -> bool {
        self.form.mentions_deadlock
    }

    /// Whether it looks for a deadlock, and not only for a state that is none.
    pub fn wants_deadlock(&self) -> bool {
        let mut parts = self.form.parts().iter();
        parts.any(|part| matches!(part, Part::Deadlock(true)))
    }

    /// Whether it compares differences of clocks.
    pub(crate) fn compares_clocks(&self) -> bool {
        let is_difference = |part: &Part| matches!(part, Part::Clock(bound) if bound.right.is_some());
        self.form.parts().iter().any(is_difference)
    }

    /// The variables that it reads.
    pub(crate) fn reads(&self) -> &[SetId] {
        &self.reads
    }

    /// Adds the differences of clocks that it compares.
    pub(crate) fn add_diagonals(
        &self,
        network: &Network,
        into: &mut Vec<Constraint>,
    ) -> Result<(), Unbounded> {
        self.form.parts().iter().try_for_each(|part| match part {
            Part::Clock(bound) => compared(network, bound, &self.context, into),
            _ => Ok(()),
        })
    }

    /// Whether it holds, as far as data alone tell.
    pub(crate) fn by_data(
        &self,
        id: PartId,
        network: &Network,
        memory: &mut [i32],
    ) -> Result<Option<bool>, Stop> {
        Ok(match self.form.part(id) {
            Part::And(list) => {
                let mut all = Some(true);
                for &child in list {
                    match self.by_data(child, network, memory) {
                        Ok(Some(true)) => {}
                        Ok(Some(false)) => return Ok(Some(false)),
                        Ok(None) => all = None,
                        Err(stop) if all.is_some() => return Err(stop),
                        // It is evaluated only where everything before it holds.
                        Err(_) => return Ok(None),
                    }
                }
                all
            }
            Part::Or(list) => {
                let mut any = Some(false);
                for &child in list {
                    match self.by_data(child, network, memory) {
                        Ok(Some(false)) => {}
                        // Whatever is further left decides first where it holds, but the union is everything.
                        Ok(Some(true)) => return Ok(Some(true)),
                        Ok(None) => any = None,
                        Err(stop) if any.is_some() => return Err(stop),
                        Err(_) => return Ok(None),
                    }
                }
                any
            }
            leaf => leaf.by_data(&network.program, &self.context, memory)?,
        })
    }
}

/// Points from which no transition is possible.
#[derive(Clone)]
pub(crate) struct Deadlocks<W> {
    /// No transition is known to be possible from here.
    pub(crate) possible: Federation<W>,
    /// No transition is possible from here, and none fails that might be one.
    pub(crate) certain: Federation<W>,
    /// A run-time error of a transition that might be possible.
    pub(crate) failure: Option<Stop>,
}

impl<W: Word> Deadlocks<W> {
    /// No point of a zone with so many clocks.
    pub(crate) fn none(dim: usize) -> Self {
        Deadlocks {
            possible: Federation::new(dim),
            certain: Federation::new(dim),
            failure: None,
        }
    }
}

/// State that a predicate is evaluated on.
pub(crate) struct Evaluation<'a, W> {
    pub(crate) network: &'a Network,
    pub(crate) memory: &'a mut [i32],
    pub(crate) frame: &'a Frame<W>,
    /// The deadlocks among the points that are examined; computed when they are asked for.
    pub(crate) dead: &'a mut dyn FnMut() -> Result<Deadlocks<W>, Stop>,
    /// Why points were left out whose transitions fail.
    pub(crate) doubt: Option<Stop>,
}

impl<W: Word> Evaluation<'_, W> {
    /// The points among `points` that fulfil a part.
    pub(crate) fn points(
        &mut self,
        goal: &ZoneGoal,
        id: PartId,
        points: Federation<W>,
    ) -> Result<Federation<W>, Stop> {
        let nothing = Federation::new(self.frame.dim());
        if points.is_empty() {
            return Ok(points);
        }
        Ok(match goal.form.part(id) {
            Part::And(list) => {
                let mut rest = points;
                for &child in list {
                    rest = self.points(goal, child, rest)?;
                }
                rest
            }
            Part::Or(list) => {
                let mut any = nothing;
                for &child in list {
                    let found = match self.points(goal, child, points.clone()) {
                        Ok(found) => found,
                        Err(stop) => {
                            // Its turn comes only where nothing before it holds.
                            let mut rest = points.clone();
                            rest.subtract_federation(&any);
                            if rest.is_empty() {
                                break;
                            }
                            return Err(stop);
                        }
                    };
                    found.iter().for_each(|zone| any.push(zone));
                }
                any.reduce();
                any
            }
            Part::Clock(bound) => self.bounded(goal, bound, &points)?,
            Part::Deadlock(is) => {
                let dead = (self.dead)()?;
                let mut rest = points.clone();
                if *is {
                    rest.intersect_federation(&dead.certain);
                } else {
                    rest.subtract_federation(&dead.possible);
                }
                if let Some(stop) = dead.failure {
                    let mut unknown = points;
                    unknown.intersect_federation(&dead.possible);
                    unknown.subtract_federation(&dead.certain);
                    if !unknown.is_empty() {
                        self.doubt.get_or_insert(stop);
                    }
                }
                rest
            }
            leaf => match leaf.by_data(&self.network.program, &goal.context, self.memory)? {
                Some(true) => points,
                _ => nothing,
            },
        })
    }

    fn bounded(
        &mut self,
        goal: &ZoneGoal,
        bound: &ClockBound,
        points: &Federation<W>,
    ) -> Result<Federation<W>, Stop> {
        let mut found = Federation::new(self.frame.dim());
        let mut asked = Vec::new();
        let mut state: Collected<'_, W> = Collected {
            network: self.network,
            memory: self.memory,
            loops: &mut LoopWork::default(),
            alarm: &mut Alarm::default(),
            into: &mut asked,
            zone: None,
        };
        let resolved = state.resolve(CodeOf::Other, bound, &goal.context)?;
        for convex in resolved.iter().flat_map(ClockConstraint::convex) {
            asked.clear();
            if !constraints(convex, &mut asked) {
                continue;
            }
            for zone in points {
                let mut part = zone.to_vec();
                if self.frame.constrain(&mut part, &asked) {
                    found.push(&part);
                }
            }
        }
        Ok(found)
    }
}
