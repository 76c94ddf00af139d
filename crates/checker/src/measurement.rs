//! Measurements of searches over many seeds: what they find and what that costs, without traces.
//!
//! A trial answers no query: what it finds is not replayed, since a measurement makes thousands of
//! them.

use crate::control::Control;
use crate::engine::Engine;
use crate::options::Options;
use crate::order::Order;
use crate::search_end::SearchEnd;
use crate::task::{Checker, CompiledQuery, StateGoal};
use crate::zones::search::{Counters, Moment, ZoneSearch};
use zonewalk_search::Goal;
use zonewalk_search::measure::Trial;
use zonewalk_symbolic::explorer::Explorer;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_symbolic::width::Width;
use zonewalk_zones::Word;

impl Checker<'_, '_> {
    /// Searches the zone graph once for the states of a query, visiting at most `visits` states. `None` for walks, for a query
    /// that is not about states, and for a model that is not for zones.
    pub fn measure(&self, query: usize, options: &Options, visits: u64, control: &Control) -> Option<Trial> {
        let order = Engine::of(options.search).order()?;
        let sought = self.sought(query)?;
        let plan = self.zone_plan().ok()?;
        let ask = |_: &Moment<'_>| is_over(options, control);
        let mut search = ZoneSearch::new(plan, Some(sought), (options, control), &ask);
        search.visits = Some(visits);
        let end = search.run(order, None);
        let states = search.statistics.states_explored;
        Some(match end {
            SearchEnd::Found(path) => Trial {
                found: true,
                states,
                // The first number of a path says which initial state.
                trace: path.len().saturating_sub(1) as u64,
            },
            _ => Trial {
                found: false,
                states,
                trace: 0,
            },
        })
    }

    /// Searches the zone graph once to its end and says for each query how many states had been visited when one of its
    /// states first came into sight. `None` for walks, for queries that are not about states, and for a model that is not
    /// for zones.
    pub fn first_visits(
        &self,
        queries: &[usize],
        options: &Options,
        visits: u64,
        control: &Control,
    ) -> Option<Vec<Option<u64>>> {
        let order = Engine::of(options.search).order()?;
        let plan = self.zone_plan().ok()?;
        let sought: Option<Vec<_>> = queries.iter().map(|&query| self.sought(query)).collect();
        let sought = sought?;
        let network = plan.network;
        let ask = |_: &Moment<'_>| is_over(options, control);
        let mut search = ZoneSearch::new(plan, None, (options, control), &ask);
        let predicates: Vec<_> = sought.iter().map(|goal| &goal.predicate).collect();
        search.bounds = network.bounds_for(&predicates);
        search.watched = sought
            .iter()
            .map(|goal| zonewalk_symbolic::goal::ZoneGoal::new(network, &goal.predicate, goal.wanted))
            .collect();
        search.visits = Some(visits);
        Some(match search.width() {
            Width::Narrow => look_for_all::<i32>(&mut search, order),
            Width::Wide => look_for_all::<i64>(&mut search, order),
        })
    }

    fn sought(&self, query: usize) -> Option<&StateGoal<'_>> {
        match self.task.compiled(query)? {
            CompiledQuery::States(sought) => Some(sought),
            _ => None,
        }
    }
}

fn is_over(options: &Options, control: &Control) -> bool {
    control.is_interrupted() || options.is_late()
}

/// How many states had been visited when each of the watched goals first came into sight.
fn look_for_all<W: Word>(search: &mut ZoneSearch<'_>, order: Order) -> Vec<Option<u64>> {
    let explorer: Explorer<'_, W> = search.explorer(order, &[]);
    let mut judge = explorer.another();
    let (goals, counters) = (search.watched.clone(), Counters::default());
    let mut first = vec![None; goals.len()];
    let mut look = |state: &ZoneState<W>| {
        for (goal, first) in goals.iter().zip(&mut first).filter(|(_, first)| first.is_none()) {
            if judge.meets(goal, state).unwrap_or(false) {
                *first = Some(counters.visited.get());
            }
        }
        false
    };
    search.drive((explorer, &counters), order, None, Goal::state(&mut look), None);
    first
}
