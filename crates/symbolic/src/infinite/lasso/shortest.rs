//! A shortest maximal run: the fewest transitions, those up to the cycle and those of one round together.
//!
//! A run without end is a prefix and a cycle of transitions such that the locations and variables after the cycle are those
//! before it and the cycle can be repeated forever. That is a property of the model and not of its zones: how soon zones
//! repeat does not count. So cycles are looked for between equal discrete parts, and each candidate is repeated
//! ([`super::repeat`]) until it is certain whether that goes on forever.
//!
//! The graph is explored level by level ([`super::levels`]). A run of `n` transitions passes states that are at most `n`
//! transitions deep, so it is found in a graph of `n` levels, and what is not found there is longer. Candidates are all paths
//! between states with equal discrete parts; a path is given up where even the discrete parts alone, whatever the clocks
//! say, offer no way back in time. There may be many that cannot be repeated, so that their number is limited.

use super::budget::{Budget, Halt};
use super::expand::Expander;
use super::levels::{LevelEdge, Levels};
use super::repeat::{Forever, repeats};
use super::{Lasso, LassoEnd, LassoOptions, LassoQuestion, ends};
use crate::graph::abstraction::Abstraction;
use crate::graph::width::Width;
use crate::infinite::zeno;
use crate::plan::ZonePlan;
use crate::state::ZoneState;
use rustc_hash::FxHashSet;
use std::fmt;
use zonewalk_network::Transition;
use zonewalk_search::{Limit, Statistics};
use zonewalk_zones::{Word, dbm};

/// Effort for it: some ten seconds. Counted and not measured, so that the result repeats.
const EFFORT: u64 = 1 << 29;

/// Why a run is not proved to be shortest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unproved {
    /// A limit of the search.
    Limit(Limit),
    /// There are too many states or candidates.
    Effort,
    /// The model fails on another run.
    Fault,
}

impl fmt::Display for Unproved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unproved::Limit(Limit::Memory) => "the memory limit was reached",
            Unproved::Limit(Limit::Stopped) => "the time limit was reached, or the search was interrupted",
            Unproved::Limit(_) => "the state limit was reached",
            Unproved::Effort => "the effort limit for shorter runs was reached",
            Unproved::Fault => "the model has a run-time error on another run",
        })
    }
}

/// Result of the search for a shortest run.
#[derive(Clone, Debug)]
pub struct Shortest {
    /// A run with fewer transitions than the known one, if one was found: the shortest one, or the shortest one so far.
    pub better: Option<Lasso>,
    /// Why the best one is not proved to be shortest; `None` when it is.
    pub unproved: Option<Unproved>,
    /// Work done.
    pub statistics: Statistics,
}

/// Looks for the shortest maximal run, given some run.
pub fn shortest(
    plan: &ZonePlan<'_>,
    question: &LassoQuestion,
    options: &LassoOptions<'_>,
    known: &Lasso,
) -> Shortest {
    match question.width(plan) {
        Width::Narrow => shortest_in_words::<i32>(plan, question, options, known),
        Width::Wide => shortest_in_words::<i64>(plan, question, options, known),
    }
}

fn shortest_in_words<W: Word>(
    plan: &ZonePlan<'_>,
    question: &LassoQuestion,
    options: &LassoOptions<'_>,
    known: &Lasso,
) -> Shortest {
    let is_ticking = options.non_zeno && !zeno::is_structurally_non_zeno(plan);
    // Deadlocks must be real ones.
    let expander = Expander::new(question.confined(plan, Abstraction::M, is_ticking), ends(options));
    let mut search: Search<'_, '_, W> = Search {
        levels: Levels::new(plan, question, expander),
        budget: Budget::new(&options.limits, EFFORT),
        is_ticking,
        length: known.transitions(),
        better: None,
    };
    let unproved = match search.search() {
        // What fails was left out, and might lead to a shorter run.
        Ok(()) if search.levels.expander.fault.is_some() => Some(Unproved::Fault),
        Ok(()) => None,
        Err(Halt::Effort) => Some(Unproved::Effort),
        Err(Halt::Limit(limit)) => Some(Unproved::Limit(limit)),
        Err(Halt::Fault) => Some(Unproved::Fault),
    };
    Shortest {
        better: search.better,
        unproved,
        statistics: search.budget.meter.statistics,
    }
}

struct Search<'n, 'l, W> {
    levels: Levels<'n, W>,
    budget: Budget<'l>,
    is_ticking: bool,
    /// Length of the best run so far.
    length: usize,
    better: Option<Lasso>,
}

impl<W: Word> Search<'_, '_, W> {
    fn search(&mut self) -> Result<(), Halt> {
        // No run has as few transitions as this, but for the best one.
        let mut excluded = 0;
        let mut looked_at = 0;
        let mut is_whole = false;
        self.levels.begin(&mut self.budget)?;
        loop {
            let depth = self.levels.depth as usize;
            if depth < self.length
                && let Some((node, end)) = self.levels.end()?
            {
                self.length = depth;
                self.better = Some(self.run_to(node, end));
            }
            // Looking for cycles costs as much as the graph is large: it is done when that has doubled, and in the end.
            let nodes = self.levels.nodes.len();
            if depth + 1 >= self.length || nodes >= 2 * looked_at || is_whole {
                self.cycles(excluded)?;
                (excluded, looked_at) = (depth, nodes);
            }
            if is_whole || excluded + 1 >= self.length {
                return Ok(());
            }
            is_whole = !self.levels.grow(&mut self.budget)?;
        }
    }

    /// Looks for cycles that make a run of more than `excluded` transitions, and of fewer than the best one has.
    fn cycles(&mut self, excluded: usize) -> Result<(), Halt> {
        let back = Backwards::new(&self.levels);
        let mut distances = Distances::new(self.levels.discrete_parts());
        let (mut state, mut included) = (ZoneState::default(), Vec::new());
        // In the order of their first states, which are the least deep ones.
        for part in &back.nodes {
            let least = self.levels.nodes[part[0] as usize].depth as usize;
            if least + 1 >= self.length {
                break;
            }
            let discrete = self.levels.nodes[part[0] as usize].discrete;
            let Some(girth) = distances.fill(&back, discrete, self.length - 1 - least, &mut self.budget)?
            else {
                continue;
            };
            included.clear();
            for &node in part {
                let depth = self.levels.nodes[node as usize].depth as usize;
                if depth + girth >= self.length {
                    break;
                }
                self.levels.load(node, &mut state);
                // What a state can do forever, one that includes it can, too.
                if included
                    .iter()
                    .any(|zone: &Vec<_>| dbm::includes(zone, &state.zone))
                {
                    continue;
                }
                included.push(state.zone.clone());
                for rounds in girth.max((excluded + 1).saturating_sub(depth)).. {
                    if depth + rounds >= self.length || self.cycle(node, &state, rounds, &distances)? {
                        break;
                    }
                }
            }
            self.budget.check()?;
        }
        Ok(())
    }

    /// Looks for a cycle of exactly this length that begins in a state. True when there is one; it is the best one then.
    fn cycle(
        &mut self,
        start: u32,
        state: &ZoneState<W>,
        length: usize,
        distances: &Distances,
    ) -> Result<bool, Halt> {
        let goal = self.levels.nodes[start as usize].discrete;
        let mut tried: FxHashSet<Vec<u32>> = FxHashSet::default();
        let mut word: Vec<u32> = Vec::with_capacity(length);
        let mut stack: Vec<(u32, usize)> = vec![(start, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let Some(&LevelEdge { target, by }) = self.levels.edges(*node).get(*next) else {
                stack.pop();
                word.pop();
                continue;
            };
            *next += 1;
            self.budget.step()?;
            let discrete = self.levels.nodes[target as usize].discrete;
            let done = word.len() + 1;
            if distances.get(discrete) > length - done {
                continue;
            }
            word.push(by);
            if done < length {
                stack.push((target, 0));
                continue;
            }
            if discrete == goal && tried.insert(word.clone()) && self.goes_on(start, state, &word)? {
                return Ok(true);
            }
            word.pop();
        }
        Ok(false)
    }

    /// Whether a cycle can be repeated forever. It is the best one then.
    fn goes_on(&mut self, start: u32, state: &ZoneState<W>, word: &[u32]) -> Result<bool, Halt> {
        let cycle: Vec<Transition> = word
            .iter()
            .map(|&by| self.levels.transitions[by as usize].clone())
            .collect();
        let expander = &mut self.levels.expander;
        let found = repeats(expander, state, &cycle, self.is_ticking, &mut self.budget)?;
        let Some(forever) = found else {
            return Ok(false);
        };
        let better = self.lasso(start, cycle, forever);
        self.length = better.transitions();
        self.better = Some(better);
        Ok(true)
    }

    /// The run to a state, and round the cycle that begins there.
    fn lasso(&self, node: u32, cycle: Vec<Transition>, forever: Forever) -> Lasso {
        let mut lasso = self.run_to(node, LassoEnd::Cycle);
        lasso.cycle = cycle;
        lasso.ticks.extend(forever.ticks);
        lasso.rounds = forever.rounds;
        lasso
    }

    /// The run that ends in a state.
    fn run_to(&self, node: u32, end: LassoEnd) -> Lasso {
        let (steps, trigger) = self.levels.path(node);
        let (prefix, mut ticks): (Vec<_>, Vec<_>) = steps.into_iter().unzip();
        if !self.is_ticking {
            ticks.clear();
        }
        Lasso {
            prefix,
            cycle: Vec::new(),
            end,
            trigger,
            ticks,
            rounds: 0,
        }
    }
}

/// The discrete parts, backwards.
struct Backwards {
    /// By discrete part: where a transition leads there from.
    sources: Vec<Vec<u32>>,
    /// The states of each discrete part, the least deep ones first; in the order of the first ones.
    nodes: Vec<Vec<u32>>,
}

impl Backwards {
    fn new<W: Word>(levels: &Levels<'_, W>) -> Backwards {
        let parts = levels.discrete_parts();
        let (mut sources, mut nodes) = (vec![Vec::new(); parts], vec![Vec::new(); parts]);
        // Discrete parts are numbered as they are met, and so are states.
        for (number, node) in (0..).zip(&levels.nodes) {
            nodes[node.discrete as usize].push(number);
            for edge in levels.edges(number) {
                sources[levels.nodes[edge.target as usize].discrete as usize].push(node.discrete);
            }
        }
        for list in &mut sources {
            list.sort_unstable();
            list.dedup();
        }
        Backwards { sources, nodes }
    }
}

/// How many transitions lead back to a discrete part from every other one, at least.
struct Distances {
    of: Vec<usize>,
    /// Indices that were written to.
    near: Vec<u32>,
}

impl Distances {
    const FAR: usize = usize::MAX;

    fn new(parts: usize) -> Distances {
        Distances {
            of: vec![Self::FAR; parts],
            near: Vec::new(),
        }
    }

    fn get(&self, part: u32) -> usize {
        self.of[part as usize]
    }

    /// Measures the way back to a part, up to a number of transitions. The least number of a cycle through it, if there is one.
    fn fill(
        &mut self,
        back: &Backwards,
        goal: u32,
        most: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Option<usize>, Halt> {
        for part in self.near.drain(..) {
            self.of[part as usize] = Self::FAR;
        }
        self.of[goal as usize] = 0;
        self.near.push(goal);
        let (mut at, mut girth) = (0, None);
        while let Some(&part) = self.near.get(at) {
            at += 1;
            let distance = self.of[part as usize] + 1;
            if distance > most {
                break;
            }
            let sources = &back.sources[part as usize];
            budget.spend(sources.len() as u64)?;
            for &source in sources {
                if source == goal && girth.is_none() {
                    girth = Some(distance);
                }
                if self.of[source as usize] == Self::FAR {
                    self.of[source as usize] = distance;
                    self.near.push(source);
                }
            }
        }
        Ok(girth)
    }
}
