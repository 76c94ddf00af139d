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
    files_of_published_models,
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

/// Every row of the papers whose model was published finds its file, and every query of ours its names there.
fn files_of_published_models(folder: &Path) {
    let nothing = command::Scratch::new("no-results.jsonl", b"");
    let rows = |table: &str, models: &str| {
        let models = folder.join(models);
        let words = ["bench", table, "--print", "--results", nothing.path(), "--models"];
        let run = zonewalk(&[&words[..], &[models.to_str().unwrap()]].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        // The first table has all rows; others repeat them.
        let lines = run.stdout.split("\n### ").nth(1).unwrap().lines();
        let rows = lines.filter(|line| line.starts_with("| ")).skip(1);
        rows.map(str::to_owned).collect::<Vec<_>>()
    };
    let published = |table: u32| {
        let rows = rows(&format!("fmics-{table}"), "fmics2021");
        rows.iter().filter(|row| !row.contains("no model")).count()
    };
    assert_eq!([4, 5, 6, 7, 8, 9].map(published), [14, 13, 7, 10, 10, 30]);
    let rows = rows("mcta-2", "mcta");
    let own: Vec<_> = rows.iter().filter(|row| row.contains("own:")).collect();
    assert_eq!((rows.len(), own.len()), (26, 13));
    assert!(
        own[0].starts_with("| N_4 ") && own[1].starts_with("| C_6 "),
        "{own:?}"
    );
    let models = folder.join("fmics2021");
    let words = ["bench", "fmics-8", "--models", models.to_str().unwrap()];
    let run = zonewalk(
        &[
            &words[..],
            &["--seeds", "1", "--timeout", "10ms", "--column", "SEM"],
        ]
        .concat(),
    );
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains("20 of 20 cells were measured"),
        "{}",
        run.stdout
    );
}

/// For two senders our model of the protocol is the published one, state by state.
fn the_published_model_of_the_bus_protocol(folder: &Path) {
    let published = folder.join("drs/BangOlufsen/bocdp.xta");
    assert_eq!(command::size_of(published.to_str().unwrap()), (106_427, 115_056));
}

fn tables_of_the_documents_about_public_models(folder: &Path) {
    tables::measure_again(Some(folder.to_str().unwrap()));
}
