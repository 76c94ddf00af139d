//! Sequence charts as SVG.

use super::{Event, Sequence};
use crate::escape::{STYLE, Short, cut};
use std::fmt::Write as _;
use zonewalk_syntax::markup::escaped;

/// Distance between consecutive events.
const ROW: f64 = 34.0;
const TOP: f64 = 54.0;
const LEFT: f64 = 110.0;
/// Characters of a name that are drawn.
const NAME: usize = 28;

impl Sequence {
    /// A whole file.
    pub fn to_svg(&self) -> String {
        let longest = self
            .lifelines
            .iter()
            .map(|life| life.name.chars().count().min(NAME))
            .chain(
                self.events
                    .iter()
                    .map(|event| event.channel.as_ref().map_or(0, |c| c.chars().count().min(NAME))),
            )
            .chain(
                self.events
                    .iter()
                    .flat_map(|event| event.moves.iter().map(|(_, to)| to.chars().count().min(NAME))),
            )
            .max()
            .unwrap_or(0);
        let column = (longest as f64 * 7.2 + 26.0).clamp(90.0, 240.0);
        let picture = Picture { column };
        let notes = self.notes.len() as f64 * 16.0;
        let width = LEFT + column * self.lifelines.len().max(1) as f64 + 20.0;
        let bottom = TOP + ROW * self.events.len() as f64 + 14.0;
        let height = bottom + notes + 12.0;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\">\n\
             <title>Sequence chart</title>\n<style>{STYLE}</style>\n<rect class=\"sheet\" width=\"{w}\" height=\"{h}\"/>\n\
             <text class=\"faint\" x=\"8\" y=\"20\">step</text><text class=\"faint\" x=\"56\" y=\"20\">time</text>\n",
            w = Short(width),
            h = Short(height),
        );
        for (index, life) in self.lifelines.iter().enumerate() {
            let x = picture.x(index);
            let _ = writeln!(
                out,
                "<line class=\"life\" x1=\"{x}\" y1=\"44\" x2=\"{x}\" y2=\"{}\"/>\
                 <text class=\"head\" x=\"{x}\" y=\"20\" text-anchor=\"middle\">{}</text>\
                 <text class=\"faint\" x=\"{x}\" y=\"36\" text-anchor=\"middle\">{}</text>",
                Short(bottom),
                escaped(&cut(&life.name, NAME)),
                escaped(&cut(&life.location, NAME)),
                x = Short(x),
            );
        }
        for (row, event) in self.events.iter().enumerate() {
            picture.event(&mut out, TOP + ROW * row as f64 + 8.0, event);
        }
        if let Some((first, last)) = self.cycle {
            let rows: Vec<usize> = (0..self.events.len())
                .filter(|&row| (first..=last).contains(&self.events[row].step))
                .collect();
            if let (Some(&begin), Some(&end)) = (rows.first(), rows.last()) {
                let (y1, y2) = (TOP + ROW * begin as f64 - 6.0, TOP + ROW * end as f64 + 24.0);
                let _ = writeln!(
                    out,
                    "<path class=\"cycle\" d=\"M6 {y1}H3V{y2}H6\"><title>steps {first} to {last} again and again</title></path>",
                    y1 = Short(y1),
                    y2 = Short(y2),
                );
            }
        }
        for (index, note) in self.notes.iter().enumerate() {
            let y = Short(bottom + 16.0 * (index + 1) as f64);
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

struct Picture {
    column: f64,
}

impl Picture {
    fn x(&self, lifeline: usize) -> f64 {
        LEFT + self.column * (lifeline as f64 + 0.5)
    }

    fn event(&self, out: &mut String, y: f64, event: &Event) {
        let _ = write!(
            out,
            "<g><text class=\"faint\" x=\"8\" y=\"{ty}\">{}</text><text x=\"56\" y=\"{ty}\">{}</text>",
            event.step,
            escaped(&cut(&event.time.to_string(), 12)),
            ty = Short(y + 4.0),
        );
        let Some(((first, _), others)) = event.moves.split_first() else {
            out.push_str("</g>\n");
            return;
        };
        let from = self.x(*first);
        for (lifeline, _) in others {
            let to = self.x(*lifeline);
            let side = if to < from { 1.0 } else { -1.0 };
            let _ = write!(
                out,
                "<path class=\"message\" d=\"M{} {y}H{}\"/><path class=\"tip\" d=\"M{} {y}l{} -4v8z\"/>",
                Short(from),
                Short(to + side * 6.0),
                Short(to),
                Short(side * 8.0),
                y = Short(y),
            );
        }
        let _ = write!(
            out,
            "<circle class=\"dot\" cx=\"{}\" cy=\"{}\" r=\"3.2\"/>",
            Short(from),
            Short(y)
        );
        let label = match (&event.channel, event.hidden) {
            (Some(channel), 0) => channel.clone(),
            (Some(channel), hidden) => format!("{channel} (+{hidden})"),
            (None, 0) => String::new(),
            (None, hidden) => format!("(+{hidden})"),
        };
        if !label.is_empty() {
            let nearest = others.iter().map(|(lifeline, _)| self.x(*lifeline));
            let end = nearest.min_by(|a, b| (a - from).abs().total_cmp(&(b - from).abs()));
            let x = end.map_or(from, |end| f64::midpoint(from, end));
            let _ = write!(
                out,
                "<text class=\"channel\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                Short(x),
                Short(y - 5.0),
                escaped(&cut(&label, NAME + 8)),
            );
        }
        for (lifeline, location) in &event.moves {
            let _ = write!(
                out,
                "<text class=\"faint\" x=\"{}\" y=\"{}\">{}</text>",
                Short(self.x(*lifeline) + 5.0),
                Short(y + 15.0),
                escaped(&cut(location, NAME)),
            );
        }
        out.push_str("</g>\n");
    }
}
