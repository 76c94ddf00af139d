//! Bytes as a program over zones: words of 32 and of 64 bits agree, what is stored comes back, and inclusion of stored zones is
//! that of the zones themselves.
//!
//! Large constants overflow nothing: the program runs with small constants in 32 bits, and with large ones in 64.

use zonewalk_zones::dbm::{self, Relation};
use zonewalk_zones::extrapolation::{extra_lu, extra_lu_plus, extra_m};
use zonewalk_zones::packed::{self, Narrow};
use zonewalk_zones::{Bound, Federation, Word, minimal};

/// The constants of the program are up to 255. Their multiples cross what 8, 16, 28 and 32 bits hold.
const FACTORS: [i64; 4] = [200, 1 << 20, (1 << 31) - 1, (1 << 40) + 1];

struct Program<'b> {
    bytes: &'b [u8],
}

impl Program<'_> {
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    fn below(&mut self, n: usize) -> Option<usize> {
        Some(usize::from(self.next()?) % n)
    }
}

#[derive(Clone, Debug)]
enum Operation {
    Constrain(usize, usize, i64, bool),
    Up,
    Down,
    Reset(usize, i64),
    Assign(usize, usize, i64),
    Free(usize),
    ExtraM(Vec<Option<i64>>),
    ExtraLu(Vec<Option<i64>>, Vec<Option<i64>>),
    ExtraLuPlus(Vec<Option<i64>>, Vec<Option<i64>>),
}

fn operation(program: &mut Program<'_>, dim: usize) -> Option<Operation> {
    let kind = program.below(12)?;
    let (x, y) = (1 + program.below(dim - 1)?, 1 + program.below(dim - 1)?);
    let number = i64::from(program.next()?);
    let mut limits = || {
        let mut list = vec![Some(0)];
        for _ in 1..dim {
            let limit = i64::from(program.next()?);
            list.push((limit > 20).then_some(limit));
        }
        Some(list)
    };
    Some(match kind {
        0..=2 => Operation::Constrain(x, 0, number, y == 1),
        3 => Operation::Constrain(0, x, -number, y == 1),
        4 if x != y => Operation::Constrain(x, y, number - 128, false),
        5 => Operation::Down,
        6 => Operation::Reset(x, number),
        7 => Operation::Assign(x, y, number),
        8 => Operation::Free(x),
        9 => Operation::ExtraM(limits()?),
        10 => Operation::ExtraLu(limits()?, limits()?),
        11 => Operation::ExtraLuPlus(limits()?, limits()?),
        _ => Operation::Up,
    })
}

fn words<W: Word>(limits: &[Option<i64>], factor: i64) -> Vec<W> {
    let word = |limit: &Option<i64>| limit.map_or(W::NO_BOUND, |l| W::from_i64(l * factor).expect("fits"));
    limits.iter().map(word).collect()
}

fn apply<W: Word>(zone: &mut [Bound<W>], dim: usize, operation: &Operation, factor: i64) {
    let word = |value: i64| W::from_i64(value * factor).expect("fits");
    match operation {
        Operation::Constrain(i, j, constant, strict) => {
            let bound = Bound::new(word(*constant), *strict);
            if dbm::satisfies(zone, dim, *i, *j, bound) {
                dbm::constrain(zone, dim, *i, *j, bound);
            }
        }
        Operation::Up => dbm::up(zone, dim),
        Operation::Down => dbm::down(zone, dim),
        Operation::Reset(x, value) => dbm::reset(zone, dim, *x, word(*value)),
        Operation::Assign(x, y, plus) => dbm::assign(zone, dim, *x, *y, word(*plus)),
        Operation::Free(x) => dbm::free(zone, dim, *x),
        Operation::ExtraM(m) => {
            extra_m(zone, dim, &words::<W>(m, factor));
        }
        Operation::ExtraLu(l, u) => {
            extra_lu(zone, dim, &words::<W>(l, factor), &words(u, factor));
        }
        Operation::ExtraLuPlus(l, u) => {
            extra_lu_plus(zone, dim, &words::<W>(l, factor), &words(u, factor));
        }
    }
}

/// The zones along the program.
fn zones<W: Word>(dim: usize, program: &[Operation], factor: i64) -> Vec<Vec<Bound<W>>> {
    let mut zone = vec![Bound::INFINITY; dim * dim];
    dbm::set_zero(&mut zone, dim);
    let after = program.iter().map(|operation| {
        apply(&mut zone, dim, operation, factor);
        zone.clone()
    });
    after.collect()
}

fn larger(zone: &[Bound], factor: i64) -> Vec<Bound<i64>> {
    let scale = |bound: &Bound| match bound.is_infinite() {
        true => Bound::INFINITY,
        false => Bound::new(i64::from(bound.constant()) * factor, bound.is_strict()),
    };
    zone.iter().map(scale).collect()
}

/// Stores two zones in a width, if they fit.
fn stored<N: Narrow + PartialEq>(a: &[Bound<i64>], b: &[Bound<i64>]) -> bool {
    if !packed::fits::<N>(dbm::magnitude(a).max(dbm::magnitude(b))) {
        return false;
    }
    let pack = |zone: &[Bound<i64>]| {
        let mut out = vec![N::INFINITY; zone.len()];
        packed::pack(zone, &mut out);
        let mut again = vec![Bound::LT_ZERO; zone.len()];
        packed::unpack(&out, &mut again);
        assert_eq!(again, zone, "what is stored comes back");
        out
    };
    let (first, second) = (pack(a), pack(b));
    let relation = dbm::relation(a, b);
    let includes = matches!(relation, Relation::Equal | Relation::Superset);
    assert_eq!(packed::includes(&first, &second), includes, "{a:?} {b:?}");
    assert_eq!(first == second, relation == Relation::Equal);
    true
}

/// One input.
pub fn run(bytes: &[u8]) {
    let mut program = Program { bytes };
    let Some(dim) = program.below(4).map(|clocks| clocks + 2) else {
        return;
    };
    // In 32 bits there is room for sums of so many constants.
    let operations: Vec<Operation> = std::iter::from_fn(|| operation(&mut program, dim))
        .take(200)
        .collect();
    let narrow = zones::<i32>(dim, &operations, 1);
    for factor in FACTORS {
        let wide = zones::<i64>(dim, &operations, factor);
        for (few, many) in narrow.iter().zip(&wide) {
            assert_eq!(&larger(few, factor), many, "times {factor}");
            assert!(dbm::is_closed(many, dim));
            let mut again = vec![Bound::LT_ZERO; dim * dim];
            assert!(minimal::expand(&minimal::constraints(many, dim), dim, &mut again));
            assert_eq!(&again, many, "the minimal form, times {factor}");
        }
        for ((a, b), (c, d)) in wide
            .iter()
            .zip(wide.iter().skip(1))
            .zip(narrow.iter().zip(narrow.iter().skip(1)))
        {
            assert_eq!(dbm::relation(a, b), dbm::relation(c, d));
            stored::<i8>(a, b);
            stored::<i16>(a, b);
            stored::<i32>(a, b);
            assert!(stored::<i64>(a, b), "64 bits hold all of them");
            let (mut few, mut many) = (Federation::from_zone(c, dim), Federation::from_zone(a, dim));
            few.subtract(d);
            many.subtract(b);
            let few: Vec<_> = few.iter().map(|piece| larger(piece, factor)).collect();
            assert_eq!(
                few,
                many.iter().map(<[_]>::to_vec).collect::<Vec<_>>(),
                "times {factor}"
            );
        }
    }
}
