//! Mutual exclusion among programmable logic controllers (PLCs), which see each other's outputs only when they poll them.
//!
//! After the case study "Mutual Exclusion" of M. Wehrle, S. Kupferschmid, "Mcta: Heuristics and search for timed systems",
//! FORMATS 2012, which goes back to H. Dierks, "Comparing model-checking and logical reasoning for real-time systems", Formal
//! Aspects of Computing 16(2), 2004. A controller gives the grant to one station after the other. A PLC polls its inputs once
//! in a cycle and acts on them at the end of it, so that a station may act on a grant up to a cycle after it is withdrawn, and
//! the controller may act on what it has polled a cycle before. Two cycles between a grant and the next one are enough, unless the cycle of a
//! station is longer than it should be.

use crate::Family;
use crate::error::Error;
use crate::model::{Edge, Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};

const MAX_STATIONS: i64 = 20;

pub(crate) const FAMILY: Family = Family {
    name: "plc-mutex",
    summary: "PLCs that poll a controller for a grant; one of them is too slow",
    params: &[
        ParamSpec::number("n", 2, (2, MAX_STATIONS), "stations"),
        ParamSpec::number("cycle", 1000, (2, 10_000), "the longest cycle of a PLC"),
        ParamSpec::number(
            "late",
            1,
            (0, 10_000),
            "the last station's cycle may be longer by this",
        ),
        ParamSpec::number(
            "slack",
            0,
            (0, 10_000),
            "the controller waits for two cycles and this",
        ),
        ParamSpec::number(
            "spread",
            0,
            (0, 500),
            "the longest cycle of each station is shorter by this than that of the next one",
        ),
        ParamSpec::number(
            "requests",
            0,
            (0, (1 << MAX_STATIONS) - 1),
            "stations that enter only on request: the sum of 1 for station 1, 2 for station 2, 4 for station 3 and so on",
        ),
        ParamSpec::choice(
            "settling",
            &["no", "yes"],
            "whether an input that has just changed cannot be polled, which takes one clock more for each PLC",
        ),
    ],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let [n, cycle, late, slack, spread, requests] =
        ["n", "cycle", "late", "slack", "spread", "requests"].map(|name| params.get(name));
    let settling = params.get("settling") == 1;
    if requests >> n != 0 {
        return Err(Error::conflict(format!(
            "`requests`, {requests}, names a station beyond the {n} that there are; at most it is {}",
            (1i64 << n) - 1
        )));
    }
    if spread * (n - 1) >= cycle {
        return Err(Error::conflict(format!(
            "`spread`, {spread}, leaves the first of {n} stations no cycle; it must be less than {cycle} / {}",
            n - 1
        )));
    }

    let mut model = Model::new("Mutual exclusion among PLCs that poll each other's outputs");
    let askers: Vec<i64> = (1..=n).filter(|i| requests >> (i - 1) & 1 == 1).collect();
    let cycles = (1..=n).map(|i| cycle - spread * (n - i) + if i == n { late } else { 0 });
    model.declare(format!(
        "
        const int N = {n};                      // stations
        const int CYCLE = {cycle};              // a PLC takes at most this long from one reading of its inputs to the next
        const int DELAY = {};                   // how long the controller waits before and after it withdraws a grant
        typedef int[1, N] station_t;

        const int LONGEST[N + 1] = {{ CYCLE, {} }};    // the cycles as they are, the controller's first
        const bool ON_REQUEST[N + 1] = {{ false, {} }};

        bool grant[N + 1];              // outputs of the controller
        bool safe[N + 1];               // outputs of the stations
        ",
        2 * cycle + slack,
        join(cycles),
        join((1..=n).map(|i| askers.contains(&i))),
    ));
    if !askers.is_empty() {
        model.declare(format!(
            "
            bool request[N + 1];            // inputs from outside
            typedef int[0, {}] asker_t;
            const station_t ASKER[asker_t] = {{ {} }};
            ",
            askers.len() - 1,
            join(askers.iter()),
        ));
    }
    if settling {
        model.declare(
            "clock x[N + 1];        // since a PLC read or wrote, or an output that it reads changed",
        );
    }
    let rules = Rules {
        n,
        settling,
        has_requests: !askers.is_empty(),
    };
    model.templates.push(station(&rules));
    model.templates.push(controller(&rules));
    model.system = "system Station, Controller".to_owned();
    if rules.has_requests {
        model.templates.push(asker());
        model.system += ", Asker";
    }
    model.system += ";";
    queries(&mut model, late > slack, settling && askers.is_empty());
    Ok(model)
}

fn queries(model: &mut Model, is_flawed: bool, stops: bool) {
    model.query(
        "E<> Station(1).inside and Station(N).inside",
        Expected::satisfied_if(is_flawed),
        match is_flawed {
            true => "The last station enters so late on its grant that the controller has polled its output before.",
            false => {
                "Impossible: a station that enters does so within a cycle after the grant is withdrawn, and \
                 the controller reads that before it gives the next one."
            }
        },
    );
    model.query(
        "A[] forall (i : station_t) forall (j : station_t) Station(i).inside && Station(j).inside imply i == j",
        Expected::satisfied_if(!is_flawed),
        "Mutual exclusion.",
    );
    model.query(
        "E<> Station(N).inside",
        Expected::Satisfied,
        "Every station gets its turn.",
    );
    model.query(
        "A[] not deadlock",
        Expected::satisfied_if(!stops),
        match stops {
            true => "An input that changes at the end of a cycle can be polled no more, and the cycle cannot end without.",
            false => "A PLC polls and acts in each cycle; requests change at any time.",
        },
    );
}

struct Rules {
    n: i64,
    settling: bool,
    has_requests: bool,
}

impl Rules {
    /// When PLC `id` may poll.
    fn may_poll(&self, id: &str) -> String {
        match self.settling {
            true => format!("phase == 0 && z > 0 && x[{id}] > 0 && z < CYCLE"),
            false => "phase == 0 && z > 0".to_owned(),
        }
    }

    /// Begins the next cycle.
    fn end_cycle<'e>(&self, edge: &'e mut Edge, id: &str) -> &'e mut Edge {
        edge.update("phase = 0").update("z = 0");
        self.touch(edge, [id])
    }

    /// Notes that these PLCs read, wrote or have an input that changed.
    fn touch<'e>(
        &self,
        edge: &'e mut Edge,
        plcs: impl IntoIterator<Item = impl std::fmt::Display>,
    ) -> &'e mut Edge {
        if self.settling {
            let resets: Vec<_> = plcs.into_iter().map(|plc| format!("x[{plc}] = 0")).collect();
            edge.update(resets.join(", "));
        }
        edge
    }
}

fn station(rules: &Rules) -> Template {
    let mut plc = Template::new("Station", "const station_t id");
    plc.declare(
        "
        clock z;               // since the cycle began
        int[0, 1] phase;       // before or after polling
        bool granted;          // as polled
        ",
    );
    if rules.has_requests {
        plc.declare("bool requested;       // as polled");
    }
    plc.spacing = (476.0, 272.0);
    let start = plc.add(at(0.0, 0.0, "start").invariant("z <= 0"));
    let outside = plc.add(at(1.0, 0.0, "outside").invariant("z <= LONGEST[id]"));
    let inside = plc.add(at(2.0, 0.0, "inside").invariant("z <= LONGEST[id]"));
    plc.edge(start, outside).update("safe[id] = true");
    for place in [outside, inside] {
        let poll = plc.edge(place, place);
        poll.guard(rules.may_poll("id")).update("granted = grant[id]");
        if rules.has_requests {
            poll.update("requested = ON_REQUEST[id] && request[id]");
        }
        rules.touch(poll.update("phase = 1"), ["id"]);
    }
    // Without a request of its own a station does as it likes.
    let (asked, not_asked) = match rules.has_requests {
        true => (" && (!ON_REQUEST[id] || requested)", " && !requested"),
        false => ("", ""),
    };
    for (from, to, guard, output) in [
        (outside, outside, "phase == 1 && !granted".to_owned(), None),
        (
            outside,
            outside,
            format!("phase == 1 && granted{not_asked}"),
            None,
        ),
        (
            outside,
            inside,
            format!("phase == 1 && granted{asked}"),
            Some("safe[id] = false"),
        ),
        (inside, inside, format!("phase == 1{asked}"), None),
        (
            inside,
            outside,
            format!("phase == 1{not_asked}"),
            Some("safe[id] = true"),
        ),
    ] {
        let act = plc.edge(from, to);
        act.guard(guard);
        if let Some(output) = output {
            rules.touch(act.update(output), ["0"]);
        }
        rules.end_cycle(act, "id");
    }
    plc
}

fn controller(rules: &Rules) -> Template {
    let mut plc = Template::new("Controller", "");
    plc.declare(
        "
        clock z;                     // since the cycle began
        clock y;                     // since a grant was given or withdrawn
        int[0, 2] phase;             // before polling, after it, after it with nothing to do but to wait
        bool is_safe[N + 1];         // as polled
        station_t turn = N;          // whose grant was given or withdrawn last
        ",
    );
    plc.spacing = (544.0, 306.0);
    let start = plc.add(at(0.0, 0.0, "start").invariant("z <= 0"));
    let withdrawn = plc.add(at(1.0, 0.0, "withdrawn").invariant("z <= CYCLE"));
    let given = plc.add(at(2.0, 0.0, "given").invariant("z <= CYCLE"));
    plc.edge(start, withdrawn);
    for place in [withdrawn, given] {
        let poll = plc.edge(place, place);
        poll.guard(rules.may_poll("0"));
        for i in 1..=rules.n {
            poll.update(format!("is_safe[{i}] = safe[{i}]"));
        }
        rules.touch(poll.update("phase = 1"), ["0"]);
        plc.edge(place, place)
            .guard("phase == 1 && is_safe[turn] && y < DELAY")
            .update("phase = 2");
        rules.end_cycle(plc.edge(place, place).guard("phase == 2"), "0");
    }
    let idle = plc
        .edge(withdrawn, withdrawn)
        .guard("phase == 1 && !is_safe[turn]");
    rules.end_cycle(idle, "0");
    let next = "turn = turn == N ? 1 : turn + 1";
    for (from, to, guard, outputs) in [
        (
            withdrawn,
            given,
            "is_safe[turn] && y >= DELAY",
            [next, "grant[turn] = true"],
        ),
        (
            given,
            withdrawn,
            "is_safe[turn] && y >= DELAY",
            ["", "grant[turn] = false"],
        ),
        (given, withdrawn, "!is_safe[turn]", ["", "grant[turn] = false"]),
    ] {
        let act = plc.edge(from, to);
        act.guard(format!("phase == 1 && {guard}"));
        for output in outputs.iter().filter(|output| !output.is_empty()) {
            act.update(output);
        }
        rules.touch(act.update("y = 0"), 1..=rules.n);
        rules.end_cycle(act, "0");
    }
    plc
}

/// Changes the request of a station at any time.
fn asker() -> Template {
    let mut asker = Template::new("Asker", "const asker_t id");
    let here = asker.add(at(0.0, 0.0, "here"));
    asker
        .edge(here, here)
        .update("request[ASKER[id]] = !request[ASKER[id]]");
    asker
}

fn join(values: impl Iterator<Item = impl std::fmt::Display>) -> String {
    let values: Vec<_> = values.map(|value| value.to_string()).collect();
    values.join(", ")
}
