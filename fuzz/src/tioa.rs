//! Bytes as the files of a project of timed I/O automata: no panic, diagnostics lie inside of the files, and what is written reads
//! the same.

use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::source::SourceMap;
use zonewalk_tioa::read::{File, Loaded, load_file, load_folder};
use zonewalk_tioa::write::component_json;

/// One input.
pub fn run(bytes: &[u8]) {
    // The first byte says which file it is.
    let Some((which, rest)) = bytes.split_first() else {
        return;
    };
    match which % 6 {
        0 => drop(single("m.xml", rest)),
        1 => drop(single("m.xta", rest)),
        2 => folder("Systems/S.json", rest),
        3 => folder("SystemDeclarations.json", rest),
        4 => folder("GlobalDeclarations.json", rest),
        _ => folder("Components/A.json", rest),
    }
}

const OTHER: &str = r#"{"name": "B", "declarations": "clock x;", "locations": [{"id": "L0", "type": "INITIAL"}],
    "edges": [{"sourceLocation": "L0", "targetLocation": "L0", "status": "INPUT", "sync": "a"}]}"#;

fn folder(path: &str, bytes: &[u8]) {
    let file = |path: &str, bytes: &[u8]| File {
        path: path.to_owned(),
        bytes: Ok(bytes.to_vec()),
    };
    let files = vec![file(path, bytes), file("Components/B.json", OTHER.as_bytes())];
    if let Ok(loaded) = load_folder("p", files) {
        look(&loaded);
    }
}

fn single(name: &str, bytes: &[u8]) {
    match load_file(name, bytes) {
        Ok(loaded) => look(&loaded),
        Err(error) => inside(&error.sources, &error.diagnostics),
    }
}

fn inside(sources: &SourceMap, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        let span = diagnostic.primary.span;
        if let Some(source) = sources.source(span.start) {
            assert!(span.end <= source.span().end, "{diagnostic:?}");
        }
    }
}

fn look(loaded: &Loaded) {
    inside(&loaded.sources, &loaded.warnings);
    for broken in &loaded.project.broken {
        assert!(!broken.errors.is_empty());
        inside(&loaded.sources, &broken.errors);
    }
    for component in loaded.project.components.iter().take(3) {
        if component.locations.len() > 1000 || component.edges.len() > 1000 {
            continue;
        }
        let written = component_json(component, &loaded.project.actions);
        let file = File {
            path: "Components/A.json".to_owned(),
            bytes: Ok(written.clone().into_bytes()),
        };
        let again = load_folder("p", vec![file]).expect("it has a component");
        assert!(
            again.project.broken.is_empty(),
            "{written}\n{:?}",
            again.project.broken
        );
        let second = &again.project.components[0];
        assert_eq!(second.locations.len(), component.locations.len(), "{written}");
    }
}
