//! Deciding a query: search, make the trace shorter, let the reference interpreter confirm it.

use crate::control::Control;
use crate::engine::heuristic_name;
use crate::judge::confirm::{confirm, failing_at_the_end};
use crate::options::{Options, TraceKind};
use crate::outcome::optimality::Optimality;
use crate::outcome::ticks;
use crate::outcome::{CheckerReport, Outcome, Times, Witness};
use crate::search_end::SearchEnd;
use crate::task::{Checker, Target};
use crate::trace::improve::{Best, Candidate, improve};
use crate::walks::{WalkEnd, WalkSearch};
use std::time::Instant;
use zonewalk_network::Transition;
use zonewalk_report::trace::{End, Time, Trace};
use zonewalk_report::verdict::{Closest, Margin};
use zonewalk_run::Run;
use zonewalk_searches::Search;
use zonewalk_walk::Stop;
use zonewalk_walk::guided;
use zonewalk_walk::search::{Failed, FoundWalk};

/// Note where nothing guided the walks.
const UNGUIDED: &str =
    "the distance to this goal cannot be estimated, so the walks were plain com and ret walks";

impl Checker<'_, '_> {
    /// Decides a query, if walks can and do. `improved` is called for every better trace after the first one: its steps and
    /// its time.
    ///
    /// Returns `None` for a query that walks cannot decide, or that could not be compiled.
    pub(crate) fn check_by_walks(
        &self,
        query: usize,
        options: &Options,
        control: &Control,
        improved: &mut dyn FnMut(usize, Time),
    ) -> Option<CheckerReport> {
        let target = self.target(query)?;
        control.forget_best();
        let start = Instant::now();
        let mut search = WalkSearch::new(self.walk_plan(), &target.goal, options, control);
        let end = search.run(options.depth(), None);
        Some(self.conclude(end, &mut search, &target, start, improved))
    }

    /// Concludes from the end of walks that began at `start`.
    pub(crate) fn conclude(
        &self,
        end: WalkEnd,
        walks: &mut WalkSearch<'_>,
        target: &Target<'_>,
        start: Instant,
        improved: &mut dyn FnMut(usize, Time),
    ) -> CheckerReport {
        let options = walks.options;
        let mut times = Times::of_search(start);
        let mut search = options.search.name();
        let (stats, closest) = (walks.stats, walks.closest);
        let is_unguided = search == Search::Guided.name() && closest.is_none() && stats.walks > 0;
        // Later walks only make the trace better.
        let fault = walks.fault.take();
        let outcome = match end {
            SearchEnd::Found((found, heuristic)) => {
                search = heuristic_name(heuristic);
                let judge = |run: &Run| self.replay(run, target, false).is_ok();
                let best = improve((*found, heuristic), walks, &judge, &mut times, improved);
                let start = Instant::now();
                let outcome = self.show(&best, target, options);
                times.replay = start.elapsed();
                outcome
            }
            SearchEnd::Exhausted => Outcome::by_exhaustion(!target.sought.wanted),
            SearchEnd::NoInitialState => match walks.failed_start.take() {
                Some((stop, found)) => self.no_beginning(stop, *found, options),
                None => self.no_state(),
            },
            SearchEnd::Stopped(limit) => Outcome::undecided(limit, stats, options),
        };
        let is_undecided = matches!(outcome, Outcome::Undecided(_));
        let closest = closest
            .filter(|_| is_undecided)
            .map(|closest| self.describe_closest(&closest));
        let note = (is_unguided && is_undecided).then_some(UNGUIDED);
        // Walks that only made the first trace nicer are not part of the search.
        let is_best_wanted = matches!(options.trace.kind, TraceKind::Shortest | TraceKind::Fastest);
        let searched = (options, walks.effort);
        let fault =
            fault.map(|failed| self.walk_fault(&failed, &[target.sought.expr], Some(&target.goal), searched));
        let stats = if is_best_wanted { walks.stats } else { stats };
        CheckerReport {
            closest,
            note,
            ..CheckerReport::new(search, outcome, stats, times)
        }
        .with_fault(fault.transpose())
    }

    /// How close walks got to a goal, in the words of the model.
    fn describe_closest(&self, closest: &guided::Closest) -> Closest {
        let margin = |margin: &guided::Margin| Margin {
            process: self.task.network.processes[margin.process.index()]
                .name
                .to_string(),
            clock: self.clock(margin.clock),
            value: ticks(margin.value, margin.unit).to_string(),
            bound: ticks(margin.bound, margin.unit).to_string(),
        };
        Closest {
            distance: closest.distance,
            margin: closest.margin.as_ref().map(margin),
        }
    }

    /// There is no initial state.
    pub(crate) fn no_state(&self) -> Outcome {
        let bug = || Outcome::Bug("the walks find no initial state, but there is one".to_owned());
        self.no_initial_state().unwrap_or_else(bug)
    }

    /// A run-time error leaves no initial state.
    pub(crate) fn no_beginning(&self, stop: Stop, found: FoundWalk, options: &Options) -> Outcome {
        let failed = Failed {
            stop,
            found,
            attempt: Transition::default(),
        };
        match self.walk_fault(&failed, &[], None, (options, 0)) {
            Ok(fault) => Outcome::Fault(fault),
            Err(error) => self.no_initial_state().unwrap_or(Outcome::Bug(error)),
        }
    }

    /// Repeats a run that should reach the target.
    fn replay(&self, run: &Run, target: &Target<'_>, is_wanted: bool) -> Result<Option<Trace>, String> {
        let goal = Some((target.sought.expr, target.sought.wanted));
        confirm(&self.task.interpreter, run, goal, End::Goal, is_wanted)
    }

    fn show(&self, best: &Best, target: &Target<'_>, options: &Options) -> Outcome {
        let is_wanted = options.trace.kind != TraceKind::None;
        let Candidate { run, retimed } = &best.candidate;
        // Computed times that do not replay are given up for those that were walked; these must.
        let retimed = retimed
            .as_ref()
            .and_then(|retimed| Some((self.replay(retimed, target, is_wanted).ok()?, retimed)));
        let confirmed = match retimed {
            Some(confirmed) => Ok(confirmed),
            None => self.replay(run, target, is_wanted).map(|trace| (trace, run)),
        };
        match confirmed {
            Ok((trace, run)) => {
                let wish = options.trace.kind;
                let witness = Witness {
                    found_steps: best.found_steps,
                    found_duration: best.found_duration,
                    walk: best.walk,
                    failing: failing_at_the_end(&self.task.interpreter, run, target.sought.expr, is_wanted),
                    optimality: Optimality::of_walks(wish, run.steps.len(), run.duration() == 0),
                    ..Witness::new(run, trace)
                };
                // Reaching a state decides `E<>` for good and `A[]` against it.
                Outcome::by_run(target.sought.wanted, witness)
            }
            Err(error) => Outcome::Bug(format!(
                "the trace that walk {} found does not replay: {error}",
                best.walk
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::TraceOptions;
    use crate::outcome::Evidence;
    use crate::task::CompiledModel;
    use zonewalk_model::ids::{EdgeId, ProcessId};
    use zonewalk_model::{check, instance};
    use zonewalk_run::{Part, Step};
    use zonewalk_syntax::read::{read_formula, read_model};
    use zonewalk_syntax::source::SourceMap;

    const MODEL: &str = "clock x; process P() { state a { x <= 3 }, b; init a;
        trans a -> b { guard x >= 2; }; } system P;";

    fn run(delay: i64) -> Run {
        let part = Part {
            process: ProcessId(0),
            edge: EdgeId(0),
            selects: Vec::new(),
        };
        Run {
            unit: 1,
            steps: vec![Step {
                delay,
                parts: vec![part],
            }],
            last_delay: 0,
        }
    }

    /// Outcome for a run that an engine claims, and for one with computed times.
    fn shown(claimed: Run, retimed: Option<Run>) -> Outcome {
        let mut sources = SourceMap::new();
        let (document, _) = read_model("m.xta", MODEL.as_bytes(), None, &mut sources);
        let entry = read_formula("q", "E<> P.b", &mut sources);
        let (model, _) = check::check(sources, &document.expect("it parses"), &[]);
        let model = model.expect("it is well-formed");
        let system = instance::instantiate(&model).expect("it has one process");
        let queries: Vec<_> = check::queries(&model, &[entry]).into_iter().flatten().collect();
        let task =
            CompiledModel::new(&model, &system, &queries.iter().collect::<Vec<_>>()).expect("walks can");
        let checker = task.checker();
        let target = checker.target(0).expect("it is about states");
        let best = Best {
            candidate: Candidate {
                run: claimed,
                retimed,
            },
            found_steps: 1,
            found_duration: Time::ZERO,
            walk: 7,
        };
        let options = Options {
            search: crate::Search::Auto,
            seed: 1,
            threads: std::num::NonZeroUsize::MIN,
            deadline: None,
            zones: crate::ZoneOptions::default(),
            trace: TraceOptions {
                kind: TraceKind::Some,
                shrink_budget: 0,
            },
            ..Options::default()
        };
        checker.show(&best, &target, &options)
    }

    #[test]
    fn a_claim_that_does_not_replay_is_a_bug() {
        let Outcome::Bug(message) = shown(run(1), None) else {
            panic!("the guard does not hold at 1");
        };
        assert!(message.starts_with("the trace that walk 7 found does not replay: step 1 of 1: the guard"));
        assert!(matches!(shown(run(4), Some(run(5))), Outcome::Bug(_)));
    }

    #[test]
    fn computed_times_count_only_when_they_replay() {
        let duration = |outcome| match outcome {
            Outcome::Decided {
                evidence: Evidence::Run(witness),
                ..
            } => witness.duration.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(duration(shown(run(3), Some(run(2)))), "2");
        assert_eq!(duration(shown(run(3), Some(run(1)))), "3");
        assert_eq!(duration(shown(run(1), Some(run(2)))), "2");
    }
}
