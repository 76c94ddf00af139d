//! Real projects, where they are there: `shared/corpus` is not part of this repository.

// A helper that unwraps is an assertion.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::source::SourceMap;
use zonewalk_tioa::{Loaded, load, query};

fn corpus() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    folder.join("ecdar").is_dir().then_some(folder)
}

/// All folders and files below `folder`, in a fixed order.
fn below(folder: &Path, see: &mut impl FnMut(&Path)) {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        see(&path);
        if path.is_dir() {
            below(&path, see);
        }
    }
}

fn text(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let place = sources.source(diagnostic.primary.span.start).map(|source| {
        let at = source.position(diagnostic.primary.span.start);
        let element = source.element(diagnostic.primary.span.start).unwrap_or("");
        let file = source.name.rsplit('/').next().unwrap_or("");
        format!("{file}:{}:{} [{element}]", at.line, at.column)
    });
    format!("{} {}", place.unwrap_or_default(), diagnostic.message)
}

/// Components that are truly broken, and why.
const BROKEN: [(&str, &str, &str); 4] = [
    (
        "reveaal/json/CauseofFailure",
        "Component0",
        "a location without an `id`",
    ),
    (
        "reveaal/json/SystemRecipe/CompiledComponent",
        "CompiledComponent1",
        "the action `Input` is both an input and an output of component CompiledComponent1",
    ),
    (
        "reveaal/json/SystemRecipe/CompiledComponent",
        "CompiledComponent2",
        "the action `Input1` is both an input and an output of component CompiledComponent2",
    ),
    (
        "reveaal/json/SystemRecipe/CompiledComponent",
        "CompiledComponent3",
        "the action `Input1` is both an input and an output of component CompiledComponent3",
    ),
];

fn check(project: &str, loaded: &Loaded) {
    for broken in &loaded.project.broken {
        let reason = &broken.errors[0];
        let known = BROKEN.contains(&(project, broken.name.as_str(), reason.message.as_str()));
        assert!(
            known,
            "{project} {}: {}",
            broken.name,
            text(&loaded.sources, reason)
        );
    }
    for component in &loaded.project.components {
        assert!(component.initial.index() < component.locations.len());
        for edge in &component.edges {
            assert!(edge.source.index() < component.locations.len());
            assert!(edge.target.index() < component.locations.len());
        }
    }
}

#[test]
fn every_folder_loads() {
    let Some(corpus) = corpus() else { return };
    let root = corpus.join("ecdar");
    let (mut projects, mut components) = (0, 0);
    below(&root, &mut |path| {
        if !path.join("Components").is_dir() {
            return;
        }
        let project = path.strip_prefix(&root).unwrap().to_str().unwrap();
        let loaded = load(path).unwrap_or_else(|error| {
            panic!("{project}: {}", text(&error.sources, &error.diagnostics[0]));
        });
        check(project, &loaded);
        projects += 1;
        components += loaded.project.components.len();
        for warning in &loaded.warnings {
            println!("{project}: {}", text(&loaded.sources, warning));
        }
    });
    println!("{projects} {components}");
    assert!(projects > 40 && components > 200, "{projects} {components}");
}

#[test]
fn every_query_of_the_verdicts_parses() {
    let Some(corpus) = corpus() else { return };
    let rows = std::fs::read_to_string(corpus.join("ecdar-verdicts.tsv")).unwrap();
    for row in rows.lines().skip(1) {
        let text = row.split('\t').nth(2).unwrap();
        let queries = query::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(queries.len(), 1, "{text}");
        let again = query::parse(&queries[0].to_string()).unwrap();
        assert_eq!(again, queries, "{text}");
    }
}
