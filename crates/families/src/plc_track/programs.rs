//! The programs. One that is run for the first time in a cycle decides where to go next, and notes it; when it is run again the
//! outputs have changed, and it goes there.

use super::inputs::{Inputs, Subject};
use crate::model::{LocationRef, Template, at};

/// A program under construction.
struct Program {
    template: Template,
    /// The channel on which it is run.
    run: &'static str,
    /// Pairs that have an edge already.
    moves: Vec<(LocationRef, LocationRef)>,
}

impl Program {
    fn new(name: &'static str, parameters: &'static str, run: &'static str) -> Self {
        let mut template = Template::new(name, parameters);
        template.spacing = (340.0, 238.0);
        Program {
            template,
            run,
            moves: Vec::new(),
        }
    }

    /// Decides to go from one location to another, and what will be put out then.
    fn decide(&mut self, from: LocationRef, to: LocationRef, guard: &str, outputs: &[&str]) {
        let number = to.0 + 1;
        let edge = self.template.edge(from, from);
        edge.guard(format!("next == 0{guard}"))
            .sync(format!("{}!", self.run));
        for output in outputs {
            edge.update(output);
        }
        edge.update(format!("next = {number}"));
        if !self.moves.contains(&(from, to)) {
            self.moves.push((from, to));
        }
    }

    /// Adds the moves that were decided; `entering` says what each does, besides.
    fn finish(mut self, entering: impl Fn(LocationRef, LocationRef) -> Option<&'static str>) -> Template {
        for (from, to) in self.moves {
            let edge = self.template.edge(from, to);
            edge.guard(format!("next == {}", to.0 + 1))
                .sync(format!("{}!", self.run))
                .update("next = 0");
            if let Some(update) = entering(from, to) {
                edge.update(update);
            }
        }
        let most = self.template.locations.len();
        self.template.declare(format!(
            "int[0, {most}] next;       // the location to go to, counted from 1; 0: not decided yet"
        ));
        self.template
    }
}

/// The control unit gives permissions in turns: to a side that trams come to, until no more of them come. Then it waits for the
/// signal to read that, and for the trams to leave.
pub(super) fn control(inputs: &Inputs) -> Template {
    let mut program = Program::new("Control", "", "run_control");
    program
        .template
        .declare("clock y;       // since a permission was withdrawn");
    let names = [
        ["ready_1", "open_1", "clearing_1"],
        ["ready_2", "open_2", "clearing_2"],
    ];
    let places = [(0.0, 0), (1.0, 1)].map(|(row, side): (f64, usize)| {
        [0.0, 1.0, 2.0].map(|column: f64| {
            let name = names[side][column as usize];
            program.template.add(at(column, row, name))
        })
    });
    for (side, other) in [(1, 2), (2, 1)] {
        let [ready, open, clearing] = places[side - 1];
        let next = places[other - 1][0];
        let come = inputs.says(Subject::Coming(side), true);
        let none_come = inputs.says(Subject::Coming(side), false);
        let others_come = inputs.says(Subject::Coming(other), true);
        let no_others_come = inputs.says(Subject::Coming(other), false);
        let (give, withdraw) = (
            format!("will_permit[{side}] = true"),
            format!("will_permit[{side}] = false"),
        );
        program.decide(ready, open, &come, &[&give]);
        program.decide(ready, next, &format!("{none_come}{others_come}"), &[]);
        program.decide(ready, ready, &format!("{none_come}{no_others_come}"), &[]);
        program.decide(open, open, &come, &[]);
        program.decide(open, clearing, &none_come, &[&withdraw]);
        let leave = inputs.says(Subject::Leaving(side), true);
        let none_leave = inputs.says(Subject::Leaving(side), false);
        program.decide(clearing, next, &format!("{none_leave} && y >= WAIT_{side}"), &[]);
        program.decide(
            clearing,
            clearing,
            &format!("{none_leave} && y < WAIT_{side}"),
            &[],
        );
        program.decide(clearing, clearing, &leave, &[]);
    }
    let begins_to_clear = |from, to| {
        places
            .iter()
            .any(|&[_, open, clearing]| from == open && to == clearing)
    };
    program.finish(|from, to| begins_to_clear(from, to).then_some("y = 0"))
}

/// A signal shows `go` when trams wait and it has the permission. Side 1 is on the PLC of the control unit and sees what
/// that has decided in the same cycle; side 2 sees what it has polled.
pub(super) fn signal(side: usize, inputs: &Inputs) -> Template {
    let (name, run, permission) = match side {
        1 => ("Signal1", "run_signal[1]", "will_permit[1]"),
        _ => ("Signal2", "run_signal[2]", "permitted"),
    };
    let mut program = Program::new(name, "", run);
    let idle = program.template.add(at(0.0, 0.0, "idle"));
    let asking = program.template.add(at(1.0, 0.0, "asking"));
    let go = program.template.add(at(2.0, 0.0, "go"));
    let broken = program.template.add(at(1.0, 1.0, "broken"));
    let fault = Subject::Fault(side);
    let sound = inputs.says(fault, false);
    for from in [idle, asking, go, broken] {
        program.decide(from, broken, &inputs.says(fault, true), &[]);
    }
    program.decide(broken, idle, &sound, &[]);
    let wait = format!("{sound}{}", inputs.says(Subject::Waiting(side), true));
    let none_wait = format!("{sound}{}", inputs.says(Subject::Waiting(side), false));
    program.decide(idle, asking, &wait, &[]);
    program.decide(idle, idle, &none_wait, &[]);
    for from in [asking, go] {
        program.decide(from, go, &format!("{wait} && {permission}"), &[]);
        program.decide(from, asking, &format!("{wait} && !{permission}"), &[]);
        program.decide(from, idle, &none_wait, &[]);
    }
    program.finish(|_, _| None)
}

/// A relay repeats what it has polled.
pub(super) fn relay() -> Template {
    let mut program = Program::new("Relay", "const relay_t id", "run_relay[id]");
    let off = program.template.add(at(0.0, 0.0, "off"));
    let on = program.template.add(at(1.0, 0.0, "on"));
    for from in [off, on] {
        program.decide(from, on, " && seen_in_use[id]", &[]);
        program.decide(from, off, " && !seen_in_use[id]", &[]);
    }
    program.finish(|_, to| {
        Some(if to == on {
            "in_use[id] = true"
        } else {
            "in_use[id] = false"
        })
    })
}

/// An observer tells by what it has polled how many trams have passed lately: none, one or more.
pub(super) fn observer() -> Template {
    let mut program = Program::new("Observer", "const observer_t id", "run_observer[id]");
    let places = [(0.0, "none"), (1.0, "one"), (2.0, "more")]
        .map(|(column, name)| program.template.add(at(column, 0.0, name)));
    let [none, one, more] = places;
    for (from, to) in [(none, one), (one, more), (more, more)] {
        program.decide(from, to, " && seen[id]", &[]);
        program.decide(from, none, " && !seen[id]", &[]);
    }
    program.finish(|_, _| None)
}

/// Trams pass an observer's sensor at any time.
pub(super) fn passing() -> Template {
    let mut driver = Template::new("Passing", "const observer_t id");
    let here = driver.add(at(0.0, 0.0, "here"));
    driver.edge(here, here).update("passing[id] = !passing[id]");
    driver
}
