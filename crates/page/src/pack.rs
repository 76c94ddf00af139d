//! Data as text: JSON, compressed, in base 64.

use sha2::{Digest as _, Sha256};

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Compresses (zlib, as browsers unpack it) and encodes.
pub(crate) fn pack(data: &[u8]) -> String {
    base64(&miniz_oxide::deflate::compress_to_vec_zlib(data, 8))
}

/// The source of a content security policy that allows this text alone.
pub(crate) fn source(text: &str) -> String {
    format!("'sha256-{}'", base64(&Sha256::digest(text.as_bytes())))
}

fn base64(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            if i <= group.len() {
                let digit = bits >> (18 - 6 * i) & 63;
                out.push(char::from(DIGITS[digit as usize]));
            } else {
                out.push('=');
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_encodings() {
        // RFC 4648, section 10.
        for (text, encoded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(text.as_bytes()), encoded);
        }
        // The empty text, as browsers print it.
        assert_eq!(
            source(""),
            "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
        );
    }

    #[test]
    fn packed_data_can_be_unpacked() {
        let text = "zonewalk ".repeat(1000);
        assert!(pack(text.as_bytes()).len() < 200);
    }
}
