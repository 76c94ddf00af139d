//! Type-based buckets.

use rustc_hash::FxHashMap;
use zonewalk_numbers::Random;

/// Waiting states by type: a type is drawn, each with the same chance, and then one of its states. Rare types are visited as often as
/// those of huge plateaus (Xie, Müller, Holte, Imai: Type-based exploration with multiple search queues for satisficing planning, AAAI
/// 2014).
#[derive(Clone, Debug)]
pub(crate) struct Types {
    /// By type: the number of its bucket.
    numbers: FxHashMap<u64, usize>,
    /// Types with their states, none without.
    buckets: Vec<(u64, Vec<(u32, u32)>)>,
    random: Random,
    /// Entries for which there is room in all buckets.
    room: usize,
}

impl Types {
    pub(crate) fn new(seed: u64) -> Types {
        Types {
            numbers: FxHashMap::default(),
            buckets: Vec::new(),
            random: Random::new(seed),
            room: 0,
        }
    }

    pub(crate) fn push(&mut self, of: u64, entry: (u32, u32)) {
        let next = self.buckets.len();
        let number = *self.numbers.entry(of).or_insert(next);
        if number == next {
            self.buckets.push((of, Vec::new()));
        }
        let bucket = &mut self.buckets[number].1;
        let before = bucket.capacity();
        bucket.push(entry);
        self.room += bucket.capacity() - before;
    }

    pub(crate) fn pop(&mut self) -> Option<(u32, u32)> {
        if self.buckets.is_empty() {
            return None;
        }
        let number = self.random.index(self.buckets.len());
        let bucket = &mut self.buckets[number].1;
        let entry = bucket.swap_remove(self.random.index(bucket.len()));
        if bucket.is_empty() {
            self.room -= bucket.capacity();
            let (of, _) = self.buckets.swap_remove(number);
            self.numbers.remove(&of);
            if let Some((moved, _)) = self.buckets.get(number) {
                self.numbers.insert(*moved, number);
            }
        }
        Some(entry)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.room * size_of::<(u32, u32)>()
            + self.buckets.capacity() * size_of::<(u64, Vec<(u32, u32)>)>()
            + self.numbers.capacity() * size_of::<(u64, usize, u8)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_drawn_and_not_states() {
        let mut rare = 0;
        for seed in 0..1000 {
            let mut types = Types::new(seed);
            (0..999).for_each(|id| types.push(7, (id, 0)));
            types.push(8, (999, 0));
            rare += u32::from(types.pop() == Some((999, 0)));
        }
        assert!((400..600).contains(&rare), "{rare} of 1000");
    }

    #[test]
    fn everything_comes_out_once() {
        let mut types = Types::new(1);
        (0..100).for_each(|id| types.push(u64::from(id % 7), (id, id)));
        let mut all: Vec<_> = std::iter::from_fn(|| types.pop()).map(|entry| entry.0).collect();
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
        assert_eq!(types.room, 0);
    }
}
