//! Certificates from files.

use super::lint::{FormFinding, lint};
use crate::ask::QuerySet;
use crate::control::Control;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};
use zonewalk_certificate::{Certificate, Claim, Columns, FIRST_NODE_LINE, Header, ReadError, text_of};
use zonewalk_model::system::System;
use zonewalk_model::tree::{Model, Query};
use zonewalk_reference::proof::{Judgement, Limits, judge};

/// How a certificate is judged.
#[derive(Clone, Copy, Debug)]
pub struct JudgeOptions {
    /// Number of threads.
    pub threads: NonZeroUsize,
    /// Number of nodes to look at; all of them unless given.
    pub sample: Option<NonZeroUsize>,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// The longest text, in bytes.
    pub most_bytes: usize,
}

impl Default for JudgeOptions {
    /// Everything, on one thread.
    fn default() -> Self {
        JudgeOptions {
            threads: NonZeroUsize::MIN,
            sample: None,
            deadline: None,
            most_bytes: usize::MAX,
        }
    }
}

/// A certificate that was read for a model.
#[derive(Clone, Debug)]
pub struct ReadCertificate {
    certificate: Certificate,
    /// Its clocks: those of the model, and the time since the initial state.
    clocks: usize,
}

/// Judgement of a certificate by the judge of proofs.
#[derive(Clone, Debug)]
pub struct JudgedCertificate {
    /// Its answer.
    pub judgement: Judgement,
    /// The line of the file that an objection is about; `None` where it is about no line, or where there is no objection.
    pub line: Option<usize>,
    /// For how long it was judged.
    pub took: Duration,
}

impl ReadCertificate {
    /// Reads a certificate of a model, compressed or not.
    ///
    /// # Errors
    /// The first mistake in the file, with its place; one is that it belongs to another model.
    pub fn new(model: &Model, system: &System, bytes: &[u8], most_bytes: usize) -> Result<Self, ReadError> {
        let text = text_of(bytes, most_bytes)?;
        // Searches see no hybrid clocks, and neither do their proofs.
        let searched = QuerySet::new(model, system, []);
        let (model, system) = searched.searched();
        // A model that was checked has types whose bounds are known.
        let columns = Columns::of(model, system).map_err(|fault| ReadError {
            line: 0,
            column: 0,
            message: format!("the variables of the model cannot be listed: {fault}"),
            help: String::new(),
        })?;
        let certificate = Certificate::read(&text, &columns)?;
        Ok(ReadCertificate {
            certificate,
            clocks: columns.clocks.len() + 1,
        })
    }

    /// Where the certificate says that it comes from. Nothing is concluded from it.
    pub fn header(&self) -> &Header {
        &self.certificate.header
    }

    /// Its claim.
    pub fn claim(&self) -> &Claim {
        &self.certificate.claim
    }

    /// Whether the claim is about a query.
    pub fn needs_query(&self) -> bool {
        !matches!(self.claim(), Claim::Explored | Claim::ErrorFree)
    }

    /// How many nodes it has.
    pub fn nodes(&self) -> usize {
        self.certificate.nodes.len()
    }

    /// Flaws in its form, in the order of lines. None of them matters to the judge.
    pub fn lint(&self) -> Vec<FormFinding> {
        lint(&self.certificate, self.clocks)
    }

    /// Judges it. Model, query and constants are those that are given here: nothing is concluded from what the file says about
    /// them.
    ///
    /// Requires: it was read for this model, `system` is made from that, and the query is typed against it.
    pub fn judge(
        &self,
        (model, system): (&Model, &System),
        query: Option<&Query>,
        options: &JudgeOptions,
        control: &Control,
    ) -> JudgedCertificate {
        let asked = QuerySet::new(model, system, query);
        let (model, system) = asked.searched();
        let start = Instant::now();
        let is_late = || {
            options
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
        };
        let stop = || control.is_interrupted() || is_late();
        let limits = Limits {
            threads: options.threads,
            stop: Some(&stop),
            sample: options.sample,
        };
        let judgement = judge(model, system, query, &self.certificate, &limits);
        JudgedCertificate {
            line: match &judgement {
                Judgement::Refused(refusal) => refusal.node.map(|node| node + FIRST_NODE_LINE),
                _ => None,
            },
            judgement,
            took: start.elapsed(),
        }
    }
}
