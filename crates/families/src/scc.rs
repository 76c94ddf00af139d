//! Strongly connected components with one exit each: a search that has entered one stays there for long.
//!
//! After T. Engels et al., "Search algorithms for automated validation", Journal of Logic and Algebraic Programming 78,
//! 2009, figure 4 and appendix A: states and transitions are those of the paper's graph.

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "scc",
    summary: "complete graphs with one exit each, without time",
    params: &[
        ParamSpec::number("n", 5, (1, 10_000), "components"),
        ParamSpec::number("size", 5, (1, 10_000), "states of a component"),
        ParamSpec::number(
            "number",
            0,
            (0, 10_000),
            "the component whose exit is to be found, from 1; 0: any",
        ),
    ],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let [n, size, number] = ["n", "size", "number"].map(|name| params.get(name));
    if number > n {
        return Err(Error::conflict(format!(
            "`number`, {number}, must not exceed `n`, {n}: the components have the numbers 1 to n"
        )));
    }
    let mut model = Model::new("Strongly connected components with one exit each");
    model.declare(format!(
        "
        const int N = {n};        // components
        const int SIZE = {size};     // states of a component
        typedef int[1, N] component_t;
        typedef int[1, SIZE] pos_t;
        "
    ));
    model.templates.push(walker());
    model.system = "system Walker;".to_owned();

    match number {
        0 => model.query("E<> Walker.out", Expected::Satisfied, "Some exit."),
        _ => model.query(
            format!("E<> Walker.out && Walker.component == {number}"),
            Expected::Satisfied,
            format!("The exit of component {number}."),
        ),
    }
    model.query(
        "A[] not deadlock",
        Expected::NotSatisfied,
        "Nothing follows an exit.",
    );
    model.query(
        "A[] deadlock imply Walker.out",
        Expected::Satisfied,
        "There is no other deadlock.",
    );
    Ok(model)
}

fn walker() -> Template {
    let mut walker = Template::new("Walker", "");
    walker.declare(
        "
        int[0, N] component;        // 0 before the first step
        int[0, SIZE] pos;           // 0 outside components
        ",
    );
    walker.spacing = (306.0, 170.0);
    let start = walker.add(at(0.0, 0.0, "start"));
    let inside = walker.add(at(1.0, 0.0, "inside"));
    let out = walker.add(at(2.0, 0.0, "out"));
    walker
        .edge(start, inside)
        .select("c : component_t")
        .update("component = c")
        .update("pos = 1");
    walker
        .edge(inside, inside)
        .select("p : pos_t")
        .guard("p != pos")
        .update("pos = p");
    walker.edge(inside, out).guard("pos == SIZE").update("pos = 0");
    walker
}
