//! A sender: it waits for silence, sends a frame pulse by pulse, and gives it up when there was a collision.

use crate::model::{Template, at};

pub(super) fn sender(is_buggy: bool) -> Template {
    let mut s = Template::new("Sender", "const id_t id");
    s.spacing = (330.0, 200.0);
    s.declare(
        "
        clock c;

        bool others_started()
        {
            return exists (i : id_t) i != id && started[i];
        }
        ",
    );
    // The first one begins at once, the others at any time.
    let start = s.add(at(0.0, 0.0, "start").invariant("id > 0 || c <= 0"));
    let idle = s.add(at(1.0, 0.0, "idle").invariant("c <= PULSE"));
    let ask = s.add(at(2.0, 0.0, "ask").committed());
    let wait = s.add(at(3.0, 0.0, "wait").invariant("c <= 4 * PULSE"));
    let give_up = s.add(at(1.0, 1.0, "give_up").committed());
    let silence = s.add(at(2.0, 1.0, "silence").invariant("c <= 3 * PULSE"));
    let still_silence = s.add(at(3.0, 1.0, "still_silence").invariant("c <= PULSE"));
    let transmit = s.add(at(4.0, 1.0, "transmit").invariant("c <= PULSE"));
    let next = s.add(at(4.0, 2.0, "next").committed());
    let finished = s.add(at(5.0, 2.0, "finished"));
    let write = s.add(at(3.0, 2.0, "write").invariant("c <= WRITE"));
    let sample = s.add(at(2.0, 2.0, "sample").invariant("c <= PULSE"));
    let call_observer = s.add(at(1.0, 2.0, "call_observer").committed());
    let call_detector = s.add(at(1.0, 3.0, "call_detector").committed());
    let decide = s.add(at(2.0, 3.0, "decide").invariant("c <= PULSE"));
    let shift = s.add(at(3.0, 3.0, "shift").committed());
    let jam = s.add(at(2.0, 4.0, "jam").invariant("c <= JAM"));
    let until_silence = s.add(at(3.0, 4.0, "until_silence").invariant("c <= PULSE"));
    let hold = s.add(at(3.0, 5.0, "hold").invariant("c <= 36 * PULSE"));
    let given_up = s.add(at(2.0, 5.0, "given_up"));

    s.edge(start, idle).guard("id == 0");
    s.edge(start, idle).guard("id > 0").update("c = 0");
    s.edge(idle, ask).guard("c == PULSE");
    s.edge(ask, silence).guard("!others_started()").update("c = 0");
    s.edge(ask, wait).guard("others_started()").update("c = 0");
    s.edge(wait, silence)
        .guard("c == 4 * PULSE && !others_started()")
        .update("c = 0");
    s.edge(wait, wait)
        .guard("c == 4 * PULSE && others_started()")
        .update("c = 0");

    s.edge(silence, still_silence)
        .guard("c == 3 * PULSE")
        .sync("one?")
        .update("c = 0");
    s.edge(silence, give_up).guard("c == 3 * PULSE").sync("zero?");
    s.edge(still_silence, give_up).guard("c == PULSE").sync("zero?");
    s.edge(still_silence, transmit)
        .guard("c == PULSE")
        .sync("one?")
        .update("c = 0");
    s.edge(give_up, idle).update("c = 0");

    s.edge(transmit, next)
        .guard("c == PULSE")
        .sync("frame[id]!")
        .update("errors[id] = 0")
        .update("differs[id] = false")
        .update("last[id] = true");
    for (bus, level) in [("zero?", "false"), ("one?", "true")] {
        s.edge(next, write)
            .guard("!done[id]")
            .sync(bus)
            .update(format!("read_last[id] = {level}"))
            .update("c = 0");
    }
    s.edge(next, finished).guard("done[id]").update("c = 0");
    s.edge(write, sample)
        .guard("c == WRITE && errors[id] > 0")
        .update("now[id] = true");
    s.edge(write, sample)
        .guard("c == WRITE && errors[id] == 0")
        .sync("pulse[id]!");
    for (bus, level) in [("one?", "true"), ("zero?", "false")] {
        s.edge(sample, call_observer)
            .guard("c == PULSE")
            .sync(bus)
            .update(format!("read_now[id] = {level}"));
    }
    // What is read after the end belongs to the frame only where that is the error.
    if is_buggy {
        s.edge(call_observer, call_detector).sync("observe[id]!");
    } else {
        s.edge(call_observer, call_detector)
            .guard("!ends[id]")
            .sync("observe[id]!");
        s.edge(call_observer, call_detector).guard("ends[id]");
    }
    s.edge(call_detector, decide)
        .guard("!ends[id]")
        .sync("check[id]!")
        .update("c = 0");
    s.edge(call_detector, decide)
        .guard("ends[id]")
        .update("collision[id] = 0")
        .update("c = 0");

    s.edge(decide, shift).guard("c == PULSE && collision[id] == 0");
    s.edge(shift, next).guard("now[id]").update("last[id] = true");
    s.edge(shift, next).guard("!now[id]").update("last[id] = false");
    s.edge(decide, jam)
        .guard("c == PULSE && collision[id] == 1")
        .sync("reset[id]!")
        .update("now[id] = false")
        .update("c = 0");
    s.edge(decide, until_silence)
        .guard("c == PULSE && collision[id] == 2")
        .sync("reset[id]!")
        .update("now[id] = true")
        .update("started[id] = false")
        .update("c = 0");
    s.edge(jam, given_up)
        .guard("c == JAM")
        .update("now[id] = true")
        .update("started[id] = false")
        .update("collision[id] = 0")
        .update("c = 0");
    s.edge(until_silence, until_silence)
        .guard("c == PULSE")
        .sync("zero?")
        .update("c = 0");
    s.edge(until_silence, hold)
        .guard("c == PULSE")
        .sync("one?")
        .update("c = 0");
    s.edge(hold, given_up)
        .guard("c == 36 * PULSE")
        .update("collision[id] = 0");
    s
}
