//! Random small networks, as text, so that what fails can be read.

use std::fmt::Write as _;
use zonewalk_reference::simulate::Random;

/// No clock is compared with more.
pub const LARGEST: u64 = 3;

/// A network and questions about it.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The network in the textual format.
    pub text: String,
    /// Predicates over its states.
    pub questions: Vec<String>,
    /// Differences of clocks are compared.
    pub has_diagonals: bool,
    /// Runs on whole numbers reach every location vector that runs reach at all: bounds are not strict, and nothing depends
    /// on a condition on clocks being false (digitisation: Henzinger, Manna, Pnueli, What good are digital clocks?, 1992).
    pub is_closed: bool,
    /// Number of clocks: `x0`, `x1`, …
    pub clocks: u64,
}

/// Features that a generated network may use.
struct Features {
    strict: bool,
    diagonals: bool,
    copies: bool,
    urgent: bool,
    broadcast: bool,
    timed_receivers: bool,
    priorities: bool,
    committed: bool,
    selects: bool,
    stopwatches: bool,
    variable_bounds: bool,
    dynamic_channels: bool,
    together: bool,
    /// Variables of processes, an array among them, that are often written before they are read again.
    locals: bool,
    /// Differences are compared with variables, clocks are set to them, and clocks of an array are chosen by them.
    variable_differences: bool,
}

struct Generator {
    random: Random,
    features: Features,
    clocks: u64,
    closed: bool,
}

/// The network of a seed.
pub fn network(seed: u64) -> Generated {
    generated(seed, false)
}

/// A network in which differences of clocks are compared with variables, clocks are copied and set to variables, and clocks
/// of an array are chosen by variables.
pub fn network_of_differences(seed: u64) -> Generated {
    generated(seed, true)
}

fn generated(seed: u64, of_differences: bool) -> Generated {
    let mut random = Random::new(seed);
    let mut often = |percent: u64| random.below(100) < percent;
    let features = Features {
        strict: often(65),
        diagonals: often(20),
        copies: often(20),
        urgent: often(40),
        broadcast: often(50),
        timed_receivers: often(60),
        priorities: often(25),
        committed: often(35),
        selects: often(30),
        stopwatches: often(12),
        variable_bounds: often(25),
        dynamic_channels: often(15),
        together: often(10),
        locals: often(50),
        variable_differences: false,
    };
    let features = if of_differences {
        Features {
            diagonals: true,
            copies: true,
            stopwatches: false,
            variable_differences: true,
            ..features
        }
    } else {
        features
    };
    let clocks = u64::from(of_differences) + 1 + random.below(3 - u64::from(of_differences));
    let mut generator = Generator {
        random,
        features,
        clocks,
        closed: true,
    };
    generator.network()
}

impl Generator {
    fn often(&mut self, percent: u64) -> bool {
        self.random.below(100) < percent
    }

    fn below(&mut self, n: u64) -> u64 {
        self.random.below(n)
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.random.below(list.len() as u64) as usize].clone()
    }

    fn network(&mut self) -> Generated {
        let processes = 2 + self.below(2);
        let mut text = String::from("int[0,2] v;\nint[0,1] w;\nchan h, g;\n");
        let clocks: Vec<String> = (0..self.clocks).map(|c| format!("x{c}")).collect();
        let _ = writeln!(text, "clock {};", clocks.join(", "));
        if self.features.variable_differences {
            text += "clock e[2];\n";
        }
        if self.features.urgent {
            text += "urgent chan u;\nurgent broadcast chan ub;\n";
        }
        if self.features.broadcast {
            text += "broadcast chan b;\n";
        }
        if self.features.dynamic_channels {
            text += "chan d[2];\n";
        }
        let by_channel = self.features.priorities && self.often(60);
        let by_process = self.features.priorities && (!by_channel || self.often(40));
        if by_channel {
            text += match (self.features.broadcast, self.below(3)) {
                (true, 0) => "chan priority b < default < h;\n",
                (true, 1) => "chan priority h < default < b;\n",
                (_, 2) => "chan priority default < g < h;\n",
                _ => "chan priority g, h < default;\n",
            };
        }
        let mut sizes = Vec::new();
        for process in 0..processes {
            let locations = 2 + self.below(3);
            sizes.push(locations);
            self.process(process, locations, &mut text);
        }
        let names: Vec<String> = (0..processes).map(|p| format!("P{p}")).collect();
        let _ = writeln!(
            text,
            "system {};",
            names.join(if by_process { " < " } else { ", " })
        );
        if self.features.priorities || self.features.timed_receivers && self.features.broadcast {
            self.closed = false;
        }
        Generated {
            questions: self.questions(&sizes),
            has_diagonals: self.features.diagonals,
            is_closed: self.closed && !self.features.stopwatches,
            clocks: self.clocks,
            text,
        }
    }

    fn process(&mut self, process: u64, locations: u64, text: &mut String) {
        let _ = writeln!(text, "process P{process}() {{");
        if self.features.locals {
            *text += "  int[0,2] a;\n  int[0,1] c[2];\n  void put(int[0,2] n) {\n    if (n > 1) a = 0; else a = n + 1;\n  }\n";
        }
        *text += "  state ";
        for location in 0..locations {
            let separator = if location > 0 { ", " } else { "" };
            let _ = write!(text, "{separator}L{location}");
            let invariant = self.invariant(process, location == 0);
            if !invariant.is_empty() {
                let _ = write!(text, " {{ {invariant} }}");
            }
        }
        *text += ";\n";
        if self.features.committed {
            for location in 0..locations {
                match self.below(9) {
                    0 => {
                        let _ = writeln!(text, "  commit L{location};");
                    }
                    1 => {
                        let _ = writeln!(text, "  urgent L{location};");
                    }
                    _ => {}
                }
            }
        }
        *text += "  init L0;\n  trans\n";
        let edges = locations + self.below(4);
        for edge in 0..edges {
            // Every location but the first has a way in as often as not.
            let source = if edge == 0 { 0 } else { self.below(locations) };
            let target = if edge + 1 < locations {
                edge + 1
            } else {
                self.below(locations)
            };
            let end = if edge + 1 == edges { ";" } else { "," };
            let labels = self.labels();
            let _ = writeln!(text, "    L{source} -> L{target} {{ {labels}}}{end}");
        }
        *text += "}\n";
    }

    fn clock(&mut self) -> String {
        if self.features.variable_differences && self.often(20) {
            return self.pick(&["e[0]", "e[1]", "e[w]"]).to_owned();
        }
        format!("x{}", self.below(self.clocks))
    }

    fn bound(&mut self) -> String {
        if self.features.variable_bounds && self.often(25) {
            return self.pick(&["v", "v + 1", "w + 1", "(w == 0 ? 1 : 2)"]).to_owned();
        }
        self.below(LARGEST + 1).to_string()
    }

    /// A bound on a clock or a difference.
    fn timed(&mut self, relations: &[&str]) -> String {
        let strict: Vec<&str> = relations.to_vec();
        let weak: Vec<&str> = relations
            .iter()
            .copied()
            .filter(|r| !matches!(*r, "<" | ">"))
            .collect();
        let relation = if self.features.strict {
            self.pick(&strict)
        } else {
            self.pick(&weak)
        };
        self.closed &= !matches!(relation, "<" | ">");
        let left = self.clock();
        if self.features.diagonals && self.clocks > 1 && self.often(45) {
            let right = loop {
                let right = self.clock();
                if right != left {
                    break right;
                }
            };
            if self.features.variable_differences && self.often(50) {
                let number = self.pick(&["v", "w", "1 - v", "w + 1", "v - w"]);
                return format!("{left} - {right} {relation} {number}");
            }
            let number = self.below(2 * LARGEST) as i64 - LARGEST as i64;
            return format!("{left} - {right} {relation} {number}");
        }
        let atom = format!("{left} {relation} {}", self.bound());
        if self.often(12) {
            let condition = self.pick(&["v == 1", "w == 0", "v > 0"]);
            return match self.below(2) {
                0 => format!("({condition} || {atom})"),
                _ => format!("({condition} imply {atom})"),
            };
        }
        atom
    }

    /// In the first location it holds in the beginning.
    fn invariant(&mut self, process: u64, is_first: bool) -> String {
        let mut parts = Vec::new();
        if self.often(40) {
            let bound = self.timed(&["<=", "<", "<=", "<"]);
            let fails = |number: &str| bound.ends_with(number) || bound.ends_with(&format!("{number})"));
            if !is_first
                || !["< 0", "< v", "<= -1", "<= -2", "<= -3", "< -1", "< -2", "< -3"]
                    .iter()
                    .any(|n| fails(n))
            {
                parts.push(bound);
            }
        }
        if !is_first && self.often(6) {
            parts.push(self.timed(&[">=", ">"]));
        }
        if self.often(6) {
            parts.push(self.pick(&["v != 2", "w == 0", "v < 2"]).to_owned());
        }
        // One process for each clock, so that rates never conflict.
        if self.features.stopwatches && process < self.clocks && self.often(40) {
            parts.push(format!("x{process}' == {}", self.pick(&["0", "w", "0"])));
        }
        parts.join(" && ")
    }

    fn labels(&mut self) -> String {
        let mut labels = String::new();
        let has_select = self.features.selects && self.often(35);
        if has_select {
            labels += "select s : int[0,1]; ";
        }
        let sync = self.sync();
        let is_receiver = sync.ends_with('?');
        let is_broadcast = sync.starts_with('b') || sync.starts_with("ub");
        let may_be_timed = !(is_receiver && is_broadcast) || self.features.timed_receivers;
        let mut guard = Vec::new();
        if may_be_timed && self.often(65) {
            guard.push(self.timed(&["<=", "<", ">=", ">", "==", ">=", ">"]));
            if self.often(25) {
                guard.push(self.timed(&["<=", "<", ">=", ">"]));
            }
        }
        if self.often(20) {
            guard.push(
                self.pick(&["v == 0", "v < 2", "w == 1", "v != 1", "w == 0"])
                    .to_owned(),
            );
        }
        if self.features.locals && self.often(20) {
            guard.push(
                self.pick(&["a == 0", "a > 0", "c[0] == 1", "c[w] == 0", "a != v"])
                    .to_owned(),
            );
        }
        if has_select && self.often(50) {
            guard.push(self.pick(&["s == w", "s <= v", "s != w"]).to_owned());
        }
        if !guard.is_empty() {
            let _ = write!(labels, "guard {}; ", guard.join(" && "));
        }
        if !sync.is_empty() {
            let _ = write!(labels, "sync {sync}; ");
        }
        let mut updates = Vec::new();
        for _ in 0..self.below(3) {
            let update = self.update(has_select);
            updates.push(update);
        }
        if !updates.is_empty() {
            let _ = write!(labels, "assign {}; ", updates.join(", "));
        }
        labels
    }

    fn sync(&mut self) -> String {
        if self.often(45) {
            return String::new();
        }
        let mut channels = vec!["h", "g", "h"];
        if self.features.urgent {
            channels.extend(["u", "u", "ub"]);
        }
        if self.features.broadcast {
            channels.extend(["b", "b", "b"]);
        }
        if self.features.dynamic_channels {
            channels.extend(["d[w]", "d[0]", "d[1 - w]"]);
        }
        // Without marks all processes that have a channel synchronise, and no other kind is allowed beside it.
        if self.features.together {
            channels.retain(|c| matches!(*c, "h" | "g" | "u"));
            return self.pick(&channels).to_owned();
        }
        let channel = self.pick(&channels);
        let end = self.pick(&["!", "?"]);
        format!("{channel}{end}")
    }

    fn update(&mut self, has_select: bool) -> String {
        match self.below(10) {
            0..=1 => format!("{} = 0", self.clock()),
            2..=4 if !self.features.locals => format!("{} = 0", self.clock()),
            5 if self.features.variable_differences => {
                let number = self.pick(&["v", "w", "w + 1", "2 - v"]);
                format!("{} = {number}", self.clock())
            }
            5 => format!("{} = {}", self.clock(), 1 + self.below(2)),
            6 if self.features.copies => {
                let (to, from) = (self.clock(), self.clock());
                match self.below(3) {
                    0 if to != from && self.features.variable_differences && self.often(30) => {
                        format!("{to} = {from} + w")
                    }
                    0 if to != from => format!("{to} = {from} + 1"),
                    _ => format!("{to} = {from}"),
                }
            }
            7 if has_select => self.pick(&["w = s", "v = s", "v = s + 1"]).to_owned(),
            2..=4 | 9 if self.features.locals => self
                .pick(&[
                    "a = v",
                    "a = 0",
                    "a = 2",
                    "c[0] = w",
                    "c[1] = 1",
                    "c[w] = 0",
                    "c[0] = c[1], c[1] = w",
                    "v = a",
                    "w = c[0]",
                    "a = (a + 1) % 3",
                    "put(v)",
                    "put(a)",
                    "v = 1, a = v",
                ])
                .to_owned(),
            _ => self
                .pick(&[
                    "v = (v + 1) % 3",
                    "w = 1 - w",
                    "v = 0",
                    "w = v > 0 ? 1 : 0",
                    "v = w + 1",
                ])
                .to_owned(),
        }
    }

    fn questions(&mut self, sizes: &[u64]) -> Vec<String> {
        let place = |this: &mut Self| {
            let process = this.below(sizes.len() as u64);
            let location = this.below(sizes[process as usize]);
            format!("P{process}.L{location}")
        };
        let vector: Vec<String> = (0..)
            .zip(sizes)
            .map(|(p, &size)| format!("P{p}.L{}", self.below(size)))
            .collect();
        let (a, b, c) = (place(self), place(self), place(self));
        let (x, y) = (self.clock(), self.clock());
        let relation = self.pick(&["<", "<=", ">=", ">", "==", "!="]);
        let number = self.below(LARGEST + 2);
        let mut list = vec![
            vector.join(" && "),
            format!("{a} && {b} && v == {}", self.below(3)),
            format!("{b} && {x} {relation} {number}"),
            format!("({a} || {c}) && not ({y} > {number} || {b})"),
            "deadlock".to_owned(),
            format!("deadlock && {x} {relation} {number}"),
        ];
        if self.features.locals {
            list.push(format!("{a} && P0.a == {}", self.below(3)));
        }
        if self.features.diagonals && self.clocks > 1 {
            list.push(format!("{c} && x0 - x1 {relation} {number}"));
        }
        if self.features.variable_differences {
            list.push(format!("{a} && x0 - e[w] {relation} v"));
        }
        list
    }
}
