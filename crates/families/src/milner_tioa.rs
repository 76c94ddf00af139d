//! Milner's scheduler as timed I/O automata: a ring of nodes that hand on a token refines what it promises to its users.
//!
//! After A. Kiviriga, K. G. Larsen, U. Nyman, "Randomized Refinement Checking of Timed I/O Automata", SETTA 2020: a node keeps
//! the token for more than d, and has worked and passed it on within D. A token that comes to a node before that is lost. Node 0
//! works at least once in (N + 1) D; the specification asks for V less.

use crate::Family;
use crate::error::Error;
use crate::model::component::Component;
use crate::model::{Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "milner-tioa",
    summary: "Milner's ring as timed I/O automata, and what it should refine",
    params: &[
        ParamSpec::number("n", 8, (2, 1000), "nodes"),
        ParamSpec::number("d", 4, (0, 10_000), "a node keeps the token longer than this"),
        ParamSpec::number(
            "deadline",
            30,
            (1, 10_000),
            "it has worked and passed the token on within this time",
        ),
        ParamSpec::number(
            "v",
            2,
            (0, 100),
            "how much less than the longest round is specified, in percent",
        ),
    ],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let [n, d, deadline, percent] = ["n", "d", "deadline", "v"].map(|name| params.get(name));
    if d >= deadline {
        return Err(Error::conflict(format!(
            "`d`, {d}, must be less than `deadline`, {deadline}: the token could never be passed on"
        )));
    }
    let longest = (n + 1) * deadline;
    let less = (percent * longest + 99) / 100;

    let mut model = Model::new("Milner's scheduler: a ring of nodes as timed I/O automata");
    model.declare(format!(
        "
        const int N = {n};           // nodes
        const int d = {d};           // a node keeps the token longer than this
        const int D = {deadline};           // it has worked and passed the token on within this time
        const int V = {less};           // how much less than the longest round is specified
        typedef int[0, N - 1] id_t;

        chan rec[N], w[N];
        "
    ));
    model.templates = vec![node(false), node(true), spec()];
    let mut system = "N0 = First();\n".to_owned();
    for i in 1..n {
        system += &format!("N{i} = Node({i});\n");
    }
    let nodes: Vec<String> = (0..n).map(|i| format!("N{i}")).collect();
    system += "\nIO Node(i) { rec[i]?, rec[(i + 1) % N]!, w[i]! }\n\
               IO First { rec[0]?, rec[1]!, w[0]! }\n\
               IO Spec { rec!, w! }\n\n";
    system += &format!("system {}, Spec;", nodes.join(", "));
    model.system = system;

    for i in 0..n {
        model.components.push(node_component(n, i, d, deadline));
    }
    model.components.push(spec_component(n, longest - less));

    let ring = nodes.join(" || ");
    model.query(
        format!("refinement: {ring} <= Spec"),
        Expected::satisfied_if(less == 0 && n * d >= deadline),
        "Node 0 works often enough: the longest time between two works of it is (N + 1) D. If N d < D the token can come round \
         too early and is lost.",
    );
    model.query(
        format!("consistency: {ring}"),
        Expected::Satisfied,
        "No node can be driven into an inconsistent state: d < D.",
    );
    model.query(
        "determinism: Spec",
        Expected::Satisfied,
        "What a specification does is known from the actions and times.",
    );
    Ok(model)
}

/// Node 0 begins with the token, and is a template of its own for that.
fn node(is_first: bool) -> Template {
    let (name, parameters, [own, next]) = if is_first {
        ("First", "", ["0", "1"])
    } else {
        ("Node", "const id_t i", ["i", "(i + 1) % N"])
    };
    let mut node = Template::new(name, parameters);
    node.declare("clock x, y;        // since the token came");
    let both = at(0.5, 1.6, "Both").invariant("x <= D");
    let idle = at(0.5, 0.0, "Idle");
    let (idle, both) = if is_first {
        let both = node.add(both);
        (node.add(idle), both)
    } else {
        (node.add(idle), node.add(both))
    };
    let pass = node.add(at(0.0, 0.8, "Pass").invariant("x <= D"));
    let work = node.add(at(1.0, 0.8, "Work").invariant("x <= D"));
    node.edge(idle, both)
        .sync(format!("rec[{own}]?"))
        .update("x = 0")
        .update("y = 0");
    node.edge(both, pass).sync(format!("w[{own}]!"));
    node.edge(both, work).guard("y > d").sync(format!("rec[{next}]!"));
    node.edge(pass, idle).guard("y > d").sync(format!("rec[{next}]!"));
    node.edge(work, idle).sync(format!("w[{own}]!"));
    for place in [both, pass, work] {
        node.edge(place, place).sync(format!("rec[{own}]?"));
    }
    node
}

fn spec() -> Template {
    let mut spec = Template::new("Spec", "");
    spec.declare("clock z;        // since node 0 worked");
    let fine = spec.add(at(0.0, 0.0, "Fine").invariant("z <= (N + 1) * D - V"));
    spec.edge(fine, fine).select("e : id_t").sync("rec[e]!");
    spec.edge(fine, fine)
        .select("e : id_t")
        .guard("e != 0")
        .sync("w[e]!");
    spec.edge(fine, fine).sync("w[0]!").update("z = 0");
    spec
}

fn node_component(n: i64, i: i64, d: i64, deadline: i64) -> Component {
    let mut node = Component::new(format!("N{i}"), "x, y");
    let soon = format!("x <= {deadline}");
    let (idle, both) = if i == 0 {
        let both = node.add((0.5, 1.6), "Both", &soon);
        (node.add((0.5, 0.0), "Idle", ""), both)
    } else {
        (
            node.add((0.5, 0.0), "Idle", ""),
            node.add((0.5, 1.6), "Both", &soon),
        )
    };
    let pass = node.add((0.0, 0.8), "Pass", &soon);
    let work = node.add((1.0, 0.8), "Work", &soon);
    let comes = format!("rec{i}?");
    let goes = format!("rec{}!", (i + 1) % n);
    let works = format!("w{i}!");
    let kept = format!("y > {d}");
    node.edge((idle, both), &comes, "", "x = 0, y = 0");
    node.edge((both, pass), &works, "", "");
    node.edge((both, work), &goes, &kept, "");
    node.edge((pass, idle), &goes, &kept, "");
    node.edge((work, idle), &works, "", "");
    for place in [both, pass, work] {
        node.edge((place, place), &comes, "", "");
    }
    node
}

fn spec_component(n: i64, bound: i64) -> Component {
    let mut spec = Component::new("Spec", "z");
    let fine = spec.add((0.0, 0.0), "Fine", format!("z <= {bound}"));
    for e in 0..n {
        spec.edge((fine, fine), format!("rec{e}!"), "", "");
    }
    for e in 1..n {
        spec.edge((fine, fine), format!("w{e}!"), "", "");
    }
    spec.edge((fine, fine), "w0!", "", "z = 0");
    spec
}
