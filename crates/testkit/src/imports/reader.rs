//! The paths that a file of Rust names, in imports and elsewhere.

/// How a path is named.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Use {
    Import,
    /// An import with a visibility.
    Export,
    /// In an expression or a type.
    Mention,
}

/// A path as written.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) path: Vec<String>,
    /// Its last part, or the name that an import gives it.
    pub(crate) name: String,
    pub(crate) how: Use,
    pub(crate) line: usize,
}

#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    line: usize,
}

/// All paths of a file, apart from its unit tests.
pub(crate) fn paths(source: &str) -> Vec<Named> {
    let tokens = without_tests(&tokens(source));
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if is(&tokens, at, "use") {
            let visible = at > 0 && matches!(tokens[at - 1].text, "pub" | ")");
            let how = if visible { Use::Export } else { Use::Import };
            at = tree(&tokens, at + 1, &[], how, &mut found);
        } else if is_word(tokens[at].text) && is(&tokens, at + 1, "::") {
            at = tree(&tokens, at, &[], Use::Mention, &mut found);
        } else {
            at += 1;
        }
    }
    found
}

/// A path from `at` on, or all those that braces join. Returns where it ends.
fn tree(tokens: &[Token], mut at: usize, before: &[&str], how: Use, found: &mut Vec<Named>) -> usize {
    let mut path = before.to_vec();
    while let Some(&Token { text, line }) = tokens.get(at) {
        at += 1;
        if text == "{" {
            while at < tokens.len() && !is(tokens, at, "}") {
                at = tree(tokens, at, &path, how, found);
                at += usize::from(is(tokens, at, ","));
            }
            return at + 1;
        }
        path.push(text);
        let goes_on = tokens
            .get(at + 1)
            .is_some_and(|next| matches!(next.text, "{" | "*") || is_word(next.text));
        if is(tokens, at, "::") && goes_on {
            at += 1;
            continue;
        }
        let mut name = text;
        if is(tokens, at, "as") {
            name = tokens.get(at + 1).map_or(text, |renamed| renamed.text);
            at += 2;
        }
        found.push(Named {
            path: path.iter().map(|part| (*part).to_owned()).collect(),
            name: name.to_owned(),
            how,
            line,
        });
        return at;
    }
    at
}

fn is(tokens: &[Token], at: usize, text: &str) -> bool {
    tokens.get(at).is_some_and(|token| token.text == text)
}

fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first == '_' || first.is_alphabetic())
}

/// Leaves out items under `#[cfg(test)]`.
fn without_tests<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let attribute = ["#", "[", "cfg", "(", "test", ")", "]"];
        if (0..attribute.len()).all(|i| is(tokens, at + i, attribute[i])) {
            at = end_of_item(tokens, at + attribute.len());
        } else {
            kept.push(tokens[at]);
            at += 1;
        }
    }
    kept
}

fn end_of_item(tokens: &[Token], mut at: usize) -> usize {
    let mut depth = 0;
    while at < tokens.len() {
        match tokens[at].text {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 && matches!(tokens[at - 1].text, "}" | ";") {
            break;
        }
    }
    at
}

/// Words, `::` and single other characters, without comments, strings and characters.
fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        let (length, kept) = if let Some(length) = skipped(rest) {
            (length, false)
        } else if is_word(rest) {
            let end = rest.find(|c: char| c != '_' && !c.is_alphanumeric());
            (end.unwrap_or(rest.len()), true)
        } else if rest.starts_with("::") {
            (2, true)
        } else {
            (first.len_utf8(), !first.is_whitespace())
        };
        let text = &rest[..length];
        if kept {
            tokens.push(Token { text, line });
        }
        line += text.matches('\n').count();
        at += length;
    }
    tokens
}

/// The length of a comment, string or character at the beginning, if there is one.
fn skipped(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return Some(text.find("*/").map_or(text.len(), |end| end + 2));
    }
    let quoted = text.trim_start_matches(['b', 'r']);
    let raw = text[..text.len() - quoted.len()].contains('r');
    let hashes = quoted.len() - quoted.trim_start_matches('#').len();
    if quoted[hashes..].starts_with('"') && (raw || hashes == 0) && text.len() - quoted.len() <= 2 {
        let begin = text.len() - quoted.len() + hashes + 1;
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(if raw {
            begin + text[begin..].find(&end).unwrap_or(0) + end.len()
        } else {
            begin + closing(&text[begin..], '"')
        });
    }
    // A lifetime has no second quote.
    let character = text.strip_prefix('\'')?;
    let mut following = character.chars();
    match following.next()? {
        '\\' => Some(1 + closing(character, '\'')),
        one => character[one.len_utf8()..]
            .starts_with('\'')
            .then(|| one.len_utf8() + 2),
    }
}

/// The length up to and with the quote that ends a text with escapes.
fn closing(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if c == quote && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{Use, paths};

    /// Paths as `a::b`, imports with the name that they get.
    fn read(source: &str) -> Vec<String> {
        let named = paths(source).into_iter();
        named
            .map(|named| match named.how {
                Use::Mention => named.path.join("::"),
                how => format!("{how:?} {} as {}", named.path.join("::"), named.name),
            })
            .collect()
    }

    #[test]
    fn braces_join_paths_to_any_depth() {
        assert_eq!(
            read("use crate::{a::{b, c as d}, e::*}; pub(crate) use self::f;"),
            [
                "Import crate::a::b as b",
                "Import crate::a::c as d",
                "Import crate::e::* as *",
                "Export self::f as f"
            ]
        );
    }

    #[test]
    fn paths_in_expressions_and_types_count() {
        assert_eq!(
            read("fn f(a: &crate::a::T) -> u8 { super::super::b::<u8>(self.c) + d::E as u8 }"),
            ["crate::a::T", "super::super::b", "d::E"]
        );
    }

    #[test]
    fn texts_comments_and_unit_tests_do_not_count() {
        let source =
            "// crate::a\n/* crate::b */ const C: [&str; 3] = [\"crate::\\\"d\", r#\"crate::\"e\"#, \"\"];
            const F: [char; 2] = ['\"', '\\''];
            #[cfg(test)] mod g { use crate::h; fn i() {} }
            #[cfg(test)] use crate::j;
            fn k<'a>(_: &'a crate::l::M) {}";
        assert_eq!(read(source), ["crate::l::M"]);
        assert_eq!(paths(source)[0].line, 6);
    }
}
