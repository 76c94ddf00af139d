//! Doc comments begin with the thing that they name: a noun phrase or a verb, so that a reader needs no item above to understand one.

use std::path::Path;

/// Words that name nothing. A comment that begins with one of them leans on the item above it, or on the reader's guess.
const HEADLESS: [&str; 4] = ["What ", "The same ", "Of ", "So "];

#[test]
fn doc_comments_begin_with_the_thing_they_name() {
    let (mut comments, mut wrong) = (0, Vec::new());
    for folder in ["crates", "python/src", "fuzz"] {
        visit(&crate::root().join(folder), &mut |path, text| {
            let mut is_begin = true;
            for (line, number) in text.lines().zip(1..) {
                let doc = ["///", "//!"]
                    .iter()
                    .find_map(|mark| line.trim_start().strip_prefix(mark));
                let words = doc.unwrap_or_default().trim_start();
                if is_begin && !words.is_empty() {
                    comments += 1;
                    if HEADLESS.iter().any(|head| words.starts_with(head)) {
                        wrong.push(format!("{}:{number}: {words}", path.display()));
                    }
                }
                is_begin = words.is_empty();
            }
        });
    }
    assert!(comments > 10_000, "{comments}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Reads all files of Rust below a folder, but those that builds have made.
fn visit(folder: &Path, read: &mut dyn FnMut(&Path, &str)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            visit(&path, read);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            read(&path, &std::fs::read_to_string(&path).unwrap());
        }
    }
}
