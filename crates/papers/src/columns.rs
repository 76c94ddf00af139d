//! Columns of walks: those of a paper, and the same by our schedule.

use crate::config::Config;
use zonewalk_checker::Schedule;

/// Added to the name of walks by our schedule.
const TUNED: &str = "tuned";

/// A column of ours beside one of a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    /// Its place in the paper's table.
    pub(super) place: usize,
    /// Name in the paper.
    pub(super) name: &'static str,
    pub(super) title: String,
    /// The paper's walks, or ours.
    pub(super) schedule: Schedule,
}

/// The columns that are wanted. Those with walks of the paper come twice.
pub(super) fn columns(
    names: &[&'static str],
    has_schedules: impl Fn(&str) -> bool,
    config: &Config,
) -> Vec<Column> {
    let mut columns = Vec::new();
    for (place, &name) in names.iter().enumerate() {
        let column = |title: String, schedule| Column {
            place,
            name,
            title,
            schedule,
        };
        let paper = column(name.to_owned(), Schedule::Paper);
        let tuned = has_schedules(name).then(|| column(format!("{name} {TUNED}"), Schedule::Tuned));
        // Without walks of its own a column stands for both.
        let paper = (config.schedule != Some(Schedule::Tuned) || tuned.is_none()).then_some(paper);
        let tuned = tuned.filter(|_| config.schedule != Some(Schedule::Paper));
        columns.extend(
            [paper, tuned]
                .into_iter()
                .flatten()
                .filter(|column| config.wants_column(name) || config.wants_column(&column.title)),
        );
    }
    columns
}
