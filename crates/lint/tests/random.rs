//! Random networks: what is proved of them is compared with random runs of the reference interpreter, which shares no code with
//! the searches.

use crate::runs::{is_refuted_by, reached, runs};
use crate::support::{load, report};
use zonewalk_model::ids::LocationId;
use zonewalk_testkit::{generate, number};

#[test]
fn nothing_that_happens_is_called_impossible() {
    let networks = number("ZONEWALK_NETWORKS").unwrap_or(60);
    let (mut proved, mut deadlocks) = (0, 0);
    for seed in 1..=networks {
        let generated = generate::network(seed);
        let loaded = load(&generated.text, &[]);
        let Some(seen) = runs(&loaded, 20, 40) else {
            continue;
        };
        let reached = reached(&loaded, &seen);
        let report = report(&loaded);
        for found in report.findings.iter().filter(|found| found.is_proved) {
            match is_refuted_by(found, &reached) {
                Some(is_refuted) => {
                    let message = &found.diagnostic.message;
                    assert!(!is_refuted, "network {seed}: {message}\n{}", generated.text);
                    proved += 1;
                }
                None if found.diagnostic.code.as_str() == "deadlock" => deadlocks += 1,
                None => {}
            }
        }
        let is_clear = |of: &&zonewalk_lint::CheckReport| {
            of.check == zonewalk_lint::Check::Deadlock
                && of.findings == 0
                && of.extent == zonewalk_lint::Extent::Complete
        };
        let has_ends = loaded.model.templates.iter().any(|template| {
            (0..template.locations.len())
                .map(LocationId::from_index)
                .any(|at| !template.edges.iter().any(|edge| edge.source == at))
        });
        if seen.has_deadlock && !has_ends {
            assert!(
                report.checks.iter().find(is_clear).is_none(),
                "network {seed}: a deadlock is missed\n{}",
                generated.text
            );
        }
    }
    assert!(proved > 10 && deadlocks > 4, "{proved} {deadlocks}");
}
