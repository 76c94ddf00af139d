//! All states that one system can reach, whichever side decides: inputs and outputs alike.

use zonewalk_tioa::Side as Which;

use crate::control::{Control, Limit, Limits};
use crate::symbolic::frame::Abstraction;
use crate::symbolic::graph::ZoneGraph;
use crate::symbolic::pair::Pair;
use crate::symbolic::question::{FoundState, Question, Start};
use crate::systems::automaton::Automaton;
use crate::systems::side::Side;

/// A system on its own, which leads in all of its actions.
pub fn alone(side: Side) -> Pair {
    let mut pair = Pair::new(side, Side::new(Vec::new()));
    let inputs = pair.left.alphabet.inputs.iter();
    let actions = inputs.chain(&pair.left.alphabet.outputs);
    pair.actions = actions.map(|&action| (action, Which::Left)).collect();
    pair
}

/// Explores what an automaton can reach until something ends the search.
///
/// # Errors
/// When a limit is met first.
pub fn explore<Q: Question>(
    automaton: &Automaton,
    question: &Q,
    limits: Limits,
    control: &Control,
) -> Result<Option<FoundState<Q::End>>, Limit> {
    let mut pair = alone(Side::new(vec![automaton.clone()]));
    let graph = ZoneGraph {
        question,
        starts: &Start::of(&pair),
        extra: &[],
        abstraction: Abstraction::LowerUpper,
    };
    Ok(graph.search(&mut pair, limits, control)?.found)
}
