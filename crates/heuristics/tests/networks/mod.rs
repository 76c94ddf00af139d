//! Random small networks for tests.

use zonewalk_testkit::generate::{Generated, network};
use zonewalk_testkit::number;

/// Networks with their seeds: `ZONEWALK_NETWORKS` says how many, `ZONEWALK_SEED` which is the first.
pub(crate) fn networks() -> impl Iterator<Item = (u64, Generated)> {
    let first: u64 = number("ZONEWALK_SEED").unwrap_or(1);
    let seeds = first..first + number("ZONEWALK_NETWORKS").unwrap_or(300);
    seeds.map(|seed| (seed, with_routines(seed)))
}

/// Some networks do something in every transition, which the generator has no word for.
fn with_routines(seed: u64) -> Generated {
    let mut generated = network(seed);
    if seed.is_multiple_of(4) {
        generated.text += "before_update { w = 1 - w }\n";
    }
    if seed.is_multiple_of(6) {
        generated.text += "after_update { v = v > 1 ? w : v }\n";
    }
    generated
}
