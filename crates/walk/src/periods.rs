//! Where a run may be cut so that its processes go on as they did.

use crate::imitate::Script;
use std::collections::BTreeSet;

/// Stretches between two occurrences of a move, those first that leave little.
pub(crate) fn cuts(script: &Script, all: usize) -> Vec<(usize, usize)> {
    let mut landmarks: Vec<Vec<usize>> = script.landmarks().map(Iterator::collect).filter(|l: &Vec<usize>| l.len() > 1).collect();
    landmarks.sort_by_key(Vec::len);
    let mut list = Vec::new();
    let mut length = 16;
    while length < all {
        let mut seen = BTreeSet::new();
        let grain = length / 16;
        for landmark in &landmarks {
            // The earliest beginning, and the earliest end that leaves no more than the length.
            let start = landmark[0] + 1;
            if start >= length {
                continue;
            }
            let first = landmark.partition_point(|&o| start + all - (o + 1) > length);
            for &end in landmark[first..].iter() {
                let end = end + 1;
                let left = start + all - end;
                if left * 2 > length && end > start && seen.insert((start / grain, end / grain)) {
                    list.push((start, end));
                }
            }
        }
        length *= 2;
    }
    list
}
