//! The Philips audio control protocol: bits in Manchester code on a bus that several senders share, with clocks that are
//! not exact.
//!
//! A 1 raises the bus in the middle of its time slot and a 0 lowers it there; the receiver sees it rise only, and tells from
//! the time in between what was sent. After D. Bosscher, I. Polak, F. Vaandrager, "Verification of an audio control
//! protocol", FTRTFT 1994, and P.-H. Ho, H. Wong-Toi, "Automated analysis of an audio control protocol", CAV 1995, for one
//! sender, which is right exactly for tolerances below 1/17; and J. Bengtsson et al., "Verification of an audio protocol
//! with bus collision using Uppaal", CAV 1996, for the detection of collisions. The model that R. Grosu et al., "Deep random
//! search for efficient model checking of timed automata", 2006, search for up to 28 senders is not printed; this one has
//! its error for a reason that is known, a tolerance beyond the limit.

mod receiver;
mod sender;

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model};
use crate::params::{ParamSpec, Params};

/// Quarters of a bit's slot are the unit of the protocol; tolerance and reaction are fractions of one.
const QUARTER: i64 = 1000;

pub(crate) const FAMILY: Family = Family {
    name: "philips-audio",
    summary: "the Philips audio control protocol: Manchester code on a shared bus, with clocks that are too inexact",
    params: &[
        ParamSpec::number("n", 4, (1, 1000), "senders"),
        ParamSpec::number(
            "tolerance",
            60,
            (0, 200),
            "of all clocks, in thousandths; one sender is safe up to 58, several up to 52 with the usual reaction",
        ),
        ParamSpec::number(
            "reaction",
            100,
            (0, 200),
            "how late a sender may notice that the bus has risen, in thousandths of a quarter of a bit",
        ),
    ],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let [n, tolerance, reaction] = ["n", "tolerance", "reaction"].map(|name| params.get(name));
    // Eight quarters are the longest time between two rises, and nine without any are the end of a message. A sender may
    // rise late after another one, whose rise the receiver has measured from. That nothing else goes wrong is argued, and
    // in part shown, in `docs/families.md`.
    let lag = if n > 1 { reaction } else { 0 };
    let is_faulty = 8 * (QUARTER + tolerance) + lag >= 9 * (QUARTER - tolerance);

    let mut model = Model::new("The Philips audio control protocol, on a bus with several senders");
    model.declare(declaration(n, tolerance, reaction));
    model.templates.push(sender::sender());
    model.templates.push(receiver::receiver());
    model.system = "system Sender, Receiver;".to_owned();

    let why = match is_faulty {
        true => "after 1 and 0, the next 1 of a slow sender comes when a fast receiver has given it up",
        false => "not with clocks as exact as these",
    };
    model.query(
        "E<> exists (i : id_t) Sender(i).error",
        Expected::satisfied_if(is_faulty),
        format!("A sender that noticed no collision has not been understood: {why}."),
    );
    model.query(
        "E<> Sender(0).done && !wrong[0] && ahead[0] == 0",
        Expected::Satisfied,
        "A whole message of sender 0 has been understood.",
    );
    if n > 1 {
        model.query(
            "E<> Sender(0).zero && Sender(1).stopped",
            Expected::Satisfied,
            "Two senders have started at the same time, and one has noticed it.",
        );
    }
    model.query(
        "A[] high == (sum (i : id_t) (Sender(i).one + Sender(i).zero_high))",
        Expected::Satisfied,
        "The bus is high as long as some sender holds it.",
    );
    model.query(
        "A[] not deadlock",
        Expected::Satisfied,
        "Every message ends, if only by the receiver's patience.",
    );
    Ok(model)
}

fn declaration(n: i64, tolerance: i64, reaction: i64) -> String {
    // The same times in the largest unit that measures them all.
    let unit = gcd(QUARTER, gcd(tolerance, reaction));
    let [quarter, tolerance, reaction] = [QUARTER, tolerance, reaction].map(|time| time / unit);
    format!(
        "
        const int N = {n};             // senders
        const int Q = {quarter};            // a quarter of a bit's slot
        const int T = {tolerance};             // k quarters take from k * (Q - T) to k * (Q + T)
        const int D = {reaction};             // what has risen within this time may go unnoticed
        typedef int[0, N - 1] id_t;

        broadcast chan up;             // a sender raises the bus
        broadcast chan over;           // the receiver takes the message for finished
        int[0, N] high;                // senders that hold the bus up
        bool opening;                  // it is up for the first time in a message
        clock risen;                   // since it went up
        clock silent;                  // since a sender let go

        // What a sender has sent and what has been received meanwhile, as far as the one is ahead of the other.
        bool active[id_t];             // sending, and has noticed no collision
        bool wrong[id_t];              // they differ
        int[-2, 2] ahead[id_t];        // bits that the sender is ahead; less than 0: the receiver is
        bool bits[id_t][2];            // these bits

        void clear(id_t i)
        {{
            ahead[i] = 0;
            bits[i][0] = false;
            bits[i][1] = false;
        }}

        void compare(id_t i, bool bit, int[-1, 1] side)
        {{
            if (wrong[i])
                return;
            if (ahead[i] * side == 2 || (ahead[i] * side < 0 && bits[i][0] != bit))
            {{
                wrong[i] = true;
                clear(i);
                return;
            }}
            if (ahead[i] * side >= 0)
                bits[i][ahead[i] * side] = bit;
            else
            {{
                bits[i][0] = bits[i][1];
                bits[i][1] = false;
            }}
            ahead[i] += side;
        }}
        "
    )
}

fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
