//! Results of the checks.

use crate::budget::LintOptions;
use crate::check::Check;
use zonewalk_syntax::diagnostic::Diagnostic;

/// A probable mistake in the model.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The check that found it.
    pub check: Check,
    /// Whether it is certain; otherwise it is what was not found within the limits.
    pub is_proved: bool,
    /// Message and place.
    pub diagnostic: Diagnostic,
}

/// Extent to which a check was carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// It was not asked for.
    Unwanted,
    /// All the way: what it did not report is not there.
    Complete,
    /// A limit or the method left something open; why.
    Partial(String),
    /// A limit cut it short; why.
    CutShort(String),
    /// It does not apply to the model; why.
    Skipped(String),
}

/// One check.
#[derive(Clone, Debug)]
pub struct CheckReport {
    /// Which.
    pub check: Check,
    /// Extent to which it was carried out.
    pub extent: Extent,
    /// Number of its findings.
    pub findings: usize,
}

/// All of them.
#[derive(Clone, Debug)]
pub struct LintReport {
    /// In the order of the checks, each in the order of the text.
    pub findings: Vec<Finding>,
    /// By check.
    pub checks: Vec<CheckReport>,
    /// States of the zone graph that were explored, and whether these are all.
    pub states: Option<(u64, bool)>,
    /// Whether it was interrupted.
    pub is_interrupted: bool,
}

impl LintReport {
    pub(crate) fn new(options: &LintOptions) -> LintReport {
        let report = |check: Check| CheckReport {
            check,
            extent: if options.checks.contains(&check) {
                Extent::Complete
            } else {
                Extent::Unwanted
            },
            findings: 0,
        };
        LintReport {
            findings: Vec::new(),
            checks: Check::ALL.into_iter().map(report).collect(),
            states: None,
            is_interrupted: false,
        }
    }

    /// Whether a check was asked for.
    pub(crate) fn wants(&self, check: Check) -> bool {
        self.of(check).is_some_and(|of| of.extent != Extent::Unwanted)
    }

    fn of(&self, check: Check) -> Option<&CheckReport> {
        self.checks.iter().find(|of| of.check == check)
    }

    /// Says how far a check went, if it was asked for.
    pub(crate) fn extent(&mut self, check: Check, extent: Extent) {
        if let Some(of) = self.checks.iter_mut().find(|of| of.check == check)
            && of.extent != Extent::Unwanted
        {
            of.extent = extent;
        }
    }

    /// Adds a finding, if its check was asked for. The same place is reported once.
    pub(crate) fn find(&mut self, check: Check, is_proved: bool, diagnostic: Diagnostic) {
        if !self.wants(check) {
            return;
        }
        let is_same = |found: &Finding| {
            found.diagnostic.code == diagnostic.code
                && found.diagnostic.primary.span == diagnostic.primary.span
                && found.diagnostic.message == diagnostic.message
        };
        if self.findings.iter().any(is_same) {
            return;
        }
        if let Some(of) = self.checks.iter_mut().find(|of| of.check == check) {
            of.findings += 1;
        }
        self.findings.push(Finding {
            check,
            is_proved,
            diagnostic,
        });
    }

    /// Whether some finding is certain.
    pub fn has_certain_findings(&self) -> bool {
        self.findings.iter().any(|found| found.is_proved)
    }

    /// Whether a limit cut some check short.
    pub fn is_cut_short(&self) -> bool {
        self.is_interrupted
            || self
                .checks
                .iter()
                .any(|of| matches!(of.extent, Extent::CutShort(_)))
    }
}
