//! Steps taken by hand, at random and from a file form a run of the model, and can be undone.

use zonewalk_checker::replay;
use zonewalk_reference::Interpreter;
use zonewalk_reference::rational::Rational;
use zonewalk_reference::simulate::Random;
use zonewalk_report::trace::{End, Time, Trace};
use zonewalk_session::Session;
use zonewalk_testkit::{own, xta};

const LAMP: &str = "
    clock x; chan press; int n;
    process Lamp() { state Off, Dim { x <= 10 }, Bright; init Off; trans
        Off -> Dim { sync press?; assign x = 0, n = n + 1; }, Dim -> Off { guard x >= 5; sync press?; },
        Dim -> Bright { guard x < 5; sync press?; }, Bright -> Off { sync press?; }; }
    process User() { state idle; init idle; trans idle -> idle { sync press!; }; }
    system Lamp, User;";

fn number(text: &str) -> Rational {
    text.parse().unwrap()
}

#[test]
fn by_hand() {
    let loaded = xta(LAMP);
    let interpreter = Interpreter::new(&loaded.model, &loaded.system).unwrap();
    let mut session = Session::new(&interpreter).unwrap();
    assert_eq!(session.choices().unwrap().transitions.len(), 1);
    session.wait(number("3/2")).unwrap();
    session.take(0, Some(number("1/2"))).unwrap();
    // What was waited belongs to the step.
    assert_eq!(session.step(0).unwrap().delay.to_string(), "2");
    assert_eq!(session.state().time, number("2"));
    let windows = session.choices().unwrap().transitions.iter();
    let windows: Vec<_> = windows.map(|choice| choice.windows.to_string()).collect();
    assert_eq!(windows, ["[5, 10]", "[0, 5)"]);
    assert_eq!(session.choices().unwrap().delays.to_string(), "[0, 10]");
    // Refusals change nothing.
    for (choice, delay) in [(1, "5"), (1, "-1"), (0, "21/2"), (2, "0")] {
        assert!(
            session.take(choice, Some(number(delay))).is_err(),
            "{choice} {delay}"
        );
    }
    assert!(session.wait(number("11")).is_err());
    assert_eq!((session.len(), session.position(), session.changes()), (1, 1, 2));
    session.take(0, None).unwrap();
    assert_eq!(session.step(1).unwrap().delay.to_string(), "5");
    // Back in the middle, and on by another way: the rest is given up, and comes back by undo.
    session.jump(1).unwrap();
    session.take(1, Some(number("9/2"))).unwrap();
    assert_eq!(
        session.recorder().state(session.state()).locations[0].location,
        "Bright"
    );
    assert!(session.undo().unwrap());
    assert_eq!((session.len(), session.position()), (2, 1));
    session.jump(2).unwrap();
    assert_eq!(
        session.recorder().state(session.state()).locations[0].location,
        "Off"
    );
    assert!(session.jump(3).is_err());
    session.restart().unwrap();
    assert_eq!((session.len(), session.state().time), (0, Rational::ZERO));
    for left in [4, 3, 2, 1] {
        assert_eq!(session.changes(), left);
        assert!(session.undo().unwrap());
    }
    assert!(!session.undo().unwrap());
    assert_eq!(session.state(), &interpreter.initial().unwrap());
}

#[test]
fn a_last_delay_is_kept_and_goes_on() {
    let loaded = xta(LAMP);
    let interpreter = Interpreter::new(&loaded.model, &loaded.system).unwrap();
    let mut session = Session::new(&interpreter).unwrap();
    session.take(0, None).unwrap();
    session.wait(number("7")).unwrap();
    let trace = session.trace().unwrap();
    assert_eq!(trace.last_delay, Time::from(7));
    let mut other = Session::new(&interpreter).unwrap();
    other.load(&trace, None, None).unwrap();
    assert_eq!(other.state(), session.state());
    other.jump(0).unwrap();
    other.jump(1).unwrap();
    assert_eq!(other.state().time, number("7"));
    other.take(0, Some(number("1"))).unwrap();
    assert_eq!(other.step(1).unwrap().delay, Time::from(8));
    assert_eq!(other.trace().unwrap().last_delay, Time::ZERO);
}

#[test]
fn broken_runs_are_refused_with_the_reason_and_change_nothing() {
    let loaded = xta(LAMP);
    let interpreter = Interpreter::new(&loaded.model, &loaded.system).unwrap();
    let mut session = Session::new(&interpreter).unwrap();
    session.take(0, None).unwrap();
    session.take(0, None).unwrap();
    let good = session.trace().unwrap();
    let refused = |session: &mut Session<'_, '_>, change: &dyn Fn(&mut Trace)| {
        let mut trace = good.clone();
        change(&mut trace);
        session.load(&trace, None, None).unwrap_err().to_string()
    };
    let early = refused(&mut session, &|trace| trace.steps[1].delay = Time::from(4));
    assert!(early.starts_with("step 2: "), "{early}");
    let other = refused(&mut session, &|trace| trace.initial.variables[0].value = 5);
    assert!(other.contains("n = 5"), "{other}");
    let end = refused(&mut session, &|trace| {
        trace.end = End::Deadlock { time_stops: true }
    });
    assert!(end.contains("deadlock"), "{end}");
    let late = refused(&mut session, &|trace| {
        trace.steps.pop();
        trace.last_delay = Time::from(11);
    });
    assert!(late.contains("after the last step"), "{late}");
    assert_eq!((session.len(), session.changes()), (2, 2));
    assert_eq!(session.trace().unwrap(), good);
}

#[test]
fn random_play_repeats_and_is_one_change() {
    let loaded = xta(LAMP);
    let interpreter = Interpreter::new(&loaded.model, &loaded.system).unwrap();
    let play = |seed, steps| {
        let mut session = Session::new(&interpreter).unwrap();
        assert_eq!(session.play(seed, steps, &|| false).steps, steps);
        assert_eq!(session.changes(), 1);
        session.trace().unwrap()
    };
    assert_eq!(play(7, 100), play(7, 100));
    assert_ne!(play(7, 100), play(8, 100));
    let mut session = Session::new(&interpreter).unwrap();
    assert_eq!(session.play(1, 10, &|| true).steps, 0);
    assert_eq!(session.changes(), 0);
}

/// Any sequence of commands on any model of this repository leaves a run that the judge confirms, and undo leads back through
/// all that was.
#[test]
fn whatever_is_done_it_is_a_run() {
    let mut steps = 0;
    for own in own::models() {
        let Ok(interpreter) = Interpreter::new(&own.loaded.model, &own.loaded.system) else {
            continue;
        };
        let mut session = Session::new(&interpreter).unwrap();
        let mut random = Random::new(11);
        let mut seen = Vec::new();
        for number in 0..24 {
            seen.push((session.trace().unwrap(), session.position(), session.changes()));
            let place = random.below(session.len() as u64 + 1) as usize;
            let _ = match random.below(5) {
                0 => session.jump(place),
                1 => session.wait(Rational::new(i128::from(random.below(9)), 2).unwrap()),
                2 => {
                    session.play(number, 40, &|| false);
                    Ok(())
                }
                3 => {
                    let trace = session.trace().unwrap();
                    session.load(&trace, None, None).unwrap();
                    assert_eq!(session.trace().unwrap(), trace, "{}", own.name);
                    Ok(())
                }
                _ => match session.choices().map(|choices| choices.transitions.len()) {
                    Ok(choices) => session.take(random.below(choices.max(1) as u64) as usize, None),
                    Err(error) => Err(error),
                },
            };
            let trace = session.trace().unwrap();
            if let Err(invalid) = replay(&interpreter, &trace, None) {
                panic!("{}: {invalid}", own.name);
            }
            // The state at the place is the one that the run leads to, however it came about.
            let state = session.state().clone();
            session.jump(session.position()).unwrap();
            assert_eq!(session.state(), &state, "{}", own.name);
            steps += trace.steps.len();
        }
        // Jumps are no changes: a run may have been at several places.
        while let Some((trace, position, changes)) = seen.pop() {
            while session.changes() > changes {
                session.undo().unwrap();
            }
            assert_eq!(session.trace().unwrap(), trace, "{}", own.name);
            session.jump(position).unwrap();
        }
    }
    assert!(steps > 10_000, "only {steps} steps");
}
