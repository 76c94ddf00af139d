//! The kernels of every size against the textbook loops.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use zonewalk_zones::extrapolation::{NO_BOUND, alu_includes, extra_lu, extra_lu_plus};
use zonewalk_zones::{Bound, dbm, packed};

/// Floyd–Warshall without any cleverness; `false` if empty.
fn close(matrix: &mut [Bound], dim: usize) -> bool {
    for k in 0..dim {
        if matrix[k * dim + k] < Bound::LE_ZERO {
            return false;
        }
        for i in 0..dim {
            for j in 0..dim {
                let over_k = matrix[i * dim + k].plus(matrix[k * dim + j]);
                matrix[i * dim + j] = matrix[i * dim + j].min(over_k);
            }
        }
    }
    true
}

/// A matrix that is not closed; consistent around a point unless shifted.
#[derive(Clone, Debug)]
struct Matrix {
    dim: usize,
    entries: Vec<Bound>,
}

fn dimension() -> impl Strategy<Value = usize> {
    prop_oneof![8 => 1usize..=20, 1 => 30usize..36, 1 => 62usize..70]
}

/// `unit` scales the constants up to the limit, and `slack` below zero makes many matrices inconsistent.
fn matrix(dim: usize, slack: i32) -> impl Strategy<Value = Matrix> {
    let point = prop::collection::vec(0i32..20, dim);
    let noise = prop::collection::vec((0u8..8, slack..10, any::<bool>()), dim * dim);
    let unit = prop_oneof![Just(1), Just(7), Just(Bound::<i32>::MAX_CONSTANT / (64 * 70))];
    (point, noise, unit, 1u8..8).prop_map(move |(point, noise, unit, density)| {
        let mut entries = vec![Bound::INFINITY; dim * dim];
        dbm::set_universal(&mut entries, dim);
        let at = |x: usize| if x == 0 { 0 } else { point[x] };
        for (k, (chance, slack, strict)) in noise.into_iter().enumerate() {
            let (i, j) = (k / dim, k % dim);
            if i != j && chance < density {
                let tight = (at(i) - at(j) + slack) * unit;
                entries[k] = entries[k].min(Bound::new(tight, strict && slack > 0));
            }
        }
        Matrix { dim, entries }
    })
}

fn closed(slack: i32) -> impl Strategy<Value = Matrix> {
    dimension()
        .prop_flat_map(move |dim| matrix(dim, slack))
        .prop_map(|mut m| {
            assert!(close(&mut m.entries, m.dim));
            m
        })
}

fn constants(dim: usize, seed: &[i32]) -> Vec<i32> {
    (0..dim)
        .map(|x| if x == 0 { 0 } else { seed[x % seed.len()] })
        .collect()
}

type Operation<'a> = &'a dyn Fn(&mut [Bound]);

fn constant() -> impl Strategy<Value = i32> {
    prop_oneof![1 => Just(NO_BOUND), 4 => 0..30]
}

/// Extra-LU and Extra-LU+ by the letter, with minus infinity as a real number below all.
fn extrapolated(m: &Matrix, l: &[i32], u: &[i32], plus: bool) -> Vec<Bound> {
    let dim = m.dim;
    let number = |c: i32| if c == NO_BOUND { i64::MIN / 4 } else { i64::from(c) };
    let value = |b: Bound| {
        if b.is_infinite() {
            i64::MAX / 4
        } else {
            i64::from(b.constant())
        }
    };
    let mut out = m.entries.clone();
    for i in 0..dim {
        for j in 0..dim {
            let c = m.entries[i * dim + j];
            let beyond_upper = if plus { -value(m.entries[j]) } else { -value(c) } > number(u[j]);
            let infinite = value(c) > number(l[i])
                || (plus && -value(m.entries[i]) > number(l[i]))
                || (plus && beyond_upper && i != 0);
            if i != j {
                out[i * dim + j] = match (infinite, beyond_upper, u[j]) {
                    (true, ..) | (false, true, NO_BOUND) if i != 0 => Bound::INFINITY,
                    (false, true, NO_BOUND) => Bound::LE_ZERO,
                    (false, true, u) => Bound::lt(-u),
                    _ => c,
                };
            }
        }
    }
    assert!(close(&mut out, dim));
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn closing(m in dimension().prop_flat_map(|dim| (-4i32..1).prop_flat_map(move |slack| matrix(dim, slack)))) {
        let (mut expected, mut result) = (m.entries.clone(), m.entries.clone());
        let consistent = close(&mut expected, m.dim);
        prop_assert_eq!(dbm::close(&mut result, m.dim), consistent);
        prop_assert_eq!(dbm::is_empty(&result), !consistent);
        if consistent {
            prop_assert_eq!(result, expected);
        }
    }

    #[test]
    fn constraining(m in closed(0), i in 0usize..70, j in 0usize..70, less in 0i32..12, strict in any::<bool>()) {
        prop_assume!(m.dim > 1);
        let (i, j) = (i % m.dim, j % m.dim);
        prop_assume!(i != j);
        let entry = m.entries[i * m.dim + j];
        let bound = Bound::new(if entry.is_infinite() { 20 - less } else { entry.constant() - less }, strict);
        let (mut expected, mut result) = (m.entries.clone(), m.entries.clone());
        expected[i * m.dim + j] = entry.min(bound);
        let consistent = close(&mut expected, m.dim);
        prop_assert_eq!(dbm::constrain(&mut result, m.dim, i, j, bound), consistent);
        prop_assert_eq!(dbm::is_empty(&result), !consistent);
        if consistent {
            prop_assert_eq!(result, expected);
        }
    }

    #[test]
    fn staying_closed(m in closed(0), x in 0usize..70, y in 0usize..70, running in prop::collection::vec(any::<bool>(), 70)) {
        prop_assume!(m.dim > 1);
        let dim = m.dim;
        let (x, y) = (1 + x % (dim - 1), y % dim);
        let operations: [Operation<'_>; 9] = [
            &|d| dbm::up(d, dim),
            &|d| dbm::up_some(d, dim, &running[..dim]),
            &|d| dbm::down(d, dim),
            &|d| dbm::reset(d, dim, x, 0),
            &|d| dbm::reset(d, dim, x, 5),
            &|d| dbm::assign(d, dim, x, y, 3),
            &|d| dbm::free(d, dim, x),
            &|d| dbm::free_up(d, dim, x),
            &|d| dbm::free_down(d, dim, x),
        ];
        for (k, operation) in operations.iter().enumerate() {
            let mut result = m.entries.clone();
            operation(&mut result);
            prop_assert!(dbm::is_closed(&result, dim), "operation {}", k);
        }
    }

    #[test]
    fn extrapolating(
        m in closed(0), l in prop::collection::vec(constant(), 5), u in prop::collection::vec(constant(), 7),
    ) {
        let (l, u) = (constants(m.dim, &l), constants(m.dim, &u));
        let mut result = m.entries.clone();
        extra_lu(&mut result, m.dim, &l, &u);
        prop_assert_eq!(&result, &extrapolated(&m, &l, &u, false));
        prop_assert!(alu_includes(&m.entries, &result, m.dim, &l, &u));
        result.copy_from_slice(&m.entries);
        extra_lu_plus(&mut result, m.dim, &l, &u);
        prop_assert_eq!(&result, &extrapolated(&m, &l, &u, true));
        prop_assert!(alu_includes(&m.entries, &result, m.dim, &l, &u));
    }

    /// One entry more or less, anywhere, decides inclusion.
    #[test]
    fn including(m in closed(0), at in any::<prop::sample::Index>()) {
        let k = at.index(m.entries.len());
        let mut less = m.entries.clone();
        less[k] = Bound::from_raw(less[k].raw() - 1);
        prop_assert!(dbm::includes(&m.entries, &less) && !dbm::includes(&less, &m.entries));
        prop_assert!(dbm::includes(&m.entries, &m.entries));
        prop_assert_ne!(dbm::hash(&m.entries), dbm::hash(&less));
        if packed::fits::<i16>(dbm::magnitude(&m.entries).max(dbm::magnitude(&less)).into()) {
            let (mut p, mut q) = (Vec::<i16>::new(), Vec::new());
            packed::append(&m.entries, &mut p);
            packed::append(&less, &mut q);
            prop_assert!(packed::includes(&p, &q) && !packed::includes(&q, &p));
        }
    }
}

/// A negative entry anywhere on the diagonal, the reference clock's included, is a contradiction by itself.
#[test]
fn closing_keeps_a_zone_empty() {
    for dim in [1, 2, 3, 4, 5, 8, 16, 17, 65] {
        for x in 0..dim {
            let mut zone: Vec<Bound> = vec![Bound::INFINITY; dim * dim];
            dbm::set_universal(&mut zone, dim);
            zone[x * dim + x] = Bound::LT_ZERO;
            assert!(!dbm::close(&mut zone, dim), "clock {x} of {dim}");
            assert!(dbm::is_empty(&zone));
        }
    }
}
