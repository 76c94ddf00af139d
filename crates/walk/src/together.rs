//! Labels without `!` or `?` (`semantics.md` 16a): walks know those that are handshakes or internal edges.
//!
//! More participants would need candidates of more than two edges in the inner loop, for models that hardly exist: walks leave
//! these to the searches of the zone graph.

use crate::heuristic::smc::Obstacle;
use zonewalk_model::tree::{Direction, Model};
use zonewalk_network::Network;
use zonewalk_network::ids::InstanceId;
use zonewalk_product::together::paired_role;
use zonewalk_syntax::span::Span;

/// First obstacle that keeps walks from a model which other engines support.
pub fn obstacle(model: &Model, network: &Network) -> Option<Obstacle> {
    if network.channels.iter().all(|c| c.participants.is_empty()) {
        return None;
    }
    (0..)
        .map(InstanceId)
        .zip(&network.instances)
        .find_map(|(number, instance)| {
            let edge = network.edge(instance);
            edge.sync.filter(|s| s.direction == Direction::Together)?;
            let construct = paired_role(network, number).err()?;
            let variant = network.processes[instance.process.index()].variant as usize;
            let template = &model.templates[network.variants[variant].template.index()];
            let sync = template.edges[edge.id.index()].sync.as_ref();
            Some(Obstacle {
                construct: construct.to_owned(),
                span: sync.map_or(Span::NONE, |sync| sync.span),
                is_quantity: false,
            })
        })
}
