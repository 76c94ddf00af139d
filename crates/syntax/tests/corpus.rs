//! Public models, where they are present: nothing panics, and what the reference parser accepts has no syntax
//! errors. The files are not part of this repository (`shared/corpus/README.md`).

// A helper that unwraps is an assertion.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use support::skeleton;
use zonewalk_syntax::ast::Dialect;
use zonewalk_syntax::fragment::Fragment;
use zonewalk_syntax::parser::{self, Context};
use zonewalk_syntax::print;
use zonewalk_syntax::read::{read_model, read_queries};
use zonewalk_syntax::source::SourceMap;

fn corpus() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    folder.is_dir().then_some(folder)
}

/// Every file below `folder` with one of the extensions, in a fixed order.
fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|e| extensions.iter().any(|x| e == *x))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The reference parser's verdicts by file.
fn verdicts(folder: &Path) -> BTreeMap<String, String> {
    let table = std::fs::read_to_string(folder.join("accept.tsv")).unwrap();
    let rows = table
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect::<Vec<_>>());
    rows.map(|row| (row[0].to_owned(), row[1].to_owned())).collect()
}

/// Reads a model; its errors as text.
fn errors(name: &str, path: &Path) -> (Vec<String>, Option<Dialect>) {
    let mut sources = SourceMap::new();
    let (document, diagnostics) = read_model(name, &std::fs::read(path).unwrap(), None, &mut sources);
    for source in sources.iter() {
        for pair in source.regions.windows(2) {
            assert!(pair[0].span.end <= pair[1].span.start, "{name}: {pair:?}");
        }
    }
    let errors = diagnostics.iter().filter(|d| d.is_error()).map(|d| {
        let source = sources.source(d.primary.span.start).unwrap();
        let at = source.position(d.primary.span.start);
        let element = source.element(d.primary.span.start).unwrap_or("");
        format!("{}:{}: {} [{element}]", at.line, at.column, d.message)
    });
    (errors.collect(), document.map(|d| d.dialect))
}

#[test]
fn accepted_models_have_no_syntax_errors() {
    let Some(folder) = corpus() else { return };
    let verdicts = verdicts(&folder);
    let mut wrong = Vec::new();
    let mut accepted = 0;
    for path in files(&folder, &["xml", "xta", "ta"]) {
        let name = path.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned();
        let (errors, _) = errors(&name, &path);
        if verdicts.get(&name).is_some_and(|v| v == "ACCEPT") {
            accepted += 1;
            if let Some(first) = errors.first() {
                wrong.push(format!("{name}: {first}"));
            }
        }
    }
    assert!(accepted > 500, "{accepted}");
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn malformed_xml_is_refused() {
    let Some(folder) = corpus() else { return };
    let name = "wild/Sehktel+SPIN_UPPAAL/models__uppaal__plc_pump_system.xml";
    let (errors, _) = errors(name, &folder.join(name));
    assert_eq!(
        errors.first().map(String::as_str),
        Some("42:30: a lone `&&` in XML [global declarations]")
    );
}

#[test]
fn query_files_are_read() {
    let Some(folder) = corpus() else { return };
    let (mut parsed, mut failed) = (0, Vec::new());
    for path in files(&folder, &["q"]) {
        let name = path.strip_prefix(&folder).unwrap().to_str().unwrap();
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

#[test]
fn models_survive_printing() {
    let Some(folder) = corpus() else { return };
    // XML keeps names apart from the language, so a location may be called `select` there, and old models use words
    // that are reserved now.
    let is_about_a_name =
        |message: &str| message.contains("is a reserved word") || message.contains("is a built-in function");
    let mut wrong = Vec::new();
    let mut same = 0;
    for path in files(&folder, &["xml", "xta", "ta"]) {
        let name = path.strip_prefix(&folder).unwrap().to_str().unwrap();
        let mut sources = SourceMap::new();
        let (document, diagnostics) = read_model(name, &std::fs::read(&path).unwrap(), None, &mut sources);
        let Some(document) = document.filter(|_| !diagnostics.has_errors()) else {
            continue;
        };
        let printed = print::document(&document);
        let mut cx = Context::new(Dialect::New);
        let again = parser::document(&Fragment::plain(&printed, 1), &mut cx);
        if let Some(error) = cx.diagnostics.iter().find(|d| d.is_error()) {
            if !is_about_a_name(&error.message) {
                wrong.push(format!("{name}: {}", error.message));
            }
        } else if skeleton(&document) != skeleton(&again) {
            wrong.push(format!("{name}: another tree"));
        } else {
            same += 1;
        }
    }
    assert!(same > 500, "{same}");
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}
