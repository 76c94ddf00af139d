//! Coverage of an exploration as a page: coloured automata with counts, and lists of the parts not reached. It has no script.

use crate::html::{head, style};
use crate::pack::source;
use std::fmt::Write as _;
use zonewalk_drawing::svg::{self, Marks};
use zonewalk_drawing::{Drawing, joined_edges};
use zonewalk_syntax::markup::escaped;

/// A page about an exploration.
#[derive(Clone, Debug, Default)]
pub struct CoverageDocument {
    /// The model.
    pub title: String,
    /// `zonewalk` and its version.
    pub tool: String,
    /// The command that makes it again.
    pub command: String,
    /// Text describing the extent of the exploration.
    pub summary: String,
    /// Whether it was all of the state space: what was not reached cannot be reached.
    pub is_complete: bool,
    /// The templates that have processes.
    pub templates: Vec<CoveredTemplate>,
}

/// A template and how many of its processes were where.
#[derive(Clone, Debug)]
pub struct CoveredTemplate {
    /// How it is drawn.
    pub drawing: Drawing,
    /// Number of processes of the template.
    pub processes: usize,
    /// Its locations, in their order.
    pub locations: Vec<Covered>,
    /// Its edges in the order of the typed tree.
    pub edges: Vec<Covered>,
}

/// A location or an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Covered {
    /// `Waiting`, or `Waiting → Busy`.
    pub name: String,
    /// Place in the model, such as `line 12`.
    pub place: Option<String>,
    /// Processes that were there.
    pub reached: usize,
}

const STYLE: &str = include_str!("../assets/coverage.css");

/// The page.
pub fn coverage_html(document: &CoverageDocument) -> String {
    let style = format!("{}{STYLE}", style());
    let policy = format!(
        "default-src 'none'; style-src {}; base-uri 'none'; form-action 'none'",
        source(&style)
    );
    let mut out = head(&format!("Coverage of {}", document.title), &policy, &style);
    let _ = writeln!(
        out,
        "<header>\n<h1>Coverage of {}</h1>\n<p class=\"command\"><code>{}</code></p>\n</header>\n<main>",
        escaped(&document.title),
        escaped(&document.command)
    );
    let meaning = if document.is_complete {
        "All states were explored: what was never reached cannot be reached."
    } else {
        "Not all states were explored: what was never reached was not found, which proves nothing."
    };
    let _ = writeln!(out, "<p class=\"meaning\">{meaning}</p>");
    let _ = writeln!(
        out,
        "<details class=\"panel\"><summary>How far the exploration went</summary><pre>{}</pre></details>",
        escaped(document.summary.trim_end())
    );
    missing(&mut out, document);
    document.templates.iter().for_each(|one| template(&mut out, one));
    let _ = writeln!(
        out,
        "</main>\n<footer>{}</footer>\n</body>\n</html>",
        escaped(&document.tool)
    );
    out
}

/// Lists the locations and edges of all templates that no process reached or took.
fn missing(out: &mut String, document: &CoverageDocument) {
    type Part = fn(&CoveredTemplate) -> &[Covered];
    let parts: [(&str, &str, Part); 2] = [
        ("edges", "Edges that were never taken", |one| &one.edges),
        ("locations", "Locations that were never reached", |one| {
            &one.locations
        }),
    ];
    out.push_str("<section class=\"panel\" aria-label=\"never reached\">\n");
    for (kind, title, part) in parts {
        let all = document
            .templates
            .iter()
            .flat_map(|one| part(one).iter().map(move |it| (one, it)));
        let total = all.clone().count();
        let never: Vec<_> = all.filter(|(_, it)| it.reached == 0).collect();
        let _ = writeln!(out, "<h2>{title}: {} of {total}</h2>", never.len());
        if never.is_empty() {
            let _ = writeln!(out, "<p class=\"hint\">None.</p>");
            continue;
        }
        let _ = writeln!(out, "<ul class=\"never-list\" data-kind=\"{kind}\">");
        for (of, it) in never {
            let _ = writeln!(
                out,
                "<li>{}: {}{}</li>",
                escaped(&of.drawing.name),
                escaped(&it.name),
                place(it)
            );
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</section>\n");
}

fn place(it: &Covered) -> String {
    let place = it.place.as_deref().map(escaped);
    place.map_or(String::new(), |place| {
        format!(" <span class=\"muted\">({place})</span>")
    })
}

/// The style of what a number of all processes has reached.
fn word(reached: usize, processes: usize) -> &'static str {
    match reached {
        0 => "never",
        n if n < processes => "some",
        _ => "all",
    }
}

fn template(out: &mut String, one: &CoveredTemplate) {
    let name = escaped(&format!("{}{}", one.drawing.name, one.drawing.parameters));
    let processes = match one.processes {
        1 => "1 process".to_owned(),
        n => format!("{n} processes"),
    };
    let _ = writeln!(
        out,
        "<section class=\"panel covered\" aria-label=\"{name}\">\n<h2>{name} <span class=\"muted\">{processes}</span></h2>\n\
         <ul class=\"key\" aria-label=\"colours\"><li class=\"all\">by all</li><li class=\"some\">by some</li><li class=\"never\">never</li></ul>\n\
         <div class=\"side\">\n<div class=\"picture\" tabindex=\"0\" role=\"group\" aria-label=\"drawing of {name}\">{}</div>\n<div>",
        picture(one)
    );
    for (title, list) in [("Locations", &one.locations), ("Edges", &one.edges)] {
        let _ = writeln!(
            out,
            "<table><caption>{title}</caption><thead><tr><th scope=\"col\">name</th><th scope=\"col\">processes</th></tr></thead><tbody>"
        );
        for it in list {
            let _ = writeln!(
                out,
                "<tr class=\"{}\"><th scope=\"row\">{}{}</th><td>{} of {}</td></tr>",
                word(it.reached, one.processes),
                escaped(&it.name),
                place(it),
                it.reached,
                one.processes
            );
        }
        out.push_str("</tbody></table>\n");
    }
    out.push_str("</div>\n</div>\n</section>\n");
}

/// The automaton with its colours, and the counts in its locations and beside its edges' labels as titles.
fn picture(one: &CoveredTemplate) -> String {
    let mut edges = vec![None; one.drawing.edges.len()];
    // What leads into a branchpoint was taken as often as the most frequent way out of it.
    for (drawn, it) in joined_edges(&one.drawing).iter().zip(&one.edges) {
        for &number in drawn {
            let most: &mut Option<usize> = &mut edges[number];
            *most = (*most).max(Some(it.reached));
        }
    }
    let marks = Marks {
        locations: one
            .locations
            .iter()
            .map(|it| word(it.reached, one.processes).to_owned())
            .collect(),
        edges: edges
            .iter()
            .map(|most| most.map_or(String::new(), |most| word(most, one.processes).to_owned()))
            .collect(),
        counts: one
            .locations
            .iter()
            .map(|it| format!("{} of {} processes", it.reached, one.processes))
            .collect(),
        edge_counts: edges
            .iter()
            .map(|most| {
                most.map_or(String::new(), |most| {
                    format!("{most} of {} processes", one.processes)
                })
            })
            .collect(),
    };
    svg::fragment(&one.drawing, &marks)
}
