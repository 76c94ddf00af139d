//! Estimates of discrete parts that have been met before.

use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// A table of discrete parts with what is known of them: an estimate, or several. Each has one place; a newer one takes it over. Whole discrete parts are
/// compared, since an infinite estimate is a proof.
#[derive(Clone, Debug)]
pub(crate) struct Cache<V> {
    cells: usize,
    keys: Vec<i32>,
    values: Vec<Option<V>>,
    used: usize,
    most: usize,
}

const FEW: usize = 1 << 10;

impl<V: Copy> Cache<V> {
    /// For discrete parts with a number of cells each, within about a number of bytes.
    pub(crate) fn new(cells: usize, bytes: usize) -> Cache<V> {
        let each = cells * size_of::<i32>() + size_of::<Option<V>>();
        let most = (bytes / each.max(1)).max(1);
        // Places are numbered by the high bits of hashes.
        let most = 1 << most.ilog2();
        let mut cache = Cache {
            cells,
            keys: Vec::new(),
            values: Vec::new(),
            used: 0,
            most,
        };
        cache.resize(FEW.min(most));
        cache
    }

    fn resize(&mut self, places: usize) {
        self.values = vec![None; places];
        self.keys = vec![0; places * self.cells];
        self.used = 0;
    }

    fn place(&self, discrete: &[i32]) -> usize {
        let hash = FxBuildHasher.hash_one(discrete);
        (hash >> 32) as usize & (self.values.len() - 1)
    }

    pub(crate) fn get(&self, discrete: &[i32]) -> Option<V> {
        let place = self.place(discrete);
        let key = &self.keys[place * self.cells..(place + 1) * self.cells];
        self.values[place].filter(|_| key == discrete)
    }

    pub(crate) fn put(&mut self, discrete: &[i32], value: V) {
        if discrete.len() != self.cells {
            return;
        }
        if 2 * self.used > self.values.len() && self.values.len() < self.most {
            self.grow();
        }
        let place = self.place(discrete);
        self.used += usize::from(self.values[place].is_none());
        self.values[place] = Some(value);
        self.keys[place * self.cells..(place + 1) * self.cells].copy_from_slice(discrete);
    }

    fn grow(&mut self) {
        let places = 4 * self.values.len();
        let (keys, values) = (std::mem::take(&mut self.keys), std::mem::take(&mut self.values));
        self.resize(places.min(self.most));
        for (number, value) in values.into_iter().enumerate() {
            if value.is_some() {
                let key = &keys[number * self.cells..(number + 1) * self.cells];
                let place = self.place(key);
                self.used += usize::from(self.values[place].is_none());
                self.values[place] = value;
                self.keys[place * self.cells..(place + 1) * self.cells].copy_from_slice(key);
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.keys.len() * size_of::<i32>() + self.values.len() * size_of::<Option<V>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Estimate;

    #[test]
    fn what_is_found_is_what_was_put() {
        let mut cache = Cache::new(2, 4 << 20);
        for i in 0..20_000 {
            cache.put(&[i, -i], Estimate::finite(i as u32));
        }
        let mut found = 0;
        for i in 0..20_000 {
            if let Some(estimate) = cache.get(&[i, -i]) {
                assert_eq!(estimate, Estimate::finite(i as u32));
                found += 1;
            }
            assert_eq!(cache.get(&[i, i + 1]), None);
        }
        assert!(found > 10_000, "{found}");
        assert!(cache.bytes() < 4 << 20);
    }
}
