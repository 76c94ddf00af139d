//! The cost of work in the zone graph.

use crate::support::Case;
use std::ops::ControlFlow;
use zonewalk_symbolic::abstraction::Abstraction;
use zonewalk_symbolic::graph::ZoneGraph;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_symbolic::scratch::Scratch;

/// Cost of the successors of the initial state.
fn of_first_successors(guard: &str, update: &str) -> u64 {
    let text = format!(
        "int[0, 9] cells[100]; int n;
         int total() {{ int s = 0; for (i : int[0, 9]) for (j : int[0, 9]) s += cells[10 * i + j]; return s; }}
         process P() {{ state A, B; init A; trans A -> B {{ guard {guard}; assign {update}; }}, B -> B {{ assign cells[n] = 9 - cells[n]; }}; }} system P;"
    );
    let case = Case::new(&text, &[]).unwrap();
    let plan = ZonePlan::new(&case.network).unwrap();
    let graph = ZoneGraph::new(&plan, case.network.bounds.clone(), &[], Abstraction::None, &[]);
    let mut scratch: Scratch = graph.scratch();
    let mut first = None;
    graph
        .each_initial(&mut scratch, &mut |state, _| {
            first = Some(state.clone());
            ControlFlow::Continue(())
        })
        .unwrap();
    let before = scratch.effort();
    graph
        .each_successor(&mut scratch, &first.unwrap(), &mut |_, _| {
            ControlFlow::Continue(())
        })
        .unwrap();
    scratch.effort() - before
}

#[test]
fn long_code_counts_where_it_runs() {
    let short = of_first_successors("n == 0", "n = 1");
    let guard = of_first_successors("n == 0 && total() == 0", "n = 1");
    let update = of_first_successors("n == 0", "n = total()");
    // A hundred rounds of several instructions, of which sixty-four count.
    assert!(guard > short + 50, "{short}, {guard}");
    assert!(update > short + 50, "{short}, {update}");
    // What comes first does not hold, and the code does not run.
    assert!(of_first_successors("n == 1 && total() == 0", "n = 1") <= short);
}
