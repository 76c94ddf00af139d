//! The XML reader on small files: what it keeps, where it points, what it survives.

// A helper that unwraps is an assertion.
#![allow(clippy::unwrap_used)]

use zonewalk_syntax::ast::{Dialect, Document, Outcome, Point, SystemItem};
use zonewalk_syntax::print;
use zonewalk_syntax::read::{Format, read_model};
use zonewalk_syntax::source::SourceMap;

/// Reads a model; every diagnostic as `line:column severity code: message [element]`.
fn read(bytes: &[u8]) -> (Option<Document>, Vec<String>) {
    let mut sources = SourceMap::new();
    let (document, diagnostics) = read_model("test.xml", bytes, None, &mut sources);
    let messages = diagnostics.iter().map(|d| {
        let source = sources.source(d.primary.span.start).unwrap();
        let at = source.position(d.primary.span.start);
        let severity = if d.is_error() { "error" } else { "warning" };
        let element = source.element(d.primary.span.start);
        let element = element.map(|e| format!(" [{e}]")).unwrap_or_default();
        format!(
            "{}:{} {severity} {}: {}{element}",
            at.line, at.column, d.code, d.message
        )
    });
    (document, messages.collect())
}

/// Reads a model without any diagnostic.
fn good(text: &str) -> Document {
    let (document, messages) = read(text.as_bytes());
    assert!(messages.is_empty(), "{messages:?}");
    document.unwrap()
}

/// The diagnostics of a file.
fn messages(text: &str) -> Vec<String> {
    read(text.as_bytes()).1
}

/// A template with two locations and what else it is given.
fn template(more: &str) -> String {
    format!(
        "<nta><template><name>P</name><location id='a'><name>A</name></location>\
         <location id='b'/><init ref='a'/>{more}</template><system>system P;</system></nta>"
    )
}

const TRAIN: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>
<nta>
	<declaration>// Global &amp; shared
const int N = 2;
chan appr[N];</declaration>
	<template>
		<name x="5" y="5">Train</name>
		<parameter>const int[0, N - 1] id</parameter>
		<declaration>clock x;</declaration>
		<location id="id0" x="-10" y="20.6" color="#ff00ff">
			<name x="1" y="2">Safe</name>
			<label kind="invariant" x="3" y="4">x &lt;= 5 &amp;&amp; id &#62;= 0</label>
			<label kind="exponentialrate">1:2</label>
			<label kind="comments">a &lt; b</label>
			<label kind="testcodeEnter">enter();</label>
		</location>
		<location id="id1"><committed/></location>
		<location id="id2"><name></name><urgent/></location>
		<branchpoint id="id3" x="1" y="1">
		</branchpoint>
		<init ref="id0"/>
		<transition id="id9" controllable="false" action="go" color="#112233">
			<source ref="id0"/>
			<target ref="id3"/>
			<label kind="select" x="7" y="8">i : int[0, 1]</label>
			<label kind="guard">x &gt; 1</label>
			<label kind="synchronisation">appr[i]!</label>
			<label kind="assignment">x = 0</label>
			<nail x="1" y="2"/>
			<nail x="3" y="4"/>
		</transition>
		<transition><source ref="id3"/><target ref="id1"/><label kind="probability">3</label></transition>
		<transition><source ref="id3"/><target ref="id2"/><label kind="guard">  </label></transition>
	</template>
	<instantiation>T0 = Train(0);</instantiation>
	<system><![CDATA[T1 = Train(1); system T0 < T1;]]></system>
</nta>
"##;

#[test]
fn everything_is_kept() {
    let document = good(TRAIN);
    assert_eq!(document.dialect, Dialect::New);
    let template = &document.templates[0];
    assert_eq!(template.initial.as_ref().unwrap().name.as_ref(), "Safe");
    let names: Vec<_> = template
        .locations
        .iter()
        .map(|l| (l.name.name.as_ref(), l.is_named))
        .collect();
    assert_eq!(names, [("Safe", true), ("_id1", false), ("_id2", false)]);
    let safe = &template.locations[0];
    assert_eq!(print::expr(safe.invariant.as_ref().unwrap()), "x <= 5 && id >= 0");
    assert!(matches!(&safe.rate, Some((_, Some(_)))));
    assert_eq!(safe.drawing.at, Some(Point { x: -10, y: 21 }));
    assert_eq!(safe.drawing.color.as_deref(), Some("#ff00ff"));
    let labels: Vec<_> = safe
        .drawing
        .labels
        .iter()
        .map(|(kind, _)| kind.as_str())
        .collect();
    assert_eq!(labels, ["name", "invariant"]);
    assert_eq!(
        safe.drawing.comments,
        [
            ("comments".into(), "a < b".into()),
            ("testcodeEnter".into(), "enter();".into())
        ]
    );
    assert!(template.locations[1].committed && template.locations[2].urgent);
    assert_eq!(template.branchpoints[0].name.name.as_ref(), "_id3");

    let edge = &template.edges[0];
    assert_eq!(
        (edge.source.name.as_ref(), edge.target.name.as_ref()),
        ("Safe", "_id3")
    );
    assert!(!edge.controllable && edge.selects.len() == 1 && edge.updates.len() == 1);
    assert_eq!(edge.action.as_ref().unwrap().name.as_ref(), "go");
    assert_eq!(edge.drawing.nails, [Point { x: 1, y: 2 }, Point { x: 3, y: 4 }]);
    assert!(template.edges[1].weight.is_some() && template.edges[2].guard.is_none());

    // `instantiation` and `system` are one section.
    let system: Vec<_> = document
        .system
        .iter()
        .map(|item| matches!(item, SystemItem::System(_)))
        .collect();
    assert_eq!(system, [false, false, true]);
}

#[test]
fn elements_have_regions() {
    let mut sources = SourceMap::new();
    let text = TRAIN.replace("</nta>", "<queries><query><formula/></query><query><formula>E&lt;&gt; T0.Safe</formula></query></queries></nta>");
    let (document, _) = read_model("test.xml", text.as_bytes(), None, &mut sources);
    let source = sources.iter().next().unwrap();
    let at = |text: &str| {
        let offset = source.text.find(text).unwrap() as u32;
        source.element(source.base() + offset)
    };
    for (text, element) in [
        ("const int N", "global declarations"),
        ("Train<", "template Train, name"),
        ("const int[0", "template Train, parameters"),
        ("clock x", "template Train, declarations"),
        ("&amp;&amp; id", "template Train, location Safe, invariant"),
        ("1:2", "template Train, location Safe, exponential rate"),
        ("x &gt; 1", "template Train, edge Safe → _id3, guard"),
        ("appr[i]", "template Train, edge Safe → _id3, synchronisation"),
        ("i : int", "template Train, edge Safe → _id3, select"),
        ("x = 0", "template Train, edge Safe → _id3, update"),
        ("3</label", "template Train, edge _id3 → _id1, weight"),
        ("T0 = ", "system declarations"),
        ("T1 = ", "system declarations"),
        ("E&lt;", "query 2"),
    ] {
        assert_eq!(at(text), Some(element), "{text}");
    }
    assert_eq!(at("<nail"), None);
    assert!(
        source
            .regions
            .windows(2)
            .all(|pair| pair[0].span.end <= pair[1].span.start)
    );
    assert_eq!(document.unwrap().queries.len(), 1);
}

#[test]
fn errors_point_behind_entities() {
    let text = template(
        "<transition><source ref='a'/><target ref='b'/>\n<label kind='guard'>x &lt;= 5 &amp;&amp; ) y</label></transition>",
    );
    assert_eq!(
        messages(&text),
        ["2:42 error syntax: expected an expression, found `)` [template P, edge A → _b, guard]"]
    );
    let text = text
        .replace("&amp;&amp; ) y", "<![CDATA[&& ) y]]>")
        .replace('\n', "\r\n");
    assert_eq!(
        messages(&text),
        ["2:43 error syntax: expected an expression, found `)` [template P, edge A → _b, guard]"]
    );
}

#[test]
fn many_errors_are_reported() {
    let text = template(
        "<transition><source ref='a'/><target ref='b'/><label kind='guard'>x &gt;</label></transition>",
    )
    .replace("<nta>", "<nta><declaration>int ; clock 3;</declaration>");
    let found = messages(&text);
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn project_is_a_root_too() {
    let document = good("<project><declaration>int a;</declaration><system>system P;</system></project>");
    assert_eq!((document.decls.len(), document.system.len()), (1, 1));
}

#[test]
fn order_of_elements_is_free() {
    let text = "<nta><system>system P;</system><template><transition><target ref='b'/><source ref='a'/></transition>\
                <init ref='b'/><location id='b'/><location id='a'/><name>P</name></template></nta>";
    let document = good(text);
    assert_eq!(document.templates[0].edges[0].target.name.as_ref(), "_b");
    assert_eq!(
        document.templates[0].initial.as_ref().unwrap().name.as_ref(),
        "_b"
    );
}

#[test]
fn charts_keep_their_name_and_parameters() {
    let document = good(
        "<nta><lsc><name>L</name><parameter>int i</parameter><type>Universal</type><mode>Invariant</mode>\
         <instance id='i' x='0' y='0'><name>P</name></instance><prechart><lsclocation>3</lsclocation></prechart>\
         </lsc><system>system P;</system></nta>",
    );
    assert_eq!(document.charts[0].name.name.as_ref(), "L");
    assert_eq!(document.charts[0].params.len(), 1);
}

#[test]
fn comments_and_instructions_are_skipped() {
    let document = good(
        "<?pi x?><!-- a > b --><nta><declaration>int <!-- x --> a<?y?>;</declaration><system>system P;</system></nta><!-- end -->",
    );
    assert_eq!(print::declaration(&document.decls[0]), "int a;\n");
}

#[test]
fn queries_have_options_results_and_expectations() {
    let text = r#"<nta><system>system P;</system><queries>
        <option key="--diagnostic" value="0"/><option key="--seed" value="7"/>
        <query>
            <formula>A[] not deadlock</formula>
            <comment>never stuck</comment>
            <option key="--diagnostic" value="1"/>
            <result outcome="failure" type="quality" timestamp="2020-01-01"/>
            <result outcome="success" type="quality" timestamp="2023-01-01"><details>x</details><plot/></result>
        </query>
        <query><formula>sup: x</formula><comment/>
            <expect outcome="success" type="quantity" value="8"><resource type="time" value="1" unit="s"/></expect>
            <result outcome="failure" type="quantity" value="9"/>
        </query>
        <query><formula></formula><comment>just text</comment></query>
        <query><formula>// nothing
</formula></query>
        <query/>
        <query><formula>E&lt;&gt; (P.a and
            P.b)</formula></query>
        <query><formula>E&lt;&gt; P.a
E&lt;&gt; P.b</formula></query>
        <query><formula>E&lt;&gt; P.( a</formula></query>
    </queries></nta>"#;
    let document = good(text);
    let queries = &document.queries;
    let texts: Vec<_> = queries.iter().map(|q| q.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "A[] not deadlock",
            "sup: x",
            "E<> (P.a and P.b)",
            "E<> P.a",
            "E<> P.b",
            "E<> P.( a"
        ]
    );
    assert_eq!(queries[0].comment, "never stuck");
    assert_eq!(
        queries[0].options,
        [("--seed".into(), "7".into()), ("--diagnostic".into(), "1".into())]
    );
    let outcome = |outcome: &str, kind: &str, value: Option<&str>, expected| {
        Some(Outcome {
            outcome: outcome.into(),
            kind: kind.into(),
            value: value.map(str::to_owned),
            expected,
        })
    };
    assert_eq!(queries[0].outcome, outcome("success", "quality", None, false));
    assert_eq!(
        queries[1].outcome,
        outcome("success", "quantity", Some("8"), true)
    );
    // A query that does not parse is no error of the model.
    assert!(queries[5].query.is_none() && !queries[5].errors.is_empty());
    assert!(
        queries[..5]
            .iter()
            .all(|q| q.query.is_some() && q.errors.is_empty())
    );
}

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
            "warning stray-text: text directly inside of `<template>` is ignored",
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
    assert_eq!(guard("x && y"), [format!("2:23 {amp}"), format!("2:24 {amp}")]);
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
            "1:17 error xml-root: the file holds no `<nta>` element",
        ),
        (
            "<nta/><nta/>",
            "1:7 error xml-syntax: a second element behind the document's end",
        ),
        (
            "<nta/>x",
            "1:7 error xml-syntax: text outside of the document's element",
        ),
    ] {
        assert_eq!(messages(text), [message], "{text}");
    }
    assert!(read(b"<html/>").0.is_none());
    // Read as XML because of its name.
    let found = messages("int a;");
    assert_eq!(
        found,
        ["1:1 error xml-syntax: text outside of the document's element"]
    );
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
        ["4:25 error xml-truncated: the file ends inside of `<declaration>` [global declarations]"]
    );
    let cut = TRAIN.find("y=\"5\"").unwrap() + 3;
    let found = messages(&TRAIN[..cut]);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(
        found[0],
        "8:3 error xml-truncated: the file ends inside of the value of an attribute"
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
    let amps = format!("<nta><declaration>{}</declaration></nta>", "&".repeat(300_000));
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
        ["1:19 error too-much-code: 18 MiB of code; at most 16 MiB are read"]
    );
    let (_, diagnostics) = read_model(
        "a.xta",
        &vec![b' '; 17 << 20],
        Some(Format::Xta),
        &mut SourceMap::new(),
    );
    assert!(diagnostics.has_errors());
}

#[test]
fn encodings() {
    let (document, found) =
        read(b"<nta><declaration>int a; // caf\xE9\n int b;</declaration><system>system P;</system></nta>");
    assert_eq!(document.unwrap().decls.len(), 2);
    assert_eq!(
        found,
        [
            "1:32 warning encoding: the file is not UTF-8 (byte 0xE9); it is read as Latin-1 [global declarations]"
        ]
    );
    let utf8 = "\u{FEFF}<nta><declaration>// é\n)</declaration><system>system P;</system></nta>";
    let bad = "2:1 error syntax: expected a declaration, found `)` [global declarations]";
    assert_eq!(messages(utf8), [bad]);
    let utf16: Vec<u8> = utf8.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(read(&utf16).1, [bad]);
    let (document, found) = read(b"PK\x03\x04\x14\0\0\0");
    assert!(document.is_none());
    assert_eq!(
        found,
        ["1:1 error binary-file: this is a binary file (byte 0x00 at offset 5), no model"]
    );
}

#[test]
fn the_old_dialect_is_tried_second() {
    let old = "<nta><declaration>const N 3; int erf;</declaration><template><name>P</name><parameter>int v; const k</parameter>\
               <location id='a'><label kind='invariant'>v &lt;= 3, k &gt;= 1</label></location><init ref='a'/></template>\
               <instantiation>Q := P(erf, 2);</instantiation><system>system Q;</system></nta>";
    let document = good(old);
    assert_eq!(document.dialect, Dialect::Old);
    assert!(document.templates[0].params[0].by_reference);
    // Where neither fits, the errors are those of the dialect that the text looks like.
    let found = messages(&old.replace("int erf;", "int erf)"));
    assert_eq!(found.len(), 1, "{found:?}");
    let new = old
        .replace("const N 3;", "const int N = 3;")
        .replace("int erf;", "int a)");
    assert!(messages(&new).len() > 1);
}

#[test]
fn formats() {
    let read = |name: &str, text: &str, format| {
        let (document, diagnostics) = read_model(name, text.as_bytes(), format, &mut SourceMap::new());
        assert!(!diagnostics.has_errors(), "{name}: {diagnostics:?}");
        document.unwrap()
    };
    let text = "int v; process P(int v) { state A; init A; } system P;";
    assert_eq!(read("a.xta", text, None).dialect, Dialect::New);
    assert_eq!(read("a.txt", text, None).dialect, Dialect::New);
    let old = text.replace("P;", "Q;").replace("system", "Q := P(v); system");
    assert_eq!(read("a.ta", &old, None).dialect, Dialect::Old);
    assert_eq!(read("a.q", &old, Some(Format::Ta)).dialect, Dialect::Old);
    let new_only = "typedef int[0, 1] t; process P(t v) { state A; init A; } system P;";
    assert_eq!(read("a.ta", new_only, None).dialect, Dialect::New);
    assert_eq!(
        read("a.xta", "<nta><system>system P;</system></nta>", None)
            .system
            .len(),
        1
    );
}
