//! Converts answers about timed I/O automata into results: the fields of JSON, with the run in words.

use super::describe::{Subject, describe};
use super::{ReasonKind, RefineAnswer, RefineOptions, Verdict, kind};
use zonewalk_report::refinement::{ComponentInfo, Reason, RefineResult, Relation, RunSummary};
use zonewalk_report::verdict::{Answer, Stats};
use zonewalk_tioa::{Project, Query};

/// An answer without anything that a search has found.
pub fn bare(options: &RefineOptions, verdict: Answer, reason: Option<Reason>) -> RefineResult {
    RefineResult {
        query: String::new(),
        kind: None,
        verdict,
        proof: false,
        search: options.search.name(),
        seed: options.seed,
        threads: options.threads.get(),
        time_s: 0.0,
        load_s: 0.0,
        search_s: 0.0,
        cpu_s: 0.0,
        peak_memory_bytes: 0,
        stats: Stats::default(),
        relation: None,
        trace: None,
        component: None,
        reason,
        notes: Vec::new(),
        expected: None,
    }
}

/// Result of a query, still without its text and what the process has used; and the bug of zonewalk, if there is one.
pub fn to_result(
    project: &Project,
    query: &Query,
    options: &RefineOptions,
    answer: &RefineAnswer,
) -> (RefineResult, Option<String>) {
    let verdict = match answer.verdict {
        Verdict::Satisfied => Answer::Satisfied,
        Verdict::NotSatisfied => Answer::NotSatisfied,
        Verdict::Unknown => Answer::Unknown,
    };
    // The run shows how a state is reached.
    let reason = answer.reason.as_ref();
    let reason = reason.filter(|reason| reason.kind != ReasonKind::Reached);
    let reason = reason.map(|reason| Reason {
        rule: reason.kind.name(),
        text: reason.text.clone(),
    });
    let zones = answer.relation.map_or(0, |(_, zones)| zones as u64);
    let zones = zones.max(answer.explored);
    let mut result = RefineResult {
        kind: Some(kind(query)),
        proof: answer.proof,
        search: answer.search,
        search_s: answer.search_time.as_secs_f64(),
        stats: Stats {
            walks: answer.walks,
            steps: answer.steps,
            states_explored: zones,
            states_stored: zones,
            ..Stats::default()
        },
        relation: answer.relation.map(|(pairs, zones)| Relation { pairs, zones }),
        notes: answer.notes.clone(),
        component: answer.built.as_ref().map(|built| ComponentInfo {
            name: built.name.clone(),
            locations: built.locations.len(),
            edges: built.edges.len(),
            clocks: built.clocks.len(),
            file: None,
        }),
        ..bare(options, verdict, reason)
    };
    let run = match answer.bug {
        Some(_) => Ok(None),
        None => summary(project, query, answer),
    };
    let bug = match run {
        Ok(run) => {
            result.trace = run;
            answer.bug.clone()
        }
        Err(objection) => Some(objection),
    };
    if let Some(bug) = &bug {
        result.verdict = Answer::Unknown;
        result.proof = false;
        result.reason = Some(Reason {
            rule: "bug",
            text: format!("bug in zonewalk: the run that was found is invalid: {bug}"),
        });
    }
    (result, bug)
}

/// The run that shows an answer, judged once more.
fn summary(project: &Project, query: &Query, answer: &RefineAnswer) -> Result<Option<RunSummary>, String> {
    let Some(evidence) = &answer.evidence else {
        return Ok(None);
    };
    let (from, goal) = match query {
        Query::Reachability { from, to, .. } => (from.as_ref(), Some(to)),
        _ => (None, None),
    };
    let subject = Subject {
        project,
        systems: &evidence.systems,
        reading: evidence.reading,
        from: from.zip(evidence.start.as_ref()),
        goal,
    };
    let run = describe(&subject, &evidence.run).map_err(|objection| objection.text(project))?;
    Ok(Some(RunSummary {
        steps: run.steps.len(),
        duration: run.end.time.to_string(),
        found_steps: evidence.found_steps,
        file: None,
        run,
    }))
}
