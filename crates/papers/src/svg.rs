//! Plots as SVG, written by hand: a frame, ticks, lines or dots, a legend.

use crate::output::Error;
use std::fmt::Write as _;
use std::path::Path;
use zonewalk_syntax::markup::escaped;

/// A plot.
pub(super) struct Chart {
    pub(super) title: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) series: Vec<Series>,
}

/// A direction.
pub(super) struct Axis {
    pub(super) label: &'static str,
    /// Whether it is logarithmic. Requires: all values are positive.
    pub(super) is_log: bool,
}

/// Points that belong together.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
    /// Whether a line connects them.
    pub(super) is_line: bool,
}

const SIZE: (f64, f64) = (760.0, 440.0);
/// Left, top, right and bottom of the frame.
const FRAME: (f64, f64, f64, f64) = (70.0, 40.0, 580.0, 390.0);
/// Colours that people with any kind of sight can tell apart (Okabe and Ito).
const COLOURS: [&str; 8] = [
    "#000000", "#E69F00", "#56B4E9", "#009E73", "#D55E00", "#0072B2", "#CC79A7", "#999999",
];

/// A direction with its values laid out.
struct Scale {
    low: f64,
    high: f64,
    is_log: bool,
    from: f64,
    to: f64,
    ticks: Vec<f64>,
}

impl Scale {
    fn new(axis: &Axis, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| {
            (l.min(v), h.max(v))
        });
        let (low, high) = match (low > high, axis.is_log) {
            (false, _) => (low, high),
            (true, true) => (1.0, 10.0),
            (true, false) => (0.0, 1.0),
        };
        let (low, high, ticks) = if axis.is_log {
            let (low, high) = (
                low.log10().floor(),
                (high.log10()).ceil().max(low.log10().floor() + 1.0),
            );
            let decades = (0..=(high - low) as i32).map(|i| 10f64.powf(low + f64::from(i)));
            (low, high, decades.collect())
        } else {
            let step = step(high - low.min(0.0));
            let (first, last) = ((low.min(0.0) / step).floor(), (high / step).ceil().max(1.0));
            let ticks = (0..=(last - first) as i32).map(|i| (first + f64::from(i)) * step);
            (first * step, last * step, ticks.collect())
        };
        Scale {
            low,
            high,
            is_log: axis.is_log,
            from,
            to,
            ticks,
        }
    }

    fn place(&self, value: f64) -> f64 {
        let value = if self.is_log { value.log10() } else { value };
        self.from + (self.to - self.from) * (value - self.low) / (self.high - self.low)
    }
}

/// A round step that divides a range into about five.
fn step(range: f64) -> f64 {
    let rough = (range / 5.0).max(1e-9);
    let decade = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|f| f * decade >= rough);
    factor.unwrap_or(10.0) * decade
}

impl Chart {
    /// Writes the file into a folder, which is made if need be.
    pub(super) fn write(&self, folder: &Path, name: &str) -> Result<(), Error> {
        let file = folder.join(format!("{name}.svg"));
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&file, self.render()))
            .map_err(|error| Error::new(format_args!("cannot write {}: {error}", file.display())))
    }

    /// The whole file.
    pub(super) fn render(&self) -> String {
        let (left, top, right, bottom) = FRAME;
        let points = || self.series.iter().flat_map(|series| &series.points);
        let x = Scale::new(&self.x, points().map(|p| p.0), left, right);
        let y = Scale::new(&self.y, points().map(|p| p.1), bottom, top);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
            SIZE.0, SIZE.1
        );
        text(&mut out, (left, top - 16.0), "start", &self.title);
        for &tick in &x.ticks {
            let at = x.place(tick);
            rule(&mut out, (at, top), (at, bottom));
            text(&mut out, (at, bottom + 16.0), "middle", &number(tick));
        }
        for &tick in &y.ticks {
            let at = y.place(tick);
            rule(&mut out, (left, at), (right, at));
            text(&mut out, (left - 6.0, at + 4.0), "end", &number(tick));
        }
        text(
            &mut out,
            ((left + right) / 2.0, bottom + 36.0),
            "middle",
            self.x.label,
        );
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "<text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            (top + bottom) / 2.0,
            escaped(self.y.label)
        );
        for (index, series) in self.series.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            draw(&mut out, series, colour, &x, &y);
            let at = top + 14.0 + 18.0 * index as f64;
            mark(&mut out, (right + 16.0, at - 4.0), colour);
            text(&mut out, (right + 26.0, at), "start", &series.name);
        }
        out.push_str("</svg>\n");
        out
    }
}

fn draw(out: &mut String, series: &Series, colour: &str, x: &Scale, y: &Scale) {
    let place = |&(a, b): &(f64, f64)| (x.place(a), y.place(b));
    if !series.is_line {
        for point in &series.points {
            mark(out, place(point), colour);
        }
        return;
    }
    let points: Vec<_> = series
        .points
        .iter()
        .map(|point| {
            let (a, b) = place(point);
            format!("{a:.1},{b:.1}")
        })
        .collect();
    let _ = writeln!(
        out,
        "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\" points=\"{}\"/>",
        points.join(" ")
    );
}

fn mark(out: &mut String, (x, y): (f64, f64), colour: &str) {
    let _ = writeln!(
        out,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>"
    );
}

fn rule(out: &mut String, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
    let _ = writeln!(
        out,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#dddddd\"/>"
    );
}

fn text(out: &mut String, (x, y): (f64, f64), anchor: &str, words: &str) {
    let words = escaped(words);
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>"
    );
}

fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    match text.split_once('.') {
        Some((whole, "00")) => whole.to_owned(),
        _ => text.trim_end_matches('0').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_where_they_belong() {
        let axis = |is_log| Axis {
            label: "a < b",
            is_log,
        };
        let chart = |is_log, points: Vec<(f64, f64)>, is_line| Chart {
            title: "title".to_owned(),
            x: axis(is_log),
            y: axis(false),
            series: vec![Series {
                name: "one & two".to_owned(),
                points,
                is_line,
            }],
        };
        let lines = chart(false, vec![(0.0, 0.0), (50.0, 1.0)], true).render();
        assert!(lines.contains("points=\"70.0,390.0 580.0,40.0\""), "{lines}");
        assert!(lines.contains("one &amp; two") && lines.contains("a &lt; b"));
        // A decade is as wide as any other.
        let dots = chart(true, vec![(1.0, 0.0), (10.0, 0.5), (100.0, 1.0)], false).render();
        assert!(dots.contains("<circle cx=\"325.0\" cy=\"215.0\""), "{dots}");
        for is_log in [false, true] {
            assert!(chart(is_log, Vec::new(), true).render().ends_with("</svg>\n"));
        }
    }

    #[test]
    fn steps_are_round() {
        assert_eq!([5.0, 50.0, 7.0, 1.0].map(step), [1.0, 10.0, 2.0, 0.2]);
        assert_eq!([0.2, 10.0, 0.25].map(number), ["0.2", "10", "0.25"]);
    }
}
