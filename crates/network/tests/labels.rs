//! Random labels and functions: the compiled code and the plain evaluator give the same values, or fail in the same way
//! at the same place; and code touches no more than its sets say.

#![allow(clippy::unwrap_used)] // A test that cannot go on fails.

use crate::support;

use proptest::prelude::*;
use support::oracle::Judge;
use support::{Loaded, load};
use zonewalk_model::eval::{CompileTime, Evaluator, Scope, Store};
use zonewalk_model::ids::{LocationId, ProcessId};
use zonewalk_model::system::Value;
use zonewalk_model::types::Type;
use zonewalk_network::NetworkBuilder;
use zonewalk_reference::rational::Rational;
use zonewalk_reference::simulate::Random;
use zonewalk_reference::{Interpreter, State};
use zonewalk_syntax::read::Format;
use zonewalk_syntax::span::Span;

const HEAD: &str = "
    const int N = 4;
    const int K[4] = {3, -2, 7, 100000};
    const int T[2][2] = {{1, 2}, {3, 4}};
    const int BIG[4] = {INT32_MAX, INT32_MIN, 1 << 30, -65537};
    typedef int[0,3] id_t;
    typedef scalar[3] s_t;
    typedef struct { int[-5,5] p; bool q; int r[2]; } rec_t;
    typedef struct { int[-5,5] p; bool q; } pair_t;
    typedef struct { int n; clock c; } timed_t;
    int i, j;
    int[-10,10] small;
    bool b, c;
    int32_t w32, wide[4];
    int a[4], a2[4];
    int[0,3] idx[5];
    int grid[3][4];
    int off[int[2,6]];
    s_t sc, sc2;
    int by_sc[s_t];
    rec_t s, t, rs[3];
    pair_t pp, ps[2];
    timed_t tt, ts[2];
    clock x, y, xs[4];
    meta int m;
    chan ch, chs[4];
    int f(int k) { return k + i; }
    int32_t room(const int32_t lhs) { return INT32_MAX - lhs; }
    int32_t mix(int32_t h, int32_t k) { int32_t z = h * 31 + (k << 24); z = z ^ (z >> 7); return z * -1640531527; }
    int[0,7] g(int[0,3] k, int &r) { r = r + k; return r; }
    bool even(const int v) { if (v % 2 == 0) return true; else return false; }
    int total(int arr[4]) { return sum (q : id_t) arr[q]; }
    void swap(int &u, int &v) { int w = u; u = v; v = w; }
    void clear(int &arr[4]) { for (q : id_t) arr[q] = 0; }
    pair_t mk(int p, bool q) { pair_t z = {1, false}; z.p = p; z.q = q; return z; }
    int table(id_t k) { return K[k] + T[k / 2][k % 2]; }
    int loop(int n) { int k = 0; int z = 0; while (k < n && k < 9) { z += a[k]; k++; } return z; }
    const double D = 2.5;
    const double DS[4] = {0.5, -1.25, 3.0, 1e9};
    typedef struct { double u; int n; } drec_t;
    double half(double v) { return v / 2; }
    int halves(const double v) { double u = half(v) + half(half(v)); return fint(fmin(u, 1e6)) ; }
    double grown(int &r, double by) { r += 1; return r * by; }
    void bump(double &v, int by) { v = v + by; v = v * 1.5; }
    int rounds(int k) {
        double z = k; int q; double w[2] = {0.25, z};
        for (q = 0; q < 4; q++) { z = z * 1.5 - DS[q]; if (z > 100) { z = 100; } w[q & 1] = w[q & 1] + z; z = z + 1; }
        while (z > 3 && k > 2) { z = z / 2 - 0.125; }
        if (z < 0) { return fint(fmax(w[0] + w[1] + z, -30000.0)); }
        return fint(fmin(fmax(w[0] + w[1], -30000.0), 30000.0)) + (w[0] == w[1]) + (z != D ? 1 : 2);
    }
    int through(int k) {
        double z[3]; drec_t d, e; double old;
        z[0] = 1; z[2] = 0.5 + k;
        bump(z[k & 1], k); bump(z[2], 3);
        d.u = z[k & 1] <? 1e4; d.n = k; e = d;
        old = e.u; e.u = old + 1;
        return (e.u - old == 1.0) * 10 + e.n % 7 + (b ? z[0] : z[2] > old ? 1 : old) * 0 == 0;
    }
    int heavy(int n, int &r) {
        int[0,9] w[3] = {1, n, 2}; int z = 0; int q;
        for (q = 0; q < 3; q++) { z += w[q] * r; if (z > 500) { r = q; return z; } }
        do { z--; } while (z > 400 || z < -400 && even(z));
        if (b) { z = z / (small + 1); } else { z = z % (i + 1); }
        r = z;
        return z + heavy_helper(z, r);
    }
    int consume(int arr[4], pair_t p, int &out[4], clock &cl) {
        int k; int z = 0; pair_t w = p;
        for (k = 0; k < 4; k++) { arr[k] = arr[k] + w.p; z += arr[k] * (k + 1); out[k] = z & 255; }
        w.q = !w.q; w.p = w.p / 2; p = w; cl = z & 15;
        if (w.q && z > 20) { out[w.p & 3] = 7; return z - w.p; }
        while (z > 9) { z = z - 9 - (w.q ? 1 : 0); }
        return z * 2 + p.p + (p == w ? 1 : 0);
    }
    pair_t big(int n, const bool up) {
        pair_t z = {0, true}; int k;
        for (k = 0; k < 5; k++) { if (up) { z.p = (z.p + n) % 5; } else { z.p = (z.p - n) % 5; } z.q = !z.q; a2[k % 4] += up; }
        if (z.p > 3 && z.q) { z.p = -z.p; return z; }
        z.q = z.p > 0 || even(n) && n < 100 || b;
        return z;
    }
    int pure(int n) {
        int k; int z = n & 63;
        for (k = 0; k < 6; k++) { if (z % 2 == 0) { z = z / 2 + k; } else { z = (3 * z + 1) % 64; } }
        if (z > 40) { return z - 40; }
        return z > 20 ? z - a[z & 3] % 7 : z + (a2[z & 3] & 1) + (n > 3 && b ? 1 : 2);
    }
    int pures(int n) { return pure(n) * 100 + pure(pure(n + 1)) - (pure(2) < pure(n) ? 1 : 0); }
    // Called from several places, so that they are calls indeed.
    int several(int n) {
        int r = n;
        pair_t q1, q2;
        int t1 = 0;
        q1 = big(n, true); q2 = big(n + 1, false);
        t1 = heavy(n, r) + heavy(1, a[1]) + heavy_helper(2, r);
        t1 += consume(a, q1, a2, x) + consume(grid[r & 1], q2, grid[2], xs[r & 3]);
        return t1 + q1.p + q2.q;
    }
";

/// `heavy` calls a function that is too large to be inlined as well.
const HELPER: &str = "
    int heavy_helper(int n, int &r) {
        int k; int z = n;
        for (k = 0; k < 4; k++) { z += a[k] - a2[3 - k]; a2[k] = a2[k] <? 100; a[k] = a[k] >? -100; }
        for (q : id_t) { grid[q % 3][q] += 1; z = z ^ grid[q % 3][q]; }
        r += z & 7; small = small / 2; idx[z & 3] = z & 3; off[2 + (z & 3)] = z % 100;
        return z;
    }
";

type Text = BoxedStrategy<String>;

fn plain_int() -> Text {
    prop_oneof![
        4 => (-4i32..12).prop_map(|n| if n < 0 { format!("({n})") } else { n.to_string() }),
        2 => prop::sample::select(vec![
            "100", "32767", "(-32768)", "70000", "2147483647", "INT32_MIN", "(1 << 31)", "(INT32_MAX - 1)", "65536",
            "w32", "wide[1]", "BIG[1]", "(-2147483648)",
        ])
        .prop_map(str::to_owned),
        8 => prop::sample::select(vec![
            "i", "j", "small", "b", "c", "m", "N", "id", "v", "ref", "l", "lc", "sel", "sel2", "s.p", "t.q", "s.r[1]", "a[2]",
            "la[0]", "tt.n", "lt[1]", "par[1]", "lm",
        ])
        .prop_map(str::to_owned),
    ]
    .boxed()
}

/// An integer expression; with `effects` it may assign.
fn int(effects: bool) -> Text {
    plain_int()
        .prop_recursive(4, 24, 3, move |inner| {
            let e = inner.clone();
            let binary = prop::sample::select(vec![
                "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<?", ">?", "<", "<=", "==", "!=", ">=",
                ">", "&&", "||", "imply", "xor", "**",
            ]);
            let call = prop::sample::select(vec![
                "f(#)",
                "even(#)",
                "abs(#)",
                "total(a)",
                "table(#)",
                "loop(#)",
                "local(#)",
                "mk(#, b).p",
                "total(grid[#])",
                "total(par)",
                "pure(#)",
                "pures(#)",
                "room(#)",
                "mix(w32, #)",
                "halves(#)",
                "rounds(#)",
                "through(#)",
                "fint(half(#))",
                "fint(sqrt(fabs(#)) * D)",
                "fint((b ? # : 2.5) / 2)",
                "fint(sum (q : id_t) DS[q & 1] * #)",
                "fint(ldexp(1.5, # & 7))",
                "fint(# ** 0.5)",
                "(DS[#] > half(#))",
                "(# / 2 + 0.5 <= D)",
                "isnan(sqrt(#))",
                "ilogb(# + 0.75)",
                "fint(-pow(#, 2))",
            ]);
            let indexed = prop::sample::select(vec![
                "a[#]",
                "a2[#]",
                "idx[#]",
                "off[#]",
                "K[#]",
                "rs[#].p",
                "s.r[#]",
                "la[#]",
                "par[#]",
                "T[#][1]",
                "lt[#]",
                "ts[#].n",
                "lg[#].q",
                "by_sc[sc]",
                "wide[#]",
                "BIG[#]",
            ]);
            let quantified = prop::sample::select(vec![
                "(forall (q : id_t) a[q] < #)",
                "(exists (q : id_t) grid[1][q] == #)",
                "(sum (q : id_t) a[q] * q + #)",
                "(sum (q : int[-1,9]) idx[#])",
                "(forall (q : int[1,0]) #)",
                "(sum (q : int[2,6]) off[q])",
                "(sum (q : id_t) wide[q] + #)",
                "(exists (q : s_t) by_sc[q] > #)",
            ]);
            let fill = |(shape, e): (&str, String)| shape.replace('#', &e);
            let mut options = vec![
                (
                    4,
                    (e.clone(), binary, e.clone())
                        .prop_map(|(a, o, b)| format!("({a} {o} {b})"))
                        .boxed(),
                ),
                (
                    1,
                    (prop::sample::select(vec!["-", "!"]), e.clone())
                        .prop_map(|(o, e)| format!("({o}{e})"))
                        .boxed(),
                ),
                (2, (indexed, e.clone()).prop_map(fill).boxed()),
                (
                    1,
                    (e.clone(), e.clone())
                        .prop_map(|(a, b)| format!("grid[{a}][{b}]"))
                        .boxed(),
                ),
                (
                    1,
                    (e.clone(), e.clone())
                        .prop_map(|(a, b)| format!("rs[{a}].r[{b}]"))
                        .boxed(),
                ),
                (
                    1,
                    (e.clone(), e.clone(), e.clone())
                        .prop_map(|(a, b, c)| format!("({a} ? {b} : {c})"))
                        .boxed(),
                ),
                (1, (call, e.clone()).prop_map(fill).boxed()),
                (1, (quantified, e.clone()).prop_map(fill).boxed()),
                (
                    1,
                    prop::sample::select(vec!["(s == t)", "(a != a2)", "(rs[1] == s)", "(sc == sc2)"])
                        .prop_map(str::to_owned)
                        .boxed(),
                ),
            ];
            if effects {
                let assign = prop::sample::select(vec!["=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^="]);
                let call = prop::sample::select(vec![
                    "several(#)",
                    "consume(a2, big(#, b), par, cx)",
                    "consume(grid[#], pp, a, xs[#])",
                    "big(#, c).p",
                    "f(several(#))",
                    "(i < (i = #))",
                    "fint(grown(i, #))",
                    "(i * 1.5 < grown(i, #))",
                    "fint(i + 0.25 + grown(i, 1) + (i = # & 7))",
                    "(a[j & 3] == a[j++ & 3])",
                ]);
                options.extend([
                    (1, (call, e.clone()).prop_map(fill).boxed()),
                    (
                        2,
                        (place(e.clone()), assign, e.clone())
                            .prop_map(|(p, o, e)| format!("({p} {o} {e})"))
                            .boxed(),
                    ),
                    (1, place(e.clone()).prop_map(|p| format!("{p}++")).boxed()),
                    (1, place(e.clone()).prop_map(|p| format!("(--{p})")).boxed()),
                    (
                        1,
                        (e.clone(), plain_place())
                            .prop_map(|(e, p)| format!("g({e}, {p})"))
                            .boxed(),
                    ),
                    (
                        1,
                        (e.clone(), plain_place())
                            .prop_map(|(e, p)| format!("heavy({e}, {p})"))
                            .boxed(),
                    ),
                ]);
            }
            proptest::strategy::Union::new_weighted(options)
        })
        .boxed()
}

/// Variables of type `int`, for references.
fn plain_place() -> Text {
    prop::sample::select(vec![
        "i",
        "j",
        "a[1]",
        "ref",
        "l",
        "a[i & 3]",
        "grid[1][j & 3]",
        "(b ? i : j)",
        "par[id]",
        "s.r[b]",
    ])
    .prop_map(str::to_owned)
    .boxed()
}

/// A left side.
fn place(index: Text) -> Text {
    let shape = prop::sample::select(vec![
        "i",
        "j",
        "small",
        "m",
        "a[#]",
        "idx[#]",
        "grid[#][1]",
        "grid[1][#]",
        "off[#]",
        "s.p",
        "rs[#].p",
        "rs[1].r[#]",
        "l",
        "la[#]",
        "ref",
        "par[#]",
        "(b ? i : j)",
        "(c ? a[#] : a2[1])",
        "ts[#].n",
        "lg[#].p",
        "by_sc[sc]",
        "lm",
        "w32",
        "wide[#]",
    ]);
    (shape, index)
        .prop_map(|(shape, e)| shape.replace('#', &e))
        .boxed()
}

fn statement() -> Text {
    let e = int(true);
    let copies = prop::sample::select(vec![
        "s = t;",
        "rs[#] = s;",
        "s = rs[#];",
        "pp = mk(#, c);",
        "ps[#] = mk(1, #);",
        "ps[#] = pp;",
        "a = a2;",
        "a2 = grid[1];",
        "grid[#] = a;",
        "swap(i, j);",
        "swap(a[#], ref);",
        "clear(a);",
        "clear(grid[#]);",
        "sc = sc2;",
        "b = #;",
        "c = # > 3;",
        "rs[#].q = b;",
        "s.q = #;",
        "x = #;",
        "xs[#] = 3;",
        "x = y;",
        "xs[#] = x + 2;",
        "cx = #;",
        "y = cx - 1;",
        "ts[1].c = #;",
        "tt = ts[#];",
        "lx = xs[#];",
        "bump(#);",
        "par = a;",
        "assert(#);",
    ]);
    let leaf = prop_oneof![
        2 => e.clone().prop_map(|e| format!("{e};")),
        3 => (place(int(true)), e.clone()).prop_map(|(p, e)| format!("{p} = {e};")),
        2 => (copies, e).prop_map(|(shape, e)| shape.replace('#', &e)),
    ]
    .boxed();
    leaf.prop_recursive(3, 16, 3, |inner| {
        let e = int(true);
        let several = prop::collection::vec(inner.clone(), 0..3).prop_map(|s| s.join(" "));
        prop_oneof![
            (e.clone(), inner.clone()).prop_map(|(e, s)| format!("if ({e}) {s}")),
            (e.clone(), inner.clone(), inner.clone())
                .prop_map(|(e, s, r)| format!("if ({e}) {{ {s} }} else {{ {r} }}")),
            several
                .clone()
                .prop_map(|s| format!("for (q : id_t) {{ {s} a[q] = q; }}")),
            several
                .clone()
                .prop_map(|s| format!("for (q : int[1,2]) {{ {s} }}")),
            several
                .clone()
                .prop_map(|s| format!("{{ int w = 0; while (w < 3) {{ w++; {s} }} }}")),
            several
                .clone()
                .prop_map(|s| format!("{{ int[0,9] w = 2; do {{ w--; {s} }} while (w > 0); }}")),
            (e.clone(), several).prop_map(|(e, s)| format!(
                "{{ int k = {e}; const int w[2] = {{k, 3}}; {s} i = w[1] + k; }}"
            )),
            e.prop_map(|e| format!("if ({e}) return;")),
        ]
    })
    .boxed()
}

fn guard() -> Text {
    let shapes = prop::sample::select(vec![
        "x <= #",
        "xs[#] > 3",
        "x - y < #",
        "# && x >= 2 && #",
        "# imply y < 4",
        "# || xs[id] >= #",
        "forall (q : id_t) xs[q] <= q + #",
        "x == cx + #",
        "3 < lx",
        "forall (q : id_t) (q < # imply xs[q] - x > 1)",
        "#",
        "# && #",
        "tt.c < # && ts[#].c > 1",
    ]);
    (shapes, int(false), int(false))
        .prop_map(|(shape, a, b)| {
            shape
                .replacen('#', &format!("({a})"), 1)
                .replace('#', &format!("({b})"))
        })
        .boxed()
}

fn invariant() -> Text {
    let shapes = prop::sample::select(vec![
        "x <= #",
        "# imply y < 9",
        "x' == # && y <= 5",
        "# imply lx' == 0",
        "forall (q : id_t) (xs[q] < # && (q == 1 imply xs[q]' == 0))",
        "#",
        "# || cx' == 0",
    ]);
    (shapes, int(false))
        .prop_map(|(shape, e)| shape.replace('#', &format!("({})", unselected(&e))))
        .boxed()
}

#[derive(Clone, Debug)]
struct Labels {
    guards: Vec<String>,
    channel: String,
    updates: Vec<String>,
    body: Vec<String>,
    invariant: String,
    query: String,
}

fn labels() -> impl Strategy<Value = Labels> {
    (
        prop::collection::vec(guard(), 1..4),
        int(false),
        prop::collection::vec(int(true), 1..3),
        prop::collection::vec(statement(), 0..4),
        invariant(),
        int(false),
    )
        .prop_map(|(guards, channel, updates, body, invariant, query)| Labels {
            guards,
            channel,
            updates,
            body,
            invariant,
            query,
        })
}

impl Labels {
    fn text(&self) -> String {
        // The helper must stand before its caller, and after what it uses.
        let (before, after) = HEAD.split_at(HEAD.find("    int heavy(").unwrap());
        let body = unselected(&self.body.join("\n        "));
        let mut edges: Vec<String> = self
            .guards
            .iter()
            .map(|g| {
                format!(
                    "L -> L {{ select sel : id_t, sel2 : int[1,2]; guard {g}; sync chs[{}]!; }}",
                    self.channel
                )
            })
            .collect();
        edges.push(format!(
            "L -> L {{ select sel : id_t, sel2 : int[1,2]; guard sel == 2 || sel == id; assign {}; }}",
            self.updates.join(", ")
        ));
        edges.push("L -> L { assign body(1); }".to_owned());
        format!(
            "{before}{HELPER}{after}
    process P(const id_t id, int &ref, clock &cx, const int v, int &par[4], const int lt[3]) {{
        int l; int[0,5] la[3]; const int lc = id * 2; rec_t lg[2]; clock lx; meta int[0,30] lm;
        int local(int k) {{ return k + l + lc; }}
        void bump(int by) {{ l += by; la[by] += 1; lx = la[by]; ref = ref - by; }}
        void body(int by) {{
        {body}
        }}
        state L {{ {} }};
        init L;
        trans {};
    }}
    const int L0[3] = {{1, 2, 3}};
    A = P(0, i, x, 5, a, L0);
    B(const int[1,2] n) = P(n, a2[n], xs[n], -n, grid[n], L0);
    system A, B;",
            self.invariant,
            edges.join(",\n            ")
        )
    }
}

/// Names of selects mean nothing outside their edges.
fn unselected(text: &str) -> String {
    text.replace("sel2", "2").replace("sel", "1")
}

/// Any value of a type.
fn randomise(value: &mut Value, ty: &Type, evaluator: &mut Evaluator<'_>, random: &mut Random) {
    match (value, ty) {
        (Value::Array(parts), Type::Array(array)) => {
            parts
                .iter_mut()
                .for_each(|p| randomise(p, &array.element, evaluator, random));
        }
        (Value::Struct(parts), Type::Struct(fields)) => {
            parts
                .iter_mut()
                .zip(&fields.fields)
                .for_each(|(p, (_, t))| randomise(p, t, evaluator, random));
        }
        (Value::Int(i), _) => {
            let domain = evaluator.domain(ty, Span::NONE).unwrap();
            // Small values are more interesting than large ones, and so are the ends of ranges.
            let (lo, hi) = match random.below(16) {
                0 | 1 => (domain.lo, domain.hi),
                2 => (domain.hi.saturating_sub(2).max(domain.lo), domain.hi),
                3 => (domain.lo, domain.lo.saturating_add(2).min(domain.hi)),
                _ => (domain.lo.max(-3), domain.hi.min(5)),
            };
            let (lo, hi) = (i64::from(lo), i64::from(hi));
            *i = (lo + random.below((hi - lo + 1) as u64) as i64) as i32;
        }
        _ => {}
    }
}

fn random_state(loaded: &Loaded, random: &mut Random) -> State {
    let (model, system) = (&loaded.model, &loaded.system);
    let mut memory = system.initial.clone();
    let mut world = CompileTime;
    let constants = system.initial.clone();
    for (value, variable) in memory
        .globals
        .iter_mut()
        .zip(&model.globals)
        .filter(|(_, v)| !v.is_const)
    {
        let mut evaluator = Evaluator::new(model.into(), Store::Shared(&constants), &mut world);
        randomise(value, &variable.ty, &mut evaluator, random);
    }
    for (number, process) in system.processes.iter().enumerate() {
        let variables = &model.templates[process.template.index()].variables;
        let scope = Scope {
            process: ProcessId::from_index(number),
            bindings: &process.bindings,
            variables,
        };
        for (value, variable) in memory.locals[number]
            .iter_mut()
            .zip(variables)
            .filter(|(_, v)| !v.is_const)
        {
            let evaluator = Evaluator::new(model.into(), Store::Shared(&constants), &mut world);
            randomise(value, &variable.ty, &mut evaluator.in_process(scope), random);
        }
    }
    State {
        locations: vec![LocationId(0); system.processes.len()],
        memory,
        clocks: system
            .clocks
            .iter()
            .map(|_| Rational::new(random.below(24) as i128, 4).unwrap())
            .collect(),
        time: Rational::ZERO,
    }
}

fn compare(labels: &Labels, seed: u64) -> bool {
    let text = labels.text();
    let query = format!(
        "E<> A.L && (forall (q : id_t) a[q] >= 0 || B(1).l == i && x < B(2).lx) && {}",
        labels.query
    );
    let query = query.replace("id", "1").replace("q : 1_t", "q : id_t");
    let loaded = support::load_with("test.xta", text.as_bytes(), Some(Format::Xta), &[&query]);
    let Ok(loaded) = loaded else {
        return false;
    };
    // A clock plus a condition is arithmetic beyond what any engine runs.
    let Ok(interpreter) = Interpreter::new(&loaded.model, &loaded.system) else {
        return false;
    };
    let builder = NetworkBuilder::new(&loaded.model, &loaded.system)
        .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let mut judge = Judge::new(&loaded, builder);
    let mut random = Random::new(seed);
    for _ in 0..6 {
        let state = random_state(&loaded, &mut random);
        judge.check(&state, &interpreter);
    }
    true
}

/// A condition on the variable `of` of a quantifier: some parts do not depend on it, and both kinds may fail.
fn quantified_body(of: &'static str) -> Text {
    let fixed = prop::sample::select(vec![
        "b",
        "i > 3",
        "a[i] > 0",
        "10 / i < 2",
        "j % small == 1",
        "(1 << j) > 4",
        "idx[small] == 2",
        "2 ** i > 8",
        "l <= v",
    ])
    .prop_map(str::to_owned);
    let varied = prop::sample::select(vec![
        "# > 7",
        "# == i",
        "a[#] > 0",
        "idx[# & 3] < 2",
        "100 / (# - 5) > 9",
        "(j >> #) == 0",
        "off[#] < 3",
        "i % # == 0",
        "# * 1000000000 > 0",
    ])
    .prop_map(move |shape| shape.replace('#', of));
    prop_oneof![fixed, varied]
        .prop_recursive(3, 10, 3, |part| {
            let list = prop::collection::vec(part.clone(), 2..4);
            prop_oneof![
                2 => list.clone().prop_map(|parts| format!("({})", parts.join(" && "))),
                2 => list.prop_map(|parts| format!("({})", parts.join(" || "))),
                2 => (part.clone(), part.clone()).prop_map(|(a, b)| format!("({a} imply {b})")),
                1 => (part.clone(), part.clone()).prop_map(|(a, b)| format!("({a} xor {b})")),
                1 => part.prop_map(|a| format!("!({a})")),
            ]
        })
        .boxed()
}

/// A quantifier over few values or many, or over none, with perhaps another one inside.
fn quantifier() -> Text {
    let word = || prop::sample::select(vec!["forall", "exists", "sum"]);
    let values = || {
        prop::sample::select(vec![
            "int[0,30]",
            "int[-3,60]",
            "int[0,3]",
            "int[2,2]",
            "int[1,0]",
        ])
    };
    let inner = (word(), values(), quantified_body("r"), quantified_body("q"))
        .prop_map(|(word, values, own, other)| format!("({word} (r : {values}) ({other} && {own}))"));
    let body = prop_oneof![
        2 => quantified_body("q"),
        1 => (quantified_body("q"), inner.clone()).prop_map(|(a, b)| format!("({a} imply {b})")),
        1 => (inner, quantified_body("q")).prop_map(|(a, b)| format!("({a} && {b})")),
    ];
    (word(), values(), body)
        .prop_map(|(word, values, body)| format!("(({word} (q : {values}) {body}) > 0)"))
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    /// The code looks at what decides a quantifier without its variable first, and the tree is evaluated value by value:
    /// the values and the errors are the same, and so are their places.
    #[test]
    fn quantifiers_fail_where_their_bodies_do(guard in quantifier(), query in quantifier(), seed: u64) {
        let labels = Labels {
            guards: vec![guard],
            channel: "0".to_owned(),
            updates: vec!["i = 1".to_owned()],
            body: Vec::new(),
            invariant: "true".to_owned(),
            query: query.replace("l <= v", "i <= j"),
        };
        prop_assert!(compare(&labels, seed), "{}", labels.text());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn code_means_what_the_tree_means(labels in labels(), seed: u64) {
        compare(&labels, seed);
    }
}

/// Most random models are well-formed, or the property above would say little.
#[test]
fn most_random_models_are_well_formed() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut reasons: std::collections::BTreeMap<String, u32> = std::collections::BTreeMap::new();
    let mut good = 0;
    for _ in 0..200 {
        let labels = labels().new_tree(&mut runner).unwrap().current();
        match load("test.xta", labels.text().as_bytes(), Some(Format::Xta)) {
            Ok(_) => good += 1,
            Err(errors) => *reasons.entry(errors[0].clone()).or_default() += 1,
        }
    }
    println!("{good} of 200; {reasons:#?}");
    assert!(good > 100, "{good} of 200: {reasons:#?}");
}
