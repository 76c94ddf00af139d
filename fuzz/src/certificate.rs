//! Bytes as a certificate: no panic, and what is read is written the same. The judge accepts nothing that a run refutes.
//!
//! The first byte chooses the model. What follows is the text of a certificate for it, or its nodes alone, one a line.

use std::sync::OnceLock;
use zonewalk_certificate::{Certificate, Claim, Columns, Constraint, End, Header, Node};
use zonewalk_model::check::{check, queries};
use zonewalk_model::ids::{ClockId, LocationId};
use zonewalk_model::instance::instantiate;
use zonewalk_model::system::System;
use zonewalk_model::tree::{Model, Query};
use zonewalk_numbers::rational::Rational;
use zonewalk_reference::proof::{Judgement, Limits, judge};
use zonewalk_reference::simulate::RandomRun;
use zonewalk_reference::{Interpreter, State};
use zonewalk_syntax::read::{read_formula, read_model};
use zonewalk_syntax::source::SourceMap;

/// Models, and the location of the first process that their queries ask for.
const MODELS: [(&str, u32); 4] = [
    (
        "clock x, y; int[0,3] n; process P() { state A { x <= 3 }, B, C; init A;
        trans A -> A { guard x >= 1; assign x = 0, n = (n + 1) % 3; }, A -> B { guard n == 3 || y > 9; }, B -> C { }; } system P;",
        2,
    ),
    (
        "clock x; int[0,2] n; chan c; urgent broadcast chan b;
        process P() { state A, B { x <= 2 }, C; commit C; init A;
        trans A -> B { sync c!; assign x = 0; }, B -> C { guard x == 2; }, C -> A { assign n = 1; }; }
        process Q() { state A { x <= 4 }, B; init A; trans A -> B { sync c?; assign n = 2; }, B -> A { guard n == 1; sync b!; }; }
        system P, Q;",
        2,
    ),
    (
        "clock x, y; process P() { state A { x <= 5 && y' == 0 }, B { x <= 9 }, C; init A;
        trans A -> B { guard x >= 2; }, B -> C { guard y > 7; }, B -> A { assign x = 0; }; } system P;",
        2,
    ),
    (
        "clock x; process P() { state A { x <= 5 }, B { x <= 3 }, C; init A;
        trans A -> B { assign x = 0; }, B -> C { guard x >= 1; }; } system P;",
        2,
    ),
];

/// Nodes of larger certificates take long.
const MOST_NODES: usize = 60;

/// A model with some of its states.
struct Subject {
    model: Model,
    system: System,
    columns: Columns,
    reachable: Query,
    inevitable: Query,
    largest: Query,
    goal: LocationId,
    /// States of runs with the number of transitions before.
    states: Vec<(u32, State)>,
    /// Whether each run reaches the goal: known of these models.
    is_inevitable: bool,
}

/// One input.
pub fn run(bytes: &[u8]) {
    accepts(bytes);
}

/// Whether the input is a certificate that the judge accepts.
pub fn accepts(bytes: &[u8]) -> bool {
    static SUBJECTS: OnceLock<Vec<Subject>> = OnceLock::new();
    let subjects = SUBJECTS.get_or_init(|| MODELS.iter().map(Subject::new).collect());
    bytes
        .split_first()
        .is_some_and(|(&first, text)| subjects[usize::from(first) % MODELS.len()].check(text))
}

impl Subject {
    fn new(&(text, goal): &(&str, u32)) -> Subject {
        let mut sources = SourceMap::new();
        let (document, _) = read_model("fuzz.xta", text.as_bytes(), None, &mut sources);
        let (model, _) = check(sources, &document.expect("a model"), &[]);
        let model = model.expect("a model without errors");
        let system = instantiate(&model).expect("instances");
        let query = |text: &str| {
            let entry = read_formula("query", text, &mut model.sources.clone());
            queries(&model, &[entry]).remove(0).expect("a query")
        };
        let (reachable, inevitable) = (query("E<> P.C"), query("A<> P.C"));
        let largest = query(if system.clocks.len() > 1 {
            "sup: x, y"
        } else {
            "sup: x"
        });
        let columns = Columns::of(&model, &system).expect("columns");
        let mut states = Vec::new();
        let interpreter = Interpreter::new(&model, &system).expect("a model that runs");
        for seed in 0..12 {
            let mut run = RandomRun::new(&interpreter, seed).expect("an initial state");
            states.push((0, run.state().clone()));
            for steps in 0..12 {
                let before = run.state().clone();
                let Ok(Some(taken)) = run.step() else {
                    break;
                };
                let delayed = interpreter.delay(&before, taken.step.delay);
                states.push((steps, delayed.expect("a delay of a run")));
                states.push((steps + 1, run.state().clone()));
            }
        }
        Subject {
            reachable,
            inevitable,
            largest,
            columns,
            goal: LocationId(goal),
            states,
            // Of the last model alone: the others have runs that stay.
            is_inevitable: text == MODELS[3].0,
            model,
            system,
        }
    }

    fn check(&self, text: &[u8]) -> bool {
        let with_head;
        let text = if text.starts_with(b"zonewalk") {
            text
        } else {
            with_head = self.with_head(text);
            &with_head
        };
        let Ok(certificate) = Certificate::read(text, &self.columns) else {
            return false;
        };
        let written = certificate.to_text(&self.columns).expect("nodes of the model");
        assert_eq!(
            Certificate::read(&written, &self.columns).as_ref(),
            Ok(&certificate),
            "what is written reads the same"
        );
        certificate.nodes.len() <= MOST_NODES && self.judge(&certificate)
    }

    /// The text of a certificate that has these lines as its nodes.
    fn with_head(&self, nodes: &[u8]) -> Vec<u8> {
        let none = Certificate {
            header: Header::default(),
            claim: Claim::Unreachable,
            nodes: Vec::new(),
        };
        let mut text = none.to_text(&self.columns).expect("a head");
        text.truncate(text.len() - "end 0\n".len());
        let lines = nodes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let mut count = 0;
        for line in lines {
            text.extend_from_slice(line);
            text.push(b'\n');
            count += 1;
        }
        text.extend_from_slice(format!("end {count}\n").as_bytes());
        text
    }

    fn judge(&self, certificate: &Certificate) -> bool {
        let query = match certificate.claim {
            Claim::ErrorFree | Claim::Explored => None,
            Claim::Unreachable | Claim::Steps(_) | Claim::Time(_) => Some(&self.reachable),
            Claim::Values(_) => Some(&self.largest),
            Claim::Inevitable => Some(&self.inevitable),
        };
        let judgement = judge(&self.model, &self.system, query, certificate, &Limits::default());
        let Judgement::Accepted(_) = judgement else {
            return false;
        };
        let counts = |steps: u32, state: &State| match certificate.claim {
            Claim::Steps(most) => steps < most,
            Claim::Time(End { at, strict }) => {
                let end = Rational::from(at);
                state.time < end || strict && state.time == end
            }
            Claim::Inevitable => false,
            _ => true,
        };
        assert!(certificate.claim != Claim::Inevitable || self.is_inevitable);
        let asks = matches!(
            certificate.claim,
            Claim::Unreachable | Claim::Steps(_) | Claim::Time(_)
        );
        for (_, state) in self.states.iter().filter(|(steps, state)| counts(*steps, state)) {
            assert!(
                !asks || state.locations[0] != self.goal,
                "a run reaches the goal: {state:?}"
            );
            let is_known = certificate.nodes.iter().any(|node| self.stands_for(node, state));
            assert!(is_known || self.is_left_out(state), "no node has {state:?}");
        }
        true
    }

    /// States in which time stands still may be left out.
    fn is_left_out(&self, state: &State) -> bool {
        let places = state.locations.iter().zip(&self.system.processes);
        places.into_iter().any(|(location, process)| {
            let location = &self.model.templates[process.template.index()].locations[location.index()];
            location.committed || location.urgent
        })
    }

    fn stands_for(&self, node: &Node, state: &State) -> bool {
        let values = self.columns.values(&state.memory);
        let clock = |clock: Option<ClockId>| match clock {
            None => Rational::ZERO,
            Some(clock) => state.clocks.get(clock.index()).copied().unwrap_or(state.time),
        };
        let holds = |c: &Constraint| {
            let difference = clock(c.left).minus(clock(c.right)).expect("small numbers");
            let bound = Rational::from(c.bound);
            difference < bound || difference == bound && !c.strict
        };
        let mut both = node.values.iter().zip(&values);
        node.locations == state.locations
            && both.all(|(given, value)| given.is_none() || given == value)
            && node.constraints.iter().all(holds)
    }
}
