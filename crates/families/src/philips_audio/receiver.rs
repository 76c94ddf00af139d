//! The receiver: it sees the bus rise, and nothing else.

use crate::model::{Template, at};

pub(super) fn receiver() -> Template {
    let mut r = Template::new("Receiver", "");
    r.declare(
        "
        clock y;          // since the bus rose
        bool odd;         // number of bits so far
        bool last;        // the last one of them

        void receive(bool bit)
        {
            for (i : id_t)
                if (active[i])
                    compare(i, bit, -1);
            odd = !odd;
            last = bit;
        }

        void two(bool bit, bool next)
        {
            receive(bit);
            receive(next);
        }

        // Messages have an odd number of bits or end with two zeros, so that a last 0 that nothing rises after is known.
        void finish()
        {
            if (last && !odd)
                receive(false);
            odd = false;
            last = false;
        }
        ",
    );
    r.spacing = (340.0, 255.0);
    let idle = r.add(at(0.0, 0.0, "idle"));
    let listening = r.add(at(1.0, 0.0, "listening").invariant("y <= 9 * (Q + T)"));
    let closing = r.add(at(0.0, 1.0, "closing").committed());
    let decoding = r.add(at(1.0, 1.0, "decoding").committed());
    r.edge(idle, listening)
        .guard("high == 0")
        .sync("up?")
        .update("receive(true)")
        .update("y = 0");
    r.edge(listening, decoding).guard("high == 0").sync("up?");
    // Two, three or four half slots: after a 1 they mean 1, 00 and 01, after a 0 the first two mean 0 and 1.
    let mut decode = |guard: &str, update: &str| {
        r.edge(decoding, listening)
            .guard(guard)
            .update(update)
            .update("y = 0");
    };
    decode("y <= 5 * (Q + T)", "receive(last)");
    decode(
        "last && y >= 5 * (Q - T) && y <= 7 * (Q + T)",
        "two(false, false)",
    );
    decode("!last && y >= 5 * (Q - T) && y <= 7 * (Q + T)", "receive(true)");
    decode("y >= 7 * (Q - T)", "two(false, true)");
    r.edge(listening, closing)
        .guard("y >= 9 * (Q - T)")
        .update("finish()");
    r.edge(closing, idle).sync("over!");
    r
}
