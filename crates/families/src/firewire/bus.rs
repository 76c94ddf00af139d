//! The bus: it decides who may send, hands signals on, each perhaps garbled or lost, and lets those answer who asked for it.

use crate::model::{LocationRef, Template, at};

const DECLARATION: &str = "
    bool served[id_t];          // has had its turn since the last reset
    bool next[id_t];            // wants to answer at once
    bool misled[id_t];          // was told a destination that may be wrong
    int[0, N] sender = N;       // N: none any more
    signal_t signal;            // that is handed on
    id_t i;                     // to whom

    bool none(const bool &flags[id_t])
    {
        return forall (k : id_t) !flags[k];
    }

    bool several(const bool &flags[id_t])
    {
        return (sum (k : id_t) flags[k]) > 1;
    }

    void clear(bool &flags[id_t])
    {
        for (k : id_t)
            flags[k] = false;
    }

    void advance()
    {
        i = i < N - 1 ? i + 1 : 0;
    }

    void begin(id_t who)
    {
        i = 0;
        sender = who;
        served[who] = true;
    }

    void take(id_t who, signal_t s)
    {
        sender = who;
        signal = s;
    }

    // All links have the signal.
    void handed()
    {
        advance();
        if (signal == END)
            sender = N;
        signal = 0;
    }

    void leave()
    {
        sender = N;
        signal = 0;
        clear(next);
        clear(misled);
    }
";

pub(super) fn bus() -> Template {
    let mut b = Template::new("Bus", "");
    b.declare(DECLARATION);
    b.spacing = (408.0, 238.0);
    let idle = b.add(at(0.0, 0.0, "idle"));
    let deciding = b.add(at(1.0, 0.0, "deciding"));
    let busy = b.add(at(2.0, 0.0, "busy"));
    let refusing = b.add(at(3.0, 0.0, "refusing"));
    let listening = b.add(at(3.0, 1.0, "listening"));
    let distributing = b.add(at(2.0, 2.0, "distributing"));
    let exceeding = b.add(at(3.0, 2.0, "exceeding"));
    let gap = b.add(at(0.0, 1.0, "gap"));
    let resolving = b.add(at(1.0, 1.0, "resolving"));
    let inviting = b.add(at(0.0, 2.0, "inviting"));
    let resolved = b.add(at(1.0, 2.0, "resolved"));
    let stuck = b.add(at(4.0, 1.0, "stuck"));

    // Which link wants to send? Each once, until there is an arbitration reset gap.
    for request in ["PAreq_fair", "PAreq_immediate"] {
        b.edge(idle, deciding)
            .select("k : id_t")
            .sync(format!("{request}[k]?"))
            .update("i = k");
    }
    b.edge(idle, idle).guard("!none(served)").update("clear(served)");
    b.edge(deciding, busy)
        .guard("!served[i]")
        .sync("PAcon_won[i]!")
        .update("begin(i)");
    b.edge(deciding, idle)
        .guard("served[i]")
        .sync("PAcon_lost[i]!")
        .update("i = 0");

    // The sender gives one signal after the other, until the end.
    b.edge(busy, listening).guard("sender < N").sync("PCind[sender]!");
    b.edge(listening, distributing)
        .select("s : signal_t")
        .sync("PDreq[sender][s]?")
        .update("signal = s");
    b.edge(busy, refusing)
        .select("k : id_t")
        .sync("PAreq_fair[k]?")
        .update("i = k");
    b.edge(refusing, busy).sync("PAcon_lost[i]!").update("i = 0");
    b.edge(busy, busy)
        .select("k : id_t")
        .guard("!next[k]")
        .sync("PAreq_immediate[k]?")
        .update("next[k] = true");
    b.edge(busy, stuck)
        .select("k : id_t")
        .guard("next[k]")
        .sync("PAreq_immediate[k]?");

    // Then it is over, unless a link wants to answer.
    for location in [busy, gap] {
        let ended = match location == busy {
            true => "sender == N && none(next) && ",
            false => "",
        };
        b.edge(location, gap)
            .guard(format!("{ended}i < N - 1"))
            .sync("PDind[i][GAP]!")
            .update("leave()")
            .update("advance()");
        b.edge(location, idle)
            .guard(format!("{ended}i == N - 1"))
            .sync("PDind[i][GAP]!")
            .update("leave()")
            .update("advance()");
    }
    for location in [busy, resolving] {
        let ended = match location == busy {
            true => "sender == N && !none(next) && ",
            false => "",
        };
        b.edge(location, inviting)
            .guard(format!("{ended}next[i]"))
            .sync("PAcon_won[i]!");
        each(
            &mut b,
            location,
            resolving,
            resolved,
            &format!("{ended}!next[i]"),
            "",
        );
    }
    each(&mut b, inviting, resolving, resolved, "", "PCind[i]!");
    b.edge(resolved, resolved)
        .select("k : id_t")
        .guard("several(next) && next[k]")
        .sync("PDreq[k][END]?")
        .update("next[k] = false");
    b.edge(resolved, stuck)
        .select("k : id_t")
        .guard("several(next) && !next[k]")
        .sync("PDreq[k][END]?");
    b.edge(resolved, gap)
        .select("k : id_t")
        .guard("!several(next)")
        .sync("PDreq[k][END]?")
        .update("leave()");
    b.edge(resolved, distributing)
        .select("k : id_t, s : signal_t")
        .guard("!several(next) && s != END")
        .sync("PDreq[k][s]?")
        .update("leave()")
        .update("take(k, s)");

    distribute(&mut b, distributing, exceeding, busy);
    b
}

/// A step for link `i`, after which it is the next one's turn; what follows the last one is elsewhere.
fn each(
    b: &mut Template,
    source: LocationRef,
    next: LocationRef,
    last: LocationRef,
    guard: &str,
    sync: &str,
) {
    let and = if guard.is_empty() { "" } else { " && " };
    for (target, which) in [(next, "i < N - 1"), (last, "i == N - 1")] {
        b.edge(source, target)
            .guard(format!("{guard}{and}{which}"))
            .sync(sync)
            .update("advance()");
    }
}

/// A signal reaches the others one after the other.
fn distribute(b: &mut Template, distributing: LocationRef, exceeding: LocationRef, busy: LocationRef) {
    let other = "i != sender";
    let ways = [
        ("i == sender", "", "", ""),
        (
            "i != sender && !(is_header(signal) && misled[i])",
            "",
            "PDind[i][signal]!",
            "",
        ),
        (
            "i != sender && is_dest(signal)",
            "d : dest_t",
            "PDind[i][d]!",
            "misled[i] = !misled[i]",
        ),
        (
            "i != sender && is_checked(signal)",
            "",
            "PDind[i][signal + 1]!",
            "",
        ),
        ("i != sender && is_checked(signal)", "", "", ""),
    ];
    for (guard, select, sync, update) in ways {
        for (target, which, after) in [
            (distributing, "i < N - 1", "advance()"),
            (busy, "i == N - 1", "handed()"),
        ] {
            let edge = b.edge(distributing, target);
            edge.select(select)
                .guard(format!("{guard} && {which}"))
                .sync(sync);
            if !update.is_empty() {
                edge.update(update);
            }
            edge.update(after);
        }
    }
    // A packet that is too long goes on after its data.
    b.edge(distributing, exceeding)
        .guard(format!("{other} && is_data(signal)"))
        .sync("PDind[i][signal]!");
    b.edge(exceeding, distributing)
        .guard("i < N - 1")
        .sync("PDind[i][DUMMY]!")
        .update("advance()");
    b.edge(exceeding, busy)
        .guard("i == N - 1")
        .sync("PDind[i][DUMMY]!")
        .update("handed()");
    b.edge(distributing, distributing)
        .guard(format!("{other} && !next[i]"))
        .sync("PAreq_immediate[i]?")
        .update("next[i] = true");
}
