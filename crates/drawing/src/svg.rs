//! Drawings as SVG.
//!
//! Elements have classes and numbers (`data-location`, `data-edge`), so that a style sheet or a script can light them. Nothing refers
//! to anything by an id: several drawings may be on one page.

use crate::{BRANCH_RADIUS, Drawing, Edge, End, Kind, LINE, Label, Location, Point, RADIUS};
use std::fmt::Write as _;
use zonewalk_syntax::markup::escaped;

/// The colours of drawings: dark on light, and light on dark where the reader prefers that.
pub const STYLE: &str = include_str!("drawing.css");

/// Around a drawing.
const MARGIN: f64 = 12.0;
/// Distance from the upper edge of a line of text to its baseline.
const BASELINE: f64 = 11.5;
/// Corners of edges that were laid out are this round.
const CORNER: f64 = 10.0;

/// Extra annotations for locations and edges, indexed by number; missing entries mean none.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Further classes of locations.
    pub locations: Vec<String>,
    /// Further classes of edges.
    pub edges: Vec<String>,
    /// Counts of locations, after their names in what a pointer over them shows.
    pub counts: Vec<String>,
    /// Counts for edges.
    pub edge_counts: Vec<String>,
}

/// A whole file that needs nothing else: with the style sheet, and with more of it after that.
pub fn file(drawing: &Drawing, marks: &Marks, more_style: &str) -> String {
    let (bounds, margin) = (&drawing.bounds, 2.0 * MARGIN);
    let (x, y) = (Short(bounds.min.x - MARGIN), Short(bounds.min.y - MARGIN));
    let (width, height) = (Short(bounds.width() + margin), Short(bounds.height() + margin));
    let style = format!(
        "<style>{STYLE}{more_style}</style>\n<rect class=\"sheet\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>\n"
    );
    render(drawing, marks, &style)
}

/// For a page that has the style sheet.
pub fn fragment(drawing: &Drawing, marks: &Marks) -> String {
    render(drawing, marks, "")
}

/// Several drawings below each other, each with its name: a whole file.
pub fn sheet(drawings: &[Drawing]) -> String {
    if let [drawing] = drawings {
        return file(drawing, &Marks::default(), "");
    }
    let (mut width, mut y) = (1.0_f64, 0.0);
    let mut inner = String::new();
    for drawing in drawings {
        let name = escaped(&format!("{}{}", drawing.name, drawing.parameters));
        let _ = writeln!(
            inner,
            "<text class=\"heading\" x=\"{MARGIN}\" y=\"{}\">{name}</text>",
            Short(y + 20.0)
        );
        y += 28.0;
        let own = fragment(drawing, &Marks::default());
        inner.push_str(&own.replacen("<svg ", &format!("<svg y=\"{}\" ", Short(y)), 1));
        width = width.max(drawing.bounds.width() + 2.0 * MARGIN);
        width = width.max(name.chars().count() as f64 * 9.0 + 2.0 * MARGIN);
        y += drawing.bounds.height() + 2.0 * MARGIN;
    }
    let (width, height) = (Short(width), Short(y.max(1.0)));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"automaton\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <style>{STYLE}.automaton .heading{{font-size:15px;font-weight:600}}</style>\n\
         <rect class=\"sheet\" width=\"{width}\" height=\"{height}\"/>\n{inner}</svg>\n"
    )
}

fn render(drawing: &Drawing, marks: &Marks, head: &str) -> String {
    let mut out = String::new();
    let (x, y) = (drawing.bounds.min.x - MARGIN, drawing.bounds.min.y - MARGIN);
    let (width, height) = (
        drawing.bounds.width() + 2.0 * MARGIN,
        drawing.bounds.height() + 2.0 * MARGIN,
    );
    let title = escaped(&format!("{}{}", drawing.name, drawing.parameters));
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"automaton\" viewBox=\"{} {} {} {}\" width=\"{}\" height=\"{}\" role=\"img\" aria-label=\"{title}\">\n{head}",
        Short(x),
        Short(y),
        Short(width),
        Short(height),
        Short(width),
        Short(height),
    );
    for (number, edge) in drawing.edges.iter().enumerate() {
        let marks = (mark(&marks.edges, number), mark(&marks.edge_counts, number));
        draw_edge(&mut out, drawing, number, edge, marks);
    }
    for at in &drawing.branchpoints {
        let _ = writeln!(
            out,
            "<circle class=\"branchpoint\" cx=\"{}\" cy=\"{}\" r=\"{BRANCH_RADIUS}\"/>",
            Short(at.x),
            Short(at.y)
        );
    }
    for (number, location) in drawing.locations.iter().enumerate() {
        let marks = (mark(&marks.locations, number), mark(&marks.counts, number));
        draw_location(&mut out, number, location, marks);
    }
    let _ = writeln!(out, "</svg>");
    out
}

fn mark(marks: &[String], number: usize) -> &str {
    marks.get(number).map_or("", String::as_str)
}

fn draw_location(out: &mut String, number: usize, location: &Location, (mark, count): (&str, &str)) {
    let kind = match location.kind {
        Kind::Normal => "",
        Kind::Urgent => " urgent",
        Kind::Committed => " committed",
        Kind::Universal => " universal",
        Kind::Inconsistent => " inconsistent",
    };
    let initial = if location.is_initial { " initial" } else { "" };
    let space = if mark.is_empty() { "" } else { " " };
    let _ = write!(
        out,
        "<g class=\"location{initial}{kind}{space}{}\" data-location=\"{number}\">",
        escaped(mark)
    );
    title(
        out,
        &[
            &location.title,
            count,
            location.comment.as_deref().unwrap_or_default(),
        ],
    );
    let (x, y) = (Short(location.at.x), Short(location.at.y));
    let fill = location
        .color
        .as_ref()
        .map(|color| format!(" fill=\"{}\"", escaped(color)));
    let fill = fill.unwrap_or_default();
    let _ = write!(
        out,
        "<circle class=\"disc\" cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\"{fill}/>"
    );
    if location.is_initial {
        let _ = write!(
            out,
            "<circle class=\"ring\" cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>",
            RADIUS - 3.0
        );
    }
    let sign = match location.kind {
        Kind::Normal => None,
        Kind::Urgent | Kind::Universal => Some("U"),
        Kind::Committed => Some("C"),
        Kind::Inconsistent => Some("!"),
    };
    if let Some(sign) = sign {
        let _ = write!(
            out,
            "<text class=\"sign\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{sign}</text>",
            Short(location.at.y + 4.0)
        );
    }
    location.labels.iter().for_each(|label| draw_label(out, label));
    out.push_str("</g>\n");
}

fn draw_edge(out: &mut String, drawing: &Drawing, number: usize, edge: &Edge, (mark, count): (&str, &str)) {
    let dashed = if edge.is_dashed { " dashed" } else { "" };
    let space = if mark.is_empty() { "" } else { " " };
    let _ = write!(
        out,
        "<g class=\"edge{dashed}{space}{}\" data-edge=\"{number}\">",
        escaped(mark)
    );
    title(out, &[count, edge.comment.as_deref().unwrap_or_default()]);
    let line = Line::of(drawing, edge);
    let color = edge.color.as_deref().map(escaped);
    let stroke = color
        .as_ref()
        .map(|color| format!(" stroke=\"{color}\""))
        .unwrap_or_default();
    let fill = color
        .as_ref()
        .map(|color| format!(" fill=\"{color}\""))
        .unwrap_or_default();
    let corner = if drawing.is_authored { 0.0 } else { CORNER };
    let _ = write!(out, "<path class=\"line\" d=\"{}\"{stroke}/>", line.path(corner));
    if !matches!(edge.target, End::Branchpoint(_)) {
        let _ = write!(out, "<path class=\"arrow\" d=\"{}\"{fill}/>", line.arrow());
    }
    edge.labels.iter().for_each(|label| draw_label(out, label));
    out.push_str("</g>\n");
}

fn draw_label(out: &mut String, label: &Label) {
    let (x, y) = (Short(label.at.x), label.at.y + BASELINE);
    let _ = write!(
        out,
        "<text class=\"{}\" x=\"{x}\" y=\"{}\">",
        label.kind.word(),
        Short(y)
    );
    match label.lines.as_slice() {
        [line] => out.push_str(&escaped(line)),
        lines => {
            for (i, line) in lines.iter().enumerate() {
                let y = LINE.mul_add(i as f64, y);
                let _ = write!(
                    out,
                    "<tspan x=\"{x}\" y=\"{}\">{}</tspan>",
                    Short(y),
                    escaped(line)
                );
            }
        }
    }
    out.push_str("</text>");
}

/// Writes the tooltip: one line for each part that is not empty.
fn title(out: &mut String, parts: &[&str]) {
    let lines: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    if !lines.is_empty() {
        let _ = write!(out, "<title>{}</title>", escaped(&lines.join("\n")));
    }
}

/// The line of an edge, from the border of its source to that of its target.
struct Line(Vec<Point>);

impl Line {
    fn of(drawing: &Drawing, edge: &Edge) -> Line {
        let mut points = vec![drawing.place(edge.source)];
        points.extend(&edge.nails);
        points.push(drawing.place(edge.target));
        let radius = |end: End| match end {
            End::Location(_) => RADIUS + 1.0,
            End::Branchpoint(_) => BRANCH_RADIUS,
        };
        let last = points.len() - 1;
        let (source, target) = (radius(edge.source), radius(edge.target));
        points[0] = towards(points[0], points[1], source);
        points[last] = towards(points[last], points[last - 1], target);
        Line(points)
    }

    fn path(&self, corner: f64) -> String {
        let points = &self.0;
        let mut path = format!("M{}", At(points[0]));
        for (i, &point) in points.iter().enumerate().skip(1) {
            match points.get(i + 1) {
                Some(&next) if corner > 0.0 => {
                    let before = points[i - 1];
                    let part = |other: Point| corner.min(distance(point, other) / 2.0);
                    let (from, to) = (
                        towards(point, before, part(before)),
                        towards(point, next, part(next)),
                    );
                    let _ = write!(path, "L{}Q{} {}", At(from), At(point), At(to));
                }
                _ => {
                    let _ = write!(path, "L{}", At(point));
                }
            }
        }
        path
    }

    /// A triangle whose tip is the end.
    fn arrow(&self) -> String {
        let [.., before, tip] = self.0.as_slice() else {
            return String::new();
        };
        let back = towards(*tip, *before, 9.0);
        let (dx, dy) = ((tip.x - back.x) / 9.0 * 3.5, (tip.y - back.y) / 9.0 * 3.5);
        format!(
            "M{}L{}L{}Z",
            At(*tip),
            At(Point::new(back.x - dy, back.y + dx)),
            At(Point::new(back.x + dy, back.y - dx))
        )
    }
}

fn distance(a: Point, b: Point) -> f64 {
    (a.x - b.x).hypot(a.y - b.y)
}

/// Moves a point towards another one by the given distance.
fn towards(from: Point, to: Point, by: f64) -> Point {
    let length = distance(from, to);
    if length < 1e-9 {
        return Point::new(from.x, from.y + by);
    }
    Point::new(
        (to.x - from.x).mul_add(by / length, from.x),
        (to.y - from.y).mul_add(by / length, from.y),
    )
}

/// A number with at most one digit after the point.
struct Short(f64);

impl std::fmt::Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tenths = (self.0 * 10.0).round() / 10.0;
        // No minus before a zero.
        let tenths = if tenths == 0.0 { 0.0 } else { tenths };
        write!(f, "{tenths}")
    }
}

struct At(Point);

impl std::fmt::Display for At {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", Short(self.0.x), Short(self.0.y))
    }
}
