//! The public surface of the package `zonewalk`, as a snapshot: a change of a public name or signature is seen here.
//!
//! It is read from the sources, because the compiler tells its documentation as data on unstable toolchains only. Re-exports are
//! followed into the crates that have the items.
#![allow(clippy::unwrap_used)]

mod library;
mod listing;

use library::Workspace;
use listing::list;
use std::path::Path;

fn workspace() -> Workspace {
    Workspace::new(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
}

#[test]
fn of_zonewalk() {
    let mut lines = Vec::new();
    // Two libraries that are re-exported whole have snapshots of their own.
    list(&workspace(), "zonewalk", &["search", "zones"], &mut lines);
    assert!(lines.len() > 100, "the sources are not where they were");
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn of_zonewalk_search() {
    let mut lines = Vec::new();
    list(&workspace(), "zonewalk_search", &[], &mut lines);
    assert!(lines.len() > 100, "the sources are not where they were");
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn of_zonewalk_zones() {
    let mut lines = Vec::new();
    list(&workspace(), "zonewalk_zones", &[], &mut lines);
    assert!(lines.len() > 50, "the sources are not where they were");
    insta::assert_snapshot!(lines.join("\n"));
}

/// The listing notices what it is for.
#[test]
fn a_changed_signature_changes_the_listing() {
    let listed = |source: &str| {
        let mut workspace = Workspace::default();
        workspace.add_text("sample", source);
        let mut lines = Vec::new();
        list(&workspace, "sample", &[], &mut lines);
        lines
    };
    let before = "mod inner { pub struct S { pub a: u8, b: u8 } impl S { pub fn f(&self) -> u8 { 1 } fn g(&self) {} } }
        pub use inner::S as T; pub fn h() {}";
    let unchanged = [
        ("b: u8", "b: u16"),
        ("{ 1 }", "{ 2 }"),
        ("fn g(&self)", "fn g(&mut self)"),
        ("mod inner", "#[allow(unused)] mod inner"),
    ];
    for (old, new) in unchanged {
        assert_eq!(listed(before), listed(&before.replace(old, new)), "{new}");
    }
    let changed = [
        ("pub a: u8", "pub a: u16"),
        ("pub a: u8", "a: u8"),
        ("-> u8", "-> u16"),
        ("pub fn f", "pub(crate) fn f"),
        ("S as T", "S"),
        ("pub fn h()", "pub fn h(x: u8)"),
        ("pub struct", "#[non_exhaustive] pub struct"),
    ];
    for (old, new) in changed {
        assert_ne!(listed(before), listed(&before.replace(old, new)), "{new}");
    }
}
