//! Walks come in restarts: each begins with an empty archive, so that a bad start is left behind, and later ones are longer.

/// Walks of the first restarts.
const FIRST: u64 = 512;
/// Restarts after which they are twice as long,
const DOUBLING: u64 = 4;
/// and how often they are doubled, at most.
const DOUBLINGS: u64 = 10;

/// Restarts that are made before a search looks at its progress.
const PIECE: u64 = 32;

/// Walks of a restart, by its number.
fn walks(restart: u64) -> u64 {
    FIRST << (restart / DOUBLING).min(DOUBLINGS)
}

/// The number of the first walk of a restart.
pub(crate) fn first_walk(restart: u64) -> u64 {
    let doublings = (restart / DOUBLING).min(DOUBLINGS);
    let before = DOUBLING * FIRST * ((1 << doublings) - 1);
    let more = restart - doublings * DOUBLING;
    before.saturating_add(more.saturating_mul(walks(restart)))
}

/// The restart of a walk.
pub(crate) fn of_walk(walk: u64) -> u64 {
    let longest = DOUBLING * DOUBLINGS;
    let start = first_walk(longest);
    if walk >= start {
        return longest + (walk - start) / walks(longest);
    }
    // The walks of four restarts of length `FIRST << d` end where `FIRST * 4 * (2^(d + 1) - 1)` walks have been made.
    let doublings = u64::from((walk / (DOUBLING * FIRST) + 1).ilog2());
    let restart = doublings * DOUBLING;
    restart + (walk - first_walk(restart)) / walks(restart)
}

/// How many walks there are from one to the end of some restarts: a good moment to see what came of them.
pub fn piece(walk: u64) -> u64 {
    first_walk(of_walk(walk).saturating_add(PIECE))
        .saturating_sub(walk)
        .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restarts_follow_each_other_and_grow() {
        let mut next = 0;
        for restart in 0..60 {
            assert_eq!(first_walk(restart), next, "restart {restart}");
            assert_eq!(
                (of_walk(next), of_walk(next + walks(restart) - 1)),
                (restart, restart)
            );
            next += walks(restart);
        }
        assert_eq!(
            (walks(0), walks(4), walks(39), walks(400)),
            (512, 1024, 512 << 9, 512 << 10)
        );
    }

    #[test]
    fn a_piece_ends_with_a_restart() {
        assert_eq!(piece(0), first_walk(32));
        assert_eq!(piece(100) + 100, piece(0));
        assert!(piece(u64::MAX - 1) > 0);
    }
}
