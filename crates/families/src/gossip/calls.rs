//! The style with one process per girl: they ring each other up, and their sets of secrets are bits of a number.

use super::Style;
use crate::model::{Model, Template, at};

pub(super) fn model(constants: &str) -> Style {
    let mut model = Model::new("Gossiping girls, who ring each other up");
    model.declare(constants);
    model.declare(
        "
        typedef int[0, (1 << N) - 1] secrets_t;        // a set: bit i is the secret of girl i
        const secrets_t ALL = (1 << N) - 1;

        chan ring[girl_t], hang_up[girl_t];
        secrets_t line;                                // what is being told
        ",
    );
    model.templates.push(girl());
    model.system = "system Girl;".to_owned();
    Style {
        model,
        everything: "forall (i : girl_t) Girl(i).secrets == ALL",
        clusters: "forall (i : girl_t) Girl(i).secrets == (i < 2 ? 3 : ALL - 3)",
        safety: (
            "forall (i : girl_t) (Girl(i).secrets >> i) % 2 == 1",
            "No girl forgets her own secret.",
        ),
    }
}

fn girl() -> Template {
    let mut girl = Template::new("Girl", "const girl_t id");
    girl.declare(
        "
        clock x;
        secrets_t secrets = 1 << id;
        girl_t friend;        // who was called

        void listen()
        {
            secrets |= line;
        }

        void tell()
        {
            line = secrets;
        }
        ",
    );
    let free = girl.add(at(0.0, 0.0, "free"));
    let calling = girl.add(at(1.0, 0.0, "calling").invariant("x <= CALL"));
    let called = girl.add(at(-1.0, 0.0, "called"));
    let hears = girl.add(at(0.5, 1.2, "hears").committed());
    girl.edge(free, calling)
        .select("other : girl_t")
        .guard("other != id")
        .sync("ring[other]!")
        .update("friend = other")
        .update("x = 0");
    girl.edge(free, called).sync("ring[id]?");
    // The caller tells what she knows, the other one tells all that both know.
    girl.edge(calling, hears)
        .guard("x == CALL")
        .sync("hang_up[friend]!")
        .update("tell()");
    girl.edge(called, free)
        .sync("hang_up[id]?")
        .update("listen()")
        .update("tell()");
    girl.edge(hears, free)
        .update("listen()")
        .update("line = 0")
        .update("friend = 0")
        .update("x = 0");
    girl
}
