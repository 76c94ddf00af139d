//! Estimates as drawings.

use super::csv::rows;
use super::{Estimate, Kind, six};
use std::fmt::Write as _;
use zonewalk_syntax::markup::escaped;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 50.0;

/// Columns of the drawing; curves have no more than four points in each.
const COLUMNS: usize = (WIDTH - LEFT - RIGHT) as usize;

const COLOURS: [&str; 8] = [
    "#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf", "#7f7f7f",
];

/// The curves of a simulation, or the probability over what the bound counts with its band; `None` where there is nothing to
/// draw.
pub fn svg(estimate: &Estimate, title: &str) -> Option<String> {
    if !estimate.series.is_empty() {
        return Some(curves(estimate, title));
    }
    match estimate.kind {
        Kind::Expectation => columns(estimate, title),
        _ => cumulative(estimate, title),
    }
}

/// A drawing with axes.
struct Drawing {
    text: String,
    x: (f64, f64),
    y: (f64, f64),
}

impl Drawing {
    fn new(title: &str, x: (f64, f64), y: (f64, f64), names: (&str, &str)) -> Drawing {
        let wide = |(a, b): (f64, f64)| if b > a { (a, b) } else { (a - 0.5, a + 0.5) };
        // Values begin and end at a mark.
        let (low, high) = wide(y);
        let step = step_of((low, high));
        let y = ((low / step).floor() * step, (high / step).ceil() * step);
        let mut drawing = Drawing {
            text: format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
                 <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
                 <text x=\"{LEFT}\" y=\"18\">{}</text>\n",
                escaped(title)
            ),
            x: wide(x),
            y: wide(y),
        };
        drawing.axes(names);
        drawing
    }

    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let part = |v: f64, (a, b): (f64, f64)| (v - a) / (b - a);
        (
            LEFT + part(x, self.x) * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM - part(y, self.y) * (HEIGHT - TOP - BOTTOM),
        )
    }

    fn axes(&mut self, (x_name, y_name): (&str, &str)) {
        let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        for vx in marks(self.x) {
            let (px, _) = self.at(vx, self.y.0);
            let _ = writeln!(
                self.text,
                "<path d=\"M{px:.1} {bottom}v4\" stroke=\"black\"/><text x=\"{px:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                bottom + 16.0,
                six(vx),
            );
        }
        for vy in marks(self.y) {
            let (_, py) = self.at(self.x.0, vy);
            let _ = writeln!(
                self.text,
                "<path d=\"M{LEFT} {py:.1}H{right}\" stroke=\"#dddddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                py + 4.0,
                six(vy)
            );
        }
        let _ = writeln!(
            self.text,
            "<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"black\"/>"
        );
        let _ = writeln!(
            self.text,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text><text x=\"14\" y=\"{:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {:.1})\">{}</text>",
            (LEFT + right) / 2.0,
            HEIGHT - 12.0,
            escaped(x_name),
            (TOP + bottom) / 2.0,
            (TOP + bottom) / 2.0,
            escaped(y_name)
        );
    }

    fn line(&mut self, points: &[(f64, f64)], colour: &str) {
        let placed: Vec<(f64, f64)> = points.iter().map(|p| self.at(p.0, p.1)).collect();
        let list: Vec<String> = thinned(&placed)
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        let _ = writeln!(
            self.text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.2\"/>",
            list.join(" ")
        );
    }

    fn area(&mut self, upper: &[(f64, f64)], lower: &[(f64, f64)]) {
        let points = upper.iter().chain(lower.iter().rev()).map(|p| self.at(p.0, p.1));
        let list: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            self.text,
            "<polygon points=\"{}\" fill=\"#1f77b4\" fill-opacity=\"0.2\"/>",
            list.join(" ")
        );
    }

    fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

/// The distance of marks on an axis: 1, 2 or 5 times a power of ten, so that there are four to ten of them.
fn step_of((from, to): (f64, f64)) -> f64 {
    let rough = (to - from) / 9.0;
    let power = 10f64.powf(rough.log10().floor());
    let fits = [1.0, 2.0, 5.0].into_iter().find(|times| times * power >= rough);
    power * fits.unwrap_or(10.0)
}

/// The marks of an axis.
fn marks(of: (f64, f64)) -> Vec<f64> {
    let step = step_of(of);
    let (first, last) = ((of.0 / step - 1e-9).ceil(), (of.1 / step + 1e-9).floor());
    // There are at most ten.
    let count = (last - first) as u32;
    // A sum of small parts would not be 0 where it should be.
    (0..=count).map(|i| (first + f64::from(i)) * step + 0.0).collect()
}

/// Keeps the first, last, highest and lowest point of each column of the drawing.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if points.len() <= 4 * COLUMNS {
        return points.to_vec();
    }
    let mut kept = Vec::with_capacity(4 * COLUMNS);
    for column in points.chunk_by(|a, b| a.0.floor() == b.0.floor()) {
        let by_y = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let extremes = [column.iter().min_by(by_y), column.iter().max_by(by_y)];
        let mut chosen: Vec<(f64, f64)> = [column.first(), extremes[0], extremes[1], column.last()]
            .into_iter()
            .flatten()
            .copied()
            .collect();
        chosen.dedup();
        kept.append(&mut chosen);
    }
    kept
}

fn axis(estimate: &Estimate) -> String {
    match estimate.bound.over.as_str() {
        "time" => "time".to_owned(),
        "steps" => "transitions".to_owned(),
        clock => clock.to_owned(),
    }
}

fn curves(estimate: &Estimate, title: &str) -> String {
    let points = || estimate.series.iter().flat_map(|s| &s.points);
    let span = |of: fn(&(f64, f64)) -> f64| {
        let least = points().map(of).reduce(f64::min).unwrap_or(0.0);
        (least, points().map(of).reduce(f64::max).unwrap_or(1.0))
    };
    let mut drawing = Drawing::new(title, span(|p| p.0), span(|p| p.1), (&axis(estimate), "value"));
    let mut names: Vec<&str> = Vec::new();
    for series in &estimate.series {
        let name = series.expression.as_str();
        let index = names.iter().position(|n| *n == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        drawing.line(&series.points, COLOURS[index % COLOURS.len()]);
    }
    for (index, name) in names.iter().enumerate().take(20) {
        let _ = writeln!(
            drawing.text,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{}\" stroke=\"white\" stroke-width=\"4\" paint-order=\"stroke\">{}</text>",
            WIDTH - RIGHT - 4.0,
            TOP + 14.0 * (index + 1) as f64,
            COLOURS[index % COLOURS.len()],
            escaped(name)
        );
    }
    drawing.finish()
}

/// The probability up to each value of what the bound counts, with the interval of that probability.
fn cumulative(estimate: &Estimate, title: &str) -> Option<String> {
    let histogram = estimate.histogram.as_ref()?;
    let (mut middle, mut upper, mut lower) = (vec![(0.0, 0.0)], vec![(0.0, 0.0)], vec![(0.0, 0.0)]);
    let band = histogram.band.iter().map(Some).chain(std::iter::repeat(None));
    for ([_, to, _, _, _, share], interval) in rows(histogram, estimate).into_iter().zip(band) {
        let [low, high] = interval.copied().unwrap_or([share, share]);
        middle.push((to, share));
        upper.push((to, high));
        lower.push((to, low));
    }
    let end = estimate.bound.limit;
    for list in [&mut middle, &mut upper, &mut lower] {
        if let Some(&(x, y)) = list.last()
            && x < end
        {
            list.push((end, y));
        }
    }
    let top = upper.iter().map(|p| p.1).fold(0.0, f64::max);
    let names = (axis(estimate), format!("probability of {}", histogram.of));
    let mut drawing = Drawing::new(title, (0.0, end), (0.0, top), (&names.0, &names.1));
    drawing.area(&upper, &lower);
    drawing.line(&middle, COLOURS[0]);
    Some(drawing.finish())
}

fn columns(estimate: &Estimate, title: &str) -> Option<String> {
    let histogram = estimate.histogram.as_ref()?;
    let most = histogram.counts.iter().copied().max().unwrap_or(1) as f64;
    let end = histogram.from + histogram.width * histogram.counts.len() as f64;
    let mut drawing = Drawing::new(title, (histogram.from, end), (0.0, most), ("value", "runs"));
    for [from, to, count, ..] in rows(histogram, estimate) {
        let ((left, top), (right, bottom)) = (drawing.at(from, count), drawing.at(to, 0.0));
        let _ = writeln!(
            drawing.text,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#1f77b4\" stroke=\"white\"/>",
            right - left,
            bottom - top
        );
    }
    Some(drawing.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_numbers() {
        let text = |of| marks(of).into_iter().map(six).collect::<Vec<_>>().join(" ");
        assert_eq!(text((0.0, 100.0)), "0 20 40 60 80 100");
        assert_eq!(text((0.0, 0.896)), "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8");
        assert_eq!(text((-1.2, 3.0)), "-1 -0.5 0 0.5 1 1.5 2 2.5 3");
        assert_eq!(text((4.0, 6.0)), "4 4.5 5 5.5 6");
        assert_eq!(
            text((0.0, 9e8)),
            "0 1e+08 2e+08 3e+08 4e+08 5e+08 6e+08 7e+08 8e+08 9e+08"
        );
    }

    #[test]
    fn long_curves_are_thinned_to_columns() {
        let points: Vec<(f64, f64)> = (0..100_000)
            .map(|i| (f64::from(i) * 0.006, f64::from(i % 97)))
            .collect();
        let thin = thinned(&points);
        assert!(thin.len() <= 4 * COLUMNS, "{}", thin.len());
        assert!(thin.iter().any(|p| p.1 == 96.0) && thin.iter().any(|p| p.1 == 0.0));
        assert_eq!((thin.first(), thin.last()), (points.first(), points.last()));
    }
}
