//! Random small networks of stopwatches, as text and as their own exact state space.

use super::polyhedra::{Polyhedron, Row, TooLarge};
use std::fmt::Write as _;
use zonewalk_reference::simulate::Random;

const LARGEST: u64 = 5;

#[derive(Clone, Copy, Debug)]
struct Bound {
    clock: usize,
    /// 1: from above, −1: from below.
    sign: i128,
    constant: i128,
    strict: bool,
}

#[derive(Clone, Copy, Debug)]
enum Rate {
    One,
    Zero,
    /// While the variable has this value.
    While(i32),
    /// While it has not.
    Unless(i32),
}

#[derive(Clone, Debug, Default)]
struct Edge {
    source: usize,
    target: usize,
    guard: Vec<Bound>,
    /// The value that the variable must have.
    needs: Option<i32>,
    resets: Vec<(usize, i128)>,
    sets: Option<i32>,
}

#[derive(Clone, Debug, Default)]
struct Location {
    invariant: Vec<Bound>,
    /// By stopwatch of the process.
    rates: Vec<(usize, Rate)>,
}

#[derive(Clone, Debug, Default)]
struct Process {
    locations: Vec<Location>,
    edges: Vec<Edge>,
}

/// Processes over clocks and one variable `run`.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    /// The first ones never stop.
    running: usize,
    clocks: usize,
    processes: Vec<Process>,
    wanted: (usize, usize, Vec<Bound>),
}

/// Answer of an exhaustive search with polyhedra.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    Reachable,
    Unreachable,
    Unknown,
}

struct Maker(Random);

impl Maker {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n as u64) as usize
    }

    fn often(&mut self, percent: u64) -> bool {
        self.0.below(100) < percent
    }

    fn bound(&mut self, clocks: usize, sign: i128) -> Bound {
        Bound {
            clock: self.below(clocks),
            sign,
            constant: i128::from(self.0.below(LARGEST + 1)),
            strict: self.often(30),
        }
    }

    fn bounds(&mut self, clocks: usize) -> Vec<Bound> {
        let count = self.below(3);
        (0..count)
            .map(|_| {
                let sign = if self.often(50) { 1 } else { -1 };
                self.bound(clocks, sign)
            })
            .collect()
    }
}

impl Network {
    pub(crate) fn new(seed: u64) -> Network {
        let mut make = Maker(Random::new(seed));
        // The last clock that never stops may tick: it is set back at fixed instants.
        let ticks = make.often(50);
        let running = 1 + usize::from(ticks) + make.below(2);
        let stopwatches = 1 + make.below(4);
        let clocks = running + stopwatches;
        let count = 1 + make.below(2);
        let is_scheduler = make.often(50);
        let mut processes = Vec::new();
        for process in 0..count {
            let locations = 2 + make.below(3);
            let owned: Vec<usize> = (running..clocks)
                .filter(|clock| clock % count == process)
                .collect();
            let mut made = Process::default();
            for _ in 0..locations {
                let invariant = if is_scheduler {
                    let upper = |clock| Bound {
                        clock,
                        sign: 1,
                        constant: 2 + i128::from(make.0.below(3)),
                        strict: make.often(20),
                    };
                    (running..clocks).map(upper).collect()
                } else if make.often(40) {
                    vec![make.bound(clocks, 1)]
                } else {
                    Vec::new()
                };
                let mut rates = Vec::new();
                for &clock in &owned {
                    let rate = if is_scheduler {
                        Rate::While((clock - running) as i32 % 3)
                    } else {
                        match make.below(5) {
                            0 => Rate::One,
                            1 | 2 => Rate::Zero,
                            3 => Rate::While(make.below(3) as i32),
                            _ => Rate::Unless(make.below(3) as i32),
                        }
                    };
                    rates.push((clock, rate));
                }
                made.locations.push(Location { invariant, rates });
            }
            let edges = locations + make.below(4);
            for number in 0..edges {
                let source = if number == 0 { 0 } else { make.below(locations) };
                let target = if number + 1 < locations {
                    number + 1
                } else {
                    make.below(locations)
                };
                let resets = if is_scheduler && make.often(70) {
                    0
                } else {
                    make.below(3)
                };
                let resets = (0..resets).map(|_| {
                    let value = if make.often(80) {
                        0
                    } else {
                        i128::from(make.0.below(3))
                    };
                    (make.below(clocks), value)
                });
                let mut resets: Vec<(usize, i128)> = resets.collect();
                resets.retain(|(clock, _)| !ticks || *clock + 1 != running);
                made.edges.push(Edge {
                    source,
                    target,
                    guard: make.bounds(clocks),
                    needs: make.often(25).then(|| make.below(3) as i32),
                    resets,
                    sets: make
                        .often(if is_scheduler { 80 } else { 50 })
                        .then(|| make.below(3) as i32),
                });
            }
            processes.push(made);
        }
        if ticks {
            processes.push(ticker(
                running - 1,
                2 + make.below(4) as i128,
                make.often(50).then(|| make.below(3) as i32),
            ));
        }
        let process = make.below(count);
        let location = make.below(processes[process].locations.len());
        let mut bounds = make.bounds(clocks);
        if is_scheduler {
            // Stopwatches that share a processor bound the time together.
            bounds.truncate(1);
            bounds.push(Bound {
                clock: 0,
                sign: -1,
                constant: i128::from(make.0.below(14)),
                strict: make.often(50),
            });
        } else {
            bounds.push(make.bound(clocks, 1));
            bounds.push(make.bound(clocks, -1));
        }
        Network {
            running,
            clocks,
            processes,
            wanted: (process, location, bounds),
        }
    }

    /// Whether a clock is set back at fixed instants.
    pub(crate) fn ticks(&self) -> bool {
        self.processes.iter().any(|process| process.locations.len() == 1)
    }

    fn name(&self, clock: usize) -> String {
        if clock < self.running {
            format!("t{clock}")
        } else {
            format!("s{}", clock - self.running)
        }
    }

    fn bound(&self, bound: &Bound) -> String {
        let relation = match (bound.sign > 0, bound.strict) {
            (true, true) => "<",
            (true, false) => "<=",
            (false, true) => ">",
            (false, false) => ">=",
        };
        format!("{} {relation} {}", self.name(bound.clock), bound.constant)
    }

    fn all(&self, bounds: &[Bound]) -> Vec<String> {
        bounds.iter().map(|bound| self.bound(bound)).collect()
    }

    pub(crate) fn question(&self) -> String {
        let (process, location, bounds) = &self.wanted;
        let mut parts = vec![format!("P{process}.L{location}")];
        parts.extend(self.all(bounds));
        parts.join(" && ")
    }

    pub(crate) fn text(&self) -> String {
        let clocks: Vec<String> = (0..self.clocks).map(|clock| self.name(clock)).collect();
        let mut text = format!("clock {};\nint[0,2] run = 0;\n", clocks.join(", "));
        for (number, process) in self.processes.iter().enumerate() {
            let _ = write!(text, "process P{number}() {{\n  state ");
            for (at, location) in process.locations.iter().enumerate() {
                let mut parts = self.all(&location.invariant);
                parts.extend(location.rates.iter().map(|(clock, rate)| {
                    let rate = match rate {
                        Rate::One => "1".to_owned(),
                        Rate::Zero => "0".to_owned(),
                        Rate::While(value) => format!("(run == {value})"),
                        Rate::Unless(value) => format!("(run != {value})"),
                    };
                    format!("{}' == {rate}", self.name(*clock))
                }));
                let separator = if at > 0 { ", " } else { "" };
                let _ = write!(text, "{separator}L{at}");
                if !parts.is_empty() {
                    let _ = write!(text, " {{ {} }}", parts.join(" && "));
                }
            }
            text += ";\n  init L0;\n  trans\n";
            for (at, edge) in process.edges.iter().enumerate() {
                let mut guard = self.all(&edge.guard);
                guard.extend(edge.needs.map(|value| format!("run == {value}")));
                let mut updates: Vec<String> = edge
                    .resets
                    .iter()
                    .map(|(clock, value)| format!("{} = {value}", self.name(*clock)))
                    .collect();
                updates.extend(edge.sets.map(|value| format!("run = {value}")));
                let mut labels = String::new();
                if !guard.is_empty() {
                    let _ = write!(labels, "guard {}; ", guard.join(" && "));
                }
                if !updates.is_empty() {
                    let _ = write!(labels, "assign {}; ", updates.join(", "));
                }
                let end = if at + 1 == process.edges.len() { ";" } else { "," };
                let _ = writeln!(
                    text,
                    "    L{} -> L{} {{ {labels}}}{end}",
                    edge.source, edge.target
                );
            }
            text += "}\n";
        }
        let names: Vec<String> = (0..self.processes.len()).map(|p| format!("P{p}")).collect();
        let _ = writeln!(text, "system {};", names.join(", "));
        text
    }

    /// Whether the wanted states can be reached: exhaustive search over at most so many polyhedra.
    pub(crate) fn truth(&self, most: usize) -> Truth {
        self.explore(most).unwrap_or(Truth::Unknown)
    }

    fn explore(&self, most: usize) -> Result<Truth, TooLarge> {
        let mut start = Polyhedron::default();
        for clock in 0..self.clocks {
            start = start.set(clock, 0)?;
        }
        let mut known: Vec<(Vec<usize>, i32, Polyhedron)> = Vec::new();
        let locations = vec![0; self.processes.len()];
        if let Some(set) = self.entered(&locations, 0, &start)? {
            known.push((locations, 0, set));
        }
        let mut next = 0;
        while let Some((locations, run, set)) = known.get(next).cloned() {
            next += 1;
            let (process, location, bounds) = &self.wanted;
            if locations[*process] == *location && !set.and(&rows(bounds)).is_empty()? {
                return Ok(Truth::Reachable);
            }
            for (number, process) in self.processes.iter().enumerate() {
                for edge in process
                    .edges
                    .iter()
                    .filter(|edge| edge.source == locations[number])
                {
                    if edge.needs.is_some_and(|value| value != run) {
                        continue;
                    }
                    let mut after = set.and(&rows(&edge.guard));
                    if after.is_empty()? {
                        continue;
                    }
                    for &(clock, value) in &edge.resets {
                        after = after.set(clock, value)?;
                    }
                    let mut there = locations.clone();
                    there[number] = edge.target;
                    let run = edge.sets.unwrap_or(run);
                    let Some(after) = self.entered(&there, run, &after)? else {
                        continue;
                    };
                    let mut is_known = false;
                    for (locations, other, set) in &known {
                        is_known |= *locations == there && *other == run && after.is_included_in(set)?;
                    }
                    if !is_known {
                        if known.len() >= most {
                            return Ok(Truth::Unknown);
                        }
                        known.push((there, run, after));
                    }
                }
            }
        }
        Ok(Truth::Unreachable)
    }

    /// The points of a state after any delay.
    fn entered(
        &self,
        locations: &[usize],
        run: i32,
        set: &Polyhedron,
    ) -> Result<Option<Polyhedron>, TooLarge> {
        let mut runs = vec![true; self.clocks];
        let mut invariant = Vec::new();
        for (process, &location) in self.processes.iter().zip(locations) {
            let location = &process.locations[location];
            invariant.extend(rows(&location.invariant));
            for &(clock, rate) in &location.rates {
                runs[clock] = match rate {
                    Rate::One => true,
                    Rate::Zero => false,
                    Rate::While(value) => run == value,
                    Rate::Unless(value) => run != value,
                };
            }
        }
        let set = set.and(&invariant);
        if set.is_empty()? {
            return Ok(None);
        }
        Ok(Some(set.later(&runs)?.and(&invariant).reduced()?))
    }
}

/// Sets a clock back every so often, and the variable.
fn ticker(clock: usize, period: i128, sets: Option<i32>) -> Process {
    let bound = |sign| Bound {
        clock,
        sign,
        constant: period,
        strict: false,
    };
    Process {
        locations: vec![Location {
            invariant: vec![bound(1)],
            rates: Vec::new(),
        }],
        edges: vec![Edge {
            guard: vec![bound(-1)],
            resets: vec![(clock, 0)],
            sets,
            ..Edge::default()
        }],
    }
}

fn rows(bounds: &[Bound]) -> Vec<Row> {
    let row = |bound: &Bound| Row::of(bound.clock, bound.sign, bound.sign * bound.constant, bound.strict);
    bounds.iter().map(row).collect()
}
