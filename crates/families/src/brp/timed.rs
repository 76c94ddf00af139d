//! The protocol with time: messages take a while, and timers expire.
//!
//! Steps that processes take at once take no time, in committed locations.

use super::{FRAMES, RECEIVER, SENDER};
use crate::model::{Template, at};

/// The sender's timeout must be longer than the way there and back. The receiver's must be longer than the time from a new
/// frame until the sender gives up the next one, with all of a file's retransmissions, some for either frame, and the way
/// back of the acknowledgement in between. And the sender must be silent for as long.
pub(super) const CONSTANTS: &str = "
    const int DELAY = 1;                            // a message arrives within this time or is lost
    const int T1 = 2 * DELAY + 1;                   // when the sender takes it for lost
    const int T2 = (MAX + 1) * T1 + 2 * DELAY + 1;  // when the receiver takes the sender for gone
    const int SYNC = T2;                            // how long the sender is gone
";

pub(super) const SYSTEM: &str = "system Sender, Frames, Confirmations, Receiver;";

pub(super) fn templates() -> Vec<Template> {
    vec![sender(), frame_channel(), confirmation_channel(), receiver()]
}

fn sender() -> Template {
    let mut s = Template::new("Sender", "");
    s.declare(SENDER);
    s.declare("clock x;        // since the last frame");
    let idle = s.add(at(0.0, 0.0, "idle"));
    let waiting = s.add(at(1.2, 0.0, "waiting").invariant("x <= T1"));
    let stepping = s.add(at(1.2, 1.0, "stepping").committed());
    let giving_up = s.add(at(0.0, 1.0, "giving_up").invariant("x <= SYNC"));
    s.edge(idle, waiting)
        .select("f : file_t")
        .sync("send!")
        .update("begin(f)")
        .update("x = 0");
    s.edge(waiting, stepping)
        .sync("confirmed?")
        .update("first = false");
    s.edge(stepping, waiting)
        .guard("!is_last(file)")
        .sync("send!")
        .update("next_frame()")
        .update("x = 0");
    s.edge(stepping, idle)
        .guard("is_last(file)")
        .update("forget()")
        .update("bit = !bit");
    s.edge(waiting, waiting)
        .guard("x == T1 && retries < MAX")
        .sync("send!")
        .update("retries++")
        .update("x = 0");
    s.edge(waiting, giving_up)
        .guard("x == T1 && retries == MAX")
        .update("forget()")
        .update("x = 0");
    s.edge(giving_up, idle).guard("x == SYNC").update("bit = !bit");
    s
}

fn frame_channel() -> Template {
    let mut k = Template::new("Frames", "");
    k.declare(FRAMES);
    k.declare("clock z;        // since the frame was sent");
    let empty = k.add(at(0.0, 0.0, "empty"));
    let full = k.add(at(1.0, 0.0, "full").invariant("z <= DELAY"));
    k.edge(empty, full)
        .sync("send?")
        .update("accept()")
        .update("z = 0");
    // The receiver takes the frame out.
    k.edge(full, empty).sync("arrive!");
    k.edge(full, empty).update("clear(channel)");
    k
}

fn confirmation_channel() -> Template {
    let mut l = Template::new("Confirmations", "");
    l.declare("clock z;        // since the receiver sent it");
    let empty = l.add(at(0.0, 0.0, "empty"));
    let full = l.add(at(1.0, 0.0, "full").invariant("z <= DELAY"));
    l.edge(empty, full).sync("confirm?").update("z = 0");
    l.edge(full, empty).sync("confirmed!");
    l.edge(full, empty);
    l
}

fn receiver() -> Template {
    let mut r = Template::new("Receiver", "");
    r.declare(RECEIVER);
    r.declare("clock y;        // since the last new frame");
    r.spacing = (323.0, 187.0);
    let idle = r.add(at(0.0, 0.0, "idle"));
    let passing = r.add(at(1.0, 0.0, "passing").committed());
    let confirming = r.add(at(2.0, 0.0, "confirming").committed());
    let listening = r.add(at(1.0, 1.0, "listening").invariant("y <= T2"));
    let repeating = r.add(at(2.0, 1.0, "repeating").committed());
    let broken_off = r.add(at(0.0, 1.0, "broken_off").committed());
    r.edge(idle, passing)
        .guard("channel.first")
        .sync("arrive?")
        .update("take()")
        .update("look()");
    r.edge(listening, passing)
        .guard("channel.bit == expected && channel.first == ended")
        .sync("arrive?")
        .update("take()")
        .update("look()");
    r.edge(passing, confirming).update("deliver()").update("y = 0");
    r.edge(confirming, listening)
        .sync("confirm!")
        .update("expect_next()");
    r.edge(listening, repeating)
        .guard("channel.bit != expected")
        .sync("arrive?")
        .update("clear(channel)");
    r.edge(repeating, listening).sync("confirm!");
    r.edge(listening, broken_off)
        .guard("y == T2 && !ended")
        .update("expected = false");
    r.edge(broken_off, idle);
    r.edge(listening, idle)
        .guard("y == T2 && ended")
        .update("ended = false")
        .update("expected = false");
    r
}
