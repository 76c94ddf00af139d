//! Recovery from other documents and from truncated, damaged and hostile files.

use super::{TRAIN, messages, read};
use zonewalk_syntax::read::{Format, read_model};
use zonewalk_syntax::source::SourceMap;

#[test]
fn wrong_documents_are_refused() {
    for (text, message) in [
        ("", "1:1 error empty-file: the file is empty"),
        (" \n ", "2:2 error empty-file: the file is empty"),
        (
            "<html><body/></html>",
            "1:2 error xml-root: expected `<nta>`, found `<html>`",
        ),
        (
            "<!-- nothing -->",
            "1:17 error xml-root: the file has no `<nta>` element",
        ),
        ("<nta/><nta/>", "1:7 error xml-syntax: a second root element"),
        ("<nta/>x", "1:7 error xml-syntax: text outside the root element"),
    ] {
        assert_eq!(messages(text), [message], "{text}");
    }
    assert!(read(b"<html/>").0.is_none());
    // Read as XML because of its name.
    let found = messages("int a;");
    assert_eq!(found, ["1:1 error xml-syntax: text outside the root element"]);
}

/// Cut anywhere, a file gives an error and nothing worse.
#[test]
fn truncated_files_are_errors() {
    let end = TRAIN.find("</nta>").unwrap() + "</nta>".len();
    for cut in 1..end {
        let (_, found) = read(&TRAIN.as_bytes()[..cut]);
        assert!(
            found.iter().any(|m| m.contains(" error ")),
            "{cut}: {}",
            &TRAIN[..cut]
        );
    }
    let cut = TRAIN.find("&amp; shared").unwrap();
    assert_eq!(
        messages(&TRAIN[..cut]),
        ["4:25 error xml-truncated: the file ends inside `<declaration>` [global declarations]"]
    );
    let cut = TRAIN.find("y=\"5\"").unwrap() + 3;
    let found = messages(&TRAIN[..cut]);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(
        found[0],
        "8:3 error xml-truncated: the file ends inside the value of an attribute"
    );
}

/// Any byte replaced by any of some others: no panic, and the answer comes at once.
#[test]
fn damaged_files_are_survived() {
    for at in 0..TRAIN.len() {
        for byte in *b"<>&\"'/! \0\xE9" {
            let mut damaged = TRAIN.as_bytes().to_vec();
            damaged[at] = byte;
            read(&damaged);
        }
    }
}

#[test]
fn hostile_files_end_quickly() {
    let deep = format!("<nta>{}</nta>", "<a>".repeat(300_000));
    let found = messages(&deep);
    assert!(
        found
            .iter()
            .any(|m| m.contains("error xml-depth: elements nest deeper than 200 levels")),
        "{found:?}"
    );
    let lone = format!("<nta><declaration>{}</declaration></nta>", "< ".repeat(300_000));
    assert!(messages(&lone).len() >= 100);
    let amps = format!("<nta><declaration>{}</declaration></nta>", "& ".repeat(300_000));
    assert!(messages(&amps).len() >= 100);
    let entities = format!(
        "<nta><declaration>//{}</declaration></nta>",
        "&lt;".repeat(300_000)
    );
    assert_eq!(messages(&entities), Vec::<String>::new());
    let ends = format!("<nta>{}</nta>", "</a>".repeat(300_000));
    assert!(messages(&ends).len() >= 100);
}

#[test]
fn huge_declarations_are_refused() {
    let text = format!("<nta><declaration>//{}</declaration></nta>", "x".repeat(17 << 20));
    let (document, found) = read(text.as_bytes());
    assert!(document.is_none());
    assert_eq!(
        found,
        ["1:19 error too-much-code: 18 MiB of code; the limit is 16 MiB"]
    );
    let (_, diagnostics) = read_model(
        "a.xta",
        &vec![b' '; 17 << 20],
        Some(Format::Xta),
        &mut SourceMap::new(),
    );
    assert!(diagnostics.has_errors());
}
