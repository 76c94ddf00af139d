//! Mutual exclusion by a binary tree of arbiters: a request climbs to the root, the grant comes down the same way.
//!
//! Trees of arbiters are an old idea of circuit design (C. L. Seitz, "Ideas about arbiters", Lambda 1(1), 1980) and a benchmark of directed
//! model checking; this one has time. A client that holds the grant gives it back within a time, each arbiter on the way passes grants and returns
//! on within a time, and so the root knows when a client must have left: it lends the grant, and takes it for returned when the lease is
//! over. The flaw: the lease is too short. The way to the error is short, but there are very many others.

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "arbiter-tree",
    summary: "clients at the leaves of a tree of arbiters; the root's lease is too short",
    params: &[
        ParamSpec::number("n", 2, (1, 10), "levels of arbiters; there are 2^n clients"),
        ParamSpec::number("stay", 5, (1, 1000), "a client gives the grant back within this"),
        ParamSpec::number("hop", 1, (0, 1000), "an arbiter passes on within this"),
        ParamSpec::number(
            "short",
            1,
            (0, 1000),
            "the lease is too short by this; 0: nothing is wrong",
        ),
    ],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let [n, stay, hop, short] = ["n", "stay", "hop", "short"].map(|name| params.get(name));
    // After that time the last client that got the grant has left.
    let enough = stay + (n - 1) * hop + 1;
    if short > enough {
        return Err(Error::conflict(format!(
            "`short`, {short}, must not exceed the lease that is long enough, {enough}"
        )));
    }
    let clients = 1i64 << n;
    let mut model = Model::new("A binary tree of arbiters, with clients at its leaves");
    model.declare(format!(
        "
        const int CLIENTS = {clients};
        const int STAY = {stay};         // a client gives the grant back within this
        const int HOP = {hop};           // an arbiter passes grants and returns on within this
        const int LEASE = {};            // after this the root takes the grant for returned

        // Nodes of the tree: 1 is the root, i has the children 2 * i and 2 * i + 1, clients are the leaves.
        typedef int[CLIENTS, 2 * CLIENTS - 1] client_t;
        chan request[2 * CLIENTS], grant[2 * CLIENTS], release[2 * CLIENTS];
        ",
        enough - short
    ));
    model.templates.push(client());
    model.templates.push(root());
    model.system = "system Client, Root".to_owned();
    if n > 1 {
        model.declare("typedef int[2, CLIENTS - 1] arbiter_t;");
        model.templates.push(arbiter());
        model.system += ", Arbiter";
    }
    model.system += ";";

    let is_flawed = short > 0;
    model.query(
        "E<> Client(CLIENTS).critical and Client(2 * CLIENTS - 1).critical",
        Expected::satisfied_if(is_flawed),
        match is_flawed {
            true => {
                "The first and the last client: the lease is over while one of them still holds the grant."
            }
            false => "Impossible: when the lease is over, the client that had the grant has left.",
        },
    );
    model.query(
        "A[] forall (i : client_t) forall (j : client_t) Client(i).critical && Client(j).critical imply i == j",
        Expected::satisfied_if(!is_flawed),
        "Mutual exclusion.",
    );
    model.query(
        "E<> Client(CLIENTS).critical and (forall (i : client_t) !Client(i).idle)",
        Expected::Satisfied,
        "One client has the grant while all others want it.",
    );
    model.query(
        "A[] not deadlock",
        Expected::Satisfied,
        "Grants come back, and the next request is heard.",
    );
    Ok(model)
}

fn client() -> Template {
    let mut client = Template::new("Client", "const client_t id");
    client.declare("clock x;");
    let idle = client.add(at(0.0, 0.0, "idle"));
    let asking = client.add(at(1.0, 0.0, "asking"));
    let waiting = client.add(at(1.0, 1.0, "waiting"));
    let critical = client.add(at(0.0, 1.0, "critical").invariant("x <= STAY"));
    client.edge(idle, asking);
    client.edge(asking, waiting).sync("request[id]!");
    client.edge(waiting, critical).sync("grant[id]?").update("x = 0");
    client.edge(critical, idle).sync("release[id]!");
    client
}

/// An arbiter between the root and the clients: for the nodes above it is a client, for those below the root.
fn arbiter() -> Template {
    let mut arbiter = Template::new("Arbiter", "const arbiter_t id");
    arbiter.declare(
        "
        clock x;
        int[0, 1] child;       // on whose behalf it asks
        ",
    );
    arbiter.spacing = (272.0, 204.0);
    let idle = arbiter.add(at(0.0, 0.0, "idle"));
    let asking = arbiter.add(at(1.0, 0.0, "asking"));
    let waiting = arbiter.add(at(2.0, 0.0, "waiting"));
    let granting = arbiter.add(at(2.0, 1.0, "granting").invariant("x <= HOP"));
    let lent = arbiter.add(at(1.0, 1.0, "lent"));
    let returning = arbiter.add(at(0.0, 1.0, "returning").invariant("x <= HOP"));
    arbiter
        .edge(idle, asking)
        .select("c : int[0, 1]")
        .sync("request[2 * id + c]?")
        .update("child = c");
    arbiter.edge(asking, waiting).sync("request[id]!");
    arbiter.edge(waiting, granting).sync("grant[id]?").update("x = 0");
    arbiter.edge(granting, lent).sync("grant[2 * id + child]!");
    arbiter
        .edge(lent, returning)
        .sync("release[2 * id + child]?")
        .update("x = 0");
    arbiter
        .edge(returning, idle)
        .sync("release[id]!")
        .update("child = 0");
    arbiter
}

fn root() -> Template {
    let mut root = Template::new("Root", "");
    root.declare(
        "
        clock x;
        int[0, 1] child;       // who has asked
        ",
    );
    root.spacing = (340.0, 204.0);
    let idle = root.add(at(0.0, 0.0, "idle"));
    let granting = root.add(at(1.0, 0.0, "granting").invariant("x <= HOP"));
    let lent = root.add(at(1.0, 1.0, "lent").invariant("x <= LEASE"));
    root.edge(idle, granting)
        .select("c : int[0, 1]")
        .sync("request[2 + c]?")
        .update("child = c")
        .update("x = 0");
    root.edge(granting, lent)
        .sync("grant[2 + child]!")
        .update("x = 0");
    root.edge(lent, idle)
        .sync("release[2 + child]?")
        .update("child = 0");
    root.edge(lent, idle).guard("x == LEASE").update("child = 0");
    // What comes back after the lease is over changes nothing.
    root.edge(idle, idle)
        .select("c : int[0, 1]")
        .sync("release[2 + c]?");
    root.edge(granting, granting)
        .select("c : int[0, 1]")
        .sync("release[2 + c]?");
    root.edge(lent, lent).sync("release[3 - child]?");
    root
}
