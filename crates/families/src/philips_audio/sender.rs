//! A sender: it sends messages of any length, bit by bit, and looks for collisions.

use crate::model::{LocationRef, Template, at};

const DECLARATION: &str = "
    clock x;           // since it raised or lowered the bus
    bool odd;          // number of bits so far
    bool twice;        // the last two bits are 0

    void send(bool bit)
    {
        compare(id, bit, 1);
        odd = !odd;
        twice = false;
    }

    // Who raises the bus when it has just risen counts as having done so with the first.
    void begin()
    {
        active[id] = true;
        if (high == 0)
            send(true);
        else
            odd = true;
        opening = true;
        high++;
    }

    void lower()
    {
        high--;
        opening = false;
    }

    void finish()
    {
        odd = false;
        twice = false;
    }

    void leave()
    {
        finish();
        active[id] = false;
        wrong[id] = false;
        clear(id);
    }
";

/// When an edge of the sender's clock may come, `k` quarters after the last one.
fn at_quarter(k: u32) -> String {
    format!("x >= {k} * (Q - T) && x <= {k} * (Q + T)")
}

fn until(k: u32) -> String {
    format!("x <= {k} * (Q + T)")
}

pub(super) fn sender() -> Template {
    let mut s = Template::new("Sender", "const id_t id");
    s.declare(DECLARATION);
    s.spacing = (374.0, 255.0);
    let idle = s.add(at(0.0, 0.0, "idle"));
    // The bus is held up after the middle of a 1, and before the middle of a 0 that follows another one.
    let one = s.add(at(1.0, 0.0, "one").invariant(until(4)));
    let zero_high = s.add(at(2.0, 2.0, "zero_high").invariant(until(2)));
    // It is let go before the middle of a 1 that follows another one, and after the middle of a 0.
    let pause = s.add(at(1.0, -1.0, "pause").invariant(until(1)));
    let pause_seen = s.add(at(2.0, -1.0, "pause_seen").invariant(until(2)));
    let zero = s.add(at(1.0, 1.0, "zero").invariant(until(1)));
    let zero_seen = s.add(at(2.0, 1.0, "zero_seen").invariant(until(3)));
    let half = s.add(at(2.0, 0.0, "half").invariant(until(4)));
    let done = s.add(at(1.0, 2.0, "done"));
    let stopped = s.add(at(3.0, 0.0, "stopped"));
    let error = s.add(at(0.0, 2.0, "error"));

    // Ten quarters of silence are longer than the receiver waits.
    s.edge(idle, one)
        .guard("high == 0 && silent >= 10 * (Q + T)")
        .sync("up!")
        .update("begin()")
        .update("x = 0")
        .update("risen = 0");
    s.edge(idle, one)
        .guard("high > 0 && opening && risen <= D")
        .sync("up!")
        .update("begin()")
        .update("x = 0");

    let lower = |s: &mut Template, from, to, when: String, what: &str| {
        let edge = s.edge(from, to).guard(when).update("lower()");
        if !what.is_empty() {
            edge.update(what);
        }
        edge.update("x = 0").update("silent = 0");
    };
    lower(&mut s, one, pause, at_quarter(2), "");
    lower(&mut s, one, zero, at_quarter(4), "send(false)");
    lower(&mut s, one, done, format!("odd && {}", at_quarter(2)), "finish()");
    lower(&mut s, zero_high, zero, at_quarter(2), "");

    let collisions = Collisions { stopped };
    collisions.look(&mut s, pause, pause_seen, 1);
    collisions.rise(&mut s, pause_seen, one, 2, "send(true)");
    collisions.look(&mut s, zero, zero_seen, 1);
    collisions.rise(&mut s, zero_seen, zero_high, 2, "send(false),\ntwice = true");
    collisions.look(&mut s, zero_seen, half, 3);
    collisions.rise(&mut s, half, one, 4, "send(true)");
    s.edge(zero_seen, done)
        .guard(format!("high == 0 && (odd || twice) && {}", at_quarter(2)))
        .update("finish()")
        .update("x = 0");

    s.edge(done, stopped)
        .guard("high == 0")
        .sync("up?")
        .update("leave()");
    s.edge(done, idle)
        .guard("!wrong[id] && ahead[id] == 0")
        .sync("over?")
        .update("leave()");
    s.edge(done, error)
        .guard("wrong[id] || ahead[id] != 0")
        .sync("over?")
        .update("leave()");
    s.edge(stopped, idle).sync("over?");
    for low in [pause, pause_seen, zero, zero_seen, half] {
        s.edge(low, error).sync("over?").update("leave()");
    }
    for high in [one, zero_high] {
        s.edge(high, error)
            .sync("over?")
            .update("lower()")
            .update("leave()")
            .update("silent = 0");
    }
    s.edge(error, idle);
    s
}

/// How a sender that holds the bus down notices that another sender holds it up.
struct Collisions {
    stopped: LocationRef,
}

impl Collisions {
    /// It checks the bus after `k` quarters, and continues if no sender holds it up.
    fn look(&self, s: &mut Template, from: LocationRef, to: LocationRef, k: u32) {
        s.edge(from, to).guard(format!("high == 0 && {}", at_quarter(k)));
        self.stop(s, from, k);
    }

    /// It raises the bus after `k` quarters if it sees no other sender do so, which a rise just before may prevent.
    fn rise(&self, s: &mut Template, from: LocationRef, to: LocationRef, k: u32, what: &str) {
        s.edge(from, to)
            .guard(format!("high == 0 && {}", at_quarter(k)))
            .sync("up!")
            .update(what)
            .update("high++")
            .update("x = 0")
            .update("risen = 0");
        s.edge(from, to)
            .guard(format!("high > 0 && risen <= D && {}", at_quarter(k)))
            .sync("up!")
            .update(what)
            .update("high++")
            .update("x = 0");
        self.stop(s, from, k);
    }

    fn stop(&self, s: &mut Template, from: LocationRef, k: u32) {
        s.edge(from, self.stopped)
            .guard(format!("high > 0 && {}", at_quarter(k)))
            .update("leave()");
    }
}
