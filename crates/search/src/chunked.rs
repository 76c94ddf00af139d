//! A table that grows without moving what it holds.

const BITS: u32 = 16;
const CHUNK: usize = 1 << BITS;

/// A vector in chunks: growing never holds the old and the new memory at once, so that a limit on memory can be met
/// closely.
#[derive(Clone, Debug)]
pub(crate) struct Chunked<T> {
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T> Chunked<T> {
    pub(crate) const fn new() -> Self {
        Chunked {
            chunks: Vec::new(),
            len: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn push(&mut self, value: T) {
        match self.chunks.last_mut() {
            Some(chunk) if chunk.len() < CHUNK => chunk.push(value),
            _ => {
                // The first chunk grows as it is needed: many searches are small.
                let mut chunk = if self.chunks.is_empty() {
                    Vec::new()
                } else {
                    Vec::with_capacity(CHUNK)
                };
                chunk.push(value);
                self.chunks.push(chunk);
            }
        }
        self.len += 1;
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> &T {
        &self.chunks[index >> BITS][index & (CHUNK - 1)]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, index: usize) -> &mut T {
        &mut self.chunks[index >> BITS][index & (CHUNK - 1)]
    }

    /// Memory held by the table itself.
    pub(crate) fn bytes(&self) -> usize {
        let last = self.chunks.last().map_or(0, Vec::capacity);
        let full = self.chunks.len().saturating_sub(1) * CHUNK;
        (full + last) * size_of::<T>() + self.chunks.capacity() * size_of::<Vec<T>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_where_they_are_over_chunks() {
        let mut table = Chunked::new();
        for i in 0..3 * CHUNK + 5 {
            table.push(i);
        }
        assert_eq!(table.len(), 3 * CHUNK + 5);
        for i in [0, 1, CHUNK - 1, CHUNK, 2 * CHUNK + 7, 3 * CHUNK + 4] {
            assert_eq!(*table.get(i), i);
        }
        *table.get_mut(CHUNK) = 7;
        assert_eq!(*table.get(CHUNK), 7);
        assert!(table.bytes() >= (3 * CHUNK + 5) * size_of::<usize>());
    }
}
