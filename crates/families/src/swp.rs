//! Tanenbaum's third sliding window protocol, with selective repeat, as the early editions of his book had it: there is a
//! state from which data are repeated forever and never acknowledged.
//!
//! After A. S. Tanenbaum, "Computer Networks", Prentice Hall, 1988, and J. Brunekreef, "A formal specification of three
//! sliding window protocols", University of Amsterdam P9102, 1991, in the steps of the mCRL2 specification that T. Engels et
//! al., "Search algorithms for automated validation", Journal of Logic and Algebraic Programming 78, 2009, search: one action
//! there is one transition here. Timers and the entrances of channels, which are always ready there, are variables.

mod station;

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "swp",
    summary: "Tanenbaum's sliding window protocol, whose acknowledgements may stop forever",
    params: &[
        ParamSpec::number("n", 2, (1, 1000), "size of the windows"),
        ParamSpec::number("data", 2, (1, 1000), "values that a datum may have"),
        ParamSpec::number(
            "numbers",
            0,
            (0, 10_000),
            "sequence numbers; 0: twice the window, and fewer are too few",
        ),
        ParamSpec::number("capacity", 1, (1, 100), "frames that a channel holds"),
    ],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let [n, data, numbers, capacity] = ["n", "data", "numbers", "capacity"].map(|name| params.get(name));
    let numbers = if numbers == 0 { 2 * n } else { numbers };
    if numbers <= n {
        return Err(Error::conflict(format!(
            "`numbers`, {numbers}, must be more than `n`, {n}: a full window could not be told from an empty one"
        )));
    }

    let mut model = Model::new(
        "Tanenbaum's sliding window protocol with selective repeat and its fault\n\
         Both stations send and receive; station 0 is the sender of the queries.",
    );
    model.declare(declaration(n, data, numbers, capacity));
    model.templates.push(station::station(numbers));
    model.templates.push(channel());
    model.system = "system Station, Channel;".to_owned();

    let stalled = "Station(0).ready && Station(1).ready && (Station(0).oldest + N) % NUMBERS == Station(0).next && \
                   Station(1).expected == Station(0).next && !ack_timer[1]";
    model.query(
        format!("E<> {stalled}"),
        Expected::Satisfied,
        "The sender's window is full, the receiver has everything and does not intend to acknowledge it: the paper's goal, \
         action error.",
    );
    model.query(
        format!("E<> {stalled} && Station(1).nak_sent && load[1] == 0"),
        Expected::Satisfied,
        "Moreover, no acknowledgement is in transit and the receiver has already complained: it no longer \
         answers repetitions, and unless it has something to send itself, nothing new ever happens.",
    );
    model.query(
        "A[] forall (k : seq_t) Station(1).received[k] == NONE || Station(1).received[k] == Station(0).sent[k]",
        Expected::satisfied_if(numbers >= 2 * n || data == 1),
        match numbers >= 2 * n {
            true => "What is received is what was sent under that number: windows do not overlap.",
            false => "What is received is what was sent under that number, unless a repetition is taken for the next datum \
                      with its number: the windows overlap.",
        },
    );
    model.query(
        "A[] not deadlock",
        if numbers >= 2 * n {
            Expected::Satisfied
        } else {
            Expected::Open
        },
        "A full window has timers running, and the channels never refuse.",
    );
    Ok(model)
}

fn declaration(n: i64, data: i64, numbers: i64, capacity: i64) -> String {
    format!(
        "
        const int NONE = -1;
        const int N = {n};               // size of the windows
        const int NUMBERS = {numbers};         // sequence numbers
        const int DATA = {data};            // values of a datum
        const int CAPACITY = {capacity};        // frames that a channel holds

        typedef int[0, 1] id_t;
        typedef int[0, NUMBERS - 1] seq_t;
        typedef int[0, DATA - 1] datum_t;

        const int NOTHING = 0;
        const int DAT = 1;
        const int ACK = 2;
        const int NAK = 3;

        typedef struct
        {{
            int[NOTHING, NAK] kind;
            datum_t datum;
            seq_t seq;
            seq_t ack;              // the last number that has come in order
        }} frame_t;

        chan arrive[id_t];          // the oldest frame reaches a station
        chan garbled[id_t];         // and so, but it cannot be read

        frame_t line[id_t][CAPACITY];        // by sender, the oldest first
        int[0, CAPACITY] load[id_t];
        bool timer[id_t][seq_t];             // running; it may expire at any time
        bool ack_timer[id_t];

        seq_t after(seq_t k)
        {{
            return (k + 1) % NUMBERS;
        }}

        seq_t before(seq_t k)
        {{
            return (k + NUMBERS - 1) % NUMBERS;
        }}

        // Whether k is in the cyclic range from low up to, but not including, high.
        bool between(seq_t low, seq_t k, seq_t high)
        {{
            return low < high ? low <= k && k < high : high < low && (low <= k || k < high);
        }}

        void clear(frame_t &frame)
        {{
            frame.kind = NOTHING;
            frame.datum = 0;
            frame.seq = 0;
            frame.ack = 0;
        }}

        // A channel that is full loses the frame before.
        void put(id_t id, const frame_t &frame)
        {{
            if (load[id] < CAPACITY)
                load[id]++;
            line[id][load[id] - 1] = frame;
        }}

        void drop(id_t id)
        {{
            int k;
            for (k = 1; k < load[id]; k++)
                line[id][k - 1] = line[id][k];
            load[id]--;
            clear(line[id][load[id]]);
        }}
        "
    )
}

fn channel() -> Template {
    let mut channel = Template::new("Channel", "const id_t id");
    let idle = channel.add(at(0.0, 0.0, "idle"));
    let delivering = channel.add(at(-1.0, 1.0, "delivering"));
    let garbling = channel.add(at(0.0, 1.5, "garbling"));
    let losing = channel.add(at(1.0, 1.0, "losing"));
    for target in [delivering, garbling, losing] {
        channel.edge(idle, target).guard("load[id] > 0");
    }
    // The station takes the frame out.
    channel.edge(delivering, idle).sync("arrive[1 - id]!");
    channel.edge(garbling, idle).sync("garbled[1 - id]!");
    channel.edge(losing, idle).update("drop(id)");
    channel
}
