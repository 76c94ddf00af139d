//! The models of this repository.

use zonewalk_checker::Control;
use zonewalk_checker::load::{Request, load_file};
use zonewalk_lint::{LintOptions, lint};
use zonewalk_testkit::own;

#[test]
fn every_model_is_checked_in_the_time_given() {
    let mut checked = 0;
    for path in own::paths() {
        let Ok(loaded) = load_file(&path, &Request::default()) else {
            continue;
        };
        let options = LintOptions {
            timeout: std::time::Duration::from_millis(200),
            ..LintOptions::default()
        };
        let report = lint(&loaded, &options, &Control::default());
        for found in &report.findings {
            let source = loaded.model.sources.source(found.diagnostic.primary.span.start);
            assert!(
                source.is_some(),
                "{}: {}",
                path.display(),
                found.diagnostic.message
            );
        }
        checked += 1;
    }
    assert!(checked > 20, "{checked}");
}
