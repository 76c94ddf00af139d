//! Public models: nothing panics, and what the reference parser accepts has no syntax errors.

// A helper that unwraps is an assertion.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;
use std::path::Path;
use support::models::{errors, survives_printing};
use zonewalk_syntax::read::read_queries;
use zonewalk_syntax::source::SourceMap;
use zonewalk_testkit::{MODEL, corpus, corpus_tests, files};

corpus_tests! {
    accepted_models_have_no_syntax_errors,
    malformed_xml_is_refused,
    query_files_are_read,
    models_survive_printing,
}

fn accepted_models_have_no_syntax_errors(folder: &Path) {
    let rows = corpus::accepted(folder).into_iter();
    let known: BTreeSet<String> = rows
        .filter(corpus::Row::is_accepted)
        .map(|row| row.file)
        .collect();
    let mut wrong = Vec::new();
    let mut accepted = 0;
    for path in files(folder, &MODEL) {
        let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
        let errors = errors(&name, &path);
        if known.contains(&name) {
            accepted += 1;
            if let Some(first) = errors.first() {
                wrong.push(format!("{name}: {first}"));
            }
        }
    }
    assert!(accepted > 500, "{accepted}");
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

fn malformed_xml_is_refused(folder: &Path) {
    let name = "wild/Sehktel+SPIN_UPPAAL/models__uppaal__plc_pump_system.xml";
    let errors = errors(name, &folder.join(name));
    assert_eq!(
        errors.first().map(String::as_str),
        Some("42:30: a lone `&&` in XML [global declarations]")
    );
}

fn query_files_are_read(folder: &Path) {
    let (mut parsed, mut failed) = (0, Vec::new());
    for path in files(folder, &["q"]) {
        let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
        let mut sources = SourceMap::new();
        let (queries, diagnostics) = read_queries(name, &std::fs::read(&path).unwrap(), &mut sources);
        assert!(!diagnostics.has_errors(), "{name}: {diagnostics:?}");
        for query in queries.entries {
            match query.errors.first() {
                None => parsed += 1,
                Some(error) => failed.push(format!("{name}: {}: {}", query.text, error.message)),
            }
        }
    }
    assert!(failed.len() * 20 < parsed, "{parsed}\n{}", failed.join("\n"));
}

fn models_survive_printing(folder: &Path) {
    // XML keeps names apart from the language, so a location may be called `select` there, and old models use words
    // that are reserved now.
    let is_about_a_name =
        |message: &str| message.contains("is a reserved word") || message.contains("is a built-in function");
    let mut wrong = Vec::new();
    let mut same = 0;
    for path in files(folder, &MODEL) {
        let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
        match survives_printing(name, &path) {
            None => {}
            Some(Ok(())) => same += 1,
            Some(Err(message)) if is_about_a_name(&message) => {}
            Some(Err(message)) => wrong.push(format!("{name}: {message}")),
        }
    }
    assert!(same > 500, "{same}");
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}
