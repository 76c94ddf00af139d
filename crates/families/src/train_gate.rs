//! Train gate: trains share a bridge with one track; a gate stops them and lets them go in order of arrival.
//!
//! After Wang Yi, P. Pettersson, M. Daniels, "Automatic verification of real-time communicating systems by constraint
//! solving", FORTE 1994, with the queue in functions as in G. Behrmann, A. David, K. G. Larsen, "A tutorial on Uppaal
//! 4.0", 2006.

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "train-gate",
    summary: "trains, a bridge with one track and a gate with a queue",
    params: &[ParamSpec::number("n", 100, (2, 30_000), "trains")],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let n = params.get("n");
    let mut model = Model::new("Trains that share a bridge with one track");
    model.declare(format!(
        "
        const int N = {n};               // trains
        typedef int[0, N - 1] id_t;

        chan appr[N], stop[N], leave[N];
        urgent chan go[N];           // the gate does not let a train wait for nothing
        "
    ));
    model.templates.push(train());
    model.templates.push(gate());
    model.system = "system Train, Gate;".to_owned();

    let chosen = 15.min(n - 1);
    model.query(
        format!("E<> Train({chosen}).Cross and (forall (i : id_t) i != {chosen} imply Train(i).Stop)"),
        Expected::Satisfied,
        format!("Train {chosen} is on the bridge and all others stand before it."),
    );
    model.query(
        "A[] forall (i : id_t) forall (j : id_t) Train(i).Cross && Train(j).Cross imply i == j",
        Expected::Satisfied,
        "One train at a time on the bridge.",
    );
    model.query(
        "A[] Gate.len <= N",
        Expected::Satisfied,
        "The queue holds every train at most once, so it never overflows.",
    );
    model.query(
        "A[] not deadlock",
        Expected::Satisfied,
        "Whatever is stopped goes on.",
    );
    Ok(model)
}

fn train() -> Template {
    let mut train = Template::new("Train", "const id_t id");
    train.declare("clock x;");
    let safe = train.add(at(0.0, 0.0, "Safe"));
    let appr = train.add(at(0.0, 1.0, "Appr").invariant("x <= 20"));
    let stop = train.add(at(0.5, 2.0, "Stop"));
    let start = train.add(at(1.0, 1.0, "Start").invariant("x <= 15"));
    let cross = train.add(at(1.0, 0.0, "Cross").invariant("x <= 5"));
    train.edge(safe, appr).sync("appr[id]!").update("x = 0");
    // After 10 the train is too close to be stopped.
    train.edge(appr, stop).guard("x <= 10").sync("stop[id]?");
    train.edge(appr, cross).guard("x >= 10").update("x = 0");
    train.edge(stop, start).sync("go[id]?").update("x = 0");
    train.edge(start, cross).guard("x >= 7").update("x = 0");
    train.edge(cross, safe).guard("x >= 3").sync("leave[id]!");
    train
}

fn gate() -> Template {
    let mut gate = Template::new("Gate", "");
    gate.declare(
        "
        id_t list[N];        // the trains before and on the bridge, in order of arrival
        int[0, N] len;

        // Adds a train at the end.
        void enqueue(id_t train)
        {
            list[len] = train;
            len++;
        }

        // Takes the first train away; the others move up. Free places are 0, which keeps equal queues equal.
        void dequeue()
        {
            int[0, N] i = 1;
            while (i < len)
            {
                list[i - 1] = list[i];
                i++;
            }
            len--;
            list[len] = 0;
        }

        // The train that is on the bridge, or may go next.
        id_t front()
        {
            return list[0];
        }

        // The train that came last.
        id_t tail()
        {
            return list[len - 1];
        }
        ",
    );
    let free = gate.add(at(0.0, 0.0, "Free"));
    let occ = gate.add(at(1.0, 0.0, "Occ"));
    let stopping = gate.add(at(2.0, 0.0, "Stopping").committed());
    gate.edge(free, occ)
        .select("e : id_t")
        .guard("len == 0")
        .sync("appr[e]?")
        .update("enqueue(e)");
    gate.edge(free, occ).guard("len > 0").sync("go[front()]!");
    gate.edge(occ, free)
        .select("e : id_t")
        .guard("e == front()")
        .sync("leave[e]?")
        .update("dequeue()");
    gate.edge(occ, stopping)
        .select("e : id_t")
        .sync("appr[e]?")
        .update("enqueue(e)");
    gate.edge(stopping, occ).sync("stop[tail()]!");
    gate
}
