//! Runs on several threads, folded in the order of their numbers.
//!
//! The caller sees only prefixes and says when it has enough. What other threads have made beyond that is thrown away, so
//! that the answer does not depend on how many threads there are, nor on which of them was faster.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Runs that a thread takes at once, at most. Handing in a block costs about as much as a dozen short runs.
const BLOCK: u64 = 1024;

/// Blocks that may wait for the fold, for each thread.
const AHEAD: u64 = 8;

/// Why no more runs were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The caller has enough.
    Enough,
    /// An interrupt; the run with this number is not finished.
    Interrupted(u64),
}

/// Makes runs 0, 1, 2 … until `see` has enough.
///
/// `begin` makes what a thread works with, from a flag that is set when its work is of no use any more; `work` makes a run, or
/// `None` when it was interrupted; `see` is called in the order of the numbers.
pub fn in_order<W, T: Send>(
    threads: usize,
    begin: impl Fn(&AtomicBool) -> W + Sync,
    work: impl Fn(&mut W, u64, &AtomicBool) -> Option<T> + Sync,
    mut see: impl FnMut(u64, T) -> ControlFlow<()>,
) -> Ended {
    let is_over = AtomicBool::new(false);
    if threads <= 1 {
        let mut worker = begin(&is_over);
        for number in 0.. {
            let Some(outcome) = work(&mut worker, number, &is_over) else {
                return Ended::Interrupted(number);
            };
            if see(number, outcome).is_break() {
                return Ended::Enough;
            }
        }
    }
    let buffer = ReorderBuffer {
        next: AtomicU64::new(0),
        finished: Mutex::new(FinishedBlocks {
            blocks: BTreeMap::new(),
            spare: Vec::new(),
            folded: 0,
        }),
        changed: Condvar::new(),
        is_over: &is_over,
        ahead: AHEAD * threads as u64,
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                // Whatever happens in a thread, no other waits for it in vain.
                let _guard = OnExit(&buffer);
                let mut worker = begin(&is_over);
                while let Some((block, mut outcomes)) = buffer.take() {
                    let (first, last) = numbers(block);
                    let made = (first..last).map_while(|number| work(&mut worker, number, &is_over));
                    outcomes.extend(made);
                    buffer.hand_in(block, outcomes);
                }
            });
        }
        let ended = buffer.fold(&mut see);
        buffer.end();
        ended
    })
}

/// Blocks of each size before the next one, which is twice as large.
const EACH: u64 = 8;

/// The numbers of a block. The first blocks are small, because runs may be long and few enough; none has more than an eighth of the
/// runs before it, so that threads have about the same to do when the last one ends.
fn numbers(block: u64) -> (u64, u64) {
    let doublings = (block / EACH).min(BLOCK.ilog2().into());
    let size = 1 << doublings;
    // All smaller blocks together have EACH * (1 + 2 + 4 + …) runs.
    let first = EACH * (size - 1) + (block - EACH * doublings) * size;
    (first, first + size)
}

struct FinishedBlocks<T> {
    blocks: BTreeMap<u64, Vec<T>>,
    /// Empty lists, to be filled again.
    spare: Vec<Vec<T>>,
    /// Blocks that were folded.
    folded: u64,
}

struct ReorderBuffer<'a, T> {
    next: AtomicU64,
    finished: Mutex<FinishedBlocks<T>>,
    changed: Condvar,
    is_over: &'a AtomicBool,
    ahead: u64,
}

impl<T> ReorderBuffer<'_, T> {
    fn lock(&self) -> MutexGuard<'_, FinishedBlocks<T>> {
        self.finished.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, guard: MutexGuard<'g, FinishedBlocks<T>>) -> MutexGuard<'g, FinishedBlocks<T>> {
        self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }

    /// The next block to make, with a list for its outcomes; `None` when there is none to make.
    fn take(&self) -> Option<(u64, Vec<T>)> {
        let block = self.next.fetch_add(1, Ordering::Relaxed);
        let mut made = self.lock();
        while !self.is_over.load(Ordering::Relaxed) && block >= made.folded + self.ahead {
            made = self.wait(made);
        }
        let list = made.spare.pop().unwrap_or_default();
        (!self.is_over.load(Ordering::Relaxed)).then_some((block, list))
    }

    fn hand_in(&self, block: u64, outcomes: Vec<T>) {
        self.lock().blocks.insert(block, outcomes);
        self.changed.notify_all();
    }

    fn fold(&self, see: &mut impl FnMut(u64, T) -> ControlFlow<()>) -> Ended {
        let mut emptied = None;
        for block in 0.. {
            let (first, last) = numbers(block);
            let mut made = self.lock();
            made.spare.extend(emptied.take());
            let mut outcomes = loop {
                if let Some(outcomes) = made.blocks.remove(&block) {
                    break outcomes;
                }
                if self.is_over.load(Ordering::Relaxed) {
                    return Ended::Interrupted(first);
                }
                made = self.wait(made);
            };
            made.folded = block + 1;
            drop(made);
            self.changed.notify_all();
            let finished = first + outcomes.len() as u64;
            for (number, outcome) in (first..last).zip(outcomes.drain(..)) {
                if see(number, outcome).is_break() {
                    return Ended::Enough;
                }
            }
            emptied = Some(outcomes);
            if finished < last {
                return Ended::Interrupted(finished);
            }
        }
        Ended::Enough
    }

    fn end(&self) {
        // Under the lock, so that no thread is between looking and waiting.
        let made = self.lock();
        self.is_over.store(true, Ordering::Relaxed);
        drop(made);
        self.changed.notify_all();
    }
}

/// Ends everything when a thread panics.
struct OnExit<'d, 'a, T>(&'d ReorderBuffer<'a, T>);

impl<T> Drop for OnExit<'_, '_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_neighbours() {
        let mut next = 0;
        for block in 0..5000 {
            let (first, last) = numbers(block);
            assert_eq!(first, next, "{block}");
            assert!(last > first && last - first <= BLOCK);
            assert!(last - first <= 1 + first / (EACH - 1), "{block}");
            next = last;
        }
        assert_eq!(numbers(4999).1 - numbers(4999).0, BLOCK);
    }

    #[test]
    fn the_order_does_not_depend_on_threads() {
        let fold = |threads: usize| {
            let mut seen = Vec::new();
            let work = |_: &mut (), number: u64, _: &AtomicBool| {
                if number.is_multiple_of(7) {
                    std::thread::yield_now();
                }
                Some(number * number)
            };
            let ended = in_order(
                threads,
                |_| (),
                work,
                |number, square| {
                    seen.push((number, square));
                    if number == 999 {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                },
            );
            (ended, seen)
        };
        let one = fold(1);
        assert_eq!((one.0, one.1.len()), (Ended::Enough, 1000));
        assert_eq!(fold(2), one);
        assert_eq!(fold(8), one);
    }

    #[test]
    fn the_first_unfinished_run_ends_it() {
        for threads in [1, 3] {
            let mut count = 0;
            let work = |_: &mut (), number: u64, _: &AtomicBool| (number != 100).then_some(());
            let ended = in_order(
                threads,
                |_| (),
                work,
                |_, ()| {
                    count += 1;
                    ControlFlow::Continue(())
                },
            );
            assert_eq!((ended, count), (Ended::Interrupted(100), 100));
        }
    }
}
