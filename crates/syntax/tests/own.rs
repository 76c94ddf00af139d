//! The models of this repository have no syntax errors, survive printing, and their query files are read.

use crate::support::models::{errors, survives_printing};
use zonewalk_syntax::read::{read_model, read_queries};
use zonewalk_syntax::source::SourceMap;
use zonewalk_testkit::{files, own, root};

#[test]
fn own_models_have_no_syntax_errors_and_survive_printing() {
    for path in own::paths() {
        let name = path.to_string_lossy();
        assert_eq!(errors(&name, &path), Vec::<String>::new(), "{name}");
        assert_eq!(survives_printing(&name, &path), Some(Ok(())), "{name}");
    }
}

#[test]
fn own_query_files_are_read() {
    let mut count = 0;
    for path in files(&root().join("models"), &["q"]) {
        let name = path.to_string_lossy();
        let bytes = std::fs::read(&path).unwrap();
        let (queries, diagnostics) = read_queries(&name, &bytes, &mut SourceMap::new());
        assert!(!diagnostics.has_errors(), "{name}: {diagnostics:?}");
        for query in queries.entries {
            assert_eq!(query.errors, [], "{name}: {}", query.text);
            assert!(query.outcome.is_some(), "{name}: {} has no outcome", query.text);
            count += 1;
        }
    }
    assert!(count > 40, "{count}");
}

/// Files that are cut short: nothing panics, and XML is not accepted in silence. A text may be complete by chance.
#[test]
fn own_models_may_be_cut_short() {
    let mut refused = 0;
    for path in own::paths() {
        let whole = std::fs::read(&path).unwrap();
        let is_xml = path.extension().is_some_and(|extension| extension == "xml");
        for part in 1..8 {
            let (_, diagnostics) = read_model(
                &path.to_string_lossy(),
                &whole[..whole.len() * part / 8],
                None,
                &mut SourceMap::new(),
            );
            assert!(
                diagnostics.has_errors() || !is_xml,
                "{} cut at {part}/8",
                path.display()
            );
            refused += usize::from(diagnostics.has_errors());
        }
    }
    assert!(refused > 220, "{refused}");
}
