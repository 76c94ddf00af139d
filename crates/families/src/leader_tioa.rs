//! Leader election in a ring as timed I/O automata, with mutants.
//!
//! After A. Kiviriga, K. G. Larsen, U. Nyman, "Randomized Refinement Checking of Timed I/O Automata", SETTA 2020, from its text: a
//! node tells the next one the highest priority that it has heard of, at least once in MaxD. Whose own priority comes back is the
//! leader and says so at once. The specification wants the right leader within N MaxD, less V.

use crate::Family;
use crate::error::Error;
use crate::model::component::Component;
use crate::model::{Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "leader-tioa",
    summary: "leader election in a ring as timed I/O automata, with mutants",
    params: &[
        ParamSpec::number("n", 5, (2, 20), "nodes"),
        ParamSpec::number("maxd", 2, (1, 1000), "a node speaks at least once in this time"),
        ParamSpec::number(
            "v",
            2,
            (0, 20_000),
            "how much less than the longest election is specified",
        ),
        ParamSpec::choice(
            "mutant",
            &["none", "m1", "m2", "m3", "m4"],
            "a node that is too slow, sends its own priority, records nothing, or records its id",
        ),
        ParamSpec::choice("mutants", &["one", "all"], "how many nodes are mutants"),
    ],
    build,
};

/// Faults planted in a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mutant {
    /// A correct node.
    None,
    /// It may take twice the time.
    Slow,
    /// It sends its own priority instead of the best one.
    SendsOwn,
    /// It does not record what it hears.
    Forgets,
    /// It records its id instead of the priority.
    RecordsId,
}

const MUTANTS: [Mutant; 5] = [
    Mutant::None,
    Mutant::Slow,
    Mutant::SendsOwn,
    Mutant::Forgets,
    Mutant::RecordsId,
];

/// The node that is a mutant if one is. It has the least priority, so that the mistake shows.
const MUTATED: i64 = 0;

/// Priorities in an order that is neither rising nor falling, where the number of nodes allows it; node 0 has the least.
fn priorities(n: i64) -> Vec<i64> {
    let is_coprime = |k: &i64| {
        let (mut a, mut b) = (*k, n);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a == 1
    };
    let factor = (2..).find(is_coprime).unwrap_or(1);
    (0..n).map(|id| (id * factor) % n).collect()
}

fn build(params: &Params) -> Result<Model, Error> {
    let [n, maxd, less] = ["n", "maxd", "v"].map(|name| params.get(name));
    let longest = n * maxd;
    if less > longest {
        return Err(Error::conflict(format!(
            "`v`, {less}, must not exceed the longest election, {longest}"
        )));
    }
    let mutant = MUTANTS[params.get("mutant") as usize];
    let are_all = params.get("mutants") == 1;
    let kind = |id| {
        if are_all || id == MUTATED {
            mutant
        } else {
            Mutant::None
        }
    };
    let priorities = priorities(n);
    let best = priorities.iter().position(|&pr| pr == n - 1).unwrap_or(0) as i64;

    let mut model = Model::new("Leader election in a ring of timed I/O automata");
    model.declare(format!(
        "
        const int N = {n};           // nodes
        const int MaxD = {maxd};           // a node speaks at least once in this time
        const int V = {less};           // how much less than the longest election is specified
        const int BEST = {best};           // the node of highest priority
        typedef int[0, N - 1] id_t;

        chan send[N][N];        // by whom, and what priority
        chan leader[N];
        "
    ));
    let used = |wanted: bool| (0..n).any(|id| (kind(id) == Mutant::None) == wanted);
    if used(true) {
        model.templates.push(node("Node", Mutant::None));
    }
    if used(false) {
        model.templates.push(node("Mutant", mutant));
    }
    model.templates.push(spec());
    model.system = system(&model, &priorities, |id| match kind(id) {
        Mutant::None => "Node",
        _ => "Mutant",
    });
    for (id, &pr) in (0..).zip(&priorities) {
        model.components.push(node_component(n, id, pr, maxd, kind(id)));
    }
    model.components.push(spec_component(n, longest - less, best));

    let nodes: Vec<String> = (0..n).map(|i| format!("N{i}")).collect();
    let ring = nodes.join(" || ");
    model.query(
        format!("refinement: {ring} <= Spec"),
        Expected::satisfied_if(less == 0 && mutant == Mutant::None),
        "The right leader is elected in time: each of the N hops of the highest priority takes at most MaxD.",
    );
    model.query(
        format!("consistency: {ring}"),
        Expected::Satisfied,
        "No node can be driven into an inconsistent state.",
    );
    model.query(
        "determinism: Spec",
        Expected::Satisfied,
        "What a specification does is known from the actions and times.",
    );
    Ok(model)
}

fn system(model: &Model, priorities: &[i64], template: impl Fn(i64) -> &'static str) -> String {
    let mut system = String::new();
    let mut names = Vec::new();
    for (id, pr) in (0..).zip(priorities) {
        system += &format!("N{id} = {}({id}, {pr});\n", template(id));
        names.push(format!("N{id}"));
    }
    system += "\n";
    for template in &model.templates {
        if template.name == "Spec" {
            system += "IO Spec { send!, leader! }\n";
        } else {
            system += &format!(
                "IO {}(id, pr) {{ send[(id + N - 1) % N]?, send[id]!, leader[id]! }}\n",
                template.name
            );
        }
    }
    system + &format!("\nsystem {}, Spec;", names.join(", "))
}

fn node(name: &'static str, mutant: Mutant) -> Template {
    let mut node = Template::new(name, "const id_t id, const id_t pr");
    node.declare(
        "
        clock x;            // since it spoke
        id_t cur = pr;      // the best that it has heard of
        ",
    );
    let patience = if mutant == Mutant::Slow {
        "x <= 2 * MaxD"
    } else {
        "x <= MaxD"
    };
    let run = node.add(at(0.0, 0.0, "Run").invariant(patience));
    let elected = node.add(at(1.2, 0.0, "Elected").invariant("x <= 0"));
    let done = node.add(at(2.0, 0.0, "Done"));
    let heard = "send[(id + N - 1) % N][p]?";
    let said = if mutant == Mutant::SendsOwn {
        "send[id][pr]!"
    } else {
        "send[id][cur]!"
    };
    node.edge(run, run).sync(said).update("x = 0");
    node.edge(run, elected)
        .select("p : id_t")
        .guard("p == pr")
        .sync(heard)
        .update("x = 0")
        .update("cur = pr");
    let better = node.edge(run, run);
    better.select("p : id_t").guard("p != pr && p > cur").sync(heard);
    match mutant {
        Mutant::Forgets => {}
        Mutant::RecordsId => {
            better.update("cur = id");
        }
        _ => {
            better.update("cur = p");
        }
    }
    node.edge(run, run)
        .select("p : id_t")
        .guard("p != pr && p <= cur")
        .sync(heard);
    node.edge(elected, done).sync("leader[id]!");
    for place in [elected, done] {
        node.edge(place, place).select("p : id_t").sync(heard);
    }
    node
}

fn spec() -> Template {
    let mut spec = Template::new("Spec", "");
    spec.declare("clock z;");
    let wait = spec.add(at(0.0, 0.0, "Wait").invariant("z <= N * MaxD - V"));
    let done = spec.add(at(1.0, 0.0, "Done"));
    for place in [wait, done] {
        spec.edge(place, place)
            .select("i : id_t, p : id_t")
            .sync("send[i][p]!");
    }
    spec.edge(wait, done).sync("leader[BEST]!");
    spec
}

/// A node without data: a location for each priority that it can have recorded.
fn node_component(n: i64, id: i64, pr: i64, maxd: i64, mutant: Mutant) -> Component {
    let mut node = Component::new(format!("N{id}"), "x");
    let patience = if mutant == Mutant::Slow { 2 * maxd } else { maxd };
    let after = |cur: i64, p: i64| match mutant {
        _ if p <= cur => cur,
        Mutant::Forgets => cur,
        Mutant::RecordsId => id,
        _ => p,
    };
    let mut recorded = vec![pr];
    let mut seen = 0;
    while let Some(&cur) = recorded.get(seen) {
        seen += 1;
        for p in (0..n).filter(|&p| p != pr) {
            let next = after(cur, p);
            if !recorded.contains(&next) {
                recorded.push(next);
            }
        }
    }
    let runs: Vec<usize> = recorded
        .iter()
        .zip(0..)
        .map(|(cur, row)| {
            let row = f64::from(row);
            node.add((0.0, row), format!("Run{cur}"), format!("x <= {patience}"))
        })
        .collect();
    let elected = node.add((1.5, 0.0), "Elected", "x <= 0");
    let done = node.add((2.5, 0.0), "Done", "");
    let heard = |p| format!("send{}_{p}?", (id + n - 1) % n);
    for (&cur, &run) in recorded.iter().zip(&runs) {
        let said = if mutant == Mutant::SendsOwn { pr } else { cur };
        node.edge((run, run), format!("send{id}_{said}!"), "", "x = 0");
        for p in 0..n {
            if p == pr {
                node.edge((run, elected), heard(p), "", "x = 0");
            } else {
                let next = recorded.iter().position(|&other| other == after(cur, p));
                node.edge((run, next.map_or(run, |i| runs[i])), heard(p), "", "");
            }
        }
    }
    node.edge((elected, done), format!("leader{id}!"), "", "");
    for place in [elected, done] {
        for p in 0..n {
            node.edge((place, place), heard(p), "", "");
        }
    }
    let silent = (0..n).map(|p| format!("send{id}_{p}!"));
    know(&mut node, silent);
    node
}

fn spec_component(n: i64, bound: i64, best: i64) -> Component {
    let mut spec = Component::new("Spec", "z");
    let wait = spec.add((0.0, 0.0), "Wait", format!("z <= {bound}"));
    let done = spec.add((1.5, 0.0), "Done", "");
    for place in [wait, done] {
        for i in 0..n {
            for p in 0..n {
                spec.edge((place, place), format!("send{i}_{p}!"), "", "");
            }
        }
    }
    spec.edge((wait, done), format!("leader{best}!"), "", "");
    know(&mut spec, (0..n).map(|k| format!("leader{k}!")));
    spec
}

/// Makes all these actions known: a component that does not know an action does not forbid it.
fn know(component: &mut Component, actions: impl Iterator<Item = String>) {
    for action in actions {
        if !component.actions().contains(&action.as_str()) {
            component.never(action);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::priorities;

    #[test]
    fn priorities_are_a_permutation_with_the_least_first() {
        for n in 2..=20 {
            let mut all = priorities(n);
            assert_eq!(all[0], 0);
            all.sort_unstable();
            assert_eq!(all, (0..n).collect::<Vec<_>>());
        }
        assert_eq!(priorities(5), [0, 2, 4, 1, 3]);
    }
}
