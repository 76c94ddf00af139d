//! Rendered traces.
#![allow(clippy::unwrap_used)]

use zonewalk_report::layout::{WIDTH, fit};
use zonewalk_report::palette::Palette;
use zonewalk_report::trace::{
    At, Cell, Change, ClockValue, End, Participant, State, Step, Time, Trace, text,
};

fn cell(name: &str, value: i32) -> Cell {
    Cell {
        name: name.into(),
        value,
    }
}

fn participant(process: &str, source: &str, target: &str, selects: &[(&str, i32)]) -> Participant {
    Participant {
        process: process.into(),
        source: source.into(),
        target: target.into(),
        edge: Some(0),
        selects: selects.iter().map(|&(name, value)| cell(name, value)).collect(),
    }
}

fn change(name: &str, old: Time, new: i32) -> Change {
    Change {
        name: name.into(),
        old,
        new: new.into(),
    }
}

fn trace() -> Trace {
    let half = Time::new(3, 2).unwrap();
    Trace {
        initial: State {
            locations: (0..4)
                .map(|i| At {
                    process: format!("Train({i})"),
                    location: "Away".into(),
                })
                .chain([At {
                    process: "Gate".into(),
                    location: "Watching".into(),
                }])
                .collect(),
            variables: vec![cell("Gate.length", 0), cell("Gate.taken", 0)],
            doubles: Vec::new(),
            clocks: (0..4)
                .map(|i| ClockValue {
                    name: format!("Train({i}).x"),
                    value: Time::ZERO,
                })
                .collect(),
        },
        steps: vec![
            Step {
                delay: half,
                time: half,
                channel: Some("approach[2]".into()),
                edges: vec![
                    participant("Train(2)", "Away", "Near", &[]),
                    participant("Gate", "Watching", "Watching", &[("t", 2)]),
                ],
                changes: vec![change("Train(2).x", half, 0), change("Gate.length", 0.into(), 1)],
            },
            Step {
                delay: 8.into(),
                time: Time::new(19, 2).unwrap(),
                channel: None,
                edges: vec![participant("Train(2)", "Near", "Bridge", &[])],
                changes: vec![],
            },
        ],
        last_delay: Time::ZERO,
        end: End::Steps,
    }
}

#[test]
fn as_text() {
    insta::assert_snapshot!(text::render(&trace()));
}

/// As on a screen: in colours, here with visible escape sequences, and with lines that break between words.
#[test]
fn on_screens_of_several_widths() {
    let mut run = trace();
    run.steps[1].delay = Time::ZERO;
    run.end = End::Goal;
    let mut shown = String::new();
    for width in [60, 80, 200] {
        let columns = text::Columns::of(&run.steps).painted(Palette::Ansi);
        let mut screen = text::state(&run.initial, width) + &columns.header();
        for (index, step) in run.steps.iter().enumerate() {
            screen.push_str(&columns.step(index + 1, step));
        }
        screen.push_str(&text::end(&run, Palette::Ansi));
        let fitted = fit(&screen, width);
        let visible = fitted.replace('\u{1b}', "␛");
        shown.push_str(&format!("{width} columns\n\n{visible}\n"));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn as_json() {
    insta::assert_snapshot!(serde_json::to_string_pretty(&trace()).unwrap());
}

#[test]
fn what_is_written_can_be_read() {
    let written = serde_json::to_string(&trace()).unwrap();
    assert_eq!(serde_json::from_str::<Trace>(&written).unwrap(), trace());
    let damaged = written.replace("\"3/2\"", "\"3/0\"");
    assert!(serde_json::from_str::<Trace>(&damaged).is_err());
}

#[test]
fn ends() {
    let ends = [
        End::Goal,
        End::Deadlock { time_stops: false },
        End::Deadlock { time_stops: true },
        End::Error {
            message: "division by zero in `a / b`".into(),
            attempt: None,
        },
        End::Quit,
    ];
    let mut shown = String::new();
    for end in ends {
        let run = Trace {
            end,
            steps: vec![],
            last_delay: Time::new(1, 3).unwrap(),
            ..trace()
        };
        shown.push_str(&text::end(&run, Palette::Plain));
        shown.push_str(&serde_json::to_string(&run.end).unwrap());
        shown.push('\n');
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn a_large_state_stays_readable() {
    let mut large = trace().initial;
    large.locations = (0..2000)
        .map(|i| At {
            process: format!("Train({i})"),
            location: "Away".into(),
        })
        .collect();
    let text = text::state(&large, WIDTH);
    assert!(text.lines().count() < 25, "{text}");
    assert!(text.contains("… 1940 more"));
}

#[test]
fn columns_are_as_wide_as_their_numbers() {
    let mut trace = trace();
    let last = trace.steps.last_mut().unwrap();
    last.time = Time::new(2_147_483_647, 1).unwrap();
    last.delay = Time::new(4_294_967_291, 2).unwrap();
    let text = text::render(&trace);
    let rows: Vec<_> = text.lines().skip_while(|line| !line.contains("step ")).collect();
    let column = rows[0].find("transition").unwrap();
    let begins = |row: &&str| row[..column].ends_with("  ") && !row[column..].starts_with(' ');
    let numbered = rows[1..].iter().take_while(|row| !row.is_empty());
    assert!(numbered.clone().count() > 1);
    assert!(numbered.clone().all(begins), "{text}");
    assert!(text.contains(" 2147483647 4294967291/2  "), "{text}");
}
