//! `sup`, `inf`, `bounds` on small models.

use super::support::{model, query};
use std::collections::BTreeSet;
use zonewalk_model::instance;
use zonewalk_model::tree::QueryKind;
use zonewalk_network::NetworkBuilder;
use zonewalk_search::{Limit, Limits};
use zonewalk_symbolic::extremes::{Endpoint, Extent, Extremes, Interval, RequestedValues, extremes};
use zonewalk_symbolic::plan::ZonePlan;

pub(crate) fn find(text: &str, asked: &str, wish: RequestedValues, limits: &Limits<'_>) -> Extremes {
    let model = model(text);
    let query = query(&model, asked).unwrap();
    let QueryKind::Extremum { predicate, exprs, .. } = &query.kind else {
        panic!("{asked} asks for no extremes")
    };
    let system = instance::instantiate(&model).unwrap();
    let mut builder = NetworkBuilder::new(&model, &system).unwrap();
    let condition = predicate
        .as_ref()
        .map(|p| builder.predicate(query.slots, p).unwrap());
    let add = |e| builder.measure(query.slots, e).unwrap();
    let measures: Vec<_> = exprs.iter().map(add).collect();
    let network = builder.finish();
    let plan = ZonePlan::new(&network).unwrap();
    let (found, stored) = extremes(&plan, condition.as_ref(), &measures, wish, limits, usize::MAX).unwrap();
    assert_eq!(
        stored.is_some(),
        found.limit.is_none(),
        "the states of a complete search are there"
    );
    found
}

fn extents(text: &str, asked: &str, wish: RequestedValues) -> Vec<Extent> {
    let found = find(text, asked, wish, &Limits::default());
    assert_eq!(found.limit, None);
    assert!(
        found.extents.iter().all(|e| e.is_certain),
        "{asked}: {:?}",
        found.extents
    );
    found.extents
}

/// The regions of a clock up to one: `2n` for an integer, `2n + 1` for the gap behind it.
pub(crate) fn reached(extent: &Extent, most: i64) -> BTreeSet<i64> {
    let regions = extent.intervals.iter().flat_map(|interval| {
        let low = 2 * interval.low.value + i64::from(!interval.low.is_attained);
        let high = interval
            .high
            .map_or(most, |end| 2 * end.value - i64::from(!end.is_attained));
        low..=high.min(most)
    });
    regions.collect()
}

fn show_end(end: Option<Endpoint>, is_high: bool) -> String {
    match end {
        None => "inf".into(),
        Some(end) => {
            let sign = match (is_high, end.is_attained) {
                (true, true) => "<=",
                (true, false) => "<",
                (false, true) => ">=",
                (false, false) => ">",
            };
            format!("{sign}{}", end.value)
        }
    }
}

/// The greatest values, as they are shown.
fn sup(text: &str, asked: &str) -> String {
    let show = |e: &Extent| e.highest().map_or("none".into(), |end| show_end(end, true));
    let list: Vec<_> = extents(text, asked, RequestedValues::Highest)
        .iter()
        .map(show)
        .collect();
    list.join(" ")
}

fn inf(text: &str, asked: &str) -> String {
    let show = |e: &Extent| e.lowest().map_or("none".into(), |end| show_end(Some(end), false));
    let list: Vec<_> = extents(text, asked, RequestedValues::Lowest)
        .iter()
        .map(show)
        .collect();
    list.join(" ")
}

fn bounds(text: &str, asked: &str) -> String {
    let interval = |i: &Interval| format!("{}{}", show_end(Some(i.low), false), show_end(i.high, true));
    let show = |e: &Extent| e.intervals.iter().map(interval).collect::<Vec<_>>().join(" ");
    let list: Vec<_> = extents(text, asked, RequestedValues::All)
        .iter()
        .map(show)
        .collect();
    list.join(", ")
}

const WAIT: &str = "clock x; int v; process P() { state a { x <= 8 }, b { x < 5 }, c; init a;
    trans a -> b { guard x >= 3; assign x = 0, v = 7; }, b -> a { guard x > 2; assign x = 0, v = -2; }; } system P;";

#[test]
fn integers() {
    assert_eq!(sup(WAIT, "sup: v, v * v"), "<=7 <=49");
    assert_eq!(inf(WAIT, "inf: v"), ">=-2");
    assert_eq!(bounds(WAIT, "bounds: v"), ">=-2<=-2 >=0<=0 >=7<=7");
    assert_eq!(sup(WAIT, "sup{P.a}: v"), "<=0");
    assert_eq!(sup(WAIT, "sup{P.b && x >= 5}: v"), "none");
    assert_eq!(sup(WAIT, "sup{P.b && x > 4}: v"), "<=7");
}

#[test]
fn clocks_with_strict_and_weak_ends() {
    assert_eq!(sup(WAIT, "sup: x"), "<=8");
    assert_eq!(sup(WAIT, "sup{P.b}: x"), "<5");
    assert_eq!(inf(WAIT, "inf: x"), ">=0");
    assert_eq!(inf(WAIT, "inf{P.a && x > 2}: x"), ">2");
    assert_eq!(inf(WAIT, "inf{P.b && x >= 2}: x"), ">=2");
    assert_eq!(
        bounds(WAIT, "bounds{x < 1 || x >= 3 && x != 6}: x"),
        ">=0<1 >=3<6 >6<=8"
    );
    assert_eq!(sup(WAIT, "sup{P.b}: x, v"), "<5 <=7");
}

/// Values far beyond all constants, which extrapolation does not know.
#[test]
fn beyond_the_constants() {
    // The clock y runs for three stays of at most 10 and is never compared.
    let text = "clock x, y; int[0,3] n; process P() { state a { x <= 10 }, b; urgent b; init a;
        trans a -> a { guard n < 2; assign x = 0, n++; }, a -> b { guard n == 2; }; } system P;";
    assert_eq!(sup(text, "sup: y"), "<=30");
    assert_eq!(sup(text, "sup{P.b}: y"), "<=30");
    assert_eq!(inf(text, "inf{P.b}: y"), ">=0");
    let strict = text.replace("x <= 10", "x < 10");
    assert_eq!(sup(&strict, "sup: y"), "<30");
    let slow = text
        .replace("guard n < 2;", "guard n < 2 && x >= 9;")
        .replace("guard n == 2;", "guard n == 2 && x > 8;");
    assert_eq!(inf(&slow, "inf{P.b}: y"), ">26");
    assert_eq!(bounds(&slow, "bounds{P.b}: y"), ">26<=30");
    // A clock that matters nowhere.
    assert_eq!(sup(&slow, "sup{n == 1}: y"), "<=20");
    assert_eq!(inf(&slow, "inf{n == 1}: y"), ">=9");
}

#[test]
fn no_upper_bound() {
    let idle = "clock x; process P() { state a; init a; } system P;";
    assert_eq!(sup(idle, "sup: x"), "inf");
    assert_eq!(bounds(idle, "bounds: x"), ">=0inf");
    assert_eq!(bounds(idle, "bounds{x > 100}: x"), ">100inf");
    assert_eq!(sup(idle, "sup{x < 100}: x"), "<100");
    // Time passes in rounds of 5; nowhere can it pass forever.
    let rounds = "clock x, y; process P() { state a { x <= 5 }, b; init a;
        trans a -> a { guard x >= 1; assign x = 0; }, a -> b { guard y > 1000; assign y = 0; }; } system P;";
    assert_eq!(sup(rounds, "sup{P.a}: y"), "inf");
    assert_eq!(sup(rounds, "sup{P.a && x == 3}: y"), "inf");
    assert_eq!(sup(rounds, "sup{P.a && y < 77}: y"), "<77");
    // The other end is still exact.
    assert_eq!(inf(rounds, "inf{P.a && y >= 20}: y"), ">=20");
}

/// The loop could go on forever, but takes no time: the clock has a bound.
#[test]
fn zeno_loops_do_not_make_a_clock_grow() {
    let text = "clock x, y; process P() { state a { x <= 5 }; init a; trans a -> a { }; } system P;";
    assert_eq!(sup(text, "sup: y"), "<=5");
    let committed = "clock x, y; process P() { state a { x <= 5 }, b, c; commit b, c; init a;
        trans a -> b { }, b -> c { }, c -> b { }; } system P;";
    assert_eq!(sup(committed, "sup: y"), "<=5");
}

/// A clock that is set to ever the same large number does not grow.
#[test]
fn setting_a_clock_ahead_is_no_growth() {
    let text = "clock x, y; process P() { state a { x <= 5 }; init a; trans a -> a { guard x >= 5; assign x = 0, y = 70; }; }
        system P;";
    assert_eq!(sup(text, "sup: y"), "<=75");
    assert_eq!(bounds(text, "bounds: y"), ">=0<=5 >=70<=75");
}

/// Periodic values without an end are said to have gaps.
#[test]
fn values_that_go_on_with_gaps() {
    let text = "clock x, y; process P() { state a { x <= 5 }, b; urgent b; init a;
        trans a -> b { guard x >= 5; assign x = 0; }, b -> a { }; } system P;";
    let found = &extents(text, "bounds{P.b}: y", RequestedValues::All)[0];
    assert!(found.has_gaps && found.highest() == Some(None));
    assert_eq!(found.lowest().unwrap().value, 5);
}

#[test]
fn limits_leave_the_answer_open() {
    let limits = Limits {
        explored: Some(2),
        ..Limits::default()
    };
    let found = find(WAIT, "sup: v", RequestedValues::Highest, &limits);
    assert_eq!(found.limit, Some(Limit::States));
    assert!(!found.extents[0].is_certain);
}

#[test]
fn clocks_of_arrays() {
    let text =
        "clock c[2]; int[0,1] i; process P() { state a { c[0] <= 3 && c[1] <= 4 }, b { c[1] <= 4 }; init a;
        trans a -> b { assign i = 1; }; } system P;";
    assert_eq!(sup(text, "sup: c[0], c[1], c[i]"), "<=4 <=4 <=4");
    assert_eq!(sup(text, "sup{P.a}: c[i]"), "<=3");
}
