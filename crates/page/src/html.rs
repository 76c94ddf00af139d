//! The file.

use crate::document::{Document, Notice, Result};
use crate::pack::{pack, source};
use std::fmt::Write as _;
use zonewalk_drawing::svg;
use zonewalk_syntax::markup::escaped;

/// The script, in the order of what needs what.
const SCRIPT: [&str; 9] = [
    include_str!("../assets/util.js"),
    include_str!("../assets/data.js"),
    include_str!("../assets/run.js"),
    include_str!("../assets/list.js"),
    include_str!("../assets/automata.js"),
    include_str!("../assets/sequence.js"),
    include_str!("../assets/timeline.js"),
    include_str!("../assets/state.js"),
    include_str!("../assets/app.js"),
];
/// Opening script of a page that carries its own data.
const START: &str = include_str!("../assets/start.js");

/// The style sheet of all pages.
pub fn style() -> String {
    format!("{}{}", svg::STYLE, include_str!("../assets/style.css"))
}

/// The script of all pages, followed by what begins this one: a live page brings its own source of documents.
pub fn script(start: &str) -> String {
    let mut script = String::from("\"use strict\";\n");
    SCRIPT
        .iter()
        .chain([&start])
        .for_each(|part| script.push_str(part));
    script
}

/// A page that needs nothing but itself. Verdicts are there without the script; runs are packed.
pub fn html(document: &Document) -> String {
    let data = serde_json::to_vec(document).unwrap_or_default();
    let (style, script) = (style(), script(START));
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
        source(&script),
        source(&style)
    );
    let mut out = head(&document.title, &policy, &style);
    body(&mut out, document);
    let _ = write!(
        out,
        "<script id=\"data\" type=\"text/plain\">{}</script>\n<script>{script}</script>\n</body>\n</html>\n",
        pack(&data)
    );
    out
}

pub(crate) fn head(title: &str, policy: &str, style: &str) -> String {
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title} – zonewalk</title>\n<style>{style}</style>\n</head>\n<body>\n"
    )
}

fn body(out: &mut String, document: &Document) {
    let _ = writeln!(out, "<header>\n<h1>{}</h1>", escaped(&document.title));
    let _ = writeln!(out, "<p class=\"muted\">{}</p>", tally(document));
    for command in &document.commands {
        let _ = writeln!(out, "<p class=\"command\"><code>{}</code></p>", escaped(command));
    }
    out.push_str("</header>\n<main>\n<p id=\"trouble\" role=\"alert\"></p>\n");
    document.notices.iter().for_each(|one| notice(out, one));
    if !document.results.is_empty() {
        out.push_str("<section aria-label=\"answers\">\n");
        document
            .results
            .iter()
            .for_each(|one| result(out, one, document.runs.len() > 1));
        out.push_str("</section>\n");
    }
    if document.runs.is_empty() {
        automata(out, document);
    }
    out.push_str("<section id=\"player\" aria-labelledby=\"run-heading\" hidden></section>\n</main>\n");
    let _ = writeln!(
        out,
        "<footer>{}. Keys: arrows step, Home and End jump, space plays, / searches.</footer>",
        escaped(&document.tool)
    );
}

fn tally(document: &Document) -> String {
    let count = |finding: &str| {
        document
            .results
            .iter()
            .filter(|result| result.finding == finding)
            .count()
    };
    let words = [
        ("passed", "passed"),
        ("failed", "failed"),
        ("undecided", "undecided"),
        ("error", "in error"),
    ];
    let parts: Vec<String> = words
        .iter()
        .filter(|(finding, _)| count(finding) > 0)
        .map(|(finding, word)| format!("{} {word}", count(finding)))
        .collect();
    match document.results.len() {
        0 => String::new(),
        1 => format!("1 query: {}", parts.join(", ")),
        n => format!("{n} queries: {}", parts.join(", ")),
    }
}

fn notice(out: &mut String, notice: &Notice) {
    let _ = writeln!(
        out,
        "<div class=\"notice {}\"><strong>{}</strong>: {}</div>",
        notice.kind,
        notice.kind,
        escaped(&notice.text)
    );
}

fn result(out: &mut String, result: &Result, are_many: bool) {
    let Result { number, finding, .. } = result;
    let _ = writeln!(
        out,
        "<article class=\"result {finding}\" id=\"query-{number}\">\n<h2>{}</h2>\n{}<p class=\"verdict\"><span class=\"badge\">{}</span>{}{}</p>",
        escaped(&result.query),
        result
            .comment
            .as_ref()
            .map(|comment| format!("<p class=\"hint\">{}</p>\n", escaped(comment)))
            .unwrap_or_default(),
        escaped(&result.verdict),
        match (result.proof, &result.remark) {
            (true, Some(_)) => "proved:",
            (true, None) => "proved",
            (false, _) => "",
        },
        result
            .remark
            .as_ref()
            .map(|remark| format!(" {}", escaped(remark)))
            .unwrap_or_default()
    );
    for warning in &result.warnings {
        let text = warning.clone();
        notice(
            out,
            &Notice {
                kind: "warning",
                text,
            },
        );
    }
    if !result.facts.is_empty() {
        out.push_str("<dl class=\"facts\">");
        for fact in &result.facts {
            let _ = write!(
                out,
                "<div><dt>{}</dt><dd>{}</dd></div>",
                fact.name,
                escaped(&fact.value)
            );
        }
        out.push_str("</dl>\n");
    }
    let link = |out: &mut String, run: usize, text: &str| {
        let hash = if are_many {
            format!("#run={}&amp;step=0", run + 1)
        } else {
            "#step=0".to_owned()
        };
        let _ = writeln!(out, "<p class=\"show\"><a href=\"{hash}\">{text}</a></p>");
    };
    if let Some(run) = result.run {
        link(out, run, &format!("Show the run of query {number}"));
    }
    if let Some(run) = result.fault {
        link(
            out,
            run,
            &format!("Show the run of query {number} to the run-time error"),
        );
    }
    if let Some(why) = &result.without_run {
        let _ = writeln!(
            out,
            "<p class=\"hint\">The run is not shown: {}</p>",
            escaped(why)
        );
    }
    if let Some(figure) = &result.figure {
        let _ = writeln!(out, "<div class=\"figure\">{figure}</div>");
    }
    if !result.details.is_empty() {
        let _ = writeln!(
            out,
            "<details><summary>How it was found</summary><pre>{}</pre></details>",
            escaped(result.details.trim_end())
        );
    }
    out.push_str("</article>\n");
}

/// Without a run there is nothing to light: the templates themselves.
fn automata(out: &mut String, document: &Document) {
    if document.model.templates.is_empty() {
        return;
    }
    out.push_str("<section class=\"panel\" aria-label=\"automata\">\n<h2>Automata</h2>\n<div class=\"cards\" tabindex=\"0\">\n");
    for template in &document.model.templates {
        let _ = writeln!(
            out,
            "<section class=\"card\"><h3>{}</h3><div class=\"picture\" tabindex=\"0\">{}</div></section>",
            escaped(&template.name),
            template.svg
        );
    }
    out.push_str("</div>\n</section>\n");
}
