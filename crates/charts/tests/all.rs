//! Charts of small runs, and of large ones.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use zonewalk_charts::{Gantt, Selection, Sequence, Unknown, gantt};
use zonewalk_report::trace::{At, End, Participant, State, Step, Time, Trace};

fn step(time: i32, channel: Option<&str>, edges: &[(&str, &str, &str)]) -> Step {
    Step {
        delay: Time::ZERO,
        time: time.into(),
        channel: channel.map(str::to_owned),
        edges: edges
            .iter()
            .map(|&(process, source, target)| Participant {
                process: process.to_owned(),
                source: source.to_owned(),
                target: target.to_owned(),
                edge: None,
                selects: Vec::new(),
            })
            .collect(),
        changes: Vec::new(),
    }
}

fn trace(processes: &[(&str, &str)], steps: Vec<Step>, end: End) -> Trace {
    Trace {
        initial: State {
            locations: processes
                .iter()
                .map(|&(process, location)| At {
                    process: process.to_owned(),
                    location: location.to_owned(),
                })
                .collect(),
            ..State::default()
        },
        steps,
        last_delay: 2.into(),
        end,
    }
}

/// Two trains, a gate, and a process that does nothing.
fn trains() -> Trace {
    let steps = vec![
        step(
            3,
            Some("appr[0]"),
            &[("Train(0)", "Safe", "Appr"), ("Gate", "Free", "Occ")],
        ),
        step(
            5,
            Some("appr[1]"),
            &[("Train(1)", "Safe", "Appr"), ("Gate", "Occ", "_id3")],
        ),
        step(
            5,
            Some("stop[1]"),
            &[("Gate", "_id3", "Occ"), ("Train(1)", "Appr", "Stop")],
        ),
        step(13, None, &[("Train(0)", "Appr", "Cross")]),
        step(
            16,
            Some("leave"),
            &[
                ("Train(0)", "Cross", "Safe"),
                ("Train(1)", "Stop", "Start"),
                ("Gate", "Occ", "Free"),
            ],
        ),
    ];
    let processes = [
        ("Train(0)", "Safe"),
        ("Train(1)", "Safe"),
        ("Gate", "Free"),
        ("Idle", "here"),
    ];
    trace(&processes, steps, End::Goal)
}

#[test]
fn sequence_as_characters() {
    let chart = Sequence::new(&trains(), &Selection::default()).unwrap();
    insta::assert_snapshot!(chart.to_text(80));
    insta::assert_snapshot!(chart.to_text(30));
}

#[test]
fn gantt_as_characters() {
    let chart = Gantt::new(&trains(), &Selection::default(), Vec::new()).unwrap();
    insta::assert_snapshot!(chart.to_text(80));
    insta::assert_snapshot!(chart.to_text(40));
}

#[test]
fn pictures() {
    let sequence = Sequence::new(&trains(), &Selection::default()).unwrap();
    insta::assert_snapshot!(sequence.to_svg());
    let own = vec![gantt::Row {
        name: "Track".to_owned(),
        bars: vec![gantt::Bar {
            from: 13.0,
            to: 99.0,
            label: "2".to_owned(),
            colour: 2,
        }],
    }];
    let gantt = Gantt::new(&trains(), &Selection::default(), own).unwrap();
    assert_eq!(
        (gantt.rows[0].bars[0].from, gantt.rows[0].bars[0].to),
        (13.0, 18.0)
    );
    insta::assert_snapshot!(gantt.to_svg());
}

#[test]
fn a_part_of_a_run() {
    let selection = Selection {
        from: Some(3),
        to: Some(4),
        processes: vec!["Gate".to_owned(), "Idle".to_owned()],
    };
    let chart = Sequence::new(&trains(), &selection).unwrap();
    assert_eq!(chart.events.len(), 1);
    assert_eq!(chart.events[0].hidden, 1);
    assert_eq!(chart.lifelines[0].location, "_id3");
    let gantt = Gantt::new(&trains(), &selection, Vec::new()).unwrap();
    assert_eq!(gantt.span, (5.0, 16.0));
    assert_eq!(gantt.rows.len(), 2);
    for (from, to) in [(6, 7), (3, 2), (0, 2)] {
        let wrong = Selection {
            from: Some(from),
            to: Some(to),
            processes: Vec::new(),
        };
        assert_eq!(Sequence::new(&trains(), &wrong), Err(Unknown::Steps(from, to, 5)));
    }
    let wrong = Selection {
        processes: vec!["Nobody".to_owned()],
        ..Selection::default()
    };
    assert!(Gantt::new(&trains(), &wrong, Vec::new()).is_err());
}

#[test]
fn a_run_without_steps_and_one_without_time() {
    let still = trace(&[("P", "a")], Vec::new(), End::Deadlock { time_stops: false });
    assert!(
        Sequence::new(&still, &Selection::default())
            .unwrap()
            .to_text(80)
            .contains("step")
    );
    assert!(
        Gantt::new(&still, &Selection::default(), Vec::new())
            .unwrap()
            .to_text(80)
            .contains("|a")
    );
    let mut instant = trace(
        &[("P", "a")],
        vec![
            step(0, None, &[("P", "a", "b")]),
            step(0, None, &[("P", "b", "a")]),
        ],
        End::Cycle { start: 0, length: 2 },
    );
    instant.last_delay = Time::ZERO;
    let chart = Gantt::new(&instant, &Selection::default(), Vec::new()).unwrap();
    assert_eq!(chart.axis, gantt::Axis::Steps);
    insta::assert_snapshot!(chart.to_text(60));
    let sequence = Sequence::new(&instant, &Selection::default()).unwrap();
    assert_eq!(sequence.cycle, Some((1, 2)));
    insta::assert_snapshot!(sequence.to_text(60));
    assert!(sequence.to_svg().contains("again and again"));
}

#[test]
fn names_do_nothing() {
    let evil = "</text><script>alert(1)</script>\u{1b}[31m\"><img onerror=x>";
    let run = trace(
        &[(evil, evil)],
        vec![
            step(1, Some(evil), &[(evil, evil, "b")]),
            step(2, None, &[(evil, "b", evil)]),
        ],
        End::Goal,
    );
    let sequence = Sequence::new(&run, &Selection::default()).unwrap();
    let gantt = Gantt::new(&run, &Selection::default(), Vec::new()).unwrap();
    for svg in [sequence.to_svg(), gantt.to_svg()] {
        assert!(
            !svg.contains("<script") && !svg.contains("<img") && !svg.contains('\u{1b}'),
            "{svg}"
        );
    }
    for text in [sequence.to_text(80), gantt.to_text(80)] {
        assert!(!text.contains('\u{1b}'), "{text}");
    }
}

#[test]
fn large_runs_are_bounded() {
    let names: Vec<String> = (0..2000).map(|number| format!("P({number})")).collect();
    let processes: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "a")).collect();
    let steps = (0..100_000)
        .map(|number| {
            let (source, target) = if number / 2000 % 2 == 0 {
                ("a", "b")
            } else {
                ("b", "a")
            };
            step(number, None, &[(&names[number as usize % 2000], source, target)])
        })
        .collect();
    let run = trace(&processes, steps, End::Steps);
    let sequence = Sequence::new(&run, &Selection::default()).unwrap();
    assert_eq!(
        (sequence.lifelines.len(), sequence.notes.len()),
        (Sequence::LIFELINES, 3)
    );
    assert!(sequence.to_text(80).len() < 200_000 && sequence.to_svg().len() < 2_000_000);
    let gantt = Gantt::new(&run, &Selection::default(), Vec::new()).unwrap();
    assert_eq!((gantt.rows.len(), gantt.notes.len()), (Gantt::ROWS, 1));
    assert!(gantt.to_text(80).len() < 20_000 && gantt.to_svg().len() < 5_000_000);
}
