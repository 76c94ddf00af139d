//! Measurements beside a column of the paper.

use super::lengths;
use super::paper::Table;
use crate::columns;
use crate::config::Config;
use zonewalk_checker::{Schedule, Search, TraceKind};

/// One of our columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    /// Its place in the paper's table.
    pub(super) place: usize,
    pub(super) title: String,
    /// `None` for what zonewalk does not have.
    pub(super) method: Option<Method>,
}

/// How a cell is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Method {
    pub(super) search: Search,
    pub(super) schedule: Schedule,
    /// Walks end at this time of the model.
    pub(super) time_bound: Option<u64>,
    pub(super) trace: TraceKind,
    /// Whether what was found is made shorter.
    pub(super) shrinks: bool,
}

/// A cycle of the Herschel-Planck models in microseconds.
const CYCLE: u64 = 250_000;

impl Method {
    fn new(search: Search, schedule: Schedule) -> Self {
        Method {
            search,
            schedule,
            time_bound: None,
            trace: TraceKind::None,
            shrinks: true,
        }
    }

    /// That which a name of the paper stands for.
    pub(super) fn of(name: &str) -> Option<Method> {
        let cycles = name
            .strip_prefix("SMC(")
            .and_then(|rest| rest.strip_suffix(')'))
            .and_then(|cycles| cycles.parse::<u64>().ok());
        if let Some(cycles) = cycles {
            return Some(Method {
                time_bound: Some(cycles * CYCLE),
                ..Method::new(Search::Smc, Schedule::Tuned)
            });
        }
        let search: Search = name.to_lowercase().parse().ok()?;
        // A schedule of the paper is for its own walks.
        let schedule = if search.is_of_fmics() {
            Schedule::Paper
        } else {
            Schedule::Tuned
        };
        Some(Method::new(search, schedule))
    }

    /// RET-S: shorter and shorter traces until the time is over.
    pub(super) fn shortest() -> Method {
        Method {
            trace: TraceKind::Shortest,
            shrinks: false,
            ..Method::new(Search::Ret, Schedule::Paper)
        }
    }

    /// The first of them.
    pub(super) fn first() -> Method {
        Method {
            trace: TraceKind::Some,
            ..Method::shortest()
        }
    }
}

/// Our columns beside those of the paper: its walks, and the same by our schedule.
pub(super) fn columns(table: &Table, config: &Config) -> Vec<Column> {
    if table.number == lengths::TABLE {
        return of_traces();
    }
    let has_schedules = |name: &str| Method::of(name).is_some_and(|method| method.search.is_of_fmics());
    let columns = columns::columns(table.columns, has_schedules, config).into_iter();
    let column = |column: columns::Column| {
        let method = Method::of(column.name);
        Column {
            place: column.place,
            method: match column.schedule {
                Schedule::Paper => method,
                Schedule::Tuned => method.map(|method| Method {
                    schedule: Schedule::Tuned,
                    ..method
                }),
            },
            title: column.title,
        }
    };
    columns.map(column).collect()
}

/// Columns of the table of traces: those of RET with what shrinking makes of them, and the shortest and the
/// fastest that walks find in the whole of their time.
fn of_traces() -> Vec<Column> {
    let wishes = [
        ("RET", TraceKind::Some),
        ("RET-S", TraceKind::Shortest),
        ("RET-F", TraceKind::Fastest),
    ];
    let column = |(place, (title, trace)): (usize, (&str, TraceKind))| Column {
        place,
        title: title.to_owned(),
        method: Some(Method {
            trace,
            shrinks: trace == TraceKind::Some,
            ..Method::new(Search::Ret, Schedule::Paper)
        }),
    };
    wishes.into_iter().enumerate().map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_paper() {
        let method = |name: &str| Method::of(name).map(|m| (m.search, m.time_bound));
        assert_eq!(method("SMC(160)"), Some((Search::Smc, Some(40_000_000))));
        assert_eq!(method("RLC-A"), Some((Search::RlcA, None)));
        assert_eq!(method("BFS"), Some((Search::Bfs, None)));
        assert_eq!(method("Tamper"), None);
        let schedule = |name: &str| Method::of(name).map(|method| method.schedule);
        assert_eq!(schedule("RET"), Some(Schedule::Paper));
        assert_eq!(schedule("BFS"), Some(Schedule::Tuned));
    }
}
