//! Convex polyhedra with exact numbers: Fourier–Motzkin elimination, strict bounds included. Slow, and simple enough to be believed.

/// At most so many rows; beyond, the oracle says nothing.
const MOST: usize = 36;

/// Number of variables: clocks, and a delay at the end.
pub(crate) const VARIABLES: usize = 8;
pub(crate) const DELAY: usize = VARIABLES - 1;

/// `Σ factors · x <= constant`, or `<`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) factors: [i128; VARIABLES],
    pub(crate) constant: i128,
    pub(crate) strict: bool,
}

/// A conjunction of rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Polyhedron {
    pub(crate) rows: Vec<Row>,
}

/// The polyhedron is too large for the oracle.
#[derive(Debug)]
pub(crate) struct TooLarge;

impl Row {
    /// `sign · x <= constant`.
    pub(crate) fn of(variable: usize, sign: i128, constant: i128, strict: bool) -> Row {
        let mut factors = [0; VARIABLES];
        factors[variable] = sign;
        Row {
            factors,
            constant,
            strict,
        }
    }

    /// Where it does not hold.
    fn complement(&self) -> Row {
        Row {
            factors: self.factors.map(|factor| -factor),
            constant: -self.constant,
            strict: !self.strict,
        }
    }

    fn normalised(mut self) -> Row {
        let gcd = |mut a: i128, mut b: i128| {
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a.abs()
        };
        let all = self
            .factors
            .iter()
            .fold(self.constant, |all, &factor| gcd(all, factor));
        if all > 1 {
            self.factors.iter_mut().for_each(|factor| *factor /= all);
            self.constant /= all;
        }
        self
    }
}

impl Polyhedron {
    /// Adds a row; what is implied by one with the same factors goes.
    pub(crate) fn add(&mut self, row: Row) {
        let row = row.normalised();
        let is_trivial = row.factors.iter().all(|&factor| factor == 0);
        if is_trivial && (row.constant > 0 || row.constant == 0 && !row.strict) {
            return;
        }
        let rank = |row: &Row| (row.constant, !row.strict);
        match self.rows.iter_mut().find(|known| known.factors == row.factors) {
            Some(known) => {
                if rank(&row) < rank(known) {
                    *known = row;
                }
            }
            None => self.rows.push(row),
        }
    }

    /// Forgets a variable.
    pub(crate) fn eliminate(&self, variable: usize) -> Result<Polyhedron, TooLarge> {
        let mut rest = Polyhedron::default();
        let (uppers, lowers): (Vec<&Row>, Vec<&Row>) = self
            .rows
            .iter()
            .filter(|row| row.factors[variable] != 0)
            .partition(|row| row.factors[variable] > 0);
        for row in self.rows.iter().filter(|row| row.factors[variable] == 0) {
            rest.add(*row);
        }
        for upper in &uppers {
            for lower in &lowers {
                let (up, low) = (upper.factors[variable], -lower.factors[variable]);
                let mut factors = [0; VARIABLES];
                for (at, factor) in factors.iter_mut().enumerate() {
                    *factor = upper.factors[at] * low + lower.factors[at] * up;
                }
                rest.add(Row {
                    factors,
                    constant: upper.constant * low + lower.constant * up,
                    strict: upper.strict || lower.strict,
                });
                if rest.rows.len() > MOST {
                    return Err(TooLarge);
                }
            }
        }
        Ok(rest)
    }

    pub(crate) fn is_empty(&self) -> Result<bool, TooLarge> {
        let mut rest = self.clone();
        let mut left: Vec<usize> = (0..VARIABLES).collect();
        while !left.is_empty() {
            // The variable that makes the fewest rows first.
            let cost = |&variable: &usize| {
                let count = |sign: i128| {
                    rest.rows
                        .iter()
                        .filter(|row| row.factors[variable] * sign > 0)
                        .count()
                };
                count(1) * count(-1)
            };
            let at = (0..left.len()).min_by_key(|&at| cost(&left[at])).unwrap_or(0);
            rest = rest.eliminate(left.swap_remove(at))?;
        }
        // Only rows without variables are left, and those that hold were not added.
        Ok(!rest.rows.is_empty())
    }

    /// The points of both.
    pub(crate) fn and(&self, rows: &[Row]) -> Polyhedron {
        let mut both = self.clone();
        rows.iter().for_each(|row| both.add(*row));
        both
    }

    pub(crate) fn is_included_in(&self, other: &Polyhedron) -> Result<bool, TooLarge> {
        let is_implied = |row: &&Row| {
            let same = self.rows.iter().find(|known| known.factors == row.factors);
            same.is_some_and(|known| (known.constant, !known.strict) <= (row.constant, !row.strict))
        };
        for row in other.rows.iter().filter(|row| !is_implied(row)) {
            if !self.and(&[row.complement()]).is_empty()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Drops rows that the others imply.
    pub(crate) fn reduced(mut self) -> Result<Polyhedron, TooLarge> {
        let mut at = 0;
        while at < self.rows.len() {
            let row = self.rows.swap_remove(at);
            if !self.and(&[row.complement()]).is_empty()? {
                self.rows.push(row);
                let last = self.rows.len() - 1;
                self.rows.swap(at, last);
                at += 1;
            }
        }
        Ok(self)
    }

    /// Lets time pass while these variables grow.
    pub(crate) fn later(&self, runs: &[bool]) -> Result<Polyhedron, TooLarge> {
        let mut moved = Polyhedron::default();
        for row in &self.rows {
            let mut row = *row;
            row.factors[DELAY] = -(0..runs.len())
                .filter(|&x| runs[x])
                .map(|x| row.factors[x])
                .sum::<i128>();
            moved.add(row);
        }
        moved.add(Row::of(DELAY, -1, 0, false));
        moved.eliminate(DELAY)?.reduced()
    }

    /// Sets a variable to a number.
    pub(crate) fn set(&self, variable: usize, value: i128) -> Result<Polyhedron, TooLarge> {
        let rest = self.eliminate(variable)?;
        Ok(rest.and(&[
            Row::of(variable, 1, value, false),
            Row::of(variable, -1, -value, false),
        ]))
    }
}

#[test]
fn elimination_keeps_strictness() {
    // x < y, y <= 3: x < 3.
    let mut less = Row::of(0, 1, 0, true);
    less.factors[1] = -1;
    let set = Polyhedron::default().and(&[less, Row::of(1, 1, 3, false)]);
    let shadow = set.eliminate(1).unwrap();
    assert_eq!(shadow.rows, [Row::of(0, 1, 3, true)]);
    assert!(shadow.and(&[Row::of(0, -1, -3, false)]).is_empty().unwrap());
    assert!(!shadow.and(&[Row::of(0, -1, -2, false)]).is_empty().unwrap());
}

#[test]
fn two_jobs_that_share_a_processor_keep_their_sum() {
    // t and a run for at most 5, then t and b for at most 5.
    let start = Polyhedron::default()
        .set(0, 0)
        .unwrap()
        .set(1, 0)
        .unwrap()
        .set(2, 0)
        .unwrap();
    let first = start
        .later(&[true, true, false])
        .unwrap()
        .and(&[Row::of(1, 1, 5, false)]);
    let second = first
        .later(&[true, false, true])
        .unwrap()
        .and(&[Row::of(2, 1, 5, false)]);
    let beyond = |t: i128| second.and(&[Row::of(0, -1, -t, true)]).is_empty().unwrap();
    assert!(beyond(10) && !beyond(9));
    let mut sum = Row::of(0, 1, 0, true);
    sum.factors[1] = -1;
    sum.factors[2] = -1;
    assert!(second.and(&[sum]).is_empty().unwrap(), "t is never below a + b");
}
