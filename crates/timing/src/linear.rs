//! Paths on which clocks stop: a linear program over the instants.
//!
//! A small program goes to a solver that computes with rounded numbers; what it returns is taken as a proposal, made exact
//! and judged. Long paths, and proposals that fail, fall back on known times ([`crate::split`]).

use crate::check::check;
use crate::instants::Difference;
use crate::path::TimedPath;
use crate::program::Program;
use crate::schedule::Schedule;
use crate::solution::{Objective, Solution, Unsolved};
use crate::split;
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome, Variable};

/// Programs with more instants, or more conditions, take the solver minutes.
const MOST_INSTANTS: usize = 1_500;
const MOST_CONDITIONS: usize = 6_000;

/// How much tighter than its bound a strict limit is made: the first that has a solution is taken.
const MARGINS: [f64; 5] = [1.0, 0.5, 0.25, 0.0625, 0.001];

/// Parts of a unit that a proposal is rounded to: small ones, and those with many divisors.
const PARTS: [i64; 20] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 18, 20, 24, 30, 60, 840, 27_720,
];

/// How far a proposal may be off the exact number that it stands for.
const ROUNDING: f64 = 1e-6;

/// Times for a path with clocks that stop.
pub(crate) fn solve(
    path: &TimedPath,
    program: &Program<'_>,
    objective: Objective,
    known: Option<&Schedule>,
    work: &mut u64,
) -> Result<Solution, Unsolved> {
    let known = known.filter(|k| check(path, k).is_ok());
    let proposed = if program.instants.count() <= MOST_INSTANTS {
        program.propose(path, objective)
    } else {
        None
    };
    let split = known.iter().flat_map(|known| split::split(program, known, work));
    let candidates = proposed.into_iter().chain(split).chain(known.cloned());
    let valid = candidates.filter(|c| check(path, c).is_ok());
    let best = match objective {
        // Candidates come in the order of liking, but for their units.
        Objective::Simple => valid.min_by_key(|c| c.unit),
        Objective::Fastest => valid.min_by(|a, b| {
            let total = |s: &Schedule| s.total().map_or(i128::MAX, i128::from);
            let cross = |a: &Schedule, b: &Schedule| total(a).saturating_mul(b.unit.into());
            cross(a, b).cmp(&cross(b, a)).then(a.unit.cmp(&b.unit))
        }),
    };
    let schedule = best.ok_or(Unsolved::Spent)?;
    Ok(Solution {
        schedule,
        infimum: None,
    })
}

impl Program<'_> {
    /// Exact times made of what the solver finds.
    fn propose(&self, path: &TimedPath, objective: Objective) -> Option<Schedule> {
        let differences: Vec<Difference> = self.collector.needed().collect();
        if differences.len() + self.sums.len() > MOST_CONDITIONS {
            return None;
        }
        let has_strict = differences.iter().any(|d| d.strict) || self.sums.iter().any(|s| s.strict);
        let margins = if has_strict { &MARGINS[..] } else { &MARGINS[..1] };
        for &margin in margins {
            let bound = match objective {
                Objective::Simple => None,
                Objective::Fastest => match self.run(&differences, margin, &self.end(), None) {
                    Some(labels) => labels.last().copied(),
                    None => continue,
                },
            };
            let Some(labels) = self.run(&differences, margin, &self.all(), bound) else {
                continue;
            };
            if let Some(exact) = self.exact(path, &labels) {
                return Some(exact);
            }
        }
        None
    }

    /// Exact times that make a sum of instants as small as possible. Requires: no strict limits.
    pub(crate) fn cheapest(&self, path: &TimedPath, price: &[(u32, i64)]) -> Option<Schedule> {
        let differences: Vec<Difference> = self.collector.needed().collect();
        let mut prices = vec![0.0; self.instants.count()];
        for &(instant, factor) in price {
            prices[instant as usize] = factor as f64;
        }
        let labels = self.run(&differences, 0.0, &prices, None)?;
        self.exact(path, &labels)
    }

    /// Objective that makes the end early.
    fn end(&self) -> Vec<f64> {
        let mut prices = vec![0.0; self.instants.count()];
        if let Some(last) = prices.last_mut() {
            *last = 1.0;
        }
        prices
    }

    /// Objective that makes all instants early.
    fn all(&self) -> Vec<f64> {
        vec![1.0; self.instants.count()]
    }

    /// The instants that are cheapest by these prices, and not later than `total`.
    fn run(
        &self,
        differences: &[Difference],
        margin: f64,
        prices: &[f64],
        total: Option<f64>,
    ) -> Option<Vec<f64>> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let variables: Vec<Variable> = (0..)
            .zip(prices)
            .map(|(instant, &price)| {
                let most = match (instant, total) {
                    (0, _) => 0.0,
                    (_, Some(total)) => total + ROUNDING / 10.0,
                    _ => f64::INFINITY,
                };
                problem.add_var(price, (0.0, most))
            })
            .collect();
        let limit = |bound: i64, strict: bool| bound as f64 - if strict { margin } else { 0.0 };
        for pair in variables.windows(2) {
            problem.add_constraint([(pair[0], 1.0), (pair[1], -1.0)], ComparisonOp::Le, 0.0);
        }
        for d in differences {
            let terms = [
                (variables[d.left as usize], 1.0),
                (variables[d.right as usize], -1.0),
            ];
            problem.add_constraint(terms, ComparisonOp::Le, limit(d.bound, d.strict));
        }
        for sum in self.sums {
            let terms: Vec<_> = sum
                .terms
                .iter()
                .map(|&(instant, factor)| (variables[instant as usize], factor as f64))
                .collect();
            problem.add_constraint(&terms[..], ComparisonOp::Le, limit(sum.bound, sum.strict));
        }
        let SolveOutcome::Solution(solution) = problem.solve().ok()? else {
            return None;
        };
        Some(variables.iter().map(|&v| solution.var_value(v)).collect())
    }

    /// The numbers that a rounded solution stands for, if they are fractions with small denominators.
    fn exact(&self, path: &TimedPath, labels: &[f64]) -> Option<Schedule> {
        PARTS.iter().find_map(|&unit| {
            let parts = labels.iter().map(|&label| {
                let parts = label * unit as f64;
                let is_close = (parts - parts.round()).abs() <= ROUNDING * unit as f64 && parts.abs() < 1e15;
                is_close.then_some(parts.round() as i64)
            });
            let labels: Vec<i64> = parts.collect::<Option<_>>()?;
            Some(self.instants.schedule(unit, &labels)).filter(|s| check(path, s).is_ok())
        })
    }
}
