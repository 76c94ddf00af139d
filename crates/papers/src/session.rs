//! Measurements under way: what is known, what is missing, how long that will take, and where tables go.

use super::machine::Environment;
use super::results::{Key, Results};
use super::svg::Chart;
use super::text::Aligned;
use crate::config::{Config, Format};
use crate::output::{Error, Output};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use zonewalk_checker::Control;

/// Treatment of cells that no file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// They are counted.
    Count,
    Measure,
    /// They stay empty.
    Print,
}

/// Measurements under way.
pub(super) struct Session<'a> {
    pub(super) config: &'a Config,
    control: &'a Control,
    output: &'a mut dyn Output,
    results: Results,
    mode: Mode,
    /// Where the cells of the present table were measured.
    places: BTreeSet<Environment>,
    work: Work,
    aligned: Aligned,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        config: &'a Config,
        control: &'a Control,
        output: &'a mut dyn Output,
    ) -> Result<Self, Error> {
        let results = match &config.results {
            Some(path) => Results::open(path, !config.prints_only)?,
            None => Results::default(),
        };
        Ok(Session {
            config,
            control,
            output,
            results,
            mode: Mode::Count,
            places: BTreeSet::new(),
            work: Work::default(),
            aligned: Aligned::default(),
        })
    }

    /// After all tables were gone through once, so that it is known what is missing.
    pub(super) fn begin(&mut self) {
        self.mode = if self.config.prints_only {
            Mode::Print
        } else {
            Mode::Measure
        };
        self.places.clear();
        self.work.start = Some(Instant::now());
    }

    /// Whether no more is to be measured.
    pub(super) fn is_interrupted(&self) -> bool {
        self.control.is_interrupted()
    }

    /// A cell, from the file or measured in at most this time; nothing if it is neither there nor measured.
    pub(super) fn cell<T: Serialize + DeserializeOwned>(
        &mut self,
        key: Key,
        at_most: Duration,
        measure: impl FnOnce(&Control) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        if let Some(measured) = self.known(&key)? {
            return Ok(Some(measured));
        }
        match self.mode {
            Mode::Count => {
                self.work.add(&key, at_most);
                Ok(None)
            }
            Mode::Print => Ok(None),
            Mode::Measure if self.is_interrupted() => Ok(None),
            Mode::Measure => {
                // What is measured again has not been counted.
                self.work.add(&key, at_most);
                self.output.progress(&self.work.line(&key));
                let start = Instant::now();
                let measured = measure(self.control)?;
                // What Ctrl-C has cut short is not a measurement.
                if self.is_interrupted() {
                    return Ok(None);
                }
                self.work.done(at_most);
                let value = serde_json::to_value(&measured)
                    .map_err(|error| Error::new(format_args!("bug in zonewalk: {error}")))?;
                let place = Environment::here(self.config.build);
                self.places.insert(place.clone());
                self.results
                    .add(key, value, start.elapsed().as_secs_f64(), place)?;
                Ok(Some(measured))
            }
        }
    }

    /// A cell from the file.
    pub(super) fn known<T: DeserializeOwned>(&mut self, key: &Key) -> Result<Option<T>, Error> {
        let Some(entry) = self.results.find(key) else {
            return Ok(None);
        };
        self.places.insert(entry.place.clone());
        let measured = T::deserialize(&entry.measured).map_err(|why| {
            let Key { table, row, column, .. } = key;
            Error::new(format_args!(
                "the results of {table}, {row}, {column} are of another version: {why}; measure them again without --resume"
            ))
        })?;
        Ok(Some(measured))
    }

    /// Writes a part of the tables, for people.
    pub(super) fn print(&mut self, text: &str) -> Result<(), Error> {
        if self.mode == Mode::Count {
            return Ok(());
        }
        match self.config.format {
            Format::Md => self.output.result(text)?,
            Format::Text => {
                let text = self.aligned.take(text);
                self.output.result(&text)?;
            }
            Format::Json | Format::Csv => return Ok(()),
        }
        Ok(self.output.flush()?)
    }

    /// Tells something beside the tables.
    pub(super) fn note(&mut self, text: &str) {
        if self.mode != Mode::Count {
            self.output.note(text);
        }
    }

    /// Writes a plot, if plots are wanted.
    pub(super) fn plot(&self, name: &str, chart: &Chart) -> Result<(), Error> {
        match &self.config.svg {
            Some(folder) if self.mode != Mode::Count => chart.write(folder, name),
            _ => Ok(()),
        }
    }

    /// Machines and dates of the measurements since the last call.
    pub(super) fn places(&mut self) -> String {
        let places: Vec<_> = std::mem::take(&mut self.places)
            .into_iter()
            .map(|place| format!("{}; {}", place.machine, place.date))
            .collect();
        match places.as_slice() {
            [] => "Nothing was measured".to_owned(),
            _ => places.join(". Other cells: "),
        }
    }

    /// Writes what is still waiting for the end of its table.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        let rest = self.aligned.end();
        Ok(self.output.result(&rest)?)
    }
}

/// How much there is to do.
#[derive(Debug, Default)]
struct Work {
    /// The time that missing cells may take.
    missing: Duration,
    cells: BTreeSet<Key>,
    /// How many have been measured.
    measured: usize,
    /// The time that those could have taken.
    spent: Duration,
    start: Option<Instant>,
}

impl Work {
    /// A cell that is missing. Tables may have cells in common.
    fn add(&mut self, key: &Key, at_most: Duration) {
        if self.cells.insert(key.clone()) {
            self.missing += at_most;
        }
    }

    fn done(&mut self, at_most: Duration) {
        self.measured += 1;
        self.spent += at_most;
    }

    /// Remaining time, judged by how much of their time earlier cells took.
    fn left(&self, elapsed: Duration) -> Duration {
        let missing = self.missing.saturating_sub(self.spent);
        if self.spent.is_zero() {
            return missing;
        }
        let share = elapsed.as_secs_f64() / self.spent.as_secs_f64();
        missing.mul_f64(share.min(1.0))
    }

    /// How far it is.
    fn line(&self, key: &Key) -> String {
        let elapsed = self.start.map_or(Duration::ZERO, |start| start.elapsed());
        format!(
            "cell {} of {}: {} {} {}; {} {} left",
            self.measured + 1,
            self.cells.len(),
            key.table,
            key.row,
            key.column,
            if self.spent.is_zero() { "at most" } else { "about" },
            rounded(self.left(elapsed)),
        )
    }
}

/// A time that need not be exact.
fn rounded(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..90 => format!("{seconds} s"),
        seconds @ 90..5400 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_what_was_measured() {
        let seconds = Duration::from_secs;
        let mut work = Work {
            missing: seconds(1000),
            ..Work::default()
        };
        assert_eq!(work.left(seconds(0)), seconds(1000));
        work.done(seconds(200));
        assert_eq!(work.left(seconds(20)), seconds(80));
        assert_eq!(work.left(seconds(900)), seconds(800));
        assert_eq!(
            [7, 100, 9000].map(seconds).map(rounded),
            ["7 s", "2 min", "2.5 h"]
        );
    }
}
