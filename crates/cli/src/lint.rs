//! `zonewalk lint`

use crate::args::Format;
use crate::config::LintConfig;
use crate::document::{self, Header};
use crate::interrupt;
use crate::load::{Loaded, load};
use crate::output::Output;
use crate::status::{Error, Status};
use serde::Serialize;
use std::sync::Arc;
use std::time::Instant;
use zonewalk_checker::Control;
use zonewalk_lint::{Extent, Finding, LintReport, lint};
use zonewalk_report::diagnostic::json::{self, DiagnosticJson, DiagnosticsJson};
use zonewalk_report::diagnostic::text::{Style, render};
use zonewalk_report::palette::{Palette, Role};
use zonewalk_report::verdict::text::count;

/// Makes the sanity checks.
pub(crate) fn run(config: &LintConfig, output: &mut Output) -> Result<Status, Error> {
    let start = Instant::now();
    let loaded = match load(&config.request)? {
        Ok(loaded) => loaded,
        Err(malformed) => {
            document::refuse(config.format, &malformed, output)?;
            return Ok(Status::Failure);
        }
    };
    let sources = &loaded.model.sources;
    if !config.quiet {
        output.diagnostics(&loaded.diagnostics, sources);
        for error in loaded
            .queries
            .iter()
            .filter_map(|query| query.typed.as_ref().err())
            .flatten()
        {
            output.diagnostic(error, sources);
        }
    }
    let control = Arc::new(Control::default());
    interrupt::listen(&control);
    let report = lint(&loaded, &config.options, &control);
    match config.format {
        Format::Text => print(&loaded, &report, output)?,
        Format::Json => {
            let document = Document {
                header: Header::new(true),
                model: &loaded.name,
                complete: !report.is_cut_short(),
                time_s: start.elapsed().as_secs_f64(),
                states: report.states.map(|(states, _)| states),
                checks: report.checks.iter().filter_map(CheckJson::new).collect(),
                findings: report
                    .findings
                    .iter()
                    .map(|found| FindingJson::new(found, &loaded))
                    .collect(),
                diagnostics: json::all(&loaded.diagnostics, sources),
            };
            output.result(&document::render(&document))?;
        }
    }
    output.flush()?;
    Ok(status(&report))
}

/// Certain findings come first, then that something may be missing.
fn status(report: &LintReport) -> Status {
    if report.is_interrupted {
        Status::Interrupted
    } else if report.has_certain_findings() {
        Status::No
    } else if report.is_cut_short() || !report.findings.is_empty() {
        Status::Undecided
    } else {
        Status::Success
    }
}

fn print(loaded: &Loaded, report: &LintReport, output: &mut Output) -> Result<(), Error> {
    let style = Style {
        color: true,
        width: output.width(),
    };
    for found in &report.findings {
        let text = render(&found.diagnostic, &loaded.model.sources, style);
        output.text(&text)?;
        output.result("\n")?;
    }
    output.text(&summary(report))?;
    Ok(())
}

/// How many findings there are, and what was not examined to the end.
fn summary(report: &LintReport) -> String {
    let (findings, certain) = (
        report.findings.len(),
        report.findings.iter().filter(|found| found.is_proved).count(),
    );
    let mut text = match findings {
        0 => Palette::Ansi.paint(Role::Good, "no findings"),
        n if n == certain => Palette::Ansi.paint(Role::Bad, &count(n as u64, "finding")),
        n => format!(
            "{} ({certain} proved)",
            Palette::Ansi.paint(Role::Bad, &count(n as u64, "finding"))
        ),
    };
    match report.states {
        Some((states, true)) => text.push_str(&format!(", all {} examined", count(states, "state"))),
        Some((states, false)) => text.push_str(&format!(", {} examined", count(states, "state"))),
        None => {}
    }
    text.push('\n');
    for of in &report.checks {
        let (what, why) = match &of.extent {
            Extent::Unwanted | Extent::Complete => continue,
            Extent::Partial(why) => ("not complete", why),
            Extent::CutShort(why) => ("cut short", why),
            Extent::Skipped(why) => ("not checked", why),
        };
        text.push_str(&format!("  {}: {what}: {why}\n", of.check));
    }
    text
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    header: Header,
    model: &'a str,
    /// No limit cut a check short.
    complete: bool,
    time_s: f64,
    /// States of the zone graph that were explored; `null` where none had to be.
    states: Option<u64>,
    checks: Vec<CheckJson<'a>>,
    findings: Vec<FindingJson>,
    #[serde(flatten)]
    diagnostics: DiagnosticsJson,
}

#[derive(Serialize)]
struct CheckJson<'a> {
    check: &'static str,
    /// `complete`, `partial`, `cut short` or `skipped`.
    extent: &'static str,
    reason: Option<&'a str>,
    findings: usize,
}

impl<'a> CheckJson<'a> {
    fn new(of: &'a zonewalk_lint::CheckReport) -> Option<CheckJson<'a>> {
        let (extent, reason) = match &of.extent {
            Extent::Unwanted => return None,
            Extent::Complete => ("complete", None),
            Extent::Partial(why) => ("partial", Some(why.as_str())),
            Extent::CutShort(why) => ("cut short", Some(why.as_str())),
            Extent::Skipped(why) => ("skipped", Some(why.as_str())),
        };
        Some(CheckJson {
            check: of.check.name(),
            extent,
            reason,
            findings: of.findings,
        })
    }
}

#[derive(Serialize)]
struct FindingJson {
    check: &'static str,
    proof: bool,
    #[serde(flatten)]
    diagnostic: DiagnosticJson,
}

impl FindingJson {
    fn new(found: &Finding, loaded: &Loaded) -> FindingJson {
        FindingJson {
            check: found.check.name(),
            proof: found.is_proved,
            diagnostic: json::one(&found.diagnostic, &loaded.model.sources),
        }
    }
}
