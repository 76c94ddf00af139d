//! Networks of small models.

#![allow(clippy::unwrap_used)] // A test that cannot go on fails.

use crate::support;

use support::{predicate, xta, xta_with};
use zonewalk_model::eval::FaultKind;
use zonewalk_model::tree::Direction;
use zonewalk_network::constraint::{Condition, Relation, Term};
use zonewalk_network::ids::{InstanceId, LocationId, ProcessId};
use zonewalk_network::vm::{Code, NoClocks, run};
use zonewalk_network::{ErrorKind, Instance, Network, NetworkBuilder, Node, SetId, unsupported};

fn network(text: &str) -> Network {
    let loaded = xta(text);
    Network::compile(&loaded.model, &loaded.system).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn members(network: &Network, set: SetId) -> Vec<u32> {
    network.sets.members(set).collect()
}

/// The instances that leave a location of a process.
fn outgoing(network: &Network, process: u32, location: u32) -> Vec<Instance> {
    network
        .outgoing(ProcessId(process), LocationId(location))
        .map(|i| *network.instance(i))
        .collect()
}

#[test]
fn instances_share_code_unless_parameters_shape_types() {
    let shared = network(
        "typedef int[0,9] id_t; int v[id_t];
         process P(const id_t id) { clock x; state A { x <= id }; init A; trans A -> A { guard v[id] == id; assign v[id] = 0, x = id; }; }
         system P;",
    );
    assert_eq!(shared.variants.len(), 1);
    assert_eq!(shared.sizes().edge_instances, 10);
    assert_eq!(shared.sizes().state_cells, 10 + 10 + 10);

    let shaped = network(
        "process P(const int n, const int m) { int a[n]; state A; init A; trans A -> A { assign a[m] = m; }; }
         P1 = P(2, 0); P2 = P(3, 1); P3 = P(2, 1); system P1, P2, P3;",
    );
    // `n` is the size of an array, `m` is not.
    assert_eq!(shaped.variants.len(), 2);
    assert_eq!(shaped.processes[0].variant, shaped.processes[2].variant);
    assert_eq!(shaped.processes[1].variables.len(), 3);
    let writes = |p: u32| members(&shaped, outgoing(&shaped, p, 0)[0].writes);
    let base = |p: usize| shaped.processes[p].variables.start;
    assert_eq!(
        [writes(0), writes(1), writes(2)],
        [vec![base(0)], vec![base(1) + 1], vec![base(2) + 1]]
    );
}

#[test]
fn selects_are_expanded_where_guards_and_channels_need_them() {
    let n = network(
        "typedef int[0,4] id_t; chan c[id_t]; int v, w[id_t];
         process P(const id_t me) { state A; init A;
             trans A -> A { select i : id_t; guard i != me; sync c[i]!; assign w[i] = 1; },
                   A -> A { select j : id_t; assign v = j; },
                   A -> A { select k : int[1,0]; assign v = k; },
                   A -> A { guard me == 7; }; }
         Q = P(2); system Q;",
    );
    let all = outgoing(&n, 0, 0);
    // One per value other than the own one, one for the free select, none for the empty range and the false guard.
    assert_eq!(all.len(), 5);
    let values: Vec<i32> = all.iter().flat_map(|i| n.select_values(i)).collect();
    assert_eq!(values, [0, 1, 3, 4]);
    let w = n.global(zonewalk_model::ids::GlobalId(2));
    assert_eq!(members(&n, all[2].writes), [w.start + 3]);
    assert_eq!(
        all.iter()
            .map(|i| i.channel.fixed().map(|c| c.0))
            .collect::<Vec<_>>(),
        [Some(0), Some(1), Some(3), Some(4), None]
    );
    assert_eq!(n.channels[3].senders, [InstanceId(2)]);
    assert!(n.channels[2].senders.is_empty());
    let free = &n.edge(&all[4]).selects[0];
    assert!(!free.expanded && (free.lo, free.hi) == (0, 4));
    // A value that is chosen at firing time goes into the frame.
    let mut memory = n.memory();
    let context = n.instance_context(&all[4]);
    memory[context.address(free.cell)] = 3;
    let code = Code::new(&n.program, n.edge(&all[4]).update.unwrap(), &context);
    run(code, &mut memory, &mut NoClocks, &mut ()).unwrap();
    assert_eq!(
        memory[n.global(zonewalk_model::ids::GlobalId(1)).start as usize],
        3
    );
}

#[test]
fn labels_without_direction_have_members_and_participants() {
    let n = network(
        "typedef int[0,2] id_t; id_t v; chan c[id_t], d;
         process P() { state A; init A; trans A -> A { select i : id_t; sync c[i]; }, A -> A { guard false; sync d; }; }
         process Q(const id_t me) { state A; init A; trans A -> A { sync c[me]; }, A -> A { assign v = me; }; }
         process R() { state A; init A; trans A -> A { sync c[v]; }; }
         Q1 = Q(1); Q2 = Q(2); system P, Q2, Q1, R;",
    );
    let participants: Vec<Vec<u32>> = n
        .channels
        .iter()
        .map(|c| c.participants.iter().map(|p| p.0).collect())
        .collect();
    // The channel of R depends on the state, and the dead edge on d counts.
    assert_eq!(participants, [&[0, 3][..], &[0, 2, 3], &[0, 1, 3], &[0]]);
    let members: Vec<Vec<u32>> = n
        .channels
        .iter()
        .map(|c| c.members.iter().map(|i| i.0).collect())
        .collect();
    assert_eq!(members, [&[0][..], &[1, 5], &[2, 3], &[]]);
    assert!(
        n.channels
            .iter()
            .all(|c| c.senders.is_empty() && c.receivers.is_empty())
    );
    assert_eq!(n.dynamic_syncs.len(), 1);
    assert_eq!(n.dynamic_syncs[0].direction, Direction::Together);
}

#[test]
fn too_many_instances_are_refused_with_a_place() {
    let loaded = xta(
        "int a[3];
         process P() { state A; init A; trans A -> A { select i : int, j : int; guard i == j; }; } system P;",
    );
    let errors = Network::compile(&loaded.model, &loaded.system).unwrap_err();
    assert_eq!(errors[0].kind, ErrorKind::TooLarge);
    assert!(
        loaded.model.sources.slice(errors[0].span).contains("A -> A"),
        "{:?}",
        errors[0]
    );
}

#[test]
fn the_edge_with_most_instances_is_named_once() {
    // The one that is too large comes first, last, or needs another one to be too large.
    let large = "A -> B { select i : int[0,3000], j : int[0,3000]; guard i + j == 7; }";
    let half = "A -> B { select i : int[0,2047], j : int[0,2047]; guard i + j == 7; }";
    let (none, select) = ("B -> A { }", "B -> A { select i : int[0,9]; guard i == 7; }");
    for edges in [
        [large, none, select],
        [none, select, large],
        [large, large, none],
        [none, half, select],
        [half, none, none],
    ] {
        let loaded = xta(&format!(
            "process P() {{ state A, B; init A; trans {}; }} system P;",
            edges.join(", ")
        ));
        let errors = Network::compile(&loaded.model, &loaded.system).unwrap_err();
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(
            loaded.model.sources.slice(errors[0].span).contains("j :"),
            "{errors:?}"
        );
    }
}

#[test]
fn channels_that_depend_on_the_state_are_dynamic() {
    let n = network(
        "int v; chan c[4], d; broadcast chan e;
         process P(chan &mine) { state A; init A; trans A -> A { sync c[v]?; }, A -> A { sync mine!; }, A -> A { sync e?; }; }
         P1 = P(d); P2 = P(c[2]); system P1, P2;",
    );
    let channels: Vec<Option<u32>> = n
        .instances
        .iter()
        .map(|i| i.channel.fixed().map(|c| c.0))
        .collect();
    assert_eq!(channels, [None, Some(4), Some(5), None, Some(2), Some(5)]);
    assert_eq!(n.dynamic_syncs.len(), 2);
    assert_eq!(members(&n, n.dynamic_syncs[0].channels), [0, 1, 2, 3]);
    assert_eq!(n.channels[5].receivers, [2, 5].map(InstanceId));
    // The guard is asked again when the index of the channel changes.
    let v = n.global(zonewalk_model::ids::GlobalId(0)).start;
    assert_eq!(
        n.guard_readers.of_cell(v).collect::<Vec<_>>(),
        [0, 3].map(InstanceId)
    );
}

#[test]
fn meta_variables_are_last_and_constants_no_state() {
    let n = network(
        "meta int m = 5; int v = 7; const int T[3] = {1, 2, 3};
         process P() { meta bool f; int w = 9; const int K = 4; state A, B; init B; trans A -> B { assign w = T[v] + K; }; }
         system P;",
    );
    assert_eq!((n.layout.locations, n.layout.state, n.layout.meta), (1, 3, 5));
    assert_eq!(n.memory()[..5], [1, 7, 9, 5, 0]);
    assert_eq!(n.sizes().state_cells, 3);
    let edge = outgoing(&n, 0, 0)[0];
    assert_eq!(members(&n, edge.update_reads), [1]);
    assert_eq!(members(&n, edge.writes), [2]);
}

#[test]
fn sets_are_exact_where_indices_are_constant() {
    let n = network(
        "int a[4], b[4], g[3][4], i; typedef struct { int p; int q; } s_t; s_t s[3];
         void copy(int &to[4], int from[4]) { for (k : int[0,3]) to[k] = from[k]; }
         void second(int &v) { v = 1; }
         process P(const int id) { state A; init A;
             trans A -> A { guard a[id] == b[2] && s[1].q == 0; assign g[id][3] = 1; },
                   A -> A { guard g[1][i] > 0; assign copy(g[id], a); },
                   A -> A { guard s[i].p > 0; assign second(g[i][id]); }; }
         P1 = P(1); P2 = P(2); system P1, P2;",
    );
    let (a, b, g, i, s) = (2, 6, 10, 22, 23);
    for id in [1, 2] {
        let all = outgoing(&n, id - 1, 0);
        assert_eq!(members(&n, all[0].reads), [a + id, b + 2, s + 3]);
        assert_eq!(members(&n, all[0].writes), [g + 4 * id + 3]);
        assert_eq!(members(&n, all[1].reads), [g + 4, g + 5, g + 6, g + 7, i]);
        assert_eq!(
            members(&n, all[1].writes),
            (g + 4 * id..g + 4 * id + 4).collect::<Vec<_>>()
        );
        assert_eq!(members(&n, all[1].update_reads), [a, a + 1, a + 2, a + 3]);
        assert_eq!(members(&n, all[2].reads), [i, s, s + 2, s + 4]);
        assert_eq!(members(&n, all[2].writes), [g + id, g + 4 + id, g + 8 + id]);
    }
}

fn limits(network: &Network, process: u32, location: u32) -> Vec<(u32, Option<i32>, Option<i32>)> {
    let entries = network.bounds.at(ProcessId(process), LocationId(location)).iter();
    entries
        .map(|e| (e.clock.0, e.limits.lower(), e.limits.upper()))
        .collect()
}

#[test]
fn bounds_follow_the_guards_ahead() {
    let n = network(
        "const int D[3] = {4, 9, 2}; int[0,6] v; int i; clock x, y, z[2];
         process P() { state A { x <= D[i] }, B, C { y < 3 && z[i] >= 1 }, E; init A;
             trans A -> B { guard y > v + 1; assign x = 0; },
                   B -> C { guard x == 5; assign z[0] = 0; },
                   C -> E { assign x = 0, y = 0, z[0] = 0, z[1] = 0; },
                   E -> A { assign reset(); }; }
         system P;"
            .replace(
                "process P() {",
                "void reset() { x = 1; if (v > 2) y = 0; }\nprocess P() {",
            )
            .as_str(),
    );
    // In A: x by the invariant, whose bound is the largest of the table; y by the guard, 6 + 1 at most, and by C.
    assert_eq!(
        limits(&n, 0, 0),
        [(0, None, Some(9)), (1, Some(7), Some(3)), (3, Some(1), None)]
    );
    assert_eq!(
        limits(&n, 0, 1),
        [(0, Some(5), Some(5)), (1, None, Some(3)), (3, Some(1), None)]
    );
    assert_eq!(
        limits(&n, 0, 2),
        [(1, None, Some(3)), (2, Some(1), None), (3, Some(1), None)]
    );
    // The reset of x always happens, that of y may not.
    assert_eq!(limits(&n, 0, 3), [(1, Some(7), Some(3)), (3, Some(1), None)]);
    assert!(!n.bounds.diagonals);
}

#[test]
fn copies_and_differences_in_bounds() {
    let n = network(
        "clock x, y;
         process P() { state A, B, C; init A; trans A -> B { assign y = x + 2; }, B -> C { guard y >= 7; }, C -> C { guard x - y < 4; }; }
         system P;",
    );
    // Both sides of both clocks of the difference count; y = x + 2 moves the bounds of y to x.
    assert_eq!(limits(&n, 0, 2), [(0, Some(4), Some(4)), (1, Some(4), Some(4))]);
    assert_eq!(limits(&n, 0, 1), [(0, Some(4), Some(4)), (1, Some(7), Some(4))]);
    assert_eq!(limits(&n, 0, 0), [(0, Some(5), Some(4))]);
    assert!(n.bounds.diagonals);
}

#[test]
fn queries_add_to_bounds() {
    let loaded = xta_with(
        "clock x, y; process P() { state A; init A; trans A -> A { guard y > 1; assign x = 0; }; } system P;",
        &["E<> x > 30"],
    );
    let mut builder = NetworkBuilder::new(&loaded.model, &loaded.system).unwrap();
    let query = &loaded.queries[0];
    let p = builder.predicate(query.slots, predicate(query)).unwrap();
    let n = builder.finish();
    let mut found = vec![zonewalk_network::bounds::Limits::INACTIVE; 2];
    n.bounds.of_state(&[0], &mut found);
    assert!(!found[0].is_active());
    n.bounds_for(&[&p]).of_state(&[0], &mut found);
    assert_eq!((found[0].lower(), found[0].upper()), (Some(30), Some(30)));
    assert_eq!((found[1].lower(), found[1].upper()), (Some(1), None));
}

#[test]
fn guards_are_terms() {
    let n = network(
        "int i; bool b; clock x, c[3];
         process P(const int d) { state A { (b imply x' == 0) && forall (k : int[0,2]) c[k] <= k + d }; init A;
             trans A -> A { guard x >= 3 && i == 1 && (b || c[i] < i) && 5 > x; }; }
         P1 = P(4); P2 = P(5); system P1, P2;",
    );
    let edge = n.edge(&n.instances[0]);
    let [
        Term::Data(Condition::Compare {
            relation: Relation::Equal,
            ..
        }),
        Term::Clock(one),
        Term::Clock(two),
        Term::Clock(three),
    ] = edge.guard.as_slice()
    else {
        panic!("{:?}", edge.guard)
    };
    // What depends on data keeps its place; plain bounds come last.
    assert!(one.when.is_some() && one.setup.is_some() && one.relation == Relation::Less);
    assert!(two.when.is_none() && two.setup.is_none() && two.relation == Relation::GreaterEqual);
    assert_eq!((three.relation, three.range.hi), (Relation::Less, 5));
    let location = &n.variants[0].locations[0];
    assert_eq!((location.invariant.len(), location.rates.len()), (3, 1));
    // The bound `k + d` is a constant of each process.
    for (process, first) in [(0, 4), (1, 5)] {
        let bounds: Vec<i32> = location
            .invariant
            .iter()
            .map(|t| match t {
                Term::Clock(b) => n.constant(b.bound, &n.context(ProcessId(process))).unwrap(),
                Term::Data(_) => panic!(),
            })
            .collect();
        assert_eq!(bounds, [first, first + 1, first + 2]);
    }
    let invariant = &n.invariants[1];
    assert_eq!(
        (invariant.process, members(&n, invariant.clock_reads)),
        (ProcessId(1), vec![1, 2, 3])
    );
    assert_eq!(members(&n, invariant.rate_clocks), [0]);
}

#[test]
fn loops_without_end_are_run_time_errors() {
    let loaded = xta("int i; void hang() { while (i == 0) { i = 0; } }
         process P() { state A; init A; trans A -> A { assign hang(); }; } system P;");
    let n = Network::compile(&loaded.model, &loaded.system).unwrap();
    let context = n.instance_context(&n.instances[0]);
    let entry = n.edge(&n.instances[0]).update.unwrap();
    let code = Code::new(&n.program, entry, &context);
    let trap = run(code, &mut n.memory(), &mut NoClocks, &mut ()).unwrap_err();
    let fault = n.fault(trap);
    assert_eq!(fault.kind, FaultKind::DoesNotTerminate);
    assert_eq!(loaded.model.sources.slice(fault.span), "i == 0");
}

#[test]
fn updates_around_transitions_have_their_sets() {
    let n = network(
        "int a, b, c; clock x; before_update { a = b, x = 0 } after_update { c = a }
         process P() { state A; init A; } system P;",
    );
    let (before, after) = (n.before_update.unwrap(), n.after_update.unwrap());
    assert_eq!(
        (members(&n, before.reads), members(&n, before.writes)),
        (vec![2], vec![1])
    );
    assert_eq!(members(&n, before.clock_writes), [0]);
    assert_eq!(
        (members(&n, after.reads), members(&n, after.writes)),
        (vec![1], vec![3])
    );
}

#[test]
fn predicates_are_trees_of_watchable_leaves() {
    let loaded = xta_with(
        "typedef int[0,3] id_t; int v, a[4]; clock x;
         process P(const id_t id) { int w = id; clock y; int f(int k) { return w + k; } state A, B; init A; trans A -> B { assign w = 3; }; }
         system P;",
        &[
            "E<> forall (i : id_t) P(i).A || x < 5",
            "E<> P(1).w == 1 && P(2).f(v) == 2 && a[v] == 0",
            "E<> (sum (i : id_t) P(i).A) == 4 && not deadlock",
            "E<> (P(0).A || x > 3) && P(3).y - x <= v && exists (i : id_t) a[i] > 0",
            "E<> (forall (i : id_t) i != 2 imply P(i).A) && P(2).B",
        ],
    );
    let mut builder = NetworkBuilder::new(&loaded.model, &loaded.system).unwrap();
    let made: Vec<_> = loaded
        .queries
        .iter()
        .map(|q| builder.predicate(q.slots, predicate(q)).unwrap())
        .collect();
    let n = builder.finish();
    let count = |p: usize, test: fn(&Node) -> bool| made[p].nodes.iter().filter(|n| test(n)).count();
    assert_eq!(
        count(0, |n| matches!(
            n,
            Node::At {
                location: LocationId(0),
                ..
            }
        )),
        4
    );
    assert_eq!(count(0, |n| matches!(n, Node::Clock { .. })), 4);
    assert_eq!(count(1, |n| matches!(n, Node::Data { may_fail: true, .. })), 2);
    assert_eq!(count(2, |n| matches!(n, Node::Deadlock)), 1);
    assert_eq!(count(3, |n| matches!(n, Node::Data { .. })), 4);
    // Constants vanish, and conjunctions of conjunctions are one.
    let Node::And(parts) = &made[4].nodes[made[4].root.0 as usize] else {
        panic!("{:?}", made[4])
    };
    assert_eq!((parts.len(), made[4].nodes.len()), (4, 5));
    // What a leaf reads: the variable of P(1); the locations of all.
    let reads: Vec<Vec<u32>> = made[1]
        .nodes
        .iter()
        .filter_map(|node| match node {
            Node::Data { reads, .. } => Some(members(&n, *reads)),
            _ => None,
        })
        .collect();
    let w = |p: u32| n.local(p, zonewalk_model::ids::LocalId(0)).unwrap().start;
    assert_eq!(reads, [vec![w(1)], vec![4, w(2)], vec![4, 5, 6, 7, 8]]);
    let locations = made[2].nodes.iter().find_map(|node| match node {
        Node::Data { reads, .. } => Some(members(&n, *reads)),
        _ => None,
    });
    assert_eq!(locations, Some(vec![0, 1, 2, 3]));
}

#[test]
fn constructs_that_rule_out_engines() {
    let ruled_out = |text: &str| -> Vec<&'static str> {
        unsupported(&xta(text).model)
            .iter()
            .map(|u| u.construct)
            .collect()
    };
    let process = "process P() { state A; init A; } system P;";
    assert_eq!(ruled_out(&format!("const double d = 1.5; {process}")), [""; 0]);
    assert_eq!(
        ruled_out(&format!("double d; {process}")),
        ["variables of type double"]
    );
    assert_eq!(
        ruled_out(&format!("hybrid clock h; {process}")),
        ["hybrid clocks"]
    );
    let together = "chan c; process P() { state A; init A; trans A -> A { sync c; }; } system P;";
    assert_eq!(ruled_out(together), [""; 0]);
    let rate = "clock x; process P() { state A { x' == 2 }; init A; } system P;";
    assert_eq!(ruled_out(rate), ["clock rates other than 0 and 1"]);
    let location = "process P() { state A; init A; trans A -> A { guard A; }; } system P;";
    assert_eq!(ruled_out(location), ["the name of a location as a condition"]);
    let branch = "int i; chan c; process P() { state A, B; branchpoint b; init A; trans A -> b { }, b -> B { guard i == 0; sync c!; }; } system P;";
    assert_eq!(ruled_out(branch), [""; 0]);
    assert_eq!(
        ruled_out(&branch.replace("A -> b { }", "A -> b { sync c?; }")),
        ["synchronisations before and after a branchpoint"]
    );
    let arithmetic =
        "clock x, y; process P() { state A; init A; trans A -> A { guard x + y < 3; }; } system P;";
    assert!(!ruled_out(arithmetic).is_empty());
    let loaded = xta(arithmetic);
    let errors = Network::compile(&loaded.model, &loaded.system).unwrap_err();
    assert!(
        loaded.model.sources.slice(errors[0].span).starts_with("x + y"),
        "{:?}",
        errors[0]
    );
}

#[test]
fn clocks_in_conditions_of_functions_are_refused() {
    let text = "int i; clock x; void f() { if (x > 3) i = 1; }
        process P() { state A; init A; trans A -> A { assign f(); }; } system P;";
    let loaded = support::load("test.xta", text.as_bytes(), None);
    // The checker may refuse it first; if it does not, compiling does.
    if let Ok(loaded) = loaded {
        let errors = Network::compile(&loaded.model, &loaded.system).unwrap_err();
        assert_eq!(loaded.model.sources.slice(errors[0].span), "x > 3");
    }
}

#[test]
fn deep_expressions_fit_into_any_stack() {
    let deep =
        |open: &str, middle: &str, close: &str| format!("{}{middle}{}", open.repeat(450), close.repeat(450));
    let text = format!(
        "int i; process P() {{ state A; init A; trans A -> A {{ guard {}; assign i = {}; }}; }} system P;",
        deep("!(", "i == 0", ")"),
        deep("-(", "i", ")")
    );
    let small = std::thread::Builder::new().stack_size(256 << 10);
    let compiled = small
        .spawn(move || network(&text).program.code.len())
        .unwrap()
        .join()
        .unwrap();
    assert!(compiled > 450);
}

/// Twenty-four functions, each calling the one before it twice: sixteen million evaluations, but little code.
#[test]
fn calls_of_calls_do_not_explode() {
    let mut text = String::from("int v, w; int f0(int k) { return k + v; }\n");
    for i in 1..24 {
        text += &format!("int f{i}(int k) {{ return f{0}(k) + f{0}(k + 1); }}\n", i - 1);
    }
    text += "process P() { state A; init A; trans A -> A { guard f23(1) > 3; }; } system P;";
    let n = network(&text);
    assert!(n.program.code.len() < 1000, "{}", n.program.code.len());
    assert_eq!(members(&n, n.instances[0].reads), [1]);
}
