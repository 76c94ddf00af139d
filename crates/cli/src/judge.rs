//! `zonewalk judge`

use crate::args::Format;
use crate::certificate_file::model_line;
use crate::config::JudgeConfig;
use crate::document::{self, Header};
use crate::input;
use crate::interrupt;
use crate::load::{Loaded, LoadedQuery, load};
use crate::output::Output;
use crate::status::{Error, Status};
use serde::Serialize;
use std::sync::Arc;
use zonewalk_checker::{Control, JudgedCertificate, Judgement, Obligation, ProofRefusal, ReadCertificate};
use zonewalk_report::verdict::text::{count, seconds};

/// Judges a certificate.
pub(crate) fn run(config: &JudgeConfig, output: &mut Output) -> Result<Status, Error> {
    let loaded = match load(&config.request)? {
        Ok(loaded) => loaded,
        Err(malformed) => {
            document::refuse(config.format, &malformed, output)?;
            return Ok(Status::Failure);
        }
    };
    if !config.quiet {
        output.diagnostics(&loaded.diagnostics, &loaded.model.sources);
    }
    let name = input::name(&config.certificate);
    let bytes = input::read_certificate(&config.certificate)?;
    let most = config.options().most_bytes;
    let certificate = ReadCertificate::new(&loaded.model, &loaded.system, &bytes, most)
        .map_err(|error| Error::new(format_args!("{name}: {error}")))?;
    drop(bytes);
    if config.lints {
        return lint(config, &loaded, &name, &certificate, output);
    }
    let query = match certificate.needs_query() {
        true => Some(select(config, &loaded)?),
        false => None,
    };
    let typed = match query.map(|query| &query.typed) {
        Some(Ok(typed)) => Some(typed),
        Some(Err(errors)) => {
            for error in errors {
                output.diagnostic(error, &loaded.model.sources);
            }
            return Ok(Status::Failure);
        }
        None => None,
    };
    let notes = differences(config, &loaded, query, &certificate);
    if !config.quiet {
        notes.iter().for_each(|note| output.note(note));
    }
    let control = Arc::new(Control::default());
    interrupt::listen(&control);
    let of = (&loaded.model, &loaded.system);
    let judged = certificate.judge(of, typed, &config.options(), &control);
    let verdict = Verdict {
        name: &name,
        query: query.map(|query| &*query.entry.text),
        certificate: &certificate,
        judged: &judged,
        is_sample: config.options().sample.is_some(),
        is_interrupted: control.is_interrupted(),
    };
    match config.format {
        Format::Text => output.text(&verdict.to_text())?,
        Format::Json => output.result(&document::render(&verdict.to_document(&loaded.name, &notes)))?,
    }
    output.flush()?;
    Ok(verdict.status())
}

/// Lists flaws in the form of the file.
fn lint(
    config: &JudgeConfig,
    loaded: &Loaded,
    name: &str,
    certificate: &ReadCertificate,
    output: &mut Output,
) -> Result<Status, Error> {
    let findings = certificate.lint();
    match config.format {
        Format::Text => {
            for finding in &findings {
                output.text(&format!("{name} line {}: {}\n", finding.line, finding.message))?;
            }
            let nodes = count(certificate.nodes() as u64, "node");
            let flaws = match findings.len() {
                0 => "the form is as it should be".to_owned(),
                number => count(number as u64, "finding"),
            };
            output.text(&format!("{nodes}; {flaws}; nothing was judged\n"))?;
        }
        Format::Json => output.result(&document::render(&Form {
            header: Header::new(true),
            model: &loaded.name,
            certificate: name,
            claim: certificate.claim().to_string(),
            nodes: certificate.nodes() as u64,
            findings: findings
                .iter()
                .map(|finding| Flaw {
                    line: finding.line,
                    message: &finding.message,
                })
                .collect(),
        }))?,
    }
    output.flush()?;
    Ok(if findings.is_empty() {
        Status::Success
    } else {
        Status::No
    })
}

/// The form of a file for programs.
#[derive(Serialize)]
struct Form<'a> {
    #[serde(flatten)]
    header: Header,
    model: &'a str,
    certificate: &'a str,
    claim: String,
    nodes: u64,
    findings: Vec<Flaw<'a>>,
}

#[derive(Serialize)]
struct Flaw<'a> {
    line: usize,
    message: &'a str,
}

/// The query that the certificate is to prove.
fn select<'l>(config: &JudgeConfig, loaded: &'l Loaded) -> Result<&'l LoadedQuery, Error> {
    let queries = loaded.numbered_queries();
    let chosen = match (config.query_index, queries.as_slice()) {
        (Some(index), queries) => queries.iter().find(|(number, _)| *number == index),
        (None, [only]) => Some(only),
        (None, []) => {
            return Err(Error::new(
                "there is no query that the certificate could prove: give it with -q",
            ));
        }
        (None, several) => {
            return Err(Error::new(format_args!(
                "there are {} queries: say with --query-index which one the certificate is to prove, or give it with -q",
                several.len()
            )));
        }
    };
    match (chosen, config.query_index) {
        (Some((_, query)), _) => Ok(query),
        (None, index) => Err(Error::new(format_args!(
            "--query-index {}: there is no such query",
            index.unwrap_or_default()
        ))),
    }
}

/// Where the file says that it comes from elsewhere: for people, who may have taken the wrong one.
fn differences(
    config: &JudgeConfig,
    loaded: &Loaded,
    query: Option<&LoadedQuery>,
    certificate: &ReadCertificate,
) -> Vec<String> {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let header = certificate.header();
    let model = words(&model_line(&loaded.name, &config.request.overrides));
    let mut notes = Vec::new();
    if words(&header.model) != model {
        notes.push(format!(
            "the certificate says that it was made for {}, and it is judged for {model}",
            shown(&header.model)
        ));
    }
    if let Some(query) = query
        && words(&header.query) != words(&query.entry.text)
    {
        notes.push(format!(
            "the certificate says that it was made for {}, and it is judged for {}",
            shown(&header.query),
            words(&query.entry.text)
        ));
    }
    notes
}

fn shown(text: &str) -> &str {
    if text.is_empty() { "nothing" } else { text }
}

/// Report of a judgement.
struct Verdict<'a> {
    name: &'a str,
    query: Option<&'a str>,
    certificate: &'a ReadCertificate,
    judged: &'a JudgedCertificate,
    is_sample: bool,
    is_interrupted: bool,
}

impl Verdict<'_> {
    fn status(&self) -> Status {
        match &self.judged.judgement {
            Judgement::Accepted(_) => Status::Success,
            Judgement::Refused(_) => Status::No,
            Judgement::NotCovered(_) => Status::Failure,
            Judgement::Stopped(_) if self.is_interrupted => Status::Interrupted,
            Judgement::Stopped(_) => Status::Undecided,
        }
    }

    fn word(&self) -> &'static str {
        match &self.judged.judgement {
            Judgement::Accepted(_) => "accepted",
            Judgement::Refused(_) => "refused",
            Judgement::NotCovered(_) | Judgement::Stopped(_) => "not judged",
        }
    }

    fn nodes(&self) -> String {
        count(self.certificate.nodes() as u64, "node")
    }

    /// Why it was neither accepted nor refused.
    fn reason(&self) -> Option<String> {
        match &self.judged.judgement {
            Judgement::Accepted(_) | Judgement::Refused(_) => None,
            Judgement::NotCovered(construct) => Some(format!("the judge does not cover {construct}")),
            Judgement::Stopped(counts) => {
                let part = format!("{} of {}", counts.nodes, self.nodes());
                Some(match (self.is_interrupted, self.is_sample) {
                    (true, _) => format!("interrupted after {part}"),
                    (false, true) => format!("nothing to object to in a sample of {part}"),
                    (false, false) => format!("the time limit was reached after {part}"),
                })
            }
        }
    }

    fn to_text(&self) -> String {
        let claim = self.certificate.claim();
        let word = self.word();
        let about = match self.query {
            Some(query) => format!("claim `{claim}` of {query}"),
            None => format!("claim `{claim}`"),
        };
        match &self.judged.judgement {
            Judgement::Accepted(counts) => format!(
                "{word}: {} prove the {about}\n{}, {} judged in {}\n",
                self.nodes(),
                count(counts.transitions, "transition"),
                count(counts.obligations, "obligation"),
                seconds(self.judged.took.as_secs_f64())
            ),
            Judgement::Refused(refusal) => {
                let place = match self.judged.line {
                    Some(line) => format!("{} line {line}: ", self.name),
                    None => String::new(),
                };
                let mut text = format!(
                    "{word}: {place}obligation {}: {}\n",
                    refusal.obligation, refusal.message
                );
                if let Some(left) = &refusal.left {
                    text.push_str(&format!("left over: {left}\n"));
                }
                if let Some(point) = &refusal.point {
                    text.push_str(&format!("such as: {point}\n"));
                }
                text
            }
            Judgement::NotCovered(_) | Judgement::Stopped(_) => {
                format!("{word}: {}\n", self.reason().unwrap_or_default())
            }
        }
    }

    fn to_document<'d>(&'d self, model: &'d str, notes: &'d [String]) -> Document<'d> {
        let counts = match &self.judged.judgement {
            Judgement::Accepted(counts) | Judgement::Stopped(counts) => Some(counts),
            Judgement::Refused(_) | Judgement::NotCovered(_) => None,
        };
        Document {
            header: Header::new(true),
            model,
            certificate: self.name,
            query: self.query,
            claim: self.certificate.claim().to_string(),
            judgement: self.word(),
            nodes: self.certificate.nodes() as u64,
            nodes_judged: counts.map(|counts| counts.nodes),
            transitions: counts.map(|counts| counts.transitions),
            obligations: counts.map(|counts| counts.obligations),
            judge_s: self.judged.took.as_secs_f64(),
            reason: self.reason(),
            objection: match &self.judged.judgement {
                Judgement::Refused(refusal) => Some(Objection::new(refusal, self.judged.line)),
                _ => None,
            },
            notes,
        }
    }
}

/// A judgement for programs.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    header: Header,
    model: &'a str,
    certificate: &'a str,
    query: Option<&'a str>,
    claim: String,
    judgement: &'static str,
    nodes: u64,
    nodes_judged: Option<u64>,
    transitions: Option<u64>,
    obligations: Option<u64>,
    judge_s: f64,
    /// Why it was neither accepted nor refused.
    reason: Option<String>,
    /// Why it was refused.
    objection: Option<Objection<'a>>,
    notes: &'a [String],
}

/// An obligation that is not met.
#[derive(Serialize)]
struct Objection<'a> {
    obligation: u32,
    name: &'static str,
    line: Option<usize>,
    message: &'a str,
    left: Option<&'a str>,
    point: Option<&'a str>,
}

impl<'a> Objection<'a> {
    fn new(refusal: &'a ProofRefusal, line: Option<usize>) -> Self {
        let obligation: Obligation = refusal.obligation;
        Objection {
            obligation: obligation.number(),
            name: obligation.name(),
            line,
            message: &refusal.message,
            left: refusal.left.as_deref(),
            point: refusal.point.as_deref(),
        }
    }
}
