//! Loading a model and making checks.

use zonewalk_checker::Control;
use zonewalk_checker::load::{Loaded, QuerySource, Request, load_text};
use zonewalk_lint::{Check, LintOptions, LintReport, lint};

/// A model in the textual format, with queries.
pub(crate) fn load(text: &str, queries: &[&str]) -> Box<Loaded> {
    let request = Request {
        queries: QuerySource::Formulas(queries.iter().map(|&query| query.to_owned()).collect()),
        ..Request::default()
    };
    load_text("m.xta", text.as_bytes(), &request).unwrap_or_else(|error| panic!("{error:?}"))
}

/// All checks.
pub(crate) fn report(loaded: &Loaded) -> LintReport {
    lint(loaded, &LintOptions::default(), &Control::default())
}

/// Findings of the checks, as codes and messages.
pub(crate) fn findings(checks: &[Check], text: &str, queries: &[&str]) -> Vec<String> {
    let loaded = load(text, queries);
    let options = LintOptions {
        checks: checks.to_vec(),
        ..LintOptions::default()
    };
    let report = lint(&loaded, &options, &Control::default());
    report
        .findings
        .iter()
        .map(|found| {
            assert!(found.is_proved, "{}", found.diagnostic.message);
            format!("{}: {}", found.diagnostic.code, found.diagnostic.message)
        })
        .collect()
}
