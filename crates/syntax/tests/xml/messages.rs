//! Messages for files that are nearly right.

use super::{good, messages, read, template};
use zonewalk_syntax::read::read_model;
use zonewalk_syntax::source::SourceMap;

#[test]
fn unknown_things_are_warned_about() {
    let text = template(
        "<fancy><deep><deeper/></deep></fancy><fancy/><location id='c' shape='round'><label kind='guard'>x</label></location>stray",
    );
    let (document, found) = read(text.as_bytes());
    assert_eq!(document.unwrap().templates[0].locations.len(), 3);
    let found: Vec<_> = found.iter().map(|m| m.split_once(' ').unwrap().1).collect();
    assert_eq!(
        found,
        [
            "warning unknown-element: unknown element `<fancy>` in `<template>` is ignored",
            "warning unknown-attribute: unknown attribute `shape` of `<location>` is ignored",
            "warning unknown-label: a label of the unknown kind `guard` is ignored",
            "warning stray-text: text directly inside `<template>` is ignored",
        ]
    );
}

#[test]
fn broken_references_are_errors() {
    for (more, message) in [
        (
            "<transition><source ref='z'/><target ref='a'/></transition>",
            "unknown-reference: no location has the id `z`",
        ),
        (
            "<transition><source/><target ref='a'/></transition>",
            "missing-reference: a reference without `ref`",
        ),
        (
            "<transition><target ref='a'/></transition>",
            "missing-reference: an edge without `<source>`",
        ),
        ("<transition/>", "missing-reference: an edge without `<source>`"),
        ("<init ref='b'/>", "duplicate-element: a second `<init>`"),
        ("<location id='a'/>", "duplicate-id: the id `a` is used twice"),
        ("<branchpoint id='b'/>", "duplicate-id: the id `b` is used twice"),
        ("<name>Q</name>", "duplicate-element: a second `<name>`"),
        ("<location/>", "missing-id: a location without an `id`"),
        (
            "<location id='c'><label>x</label></location>",
            "missing-kind: a label without a `kind`",
        ),
        (
            "<transition><source ref='a'/><target ref='a'/><label kind='guard'>x</label><label kind='guard'>y</label></transition>",
            "duplicate-label: a second label of kind `guard`",
        ),
    ] {
        let found = messages(&template(more));
        assert!(
            found.iter().any(|m| m.contains(&format!("error {message}"))),
            "{more}: {found:?}"
        );
    }
    let unnamed = template("").replace("<name>P</name>", "");
    assert_eq!(
        messages(&unnamed),
        ["1:6 error missing-name: a template without a name"]
    );
    // Not the reader's business: the type checker asks for an initial location.
    let document = good(&template("").replace(" ref='a'", ""));
    assert!(document.templates[0].initial.is_none());
}

#[test]
fn ids_count_inside_of_a_template() {
    let one = template("");
    let two = one.replace(
        "</template>",
        "</template><template><name>Q</name><location id='a'/><init ref='a'/></template>",
    );
    good(&two);
}

#[test]
fn names_are_checked() {
    for (name, message) in [
        ("floor", "`floor` is a reserved word and cannot be used as a name"),
        ("my location", "`my location` is not a name"),
        ("1st", "`1st` is not a name"),
    ] {
        let found = messages(&template(&format!(
            "<location id='c'><name> {name}</name></location>"
        )));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("1:129 error syntax: "), "{found:?}");
        assert!(found[0].contains(message), "{found:?}");
    }
    good(&template("<location id='c'><name>select</name></location>"));
}

#[test]
fn lone_signs_are_explained() {
    let guard = |text: &str| {
        let guard = format!("<label kind='guard'>{text}</label>");
        messages(&template(&format!(
            "<transition><source ref='a'/><target ref='b'/>\n{guard}</transition>"
        )))
    };
    let amp = "error xml-entity: a lone `&` in XML [template P, edge A → _b, guard]";
    let less = "error xml-syntax: a lone `<` in XML [template P, edge A → _b, guard]";
    assert_eq!(guard("x && y"), [format!("2:23 {}", amp.replace('&', "&&"))]);
    assert_eq!(guard("x & y; z").first(), Some(&format!("2:23 {amp}")));
    assert_eq!(guard("x <= 5"), [format!("2:23 {less}")]);
    assert_eq!(guard("x < 5"), [format!("2:23 {less}")]);
    assert_eq!(guard("x <y"), [format!("2:23 {less}")]);
    assert_eq!(guard("x <y && z >3")[0], format!("2:23 {less}"));
    assert_eq!(
        guard("&nbsp;")[0],
        "2:21 error xml-entity: unknown entity `&nbsp;` [template P, edge A → _b, guard]"
    );
}

#[test]
fn mismatched_tags_are_shown_with_their_partner() {
    let mut sources = SourceMap::new();
    let text = "<nta>\n<declaration>int a;</declaratoin>\n<system>system P;</system>\n</nta>";
    let (_, diagnostics) = read_model("test.xml", text.as_bytes(), None, &mut sources);
    let first = diagnostics.iter().next().unwrap();
    assert_eq!(first.message, "expected `</declaration>`, found `</declaratoin>`");
    assert_eq!(sources.slice(first.primary.span), "</declaratoin>");
    assert_eq!(sources.slice(first.related[0].span), "<declaration>");

    let found =
        messages("<nta><template><name>P</name><location id='a'></template><system>system P;</system></nta>");
    assert_eq!(
        found,
        ["1:47 error xml-syntax: expected `</location>`, found `</template>`"]
    );
    let found = messages("<nta><system>system P;</system></nta></nta>");
    assert_eq!(found, ["1:38 error xml-syntax: `</nta>` closes nothing"]);
}
