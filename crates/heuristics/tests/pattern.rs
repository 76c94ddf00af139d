//! Pattern databases: estimates against exact distances, on random networks with random patterns and by name.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use crate::networks;
use crate::support;

use networks::networks;
use support::{Case, Found, Space, check_estimate};
use zonewalk_heuristics::{Basis, Database, Heuristic, Order, PatternDatabases, Unavailable, refine};
use zonewalk_network::ids::ClockId;
use zonewalk_product::Pattern;
use zonewalk_search::Limits;
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::store::Covering;

const STATES: usize = 600;

fn limits() -> Limits<'static> {
    Limits {
        stored: Some(20_000),
        ..Limits::default()
    }
}

/// Numbers that look random: the same on every machine.
fn draw(seed: &mut u64) -> u64 {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    *seed >> 33
}

fn random_pattern(case: &Case, seed: &mut u64) -> Pattern {
    let network = &case.network;
    let mut pattern = Pattern::whole(network);
    let share = 1 + draw(seed) % 4;
    for cell in 0..network.layout.state {
        pattern.set(network, cell, draw(seed) % 5 >= share);
    }
    for clock in 0..network.clocks.len() as u32 {
        pattern.set_clock(ClockId(clock), draw(seed) % 5 >= share);
    }
    pattern
}

#[test]
fn random_patterns_give_lower_bounds_and_infinity_is_a_proof() {
    let (mut states, mut infinite, mut sum, mut exact_sum) = (0u32, 0u32, 0u64, 0u64);
    for (seed, generated) in networks() {
        let questions: Vec<&str> = generated.questions.iter().map(String::as_str).collect();
        let case = Case::new(&generated.text, &questions);
        let plan = ZonePlan::new(&case.network).unwrap();
        // With stopped clocks both graphs know from above alone what can be reached, each in its own way.
        if plan.is_approximate() {
            continue;
        }
        let mut random = seed;
        for (number, question) in questions.iter().enumerate() {
            let holds = number % 3 != 2;
            let predicate = &case.predicates[number];
            let basis = Basis::new(&plan, predicate, holds);
            let mut space = Space::new(&case, &plan, predicate, holds, Abstraction::LuPlus, false);
            let Some(exact) = space.distances(STATES) else {
                continue;
            };
            let mut databases = Vec::new();
            for _ in 0..3 {
                let pattern = random_pattern(&case, &mut random);
                match Database::new(&basis, &pattern, &limits()) {
                    Ok(database) => databases.push(database),
                    Err(Unavailable::Limit(..)) => {}
                    Err(Unavailable::Stop(stop)) => panic!("{stop:?}"),
                }
            }
            let patterns: Vec<_> = databases.iter().map(|d| d.pattern.clone()).collect();
            let mut heuristic = PatternDatabases::new(&case.network, databases);
            for (state, exact) in &exact {
                let estimate = heuristic.estimate(state);
                let told = || {
                    format!(
                        "seed {seed}, {question} is {holds}, {patterns:?}\n{}",
                        generated.text
                    )
                };
                if let Err(e) = check_estimate(&heuristic, estimate, *exact) {
                    panic!("{e} from {:?}\n{}", state.discrete, told());
                }
                assert_eq!(heuristic.unknown(), 0, "{:?}\n{}", state, told());
                states += 1;
                infinite += u32::from(estimate.is_infinite());
                sum += u64::from(estimate.number().unwrap_or(0));
                exact_sum += u64::from(exact.unwrap_or(0));
            }
            for covering in [Covering::Inclusion, Covering::Equality] {
                let (breadth, _) = space.breadth(covering, STATES);
                let (star, _) = space.directed(&mut heuristic, Order::AStar, covering, STATES);
                if breadth != Found::Unknown && star != Found::Unknown {
                    assert_eq!(
                        breadth, star,
                        "seed {seed}, {question}, {patterns:?}\n{}",
                        generated.text
                    );
                }
            }
        }
    }
    println!("{states} states, {infinite} infinite, sum {sum} of {exact_sum}");
    assert!(states > 10_000 && infinite > 100 && 20 * sum > exact_sum);
}

#[test]
fn the_whole_pattern_is_exact_without_zones_that_overlap() {
    let text = "
process P() {
    int[0, 3] n;
    state A, B;
    init A;
    trans A -> A { guard n < 3; assign n = n + 1; }, A -> B { guard n == 3; };
}
system P;
";
    let case = Case::new(text, &["P.B"]);
    let plan = ZonePlan::new(&case.network).unwrap();
    let basis = Basis::new(&plan, &case.predicates[0], true);
    let database: Database = Database::new(&basis, &Pattern::whole(&case.network), &limits()).unwrap();
    assert_eq!(database.initial.number(), Some(4));
    assert_eq!(database.states, 5);
}

/// A database of a model for `E<> question`, with some cells and clocks removed by their numbers, checked against exact
/// distances of all states; returns the estimate of the initial state and its distance.
fn checked(text: &str, question: &str, cells: &[u32], clocks: &[u32]) -> (Option<u32>, Option<u32>) {
    let case = Case::new(text, &[question]);
    let plan = ZonePlan::new(&case.network).unwrap();
    let predicate = &case.predicates[0];
    let mut pattern = Pattern::whole(&case.network);
    cells
        .iter()
        .for_each(|&cell| pattern.set(&case.network, cell, false));
    clocks
        .iter()
        .for_each(|&clock| pattern.set_clock(ClockId(clock), false));
    let basis = Basis::new(&plan, predicate, true);
    let database: Database = Database::new(&basis, &pattern, &limits()).unwrap();
    let mut heuristic = PatternDatabases::new(&case.network, vec![database]);
    let mut space = Space::new(&case, &plan, predicate, true, Abstraction::LuPlus, false);
    let states = space.distances(20_000).unwrap();
    let mut first = None;
    for (state, exact) in &states {
        let estimate = heuristic.estimate(state);
        check_estimate(&heuristic, estimate, *exact)
            .unwrap_or_else(|e| panic!("{e} from {:?}", state.discrete));
        first.get_or_insert((estimate.number(), *exact));
    }
    assert_eq!(heuristic.unknown(), 0);
    first.unwrap()
}

#[test]
fn a_receiver_sees_what_a_removed_sender_passes_on() {
    // The value is passed in a removed variable within one step.
    let text = "
int[0, 5] v; chan c;
process S() { state A, B; init A; trans A -> B { sync c!; assign v = 5; }; }
process R() { int[0, 5] x; state A, B; init A; trans A -> B { sync c?; assign x = v; }; }
system S, R;
";
    assert_eq!(checked(text, "R.x == 5", &[0, 2], &[]), (Some(1), Some(1)));
}

#[test]
fn a_removed_receiver_of_a_broadcast_is_optional() {
    // R leaves A only if it does not receive; whether it does depends on the removed variable.
    let text = "
int[0, 1] v; broadcast chan c;
process S() { state A, B; init A; trans A -> A { guard v == 0; assign v = 1; }, A -> B { sync c!; }; }
process R() { state A, B; init A; trans A -> B { guard v == 0; sync c?; }; }
system S, R;
";
    assert_eq!(checked(text, "S.B and R.A", &[2], &[]), (Some(1), Some(2)));
    assert_eq!(checked(text, "S.B and R.A", &[1], &[]), (Some(1), Some(2)));
    assert_eq!(checked(text, "S.B and R.A", &[], &[]), (Some(2), Some(2)));
}

#[test]
fn a_removed_process_may_leave_a_committed_location() {
    // P is committed in B; only Q, whose location is removed and was committed, may act before it.
    let text = "
int[0, 1] v; chan c;
process P() { state A, B, C; commit B; init A; trans A -> B { sync c!; }, B -> C { guard v == 1; }; }
process Q() { state A, B, C; commit B; init A; trans A -> B { sync c?; }, B -> C { assign v = 1; }; }
system P, Q;
";
    assert_eq!(checked(text, "P.C", &[1], &[]), (Some(3), Some(3)));
}

#[test]
fn what_is_not_committed_may_not_act_before_what_is() {
    let text = "
int[0, 1] v;
process P() { state B, C; commit B; init B; trans B -> C { guard v == 1; }; }
process Q() { state A, B; init A; trans A -> B { assign v = 1; }; }
system P, Q;
";
    assert_eq!(checked(text, "P.C", &[1], &[]), (None, None));
}

#[test]
fn priorities_block_nothing_in_a_projection() {
    // The edge with priority needs the removed variable, and then it is not possible.
    let text = "
int[0, 1] v = 1; chan h, l; chan priority l < h;
process P() { state A, B, C; init A; trans A -> B { guard v == 0; sync h!; }, A -> C { sync l!; }; }
process Q() { state A; init A; trans A -> A { sync h?; }, A -> A { sync l?; }; }
system P, Q;
";
    assert_eq!(checked(text, "P.C", &[2], &[]), (Some(1), Some(1)));
}

#[test]
fn a_clock_that_is_assigned_from_what_is_removed_is_not_kept() {
    // x is 3 only because y was: without y it may be anything.
    let text = "
clock x, y;
process P() { state A { y <= 3 }, B, C; init A; trans A -> B { guard y >= 3; assign x = y; }, B -> C { guard x == 3; }; }
system P;
";
    assert_eq!(checked(text, "P.C", &[], &[1]), (Some(2), Some(2)));
    let text = "
int[0, 3] v = 3; clock x;
process P() { state A, B { x <= 3 }, C; init A; trans A -> B { assign x = v; }, B -> C { guard x == 3; }; }
system P;
";
    assert_eq!(checked(text, "P.C", &[1], &[]), (Some(2), Some(2)));
}

#[test]
fn an_urgent_channel_stops_time_only_where_that_is_certain() {
    let text = "
int[0, 1] v; urgent chan u; clock x;
process P() { state A, B, C; init A; trans A -> B { guard v == 1; sync u!; }, A -> C { guard x >= 2; }; }
process Q() { state A; init A; trans A -> A { sync u?; }, A -> A { assign v = 1; }; }
system P, Q;
";
    assert_eq!(checked(text, "P.C", &[2], &[]), (Some(1), Some(1)));
    assert_eq!(checked(text, "P.C", &[1], &[]), (Some(1), Some(1)));
}

#[test]
fn forgotten_variables_of_a_pattern_are_kept_by_the_search() {
    // v is dead in B for the network, and set back there; the projection without Q still tells its values apart.
    let text = "
int[0, 2] v;
process P() { state A, B, C; init A; trans A -> B { assign v = 2; }, B -> C { }; }
process Q() { state A, B; init A; trans A -> B { guard v == 2; }; }
system P, Q;
";
    let case = Case::new(text, &["P.C"]);
    let plan = ZonePlan::new(&case.network).unwrap();
    let basis = Basis::new(&plan, &case.predicates[0], true);
    let mut pattern = Pattern::whole(&case.network);
    pattern.set(&case.network, 1, false);
    let database: Database = Database::new(&basis, &pattern, &limits()).unwrap();
    let mut heuristic = PatternDatabases::new(&case.network, vec![database]);
    assert!(heuristic.cells().contains(&2));
    let mut space = Space::new(
        &case,
        &plan,
        &case.predicates[0],
        true,
        Abstraction::LuPlus,
        false,
    );
    let (found, _) = space.directed(&mut heuristic, Order::AStar, Covering::Inclusion, 100);
    assert_eq!((found, heuristic.unknown()), (Found::After(2), 0));
}

#[test]
fn patterns_that_no_transition_joins_are_added() {
    let text = "
chan c;
process P() { state A, B, C; init A; trans A -> B { }, B -> C { }; }
process Q() { state A, B, C; init A; trans A -> B { }, B -> C { }; }
process R() { state A, B; init A; trans A -> B { sync c!; }; }
process S() { state A, B; init A; trans A -> B { sync c?; }; }
system P, Q, R, S;
";
    let first = |question: &str, kept: &[&[u32]]| {
        let case = Case::new(text, &[question]);
        let plan = ZonePlan::new(&case.network).unwrap();
        let basis = Basis::new(&plan, &case.predicates[0], true);
        let databases = kept.iter().map(|cells| {
            let mut pattern = Pattern::empty(&case.network);
            cells
                .iter()
                .for_each(|&cell| pattern.set(&case.network, cell, true));
            Database::new(&basis, &pattern, &limits()).unwrap()
        });
        let mut heuristic = PatternDatabases::new(&case.network, databases.collect());
        case.first(&mut heuristic)
    };
    assert_eq!(first("P.C and Q.C", &[&[0], &[1]]), Some(4), "P and Q move alone");
    assert_eq!(
        first("R.B and S.B", &[&[2], &[3]]),
        Some(1),
        "R and S move together"
    );
    assert_eq!(
        first("P.C and Q.C and R.B and S.B", &[&[0], &[1], &[2], &[3]]),
        Some(5)
    );
}

#[test]
fn a_goal_that_cannot_be_reached_in_a_projection_is_a_proof() {
    let text = "
int[0, 3] v; clock x;
process P() { state A { x <= 2 }, B; init A; trans A -> A { assign x = 0; }, A -> B { guard x > 2; }; }
process Q() { state A; init A; trans A -> A { guard v < 3; assign v = v + 1; }; }
system P, Q;
";
    let (estimate, exact) = checked(text, "P.B", &[1, 2], &[]);
    assert_eq!((estimate, exact), (None, None));
}

/// The names of what downward refinement keeps, processes before variables before clocks, by their numbers.
fn refined(text: &str, question: &str) -> (Vec<u32>, Vec<u32>) {
    let case = Case::new(text, &[question]);
    let plan = ZonePlan::new(&case.network).unwrap();
    let basis = Basis::new(&plan, &case.predicates[0], true);
    let pattern = refine(&basis, 100_000, &Limits::default()).unwrap();
    let clocks = 0..case.network.clocks.len() as u32;
    let clocks = clocks.filter(|&clock| pattern.keeps_clock(ClockId(clock)));
    (pattern.cells().collect(), clocks.collect())
}

#[test]
fn downward_refinement_removes_what_traces_are_as_long_without() {
    // Cells: P, Q, n, m. The goal needs n; m is easy to have, and Q is not needed for it.
    let text = "
int[0, 3] n; int[0, 1] m = 1;
process P() { state A, B; init A; trans A -> A { guard n < 3; assign n = n + 1; }, A -> B { guard n == 3 && m == 1; }; }
process Q() { state A; init A; trans A -> A { assign m = 1 - m; }; }
system P, Q;
";
    assert_eq!(refined(text, "P.B"), (vec![0, 2], vec![]));
}

#[test]
fn downward_refinement_decides_about_clocks_one_by_one() {
    // The short way waits for x > 3, which the invariant on y forbids; z forbids nothing.
    let text = "
clock x, y, z;
process P() {
    state A { y <= 2 }, B, C { z <= 9 }, D;
    init A;
    trans A -> D { guard x > 3; }, A -> B { }, B -> C { guard z < 7; }, C -> D { guard z < 8; };
}
system P;
";
    assert_eq!(refined(text, "P.D"), (vec![0], vec![0, 1]));
}

#[test]
fn downward_refinement_gives_lower_bounds() {
    let mut smaller = 0;
    for (_, generated) in networks() {
        let questions: Vec<&str> = generated.questions.iter().map(String::as_str).collect();
        let case = Case::new(&generated.text, &questions);
        let plan = ZonePlan::new(&case.network).unwrap();
        if plan.is_approximate() {
            continue;
        }
        for predicate in &case.predicates {
            let basis = Basis::new(&plan, predicate, true);
            let pattern = refine(&basis, 20_000, &Limits::default()).unwrap();
            smaller += u32::from(pattern.cells().count() < basis.cone().cells().count());
            let Ok(database) = Database::new(&basis, &pattern, &limits()) else {
                continue;
            };
            let mut heuristic = PatternDatabases::new(&case.network, vec![database]);
            let mut space = Space::new(&case, &plan, predicate, true, Abstraction::LuPlus, false);
            let Some(states) = space.distances(STATES) else {
                continue;
            };
            for (state, exact) in &states {
                let estimate = heuristic.estimate(state);
                check_estimate(&heuristic, estimate, *exact)
                    .unwrap_or_else(|e| panic!("{e} from {:?}\n{}", state.discrete, generated.text));
            }
        }
    }
    assert!(smaller > 100, "{smaller}");
}
