//! Where runs end, in a model in which all of them do.

use crate::explorer::Explorer;
use crate::graph::ZoneGraph;
use crate::graph::abstraction::Abstraction;
use crate::graph::width::Width;
use crate::plan::ZonePlan;
use crate::state::ZoneState;
use std::ops::ControlFlow;
use zonewalk_network::ids::LocationId;
use zonewalk_zones::Word;

/// The end of a run: a state from which no transition leads on, however long one waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standstill {
    /// The location of each process.
    pub locations: Vec<LocationId>,
    /// The transitions to it.
    pub steps: usize,
    /// Whether time cannot pass without end there: an invariant forbids it, or an urgent or committed location.
    pub stops_time: bool,
}

/// The end of the run that always takes the first transition. `None` where it is longer than `most` steps, or where the model fails on
/// the way.
pub fn standstill(plan: &ZonePlan<'_>, most: usize) -> Option<Standstill> {
    let graph = ZoneGraph::new(plan, plan.network.bounds_for(&[]), &[], Abstraction::None, &[]);
    match graph.width() {
        Width::Narrow => standstill_in_words::<i32>(plan, graph, most),
        Width::Wide => standstill_in_words::<i64>(plan, graph, most),
    }
}

fn standstill_in_words<W: Word>(
    plan: &ZonePlan<'_>,
    graph: ZoneGraph<'_>,
    most: usize,
) -> Option<Standstill> {
    let mut explorer: Explorer<'_, W> = Explorer::from(graph);
    let mut state: Option<ZoneState<W>> = None;
    for steps in 0..=most {
        let mut next = None;
        let mut first = |state: &ZoneState<W>, _: crate::graph::Step<'_>| {
            next = Some(state.clone());
            ControlFlow::Break(())
        };
        match &state {
            None => explorer.initial(&mut first).ok()?,
            Some(state) => explorer.successors(state, &mut first).ok()?,
        }
        match (state.take(), next) {
            (_, Some(next)) => state = Some(next),
            (None, None) => return None,
            (Some(last), None) => {
                let stops_time = !plan.is_approximate() && stops_time(plan, &last);
                let locations = &last.discrete[..plan.network.layout.locations as usize];
                return Some(Standstill {
                    locations: locations.iter().map(|&at| LocationId(at as u32)).collect(),
                    // The first round only entered the initial state.
                    steps: steps.saturating_sub(1),
                    stops_time,
                });
            }
        }
    }
    None
}

/// Whether time cannot pass without end in a state. Requires: no abstraction, and clocks that always run.
fn stops_time<W: Word>(plan: &ZonePlan<'_>, state: &ZoneState<W>) -> bool {
    let network = plan.network;
    let is_urgent = network
        .processes
        .iter()
        .zip(&state.discrete)
        .any(|(process, &at)| {
            let location = &network.variants[process.variant as usize].locations[at as usize];
            location.urgent || location.committed
        });
    let dim = state.dim();
    is_urgent || (1..dim).any(|clock| !state.zone[clock * dim].is_infinite())
}
