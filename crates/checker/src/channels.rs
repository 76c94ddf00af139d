//! Channels on which no synchronisation can happen, because there is no partner.
//!
//! A sender of a broadcast needs no receiver, so that is never reported.

use zonewalk_model::ids::{ChannelId, GlobalId, LocalId, TemplateId};
use zonewalk_model::system::{System, Value};
use zonewalk_model::tree::{Direction, Model, Variable};
use zonewalk_network::ids::{InstanceId, ProcessId};
use zonewalk_network::{ChannelUse, Network};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

/// How an element of a channel is used: by which processes, and at which edge first.
#[derive(Clone, Default)]
struct Element {
    senders: Vec<(ProcessId, InstanceId)>,
    receivers: Vec<(ProcessId, InstanceId)>,
    is_joint: bool,
    /// Some edge always has this channel.
    is_certain: bool,
}

impl Element {
    /// Whether some sender and some receiver are different processes.
    fn has_pair(&self) -> bool {
        self.senders
            .iter()
            .any(|(sender, _)| self.receivers.iter().any(|(receiver, _)| receiver != sender))
    }
}

/// A declaration with the channels that it makes.
struct Declaration<'m> {
    variable: &'m Variable,
    /// Its template, for a local one.
    template: Option<&'m str>,
    channels: Vec<ChannelId>,
}

impl Declaration<'_> {
    fn name(&self) -> String {
        match self.template {
            Some(template) => format!("{template}.{}", self.variable.name),
            None => self.variable.name.to_string(),
        }
    }

    /// Its channels, and what each of them lacks.
    fn lacks(
        &self,
        network: &Network,
        elements: &[Element],
    ) -> impl Iterator<Item = (ChannelId, Option<MissingPartner>)> {
        let channels = self.channels.iter();
        channels.map(|&id| (id, lack(network, id, &elements[id.index()])))
    }
}

/// Edge instances by channel.
fn elements(network: &Network) -> Vec<Element> {
    let mut found = vec![Element::default(); network.channels.len()];
    let mut certain = Vec::new();
    let mut add = |channel: usize, direction: Direction, instance: InstanceId| {
        let process = network.instance(instance).process;
        let Some(of) = found.get_mut(channel) else { return };
        match direction {
            Direction::Send => of.senders.push((process, instance)),
            Direction::Receive => of.receivers.push((process, instance)),
            Direction::Together => of.is_joint = true,
        }
    };
    for (number, instance) in (0..).map(InstanceId).zip(&network.instances) {
        if let (ChannelUse::Fixed(channel), Some(sync)) = (instance.channel, network.edge(instance).sync) {
            add(channel.index(), sync.direction, number);
            certain.push(channel);
        }
    }
    for sync in &network.dynamic_syncs {
        for channel in network.sets.channels(sync.channels) {
            add(channel.index(), sync.direction, sync.instance);
        }
    }
    for channel in certain {
        found[channel.index()].is_certain = true;
    }
    found
}

/// The declarations of channels, each with the channels that it makes in all processes.
fn declarations<'m>(model: &'m Model, system: &System) -> Vec<Declaration<'m>> {
    let mut found = Vec::new();
    let is_channel = |variable: &Variable| variable.ty.base().is_chan();
    for (index, variable) in model.globals.iter().enumerate() {
        if is_channel(variable) {
            let mut channels = Vec::new();
            let id = GlobalId::from_index(index);
            collect(system.initial.globals.get(id.index()), &mut channels);
            found.push(Declaration {
                variable,
                template: None,
                channels,
            });
        }
    }
    for (index, template) in model.templates.iter().enumerate() {
        let id = TemplateId::from_index(index);
        for (local, variable) in template.variables.iter().enumerate() {
            if !is_channel(variable) || variable.from_param.is_some() {
                continue;
            }
            let mut channels = Vec::new();
            for (process, values) in system.processes.iter().zip(&system.initial.locals) {
                if process.template == id {
                    collect(values.get(LocalId::from_index(local).index()), &mut channels);
                }
            }
            found.push(Declaration {
                variable,
                template: Some(&template.name),
                channels,
            });
        }
    }
    found
}

fn collect(value: Option<&Value>, into: &mut Vec<ChannelId>) {
    match value {
        Some(Value::Channel(id)) => into.push(*id),
        Some(Value::Array(parts) | Value::Struct(parts)) => {
            parts.iter().for_each(|part| collect(Some(part), into));
        }
        _ => {}
    }
}

/// Missing side of an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MissingPartner {
    Use,
    Sender,
    Receiver,
    /// All senders and receivers are one process.
    Other,
}

fn lack(network: &Network, id: ChannelId, of: &Element) -> Option<MissingPartner> {
    let is_broadcast = network.channels[id.index()].broadcast;
    match (of.senders.is_empty(), of.receivers.is_empty()) {
        _ if of.is_joint => None,
        (true, true) => Some(MissingPartner::Use),
        (true, false) => Some(MissingPartner::Sender),
        (false, true) => (!is_broadcast).then_some(MissingPartner::Receiver),
        (false, false) => (!is_broadcast && !of.has_pair()).then_some(MissingPartner::Other),
    }
}

/// Whether nothing can ever synchronise on the channel of an edge instance.
pub fn without_partner(network: &Network) -> Vec<bool> {
    let lacking: Vec<bool> = elements(network)
        .iter()
        .enumerate()
        .map(|(index, of)| lack(network, ChannelId::from_index(index), of).is_some())
        .collect();
    let of = |use_: ChannelUse| {
        use_.fixed()
            .is_some_and(|channel| lacking.get(channel.index()).copied().unwrap_or(false))
    };
    network
        .instances
        .iter()
        .map(|instance| {
            let sync = network.edge(instance).sync;
            let is_send = sync.is_some_and(|sync| sync.direction == Direction::Send);
            let is_broadcast = instance
                .channel
                .fixed()
                .is_some_and(|channel| network.channels[channel.index()].broadcast);
            of(instance.channel) && !(is_send && is_broadcast)
        })
        .collect()
}

/// Channels that no edge uses.
pub fn unused(model: &Model, system: &System, network: &Network) -> Vec<Diagnostic> {
    let elements = elements(network);
    let is_unused = |declaration: &Declaration<'_>| {
        let mut lacks = declaration.lacks(network, &elements);
        !declaration.channels.is_empty() && lacks.all(|(_, lack)| lack == Some(MissingPartner::Use))
    };
    let unused = declarations(model, system).into_iter().filter(is_unused);
    unused
        .map(|declaration| {
            let message = format!("channel {} is never used", declaration.name());
            Diagnostic::warning("unused-channel", declaration.variable.span, message)
                .help("remove the declaration, or add the edges that were forgotten")
        })
        .collect()
}

/// Channels that edges use without a partner, element by element of arrays.
pub fn unpaired(model: &Model, system: &System, network: &Network) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let elements = elements(network);
    for declaration in declarations(model, system) {
        let lacks: Vec<_> = declaration.lacks(network, &elements).collect();
        let name = declaration.name();
        for (lack, code, what) in [
            (MissingPartner::Sender, "channel-without-sender", "no sender"),
            (
                MissingPartner::Receiver,
                "channel-without-receiver",
                "no receiver",
            ),
            (
                MissingPartner::Other,
                "channel-without-partner",
                "no second process",
            ),
        ] {
            let is_whole = lacks
                .iter()
                .all(|(_, of)| matches!(of, Some(MissingPartner::Use)) || *of == Some(lack));
            // An edge that chooses its channel may never choose this one.
            let counts = |id: &ChannelId| is_whole || elements[id.index()].is_certain;
            let lacking: Vec<ChannelId> = lacks
                .iter()
                .filter(|(_, of)| *of == Some(lack))
                .map(|(id, _)| *id)
                .filter(counts)
                .collect();
            let Some(&first) = lacking.first() else { continue };
            let of = &elements[first.index()];
            let edge = of.receivers.first().or(of.senders.first());
            let named = if is_whole {
                format!("channel {name}")
            } else {
                element_names(network, &lacking)
            };
            let (has, one) = if lacking.len() == 1 || is_whole {
                ("has", "it")
            } else {
                ("have", "them")
            };
            let message = format!("{named} {has} {what}: no edge on {one} can ever be taken");
            let mut warning = Diagnostic::warning(code, declaration.variable.span, message);
            if let Some(&(_, instance)) = edge {
                warning = warning.related(sync_span(model, system, network, instance), "used here");
            }
            found.push(warning);
        }
    }
    found
}

/// `channels c[1], c[2] and 7 others`
fn element_names(network: &Network, channels: &[ChannelId]) -> String {
    const NAMED: usize = 3;
    let names: Vec<&str> = channels
        .iter()
        .take(NAMED)
        .map(|id| &*network.channels[id.index()].name)
        .collect();
    let plural = if channels.len() == 1 { "" } else { "s" };
    match channels.len().checked_sub(NAMED).filter(|&more| more > 0) {
        Some(1) => format!("channel{plural} {} and 1 other", names.join(", ")),
        Some(more) => format!("channel{plural} {} and {more} others", names.join(", ")),
        None => format!("channel{plural} {}", names.join(", ")),
    }
}

fn sync_span(model: &Model, system: &System, network: &Network, instance: InstanceId) -> Span {
    let instance = network.instance(instance);
    let template = system.processes[instance.process.index()].template;
    let edge = &model.templates[template.index()].edges[network.edge(instance).id.index()];
    edge.sync.as_ref().map_or(edge.span, |sync| sync.span)
}

/// Whether the model declares any.
pub fn are_declared(model: &Model, system: &System) -> bool {
    !declarations(model, system).is_empty()
}
