//! The words and signs of queries.

/// A word or a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name, a keyword or a word with hyphens at the head of a query.
    Word,
    Number,
    /// `[…]`, with all that is between.
    Bracket,
    /// A bracket that is never closed.
    OpenBracket,
    LeftParen,
    RightParen,
    Comma,
    Semicolon,
    Colon,
    At,
    Dot,
    Arrow,
    Less,
    LessEqual,
    Equal,
    NotEqual,
    GreaterEqual,
    Greater,
    And,
    Or,
    Not,
    Plus,
    Minus,
    /// `//`, `\\` or `\`
    Quotient,
    Unknown,
    End,
}

/// A token with its place in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexeme {
    pub(super) token: Token,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Signs, longer ones before their beginnings.
const SIGNS: [(&str, Token); 25] = [
    ("->", Token::Arrow),
    ("<=", Token::LessEqual),
    (">=", Token::GreaterEqual),
    ("==", Token::Equal),
    ("!=", Token::NotEqual),
    ("&&", Token::And),
    ("||", Token::Or),
    ("//", Token::Quotient),
    ("\\\\", Token::Quotient),
    ("\\", Token::Quotient),
    ("≤", Token::LessEqual),
    ("≥", Token::GreaterEqual),
    ("<", Token::Less),
    (">", Token::Greater),
    ("=", Token::Equal),
    ("!", Token::Not),
    ("+", Token::Plus),
    ("-", Token::Minus),
    ("(", Token::LeftParen),
    (")", Token::RightParen),
    (",", Token::Comma),
    (";", Token::Semicolon),
    (":", Token::Colon),
    ("@", Token::At),
    (".", Token::Dot),
];

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The token that begins at `at`, or after the blanks there.
pub(super) fn next(text: &str, at: usize) -> Lexeme {
    let start = text.len() - text[at..].trim_start().len();
    let rest = &text[start..];
    let lexeme = |token, length: usize| Lexeme {
        token,
        start,
        end: start + length,
    };
    let Some(first) = rest.chars().next() else {
        return lexeme(Token::End, 0);
    };
    if is_word(first) {
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let is_number = rest[..length].bytes().all(|b| b.is_ascii_digit());
        return lexeme(if is_number { Token::Number } else { Token::Word }, length);
    }
    if first == '[' {
        return match rest.find(']') {
            Some(close) => lexeme(Token::Bracket, close + 1),
            None => lexeme(Token::OpenBracket, 1),
        };
    }
    let sign = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign));
    match sign {
        Some((sign, token)) => lexeme(*token, sign.len()),
        None => lexeme(Token::Unknown, first.len_utf8()),
    }
}
