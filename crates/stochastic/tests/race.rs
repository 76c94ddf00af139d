//! The race against its definition: random small networks, whose distributions of delays and of winners are computed by
//! integrating the definition, and compared with what runs show.

mod support;

use std::fmt::Write;
use std::ops::ControlFlow;
use support::{assert_probability, load};
use zonewalk_sampling::{Bound, ConditionId, Monitor, Piece, RunError, Sampler};
use zonewalk_stochastic::{Options, Runner};

/// Numbers that are the same in every run of the test.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

/// A process that makes one transition: a guard `x >= lo`, an invariant `x <= hi` or an exponential rate, and the rate of `x`.
struct Process {
    lo: u64,
    hi: Option<u64>,
    exponential: f64,
    speed: f64,
}

impl Process {
    fn random(numbers: &mut Numbers) -> Process {
        let lo = numbers.below(4);
        Process {
            lo,
            hi: (numbers.below(3) > 0).then(|| lo + 1 + numbers.below(5)),
            exponential: [0.5, 1.0, 2.5][numbers.below(3) as usize],
            speed: [0.5, 1.0, 3.0][numbers.below(3) as usize],
        }
    }

    fn text(&self, name: usize) -> String {
        let bound = self.hi.map_or(String::new(), |hi| format!("x <= {hi} && "));
        format!(
            "process P{name}() {{ clock x; state L {{ {bound}x' == {:?} ; {:?} }}, Done {{ x' == 0 }}; init L;
                trans L -> Done {{ guard x >= {}; }}; }}\n",
            self.speed, self.exponential, self.lo
        )
    }

    fn first(&self) -> f64 {
        self.lo as f64 / self.speed
    }

    fn deadline(&self) -> f64 {
        self.hi.map_or(f64::INFINITY, |hi| hi as f64 / self.speed)
    }

    /// The probability to draw at most `t`.
    fn at_most(&self, t: f64) -> f64 {
        if t <= self.first() {
            return 0.0;
        }
        match self.hi {
            Some(_) => ((t - self.first()) / (self.deadline() - self.first())).min(1.0),
            None => 1.0 - (-self.exponential * (t - self.first())).exp(),
        }
    }
}

/// The probability that a process has moved by `t`.
fn moved(processes: &[Process], t: f64) -> f64 {
    1.0 - processes.iter().map(|p| 1.0 - p.at_most(t)).product::<f64>()
}

/// The probability that a process moves first: the sum of its chances in small stretches of time, while the others wait.
fn wins(processes: &[Process], winner: usize) -> f64 {
    const PARTS: u32 = 200_000;
    let end = processes.iter().map(Process::deadline).fold(60.0, f64::min);
    let step = end / f64::from(PARTS);
    (0..PARTS)
        .map(|i| {
            let (from, to) = (f64::from(i) * step, f64::from(i + 1) * step);
            let own = processes[winner].at_most(to) - processes[winner].at_most(from);
            let others = processes.iter().enumerate().filter(|(p, _)| *p != winner);
            own * others
                .map(|(_, p)| 1.0 - p.at_most((from + to) / 2.0))
                .product::<f64>()
        })
        .sum()
}

/// When the first transition was taken, and by whom.
struct First {
    processes: usize,
    found: Option<(f64, usize)>,
}

impl Monitor for First {
    fn piece(&mut self, piece: &mut dyn Piece) -> Result<ControlFlow<()>, RunError> {
        if piece.steps() == 0 {
            return Ok(ControlFlow::Continue(()));
        }
        for process in 0..self.processes {
            let mut windows = Vec::new();
            piece.holds(ConditionId(process), &mut windows)?;
            if !windows.is_empty() {
                self.found = Some((piece.from(), process));
            }
        }
        Ok(ControlFlow::Break(()))
    }
}

#[test]
fn delays_and_winners_follow_the_definition() {
    const RUNS: u64 = 10_000;
    let mut numbers = Numbers(2026);
    for network in 0..20 {
        let count = 2 + numbers.below(2) as usize;
        let processes: Vec<Process> = (0..count).map(|_| Process::random(&mut numbers)).collect();
        let mut text = String::new();
        for (i, process) in processes.iter().enumerate() {
            text.push_str(&process.text(i));
        }
        let names: Vec<String> = (0..count).map(|i| format!("P{i}")).collect();
        let _ = write!(text, "system {};", names.join(", "));
        let conditions: Vec<String> = names.iter().map(|n| format!("{n}.Done")).collect();
        let conditions: Vec<&str> = conditions.iter().map(String::as_str).collect();
        let loaded = load(&text, &conditions, &[]);
        let plan = loaded.plan(Options::default());
        let mut runner = Runner::new(&plan);
        let mut delays = Vec::new();
        let mut winners = vec![0u64; count];
        for run in 0..RUNS {
            let mut monitor = First {
                processes: count,
                found: None,
            };
            let ended = runner.run(network, run, &Bound::Time(1000.0), &mut monitor);
            ended.unwrap_or_else(|error| panic!("{error}\n{text}"));
            let (delay, winner) = monitor.found.expect("a process moves");
            delays.push(delay);
            winners[winner] += 1;
        }
        // Kolmogorov and Smirnov: beyond 2.2 with probability 0.0001.
        delays.sort_by(f64::total_cmp);
        let n = RUNS as f64;
        let largest = delays.iter().enumerate().fold(0.0, |worst: f64, (i, delay)| {
            let exact = moved(&processes, *delay);
            worst
                .max((exact - i as f64 / n).abs())
                .max((exact - (i + 1) as f64 / n).abs())
        });
        assert!(largest * n.sqrt() < 2.2, "{largest}\n{text}");
        // Chi-squared with at most two degrees of freedom: beyond 18.5 with probability 0.0001.
        let squares: f64 = (0..count)
            .map(|p| {
                let expected = n * wins(&processes, p);
                match expected > 0.5 {
                    true => (winners[p] as f64 - expected).powi(2) / expected,
                    false => winners[p] as f64 * 10.0,
                }
            })
            .sum();
        assert!(squares < 18.5, "{squares}: {winners:?}\n{text}");
    }
}

/// Rule 37: who draws no delay goes before those that can move and would wait.
#[test]
fn where_time_stands_still_those_that_do_not_wait_go_first() {
    let at_once = Bound::Time(0.0);
    let urgent =
        "clock x; process P(const int[1,4] i) { state A, B; urgent A; init A; trans A -> B { }, A -> A { }; }
        process Q() { state A { x <= 5 }, B; init A; trans A -> B { }; } system P, Q;";
    assert_probability(urgent, "Q.B && P(1).A && P(2).A", at_once, 0.0);
    // Where its invariant ends at once it draws no delay either.
    let ends = urgent.replace("x <= 5", "x <= 0");
    assert_probability(
        &ends,
        "Q.B && P(1).A && P(2).A && P(3).A && P(4).A",
        Bound::Steps(1),
        0.2,
    );
    let channel = "urgent broadcast chan c; clock x;
        process P() { state A, B; init A; trans A -> B { guard x >= 1; sync c!; }; }
        process Q() { state A { x <= 4 }, B; init A; trans A -> B { }; } system P, Q;";
    assert_probability(channel, "Q.B && P.A", Bound::Time(9.0), 0.25);
    let alone = "process P() { state A; urgent A; init A; }
        process Q(const int[1,4] i) { state A, B; init A; trans A -> B { }; } system P, Q;";
    assert_probability(alone, "Q(2).B", Bound::Steps(1), 0.25);
}
