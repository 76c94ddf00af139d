//! Operations on random sets, compared point by point on a grid.

use super::{INFINITY, Origin, ZERO, Zone, bound, complement};
use crate::simulate::Random;

/// Parts of a unit in which values are counted. Points lie on every second one, delays on all of them: an interval between two
/// points that is not empty has one inside.
const UNIT: i64 = 8;

/// No bound is larger.
const LARGEST: i64 = 3;

fn is_within(difference: i64, bound: i64) -> bool {
    let at = (bound >> 1) * UNIT;
    bound == INFINITY || difference < at || difference == at && bound & 1 == 1
}

fn contains(zone: &Zone, point: &[i64]) -> bool {
    let value = |i: usize| if i == 0 { 0 } else { point[i - 1] };
    let mut entries = (0..zone.dim()).flat_map(|i| (0..zone.dim()).map(move |j| (i, j)));
    entries.all(|(i, j)| is_within(value(i) - value(j), zone.at(i, j)))
}

/// All points of the grid up to a little beyond the largest bound.
fn points(clocks: usize) -> Vec<Vec<i64>> {
    let mut points = vec![Vec::new()];
    for _ in 0..clocks {
        let values = || (0..=(LARGEST + 1) * UNIT).step_by(2);
        points = points
            .iter()
            .flat_map(|point| values().map(|value| [point.as_slice(), &[value]].concat()))
            .collect();
    }
    points
}

fn random_bound(random: &mut Random, least: i64) -> i64 {
    let span = (LARGEST - least + 1).unsigned_abs();
    bound(least + random.below(span) as i64, random.below(2) == 0)
}

fn zone(random: &mut Random, clocks: usize) -> Zone {
    let mut zone = Zone::universal(clocks);
    for _ in 0..random.below(5) {
        let dim = zone.dim() as u64;
        let (i, j) = (random.below(dim) as usize, random.below(dim) as usize);
        if i != j {
            let bound = random_bound(random, -LARGEST);
            zone.constrain(i, j, bound);
        }
    }
    zone
}

/// Random sets of two clocks, and some of three, with all points of the grid.
fn each_zone(seed: u64, mut check: impl FnMut(&mut Random, Zone, &[Vec<i64>])) {
    let mut random = Random::new(seed);
    for (clocks, rounds) in [(1, 50), (2, 300), (3, 25)] {
        let points = points(clocks);
        for _ in 0..rounds {
            let zone = zone(&mut random, clocks);
            check(&mut random, zone, &points);
        }
    }
}

fn moved(point: &[i64], running: &[bool], delay: i64) -> Vec<i64> {
    let clocks = point.iter().zip(running);
    clocks
        .map(|(value, runs)| value + if *runs { delay } else { 0 })
        .collect()
}

const DELAYS: std::ops::RangeInclusive<i64> = 0..=(2 * LARGEST + 2) * UNIT;

#[test]
fn constraints_keep_the_points_that_fulfil_them() {
    each_zone(1, |random, zone, points| {
        let dim = zone.dim() as u64;
        let (i, j) = (random.below(dim) as usize, random.below(dim) as usize);
        let bound = if i == j {
            ZERO
        } else {
            random_bound(random, -LARGEST)
        };
        let mut kept = zone.clone();
        let some = kept.constrain(i, j, bound);
        let value = |point: &[i64], i: usize| if i == 0 { 0 } else { point[i - 1] };
        for point in points {
            let holds = is_within(value(point, i) - value(point, j), bound);
            assert!(holds != is_within(value(point, j) - value(point, i), complement(bound)));
            let expected = contains(&zone, point) && holds;
            assert_eq!(
                some && contains(&kept, point),
                expected,
                "{zone:?} {i} {j} {bound}"
            );
        }
        if !some {
            assert_eq!(kept, zone);
        }
    });
}

#[test]
fn sets_are_compared_met_and_subtracted() {
    let (mut included, mut cut) = (0, 0);
    each_zone(2, |random, a, points| {
        let b = zone(random, a.dim() - 1);
        let (both, rest) = (a.meet(&b), a.minus(&b));
        let mut is_subset = true;
        for point in points {
            let (in_a, in_b) = (contains(&a, point), contains(&b, point));
            is_subset &= in_b || !in_a;
            let in_both = both.as_ref().is_some_and(|both| contains(both, point));
            assert_eq!(in_both, in_a && in_b, "{a:?} {b:?}");
            let pieces = rest.iter().filter(|piece| contains(piece, point)).count();
            assert_eq!(pieces, usize::from(in_a && !in_b), "{a:?} {b:?}");
        }
        assert!(is_subset || !b.includes(&a), "{a:?} {b:?}");
        // Of a set that the grid does not leave, all is known.
        if (1..a.dim()).all(|i| a.at(i, 0) <= bound(LARGEST, false)) {
            assert_eq!(b.includes(&a), is_subset, "{a:?} {b:?}");
        }
        assert_eq!(rest.is_empty(), b.includes(&a), "{a:?} {b:?}");
        assert!(!a.is_apart(&b) || both.is_none());
        included += usize::from(is_subset);
        cut += usize::from(rest.len() > 1);
    });
    assert!(included > 20 && cut > 20, "{included} {cut}");
}

#[test]
fn time_passes_and_goes_back() {
    let mut partial = 0;
    each_zone(3, |random, zone, points| {
        let clocks = zone.dim() - 1;
        let running: Vec<bool> = (0..clocks).map(|_| random.below(3) > 0).collect();
        let all_run = running.iter().all(|runs| *runs);
        let is_exact = all_run || running.iter().filter(|runs| **runs).count() <= 1;
        let mut later = zone.clone();
        later.up(&running);
        let from = self::zone(random, clocks);
        let before = zone.before(&from, &running);
        let strictly = zone.strictly_later();
        for point in points {
            let reach = |least: i64| {
                DELAYS
                    .filter(|&delay| delay >= least)
                    .any(|delay| contains(&zone, &moved(point, &running, delay)))
            };
            let stems = |least: i64, running: &[bool]| {
                DELAYS.filter(|&delay| delay >= least).any(|delay| {
                    let origin = moved(point, running, -delay);
                    origin.iter().all(|value| *value >= 0) && contains(&zone, &origin)
                })
            };
            assert!(
                !stems(0, &running) || contains(&later, point),
                "{zone:?} {running:?} {point:?}"
            );
            if is_exact {
                assert_eq!(
                    stems(0, &running),
                    contains(&later, point),
                    "{zone:?} {running:?} {point:?}"
                );
            }
            let is_before = before.as_ref().is_some_and(|before| contains(before, point));
            let expected = contains(&from, point) && reach(0);
            assert!(
                !is_before || expected,
                "{zone:?} from {from:?} {running:?} {point:?}"
            );
            if is_exact {
                assert_eq!(
                    is_before, expected,
                    "{zone:?} from {from:?} {running:?} {point:?}"
                );
            } else {
                partial += usize::from(is_before && !contains(&zone, point));
            }
            let is_later = strictly.as_ref().is_some_and(|later| contains(later, point));
            assert_eq!(is_later, stems(1, &vec![true; clocks]), "{zone:?} {point:?}");
        }
        let is_bounded = (0..clocks).any(|i| running[i] && zone.at(i + 1, 0) != INFINITY);
        assert_eq!(zone.is_bounded(&running), is_bounded);
    });
    assert!(partial > 100, "{partial}");
}

#[test]
fn clocks_are_assigned() {
    each_zone(4, |random, zone, points| {
        let clocks = zone.dim() - 1;
        let origin = |random: &mut Random| Origin {
            index: random.below(zone.dim() as u64) as usize,
            plus: random.below(3) as i64,
        };
        let to: Vec<Origin> = (0..clocks).map(|_| origin(random)).collect();
        let after = zone.assign(&to);
        let value = |point: &[i64], origin: &Origin| match origin.index {
            0 => origin.plus * UNIT,
            i => point[i - 1] + origin.plus * UNIT,
        };
        for point in points.iter().filter(|point| contains(&zone, point)) {
            let image: Vec<i64> = to.iter().map(|origin| value(point, origin)).collect();
            assert!(contains(&after, &image), "{zone:?} {to:?} {point:?}");
        }
        // A point of the image has an origin, though not always on the grid of the same size.
        let is_plain = to.iter().all(|origin| origin.plus == 0);
        if is_plain {
            for image in points.iter().filter(|image| contains(&after, image)) {
                let is_image = |point: &&Vec<i64>| {
                    contains(&zone, point)
                        && to.iter().zip(image).all(|(origin, v)| value(point, origin) == *v)
                };
                let near_end = image.iter().any(|value| *value >= LARGEST * UNIT);
                assert!(
                    near_end || points.iter().any(|p| is_image(&p)),
                    "{zone:?} {to:?} {image:?}"
                );
            }
        }
    });
}

#[test]
fn samples_are_points_and_constraints_make_the_set() {
    each_zone(5, |_, zone, _| {
        let (values, unit) = zone.sample();
        let is_inside = (0..zone.dim()).all(|i| {
            (0..zone.dim()).all(|j| {
                let value = |i: usize| if i == 0 { 0 } else { values[i - 1] };
                let (difference, bound) = (value(i) - value(j), zone.at(i, j));
                let at = (bound >> 1) * unit;
                bound == INFINITY || difference < at || difference == at && bound & 1 == 1
            })
        });
        assert!(is_inside, "{zone:?} {values:?}");
        let constraints = zone.constraints();
        let mut made = Zone::universal(zone.dim() - 1);
        for (at, &(i, j, bound)) in constraints.iter().enumerate() {
            assert!(made.constrain(i, j, bound));
            let mut others = Zone::universal(zone.dim() - 1);
            for &(i, j, bound) in constraints[..at].iter().chain(&constraints[at + 1..]) {
                others.constrain(i, j, bound);
            }
            assert_ne!(others, zone, "a constraint that others imply");
        }
        assert_eq!(made, zone);
    });
}
