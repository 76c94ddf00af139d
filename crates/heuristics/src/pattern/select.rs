//! Choosing a pattern: it grows by what shortest abstract traces get wrong, and what did not help is removed again.

use super::flaw::{Component, Follower};
use super::project::{AbstractDistance, AbstractPath, Basis};
use rustc_hash::FxHashSet;
use zonewalk_network::ids::{ClockId, InstanceId};
use zonewalk_product::Pattern;
use zonewalk_search::Limits;
use zonewalk_symbolic::stop::Stop;

/// A pattern, and what choosing it took.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The pattern.
    pub pattern: Pattern,
    /// Distance to the goal in its projection.
    pub reach: AbstractDistance,
    /// The pattern before the last growth: smaller, with shorter traces.
    pub before: Option<Pattern>,
    /// Abstract states explored for the choice.
    pub states: u64,
}

/// All clocks are kept in the beginning if there are no more.
const FEW_CLOCKS: usize = 8;
/// Abstract states that are explored for one pattern, at most.
const MOST_EACH: u64 = 100_000;
/// Number of components added without lengthening the trace after which the growth ends.
const PATIENCE: usize = 10;
/// Abstract states below which growth costs nothing.
const FEW_STATES: u64 = 100;
/// Number of components in a row that make projections too large, after which there will hardly be one that does not.
const MOST_TOO_LARGE: u32 = 6;

/// Chooses a pattern, exploring a limited number of abstract states for it.
///
/// It begins with what the goal is about. As long as the network cannot make the first of the shortest abstract traces, what
/// forbids it is added. When that has made the traces longer, whatever else was added since they were shorter, and that they
/// are as long without, is removed again. A trace must get a step longer for each time that the number of abstract states
/// doubles; what is more expensive is left out permanently.
///
/// # Errors
/// When the network cannot be laid out.
pub fn select(basis: &Basis<'_>, states: u64, limits: &Limits<'_>) -> Result<Selection, Stop> {
    let mut growth = Growth {
        basis,
        limits,
        left: states,
        spent: 0,
        left_out: FxHashSet::default(),
        resting: FxHashSet::default(),
        too_large: 0,
    };
    growth.run()
}

struct Growth<'a, 'n> {
    basis: &'a Basis<'n>,
    limits: &'a Limits<'a>,
    left: u64,
    spent: u64,
    /// Components that make the projection too large.
    left_out: FxHashSet<Component>,
    /// Components removed to make room, until traces become longer.
    resting: FxHashSet<Component>,
    /// Number of times a projection was too large since the trace last became longer.
    too_large: u32,
}

/// Result of an attempt to add one of several components.
enum Added {
    /// One was added.
    One(Component, Tried),
    /// The projection became too large; one of the components.
    TooLarge(Component),
    /// No component can be kept.
    Nothing,
}

/// A pattern that has been tried.
#[derive(Clone, Debug)]
struct Tried {
    pattern: Pattern,
    reach: AbstractDistance,
    states: u64,
    /// A shortest trace.
    trace: AbstractPath,
}

impl Tried {
    /// Number of doublings of the state count since `before`.
    fn growth_since(&self, before: &Tried) -> f64 {
        (self.states.max(1) as f64 / before.states.max(1) as f64).log2()
    }
}

impl Growth<'_, '_> {
    fn run(&mut self) -> Result<Selection, Stop> {
        let network = self.basis.network();
        let mut first = self.basis.goal_pattern();
        if network.clocks.len() <= FEW_CLOCKS {
            let clocks = (0..network.clocks.len() as u32).map(ClockId);
            clocks.for_each(|clock| first.set_clock(clock, true));
        }
        let mut now = self.attempt(first)?;
        let mut best = now.clone();
        let mut before = None;
        // Added since traces were shorter, with their growth.
        let mut added: Vec<(Component, f64)> = Vec::new();
        while matches!(now.reach, AbstractDistance::Exactly(_)) && added.len() < PATIENCE && self.left > 0 {
            let flaws = self.flaws(&now);
            if flaws.is_empty() {
                break;
            }
            let (component, next) = match self.add_one(&now, flaws)? {
                Added::Nothing => continue,
                Added::One(component, next) => (component, next),
                Added::TooLarge(component) => {
                    // Something has to go: the most expensive of what has not helped so far.
                    let dearest = added.iter().map(|(_, growth)| *growth).fold(0.0, f64::max);
                    let at = added.iter().position(|(_, growth)| *growth >= dearest.max(1.0));
                    let Some(at) = at.filter(|_| self.too_large < MOST_TOO_LARGE) else {
                        if self.too_large >= MOST_TOO_LARGE {
                            break;
                        }
                        self.left_out.insert(component);
                        continue;
                    };
                    let (dropped, _) = added.remove(at);
                    self.resting.insert(dropped);
                    now = self.without(now, &[dropped], 0)?;
                    continue;
                }
            };
            added.push((component, next.growth_since(&now)));
            now = next;
            if now.reach.least() > best.reach.least() {
                added.pop();
                let others: Vec<Component> = added.drain(..).map(|(component, _)| component).collect();
                let least = now.reach.least();
                now = self.without(now, &others, least)?;
                self.resting.clear();
                self.too_large = 0;
                let gain = f64::from(now.reach.least() - best.reach.least());
                if gain < now.growth_since(&best) && best.states > FEW_STATES {
                    self.left_out.insert(component);
                    now = best.clone();
                } else {
                    before = Some(std::mem::replace(&mut best, now.clone()).pattern);
                }
            }
        }
        Ok(Selection {
            pattern: best.pattern,
            reach: best.reach,
            before,
            states: self.spent,
        })
    }

    /// Components that the pattern would have to keep for its trace to be one of the network; of the clocks, only those that the
    /// trace's guards compare.
    fn flaws(&self, now: &Tried) -> Vec<Component> {
        let Basis { plan, influences, .. } = self.basis;
        let is_out =
            |component: &Component| self.left_out.contains(component) || self.resting.contains(component);
        let is_left_out = |cell| is_out(&Component::Cell(cell));
        let follower = Follower::new(plan, &now.pattern, influences);
        let cells = follower.flaws(&now.trace, is_left_out);
        if !cells.is_empty() {
            return cells.into_iter().map(Component::Cell).collect();
        }
        let network = self.basis.network();
        let parts = now.trace.iter().flat_map(|step| &step.parts);
        let mut clocks: Vec<Component> = parts
            .flat_map(|&part| network.sets.clocks(network.instance(part).clock_reads))
            .filter(|&clock| !now.pattern.keeps_clock(clock))
            .map(Component::Clock)
            .filter(|clock| !is_out(clock))
            .collect();
        clocks.sort_unstable();
        clocks.dedup();
        clocks
    }

    /// Adds the first of some components that makes traces longer, or else the one with the fewest states.
    fn add_one(&mut self, now: &Tried, components: Vec<Component>) -> Result<Added, Stop> {
        let mut best = Added::Nothing;
        for component in components {
            let pattern = self.with(&now.pattern, component);
            if pattern == now.pattern {
                self.left_out.insert(component);
                continue;
            }
            let tried = self.attempt(pattern)?;
            let is_longer = tried.reach.least() > now.reach.least();
            if !is_longer && !matches!(tried.reach, AbstractDistance::Exactly(_)) {
                if matches!(best, Added::Nothing) {
                    best = Added::TooLarge(component);
                }
                continue;
            }
            let is_smaller = !matches!(&best, Added::One(_, known) if known.states <= tried.states);
            if is_longer || is_smaller {
                best = Added::One(component, tried);
            }
            if is_longer || self.left == 0 {
                break;
            }
        }
        self.too_large += u32::from(matches!(best, Added::TooLarge(_)));
        Ok(best)
    }

    /// Removes the components without which traces still have at least this number of steps.
    fn without(&mut self, mut now: Tried, components: &[Component], least: u32) -> Result<Tried, Stop> {
        let network = self.basis.network();
        for &component in components {
            let mut pattern = now.pattern.clone();
            match component {
                Component::Cell(cell) => pattern.set(network, cell, false),
                Component::Clock(clock) => pattern.set_clock(clock, false),
            }
            // What makes the projection larger by its absence stays.
            let most = if least == 0 { MOST_EACH } else { now.states };
            let tried = self.attempt_within(pattern, most)?;
            let is_known = !matches!(tried.reach, AbstractDistance::AtLeast(_));
            if is_known && tried.reach.least() >= least {
                now = tried;
            }
        }
        Ok(now)
    }

    /// A pattern with a component, and with what that is computed from if it cannot be kept without.
    fn with(&self, pattern: &Pattern, component: Component) -> Pattern {
        let network = self.basis.network();
        let mut wider = pattern.clone();
        let cell = match component {
            Component::Clock(clock) => {
                wider.set_clock(clock, true);
                self.basis.close(&mut wider);
                return wider;
            }
            Component::Cell(cell) => cell,
        };
        wider.set(network, cell, true);
        let mut closed = wider.clone();
        self.basis.close(&mut closed);
        if !closed.keeps(cell) {
            for number in (0..network.instances.len() as u32).map(InstanceId) {
                let instance = network.instance(number);
                if network
                    .sets
                    .members(instance.writes)
                    .any(|written| written == cell)
                {
                    let needs = network.sets.members(instance.update_needs);
                    needs.for_each(|need| wider.set(network, need, true));
                }
            }
            closed = wider;
            self.basis.close(&mut closed);
        }
        closed
    }

    fn attempt(&mut self, pattern: Pattern) -> Result<Tried, Stop> {
        self.attempt_within(pattern, MOST_EACH)
    }

    fn attempt_within(&mut self, mut pattern: Pattern, states: u64) -> Result<Tried, Stop> {
        self.basis.close(&mut pattern);
        let limits = Limits {
            explored: Some(states.min(self.left)),
            ..*self.limits
        };
        let (reach, states, trace) = self.basis.distance(&pattern, &limits)?;
        // To lay out a projection of a large network costs more than a few states.
        let layout = self.basis.network().instances.len() as u64 / 16;
        self.left = self.left.saturating_sub(states + 1 + layout);
        self.spent += states;
        Ok(Tried {
            pattern,
            reach,
            states,
            trace,
        })
    }
}
