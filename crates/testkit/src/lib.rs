//! Support shared by the tests of several crates: loading, models, random networks, and the harness for tests of public models.
//!
//! A helper that cannot go on panics, as a test does. The crate depends on what every engine is compared with (the typed tree, the
//! compiled network, the reference interpreter) and on no engine, so that unit tests of engines can use it, too.

// A helper that unwraps is an assertion.
#![allow(clippy::unwrap_used)]

pub mod browser;
pub mod corpus;
pub mod generate;
#[cfg(test)]
mod imports;
pub mod load;
pub mod own;
pub mod priorities;
pub mod stretch;
#[cfg(test)]
mod wording;

pub use load::{Loaded, Refused, load, load_file, load_with, xta};

use std::path::{Path, PathBuf};

/// The folder of the repository.
pub fn root() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    crates.and_then(Path::parent).expect("crates/testkit").to_owned()
}

/// A number from the environment, such as how many random networks to draw.
pub fn number<T: std::str::FromStr>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    let number = text.parse().ok();
    assert!(number.is_some(), "{name}={text} is not a number of this range");
    number
}

/// All files below a folder with one of the extensions, in a fixed order. None if there is no such folder.
pub fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
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

/// The extensions of files with networks of timed automata.
pub const MODEL: [&str; 3] = ["xml", "xta", "ta"];

#[cfg(test)]
mod tests {
    use super::{files, root};
    use std::path::Path;

    /// The tests of most crates are one binary, whose files are declared by hand: a file that is not would not be run.
    #[test]
    fn every_file_of_tests_is_declared() {
        let (mut count, mut forgotten) = (0, Vec::new());
        for folder in std::fs::read_dir(root().join("crates")).unwrap() {
            let folder = folder.unwrap().path();
            let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
            if !manifest.contains("autotests = false") {
                continue;
            }
            for path in files(&folder.join("tests"), &["rs"]) {
                count += 1;
                if !is_declared(&path, &folder.join("tests"), &manifest) {
                    forgotten.push(path.display().to_string());
                }
            }
        }
        assert!(count > 100, "{count}");
        assert!(
            forgotten.is_empty(),
            "not part of any test: {}",
            forgotten.join(", ")
        );
    }

    fn is_declared(path: &Path, tests: &Path, manifest: &str) -> bool {
        let name = path.file_stem().unwrap().to_string_lossy();
        let parent = path.parent().unwrap();
        if parent == tests && manifest.contains(&format!("name = \"{name}\"")) {
            return true;
        }
        let (name, parent) = match &*name {
            "mod" => (
                parent.file_name().unwrap().to_string_lossy(),
                parent.parent().unwrap(),
            ),
            // The beginning of a target.
            "main" => {
                return manifest.contains(&format!("{}/main.rs", parent.file_name().unwrap().display()));
            }
            _ => (name, parent),
        };
        let declaration = format!("mod {name};");
        ["all.rs", "main.rs", "mod.rs"].iter().any(|file| {
            let text = std::fs::read_to_string(parent.join(file));
            text.is_ok_and(|text| {
                text.lines().any(|line| {
                    line.trim_start_matches("pub(crate) ").trim_start_matches("pub ") == declaration
                })
            })
        })
    }
}
