//! Parts of a file that are kept, and their spans.

use super::{TRAIN, good, messages, read, template};
use zonewalk_syntax::ast::{Dialect, Outcome, Point, SystemItem};
use zonewalk_syntax::print;
use zonewalk_syntax::read::{Format, read_model};
use zonewalk_syntax::source::SourceMap;

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
    assert_eq!(document.unwrap().queries.entries.len(), 1);
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
    let queries = &document.queries.entries;
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
        ["1:1 error binary-file: this is a binary file (byte 0x00 at offset 5), not a model"]
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
