//! Extrapolations and the aLU test against the LU-preorder on points.
#![allow(clippy::unwrap_used)]

use crate::oracle;

use oracle::{MAX, Zone, points, scale, zone};
use proptest::prelude::*;
use zonewalk_zones::extrapolation::{NO_BOUND, alu_includes, extra_lu, extra_lu_plus, extra_m, extra_m_plus};
use zonewalk_zones::{Bound, dbm};

/// Constants for every clock; entry 0 is 0.
fn constants(dim: usize) -> impl Strategy<Value = Vec<i32>> {
    prop::collection::vec(prop_oneof![1 => Just(NO_BOUND), 5 => 0..=MAX], dim - 1).prop_map(|mut c| {
        c.insert(0, 0);
        c
    })
}

#[derive(Clone, Debug)]
struct Case {
    a: Zone,
    b: Zone,
    l: Vec<i32>,
    u: Vec<i32>,
}

fn case(dim: usize) -> impl Strategy<Value = Case> {
    (zone(dim), zone(dim), constants(dim), constants(dim)).prop_map(|(a, b, l, u)| Case { a, b, l, u })
}

/// Whether some point of the zone simulates `point`: for each clock it is equal, or smaller and still above `l`, or
/// greater where `point` is above `u` already.
///
/// The simulating points form a box, which is intersected with the zone exactly, in units of the grid.
fn simulated(point: &[i64], zone: &Zone, l: &[i32], u: &[i32]) -> bool {
    let dim = zone.dim;
    let scale = scale(dim) as i32;
    let above = |value: i32, limit: i32| limit == NO_BOUND || value > limit * scale;
    let mut scaled: Vec<Bound> = zone
        .dbm
        .iter()
        .map(|b| {
            if b.is_infinite() {
                *b
            } else {
                Bound::new(b.constant() * scale, b.is_strict())
            }
        })
        .collect();
    (1..dim).all(|x| {
        let value = point[x] as i32;
        let low = match l[x] {
            NO_BOUND => Bound::LE_ZERO,
            limit if above(value, limit) => Bound::lt(-limit * scale),
            _ => Bound::le(-value),
        };
        dbm::constrain(&mut scaled, dim, 0, x, low)
            && (above(value, u[x]) || dbm::constrain(&mut scaled, dim, x, 0, Bound::le(value)))
    })
}

/// Points beyond every entry of generated zones in two clocks; for three clocks as far as is affordable.
fn sample(dim: usize) -> Vec<Vec<i64>> {
    points(dim, if dim < 4 { 13 } else { 5 })
}

type Extrapolation = fn(&mut [Bound], usize, &[i32], &[i32]) -> bool;

fn check_extrapolation(case: &Case, extrapolate: Extrapolation) -> Result<Zone, TestCaseError> {
    let dim = case.a.dim;
    let mut wider = case.a.clone();
    let changed = extrapolate(&mut wider.dbm, dim, &case.l, &case.u);
    prop_assert!(dbm::is_closed(&wider.dbm, dim));
    prop_assert!(changed || wider.dbm == case.a.dbm);
    prop_assert!(dbm::includes(&wider.dbm, &case.a.dbm));
    prop_assert!(wider.dbm[..dim].iter().all(|b| *b <= Bound::LE_ZERO));
    // Sound: what is added is simulated by what was there.
    for point in sample(dim) {
        if wider.contains(&point) {
            prop_assert!(simulated(&point, &case.a, &case.l, &case.u), "at {:?}", point);
        }
    }
    // Finitely many outcomes: an entry is a sum along a path of entries within the constants.
    prop_assert!(dbm::magnitude(&wider.dbm) <= (dim as i32 - 1) * MAX);
    Ok(wider)
}

fn extrapolation_laws(case: &Case) -> Result<(), TestCaseError> {
    let (dim, l, u) = (case.a.dim, &case.l, &case.u);
    let lu = check_extrapolation(case, extra_lu)?;
    let lu_plus = check_extrapolation(case, extra_lu_plus)?;
    prop_assert!(dbm::includes(&lu_plus.dbm, &lu.dbm));
    prop_assert!(alu_includes(&case.a.dbm, &lu.dbm, dim, l, u));
    prop_assert!(alu_includes(&case.a.dbm, &lu_plus.dbm, dim, l, u));

    let m: Vec<i32> = l.iter().zip(u).map(|(l, u)| *l.max(u)).collect();
    let with_m = Case {
        l: m.clone(),
        u: m.clone(),
        ..case.clone()
    };
    let by_m = check_extrapolation(&with_m, |d, dim, m, _| extra_m(d, dim, m))?;
    let by_m_plus = check_extrapolation(&with_m, |d, dim, m, _| extra_m_plus(d, dim, m))?;
    prop_assert!(dbm::includes(&by_m_plus.dbm, &by_m.dbm));
    prop_assert!(dbm::includes(&lu.dbm, &by_m.dbm));
    prop_assert!(dbm::includes(&lu_plus.dbm, &by_m_plus.dbm));
    Ok(())
}

fn alu_law(case: &Case) -> Result<(), TestCaseError> {
    let Case { a, b, l, u } = case;
    let covered = sample(a.dim)
        .iter()
        .all(|point| !b.contains(point) || simulated(point, a, l, u));
    let claimed = alu_includes(&a.dbm, &b.dbm, a.dim, l, u);
    if a.dim < 4 {
        prop_assert_eq!(claimed, covered);
    } else {
        // The sample of three clocks may lack a witness against, never one for.
        prop_assert!(!claimed || covered);
    }
    prop_assert!(claimed || !dbm::includes(&a.dbm, &b.dbm));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn extrapolation_of_two_clocks(case in case(3)) {
        extrapolation_laws(&case)?;
    }

    #[test]
    fn alu_of_two_clocks(case in case(3)) {
        alu_law(&case)?;
    }

    #[test]
    fn one_clock(case in case(2)) {
        extrapolation_laws(&case)?;
        alu_law(&case)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn extrapolation_of_three_clocks(case in case(4)) {
        extrapolation_laws(&case)?;
    }

    #[test]
    fn alu_of_three_clocks(case in case(4)) {
        alu_law(&case)?;
    }
}

/// Closing only the changed rows must be the same as closing all, also beyond the 64 rows that fit the mask.
#[test]
fn large_dimensions_are_closed() {
    for dim in [9, 33, 64, 65, 70] {
        let mut zone = Zone::universal(dim);
        for x in 1..dim {
            dbm::constrain(&mut zone.dbm, dim, x, 0, Bound::le(20 + x as i32));
            dbm::constrain(&mut zone.dbm, dim, 0, x, Bound::lt(-(x as i32 % 7)));
            if x > 1 {
                dbm::constrain(&mut zone.dbm, dim, x, x - 1, Bound::le(x as i32 % 5));
            }
        }
        let bounds = |step: usize| {
            (0..dim)
                .map(|x| (x * step % 9 * usize::from(x != 0)) as i32)
                .collect()
        };
        let (l, u): (Vec<i32>, Vec<i32>) = (bounds(4), bounds(7));
        for extrapolate in [extra_lu, extra_lu_plus] {
            let mut wider = zone.clone();
            assert!(extrapolate(&mut wider.dbm, dim, &l, &u));
            assert!(dbm::is_closed(&wider.dbm, dim));
            assert!(dbm::includes(&wider.dbm, &zone.dbm));
        }
    }
}
