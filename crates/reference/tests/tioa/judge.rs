//! Runs of pairs.

use super::support::*;
use zonewalk_reference::tioa::{Objection, Pair, Phase, Reason, Shown, State, Wait, judge_pair};
use zonewalk_tioa::{Project, Reading, Rule, Run, Side, Step, System, Taken};

fn run(steps: Vec<Step>, last_delay: i64, rule: Rule) -> Run {
    Run {
        scale: SCALE,
        steps,
        last_delay,
        rule,
    }
}

/// A step with what the sides do.
fn step(project: &Project, delay: i64, name: &str, left: &[Taken], right: &[Taken]) -> Step {
    Step {
        delay,
        action: action(project, name),
        left: left.to_vec(),
        right: right.to_vec(),
    }
}

/// Left may send `o` up to 6 and wait until 10; right allows it up to 5 and waits as long as `patience`.
fn senders(patience: zonewalk_tioa::Formula) -> Project {
    let mut project = Project::default();
    draw(&mut project, "Left")
        .at("L", at_most(X, 10))
        .edge(("L", "L"), "o!", at_most(X, 6), &[(X, 0)])
        .edge(("L", "L"), "own!", TRUE, &[])
        .done();
    draw(&mut project, "Right")
        .at("L", patience)
        .edge(("L", "L"), "o!", at_most(X, 5), &[(X, 0)])
        .edge(("L", "L"), "i?", TRUE, &[(Y, 0)])
        .done();
    project
}

fn reason(project: &Project, run: &Run) -> Reason {
    judged(project, run).expect_err("the run is wrong").reason
}

fn judged(project: &Project, run: &Run) -> Result<zonewalk_reference::tioa::ReplayedRun, Objection> {
    judge_pair(project, &one("Left"), &one("Right"), USUAL, run)
}

#[test]
fn an_output_that_the_right_side_forbids() {
    let project = senders(TRUE);
    let o = action(&project, "o");
    let first = || step(&project, 10, "o", &[edge(0, 0)], &[edge(0, 0)]);
    let found = judged(&project, &run(vec![first()], 11, Rule::Output(o))).expect("it is right");
    assert_eq!(found.left, at(0, 11, 21));
    assert_eq!(found.right, Some(at(0, 11, 21)));
    assert_eq!(found.time, 21);
    // At 5 both can, and after 6 neither can.
    assert_eq!(
        reason(&project, &run(vec![first()], 10, Rule::Output(o))),
        Reason::Allowed(Side::Right, o)
    );
    assert_eq!(
        reason(&project, &run(vec![first()], 13, Rule::Output(o))),
        Reason::Cannot(Side::Left, o)
    );
    // Actions that the right side does not know are allowed, and it stands still.
    let own = action(&project, "own");
    assert_eq!(
        reason(&project, &run(Vec::new(), 0, Rule::Output(own))),
        Reason::Allowed(Side::Right, own)
    );
    let steps = vec![step(&project, 3, "own", &[edge(0, 1)], &[]), first()];
    assert_eq!(
        judged(&project, &run(steps, 11, Rule::Output(o))).expect_err("x is 6.5"),
        Objection {
            steps: 1,
            reason: Reason::Cannot(Side::Left, o),
        }
    );
}

#[test]
fn a_delay_that_the_right_side_forbids() {
    let left = Wait::UpTo(20);
    for (patience, last_delay, right) in [
        (at_most(X, 9), 19, Wait::UpTo(18)),
        (below(X, 10), 20, Wait::Below(20)),
        (below(X, 0), 0, Wait::Never),
    ] {
        let project = senders(patience);
        let found = judged(&project, &run(Vec::new(), last_delay, Rule::Delay)).expect("it is right");
        assert_eq!((found.left_wait, found.right_wait), (left, Some(right)));
        let earlier = run(Vec::new(), last_delay - 1, Rule::Delay);
        let wanted = if last_delay == 0 {
            Reason::NegativeDelay
        } else {
            Reason::BothWait
        };
        assert_eq!(reason(&project, &earlier), wanted);
    }
    // The left side cannot wait so long either.
    let project = senders(at_most(X, 10));
    assert_eq!(
        reason(&project, &run(Vec::new(), 21, Rule::Delay)),
        Reason::TooLong {
            side: Side::Left,
            delay: 21,
            wait: left,
        }
    );
}

#[test]
fn steps_are_repeated_as_they_are_told() {
    let project = senders(at_most(X, 7));
    let [o, i] = ["o", "i"].map(|name| action(&project, name));
    let wrong = |step| reason(&project, &run(vec![step], 15, Rule::Delay));
    let input = || step(&project, 2, "i", &[], &[edge(0, 1)]);
    let found = judged(&project, &run(vec![input()], 13, Rule::Delay)).expect("it is right");
    assert_eq!(found.right, Some(at(0, 15, 13)));
    assert_eq!(
        wrong(step(&project, 2, "o", &[edge(0, 1)], &[edge(0, 0)])),
        Reason::OtherParts {
            side: Side::Left,
            action: o,
            said: vec![edge(0, 1)],
        }
    );
    assert_eq!(
        wrong(step(&project, 2, "i", &[edge(0, 0)], &[edge(0, 1)])),
        Reason::OtherParts {
            side: Side::Left,
            action: i,
            said: vec![edge(0, 0)],
        }
    );
    assert_eq!(
        wrong(step(&project, 11, "o", &[edge(0, 0)], &[edge(0, 0)])),
        Reason::Cannot(Side::Right, o)
    );
    assert_eq!(
        wrong(step(&project, 15, "o", &[edge(0, 0)], &[edge(0, 0)])),
        Reason::TooLong {
            side: Side::Right,
            delay: 15,
            wait: Wait::UpTo(14),
        }
    );
    assert_eq!(wrong(step(&project, -1, "o", &[], &[])), Reason::NegativeDelay);
    assert_eq!(
        reason(&project, &run(Vec::new(), 0, Rule::Input(o))),
        Reason::NoLeader(o)
    );
    assert_eq!(
        reason(&project, &run(Vec::new(), 0, Rule::Reached)),
        Reason::WrongRule(Rule::Reached)
    );
    let no_ticks = Run {
        scale: 0,
        ..run(Vec::new(), 0, Rule::Delay)
    };
    assert_eq!(reason(&project, &no_ticks), Reason::Scale);
}

#[test]
fn an_input_that_the_left_side_refuses() {
    let mut project = Project::default();
    for (name, guard) in [("Left", at_most(X, 1)), ("Right", TRUE)] {
        draw(&mut project, name)
            .at("L", TRUE)
            .edge(("L", "L"), "i?", guard, &[])
            .done();
    }
    let i = action(&project, "i");
    let refused = run(Vec::new(), 3, Rule::Input(i));
    let judge = |reading: Reading| judge_pair(&project, &one("Left"), &one("Right"), reading, &refused);
    assert!(judge(STRICT).is_ok());
    assert_eq!(
        judge(USUAL).expect_err("it is ignored").reason,
        Reason::Allowed(Side::Left, i)
    );
}

#[test]
fn the_follower_must_have_one_answer() {
    let mut project = Project::default();
    draw(&mut project, "Left")
        .at("L", TRUE)
        .edge(("L", "L"), "o!", TRUE, &[])
        .edge(("L", "L"), "o!", TRUE, &[(X, 0)])
        .done();
    draw(&mut project, "Right")
        .at("L", at_most(Y, 2))
        .edge(("L", "L"), "o!", TRUE, &[])
        .edge(("L", "L"), "o!", TRUE, &[])
        .edge(("L", "L"), "o!", at_most(X, 1), &[(X, 3)])
        .done();
    let judge = |delay, right| {
        let steps = vec![step(&project, delay, "o", &[edge(0, 1)], &[right])];
        judge_pair(
            &project,
            &one("Left"),
            &one("Right"),
            USUAL,
            &run(steps, 5, Rule::Delay),
        )
    };
    // Two edges that lead to the same state are one answer, and either may be named. The left side, which leads, may choose.
    assert!(judge(3, edge(0, 0)).is_ok());
    assert!(judge(3, edge(0, 1)).is_ok());
    assert_eq!(
        judge(2, edge(0, 0)).expect_err("there is another").reason,
        Reason::SeveralAnswers(Side::Right, action(&project, "o"))
    );
}

#[test]
fn the_fresh_input_of_a_quotient_brings_the_deadline_to_the_left() {
    let mut project = Project::default();
    draw(&mut project, "T")
        .at("L", at_most(X, 3))
        .edge(("L", "L"), "o!", TRUE, &[(X, 0)])
        .done();
    draw(&mut project, "S").at("L", TRUE).done();
    draw(&mut project, "Left")
        .at("L", at_most(X, 4))
        .edge(("L", "L"), "o!", TRUE, &[(X, 0)])
        .done();
    let right = quotient(&mut project, one("T"), one("S"));
    let fresh = "i_new(T // S)";
    let wrong = Taken::Error { quotient: 0 };
    let steps = vec![step(&project, 7, fresh, &[], &[wrong])];
    let found = judge_pair(&project, &one("Left"), &right, USUAL, &run(steps, 1, Rule::Delay));
    let found = found.expect("the left side is too slow");
    assert_eq!(
        (found.left_wait, found.right_wait),
        (Wait::UpTo(1), Some(Wait::UpTo(0)))
    );
    assert_eq!(found.right, Some(State::Error { overdue: true }));
    let early = vec![step(&project, 6, fresh, &[], &[wrong])];
    let early = judge_pair(&project, &one("Left"), &right, USUAL, &run(early, 1, Rule::Delay));
    assert_eq!(
        early.expect_err("T is in time, and the input is ignored").reason,
        Reason::OtherParts {
            side: Side::Right,
            action: action(&project, fresh),
            said: vec![wrong],
        }
    );
}

#[test]
fn violations_of_a_pair_of_states() {
    let project = senders(at_most(X, 7));
    let [o, i] = ["o", "i"].map(|name| action(&project, name));
    let violation = |left: &System, right: &System, x, y| {
        let pair = Pair::new(&project, left, right, USUAL, SCALE).expect("the pair is fine");
        pair.violation_at(&at(0, x, 0), &at(0, y, 0))
    };
    let (left, right) = (one("Left"), one("Right"));
    assert_eq!(violation(&left, &right, 10, 10), Some(Rule::Delay));
    assert_eq!(violation(&left, &right, 12, 12), Some(Rule::Output(o)));
    assert_eq!(violation(&left, &right, 10, 4), None);
    assert_eq!(violation(&right, &right, 4, 4), None);
    // A left side that is no longer within its invariant takes no inputs.
    assert_eq!(violation(&right, &right, 15, 4), Some(Rule::Input(i)));
}

#[test]
fn states_on_the_way_are_shown() {
    let project = senders(at_most(X, 7));
    let pair = Pair::new(&project, &one("Left"), &one("Right"), USUAL, SCALE).expect("the pair is fine");
    let steps = vec![step(&project, 4, "o", &[edge(0, 0)], &[edge(0, 0)])];
    let mut seen = Vec::new();
    let found = pair.judge(&run(steps, 15, Rule::Delay), &mut |moment| {
        let phase = match moment.phase {
            Phase::Start => "start",
            Phase::Before(_) => "before",
            Phase::After(_) => "after",
        };
        for shown in pair.right.shown(moment.right.expect("there are two sides")) {
            if let Shown::Part {
                component,
                location,
                clocks,
                ..
            } = shown
            {
                let title = location.title();
                seen.push(format!(
                    "{phase} {} {}.{title} {clocks:?}",
                    moment.time, component.name
                ));
            }
        }
    });
    assert!(found.is_ok());
    assert_eq!(
        seen,
        [
            "start 0 Right.L [0, 0]",
            "before 4 Right.L [4, 4]",
            "after 4 Right.L [0, 4]"
        ]
    );
}

#[test]
fn a_left_side_without_a_start_is_told() {
    let mut project = senders(TRUE);
    draw(&mut project, "Late").at("L", above(X, 1)).done();
    let found = judge_pair(
        &project,
        &one("Late"),
        &one("Right"),
        USUAL,
        &run(Vec::new(), 0, Rule::Delay),
    );
    let objection = found.expect_err("there is no initial state");
    assert_eq!(objection.text(&project), "the left side has no initial state");
}
