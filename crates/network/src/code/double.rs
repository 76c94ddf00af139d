//! Doubles in memory: two cells, the lower half first.

use crate::code::cell::Cell;

/// Number of cells of a double.
pub(crate) const CELLS: u32 = 2;

/// The two halves of a double.
pub(crate) fn halves(value: f64) -> [i32; 2] {
    let bits = value.to_bits();
    [bits as u32 as i32, (bits >> 32) as u32 as i32]
}

/// The double with these halves.
pub(crate) fn whole([low, high]: [i32; 2]) -> f64 {
    f64::from_bits(u64::from(low as u32) | u64::from(high as u32) << 32)
}

/// The double at an address of memory; NaN where there is none.
pub fn double_at(memory: &[i32], address: usize) -> f64 {
    match memory.get(address..) {
        Some([low, high, ..]) => whole([*low, *high]),
        _ => f64::NAN,
    }
}

/// The second cell of a double.
pub(crate) fn second(first: Cell) -> Cell {
    first.plus(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_make_the_same_double() {
        for value in [0.0, -0.0, 1.5, -3e300, f64::MIN_POSITIVE / 8.0, f64::INFINITY] {
            assert_eq!(whole(halves(value)).to_bits(), value.to_bits());
        }
        assert!(whole(halves(f64::NAN)).is_nan());
    }
}
