//! `semantics.md` 16a: synchronisation without `!` or `?`.

use super::common::{Loaded, fault, load, try_load};
use zonewalk_reference::{Error, Part, Refusal, Step};
use zonewalk_syntax::read::Format;

/// A template with one edge from `A` to `B`.
fn template(name: &str, labels: &str) -> String {
    format!("process {name}() {{ state A, B; init A; trans A -> B {{ {labels} }}; }} ")
}

fn participants(m: &Loaded, channel: &str) -> Vec<String> {
    let found = m.system.channels.iter().find(|c| &*c.name == channel);
    let names = found.into_iter().flat_map(|c| &c.participants);
    names
        .map(|p| m.system.processes[p.index()].name.to_string())
        .collect()
}

#[test]
fn two_processes_go_together() {
    let m = load(&format!(
        "chan c; clock x; {}{} system P, Q;",
        template("P", "guard x >= 2; sync c;"),
        template("Q", "guard x <= 5; sync c;")
    ));
    let run = m.run();
    assert_eq!(run.transitions(), ["P.A -> B, Q.A -> B (c) @ [2, 5]"]);
}

#[test]
fn updates_run_in_the_order_of_the_system_line() {
    let digit = |d: u32| format!("sync c; assign n := 10 * n + {d};");
    let m = load(&format!(
        "int n; chan c; {}{}{} system R, P, Q;",
        template("P", &digit(1)),
        template("Q", &digit(2)),
        template("R", &digit(3))
    ));
    let mut run = m.run();
    assert_eq!(run.transitions(), ["R.A -> B, P.A -> B, Q.A -> B (c) @ [0, inf)"]);
    run.take("0", "R.A");
    assert_eq!(run.int("n"), 312);
}

#[test]
fn one_participant_that_is_not_ready_keeps_the_others_waiting() {
    let m = load(&format!(
        "int n; chan c; {}{} process R() {{ state A, B; init B; trans A -> B {{ sync c; }}, B -> A {{ assign n := 1; }}; }}
         system P, Q, R;",
        template("P", "sync c;"),
        template("Q", "guard n == 1; sync c;")
    ));
    let mut run = m.run();
    assert_eq!(run.transitions(), ["R.B -> A @ [0, inf)"]);
    assert!(!run.holds("deadlock"));
    run.take("1", "R.B");
    assert_eq!(run.transitions(), ["P.A -> B, Q.A -> B, R.A -> B (c) @ [0, inf)"]);
    run.take("0", "P.A");
    // R could go on to A and then wait for the others, who never come back.
    assert_eq!(run.transitions(), ["R.B -> A @ [0, inf)"]);
    run.take("0", "R.B");
    assert!(run.holds("deadlock"));
}

#[test]
fn all_combinations_are_behaviours() {
    let m = load(
        "chan c; clock x;
         process P() { state A, B, C; init A; trans A -> B { guard x <= 1; sync c; }, A -> C { guard x >= 3; sync c; }; }
         process Q() { state A, B, C; init A; trans A -> B { guard x >= 1; sync c; }, A -> C { sync c; }; }
         system P, Q;",
    );
    assert_eq!(
        m.run().transitions(),
        [
            "P.A -> B, Q.A -> B (c) @ [1, 1]",
            "P.A -> B, Q.A -> C (c) @ [0, 1]",
            "P.A -> C, Q.A -> B (c) @ [3, inf)",
            "P.A -> C, Q.A -> C (c) @ [3, inf)",
        ]
    );
}

#[test]
fn alone_in_the_alphabet_a_process_goes_alone() {
    let m = load(&format!(
        "chan c, d; {}{} system P, Q;",
        template("P", "sync c;"),
        template("Q", "sync d;")
    ));
    assert_eq!(
        m.run().transitions(),
        ["P.A -> B (c) @ [0, inf)", "Q.A -> B (d) @ [0, inf)"]
    );
}

#[test]
fn selects_in_the_channel_make_the_alphabet() {
    let m = load(
        "typedef int[1,3] id_t; chan go[id_t]; int[1,3] next = 2;
         process Gate() { state A, B; init A; trans A -> B { select k : id_t; guard k == next; sync go[k]; }; }
         process Train(const id_t id) { state A, B; init A; trans A -> B { sync go[id]; }; }
         T1 = Train(1); T2 = Train(2); system Gate, T1, T2;",
    );
    assert_eq!(participants(&m, "go[2]"), ["Gate", "T2"]);
    // No other process has it: the gate would go alone.
    assert_eq!(participants(&m, "go[3]"), ["Gate"]);
    assert_eq!(
        m.run().transitions(),
        ["Gate.A -> B [k = 2], T2.A -> B (go[2]) @ [0, inf)"]
    );
}

#[test]
fn guards_play_no_part_in_the_alphabet() {
    let m = load(&format!(
        "chan c; {}{} system P, Q;",
        template("P", "sync c;"),
        template("Q", "guard false; sync c;")
    ));
    assert_eq!(participants(&m, "c"), ["P", "Q"]);
    assert_eq!(m.run().transitions(), [""; 0]);
    assert!(m.run().holds("deadlock"));
}

#[test]
fn an_index_that_depends_on_the_state_may_be_any_element() {
    let m = load(
        "typedef int[0,1] id_t; chan c[2][2]; id_t n;
         process P() { state A, B; init A; trans A -> B { select k : id_t; sync c[k][k]; }, A -> A { assign n := 1 - n; }; }
         process Q() { state A, B; init A; trans A -> B { sync c[n][1]; }; } system P, Q;",
    );
    assert_eq!(participants(&m, "c[0][0]"), ["P"]);
    assert_eq!(participants(&m, "c[0][1]"), ["Q"]);
    assert_eq!(participants(&m, "c[1][1]"), ["P", "Q"]);
    let mut run = m.run();
    assert_eq!(
        run.transitions(),
        [
            "P.A -> B [k = 0] (c[0][0]) @ [0, inf)",
            "P.A -> A @ [0, inf)",
            "Q.A -> B (c[0][1]) @ [0, inf)"
        ]
    );
    run.take("0", "P.A -> A");
    assert_eq!(
        run.transitions(),
        [
            "P.A -> B [k = 0] (c[0][0]) @ [0, inf)",
            "P.A -> B [k = 1], Q.A -> B (c[1][1]) @ [0, inf)",
            "P.A -> A @ [0, inf)",
        ]
    );
}

#[test]
fn parameters_that_are_never_assigned_are_constant() {
    let process = |update: &str| {
        format!(
            "typedef int[0,1] id_t; chan c[id_t]; void set(id_t &v) {{ v = 0; }}
             process P(id_t id) {{ state A; init A; trans A -> A {{ sync c[id]; {update} }}; }}
             P0 = P(0); P1 = P(1); system P0, P1;"
        )
    };
    assert_eq!(participants(&load(&process("")), "c[1]"), ["P1"]);
    for update in ["assign id := 1 - id;", "assign set(id);"] {
        assert_eq!(participants(&load(&process(update)), "c[1]"), ["P0", "P1"]);
    }
}

#[test]
fn reference_parameters_and_conditionals_name_their_channels() {
    let m = load(
        "chan a, b[2], c; bool on; const bool yes = true;
         process P(chan &d, chan &e[2]) { state A, B; init A;
             trans A -> B { sync on ? d : e[1]; }, A -> A { sync yes ? c : a; }; }
         Q = P(a, b); system Q;",
    );
    assert_eq!(participants(&m, "a"), ["Q"]);
    assert_eq!(participants(&m, "b[0]"), [""; 0]);
    assert_eq!(participants(&m, "b[1]"), ["Q"]);
    assert_eq!(participants(&m, "c"), ["Q"]);
}

#[test]
fn a_label_that_always_fails_names_nothing() {
    let m = load(&format!(
        "chan c[2]; int n; {}{} system P, Q;",
        template("P", "guard n == 1; sync c[2];"),
        template("Q", "sync c[1];")
    ));
    assert_eq!(participants(&m, "c[1]"), ["Q"]);
    let m = load(&format!("chan c[2]; {} system P;", template("P", "sync c[2];")));
    assert_eq!(
        fault(m.run().try_transitions()),
        "index 2 is outside the array's 0..1 (in the synchronisation of P)"
    );
}

#[test]
fn a_committed_participant_is_enough() {
    let m = load(
        "chan c, d;
         process P() { state A, B; init A; trans A -> B { sync c; }, A -> B { sync d; }; }
         process Q() { state A, B; commit A; init A; trans A -> B { sync c; }; }
         system P, Q;",
    );
    let run = m.run();
    assert_eq!(run.transitions(), ["P.A -> B, Q.A -> B (c) @ [0, 0]"]);
}

#[test]
fn an_urgent_channel_stops_time_when_all_are_enabled() {
    let m = load(&format!(
        "urgent chan c; clock x; {}{}{} system P, Q, R;",
        template("P", "guard x >= 1; sync c;"),
        template("Q", "guard x >= 3; sync c;"),
        template("R", "guard x <= 4; sync c;")
    ));
    let run = m.run();
    assert_eq!(run.delays(), "[0, 3]");
    assert_eq!(run.transitions(), ["P.A -> B, Q.A -> B, R.A -> B (c) @ [3, 3]"]);
    // Never all three at once.
    let m = load(&format!(
        "urgent chan c; clock x; {}{} system P, Q;",
        template("P", "guard x <= 1; sync c;"),
        template("Q", "guard x >= 3; sync c;")
    ));
    assert_eq!(m.run().delays(), "[0, inf)");
}

#[test]
fn channel_priorities_block() {
    let m = load(&format!(
        "chan c, d; clock x; chan priority d < default < c; {}{}{} system P, Q, R;",
        template("P", "guard x >= 2; sync c;"),
        template("Q", "guard x <= 5; sync c;"),
        template("R", "sync d;")
    ));
    assert_eq!(
        m.run().transitions(),
        [
            "P.A -> B, Q.A -> B (c) @ [2, 5]",
            "R.A -> B (d) @ [0, 2) or (5, inf)"
        ]
    );
}

#[test]
fn the_highest_process_priority_counts() {
    // c has the priority of R, so it blocks S; d, of Q alone, does not.
    let m = load(&format!(
        "chan c, d; {}{}{} process Q() {{ state A, B; init A; trans A -> B {{ sync d; }}; }} system Q, P < S < R;",
        template("P", "sync c;"),
        template("R", "sync c;"),
        template("S", "")
    ));
    assert_eq!(m.run().transitions(), ["P.A -> B, R.A -> B (c) @ [0, inf)"]);
}

#[test]
fn the_target_is_entered_by_all_or_by_none() {
    let m = load(
        "chan c; clock x;
         process P() { state A, B; init A; trans A -> B { sync c; }; }
         process Q() { state A, B { x <= 4 }; init A; trans A -> B { sync c; }; }
         system P, Q;",
    );
    assert_eq!(m.run().transitions(), ["P.A -> B, Q.A -> B (c) @ [0, 4]"]);
}

#[test]
fn replay_insists_on_every_participant_in_order() {
    let m = load(&format!(
        "chan c, d; {}{} process R() {{ state A, B; init A; trans A -> B {{ sync d; }}; }} system P, Q, R;",
        template("P", "sync c;"),
        template("Q", "sync c;")
    ));
    let run = m.run();
    let all = run.interpreter.transitions(&run.state).expect("transitions");
    let parts = all[0].parts.clone();
    let other = all[1].parts[0].clone();
    let replay = |parts: &[Part]| {
        let step = Step {
            delay: "0".parse().expect("a number"),
            parts: parts.to_vec(),
        };
        run.interpreter.replay_step(&run.state, &step).map(|_| ())
    };
    assert_eq!(replay(&parts), Ok(()));
    assert_eq!(
        replay(&parts[..1]),
        Err(Error::Refused(Refusal::ParticipantLeftOut("Q".into())))
    );
    let malformed = |parts: &[Part]| matches!(replay(parts), Err(Error::Refused(Refusal::Malformed(_))));
    assert!(malformed(&[parts[1].clone(), parts[0].clone()]));
    assert!(malformed(&[parts[0].clone(), parts[0].clone(), parts[1].clone()]));
    assert!(malformed(&[parts[0].clone(), parts[1].clone(), other]));
}

#[test]
fn broadcast_channels_and_mixtures_are_refused() {
    let errors = |text: &str| try_load(text, Format::Xta).err().unwrap_or_default();
    let broadcast = format!("broadcast chan c; {} system P;", template("P", "sync c;"));
    assert_eq!(errors(&broadcast), ["sync: a broadcast channel needs `!` or `?`"]);
    let mixed = format!(
        "chan c, d; {}{} system P, Q;",
        template("P", "sync c;"),
        template("Q", "sync d!;")
    );
    assert_eq!(
        errors(&mixed),
        ["sync: channels with and without `!` or `?` cannot be mixed"]
    );
}
