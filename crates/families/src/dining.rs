//! Dining philosophers: all take their own fork first, and if all do so at the same time, none can eat.
//!
//! After E. W. Dijkstra, "Hierarchical ordering of sequential processes", Acta Informatica 1, 1971, with the steps of the
//! example that comes with mCRL2, which T. Engels et al., "Search algorithms for automated validation", Journal of Logic and
//! Algebraic Programming 78, 2009, search with 5 and 17 philosophers: the two systems have the same states and transitions.

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "dining",
    summary: "dining philosophers, all of whom take the fork on the same side first",
    params: &[ParamSpec::number("n", 8, (2, 10_000), "philosophers")],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let n = params.get("n");
    let mut model = Model::new("Dining philosophers");
    model.declare(format!(
        "
        const int N = {n};               // philosophers, and forks
        typedef int[0, N - 1] id_t;

        bool taken[id_t];            // fork i lies between philosophers i - 1 and i

        id_t next(id_t i)
        {{
            return (i + 1) % N;
        }}
        "
    ));
    model.templates.push(philosopher());
    model.system = "system Phil;".to_owned();

    model.query(
        "A[] not deadlock",
        Expected::NotSatisfied,
        "Every philosopher holds one fork and waits for the other one: the only deadlock.",
    );
    model.query(
        "E<> forall (i : id_t) Phil(i).hungry",
        Expected::Satisfied,
        "That state by its description.",
    );
    model.query(
        "A[] forall (i : id_t) Phil(i).holding + Phil(i).fed + Phil(next(i)).holding + Phil(next(i)).fed <= 1",
        Expected::Satisfied,
        "Neighbours do not eat at the same time: they share a fork.",
    );
    Ok(model)
}

fn philosopher() -> Template {
    let mut phil = Template::new("Phil", "const id_t id");
    let thinking = phil.add(at(0.0, 0.0, "thinking"));
    let hungry = phil.add(at(1.0, 0.0, "hungry"));
    let holding = phil.add(at(2.0, 0.0, "holding"));
    let fed = phil.add(at(2.0, 1.0, "fed"));
    let leaving = phil.add(at(0.0, 1.0, "leaving"));
    phil.edge(thinking, hungry)
        .guard("!taken[id]")
        .update("taken[id] = true");
    phil.edge(hungry, holding)
        .guard("!taken[next(id)]")
        .update("taken[next(id)] = true");
    phil.edge(holding, fed);
    phil.edge(fed, leaving).update("taken[id] = false");
    phil.edge(leaving, thinking).update("taken[next(id)] = false");
    phil
}
