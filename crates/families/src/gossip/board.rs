//! The style with a switchboard: a table of who knows what, and cords that connect any two girls who are free.

use super::Style;
use crate::model::{Model, Template, at};

pub(super) fn model(constants: &str) -> Style {
    let mut model = Model::new("Gossiping girls, who are connected by a switchboard");
    model.declare(constants);
    model.declare(
        "
        typedef int[0, N / 2 - 1] cord_t;        // as many cords as there can be calls

        bool told[N][N];                         // told[i][j]: girl i knows the secret of girl j
        bool talks[N];

        bool knows(girl_t i, girl_t j)
        {
            return i == j || told[i][j];
        }

        // After a call both know what either of them knew.
        void exchange(girl_t i, girl_t j)
        {
            for (k : girl_t)
            {
                bool known = knows(i, k) || knows(j, k);
                told[i][k] = known;
                told[j][k] = known;
            }
        }
        ",
    );
    model.templates.push(cord());
    model.system = "system Cord;".to_owned();
    Style {
        model,
        everything: "forall (i : girl_t) forall (j : girl_t) i == j || told[i][j]",
        clusters: "forall (i : girl_t) forall (j : girl_t) i == j || told[i][j] == ((i < 2) == (j < 2))",
        safety: (
            "(sum (i : girl_t) talks[i]) == 2 * (sum (c : cord_t) Cord(c).plugged)",
            "Every cord connects two girls, and no girl is on two cords.",
        ),
    }
}

fn cord() -> Template {
    let mut cord = Template::new("Cord", "const cord_t id");
    cord.declare(
        "
        clock x;
        girl_t one, other;

        void connect(girl_t i, girl_t j)
        {
            one = i;
            other = j;
            talks[i] = true;
            talks[j] = true;
        }

        void disconnect()
        {
            exchange(one, other);
            talks[one] = false;
            talks[other] = false;
            one = 0;
            other = 0;
        }
        ",
    );
    cord.spacing = (374.0, 170.0);
    let idle = cord.add(at(0.0, 0.0, "idle"));
    let plugged = cord.add(at(1.0, 0.0, "plugged").invariant("x <= CALL"));
    cord.edge(idle, plugged)
        .select("i : girl_t, j : girl_t")
        .guard("i < j && !talks[i] && !talks[j]")
        .update("connect(i, j)")
        .update("x = 0");
    cord.edge(plugged, idle)
        .guard("x == CALL")
        .update("disconnect()")
        .update("x = 0");
    cord
}
