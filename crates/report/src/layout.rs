//! Text in columns.

use std::fmt::Write as _;

/// Columns that all text keeps within, where words allow it.
pub(crate) const WIDTH: usize = 80;

/// Width of the titles on the left.
pub(crate) const INDENT: usize = 14;

/// `title` on the left and the items beside it, separated by commas, in as many lines as it takes; nothing when
/// there are no items. At most `limit` of them are listed, the others counted.
pub(crate) fn list(text: &mut String, title: &str, items: &[String], limit: usize) {
    if items.is_empty() {
        return;
    }
    let mut words: Vec<String> = items.iter().take(limit).map(|item| format!("{item},")).collect();
    if items.len() > limit {
        words.push(format!("… {} more", items.len() - limit));
    } else if let Some(last) = words.last_mut() {
        last.pop();
    }
    fill(text, title, &words, 0);
}

/// `title` on the left and the words beside it, in as many lines as it takes; all but the first are set in by `hang`
/// more columns.
fn fill<T: AsRef<str>>(text: &mut String, title: &str, words: &[T], hang: usize) {
    let mut line = format!("{title:<INDENT$}");
    let mut width = line.chars().count();
    let mut is_fresh = true;
    for word in words {
        let word = word.as_ref();
        let length = word.chars().count();
        if !is_fresh && width + 1 + length > WIDTH {
            let _ = writeln!(text, "{}", line.trim_end());
            width = INDENT + hang;
            line = " ".repeat(width);
            is_fresh = true;
        }
        if !is_fresh {
            line.push(' ');
            width += 1;
        }
        line.push_str(word);
        width += length;
        is_fresh = false;
    }
    let _ = writeln!(text, "{}", line.trim_end());
}

/// The same for running text.
pub(crate) fn paragraph(text: &mut String, title: &str, content: &str) {
    hanging(text, title, content, 0);
}

/// Running text whose lines but the first are set in by `hang` more columns.
pub(crate) fn hanging(text: &mut String, title: &str, content: &str, hang: usize) {
    fill(text, title, &content.split_whitespace().collect::<Vec<_>>(), hang);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_wrap_and_stop() {
        let items: Vec<String> = (0..40).map(|i| format!("name{i} = {i}")).collect();
        let mut text = String::new();
        list(&mut text, "variables", &items, 12);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH));
        assert!(
            text.lines()
                .skip(1)
                .all(|line| line.starts_with(&" ".repeat(INDENT)))
        );
        assert!(text.ends_with("… 28 more\n"), "{text}");
    }

    #[test]
    fn a_word_longer_than_the_line_stands_alone() {
        let mut text = String::new();
        fill(
            &mut text,
            "x",
            &["a".to_owned(), "b".repeat(100), "c".to_owned()],
            0,
        );
        assert_eq!(text.lines().count(), 3);
    }
}
