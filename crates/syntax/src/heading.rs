//! Headings among queries: `== Safety ==`, `----------`, `Mutual exclusion:`.
//!
//! UPPAAL's editor has one list for queries, and authors put titles into it as formulas. A title is not a query, so it is
//! skipped. A query with a slip in it must never be taken for one: whatever has an operator of queries is an error.

use crate::token::is_reserved_name;

/// Signs that rules and frames of titles are made of.
const RULE: [char; 7] = ['=', '-', '*', '#', '_', '~', '+'];

/// First words of queries beside those that the lexer knows: what begins with one is an attempt at a query.
const FIRST_WORDS: [&str; 8] = [
    "A",
    "E",
    "refinement",
    "consistency",
    "specification",
    "implementation",
    "determinism",
    "scenario",
];

/// Whether a text on one line that is not a query is a title, and cannot be meant as a query.
pub(crate) fn is_heading(text: &str) -> bool {
    let text = text.trim();
    let inner = text.trim_start_matches(RULE);
    let before = text.len() - inner.len();
    let title = inner.trim_end_matches(RULE);
    let after = inner.len() - title.len();
    let title = title.trim();
    if title.is_empty() {
        return before >= 3;
    }
    let is_framed = before >= 2 && after >= 2 || text.starts_with('#');
    if is_framed {
        return !title.contains(|c: char| "<>[]{}=&|!\"".contains(c));
    }
    let Some(words) = title.strip_suffix(':').filter(|_| before == 0 && after == 0) else {
        return false;
    };
    let is_prose = words
        .chars()
        .all(|c| c.is_alphanumeric() || c.is_whitespace() || ",'’-/".contains(c));
    let first = words
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    is_prose && !first.is_empty() && !FIRST_WORDS.contains(&first) && !is_reserved_name(first)
}

#[cfg(test)]
mod tests {
    use super::is_heading;

    #[test]
    fn titles_and_rules() {
        for text in [
            "====================== MODEL BEHAVIOUR ======================",
            "== G1: Detect Emergency ==",
            "== G1 with G0: Detect emergency within 250ms ==",
            "== T2.2 Detect Patient Health Status ==",
            "****************",
            "---",
            "# Safety",
            "## Safety (all trains) ##",
            "--- Deadlock freedom ---",
            "Mutual exclusion:",
            "Liveness, second part:",
            "Propriétés de sûreté:",
        ] {
            assert!(is_heading(text), "{text}");
        }
    }

    #[test]
    fn slips_in_queries_are_no_titles() {
        for text in [
            "",
            "--",
            "P.a",
            "not deadlock",
            "always P.a",
            "E P.a",
            "EF P.a",
            "AG not deadlock",
            "Mutual exclusion",
            "--> P.a",
            "sup:",
            "inf :",
            "control:",
            "A:",
            "P.a:",
            "Process(1).cs:",
            "== E<> P.a ==",
            "# E<> P.a",
            "## A[] not deadlock ##",
            "-- P.a && P.b --",
            "= Safety =",
            "x == 3:",
            "!P:",
            "++i",
            "==",
        ] {
            assert!(!is_heading(text), "{text}");
        }
    }
}
