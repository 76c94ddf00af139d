//! The command of this process, for pages that say how to make them again.

/// The command of this process, as a shell reads it.
pub(crate) fn command() -> String {
    let mut words = vec!["zonewalk".to_owned()];
    let arguments = std::env::args_os().skip(1);
    words.extend(arguments.map(|word| quoted(&word.to_string_lossy())));
    words.join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,+%@".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_a_shell() {
        assert_eq!(quoted("models/a.xml"), "models/a.xml");
        assert_eq!(quoted("E<> P.x"), "'E<> P.x'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}
