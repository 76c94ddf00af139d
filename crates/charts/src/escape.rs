//! Names in pictures and on terminals.

use std::fmt;

/// With control characters made visible, cut to a number of columns.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    let visible = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut chars: Vec<char> = text.chars().map(visible).take(columns + 1).collect();
    if chars.len() > columns {
        chars.truncate(columns);
        if let Some(last) = chars.last_mut() {
            *last = '…';
        }
    }
    chars.into_iter().collect()
}

/// A coordinate with at most one digit after the point.
pub(crate) struct Short(pub(crate) f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = (self.0 * 10.0).round() / 10.0;
        write!(f, "{}", if rounded == 0.0 { 0.0 } else { rounded })
    }
}

/// Styles shared by all pictures: light by default, dark if the reader prefers dark, and always light on paper.
pub(crate) const STYLE: &str = "\
.chart{--ink:#1c2430;--paper:#ffffff;--faint:#5c6878;--accent:#00647a;--goal:#8c1d18;\
font:12px/15px system-ui,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif}\
@media (prefers-color-scheme:dark){.chart{--ink:#d7dde6;--paper:#14181f;--faint:#8d98a8;--accent:#6fd3ea;--goal:#ff9d92}}\
@media print{.chart{--ink:#000;--paper:#fff;--faint:#666;--accent:#00647a;--goal:#8c1d18}}\
.chart text{fill:var(--ink)}.chart .faint{fill:var(--faint)}.chart .head{font-weight:600}\
.chart .sheet{fill:var(--paper)}.chart .life{stroke:var(--faint);stroke-width:1;stroke-dasharray:3 3}\
.chart .message{stroke:var(--accent);stroke-width:1.4;fill:none}.chart .tip{fill:var(--accent)}\
.chart .channel{fill:var(--accent)}.chart .dot{fill:var(--ink)}.chart .cycle{stroke:var(--goal);stroke-width:1.4;fill:none}\
.chart .axis{stroke:var(--faint);stroke-width:1}.chart .bar{stroke:var(--paper);stroke-width:.6}\
.chart .inside{fill:#14181f;stroke:none}";
