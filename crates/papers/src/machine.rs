//! Machine of a measurement, and when it was made.

use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Where a measurement was made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Environment {
    /// The version with its commit, the processor and how many there are.
    pub(super) machine: String,
    /// The day, in universal time.
    pub(super) date: String,
}

impl Environment {
    /// This machine, now; `build` says what zonewalk was built from.
    pub(super) fn here(build: &str) -> Environment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Environment {
            machine: machine(build),
            date: date(since.unwrap_or(Duration::ZERO).as_secs() / (24 * 60 * 60)),
        }
    }
}

/// The version with its commit, the processor and how many there are.
fn machine(build: &str) -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map_or("unknown processor", |(_, name)| name.trim());
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "zonewalk {} ({build}); {model}, {processors} processors",
        env!("CARGO_PKG_VERSION"),
    )
}

/// A day of the Gregorian calendar, by the number of days since the first of January 1970.
fn date(days: u64) -> String {
    // Years begin in March, so that a leap day is the last of its year; 400 of them have 146,097 days.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let of_month = day - (153 * month + 2) / 5 + 1;
    let (year, month) = match month {
        0..=9 => (era * 400 + year, month + 3),
        _ => (era * 400 + year + 1, month - 9),
    };
    format!("{year}-{month:02}-{of_month:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_calendar() {
        let days = [0, 58, 59, 11_016, 11_017, 20_772].map(date);
        let expected = [
            "1970-01-01",
            "1970-02-28",
            "1970-03-01",
            "2000-02-29",
            "2000-03-01",
            "2026-11-15",
        ];
        assert_eq!(days, expected);
    }
}
