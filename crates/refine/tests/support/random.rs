//! Random small specifications, the same for the same seed.

use super::{Draw, draw};
use zonewalk_tioa::{Kind, Project};

/// A generator of numbers (xorshift64*).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..8 {
            dice.next();
        }
        dice
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// True in `percent` cases of a hundred.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len() as u64) as usize]
    }
}

/// Shape of random specifications.
#[derive(Clone, Copy)]
pub struct Shape<'a> {
    pub inputs: &'a [&'a str],
    pub outputs: &'a [&'a str],
    /// At most so many locations.
    pub locations: u64,
    /// At most so many clocks.
    pub clocks: u64,
    /// The largest constant.
    pub constant: u64,
    /// Whether there are urgent, universal and inconsistent locations, and invariants with alternatives.
    pub odd: bool,
}

/// The shape that most tests use.
pub const SMALL: Shape<'static> = Shape {
    inputs: &["i"],
    outputs: &["o", "p"],
    locations: 3,
    clocks: 2,
    constant: 3,
    odd: true,
};

fn constant(dice: &mut Dice, shape: &Shape<'_>) -> u64 {
    dice.below(shape.constant + 1)
}

/// A comparison of a clock, or nothing.
fn guard(dice: &mut Dice, shape: &Shape<'_>, clocks: &[&str]) -> String {
    if clocks.is_empty() || dice.chance(35) {
        return String::new();
    }
    let one = |dice: &mut Dice| {
        let sign = dice.pick(&["<", "<=", ">", ">=", "=="]);
        format!("{}{sign}{}", dice.pick(clocks), constant(dice, shape))
    };
    let first = one(dice);
    match dice.below(10) {
        0 => format!("{first} || {}", one(dice)),
        1..4 => format!("{first} && {}", one(dice)),
        _ => first,
    }
}

fn updates(dice: &mut Dice, shape: &Shape<'_>, clocks: &[&str]) -> String {
    let mut list = Vec::new();
    for clock in clocks {
        if dice.chance(45) {
            let value = if dice.chance(85) { 0 } else { constant(dice, shape) };
            list.push(format!("{clock}={value}"));
        }
    }
    list.join(", ")
}

/// Draws a random component. Two edges on one action have opposite guards, so that most components are deterministic.
pub fn random(project: &mut Project, name: &str, shape: &Shape<'_>, dice: &mut Dice) {
    let count = 1 + dice.below(shape.locations);
    let clocks = &["x", "y", "z"][..dice.below(shape.clocks + 1) as usize];
    let mut drawn = draw(project, name, &clocks.join(", "));
    let names: Vec<String> = (0..count).map(|k| format!("L{k}")).collect();
    for location in &names {
        drawn = place(drawn, location, shape, clocks, dice);
    }
    for source in &names {
        let signed = |list: &[&str], sign: char| {
            list.iter()
                .map(|name| format!("{name}{sign}"))
                .collect::<Vec<_>>()
        };
        for sync in signed(shape.inputs, '?')
            .iter()
            .chain(&signed(shape.outputs, '!'))
        {
            if dice.chance(35) {
                continue;
            }
            let way = |dice: &mut Dice| format!("{source} -> {}", names[dice.below(count) as usize]);
            if !clocks.is_empty() && dice.chance(25) {
                let clock = dice.pick(clocks);
                let bound = constant(dice, shape);
                let (low, high) = dice.pick(&[("<=", ">"), ("<", ">="), ("<", ">")].each_ref());
                for sign in [low, high] {
                    let (way, set) = (way(dice), updates(dice, shape, clocks));
                    drawn = drawn.edge(&way, sync, &format!("{clock}{sign}{bound}"), &set);
                }
            } else {
                let (way, guard, set) = (
                    way(dice),
                    guard(dice, shape, clocks),
                    updates(dice, shape, clocks),
                );
                drawn = drawn.edge(&way, sync, &guard, &set);
            }
        }
    }
    let inputs = shape.inputs.iter().map(|name| format!("{name}?"));
    let outputs = shape.outputs.iter().map(|name| format!("{name}!"));
    drawn.declare(&inputs.chain(outputs).collect::<Vec<_>>()).done();
}

fn place<'a>(drawn: Draw<'a>, name: &str, shape: &Shape<'_>, clocks: &[&str], dice: &mut Dice) -> Draw<'a> {
    let mut invariant = String::new();
    if !clocks.is_empty() && dice.chance(60) {
        let bound = constant(dice, shape);
        invariant = format!("{}{}{bound}", dice.pick(clocks), dice.pick(&["<", "<=", "<="]));
        if shape.odd && dice.chance(12) {
            let later = bound + dice.below(2);
            invariant = format!(
                "{invariant} || {}{}{later}",
                dice.pick(clocks),
                dice.pick(&[">", ">="])
            );
        }
    }
    let drawn = drawn.at(name, &invariant);
    match dice.below(if shape.odd { 30 } else { 1000 }) {
        1 => drawn.urgent(),
        2 => drawn.kind(Kind::Universal),
        3 => drawn.kind(Kind::Inconsistent),
        _ => drawn,
    }
}
