//! Comparisons of two cells.

use zonewalk_network::constraint::Relation;
use zonewalk_product::{Accepted, Compare};

#[test]
fn comparisons_agree_with_relations() {
    use Relation::*;
    for relation in [Less, LessEqual, Equal, NotEqual, GreaterEqual, Greater] {
        for (a, b) in [(1, 2), (2, 2), (3, 2), (i32::MIN, i32::MAX), (i32::MAX, i32::MIN)] {
            let accepted = Accepted::from(relation);
            let compare = Compare { a: 0, b: 1, accepted };
            let turned = Compare {
                a: 1,
                b: 0,
                accepted: accepted.flipped(),
            };
            let holds = relation.holds(a, b);
            assert_eq!(compare.holds(&[a, b]), holds, "{a} {relation:?} {b}");
            assert_eq!(
                turned.holds(&[a, b]),
                holds,
                "{b} and {a} by {relation:?} flipped"
            );
        }
    }
}
