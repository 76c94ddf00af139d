//! Public models, as a user meets them.

#![allow(clippy::unwrap_used)]
// They share helpers with other tests.
#![allow(dead_code)]

#[path = "cli/command.rs"]
mod command;
#[path = "cli/tables.rs"]
mod tables;

use command::{Run, command, zonewalk};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use zonewalk_testkit::{corpus, corpus_tests};

corpus_tests! {
    public_models,
    sizes_of_public_models,
    tables_of_published_models,
    the_published_model_of_the_bus_protocol,
    tables_of_the_documents_about_public_models,
}

/// Models on which zonewalk and the language's own open parser disagree; `docs/acceptance.md` gives the reasons.
const DISAGREEMENTS: [&str; 10] = [
    "tchecker/uppaal-to-tchecker/tests/translation/tmpl-partial-04.xta",
    "tchecker/uppaal-to-tchecker/tests/translation/tmpl-partial-06.xta",
    "uppaal-demos/UPPAALModelChecker+docs.uppaal.org/content__extensions__cora__jugs2.ta",
    "wild/fanghuixing+UPPAAL/PSDS__SHARE__Dropbox__SUBWAY__SubwayControlSystem.xml",
    "wild/fanghuixing+UPPAAL/PSDS__SubwayControlSystem.xml",
    "wild/fanghuixing+UPPAAL/PSDS__subway.xml",
    "wild/fanghuixing+UPPAAL/PSDS__subwayMultiple.xml",
    "wild/fanghuixing+UPPAAL/PSDS__subwayMultipleDistance.xml",
    "wild/fanghuixing+UPPAAL/PSDS__subwayMultipleRoundTrack.xml",
    "wild/fanghuixing+UPPAAL/PSDS__subwayMultipleRoundTrackRefined.xml",
];

/// Does the work for every item on a few threads.
fn for_each<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(item);
                }
            });
        }
    });
}

fn run(folder: &Path, args: &[&str]) -> Run {
    command(args).current_dir(folder).output().unwrap().into()
}

fn public_models(folder: &Path) {
    let rows = corpus::accepted(folder);
    assert!(rows.len() > 600);
    let surprises = Mutex::new(Vec::new());
    for_each(&rows, |row| {
        let (model, verdict) = (&*row.file, &*row.verdict);
        let surprise = |what: String| surprises.lock().unwrap().push(format!("{model}: {what}"));
        let info = run(folder, &["info", model, "--format", "json"]);
        let agrees = match (info.status, verdict) {
            (0 | 2, "LIBRARY") => true,
            (0, _) => (verdict == "ACCEPT") != DISAGREEMENTS.contains(&model),
            (2, _) => (verdict == "REJECT") != DISAGREEMENTS.contains(&model),
            _ => false,
        };
        if !agrees {
            surprise(format!(
                "{verdict}, and info ends with {}: {}",
                info.status, info.stderr
            ));
        }
        // Whatever it is told, the simulator either runs a model or says why it does not.
        let simulate = run(folder, &["simulate", model, "--quiet", "--steps", "5"]);
        if !matches!(simulate.status, 0 | 2) || (simulate.status == 2) == simulate.stderr.is_empty() {
            surprise(format!(
                "simulate ends with {}: {}",
                simulate.status, simulate.stderr
            ));
        }
    });
    let surprises = surprises.into_inner().unwrap();
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}

/// Counted by hand from the files.
fn sizes_of_public_models(folder: &Path) {
    let expected = [
        // One variable and a clock per process.
        ("fmics2021/Fischer/fischer-10N.xml", 10, 10 + 1 + 10),
        ("fmics2021/CSMA-CD/csma-20N.xml", 21, 21 + 21),
        // A queue of N + 1 and its length.
        ("fmics2021/Train/train-2000N.xml", 2001, 2001 + 2002 + 2000),
        // Nodes have 4 integers, messages a struct of 4; globally a struct of 4 and 6 flags.
        (
            "fmics2021/Lamports-LE/LE-Chan-3N.xml",
            11,
            11 + (3 * 4 + 8 * 4 + 4 + 6) + (3 + 8 + 1),
        ),
    ];
    for (model, processes, size) in expected {
        let info = run(folder, &["info", model, "--format", "json"]).json();
        assert_eq!(info["processes"], processes, "{model}");
        assert_eq!(info["state_vector"]["size"], size, "{model}");
    }
}

fn tables_of_published_models(folder: &Path) {
    let models = folder.join("fmics2021");
    let run = zonewalk(&[
        "bench",
        "fmics-6",
        "fmics-8",
        "--quick",
        "--models",
        models.to_str().unwrap(),
        "--timeout",
        "500ms",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let row = run
        .stdout
        .lines()
        .find(|line| line.starts_with("| IMAOptim-0 |"))
        .unwrap();
    assert!(row.contains(" / 0.09") && row.contains("×)"), "{row}");
    // One of the models was not published, and of table 8 no query, which are ours.
    assert!(
        run.stdout.contains("| md5-jop | no model / 0.25 |"),
        "{}",
        run.stdout
    );
    let row = run
        .stdout
        .lines()
        .find(|line| line.starts_with("| Gosgirls-1 |"))
        .unwrap();
    assert!(row.contains(" / 16.98"), "{row}");
}

/// For two senders our model of the protocol is the published one, state by state.
fn the_published_model_of_the_bus_protocol(folder: &Path) {
    let published = folder.join("drs/BangOlufsen/bocdp.xta");
    assert_eq!(command::size_of(published.to_str().unwrap()), (106_427, 115_056));
}

fn tables_of_the_documents_about_public_models(folder: &Path) {
    tables::measure_again(Some(folder.to_str().unwrap()));
}
