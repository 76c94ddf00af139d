//! The conference protocol: members of a conference, which is on no list, find each other and exchange messages.
//!
//! After A. Belinfante et al., "Formal test automation: a simple experiment", Testing of Communicating Systems 12, 1999, in the steps
//! of the mCRL2 specification that T. Engels et al., "Search algorithms for automated validation", Journal of Logic and Algebraic
//! Programming 78, 2009, search: one entity with its user, and members elsewhere that may send anything at any time. One action
//! there is one transition here, but queues hold as much as they are given room for: a queue that is full takes nothing. Partners are a
//! set, where the original has lists whose order cannot be noticed.

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "conference",
    summary: "the conference protocol: one entity, its user, and members elsewhere that send anything",
    params: &[
        ParamSpec::number("n", 3, (2, 6), "members of the conference"),
        ParamSpec::number("titles", 4, (1, 8), "names that a member may take"),
        ParamSpec::number("conferences", 2, (1, 4), "conferences"),
        ParamSpec::number("data", 4, (1, 8), "values of a message"),
        ParamSpec::number("capacity", 4, (1, 10_000), "messages that a queue holds"),
        ParamSpec::number(
            "inbound",
            0,
            (0, 100_000),
            "messages that the queue of arrivals holds; 0: as many as the others",
        ),
    ],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let mut model = Model::new("The conference protocol");
    model.declare(declaration(params));
    model.declare(CHANNELS);
    model.declare(QUEUES);
    model
        .templates
        .extend([user(), entity(params.get("n")), network()]);
    model.system = "system User, Entity, Network;".to_owned();

    model.query(
        "E<> Entity.has_told",
        Expected::Satisfied,
        "The user has got a message of another member: the paper's goal, action CFSAP_out.",
    );
    model.query(
        "A[] not (Entity.fresh && exists (d : remote_t) Entity.partner[d] != NOBODY)",
        Expected::Satisfied,
        "There are no partners before the first conference.",
    );
    model.query(
        "E<> Entity.engaged && Entity.conference == NOWHERE",
        Expected::Satisfied,
        "A message that comes after the user has left makes the entity ready for messages again, not for a conference.",
    );
    Ok(model)
}

/// Items per word of memory, so that items below `base` fit.
fn items_per_word(base: i64) -> u32 {
    (1..)
        .take_while(|&count| base.checked_pow(count).is_some_and(|limit| limit <= 1 << 31))
        .last()
        .unwrap_or(1)
}

fn declaration(params: &Params) -> String {
    let [n, titles, conferences, data] = ["n", "titles", "conferences", "data"].map(|name| params.get(name));
    let [capacity, inbound] = ["capacity", "inbound"].map(|name| params.get(name));
    let inbound = if inbound == 0 { capacity } else { inbound };
    // With their kinds: join, answer and leave with a title and a conference; data.
    let pdus = 3 * titles * conferences + data;
    let base = 1 + (pdus << (n - 1)).max(titles * conferences + 1 + data);
    let per_word = items_per_word(base);
    let powers: Vec<_> = (0..per_word).map(|exponent| base.pow(exponent)).collect();
    // From the user, to the entity, from the entity, to the user, and to each other member.
    let queues = 3 + n;
    let room: Vec<_> = (0..queues)
        .map(|queue| if queue == 1 { inbound } else { capacity })
        .collect();
    let words = room
        .iter()
        .map(|room| (room + i64::from(per_word) - 1) / i64::from(per_word));
    let first: Vec<_> = words
        .scan(0, |at, words| Some(std::mem::replace(at, *at + words)))
        .collect();
    let all = first[first.len() - 1] + (capacity + i64::from(per_word) - 1) / i64::from(per_word);
    let list = |values: &[i64]| {
        let values: Vec<_> = values.iter().map(ToString::to_string).collect();
        values.join(", ")
    };
    format!(
        "
        const int N = {n};                  // members; the entity is none of the remote ones
        const int TITLES = {titles};
        const int CONFERENCES = {conferences};
        const int DATA = {data};

        typedef int[0, N - 2] remote_t;
        typedef int[0, (1 << (N - 1)) - 1] remotes_t;       // a set
        typedef int[0, TITLES - 1] title_t;
        typedef int[0, CONFERENCES - 1] conference_t;
        typedef int[0, DATA - 1] datum_t;
        const int NOBODY = -1;
        const int NOWHERE = -1;

        // What members tell each other: a kind with a title and a conference, or data.
        const int PAIRS = TITLES * CONFERENCES;
        const int JOIN = 0;
        const int ANSWER = PAIRS;
        const int LEAVE = 2 * PAIRS;
        const int DATUM = 3 * PAIRS;
        const int PDUS = DATUM + DATA;
        typedef int[0, PDUS - 1] pdu_t;

        // What the user asks for: to join with a title, to leave, to send data.
        const int QUIT = PAIRS;
        const int SEND = PAIRS + 1;
        typedef int[0, SEND + DATA - 1] request_t;
        typedef int[0, TITLES * DATA - 1] indication_t;     // data from a title

        // Queues, each a part of one memory. A word holds several items, the oldest in the lowest place; 0 is none.
        const int FROM_USER = 0;
        const int ARRIVALS = 1;
        const int DEPARTURES = 2;
        const int TO_USER = 3;
        const int TO_REMOTE = 4;
        const int QUEUES = {queues};
        const int BASE = {base};
        const int PER_WORD = {per_word};
        const int POWER[PER_WORD] = {{ {powers} }};
        const int ROOM[QUEUES] = {{ {room} }};
        const int FIRST[QUEUES] = {{ {first} }};
        typedef int[0, QUEUES - 1] queue_t;
        int[0, {limit}] word[{all}];
        int[0, {longest}] length[QUEUES];
        ",
        powers = list(&powers),
        room = list(&room),
        first = list(&first),
        limit = base.pow(per_word) - 1,
        longest = capacity.max(inbound),
    )
}

const CHANNELS: &str = "
    // What the environment sees.
    broadcast chan CFSAP_in[request_t], CFSAP_out[indication_t];
    broadcast chan udp_in[remote_t][pdu_t], udp_out[remote_t][pdu_t];
";

const QUEUES: &str = "
    bool has_room(queue_t q)
    {
        return length[q] < ROOM[q];
    }

    bool is_empty(queue_t q)
    {
        return length[q] == 0;
    }

    // Requires: there is an item.
    int head(queue_t q)
    {
        return word[FIRST[q]] % BASE - 1;
    }

    // Requires: there is room.
    void push(queue_t q, int item)
    {
        word[FIRST[q] + length[q] / PER_WORD] += (item + 1) * POWER[length[q] % PER_WORD];
        length[q]++;
    }

    void pop(queue_t q)
    {
        int k;
        const int last = FIRST[q] + (length[q] - 1) / PER_WORD;
        for (k = FIRST[q]; k < last; k++)
            word[k] = word[k] / BASE + word[k + 1] % BASE * POWER[PER_WORD - 1];
        word[last] /= BASE;
        length[q]--;
    }

    void replace_head(queue_t q, int item)
    {
        word[FIRST[q]] += item - head(q);
    }
";

const ENTITY: &str = "
    bool has_told;                                  // a message to the user, at least once
    int[NOBODY, TITLES - 1] title = NOBODY;         // of the user
    int[NOWHERE, CONFERENCES - 1] conference = NOWHERE;
    int[NOBODY, TITLES - 1] partner[remote_t] = PARTNERS;   // their titles

    remotes_t partners()
    {
        int set = 0;
        for (d : remote_t)
            if (partner[d] != NOBODY)
                set += 1 << d;
        return set;
    }

    void send(remotes_t to, pdu_t pdu)
    {
        if (to > 0)
            push(DEPARTURES, to * PDUS + pdu);
    }

    pdu_t about_me(int kind)
    {
        return kind + title * CONFERENCES + conference;
    }

    void join()
    {
        const int request = head(FROM_USER);
        title = request / CONFERENCES;
        conference = request % CONFERENCES;
        send((1 << (N - 1)) - 1, about_me(JOIN));
        pop(FROM_USER);
    }

    void leave()
    {
        if (partners() > 0)
            send(partners(), about_me(LEAVE));
        for (d : remote_t)
            partner[d] = NOBODY;
        title = NOBODY;
        conference = NOWHERE;
        pop(FROM_USER);
    }

    void multicast()
    {
        send(partners(), DATUM + head(FROM_USER) - SEND);
        pop(FROM_USER);
    }

    // Who joins is answered; who sends without having joined is asked to.
    void take()
    {
        const int item = head(ARRIVALS);
        const remote_t from = item / PDUS;
        const pdu_t pdu = item % PDUS;
        pop(ARRIVALS);
        if (conference == NOWHERE)
            return;
        if (pdu >= DATUM)
        {
            if (partner[from] != NOBODY)
                push(TO_USER, partner[from] * DATA + pdu - DATUM);
            else
                send(1 << from, about_me(JOIN));
            return;
        }
        if (pdu % CONFERENCES != conference)
            return;
        if (pdu >= LEAVE)
            partner[from] = NOBODY;
        else if (partner[from] == NOBODY)
            partner[from] = pdu % PAIRS / CONFERENCES;
        if (pdu < ANSWER)
            send(1 << from, about_me(ANSWER));
    }

    bool is_for(remote_t d)
    {
        return !is_empty(DEPARTURES) && (head(DEPARTURES) / PDUS >> d) % 2 == 1;
    }

    void depart(remote_t d)
    {
        const int item = head(DEPARTURES);
        push(TO_REMOTE + d, item % PDUS);
        if (item / PDUS == 1 << d)
            pop(DEPARTURES);
        else
            replace_head(DEPARTURES, item - (1 << d) * PDUS);
    }
";

/// Joins and leaves in turn, and sends in between.
fn user() -> Template {
    let mut u = Template::new("User", "");
    let apart = u.add(at(0.0, 0.0, "apart"));
    let present = u.add(at(1.0, 0.0, "present"));
    u.edge(apart, present)
        .select("r : int[0, PAIRS - 1]")
        .guard("has_room(FROM_USER)")
        .sync("CFSAP_in[r]!")
        .update("push(FROM_USER, r)");
    u.edge(present, present)
        .select("r : int[SEND, SEND + DATA - 1]")
        .guard("has_room(FROM_USER)")
        .sync("CFSAP_in[r]!")
        .update("push(FROM_USER, r)");
    u.edge(present, apart)
        .guard("has_room(FROM_USER)")
        .sync("CFSAP_in[QUIT]!")
        .update("push(FROM_USER, QUIT)");
    u
}

fn entity(n: i64) -> Template {
    let mut e = Template::new("Entity", "");
    let no_titles = vec!["NOBODY"; n as usize - 1].join(", ");
    e.declare(ENTITY.replace("PARTNERS", &format!("{{ {no_titles} }}")));
    e.spacing = (442.0, 238.0);
    let fresh = e.add(at(0.0, 0.0, "fresh"));
    let engaged = e.add(at(1.0, 0.0, "engaged"));
    let idle = e.add(at(1.0, 1.0, "idle"));
    let asked = "!is_empty(FROM_USER) && has_room(DEPARTURES)";
    for location in [fresh, idle] {
        e.edge(location, engaged)
            .guard(format!("{asked} && head(FROM_USER) < QUIT"))
            .update("join()");
    }
    e.edge(engaged, engaged)
        .guard(format!("{asked} && head(FROM_USER) >= SEND"))
        .update("multicast()");
    e.edge(engaged, idle)
        .guard(format!("{asked} && head(FROM_USER) == QUIT"))
        .update("leave()");
    for location in [fresh, engaged, idle] {
        e.edge(location, location)
            .guard("!is_empty(ARRIVALS) && has_room(DEPARTURES) && has_room(TO_USER)")
            .update("take()");
        e.edge(location, location)
            .select("d : remote_t")
            .guard("is_for(d) && has_room(TO_REMOTE + d)")
            .update("depart(d)");
    }
    for location in [engaged, idle] {
        e.edge(location, engaged)
            .guard("!is_empty(TO_USER)")
            .sync("CFSAP_out[head(TO_USER)]!")
            .update("pop(TO_USER)")
            .update("has_told = true");
    }
    e
}

/// The other members, of whom nothing is known.
fn network() -> Template {
    let mut t = Template::new("Network", "");
    let open = t.add(at(0.0, 0.0, "open"));
    t.edge(open, open)
        .select("d : remote_t, p : pdu_t")
        .guard("has_room(ARRIVALS)")
        .sync("udp_in[d][p]!")
        .update("push(ARRIVALS, d * PDUS + p)");
    t.edge(open, open)
        .select("d : remote_t")
        .guard("!is_empty(TO_REMOTE + d)")
        .sync("udp_out[d][head(TO_REMOTE + d)]!")
        .update("pop(TO_REMOTE + d)");
    t
}
