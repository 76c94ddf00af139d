//! The verdicts that the test suites of two public engines assert, on their own sample projects.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use zonewalk_checker::refine::{RefineControl, RefineOptions, RefineSearch, Verdict, decide};
use zonewalk_testkit::corpus;
use zonewalk_tioa::{Component, Loaded, Project};

/// Rows that the theory contradicts; `docs/tioa.md`, section 6, says why.
const EXPLAINED: &[&str] = &["refinement: Z2 && Z3 && Z4 <= Z2"];

/// Adds the components of another project.
fn add(project: &mut Project, other: Project) {
    for mut component in other.components {
        for edge in &mut component.edges {
            edge.action = project.intern(&other.actions[edge.action.index()]);
        }
        component.alphabet = Component::alphabet_of(&component.edges);
        component.declared = None;
        project.components.push(component);
    }
}

pub(crate) fn recorded_verdicts_are_met(corpus: &Path) {
    let only = std::env::var("ROW").ok();
    let mut loaded: BTreeMap<PathBuf, Option<Loaded>> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut checked = 0;
    for columns in corpus::table(&corpus.join("ecdar-verdicts.tsv")) {
        let row = columns.join("\t");
        let [engine, project, query, expected] = &columns[..] else {
            panic!("a row has four columns: {row}");
        };
        if only.as_ref().is_some_and(|only| !row.contains(only.as_str())) {
            continue;
        }
        let path = corpus.join("ecdar").join(engine).join(project);
        let entry = loaded
            .entry(path.clone())
            .or_insert_with(|| match zonewalk_tioa::load(&path) {
                Ok(loaded) => Some(loaded),
                Err(error) => {
                    println!("{}: {error:?}", path.display());
                    None
                }
            });
        let Some(loaded) = entry else {
            wrong.push(format!("{row}: not loaded"));
            continue;
        };
        checked += 1;
        let start = Instant::now();
        let parsed = zonewalk_tioa::query::parse(query).unwrap_or_else(|error| panic!("{query}: {error:?}"));
        let mut project = loaded.project.clone();
        if path.ends_with("xml/test1.xml") {
            // Its rows speak of a component that is in another file.
            let other = zonewalk_tioa::load(&path.with_file_name("test.xml"));
            add(
                &mut project,
                other.unwrap_or_else(|error| panic!("{error:?}")).project,
            );
        }
        let options = RefineOptions {
            search: RefineSearch::Symbolic,
            timeout: Some(Duration::from_secs(30)),
            ..RefineOptions::default()
        };
        let answer = match decide(&mut project, &parsed[0], &options, &RefineControl::default()) {
            Ok(answer) => answer,
            Err(error) => {
                wrong.push(format!("{row}: {error}"));
                continue;
            }
        };
        let told = match answer.verdict {
            Verdict::Satisfied => "true",
            Verdict::NotSatisfied => "false",
            Verdict::Unknown => "unknown",
        };
        let time = start.elapsed();
        if only.is_some() {
            println!(
                "{row}\n  {told} {:?} {time:?}\n  {:?}",
                answer.reason, answer.evidence
            );
        }
        if let Some(bug) = &answer.bug {
            wrong.push(format!("{row}: bug: {bug}"));
        }
        if (told != expected && !EXPLAINED.contains(&query.as_str())) || time > Duration::from_secs(10) {
            wrong.push(format!("{row}: {told} {time:?} {:?}", answer.reason));
        }
    }
    println!("{checked} rows");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
