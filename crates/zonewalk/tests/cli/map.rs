//! The map of the code, `ARCHITECTURE.md`, against the code: files and rooms exist, crates are listed in the order of their layers.

use crate::command::root;
use std::collections::BTreeSet;
use std::fs;

fn document(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

/// The words of a text between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Rows of the table of crates: the crate and its rooms.
fn crates(map: &str) -> Vec<(&str, Vec<&str>)> {
    let table = map.split_once("| crate (`crates/…`)").unwrap().1;
    let rows = table.split_once("\n\n").unwrap().0.lines().skip(2);
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        assert_eq!(cells.len(), 3, "{row}");
        (quoted(cells[0]).next().unwrap(), quoted(cells[2]).collect())
    })
    .collect()
}

/// The crates of this workspace that the manifest of a crate names, but for its tests.
fn dependencies(name: &str) -> BTreeSet<String> {
    let manifest = document(&format!("crates/{name}/Cargo.toml"));
    let (_, after) = manifest.split_once("\n[dependencies]\n").unwrap_or_default();
    let section = after.split("\n[").next().unwrap_or_default();
    let names = section
        .lines()
        .filter_map(|line| line.split(['.', ' ', '=']).next());
    names
        .filter_map(|line| line.strip_prefix("zonewalk-").map(str::to_owned))
        .collect()
}

#[test]
fn files_that_documents_name_exist() {
    let mut count = 0;
    for page in ["ARCHITECTURE.md", "docs/contributing.md", "docs/semantics.md"] {
        let text = document(page);
        // A file that the reader is to make is marked as new.
        let text = text.replace("` (new)", " (new)`");
        let named = quoted(&text).filter(|name| name.contains("/src/") && !name.contains(['{', ' ', '\n']));
        for name in named {
            count += 1;
            let file = name.strip_prefix("crates/").unwrap_or(name);
            assert!(root().join("crates").join(file).exists(), "{page} names {name}");
        }
    }
    assert!(count >= 60, "only {count} files were found");
}

#[test]
fn crates_are_listed_from_below() {
    let map = document("ARCHITECTURE.md");
    let (mut below, mut checked) = (BTreeSet::new(), 0);
    for (name, _) in crates(&map) {
        for dependency in dependencies(name) {
            checked += 1;
            assert!(
                below.contains(&dependency),
                "{name} depends on {dependency}, which stands below it"
            );
        }
        below.insert(name.to_owned());
    }
    let folders = fs::read_dir(root().join("crates")).unwrap();
    let all: BTreeSet<String> = folders
        .map(|f| f.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(below, all);
    assert!(checked > 100, "only {checked} dependencies were found");
}

#[test]
fn rooms_exist() {
    let map = document("ARCHITECTURE.md");
    let (mut count, mut missing) = (0, Vec::new());
    for (name, rooms) in crates(&map) {
        for room in rooms {
            count += 1;
            let folder = root().join("crates").join(name);
            let path = room.replace("::", "/");
            let places = [format!("src/{path}.rs"), format!("src/{path}"), path];
            if !places.iter().any(|place| folder.join(place).exists()) {
                missing.push(format!("{name}: {room}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
    assert!(count > 80, "only {count} rooms were found");
}

/// A map that is longer than a few pages is a manual: details stand in the crates.
#[test]
fn the_map_is_short() {
    let length = document("ARCHITECTURE.md").len();
    assert!(length < 17_000, "ARCHITECTURE.md has {length} bytes");
}
