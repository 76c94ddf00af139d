//! Goal-count heuristic: `dU`, with conditions on data.

use crate::estimate::{Counters, Estimate, Estimator, Heuristic};
use crate::goal::GoalFormula;
use crate::local::LocalDistance;
use zonewalk_network::Network;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_zones::Word;

/// `dU` that counts each condition on data that does not hold as one transition. It costs next to nothing, and it sees what `dU` does not:
/// that one more of a hundred variables has its value.
#[derive(Clone, Debug)]
pub struct GoalCount<'n> {
    network: &'n Network,
    local: LocalDistance,
    /// Memory on which conditions are evaluated.
    memory: Vec<i32>,
    evaluations: u64,
}

impl<'n> GoalCount<'n> {
    /// For a goal.
    pub fn new(network: &'n Network, goal: &GoalFormula) -> GoalCount<'n> {
        GoalCount {
            network,
            local: LocalDistance::upper(network, goal),
            memory: network.memory(),
            evaluations: 0,
        }
    }
}

impl Estimator for GoalCount<'_> {
    fn is_admissible(&self) -> bool {
        false
    }

    fn name(&self) -> &'static str {
        "goal count"
    }

    fn bytes(&self) -> usize {
        self.local.bytes() + self.memory.len() * size_of::<i32>()
    }

    fn counters(&self) -> Counters {
        Counters {
            evaluations: self.evaluations,
            ..Counters::default()
        }
    }
}

impl<W: Word> Heuristic<W> for GoalCount<'_> {
    fn estimate(&mut self, state: &ZoneState<W>) -> Estimate {
        self.evaluations += 1;
        self.memory[..state.discrete.len()].copy_from_slice(&state.discrete);
        let (network, memory) = (self.network, &mut self.memory);
        let context = network.global_context();
        self.local.with_data(&state.discrete, &mut |condition, is| {
            // What fails does not hold.
            let holds = condition.holds(&network.program, &context, memory);
            Estimate::finite(u32::from(holds != Ok(is)))
        })
    }
}
