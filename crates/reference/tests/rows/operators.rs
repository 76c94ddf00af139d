//! `semantics.md` 24b and 24c: what binds what.

use super::common::with_loop;

const DECLARATIONS: &str = "int n = 1; bool t = true, f = false; int a[3] = {1, 2, 3}; int i = 3;";

fn holds(condition: &str) -> bool {
    let m = with_loop(DECLARATIONS, &format!("guard {condition};"));
    !m.run().transitions().is_empty()
}

#[test]
fn row_24b_precedence() {
    for condition in [
        "2 + 3 * 4 == 14",
        "2 * 3 ** 2 == 18",
        "2 ** 3 ** 2 == 64",
        "10 - 4 - 3 == 3",
        "-2 ** 2 == 4",
        "1 + 1 << 2 == 8",
        "1 << 2 <? 3 == 3",
        "(7 & 3 == 3) == 1",
        "(6 | 1 ^ 1 & 0) == 7",
        "t || f && f",
        "(t ? 1 : f ? 2 : 3) == 1",
        "not f and t",
        "t xor f",
        "!(t xor t)",
        "1 < 2 == t",
        "-i + 5 == 2 && !f",
    ] {
        assert!(holds(condition), "{condition}");
    }
}

#[test]
fn row_24c_traps() {
    // (f imply t) imply f is false; f imply (t imply f) would be true.
    assert!(!holds("f imply t imply f"));
    // (not i) == 3 is false, not (i == 4) would be true.
    assert!(!holds("not i == 4"));
    // i & (1 == 0)
    assert!(!holds("i & 1 == 0") && !holds("i & 1 == 1 && false") && holds("(i & 1) == 1"));
    // sum of booleans: two of the three are at least 2.
    assert!(holds("(sum (k : int[0,2]) a[k] >= 2) == 2"));
    assert!(holds("sum (k : int[0,2]) a[k] == 3"));
    // The body goes as far to the right as possible.
    assert!(!holds("f && forall (k : int[0,2]) f || t"));
    assert!(holds("t && forall (k : int[0,2]) f || t"));
}
