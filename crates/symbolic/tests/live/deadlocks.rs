//! Deadlocks of random automata, and of their region graphs: by Extra-M, by lower and upper bounds that say everywhere what is
//! refused, by none that do, and on demand.
//!
//! `ZONEWALK_NETWORKS` says how many (300 unless told otherwise), `ZONEWALK_SEED` which is the first.

use super::regions::{Automaton, Dice, Node};
use crate::support::on_demand::{decide_by, decide_on_demand};
use crate::support::{Case, Verdict, confirm};
use zonewalk_network::refusals::Refusals;
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_testkit::number;

/// No automaton here has so many zones.
const STATES: usize = 20_000;

impl Automaton {
    /// Nothing is possible, now or later.
    fn is_dead(&self, node: &Node) -> bool {
        let futures = self.futures(node);
        futures.iter().all(|future| self.actions(future).is_empty())
    }
}

#[derive(Default)]
struct Seen {
    reached: usize,
    unreachable: usize,
    /// Suspects by plain lower and upper bounds that are none.
    false_suspects: usize,
    /// Questions for which the bounds were refined, and how often at most.
    refined: usize,
    rounds: usize,
}

#[test]
fn zones_find_the_deadlocks_of_regions() {
    let first: u64 = number("ZONEWALK_SEED").unwrap_or(1);
    let mut seen = Seen::default();
    for seed in first..first + number("ZONEWALK_NETWORKS").unwrap_or(300) {
        let mut dice = Dice(seed.wrapping_mul(7919) + 3);
        let automaton = if seed % 3 == 0 {
            dice.ring()
        } else {
            dice.automaton()
        };
        let Some(initial) = automaton.initial() else {
            continue;
        };
        let nodes = automaton.reachable(vec![initial], &|_| true);
        let (p, q) = (
            dice.formula(automaton.urgent.len()),
            dice.formula(automaton.urgent.len()),
        );
        let dead = |node: &Node| automaton.is_dead(node);
        let mut questions = vec![
            ("deadlock".to_owned(), nodes.iter().any(dead)),
            (
                format!("deadlock && {}", p.text()),
                nodes.iter().any(|n| dead(n) && p.holds(n)),
            ),
            (
                format!("not deadlock && {}", p.text()),
                nodes.iter().any(|n| !dead(n) && p.holds(n)),
            ),
            (
                format!("{} && (deadlock || {})", p.text(), q.text()),
                nodes.iter().any(|n| p.holds(n) && (dead(n) || q.holds(n))),
            ),
        ];
        // The set of locations with deadlocks.
        questions.extend((0..automaton.urgent.len()).map(|location| {
            let is_there = nodes.iter().any(|n| n.0 == location && dead(n));
            (format!("P.l{location} && deadlock"), is_there)
        }));
        compare(&automaton.text(), &questions, &mut seen).unwrap_or_else(|error| {
            panic!("seed {seed}: {error}\n{}", automaton.text());
        });
    }
    println!(
        "{} reached, {} unreachable, {} false suspects, {} refined, at most {} rounds",
        seen.reached, seen.unreachable, seen.false_suspects, seen.refined, seen.rounds
    );
    assert!(seen.reached > 200 && seen.unreachable > 200, "both answers occur");
    assert!(seen.false_suspects > 0 && seen.refined > 0, "bounds are refined");
}

fn compare(text: &str, questions: &[(String, bool)], seen: &mut Seen) -> Result<(), String> {
    let texts: Vec<&str> = questions.iter().map(|(text, _)| text.as_str()).collect();
    let case = Case::new(text, &texts)?;
    let plan = ZonePlan::new(&case.network).map_err(|stop| format!("{stop:?}"))?;
    for (question, &(_, expected)) in case.questions.iter().zip(questions) {
        *(if expected {
            &mut seen.reached
        } else {
            &mut seen.unreachable
        }) += 1;
        let predicates = [&question.predicate];
        let nowhere = Refusals::nowhere(&case.network);
        let plain = case.network.bounds_with(&predicates, &[], &nowhere);
        let exact = case.network.bounds_for(&predicates);
        for (abstraction, bounds, is_exact) in [
            (Abstraction::M, &plain, true),
            (Abstraction::Lu, &exact, true),
            (Abstraction::LuPlus, &exact, true),
            (Abstraction::LuPlus, &plain, false),
        ] {
            let reached = match decide_by(&case, &plan, question, abstraction, bounds, STATES) {
                Verdict::Reached(_) => true,
                Verdict::Unreachable => false,
                other => return Err(format!("{}: {other:?}", question.text)),
            };
            let is_suspect = reached && !expected && !is_exact;
            seen.false_suspects += usize::from(is_suspect);
            if reached != expected && !is_suspect {
                return Err(format!(
                    "{}: {reached} by {abstraction:?}, exactly: {is_exact}",
                    question.text
                ));
            }
        }
        let (verdict, rounds) = decide_on_demand(&case, &plan, question, true, STATES);
        seen.refined += usize::from(rounds > 1);
        seen.rounds = seen.rounds.max(rounds);
        match (verdict, expected) {
            (Verdict::Reached(path), true) => confirm(&case, &plan, question, true, &path)
                .map_err(|error| format!("{}: {error}", question.text))?,
            (Verdict::Unreachable, false) => {}
            (other, _) => return Err(format!("{}: {other:?} on demand", question.text)),
        }
    }
    Ok(())
}
