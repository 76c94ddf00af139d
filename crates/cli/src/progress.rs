//! How far a search is: a line on a terminal, now and then a line elsewhere.

use crate::args::When;
use crate::terminal;
use anstream::AutoStream;
use std::io::{self, IsTerminal as _, Stderr, Write as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use zonewalk_checker::refine::RefineControl;
use zonewalk_checker::resources;
use zonewalk_checker::{Control, Options, Progress};
use zonewalk_report::layout::WIDTH;
use zonewalk_report::verdict::text::{bytes, count};

/// When progress is shown.
#[derive(Clone, Copy)]
struct RefreshRate {
    first: Duration,
    then: Duration,
    /// One line that is written over and over.
    in_place: bool,
}

impl RefreshRate {
    fn new(when: When) -> Option<Self> {
        let seconds = Duration::from_secs;
        let is_terminal = io::stderr().is_terminal();
        match when {
            When::Never => None,
            _ if is_terminal => Some(RefreshRate {
                first: Duration::from_millis(300),
                then: Duration::from_millis(100),
                in_place: true,
            }),
            When::Always => Some(RefreshRate {
                first: seconds(1),
                then: seconds(1),
                in_place: false,
            }),
            // In a log file a line a minute is a sign of life; most searches are over before the first.
            When::Auto => Some(RefreshRate {
                first: seconds(10),
                then: seconds(60),
                in_place: false,
            }),
        }
    }
}

/// The line of progress on standard error, and messages above it.
pub(crate) struct StatusLine {
    stream: Mutex<(AutoStream<Stderr>, bool)>,
}

impl StatusLine {
    /// Writes a message on a line of its own.
    pub(crate) fn message(&self, message: &str) {
        self.write(|stream, is_drawn| {
            let clear = if std::mem::take(is_drawn) {
                "\r\u{1b}[K"
            } else {
                ""
            };
            writeln!(stream, "{clear}{message}")
        });
    }

    fn draw(&self, line: &str) {
        self.write(|stream, is_drawn| {
            *is_drawn = true;
            write!(stream, "\r\u{1b}[K{line}")?;
            stream.flush()
        });
    }

    fn clear(&self) {
        self.write(|stream, is_drawn| {
            if std::mem::take(is_drawn) {
                write!(stream, "\r\u{1b}[K")?;
            }
            stream.flush()
        });
    }

    fn write(&self, write: impl FnOnce(&mut AutoStream<Stderr>, &mut bool) -> io::Result<()>) {
        if let Ok(mut guard) = self.stream.lock() {
            let (stream, is_drawn) = &mut *guard;
            // A standard error that is gone keeps no search from its end.
            let _ = write(stream, is_drawn);
        }
    }
}

/// Which of several queries a search is for: the second of seven.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueryProgress {
    pub(crate) place: usize,
    pub(crate) of: usize,
}

impl QueryProgress {
    /// The only one.
    pub(crate) const ALONE: QueryProgress = QueryProgress { place: 1, of: 1 };
}

/// Runs a search and shows how far it is.
pub(crate) fn watch<T>(
    when: When,
    position: QueryProgress,
    options: &Options,
    control: &Control,
    search: impl FnOnce(&StatusLine) -> T,
) -> T {
    let before = control.progress(options);
    let parts = |elapsed| {
        let moment = Moment {
            progress: control.progress(options),
            walks_before: before.walks,
            steps_before: before.steps,
            elapsed,
            memory: resources::memory(),
            left: left(options.deadline),
        };
        moment.parts()
    };
    show_status(when, position, &parts, search)
}

/// The state of a search, for showing it elsewhere.
#[cfg(feature = "serve")]
pub(crate) fn parts(options: &Options, control: &Control, elapsed: Duration) -> Vec<String> {
    let moment = Moment {
        progress: control.progress(options),
        walks_before: 0,
        steps_before: 0,
        elapsed,
        memory: resources::memory(),
        left: None,
    };
    moment.parts()
}

/// Watches a query about timed I/O automata, whose counts begin at zero.
pub(crate) fn watch_refinement<T>(
    when: When,
    position: QueryProgress,
    deadline: Option<Instant>,
    control: &RefineControl,
    search: impl FnOnce() -> T,
) -> T {
    let parts = |elapsed: Duration| {
        let [pairs, zones, walks, steps] = [&control.pairs, &control.zones, &control.walks, &control.steps]
            .map(|counter| counter.load(Ordering::Relaxed));
        of_refinement(pairs, zones, walks, steps, elapsed, left(deadline))
    };
    show_status(when, position, &parts, |_| search())
}

fn left(deadline: Option<Instant>) -> Option<Duration> {
    deadline.map(|end| end.saturating_duration_since(Instant::now()))
}

/// Parts of the line of progress after some time.
type Parts<'a> = &'a (dyn Fn(Duration) -> Vec<String> + Sync);

fn show_status<T>(
    when: When,
    position: QueryProgress,
    parts: Parts<'_>,
    search: impl FnOnce(&StatusLine) -> T,
) -> T {
    let status_line = StatusLine {
        stream: Mutex::new((AutoStream::new(io::stderr(), anstream::ColorChoice::Auto), false)),
    };
    let Some(rate) = RefreshRate::new(when) else {
        return search(&status_line);
    };
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let ticker = scope.spawn(|| tick(rate, position, parts, &status_line, &is_over));
        // Also when the search panics: the scope waits for the ticker.
        let _stop = Stop {
            is_over: &is_over,
            ticker: ticker.thread().clone(),
        };
        search(&status_line)
    })
}

struct Stop<'a> {
    is_over: &'a AtomicBool,
    ticker: thread::Thread,
}

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        self.ticker.unpark();
    }
}

fn tick(
    rate: RefreshRate,
    position: QueryProgress,
    parts: Parts<'_>,
    status_line: &StatusLine,
    is_over: &AtomicBool,
) {
    let start = Instant::now();
    let mut next = start + rate.first;
    while !is_over.load(Ordering::Acquire) {
        let now = Instant::now();
        if now < next {
            thread::park_timeout(next - now);
            continue;
        }
        let parts = parts(start.elapsed());
        if rate.in_place {
            // A line that wraps cannot be written over.
            let columns = terminal::of_messages().unwrap_or(WIDTH);
            status_line.draw(&describe(position, &parts, columns - 1));
        } else {
            status_line.message(&describe(position, &parts, usize::MAX));
        }
        next = now + rate.then;
    }
    status_line.clear();
}

/// The query, what each search does, how fast, the best trace, the time left, the memory; on a narrow terminal without the last of
/// these.
fn describe(position: QueryProgress, parts: &[String], columns: usize) -> String {
    let mut line = match position {
        QueryProgress { of: 0 | 1, .. } => String::new(),
        QueryProgress { place, of } => format!("query {place} of {of}: "),
    };
    for (index, part) in parts.iter().enumerate() {
        let separator = if index == 0 { "" } else { "; " };
        let length = line.chars().count() + separator.len() + part.chars().count();
        // A name cut in half is worse than one left out; the first part is what the line is for.
        if index > 0 && length > columns {
            break;
        }
        line.push_str(separator);
        line.push_str(part);
    }
    line.chars().take(columns).collect()
}

/// Parts of the line of progress for a query about timed I/O automata.
fn of_refinement(
    pairs: u64,
    zones: u64,
    walks: u64,
    steps: u64,
    elapsed: Duration,
    left: Option<Duration>,
) -> Vec<String> {
    let per_second = |number: u64| short(number as f64 / elapsed.as_secs_f64().max(1e-3));
    let mut parts = Vec::new();
    if zones > 0 || walks == 0 {
        parts.push(format!(
            "{} zones of {} pairs of locations ({}/s)",
            short(zones as f64),
            short(pairs as f64),
            per_second(zones)
        ));
    }
    if walks > 0 {
        parts.push(format!(
            "{} walks ({} steps/s)",
            short(walks as f64),
            per_second(steps)
        ));
    }
    parts.extend(left.map(|left| format!("{} s left", left.as_secs())));
    let memory = resources::memory();
    parts.extend((memory > 0).then(|| bytes(memory)));
    parts
}

/// State of a search at a moment.
struct Moment {
    progress: Progress,
    /// Walks of earlier queries.
    walks_before: u64,
    steps_before: u64,
    elapsed: Duration,
    /// Memory of the process, in bytes; 0 where the system does not tell.
    memory: u64,
    /// Until the time limit.
    left: Option<Duration>,
}

impl Moment {
    fn parts(&self) -> Vec<String> {
        let progress = &self.progress;
        let per_second = |number: u64| short(number as f64 / self.elapsed.as_secs_f64().max(1e-3));
        let walks = progress.walks.saturating_sub(self.walks_before);
        let steps = progress.steps.saturating_sub(self.steps_before);
        let mut parts = Vec::new();
        if progress.is_shrinking {
            parts.push(match progress.best_steps {
                Some(best) => format!("shrinking a run of {}", count(best, "step")),
                None => "shrinking a run".to_owned(),
            });
        }
        if let Some(runs) = &progress.runs {
            let made = format!("{} runs ({}/s)", short(runs.made as f64), per_second(runs.made));
            parts.push(made);
            parts.extend(runs.satisfied.map(|n| format!("{} satisfied", short(n as f64))));
        } else if let Some(states) = &progress.states {
            parts.push(format!(
                "{} {} {} ({}/s)",
                states.search,
                short(states.explored as f64),
                if states.are_abstract {
                    "abstract states"
                } else {
                    "states"
                },
                per_second(states.explored)
            ));
            if walks == 0 {
                parts.push(format!("{} waiting", short(states.waiting as f64)));
            } else {
                parts.push(format!(
                    "{} {} walks ({}/s)",
                    progress.search,
                    short(walks as f64),
                    per_second(walks)
                ));
            }
        } else {
            parts.push(format!(
                "{} {} walks ({} steps/s) of {}",
                progress.search,
                short(walks as f64),
                per_second(steps),
                count(u64::from(progress.depth), "step")
            ));
        }
        if let Some(best) = progress.best_steps.filter(|_| !progress.is_shrinking) {
            parts.push(format!("best {best}"));
        }
        if let Some(left) = self.left {
            parts.push(format!("{} s left", left.as_secs()));
        }
        if self.memory > 0 {
            parts.push(bytes(self.memory));
        }
        parts
    }
}

fn short(number: f64) -> String {
    match number {
        n if n < 1e4 => format!("{n:.0}"),
        n if n < 1e6 => format!("{:.1}k", n / 1e3),
        n if n < 1e9 => format!("{:.1}M", n / 1e6),
        n => format!("{:.1}G", n / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment() -> Moment {
        Moment {
            progress: Progress {
                walks: 123_456,
                steps: 5_000_000,
                search: "rlc-a",
                depth: 16_384,
                distribution: Some((100, 0)),
                best_steps: None,
                is_shrinking: false,
                states: None,
                runs: None,
            },
            walks_before: 56,
            steps_before: 0,
            elapsed: Duration::from_secs(2),
            memory: 45 << 20,
            left: None,
        }
    }

    #[test]
    fn walks() {
        let mut moment = moment();
        assert_eq!(
            describe(QueryProgress::ALONE, &moment.parts(), usize::MAX),
            "rlc-a 123.4k walks (2.5M steps/s) of 16384 steps; 45.0 MiB"
        );
        moment.progress.best_steps = Some(1234);
        moment.progress.is_shrinking = true;
        moment.left = Some(Duration::from_secs(24));
        assert_eq!(
            describe(QueryProgress::ALONE, &moment.parts(), usize::MAX),
            "shrinking a run of 1234 steps; rlc-a 123.4k walks (2.5M steps/s) of 16384 steps; 24 s left; 45.0 MiB"
        );
    }

    #[test]
    fn runs_of_a_statistical_query() {
        let mut moment = moment();
        let line = |moment: &Moment| describe(QueryProgress::ALONE, &moment.parts(), usize::MAX);
        moment.progress.runs = Some(zonewalk_checker::RunCounts {
            made: 12_346,
            satisfied: Some(67),
        });
        assert_eq!(line(&moment), "12.3k runs (6173/s); 67 satisfied; 45.0 MiB");
        moment.progress.runs = Some(zonewalk_checker::RunCounts {
            made: 300,
            satisfied: None,
        });
        assert_eq!(line(&moment), "300 runs (150/s); 45.0 MiB");
    }

    #[test]
    fn states_and_walks_beside_each_other_fit_into_a_terminal() {
        let mut moment = moment();
        moment.progress.states = Some(zonewalk_checker::States {
            search: "bfs",
            explored: 98_765,
            stored: 90_000,
            waiting: 1_234,
            bytes: 1 << 20,
            are_abstract: false,
        });
        moment.left = Some(Duration::from_secs(300));
        let line = describe(QueryProgress::ALONE, &moment.parts(), 79);
        assert_eq!(
            line,
            "bfs 98.8k states (49.4k/s); rlc-a 123.4k walks (61.7k/s); 300 s left; 45.0 MiB"
        );
        let position = QueryProgress { place: 2, of: 7 };
        assert_eq!(
            describe(position, &moment.parts(), 79),
            "query 2 of 7: bfs 98.8k states (49.4k/s); rlc-a 123.4k walks (61.7k/s)"
        );
        assert_eq!(
            describe(position, &moment.parts(), 59),
            "query 2 of 7: bfs 98.8k states (49.4k/s)"
        );
        moment.progress.walks = 56;
        assert_eq!(
            describe(QueryProgress::ALONE, &moment.parts(), usize::MAX),
            "bfs 98.8k states (49.4k/s); 1234 waiting; 300 s left; 45.0 MiB"
        );
        if let Some(states) = &mut moment.progress.states {
            (states.search, states.are_abstract) = ("astar", true);
        }
        assert_eq!(
            describe(QueryProgress::ALONE, &moment.parts(), usize::MAX),
            "astar 98.8k abstract states (49.4k/s); 1234 waiting; 300 s left; 45.0 MiB"
        );
    }
}
