//! CSMA/CD: stations that listen before they send, on a bus where two may still collide.
//!
//! After X. Nicollin, J. Sifakis, S. Yovine, "Compiling real-time specifications into extended automata", IEEE
//! Transactions on Software Engineering 18(9), 1992: a signal takes up to sigma to reach all stations, a frame takes lambda.
//! Bounds are not strict here, so that every state that time leads to can be left.

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "csma-cd",
    summary: "CSMA/CD: stations on one bus that detect collisions and try again",
    params: &[
        ParamSpec::number("n", 20, (2, 10_000), "stations"),
        ParamSpec::number("sigma", 26, (1, 10_000), "propagation delay of the bus"),
        ParamSpec::number("lambda", 808, (2, 1_000_000), "time to send a frame"),
    ],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let [n, sigma, lambda] = ["n", "sigma", "lambda"].map(|name| params.get(name));
    if lambda < 2 * sigma {
        return Err(Error::conflict(format!(
            "`lambda` must be at least twice `sigma`, {}: a shorter frame is over before its sender hears of a collision",
            2 * sigma
        )));
    }

    let mut model = Model::new("CSMA/CD: carrier sense, multiple access, collision detection");
    model.declare(format!(
        "
        const int N = {n};           // stations
        const int SIGMA = {sigma};       // a signal reaches all stations within this time
        const int LAMBDA = {lambda};     // sending a frame takes this long
        typedef int[1, N] id_t;

        chan begin, end, busy;   // a station begins and ends a frame, or hears that there is one
        chan cd[id_t];           // each station hears of a collision
        "
    ));
    model.templates.push(bus());
    model.templates.push(station());
    model.system = "system Bus, Station;".to_owned();

    let (sender, watched) = (n.min(3), n.min(7));
    model.query(
        format!(
            "E<> Station({sender}).transmit && Station({sender}).x >= 2 * SIGMA && \
             (forall (i : int[1, {watched}]) i != {sender} imply Station(i).retry)"
        ),
        Expected::Satisfied,
        format!(
            "Station {sender} has the bus for itself; the other ones up to {watched} have noticed it and will retry."
        ),
    );
    model.query(
        "A[] forall (i : id_t) forall (j : id_t) \
         Station(i).transmit && Station(i).x > 2 * SIGMA && Station(j).transmit imply i == j",
        Expected::Satisfied,
        "A station that has been sending for more than twice the propagation delay is alone: the second one began within sigma \
         and the collision was heard within another sigma.",
    );
    model.query(
        "A[] not deadlock",
        Expected::Satisfied,
        "A station that may not wait any longer finds the bus idle, or young enough to collide, or busy and retries.",
    );
    Ok(model)
}

fn bus() -> Template {
    let mut bus = Template::new("Bus", "");
    bus.declare(
        "
        clock x;
        id_t next = 1;        // who hears next of the collision
        ",
    );
    let idle = bus.add(at(0.0, 0.0, "idle"));
    let active = bus.add(at(1.0, 0.0, "active"));
    let collision = bus.add(at(1.0, 1.0, "collision").invariant("x <= SIGMA"));
    let jam = bus.add(at(0.0, 1.0, "jam").committed());
    bus.edge(idle, active).sync("begin?").update("x = 0");
    bus.edge(active, idle).sync("end?").update("x = 0");
    bus.edge(active, active).guard("x >= SIGMA").sync("busy!");
    bus.edge(active, collision)
        .guard("x <= SIGMA")
        .sync("begin?")
        .update("x = 0");
    bus.edge(collision, jam).sync("cd[next]!").update("next++");
    bus.edge(jam, jam)
        .guard("next < N")
        .sync("cd[next]!")
        .update("next++");
    bus.edge(jam, idle)
        .guard("next == N")
        .sync("cd[next]!")
        .update("next = 1")
        .update("x = 0");
    bus
}

fn station() -> Template {
    let mut station = Template::new("Station", "const id_t id");
    station.spacing = (340.0, 221.0);
    station.declare("clock x;");
    let wait = station.add(at(0.0, 0.0, "wait"));
    let transmit = station.add(at(1.6, 0.0, "transmit").invariant("x <= LAMBDA"));
    let retry = station.add(at(0.8, 1.4, "retry").invariant("x <= 2 * SIGMA"));
    station.edge(wait, transmit).sync("begin!").update("x = 0");
    station.edge(wait, wait).sync("cd[id]?").update("x = 0");
    station.edge(wait, retry).sync("cd[id]?").update("x = 0");
    station.edge(wait, retry).sync("busy?").update("x = 0");
    station
        .edge(transmit, wait)
        .guard("x == LAMBDA")
        .sync("end!")
        .update("x = 0");
    station
        .edge(transmit, retry)
        .guard("x <= 2 * SIGMA")
        .sync("cd[id]?")
        .update("x = 0");
    station.edge(retry, transmit).sync("begin!").update("x = 0");
    station
        .edge(retry, retry)
        .sync("cd[id]?")
        .update("x = 0")
        .via(&[(0.55, 1.7), (0.7, 1.7)]);
    station
        .edge(retry, retry)
        .sync("busy?")
        .update("x = 0")
        .via(&[(0.9, 1.7), (1.05, 1.7)]);
    station
}
