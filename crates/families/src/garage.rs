//! The safety layer of an automated parking garage, with two of its checks left out.
//!
//! After A. Mathijssen and A. J. Pretorius, "Verified design of an automated parking garage", FMICS 2006, in the steps of the mCRL2
//! specification `garage-r2-error`, in whose first version T. Engels et al., "Search algorithms for automated validation", Journal
//! of Logic and Algebraic Programming 78, 2009, look for the error. One instruction there is one transition here, also one
//! that changes nothing.
//!
//! Three rows of belts, one above the other, end in shuttles on both sides. Shuttles move between the rows, lowered with their cars or tilted
//! without. In the first row a car may stand half on one belt and half on the next, so a place there is half a car; the lift to the
//! street is a belt of it.

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "garage",
    summary: "an automated parking garage whose shuttles and lift may move with half a car on them",
    params: &[ParamSpec::number("n", 10, (6, 15), "columns of places for cars")],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let mut model = Model::new("An automated parking garage");
    model.declare(declaration(params.get("n")));
    model.declare(PLACES);
    model.templates.extend([belts(), shuttles(), lift()]);
    model.system = "system Belts, Shuttles, Lift;".to_owned();

    model.query(
        "E<> two_halves_lifted",
        Expected::Satisfied,
        "The lift leaves with halves of two cars on its belt: two occupied places are taken for a car.",
    );
    model.query(
        "E<> half_shuttled",
        Expected::Satisfied,
        "A shuttle of the first row moves with half a car on it.",
    );
    model.query(
        "A[] forall (s : side_t) (sum (p : posture_t) sum (r : row_t) stands[p][s][r]) == 3",
        Expected::Satisfied,
        "Each side has three shuttles.",
    );
    Ok(model)
}

fn declaration(n: i64) -> String {
    // The lift stands in the middle, between two columns.
    let lift = 2 * ((n + 2) / 2) - 1;
    format!(
        "
        const int N = {n};                  // columns
        typedef int[0, 2] row_t;
        typedef int[0, 1] side_t;
        typedef int[0, 1] posture_t;
        const int LOWERED = 0;
        const int TILTED = 1;
        typedef int[0, 2] height_t;
        const int STREET = 0;
        const int ROTATE = 1;
        const int BASEMENT = 2;

        // Places of a row as bits. The first row has two for each column.
        typedef int[0, 1073741823] places_t;
        places_t taken[row_t];

        // Where belts begin, and the last one of a row ends. The first and the last are those of shuttles.
        const int BELTS[row_t] = {{ 5, 3, 3 }};
        const int LIFT = {lift};            // the first of its two places
        const int BEGIN[row_t][6] = {{ {{ 0, 2, LIFT, LIFT + 2, 2 * N - 2, 2 * N }}, {{ 0, 1, N - 1, N, N, N }}, {{ 0, 1, N - 1, N, N, N }} }};

        height_t height = STREET;
        bool is_loaded;                     // the lift, above the basement
        bool stands[posture_t][side_t][row_t] =
        {{
            {{ {{ true, true, false }}, {{ true, true, false }} }},
            {{ {{ false, false, true }}, {{ false, false, true }} }}
        }};

        bool half_shuttled;
        bool two_halves_lifted;
        "
    )
}

const PLACES: &str = "
    places_t between(int from, int to)
    {
        return (1 << to) - (1 << from);
    }

    bool is_free(row_t r, int from, int to)
    {
        return (taken[r] & between(from, to)) == 0;
    }

    // Whether cars are whole there, as far as their number tells: of the first row.
    bool is_even(int from, int to)
    {
        places_t bits = taken[0] & between(from, to);
        bits ^= bits >> 16;
        bits ^= bits >> 8;
        bits ^= bits >> 4;
        bits ^= bits >> 2;
        bits ^= bits >> 1;
        return bits % 2 == 0;
    }
";

const BELTS: &str = "
    bool is_there(row_t r, int belt)
    {
        if (belt == 0)
            return stands[LOWERED][0][r];
        if (belt == BELTS[r] - 1)
            return stands[LOWERED][1][r];
        return r > 0 || belt != 2 || height == BASEMENT;
    }

    // Belts move together, and nothing falls off at the end. They move whole cars only, as far as the number of halves tells.
    bool may_move(row_t r, int first, int last, bool is_up, int by)
    {
        int k;
        const int from = BEGIN[r][first];
        const int to = BEGIN[r][last + 1];
        for (k = first; k <= last; k++)
            if (!is_there(r, k))
                return false;
        if (is_up ? !is_free(r, to - by, to) : !is_free(r, from, from + by))
            return false;
        return r > 0 || is_even(from, to);
    }

    void move(row_t r, int first, int last, bool is_up, int by)
    {
        const places_t area = between(BEGIN[r][first], BEGIN[r][last + 1]);
        const places_t part = taken[r] & area;
        taken[r] = taken[r] - part + ((is_up ? part << by : part >> by) & area);
    }
";

const SHUTTLES: &str = "
    // The places of a shuttle, and the one of them that counts for all where a car goes to a row with whole places.
    places_t places(side_t s, row_t r)
    {
        return s == 0 ? between(0, BEGIN[r][1]) : between(BEGIN[r][BELTS[r] - 1], BEGIN[r][BELTS[r]]);
    }

    bool has_car(side_t s, row_t r)
    {
        return (taken[r] >> (s == 0 ? BEGIN[r][1] - 1 : BEGIN[r][BELTS[r]] - 1)) % 2 == 1;
    }

    void put(side_t s, row_t r, bool car)
    {
        taken[r] = (taken[r] | places(s, r)) - (car ? 0 : places(s, r));
    }

    // Those from first to last, towards a row where none stands.
    bool may_shift(posture_t p, side_t s, int first, int last, int to)
    {
        return first <= last && (forall (r : row_t) first <= r && r <= last imply stands[p][s][r]) && !stands[p][s][to];
    }

    // Rows are given from the one that becomes empty to the one that was, step by step.
    void shift(posture_t p, side_t s, int first, int last, int step)
    {
        int k;
        const int from = step > 0 ? first : last;
        const int to = step > 0 ? last + 1 : first - 1;
        if (p == LOWERED && first == 0 && !(s == 0 ? is_even(0, 2) : is_even(2 * N - 2, 2 * N)))
            half_shuttled = true;
        for (k = to; k != from; k -= step)
        {
            stands[p][s][k] = stands[p][s][k - step];
            if (p == LOWERED)
                put(s, k, has_car(s, k - step));
        }
        stands[p][s][from] = false;
        if (p == LOWERED)
            put(s, from, false);
    }

    bool may_tilt(side_t s, row_t r)
    {
        return (forall (k : row_t) stands[LOWERED][s][k]) && (taken[r] & places(s, r)) == 0;
    }

    void turn(side_t s, row_t r, posture_t to)
    {
        stands[1 - to][s][r] = false;
        stands[to][s][r] = true;
    }
";

const LIFT: &str = "
    void lift_to(height_t to)
    {
        if (height == BASEMENT)
        {
            is_loaded = !is_free(0, LIFT, LIFT + 2);
            if (is_loaded)
            {
                if (!is_even(0, LIFT) || !is_even(LIFT + 2, 2 * N))
                    two_halves_lifted = true;
                taken[0] -= between(LIFT, LIFT + 2);
            }
        }
        else if (to == BASEMENT && is_loaded)
        {
            taken[0] += between(LIFT, LIFT + 2);
            is_loaded = false;
        }
        height = to;
    }
";

fn belts() -> Template {
    let mut b = Template::new("Belts", "");
    b.declare(BELTS);
    let ready = b.add(at(0.0, 0.0, "ready"));
    b.edge(ready, ready)
        .select("first : int[0, 4], last : int[0, 4], is_up : int[0, 1], by : int[1, 2]")
        .guard("first <= last && may_move(0, first, last, is_up, by)")
        .update("move(0, first, last, is_up, by)");
    b.edge(ready, ready)
        .select("r : int[1, 2], first : int[0, 2], last : int[0, 2], is_up : int[0, 1]")
        .guard("first <= last && may_move(r, first, last, is_up, 1)")
        .update("move(r, first, last, is_up, 1)");
    b
}

fn shuttles() -> Template {
    let mut s = Template::new("Shuttles", "");
    s.declare(SHUTTLES);
    let ready = s.add(at(0.0, 0.0, "ready"));
    s.edge(ready, ready)
        .select("p : posture_t, s : side_t, first : int[0, 1], last : int[0, 1]")
        .guard("may_shift(p, s, first, last, last + 1)")
        .update("shift(p, s, first, last, 1)");
    s.edge(ready, ready)
        .select("p : posture_t, s : side_t, first : int[1, 2], last : int[1, 2]")
        .guard("may_shift(p, s, first, last, first - 1)")
        .update("shift(p, s, first, last, -1)");
    s.edge(ready, ready)
        .select("s : side_t, r : row_t")
        .guard("may_tilt(s, r)")
        .update("turn(s, r, TILTED)");
    s.edge(ready, ready)
        .select("s : side_t, r : row_t")
        .guard("stands[TILTED][s][r] && !stands[LOWERED][s][r]")
        .update("turn(s, r, LOWERED)");
    s
}

fn lift() -> Template {
    let mut l = Template::new("Lift", "");
    l.declare(LIFT);
    let ready = l.add(at(0.0, 0.0, "ready"));
    l.edge(ready, ready)
        .select("to : height_t")
        .guard("to != height && (height != BASEMENT || is_even(LIFT, LIFT + 2))")
        .update("lift_to(to)");
    // Turns a car round; what stands beside the lift would be in the way.
    l.edge(ready, ready)
        .guard("height == ROTATE && is_free(0, LIFT - 3, LIFT) && is_free(0, LIFT + 2, LIFT + 5)");
    // A car comes, or goes.
    l.edge(ready, ready)
        .guard("height == STREET")
        .update("is_loaded = !is_loaded");
    l
}
