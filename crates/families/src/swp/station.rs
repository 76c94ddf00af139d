//! A station: it accepts data, sends and repeats them, and delivers what it receives in order.

use crate::model::{LocationRef, Template, at};

const DECLARATION: &str = "
    const id_t other = 1 - id;
    seq_t oldest;                               // sent and not acknowledged
    seq_t next;                                 // to be sent
    seq_t expected;                             // to be received
    int[NONE, DATA - 1] sent[seq_t] = SENT;
    int[NONE, DATA - 1] received[seq_t] = SENT; // not yet delivered
    bool nak_sent;                              // it has complained, and nothing has been in order since
    frame_t frame;                              // the frame that is being treated

    bool acknowledges(const frame_t &f)
    {
        return f.kind != NOTHING && between(oldest, f.ack, next);
    }

    void send(int[NOTHING, NAK] kind)
    {
        frame_t f = { kind, 0, 0, before(expected) };
        put(id, f);
    }

    void send_data(seq_t k)
    {
        frame_t f = { DAT, sent[k], k, before(expected) };
        put(id, f);
    }

    // Data carry an acknowledgement, so that none need be sent for its own sake.
    void start(seq_t k)
    {
        timer[id][k] = true;
        ack_timer[id] = false;
    }

    void take()
    {
        frame = line[other][0];
        drop(other);
    }

    void store()
    {
        if (frame.kind == DAT && between(expected, frame.seq, (expected + N) % NUMBERS) && received[frame.seq] == NONE)
            received[frame.seq] = frame.datum;
        frame.datum = 0;
        frame.seq = 0;
    }

    void deliver()
    {
        received[expected] = NONE;
        expected = after(expected);
        nak_sent = false;
    }

    // A complaint acknowledges too. That the timer stops although the complaint may be lost is the fault.
    void complained()
    {
        ack_timer[id] = false;
        nak_sent = true;
        store();
    }

    void retire()
    {
        timer[id][oldest] = false;
        oldest = after(oldest);
    }
";

pub(super) fn station(numbers: i64) -> Template {
    let mut s = Template::new("Station", "const id_t id");
    let nothing = vec!["NONE"; numbers as usize].join(", ");
    s.declare(DECLARATION.replace("SENT", &format!("{{ {nothing} }}")));
    s.spacing = (442.0, 272.0);
    let ready = s.add(at(1.0, 1.0, "ready"));
    let sending = s.add(at(0.0, 0.0, "sending"));
    let timing = s.add(at(1.0, 0.0, "timing"));
    let repeating = s.add(at(2.0, 0.0, "repeating"));
    let restarting = s.add(at(3.0, 0.0, "restarting"));
    let acknowledged = s.add(at(3.0, 1.0, "acknowledged"));
    let delivering = s.add(at(0.0, 2.0, "delivering"));
    let complaining = s.add(at(2.0, 2.0, "complaining"));
    let stopping = s.add(at(3.0, 2.0, "stopping"));
    let acknowledging = s.add(at(0.0, 1.0, "acknowledging"));
    let treated = Treated { ready, acknowledged };

    // A datum of its own.
    s.edge(ready, sending)
        .select("d : datum_t")
        .guard("(oldest + N) % NUMBERS != next")
        .update("sent[next] = d");
    s.edge(sending, timing).update("send_data(next)");
    s.edge(timing, ready)
        .update("start(next)")
        .update("next = after(next)");

    // A datum that comes when it is expected, and those that have waited for it.
    s.edge(ready, delivering)
        .guard(comes("DAT", "seq == expected"))
        .sync("arrive[id]?")
        .update("take()")
        .update("store()");
    s.edge(delivering, delivering)
        .guard("received[expected] != NONE")
        .update("deliver()");
    treated.by(
        &mut s,
        delivering,
        "received[expected] == NONE",
        "ack_timer[id] = true",
    );

    // One that comes out of order, or cannot be read: the first time there is a complaint.
    treated.on_arrival(
        &mut s,
        &comes("DAT", "seq != expected && nak_sent"),
        "take(),\nstore()",
    );
    s.edge(ready, complaining)
        .guard(comes("DAT", "seq != expected && !nak_sent"))
        .sync("arrive[id]?")
        .update("take()");
    s.edge(ready, complaining)
        .guard("!nak_sent")
        .sync("garbled[id]?")
        .update("drop(other)");
    s.edge(ready, ready)
        .guard("nak_sent")
        .sync("garbled[id]?")
        .update("drop(other)");
    s.edge(complaining, stopping).update("send(NAK)");
    treated.by(&mut s, stopping, "", "complained()");

    // Complaints of the other station, about the datum behind those that it acknowledges, and timers that expire.
    s.edge(ready, repeating)
        .guard(comes("NAK", "between(oldest, after(ack), next)"))
        .sync("arrive[id]?")
        .update("take()")
        .update("frame.seq = after(frame.ack)");
    treated.on_arrival(
        &mut s,
        &comes("NAK", "!between(oldest, after(ack), next)"),
        "take()",
    );
    s.edge(ready, repeating)
        .select("k : seq_t")
        .guard("timer[id][k]")
        .update("timer[id][k] = false")
        .update("frame.seq = k");
    s.edge(repeating, restarting).update("send_data(frame.seq)");
    treated.by(&mut s, restarting, "", "start(frame.seq)");

    treated.on_arrival(&mut s, &comes("ACK", ""), "take()");
    s.edge(ready, acknowledging)
        .guard("ack_timer[id]")
        .update("ack_timer[id] = false");
    s.edge(acknowledging, ready).update("send(ACK)");

    s.edge(acknowledged, acknowledged)
        .guard("between(after(oldest), frame.ack, next)")
        .update("retire()");
    s.edge(acknowledged, ready)
        .guard("!between(after(oldest), frame.ack, next)")
        .update("retire()")
        .update("clear(frame)");
    s
}

/// The frame at the end of the channel is of this kind and fulfils a condition on its fields.
fn comes(kind: &str, condition: &str) -> String {
    let head = "line[other][0]";
    let condition = condition
        .replace("seq ", &format!("{head}.seq "))
        .replace("(ack)", &format!("({head}.ack)"));
    match condition.is_empty() {
        true => format!("{head}.kind == {kind}"),
        false => format!("{head}.kind == {kind} && {condition}"),
    }
}

/// Where a station goes that has treated a frame: what the frame acknowledges, if anything, is next.
struct Treated {
    ready: LocationRef,
    acknowledged: LocationRef,
}

impl Treated {
    /// With the last step of a treatment.
    fn by(&self, s: &mut Template, source: LocationRef, guard: &str, update: &str) {
        let and = if guard.is_empty() { "" } else { " && " };
        s.edge(source, self.acknowledged)
            .guard(format!("{guard}{and}acknowledges(frame)"))
            .update(update);
        s.edge(source, self.ready)
            .guard(format!("{guard}{and}!acknowledges(frame)"))
            .update(update)
            .update("clear(frame)");
    }

    /// At once.
    fn on_arrival(&self, s: &mut Template, guard: &str, update: &str) {
        s.edge(self.ready, self.acknowledged)
            .guard(format!("{guard} && acknowledges(line[other][0])"))
            .sync("arrive[id]?")
            .update(update);
        s.edge(self.ready, self.ready)
            .guard(format!("{guard} && !acknowledges(line[other][0])"))
            .sync("arrive[id]?")
            .update(update)
            .update("clear(frame)");
    }
}
