//! One query at a time: preconditions, then the searches, then the judge.

use std::time::{Duration, Instant};

use zonewalk_reference::tioa::{Objection, Pair as JudgedPair, Reason as Objected, Start, judge_run};
use zonewalk_refine::control::{Control, Limit, Limits};
use zonewalk_refine::frame::Abstraction;
use zonewalk_refine::game::Outputs;
use zonewalk_refine::leaf::Polarity;
use zonewalk_refine::pair::Pair;
use zonewalk_refine::precondition::{Checker, Failure, Obstacle};
use zonewalk_refine::refinement::{self, Broken, Outcome};
use zonewalk_refine::system::{Builder, Unbuildable};
use zonewalk_refine::walk::{self, Heuristic, WalkOptions, WalkOutcome};
use zonewalk_refine::{concretise, export, reachability};
use zonewalk_tioa::{AlphabetOf, Component, Inputs, Project, Query, Reading, Run, System};

use super::options::{RefineOptions, RefineSearch};
use super::reason::{Reason, ReasonKind};

/// What consistency means for systems other than components and conjunctions.
const PARTS_ALONE: &str =
    "consistency was checked for each part on its own; `prune` considers the whole system";

/// What is said where a way is known, and no times for it.
const NO_TIMES: &str = "no exact run could be constructed for the path that was found";

/// The answer to a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Yes.
    Satisfied,
    /// No.
    NotSatisfied,
    /// A limit was met first.
    Unknown,
}

/// A run that the judge has repeated.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The run.
    pub run: Run,
    /// Where each component starts, with the values of its clocks in ticks; nothing for the initial state.
    pub start: Option<Start>,
    /// How many steps it had when it was found.
    pub found_steps: usize,
    /// The systems it is a run of: both sides of a refinement, or one.
    pub systems: Vec<System>,
    /// How their components were read.
    pub reading: Reading,
}

/// A verdict with everything that a report tells.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The kind of query, as queries write it.
    pub kind: &'static str,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether the verdict needs no trust in a limit.
    pub proof: bool,
    /// Who found it.
    pub search: &'static str,
    /// Why, for everything but a plain yes.
    pub reason: Option<Reason>,
    /// Pairs of locations and zones of the relation that proves a refinement.
    pub relation: Option<(usize, usize)>,
    /// A run that shows the answer.
    pub evidence: Option<Evidence>,
    /// What `get-component` and `prune` have built.
    pub built: Option<Component>,
    /// What the user should know besides.
    pub notes: Vec<String>,
    /// Walks that were made.
    pub walks: u64,
    /// Steps of these walks.
    pub steps: u64,
    /// Zones that were explored by the complete search.
    pub explored: u64,
    /// How long it took until the answer was found, without shortening and judging a run.
    pub search_time: Duration,
    /// A run that the judge does not accept: an error of ours.
    pub bug: Option<String>,
}

/// Decides a query. The project gets numbers for the inputs of quotients.
///
/// # Errors
/// When a system cannot be built, or a name in a condition means nothing: an error in the query.
pub fn decide(
    project: &mut Project,
    query: &Query,
    options: &RefineOptions,
    control: &Control,
) -> Result<Answer, Box<dyn std::error::Error + Send + Sync>> {
    let start = Instant::now();
    let expand = |project: &mut Project, system: &System| -> Result<System, Unbuildable> {
        let system = project.expand(system).map_err(Unbuildable::Unresolved)?;
        project.intern_fresh_inputs(&system);
        Ok(system)
    };
    let systems: Result<Vec<System>, Unbuildable> = zonewalk_refine::precondition::systems(query)
        .into_iter()
        .map(|system| expand(project, system))
        .collect();
    let systems = systems?;
    let reading = reading(project, options);
    let task = Task {
        project,
        options,
        control,
        reading,
        limits: Limits {
            memory: options.memory,
            deadline: options.timeout.map(|timeout| start + timeout),
        },
    };
    let mut answer = match task.answer(query, &systems) {
        Ok(answer) => answer,
        Err(Stopped::Obstacle(Obstacle::Limit(limit))) => {
            let mut answer = Answer::new(query, Verdict::Unknown);
            answer.reason = Some(Reason::limit(limit, ""));
            answer
        }
        Err(Stopped::Obstacle(Obstacle::Unbuildable(why))) => return Err(why.into()),
        Err(Stopped::Misnamed(why)) => return Err(why.into()),
    };
    answer.walks = control.walks.load(std::sync::atomic::Ordering::Relaxed);
    answer.steps = control.steps.load(std::sync::atomic::Ordering::Relaxed);
    answer.explored = control.zones.load(std::sync::atomic::Ordering::Relaxed);
    answer.search_time = control.found_at().unwrap_or_else(Instant::now) - start;
    task.judge(query, &mut answer);
    Ok(answer)
}

/// How components are read if the options leave it open.
pub(super) fn reading(project: &Project, options: &RefineOptions) -> Reading {
    Reading {
        alphabet: options.alphabet.or(project.alphabet).unwrap_or(AlphabetOf::Edges),
        inputs: options.inputs,
    }
}

enum Stopped {
    Obstacle(Obstacle),
    Misnamed(zonewalk_refine::goal::Misnamed),
}

impl<T: Into<Obstacle>> From<T> for Stopped {
    fn from(obstacle: T) -> Self {
        Stopped::Obstacle(obstacle.into())
    }
}

impl Answer {
    fn new(query: &Query, verdict: Verdict) -> Answer {
        Answer {
            kind: kind(query),
            verdict,
            proof: verdict != Verdict::Unknown,
            search: "symbolic",
            reason: None,
            relation: None,
            evidence: None,
            built: None,
            notes: Vec::new(),
            walks: 0,
            steps: 0,
            explored: 0,
            search_time: Duration::ZERO,
            bug: None,
        }
    }
}

/// The kind of a query, as queries write it.
pub fn kind(query: &Query) -> &'static str {
    match query {
        Query::Refinement { .. } => "refinement",
        Query::Consistency { .. } => "consistency",
        Query::Determinism(_) => "determinism",
        Query::Implementation(_) => "implementation",
        Query::Specification(_) => "specification",
        Query::Reachability { .. } => "reachability",
        Query::GetComponent { .. } => "get-component",
        Query::Prune { .. } => "prune",
        Query::Minimise(_) => "bisim-minim",
    }
}

struct Task<'a> {
    project: &'a Project,
    options: &'a RefineOptions,
    control: &'a Control,
    reading: Reading,
    limits: Limits,
}

impl Task<'_> {
    fn checker(&self) -> Checker<'_> {
        Checker {
            project: self.project,
            reading: self.reading,
            limits: self.limits,
            control: self.control,
        }
    }

    fn answer(&self, query: &Query, systems: &[System]) -> Result<Answer, Stopped> {
        let checker = self.checker();
        let system = &systems[0];
        let from_failure = |failure: Option<Failure>, kind: ReasonKind| match failure {
            None => Answer::new(query, Verdict::Satisfied),
            Some(failure) => {
                let mut answer = Answer::new(query, Verdict::NotSatisfied);
                answer.reason = Some(Reason::failure(&failure, self.project, Some(kind)));
                answer.evidence = self.shows(failure);
                answer
            }
        };
        Ok(match query {
            Query::Refinement { .. } => self.refinement(query, &systems[0], &systems[1])?,
            Query::Consistency { fully, .. } => {
                let outputs = if *fully { Outputs::All } else { Outputs::One };
                let failure = match checker.deterministic(system)? {
                    None => checker.consistent(system, outputs)?,
                    some => some,
                };
                let mut answer = from_failure(failure, ReasonKind::Inconsistent);
                if matches!(system, System::Composition(_) | System::Quotient { .. }) {
                    answer.notes.push(PARTS_ALONE.to_owned());
                }
                answer
            }
            Query::Determinism(_) => {
                from_failure(checker.deterministic(system)?, ReasonKind::Nondeterministic)
            }
            Query::Implementation(_) => {
                from_failure(checker.implementation(system)?, ReasonKind::Implementation)
            }
            Query::Specification(_) => {
                let mut failure = checker.deterministic(system)?;
                if failure.is_none() && self.reading.inputs == Inputs::Strict {
                    failure = checker.enabled(system)?;
                }
                let mut answer = from_failure(failure, ReasonKind::Nondeterministic);
                answer.notes.extend(checker.not_enabled(system)?);
                answer
            }
            Query::Reachability { from, to, .. } => self.reachability(query, system, from.as_ref(), to)?,
            Query::GetComponent { save_as, .. } => {
                let name = save_as.as_deref().unwrap_or("Component");
                let built = export::component(
                    self.project,
                    self.reading,
                    system,
                    name,
                    self.limits,
                    self.control,
                )?;
                let mut answer = Answer::new(query, Verdict::Satisfied);
                answer.built = Some(built);
                answer
            }
            Query::Prune { save_as, .. } => {
                let name = save_as.as_deref().unwrap_or("Pruned");
                let built = export::pruned(
                    self.project,
                    self.reading,
                    system,
                    name,
                    self.limits,
                    self.control,
                )?;
                let mut answer = Answer::new(
                    query,
                    if built.is_some() {
                        Verdict::Satisfied
                    } else {
                        Verdict::NotSatisfied
                    },
                );
                if built.is_none() {
                    let text = "nothing is left: the environment can drive the system from its initial state into a state where it cannot continue";
                    answer.reason = Some(Reason::new(ReasonKind::Inconsistent, text));
                }
                answer.built = built;
                answer
            }
            Query::Minimise(_) => {
                let mut answer = Answer::new(query, Verdict::Unknown);
                answer.reason = Some(Reason::new(
                    ReasonKind::Unsupported,
                    "bisim-minim is not supported",
                ));
                answer
            }
        })
    }

    /// The run of a failure, as a run of its component alone.
    fn shows(&self, failure: Failure) -> Option<Evidence> {
        let (component, run) = match failure {
            Failure::Nondeterministic { component, run, .. }
            | Failure::NoImplementation { component, run, .. } => (component, run?),
            _ => return None,
        };
        Some(Evidence {
            found_steps: run.steps.len(),
            run,
            start: None,
            systems: vec![System::Component(zonewalk_tioa::Instance {
                name: component,
                tag: None,
            })],
            reading: self.reading,
        })
    }

    fn reachability(
        &self,
        query: &Query,
        system: &System,
        from: Option<&zonewalk_tioa::StateFormula>,
        to: &zonewalk_tioa::StateFormula,
    ) -> Result<Answer, Stopped> {
        let found = reachability::check(
            self.project,
            self.reading,
            system,
            from,
            to,
            self.limits,
            self.control,
        )?;
        Ok(match found {
            reachability::Answer::Misnamed(why) => return Err(Stopped::Misnamed(why)),
            reachability::Answer::Unreachable => {
                let mut answer = Answer::new(query, Verdict::NotSatisfied);
                answer.reason = Some(Reason::new(ReasonKind::Unreachable, "no run leads there"));
                answer
            }
            reachability::Answer::Reached { run, start, .. } => {
                let mut answer = Answer::new(query, Verdict::Satisfied);
                if run.is_none() {
                    answer.notes.push(NO_TIMES.to_owned());
                }
                answer.evidence = run.map(|run| Evidence {
                    found_steps: run.steps.len(),
                    run,
                    start,
                    systems: vec![system.clone()],
                    reading: self.reading,
                });
                answer
            }
        })
    }

    fn refinement(&self, query: &Query, left: &System, right: &System) -> Result<Answer, Stopped> {
        let mut builder = Builder::new(self.project, self.reading);
        let pair = Pair::new(
            builder.side(left, Polarity::Leading)?,
            builder.side(right, Polarity::Following)?,
        );
        let mut deterministic = true;
        if self.options.preconditions {
            if let Some(failure) = self.checker().comparable(left, right, &pair)? {
                let mut answer = Answer::new(query, Verdict::NotSatisfied);
                answer.reason = Some(Reason::failure(&failure, self.project, None));
                answer.evidence = self.shows(failure);
                return Ok(answer);
            }
        } else {
            deterministic = self.checker().deterministic(right)?.is_none();
        }
        let found = match self.options.search {
            RefineSearch::Symbolic => self.symbolic(&pair, self.control),
            RefineSearch::Ret => self.walks(&pair, Heuristic::Ret, self.options.max_walks, self.control),
            RefineSearch::Rcf => self.walks(&pair, Heuristic::Rcf, self.options.max_walks, self.control),
            RefineSearch::Smc => self.walks(&pair, Heuristic::Smc, self.options.max_walks, self.control),
            RefineSearch::Auto => self.race(&pair),
        };
        let mut answer = Answer::new(query, Verdict::Unknown);
        answer.search = found.search;
        match found.outcome {
            Found::Holds(pairs, zones) => {
                answer.verdict = Verdict::Satisfied;
                answer.proof = true;
                answer.relation = Some((pairs, zones));
            }
            Found::Nothing(limit) => answer.reason = Some(Reason::limit(limit, "")),
            Found::NoTimes(broken) => {
                answer.verdict = Verdict::NotSatisfied;
                answer.proof = true;
                answer.reason = Some(self.broken(broken));
                answer
                    .notes
                    .push("no exact run could be constructed for the path that was found".to_owned());
            }
            Found::Run(run, found_steps) => {
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
            Outcome::Holds { pairs, zones } => Found::Holds(pairs, zones),
            Outcome::Unknown(limit) => Found::Nothing(limit),
            Outcome::Violated(violation) if violation.broken == Broken::Start => {
                Found::NoTimes(Broken::Start)
            }
            Outcome::Violated(violation) => match concretise::run(&mut pair, &violation) {
                Ok(run) => Found::Run(run, violation.steps.len()),
                Err(_) => Found::NoTimes(violation.broken),
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
            WalkOutcome::Found(found) => Found::Run(found.run, found.found_steps),
            WalkOutcome::NotFound(limit) => Found::Nothing(limit),
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
        let first = Task {
            limits: brief,
            ..*self
        }
        .symbolic(pair, self.control);
        let undecided = matches!(first.outcome, Found::Nothing(Limit::Time));
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
                if matches!(searched.outcome, Found::Run(..)) {
                    for_zones.stop();
                }
                searched
            });
            let exploring = scope.spawn(|| {
                let searched = self.symbolic(pair, &for_zones);
                if !matches!(searched.outcome, Found::Nothing(_)) {
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
                (Found::Nothing(_), Found::Run(..)) => walked,
                _ => explored,
            }
        })
    }

    /// Has the run repeated, and the rule said in numbers.
    fn judge(&self, query: &Query, answer: &mut Answer) {
        let Some(evidence) = &answer.evidence else {
            return;
        };
        let run = &evidence.run;
        let judged = match (evidence.systems.as_slice(), query) {
            ([left, right], _) => JudgedPair::new(self.project, left, right, self.reading, run.scale)
                .and_then(|pair| pair.judge(run, &mut |_| {})),
            ([system], Query::Reachability { from, to, .. }) => {
                let from = from.as_ref().zip(evidence.start.as_ref());
                judge_run(self.project, system, self.reading, from, to, run, &mut |_| {})
            }
            ([system], _) => {
                let anything = zonewalk_tioa::StateFormula::Constant(true);
                judge_run(
                    self.project,
                    system,
                    self.reading,
                    None,
                    &anything,
                    run,
                    &mut |_| {},
                )
            }
            _ => return,
        };
        match judged {
            Ok(judged) => {
                if evidence.systems.len() == 2 {
                    answer.reason = Some(super::reason::of_run(self.project, run, &judged));
                }
            }
            // Without preconditions a side may have several answers, of which another one might match.
            Err(Objection {
                reason: Objected::SeveralAnswers(..),
                ..
            }) if !self.options.preconditions => {
                answer.verdict = Verdict::Unknown;
                answer.proof = false;
                answer.evidence = None;
                let text = "a side is not deterministic: another of its responses might match the run";
                answer.reason = Some(Reason::new(ReasonKind::Precondition, text));
            }
            Err(objection) => {
                answer.bug = Some(objection.text(self.project));
                answer.verdict = Verdict::Unknown;
                answer.proof = false;
            }
        }
    }
}

struct Searched {
    outcome: Found,
    search: &'static str,
}

enum Found {
    Holds(usize, usize),
    Run(Run, usize),
    /// A rule is broken, and no times were found for the way there.
    NoTimes(Broken),
    Nothing(Limit),
}
