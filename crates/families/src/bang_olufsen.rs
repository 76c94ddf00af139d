//! The Bang & Olufsen audio/video protocol: frames of pulses on a bus that several senders share.
//!
//! After K. Havelund, A. Skou, K. G. Larsen, K. Lund, "Formal modeling and analysis of an audio/video protocol: an industrial case
//! study using UPPAAL", RTSS 1997, whose model has two senders. Here there are any number of them: a sender waits while any other
//! one has started, the bus is low as soon as one of them holds it low, and a frame must be intact and noticed by no other sender
//! as a collision. For two senders it is the published model, state by state. R. Grosu et al., "Deep random search for efficient
//! model checking of timed automata", search it for two to six senders; how they added senders is not printed.

mod detector;
mod frame;
mod sender;

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "bang-olufsen",
    summary: "the Bang & Olufsen audio/video protocol: senders of frames on one bus, whose collisions may go unnoticed",
    params: &[
        ParamSpec::number("n", 2, (2, 100), "senders"),
        ParamSpec::choice(
            "buggy",
            &["yes", "no"],
            "whether a sender stops detecting collisions during the last seven pulses of a frame, or only at its end",
        ),
    ],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let n = params.get("n");
    let is_buggy = params.get("buggy") == 0;

    let mut model = Model::new("The Bang & Olufsen audio/video protocol");
    model.declare(format!(
        "
        const int N = {n};                // senders
        const int PULSE = 781;          // half a pulse, in microseconds
        const int WRITE = 40;           // from reading the bus to writing the next pulse
        const int JAM = 25000;          // the bus is held low after a collision
        typedef int[0, N - 1] id_t;

        chan one, zero;                 // the bus is read
        chan frame[id_t];               // a frame begins,
        chan pulse[id_t];               // wants its next pulse,
        chan reset[id_t];               // or is given up
        chan observe[id_t];             // what was sent is compared with what was read,
        chan check[id_t];               // and collisions are looked for

        bool last[id_t];                // the former pulse: true is high
        bool now[id_t];                 // the present one, which the bus gets
        bool read_last[id_t];           // what the bus was when they were sent
        bool read_now[id_t];

        bool started[id_t];             // a frame is on its way
        bool ends[id_t];                // collisions are not looked for any more
        bool done[id_t];                // the whole frame was sent
        int[0, 4] errors[id_t];         // pulses that were overwritten; 4: many
        int[0, 2] collision[id_t];      // 0: none, 1: to be told to others by jamming, 2: caused by another one's jamming
        bool differs[id_t];             // the frame on the bus was not the one that was sent
        "
    ));
    model.templates.push(sender::sender(is_buggy));
    model.templates.push(frame::generator(is_buggy));
    model.templates.push(detector::detector());
    model.templates.push(observer());
    model.templates.push(bus());
    model.system = "system Sender, Frame, Detector, Observer, Bus;".to_owned();

    let (expected, why) = match (is_buggy, n) {
        (true, _) => (
            Expected::NotSatisfied,
            "two senders that begin at the same time differ only at the end, where no sender checks for collisions",
        ),
        (false, 2) => (Expected::Satisfied, "collisions are detected until the end"),
        (false, _) => (Expected::Open, "proved for two senders only"),
    };
    model.query(
        "A[] forall (i : id_t) done[i] imply (!differs[i] && (forall (j : id_t) j != i imply collision[j] == 0))",
        expected,
        format!("A frame that was sent is intact, and no other sender has noticed a collision: {why}."),
    );
    model.query(
        "E<> done[0] && !differs[0]",
        Expected::Satisfied,
        "Sender 0 has sent a frame that is intact.",
    );
    model.query(
        "E<> Sender(0).jam",
        Expected::Satisfied,
        "A collision is noticed, and made known to others.",
    );
    model.query(
        "A[] not deadlock",
        Expected::NotSatisfied,
        "Every sender sends one frame at most: when all have sent theirs or given up, nothing more happens.",
    );
    Ok(model)
}

/// Sets a flag if a frame was not read as it was sent.
fn observer() -> Template {
    let mut observer = Template::new("Observer", "const id_t id");
    let compare = observer.add(at(0.0, 0.0, "compare"));
    for guard in ["last[id] && !read_last[id]", "now[id] && !read_now[id]"] {
        observer
            .edge(compare, compare)
            .guard(guard)
            .sync("observe[id]?")
            .update("differs[id] = true");
    }
    observer
        .edge(compare, compare)
        .guard("last[id] == read_last[id] && now[id] == read_now[id]")
        .sync("observe[id]?");
    observer
}

/// High exactly if all senders are.
fn bus() -> Template {
    let mut bus = Template::new("Bus", "");
    let initialize = bus.add(at(0.0, 0.0, "initialize").committed());
    let active = bus.add(at(1.0, 0.0, "active"));
    bus.declare(
        "
        void raise()
        {
            for (i : id_t)
                now[i] = true;
        }
        ",
    );
    bus.edge(initialize, active).update("raise()");
    bus.edge(active, active)
        .select("i : id_t")
        .guard("!now[i]")
        .sync("zero!");
    bus.edge(active, active)
        .guard("forall (i : id_t) now[i]")
        .sync("one!");
    bus
}
