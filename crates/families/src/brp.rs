//! The bounded retransmission protocol: a file is sent in frames over channels that lose, each frame a few times at most.
//!
//! After J. F. Groote, J. van de Pol, "A bounded retransmission protocol for large data packets", AMAST 1996, as the mCRL2
//! specification has it that T. Engels et al., "Search algorithms for automated validation", Journal of Logic and Algebraic
//! Programming 78, 2009, search: without time, a timer knowing when a message is lost. One action there is one transition
//! here, and values that will not be read are 0, so that states and transitions are the same in number. With time it is
//! after P. D'Argenio et al., "The bounded retransmission protocol must be on time!", TACAS 1997.

mod timed;
mod untimed;

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model};
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
        ParamSpec::choice(
            "timed",
            &["no", "yes"],
            "timers that know what is lost, or that measure time",
        ),
    ],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let [n, frames, data] = ["n", "frames", "data"].map(|name| params.get(name));
    let files: i64 = (0..=frames as u32).map(|length| data.pow(length)).sum();

    let is_timed = params.get("timed") == 1;
    let mut model = Model::new(match is_timed {
        true => "The bounded retransmission protocol, with time",
        false => "The bounded retransmission protocol, without time",
    });
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
        "
    ));
    model.declare(STATE);
    if is_timed {
        model.declare(timed::CONSTANTS);
        model.templates = timed::templates();
        timed::SYSTEM.clone_into(&mut model.system);
    } else {
        model.declare(untimed::CHANNELS);
        model.templates = untimed::templates();
        untimed::SYSTEM.clone_into(&mut model.system);
    }

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
        "No message arrives when no process can take it.",
    );
    Ok(model)
}

const STATE: &str = "
    chan send, arrive;                  // of frames
    chan confirm, confirmed;            // of acknowledgements

    file_t file;                        // what the sender has still to send
    bool first;                         // the next frame is a file's first one
    bool bit;                           // of the next frame
    frame_t channel;                    // the frame under way

    bool is_last(file_t f)
    {
        return f <= DATA;
    }

    datum_t head(file_t f)
    {
        return f == 0 ? DATA : (f - 1) % DATA;
    }

    file_t tail(file_t f)
    {
        return f == 0 ? 0 : (f - 1) / DATA;
    }

    void clear(frame_t &frame)
    {
        frame.first = false;
        frame.last = false;
        frame.bit = false;
        frame.datum = 0;
    }
";

const SENDER: &str = "
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
";

const FRAMES: &str = "
    void accept()
    {
        channel.first = first;
        channel.last = is_last(file);
        channel.bit = bit;
        channel.datum = head(file);
    }
";

const RECEIVER: &str = "
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
";
