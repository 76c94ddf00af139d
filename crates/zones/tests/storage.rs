//! Federations, minimal form, packing and printing.
#![allow(clippy::unwrap_used)]

use crate::oracle;

use oracle::{Zone, atom, dims, points, reach, scale, zone};
use proptest::prelude::*;
use zonewalk_zones::packed::{self, Narrow};
use zonewalk_zones::{Bound, Federation, dbm, display, minimal};

fn union(zones: &[Zone]) -> Federation {
    let mut union = Federation::new(zones[0].dim);
    zones.iter().for_each(|zone| union.push(&zone.dbm));
    union
}

fn zones(dim: usize, most: usize) -> impl Strategy<Value = Vec<Zone>> {
    prop::collection::vec(zone(dim), 1..=most)
}

fn several() -> impl Strategy<Value = (Vec<Zone>, Vec<Zone>)> {
    dims().prop_flat_map(|dim| (zones(dim, 3), zones(dim, 3)))
}

fn any_has(zones: &[Zone], point: &[i64]) -> bool {
    zones.iter().any(|zone| zone.contains(point))
}

fn closed(union: &Federation) -> bool {
    union.iter().all(|zone| dbm::is_closed(zone, union.dim()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn subtraction_is_exact_and_disjoint((a, b) in several()) {
        let (dim, scale) = (a[0].dim, scale(a[0].dim));
        let mut pieces = Federation::from_zone(&a[0].dbm, dim);
        pieces.subtract(&b[0].dbm);
        prop_assert!(closed(&pieces));
        let mut all = union(&a);
        all.subtract_federation(&union(&b));
        prop_assert!(closed(&all));
        for point in points(dim, reach(dim)) {
            let holders = pieces.iter().filter(|zone| dbm::contains(zone, dim, &point, scale)).count();
            prop_assert_eq!(holders, usize::from(a[0].contains(&point) && !b[0].contains(&point)));
            prop_assert_eq!(all.contains(&point, scale), any_has(&a, &point) && !any_has(&b, &point));
        }
        let pairs = pieces.iter().enumerate().flat_map(|(k, p)| pieces.iter().skip(k + 1).map(move |q| (p, q)));
        for (p, q) in pairs {
            prop_assert!(!dbm::intersects(p, q, dim, &mut Vec::new()));
        }
        prop_assert!(pieces.len() <= minimal::constraints(&b[0].dbm, dim).len().max(1));
    }

    #[test]
    fn inclusion_in_a_union((a, b) in several()) {
        let (dim, scale) = (a[0].dim, scale(a[0].dim));
        let (a_union, b_union) = (union(&a), union(&b));
        let claimed = a_union.includes(&b_union);
        let inside = points(dim, if dim < 4 { 13 } else { 5 })
            .iter()
            .all(|point| !b_union.contains(point, scale) || a_union.contains(point, scale));
        prop_assert!(!claimed || inside);
        prop_assert!(dim == 4 || claimed == inside);
        prop_assert_eq!(claimed, b.iter().all(|zone| a_union.includes_zone(&zone.dbm)));

        // Each piece outside is really missing, and with the pieces nothing is.
        let mut missing = b_union.clone();
        missing.subtract_federation(&a_union);
        prop_assert_eq!(missing.is_empty(), claimed);
        let mut filled = a_union;
        missing.iter().for_each(|zone| filled.push(zone));
        prop_assert!(filled.includes(&b_union));
    }

    #[test]
    fn unions_act_like_their_zones((a, b) in several(), (i, j, bound) in atom(2)) {
        let (dim, scale) = (a[0].dim, scale(a[0].dim));
        let change = |f: &dyn Fn(&mut Federation)| {
            let mut changed = union(&a);
            f(&mut changed);
            changed
        };
        let reduced = change(&|f| f.reduce());
        prop_assert!(reduced.includes(&union(&a)) && union(&a).includes(&reduced));
        for (k, p) in reduced.iter().enumerate() {
            prop_assert!(reduced.iter().enumerate().all(|(n, q)| n == k || !dbm::includes(q, p)));
        }
        let each = |f: &dyn Fn(&mut [Bound])| -> Vec<Zone> { a.iter().map(|zone| zone.after(f)).collect() };
        let (up, later) = (change(&|f| f.up()), each(&|d| dbm::up(d, dim)));
        let (down, earlier) = (change(&|f| f.down()), each(&|d| dbm::down(d, dim)));
        let mut cut = union(&a);
        let left = cut.constrain(i, j, bound);
        prop_assert_eq!(left, a.iter().any(|zone| dbm::satisfies(&zone.dbm, dim, i, j, bound)));
        let common = change(&|f| f.intersect(&b[0].dbm));
        let shared = change(&|f| f.intersect_federation(&union(&b)));
        prop_assert!(closed(&cut) && closed(&common) && closed(&shared));
        for point in points(dim, reach(dim)) {
            let inside = any_has(&a, &point);
            prop_assert_eq!(up.contains(&point, scale), any_has(&later, &point));
            prop_assert_eq!(down.contains(&point, scale), any_has(&earlier, &point));
            let limit = i64::from(bound.constant()) * scale;
            let difference = point[i] - point[j];
            let holds = difference < limit || (difference == limit && !bound.is_strict());
            prop_assert_eq!(cut.contains(&point, scale), inside && holds);
            prop_assert_eq!(common.contains(&point, scale), inside && b[0].contains(&point));
            prop_assert_eq!(shared.contains(&point, scale), inside && any_has(&b, &point));
        }
    }
}

fn packs<N: Narrow>(a: &Zone, b: &Zone) -> Result<(), TestCaseError> {
    prop_assert!(N::fits(dbm::magnitude(&a.dbm)));
    let (mut p, mut q) = (Vec::<N>::new(), vec![N::INFINITY; b.dbm.len()]);
    packed::append(&a.dbm, &mut p);
    packed::pack(&b.dbm, &mut q);
    let mut back = vec![Bound::LT_ZERO; a.dbm.len()];
    packed::unpack(&p, &mut back);
    prop_assert_eq!(&back, &a.dbm);
    prop_assert_eq!(packed::includes(&p, &q), dbm::includes(&a.dbm, &b.dbm));
    prop_assert_eq!(packed::includes(&q, &p), dbm::includes(&b.dbm, &a.dbm));
    prop_assert!(packed::includes(&p, &p));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn minimal_form((a, b) in (2usize..8).prop_flat_map(|dim| (zone(dim), zone(dim)))) {
        let dim = a.dim;
        let form = minimal::constraints(&a.dbm, dim);
        let mut back = vec![Bound::LT_ZERO; dim * dim];
        prop_assert!(minimal::expand(&form, dim, &mut back));
        prop_assert_eq!(&back, &a.dbm);
        prop_assert_eq!(minimal::includes(&form, &b.dbm, dim), dbm::includes(&a.dbm, &b.dbm));
        // Minimal: without any one of them the zone is another.
        for left_out in 0..form.len() {
            let mut fewer = form.clone();
            fewer.remove(left_out);
            prop_assert!(minimal::expand(&fewer, dim, &mut back));
            prop_assert_ne!(&back, &a.dbm);
        }
    }

    #[test]
    fn packing((a, b) in (2usize..12).prop_flat_map(|dim| (zone(dim), zone(dim)))) {
        packs::<i8>(&a, &b)?;
        packs::<i16>(&a, &b)?;
        packs::<i32>(&a, &b)?;
        // Near misses: one entry apart, anywhere.
        for k in 0..a.dbm.len() {
            let mut wider = a.clone();
            wider.dbm[k] = Bound::le(60);
            packs::<i8>(&wider, &a)?;
        }
    }

    /// The text is read back with a parser of its own and must describe the same zone.
    #[test]
    fn printing(a in (2usize..6).prop_flat_map(zone)) {
        let names = ["a", "b", "c", "d", "e"];
        let text = display::constraints(&a.dbm, a.dim, &names).to_string();
        let mut back = Zone::universal(a.dim);
        if text != "true" {
            for part in text.split(", ") {
                read(part, &names, &mut back);
            }
        }
        prop_assert_eq!(&back.dbm, &a.dbm, "{}", text);
    }
}

/// Constrains by `a - b < 3`, `a == 3`, `2 <= a < 5`, `a < b` and so on.
fn read(text: &str, names: &[&str], zone: &mut Zone) {
    let words: Vec<&str> = text.split(' ').collect();
    let mut terms = vec![];
    let mut operators = vec![];
    let mut k = 0;
    while k < words.len() {
        let clock = |word: &str| names.iter().position(|name| *name == word).map(|x| x + 1);
        let term = match (clock(words[k]), words.get(k + 1)) {
            (Some(x), Some(&"-")) => {
                k += 2;
                (x, clock(words[k]).unwrap(), 0)
            }
            (Some(x), _) => (x, 0, 0),
            (None, _) => (0, 0, words[k].parse::<i32>().unwrap()),
        };
        terms.push(term);
        k += 1;
        if k < words.len() {
            operators.push(words[k]);
            k += 1;
        }
    }
    for (sides, operator) in terms.windows(2).zip(operators) {
        // left − right ≺ constant, where one side has the clocks of the difference and the other at most one.
        let ((p, q, c), (r, s, d)) = (sides[0], sides[1]);
        assert!((q == 0 || r == 0) && s == 0, "{text}");
        let (i, j) = (p, if q == 0 { r } else { q });
        let constant = d - c;
        let strict = operator == "<";
        assert!(dbm::constrain(
            &mut zone.dbm,
            zone.dim,
            i,
            j,
            Bound::new(constant, strict)
        ));
        if operator == "==" {
            assert!(dbm::constrain(
                &mut zone.dbm,
                zone.dim,
                j,
                i,
                Bound::le(-constant)
            ));
        }
    }
}
