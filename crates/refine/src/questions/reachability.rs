//! Reachability: can the system, with whatever inputs, come from one state to another?

use zonewalk_tioa::{LocationId, Project, Reading, Rule, Run, StateFormula, System};
use zonewalk_zones::Word;

use crate::control::{Control, Limits};
use crate::questions::goal::{Misnamed, Names, StateCondition};
use crate::questions::precondition::Obstacle;
use crate::symbolic::concretise;
use crate::symbolic::explore;
use crate::symbolic::frame::Abstraction;
use crate::symbolic::graph::ZoneGraph;
use crate::symbolic::pair::Pair;
use crate::symbolic::question::{self, FoundState, Question, Sighting, Visit};
use crate::symbolic::start;
use crate::systems::leaf::Polarity;
use crate::systems::system::Builder;

/// A place for each component, and the values of its clocks in ticks of the run.
pub type Start = Vec<(LocationId, Vec<i64>)>;

/// Answer to a reachability query.
#[derive(Debug)]
pub enum ReachabilityAnswer {
    /// The way there.
    Reached {
        /// Actions on the way.
        actions: Vec<zonewalk_tioa::Action>,
        /// Times, if they could be found.
        run: Option<Run>,
        /// Where the run starts, if not in the initial state.
        start: Option<Start>,
    },
    /// There is none.
    Unreachable,
    /// A name in a condition means nothing.
    Misnamed(Misnamed),
}

/// Looks for a state with the property `to`. The system is expanded.
///
/// # Errors
/// When the system cannot be built, or a limit is met.
pub fn check(
    project: &Project,
    reading: Reading,
    system: &System,
    from: Option<&StateFormula>,
    to: &StateFormula,
    limits: Limits,
    control: &Control,
) -> Result<ReachabilityAnswer, Obstacle> {
    let side = Builder::new(project, reading).side(system, Polarity::Both)?;
    let mut pair = explore::alone(side);
    let names = Names::new(project, system, &pair);
    let resolved = names.goal(to).and_then(|to| {
        let from = from.map(|from| names.goal(from)).transpose()?;
        let placed = from.as_ref().map(|from| names.starts(from)).transpose()?;
        Ok((to, from, placed))
    });
    let (to, from, placed) = match resolved {
        Ok(resolved) => resolved,
        Err(misnamed) => return Ok(ReachabilityAnswer::Misnamed(misnamed)),
    };
    let mut extra = Vec::new();
    for goal in from.iter().chain([&to]) {
        goal.clocks(&mut extra);
        goal.diagonals(&mut pair.diagonals);
    }
    // Where clocks are compared with each other, each has to be known as far as updates of the other reach.
    let updates = project
        .components
        .iter()
        .flat_map(|component| &component.edges)
        .flat_map(|edge| &edge.updates);
    let largest = updates.map(|&(_, value)| i64::from(value)).fold(0, i64::max);
    for (_, bound) in &mut extra {
        *bound += largest;
    }
    let starts = match placed {
        None => question::Start::of(&pair),
        Some(placed) => {
            let mut starts = Vec::new();
            for one in &placed {
                if let Some(state) = pair.left.at(&one.places).map_err(crate::control::Limit::from)? {
                    starts.extend(one.starts(&state));
                }
            }
            starts
        }
    };
    let constraints: Vec<_> = starts.iter().map(|start| start.clocks.clone()).collect();
    let graph = ZoneGraph {
        question: &Meets(&to),
        starts: &starts,
        extra: &extra,
        abstraction: Abstraction::LowerUpper,
    };
    let Some(found) = graph.search(&mut pair, limits, control)?.found else {
        return Ok(ReachabilityAnswer::Unreachable);
    };
    let FoundState {
        states,
        steps,
        witness,
        start,
        ..
    } = &found;
    let actions = steps.iter().map(|step| step.action).collect();
    let (run, start) = match &constraints[*start] {
        None => (
            concretise::timed(&mut pair, states, steps, witness, Rule::Reached).ok(),
            None,
        ),
        Some(clocks) => match start::timed(&mut pair, states, steps, clocks, witness) {
            Some(started) => {
                let start = names.values(&placed_at(&pair, &states[0]), &started.clocks);
                (Some(started.run), Some(start))
            }
            None => (None, None),
        },
    };
    Ok(ReachabilityAnswer::Reached { actions, run, start })
}

/// The goal of a query.
struct Meets<'a>(&'a StateCondition);

impl Question for Meets<'_> {
    type End = ();

    fn find<W: Word>(&self, visit: &Visit<'_, W>) -> Sighting<(), W> {
        let places = placed_at(visit.pair, visit.state);
        let points = self.0.within(visit.zone, visit.frame, &places);
        points.iter().next().map(|zone| ((), zone.to_vec()))
    }
}

/// Where each component is.
fn placed_at(pair: &Pair, state: &[u32]) -> Vec<Option<u32>> {
    let mut places = Vec::new();
    for (part, &id) in pair.left.parts.iter().zip(state) {
        part.places(id, &mut places);
    }
    places
}
