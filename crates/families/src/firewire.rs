//! The link layer of IEEE 1394, "FireWire": links send packets over a bus that garbles and loses signals, and acknowledge them.
//!
//! After S. P. Luttik, "Description and formal specification of the link layer of P1394", CWI SEN-R9706, 1997, in the steps of the
//! mCRL2 specification that T. Engels et al., "Search algorithms for automated validation", Journal of Logic and Algebraic
//! Programming 78, 2009, search: one action there is one transition here. Services that the links offer to their users have the
//! names of the standard, and are broadcast channels without receivers.

mod bus;
mod link;

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "firewire",
    summary: "the link layer of IEEE 1394: packets and acknowledgements over a bus that garbles and loses",
    params: &[
        ParamSpec::number("n", 2, (1, 50), "links"),
        ParamSpec::number(
            "values",
            2,
            (1, 4),
            "values that headers, data and acknowledgements may have",
        ),
    ],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let [n, values] = ["n", "values"].map(|name| params.get(name));
    let mut model = Model::new("The link layer of IEEE 1394");
    model.declare(declaration(n, values));
    model.templates.push(link::link());
    model.templates.push(bus::bus());
    model.system = "system Link, Bus;".to_owned();

    model.query(
        "E<> exists (i : id_t) Link(i).responding",
        Expected::satisfied_if(n > 1),
        "The user of a link has responded to a packet: the paper's goal, action LDres.",
    );
    model.query(
        "E<> exists (i : id_t) Link(i).holding",
        Expected::satisfied_if(n > 1),
        "A link has acknowledged a packet and goes on to send one.",
    );
    model.query(
        "A[] forall (i : id_t) Link(i).acknowledged imply is_ack(Link(i).ack) && is_right(Link(i).ack)",
        Expected::Satisfied,
        "What is reported as an acknowledgement is one.",
    );
    let small = if n <= 2 {
        Expected::Satisfied
    } else {
        Expected::Open
    };
    model.query("A[] not Bus.stuck", small, "No link asks twice to answer.");
    model.query("A[] not deadlock", small, "The bus always goes on.");
    Ok(model)
}

fn declaration(n: i64, values: i64) -> String {
    format!(
        "
        const int N = {n};             // links
        const int VALUES = {values};        // of headers, data and acknowledgements

        typedef int[0, N - 1] id_t;
        typedef int[0, N] dest_t;           // N: all links
        typedef int[0, VALUES - 1] value_t;

        // Signals. Headers, data and acknowledgements have an even number when their checksum is right, relative to the first.
        const int HEADER = N + 1;           // below: the link that a packet is for
        const int DATA = HEADER + 2 * VALUES;
        const int ACK = DATA + 2 * VALUES;
        const int START = ACK + 2 * VALUES;
        const int END = START + 1;
        const int PREFIX = START + 2;
        const int GAP = START + 3;          // between subactions
        const int LEAD = START + 4;         // of a packet
        const int DUMMY = START + 5;
        typedef int[0, DUMMY] signal_t;

        const int MISSED = VALUES;          // reports besides the acknowledgements: none has come,
        const int SENT = VALUES + 1;        // or none was to come
        typedef int[0, SENT] report_t;

        // Services of the links.
        broadcast chan LDreq[id_t][dest_t][value_t][value_t];
        broadcast chan LDcon[id_t][report_t];
        broadcast chan LDind_good[id_t][value_t][value_t], LDind_broad[id_t][value_t][value_t], LDind_bad[id_t][value_t];
        broadcast chan LDres[id_t][value_t][bool_t];

        // Services of the bus.
        chan PAreq_fair[id_t], PAreq_immediate[id_t];
        chan PAcon_won[id_t], PAcon_lost[id_t];
        chan PCind[id_t];
        chan PDreq[id_t][signal_t], PDind[id_t][signal_t];

        bool is_dest(signal_t s)
        {{
            return s <= N;
        }}

        bool is_header(signal_t s)
        {{
            return HEADER <= s && s < DATA;
        }}

        bool is_data(signal_t s)
        {{
            return DATA <= s && s < ACK;
        }}

        bool is_ack(signal_t s)
        {{
            return ACK <= s && s < START;
        }}

        bool is_checked(signal_t s)
        {{
            return HEADER <= s && s < START;
        }}

        bool is_right(signal_t s)
        {{
            return is_checked(s) && (s - HEADER) % 2 == 0;
        }}

        // Of a checked signal.
        value_t value(signal_t s)
        {{
            return (s - HEADER) / 2 % VALUES;
        }}

        bool is_terminator(signal_t s)
        {{
            return s == END || s == PREFIX;
        }}

        bool is_physical(signal_t s)
        {{
            return START <= s && s <= GAP;
        }}
        "
    )
    .replace("bool_t", "int[0, 1]")
}
