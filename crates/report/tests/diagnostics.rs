//! Rendered diagnostics.
#![allow(clippy::unwrap_used)]

use zonewalk_report::diagnostic::{json, text};
use zonewalk_syntax::diagnostic::{Diagnostic, Diagnostics};
use zonewalk_syntax::source::{Region, SourceMap};
use zonewalk_syntax::span::Span;

/// A source map with one file, and the span of the `n`th occurrence of a text in it.
struct Fixture {
    sources: SourceMap,
    base: u32,
}

impl Fixture {
    fn new(name: &str, text: &str) -> Self {
        let mut sources = SourceMap::new();
        let base = sources.add(name, text.to_owned()).unwrap();
        Fixture { sources, base }
    }

    fn span(&self, needle: &str, n: usize) -> Span {
        let text = &self.sources.source(self.base).unwrap().text;
        let (at, found) = text.match_indices(needle).nth(n).unwrap();
        Span::new(self.base + at as u32, self.base + (at + found.len()) as u32)
    }

    fn region(&mut self, needle: &str, element: &str) {
        let span = self.span(needle, 0);
        let source = self.sources.source_mut(self.base).unwrap();
        source.regions.push(Region {
            span,
            element: element.to_owned(),
        });
    }

    fn text(&self, diagnostic: &Diagnostic) -> String {
        text::render(diagnostic, &self.sources, text::Style::default())
    }
}

fn train() -> Fixture {
    let mut fixture = Fixture::new(
        "train.xml",
        "<nta>\n<template>\n<name>Train</name>\n<transition>\n\
         \t<label kind=\"guard\">x &lt;= lenght &amp;&amp; go</label>\n</transition>\n</template>\n</nta>\n",
    );
    fixture.region(
        "x &lt;= lenght &amp;&amp; go",
        "template Train, edge Safe → Appr, guard",
    );
    fixture
}

#[test]
fn an_error_in_an_xml_label() {
    let fixture = train();
    let diagnostic = Diagnostic::error("unknown-name", fixture.span("lenght", 0), "unknown name `lenght`")
        .label("not declared")
        .help("a variable of a similar name exists: `length`")
        .suggest(fixture.span("lenght", 0), "length");
    insta::assert_snapshot!(fixture.text(&diagnostic));
}

#[test]
fn a_patch_in_xml_uses_entities() {
    let fixture = train();
    let diagnostic = Diagnostic::error("old-operator", fixture.span("&lt;=", 0), "strange operator")
        .suggest(fixture.span("&lt;=", 0), "<");
    insta::assert_snapshot!(fixture.text(&diagnostic));
}

#[test]
fn related_places_near_and_far() {
    let far = "\n".repeat(2000);
    let fixture = Fixture::new("m.xta", &format!("int a;\n{far}int b;\nbool a;\nint b;\n"));
    let diagnostic = Diagnostic::error("duplicate-name", fixture.span("b", 2), "`b` is declared twice")
        .label("declared again")
        .related(fixture.span("b", 0), "first declared here")
        .related(fixture.span("a", 0), "and this is far away");
    insta::assert_snapshot!(fixture.text(&diagnostic));
}

#[test]
fn a_place_in_the_middle_of_a_very_long_line() {
    let long = "a == 1 && ".repeat(50_000);
    let fixture = Fixture::new(
        "m.xml",
        &format!("<x>\n{long}bad{}\n", " && b == 2".repeat(50_000)),
    );
    let diagnostic = Diagnostic::error("unknown-name", fixture.span("bad", 0), "unknown name `bad`")
        .label("not declared")
        .suggest(fixture.span("bad", 0), "b");
    insta::assert_snapshot!(fixture.text(&diagnostic));
}

#[test]
fn a_very_long_place() {
    let long = "x == 1 && ".repeat(500);
    let fixture = Fixture::new("m.xta", &format!("guard {long};\n"));
    let diagnostic = Diagnostic::warning("long", fixture.span(&long, 0), "this is long")
        .suggest(fixture.span(&long, 0), "true");
    insta::assert_snapshot!(fixture.text(&diagnostic));
}

#[test]
fn tabs_wide_characters_and_the_end_of_the_file() {
    let fixture = Fixture::new("m.xta", "\tint\té = 漢 + x;\r\nint y");
    let tabs = Diagnostic::error("unknown-name", fixture.span("x", 0), "unknown name `x`");
    let end = Diagnostic::error("syntax", fixture.span("y", 0).after(), "expected `;`").label("here");
    insta::assert_snapshot!([fixture.text(&tabs), fixture.text(&end)].join("\n"));
}

#[test]
fn several_lines_are_marked_by_the_first() {
    let fixture = Fixture::new("m.xta", "void f() {\n  g();\n  h();\n}\n");
    let diagnostic = Diagnostic::error("no-return", fixture.span("{\n  g();\n  h();\n}", 0), "no return");
    insta::assert_snapshot!(fixture.text(&diagnostic));
}

#[test]
fn hostile_text_does_not_reach_the_terminal() {
    let fixture = Fixture::new("m\u{1b}[31m.xta", "int \u{1b}[31mx\u{f8f0}0\u{f8f1};\n");
    let diagnostic = Diagnostic::error(
        "bad",
        fixture.span("x", 0),
        "what is `\u{1b}[2J\u{f8f0}0\u{f8f1}:1:1`?\nno",
    )
    .help("remove `\u{1b}`");
    let text = fixture.text(&diagnostic);
    assert!(!text.contains('\u{1b}'));
    insta::assert_snapshot!(text);
}

#[test]
fn without_a_place() {
    let fixture = Fixture::new("m.xta", "");
    let diagnostic = Diagnostic::error("no-override", Span::NONE, "no global constant `N` to override")
        .help("the model declares `M`");
    insta::assert_snapshot!(fixture.text(&diagnostic));
}

#[test]
fn colours() {
    let fixture = train();
    let diagnostic =
        Diagnostic::error("unknown-name", fixture.span("lenght", 0), "unknown name").label("not declared");
    let colored = text::render(
        &diagnostic,
        &fixture.sources,
        text::Style {
            color: true,
            width: 100,
        },
    );
    assert!(colored.contains("\u{1b}["));
    // The place is put in after rendering: it must have survived the colours around it.
    assert!(colored.contains("train.xml:5:30"), "{colored}");
    assert!(!colored.contains('\u{f8f0}'));
}

#[test]
fn many() {
    let fixture = Fixture::new("m.xta", &"x\n".repeat(200));
    let mut all = Diagnostics::new();
    for n in 0..150 {
        all.push(Diagnostic::error("bad", fixture.span("x", n), "bad"));
    }
    all.push(Diagnostic::warning("odd", fixture.span("x", 0), "odd"));
    let text = text::render_all(&all, &fixture.sources, text::Style::default());
    assert_eq!(
        text.lines().last(),
        Some("150 errors, 1 warning (50 errors not shown)")
    );
    assert_eq!(text.matches("error[bad]").count(), 100);
    let data = json::all(&all, &fixture.sources);
    assert_eq!(
        (
            data.errors,
            data.warnings,
            data.suppressed,
            data.diagnostics.len()
        ),
        (150, 1, 50, 101)
    );
}

#[test]
fn as_json() {
    let fixture = train();
    let diagnostic = Diagnostic::error("unknown-name", fixture.span("lenght", 0), "unknown name `lenght`")
        .label("not declared")
        .related(fixture.span("go", 0), "this one exists")
        .help("use `<=`")
        .suggest(fixture.span("&lt;=", 0), "<");
    let data = json::one(&diagnostic, &fixture.sources);
    let nowhere = json::one(&Diagnostic::warning("w", Span::NONE, "nowhere"), &fixture.sources);
    insta::assert_snapshot!(serde_json::to_string_pretty(&[data, nowhere]).unwrap());
}

#[test]
fn only_the_lines_needed_are_looked_at() {
    // 64 MB in one line: measuring it once per diagnostic would take seconds.
    let mut text = "x + ".repeat(16 << 20);
    text.push_str("bug\n");
    let fixture = Fixture::new("m.xta", &text);
    let at = fixture.base + text.len() as u32 - 4;
    let start = std::time::Instant::now();
    let rendered = fixture.text(&Diagnostic::error("bad", Span::new(at, at + 3), "bad"));
    assert!(rendered.contains(&format!("m.xta:1:{}", text.len() - 3)));
    assert!(rendered.len() < 1000);
    assert!(start.elapsed().as_secs() < 5);
}
