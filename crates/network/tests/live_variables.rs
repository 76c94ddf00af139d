//! Which variables do not matter where.

#![allow(clippy::unwrap_used)] // A test that cannot go on fails.

use crate::support;

use support::xta;
use zonewalk_network::Network;
use zonewalk_network::live_variables::Liveness;

/// The variables, numbered in the order of their declarations (globals first), that are fixed when the processes are in
/// these locations: a state in which every variable is 1 is examined.
fn dead(text: &str, locations: &[i32]) -> Vec<usize> {
    let loaded = xta(text);
    let network = Network::compile(&loaded.model, &loaded.system).unwrap();
    let Some(liveness) = Liveness::new(&network, &[], &[]) else {
        return Vec::new();
    };
    let mut memory = network.memory();
    let range = network.layout.locations as usize..network.layout.state as usize;
    memory[..locations.len()].copy_from_slice(locations);
    memory[range.clone()].fill(1);
    liveness.forget_all(&mut memory);
    memory[range]
        .iter()
        .enumerate()
        .filter(|(_, v)| **v == 0)
        .map(|(i, _)| i)
        .collect()
}

/// A process that goes from A to B by the first labels, and from B to A by the second ones.
fn two(declarations: &str, there: &str, back: &str) -> String {
    format!(
        "process P() {{ {declarations} state A, B; init A; trans A -> B {{ {there} }}, B -> A {{ {back} }}; }} system P;"
    )
}

#[test]
fn what_is_written_before_it_is_read_is_dead() {
    let text = two("int[0,1] v;", "assign v = 1;", "guard v == 1;");
    assert_eq!(dead(&text, &[0]), [0]);
    assert!(dead(&text, &[1]).is_empty());
    // A variable that is never read is dead everywhere.
    let text = two(
        "int[0,1] v, unread;",
        "assign v = 1;",
        "guard v == 1; assign unread = v;",
    );
    assert_eq!(dead(&text, &[0]), [0, 1]);
    assert_eq!(dead(&text, &[1]), [1]);
}

#[test]
fn reads_come_before_writes_of_the_same_update() {
    let counts = two("int[0,9] v;", "assign v = v + 1;", "guard v > 3;");
    assert!(dead(&counts, &[0]).is_empty());
    let first = two("int[0,9] v, w;", "assign v = 1, w = v;", "guard w > 3;");
    assert_eq!(dead(&first, &[0]), [0, 1]);
    assert_eq!(dead(&first, &[1]), [0]);
    let guarded = two("int[0,9] v;", "guard v == 0; assign v = 1;", "guard v > 3;");
    assert!(dead(&guarded, &[0]).is_empty());
}

#[test]
fn a_write_that_may_not_happen_does_not_kill() {
    let maybe = "int[0,9] v, w; void f() { if (w > 0) v = 1; }";
    assert!(dead(&two(maybe, "assign f();", "guard v > 3;"), &[0]).is_empty());
    let early = "int[0,9] v, w; void f() { if (w > 0) return; v = 1; }";
    assert!(dead(&two(early, "assign f();", "guard v > 3;"), &[0]).is_empty());
    let always = "int[0,9] v, w; void f() { if (w > 0) w = 0; v = 1; }";
    assert_eq!(dead(&two(always, "assign f();", "guard v > 3;"), &[0]), [0]);
    let somewhere = two("int[0,9] v[2], i;", "assign v[i] = 1;", "guard v[0] > 3;");
    assert!(!dead(&somewhere, &[0]).contains(&0));
    let there = two("int[0,9] v[2];", "assign v[0] = 1;", "guard v[0] > 3;");
    // The other element is never read.
    assert_eq!(dead(&there, &[0]), [0, 1]);
}

#[test]
fn whole_records_and_references_are_followed() {
    let record = two(
        "struct { int[0,9] a; int[0,9] b; } m, n;",
        "assign m = n;",
        "guard m.a + m.b > 3;",
    );
    assert_eq!(dead(&record, &[0]), [0, 1]);
    let by_reference = two(
        "int[0,9] v, w; void set(int[0,9] &to, int n) { to = n; }",
        "assign set(v, 3);",
        "guard v + w > 3;",
    );
    assert_eq!(dead(&by_reference, &[0]), [0]);
}

#[test]
fn invariants_read() {
    let text = "process P() { int[0,9] v; clock x; state A, B { x <= v }; init A; trans A -> B { assign v = 2; }, B -> A { }; } system P;";
    assert_eq!(dead(text, &[0]), [0]);
    assert!(dead(text, &[1]).is_empty());
}

#[test]
fn a_value_is_passed_on_by_all_senders() {
    let senders = |second: &str| {
        format!(
            "int[0,9] m; chan c;
             process S() {{ state A; init A; trans A -> A {{ sync c!; assign m = 3; }}; }}
             process T() {{ state A; init A; trans A -> A {{ sync c!; {second} }}; }}
             process R() {{ int[0,9] v; state A, B; init A; trans A -> B {{ sync c?; assign v = m; }}, B -> A {{ guard v > 2; }}; }}
             system S, T, R;"
        )
    };
    assert_eq!(dead(&senders("assign m = 4;"), &[0, 0, 0]), [0, 1]);
    assert_eq!(dead(&senders("assign m = 4;"), &[0, 0, 1]), [0]);
    // The other sender passes on what is there.
    assert_eq!(dead(&senders(""), &[0, 0, 0]), [1]);
    // A sender reads before it writes.
    let reads = senders("assign m = m + 1;");
    assert!(!dead(&reads, &[0, 0, 0]).contains(&0));
}

#[test]
fn a_variable_lives_as_long_as_one_process_needs_it() {
    let text = "int[0,9] v;
        process P() { state A, B; init A; trans A -> B { guard v > 1; }; }
        process Q() { state A, B; init A; trans A -> B { guard v > 2; }; }
        process W() { state A; init A; trans A -> A { assign v = 5; }; }
        system P, Q, W;";
    assert!(dead(text, &[0, 0, 0]).is_empty());
    assert!(dead(text, &[1, 0, 0]).is_empty());
    assert!(dead(text, &[0, 1, 0]).is_empty());
    assert_eq!(dead(text, &[1, 1, 0]), [0]);
}

#[test]
fn what_is_looked_at_is_kept() {
    let loaded = xta(&two("int[0,1] v;", "assign v = 1;", "guard v == 1;"));
    let network = Network::compile(&loaded.model, &loaded.system).unwrap();
    let reads = network.instances[1].reads;
    assert!(Liveness::new(&network, &[], &[]).is_some());
    assert!(Liveness::new(&network, &[reads], &[]).is_none());
}
