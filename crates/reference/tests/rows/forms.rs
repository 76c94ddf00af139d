//! `semantics.md`, "Guards and invariants: which forms are legal", and what they mean.

use super::common::{fault, load, try_load, with_loop};
use zonewalk_syntax::read::Format;

#[test]
fn row_16b_guards() {
    let declarations = "clock x, y = 2, c[3]; bool b = true, f = false; int i = 1;";
    for (guard, windows) in [
        ("b imply x > 3", "(3, inf)"),
        ("f imply x > 3", "[0, inf)"),
        ("f || x > 3", "(3, inf)"),
        ("b || x > 3", "[0, inf)"),
        ("x == y - 2", "[0, inf)"),
        ("x == y + 1", "never"),
        ("y - x == 2", "[0, inf)"),
        ("y - x < 2", "never"),
        ("3 < x", "(3, inf)"),
        ("5 >= x && y >= 5", "[3, 5]"),
        ("forall (k : int[0,2]) c[k] > k", "(2, inf)"),
        ("x >= i + 1 && x <= (b ? 7 : 9)", "[2, 7]"),
        ("x == 4 && i == 1", "[4, 4]"),
        ("x == 4 && i == 2", "never"),
    ] {
        let m = with_loop(declarations, &format!("guard {guard};"));
        let expected: Vec<String> = match windows {
            "never" => vec![],
            w => vec![format!("P.L -> L @ {w}")],
        };
        assert_eq!(m.run().transitions(), expected, "{guard}");
    }
}

#[test]
fn row_16b_refused_guards() {
    for guard in [
        "x != 3",
        "!(x > 3)",
        "x > 3 imply b",
        "x > 3 || y > 3",
        "exists (i : int[0,1]) c[i] > 3",
        "1 <= x <= 2",
        "i++ > 3",
    ] {
        let text = format!(
            "clock x, y, c[2]; bool b; int i; process P() {{ state L; init L; trans L -> L {{ guard {guard}; }}; }}
             system P;"
        );
        assert!(try_load(&text, Format::Xta).is_err(), "{guard}");
    }
}

#[test]
fn row_16c_invariants() {
    let with = |invariant: &str| {
        load(&format!(
            "clock x = 5, y = 1; bool b = true; int i = 3;
             process P() {{ state L {{ {invariant} }}; init L; }} system P;"
        ))
    };
    for (invariant, delays) in [
        ("x <= 7", "[0, 2]"),
        ("x >= 5", "[0, inf)"),
        ("x > 4 && y < i", "[0, 2)"),
        ("x - y >= 3", "[0, inf)"),
        ("b imply x <= 6", "[0, 1]"),
        ("i == 3", "[0, inf)"),
        ("y' == 0 && x <= 8", "[0, 3]"),
    ] {
        assert_eq!(with(invariant).run().delays(), delays, "{invariant}");
    }
    for invariant in ["x >= 6", "x - y > 4", "i == 4"] {
        let m = with(invariant);
        let initial = m.interpreter().unwrap().initial();
        assert!(
            fault(initial).starts_with("there is no initial state"),
            "{invariant}"
        );
    }
    for invariant in ["x == 5", "x - y == 4", "y' == 0 || x <= 5", "x < 3 || x >= 7"] {
        let text = format!("clock x, y; process P() {{ state L {{ {invariant} }}; init L; }} system P;");
        assert!(try_load(&text, Format::Xta).is_err(), "{invariant}");
    }
}

#[test]
fn row_16c_data_invariants_are_checked_on_entry() {
    let m = load(
        "int n; process P() { state A, B { n <= 1 }; init A; trans A -> B { assign n := 1; },
         A -> B { assign n := 2; }; } process Q() { state C { n < 2 }; init C; } system P, Q;",
    );
    assert_eq!(m.run().transitions(), ["P.A -> B @ [0, inf)"]);
}

#[test]
fn row_16d_bounds_are_integer_expressions() {
    let declarations = "clock x; int v = 2, a[2] = {3, 4}; int f(int k) { return 2 * k; }";
    for (guard, windows) in [
        ("x >= v && x <= a[1]", "[2, 4]"),
        ("x == f(a[0]) + 1", "[7, 7]"),
        ("x < (v > 1 ? 9 : 1)", "[0, 9)"),
        ("x >= -1", "[0, inf)"),
    ] {
        let m = with_loop(declarations, &format!("guard {guard};"));
        assert_eq!(
            m.run().transitions(),
            [format!("P.L -> L @ {windows}")],
            "{guard}"
        );
    }
}

#[test]
fn row_16d_clock_arithmetic_is_refused_with_the_reason() {
    for guard in ["x + y <= 3", "-x <= 3", "2 * x <= 5"] {
        let text = format!(
            "clock x, y; process P() {{ state L; init L; trans L -> L {{ guard {guard}; }}; }} system P;"
        );
        let refused = try_load(&text, Format::Xta).map(|m| m.interpreter().err().map(|u| u.construct));
        assert!(
            refused
                .as_ref()
                .is_ok_and(|c| c.is_some_and(|c| c.contains("clocks"))),
            "{guard} {refused:?}"
        );
    }
}

#[test]
fn row_16e_locations_in_guards_are_refused() {
    let text = "process P() { state L; init L; trans L -> L { guard L; }; } system P;";
    let refused = try_load(text, Format::Xta).map(|m| m.interpreter().is_err());
    assert!(refused.unwrap_or(true));
}
