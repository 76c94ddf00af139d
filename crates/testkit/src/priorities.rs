//! Models in which a transition is possible only because a higher one does not exist (`semantics.md` 15).

/// A model, predicates over states that it reaches, and others that it does not.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// A forbidden case and the rule that forbids it.
    pub name: &'static str,
    /// The model in the textual format.
    pub text: &'static str,
    /// Predicates over states that are reached.
    pub reached: &'static [&'static str],
    /// Predicates over states that are not.
    pub unreached: &'static [&'static str],
}

/// In all of them `y` is 0 when the lower transition has just been taken.
pub const CASES: &[Case] = &[
    Case {
        name: "a process, forbidden from a closed end on",
        text: "clock x, y;
            process P() { state A, B; init A; trans A -> B { guard x >= 1; assign y = 0; }; }
            process Q() { state A, B { x <= 3 }; init A; trans A -> B { guard x >= 1; }; } system P < Q;",
        reached: &["P.B && Q.A && x > 3 && y == 0", "P.B && Q.B"],
        unreached: &["P.B && Q.A && x <= 3 && y == 0"],
    },
    Case {
        name: "a process, forbidden from an open end on",
        text: "clock x, y;
            process P() { state A { x <= 3 }, B; init A; trans A -> B { guard x >= 1; assign y = 0; }; }
            process Q() { state A, B { x < 3 }; init A; trans A -> B { guard x >= 1; }; } system P < Q;",
        reached: &["P.B && Q.A && x == 3 && y == 0"],
        unreached: &["P.B && Q.A && x < 3 && y == 0"],
    },
    Case {
        name: "a process, forbidden up to an open end",
        text: "clock x, y;
            process P() { state A, B; init A; trans A -> B { assign y = 0; }; }
            process Q() { state A, B { x > 2 }; init A; trans A -> B { }; } system P < Q;",
        reached: &["P.B && Q.A && x == 2 && y == 0", "P.B && Q.A && x == 0 && y == 0"],
        unreached: &["P.B && Q.A && x > 2 && y == 0"],
    },
    Case {
        name: "a handshake with priority",
        text: "clock x, y; chan high; chan priority default < high;
            process P() { state A, B; init A; trans A -> B { assign y = 0; }; }
            process S() { state A, B; init A; trans A -> B { sync high!; }; }
            process R() { state A, B { x >= 2 && x <= 4 }; init A; trans A -> B { sync high?; }; } system P, S, R;",
        reached: &["P.B && S.A && x < 2 && y == 0", "P.B && S.A && x > 4 && y == 0", "S.B && P.B"],
        unreached: &["P.B && S.A && x >= 2 && x <= 4 && y == 0"],
    },
    Case {
        name: "a broadcast with priority, forbidden by one of its receivers",
        text: "clock x, y, z; int n; broadcast chan high; chan priority default < high;
            process P() { state A { x <= 6 }, B; init A; trans A -> B { assign y = 0; }; }
            process S() { state A, B; init A; trans A -> B { sync high!; }; }
            process R() { state A, B { z <= 1 }; init A; trans A -> B { guard x >= 2 && x < 4; sync high?; }; }
            process T() { state A, B; init A; trans A -> B { sync high?; }; } system P, S, R, T;",
        reached: &["P.B && S.A && x == 2 && y == 0", "P.B && S.A && x > 3 && x < 4 && y == 0", "S.B && x >= 4 && R.A && T.B"],
        unreached: &["P.B && S.A && y == 0 && x < 2", "P.B && S.A && y == 0 && x >= 4", "S.B && T.A", "R.B"],
    },
    Case {
        name: "a broadcast whose level is that of its receivers",
        text: "clock x, y; broadcast chan c;
            process S() { state A { x <= 6 }, B; init A; trans A -> B { sync c!; assign y = 0; }; }
            process M() { state A, B; init A; trans A -> B { guard x <= 6; }; }
            process R() { state A, B { x >= 5 && x < 6 }; init A; trans A -> B { guard x >= 4; sync c?; }; } system S < M < R;",
        reached: &["S.B && M.A && R.B && x >= 5 && x < 6 && y == 0", "S.B && M.B && R.A"],
        unreached: &["S.B && M.A && R.A", "S.B && M.A && R.B && x < 5"],
    },
    Case {
        name: "three levels, the highest of them forbidden",
        text: "clock x, y; chan high, low; chan priority low < default < high;
            process P() { state A, B; init A; trans A -> B { sync low!; assign y = 0; }; }
            process Q() { state A; init A; trans A -> A { sync low?; }, A -> A { sync high?; }; }
            process M() { state A, B { x <= 4 }; init A; trans A -> B { guard x >= 2; }; }
            process H() { state A, B { x <= 2 }; init A; trans A -> B { guard x >= 1; sync high!; }; } system P, Q, M, H;",
        reached: &["P.B && M.A && H.A && x < 1 && y == 0", "P.B && M.A && H.A && x > 4 && y == 0", "M.B && H.A && P.A"],
        unreached: &["P.B && M.A && H.A && x >= 1 && x <= 4 && y == 0", "M.B && H.A && x == 2"],
    },
    Case {
        name: "a value of a select decides whether the higher one exists",
        text: "clock x, y; int n;
            process P() { state A, B; init A; trans A -> B { assign y = 0; }; }
            process Q() { state A, B { n == 2 && x <= 3 }; init A; trans A -> B { select k : int[0,3]; assign n = k; }; } system P < Q;",
        reached: &["P.B && Q.A && x > 3 && y == 0", "Q.B && P.A"],
        unreached: &["P.B && Q.A && x <= 3 && y == 0"],
    },
    Case {
        name: "no value of a select lets the higher one exist",
        text: "clock x, y; int n;
            process P() { state A { x <= 1 }, B; init A; trans A -> B { assign y = 0; }; }
            process Q() { state A, B { n == 4 }; init A; trans A -> B { select k : int[0,3]; assign n = k; }; } system P < Q;",
        reached: &["P.B && x == 0 && y == 0", "P.B && x == 1 && y == 0"],
        unreached: &["Q.B"],
    },
    Case {
        name: "one of two receiving edges is forbidden",
        text: "clock x, y; broadcast chan high; chan priority default < high;
            process P() { state A, B; init A; trans A -> B { assign y = 0; }; }
            process S() { state A, B; init A; trans A -> B { sync high!; }; }
            process R() { state A, B { x <= 1 }, C { x <= 3 }; init A; trans A -> B { sync high?; }, A -> C { sync high?; }; }
            system P, S, R;",
        reached: &["P.B && S.A && x > 3 && y == 0", "R.C && P.A", "R.B && P.A"],
        unreached: &["P.B && S.A && x <= 3 && y == 0"],
    },
    Case {
        name: "a clock that the higher one resets and another that it does not",
        text: "clock x, y, z;
            process P() { state A { x <= 9 }, B; init A; trans A -> B { guard x >= 1; assign y = 0; }; }
            process Q() { state A, B { z < 1 && x - z <= 5 }; init A; trans A -> B { guard x >= 1; assign z = 0; }; } system P < Q;",
        reached: &["P.B && Q.A && x > 5 && y == 0"],
        unreached: &["P.B && Q.A && x <= 5 && y == 0"],
    },
    Case {
        name: "a committed location, and nothing else allowed",
        text: "clock x, y; int n; chan high; chan priority default < high;
            process P() { state A { x <= 4 }, C, B, D; commit C; init A; trans A -> C { guard x >= 2; }, C -> B { assign y = 0; }, C -> D { sync high!; }; }
            process R() { state A, B { x < 3 }; init A; trans A -> B { sync high?; }; } system P, R;",
        reached: &["P.B && x >= 3 && y == 0", "P.D && x < 3"],
        unreached: &["P.B && x < 3", "P.D && x >= 3 && R.A"],
    },
    Case {
        name: "the higher one stops a clock",
        text: "clock x, y;
            process P() { state A { y <= 6 }, B; init A; trans A -> B { guard x >= 1; assign y = 0; }; }
            process Q() { state A, B { x' == 0 && x <= 3 }; init A; trans A -> B { guard x >= 1; }; } system P < Q;",
        reached: &["P.B && Q.A && x > 3 && y == 0"],
        unreached: &["P.B && Q.A && x <= 3 && y == 0"],
    },
    Case {
        name: "the higher one starts a clock that stands too high for it",
        text: "clock x = 5, y;
            process P() { state A, B; init A; trans A -> B { guard y <= 1; assign y = 0; }; }
            process Q() { state A { x' == 0 }, B { x <= 4 }, C { x <= 5 }; init A; trans A -> B { }, A -> C { guard y >= 1; }; } system P < Q;",
        reached: &["P.B && Q.A", "Q.C && P.A"],
        unreached: &["Q.B"],
    },
];
