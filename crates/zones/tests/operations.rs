//! Every operation on matrices against its definition on points.
#![allow(clippy::unwrap_used)]

use crate::oracle;

use oracle::{Zone, atom, bound, delayed, dims, fine, points, reach, scale, with, zone};
use proptest::prelude::*;
use zonewalk_zones::dbm::{self, Relation};
use zonewalk_zones::{Bound, dbm as z};

/// Range in which existentially quantified values must be tried: beyond the reach of points by the largest entry that a zone of
/// three clocks with constants up to 4 can have.
const FAR: i64 = 23;

/// Both directions of `contains(result) ⇔ expected`, for all points in reach.
fn check(result: &Zone, limit: i64, expected: impl Fn(&[i64]) -> bool) -> Result<(), TestCaseError> {
    prop_assert!(dbm::is_closed(&result.dbm, result.dim), "not closed");
    for point in points(result.dim, limit) {
        prop_assert_eq!(result.contains(&point), expected(&point), "at {:?}", point);
    }
    Ok(())
}

fn one() -> impl Strategy<Value = Zone> {
    dims().prop_flat_map(zone)
}

fn two() -> impl Strategy<Value = (Zone, Zone)> {
    dims().prop_flat_map(|dim| (zone(dim), zone(dim)))
}

fn holds(point: &[i64], (i, j, bound): (usize, usize, Bound), dim: usize) -> bool {
    let difference = point[i] - point[j];
    let limit = i64::from(bound.constant()) * scale(dim);
    difference < limit || (difference == limit && !bound.is_strict())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn closing_finds_the_same_points(
        dim in 2usize..5, atoms in prop::collection::vec(atom(4), 0..8),
    ) {
        let mut zone = Zone::universal(dim);
        for (i, j, bound) in &atoms {
            let entry = &mut zone.dbm[(i % dim) * dim + j % dim];
            *entry = (*entry).min(*bound);
        }
        let open = zone.clone();
        if dbm::close(&mut zone.dbm, dim) {
            check(&zone, reach(dim), |point| open.contains(point))?;
        } else {
            prop_assert!(dbm::is_empty(&zone.dbm));
            for point in points(dim, reach(dim)) {
                prop_assert!(!open.contains(&point));
            }
        }
    }

    #[test]
    fn constraining(((zone, atom), _) in dims().prop_flat_map(|dim| ((zone(dim), atom(dim)), Just(())))) {
        let (i, j, bound) = atom;
        let mut result = zone.clone();
        let left = dbm::constrain(&mut result.dbm, zone.dim, i, j, bound);
        prop_assert_eq!(left, dbm::satisfies(&zone.dbm, zone.dim, i, j, bound));
        prop_assert_eq!(left, !dbm::is_empty(&result.dbm));
        let meets = |point: &[i64]| zone.contains(point) && holds(point, atom, zone.dim);
        if left {
            check(&result, reach(zone.dim), meets)?;
            prop_assert_eq!(dbm::implies(&zone.dbm, zone.dim, i, j, bound), result.dbm == zone.dbm);
        } else {
            prop_assert!(points(zone.dim, reach(zone.dim)).iter().all(|point| !meets(point)));
        }
    }

    #[test]
    fn time_forward(zone in one()) {
        let dim = zone.dim;
        let limit = reach(dim);
        let result = zone.after(|d| z::up(d, dim));
        check(&result, limit, |point| {
            fine(dim, limit).any(|d| delayed(point, -d).is_some_and(|earlier| zone.contains(&earlier)))
        })?;
    }

    #[test]
    fn time_backward(zone in one()) {
        let dim = zone.dim;
        let result = zone.after(|d| z::down(d, dim));
        check(&result, reach(dim), |point| {
            fine(dim, FAR).any(|d| zone.contains(&delayed(point, d).unwrap()))
        })?;
    }

    #[test]
    fn time_for_some_clocks(zone in zone(3), running in prop::collection::vec(any::<bool>(), 3)) {
        let dim = 3;
        let result = zone.after(|d| z::up_some(d, dim, &running));
        prop_assert!(dbm::is_closed(&result.dbm, dim));
        let rates: Vec<i64> = (0..dim).map(|x| i64::from(x != 0 && running[x])).collect();
        // Sound, and the smallest: each finite entry is approached by a point that is really reached. A zone with
        // entries up to 12 has points within reach of 26 that come closer to a bound than a fine step.
        let mut most = vec![i64::MIN; dim * dim];
        for point in points(dim, 13) {
            if !zone.contains(&point) {
                continue;
            }
            for delay in [0, 1, 5, 40 * scale(dim)] {
                let later: Vec<i64> = point.iter().zip(&rates).map(|(v, r)| v + r * delay).collect();
                prop_assert!(result.contains(&later));
                for i in 0..dim {
                    for j in 0..dim {
                        most[i * dim + j] = most[i * dim + j].max(later[i] - later[j]);
                    }
                }
            }
        }
        for (entry, most) in result.dbm.iter().zip(&most) {
            if entry.is_infinite() {
                let least = 12 - i64::from(dbm::magnitude(&zone.dbm));
                prop_assert!(*most >= least * scale(dim));
            } else {
                let limit = i64::from(entry.constant()) * scale(dim);
                let gap = if entry.is_strict() { scale(dim) - 2 } else { 0 };
                prop_assert!(limit - most <= gap);
            }
        }
        if running[1..].iter().all(|r| *r) {
            prop_assert_eq!(result.dbm, zone.after(|d| z::up(d, dim)).dbm);
        }
    }

    #[test]
    fn resetting(zone in one(), x in 1usize..4, value in 0i32..4) {
        let dim = zone.dim;
        let x = 1 + x % (dim - 1);
        let result = zone.after(|d| z::reset(d, dim, x, value));
        check(&result, reach(dim), |point| {
            point[x] == i64::from(value) * scale(dim)
                && fine(dim, FAR).any(|before| zone.contains(&with(point, x, before)))
        })?;
    }

    #[test]
    fn assigning(zone in one(), x in 1usize..4, y in 0usize..4, offset in -2i32..4) {
        let dim = zone.dim;
        let (x, y) = (1 + x % (dim - 1), y % dim);
        let result = zone.after(|d| z::assign(d, dim, x, y, offset));
        let offset = i64::from(offset) * scale(dim);
        check(&result, reach(dim), |point| if x == y {
            let before = point[x] - offset;
            before >= 0 && zone.contains(&with(point, x, before))
        } else {
            point[x] == point[y] + offset && fine(dim, FAR).any(|before| zone.contains(&with(point, x, before)))
        })?;
        // Negative results stay, as documented.
        let negative = !zone_implies_at_least(&zone, y, -offset);
        prop_assert_eq!(result.dbm[x] > Bound::LE_ZERO, negative);
    }

    #[test]
    fn freeing(zone in one(), x in 1usize..4) {
        let dim = zone.dim;
        let x = 1 + x % (dim - 1);
        let some = |point: &[i64], from: i64, to: i64| {
            (from..=to).any(|value| zone.contains(&with(point, x, value)))
        };
        let end = FAR * scale(dim);
        let limit = reach(dim);
        check(&zone.after(|d| z::free(d, dim, x)), limit, |point| some(point, 0, end))?;
        check(&zone.after(|d| z::free_up(d, dim, x)), limit, |point| some(point, 0, point[x]))?;
        check(&zone.after(|d| z::free_down(d, dim, x)), limit, |point| some(point, point[x], end))?;
    }

    #[test]
    fn intersecting((a, b) in two()) {
        let mut result = a.clone();
        let both = |point: &[i64]| a.contains(point) && b.contains(point);
        let left = dbm::intersect(&mut result.dbm, &b.dbm, a.dim);
        prop_assert_eq!(left, dbm::intersects(&a.dbm, &b.dbm, a.dim, &mut Vec::new()));
        if left {
            check(&result, reach(a.dim), both)?;
        } else {
            prop_assert!(dbm::is_empty(&result.dbm));
            prop_assert!(points(a.dim, reach(a.dim)).iter().all(|point| !both(point)));
        }
    }

    #[test]
    fn comparing((a, b) in two()) {
        // Three clocks would need points beyond what is affordable for a witness of non-inclusion.
        prop_assume!(a.dim < 4);
        let all = points(a.dim, 13);
        let a_in_b = all.iter().all(|point| !a.contains(point) || b.contains(point));
        let b_in_a = all.iter().all(|point| !b.contains(point) || a.contains(point));
        prop_assert_eq!(dbm::includes(&a.dbm, &b.dbm), b_in_a);
        prop_assert_eq!(dbm::includes(&b.dbm, &a.dbm), a_in_b);
        let expected = match (a_in_b, b_in_a) {
            (true, true) => Relation::Equal,
            (true, false) => Relation::Subset,
            (false, true) => Relation::Superset,
            (false, false) => Relation::Incomparable,
        };
        prop_assert_eq!(dbm::relation(&a.dbm, &b.dbm), expected);
        prop_assert_eq!(dbm::equal(&a.dbm, &b.dbm), expected == Relation::Equal);
        prop_assert_eq!(dbm::hash(&a.dbm) == dbm::hash(&b.dbm), expected == Relation::Equal);
    }

    #[test]
    fn bounds_of_one_clock(zone in one(), x in 1usize..4, bound in bound()) {
        let dim = zone.dim;
        let x = 1 + x % (dim - 1);
        prop_assert_eq!(dbm::upper(&zone.dbm, dim, x) <= bound, dbm::implies(&zone.dbm, dim, x, 0, bound));
        prop_assert_eq!(dbm::lower(&zone.dbm, dim, x) <= bound, dbm::implies(&zone.dbm, dim, 0, x, bound));
        let largest = zone.dbm.iter().filter(|b| !b.is_infinite()).map(|b| b.constant().abs()).max();
        prop_assert_eq!(Some(dbm::magnitude(&zone.dbm)), largest);
    }

    #[test]
    fn dropping_and_adding_clocks(zone in zone(4), keep in Just(vec![1usize, 2, 3]).prop_shuffle(), n in 0usize..3) {
        let keep = &keep[..n];
        let mut small = Zone::universal(n + 1);
        dbm::project(&zone.dbm, 4, keep, &mut small.dbm);
        prop_assert!(dbm::is_closed(&small.dbm, n + 1));
        let mut back = Zone::universal(4);
        dbm::expand(&small.dbm, keep, &mut back.dbm, 4);
        // Together they forget the clocks that were not kept.
        let forgotten = zone.after(|d| (1..4).filter(|x| !keep.contains(x)).for_each(|x| z::free(d, 4, x)));
        prop_assert_eq!(back.dbm, forgotten.dbm);
    }
}

/// Whether `x >= least` (in fine steps, a multiple of the scale) in the whole zone.
fn zone_implies_at_least(zone: &Zone, x: usize, least: i64) -> bool {
    dbm::implies(
        &zone.dbm,
        zone.dim,
        0,
        x,
        Bound::le((-least / scale(zone.dim)) as i32),
    )
}
