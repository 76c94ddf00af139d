//! Labelled transition systems, of our models and of files in Aldebaran format, and strong bisimulation between them.

use super::Loaded;
use super::graph::visit;
use std::collections::HashMap;

/// What a transition without a name is called in files.
const HIDDEN: &str = "tau";

/// A labelled transition system; state 0 is the initial one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lts {
    /// Of each state: labels and targets.
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
        let mut lts = Lts::default();
        visit(loaded, usize::MAX, |visited| {
            let transitions = visited.transitions.iter().map(|(channel, target)| {
                let label = channel.map_or(HIDDEN, |channel| &labels[channel.index()]);
                (label.to_owned(), *target)
            });
            lts.states.push(transitions.collect());
        });
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
        let mut known: HashMap<(u32, Vec<(u32, u32)>), u32> = HashMap::new();
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
