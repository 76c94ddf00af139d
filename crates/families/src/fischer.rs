//! Fischer's protocol: mutual exclusion by timing alone, over one shared variable.
//!
//! After L. Lamport, "A fast mutual exclusion algorithm", ACM Transactions on Computer Systems 5(1), 1987, which
//! describes it as a remark of M. Fischer.

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "fischer",
    summary: "Fischer's mutual exclusion by timing, correct or with a bug",
    params: &[
        ParamSpec::number("n", 10, (2, 30_000), "processes"),
        ParamSpec::number("k", 2, (1, 10_000), "a process that may write does so within k"),
        ParamSpec::choice(
            "buggy",
            &["no", "weak", "short"],
            "what is wrong with the wait after writing: nothing, k itself is enough, k - 1 is enough",
        ),
        ParamSpec::number(
            "least",
            0,
            (0, 10_000),
            "a process that may write takes at least this long, at most k; the longer, the rarer the errors",
        ),
    ],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let [n, k, least] = ["n", "k", "least"].map(|name| params.get(name));
    if least > k {
        return Err(Error::conflict(format!(
            "`least`, {least}, must not exceed `k`, {k}: a process writes in between"
        )));
    }
    let (wait, is_correct) = match params.get("buggy") {
        0 => ("x > K", true),
        1 => ("x >= K", false),
        _ => ("x > K - 1", false),
    };

    let mut model = Model::new("Fischer's mutual exclusion protocol");
    model.declare(format!(
        "
        const int N = {n};        // processes
        const int K = {k};        // from seeing that no process asks to writing: at most this long
        typedef int[1, N] id_t;

        int[0, N] id;        // who wrote last; 0: none asks
        "
    ));
    let write = match least {
        0 => "x <= K".to_owned(),
        _ => format!("x >= {least} && x <= K"),
    };
    model.templates.push(process(&write, wait));
    model.system = "system P;".to_owned();

    let chosen = n.min(3);
    model.query(
        format!("E<> P({chosen}).cs and (forall (i : id_t) i != {chosen} imply P(i).wait)"),
        Expected::Satisfied,
        format!("Process {chosen} is in its critical section while all others wait."),
    );
    model.query(
        format!("E<> {}", scattered(n)),
        Expected::Satisfied,
        "Some processes idle, some wait, one is in its critical section.",
    );
    model.query(
        "A[] forall (i : id_t) forall (j : id_t) P(i).cs && P(j).cs imply i == j",
        Expected::satisfied_if(is_correct),
        match is_correct {
            true => "Mutual exclusion. No process writes once the last writer's wait is over.",
            false => "Mutual exclusion. Another process may still write when the last writer's wait is over.",
        },
    );
    model.query(
        "A[] not deadlock",
        Expected::Satisfied,
        "The last writer gets in, and a process that leaves lets the others ask.",
    );
    Ok(model)
}

fn process(write: &str, wait: &str) -> Template {
    let mut p = Template::new("P", "const id_t pid");
    p.declare("clock x;");
    let idle = p.add(at(0.0, 0.0, "idle"));
    let req = p.add(at(1.0, 0.0, "req").invariant("x <= K"));
    let wait_ = p.add(at(1.0, 1.0, "wait"));
    let cs = p.add(at(0.0, 1.0, "cs"));
    p.edge(idle, req).guard("id == 0").update("x = 0");
    p.edge(req, wait_).guard(write).update("x = 0").update("id = pid");
    p.edge(wait_, req).guard("id == 0").update("x = 0");
    p.edge(wait_, cs).guard(format!("{wait} && id == pid"));
    p.edge(cs, idle).update("id = 0");
    p
}

/// A state that fixes the first seven processes only.
fn scattered(n: i64) -> String {
    let places = ["idle", "wait", "cs", "wait", "wait", "idle", "idle"];
    let parts = (1..=n).zip(places).map(|(i, place)| format!("P({i}).{place}"));
    parts.collect::<Vec<_>>().join(" && ")
}
