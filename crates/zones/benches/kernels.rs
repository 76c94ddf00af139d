//! Nanoseconds per operation on random zones, as a table: `cargo bench -p zonewalk-zones`.
//!
//! Zones are non-empty, a quarter of their upper bounds infinite. Every operation that changes its operand works on a
//! fresh copy, whose time is included (and shown in the first row). Each figure is the least of several rounds, since
//! other processes can only add to it.
#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::hint::black_box;
use std::time::Instant;

use zonewalk_zones::extrapolation::{alu_includes, extra_lu_plus};
use zonewalk_zones::{Bound, Federation, dbm, minimal, packed};

const DIMS: [usize; 8] = [2, 3, 4, 6, 8, 12, 16, 32];
const POOL: usize = 64;
const ROUNDS: usize = 15;

/// SplitMix64: the same zones in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(x ^ (x >> 31)) * u128::from(n)) >> 64) as u64
    }

    fn constant(&mut self, n: u64) -> i32 {
        self.below(n) as i32
    }
}

/// Consistent bounds around a random point, not closed yet.
fn open_zone(dim: usize, random: &mut Random) -> Vec<Bound> {
    let point: Vec<i32> = (0..dim)
        .map(|x| if x == 0 { 0 } else { random.constant(20) })
        .collect();
    let mut zone = vec![Bound::INFINITY; dim * dim];
    dbm::set_universal(&mut zone, dim);
    for i in 0..dim {
        for j in 0..dim {
            let tight = point[i] - point[j] + random.constant(10);
            if i != j && random.below(4) != 0 {
                zone[i * dim + j] = zone[i * dim + j].min(Bound::new(tight + 1, random.below(2) == 0));
            }
        }
    }
    zone
}

struct Pool {
    dim: usize,
    open: Vec<Vec<Bound>>,
    closed: Vec<Vec<Bound>>,
    /// A constraint for each zone that cuts it without emptying it.
    cuts: Vec<(usize, usize, Bound)>,
}

impl Pool {
    fn new(dim: usize) -> Self {
        let mut random = Random(dim as u64);
        let open: Vec<_> = (0..POOL).map(|_| open_zone(dim, &mut random)).collect();
        let mut closed = open.clone();
        assert!(closed.iter_mut().all(|zone| dbm::close(zone, dim)));
        let cuts = closed
            .iter()
            .map(|zone| {
                let candidates: Vec<_> = (0..dim * dim)
                    .map(|k| (k / dim, k % dim))
                    .filter(|(i, j)| i != j)
                    .filter_map(|(i, j)| {
                        let entry = zone[i * dim + j];
                        let cut = if entry.is_infinite() {
                            25
                        } else {
                            entry.constant() - 1
                        };
                        let bound = Bound::le(cut);
                        let cuts = bound < entry && dbm::satisfies(zone, dim, i, j, bound);
                        cuts.then_some((i, j, bound))
                    })
                    .collect();
                candidates[random.below(candidates.len() as u64) as usize]
            })
            .collect();
        Pool {
            dim,
            open,
            closed,
            cuts,
        }
    }

    /// Least nanoseconds per zone over the rounds.
    fn time(&self, mut operation: impl FnMut(&mut [Bound], usize)) -> f64 {
        let mut scratch = vec![Bound::INFINITY; self.dim * self.dim];
        let repeats = (200_000 / (self.dim * self.dim * self.dim)).clamp(4, 2_000);
        (0..ROUNDS)
            .map(|_| {
                let start = Instant::now();
                for _ in 0..repeats {
                    for k in 0..POOL {
                        operation(black_box(&mut scratch), k);
                    }
                }
                start.elapsed().as_nanos() as f64 / (repeats * POOL) as f64
            })
            .fold(f64::INFINITY, f64::min)
    }

    /// Times an operation on a fresh copy of each closed zone.
    fn on_copy(&self, mut operation: impl FnMut(&mut [Bound], usize)) -> f64 {
        self.time(|scratch, k| {
            scratch.copy_from_slice(&self.closed[k]);
            operation(scratch, k);
        })
    }
}

type Row = (&'static str, fn(&Pool) -> f64);

const ROWS: [Row; 18] = [
    ("copy", |p| p.on_copy(|_, _| ())),
    ("close", |p| {
        p.time(|d, k| {
            d.copy_from_slice(&p.open[k]);
            black_box(dbm::close(d, p.dim));
        })
    }),
    ("constrain (cuts)", |p| {
        p.on_copy(|d, k| {
            let (i, j, bound) = p.cuts[k];
            black_box(dbm::constrain(d, p.dim, i, j, bound));
        })
    }),
    ("up", |p| p.on_copy(|d, _| dbm::up(d, p.dim))),
    ("down", |p| p.on_copy(|d, _| dbm::down(d, p.dim))),
    ("reset", |p| {
        p.on_copy(|d, k| dbm::reset(d, p.dim, 1 + k % (p.dim - 1), 0))
    }),
    ("free", |p| {
        p.on_copy(|d, k| dbm::free(d, p.dim, 1 + k % (p.dim - 1)))
    }),
    ("successor", |p| {
        p.on_copy(|d, k| {
            let (i, j, bound) = p.cuts[k];
            dbm::constrain(d, p.dim, i, j, bound);
            dbm::reset(d, p.dim, 1 + k % (p.dim - 1), 0);
            dbm::up(d, p.dim);
            black_box(dbm::constrain(d, p.dim, 1 + k % (p.dim - 1), 0, Bound::le(5)));
        })
    }),
    ("intersect", |p| {
        p.on_copy(|d, k| {
            black_box(dbm::intersect(d, &p.closed[(k + 1) % POOL], p.dim));
        })
    }),
    ("includes (yes)", |p| {
        p.time(|d, k| {
            black_box((&d, dbm::includes(black_box(&p.closed[k]), &p.closed[k])));
        })
    }),
    ("includes i16 (yes)", |p| packed_inclusion::<i16>(p)),
    ("includes i8 (yes)", |p| packed_inclusion::<i8>(p)),
    ("pack + unpack i16", |p| {
        let mut narrow = vec![0i16; p.dim * p.dim];
        p.time(move |d, k| {
            packed::pack(&p.closed[k], &mut narrow);
            packed::unpack(black_box(&narrow), d);
        })
    }),
    ("extra_lu_plus", |p| {
        let l: Vec<i32> = (0..p.dim).map(|x| if x == 0 { 0 } else { 10 }).collect();
        let u: Vec<i32> = (0..p.dim).map(|x| if x == 0 { 0 } else { 8 }).collect();
        p.on_copy(|d, _| {
            black_box(extra_lu_plus(d, p.dim, &l, &u));
        })
    }),
    ("alu_includes (yes)", |p| {
        let l: Vec<i32> = (0..p.dim).map(|x| if x == 0 { 0 } else { 10 }).collect();
        p.time(|_, k| {
            black_box(alu_includes(black_box(&p.closed[k]), &p.closed[k], p.dim, &l, &l));
        })
    }),
    ("hash", |p| {
        p.time(|_, k| {
            black_box(dbm::hash(black_box(&p.closed[k])));
        })
    }),
    ("minimal form", |p| {
        let mut form = Vec::new();
        p.time(|_, k| {
            form.clear();
            black_box(minimal::append(&p.closed[k], p.dim, &mut form));
        })
    }),
    ("federation subtract", |p| {
        p.time(|_, k| {
            let mut union = Federation::from_zone(&p.closed[k], p.dim);
            union.subtract(&p.closed[(k + 1) % POOL]);
            black_box(union.len());
        })
    }),
];

fn packed_inclusion<N: packed::Narrow>(p: &Pool) -> f64 {
    let zones: Vec<Vec<N>> = p
        .closed
        .iter()
        .map(|zone| {
            let mut narrow = Vec::new();
            packed::append(zone, &mut narrow);
            narrow
        })
        .collect();
    p.time(|_, k| {
        black_box(packed::includes(black_box(&zones[k]), &zones[k]));
    })
}

fn main() {
    let pools: Vec<Pool> = DIMS.iter().map(|dim| Pool::new(*dim)).collect();
    print!("| ns per operation |");
    DIMS.iter().for_each(|dim| print!(" n={dim} |"));
    print!("\n|---|");
    DIMS.iter().for_each(|_| print!("---|"));
    for (name, row) in ROWS {
        print!("\n| {name} |");
        for pool in &pools {
            let time = row(pool);
            print!(" {time:.*} |", usize::from(time < 100.0));
        }
    }
    println!();
}
