//! The protocol without time: a message that is lost is reported to the sender's timer, and the receiver's timer is told
//! when the sender has given up.

use super::{FRAMES, RECEIVER, SENDER};
use crate::model::{Template, at};

pub(super) const CHANNELS: &str = "
    chan lost;                       // a frame or an acknowledgement, and timer 1 notices it
    chan set1, reset1, timeout1;
    chan set2, reset2, timeout2, quit;
    chan give_up, synced;            // between the sender and timer 2
";

pub(super) const SYSTEM: &str = "system Sender, Timer1, Frames, Confirmations, Receiver, Timer2;";

pub(super) fn templates() -> Vec<Template> {
    vec![
        sender(),
        timer1(),
        frame_channel(),
        confirmation_channel(),
        receiver(),
        timer2(),
    ]
}

fn sender() -> Template {
    let mut s = Template::new("Sender", "");
    s.declare(SENDER);
    s.spacing = (272.0, 170.0);
    let idle = s.add(at(0.0, 0.0, "idle"));
    let ready = s.add(at(1.0, 0.0, "ready"));
    let sending = s.add(at(2.0, 0.0, "sending"));
    let waiting = s.add(at(3.0, 0.0, "waiting"));
    let heard = s.add(at(2.0, 1.0, "heard"));
    let stepping = s.add(at(1.0, 1.0, "stepping"));
    let timed_out = s.add(at(3.0, 2.0, "timed_out"));
    let failed = s.add(at(1.0, 2.0, "failed"));
    let giving_up = s.add(at(0.0, 2.0, "giving_up"));
    s.edge(idle, ready).select("f : file_t").update("begin(f)");
    s.edge(ready, sending).sync("set1!");
    s.edge(sending, waiting).sync("send!");
    s.edge(waiting, heard).sync("confirmed?").update("first = false");
    s.edge(heard, stepping).sync("reset1!");
    s.edge(stepping, sending)
        .guard("!is_last(file)")
        .sync("set1!")
        .update("next_frame()");
    s.edge(stepping, idle)
        .guard("is_last(file)")
        .update("forget()")
        .update("bit = !bit");
    s.edge(waiting, timed_out).sync("timeout1?");
    s.edge(timed_out, sending)
        .guard("retries < MAX")
        .sync("set1!")
        .update("retries++");
    s.edge(timed_out, failed)
        .guard("retries == MAX")
        .update("forget()");
    s.edge(failed, giving_up).sync("give_up!");
    s.edge(giving_up, idle).sync("synced?").update("bit = !bit");
    s
}

fn timer1() -> Template {
    let mut t = Template::new("Timer1", "");
    let off = t.add(at(0.0, 0.0, "off"));
    let on = t.add(at(1.0, 0.0, "on"));
    let over = t.add(at(0.5, 1.0, "over"));
    t.edge(off, on).sync("set1?");
    t.edge(off, off).sync("reset1?");
    t.edge(off, off).sync("lost?");
    t.edge(on, over).sync("lost?");
    t.edge(on, off).sync("reset1?");
    t.edge(over, off).sync("timeout1!");
    t.edge(over, off).sync("reset1?");
    t
}

fn frame_channel() -> Template {
    let mut k = Template::new("Frames", "");
    k.declare(FRAMES);
    let empty = k.add(at(0.0, 0.0, "empty"));
    let full = k.add(at(1.0, 0.0, "full"));
    let delivering = k.add(at(0.3, 1.0, "delivering"));
    let losing = k.add(at(1.3, 1.0, "losing"));
    k.edge(empty, full).sync("send?").update("accept()");
    k.edge(full, delivering);
    k.edge(full, losing).update("clear(channel)");
    // The receiver takes the frame out.
    k.edge(delivering, empty).sync("arrive!");
    k.edge(losing, empty).sync("lost!");
    k
}

fn confirmation_channel() -> Template {
    let mut l = Template::new("Confirmations", "");
    let empty = l.add(at(0.0, 0.0, "empty"));
    let full = l.add(at(1.0, 0.0, "full"));
    let delivering = l.add(at(0.3, 1.0, "delivering"));
    let losing = l.add(at(1.3, 1.0, "losing"));
    l.edge(empty, full).sync("confirm?");
    l.edge(full, delivering);
    l.edge(full, losing);
    l.edge(delivering, empty).sync("confirmed!");
    l.edge(losing, empty).sync("lost!");
    l
}

fn receiver() -> Template {
    let mut r = Template::new("Receiver", "");
    r.declare(RECEIVER);
    r.spacing = (323.0, 187.0);
    let idle = r.add(at(0.0, 0.0, "idle"));
    let passing = r.add(at(1.0, 0.0, "passing"));
    let arming = r.add(at(2.0, 0.0, "arming"));
    let confirming = r.add(at(3.0, 0.0, "confirming"));
    let listening = r.add(at(2.0, 1.0, "listening"));
    let fresh = r.add(at(1.0, 1.0, "fresh"));
    let repeating = r.add(at(3.0, 2.0, "repeating"));
    let broken_off = r.add(at(1.0, 2.0, "broken_off"));
    let leaving = r.add(at(0.0, 2.0, "leaving"));
    r.edge(idle, passing)
        .guard("channel.first")
        .sync("arrive?")
        .update("take()")
        .update("look()");
    r.edge(passing, arming).update("deliver()");
    r.edge(arming, confirming).sync("set2!");
    r.edge(confirming, listening)
        .sync("confirm!")
        .update("expect_next()");
    r.edge(listening, fresh)
        .guard("channel.bit == expected && channel.first == ended")
        .sync("arrive?")
        .update("take()");
    r.edge(fresh, passing).sync("reset2!").update("look()");
    r.edge(listening, repeating)
        .guard("channel.bit != expected")
        .sync("arrive?")
        .update("clear(channel)");
    r.edge(repeating, listening).sync("confirm!");
    r.edge(listening, broken_off)
        .guard("!ended")
        .sync("timeout2?")
        .update("expected = false");
    r.edge(listening, leaving)
        .guard("ended")
        .sync("timeout2?")
        .update("ended = false")
        .update("expected = false");
    r.edge(broken_off, leaving);
    r.edge(leaving, idle).sync("quit!");
    r
}

fn timer2() -> Template {
    let mut t = Template::new("Timer2", "");
    let off = t.add(at(0.0, 0.0, "off"));
    let on = t.add(at(1.0, 0.0, "on"));
    let over = t.add(at(2.0, 0.0, "over"));
    let told = t.add(at(2.0, 1.0, "told"));
    let syncing = t.add(at(0.5, 1.0, "syncing"));
    t.edge(off, on).sync("set2?");
    t.edge(off, off).sync("reset2?");
    t.edge(off, syncing).sync("give_up?");
    t.edge(on, off).sync("reset2?");
    t.edge(on, over).sync("give_up?");
    t.edge(over, told).sync("timeout2!");
    t.edge(over, syncing).sync("reset2?");
    t.edge(told, syncing).sync("quit?");
    t.edge(syncing, off).sync("synced!");
    t
}
