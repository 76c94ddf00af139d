//! Public models: no check panics or exceeds its time, and nothing that is called impossible happens.
#![allow(clippy::unwrap_used)]

mod runs;

use runs::{is_refuted_by, reached, runs};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use zonewalk_checker::Control;
use zonewalk_checker::load::{Request, load_file};
use zonewalk_lint::{LintOptions, lint};
use zonewalk_testkit::corpus_tests;

corpus_tests!(findings_about_public_models);

/// For the checks of a model.
const TIME: Duration = Duration::from_millis(50);

/// Beyond that: what a check is in the middle of. The machine of a test may be busy.
const GRACE: Duration = Duration::from_secs(20);

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            models(&path, found);
        } else if path
            .extension()
            .is_some_and(|e| e == "xml" || e == "xta" || e == "ta")
        {
            found.push(path);
        }
    }
}

fn findings_about_public_models(folder: &Path) {
    let mut paths = Vec::new();
    models(folder, &mut paths);
    paths.sort();
    let (next, checked, compared) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            // Expressions nest deep.
            let thread = std::thread::Builder::new().stack_size(256 << 20);
            let work = || {
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some(count) = check(path) {
                        checked.fetch_add(1, Ordering::Relaxed);
                        compared.fetch_add(count, Ordering::Relaxed);
                    }
                }
            };
            thread.spawn_scoped(scope, work).unwrap();
        }
    });
    let (checked, compared) = (checked.into_inner(), compared.into_inner());
    assert!(checked > 300, "{checked} models");
    assert!(compared >= 100, "{compared} findings were compared");
}

/// The number of findings that runs could refute; `None` for a file that is no model.
fn check(path: &Path) -> Option<usize> {
    let loaded = load_file(path, &Request::default()).ok()?;
    let options = LintOptions {
        timeout: TIME,
        ..LintOptions::default()
    };
    let start = Instant::now();
    let report = lint(&loaded, &options, &Control::default());
    let took = start.elapsed();
    assert!(took < TIME + GRACE, "{}: {took:?}", path.display());
    let proved: Vec<_> = report.findings.iter().filter(|found| found.is_proved).collect();
    if proved.is_empty() {
        return Some(0);
    }
    let Some(seen) = runs(&loaded, 2, 60) else {
        return Some(0);
    };
    let reached = reached(&loaded, &seen);
    let mut compared = 0;
    for found in proved {
        if let Some(is_refuted) = is_refuted_by(found, &reached) {
            assert!(!is_refuted, "{}: {}", path.display(), found.diagnostic.message);
            compared += 1;
        }
    }
    Some(compared)
}
