//! The models of the SETTA 2020 paper.

use zonewalk_tioa::{Project, System};

use super::{Case, DECLARED, USUAL, draw, one};

/// Milner's scheduler (Figure 8; `tioa.md`, 5.4): a ring of `n` nodes against a bound of `(n + 1) * late - less`.
pub fn milner(n: usize, early: i32, late: i32, less: i32) -> Case {
    let mut project = Project::default();
    for i in 0..n {
        let next = (i + 1) % n;
        let (rec, pass, work) = (format!("rec{i}?"), format!("rec{next}!"), format!("w{i}!"));
        let (bound, free) = (format!("x<={late}"), format!("y>{early}"));
        let node = draw(&mut project, &format!("N{i}"), "x, y")
            .at("Idle", "")
            .at("Both", &bound)
            .at("Pass", &bound)
            .at("Work", &bound)
            .start(if i == 0 { "Both" } else { "Idle" })
            .edge("Idle -> Both", &rec, "", "x=0, y=0")
            .edge("Both -> Pass", &work, "", "")
            .edge("Both -> Work", &pass, &free, "")
            .edge("Pass -> Idle", &pass, &free, "")
            .edge("Work -> Idle", &work, "", "");
        let node = node.edge("Both -> Both", &rec, "", "");
        node.edge("Pass -> Pass", &rec, "", "")
            .edge("Work -> Work", &rec, "", "")
            .done();
    }
    let bound = (n as i32 + 1) * late - less;
    let mut spec = draw(&mut project, "Spec", "z").at("S", &format!("z<={bound}"));
    for e in 0..n {
        let reset = if e == 0 { "z=0" } else { "" };
        spec = spec.edge("S -> S", &format!("rec{e}!"), "", "");
        spec = spec.edge("S -> S", &format!("w{e}!"), "", reset);
    }
    spec.done();
    let ring = (0..n).map(|i| one(&format!("N{i}"))).collect();
    Case::new(project, &System::Composition(ring), &one("Spec"), USUAL)
}

/// The size of a violation of `percent` per cent in Milner's scheduler: rounded up.
pub fn milner_less(n: usize, late: i32, percent: i32) -> i32 {
    ((n as i32 + 1) * late * percent + 99) / 100
}

/// Leader election (Figure 9; `tioa.md`, 5.5) with priorities `(id * k) mod n`.
pub fn leader(n: usize, most: i32, less: i32) -> Case {
    let mut project = Project::default();
    // A multiplier that keeps the highest priority away from node 0, whatever `n` is.
    let k = (2..n).rev().find(|k| gcd(*k, n) == 1).unwrap_or(1);
    let priority = |id: usize| (id * k) % n;
    for id in 0..n {
        let own = priority(id);
        let prev = (id + n - 1) % n;
        let mut syncs: Vec<String> = (0..n).map(|p| format!("send{id}_{p}!")).collect();
        syncs.extend((0..n).map(|p| format!("send{prev}_{p}?")));
        syncs.push(format!("leader{id}!"));
        let mut node = draw(&mut project, &format!("N{id}"), "x");
        for cur in 0..n {
            node = node.at(&format!("Run{cur}"), &format!("x<={most}"));
        }
        node = node
            .at("Elected", "x<=0")
            .at("Done", "")
            .start(&format!("Run{own}"));
        for cur in 0..n {
            let here = format!("Run{cur}");
            node = node.edge(
                &format!("{here} -> {here}"),
                &format!("send{id}_{cur}!"),
                "",
                "x=0",
            );
            for p in 0..n {
                let (target, reset) = if p == own {
                    ("Elected".to_owned(), "x=0")
                } else {
                    (format!("Run{}", p.max(cur)), "")
                };
                let sync = format!("send{prev}_{p}?");
                node = node.edge(&format!("{here} -> {target}"), &sync, "", reset);
            }
        }
        node.edge("Elected -> Done", &format!("leader{id}!"), "", "")
            .declare(&syncs)
            .done();
    }
    let winner = (0..n).max_by_key(|&id| priority(id)).unwrap_or(0);
    let bound = n as i32 * most - less;
    let mut spec = draw(&mut project, "Spec", "z")
        .at("Wait", &format!("z<={bound}"))
        .at("Done", "");
    let mut syncs = Vec::new();
    for id in 0..n {
        for p in 0..n {
            let sync = format!("send{id}_{p}!");
            spec = spec
                .edge("Wait -> Wait", &sync, "", "")
                .edge("Done -> Done", &sync, "", "");
            syncs.push(sync);
        }
        syncs.push(format!("leader{id}!"));
    }
    spec.edge("Wait -> Done", &format!("leader{winner}!"), "", "")
        .declare(&syncs)
        .done();
    let ring = (0..n).map(|i| one(&format!("N{i}"))).collect();
    Case::new(project, &System::Composition(ring), &one("Spec"), DECLARED)
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Figure 2: a wide edge, and a narrow one at the end of a long time that leads to an error. The walk is over after either.
pub fn figure_2(long: i32) -> Case {
    let mut project = Project::default();
    draw(&mut project, "Narrow", "x")
        .at("Init", &format!("x<={long}"))
        .at("End", "")
        .edge("Init -> End", "wide!", "", "")
        .edge("Init -> End", "error!", &format!("x>{}", long - 1), "")
        .done();
    draw(&mut project, "Spec", "z")
        .at("S", "")
        .edge("S -> S", "wide!", "", "")
        .edge("S -> S", "error!", "z<0", "")
        .done();
    Case::new(project, &one("Narrow"), &one("Spec"), USUAL)
}

/// Figure 7: eight times `a` in a row, and `f` at once. An attempt ends with `u`, and here the walk ends with it, so that walks are
/// attempts.
pub fn figure_7() -> Case {
    let mut project = Project::default();
    draw(&mut project, "Difficult", "x, y")
        .at("Init", "x<=1")
        .at("Mid", "x<=1")
        .at("Error", "")
        .at("Over", "")
        .edge("Init -> Mid", "a!", "x<1", "")
        .edge("Init -> Mid", "a!", "x==1", "")
        .edge("Mid -> Init", "r!", "x==1", "x=0")
        .edge("Init -> Over", "u!", "", "x=0, y=0")
        .edge("Init -> Error", "f!", "x==0 && y==8", "")
        .done();
    draw(&mut project, "Spec", "z")
        .at("S", "")
        .edge("S -> S", "a!", "", "")
        .edge("S -> S", "r!", "", "")
        .edge("S -> S", "u!", "", "")
        .edge("S -> S", "f!", "z<0", "")
        .done();
    Case::new(project, &one("Difficult"), &one("Spec"), USUAL)
}

/// Figures 3 to 6: a researcher who works faster with tea, and a machine that needs up to `brew` to make it.
pub fn tea(brew: i32) -> Case {
    let mut project = Project::default();
    draw(&mut project, "Researcher", "x")
        .at("Pay", "x<=0")
        .at("Slow", "x<=10")
        .at("Fast", "x<=7")
        .edge("Pay -> Slow", "coin!", "", "x=0")
        .edge("Slow -> Pay", "w!", "x>=8", "x=0")
        .edge("Slow -> Fast", "tea?", "", "x=0")
        .edge("Fast -> Pay", "w!", "x>=6", "x=0")
        .done();
    draw(&mut project, "Machine", "y")
        .at("Idle", "")
        .at("Brew", &format!("y<={brew}"))
        .edge("Idle -> Brew", "coin?", "", "y=0")
        .edge("Brew -> Idle", "tea!", "", "")
        .done();
    draw(&mut project, "Spec", "z")
        .at("Pay", "z<=10")
        .at("Busy", "z<=10")
        .edge("Pay -> Busy", "coin!", "", "z=0")
        .edge("Pay -> Pay", "tea!", "", "")
        .edge("Busy -> Busy", "tea!", "", "")
        .edge("Busy -> Pay", "w!", "z>=6", "z=0")
        .done();
    let both = System::Composition(vec![one("Researcher"), one("Machine")]);
    Case::new(project, &both, &one("Spec"), USUAL)
}
