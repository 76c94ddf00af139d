//! A single path to the goal, from each of whose states a path of its own leads back to the beginning.
//!
//! After T. Engels et al., "Search algorithms for automated validation", Journal of Logic and Algebraic Programming 78,
//! 2009, figure 3 and appendix A: states and transitions are those of the paper's graph.

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "back-loops",
    summary: "one path to a deadlock, without time, with a way back to the beginning from every state",
    params: &[ParamSpec::number(
        "n",
        9,
        (1, 10_000),
        "steps to the state before the deadlock",
    )],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let n = params.get("n");
    let mut model = Model::new("A path to a deadlock, with ways back to the beginning");
    model.declare(format!("const int N = {n};        // the last state of the path"));
    model.templates.push(path());
    model.system = "system Path;".to_owned();

    model.query(
        "A[] not deadlock",
        Expected::NotSatisfied,
        "The end of the path, N + 1 steps from the beginning.",
    );
    model.query("E<> Path.end", Expected::Satisfied, "That state by its name.");
    model.query(
        "A[] deadlock imply Path.end",
        Expected::Satisfied,
        "There is no other deadlock: turning back leads to the beginning.",
    );
    Ok(model)
}

fn path() -> Template {
    let mut path = Template::new("Path", "");
    path.declare(
        "
        int[0, N] k;        // how far it is from the beginning
        int[0, N] from;     // which way back this is; 0 on the path itself
        ",
    );
    let forth = path.add(at(0.0, 0.0, "forth"));
    let end = path.add(at(1.0, 0.0, "end"));
    let back = path.add(at(0.0, 1.0, "back"));
    path.edge(forth, forth).guard("k < N").update("k++");
    path.edge(forth, forth).guard("k == 0");
    path.edge(forth, forth).guard("k == 1").update("k = 0");
    path.edge(forth, end).guard("k == N").update("k = 0");
    // The first step back arrives two before: the paper's way back begins beside the state before this one.
    path.edge(forth, back)
        .guard("k >= 2")
        .update("from = k - 1")
        .update("k = k - 2");
    path.edge(back, back).guard("k > 0").update("k--");
    path.edge(back, forth).guard("k == 0").update("from = 0");
    path
}
