//! Zones in words of 64 bits: those of 32 bits with every constant multiplied.

use crate::oracle;

use oracle::{Atom, atom};
use proptest::prelude::*;
use zonewalk_zones::extrapolation::{NO_BOUND, alu_includes, extra_lu, extra_lu_plus, extra_m};
use zonewalk_zones::packed::{self, Narrow};
use zonewalk_zones::{Bound, Federation, Word, dbm, minimal};

/// An operation on a zone, with small constants.
#[derive(Clone, Debug)]
enum Operation {
    Constrain(Atom),
    Up,
    Down,
    UpSome(Vec<bool>),
    Reset(usize, i32),
    Assign(usize, usize, i32),
    Free(usize),
    ExtraM(Vec<i32>),
    ExtraLu(Vec<i32>, Vec<i32>),
    ExtraLuPlus(Vec<i32>, Vec<i32>),
}

/// Constants by clock, some without a bound; 0 for the reference clock.
fn limits(dim: usize) -> impl Strategy<Value = Vec<i32>> {
    prop::collection::vec(prop_oneof![1 => Just(NO_BOUND), 4 => 0..9_i32], dim).prop_map(|mut list| {
        list[0] = 0;
        list
    })
}

fn operation(dim: usize) -> impl Strategy<Value = Operation> {
    prop_oneof![
        4 => atom(dim).prop_map(Operation::Constrain),
        3 => Just(Operation::Up),
        1 => Just(Operation::Down),
        1 => prop::collection::vec(any::<bool>(), dim).prop_map(Operation::UpSome),
        2 => (1..dim, 0..5_i32).prop_map(|(x, value)| Operation::Reset(x, value)),
        1 => (1..dim, 1..dim, 0..3_i32).prop_map(|(x, y, plus)| Operation::Assign(x, y, plus)),
        1 => (1..dim).prop_map(Operation::Free),
        1 => limits(dim).prop_map(Operation::ExtraM),
        1 => (limits(dim), limits(dim)).prop_map(|(l, u)| Operation::ExtraLu(l, u)),
        1 => (limits(dim), limits(dim)).prop_map(|(l, u)| Operation::ExtraLuPlus(l, u)),
    ]
}

/// The bound with its constant multiplied.
fn scaled<W: Word>(bound: Bound, factor: i64) -> Bound<W> {
    if bound.is_infinite() {
        return Bound::INFINITY;
    }
    let constant = W::from_i64(i64::from(bound.constant()) * factor).expect("fits");
    Bound::new(constant, bound.is_strict())
}

fn scaled_limits<W: Word>(limits: &[i32], factor: i64) -> Vec<W> {
    let scale = |limit: &i32| match *limit {
        NO_BOUND => W::NO_BOUND,
        limit => W::from_i64(i64::from(limit) * factor).expect("fits"),
    };
    limits.iter().map(scale).collect()
}

/// Applies an operation with its constants multiplied.
fn apply<W: Word>(zone: &mut [Bound<W>], dim: usize, operation: &Operation, factor: i64) {
    let word = |value: i32| W::from_i64(i64::from(value) * factor).expect("fits");
    match operation {
        Operation::Constrain((i, j, bound)) => {
            let bound = scaled(*bound, factor);
            if dbm::satisfies(zone, dim, *i, *j, bound) {
                dbm::constrain(zone, dim, *i, *j, bound);
            }
        }
        Operation::Up => dbm::up(zone, dim),
        Operation::Down => dbm::down(zone, dim),
        Operation::UpSome(running) => dbm::up_some(zone, dim, running),
        Operation::Reset(x, value) => dbm::reset(zone, dim, *x, word(*value)),
        Operation::Assign(x, y, plus) => dbm::assign(zone, dim, *x, *y, word(*plus)),
        Operation::Free(x) => dbm::free(zone, dim, *x),
        Operation::ExtraM(m) => {
            extra_m(zone, dim, &scaled_limits::<W>(m, factor));
        }
        Operation::ExtraLu(l, u) => {
            extra_lu(zone, dim, &scaled_limits(l, factor), &scaled_limits(u, factor));
        }
        Operation::ExtraLuPlus(l, u) => {
            extra_lu_plus(zone, dim, &scaled_limits(l, factor), &scaled_limits(u, factor));
        }
    }
}

/// Dimensions with code of their own, and the first one without.
fn dims() -> impl Strategy<Value = usize> {
    prop_oneof![
        Just(2_usize),
        Just(3),
        Just(4),
        Just(6),
        Just(11),
        Just(17),
        Just(70)
    ]
}

fn run() -> impl Strategy<Value = (usize, Vec<Operation>, Vec<Operation>)> {
    dims().prop_flat_map(|dim| {
        let list = || prop::collection::vec(operation(dim), 1..12);
        (Just(dim), list(), list())
    })
}

fn after<W: Word>(dim: usize, operations: &[Operation], factor: i64) -> Vec<Bound<W>> {
    let mut zone = vec![Bound::INFINITY; dim * dim];
    dbm::set_zero(&mut zone, dim);
    for operation in operations {
        apply(&mut zone, dim, operation, factor);
    }
    zone
}

/// Beyond 32 bits, with sums of thousands of the constants here within 64.
const FACTOR: i64 = (1 << 40) + 1;

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn wide_zones_are_narrow_ones_with_larger_constants((dim, first, second) in run()) {
        let narrow = [after::<i32>(dim, &first, 1), after::<i32>(dim, &second, 1)];
        let wide = [after::<i64>(dim, &first, FACTOR), after::<i64>(dim, &second, FACTOR)];
        for (narrow, wide) in narrow.iter().zip(&wide) {
            let larger: Vec<Bound<i64>> = narrow.iter().map(|bound| scaled(*bound, FACTOR)).collect();
            prop_assert_eq!(&larger, wide);
        }
        let [a, b] = narrow;
        let [c, d] = wide;
        prop_assert_eq!(dbm::relation(&a, &b), dbm::relation(&c, &d));
        prop_assert_eq!(dbm::hash(&c) == dbm::hash(&d), c == d);
        prop_assert_eq!(
            dbm::intersects(&a, &b, dim, &mut Vec::new()),
            dbm::intersects(&c, &d, dim, &mut Vec::new())
        );
        let limits = vec![3; dim].into_iter().enumerate().map(|(i, l)| if i == 0 { 0 } else { l });
        let limits: Vec<i32> = limits.collect();
        let larger = scaled_limits(&limits, FACTOR);
        if dbm::includes(&vec![Bound::LE_ZERO; dim], &a[..dim]) && dbm::includes(&vec![Bound::LE_ZERO; dim], &b[..dim]) {
            prop_assert_eq!(
                alu_includes(&a, &b, dim, &limits, &limits),
                alu_includes(&c, &d, dim, &larger, &larger)
            );
            let mut few = Federation::from_zone(&a, dim);
            few.subtract(&b);
            let mut wide = Federation::from_zone(&c, dim);
            wide.subtract(&d);
            let larger: Vec<Bound<i64>> = few.iter().flatten().map(|bound| scaled(*bound, FACTOR)).collect();
            prop_assert_eq!(larger, wide.iter().flatten().copied().collect::<Vec<_>>());
            let form = minimal::constraints(&c, dim);
            let mut again = vec![Bound::LT_ZERO; dim * dim];
            prop_assert!(minimal::expand(&form, dim, &mut again));
            prop_assert_eq!(&again, &c);
        }
        let mut packed = vec![<i64 as Narrow>::INFINITY; dim * dim];
        packed::pack(&c, &mut packed);
        let mut again = vec![Bound::LT_ZERO; dim * dim];
        packed::unpack(&packed, &mut again);
        prop_assert_eq!(again, c);
    }
}
