//! Values that nodes leave open.

use super::{accepted, judged, refused};
use zonewalk_reference::proof::Judgement;
use zonewalk_testkit::xta;

/// Whole structs and cells are copied, and stay open.
#[test]
fn copies_stay_open() {
    let model = "int[0,5] i, j; int[0,9] wide; struct { int[0,5] a; int b[2]; } s, t;
        process P() { state A, B, C; init A;
            trans A -> B { assign t = s, j = i, wide = j; }, B -> C { assign i = 1; }; }
        system P;";
    let nodes = "A | * 0 0 * * 0 0 0 0 |
        B | * * * * * 0 * * 0 |
        C | 1 * * * * 0 * * 0 |";
    accepted(model, "A[] P.B imply t.b[1] == 0", "unreachable", nodes);
    refused(
        model,
        "A[] P.B imply t.a == 0",
        "unreachable",
        nodes,
        "evaluation",
        "not specified",
    );
    // What is open after the step must be open in the node.
    refused(
        model,
        "",
        "explored",
        &nodes.replacen("B | * *", "B | * 0", 1),
        "transition",
        "P.B | i=* j=*",
    );
}

/// Where not all values fit, the range check would have to read the value.
#[test]
fn copies_into_other_ranges_are_reads() {
    let model = "int[0,5] i; int[0,3] narrow; process P() { state A, B; init A; trans A -> B { assign narrow = i; }; } system P;";
    refused(
        model,
        "",
        "explored",
        "A | * 0 |\nB | * * |",
        "evaluation",
        "not specified",
    );
    accepted(model, "", "explored", "A | 0 0 |\nB | 0 0 |");
}

/// Two values that are not known are not equal, nor are they different.
#[test]
fn comparisons_of_whole_structs_are_reads() {
    let model = "struct { int[0,5] a; } s, t; process P() { state A, B; init A; trans A -> B { guard s == t; }; } system P;";
    refused(
        model,
        "",
        "explored",
        "A | * * |\nB | * * |",
        "evaluation",
        "not specified",
    );
    accepted(model, "", "explored", "A | 0 0 |\nB | 0 0 |");
    let scalars = "typedef scalar[3] S; S s, t; process P() { state A, B; init A; trans A -> B { guard s != t; }; } system P;";
    refused(
        scalars,
        "A[] not P.B",
        "unreachable",
        "A | * * |",
        "evaluation",
        "not specified",
    );
    accepted(scalars, "A[] not P.B", "unreachable", "A | 0 0 |");
}

/// Conditions, indices, arithmetic, arguments and results that need the value.
#[test]
fn every_read_is_refused() {
    for (label, is_guard) in [
        ("i > 2", true),
        ("b", true),
        ("a[i] == 0", true),
        ("(i > 0 ? 1 : 0) == 1", true),
        ("forall (k : int[0,2]) k != i", true),
        ("f(i) == 1", true),
        ("x > i", true),
        ("a[0] = i + 1", false),
        ("i++", false),
        ("i += 1", false),
        ("x = i", false),
        ("a[0] = -i", false),
        ("a[0] = abs(i)", false),
        ("a[i] = 1", false),
        ("loop(i)", false),
    ] {
        let label = if is_guard {
            format!("guard {label};")
        } else {
            format!("assign {label};")
        };
        let model = format!(
            "clock x; int[0,2] i; bool b; int a[3];
             int f(int k) {{ return k * 2; }} void loop(int k) {{ while (k > 0) {{ k--; }} }}
             process P() {{ state A, B; init A; trans A -> B {{ {label} }}; }} system P;"
        );
        let judgement = judged(&xta(&model), "", "explored", "A | * * 0 0 0 |\nB | * * * * * |");
        let Judgement::Refused(refusal) = judgement else {
            panic!("{label}: {judgement:?}")
        };
        assert!(refusal.message.contains("not specified"), "{label}: {refusal}");
    }
}

/// `meta` variables have no value at the beginning of a transition; within one they may be used.
#[test]
fn meta_variables_are_open_between_transitions() {
    let model = |update: &str| {
        format!(
            "meta int[0,3] m; int[0,3] n; process P() {{ state A; init A; trans A -> A {{ assign {update}; }}; }} system P;"
        )
    };
    accepted(&model("m = 2, n = m, m = 3"), "", "explored", "A | 0 |\nA | 2 |");
    refused(
        &model("n = m, m = 3"),
        "",
        "explored",
        "A | * |",
        "evaluation",
        "not specified",
    );
}

/// Values outside of ranges, other numbers of values, locations that are not there: only the programming interface can give them.
#[test]
fn malformed_nodes_are_refused() {
    use zonewalk_certificate::{Certificate, Claim, Constraint, Header, LARGEST_BOUND, Node};
    use zonewalk_model::ids::{ClockId, LocationId};
    use zonewalk_reference::proof::{Limits, judge};
    let loaded = xta("clock x; int[0,3] n; process P() { state A; init A; } system P;");
    let good = Node {
        locations: vec![LocationId(0)],
        values: vec![Some(0)],
        ..Node::default()
    };
    let constraint = |left, bound| Constraint {
        left,
        right: None,
        bound,
        strict: false,
    };
    let with = |change: &dyn Fn(&mut Node)| {
        let mut node = good.clone();
        change(&mut node);
        let certificate = Certificate {
            header: Header::default(),
            claim: Claim::Explored,
            nodes: vec![good.clone(), node],
        };
        judge(
            &loaded.model,
            &loaded.system,
            None,
            &certificate,
            &Limits::default(),
        )
    };
    assert!(matches!(with(&|_| {}), Judgement::Accepted(_)));
    // A node without points says nothing.
    assert!(matches!(
        with(&|node| node.constraints.push(constraint(Some(ClockId(0)), -1))),
        Judgement::Accepted(_)
    ));
    let bad: [&dyn Fn(&mut Node); 7] = [
        &|node| node.locations.clear(),
        &|node| node.locations[0] = LocationId(1),
        &|node| node.values.clear(),
        &|node| node.values[0] = Some(4),
        &|node| node.constraints.push(constraint(Some(ClockId(1)), 0)),
        &|node| {
            node.constraints
                .push(constraint(Some(ClockId(0)), LARGEST_BOUND + 1));
        },
        &|node| node.constraints.push(constraint(Some(ClockId(0)), i64::MIN)),
    ];
    for change in bad {
        let Judgement::Refused(refusal) = with(change) else {
            panic!("{:?}", with(change))
        };
        assert_eq!(
            (refusal.obligation.name(), refusal.node),
            ("nodes", Some(1)),
            "{refusal}"
        );
    }
}
