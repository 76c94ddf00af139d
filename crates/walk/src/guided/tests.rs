//! The distance kept up to date from step to step is that of a look at everything.

#![allow(clippy::unwrap_used)]

use super::archive::{Archive, Niche, Quality};
use super::distance::{Distance, Distances, FARTHEST};
use super::robustness::{Robustness, WHOLE};
use crate::goal::WalkGoal;
use crate::heuristic::choose::{Chooser, Heuristic, Step};
use crate::heuristic::coverage::Coverage;
use crate::heuristic::schedule::Delays;
use crate::plan::WalkPlan;
use crate::walker::Walker;
use zonewalk_model::tree::QueryKind;
use zonewalk_network::NetworkBuilder;
use zonewalk_numbers::Random;
use zonewalk_testkit::xta;

fn with_goal(text: &str, query: &str, look: impl FnOnce(&WalkPlan<'_>, &WalkGoal)) {
    let loaded = xta(text);
    let query = loaded.query(query).unwrap();
    let (expr, wanted) = match query.kind {
        QueryKind::Reachable(expr) => (expr, true),
        QueryKind::Invariant(expr) => (expr, false),
        _ => panic!("not about states"),
    };
    let mut builder = NetworkBuilder::new(&loaded.model, &loaded.system).unwrap();
    let predicate = builder.predicate(query.slots, &expr).unwrap();
    let network = builder.finish();
    let plan = WalkPlan::new(&network);
    look(&plan, &WalkGoal::new(&plan, &predicate, wanted));
}

/// Sees every state of a few walks.
fn walk_around(plan: &WalkPlan<'_>, mut see: impl FnMut(&mut Walker<'_>, bool)) {
    let mut walker = Walker::new(plan).unwrap().unwrap();
    let mut chooser = Chooser::new(Heuristic::Ret, Coverage::new(plan));
    for number in 0..8 {
        walker.restart();
        chooser.begin(Random::for_walk(1, number), Delays::Adaptive.parameters(number));
        see(&mut walker, true);
        for _ in 0..60 {
            let horizon = walker.horizon();
            if !matches!(chooser.step(&mut walker, horizon), Ok(Step::Taken)) {
                break;
            }
            see(&mut walker, false);
        }
    }
}

const RING: &str = "int n; int a[3]; int total; clock x;
    process P(const int[0,2] id) { state A, B, C; init A;
        trans A -> B { guard n < 9; assign a[id] = a[id] + 1, n = n + 1; }, B -> C { guard a[(id + 1) % 3] > 0; assign n = 0; },
              C -> A { assign total = a[0] + a[1] + a[2]; }, B -> A { }; }
    system P;";

#[test]
fn distances_follow_the_walk() {
    for query in [
        "E<> P(0).C && P(1).B && P(2).A",
        "E<> n == 7 || total >= 40",
        "E<> (a[0] == 9 || P(1).C) && (a[n % 3] > 5 && !P(2).A)",
        "A[] !(forall (i : int[0,2]) P(i).C) || total < 10",
    ] {
        with_goal(RING, query, |plan, goal| {
            let distance = Distance::new(plan, goal.form()).unwrap();
            let (mut kept, mut anew) = (Distances::default(), Distances::default());
            let mut niche = Niche::default();
            let mut several = std::collections::BTreeSet::new();
            walk_around(plan, |walker, is_first| {
                let memory = &mut walker.state.memory;
                let away = distance.begin(plan, memory, &mut anew);
                if is_first {
                    distance.begin(plan, memory, &mut kept);
                    niche = Niche::of(&walker.state, plan);
                } else {
                    let parts = walker.record.step(walker.record.steps.len() - 1).0;
                    assert_eq!(distance.follow(plan, parts, memory, &mut kept), away, "{query}");
                    niche.follow(plan, parts);
                    assert_eq!(niche, Niche::of(&walker.state, plan));
                }
                several.insert(away);
            });
            assert!(
                several.len() > 2 && several.iter().all(|&away| away < FARTHEST),
                "{several:?}"
            );
        });
    }
}

#[test]
fn locations_and_comparisons_are_measured() {
    let initially = |query: &str| {
        let mut found = None;
        with_goal(RING, query, |plan, goal| {
            let mut walker = Walker::new(plan).unwrap().unwrap();
            let memory = &mut walker.state.memory;
            found = Distance::new(plan, goal.form())
                .map(|distance| distance.begin(plan, memory, &mut Distances::default()));
        });
        found
    };
    assert_eq!(initially("E<> P(0).C"), Some(2));
    assert_eq!(initially("E<> P(0).C && P(1).B && n == 5"), Some(8));
    assert_eq!(initially("E<> P(0).C || n >= 1"), Some(1));
    assert_eq!(initially("E<> !P(0).A && n != 0"), Some(2));
    assert_eq!(initially("A[] P(0).A && n < 3"), Some(1));
    assert_eq!(initially("E<> P(0).C && x > 5 && deadlock"), Some(2));
    // An alternative about clocks is left out, and not always the least.
    assert_eq!(initially("E<> P(0).C || x > 5"), Some(2));
    assert_eq!(initially("E<> P(0).C && (x > 5 || deadlock)"), Some(2));
    // What is only about clocks and deadlocks has no distance.
    assert_eq!(initially("E<> x > 5"), None);
    assert_eq!(initially("E<> deadlock"), None);
}

/// A deadline of its own for each process; one is missed by way of a partner, and one bound does not matter.
const TASKS: &str = "clock x, y, z; bool late; chan miss;
    process P() { state A { x <= 8 }, B; init A; trans A -> A { guard x >= 4; assign x = 0; }, A -> B { guard x > 10; assign late = true; }; }
    process Q() { state A { y <= 6 }, B; init A; trans A -> A { guard y >= 2; assign y = 0; }, A -> B { guard y >= 9; sync miss!; }; }
    process R() { state A { z <= 3 }, B; init A; trans A -> A { guard z == 3; assign z = 0; }, A -> B { sync miss?; assign late = true; }; }
    system P, Q, R;";

#[test]
fn clocks_are_measured_where_an_edge_makes_the_goal_true() {
    with_goal(TASKS, "E<> late", |plan, goal| {
        let robustness = Robustness::new(plan, goal.form()).unwrap();
        let bounds: Vec<(u32, i64)> = robustness
            .points
            .iter()
            .map(|point| (point.clock.0, point.ticks / plan.unit))
            .collect();
        assert_eq!(bounds, [(0, 10), (1, 9)]);
        let (mut now, mut last) = (0, 0);
        walk_around(plan, |walker, _| {
            now = robustness.largest(walker).share.max(now);
            last = robustness.at_last(walker).share.max(last);
        });
        // A clock is at its largest in the instant in which it is reset.
        assert_eq!(last, (0.8 * WHOLE as f64) as u64);
        assert!(now > 0 && now <= last);
    });
    with_goal(TASKS, "E<> P.A && R.A && !late", |plan, goal| {
        assert!(Robustness::new(plan, goal.form()).is_none());
    });
}

/// A bound that is satisfied does not hide one that is not.
#[test]
fn satisfied_bounds_do_not_count() {
    let text = "clock x, y; bool late; int n;
        process P() { state A; init A; trans A -> A { guard x > 900 && n > 3; assign late = true; },
            A -> A { guard x >= 1 && n > 5; assign late = true; }, A -> A { guard y >= 2; assign y = 0; }; } system P;";
    with_goal(text, "E<> late", |plan, goal| {
        let robustness = Robustness::new(plan, goal.form()).unwrap();
        let late = 900 * plan.unit;
        let mut walked = 0;
        walk_around(plan, |walker, _| {
            let value = walker.state.clocks.value(robustness.points[0].clock);
            let largest = robustness.largest(walker);
            assert!(largest.value <= late, "{largest:?}");
            if (plan.unit + 1..=late).contains(&value) {
                assert_eq!((largest.point, largest.value), (0, value));
                walked += 1;
            }
        });
        assert!(walked > 0);
    });
}

#[test]
fn an_archive_keeps_the_best_of_each_niche() {
    with_goal(RING, "E<> P(0).C", |plan, _| {
        let mut walker = Walker::new(plan).unwrap().unwrap();
        let mut random = Random::for_walk(1, 1);
        let mut archive = Archive::new(plan);
        assert!(archive.is_empty());
        let quality = |closeness| Quality { closeness, share: 0 };
        let niche = Niche::of(&walker.state, plan);
        let mut offer =
            |walker: &Walker<'_>, closeness| archive.offer(walker, niche, quality(closeness), &mut random);
        // The first has a place for nothing; others must be better.
        assert!(!offer(&walker, 5));
        assert!(!offer(&walker, 5));
        assert!(!offer(&walker, 4));
        let mut chooser = Chooser::new(Heuristic::Ret, Coverage::new(plan));
        chooser.begin(Random::for_walk(1, 0), Delays::Adaptive.parameters(0));
        let horizon = walker.horizon();
        assert!(matches!(chooser.step(&mut walker, horizon), Ok(Step::Taken)));
        assert!(offer(&walker, 6));
        let (memory, record) = (walker.state.memory.clone(), walker.record.clone());
        walker.restart();
        archive.end_walk(&record);
        assert_eq!(archive.copies, 1, "for two states of one walk");
        archive.resume(&mut walker, &mut random);
        assert_eq!((walker.record.steps.len(), &walker.state.memory), (1, &memory));
    });
}
