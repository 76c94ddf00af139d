//! Public models: random runs replay, and the two ways to look at a state agree.

// A helper that unwraps is an assertion.
#![allow(clippy::unwrap_used)]

mod support;

use std::path::Path;
use support::{run, steps_together};
use zonewalk_testkit::{MODEL, corpus_tests, files, load_file};

corpus_tests! {
    random_runs_replay,
    the_twins_of_tchecker_run,
}

fn random_runs_replay(folder: &Path) {
    let models = files(folder, &MODEL);
    let ran = models.iter().filter(|path| {
        let loaded = load_file(path);
        loaded.is_ok_and(|loaded| run(&path.to_string_lossy(), &loaded).is_some())
    });
    let ran = ran.count();
    // Nearly all of them are plain timed automata.
    assert!(ran * 2 >= models.len(), "{ran} of {}", models.len());
}

fn the_twins_of_tchecker_run(folder: &Path) {
    for name in ["train_gate3", "train_gate6", "critical-region3", "fddi5"] {
        let path = folder.join("tchecker-twins").join(format!("{name}.xta"));
        let loaded = load_file(&path).unwrap_or_else(|refused| panic!("{name}: {refused}"));
        assert!(steps_together(&loaded, 1_000) > 0, "{name}");
    }
}
