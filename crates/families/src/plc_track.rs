//! A stretch of single track that trams from both sides share, guarded by programs on programmable logic controllers (PLCs).
//!
//! After the case study "Single-Track Line Segment" of M. Wehrle, S. Kupferschmid, "Mcta: Heuristics and search for timed
//! systems", FORMATS 2012. PLC 1 runs the control unit and the signal of side 1, PLC 2 runs the signal of side 2. A PLC polls its
//! inputs, runs its programs on what it has polled, and only then changes its outputs, all within a cycle; so a signal may
//! show `go` for up to two cycles after its permission is withdrawn, and that long the control unit waits. The flaw: it does not wait
//! that long on one side.
//!
//! The inputs tell how many trams wait, come and leave, and whether a signal is broken. They do not matter for the flaw: where one
//! is left out, the program that would read it is free to choose. Neither do relays matter, which are further PLCs that
//! repeat along the line whether the track is in use; but time does not pass without their steps.

mod inputs;
mod plc;
mod programs;

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model};
use crate::params::{ParamSpec, Params};
use inputs::Inputs;

pub(crate) const FAMILY: Family = Family {
    name: "plc-track",
    summary: "PLCs with many inputs that let trams onto a single track; one of two waits is too short",
    params: &[
        ParamSpec::number("n", 2, (0, 24), "counters, which are inputs with three values"),
        ParamSpec::number("faults", 2, (0, 24), "inputs with two values"),
        ParamSpec::choice(
            "sensors",
            &["shared", "own"],
            "whether programs that ask for the same thing share a sensor, or each input has its own",
        ),
        ParamSpec::number(
            "observers",
            0,
            (0, 8),
            "further programs on the first PLC, which do not matter for the flaw",
        ),
        ParamSpec::number(
            "relays",
            0,
            (0, 8),
            "further PLCs, which do not matter for the flaw",
        ),
        ParamSpec::number("cycle", 10, (2, 1000), "the longest cycle of a PLC"),
        ParamSpec::number(
            "short",
            1,
            (0, 1000),
            "the wait behind side 2 is less than two cycles by this; 0: nothing is wrong",
        ),
    ],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let [counters, faults, observers, relays, cycle, short] =
        ["n", "faults", "observers", "relays", "cycle", "short"].map(|name| params.get(name));
    if short > 2 * cycle {
        return Err(Error::conflict(format!(
            "`short`, {short}, must not exceed two cycles, {}",
            2 * cycle
        )));
    }
    let inputs = Inputs::new(counters, faults, params.get("sensors") == 0);

    let mut model = Model::new("Trams that share a single track, guarded by PLCs");
    model.declare(format!(
        "
        const int CYCLE = {cycle};          // a PLC takes at most this long from one reading of its inputs to the next
        const int WAIT_1 = 2 * CYCLE;       // from withdrawing a permission to giving the next one
        const int WAIT_2 = 2 * CYCLE - {short};

        typedef int[1, 2] side_t;
        chan run_control, run_signal[3];    // a PLC runs a program: it decides, and when outputs have changed it moves on
        bool permit[3];                     // outputs of the control unit, by side
        bool will_permit[3];                // what they will be
        bool permitted;                     // the permission of side 2, as polled
        "
    ));
    inputs.declare(&mut model);
    model.templates.push(programs::control(&inputs));
    model.templates.push(programs::signal(1, &inputs));
    model.templates.push(programs::signal(2, &inputs));
    model.templates.push(plc::first(&inputs, observers));
    model.templates.push(plc::second(&inputs));
    model.system = "system Control, Signal1, Signal2, Plc1, Plc2".to_owned();
    if observers > 0 {
        model.declare(format!(
            "
            typedef int[1, {observers}] observer_t;
            chan run_observer[{observers} + 1];
            bool passing[{observers} + 1];      // what their sensors say
            bool seen[{observers} + 1];         // the same as polled
            "
        ));
        model.templates.push(programs::observer());
        model.templates.push(programs::passing());
        model.system += ", Observer, Passing";
    }
    if relays > 0 {
        model.declare(format!(
            "
            typedef int[1, {relays}] relay_t;
            chan run_relay[{relays} + 1];
            bool in_use[{relays} + 1];          // outputs of the relays
            bool seen_in_use[{relays} + 1];     // what each of them has polled
            "
        ));
        model.templates.push(programs::relay());
        model.templates.push(plc::of_relay());
        model.system += ", Relay, RelayPlc";
    }
    for (driver, name) in inputs.drivers() {
        model.templates.push(driver);
        model.system += &format!(", {name}");
    }
    model.system += ";";
    queries(&mut model, short > 0);
    Ok(model)
}

fn queries(model: &mut Model, is_flawed: bool) {
    model.query(
        "E<> Signal1.go and Signal2.go",
        Expected::satisfied_if(is_flawed),
        match is_flawed {
            true => {
                "Side 1 gets its permission while side 2 has not yet polled that its own one is withdrawn."
            }
            false => "Impossible: a signal reads within two cycles that its permission is withdrawn.",
        },
    );
    model.query(
        "A[] !(permit[1] && permit[2])",
        Expected::Satisfied,
        "The control unit withdraws one permission before it gives the other.",
    );
    model.query("E<> Signal2.go", Expected::Satisfied, "Side 2 gets its turn.");
    model.query(
        "A[] not deadlock",
        Expected::Satisfied,
        "In each cycle every PLC polls, runs its programs and changes its outputs.",
    );
}
