//! Several orders in turn.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use crate::networks::networks;
use crate::support::{Case, Found, Space, all};
use zonewalk_heuristics::{
    Directed, Estimate, Estimator as _, GoalCount, GoalFormula, Heuristic, LocalDistance, Order, Relaxed,
    Useless,
};
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::store::Covering;

/// At most so many states are stored; a search that needs more says nothing.
const STATES: usize = 600;

/// Three alternating orders over one store find and prove the same as breadth-first search.
#[test]
fn alternation_agrees_with_breadth_first() {
    let (mut found, mut nothing) = (0, 0);
    for (seed, generated) in networks() {
        let questions: Vec<&str> = generated.questions.iter().map(String::as_str).collect();
        let case = Case::new(&generated.text, &questions);
        let plan = ZonePlan::new(&case.network).unwrap();
        for (number, question) in questions.iter().enumerate() {
            let (predicate, holds) = (&case.predicates[number], number % 3 != 2);
            let goal = GoalFormula::new(&case.network, predicate, holds);
            let covering = [Covering::Inclusion, Covering::Equality][number % 2];
            let mut space = Space::new(&case, &plan, predicate, holds, Abstraction::LuPlus, true);
            let (exact, _) = space.breadth(covering, STATES);
            if exact == Found::Unknown {
                continue;
            }
            found += u32::from(exact != Found::Nothing);
            nothing += u32::from(exact == Found::Nothing);
            for mut heuristic in all(&case.network, &goal) {
                let name = heuristic.name();
                let informed = Directed::new(&mut *heuristic as &mut dyn Heuristic, Order::Greedy)
                    .with_queues(Useless::default());
                let (other, _) = space.alternating(informed, &goal, covering, 2 * STATES);
                assert_eq!(
                    other == Found::Nothing,
                    exact == Found::Nothing,
                    "seed {seed}, {question} is {holds}, {name} {covering:?}: {other:?}, breadth first {exact:?}\n{}",
                    generated.text
                );
            }
        }
    }
    assert!(found > 100 && nothing > 50, "{found} {nothing}");
}

/// Each condition on data counts, and each location as in `dU`.
#[test]
fn what_is_left_of_a_goal() {
    let text = "int a[3]; process P() { state s, t, g; init s; trans s -> t { assign a[1] = 1; }, t -> g { }; } system P;";
    let case = Case::new(
        text,
        &["P.g && a[0] == 0 && a[1] == 1 && (a[2] == 1 || a[2] == 2)"],
    );
    let goal = case.goal();
    assert_eq!(
        case.first(&mut LocalDistance::upper(&case.network, &goal)),
        Some(2)
    );
    assert_eq!(case.first(&mut GoalCount::new(&case.network, &goal)), Some(4));
    let mut count = GoalCount::new(&case.network, &goal);
    case.each_successor(&case.initial(), &mut |_, state| {
        assert_eq!(count.estimate(state), Estimate::finite(2));
    });
    assert!(!count.is_admissible());
}

/// An estimate that leads astray: `hU` sees a short way that the clocks, which are always equal, do not allow, and tries all inputs in each of thirty rounds.
#[test]
fn the_other_orders_go_on_where_the_informed_one_is_led_astray() {
    let names: Vec<String> = (0..10).map(|i| format!("b[{i}]")).collect();
    let text = format!(
        "bool b[10]; int[0,40] n; clock x, y; process P() {{ state s, g; init s; trans
            s -> s {{ guard !({}); assign n = n < 40 ? n + 1 : n; }}, s -> g {{ guard n == 30; }}, s -> g {{ guard {} && x > 5 && y < 5; }}; }}
        process I(const int[0,9] id) {{ state s; init s; trans s -> s {{ assign b[id] = !b[id]; }}; }} system P, I;",
        names.join(" || "),
        names.join(" && ")
    );
    let case = Case::new(&text, &["P.g"]);
    let plan = ZonePlan::new(&case.network).unwrap();
    let goal = case.goal();
    let mut space = Space::new(&case, &plan, &case.predicates[0], true, Abstraction::LuPlus, true);
    let mut heuristics = [(); 2].map(|()| Relaxed::upper(&case.network, &goal));
    let [alone, together] = &mut heuristics;
    let informed = Directed::new(alone as &mut dyn Heuristic, Order::Greedy);
    let (found, by_itself) = space.led_by(informed, Covering::Inclusion, 1_000_000);
    assert!(matches!(found, Found::After(_)));
    let informed = Directed::new(together as &mut dyn Heuristic, Order::Greedy);
    let (found, in_turn) = space.alternating(informed, &goal, Covering::Inclusion, 1_000_000);
    assert!(matches!(found, Found::After(_)));
    let [few, many] = [in_turn, by_itself].map(|statistics| statistics.states_explored);
    assert!(4 * few < many, "{few} {many}");
}
