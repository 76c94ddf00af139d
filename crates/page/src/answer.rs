//! Answers with their evidence.

use crate::document::{Fact, Result};
use zonewalk_report::decimal::readable;
use zonewalk_report::statistics::svg;
use zonewalk_report::summary::{Case, Finding};
use zonewalk_report::verdict::certificate::CertificateInfo;
use zonewalk_report::verdict::text::{bytes, seconds};
use zonewalk_report::verdict::{Answer, QueryResult};

/// An answer, still without the number of its run.
pub fn answer(case: &Case<'_>) -> Result {
    let result = case.result;
    let (finding, remark) = match &case.finding {
        Finding::Passed => ("passed", None),
        Finding::Failed(why) => ("failed", Some(why)),
        Finding::Undecided(why) => ("undecided", Some(why)),
        Finding::Error(why) => ("error", Some(why)),
    };
    let verdict = result.verdict.unwrap_or(Answer::Unknown).word();
    Result {
        number: case.number,
        query: result.query.clone().unwrap_or_default(),
        comment: result.comment.clone(),
        warnings: result
            .warnings
            .iter()
            .map(|warning| warning.message.clone())
            .collect(),
        verdict: verdict.to_owned(),
        finding: finding.into(),
        remark: remark.filter(|why| *why != verdict).cloned(),
        proof: result.proof,
        details: case.details.to_owned(),
        facts: facts(result),
        figure: result
            .statistics
            .as_ref()
            .and_then(|estimate| svg(estimate, result.query.as_deref().unwrap_or_default())),
        run: None,
        fault: None,
        without_run: None,
    }
}

/// Figures: which search gave the answer, with what effort and within which bounds.
fn facts(result: &QueryResult) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut add = |name: &'static str, value: Option<String>| {
        facts.extend(value.map(|value| Fact {
            name: name.into(),
            value,
        }));
    };
    let count = |number: u64| (number > 0).then(|| grouped(number));
    let stats = &result.stats;
    add(
        "search",
        (!result.search.is_empty()).then(|| result.search.clone()),
    );
    add("estimate", result.guidance.heuristic.map(str::to_owned));
    add("queues", result.guidance.queues.map(str::to_owned));
    add("seed", Some(result.seed.to_string()));
    add("threads", count(result.threads as u64));
    add("time", Some(seconds(result.cost.time_s)));
    add(
        "memory",
        (result.cost.peak_memory_bytes > 0).then(|| bytes(result.cost.peak_memory_bytes)),
    );
    add("walks", count(stats.walks));
    add("steps of walks", count(stats.steps));
    add("states explored", count(stats.states_explored));
    add("states stored", count(stats.states_stored));
    if let Some(trace) = &result.trace {
        add("steps of the run", Some(grouped(trace.steps as u64)));
        add(
            "duration",
            (!trace.duration.is_empty()).then(|| readable(&trace.duration).into_owned()),
        );
        add(
            "shortest",
            trace.shortest.map(|is_shortest| yes(is_shortest).to_owned()),
        );
        add(
            "fastest",
            trace.fastest.map(|is_fastest| yes(is_fastest).to_owned()),
        );
        add("trace file", trace.file.clone());
    }
    for value in result.values.iter().flatten() {
        let told = value.in_words();
        add(
            "bound",
            Some(format!("{}: {}", value.expression, readable(&told))),
        );
    }
    if let Some(expected) = &result.expected {
        add("recorded", Some(expected.outcome.clone()));
    }
    add(
        "proof",
        result.certificate.as_ref().map(CertificateInfo::in_figures),
    );
    add("note", result.note.clone());
    facts
}

fn yes(is_so: bool) -> &'static str {
    if is_so { "proved" } else { "not proved" }
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
