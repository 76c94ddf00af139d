//! Counts the pulses that were sent high and read low: another sender has overwritten them.

use crate::model::{LocationRef, Template, at};

pub(super) fn detector() -> Template {
    let mut d = Template::new("Detector", "const id_t id");
    let wait = d.add(at(0.0, 0.0, "wait"));
    let last = d.add(at(1.0, 0.0, "was_high").committed());
    let read_last = d.add(at(2.0, 0.0, "was_read").committed());
    let now = d.add(at(3.0, 0.0, "is_high").committed());
    let read_now = d.add(at(3.0, 1.0, "is_read").committed());
    let is_high = d.add(at(2.0, 1.0, "bus_was_high").committed());
    let stays_low = d.add(at(1.0, 1.0, "bus_is_high").committed());
    let judge = d.add(at(1.0, 2.0, "judge").committed());

    d.edge(wait, last).sync("check[id]?").update("collision[id] = 0");
    d.edge(last, is_high).guard("!last[id]");
    d.edge(last, read_last).guard("last[id]");
    let count = |d: &mut Template, from: LocationRef, to: LocationRef, what: &str| {
        d.edge(from, to).guard(format!("!{what}[id] && errors[id] > 3"));
        d.edge(from, to)
            .guard(format!("!{what}[id] && errors[id] <= 3"))
            .update("errors[id]++");
    };
    d.edge(read_last, now).guard("read_last[id]");
    count(&mut d, read_last, now, "read_last");
    d.edge(now, is_high).guard("!now[id]");
    d.edge(now, read_now).guard("now[id]");
    d.edge(read_now, is_high).guard("read_now[id]");
    count(&mut d, read_now, wait, "read_now");

    // A collision is told when the bus is high for once.
    d.edge(is_high, judge).guard("read_last[id]");
    d.edge(is_high, stays_low).guard("!read_last[id]");
    d.edge(stays_low, judge).guard("read_now[id]");
    d.edge(stays_low, wait).guard("!read_now[id]");
    for (guard, result) in [
        ("errors[id] == 0", 0),
        ("errors[id] > 0 && errors[id] <= 3", 1),
        ("errors[id] > 3", 2),
    ] {
        d.edge(judge, wait)
            .guard(guard)
            .update(format!("collision[id] = {result}"));
    }
    d
}
