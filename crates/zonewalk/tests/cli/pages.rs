//! The documents as a whole: links lead somewhere, every page is listed, decisions have a status and name modules that exist.

use crate::command::root;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The Markdown files of a folder and of the folders in it.
pub(crate) fn pages_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(pages_below(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Every document of the repository.
fn documents() -> Vec<PathBuf> {
    let mut found = pages_below(&root().join("docs"));
    found.extend(
        ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "models/README.md"].map(|name| root().join(name)),
    );
    found
}

/// The page without its blocks of code.
fn prose(text: &str) -> String {
    let pieces: Vec<&str> = text.split("\n```").step_by(2).collect();
    pieces.join("\n")
}

/// The addresses of a page's links.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let without_code: String = prose.split('`').step_by(2).collect();
    let addresses = without_code.split("](").skip(1);
    let addresses = addresses.filter_map(|rest| rest.split(')').next());
    addresses.map(str::to_owned).collect()
}

/// The anchors of a page: its headings as GitHub and mdBook make addresses of them.
fn anchors(text: &str) -> BTreeSet<String> {
    let prose = prose(text);
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| -> String {
        let title = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = title
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

/// The links of a page that lead nowhere.
fn dead_links(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let mut dead = links(&text);
    dead.retain(|link| {
        if link.contains("://") {
            return false;
        }
        let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
        let target = match file {
            "" => page.to_path_buf(),
            _ => page.with_file_name(file),
        };
        let is_there = match anchor {
            "" => target.exists(),
            _ => fs::read_to_string(&target).is_ok_and(|text| anchors(&text).contains(anchor)),
        };
        !is_there
    });
    dead
}

#[test]
fn links_lead_to_pages_and_headings_that_exist() {
    let mut dead = Vec::new();
    let mut count = 0;
    for page in documents() {
        count += links(&fs::read_to_string(&page).unwrap()).len();
        dead.extend(
            dead_links(&page)
                .iter()
                .map(|link| format!("{}: {link}", page.display())),
        );
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
    assert!(count >= 200, "only {count} links were found");
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let docs = root().join("docs");
    let listed = links(&fs::read_to_string(docs.join("SUMMARY.md")).unwrap());
    for page in pages_below(&docs) {
        let name = page.strip_prefix(&docs).unwrap().to_str().unwrap();
        if name != "SUMMARY.md" {
            assert!(
                listed.iter().any(|link| link == name),
                "SUMMARY.md does not list {name}"
            );
        }
    }
    let index = links(&fs::read_to_string(docs.join("decisions/README.md")).unwrap());
    for page in pages_below(&docs.join("decisions")) {
        let name = page.file_name().unwrap().to_str().unwrap();
        assert!(
            name == "README.md" || index.iter().any(|link| link == name),
            "no topic {name}"
        );
    }
}

/// The sections of a page of decisions: title and text.
fn sections(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let sections = text.split("\n## ").skip(1);
    sections.filter_map(|section| section.split_once('\n'))
}

#[test]
fn every_decision_has_a_status() {
    let mut count = 0;
    for page in pages_below(&root().join("docs/decisions")) {
        for (title, text) in sections(&fs::read_to_string(&page).unwrap()) {
            let status = text.trim_start();
            assert!(
                ["*In force since 20", "*Tried and rejected, 20"]
                    .iter()
                    .any(|start| status.starts_with(start)),
                "{}: {title} has no status",
                page.display()
            );
            count += 1;
        }
    }
    assert!(count >= 150, "only {count} decisions were found");
}

/// Whether a source file below a folder declares a module or a function of that name.
fn is_declared(folder: &Path, name: &str) -> bool {
    let forms = [" {", ";", "(", "<"].map(|end| ["mod", "fn"].map(|kind| format!("{kind} {name}{end}")));
    fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            return is_declared(&path, name);
        }
        let text = fs::read_to_string(&path).unwrap_or_default();
        forms.iter().flatten().any(|form| text.contains(form))
    })
}

#[test]
fn modules_that_decisions_name_exist() {
    let mut count = 0;
    for page in pages_below(&root().join("docs/decisions")) {
        let text = fs::read_to_string(&page).unwrap();
        for path in text.split('`').skip(1).step_by(2) {
            let Some((crate_name, path)) = path.split_once("::") else {
                continue;
            };
            let source = root().join("crates").join(crate_name).join("src");
            let is_name = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
            for name in path.split("::").filter(is_name).filter(|_| source.is_dir()) {
                let page = page.display();
                assert!(is_declared(&source, name), "{page} names {crate_name}::{path}");
                count += 1;
            }
        }
    }
    assert!(count >= 20, "only {count} modules were found");
}

#[test]
fn links_and_headings_are_read_as_a_browser_reads_them() {
    let page = "# A `b`: c's, 2-d\n\nSee [x](y.md#z) and [w](https://v).\n\n```sh\n# no heading\n[no](link)\n```\n\n## Next\n";
    assert_eq!(links(page), ["y.md#z", "https://v"]);
    let expected = ["a-b-cs-2-d", "next"].map(str::to_owned);
    assert_eq!(anchors(page), BTreeSet::from(expected));
}
