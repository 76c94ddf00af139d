//! The states of searches that do not keep them, visited once more.

use super::Case;
use crate::options::{DirectedOptions, Options, TraceOptions, ZoneOptions};
use crate::order::Order;
use crate::outcome::Limit;
use crate::outcome::proof::{Gathered, Proof, TOO_LARGE};
use crate::search_end::SearchEnd;
use crate::task::CompiledQuery;
use crate::zones::search::{Moment, ZoneSearch, bounds};
use zonewalk_certificate::{Claim, Columns, Node};
use zonewalk_search as search;
use zonewalk_searches::Search;
use zonewalk_symbolic::certificate::{NoProof, ranked_nodes};
use zonewalk_symbolic::lasso::LassoOptions;

impl Case<'_, '_, '_> {
    /// Visits all states breadth first, and keeps them.
    ///
    /// # Errors
    /// Knowledge of the proof without them.
    pub(super) fn second_pass(&self, claim: &Claim) -> Result<Vec<Node>, Box<Proof>> {
        let unjudged = |why: &str| Box::new(Proof::unjudged(Some(claim.clone()), why));
        let sought = match (claim, self.compiled) {
            (Claim::Inevitable, _) => return self.ranked(claim),
            (Claim::Unreachable, Some(CompiledQuery::States(sought))) => Some(sought),
            (Claim::Explored, None) => None,
            _ => return Err(unjudged("the search did not keep its states")),
        };
        let Ok(plan) = self.checker.zone_plan() else {
            return Err(unjudged("there is no zone graph of this model"));
        };
        let most = self.options.proofs.most_nodes(self.system.clocks.len());
        let asked = self.options.zones.max_states.unwrap_or(u64::MAX);
        let options = Options {
            search: Search::Bfs,
            zones: ZoneOptions {
                max_states: Some(asked.min(most as u64)),
                ..self.options.zones
            },
            trace: TraceOptions::default(),
            directed: DirectedOptions::default(),
            ..*self.options
        };
        let ask = |_: &Moment<'_>| self.control.is_interrupted() || options.is_late();
        let mut search = ZoneSearch::new(plan, sought, (&options, self.control), &ask);
        match search.run(Order::Breadth, None) {
            SearchEnd::Exhausted => match self.checker.gather(search.stored.take(), &options) {
                Some(Gathered::Nodes(nodes)) => Ok(nodes),
                Some(Gathered::TooMany(count)) => Err(Box::new(Proof::too_large(claim.clone(), count))),
                None => Err(unjudged("some states are not known because of a run-time error")),
            },
            SearchEnd::Stopped(Limit::States) if asked > most as u64 => Err(unjudged(TOO_LARGE)),
            SearchEnd::Stopped(Limit::States) => Err(unjudged("the limit of states was reached")),
            SearchEnd::Stopped(Limit::Memory) => Err(unjudged("the memory limit was reached")),
            SearchEnd::Stopped(_) => Err(unjudged(&self.limit_in_words())),
            SearchEnd::NoInitialState => Err(unjudged("there is no initial state")),
            SearchEnd::Found(_) => {
                let why = "another search reaches what this one proves unreachable";
                Err(Box::new(Proof {
                    bug: Some(why.to_owned()),
                    ..*unjudged(why)
                }))
            }
        }
    }

    /// Visits all runs that avoid the goal once more, in an order that gives their states ranks.
    ///
    /// # Errors
    /// Knowledge of the proof without them.
    fn ranked(&self, claim: &Claim) -> Result<Vec<Node>, Box<Proof>> {
        let unjudged = |why: &str| Box::new(Proof::unjudged(Some(claim.clone()), why));
        let question = self.compiled.and_then(|asked| self.checker.lasso_question(asked));
        let (Ok(plan), Some(question)) = (self.checker.zone_plan(), question) else {
            return Err(unjudged("there is no zone graph of this model"));
        };
        let columns = Columns::of(self.model, self.system).map_err(|fault| unjudged(&fault.to_string()))?;
        let most = self.options.proofs.most_nodes(self.system.clocks.len());
        let asked = bounds(&self.options.zones, Order::Depth);
        let ask = |_: &search::Statistics| self.control.is_interrupted() || self.options.is_late();
        let wanted = LassoOptions {
            non_zeno: self.options.zones.non_zeno,
            limits: search::Limits {
                stored: Some(asked.stored.unwrap_or(usize::MAX).min(most)),
                stop: Some(&ask),
                ..asked
            },
        };
        match ranked_nodes(plan, &question, &wanted, &columns, &self.system.initial) {
            Ok(nodes) => Ok(nodes),
            Err(NoProof::Limit(search::Limit::States)) if asked.stored.is_none_or(|stored| stored > most) => {
                Err(unjudged(TOO_LARGE))
            }
            Err(NoProof::Limit(search::Limit::Stopped)) => Err(unjudged(&self.limit_in_words())),
            Err(NoProof::Witness) if !plan.is_approximate() => {
                let why =
                    "the search for ranks finds a run that avoids the goal, and the first search did not";
                Err(Box::new(Proof {
                    bug: Some(why.to_owned()),
                    ..*unjudged(why)
                }))
            }
            Err(why) => Err(unjudged(&why.to_string())),
        }
    }
}
