//! The bounded retransmission protocol: a file is sent in frames over channels that lose, each frame a few times at most.
//!
//! After J. F. Groote, J. van de Pol, "A bounded retransmission protocol for large data packets", AMAST 1996, as the mCRL2
//! specification has it that T. Engels et al., "Search algorithms for automated validation", Journal of Logic and Algebraic
//! Programming 78, 2009, search: without time, a timer knowing when a message is lost. One action there is one transition
//! here, and values that nobody will read are 0, so that states and transitions are the same in number.

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "brp",
    summary: "the bounded retransmission protocol: files over channels that lose, each frame a few times at most",
    params: &[
        ParamSpec::number(
            "n",
            3,
            (0, 10_000),
            "how often frames of a file are sent again, at most",
        ),
        ParamSpec::number("frames", 3, (0, 8), "frames of the longest file"),
        ParamSpec::number("data", 3, (1, 8), "values that a frame may have"),
    ],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let [n, frames, data] = ["n", "frames", "data"].map(|name| params.get(name));
    let files: i64 = (0..=frames as u32).map(|length| data.pow(length)).sum();

    let mut model = Model::new("The bounded retransmission protocol, without time");
    model.declare(format!(
        "
        const int MAX = {n};          // retransmissions of a file
        const int DATA = {data};         // values of a datum
        const int FILES = {files};       // files of at most {frames} data

        // A file is a number: 0 is the empty one, and DATA * rest + datum + 1 is a datum before the rest.
        typedef int[0, FILES - 1] file_t;
        typedef int[0, DATA] datum_t;       // DATA: the empty file's frame has none

        typedef struct
        {{
            bool first;
            bool last;
            bool bit;
            datum_t datum;
        }} frame_t;

        chan send, arrive;                  // of frames
        chan confirm, confirmed;            // of acknowledgements
        chan lost;                          // either, and timer 1 notices it
        chan set1, reset1, timeout1;
        chan set2, reset2, timeout2, quit;
        chan give_up, synced;               // between the sender and timer 2

        file_t file;                        // what the sender has still to send
        bool first;                         // the next frame is a file's first one
        bool bit;                           // of the next frame
        frame_t channel;                    // the frame under way

        bool is_last(file_t f)
        {{
            return f <= DATA;
        }}

        datum_t head(file_t f)
        {{
            return f == 0 ? DATA : (f - 1) % DATA;
        }}

        file_t tail(file_t f)
        {{
            return f == 0 ? 0 : (f - 1) / DATA;
        }}

        void clear(frame_t &frame)
        {{
            frame.first = false;
            frame.last = false;
            frame.bit = false;
            frame.datum = 0;
        }}
        "
    ));
    model.templates.extend([
        sender(),
        timer1(),
        frame_channel(),
        confirmation_channel(),
        receiver(),
        timer2(),
    ]);
    model.system = "system Sender, Timer1, Frames, Confirmations, Receiver, Timer2;".to_owned();

    model.query(
        "E<> Sender.giving_up",
        Expected::Satisfied,
        "The sender has given up and waits until the receiver has noticed: the paper's goal, action c10.",
    );
    model.query(
        "E<> Sender.stepping && is_last(file)",
        Expected::Satisfied,
        "A file has arrived as a whole, and the sender knows.",
    );
    model.query(
        "A[] Sender.stepping && is_last(file) imply Receiver.listening && Receiver.ended",
        Expected::Satisfied,
        "When the sender believes that a file has arrived, the receiver had its last frame.",
    );
    model.query(
        "A[] Receiver.broken_off imply Sender.giving_up",
        Expected::Satisfied,
        "The receiver breaks off within a file only when the sender has given up.",
    );
    model.query(
        "A[] not deadlock",
        Expected::Satisfied,
        "No message comes at a time when nobody takes it.",
    );
    Ok(model)
}

fn sender() -> Template {
    let mut s = Template::new("Sender", "");
    s.declare(
        "
        int[0, MAX] retries;        // of this file

        void begin(file_t f)
        {
            file = f;
            first = true;
        }

        void next_frame()
        {
            file = tail(file);
            first = false;
            bit = !bit;
        }

        void forget()
        {
            file = 0;
            first = false;
            retries = 0;
        }
        ",
    );
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
    k.declare(
        "
        void accept()
        {
            channel.first = first;
            channel.last = is_last(file);
            channel.bit = bit;
            channel.datum = head(file);
        }
        ",
    );
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
    r.declare(
        "
        bool ended;         // the frame before was a file's last one
        bool expected;      // bit of the next frame
        frame_t frame;      // the one that has come

        void take()
        {
            frame = channel;
            clear(channel);
            ended = false;
            expected = false;
        }

        // A file's last frame is announced as such, were it the first one or not.
        void look()
        {
            if (frame.last)
                frame.first = false;
        }

        void deliver()
        {
            frame.first = false;
            frame.datum = 0;
        }

        void expect_next()
        {
            ended = frame.last;
            expected = !frame.bit;
            clear(frame);
        }
        ",
    );
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
