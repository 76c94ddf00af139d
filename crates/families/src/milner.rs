//! Milner's scheduler with time: a ring of cyclers that hand on a token, each working once per round.
//!
//! After R. Milner, "A Calculus of Communicating Systems", 1980, with time bounds as in A. David et al., "Compositional
//! verification of real-time systems using Ecdar", Software Tools for Technology Transfer 14(6), 2012: a cycler keeps the
//! token for more than d, and has worked and passed it on within D. The goal is nearly the longest time that can pass
//! between two works of one cycler, which only runs that are slow everywhere reach.

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "milner",
    summary: "Milner's ring of cyclers with time bounds; the first one is late",
    params: &[
        ParamSpec::number("n", 100, (2, 10_000), "cyclers"),
        ParamSpec::number("d", 4, (0, 10_000), "a cycler keeps the token longer than this"),
        ParamSpec::number(
            "deadline",
            30,
            (1, 10_000),
            "it has worked and passed the token on within this time",
        ),
        ParamSpec::number(
            "slack",
            61,
            (0, 1_000_000),
            "how much less than the longest round counts as late",
        ),
    ],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let [n, d, deadline, slack] = ["n", "d", "deadline", "slack"].map(|name| params.get(name));
    if d >= deadline {
        return Err(Error::conflict(format!(
            "`d`, {d}, must be less than `deadline`, {deadline}: the token could never be passed on"
        )));
    }
    let longest = (n + 1) * deadline;
    if slack > longest {
        return Err(Error::conflict(format!(
            "`slack`, {slack}, must not exceed the longest round, {longest}"
        )));
    }

    let mut model = Model::new("Milner's scheduler: a ring of cyclers with time bounds");
    model.declare(format!(
        "
        const int N = {n};           // cyclers
        const int d = {d};            // a cycler keeps the token longer than this
        const int D = {deadline};           // it has worked and passed the token on within this time
        const int V = {slack};           // slack of the requirement
        // Works of a cycler are at most a round and a deadline apart; what is longer than BOUND counts as late.
        const int BOUND = (N + 1) * D - V;
        typedef int[0, N - 1] id_t;

        chan token[N];
        broadcast chan work[N];
        "
    ));
    model.templates.push(cycler());
    model.templates.push(starter());
    model.templates.push(monitor());
    model.system = "system Cycler, Starter, Monitor;".to_owned();

    model.query(
        "E<> Monitor.late",
        Expected::satisfied_if(slack > 0),
        "Cycler 0 has not worked for longer than BOUND, which is possible exactly if V > 0: every cycler has to take its \
         time.",
    );
    model.query(
        "A[] Monitor.fine imply Monitor.z <= (N + 1) * D",
        Expected::Satisfied,
        "The longest time between two works: work at once, let the token go round as slowly as it may, work late.",
    );
    model.query(
        "A[] (sum (i : id_t) (Cycler(i).holding + Cycler(i).worked)) <= 1",
        Expected::Satisfied,
        "There is one token.",
    );
    Ok(model)
}

fn cycler() -> Template {
    let mut cycler = Template::new("Cycler", "const id_t id");
    cycler.declare("clock x;        // since the token came");
    let idle = cycler.add(at(0.5, 0.0, "idle"));
    let holding = cycler.add(at(0.5, 1.6, "holding").invariant("x <= D"));
    let worked = cycler.add(at(0.0, 0.8, "worked").invariant("x <= D"));
    let passed = cycler.add(at(1.0, 0.8, "passed").invariant("x <= D"));
    cycler.edge(idle, holding).sync("token[id]?").update("x = 0");
    cycler.edge(holding, worked).sync("work[id]!");
    cycler
        .edge(holding, passed)
        .guard("x > d")
        .sync("token[(id + 1) % N]!");
    cycler
        .edge(worked, idle)
        .guard("x > d")
        .sync("token[(id + 1) % N]!");
    cycler.edge(passed, idle).sync("work[id]!");
    cycler
}

fn starter() -> Template {
    let mut starter = Template::new("Starter", "");
    let ready = starter.add(at(0.0, 0.0, "ready").committed());
    let done = starter.add(at(1.0, 0.0, "done"));
    starter.edge(ready, done).sync("token[0]!");
    starter
}

fn monitor() -> Template {
    let mut monitor = Template::new("Monitor", "");
    monitor.declare("clock z;        // since cycler 0 worked");
    let fine = monitor.add(at(0.0, 0.0, "fine"));
    let late = monitor.add(at(1.0, 0.0, "late"));
    monitor.edge(fine, fine).sync("work[0]?").update("z = 0");
    monitor.edge(fine, late).guard("z > BOUND");
    monitor
}
