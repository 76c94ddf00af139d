//! Which models the stochastic semantics covers.

use zonewalk_model::tree::Model;
use zonewalk_network::Network;
use zonewalk_network::constraint::Quantity;
use zonewalk_network::ids::ChannelId;
use zonewalk_syntax::span::Span;

/// Obstacle that keeps stochastic walks from a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// In words that continue "because of".
    pub construct: String,
    /// Where it stands.
    pub span: Span,
    /// Whether it is a rate or a weight, for which the semantics says only that exact time does not compute it.
    pub is_quantity: bool,
}

/// The first feature of a model that stochastic walks do not support, although other walks do. The race has no place for a transition that two
/// processes must agree on, nor for one that forbids another.
pub fn obstacle(model: &Model, network: &Network) -> Option<Obstacle> {
    handshake(model, network)
        .or_else(|| {
            network.has_priorities.then(|| Obstacle {
                construct: "priorities".to_owned(),
                span: Span::NONE,
                is_quantity: false,
            })
        })
        .or_else(|| strange_quantity(network))
}

/// The first edge that waits for partners.
fn handshake(model: &Model, network: &Network) -> Option<Obstacle> {
    let is_handshake = |channel: ChannelId| {
        network
            .channels
            .get(channel.index())
            .filter(|channel| !channel.broadcast)
    };
    let fixed = network
        .instances
        .iter()
        .find_map(|instance| Some((instance, is_handshake(instance.channel.fixed()?)?)));
    let dynamic = || {
        network.dynamic_syncs.iter().find_map(|sync| {
            let channel = network.sets.channels(sync.channels).find_map(is_handshake)?;
            Some((network.instance(sync.instance), channel))
        })
    };
    let (instance, channel) = fixed.or_else(dynamic)?;
    let variant = &network.variants[network.processes[instance.process.index()].variant as usize];
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
        is_quantity: false,
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
                is_quantity: true,
            }),
            _ => None,
        })
    };
    find(&mut { rates }, "an exponential rate that is not a valid number")
        .or_else(|| find(&mut { weights }, "a weight that is not a valid number"))
}
