//! Alternatives that wait for nothing agree with a look at all of them.

#![allow(clippy::unwrap_used)]

use super::{WalkGoal, Watch};
use crate::heuristic::choose::{Chooser, Heuristic, Step};
use crate::heuristic::coverage::Coverage;
use crate::heuristic::schedule::Delays;
use crate::plan::WalkPlan;
use crate::walker::Walker;
use zonewalk_numbers::Random;
use zonewalk_testkit::xta;

const MODEL: &str =
    "const int N = 12; typedef int[0,N-1] id_t; int[-1,N-1] id = -1; int[0,3] level[id_t]; clock x[id_t];
    process P(const id_t i) {
        state A, R { x[i] <= 2 }, W, C; init A;
        trans A -> R { guard id == -1; assign x[i] = 0; },
              R -> W { assign id = i, x[i] = 0, level[i] = (level[i] + i) % 4; },
              W -> C { guard id == i && x[i] > 1; },
              W -> A { guard id != i; },
              C -> A { assign id = -1; }; }
    system P;";

const QUERIES: [&str; 7] = [
    "exists (i : id_t) exists (j : id_t) i != j && P(i).C && P(j).C",
    "not forall (i : id_t) forall (j : id_t) P(i).C && P(j).C imply i == j",
    "exists (i : id_t) P(i).C && level[i] >= 2 && x[i] > 3",
    "exists (i : id_t) exists (j : id_t) i < j && not P(i).A && not P(j).A && x[i] - x[j] > 1 && level[i] != level[j]",
    "(exists (i : id_t) P(i).W && id != i) && (exists (i : id_t) P(i).C && x[i] <= 4)",
    "exists (i : id_t) (P(i).C || level[i] == 3 && P(i).R) && x[i] >= 1",
    "exists (i : id_t) P(i).R && (level[i] < level[(i + 1) % N] || x[i] == 2)",
];

#[test]
fn alternatives_are_what_a_look_at_everything_finds() {
    let loaded = xta(MODEL);
    let (mut met, mut missed, mut with_alternatives) = (0, 0, 0);
    for query in QUERIES {
        let (network, predicates) = loaded.compiled(&[query]).unwrap();
        let plan = WalkPlan::new(&network);
        let goal = WalkGoal::new(&plan, &predicates[0].0, true);
        with_alternatives += goal.alternatives.iter().flatten().count();
        let mut plain = goal.clone();
        plain.alternatives.fill(None);
        let (mut quick, mut slow) = (Watch::new(&goal), Watch::new(&plain));
        let mut walker = Walker::new(&plan).unwrap().unwrap();
        let mut chooser = Chooser::new(Heuristic::Ret, Coverage::new(&plan));
        for number in 0..20 {
            walker.restart();
            chooser.begin(Random::for_walk(5, number), Delays::Adaptive.parameters(number));
            for step in 0..200 {
                let horizon = walker.horizon();
                let found = quick
                    .check(&plan, &mut walker.state, horizon, Some(false))
                    .unwrap();
                let known = slow
                    .check(&plan, &mut walker.state, horizon, Some(false))
                    .unwrap();
                assert_eq!(found, known, "{query} in walk {number} after {step} steps");
                match found {
                    Some(_) => met += 1,
                    None => missed += 1,
                }
                if !matches!(chooser.step(&mut walker, horizon), Ok(Step::Taken)) {
                    break;
                }
            }
        }
    }
    assert!(
        met > 100 && missed > 1_000 && with_alternatives >= 7,
        "{met} met, {missed} not, {with_alternatives} with alternatives"
    );
}
