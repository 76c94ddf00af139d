//! Text to tokens, one at a time: a file of many megabytes never becomes a vector of tokens.

use crate::token::{Grammar, Token, keyword};

/// A token and its range of bytes in the decoded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lexeme {
    /// Kind of token.
    pub token: Token,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// The lexer: a position in a text. Cloning it is how the parser looks ahead.
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    text: &'a str,
    at: usize,
    grammar: Grammar,
}

impl<'a> Lexer<'a> {
    /// At the beginning of `text`.
    pub fn new(text: &'a str, grammar: Grammar) -> Self {
        Lexer { text, at: 0, grammar }
    }

    /// The text of a lexeme.
    pub fn slice(&self, lexeme: Lexeme) -> &'a str {
        &self.text[lexeme.start..lexeme.end]
    }

    /// The next token; `Token::End` forever after the last.
    pub fn next_token(&mut self) -> Lexeme {
        if let Err(unclosed) = self.skip_blanks() {
            self.at = self.text.len();
            return Lexeme {
                token: Token::Unclosed,
                start: unclosed,
                end: (unclosed + 2).min(self.text.len()),
            };
        }
        let start = self.at;
        let rest = &self.text[start..];
        let Some(first) = rest.chars().next() else {
            return Lexeme {
                token: Token::End,
                start,
                end: start,
            };
        };
        let (token, len) = match first {
            'a'..='z' | 'A'..='Z' | '_' => {
                let len = rest
                    .bytes()
                    .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'#')))
                    .unwrap_or(rest.len());
                (keyword(&rest[..len], self.grammar).unwrap_or(Token::Ident), len)
            }
            '0'..='9' => number(rest),
            '"' => match rest[1..].find('"') {
                Some(close) => (Token::Str, close + 2),
                None => (Token::Unclosed, 1),
            },
            _ => punctuation(rest, self.grammar).unwrap_or((Token::Unknown, first.len_utf8())),
        };
        self.at = start + len;
        Lexeme {
            token,
            start,
            end: self.at,
        }
    }

    /// Skips white space, comments and line continuations.
    ///
    /// # Errors
    /// The offset of a comment that nothing closes.
    fn skip_blanks(&mut self) -> Result<(), usize> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c) => self.at += 1,
                // A no-break space: it comes with text that was pasted from a document.
                Some(0xC2) if bytes.get(self.at + 1) == Some(&0xA0) => self.at += 2,
                Some(b'/') if bytes.get(self.at + 1) == Some(&b'/') => {
                    let rest = &bytes[self.at..];
                    self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                }
                Some(b'/') if bytes.get(self.at + 1) == Some(&b'*') => {
                    match self.text[self.at + 2..].find("*/") {
                        Some(close) => self.at += close + 4,
                        None => return Err(self.at),
                    }
                }
                Some(b'\\') => {
                    let rest = self.text[self.at + 1..].trim_start_matches([' ', '\t', '\r']);
                    if !rest.starts_with('\n') {
                        return Ok(());
                    }
                    self.at = self.text.len() - rest.len() + 1;
                }
                _ => return Ok(()),
            }
        }
    }
}

/// An integer or floating-point literal at the start of `rest`.
fn number(rest: &str) -> (Token, usize) {
    let digits = |from: usize| {
        let bytes = rest.as_bytes();
        from + bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count()
    };
    let whole = digits(0);
    let mut end = whole;
    if rest[end..].starts_with('.') && digits(end + 1) > end + 1 {
        end = digits(end + 1);
    }
    if rest[end..].starts_with(['e', 'E']) {
        let sign = usize::from(rest[end + 1..].starts_with(['+', '-']));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    if end > whole {
        (Token::Double, end)
    } else if rest[..whole].parse::<i32>().is_ok() {
        (Token::Int, whole)
    } else {
        (Token::BigInt, whole)
    }
}

/// Operators and punctuation, longest first.
fn punctuation(rest: &str, grammar: Grammar) -> Option<(Token, usize)> {
    use Token::*;
    const TABLE: &[(&str, Token)] = &[
        ("-u->", UncontrollableArrow),
        ("-->", LeadsTo),
        ("<<=", ShiftLeftAssign),
        (">>=", ShiftRightAssign),
        ("->", Arrow),
        ("--", Decrement),
        ("-=", SubAssign),
        (":=", Token::Assign),
        ("++", Increment),
        ("+=", AddAssign),
        ("**", StarStar),
        ("*=", MulAssign),
        ("/=", DivAssign),
        ("%=", ModAssign),
        ("&&", AmpAmp),
        ("&=", AndAssign),
        ("||", BarBar),
        ("|=", OrAssign),
        ("^=", XorAssign),
        ("<<", ShiftLeft),
        ("<=", LessEqual),
        ("<?", Min),
        (">>", ShiftRight),
        (">=", GreaterEqual),
        (">?", Max),
        ("==", EqualEqual),
        ("!=", NotEqual),
        ("(", LeftParen),
        (")", RightParen),
        ("[", LeftBracket),
        ("]", RightBracket),
        ("{", LeftBrace),
        ("}", RightBrace),
        (",", Comma),
        (";", Semicolon),
        (":", Colon),
        (".", Dot),
        ("'", Prime),
        ("?", Question),
        ("!", Exclamation),
        ("=", Token::Assign),
        ("+", Plus),
        ("-", Minus),
        ("*", Star),
        ("/", Slash),
        ("%", Percent),
        ("&", Ampersand),
        ("|", Bar),
        ("^", Caret),
        ("<", Less),
        (">", Greater),
    ];
    if grammar == Grammar::Old {
        if rest.starts_with("=<") {
            return Some((LessEqual, 2));
        }
        if rest.starts_with("=>") {
            return Some((GreaterEqual, 2));
        }
    }
    TABLE
        .iter()
        .find(|(text, _)| rest.starts_with(text))
        .map(|&(text, token)| (token, text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        let mut lexer = Lexer::new(text, Grammar::New);
        std::iter::from_fn(|| Some(lexer.next_token().token).filter(|&t| t != Token::End)).collect()
    }

    #[test]
    fn longest_match_wins() {
        use Token::*;
        assert_eq!(
            tokens("a <<= b << c <= d < e <? f"),
            [
                Ident,
                ShiftLeftAssign,
                Ident,
                ShiftLeft,
                Ident,
                LessEqual,
                Ident,
                Less,
                Ident,
                Min,
                Ident
            ]
        );
        assert_eq!(
            tokens("s -u-> t -> u -- > --> "),
            [
                Ident,
                UncontrollableArrow,
                Ident,
                Arrow,
                Ident,
                Decrement,
                Greater,
                LeadsTo
            ]
        );
    }

    #[test]
    fn numbers() {
        assert_eq!(
            tokens("1 1.5 1e3 1.5e-3 2147483647 2147483648 1.x"),
            [
                Token::Int,
                Token::Double,
                Token::Double,
                Token::Double,
                Token::Int,
                Token::BigInt,
                Token::Int,
                Token::Dot,
                Token::Ident
            ]
        );
    }

    #[test]
    fn comments_and_continuations() {
        assert_eq!(tokens("a // x\n /* y\n * */ b \\ \r\n c"), [Token::Ident; 3]);
        assert_eq!(tokens("a /* b"), [Token::Ident, Token::Unclosed]);
        assert_eq!(tokens("\\ a"), [Token::Unknown, Token::Ident]);
        assert_eq!(tokens("é"), [Token::Unknown]);
    }

    #[test]
    fn words_are_reserved_by_grammar() {
        assert_eq!(keyword("exit", Grammar::New), Some(Token::Exit));
        assert_eq!(keyword("exit", Grammar::Old), None);
        assert_eq!(keyword("deadlock", Grammar::New), None);
        assert_eq!(tokens("x$1#"), [Token::Ident]);
    }
}
