//! Files that end in `.gz`.
//!
//! The format is that of `gzip`, so that `zcat` and `zgrep` read it. Of the compressors in Rust alone, those of zstd have only
//! their fastest level, which leaves files almost three times as large as deflate does.

use crate::ReadError;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};
use std::borrow::Cow;

/// Level of compression: beyond it files shrink by a few percent, at twice the time.
const LEVEL: u8 = 6;

/// Head of a member: the magic number, deflate, no further fields, no time, no system.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

/// Checksum and length, four bytes each, least significant first.
const TRAILER: usize = 8;

/// The bytes of a text as `gzip` has them.
pub fn compress(text: &[u8]) -> Vec<u8> {
    let mut bytes = HEADER.to_vec();
    bytes.extend(compress_to_vec(text, LEVEL));
    bytes.extend(checksum(text).to_le_bytes());
    // Modulo 2^32, as the format has it.
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes
}

/// Whether bytes begin as a compressed file does.
pub fn is_compressed(bytes: &[u8]) -> bool {
    bytes.starts_with(&HEADER[..2])
}

/// The text of a file, compressed or not.
///
/// # Errors
/// Bytes that are no `gzip` file of one member, or a text of more than `limit` bytes.
pub fn text_of(bytes: &[u8], limit: usize) -> Result<Cow<'_, [u8]>, ReadError> {
    if !is_compressed(bytes) {
        return if bytes.len() > limit {
            Err(too_long(limit))
        } else {
            Ok(Cow::Borrowed(bytes))
        };
    }
    let damaged = || ReadError::of_file("the compressed file is damaged").help("write the certificate again");
    let body = bytes
        .get(member_start(bytes).ok_or_else(damaged)?..)
        .ok_or_else(damaged)?;
    let (data, trailer) = body
        .split_at_checked(body.len().saturating_sub(TRAILER))
        .ok_or_else(damaged)?;
    let text = decompress_to_vec_with_limit(data, limit).map_err(|error| match error.status {
        TINFLStatus::HasMoreOutput => too_long(limit),
        _ => damaged(),
    })?;
    let expected = [checksum(&text).to_le_bytes(), (text.len() as u32).to_le_bytes()].concat();
    if trailer == expected {
        Ok(Cow::Owned(text))
    } else {
        Err(damaged())
    }
}

fn too_long(limit: usize) -> ReadError {
    ReadError::of_file(format!("the certificate has more than {limit} bytes of text"))
}

/// Where the compressed data begin, after the optional fields that other compressors write.
fn member_start(bytes: &[u8]) -> Option<usize> {
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;
    const CHECKSUM: u8 = 2;
    let flags = *bytes.get(3)?;
    let mut at = HEADER.len();
    if flags & EXTRA != 0 {
        at += 2 + usize::from(u16::from_le_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]));
    }
    for text in [NAME, COMMENT] {
        if flags & text != 0 {
            at += bytes.get(at..)?.iter().position(|&b| b == 0)? + 1;
        }
    }
    Some(if flags & CHECKSUM != 0 { at + 2 } else { at })
}

/// The checksum of `gzip` (CRC-32, ISO 3309), byte by byte with a table.
fn checksum(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = table();
    !bytes.iter().fold(!0, |sum, &byte| {
        TABLE[((sum ^ u32::from(byte)) & 0xff) as usize] ^ (sum >> 8)
    })
}

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let (mut sum, mut bit) = (i as u32, 0);
        while bit < 8 {
            sum = if sum & 1 == 1 {
                0xedb8_8320 ^ (sum >> 1)
            } else {
                sum >> 1
            };
            bit += 1;
        }
        table[i] = sum;
        i += 1;
    }
    table
}
