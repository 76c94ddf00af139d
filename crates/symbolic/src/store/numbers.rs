//! Discrete parts as bytes: most cells hold small numbers.

/// Appends numbers, each in as many bytes as it needs: seven bits a byte, the sign in the lowest one.
pub(super) fn encode(cells: &[i32], into: &mut Vec<u8>) {
    for &cell in cells {
        let mut rest = (cell << 1 ^ cell >> 31) as u32;
        while rest >= 0x80 {
            into.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        into.push(rest as u8);
    }
}

/// The inverse of [`encode`].
pub(super) fn decode(bytes: &[u8], into: &mut Vec<i32>) {
    let (mut value, mut shift) = (0u32, 0);
    for &byte in bytes {
        value |= u32::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            into.push((value >> 1) as i32 ^ -((value & 1) as i32));
            (value, shift) = (0, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_encoding() {
        let numbers = [0, 1, -1, 63, 64, -64, -65, 8191, 8192, i32::MAX, i32::MIN];
        let (mut bytes, mut back) = (Vec::new(), Vec::new());
        encode(&numbers, &mut bytes);
        decode(&bytes, &mut back);
        assert_eq!(back, numbers);
        bytes.clear();
        encode(&[-64, 63], &mut bytes);
        assert_eq!(bytes.len(), 2);
    }
}
