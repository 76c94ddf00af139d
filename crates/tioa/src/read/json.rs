//! JSON with places: every value knows where it stands, and every text where each of its bytes does.

use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::fragment::Fragment;
use zonewalk_syntax::span::Span;

/// How deep arrays and objects may nest. Files of ECDAR nest four deep.
const MAX_NESTING: usize = 100;

/// A value and its place.
#[derive(Debug)]
pub(crate) struct Value<'a> {
    pub(crate) kind: Kind<'a>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum Kind<'a> {
    Null,
    Bool,
    /// A number, as written.
    Number(&'a str),
    Text(Fragment<'a>),
    List(Vec<Value<'a>>),
    Object(Vec<(Fragment<'a>, Value<'a>)>),
}

impl<'a> Value<'a> {
    /// The value of a key; the last one where there are several.
    pub(crate) fn get(&self, key: &str) -> Option<&Value<'a>> {
        let Kind::Object(fields) = &self.kind else {
            return None;
        };
        let found = fields.iter().rev().find(|(name, _)| name.text() == key);
        found.map(|(_, value)| value)
    }

    /// Kind of value, for messages.
    pub(crate) fn describe(&self) -> &'static str {
        match self.kind {
            Kind::Null => "null",
            Kind::Bool => "a boolean",
            Kind::Number(_) => "a number",
            Kind::Text(_) => "a text",
            Kind::List(_) => "a list",
            Kind::Object(_) => "an object",
        }
    }
}

/// Parses a whole text that begins at `base`.
///
/// # Errors
/// The first thing that is not JSON, with its place.
pub(crate) fn parse(text: &str, base: u32) -> Result<Value<'_>, Box<Diagnostic>> {
    let mut parser = Parser { text, at: 0, base };
    parser.blanks();
    let value = parser.value(0)?;
    parser.blanks();
    if parser.at < text.len() {
        return Err(parser.error("expected the end of the file"));
    }
    Ok(value)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    base: u32,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.base + start as u32, self.base + self.at as u32)
    }

    /// An error at the present place.
    fn error(&self, expected: &str) -> Box<Diagnostic> {
        let rest = &self.text[self.at..];
        let found = match rest.chars().next() {
            None => "the end of the file".to_owned(),
            Some(c) => format!("`{}`", c.escape_debug()),
        };
        let length = rest.chars().next().map_or(0, char::len_utf8);
        let start = self.base + self.at as u32;
        let span = Span::new(start, start + length as u32);
        Box::new(Diagnostic::error(
            "json",
            span,
            format!("{expected}, found {found}"),
        ))
    }

    fn value(&mut self, depth: usize) -> Result<Value<'a>, Box<Diagnostic>> {
        if depth > MAX_NESTING {
            let message = format!("this nests deeper than {MAX_NESTING} levels");
            let at = self.base + self.at as u32;
            return Err(Box::new(Diagnostic::error("json", Span::new(at, at), message)));
        }
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Kind::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        let span = match &kind {
            // The place of a text is that of what is between the quotes.
            Kind::Text(text) => text.span(),
            _ => self.span(start),
        };
        Ok(Value { kind, span })
    }

    fn word(&mut self) -> Result<Kind<'a>, Box<Diagnostic>> {
        let words = [("true", Kind::Bool), ("false", Kind::Bool), ("null", Kind::Null)];
        for (word, kind) in words {
            if self.text[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(kind);
            }
        }
        Err(self.error("expected a value"))
    }

    fn number(&mut self) -> Result<Kind<'a>, Box<Diagnostic>> {
        let start = self.at;
        while matches!(self.peek(), Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')) {
            self.at += 1;
        }
        let number = &self.text[start..self.at];
        if number.parse::<f64>().is_err() {
            return Err(Box::new(Diagnostic::error(
                "json",
                self.span(start),
                format!("`{number}` is not a number"),
            )));
        }
        Ok(Kind::Number(number))
    }

    fn list(&mut self, depth: usize) -> Result<Kind<'a>, Box<Diagnostic>> {
        self.at += 1;
        let mut items = Vec::new();
        self.blanks();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Kind::List(items));
        }
        loop {
            self.blanks();
            items.push(self.value(depth + 1)?);
            self.blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Kind::List(items));
                }
                _ => return Err(self.error("expected `,` or `]`")),
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Kind<'a>, Box<Diagnostic>> {
        self.at += 1;
        let mut fields = Vec::new();
        self.blanks();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Kind::Object(fields));
        }
        loop {
            self.blanks();
            if self.peek() != Some(b'"') {
                return Err(self.error("expected a name in quotes"));
            }
            let key = self.string()?;
            self.blanks();
            if self.peek() != Some(b':') {
                return Err(self.error("expected `:`"));
            }
            self.at += 1;
            self.blanks();
            let value = self.value(depth + 1)?;
            fields.push((key, value));
            self.blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Kind::Object(fields));
                }
                _ => return Err(self.error("expected `,` or `}`")),
            }
        }
    }

    /// A text; escapes keep their places.
    fn string(&mut self) -> Result<Fragment<'a>, Box<Diagnostic>> {
        let open = self.at;
        self.at += 1;
        let mut text = Fragment::empty(self.base + self.at as u32);
        let mut start = self.at;
        loop {
            match self.peek() {
                None => {
                    let span = Span::new(self.base + open as u32, self.base + open as u32 + 1);
                    return Err(Box::new(Diagnostic::error(
                        "json",
                        span,
                        "this string is never closed",
                    )));
                }
                Some(b'"') => {
                    self.plain(&mut text, start);
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => {
                    self.plain(&mut text, start);
                    let escape = self.at;
                    let decoded = self.escape()?;
                    text.push_entity(decoded, self.base + escape as u32, self.base + self.at as u32);
                    start = self.at;
                }
                // Line breaks in a string are not JSON, but do no harm.
                Some(_) => self.at += 1,
            }
        }
    }

    fn plain(&self, text: &mut Fragment<'a>, start: usize) {
        if start < self.at {
            text.push_plain(&self.text[start..self.at], self.base + start as u32);
        }
    }

    fn escape(&mut self) -> Result<char, Box<Diagnostic>> {
        let start = self.at;
        self.at += 1;
        let simple = match self.peek() {
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(c),
            Some(b'u') => {
                self.at += 1;
                return self.unicode(start);
            }
            _ => return Err(self.error("expected an escape such as `\\n` or `\\u003c`")),
        };
        self.at += 1;
        Ok(simple)
    }

    fn unicode(&mut self, start: usize) -> Result<char, Box<Diagnostic>> {
        let first = self.hex(start)?;
        if let Some(c) = char::from_u32(first) {
            return Ok(c);
        }
        // Half of a pair needs the other half.
        if (0xD800..0xDC00).contains(&first) && self.text[self.at..].starts_with("\\u") {
            self.at += 2;
            let second = self.hex(start)?;
            if (0xDC00..0xE000).contains(&second) {
                let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
        Err(Box::new(Diagnostic::error(
            "json",
            self.span(start),
            "half a character",
        )))
    }

    fn hex(&mut self, start: usize) -> Result<u32, Box<Diagnostic>> {
        let digits = self.text.get(self.at..self.at + 4);
        let digits = digits.filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        let Some(digits) = digits else {
            return Err(Box::new(Diagnostic::error(
                "json",
                self.span(start),
                "expected four hexadecimal digits after `\\u`",
            )));
        };
        self.at += 4;
        Ok(u32::from_str_radix(digits, 16).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_keep_their_places() {
        let text = r#"{"guard": "x\u003c5", "n": [1, -2.5e3, true, null]}"#;
        let value = parse(text, 1).unwrap();
        let Kind::Text(guard) = &value.get("guard").unwrap().kind else {
            panic!("no text");
        };
        assert_eq!(guard.text(), "x<5");
        let at = text.find("\\u").unwrap() as u32 + 1;
        assert_eq!(guard.range(1, 2), Span::new(at, at + 6));
        assert_eq!(guard.range(2, 3), Span::new(at + 6, at + 7));
        assert!(matches!(&value.get("n").unwrap().kind, Kind::List(list) if list.len() == 4));
    }

    #[test]
    fn what_is_no_json_is_told() {
        for text in [
            "",
            "{",
            "[1,",
            "{\"a\"}",
            "{\"a\":}",
            "[1 2]",
            "\"a",
            "\"\\x\"",
            "\"\\ud800\"",
            "\"\\u12\"",
            "tru",
            "1-",
            "{} {}",
            "{a: 1}",
        ] {
            assert!(parse(text, 1).is_err(), "{text}");
        }
        assert!(parse(&"[".repeat(100_000), 1).is_err());
        let pair = parse("\"\\ud83d\\ude00\"", 1).unwrap();
        assert!(matches!(&pair.kind, Kind::Text(text) if text.text() == "😀"));
    }
}
