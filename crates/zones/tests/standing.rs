//! Clocks that stand still and unions of zones, against points.

use crate::oracle;

use oracle::{MAX, Zone, fine, points, scale, zone};
use proptest::prelude::*;
use zonewalk_zones::{Bound, dbm};

/// A zone with clocks of at most `MAX`, so that points on the grid reach every bound.
fn bounded(dim: usize) -> impl Strategy<Value = Zone> {
    zone(dim).prop_filter_map("a zone with clocks in reach", move |zone| {
        let mut zone = zone;
        let is_left = (1..dim).all(|x| dbm::constrain(&mut zone.dbm, dim, x, 0, Bound::le(MAX)));
        is_left.then_some(zone)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bounds_of_standing_clocks_are_the_best(zone in bounded(4)) {
        let dim = zone.dim;
        let all: Vec<_> = points(dim, MAX.into()).into_iter().filter(|point| zone.contains(point)).collect();
        for ((a, e), (b, f)) in [((1, 2), (3, 0)), ((1, 3), (2, 0)), ((3, 0), (1, 2)), ((1, 2), (0, 0)), ((1, 2), (2, 3))] {
            let bound = dbm::between(&zone.dbm, dim, (a, e), (b, f));
            let values = all.iter().map(|point| point[a] - point[e] - point[b] + point[f]);
            let most = values.max().unwrap();
            let limit = i64::from(bound.constant()) * scale(dim);
            if bound.is_strict() {
                prop_assert!(most < limit && most > limit - scale(dim), "{most} below {limit}");
            } else {
                prop_assert_eq!(most, limit);
            }
        }
    }

    #[test]
    fn exact_resumptions_have_every_point(zone in bounded(5)) {
        // Rows 1 and 2 stay, 3 stands still since 4 was 0.
        let dim = zone.dim;
        if dbm::resumes_exactly(&zone.dbm, dim, &[3], 4, &[0, 1, 2]) {
            let rows = [(0, 0), (1, 0), (2, 0), (3, 4)];
            let image: Vec<Bound> =
                rows.iter().flat_map(|&left| rows.map(|right| dbm::between(&zone.dbm, dim, left, right))).collect();
            prop_assert!(dbm::is_closed(&image, 4));
            for point in points(4, MAX.into()).into_iter().filter(|point| dbm::contains(&image, 4, point, scale(4))) {
                let found = fine(4, MAX.into()).any(|stamp| {
                    let before = [0, point[1], point[2], point[3] + stamp, stamp];
                    dbm::contains(&zone.dbm, dim, &before, scale(4))
                });
                prop_assert!(found, "{:?}", point);
            }
        }
    }

    #[test]
    fn unions_are_zones_exactly_if_no_point_is_added((a, b) in (zone(3), zone(3))) {
        let dim = 3;
        let mut hull = Vec::new();
        let is_zone = dbm::is_union_convex(&a.dbm, &b.dbm, dim, &mut hull);
        prop_assert!(dbm::is_closed(&hull, dim));
        let has_more = points(dim, 12)
            .iter()
            .any(|point| dbm::contains(&hull, dim, point, scale(dim)) && !a.contains(point) && !b.contains(point));
        prop_assert_eq!(is_zone, !has_more);
    }
}

#[test]
fn resuming_loses_what_is_known_of_three_clocks() {
    // v and w are free up to 4, r stood since e, and r − v = w − e: then r − e − v − w + 2e = 0 needs more than differences.
    let dim = 5;
    let mut zone = Zone::universal(dim);
    for x in 1..dim {
        assert!(dbm::constrain(&mut zone.dbm, dim, x, 0, Bound::le(4)));
    }
    assert!(dbm::constrain(&mut zone.dbm, dim, 3, 1, Bound::le(0)));
    assert!(dbm::constrain(&mut zone.dbm, dim, 2, 4, Bound::le(0)));
    assert!(!dbm::resumes_exactly(&zone.dbm, dim, &[3], 4, &[0, 1, 2]));
    // With a known stamp nothing is lost.
    assert!(dbm::constrain(&mut zone.dbm, dim, 4, 0, Bound::le(0)));
    assert!(dbm::resumes_exactly(&zone.dbm, dim, &[3], 4, &[0, 1, 2]));
}
