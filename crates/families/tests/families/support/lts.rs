//! Labelled transition systems, of our models and of files in Aldebaran format, and strong bisimulation between them.

use super::Loaded;
use rustc_hash::FxHashMap;
use std::collections::{HashMap, VecDeque};
use zonewalk_network::Network;
use zonewalk_search::Flow;
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::explorer::Explorer;
use zonewalk_symbolic::graph::ZoneGraph;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::state::ZoneState;

/// Name of unnamed transitions in files.
const HIDDEN: &str = "tau";

/// A labelled transition system; state 0 is the initial one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lts {
    /// Labels and targets of the transitions of each state.
    pub(crate) states: Vec<Vec<(String, usize)>>,
}

impl Lts {
    /// All states of a model without clocks. What its environment sees are the broadcast channels, by the names that `rename`
    /// gives them; all else is hidden.
    pub(crate) fn of(loaded: &Loaded, rename: impl Fn(&str) -> String) -> Self {
        let channels = loaded.system.channels.iter();
        let labels: Vec<String> = channels
            .map(|channel| match channel.broadcast {
                true => rename(&channel.name),
                false => HIDDEN.to_owned(),
            })
            .collect();
        let network = Network::compile(&loaded.model, &loaded.system).unwrap();
        let plan = ZonePlan::new(&network).unwrap();
        let bounds = network.bounds_for(&[]);
        let graph = ZoneGraph::new(&plan, bounds, &[], Abstraction::None, &[]);
        let mut explorer = Explorer::from(graph);
        let mut numbers = FxHashMap::default();
        let mut waiting = VecDeque::new();
        let mut number = |state: &ZoneState, waiting: &mut VecDeque<ZoneState>| {
            let fresh = numbers.len();
            *numbers.entry(state.discrete.clone()).or_insert_with(|| {
                waiting.push_back(state.clone());
                fresh
            })
        };
        let initial = explorer.initial(&mut |state, _| {
            number(state, &mut waiting);
            Flow::Continue(())
        });
        initial.unwrap();
        let mut lts = Lts::default();
        while let Some(state) = waiting.pop_front() {
            let mut steps = Vec::new();
            let successors = explorer.successors(&state, &mut |next, step| {
                steps.push((step.parts[0], number(next, &mut waiting)));
                Flow::Continue(())
            });
            successors.unwrap();
            let transitions = steps.into_iter().map(|(edge, target)| {
                let channel = explorer.scratch().channel(edge);
                let label = channel.map_or(HIDDEN, |channel| &labels[channel.index()]);
                (label.to_owned(), target)
            });
            lts.states.push(transitions.collect());
        }
        lts
    }

    /// A file in Aldebaran format.
    pub(crate) fn read(text: &str) -> Self {
        let mut lines = text.lines();
        let header = lines.next().unwrap().trim_matches(['(', ')', ' ']);
        let (_, states) = header.rsplit_once(',').unwrap();
        let mut lts = Lts {
            states: vec![Vec::new(); states.parse().unwrap()],
        };
        for line in lines {
            let line = line.trim().strip_prefix('(').unwrap().strip_suffix(')').unwrap();
            let (source, rest) = line.split_once(',').unwrap();
            let (label, target) = rest.rsplit_once(',').unwrap();
            let label = label.trim_matches('"').to_owned();
            lts.states[source.parse::<usize>().unwrap()].push((label, target.parse().unwrap()));
        }
        lts
    }
}

/// The coarsest strong bisimulation on all states of some systems: for each system, the class of each of its states.
///
/// Classes are refined by what their states can do, as S. Blom and S. Orzan, "A distributed algorithm for strong bisimulation
/// reduction of state spaces", ENTCS 68, 2002, until there are no more of them than before.
pub(crate) fn classes<const K: usize>(systems: [&Lts; K]) -> [Vec<u32>; K] {
    let mut labels: HashMap<&str, u32> = HashMap::new();
    let coded = systems.map(|system| {
        let states = system.states.iter().map(|transitions| {
            let coded = transitions.iter().map(|(label, target)| {
                let fresh = labels.len() as u32;
                (*labels.entry(label).or_insert(fresh), *target)
            });
            coded.collect::<Vec<_>>()
        });
        states.collect::<Vec<_>>()
    });
    let mut classes = systems.map(|system| vec![0; system.states.len()]);
    let mut count = 1;
    loop {
        let mut known: FxHashMap<(u32, Vec<(u32, u32)>), u32> = FxHashMap::default();
        let refined = std::array::from_fn(|k| {
            let states = coded[k].iter().zip(&classes[k]);
            let refined = states.map(|(transitions, &class): (_, &u32)| {
                let moves = transitions.iter();
                let mut moves: Vec<_> = moves
                    .map(|&(label, target)| (label, classes[k][target]))
                    .collect();
                moves.sort_unstable();
                moves.dedup();
                let fresh = known.len() as u32;
                *known.entry((class, moves)).or_insert(fresh)
            });
            refined.collect()
        });
        classes = refined;
        if known.len() == count {
            return classes;
        }
        count = known.len();
    }
}
