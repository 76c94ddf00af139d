//! How far a search is: a line on a terminal, now and then a line elsewhere.

use crate::args::When;
use anstream::AutoStream;
use std::io::{self, IsTerminal as _, Stderr, Write as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use zonewalk::{Control, Options, Progress};
use zonewalk_report::verdict::text::bytes;

/// When progress is shown.
#[derive(Clone, Copy)]
struct Rhythm {
    first: Duration,
    then: Duration,
    /// One line that is written over and over.
    in_place: bool,
}

impl Rhythm {
    fn new(when: When) -> Option<Self> {
        let seconds = Duration::from_secs;
        let is_terminal = io::stderr().is_terminal();
        match when {
            When::Never => None,
            _ if is_terminal => Some(Rhythm {
                first: Duration::from_millis(300),
                then: Duration::from_millis(100),
                in_place: true,
            }),
            When::Always => Some(Rhythm {
                first: seconds(1),
                then: seconds(1),
                in_place: false,
            }),
            // In a log file a line a minute is a sign of life; most searches are over before the first.
            When::Auto => Some(Rhythm {
                first: seconds(10),
                then: seconds(60),
                in_place: false,
            }),
        }
    }
}

/// Speaks while a search runs.
pub(crate) struct Voice {
    stream: Mutex<(AutoStream<Stderr>, bool)>,
}

impl Voice {
    /// Writes a message on a line of its own.
    pub(crate) fn say(&self, message: &str) {
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

/// Runs a search and shows how far it is.
pub(crate) fn watch<T>(
    when: When,
    options: &Options,
    control: &Control,
    search: impl FnOnce(&Voice) -> T,
) -> T {
    let voice = Voice {
        stream: Mutex::new((AutoStream::new(io::stderr(), anstream::ColorChoice::Auto), false)),
    };
    let Some(rhythm) = Rhythm::new(when) else {
        return search(&voice);
    };
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let ticker = scope.spawn(|| tick(rhythm, options, control, &voice, &is_over));
        // Also when the search panics: the scope waits for the ticker.
        let _stop = Stop {
            is_over: &is_over,
            ticker: ticker.thread().clone(),
        };
        search(&voice)
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

fn tick(rhythm: Rhythm, options: &Options, control: &Control, voice: &Voice, is_over: &AtomicBool) {
    let start = Instant::now();
    let look = || control.progress(options.delays, options.depth());
    let before = look().steps;
    let mut next = start + rhythm.first;
    while !is_over.load(Ordering::Acquire) {
        let now = Instant::now();
        if now < next {
            thread::park_timeout(next - now);
            continue;
        }
        let progress = look();
        let speed = (progress.steps - before) as f64 / start.elapsed().as_secs_f64();
        let line = describe(&progress, speed);
        if rhythm.in_place {
            voice.draw(&line);
        } else {
            voice.say(&line);
        }
        next = now + rhythm.then;
    }
    voice.clear();
}

fn describe(progress: &Progress, speed: f64) -> String {
    let mut line = format!(
        "{}: {} walks, {} steps ({}/s), depth {}",
        progress.search,
        progress.walks,
        short(progress.steps as f64),
        short(speed),
        progress.depth
    );
    if let Some(states) = &progress.states {
        let known = format!(
            "{}: {} states explored, {} stored, {} waiting, {}",
            states.search,
            short(states.explored as f64),
            short(states.stored as f64),
            short(states.waiting as f64),
            bytes(states.bytes)
        );
        if progress.walks == 0 {
            return known;
        }
        return format!(
            "{known}; {}: {} walks, {} steps",
            progress.search,
            progress.walks,
            short(progress.steps as f64)
        );
    }
    if let Some((lower, upper)) = progress.distribution {
        line += &format!(", delays {lower}/{upper}");
    }
    if let Some(best) = progress.best_steps {
        line += &format!(", best {best} steps");
    }
    if progress.is_shrinking {
        line += ", shrinking";
    }
    line
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

    #[test]
    fn a_line_fits_into_a_terminal() {
        let progress = Progress {
            walks: 123_456,
            steps: 12_345_678_901,
            search: "rlc-a",
            depth: 262_144,
            distribution: Some((100, 0)),
            best_steps: Some(1234),
            is_shrinking: false,
            states: None,
        };
        let line = describe(&progress, 2.5e6);
        assert_eq!(
            line,
            "rlc-a: 123456 walks, 12.3G steps (2.5M/s), depth 262144, delays 100/0, best 1234 steps"
        );
    }
}
