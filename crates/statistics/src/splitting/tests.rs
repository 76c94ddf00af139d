use super::*;
use zonewalk_sampling::{Arithmetic, Sampler};

/// A walk on the integers from 1, up with probability 1/3, that ends at 0: it reaches n with probability 1/(2^n - 1).
struct Queue {
    at: i64,
    steps: u64,
}

struct Here<'q>(&'q Queue, i64);

impl Piece for Here<'_> {
    fn from(&self) -> f64 {
        self.0.steps as f64
    }

    fn to(&self) -> f64 {
        self.0.steps as f64 + 1.0
    }

    fn steps(&self) -> u64 {
        self.0.steps
    }

    fn holds(&mut self, _: ConditionId, into: &mut Vec<(f64, f64)>) -> Result<(), RunError> {
        if self.0.at >= self.1 {
            into.push((self.from(), self.to()));
        }
        Ok(())
    }

    fn values(&mut self, _: ExpressionId, into: &mut Vec<(f64, f64)>) -> Result<(), RunError> {
        into.push((self.from(), self.0.at as f64));
        Ok(())
    }

    fn progress(&mut self, at: f64) -> Result<f64, RunError> {
        Ok(at)
    }
}

impl Sampler for Queue {
    fn run(&mut self, seed: u64, run: u64, bound: &Bound, m: &mut dyn Monitor) -> Result<Ended, RunError> {
        (self.at, self.steps) = (1, 0);
        self.go_on(seed, run, bound, m)
    }

    fn arithmetic(&self) -> Arithmetic {
        Arithmetic::Exact
    }
}

impl Restart for Queue {
    type State = (i64, u64);

    fn keep(&self) -> (i64, u64) {
        (self.at, self.steps)
    }

    fn restore(&mut self, state: &(i64, u64)) {
        (self.at, self.steps) = *state;
    }

    fn go_on(&mut self, seed: u64, run: u64, bound: &Bound, m: &mut dyn Monitor) -> Result<Ended, RunError> {
        let mut random = Random::for_walk(seed, run);
        let Bound::Steps(goal) = *bound else {
            return Ok(Ended::Bound);
        };
        while self.at > 0 {
            if m.piece(&mut Here(self, goal as i64))?.is_break() {
                return Ok(Ended::Decided);
            }
            self.at += if random.index(3) == 0 { 1 } else { -1 };
            self.steps += 1;
        }
        Ok(Ended::Deadlock)
    }
}

fn estimate(seed: u64, number: u64, goal: u64, effort: u64) -> Replication {
    let never = AtomicBool::new(false);
    let stop = StopFlags {
        flags: [&never, &never],
        is_late: &|| false,
    };
    let of = Splitting {
        goal: ConditionId(0),
        level: ExpressionId(0),
        bound: Bound::Steps(goal),
        effort,
    };
    let mut queue = Queue { at: 1, steps: 0 };
    let made = replicate(&mut queue, (seed, number), &of, &stop);
    let made = made.expect("not interrupted").expect("no error");
    if let Some(way) = &made.sample {
        let again = again(&mut queue, (seed, number), &of, way);
        assert_eq!(again, Ok(Some(way.instant)));
        assert_eq!(queue.at, goal as i64);
    }
    made
}

/// Small efforts, many estimates: a bias would show.
#[test]
fn estimates_have_no_bias() {
    for (goal, effort, count) in [(3, 5, 40_000), (8, 20, 20_000)] {
        let exact = 1.0 / ((1u64 << goal) as f64 - 1.0);
        let mut mean = crate::mean::Mean::default();
        (0..count).for_each(|number| mean.add(estimate(1, number, goal, effort).low));
        let error = mean.deviation() / (count as f64).sqrt();
        assert!(
            (mean.mean - exact).abs() < 4.5 * error,
            "{goal}: {mean:?}, {exact}"
        );
    }
}

/// 1/(2^20 - 1), by thirty-two estimates: the interval for 100 seeds.
#[test]
fn intervals_hold_the_probability_of_a_rare_event() {
    let exact = 1.0 / ((1u64 << 20) as f64 - 1.0);
    let holds = (0..100).filter(|&seed| {
        let mut mean = crate::mean::Mean::default();
        (0..32).for_each(|number| mean.add(estimate(seed, number, 20, 100).low));
        mean.interval(0.05)
            .is_some_and(|interval| interval.contains(exact))
    });
    let holds = holds.count();
    assert!(holds >= 90, "{holds}");
}

#[test]
fn states_are_shared_out_evenly() {
    let mut random = Random::for_walk(1, 1);
    let shares = shares(3, 8, &mut random);
    let mut counts = [0; 3];
    shares.iter().for_each(|&state| counts[state] += 1);
    counts.sort_unstable();
    assert_eq!(counts, [2, 3, 3]);
}
