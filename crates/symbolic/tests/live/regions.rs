//! Random automata, and the same questions asked of their region graphs: an oracle that shares nothing with zones.

use super::extremes::{find, reached};
use super::support::{ask, model, shortest};
use std::collections::{BTreeMap, BTreeSet};
use zonewalk_search::Limits;
use zonewalk_symbolic::extremes::RequestedValues;
use zonewalk_symbolic::lasso::{Lasso, LassoOptions};

/// All constants are at most this.
const MOST: i32 = 3;

/// A clock up to its region: `None` beyond all constants, else the integer below it and the place of its fraction in the
/// order of all fractions, 0 for none.
pub(super) type Value = Option<(i32, u32)>;

#[derive(Clone, Debug)]
struct Atom {
    clock: usize,
    relation: &'static str,
    number: i32,
}

impl Atom {
    fn text(&self) -> String {
        format!("{} {} {}", ["x", "y"][self.clock], self.relation, self.number)
    }

    fn holds(&self, region: &[Value]) -> bool {
        let Some((integer, rank)) = region[self.clock] else {
            return matches!(self.relation, ">" | ">=" | "!=");
        };
        // Twice the value, with gaps as odd numbers.
        let (value, number) = (2 * integer + i32::from(rank > 0), 2 * self.number);
        match self.relation {
            "<" => value < number,
            "<=" => value <= number,
            ">" => value > number,
            ">=" => value >= number,
            "==" => value == number,
            _ => value != number,
        }
    }
}

fn all_hold(atoms: &[Atom], region: &[Value]) -> bool {
    atoms.iter().all(|atom| atom.holds(region))
}

/// `P.l`, a clock bound, or both: one of them or each.
#[derive(Clone, Debug)]
pub(super) struct Formula {
    location: usize,
    is_there: bool,
    atom: Option<Atom>,
    is_or: bool,
}

impl Formula {
    pub(super) fn text(&self) -> String {
        let location = format!("{}P.l{}", if self.is_there { "" } else { "!" }, self.location);
        match &self.atom {
            None => location,
            Some(atom) => format!(
                "({location} {} {})",
                if self.is_or { "||" } else { "&&" },
                atom.text()
            ),
        }
    }

    pub(super) fn holds(&self, node: &Node) -> bool {
        let location = (node.0 == self.location) == self.is_there;
        match &self.atom {
            None => location,
            Some(atom) if self.is_or => location || atom.holds(&node.1),
            Some(atom) => location && atom.holds(&node.1),
        }
    }
}

pub(super) type Node = (usize, Vec<Value>);

struct Edge {
    source: usize,
    target: usize,
    guard: Vec<Atom>,
    resets: Vec<usize>,
}

pub(super) struct Automaton {
    /// Clocks beyond this are not told apart.
    cap: i32,
    invariants: Vec<Vec<Atom>>,
    pub(super) urgent: Vec<bool>,
    edges: Vec<Edge>,
}

pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }

    fn one_of(&mut self, list: &[&'static str]) -> &'static str {
        list[self.below(list.len())]
    }

    fn atom(&mut self, relations: &[&'static str]) -> Atom {
        Atom {
            clock: self.below(2),
            relation: self.one_of(relations),
            number: self.below(MOST as usize + 1) as i32,
        }
    }

    pub(super) fn formula(&mut self, locations: usize) -> Formula {
        Formula {
            location: self.below(locations),
            is_there: self.below(2) == 0,
            atom: (self.below(3) > 0).then(|| self.atom(&["<", "<=", ">", ">=", "==", "!="])),
            is_or: self.below(2) == 0,
        }
    }

    pub(super) fn automaton(&mut self) -> Automaton {
        let locations = 2 + self.below(3);
        let invariants = (0..locations).map(|_| {
            let count = self.below(3);
            (0..count).map(|_| self.atom(&["<", "<="])).collect()
        });
        let invariants = invariants.collect();
        let urgent = (0..locations).map(|_| self.below(6) == 0).collect();
        let edges = (0..locations + self.below(4)).map(|_| Edge {
            source: self.below(locations),
            target: self.below(locations),
            guard: {
                let count = self.below(3);
                (0..count)
                    .map(|_| self.atom(&["<", "<=", ">", ">=", "=="]))
                    .collect()
            },
            resets: (0..2).filter(|_| self.below(2) == 0).collect(),
        });
        let edges = edges.collect();
        Automaton {
            cap: MOST,
            invariants,
            urgent,
            edges,
        }
    }
}

impl Dice {
    /// A ring with some more edges, in which no process may stay: its runs are longer.
    pub(super) fn ring(&mut self) -> Automaton {
        let locations = 3 + self.below(3);
        let mut edge = |source: usize, target: usize| Edge {
            source,
            target,
            guard: (0..self.below(2))
                .map(|_| self.atom(&["<", "<=", ">", ">=", "=="]))
                .collect(),
            resets: (0..2).filter(|_| self.below(3) > 0).collect(),
        };
        let mut edges: Vec<Edge> = (0..locations).map(|l| edge(l, (l + 1) % locations)).collect();
        for _ in 0..2 {
            let (source, target) = (self.below(locations), self.below(locations));
            edges.push(Edge {
                source,
                target,
                guard: vec![self.atom(&["<", "<=", ">", ">=", "=="])],
                resets: (0..2).filter(|_| self.below(2) == 0).collect(),
            });
        }
        Automaton {
            cap: MOST,
            invariants: (0..locations).map(|_| vec![self.atom(&["<", "<="])]).collect(),
            urgent: vec![false; locations],
            edges,
        }
    }
}

impl Dice {
    /// A unit of time passes with every edge, and some are possible as long as `y` is small: there are cycles that can be gone
    /// round a few times only.
    fn clockwork(&mut self) -> Automaton {
        let locations = 1 + self.below(3);
        let atom = |clock, relation, number| Atom {
            clock,
            relation,
            number,
        };
        let edges = (0..locations + 2).map(|number| {
            let mut guard = vec![atom(0, "==", 1)];
            if self.below(2) == 0 {
                guard.push(atom(1, self.one_of(&["<", "<=", ">"]), MOST));
            }
            Edge {
                source: number % locations,
                target: self.below(locations),
                guard,
                resets: (0..1 + usize::from(self.below(4) == 0)).collect(),
            }
        });
        Automaton {
            cap: MOST,
            edges: edges.collect(),
            invariants: vec![vec![atom(0, "<=", 1)]; locations],
            urgent: vec![false; locations],
        }
    }
}

impl Automaton {
    pub(super) fn text(&self) -> String {
        let join = |atoms: &[Atom]| atoms.iter().map(Atom::text).collect::<Vec<_>>().join(" && ");
        let states: Vec<String> = (0..)
            .zip(&self.invariants)
            .map(|(number, invariant): (usize, _)| match invariant.as_slice() {
                [] => format!("l{number}"),
                atoms => format!("l{number} {{ {} }}", join(atoms)),
            })
            .collect();
        let urgent: Vec<String> = (0..self.urgent.len())
            .filter(|&l| self.urgent[l])
            .map(|l| format!("l{l}"))
            .collect();
        let urgent = if urgent.is_empty() {
            String::new()
        } else {
            format!("urgent {};", urgent.join(", "))
        };
        let edges: Vec<String> = self
            .edges
            .iter()
            .map(|edge| {
                let guard = match edge.guard.as_slice() {
                    [] => String::new(),
                    atoms => format!("guard {};", join(atoms)),
                };
                let resets: Vec<_> = edge
                    .resets
                    .iter()
                    .map(|&c| format!("{} = 0", ["x", "y"][c]))
                    .collect();
                let update = if resets.is_empty() {
                    String::new()
                } else {
                    format!("assign {};", resets.join(", "))
                };
                format!("l{} -> l{} {{ {guard} {update} }}", edge.source, edge.target)
            })
            .collect();
        format!(
            "clock x, y; process P() {{ state {}; {urgent} init l0; trans {}; }} system P;",
            states.join(", "),
            edges.join(", ")
        )
    }

    pub(super) fn initial(&self) -> Option<Node> {
        let region = vec![Some((0, 0)); 2];
        all_hold(&self.invariants[0], &region).then_some((0, region))
    }

    /// The next region in time, the same one when all clocks are beyond their constants.
    fn later(&self, node: &Node) -> Option<Node> {
        if self.urgent[node.0] {
            return None;
        }
        let mut region = node.1.clone();
        if region.iter().flatten().any(|value| value.1 == 0) {
            for value in &mut region {
                *value = match *value {
                    None => None,
                    Some((integer, 0)) if integer == self.cap => None,
                    Some((integer, rank)) => Some((integer, rank + 1)),
                };
            }
        } else {
            let highest = region.iter().flatten().map(|value| value.1).max();
            for value in region.iter_mut().flatten() {
                if Some(value.1) == highest {
                    *value = (value.0 + 1, 0);
                }
            }
        }
        let node = (node.0, canonical(region));
        all_hold(&self.invariants[node.0], &node.1).then_some(node)
    }

    pub(super) fn actions(&self, node: &Node) -> Vec<Node> {
        let mut found = Vec::new();
        for edge in self.edges.iter().filter(|edge| edge.source == node.0) {
            if !all_hold(&edge.guard, &node.1) {
                continue;
            }
            let mut region = node.1.clone();
            edge.resets.iter().for_each(|&clock| region[clock] = Some((0, 0)));
            let region = canonical(region);
            if all_hold(&self.invariants[edge.target], &region) {
                found.push((edge.target, region));
            }
        }
        found
    }

    /// The regions that time leads to, the node itself first.
    pub(super) fn futures(&self, node: &Node) -> Vec<Node> {
        let mut list = vec![node.clone()];
        while let Some(next) = list.last().and_then(|last| self.later(last)) {
            if list.last() == Some(&next) {
                break;
            }
            list.push(next);
        }
        list
    }

    pub(super) fn reachable(&self, from: Vec<Node>, holds: &dyn Fn(&Node) -> bool) -> BTreeSet<Node> {
        let mut seen = BTreeSet::new();
        let mut waiting: Vec<Node> = from.into_iter().filter(|n| holds(n)).collect();
        while let Some(node) = waiting.pop() {
            if seen.insert(node.clone()) {
                let next = self.actions(&node).into_iter().chain(self.later(&node));
                waiting.extend(next.filter(|n| holds(n)));
            }
        }
        seen
    }

    /// Whether some maximal run from one of these nodes on stays where `holds` does.
    fn has_run(&self, from: Vec<Node>, holds: &dyn Fn(&Node) -> bool, non_zeno: bool) -> bool {
        let nodes = self.reachable(from, holds);
        let ends = nodes.iter().any(|node| {
            let futures = self.futures(node);
            let stays = futures.iter().all(holds);
            let is_endless = futures
                .last()
                .is_some_and(|last| self.later(last).as_ref() == Some(last));
            let is_dead = futures.iter().all(|future| self.actions(future).is_empty());
            stays && (is_endless || is_dead && !non_zeno)
        });
        if ends {
            return true;
        }
        // Strongly connected components by mutual reachability: the graphs are small.
        let reach: BTreeMap<&Node, BTreeSet<Node>> = nodes
            .iter()
            .map(|node| (node, self.reachable(vec![node.clone()], holds)))
            .collect();
        let together = |a: &Node, b: &Node| reach[a].contains(b) && reach[b].contains(a);
        nodes.iter().any(|node| {
            let component: Vec<&Node> = nodes.iter().filter(|other| together(node, other)).collect();
            let steps =
                |next: Vec<Node>, from: &Node| next.iter().any(|n| nodes.contains(n) && together(from, n));
            let acts = component.iter().any(|n| steps(self.actions(n), n));
            if !non_zeno {
                return acts;
            }
            // Alur and Dill: time diverges on some run through all of it if it passes at all and every clock is 0 or beyond
            // its constants again and again.
            let waits = component
                .iter()
                .any(|n| steps(self.later(n).into_iter().collect(), n));
            let progresses = |clock: usize| {
                component
                    .iter()
                    .any(|n| matches!(n.1[clock], None | Some((0, 0))))
            };
            acts && waits && (0..2).all(progresses)
        })
    }
}

/// Fractions numbered without gaps.
fn canonical(mut region: Vec<Value>) -> Vec<Value> {
    let mut ranks: Vec<u32> = region.iter().flatten().map(|v| v.1).filter(|&r| r > 0).collect();
    ranks.sort_unstable();
    ranks.dedup();
    for value in region.iter_mut().flatten().filter(|v| v.1 > 0) {
        value.1 = ranks.iter().position(|&r| r == value.1).unwrap() as u32 + 1;
    }
    region
}

#[test]
fn zones_agree_with_regions() {
    let (mut answers, mut asked) = ([0; 2], 0);
    for seed in 0..600 {
        let mut dice = Dice(seed * 7919 + 1);
        let automaton = dice.automaton();
        let Some(initial) = automaton.initial() else {
            continue;
        };
        let model = model(&automaton.text());
        let locations = automaton.urgent.len();
        let (p, q) = (dice.formula(locations), dice.formula(locations));
        let everywhere = automaton.reachable(vec![initial.clone()], &|_| true);
        let triggers: Vec<Node> = everywhere
            .into_iter()
            .filter(|n| p.holds(n) && !q.holds(n))
            .collect();
        for non_zeno in [false, true] {
            let options = LassoOptions {
                non_zeno,
                ..LassoOptions::default()
            };
            let from = || vec![initial.clone()];
            let expected = [
                (
                    format!("E[] {}", p.text()),
                    automaton.has_run(from(), &|n| p.holds(n), non_zeno),
                ),
                (
                    format!("A<> {}", p.text()),
                    !automaton.has_run(from(), &|n| !p.holds(n), non_zeno),
                ),
                (
                    format!("{} --> {}", p.text(), q.text()),
                    !automaton.has_run(triggers.clone(), &|n| !q.holds(n), non_zeno),
                ),
            ];
            for (query, truth) in expected {
                let (found, _) = ask(&model, &query, &options);
                assert_eq!(found, truth, "{query}, non-zeno {non_zeno}: {}", automaton.text());
                answers[usize::from(truth)] += 1;
                asked += 1;
            }
        }
    }
    assert!(
        answers.iter().all(|&count| count * 5 > asked),
        "{answers:?} of {asked}"
    );
}

/// The points that some transitions lead to, as regions of one location.
type Points = BTreeSet<Node>;

/// Runs of at most this many transitions are looked for by brute force.
const LONGEST: usize = 5;

impl Automaton {
    /// The points that time leads to while `holds` does.
    fn delayed(&self, points: &Points, holds: &dyn Fn(&Node) -> bool) -> Points {
        let until = |node: &Node| {
            let futures = self.futures(node).into_iter();
            futures.take_while(|n| holds(n)).collect::<Vec<_>>()
        };
        points.iter().flat_map(until).collect()
    }

    /// The points behind a delay and an edge.
    fn behind(&self, points: &Points, edge: &Edge, holds: &dyn Fn(&Node) -> bool) -> Points {
        let mut found = Points::new();
        for node in self.delayed(points, holds) {
            if edge.source != node.0 || !all_hold(&edge.guard, &node.1) {
                continue;
            }
            let mut region = node.1.clone();
            edge.resets.iter().for_each(|&clock| region[clock] = Some((0, 0)));
            let target = (edge.target, canonical(region));
            if all_hold(&self.invariants[edge.target], &target.1) && holds(&target) {
                found.insert(target);
            }
        }
        found
    }

    /// Whether a run may end in one of these points.
    fn may_end(&self, points: &Points, holds: &dyn Fn(&Node) -> bool) -> bool {
        self.delayed(points, holds).iter().any(|node| {
            let futures = self.futures(node);
            let is_endless = futures
                .last()
                .is_some_and(|last| self.later(last).as_ref() == Some(last));
            let is_dead = futures.iter().all(|future| self.actions(future).is_empty());
            futures.iter().all(holds) && (is_endless || is_dead)
        })
    }

    /// Whether these edges can be taken in turn forever: the points behind round after round repeat before there are none.
    fn repeats(&self, points: &Points, word: &[usize], holds: &dyn Fn(&Node) -> bool) -> bool {
        let mut seen = BTreeSet::new();
        let mut points = points.clone();
        while seen.insert(points.clone()) {
            for &edge in word {
                points = self.behind(&points, &self.edges[edge], holds);
            }
        }
        !points.is_empty()
    }

    /// The least number of transitions of a cycle from these points on, up to a number.
    fn shortest_cycle(&self, points: &Points, most: usize, holds: &dyn Fn(&Node) -> bool) -> Option<usize> {
        let mut words = vec![(points.clone(), Vec::new())];
        for length in 1..=most {
            let mut longer = Vec::new();
            for (points, word) in &words {
                for (number, edge) in self.edges.iter().enumerate() {
                    let next = self.behind(points, edge, holds);
                    if !next.is_empty() {
                        longer.push((next, [word.as_slice(), &[number]].concat()));
                    }
                }
            }
            let location = |points: &Points| points.first().map(|node| node.0);
            let closes = |(next, word): &(Points, Vec<usize>)| {
                location(next) == location(points) && self.repeats(points, word, holds)
            };
            if longer.iter().any(closes) {
                return Some(length);
            }
            words = longer;
        }
        None
    }

    /// The least number of transitions of a maximal run on which `holds` always does, from a point with `begins` on if that is
    /// given; `None` when it has more than [`LONGEST`].
    fn shortest_run(
        &self,
        holds: &dyn Fn(&Node) -> bool,
        begins: Option<&dyn Fn(&Node) -> bool>,
    ) -> Option<usize> {
        let initial: Points = self.initial().into_iter().collect();
        // The points before the beginning, and those behind it.
        let mut free: BTreeSet<Points> = BTreeSet::new();
        let mut confined: BTreeSet<Points> = BTreeSet::new();
        match begins {
            None => confined.insert(initial.into_iter().filter(|n| holds(n)).collect()),
            Some(_) => free.insert(initial),
        };
        let mut best = None;
        for depth in 0..=LONGEST {
            if let Some(begins) = begins {
                let triggered = |points: &Points| -> Points {
                    let all = self.delayed(points, &|_| true);
                    all.into_iter().filter(|n| begins(n) && holds(n)).collect()
                };
                confined.extend(free.iter().map(triggered));
            }
            confined.retain(|points| !points.is_empty());
            if confined.iter().any(|points| self.may_end(points, holds)) {
                best = best.into_iter().chain([depth]).min();
            }
            for points in &confined {
                let most = best
                    .map_or(LONGEST, |best: usize| best.saturating_sub(1))
                    .saturating_sub(depth);
                if let Some(length) = self.shortest_cycle(points, most, holds) {
                    best = Some(depth + length);
                }
            }
            let further = |sets: &BTreeSet<Points>, holds: &dyn Fn(&Node) -> bool| -> BTreeSet<Points> {
                let pairs = sets
                    .iter()
                    .flat_map(|points| self.edges.iter().map(move |edge| (points, edge)));
                pairs
                    .map(|(points, edge)| self.behind(points, edge, holds))
                    .collect()
            };
            confined = further(&confined, holds);
            free = further(&free, &|_| true);
        }
        best
    }
}

/// How soon zones repeat does not count, so that the answer can be had from regions as well. `ZONEWALK_NETWORKS` says of how
/// many automata.
#[test]
fn shortest_runs_agree_with_regions() {
    let (mut by_length, mut longer, mut cycles) = ([0; LONGEST + 1], 0, 0);
    let automata = std::env::var("ZONEWALK_NETWORKS").map_or(600, |n| n.parse().unwrap());
    for seed in 0..automata {
        let mut dice = Dice(seed * 6007 + 11);
        let automaton = match seed % 3 {
            0 => dice.automaton(),
            1 => dice.ring(),
            _ => dice.clockwork(),
        };
        if automaton.initial().is_none() {
            continue;
        }
        let text = automaton.text();
        let model = model(&text);
        let locations = automaton.urgent.len();
        let (p, q) = (dice.formula(locations), dice.formula(locations));
        let begins = |n: &Node| p.holds(n);
        let expected = [
            (
                format!("E[] {}", p.text()),
                automaton.shortest_run(&|n| p.holds(n), None),
            ),
            (
                format!("A<> {}", p.text()),
                automaton.shortest_run(&|n| !p.holds(n), None),
            ),
            (
                format!("{} --> {}", p.text(), q.text()),
                automaton.shortest_run(&|n| !q.holds(n), Some(&begins)),
            ),
        ];
        for (query, length) in expected {
            let found = shortest(&model, &query, &LassoOptions::default());
            let transitions = found.as_ref().map(Lasso::transitions);
            let within = transitions.filter(|&transitions| transitions <= LONGEST);
            assert_eq!(within, length, "{query}: {found:?} {text}");
            match length {
                Some(length) => by_length[length] += 1,
                None => longer += usize::from(transitions.is_some()),
            }
            cycles += usize::from(found.is_some_and(|lasso| !lasso.cycle.is_empty()));
        }
    }
    // All lengths occur, and cycles among them.
    assert!(
        by_length[..4].iter().all(|&count| count > 5) && cycles > 50,
        "{by_length:?}, {longer} longer, {cycles} cycles"
    );
}

/// Values of a clock, as far as a region graph with larger constants tells them apart.
#[test]
fn extremes_agree_with_regions() {
    const CAP: i32 = 20;
    let (mut unbounded, mut empty, mut compared) = (0, 0, 0);
    for seed in 0..300 {
        let mut dice = Dice(seed * 104_729 + 5);
        let automaton = Automaton {
            cap: CAP,
            ..dice.automaton()
        };
        let Some(initial) = automaton.initial() else {
            continue;
        };
        let condition = dice.formula(automaton.urgent.len());
        let everywhere = automaton.reachable(vec![initial], &|_| true);
        let nodes: Vec<&Node> = everywhere.iter().filter(|n| condition.holds(n)).collect();
        let text = automaton.text();
        for (clock, name) in [(0, "x"), (1, "y")] {
            let number = |node: &&Node| {
                node.1[clock].map(|(integer, rank)| i64::from(2 * integer) + i64::from(rank > 0))
            };
            let expected: BTreeSet<i64> = nodes.iter().filter_map(number).collect();
            let is_beyond = nodes.iter().any(|node| node.1[clock].is_none());
            let asked = format!("bounds{{{}}}: {name}", condition.text());
            let extent = |wish| {
                let found = find(&text, &asked, wish, &Limits::default());
                assert_eq!(found.limit, None);
                found.extents[0].clone()
            };
            let (lowest, highest, all) = (
                extent(RequestedValues::Lowest),
                extent(RequestedValues::Highest),
                extent(RequestedValues::All),
            );
            for found in [&lowest, &highest, &all] {
                assert!(found.is_certain, "{asked}: {text}");
            }
            let first = reached(&lowest, 2 * i64::from(CAP)).first().copied();
            assert_eq!(first, expected.first().copied(), "lowest of {asked}: {text}");
            let is_higher = |end: Option<_>| end.is_none_or(|end: (i64, bool)| end.0 > i64::from(CAP));
            let top = highest.highest().map(|end| end.map(|e| (e.value, e.is_attained)));
            assert_eq!(top.is_some_and(is_higher), is_beyond, "{top:?} {asked}: {text}");
            if !is_beyond {
                let last = reached(&highest, 2 * i64::from(CAP)).last().copied();
                assert_eq!(last, expected.last().copied(), "highest of {asked}: {text}");
            }
            if !all.has_gaps {
                assert_eq!(reached(&all, 2 * i64::from(CAP)), expected, "{asked}: {text}");
            }
            compared += 1;
            unbounded += i32::from(top == Some(None));
            empty += i32::from(top.is_none());
        }
    }
    // All kinds of answers occur.
    assert!(unbounded > 50 && empty > 20 && compared - unbounded - empty > 50);
}
