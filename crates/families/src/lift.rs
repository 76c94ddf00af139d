//! Lifts for trucks on a bus: each finds its address at the start, and then all move together. Buttons that are pressed at the
//! wrong time during the start lead to a message that a lift does not understand.
//!
//! After J. F. Groote, J. Pang, A. G. Wouters, "Analysis of a distributed system for lifting trucks", Journal of Logic and Algebraic
//! Programming 55, 2003, in the steps of the mCRL2 specification of the system as it was before it was corrected, which T. Engels
//! et al., "Search algorithms for automated validation", Journal of Logic and Algebraic Programming 78, 2009, search: one action
//! there is one transition here. What the environment sees is a broadcast channel without receivers.

mod station;

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "lift",
    summary: "lifts for trucks on a bus, which may misunderstand each other while they start",
    params: &[
        ParamSpec::number("n", 3, (2, 1000), "lifts"),
        ParamSpec::number(
            "starters",
            0,
            (0, 1000),
            "lifts at which the start may be asked for; 0: all",
        ),
        ParamSpec::choice(
            "relays",
            &["late", "prompt"],
            "whether others may act before the first lift has opened its relay",
        ),
    ],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let [n, starters] = ["n", "starters"].map(|name| params.get(name));
    let is_late = params.get("relays") == 0;
    let starters = if starters == 0 { n } else { starters };
    if starters > n {
        return Err(Error::conflict(format!(
            "`starters`, {starters}, must not be more than `n`, {n}"
        )));
    }

    let mut model = Model::new("Lifts for trucks on a bus");
    model.declare(declaration(n, starters));
    model.templates.push(station::lift(is_late));
    model.templates.push(bus());
    model.system = "system Lift, Bus;".to_owned();

    let is_safe = !is_late && starters == 1;
    model.query(
        "E<> exists (i : id_t) Lift(i).operating && Lift(i).mode == STOP",
        match (n, starters) {
            (2, _) => Expected::NotSatisfied,
            _ if is_late => Expected::Satisfied,
            (3, _) | (_, 1) => Expected::NotSatisfied,
            (_, 2) => Expected::Open,
            _ => Expected::Satisfied,
        },
        "A lift has had a message that it did not expect: the paper's goal, action protocol_error. It happens when a relay is \
         opened late, or when the start is asked for at three of four lifts.",
    );
    model.query(
        "E<> exists (i : id_t) Lift(i).lifting",
        Expected::Satisfied,
        "All have agreed to a movement.",
    );
    model.query(
        "A[] forall (i : id_t) Lift(i).operating imply Lift(i).total == N",
        match (n, is_late) {
            _ if is_safe => Expected::Satisfied,
            (3.., true) => Expected::NotSatisfied,
            _ => Expected::Open,
        },
        "A working lift knows how many lifts there are.",
    );
    model.query(
        "A[] not deadlock",
        Expected::NotSatisfied,
        "The bus stops forever when a lift takes a message that is not for it.",
    );
    Ok(model)
}

fn declaration(n: i64, starters: i64) -> String {
    format!(
        "
        const int N = {n};             // lifts
        const int STARTERS = {starters};      // lifts at which the start may be asked for

        typedef int[1, N] id_t;     // places on the bus, which is a ring, and addresses

        const int STANDBY = 0;
        const int STOP = 1;
        const int STARTUP = 2;
        const int UP = 3;
        const int DOWN = 4;
        const int SYNC = 5;
        typedef int[STANDBY, SYNC] mode_t;

        typedef struct
        {{
            id_t address;
            mode_t mode;
        }} message_t;

        // What the environment sees: buttons, movements, errors.
        broadcast chan setref[id_t], up[id_t], down[id_t], released[id_t];
        broadcast chan move[id_t][mode_t], protocol_error[id_t];

        chan send[id_t], receive[id_t];                // a message, to or from the bus
        chan open_relay[id_t], close_relay[id_t];

        message_t message;          // on the bus
        int[0, N] order[id_t];      // relay i joins places i and i + 1: 0 if it is open, 1 for the last that was closed
        bool pending[id_t];         // has still to get the message

        id_t next(id_t i)
        {{
            return i == N ? 1 : i + 1;
        }}

        id_t previous(id_t i)
        {{
            return i == 1 ? N : i - 1;
        }}

        bool is_closed(id_t i)
        {{
            return order[i] > 0;
        }}

        bool is_joined(id_t i)
        {{
            return is_closed(i) || is_closed(previous(i));
        }}

        // The order is of no consequence, but the bus of the original remembers it in a list, and states differ by it.
        void open(id_t relay)
        {{
            for (i : id_t)
                if (order[i] > order[relay])
                    order[i]--;
            order[relay] = 0;
        }}

        void close(id_t relay)
        {{
            for (i : id_t)
                if (is_closed(i))
                    order[i]++;
            order[relay] = 1;
        }}

        // The message goes to all that relays join to its sender, and around a ring that is closed back to the sender.
        void address(id_t sender)
        {{
            id_t i = sender;
            while (is_closed(i) && !pending[sender])
            {{
                i = next(i);
                pending[i] = true;
            }}
            i = previous(sender);
            while (is_closed(i) && i != sender)
            {{
                pending[i] = true;
                i = previous(i);
            }}
        }}

        bool is_last(id_t receiver)
        {{
            return pending[receiver] && forall (i : id_t) (i == receiver || !pending[i]);
        }}

        void clear()
        {{
            message.address = 1;
            message.mode = STANDBY;
            for (i : id_t)
                pending[i] = false;
        }}

        // Which relays are closed can no longer be noticed.
        void stop()
        {{
            clear();
            for (i : id_t)
                order[i] = 0;
        }}
        "
    )
}

/// It takes messages and hands each to all that it reaches. It also offers them to others, and then it stops forever.
fn bus() -> Template {
    let mut bus = Template::new("Bus", "");
    bus.spacing = (340.0, 187.0);
    let idle = bus.add(at(0.0, 0.0, "idle"));
    let delivering = bus.add(at(1.0, 0.0, "delivering"));
    let stopped = bus.add(at(1.0, 1.0, "stopped"));
    bus.edge(idle, idle)
        .select("i : id_t")
        .guard("!is_joined(i)")
        .sync("send[i]?")
        .update("clear()");
    bus.edge(idle, delivering)
        .select("i : id_t")
        .guard("is_joined(i)")
        .sync("send[i]?")
        .update("address(i)");
    bus.edge(delivering, delivering)
        .select("i : id_t")
        .guard("pending[i] && !is_last(i)")
        .sync("receive[i]?")
        .update("pending[i] = false");
    bus.edge(delivering, idle)
        .select("i : id_t")
        .guard("is_last(i)")
        .sync("receive[i]?")
        .update("clear()");
    bus.edge(delivering, stopped)
        .select("i : id_t")
        .guard("!pending[i]")
        .sync("receive[i]?")
        .update("stop()");
    for location in [idle, delivering] {
        for act in ["open", "close"] {
            bus.edge(location, location)
                .select("i : id_t")
                .sync(format!("{act}_relay[i]?"))
                .update(format!("{act}(i)"));
        }
    }
    bus
}
