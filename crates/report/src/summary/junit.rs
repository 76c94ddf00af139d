//! JUnit's XML, in the form that the common systems read: a suite for the model, a test for every query.

use super::{Case, Finding, Summary};
use std::fmt::Write as _;
use zonewalk_syntax::markup::escaped;

/// The whole document.
pub fn render(summary: &Summary<'_>) -> String {
    let tally = summary.tally();
    let tests = tally.passed + tally.failed + tally.undecided + tally.errors;
    let time: f64 = summary.cases.iter().map(|case| case.result.cost.time_s).sum();
    let counts = format!(
        "tests=\"{tests}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{time:.3}\"",
        tally.failed, tally.errors, tally.undecided
    );
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let model = escaped(summary.model);
    let _ = writeln!(text, "<testsuites name=\"zonewalk\" {counts}>");
    let _ = writeln!(text, "  <testsuite name=\"{model}\" {counts}>");
    for error in &summary.errors {
        let message = escaped(error);
        let _ = writeln!(
            text,
            "    <testcase name=\"the model\" classname=\"{model}\" time=\"0\">\n      <error message=\"{message}\"/>\n    </testcase>"
        );
    }
    for case in &summary.cases {
        test(&mut text, &model, case);
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

fn test(text: &mut String, model: &str, case: &Case<'_>) {
    let name = escaped(&case.name());
    let _ = writeln!(
        text,
        "    <testcase name=\"{name}\" classname=\"{model}\" time=\"{:.3}\">",
        case.result.cost.time_s
    );
    let details = escaped(case.details);
    let _ = match &case.finding {
        Finding::Passed => writeln!(text, "      <system-out>{details}</system-out>"),
        Finding::Failed(why) => writeln!(
            text,
            "      <failure message=\"{}\">{details}</failure>",
            escaped(why)
        ),
        Finding::Undecided(why) => writeln!(text, "      <skipped message=\"{}\"/>", escaped(why)),
        Finding::Error(why) => writeln!(
            text,
            "      <error message=\"{}\">{details}</error>",
            escaped(why)
        ),
    };
    text.push_str("    </testcase>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_the_document() {
        let summary = Summary {
            model: "a<b>.xml",
            errors: vec!["`x` & \"y\"".to_owned()],
            cases: Vec::new(),
        };
        let text = render(&summary);
        assert!(
            text.contains("tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\""),
            "{text}"
        );
        assert!(
            text.contains("<error message=\"`x` &amp; &quot;y&quot;\"/>"),
            "{text}"
        );
    }
}
