//! A diamond of states, as two independent counters make it: its corners are hard to hit by chance.
//!
//! After T. Engels et al., "Search algorithms for automated validation", Journal of Logic and Algebraic Programming 78,
//! 2009, figure 2 and appendix A: states and transitions are those of the paper's graph.

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "diamond",
    summary: "a diamond of states, without time: n squared of them, n at the widest part",
    params: &[
        ParamSpec::number("n", 10, (2, 10_000), "states at the widest part"),
        ParamSpec::number(
            "number",
            0,
            (0, 10_000),
            "which of these to reach, counted from 1 at one corner to n at the other; 0: any",
        ),
    ],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let [n, number] = ["n", "number"].map(|name| params.get(name));
    if number > n {
        return Err(Error::conflict(format!(
            "`number`, {number}, must not exceed `n`, {n}: the states at the widest part have the numbers 1 to n"
        )));
    }
    let mut model = Model::new("A diamond of states");
    model.declare(format!(
        "
        const int N = {n};        // states at the widest part
        "
    ));
    model.templates.push(diamond());
    model.system = "system Diamond;".to_owned();

    match number {
        0 => model.query(
            "E<> Diamond.i + Diamond.j == N - 1",
            Expected::Satisfied,
            "Some state at the widest part, N - 1 steps from the beginning.",
        ),
        _ => model.query(
            format!(
                "E<> Diamond.i + Diamond.j == N - 1 && Diamond.j == {}",
                number - 1
            ),
            Expected::Satisfied,
            format!("State number {number} of the widest part, N - 1 steps from the beginning."),
        ),
    }
    model.query(
        "A[] not deadlock",
        Expected::NotSatisfied,
        "The far corner, where every path ends that does not stay at the widest part forever.",
    );
    model.query(
        "A[] deadlock imply Diamond.i == N - 1 && Diamond.j == N - 1",
        Expected::Satisfied,
        "There is no other deadlock.",
    );
    Ok(model)
}

fn diamond() -> Template {
    let mut diamond = Template::new("Diamond", "");
    diamond.declare("int[0, N - 1] i, j;");
    let here = diamond.add(at(0.0, 0.0, "here"));
    diamond.edge(here, here).guard("i < N - 1").update("i++");
    diamond.edge(here, here).guard("j < N - 1").update("j++");
    // The paper's states at the widest part report their number, by a transition of their own.
    diamond.edge(here, here).guard("i + j == N - 1");
    diamond
}
