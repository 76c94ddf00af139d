//! Gantt charts as SVG.

use super::{Axis, Bar, Gantt, Row, number, ticks};
use crate::escape::{STYLE, Short, cut};
use std::fmt::Write as _;
use zonewalk_syntax::markup::escaped;

const ROW: f64 = 24.0;
const TOP: f64 = 10.0;
/// Width of the span from the first to the last moment, in pixels.
const WIDTH: f64 = 960.0;
/// Characters of a name that are drawn.
const NAME: usize = 28;
/// Colours that ink is readable on, in light and dark.
const COLOURS: [&str; 12] = [
    "#8fb8de", "#f2b97f", "#9fd3a0", "#e8a3a3", "#c3b0e0", "#d9c58f", "#8fd0cf", "#eab4d6", "#b9c4a0",
    "#a9b7c9", "#f0d58a", "#c9a48c",
];

impl Gantt {
    /// A whole file. Stretches that are too narrow to be seen are drawn as one.
    pub fn to_svg(&self) -> String {
        let longest = self
            .rows
            .iter()
            .map(|row| row.name.chars().count().min(NAME))
            .max();
        let left = longest.unwrap_or(0) as f64 * 7.2 + 20.0;
        let bottom = TOP + ROW * self.rows.len() as f64;
        // Names of locations that are entered at the end follow it.
        let behind = self.rows.iter().filter_map(|row| self.at_the_end(row));
        let behind = behind.map(|bar| bar.label.chars().count().min(NAME)).max();
        let width = left + WIDTH + behind.map_or(40.0, |letters| (letters as f64 * 7.2 + 20.0).max(40.0));
        let height = bottom + 36.0 + self.notes.len() as f64 * 16.0;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\">\n\
             <title>Gantt chart</title>\n<style>{STYLE}</style>\n<rect class=\"sheet\" width=\"{w}\" height=\"{h}\"/>\n",
            w = Short(width),
            h = Short(height),
        );
        let (begin, end) = self.span;
        let scale = if end > begin { WIDTH / (end - begin) } else { 0.0 };
        let x = |at: f64| left + (at - begin) * scale;
        for tick in ticks(self.span, 10) {
            let _ = writeln!(
                out,
                "<line class=\"axis\" x1=\"{x}\" y1=\"{TOP}\" x2=\"{x}\" y2=\"{}\"/>\
                 <text class=\"faint\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                Short(bottom + 4.0),
                Short(bottom + 18.0),
                number(tick),
                x = Short(x(tick)),
            );
        }
        let axis = match self.axis {
            Axis::Time => "time",
            Axis::Steps => "step",
        };
        let _ = writeln!(
            out,
            "<text class=\"faint\" x=\"8\" y=\"{}\">{axis}</text>",
            Short(bottom + 18.0)
        );
        for (index, row) in self.rows.iter().enumerate() {
            let y = TOP + ROW * index as f64;
            let _ = writeln!(
                out,
                "<text class=\"head\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
                Short(left - 8.0),
                Short(y + 16.0),
                escaped(&cut(&row.name, NAME)),
            );
            let mut drawn = f64::NEG_INFINITY;
            for bar in &row.bars {
                let (from, to) = (x(bar.from), x(bar.to));
                if self.at_the_end(row) == Some(bar) {
                    entered(&mut out, bar, (from, y), axis);
                    continue;
                }
                // What no reader can tell apart is left out.
                if to < drawn + 0.4 {
                    continue;
                }
                drawn = to;
                draw(&mut out, bar, (from, to, y), axis);
            }
        }
        if let Some(from) = self.cycle {
            let _ = writeln!(
                out,
                "<path class=\"cycle\" d=\"M{x} {TOP}V{}\"><title>from {axis} {} on again and again</title></path>",
                Short(bottom + 4.0),
                number(from),
                x = Short(x(from)),
            );
        }
        for (index, note) in self.notes.iter().enumerate() {
            let y = Short(bottom + 34.0 + 16.0 * index as f64);
            let _ = writeln!(
                out,
                "<text class=\"faint\" x=\"8\" y=\"{y}\">{}</text>",
                escaped(note)
            );
        }
        out.push_str("</svg>\n");
        out
    }
}

impl Gantt {
    /// The bar of a location that is entered when the chart ends, and has no width therefore.
    fn at_the_end<'r>(&self, row: &'r Row) -> Option<&'r Bar> {
        let (begin, end) = self.span;
        let last = row.bars.last()?;
        (end > begin && last.from >= end).then_some(last)
    }
}

/// A location that is entered at the end.
fn entered(out: &mut String, bar: &Bar, (x, y): (f64, f64), axis: &str) {
    let _ = writeln!(
        out,
        "<g><title>{label}, from {axis} {} on</title><rect class=\"bar\" x=\"{}\" y=\"{}\" width=\"4\" height=\"18\" fill=\"{}\"/>\
         <text x=\"{}\" y=\"{}\">{}</text></g>",
        number(bar.from),
        Short(x),
        Short(y + 3.0),
        COLOURS[bar.colour % COLOURS.len()],
        Short(x + 8.0),
        Short(y + 16.0),
        escaped(&cut(&bar.label, NAME)),
        label = escaped(&bar.label),
    );
}

fn draw(out: &mut String, bar: &Bar, (from, to, y): (f64, f64, f64), axis: &str) {
    let width = (to - from).max(1.0);
    let _ = write!(
        out,
        "<g><title>{}, {axis} {} to {}</title><rect class=\"bar\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"18\" fill=\"{}\"/>",
        escaped(&bar.label),
        number(bar.from),
        number(bar.to),
        Short(from),
        Short(y + 3.0),
        Short(width),
        COLOURS[bar.colour % COLOURS.len()],
    );
    let fitting = ((width - 6.0) / 7.2).max(0.0) as usize;
    if fitting >= 2 || bar.label.chars().count() <= fitting {
        let _ = write!(
            out,
            "<text class=\"inside\" x=\"{}\" y=\"{}\">{}</text>",
            Short(from + 4.0),
            Short(y + 16.0),
            escaped(&cut(&bar.label, fitting)),
        );
    }
    out.push_str("</g>\n");
}
