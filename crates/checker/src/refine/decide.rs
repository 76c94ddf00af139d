//! One query at a time: preconditions, then the searches, then the judge.

use std::time::Instant;

use zonewalk_refine::control::{Control, Limits};
use zonewalk_refine::game::Outputs;
use zonewalk_refine::precondition::{Failure, Obstacle, PreconditionChecker};
use zonewalk_refine::system::Unbuildable;
use zonewalk_refine::{export, reachability};
use zonewalk_tioa::{AlphabetOf, Inputs, Project, Query, Reading, System};

use super::answer::{Evidence, RefineAnswer, Verdict};
use super::options::RefineOptions;
use super::reason::{Reason, ReasonKind};

/// Consistency of systems other than components and conjunctions.
const PARTS_ALONE: &str =
    "consistency was checked for each part on its own; `prune` considers the whole system";

/// Note where a way is known, and no times for it.
pub(super) const NO_TIMES: &str = "no exact run could be constructed for the path that was found";

/// Decides a query. The project gets numbers for the inputs of quotients.
///
/// # Errors
/// When a system cannot be built, or a name in a condition means nothing: an error in the query.
pub fn decide(
    project: &mut Project,
    query: &Query,
    options: &RefineOptions,
    control: &Control,
) -> Result<RefineAnswer, Box<dyn std::error::Error + Send + Sync>> {
    let start = Instant::now();
    let expand = |project: &mut Project, system: &System| -> Result<System, Unbuildable> {
        let system = project.expand(system).map_err(Unbuildable::Unresolved)?;
        project.intern_fresh_inputs(&system);
        Ok(system)
    };
    let systems: Result<Vec<System>, Unbuildable> = query
        .systems()
        .into_iter()
        .map(|system| expand(project, system))
        .collect();
    let systems = systems?;
    let reading = reading(project, options);
    let context = QueryContext {
        project,
        options,
        control,
        reading,
        limits: Limits {
            memory: options.memory,
            deadline: options.timeout.map(|timeout| start + timeout),
        },
    };
    let mut answer = match context.answer(query, &systems) {
        Ok(answer) => answer,
        Err(Stopped::Obstacle(Obstacle::Limit(limit))) => {
            let mut answer = RefineAnswer::new(query, Verdict::Unknown);
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
    context.judge(query, &mut answer);
    Ok(answer)
}

/// How components are read if the options leave it open.
pub(super) fn reading(project: &Project, options: &RefineOptions) -> Reading {
    Reading {
        alphabet: options.alphabet.or(project.alphabet).unwrap_or(AlphabetOf::Edges),
        inputs: options.inputs,
    }
}

/// Why a query has no answer.
pub(super) enum Stopped {
    Obstacle(Obstacle),
    Misnamed(zonewalk_refine::goal::Misnamed),
}

impl<T: Into<Obstacle>> From<T> for Stopped {
    fn from(obstacle: T) -> Self {
        Stopped::Obstacle(obstacle.into())
    }
}

/// Everything that the searches of a query share: project, options and limits.
pub(super) struct QueryContext<'a> {
    pub(super) project: &'a Project,
    pub(super) options: &'a RefineOptions,
    pub(super) control: &'a Control,
    pub(super) reading: Reading,
    pub(super) limits: Limits,
}

impl QueryContext<'_> {
    pub(super) fn checker(&self) -> PreconditionChecker<'_> {
        PreconditionChecker {
            project: self.project,
            reading: self.reading,
            limits: self.limits,
            control: self.control,
        }
    }

    fn answer(&self, query: &Query, systems: &[System]) -> Result<RefineAnswer, Stopped> {
        let checker = self.checker();
        let system = &systems[0];
        let from_failure = |failure: Option<Failure>, kind: ReasonKind| match failure {
            None => RefineAnswer::new(query, Verdict::Satisfied),
            Some(failure) => {
                let mut answer = RefineAnswer::new(query, Verdict::NotSatisfied);
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
            Query::GetComponent { save_as, .. } | Query::Prune { save_as, .. } => {
                self.component(query, system, save_as.as_deref())?
            }
            Query::Minimise(_) => {
                let mut answer = RefineAnswer::new(query, Verdict::Unknown);
                answer.reason = Some(Reason::new(
                    ReasonKind::Unsupported,
                    "bisim-minim is not supported",
                ));
                answer
            }
        })
    }

    /// The system as one component, pruned or as it is.
    fn component(&self, query: &Query, system: &System, name: Option<&str>) -> Result<RefineAnswer, Stopped> {
        let (project, reading, limits, control) = (self.project, self.reading, self.limits, self.control);
        let built = if matches!(query, Query::Prune { .. }) {
            export::pruned(
                project,
                reading,
                system,
                name.unwrap_or("Pruned"),
                limits,
                control,
            )?
        } else {
            let name = name.unwrap_or("Component");
            Some(export::component(
                project, reading, system, name, limits, control,
            )?)
        };
        let mut answer = RefineAnswer::new(query, Verdict::Satisfied);
        if built.is_none() {
            answer.verdict = Verdict::NotSatisfied;
            let text = "nothing is left: the environment can drive the system from its initial state into a state where it cannot continue";
            answer.reason = Some(Reason::new(ReasonKind::Inconsistent, text));
        }
        answer.built = built;
        Ok(answer)
    }

    /// The run of a failure, as a run of its component alone.
    pub(super) fn shows(&self, failure: Failure) -> Option<Evidence> {
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
    ) -> Result<RefineAnswer, Stopped> {
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
            reachability::ReachabilityAnswer::Misnamed(why) => return Err(Stopped::Misnamed(why)),
            reachability::ReachabilityAnswer::Unreachable => {
                let mut answer = RefineAnswer::new(query, Verdict::NotSatisfied);
                answer.reason = Some(Reason::new(ReasonKind::Unreachable, "no run leads there"));
                answer
            }
            reachability::ReachabilityAnswer::Reached { run, start, .. } => {
                let mut answer = RefineAnswer::new(query, Verdict::Satisfied);
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
}
