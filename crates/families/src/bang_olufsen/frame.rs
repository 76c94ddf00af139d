//! Frames as a sender transmits them. A low pulse after one, two or four high pulses encodes a bit; after eight it ends the
//! frame.

use crate::model::{Template, at};

/// Longest gaps between low pulses, and of how many of them a frame consists.
const HEADER: u32 = 10;
const DATA: u32 = 2;
const TAIL: u32 = 8;
const LEAST: u32 = 17;
const MOST: u32 = 20;

/// With this many pulses of the tail left the faulty version stops looking for collisions.
const BLIND: u32 = 7;

pub(super) fn generator(is_buggy: bool) -> Template {
    let mut f = Template::new("Frame", "const id_t id");
    f.declare(format!(
        "
        int[0, {HEADER}] high;        // pulses until the next low one
        int[0, {MOST}] number;        // of the present gap
        bool tail;              // it is the last one
        "
    ));
    let start = f.add(at(0.0, 0.0, "start"));
    let first = f.add(at(1.0, 0.0, "first"));
    let gap = f.add(at(1.0, 1.0, "gap"));
    let choose = f.add(at(2.0, 1.0, "choose").committed());
    let end = f.add(at(0.0, 1.0, "end"));

    f.edge(start, first)
        .sync("frame[id]?")
        .update("number = 1")
        .update(format!("high = {HEADER}"))
        .update("done[id] = false")
        .update("ends[id] = false")
        .update("tail = false");
    f.edge(first, gap).sync("pulse[id]?").update("now[id] = false");
    if is_buggy {
        let blind = f.add(at(1.0, 2.0, "blind").committed());
        let go_on = f.add(at(2.0, 2.0, "go_on").committed());
        f.edge(gap, blind)
            .guard("high > 0")
            .sync("pulse[id]?")
            .update("now[id] = true")
            .update("high--");
        f.edge(blind, go_on).guard("!tail");
        f.edge(blind, go_on)
            .guard(format!("tail && high < {BLIND}"))
            .update("ends[id] = true");
        f.edge(blind, go_on).guard(format!("tail && high >= {BLIND}"));
        f.edge(go_on, gap);
    } else {
        f.edge(gap, gap)
            .guard("high > 0")
            .sync("pulse[id]?")
            .update("now[id] = true")
            .update("high--");
    }
    f.edge(gap, choose)
        .guard("!tail && high == 0")
        .sync("pulse[id]?")
        .update("number++")
        .update("now[id] = false")
        .update("started[id] = true");
    f.edge(choose, gap)
        .guard(format!("number < {MOST}"))
        .update(format!("high = {DATA}"));
    f.edge(choose, gap)
        .guard(format!("number >= {LEAST}"))
        .update(format!("high = {TAIL}"))
        .update("tail = true");
    let last = f
        .edge(gap, end)
        .guard("tail && high == 0")
        .sync("pulse[id]?")
        .update("now[id] = false");
    if !is_buggy {
        last.update("ends[id] = true");
    }
    f.edge(end, start)
        .sync("pulse[id]?")
        .update("now[id] = true")
        .update("done[id] = true")
        .update("started[id] = false");
    f.edge(gap, start).sync("reset[id]?");
    f
}
