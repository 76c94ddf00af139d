//! The race against its definition: random networks, whose distributions of transitions and delays are computed by integrating the
//! definition, and compared with what runs of both engines show. Nothing of an engine is used to compute them.

// What tests may do, which clippy does not see to be tests.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;
use zonewalk_checker::{Options, Outcome, check_text};
use zonewalk_report::statistics::Estimate;

const RUNS: u64 = 4_000;
const NETWORKS: usize = 12;

/// Numbers that are the same in every run of the test.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// The law of a delay: from `lo` on, to `hi` uniformly, or exponentially.
#[derive(Clone, Copy, Debug)]
struct Law {
    lo: u64,
    hi: Option<u64>,
    rate: u64,
}

impl Law {
    fn random(numbers: &mut Numbers) -> Law {
        let lo = numbers.below(4);
        Law {
            lo,
            hi: (numbers.below(3) > 0).then(|| lo + 1 + numbers.below(5)),
            rate: 1 + numbers.below(3),
        }
    }

    /// The location that has it.
    fn place(&self, name: &str) -> String {
        match self.hi {
            Some(hi) => format!("{name} {{ x <= {hi} }}"),
            None => format!("{name} {{ ; {} }}", self.rate),
        }
    }

    /// The probability to wait longer than `t`.
    fn waits(&self, t: f64) -> f64 {
        let lo = self.lo as f64;
        if t <= lo {
            return 1.0;
        }
        match self.hi {
            Some(hi) => (1.0 - (t - lo) / (hi as f64 - lo)).max(0.0),
            None => (-(self.rate as f64) * (t - lo)).exp(),
        }
    }

    /// By then it has moved, or that is as good as certain.
    fn end(&self) -> f64 {
        self.hi
            .map_or(self.lo as f64 + 25.0 / self.rate as f64, |hi| hi as f64)
    }
}

/// Two transitions, the first by one of two edges: `O` is open later than `D`.
#[derive(Clone, Copy, Debug)]
struct Process {
    first: Law,
    later: u64,
    second: Law,
}

impl Process {
    fn text(&self, name: usize) -> String {
        let places = [
            self.first.place("L"),
            self.second.place("D"),
            self.second.place("O"),
        ];
        format!(
            "process P{name}() {{ clock x; state {}, End; init L; trans L -> D {{ guard x >= {}; assign x = 0; }},
                L -> O {{ guard x >= {}; assign x = 0; }}, D -> End {{ guard x >= {a}; }}, O -> End {{ guard x >= {a}; }}; }}\n",
            places.join(", "),
            self.first.lo,
            self.later,
            a = self.second.lo,
        )
    }
}

/// Expectation for the first two transitions.
struct Expected {
    /// By who is first, by which edge, and who is second.
    shares: Vec<f64>,
    /// The distribution of the delay between the two, at multiples of `step`.
    gaps: Vec<f64>,
    step: f64,
}

fn category(processes: usize, first: usize, edge: usize, second: usize) -> usize {
    (2 * first + edge) * processes + second
}

impl Expected {
    fn new(processes: &[Process]) -> Expected {
        const CELLS: u32 = 600;
        const PARTS: u32 = 400;
        let count = processes.len();
        let end = processes
            .iter()
            .map(|p| p.first.end())
            .fold(f64::INFINITY, f64::min);
        let longest = processes
            .iter()
            .map(|p| p.first.end().max(p.second.end()))
            .fold(0.0, f64::max);
        let (cell, step) = (end / f64::from(CELLS), longest / f64::from(PARTS));
        let mut expected = Expected {
            shares: vec![0.0; 2 * count * count],
            gaps: vec![0.0; PARTS as usize + 1],
            step,
        };
        for (first, i) in (0..count).flat_map(|first| (0..CELLS).map(move |i| (first, i))) {
            let (from, to) = (f64::from(i) * cell, f64::from(i + 1) * cell);
            let at = (from + to) / 2.0;
            let own = processes[first].first.waits(from) - processes[first].first.waits(to);
            let others = (0..count).filter(|j| *j != first);
            let chance = own * others.map(|j| processes[j].first.waits(at)).product::<f64>();
            if chance <= 0.0 {
                continue;
            }
            // Each edge that is open then has the same chance.
            let edges = if at >= processes[first].later as f64 {
                [0.5, 0.5]
            } else {
                [1.0, 0.0]
            };
            // What is left of the others' delays, and the second delay of the first.
            let waits = |j: usize, u: f64| {
                if j == first {
                    processes[j].second.waits(u)
                } else {
                    processes[j].first.waits(at + u) / processes[j].first.waits(at)
                }
            };
            for part in 0..PARTS {
                let (u, v) = (f64::from(part) * step, f64::from(part + 1) * step);
                let middle = (u + v) / 2.0;
                for second in 0..count {
                    let others = (0..count).filter(|j| *j != second);
                    let wins = (waits(second, u) - waits(second, v))
                        * others.map(|j| waits(j, middle)).product::<f64>();
                    for (edge, share) in edges.iter().enumerate() {
                        expected.shares[category(count, first, edge, second)] += chance * share * wins;
                    }
                }
                let moved = 1.0 - (0..count).map(|j| waits(j, v)).product::<f64>();
                expected.gaps[part as usize + 1] += chance * moved;
            }
        }
        expected
    }
}

/// When a curve of truth first jumps to true.
fn jump(points: &[(f64, f64)]) -> f64 {
    points
        .iter()
        .find(|(_, value)| *value > 0.0)
        .map_or(f64::INFINITY, |(at, _)| *at)
}

fn curves(text: &str, names: &[String]) -> Estimate {
    let watched: Vec<String> = names
        .iter()
        .flat_map(|name| ["D", "O", "End"].map(|place| format!("{name}.{place}")))
        .collect();
    let query = format!("simulate [<=100; {RUNS}] {{ {} }}", watched.join(", "));
    let report = check_text("race.xta", text, &query, &Options::default()).unwrap();
    match report.outcome {
        Outcome::Estimated { estimate, .. } => *estimate,
        other => panic!("{other:?}"),
    }
}

/// Beyond this chi-squared is with a probability of 0.0001 (Wilson and Hilferty 1931).
fn chi_squared_limit(degrees: usize) -> f64 {
    let n = degrees as f64;
    let part = 2.0 / (9.0 * n);
    n * (1.0 - part + 3.719 * part.sqrt()).powi(3)
}

#[test]
fn transitions_and_delays_follow_the_definition() {
    let mut numbers = Numbers(2026);
    for network in 0..NETWORKS {
        let count = 2 + numbers.below(2) as usize;
        let processes: Vec<Process> = (0..count)
            .map(|_| {
                let first = Law::random(&mut numbers);
                Process {
                    first,
                    later: first.lo + numbers.below(3),
                    second: Law::random(&mut numbers),
                }
            })
            .collect();
        let names: Vec<String> = (0..count).map(|i| format!("P{i}")).collect();
        let mut text = String::new();
        for (i, process) in processes.iter().enumerate() {
            text.push_str(&process.text(i));
        }
        let _ = write!(text, "system {};", names.join(", "));
        let expected = Expected::new(&processes);
        let total: f64 = expected.shares.iter().sum();
        assert!((total - 1.0).abs() < 0.01, "{total}\n{text}");
        for text in [text.clone(), format!("double in_doubles = 0.5;\n{text}")] {
            let is_exact = !text.starts_with("double");
            let estimate = curves(&text, &names);
            assert_eq!(estimate.engine == "exact", is_exact, "{}", estimate.engine);
            let what = format!("network {network}, {}\n{text}", estimate.engine);
            compare(&processes, &expected, &estimate, &what);
        }
    }
}

fn compare(processes: &[Process], expected: &Expected, estimate: &Estimate, what: &str) {
    let count = processes.len();
    let mut found = vec![0u64; expected.shares.len()];
    let (mut delays, mut gaps) = (Vec::new(), Vec::new());
    for run in estimate.series.chunks(3 * count) {
        // Who moves, when and how: the first transition of a process, and its second.
        let mut moves = Vec::new();
        for (process, curves) in run.chunks(3).enumerate() {
            let [d, o, end] = [0, 1, 2].map(|i| jump(&curves[i].points));
            moves.push((d.min(o), process, usize::from(o < d)));
            moves.push((end, process, 0));
        }
        moves.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (first, second) = (moves[0], moves[1]);
        found[category(count, first.1, first.2, second.1)] += 1;
        delays.push(first.0);
        gaps.push(second.0 - first.0);
    }
    let n = delays.len() as f64;
    assert_eq!(delays.len() as u64, RUNS);
    // Chi-squared; rare outcomes count together.
    let (mut squares, mut degrees, mut rare) = (0.0, 0, (0.0, 0.0));
    for (share, found) in expected.shares.iter().zip(&found) {
        let wanted = share * n;
        if wanted < 5.0 {
            rare = (rare.0 + wanted, rare.1 + *found as f64);
            continue;
        }
        squares += (*found as f64 - wanted).powi(2) / wanted;
        degrees += 1;
    }
    if rare.0 >= 5.0 {
        squares += (rare.1 - rare.0).powi(2) / rare.0;
        degrees += 1;
    } else {
        // Five deviations of a Poisson distribution.
        assert!(rare.1 <= rare.0 + 5.0 * rare.0.sqrt() + 5.0, "{rare:?} {what}");
    }
    if degrees > 1 {
        let limit = chi_squared_limit(degrees - 1);
        assert!(squares < limit, "{squares}, at most {limit}: {found:?} {what}");
    }
    // Kolmogorov and Smirnov: beyond 2.2 with a probability of 0.0001.
    delays.sort_by(f64::total_cmp);
    let worst = delays.iter().enumerate().fold(0.0f64, |worst, (i, delay)| {
        let exact = 1.0 - processes.iter().map(|p| p.first.waits(*delay)).product::<f64>();
        worst
            .max((exact - i as f64 / n).abs())
            .max((exact - (i + 1) as f64 / n).abs())
    });
    assert!(worst * n.sqrt() < 2.2, "delays: {worst} {what}");
    gaps.sort_by(f64::total_cmp);
    let worst = expected
        .gaps
        .iter()
        .enumerate()
        .fold(0.0f64, |worst, (i, exact)| {
            let at = i as f64 * expected.step;
            // Those that are equal to a whole number are at most so.
            let share = gaps.partition_point(|gap| *gap <= at + 1e-6) as f64 / n;
            worst.max((exact - share).abs())
        });
    assert!(worst * n.sqrt() < 2.2, "gaps: {worst} {what}");
}
