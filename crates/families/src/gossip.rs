//! Gossiping girls: each has a secret, and two who talk on the telephone exchange all that they know.
//!
//! After B. Baker, R. Shostak, "Gossips and telephones", Discrete Mathematics 2(3), 1972. Calls run in parallel; in how
//! few rounds of calls all secrets spread is due to W. Knödel, "New gossips and telephones", Discrete Mathematics 13(1),
//! 1975. The two styles are two modellers' ways of saying the same.

mod board;
mod calls;

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "gossip",
    summary: "girls who spread their secrets by telephone within a time",
    params: &[
        ParamSpec::number("n", 8, (2, 30), "girls"),
        ParamSpec::choice(
            "style",
            &["calls", "board"],
            "girls who ring each other up and keep sets of secrets, or a switchboard with a table of who knows what",
        ),
        ParamSpec::number("call", 60, (1, 1_000), "how long a call takes"),
        ParamSpec::number(
            "bound",
            0,
            (0, 1_000_000),
            "time for all secrets to spread; 0: n calls long",
        ),
    ],
    build,
};

/// Phrases that differ between the two styles.
struct Style {
    model: Model,
    /// Predicate: every girl knows every secret.
    everything: &'static str,
    /// Predicate: two girls know exactly each other's secrets, and so do the remaining ones.
    clusters: &'static str,
    /// Safety query and its explanation.
    safety: (&'static str, &'static str),
}

fn build(params: &Params) -> Result<Model, Error> {
    let [n, style, call] = ["n", "style", "call"].map(|name| params.get(name));
    let bound = match params.get("bound") {
        0 => n * call,
        bound => bound,
    };
    let constants = format!(
        "
        const int N = {n};             // girls
        const int CALL = {call};         // how long a call takes
        const int BOUND = {bound};       // the time within which all should know all
        typedef int[0, N - 1] girl_t;

        clock total;
        "
    );
    let Style {
        mut model,
        everything,
        clusters,
        safety,
    } = if style == 0 {
        calls::model(&constants)
    } else {
        board::model(&constants)
    };

    let fastest = rounds(n) * call;
    model.query(
        format!("E<> ({everything}) && total <= BOUND"),
        Expected::satisfied_if(bound >= fastest),
        format!(
            "All girls know everything in time. At best it takes {} rounds of calls, {fastest}.",
            rounds(n)
        ),
    );
    if n > 2 {
        model.query(
            format!("E<> {clusters}"),
            Expected::Satisfied,
            "The first two girls know each other's secrets, the others know each other's, and none knows more.",
        );
    }
    model.query(
        format!("A[] ({everything}) imply total >= {fastest}"),
        Expected::Satisfied,
        "It cannot be done faster.",
    );
    let (formula, why) = safety;
    model.query(format!("A[] {formula}"), Expected::Satisfied, why);
    Ok(model)
}

/// Rounds of parallel calls after which all can know everything: the logarithm, and one more for odd numbers.
fn rounds(n: i64) -> i64 {
    let logarithm = i64::from((n - 1).ilog2()) + 1;
    logarithm + n % 2
}
