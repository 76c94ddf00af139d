//! Guidance of a directed search: estimates, made ready before it, and the queues that states wait in.

use super::{Moment, ZoneSearch, bounds};
use crate::order::Order;
use crate::outcome::Guidance;
use std::time::{Duration, Instant};
use zonewalk_heuristics::{
    self as heuristics, Directed, GroupDistance, Heuristic, LocalDistance, Relaxed, Switch,
};
use zonewalk_network::Node;
use zonewalk_network::ids::ClockId;
use zonewalk_search::{Limits, Statistics};
use zonewalk_searches::{Estimator, Queueing, Switching};
use zonewalk_zones::Word;

/// Pattern databases, made before the search.
pub(crate) struct Prepared<W> {
    /// `None` where the projections are too large.
    pub(super) databases: Option<heuristics::PatternDatabases<W>>,
    /// The cells that they tell states apart by.
    pub(super) cells: Vec<u32>,
    /// Abstract states that were explored in vain.
    pub(super) without: u64,
    pub(super) took: Duration,
}

impl<'a> ZoneSearch<'a> {
    /// Guide of a directed search. A state from which no goal can be reached is left out only where no error of the model can come
    /// after it.
    pub(super) fn guide<W: Word>(
        &mut self,
        aim: &heuristics::GoalFormula,
        order: heuristics::Order,
        by: Order,
        prepared: Option<Prepared<W>>,
    ) -> (Directed<'a, Box<dyn Heuristic<W> + 'a>, W>, u64) {
        let network = self.plan.network;
        let mut without = 0;
        let databases = prepared.and_then(|prepared| {
            without = prepared.without;
            prepared.databases
        });
        let estimator = match self.options.directed.estimator_for(by.search()) {
            _ if by == Order::Breadth => Estimator::Blind,
            // The projections are too large.
            Estimator::Pdb if databases.is_none() => Estimator::without_databases(by.search()),
            wanted => wanted,
        };
        self.lead = Some(Guidance {
            estimator: (by != Order::Breadth).then_some(estimator),
            queueing: self.options.queueing(),
            is_blind: self.is_blind(estimator, aim),
        });
        let heuristic: Box<dyn Heuristic<W> + 'a> = match (estimator, databases) {
            (Estimator::Pdb, Some(databases)) => Box::new(databases),
            (Estimator::Blind | Estimator::Pdb, _) => Box::new(heuristics::Blind::default()),
            (Estimator::Dl, _) => Box::new(LocalDistance::lower(network, aim)),
            (Estimator::Du, _) => Box::new(LocalDistance::upper(network, aim)),
            (Estimator::Dg, _) => Box::new(GroupDistance::new(network, aim)),
            (Estimator::Hl, _) => Box::new(Relaxed::lower(network, aim)),
            (Estimator::Hu, _) => Box::new(Relaxed::upper(network, aim)),
        };
        let guide = Directed::new(heuristic, order);
        let guide = match self.options.queueing() {
            Queueing::Plain => guide,
            Queueing::Useless | Queueing::Alternation => guide.with_queues(heuristics::Useless::default()),
            Queueing::Icb => {
                let counts = match self.options.directed.switching {
                    Switching::Any => Switch::Any,
                    Switching::Equal => Switch::Equal,
                    Switching::Preempting => Switch::Preempting,
                };
                guide.with_queues(heuristics::Switches::new(network, counts))
            }
            Queueing::Ce => guide.with_queues(heuristics::Context::new(network, Some(aim))),
        };
        let guide = match network.may_fail() {
            true => guide.keeping_all(),
            false => guide,
        };
        (guide, without)
    }

    /// Whether the goal names nothing that an estimate measures: deadlocks, and clocks unless databases keep them.
    fn is_blind(&self, estimator: Estimator, aim: &heuristics::GoalFormula) -> bool {
        let sets = &self.plan.network.sets;
        let is_kept = |clock: u32| {
            self.used
                .iter()
                .any(|pattern| pattern.keeps_clock(ClockId(clock)))
        };
        let keeps_clocks = || {
            self.aim.as_ref().is_some_and(|(predicate, _)| {
                predicate.nodes.iter().any(|node| match node {
                    Node::Clock { clocks, .. } => sets.members(*clocks).any(is_kept),
                    _ => false,
                })
            })
        };
        match estimator {
            Estimator::Blind => false,
            Estimator::Pdb => aim.is_everything() && !keeps_clocks(),
            _ => aim.is_everything(),
        }
    }

    /// Makes pattern databases, if they are to lead the search.
    pub(super) fn prepare<W: Word>(&mut self, by: Order) -> Option<Prepared<W>> {
        let is_wanted = self.options.directed.estimator_for(by.search()) == Estimator::Pdb;
        let (predicate, wanted) = self
            .aim
            .as_ref()
            .filter(|_| is_wanted && by.directed().is_some())?;
        let start = Instant::now();
        let basis = heuristics::Basis::new(self.plan, predicate, *wanted);
        // Half of the time is for the search.
        let now = Instant::now();
        let half = self
            .options
            .deadline
            .map(|end| now + end.saturating_duration_since(now) / 2);
        let stop = |statistics: &Statistics| {
            let moment = Moment {
                statistics,
                effort: 0,
                is_preparing: true,
            };
            half.is_some_and(|half| Instant::now() >= half) || (self.stop)(&moment)
        };
        let limits = Limits {
            memory: bounds(&self.options.zones, by).memory,
            stop: Some(&stop),
            ..Limits::default()
        };
        let (databases, without) = match heuristics::prepare(&basis, self.patterns, &limits) {
            Ok(databases) => (Some(databases), 0),
            Err(states) => (None, states),
        };
        let about = databases.iter().flat_map(heuristics::PatternDatabases::databases);
        self.used = about.map(|database| database.pattern.clone()).collect();
        Some(Prepared {
            cells: databases
                .as_ref()
                .map_or_else(Vec::new, heuristics::PatternDatabases::cells),
            databases,
            without,
            took: start.elapsed(),
        })
    }
}
