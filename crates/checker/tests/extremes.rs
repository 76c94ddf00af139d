//! `sup`, `inf` and `bounds` of small random models with clocks that stop: what is told from both sides, against all runs
//! with delays on a grid, by the reference interpreter.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;
use zonewalk_checker::{Options, Outcome, TraceKind, TraceOptions, check_text};
use zonewalk_model::tree::QueryKind;
use zonewalk_reference::State;
use zonewalk_reference::rational::Rational;
use zonewalk_report::trace::End;
use zonewalk_report::verdict::Value;
use zonewalk_testkit::xta;

/// A small generator of its own, so that the models are the same forever.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

const CLOCKS: [&str; 3] = ["x", "y", "z"];

/// One process with a few locations. In each of them some clock has an upper bound, so that values have bounds most of the
/// time, and some clocks stand still.
pub(crate) fn model(seed: u64) -> String {
    let mut numbers = Numbers(seed);
    // In a chain of locations, few resets keep clocks apart whose difference zones forget when one of them stands still.
    let is_chain = !seed.is_multiple_of(3);
    let locations = if is_chain { 4 } else { 2 + numbers.below(3) };
    let mut states = Vec::new();
    for number in 0..locations {
        let running = numbers.pick(&CLOCKS);
        let op = numbers.pick(&["<=", "<=", "<=", "<"]);
        let mut invariant = format!("{running} {op} {}", 1 + numbers.below(3));
        for clock in CLOCKS.iter().filter(|c| **c != running) {
            if numbers.below(2) == 0 {
                invariant += &format!(" && {clock}' == 0");
            }
        }
        states.push(format!("L{number} {{ {invariant} }}"));
    }
    let mut edges = Vec::new();
    let count = if is_chain {
        locations - 1
    } else {
        locations + 1 + numbers.below(3)
    };
    for number in 0..count {
        let (from, to) = match is_chain {
            true => (number, number + 1),
            false => (numbers.below(locations), numbers.below(locations)),
        };
        let guard = match numbers.below(3) {
            0 => String::new(),
            _ => {
                let op = numbers.pick(&["<=", ">=", "==", ">", "<"]);
                format!("guard {} {op} {};", numbers.pick(&CLOCKS), numbers.below(3))
            }
        };
        let update = match numbers.below(3) {
            _ if is_chain && numbers.below(3) > 0 => String::new(),
            0 => "assign n = n < 3 ? n + 1 : 3;".to_owned(),
            1 => format!("assign {} = 0, n = n > 0 ? n - 1 : 0;", numbers.pick(&CLOCKS)),
            _ => format!("assign {} = {};", numbers.pick(&CLOCKS), numbers.below(2)),
        };
        edges.push(format!("L{from} -> L{to} {{ {guard} {update} }}"));
    }
    format!(
        "clock x, y, z; int[0,3] n; process P() {{ state {}; init L0; trans {}; }} system P;",
        states.join(", "),
        edges.join(", ")
    )
}

/// A clock that stands still while another one goes on: zones forget how far they are apart.
pub(crate) fn interrupted(seed: u64) -> String {
    let (first, pause, last) = (1 + seed % 3, 1 + seed / 3 % 2, 1 + seed / 6 % 3);
    let op = if seed.is_multiple_of(2) { "<=" } else { "<" };
    format!(
        "clock x, y, z; int n; process P() {{
           state L0 {{ x {op} {first} }}, L1 {{ x' == 0 && y <= {pause} }}, L2 {{ x {op} {last} }}, L3;
           init L0; trans L0 -> L1 {{ assign y = 0; }}, L1 -> L2 {{ }}; }} system P;"
    )
}

/// No value beyond this is examined.
const CAP: i32 = 8;

/// The values of an expression at all instants of a grid, in states that runs on it lead to.
fn on_grid(text: &str, query: &str, parts: i128) -> Option<Vec<Rational>> {
    let loaded = xta(text);
    let asked = loaded.query(query).unwrap();
    let QueryKind::Extremum { predicate, exprs, .. } = &asked.kind else {
        panic!("{query} asks for no extremes");
    };
    let interpreter = loaded.interpreter().unwrap();
    let tick = Rational::new(1, parts).unwrap();
    let mut seen = HashSet::new();
    let mut waiting = vec![interpreter.initial().ok()?];
    let mut values = Vec::new();
    while let Some(mut state) = waiting.pop() {
        state.time = Rational::ZERO;
        let is_far = state.clocks.iter().any(|&clock| clock > Rational::from(CAP));
        let key = |state: &State| format!("{:?} {:?} {:?}", state.locations, state.memory, state.clocks);
        if is_far || !seen.insert(key(&state)) {
            continue;
        }
        if seen.len() > 4_000 {
            return None;
        }
        let counts = match predicate {
            Some(predicate) => interpreter.holds(&state, predicate).unwrap(),
            None => true,
        };
        if counts {
            values.push(interpreter.value(&state, &exprs[0]).unwrap());
        }
        waiting.extend(interpreter.delay(&state, tick));
        for transition in interpreter.enabled_now(&state).unwrap() {
            waiting.extend(interpreter.fire(&state, &transition.parts));
        }
    }
    Some(values)
}

/// `8`, `< 8`, `> 8` as a number, and whether it is attained; `None` without a bound.
fn end(told: &str) -> Option<(Rational, bool)> {
    let strict = told.strip_prefix("< ").or_else(|| told.strip_prefix("> "));
    let value = strict.unwrap_or(told).parse().ok()?;
    Some((value, strict.is_none()))
}

/// Value of a query as it is told, and the one at the end of the run that is shown.
fn told(text: &str, query: &str) -> (Value, Option<Rational>) {
    let options = Options {
        trace: TraceOptions {
            kind: TraceKind::Some,
            shrink_budget: 10_000,
        },
        ..Options::default()
    };
    let report = check_text("m.xta", text, query, &options).unwrap();
    let Outcome::Values {
        mut values,
        doubt,
        witness,
    } = report.outcome
    else {
        panic!("{query}: {:?} in\n{text}", report.outcome);
    };
    assert_eq!(doubt.is_some(), !values[0].certain, "{query}\n{text}");
    let shown = witness.map(|witness| match witness.trace.unwrap().end {
        End::Value { value, .. } => Rational::new(value.numerator(), value.denominator()).unwrap(),
        end => panic!("{end:?}"),
    });
    (values.remove(0), shown)
}

#[test]
fn the_truth_lies_between_the_two_sides() {
    let (mut certain, mut open) = (0, 0);
    let random = (0..120).map(|seed| {
        let place = [3, 1, 2, 3][seed as usize % 4];
        (seed, model(seed), ["x", "y", "z", "n"][seed as usize % 4], place)
    });
    let interrupted = (0..18).map(|seed| (2 * seed + 1, interrupted(seed), "z", 2));
    for (seed, text, expr, place) in random.chain(interrupted) {
        let place = format!("P.L{place}");
        for (kind, is_sup) in [("sup", true), ("inf", false)] {
            let query = match seed % 2 {
                0 => format!("{kind}: {expr}"),
                _ => format!("{kind}{{{place}}}: {expr}"),
            };
            let has = |location: &str| text.contains(location) || !query.contains(location);
            if has("L2") && has("L3") {
                let Some(values) = on_grid(&text, &query, 2) else {
                    continue;
                };
                let (told, shown) = told(&text, &query);
                let farthest = if is_sup {
                    values.iter().max()
                } else {
                    values.iter().min()
                };
                let context = format!("{query}: {told:?}, shown {shown:?}, on the grid {farthest:?}\n{text}");
                let is_beyond = |a: Rational, b: Rational| if is_sup { a > b } else { a < b };
                // Nothing on the grid lies beyond what is proved.
                if let (Some(&far), Some((bound, is_attained))) = (farthest, end(&told.value)) {
                    assert!(
                        !is_beyond(far, bound) && (is_attained || far != bound),
                        "{context}"
                    );
                }
                if told.value.starts_with("no state") {
                    assert_eq!(farthest, None, "{context}");
                }
                let reached = told.reached.as_deref().map(end);
                // Runs reach no more than is proved, and the one that is shown no more than what is said of them.
                if let (Some(Some((reached, _))), Some((bound, _))) = (reached, end(&told.value)) {
                    assert!(!is_beyond(reached, bound), "{context}");
                }
                if let (Some(Some((reached, is_attained))), Some(shown)) = (reached, shown) {
                    assert_eq!(is_attained, shown == reached, "{context}");
                    assert!(!is_beyond(shown, reached), "{context}");
                }
                match told.certain {
                    true => certain += 1,
                    false => open += 1,
                }
                // What brute force finds, runs should find, too.
                let falls_short = match (farthest, reached) {
                    _ if told.certain => false,
                    (Some(_), None) => true,
                    (Some(&far), Some(Some((reached, _)))) => is_beyond(far, reached),
                    _ => false,
                };

                assert!(!falls_short, "{context}");
            }
        }
    }
    assert!(certain > 100 && open >= 18, "{certain} certain, {open} open");
}

/// Whether a value is in a list of intervals such as `0, (2, 8), [9, no bound)`.
fn is_in(told: &str, value: Rational) -> bool {
    let inside = |interval: &str| {
        let Some((low, high)) = interval.split_once(", ") else {
            return interval.parse() == Ok(value);
        };
        let from: Rational = low[1..].parse().unwrap();
        let is_above = value > from || (value == from && low.starts_with('['));
        let until = high[..high.len() - 1].parse::<Rational>();
        let is_below = until.map_or(true, |until| {
            value < until || (value == until && high.ends_with(']'))
        });
        is_above && is_below
    };
    // Intervals have commas themselves.
    let joined = told.replace("], ", "]; ").replace("), ", "); ");
    joined.split("; ").any(|part| {
        let bracket = part.find(['[', '(']).unwrap_or(part.len());
        let points = part[..bracket].split(", ").filter(|point| !point.is_empty());
        points
            .chain(Some(&part[bracket..]).filter(|rest| !rest.is_empty()))
            .any(inside)
    })
}

#[test]
fn all_values_lie_within_the_bounds_and_runs_reach_theirs() {
    let random = (0..60).map(|seed| (model(seed), ["x", "y", "z", "n"][seed as usize % 4]));
    let interrupted = (0..6).map(|seed| (interrupted(seed), "z"));
    let (mut certain, mut open) = (0, 0);
    for (text, expr) in random.chain(interrupted) {
        let query = format!("bounds: {expr}");
        let Some(values) = on_grid(&text, &query, 2) else {
            continue;
        };
        let (told, shown) = told(&text, &query);
        let context = format!("{query}: {told:?}\n{text}");
        for value in values {
            assert!(is_in(&told.value, value), "{value} is outside; {context}");
            let reached = told.reached.as_deref().unwrap_or_default();
            assert!(
                told.certain || is_in(reached, value),
                "{value} is not reached; {context}"
            );
        }
        assert!(shown.is_none_or(|shown| is_in(&told.value, shown)), "{context}");
        match told.certain {
            true => certain += 1,
            false => open += 1,
        }
    }
    assert!(certain > 20 && open >= 6, "{certain} certain, {open} open");
    assert!(is_in("0, (2, 8), [9, no bound)", 0.into()) && !is_in("0, (2, 8), [9, no bound)", 8.into()));
}
