//! Bytes to text.
//!
//! Models are UTF-8 nearly always. Old editors wrote Latin-1, some Windows tools write UTF-16; none of that is a
//! reason to refuse a file whose only letters beyond ASCII stand in comments.

use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// Result of decoding the bytes of a file.
#[derive(Debug)]
pub struct Decoded {
    /// The text, without a byte order mark.
    pub text: String,
    /// Oddity of the encoding, if any.
    pub oddity: Option<Oddity>,
}

/// Oddities of a file's encoding. Offsets count in the decoded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// Not UTF-8, so read as Latin-1. Holds the first byte that is not UTF-8 and its offset.
    Latin1 {
        /// The byte.
        byte: u8,
        /// Its offset in the text.
        offset: usize,
    },
    /// UTF-16 with half a surrogate pair or half a character, which became U+FFFD.
    BrokenUtf16 {
        /// Its offset in the text.
        offset: usize,
    },
    /// No text at all; the first byte that says so.
    Binary {
        /// The byte.
        byte: u8,
        /// Its place in the file.
        offset: usize,
    },
}

impl Oddity {
    /// Describes the oddity for the user; `base` is the address of the text in the source map.
    pub fn diagnostic(self, base: u32) -> Diagnostic {
        // The source map holds less than 4 GiB, so offsets fit.
        let at = |offset: usize, len: u32| Span::new(base + offset as u32, base + offset as u32 + len);
        match self {
            Oddity::Latin1 { byte, offset } => Diagnostic::warning(
                "encoding",
                at(offset, 2),
                format!("the file is not UTF-8 (byte 0x{byte:02X}); it is read as Latin-1"),
            )
            .help("save the file as UTF-8"),
            Oddity::BrokenUtf16 { offset } => {
                Diagnostic::error("encoding", at(offset, 3), "half a UTF-16 character")
                    .help("save the file as UTF-8")
            }
            Oddity::Binary { byte, offset } => Diagnostic::error(
                "binary-file",
                Span::new(base, base),
                format!("this is a binary file (byte 0x{byte:02X} at offset {offset}), not a model"),
            ),
        }
    }
}

/// Decodes a file. A binary file gives an empty text and [`Oddity::Binary`].
pub fn decode(bytes: &[u8]) -> Decoded {
    if let Some(rest) = bytes.strip_prefix(b"\xFF\xFE") {
        return utf16(rest, u16::from_le_bytes);
    }
    if let Some(rest) = bytes.strip_prefix(b"\xFE\xFF") {
        return utf16(rest, u16::from_be_bytes);
    }
    // XML in UTF-16 without its byte order mark still gives itself away by its first character.
    if bytes.starts_with(b"<\0") {
        return utf16(bytes, u16::from_le_bytes);
    }
    if bytes.starts_with(b"\0<") {
        return utf16(bytes, u16::from_be_bytes);
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let valid = std::str::from_utf8(bytes);
    if let Some((offset, byte)) = binary(bytes, valid.is_ok()) {
        return Decoded {
            text: String::new(),
            oddity: Some(Oddity::Binary { byte, offset }),
        };
    }
    match valid {
        Ok(text) => Decoded {
            text: text.to_owned(),
            oddity: None,
        },
        Err(error) => latin1(bytes, error.valid_up_to()),
    }
}

fn latin1(bytes: &[u8], bad: usize) -> Decoded {
    let text: String = bytes.iter().map(|&b| char::from(b)).collect();
    let offset = bytes[..bad].iter().map(|&b| char::from(b).len_utf8()).sum();
    let oddity = (!declares_latin1(bytes)).then_some(Oddity::Latin1 {
        byte: bytes[bad],
        offset,
    });
    Decoded { text, oddity }
}

/// Whether an XML declaration announces an 8-bit encoding of the Latin-1 family, so that nothing is odd.
fn declares_latin1(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(200)];
    let Some(end) = head.windows(2).position(|w| w == b"?>") else {
        return false;
    };
    let declaration = String::from_utf8_lossy(&head[..end]).to_ascii_lowercase();
    declaration.starts_with("<?xml")
        && [
            "iso-8859-1",
            "iso8859-1",
            "latin1",
            "latin-1",
            "windows-1252",
            "cp1252",
        ]
        .iter()
        .any(|name| declaration.contains(name))
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Decoded {
    let pairs = bytes.chunks_exact(2);
    let half = !pairs.remainder().is_empty();
    let units = pairs.map(|pair| unit([pair[0], pair[1]]));
    let mut text = String::with_capacity(bytes.len() / 2);
    let mut broken = None;
    for decoded in char::decode_utf16(units) {
        if decoded.is_err() {
            broken = broken.or(Some(text.len()));
        }
        text.push(decoded.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    if half {
        broken = broken.or(Some(text.len()));
        text.push(char::REPLACEMENT_CHARACTER);
    }
    if let Some((offset, byte)) = binary(text.as_bytes(), true) {
        return Decoded {
            text: String::new(),
            oddity: Some(Oddity::Binary { byte, offset }),
        };
    }
    let mark = if text.starts_with('\u{FEFF}') {
        '\u{FEFF}'.len_utf8()
    } else {
        0
    };
    text.drain(..mark);
    Decoded {
        text,
        oddity: broken.map(|offset| Oddity::BrokenUtf16 {
            offset: offset - mark,
        }),
    }
}

/// One control character in this number of characters makes a file binary.
const TEXT_PER_CONTROL: usize = 20;

/// The first telltale byte of a binary file: a NUL, or one of too many control characters. In bytes that are not
/// UTF-8, those that are control characters in Latin-1 count as well.
fn binary(bytes: &[u8], is_utf8: bool) -> Option<(usize, u8)> {
    if let Some(offset) = bytes.iter().position(|&b| b == 0) {
        return Some((offset, 0));
    }
    let is_control = |b: u8| matches!(b, 1..=8 | 14..=31 | 127) || (!is_utf8 && matches!(b, 0x80..=0x9F));
    let controls = bytes.iter().filter(|&&b| is_control(b)).count();
    if controls * TEXT_PER_CONTROL <= bytes.len() {
        return None;
    }
    bytes
        .iter()
        .position(|&b| is_control(b))
        .map(|offset| (offset, bytes[offset]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> String {
        let decoded = decode(bytes);
        assert_eq!(decoded.oddity, None);
        decoded.text
    }

    #[test]
    fn byte_order_marks_go() {
        assert_eq!(text(b"clock x;"), "clock x;");
        assert_eq!(text(b"\xEF\xBB\xBFclock \xC3\xA9;\r\n"), "clock é;\r\n");
        assert_eq!(text(b"\xFF\xFEx\0\xE9\0"), "xé");
        assert_eq!(text(b"\xFE\xFF\0x\0\xE9\xD8\x3D\xDE\x00"), "xé😀");
        assert_eq!(text(b"<\0n\0"), "<n");
        assert_eq!(text(b""), "");
    }

    #[test]
    fn latin1_names_the_first_bad_byte() {
        let decoded = decode(b"// \xC3\xA9 caf\xE9");
        assert_eq!(decoded.text, "// Ã© café");
        assert_eq!(
            decoded.oddity,
            Some(Oddity::Latin1 {
                byte: 0xE9,
                offset: 11
            })
        );
        assert_eq!(&decoded.text[11..], "é");
        let declared = decode(b"<?xml version='1.0' encoding='ISO-8859-1'?><!-- \xE9 -->");
        assert_eq!(declared.oddity, None);
    }

    #[test]
    fn broken_utf16_is_an_error() {
        let decoded = decode(b"\xFF\xFEx\0\x00\xD8y\0");
        assert_eq!(decoded.text, "x\u{FFFD}y");
        assert_eq!(decoded.oddity, Some(Oddity::BrokenUtf16 { offset: 1 }));
        assert_eq!(
            decode(b"\xFF\xFEx\0y").oddity,
            Some(Oddity::BrokenUtf16 { offset: 1 })
        );
        // Found by fuzzing: a second byte order mark moved the place out of the text.
        let twice = decode(b"\xFF\xFE\xFF\xFE\xFE\xFF\xFE");
        assert_eq!(
            twice.oddity,
            Some(Oddity::BrokenUtf16 {
                offset: twice.text.len() - 3
            })
        );
    }

    #[test]
    fn binary_files_are_no_text() {
        assert_eq!(
            decode(b"\x7FELF\x02\x01\x01\0\0").oddity,
            Some(Oddity::Binary { byte: 0, offset: 7 })
        );
        let noise: Vec<u8> = (0..2000u32)
            .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8 | 1)
            .collect();
        assert!(matches!(decode(&noise).oddity, Some(Oddity::Binary { .. })));
        // A form feed here and there is what editors write.
        assert_eq!(decode(b"int a;\x0C\nint b;").oddity, None);
    }
}
