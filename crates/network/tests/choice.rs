//! Processes that queries choose by a value: the code and the plain evaluator agree, whatever the size.
#![allow(clippy::unwrap_used)]

use crate::support;

use std::collections::BTreeSet;
use support::oracle::Judge;
use support::{Loaded, predicate, xta_with};
use zonewalk_network::ids::ClockId;
use zonewalk_network::predicate::{ClocksAndDeadlock, Node, Predicate};
use zonewalk_network::{ErrorKind, Network, NetworkBuilder};
use zonewalk_reference::Interpreter;
use zonewalk_reference::simulate::RandomRun;

/// Processes of one variant, of many variants, with two parameters, over a scalar set, with references.
fn model(n: usize) -> String {
    format!(
        "const int N = {n}; typedef int[0,N-1] id_t; typedef int[1,2] row_t; typedef scalar[N] s_t;
         typedef struct {{ int k; bool b[2]; }} pair_t;
         int u, g[N], h[N]; id_t last;
         int twice(int k) {{ return 2 * k; }}
         process P(const id_t id) {{
           const int c = id * id % 7; const int t[2] = {{ id, 1 }}; int v = id % 3, a[3]; pair_t s; clock y; meta int m;
           int f(int k) {{ return v + k; }}
           state A, B; init A;
           trans A -> B {{ guard y >= 1; assign v = (v + 1) % 3, a[v] = v + 1, s.k = id % 4, s.b[v % 2] = true, last = id, u = id % 5 - 1; }},
                 B -> A {{ guard u != 2; assign a[0] = id % 2, h[id] = v, m = 1, y = 0; }};
         }}
         process D(const id_t id) {{
           int[0,id+1] w, b[2]; struct {{ int[0,id+1] k; bool l; }} s;
           state A, B; init A; trans A -> B {{ assign w = id + 1, b[id % 2] = 1, s.k = w, s.l = true; }}, B -> A {{ assign w = 0; }};
         }}
         process G(const row_t i, const id_t j) {{
           int v = i; state A, B; init A; trans A -> B {{ assign v = v + j % 2; }};
         }}
         process S(const s_t id) {{ int v; state A, B; init A; trans A -> B {{ assign v = 1; }}; }}
         process R(const id_t id, int &r) {{ int q; state A, B; init A; trans A -> B {{ assign r = 1 + id % 2; }}; }}
         Up(const id_t id) = R(id, g[id]);
         Down(const id_t id) = R(id, h[N - 1 - id]);
         system P, D, G, S, Up, Down;"
    )
}

/// Queries asked. None of them fails in any state.
const QUESTIONS: &[&str] = &[
    "(sum (i : id_t) P(i).A) >= N - 1",
    "2 * (sum (i : id_t) P(i).v) > N + u",
    "(sum (i : id_t) P(i).v * (P(i).B ? 2 : 1) - i % 2) > N / 2",
    "(sum (i : id_t) sum (k : int[0,2]) P(i).a[k]) > 2",
    "(sum (i : id_t) P(i).a[P(i).v] + P(i).m) > 1",
    "(sum (i : id_t) P(i).s.k + P(i).s.b[1]) % 2 == 1",
    "(sum (i : id_t) P(i).c + P(i).t[0] - P(i).t[i % 2] + P(i).id) > last + P(last).v",
    "(sum (i : id_t) P((i + 1) % N).v - P(N - 1 - i).v) == 0",
    "(sum (i : id_t) P(i).f(i % 2)) > N",
    "(sum (i : id_t) twice(P(i).v)) > N",
    "(sum (i : id_t) (P(i).A && exists (j : id_t) j != i && P(j).v == P(i).v)) > N / 2",
    "exists (i : id_t) (sum (j : id_t) P(j).v >= P(i).v) == i",
    "forall (i : id_t) (sum (j : id_t) (P(j).B && j < i)) <= 2",
    "(sum (i : id_t) D(i).w) > 2 && (sum (i : id_t) D(i).A) < N",
    "(sum (i : id_t) D(i).b[i % 2] + D(i).b[0] * D(i).s.k + D(i).s.l) > 0 || D(last).b[u * u % 2] > 0",
    "(sum (i : row_t) sum (j : id_t) G(i, j).v) > 3 * N",
    "(sum (j : id_t) sum (i : row_t) (G(i, j).B + G(3 - i, j).v)) > 3 * N + 1",
    "(sum (j : id_t) G(2, j).v) > 2 * N",
    "(sum (i : s_t) S(i).A) < N || (sum (i : s_t) S(i).v) > 0",
    "(sum (i : s_t) sum (j : s_t) (i != j && S(i).B && S(j).A)) >= N - 1",
    "(sum (i : id_t) Up(i).r) > 0 || (sum (i : id_t) Up(i).B * Up(i).q) > 0",
    "(sum (i : id_t) Down(i).r * i) > 1",
    "P(last).B && P(last).v == D(last).w && !(forall (i : row_t) G(i, last).A)",
    "P(last).y > 1 || G(1, P(last).v % N).B",
    "exists (i : id_t) P(i).y <= (sum (j : id_t) P(j).v)",
    "(forall (i : id_t) P(i).A) || (sum (i : id_t) P(last).v) >= N",
    "P(P(last).c % N).A",
    "(sum (k : row_t) forall (i : id_t) forall (j : id_t) P(i).B && P(j).B && G(k, j).A imply i == j) > 0",
    "(sum (i : id_t) sum (j : id_t) (P(i).B && P(j).v > 0)) > N && (sum (i : id_t) !(exists (j : id_t) P(i).A && P(j).B)) > 0",
];

fn questions() -> Vec<String> {
    QUESTIONS.iter().map(|q| format!("E<> {q}")).collect()
}

fn load(n: usize, formulas: &[String]) -> Loaded {
    let formulas: Vec<&str> = formulas.iter().map(String::as_str).collect();
    let loaded = xta_with(&model(n), &formulas);
    assert_eq!(
        loaded.queries.len(),
        formulas.len(),
        "a question is not well-formed"
    );
    loaded
}

fn compile(loaded: &Loaded) -> (Network, Vec<Predicate>) {
    let mut builder = NetworkBuilder::new(&loaded.model, &loaded.system).unwrap();
    let made = loaded.queries.iter().map(|q| {
        let made = builder.predicate(q.slots, predicate(q));
        made.unwrap_or_else(|e| panic!("{}: {e}", q.text))
    });
    let made = made.collect();
    (builder.finish(), made)
}

/// No clock comparison holds.
struct NoTime;

impl ClocksAndDeadlock for NoTime {
    fn clock(
        &mut self,
        _: ClockId,
        _: Option<ClockId>,
        _: zonewalk_network::constraint::Relation,
        _: i32,
    ) -> bool {
        false
    }

    fn deadlock(&mut self) -> bool {
        false
    }
}

#[test]
fn choices_mean_the_same_to_the_code_and_to_the_tree() {
    for (n, steps) in [(1, 10), (3, 150), (60, 60)] {
        let loaded = load(n, &questions());
        // That each is accepted; the judge leaves out what is not.
        compile(&loaded);
        let builder = NetworkBuilder::new(&loaded.model, &loaded.system).unwrap();
        let interpreter = Interpreter::new(&loaded.model, &loaded.system).unwrap();
        let mut judge = Judge::new(&loaded, builder);
        let mut truths = vec![BTreeSet::new(); loaded.queries.len()];
        for seed in 0..3 {
            let mut run = RandomRun::new(&interpreter, seed).unwrap();
            for _ in 0..steps {
                judge.check_queries(run.state(), &interpreter);
                for (truths, query) in truths.iter_mut().zip(&loaded.queries) {
                    truths.insert(interpreter.holds(run.state(), predicate(query)).unwrap());
                }
                if run.step().is_err() {
                    break;
                }
            }
        }
        assert!(judge.labels > 3 * loaded.queries.len());
        let varied = truths.iter().filter(|t| t.len() == 2).count();
        assert!(
            n == 1 || varied * 2 > truths.len(),
            "{n}: {varied} of {}",
            truths.len()
        );
    }
}

#[test]
fn choices_read_what_they_say() {
    let loaded = load(3, &questions());
    let (network, made) = compile(&loaded);
    let end = network.layout.meta as usize;
    for (query, predicate) in loaded.queries.iter().zip(&made) {
        let mut read = BTreeSet::new();
        for node in &predicate.nodes {
            match node {
                Node::At { process, .. } => {
                    read.insert(process.index());
                }
                Node::Data { reads, .. } | Node::Clock { reads, .. } => {
                    read.extend(network.sets.members(*reads).map(|c| c as usize));
                }
                _ => {}
            }
        }
        assert!(!read.is_empty() && read.len() < end, "{}: {read:?}", query.text);
        let mut memory = network.memory();
        let before = predicate.holds(&network, &mut memory, &mut NoTime).unwrap();
        for cell in (0..end).filter(|cell| !read.contains(cell)) {
            let mut memory = network.memory();
            memory[cell] += 1;
            let after = predicate.holds(&network, &mut memory, &mut NoTime).unwrap();
            assert_eq!(before, after, "{} reads cell {cell}", query.text);
        }
    }
}

#[test]
fn a_sum_over_many_processes_is_a_short_loop() {
    let formulas = [
        "E<> (sum (i : id_t) P(i).A) > 1",
        "E<> (sum (i : id_t) P(i).v) > 1",
    ]
    .map(String::from);
    let lengths = [60, 400].map(|n| {
        let loaded = load(n, &formulas);
        let unasked = Network::compile(&loaded.model, &loaded.system).unwrap();
        let (network, made) = compile(&loaded);
        let reads = made[0].reads().next().unwrap();
        assert!(network.sets.members(reads).eq(0..n as u32));
        network.program.code.len() - unasked.program.code.len()
    });
    assert_eq!(lengths[0], lengths[1]);
    assert!(lengths[0] < 30, "{lengths:?}");
}

#[test]
fn a_process_that_does_not_exist_is_a_run_time_error() {
    let formulas = ["E<> P(u - 1).A", "E<> G(1, u + N).v > 0", "E<> P(1 / u).A"].map(String::from);
    for n in [3, 60] {
        let loaded = load(n, &formulas);
        let (network, made) = compile(&loaded);
        let interpreter = Interpreter::new(&loaded.model, &loaded.system).unwrap();
        let run = RandomRun::new(&interpreter, 1).unwrap();
        for (query, made) in loaded.queries.iter().zip(&made) {
            let expected = interpreter.holds(run.state(), predicate(query));
            let Err(zonewalk_reference::Error::Fault { fault: expected, .. }) = expected else {
                panic!("{expected:?}")
            };
            let found = made
                .holds(&network, &mut network.memory(), &mut NoTime)
                .unwrap_err();
            let found = network.fault(found);
            assert_eq!(found.span, expected.span, "{}", query.text);
            assert_eq!(found.kind.code(), expected.kind.code(), "{}", query.text);
        }
    }
}

#[test]
fn what_no_index_leads_to_is_refused_with_the_reason() {
    let refused = |n: usize, text: &str| {
        let loaded = load(n, &[text.to_owned()]);
        let mut builder = NetworkBuilder::new(&loaded.model, &loaded.system).unwrap();
        let query = &loaded.queries[0];
        builder.predicate(query.slots, predicate(query)).expect_err(text)
    };
    for text in ["E<> P(last).f(1) > 0", "E<> Down(last).r > 0"] {
        let error = refused(3, text);
        assert_eq!(error.kind, ErrorKind::Unsupported);
        assert!(error.message.contains("`forall`, `exists` or `sum`"), "{error}");
    }
    // Written out, this is a call for each of 216000 triples.
    let calls = "P(i).f(1) * P(j).f(2) * P(k).f(3)";
    let error = refused(
        60,
        &format!("E<> (sum (i : id_t) sum (j : id_t) sum (k : id_t) {calls}) > 0"),
    );
    assert_eq!(error.kind, ErrorKind::TooLarge);
    assert!(error.message.contains("too many values (60)"), "{error}");
}
