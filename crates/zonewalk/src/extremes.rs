//! `sup`, `inf` and `bounds`.

use crate::control::Control;
use crate::options::Options;
use crate::outcome::{Outcome, Report, Stats, Times};
use crate::quest::bounds;
use crate::search::Search;
use crate::task::{Asked, Checker};
use crate::zones::reason;
use std::time::Instant;
use zonewalk_model::tree::Extremum;
use zonewalk_search::Limits;
use zonewalk_symbolic::extremes::{Endpoint, Extent, Interval, Wish, extremes};

impl Checker<'_, '_> {
    /// Finds the extremes that a query asks for; `None` for any other.
    pub(crate) fn check_extremes(
        &self,
        asked: &Asked<'_>,
        by: Search,
        options: &Options,
        control: &Control,
    ) -> Option<Report> {
        let Asked::Extremes {
            kind,
            condition,
            measures,
            exprs,
        } = asked
        else {
            return None;
        };
        let plan = match &self.zones {
            Ok(plan) => plan,
            Err(stop) => return Some(self.no_zones(stop, by)),
        };
        let wish = match kind {
            Extremum::Sup => Wish::Highest,
            Extremum::Inf => Wish::Lowest,
            Extremum::Bounds => Wish::All,
        };
        let start = Instant::now();
        let ask = control.stop_rule(by, options);
        let limits = Limits {
            stop: Some(&ask),
            ..bounds(&options.zones, by)
        };
        let condition = condition.as_ref().map(|state| &state.predicate);
        let found = extremes(plan, condition, measures, wish, &limits);
        let times = Times {
            search: start.elapsed(),
            ..Times::default()
        };
        let mut stats = Stats::default();
        let outcome = match found {
            Err(fault) => self.fault_behind(plan, &fault.path, &fault.stop, options),
            Ok(found) => {
                stats.count(&found.statistics);
                match found.limit {
                    Some(limit) => Outcome::Undecided(reason(limit, stats, control)),
                    None => self.no_initial_state().unwrap_or_else(|| Outcome::Values {
                        values: exprs
                            .iter()
                            .zip(&found.extents)
                            .map(|(expr, extent)| (self.text_of(expr), render(extent, wish)))
                            .collect(),
                        is_certain: !plan.is_approximate() && found.extents.iter().all(|e| e.is_certain),
                    }),
                }
            }
        };
        Some(Report {
            others: Vec::new(),
            outcome,
            search: by.name(),
            stats,
            times,
        })
    }

    /// An expression as it was written.
    fn text_of(&self, expr: &zonewalk_model::tree::Expr) -> String {
        let sources = &self.task.interpreter.model().sources;
        let written = sources.slice(expr.span);
        written.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// `8`, `< 8` or `no bound` for an extreme; `[0, 3], [5, 8)` for all values.
fn render(extent: &Extent, wish: Wish) -> String {
    let lowest = |end: Endpoint| match end.is_attained {
        true => end.value.to_string(),
        false => format!("> {}", end.value),
    };
    let highest = |end: Option<Endpoint>| match end {
        None => "no bound".to_owned(),
        Some(end) if end.is_attained => end.value.to_string(),
        Some(end) => format!("< {}", end.value),
    };
    let none = || "no state fulfils the condition".to_owned();
    match wish {
        Wish::Lowest => extent.lowest().map_or_else(none, lowest),
        Wish::Highest => extent.highest().map_or_else(none, highest),
        Wish::All if extent.intervals.is_empty() => none(),
        Wish::All => {
            let parts: Vec<_> = extent.intervals.iter().map(interval).collect();
            parts.join(", ")
        }
    }
}

fn interval(interval: &Interval) -> String {
    let Interval { low, high } = interval;
    if high.is_some_and(|high| high.value == low.value && high.is_attained && low.is_attained) {
        return low.value.to_string();
    }
    let open = if low.is_attained { '[' } else { '(' };
    match high {
        None => format!("{open}{}, no bound)", low.value),
        Some(high) => {
            let close = if high.is_attained { ']' } else { ')' };
            format!("{open}{}, {}{close}", low.value, high.value)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_and_gaps_are_told() {
        let end = |value, is_attained| Endpoint { value, is_attained };
        let extent = Extent {
            intervals: vec![
                Interval {
                    low: end(0, true),
                    high: Some(end(0, true)),
                },
                Interval {
                    low: end(2, false),
                    high: Some(end(8, false)),
                },
                Interval {
                    low: end(9, true),
                    high: None,
                },
            ],
            has_gaps: false,
            is_certain: true,
        };
        assert_eq!(render(&extent, Wish::All), "0, (2, 8), [9, no bound)");
        assert_eq!(render(&extent, Wish::Lowest), "0");
        assert_eq!(render(&extent, Wish::Highest), "no bound");
    }
}
