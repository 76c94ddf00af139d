//! Leader election with timeouts, messages in transit being processes of their own.
//!
//! After L. Lamport, "Real-time model checking is really simple", CHARME 2005: a node that hears nothing for too long
//! announces itself; a node that hears of a leader at least as good as its own follows it, one hop further away, and tells
//! the others. Every node is linked with every other one, and the least node wins.

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "leader-election",
    summary: "leader election with timeouts: long chains of hops, or many messages at the same time",
    params: &[
        ParamSpec::number("n", 4, (3, 50), "nodes"),
        ParamSpec::choice(
            "variant",
            &["hops", "channels"],
            "the goal: a far-travelled message, or a full network",
        ),
        ParamSpec::number(
            "hops",
            0,
            (0, 10_000),
            "hops to reach; 0: 2 for three nodes, 2 n + 2 for more",
        ),
        ParamSpec::number(
            "slots",
            0,
            (0, 10_000),
            "messages that fit into the network; 0: 6, 18 for three and four nodes, 20 n for more",
        ),
    ],
    build,
};

/// Time for a message to arrive, for a node to react to its timer, and of the timer itself.
const MDELAY: i64 = 3;
const TDELAY: i64 = 5;
const TIMEOUT: i64 = 10;

fn build(params: &Params) -> Result<Model, Error> {
    let [n, variant] = ["n", "variant"].map(|name| params.get(name));
    let usual = usual_goals(n);
    let or_usual = |given, usual| if given == 0 { usual } else { given };
    let hops = or_usual(params.get("hops"), usual.hops);
    let slots = or_usual(params.get("slots"), usual.slots);
    // Witnesses of the usual goals are known up to some size; room for more messages does no harm to hops.
    let is_known = n <= LARGEST_TESTED && slots >= usual.slots;
    let expected_if = |reached| {
        if is_known && reached {
            Expected::Satisfied
        } else {
            Expected::Open
        }
    };

    let mut model = Model::new("Leader election in a complete network, with timeouts");
    model.declare(declaration(n, hops, slots));
    model.templates.push(message());
    model.templates.push(node());
    model.system = "system Node, Message;".to_owned();

    let far = (
        "E<> wire.hops >= H",
        expected_if(hops <= usual.hops),
        format!("A message has travelled {hops} hops."),
    );
    let full = (
        "E<> used[M - 1]",
        expected_if(slots == usual.slots),
        format!("All {slots} message slots are in use at the same time."),
    );
    let goals = if variant == 0 { [far, full] } else { [full, far] };
    for (formula, expected, why) in goals {
        model.query(formula, expected, why);
    }
    model.query(
        "A[] forall (i : id_t) Node(i).leader <= i",
        Expected::Satisfied,
        "No node follows a node that is worse than itself.",
    );
    model.query(
        "A[] time > TIMEOUT + TDELAY + MDELAY && !lost imply (forall (i : id_t) Node(i).leader == 0)",
        Expected::Satisfied,
        "While no message is lost, all nodes soon follow node 0 forever: its messages arrive more often \
         than any timer expires.",
    );
    Ok(model)
}

/// Goals that are far away but in reach.
struct Goals {
    hops: i64,
    slots: i64,
}

fn usual_goals(n: i64) -> Goals {
    let (hops, slots) = match n {
        3 => (2, 6),
        4 => (10, 18),
        n => (2 * n + 2, 20 * n),
    };
    Goals { hops, slots }
}

/// Up to this many nodes the usual goals have witnesses, which the tests replay.
const LARGEST_TESTED: i64 = 6;

fn declaration(n: i64, hops: i64, slots: i64) -> String {
    format!(
        "
        const int N = {n};                // nodes
        const int M = {slots};               // messages that fit into the network
        const int H = {hops};               // hops of the goal
        const int MDELAY = {MDELAY};           // a message arrives within this time
        const int TDELAY = {TDELAY};           // a node notices the end of its timer within this time
        const int TIMEOUT = {TIMEOUT};         // how long a node waits for news

        typedef int[0, N - 1] id_t;
        typedef int[0, M - 1] slot_t;
        typedef int[0, H] hops_t;     // more are counted as H

        typedef struct
        {{
            id_t src;
            id_t dst;
            id_t leader;
            hops_t hops;              // from the leader to src
        }} msg_t;

        chan send[M];                 // a message enters a free place of the network
        chan deliver[N];              // and reaches its node
        msg_t wire;                   // the message that is handed over
        bool used[M];
        bool lost;                    // a message found no place
        clock time;

        void clear(msg_t &msg)
        {{
            msg.src = 0;
            msg.dst = 0;
            msg.leader = 0;
            msg.hops = 0;
        }}

        // The first free place, M if there is none.
        int[0, M] place()
        {{
            int[0, M] slot = 0;
            while (slot < M && used[slot])
                slot++;
            return slot;
        }}
        "
    )
}

fn message() -> Template {
    let mut message = Template::new("Message", "const slot_t slot");
    message.declare(
        "
        clock x;
        msg_t msg;

        void accept()
        {
            msg = wire;
            clear(wire);
            used[slot] = true;
        }

        void hand_over()
        {
            wire = msg;
            clear(msg);
            used[slot] = false;
        }
        ",
    );
    let free = message.add(at(0.0, 0.0, "free"));
    let transit = message.add(at(1.0, 0.0, "transit").invariant("x <= MDELAY"));
    message
        .edge(free, transit)
        .sync("send[slot]?")
        .update("x = 0")
        .update("accept()");
    message
        .edge(transit, free)
        .sync("deliver[msg.dst]!")
        .update("hand_over()");
    message
}

fn node() -> Template {
    let mut node = Template::new("Node", "const id_t id");
    node.declare(
        "
        clock x;
        id_t leader = id;
        hops_t hops;               // distance from the leader
        int[0, N] to;              // who is told next; N: all know
        int[0, N] from;            // who need not be told; N: none

        // News from a leader at a distance take longer.
        int patience()
        {
            return hops == 0 ? TIMEOUT : TIMEOUT + TDELAY + hops * MDELAY;
        }

        // Distances are compared as they stand, although this node is a hop further away: equal ones raise each other.
        bool is_worse(const msg_t &msg)
        {
            return msg.leader > leader || msg.leader == leader && msg.hops > hops;
        }

        // The next one to be told, from candidate on.
        void choose(int[0, N] candidate)
        {
            to = candidate;
            while (to < N && (to == id || to == from))
                to++;
        }

        void announce()
        {
            leader = id;
            hops = 0;
            from = N;
            choose(0);
        }

        void follow(const msg_t &msg)
        {
            leader = msg.leader;
            hops = msg.hops < H ? msg.hops + 1 : H;
            from = msg.src;
            choose(0);
        }

        void tell()
        {
            wire.src = id;
            wire.dst = to;
            wire.leader = leader;
            wire.hops = hops;
            choose(to + 1);
        }

        void rest()
        {
            to = 0;
            from = 0;
        }
        ",
    );
    node.spacing = (306.0, 170.0);
    let listen = node.add(at(0.0, 0.0, "listen").invariant("x <= patience() + TDELAY"));
    let judge = node.add(at(0.7, 1.4, "judge").committed());
    let telling = node.add(at(1.4, 0.0, "telling").committed());
    node.edge(listen, telling)
        .guard("x > patience()")
        .update("announce()")
        .update("x = 0");
    node.edge(listen, judge).sync("deliver[id]?");
    node.edge(judge, listen)
        .guard("is_worse(wire)")
        .update("clear(wire)");
    node.edge(judge, telling)
        .guard("!is_worse(wire)")
        .update("follow(wire)")
        .update("clear(wire)")
        .update("x = 0");
    node.edge(telling, telling)
        .guard("to < N && place() < M")
        .sync("send[place()]!")
        .update("tell()");
    node.edge(telling, telling)
        .guard("to < N && place() == M")
        .update("lost = true")
        .update("choose(to + 1)");
    node.edge(telling, listen).guard("to == N").update("rest()");
    node
}
