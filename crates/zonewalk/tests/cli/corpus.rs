//! Public models, where they are at hand. They are not part of this repository.

use crate::command::{Run, command, root};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

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

fn corpus() -> Option<PathBuf> {
    let folder = root().join("../shared/corpus");
    folder.is_dir().then_some(folder)
}

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

#[test]
fn public_models() {
    let Some(folder) = corpus() else { return };
    let table = std::fs::read_to_string(folder.join("accept.tsv")).unwrap();
    let rows: Vec<(&str, &str)> = table
        .lines()
        .skip(1)
        .map(|line| {
            let mut columns = line.split('\t');
            (columns.next().unwrap(), columns.next().unwrap())
        })
        .collect();
    assert!(rows.len() > 600);
    let surprises = Mutex::new(Vec::new());
    for_each(&rows, |&(model, verdict)| {
        let surprise = |what: String| surprises.lock().unwrap().push(format!("{model}: {what}"));
        let info = run(&folder, &["info", model, "--format", "json"]);
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
        let simulate = run(&folder, &["simulate", model, "--quiet", "--steps", "5"]);
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
#[test]
fn sizes_of_public_models() {
    let Some(folder) = corpus() else { return };
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
        let info = run(&folder, &["info", model, "--format", "json"]).json();
        assert_eq!(info["processes"], processes, "{model}");
        assert_eq!(info["state_vector"]["size"], size, "{model}");
    }
}
