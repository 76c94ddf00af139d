//! Refinement: preconditions, then the complete search, walks, or both in parallel.

use std::time::{Duration, Instant};

use zonewalk_refine::concretise;
use zonewalk_refine::control::{Control, Limit, Limits};
use zonewalk_refine::frame::Abstraction;
use zonewalk_refine::leaf::Polarity;
use zonewalk_refine::pair::Pair;
use zonewalk_refine::refinement::{self, Broken, Outcome};
use zonewalk_refine::system::Builder;
use zonewalk_refine::walk::{self, Heuristic, WalkOptions, WalkOutcome};
use zonewalk_tioa::{Query, Run, System};

use super::answer::{Evidence, RefineAnswer, Verdict};
use super::decide::{NO_TIMES, QueryContext, Stopped};
use super::options::RefineSearch;
use super::reason::{Reason, ReasonKind};

struct Searched {
    outcome: RefinementSearchEnd,
    search: &'static str,
}

enum RefinementSearchEnd {
    Holds(usize, usize),
    Run(Run, usize),
    /// A rule is broken, and no times were found for the way there.
    NoTimes(Broken),
    Nothing(Limit),
}

impl QueryContext<'_> {
    pub(super) fn refinement(
        &self,
        query: &Query,
        left: &System,
        right: &System,
    ) -> Result<RefineAnswer, Stopped> {
        let mut builder = Builder::new(self.project, self.reading);
        let pair = Pair::new(
            builder.side(left, Polarity::Leading)?,
            builder.side(right, Polarity::Following)?,
        );
        let checker = self.checker();
        let failure = match self.options.preconditions {
            true => checker.comparable(left, right, &pair)?,
            false => checker.clash(&pair),
        };
        if let Some(failure) = failure {
            let mut answer = RefineAnswer::new(query, Verdict::NotSatisfied);
            answer.reason = Some(Reason::failure(&failure, self.project, None));
            answer.evidence = self.shows(failure);
            return Ok(answer);
        }
        let deterministic = self.options.preconditions || checker.deterministic(right)?.is_none();
        let found = match self.options.search {
            RefineSearch::Symbolic => self.symbolic(&pair, self.control),
            RefineSearch::Ret => self.walks(&pair, Heuristic::Ret, self.options.max_walks, self.control),
            RefineSearch::Rcf => self.walks(&pair, Heuristic::Rcf, self.options.max_walks, self.control),
            RefineSearch::Smc => self.walks(&pair, Heuristic::Smc, self.options.max_walks, self.control),
            RefineSearch::Auto => self.race(&pair),
        };
        let mut answer = RefineAnswer::new(query, Verdict::Unknown);
        answer.search = found.search;
        match found.outcome {
            RefinementSearchEnd::Holds(pairs, zones) => {
                answer.verdict = Verdict::Satisfied;
                answer.proof = true;
                answer.relation = Some((pairs, zones));
            }
            RefinementSearchEnd::Nothing(limit) => answer.reason = Some(Reason::limit(limit, "")),
            RefinementSearchEnd::NoTimes(broken) => {
                answer.verdict = Verdict::NotSatisfied;
                answer.proof = true;
                answer.reason = Some(self.broken(broken));
                answer.notes.push(NO_TIMES.to_owned());
            }
            RefinementSearchEnd::Run(run, found_steps) => {
                answer.verdict = Verdict::NotSatisfied;
                answer.proof = true;
                answer.evidence = Some(Evidence {
                    run,
                    start: None,
                    found_steps,
                    systems: vec![left.clone(), right.clone()],
                    reading: self.reading,
                });
            }
        }
        if answer.verdict == Verdict::NotSatisfied && !deterministic {
            answer.verdict = Verdict::Unknown;
            answer.proof = false;
            answer.evidence = None;
            let text = "the right side is not deterministic: another of its responses might match the run";
            answer.reason = Some(Reason::new(ReasonKind::Precondition, text));
        }
        Ok(answer)
    }

    fn broken(&self, broken: Broken) -> Reason {
        let name = |action| self.project.action_name(action);
        match broken {
            Broken::Output(action) => Reason::new(
                ReasonKind::Output,
                format!("the right side does not allow the output {}", name(action)),
            ),
            Broken::Input(action) => Reason::new(
                ReasonKind::Input,
                format!("the left side does not accept the input {}", name(action)),
            ),
            Broken::Delay => Reason::new(
                ReasonKind::Delay,
                "the left side can wait longer than the right side",
            ),
            Broken::Start => Reason::new(
                ReasonKind::Start,
                "the right side has no initial state: its invariant does not hold at the start",
            ),
        }
    }

    fn symbolic(&self, pair: &Pair, control: &Control) -> Searched {
        let mut pair = pair.clone();
        let outcome = match refinement::check(&mut pair, Abstraction::LowerUpper, self.limits, control) {
            Outcome::Holds { pairs, zones } => RefinementSearchEnd::Holds(pairs, zones),
            Outcome::Unknown(limit) => RefinementSearchEnd::Nothing(limit),
            Outcome::Violated(violation) if violation.what == Broken::Start => {
                RefinementSearchEnd::NoTimes(Broken::Start)
            }
            Outcome::Violated(violation) => match concretise::run(&mut pair, &violation) {
                Ok(run) => RefinementSearchEnd::Run(run, violation.steps.len()),
                Err(_) => RefinementSearchEnd::NoTimes(violation.what),
            },
        };
        Searched {
            outcome,
            search: "symbolic",
        }
    }

    fn walks(
        &self,
        pair: &Pair,
        heuristic: Heuristic,
        max_walks: Option<u64>,
        control: &Control,
    ) -> Searched {
        let options = WalkOptions {
            max_walks,
            ..self.options.walks(heuristic)
        };
        let outcome = match walk::check(pair, &options, self.limits, control) {
            WalkOutcome::Found(found) => RefinementSearchEnd::Run(found.run, found.found_steps),
            WalkOutcome::NotFound(limit) => RefinementSearchEnd::Nothing(limit),
        };
        let search = match heuristic {
            Heuristic::Ret => "ret",
            Heuristic::Rcf => "rcf",
            Heuristic::Smc => "smc",
        };
        Searched { outcome, search }
    }

    /// Walks and the complete search in parallel; the first to know stops the other.
    fn race(&self, pair: &Pair) -> Searched {
        // What fits into a moment is decided by the complete search alone, which makes small answers repeatable.
        let brief = Limits {
            deadline: Some(Instant::now() + Duration::from_millis(30)),
            ..self.limits
        };
        let first = QueryContext {
            limits: brief,
            ..*self
        }
        .symbolic(pair, self.control);
        let undecided = matches!(first.outcome, RefinementSearchEnd::Nothing(Limit::Time));
        let in_time = self
            .limits
            .deadline
            .is_none_or(|deadline| Instant::now() < deadline);
        if !undecided || !in_time || self.control.is_stopped() {
            return first;
        }
        let (for_walks, for_zones) = (Control::default(), Control::default());
        std::thread::scope(|scope| {
            let walking = scope.spawn(|| {
                let searched = self.walks(pair, Heuristic::Ret, self.options.max_walks, &for_walks);
                if matches!(searched.outcome, RefinementSearchEnd::Run(..)) {
                    for_zones.stop();
                }
                searched
            });
            let exploring = scope.spawn(|| {
                let searched = self.symbolic(pair, &for_zones);
                if !matches!(searched.outcome, RefinementSearchEnd::Nothing(_)) {
                    for_walks.stop();
                }
                searched
            });
            // An interruption of the whole reaches both.
            while !(walking.is_finished() && exploring.is_finished()) {
                if self.control.is_stopped() {
                    for_walks.stop();
                    for_zones.stop();
                }
                // The rest of the work is about a run for what was found.
                match (for_walks.found_at(), for_zones.found_at()) {
                    (Some(_), None) => for_zones.stop(),
                    (None, Some(_)) => for_walks.stop(),
                    _ => {}
                }
                self.control.follow(&for_walks, &for_zones);
                std::thread::sleep(Duration::from_millis(2));
            }
            self.control.follow(&for_walks, &for_zones);
            let walked = walking
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            let explored = exploring
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            match (&explored.outcome, &walked.outcome) {
                // A proof, or the shorter way, if both have ended.
                (RefinementSearchEnd::Nothing(_), RefinementSearchEnd::Run(..)) => walked,
                _ => explored,
            }
        })
    }
}
