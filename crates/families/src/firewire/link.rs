//! A link: it sends the packet that its user asked for, waits for the acknowledgement, and acknowledges packets on its own.

use crate::model::{LocationRef, Template, at};

const DECLARATION: &str = "
    typedef struct
    {
        bool is_there;
        dest_t dest;
        value_t header;
        value_t data;
    } packet_t;

    packet_t buffer;            // to be sent when the bus is won
    packet_t packet;            // being sent
    int[0, 5] part;             // of it
    bool is_mine;               // the packet that comes is for this link alone
    signal_t header;            // of the packet that comes
    signal_t data;
    signal_t ack;               // that comes, or is to be sent
    int[0, 1] hold;             // whether a packet will follow the acknowledgement

    packet_t packed(dest_t dest, value_t h, value_t d)
    {
        packet_t p = { true, dest, h, d };
        return p;
    }

    void clear(packet_t &p)
    {
        p.is_there = false;
        p.dest = 0;
        p.header = 0;
        p.data = 0;
    }

    void win()
    {
        packet = buffer;
        clear(buffer);
    }

    signal_t current()
    {
        if (part == 0)
            return START;
        if (part == 1)
            return LEAD;
        if (part == 2)
            return packet.dest;
        if (part == 3)
            return HEADER + 2 * packet.header;
        if (part == 4)
            return DATA + 2 * packet.data;
        return END;
    }

    void sent()
    {
        part = 0;
        clear(packet);
    }

    void forget()
    {
        is_mine = false;
        header = 0;
        data = 0;
    }

    void respond(value_t a, int[0, 1] b)
    {
        ack = ACK + 2 * a;
        hold = b;
    }
";

pub(super) fn link() -> Template {
    let mut l = Template::new("Link", "const id_t id");
    l.declare(DECLARATION);
    l.spacing = (408.0, 238.0);
    let idle = l.add(at(0.0, 0.0, "idle"));
    let requesting = l.add(at(1.0, 0.0, "requesting"));
    let waiting = l.add(at(2.0, 0.0, "waiting"));
    let sending = l.add(at(3.0, 0.0, "sending"));
    let all_sent = l.add(at(1.0, 1.0, "all_sent"));
    let awaiting = l.add(at(3.0, 1.0, "awaiting"));
    let awaiting_ack = l.add(at(3.0, 2.0, "awaiting_ack"));
    let awaiting_end = l.add(at(3.0, 3.0, "awaiting_end"));
    let missed = l.add(at(2.0, 1.0, "missed"));
    let missed_late = l.add(at(2.0, 2.0, "missed_late"));
    let acknowledged = l.add(at(2.0, 3.0, "acknowledged"));
    let skipping = l.add(at(1.0, 3.0, "skipping"));
    let returning = l.add(at(1.0, 2.0, "returning"));
    let closing = l.add(at(0.5, 1.5, "closing"));
    let started = l.add(at(0.0, 2.0, "started"));
    let led = l.add(at(0.0, 3.0, "led"));
    let asking = l.add(at(0.0, 4.0, "asking"));
    let addressed = l.add(at(0.5, 5.0, "addressed"));
    let headed = l.add(at(1.0, 4.0, "headed"));
    let loaded = l.add(at(2.0, 4.0, "loaded"));
    let spreading = l.add(at(3.0, 4.0, "spreading"));
    let indicating = l.add(at(1.5, 5.0, "indicating"));
    let invited = l.add(at(2.5, 5.0, "invited"));
    let thinking = l.add(at(3.5, 5.0, "thinking"));
    let prolonging = l.add(at(3.5, 6.0, "prolonging"));
    let responding = l.add(at(4.0, 5.0, "responding"));
    let starting = l.add(at(4.0, 4.0, "starting"));
    let started_ack = l.add(at(4.0, 3.0, "started_ack"));
    let acknowledging = l.add(at(4.0, 2.0, "acknowledging"));
    let given = l.add(at(4.0, 1.0, "given"));
    let ending = l.add(at(4.0, 0.0, "ending"));
    let holding = l.add(at(5.0, 0.0, "holding"));
    let extending = l.add(at(5.0, 1.0, "extending"));

    // A packet of its user.
    l.edge(idle, idle)
        .select("dest : dest_t, h : value_t, d : value_t")
        .guard("!buffer.is_there")
        .sync("LDreq[id][dest][h][d]!")
        .update("buffer = packed(dest, h, d)");
    l.edge(idle, requesting)
        .guard("buffer.is_there")
        .sync("PAreq_fair[id]!");
    l.edge(requesting, idle).sync("PAcon_lost[id]?");
    l.edge(requesting, waiting).sync("PAcon_won[id]?").update("win()");
    l.edge(waiting, sending).sync("PCind[id]?");
    l.edge(sending, waiting)
        .guard("part < 5")
        .sync("PDreq[id][current()]!")
        .update("part++");
    l.edge(sending, all_sent)
        .guard("part == 5 && packet.dest == N")
        .sync("PDreq[id][current()]!")
        .update("sent()");
    l.edge(sending, awaiting)
        .guard("part == 5 && packet.dest != N")
        .sync("PDreq[id][current()]!")
        .update("sent()");
    l.edge(all_sent, idle).sync("LDcon[id][SENT]!");

    // Its acknowledgement.
    hear(&mut l, awaiting, awaiting, "s == PREFIX");
    hear(&mut l, awaiting, awaiting_ack, "s == START");
    hear(&mut l, awaiting, missed, "s == GAP");
    hear(
        &mut l,
        awaiting,
        missed_late,
        "s != PREFIX && s != START && s != GAP",
    );
    hear(&mut l, awaiting_ack, missed, "s == GAP");
    hear(&mut l, awaiting_ack, missed_late, "is_physical(s) && s != GAP");
    l.edge(awaiting_ack, awaiting_end)
        .select("s : signal_t")
        .guard("!is_physical(s)")
        .sync("PDind[id][s]?")
        .update("ack = s");
    let is_good = "is_ack(ack) && is_right(ack) && is_terminator(s)";
    hear(&mut l, awaiting_end, acknowledged, is_good);
    for (target, signals) in [(missed, "s == GAP"), (missed_late, "s != GAP")] {
        l.edge(awaiting_end, target)
            .select("s : signal_t")
            .guard(format!("!({is_good}) && {signals}"))
            .sync("PDind[id][s]?")
            .update("ack = 0");
    }
    l.edge(missed, idle).sync("LDcon[id][MISSED]!");
    l.edge(missed_late, skipping).sync("LDcon[id][MISSED]!");
    l.edge(acknowledged, skipping)
        .sync("LDcon[id][value(ack)]!")
        .update("ack = 0");

    // A packet of others.
    hear(&mut l, idle, started, "s == START");
    hear(&mut l, idle, idle, "s != START");
    hear(&mut l, started, idle, "s == GAP");
    hear(&mut l, started, skipping, "is_physical(s) && s != GAP");
    hear(&mut l, started, led, "!is_physical(s)");
    hear(&mut l, led, asking, "s == id");
    hear(&mut l, led, addressed, "s == N");
    hear(&mut l, led, idle, "s == GAP");
    hear(&mut l, led, skipping, "s != id && s != N && s != GAP");
    l.edge(asking, addressed)
        .sync("PAreq_immediate[id]!")
        .update("is_mine = true");
    l.edge(addressed, headed)
        .select("s : signal_t")
        .guard("is_header(s) && is_right(s)")
        .sync("PDind[id][s]?")
        .update("header = s");
    hear(&mut l, addressed, skipping, "!(is_header(s) && is_right(s))");
    l.edge(headed, loaded)
        .select("s : signal_t")
        .guard("is_data(s)")
        .sync("PDind[id][s]?")
        .update("data = s");
    l.edge(headed, skipping)
        .select("s : signal_t")
        .guard("!is_data(s)")
        .sync("PDind[id][s]?")
        .update("header = 0");
    hear(&mut l, loaded, indicating, "is_mine && is_terminator(s)");
    hear(
        &mut l,
        loaded,
        spreading,
        "!is_mine && is_terminator(s) && is_right(data)",
    );
    for (target, signals, update) in [
        (
            idle,
            "!is_mine && is_terminator(s) && !is_right(data)",
            "forget()",
        ),
        (skipping, "!is_terminator(s)", "header = 0,\ndata = 0"),
    ] {
        l.edge(loaded, target)
            .select("s : signal_t")
            .guard(signals)
            .sync("PDind[id][s]?")
            .update(update);
    }
    l.edge(spreading, idle)
        .sync("LDind_broad[id][value(header)][value(data)]!")
        .update("forget()");
    l.edge(indicating, invited)
        .guard("is_right(data)")
        .sync("LDind_good[id][value(header)][value(data)]!")
        .update("forget()");
    l.edge(indicating, invited)
        .guard("!is_right(data)")
        .sync("LDind_bad[id][value(header)]!")
        .update("forget()");

    // The acknowledgement, and perhaps a packet at once.
    l.edge(invited, thinking).sync("PAcon_won[id]?");
    l.edge(thinking, prolonging).sync("PCind[id]?");
    l.edge(prolonging, thinking).sync("PDreq[id][PREFIX]!");
    l.edge(thinking, responding)
        .select("a : value_t, b : int[0, 1]")
        .sync("LDres[id][a][b]!")
        .update("respond(a, b)");
    l.edge(responding, starting).sync("PCind[id]?");
    l.edge(starting, started_ack).sync("PDreq[id][START]!");
    l.edge(started_ack, acknowledging).sync("PCind[id]?");
    l.edge(acknowledging, given)
        .sync("PDreq[id][ack]!")
        .update("ack = 0");
    l.edge(given, ending).sync("PCind[id]?");
    l.edge(ending, idle).guard("hold == 0").sync("PDreq[id][END]!");
    l.edge(ending, holding)
        .guard("hold == 1")
        .sync("PDreq[id][PREFIX]!")
        .update("hold = 0");
    l.edge(holding, extending).sync("PCind[id]?");
    l.edge(extending, holding).sync("PDreq[id][PREFIX]!");
    l.edge(holding, waiting)
        .select("dest : dest_t, h : value_t, d : value_t")
        .sync("LDreq[id][dest][h][d]!")
        .update("packet = packed(dest, h, d)");

    // The rest of a packet that does not matter. Who has asked for an answer must give one.
    hear(&mut l, skipping, skipping, "s != GAP");
    l.edge(skipping, idle)
        .select("s : signal_t")
        .guard("s == GAP")
        .sync("PDind[id][s]?")
        .update("is_mine = false");
    l.edge(skipping, returning)
        .guard("is_mine")
        .sync("PAcon_won[id]?")
        .update("is_mine = false");
    l.edge(returning, closing).sync("PCind[id]?");
    l.edge(closing, idle).sync("PDreq[id][END]!");
    l
}

/// Adds a link's reaction to these signals.
fn hear(l: &mut Template, source: LocationRef, target: LocationRef, signals: &str) {
    l.edge(source, target)
        .select("s : signal_t")
        .guard(signals)
        .sync("PDind[id][s]?");
}
