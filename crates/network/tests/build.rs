//! Queries added to a network while it is built leave the rest as it is.

#![allow(clippy::unwrap_used)] // A test that cannot go on fails.

use crate::support;

use support::{Loaded, predicate, xta_with};
use zonewalk_model::tree::QueryKind;
use zonewalk_network::constraint::Relation;
use zonewalk_network::ids::ClockId;
use zonewalk_network::predicate::ClocksAndDeadlock;
use zonewalk_network::{CompileError, ErrorKind, Layout, Network, NetworkBuilder, Predicate};

const MODEL: &str = "typedef int[0,3] id_t; id_t v, a[4]; clock x;
    int count(int[0,7] k) { int n = 0; int b[4]; while (n < k) { n += a[n % 4] + 77; b[n % 4] = n; } return n + b[0]; }
    process P(const id_t id) {
        int w = id; int f() { return w; }
        state A { x <= 9 }, B; init A; trans A -> B { guard a[id] < 5 && x > 3; assign w = 2 * w + v, a[v] = id; };
    }
    system P;";

const GOOD: [&str; 4] = [
    "E<> (sum (i : id_t) a[i] * 19) > 40 && x <= 30",
    "E<> count(v) == 12 || P(2).B",
    "E<> exists (i : id_t) P(i).w > 100 + a[i]",
    "E<> P(v).w > 23",
];

/// Code, constants, ways of indexing, ranges and cells of the frame are all made before what cannot be compiled.
const BAD: &str = "E<> count(v) + count(v + 6) > 1234 && a[(v + 1) % 4] + P(v).w > 567 && P(v).f() == 0";

fn load(queries: &[&str]) -> Loaded {
    let loaded = xta_with(MODEL, queries);
    assert_eq!(loaded.queries.len(), queries.len(), "a query is not well-formed");
    loaded
}

/// Compiles all queries, one after the other.
fn build(loaded: &Loaded) -> (Network, Vec<Result<Predicate, CompileError>>) {
    let mut builder = NetworkBuilder::new(&loaded.model, &loaded.system).unwrap();
    let made = loaded.queries.iter();
    let made = made.map(|q| builder.predicate(q.slots, predicate(q))).collect();
    (builder.finish(), made)
}

/// No clock comparison holds.
struct NoTime;

impl ClocksAndDeadlock for NoTime {
    fn clock(&mut self, _: ClockId, _: Option<ClockId>, _: Relation, _: i32) -> bool {
        false
    }

    fn deadlock(&mut self) -> bool {
        false
    }
}

#[test]
fn a_query_that_cannot_be_compiled_leaves_no_trace() {
    let (clean, expected) = build(&load(&GOOD));
    let mut queries = GOOD.to_vec();
    queries.insert(2, BAD);
    let (network, mut made) = build(&load(&queries));
    assert_eq!(made.remove(2).unwrap_err().kind, ErrorKind::Unsupported);
    // Sites tell where in which formula, which is another one.
    let parts = |n: &Network| {
        let p = &n.program;
        let tables = (&p.code, &p.arrays, &p.ranges, &p.constants, p.frame, &p.blocks);
        format!("{tables:?} {:?} {:?} {}", n.layout, n.sets, p.sites.len())
    };
    assert_eq!(parts(&network), parts(&clean));
    assert_eq!(format!("{made:?}"), format!("{expected:?}"));
}

#[test]
fn a_measure_that_cannot_be_compiled_leaves_no_trace() {
    let loaded = load(&["sup: count(v) + P(v).f()", "sup: v, x"]);
    let builder = || NetworkBuilder::new(&loaded.model, &loaded.system).unwrap();
    let exprs = |number: usize| match &loaded.queries[number].kind {
        QueryKind::Extremum { exprs, .. } => exprs,
        kind => panic!("{kind:?}"),
    };
    let mut with_bad = builder();
    let refused = with_bad.measure(0, &exprs(0)[0]).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Unsupported);
    let mut clean = builder();
    for expr in exprs(1) {
        let (found, expected) = (
            with_bad.measure(0, expr).unwrap(),
            clean.measure(0, expr).unwrap(),
        );
        assert_eq!(format!("{found:?}"), format!("{expected:?}"));
    }
    assert_eq!(
        format!("{:?}", with_bad.finish()),
        format!("{:?}", clean.finish())
    );
}

#[test]
fn queries_add_behind_what_the_model_has() {
    let loaded = load(&GOOD);
    let plain = Network::compile(&loaded.model, &loaded.system).unwrap();
    let (network, made) = build(&loaded);
    assert!(made.iter().all(Result::is_ok));
    let shown = |network: &Network| {
        let Network {
            variants,
            instances,
            invariants,
            ..
        } = network;
        format!("{variants:?} {instances:?} {invariants:?}")
    };
    assert_eq!(shown(&network), shown(&plain));
    let (code, constants) = (&plain.program.code, &plain.program.constants);
    assert!(network.program.code.len() > code.len());
    assert_eq!(
        format!("{:?}", &network.program.code[..code.len()]),
        format!("{code:?}")
    );
    assert!(network.program.constants.starts_with(constants));
    let ends = |n: &Network| {
        let Layout {
            state, meta, data, ..
        } = n.layout;
        (state, meta, data)
    };
    assert_eq!(ends(&network), ends(&plain));
    assert_eq!(network.memory().len(), network.layout.frame as usize);
    assert!(network.memory().len() > plain.memory().len());
}

#[test]
fn a_larger_network_is_another_one() {
    let loaded = load(&GOOD);
    let (at_once, _) = build(&loaded);
    let mut builder = NetworkBuilder::new(&loaded.model, &loaded.system).unwrap();
    let (early, late) = loaded.queries.split_at(2);
    let made: Vec<Predicate> = early
        .iter()
        .map(|q| builder.predicate(q.slots, predicate(q)).unwrap())
        .collect();
    let network = builder.finish();
    let before = format!("{network:?}");
    let mut builder = network.to_builder(&loaded.model, &loaded.system);
    for query in late {
        builder.predicate(query.slots, predicate(query)).unwrap();
    }
    let larger = builder.finish();
    assert_eq!(format!("{network:?}"), before);
    assert_eq!(format!("{larger:?}"), format!("{at_once:?}"));
    assert!(larger.layout.program > network.layout.program);
    // The function, with temporaries of its own, does not return 12; then P(2) is in B.
    for network in [&network, &larger] {
        let mut memory = network.memory();
        let v = network.layout.locations as usize;
        memory[v] = 1;
        memory[v + 1] = 3;
        let holds = |p: &Predicate, memory: &mut [i32]| p.holds(network, memory, &mut NoTime).unwrap();
        assert!(!holds(&made[1], &mut memory));
        memory[2] = 1;
        assert!(holds(&made[1], &mut memory));
    }
}
