//! Markdown: a table of the queries, and what there is to say about those that did not pass.

use super::{Case, Finding, Summary};
use crate::statistics::text::answer;
use crate::verdict::text::seconds;
use crate::verdict::{Answer, QueryResult};
use std::fmt::Write as _;

/// Pictures of a query by its number: what they are, and where.
pub type Pictures<'a> = dyn Fn(usize) -> Vec<(&'static str, String)> + 'a;

/// The whole document.
pub fn render(summary: &Summary<'_>, pictures: &Pictures<'_>) -> String {
    let mut text = format!("# {}\n\n{}\n", plain(summary.model), title(summary));
    for error in &summary.errors {
        let _ = writeln!(text, "\n- **error:** {}", plain(error));
    }
    if !summary.cases.is_empty() {
        text.push_str("\n|   | # | Query | Answer | By | Time |\n|---|--:|---|---|---|--:|\n");
        for case in &summary.cases {
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} |",
                mark(&case.finding),
                case.number,
                question(case),
                answer_in_words(case.result),
                case.result.search,
                seconds(case.result.cost.time_s)
            );
        }
    }
    for case in &summary.cases {
        for warning in &case.result.warnings {
            let _ = writeln!(
                text,
                "\n- {}. **warning:** {} (`{}`)",
                case.number,
                plain(&warning.message),
                warning.code
            );
        }
    }
    for case in &summary.cases {
        section(&mut text, case, &pictures(case.number));
    }
    text
}

/// The formula, and below it what its author says about it.
fn question(case: &Case<'_>) -> String {
    let formula = code(case.formula());
    match case.result.title() {
        Some(title) => format!("{}<br>{formula}", plain(&title)),
        None => formula,
    }
}

/// The verdict, with the numbers of statistical queries.
fn answer_in_words(result: &QueryResult) -> String {
    let word = result.verdict.unwrap_or(Answer::Unknown).word();
    match &result.statistics {
        Some(estimate) => plain(&format!("{word}: {}", answer(estimate))),
        None => match &result.certificate {
            Some(certificate) if certificate.judged => format!("{word} (proof judged)"),
            Some(_) if result.proof => format!("{word} (proof not judged)"),
            _ => word.to_owned(),
        },
    }
}

fn title(summary: &Summary<'_>) -> String {
    let tally = summary.tally();
    let parts = [
        (tally.passed, "passed"),
        (tally.failed, "failed"),
        (tally.undecided, "undecided"),
        (tally.errors, "in error"),
    ];
    let parts: Vec<_> = parts
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, word)| format!("{number} {word}"))
        .collect();
    format!("**{}**", parts.join(", "))
}

/// A query that did not pass, or that there are pictures of.
fn section(text: &mut String, case: &Case<'_>, pictures: &[(&str, String)]) {
    let (word, why) = match &case.finding {
        Finding::Passed if pictures.is_empty() => return,
        Finding::Passed => {
            let _ = write!(text, "\n## {}. passed\n", case.number);
            return show(text, pictures);
        }
        Finding::Failed(why) => ("failed", why),
        Finding::Undecided(why) => ("undecided", why),
        Finding::Error(why) => ("error", why),
    };
    let _ = write!(text, "\n## {}. {word}: {}\n", case.number, plain(why));
    // A fence that nothing inside can close.
    let longest = case
        .details
        .lines()
        .map(|line| line.chars().take_while(|c| *c == '`').count())
        .max();
    let fence = "`".repeat(longest.unwrap_or(0).max(2) + 1);
    let _ = write!(text, "\n{fence}text\n{}\n{fence}\n", case.details.trim_end());
    show(text, pictures);
}

fn show(text: &mut String, pictures: &[(&str, String)]) {
    for (kind, file) in pictures {
        // Pointed brackets allow for spaces; what would end them cannot be in them.
        let file = one_line(file).replace(['<', '>'], "_");
        let _ = write!(text, "\n![{kind} chart of the run](<{file}>)\n");
    }
}

fn mark(finding: &Finding) -> &'static str {
    match finding {
        Finding::Passed => "✓",
        Finding::Failed(_) => "✗",
        Finding::Undecided(_) => "?",
        Finding::Error(_) => "!",
    }
}

/// Code in a cell of a table: bars would end the cell.
fn code(formula: &str) -> String {
    let formula = one_line(formula).replace('|', "\\|");
    if formula.contains('`') {
        format!("`` {formula} ``")
    } else {
        format!("`{formula}`")
    }
}

/// Text that means nothing but itself.
fn plain(text: &str) -> String {
    let mut escaped = String::new();
    for c in one_line(text).chars() {
        if matches!(c, '*' | '_' | '<' | '>' | '[' | ']' | '|' | '\\' | '#') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_model_says_stays_in_its_cell() {
        assert_eq!(code("a || b"), "`a \\|\\| b`");
        assert_eq!(code("a `b`"), "`` a `b` ``");
        assert_eq!(plain("x_1 <b>\n|"), "x\\_1 \\<b\\> \\|");
    }
}
