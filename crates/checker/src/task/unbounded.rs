//! Warns of searches that may not end, because zones have no finite abstraction.

use crate::options::Options;
use crate::task::{Checker, CompiledQuery};
use zonewalk_network::Predicate;
use zonewalk_network::ids::ClockId;
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::diagonals::Unbounded;
use zonewalk_symbolic::goal::ZoneGoal;
use zonewalk_symbolic::graph::ZoneGraph;
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::span::Span;

impl Checker<'_, '_> {
    /// A warning where the search for the answer to a query may not end, because there may be infinitely many zones.
    pub fn may_not_end(&self, query: usize, options: &Options) -> Option<Diagnostic> {
        match self.task.compiled(query)? {
            CompiledQuery::Runs(_) | CompiledQuery::Invalid(_) | CompiledQuery::Unsupported => None,
            asked => self.warn_of(&asked.predicates(), options),
        }
    }

    /// A warning where exploring all states may not end.
    pub fn exploring_may_not_end(&self, options: &Options) -> Option<Diagnostic> {
        self.warn_of(&[], options)
    }

    fn warn_of(&self, predicates: &[&Predicate], options: &Options) -> Option<Diagnostic> {
        // Who asks for no abstraction knows.
        if options.search.walks() || options.zones.extrapolation == Some(Abstraction::None) {
            return None;
        }
        let plan = self.zone_plan().ok()?;
        let network = plan.network;
        let goals: Vec<ZoneGoal> = predicates
            .iter()
            .map(|predicate| ZoneGoal::new(network, predicate, true))
            .collect();
        let goals: Vec<&ZoneGoal> = goals.iter().collect();
        let bounds = network.bounds_for(predicates);
        let reason = ZoneGraph::new(plan, bounds, &[], Abstraction::LuPlus, &goals).unbounded()?;
        let name = |clock: ClockId| {
            let clock = self.task.interpreter.system().clocks.get(clock.index());
            clock.map_or("?", |clock| &*clock.name)
        };
        let (span, why, help) = match reason {
            Unbounded::Compared(bound) => (
                bound.span,
                "a difference of clocks is compared with too many numbers".to_owned(),
                "give the variables in the bound small ranges, such as int[0,20]",
            ),
            Unbounded::Set(clock) => (
                Span::NONE,
                format!(
                    "the clock `{}` is set to numbers of unknown size, and its difference to another clock is compared",
                    name(clock)
                ),
                "give the variables that the clock is set to small ranges, such as int[0,20]",
            ),
            Unbounded::Copied(clock) => (
                Span::NONE,
                format!(
                    "the clock `{}` is set to a clock plus a number again and again, and its difference to another clock is compared",
                    name(clock)
                ),
                "count in an integer instead, or do without the difference",
            ),
            Unbounded::Shifted(clock) => (
                Span::NONE,
                format!(
                    "a number is subtracted from the clock `{}` again and again",
                    name(clock)
                ),
                "set the clock to 0 instead, or count in an integer",
            ),
        };
        let message = format!("the search may not end: {why}");
        let help = format!("{help}; --timeout and --max-states limit the search");
        Some(Diagnostic::warning("endless-zones", span, message).help(help))
    }
}
