//! Public projects.

// A helper that unwraps is an assertion.
#![allow(clippy::unwrap_used)]

mod support;

use std::path::{Path, PathBuf};
use support::written::written;
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::source::SourceMap;
use zonewalk_testkit::corpus_tests;
use zonewalk_tioa::{AlphabetOf, Loaded, load, query};

corpus_tests! {
    every_folder_loads,
    every_file_loads,
    every_query_of_the_verdicts_is_understood,
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
const BROKEN: [(&str, &str, &str); 5] = [
    (
        "j-ecdar/xml/timedInconsistency.xml",
        "Template",
        "a second template `Template`",
    ),
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
        written(project, component, &loaded.project.actions);
    }
}

fn every_folder_loads(corpus: &Path) {
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
    });
    assert!(projects > 40 && components > 200, "{projects} {components}");
}

fn every_file_loads(corpus: &Path) {
    let root = corpus.join("ecdar");
    let (mut files, mut components) = (0, 0);
    below(&root, &mut |path| {
        if path.extension().is_none_or(|extension| extension != "xml") {
            return;
        }
        let project = path.strip_prefix(&root).unwrap().to_str().unwrap();
        match load(path) {
            Ok(loaded) => {
                check(project, &loaded);
                files += 1;
                components += loaded.project.components.len();
            }
            // A condition stands where parameters belong.
            Err(_) if project == "j-ecdar/xml/quotient/pruningWithOrOnlyOne.xml" => {}
            Err(error) => panic!("{project}: {:?}", error.diagnostics),
        }
    });
    assert!(files > 30 && components > 200, "{files} {components}");
}

fn every_query_of_the_verdicts_is_understood(corpus: &Path) {
    let rows = std::fs::read_to_string(corpus.join("ecdar-verdicts.tsv")).unwrap();
    for row in rows.lines().skip(1) {
        let [engine, project, text] = [0, 1, 2].map(|column| row.split('\t').nth(column).unwrap());
        let parsed = query::parse_at(text, 1).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(parsed.queries.len(), 1, "{text}");
        assert!(parsed.warnings.is_empty(), "{text}: {:?}", parsed.warnings);
        let again = query::parse(&parsed.queries[0].to_string()).unwrap();
        assert_eq!(again, parsed.queries, "{text}");
        // One file's queries name a component of another file.
        if project == "xml/test1.xml" {
            continue;
        }
        let loaded = load(&corpus.join("ecdar").join(engine).join(project)).unwrap();
        assert_eq!(loaded.project.alphabet, Some(AlphabetOf::Edges), "{project}");
        for (name, _) in &parsed.mentions {
            let component = loaded.project.component(name);
            assert!(component.is_some(), "{project}: {name} in {text}");
        }
    }
}
