//! Members of families that are published systems, with the labels of those.

use super::graph::{Graph, explore};
use super::lts::Lts;
use super::member;
use std::collections::HashSet;

/// All states of a member.
pub(crate) fn graph(family: &str, params: &str) -> Graph {
    explore(&member(family, params), usize::MAX)
}

/// Number of distinct classes.
pub(crate) fn distinct(classes: &[u32]) -> usize {
    classes.iter().collect::<HashSet<_>>().len()
}

/// The lift of three columns.
pub(crate) fn lift() -> Lts {
    let three = member("lift", "n=3");
    Lts::of(&three, |channel| {
        let modes = ["STANDBY", "STOP", "STARTUP", "UP", "DOWN", "SYNC"];
        arguments(channel, &[&[], &modes])
    })
}

/// The link layer of FireWire with two nodes.
pub(crate) fn link_layer() -> Lts {
    Lts::of(&member("firewire", "n=2"), |channel| {
        let (name, id, rest) = split(channel);
        let word = |letter: &str, k: usize| format!("{letter}{}", rest[k] + 1);
        match name {
            "LDreq" => format!("LDreq({id}, {}, {}, {})", rest[0], word("h", 1), word("d", 2)),
            "LDcon" => match rest[0] {
                2 => format!("LDcon({id}, ackmiss)"),
                3 => format!("LDcon({id}, broadsent)"),
                _ => format!("LDcon({id}, ackrec({}))", word("a", 0)),
            },
            "LDind_good" => format!("LDind({id}, good({}, {}))", word("h", 0), word("d", 1)),
            "LDind_broad" => format!("LDind({id}, broadrec({}, {}))", word("h", 0), word("d", 1)),
            "LDind_bad" => format!("LDind({id}, dcrc_err({}))", word("h", 0)),
            "LDres" => {
                let bus = ["release", "hold"][rest[1]];
                format!("LDres({id}, {}, {bus})", word("a", 0))
            }
            other => panic!("{other}"),
        }
    })
}

/// The name of a channel `name[i][j][k]`, the first index, and the others.
fn split(channel: &str) -> (&str, usize, Vec<usize>) {
    let mut parts = channel.split(['[', ']']).filter(|part| !part.is_empty());
    let name = parts.next().unwrap();
    let mut numbers = parts.map(|number| number.parse().unwrap());
    (name, numbers.next().unwrap(), numbers.collect())
}

/// The label `name(a, b)` for a channel `name[i][j]`, with words for the numbers of each index where they are given.
fn arguments(channel: &str, words: &[&[&str]]) -> String {
    let mut parts = channel.split(['[', ']']).filter(|part| !part.is_empty());
    let name = parts.next().unwrap();
    let arguments = parts.enumerate().map(|(index, number)| {
        let word = words
            .get(index)
            .and_then(|words| words.get(number.parse::<usize>().unwrap()));
        word.map_or(number, |word| *word)
    });
    format!("{name}({})", arguments.collect::<Vec<_>>().join(", "))
}
