//! Which models the stochastic semantics covers.

use zonewalk_model::tree::Model;
use zonewalk_network::constraint::Quantity;
use zonewalk_network::{Instance, Network};
use zonewalk_syntax::span::Span;

/// What keeps stochastic walks from a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// In words that continue "because of".
    pub construct: String,
    /// Where it stands.
    pub span: Span,
}

/// What keeps stochastic walks from a model that other walks can treat. The race has no place for a transition that two
/// processes must agree on, nor for one that forbids another.
pub fn obstacle(model: &Model, network: &Network) -> Option<Obstacle> {
    handshake(model, network)
        .or_else(|| {
            network.has_priorities.then(|| Obstacle {
                construct: "priorities".to_owned(),
                span: Span::NONE,
            })
        })
        .or_else(|| strange_quantity(network))
}

/// The first edge that waits for partners.
fn handshake(model: &Model, network: &Network) -> Option<Obstacle> {
    let is_handshake = |channel: u32| {
        network
            .channels
            .get(channel as usize)
            .filter(|channel| !channel.broadcast)
    };
    let fixed = network
        .instances
        .iter()
        .filter(|instance| instance.channel < Instance::ANY_CHANNEL)
        .find_map(|instance| Some((instance, is_handshake(instance.channel)?)));
    let dynamic = || {
        network.dynamic_syncs.iter().find_map(|sync| {
            let mut channels = network
                .sets
                .get(sync.channels)
                .iter()
                .flat_map(|e| e.start..e.end);
            let channel = channels.find_map(is_handshake)?;
            Some((network.instances.get(sync.instance as usize)?, channel))
        })
    };
    let (instance, channel) = fixed.or_else(dynamic)?;
    let variant = &network.variants[network.processes[instance.process as usize].variant as usize];
    let template = &model.templates[variant.template.index()];
    let sync = template.edges[network.edge(instance).id.index()].sync.as_ref();
    let kind = if channel.participants.is_empty() {
        "handshake channel"
    } else {
        "channel without `!` or `?`,"
    };
    Some(Obstacle {
        construct: format!("the {kind} {}", channel.name),
        span: sync.map_or(Span::NONE, |sync| sync.span),
    })
}

/// The first rate or weight that cannot be computed.
fn strange_quantity(network: &Network) -> Option<Obstacle> {
    let rates = network
        .variants
        .iter()
        .flat_map(|v| &v.locations)
        .filter_map(|l| l.exponential_rate)
        .flat_map(|(rate, divisor)| [Some(rate), divisor]);
    let weights = network
        .variants
        .iter()
        .flat_map(|v| &v.edges)
        .filter_map(|e| e.branch)
        .map(|(_, weight)| weight);
    let find = |mut list: &mut dyn Iterator<Item = Option<Quantity>>, construct: &str| {
        (&mut list).flatten().find_map(|quantity| match quantity {
            Quantity::Unsupported(span) => Some(Obstacle {
                construct: construct.to_owned(),
                span,
            }),
            _ => None,
        })
    };
    find(
        &mut { rates },
        "an exponential rate that is no number of this language",
    )
    .or_else(|| find(&mut { weights }, "a weight that is no number of this language"))
}
