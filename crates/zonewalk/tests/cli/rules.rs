//! The documents of rules: what comments cite is there, and the tests that they name exist.

use crate::command::root;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A rule or a section of a document.
#[derive(Debug, PartialEq)]
struct Rule {
    number: String,
    /// Words behind `Tests:`, one entry per occurrence.
    tests: Vec<String>,
}

/// The headings that begin with a number, and what they say of tests.
fn rules(page: &str) -> Vec<Rule> {
    let mut found: Vec<Rule> = Vec::new();
    for paragraph in page.split("\n\n").map(str::trim) {
        if paragraph.starts_with('#') {
            let title = paragraph.trim_start_matches('#').trim_start();
            let number = title.split_whitespace().next().unwrap_or_default();
            if number.starts_with(|c: char| c.is_ascii_digit()) {
                found.push(Rule {
                    number: number.trim_end_matches('.').to_owned(),
                    tests: Vec::new(),
                });
            }
        } else if let (Some((_, tests)), Some(rule)) = (paragraph.split_once("Tests:*"), found.last_mut()) {
            rule.tests.push(tests.trim().to_owned());
        }
    }
    found
}

fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Errors in a list of tests, `file.rs` before the functions in it, and the number of functions.
fn missing(tests: &str) -> (Vec<String>, usize) {
    let mut file = None;
    let (mut wrong, mut count) = (Vec::new(), 0);
    for word in code(tests) {
        let extension = Path::new(word).extension().and_then(|e| e.to_str());
        match (extension, file) {
            (Some("rs"), _) => file = Some(word),
            (Some(_), _) => {
                if !root()
                    .join("crates/zonewalk/tests/diagnostics")
                    .join(word)
                    .exists()
                {
                    wrong.push(format!("there is no {word}"));
                }
            }
            (None, Some(file)) => {
                count += 1;
                if !is_test(file, word) {
                    wrong.push(format!("{file} has no test {word}"));
                }
            }
            (None, None) => wrong.push(format!("the file of {word} is not named")),
        }
    }
    (wrong, count)
}

/// Whether a file below `crates` has a test of that name.
pub(crate) fn is_test(file: &str, name: &str) -> bool {
    let Ok(text) = fs::read_to_string(root().join("crates").join(file)) else {
        return false;
    };
    let Some(at) = text.find(&format!("fn {name}(")) else {
        return false;
    };
    if is_listed(file, &text, name) {
        return true;
    }
    let before = &text[..at];
    // Between the attribute and the function there is no other one.
    before
        .rfind("#[test]")
        .is_some_and(|attribute| !before[attribute..].contains("fn "))
}

/// Whether it is a test of public models: those are listed by name (`zonewalk_testkit::corpus_tests`), in the file or in the `main.rs`
/// beside it.
fn is_listed(file: &str, text: &str, name: &str) -> bool {
    let main = root().join("crates").join(file).with_file_name("main.rs");
    let main = fs::read_to_string(main).unwrap_or_default();
    [text, &main].iter().any(|text| {
        let list = text.split_once("corpus_tests! {").map(|(_, rest)| rest);
        let list = list.and_then(|list| list.split('}').next()).unwrap_or_default();
        list.split(',').any(|word| word.trim() == name)
    })
}

/// The comments of a source file as one text.
fn comments(source: &str) -> String {
    let lines = source.lines().filter_map(|line| {
        let comment = line.trim_start().strip_prefix("//")?;
        Some(comment.trim_start_matches(['/', '!']).trim())
    });
    lines.collect::<Vec<_>>().join(" ")
}

/// The numbers and the titles that a text cites of a document: "`page.md` 7, 9", "`page.md`, sections 3.1 and 3.2", "`page.md`, "Time"".
fn cited(text: &str, page: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(page) {
        let mut rest = text[at + page.len()..].trim_start_matches(['`', ',', ' ']);
        rest = rest.strip_prefix("sections ").unwrap_or(rest);
        rest = rest.strip_prefix("section ").unwrap_or(rest);
        if let Some(title) = rest.strip_prefix('"') {
            found.extend(
                title
                    .split('"')
                    .next()
                    .map(|t| t.trim_end_matches(',').to_owned()),
            );
            continue;
        }
        loop {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.');
            let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
            if !word.starts_with(|c: char| c.is_ascii_digit()) {
                break;
            }
            found.push(word.trim_end_matches('.').to_owned());
            let Some(next) = [", ", " and ", " to ", "–"]
                .iter()
                .find_map(|separator| behind.strip_prefix(separator))
            else {
                break;
            };
            rest = next;
        }
    }
    found
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Asserts that a document has what comments cite, and that its tests exist.
#[track_caller]
fn check(page: &str, at_least_cited: usize) {
    let text = fs::read_to_string(root().join("docs").join(page)).unwrap();
    let rules = rules(&text);
    let titles = text.lines().filter_map(|line| line.strip_prefix("## "));
    let known: BTreeSet<&str> = rules.iter().map(|rule| &*rule.number).chain(titles).collect();
    let mut wrong = Vec::new();

    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    let mut count = 0;
    for file in files {
        let comments = comments(&fs::read_to_string(&file).unwrap());
        for what in cited(&comments, page) {
            count += 1;
            if !known.contains(&*what) {
                wrong.push(format!("{} cites {page} {what}", file.display()));
            }
        }
    }
    assert!(count >= at_least_cited, "only {count} places cite {page}");

    let mut numbers = BTreeSet::new();
    for rule in &rules {
        let number = &rule.number;
        if !numbers.insert(number) {
            wrong.push(format!("{page} has {number} twice"));
        }
        // A section is made of its parts.
        let has_parts = rules.iter().any(|r| r.number.starts_with(&format!("{number}.")));
        match &*rule.tests {
            [] if has_parts => {}
            [tests] => {
                let (faults, count) = missing(tests);
                wrong.extend(faults.iter().map(|fault| format!("{page} {number}: {fault}")));
                if count == 0 && !tests.starts_with("none of its own") {
                    wrong.push(format!("{page} {number} names no test"));
                }
            }
            lists => wrong.push(format!("{page} {number} has {} lists of tests", lists.len())),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rules_of_the_language() {
    check("semantics.md", 120);
}

#[test]
fn rules_of_timed_io_automata() {
    check("tioa.md", 8);
}

#[test]
fn documents_are_read_as_their_readers_would() {
    let page = "# A\n\n## B\n\n### 2a. C\n\ntext `code`\n\n*Source: D. Tests:* `a.rs` `b`\n\n### 3.1 D\n";
    let rule = |number: &str, tests: &[&str]| Rule {
        number: number.to_owned(),
        tests: tests.iter().map(|&t| t.to_owned()).collect(),
    };
    assert_eq!(rules(page), [rule("2a", &["`a.rs` `b`"]), rule("3.1", &[])]);

    let source =
        "//! See (`p.md`\n//! 7, 9). 3 of\nlet x = \"p.md 5\";\n    // `p.md` 16b–16d, 20 and 20a: 4\n";
    assert_eq!(
        cited(&comments(source), "p.md"),
        ["7", "9", "16b", "16d", "20", "20a"]
    );
    let source = "/// `docs/p.md`, sections 3.1, 3.2 and 3.6, over `p.md`, \"Data\". `p.md`, section 5:\n";
    assert_eq!(
        cited(&comments(source), "p.md"),
        ["3.1", "3.2", "3.6", "Data", "5"]
    );
    assert_eq!(cited("`p.md` marks 3 of them", "p.md"), Vec::<String>::new());

    let this = "zonewalk/tests/cli/rules.rs";
    assert!(is_test(this, "rules_of_the_language"));
    assert!(!is_test(this, "comments"), "a function that is no test");
    assert!(!is_test("zonewalk/tests/cli/nothing.rs", "rules_of_the_language"));
    assert!(
        is_test("zonewalk/tests/corpus.rs", "public_models"),
        "listed by name"
    );
    assert!(!is_test("zonewalk/tests/corpus.rs", "for_each"), "not listed");
    assert_eq!(
        missing(&format!(
            "`{this}` `rules_of_the_language`, `sources` (`unknown-name.xml`, `no.xta`)"
        )),
        (
            vec![
                format!("{this} has no test sources"),
                "there is no no.xta".to_owned()
            ],
            2
        )
    );
}
