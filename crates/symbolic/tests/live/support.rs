//! Models, queries, and the judge of what searches find.

use zonewalk_model::system::System;
use zonewalk_model::tree::{Expr, Model, Query, QueryKind};
use zonewalk_model::{check, instance};
use zonewalk_network::{Network, NetworkBuilder};
use zonewalk_reference::rational::Rational;
use zonewalk_reference::{Interpreter, Part, Step};
use zonewalk_symbolic::lasso::{
    self, Lasso, LassoEnd, LassoOptions, LassoQuestion, Unproved, Verdict, search, times,
};
use zonewalk_symbolic::path::Transition;
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_syntax::read;
use zonewalk_syntax::source::SourceMap;
use zonewalk_testkit::xta;
use zonewalk_timing::{DEFAULT_BUDGET, Objective, solve};

/// A model in the textual format.
pub(crate) fn model(text: &str) -> Model {
    xta(text).model
}

pub(crate) fn query(model: &Model, text: &str) -> Result<Query, String> {
    let entry = read::read_formula("query", text, &mut SourceMap::new());
    let query = check::queries(model, &[entry]).remove(0);
    query.map_err(|diagnostics| format!("{diagnostics:?}"))
}

/// Meaning of a witness for the query.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Satisfies,
    Violates,
}

/// A query about runs, ready to be asked.
pub(crate) struct Asked<'q> {
    pub(crate) question: LassoQuestion,
    pub(crate) side: Side,
    trigger: Option<&'q Expr>,
    /// Predicate that must not hold, with the truth value that must not occur.
    avoided: (&'q Expr, bool),
}

/// The network of a model with what a query asks about its runs. An error when it is not about runs.
pub(crate) fn compiled<'q>(
    model: &Model,
    system: &System,
    query: &'q Query,
) -> Result<(Network, Asked<'q>), String> {
    let mut builder = NetworkBuilder::new(model, system).map_err(|e| format!("network: {e:.200?}"))?;
    let mut add = |expr: &Expr| builder.predicate(query.slots, expr).unwrap();
    Ok(match &query.kind {
        QueryKind::PotentiallyAlways(expr) => {
            let predicate = add(expr);
            let network = builder.finish();
            let asked = Asked {
                question: LassoQuestion::always(&network, &predicate),
                side: Side::Satisfies,
                trigger: None,
                avoided: (expr, false),
            };
            (network, asked)
        }
        QueryKind::Inevitable(expr) => {
            let predicate = add(expr);
            let network = builder.finish();
            let asked = Asked {
                question: LassoQuestion::inevitable(&network, &predicate),
                side: Side::Violates,
                trigger: None,
                avoided: (expr, true),
            };
            (network, asked)
        }
        QueryKind::LeadsTo(from, to) => {
            let (begin, end) = (add(from), add(to));
            let network = builder.finish();
            let asked = Asked {
                question: LassoQuestion::leads_to(&network, &begin, &end),
                side: Side::Violates,
                trigger: Some(from),
                avoided: (to, true),
            };
            (network, asked)
        }
        _ => return Err("not about runs".into()),
    })
}

/// The answer to a query about runs; a witness is replayed.
pub(crate) fn ask(model: &Model, text: &str, options: &LassoOptions<'_>) -> (bool, Verdict) {
    let query = query(model, text).unwrap();
    let system = instance::instantiate(model).unwrap();
    let (network, asked) = compiled(model, &system, &query).unwrap();
    let plan = ZonePlan::new(&network).unwrap();
    let verdict = search(&plan, &asked.question, options);
    assert_eq!(verdict.limit, None, "{text}");
    if let Some(lasso) = &verdict.witness {
        for rounds in [1, 3] {
            judge(model, &system, &plan, &asked, lasso, rounds)
                .unwrap_or_else(|e| panic!("{text}: {e}; {lasso:?}"));
        }
    }
    let is_satisfied = verdict.witness.is_some() == (asked.side == Side::Satisfies);
    (is_satisfied, verdict)
}

/// A shortest witness of a query about runs; `None` when there is no witness. It is proved to be shortest.
pub(crate) fn shortest(model: &Model, text: &str, options: &LassoOptions<'_>) -> Option<Lasso> {
    let (lasso, unproved) = best(model, text, options)?;
    assert_eq!(unproved, None, "{text}");
    Some(lasso)
}

/// Why the best witness of a query about runs is not proved to be shortest. Requires: there is a witness.
pub(crate) fn unproved(model: &Model, text: &str, options: &LassoOptions<'_>) -> Option<Unproved> {
    best(model, text, options).unwrap().1
}

/// The best witness of a query about runs, which is replayed until it is certain that it can go on.
fn best(model: &Model, text: &str, options: &LassoOptions<'_>) -> Option<(Lasso, Option<Unproved>)> {
    let query = query(model, text).unwrap();
    let system = instance::instantiate(model).unwrap();
    let (network, asked) = compiled(model, &system, &query).unwrap();
    let plan = ZonePlan::new(&network).unwrap();
    let known = search(&plan, &asked.question, options).witness?;
    let found = lasso::shortest(&plan, &asked.question, options, &known);
    let length = known.transitions();
    let best = match found.better {
        Some(better) => {
            assert!(better.transitions() < length, "{text}");
            better
        }
        None => known,
    };
    for rounds in [1, best.rounds()] {
        judge(model, &system, &plan, &asked, &best, rounds)
            .unwrap_or_else(|e| panic!("{text}, {rounds} rounds: {e}; {best:?}"));
    }
    Some((best, found.unproved))
}

/// Whether a query about runs holds, zeno runs included.
pub(crate) fn holds(text: &str, query: &str) -> bool {
    ask(&model(text), query, &LassoOptions::default()).0
}

/// How the witness goes on.
pub(crate) fn end(text: &str, query: &str) -> Option<LassoEnd> {
    let verdict = ask(&model(text), query, &LassoOptions::default()).1;
    verdict.witness.map(|lasso| lasso.end)
}

/// Replays a witness, with so many rounds of its cycle, on the reference interpreter. Returns its duration.
pub(crate) fn judge(
    model: &Model,
    system: &System,
    plan: &ZonePlan<'_>,
    asked: &Asked<'_>,
    lasso: &Lasso,
    rounds: usize,
) -> Result<Rational, String> {
    let found = times(plan, &asked.question, lasso, rounds).map_err(|e| format!("{e:?}"))?;
    let found = found.ok_or("no conditions on times")?;
    let solution = solve(&found.path, Objective::Simple, DEFAULT_BUDGET).map_err(|e| e.to_string())?;
    let schedule = solution.schedule;
    let time = |ticks: i64| Rational::new(ticks.into(), schedule.unit.into()).unwrap();
    let delays = found.delays(&schedule);
    let interpreter = Interpreter::new(model, system).map_err(|e| format!("{e:?}"))?;
    let mut state = interpreter.initial().map_err(|e| e.to_string())?;
    let cycle = lasso.cycle.iter().cycle().take(lasso.cycle.len() * rounds);
    let transitions: Vec<&Transition> = lasso.prefix.iter().chain(cycle).collect();
    if delays.len() != transitions.len() + 1 {
        return Err(format!(
            "{} delays, {} transitions",
            delays.len(),
            transitions.len()
        ));
    }
    let mut total = Rational::new(0, 1).unwrap();
    let mut was_triggered = asked.trigger.is_none();
    for (number, delay) in delays.iter().enumerate() {
        let mut rest = *delay;
        if let Some(trigger) = asked.trigger
            && lasso.trigger == Some(number)
        {
            let before = schedule.delays[number];
            state = interpreter
                .delay(&state, time(before))
                .map_err(|e| e.to_string())?;
            if !interpreter.holds(&state, trigger).map_err(|e| e.to_string())? {
                return Err("the trigger does not hold".into());
            }
            rest -= before;
            was_triggered = true;
        }
        if was_triggered {
            check_during(&interpreter, &state, time(rest), asked.avoided)
                .map_err(|e| format!("before transition {number}: {e}"))?;
        }
        total = total.plus(time(*delay)).unwrap();
        match transitions.get(number) {
            None => state = interpreter.delay(&state, time(rest)).map_err(|e| e.to_string())?,
            Some(transition) => {
                let step = Step {
                    delay: time(rest),
                    parts: parts(plan, transition),
                };
                state = interpreter
                    .replay_step(&state, &step)
                    .map_err(|e| format!("transition {number}: {e}"))?;
            }
        }
    }
    let is_dead = interpreter.is_deadlock(&state).map_err(|e| e.to_string())?;
    let delays = interpreter.delays(&state).map_err(|e| e.to_string())?;
    let is_endless = delays.iter().any(|window| window.upper().is_none());
    match lasso.end {
        LassoEnd::Deadlock if !is_dead => Err("the end is not a deadlock".into()),
        LassoEnd::Endless if !is_endless => Err("time cannot pass forever".into()),
        _ => Ok(total),
    }
}

fn check_during(
    interpreter: &Interpreter<'_>,
    state: &zonewalk_reference::State,
    delay: Rational,
    (expr, wrong): (&Expr, bool),
) -> Result<(), String> {
    let windows = interpreter
        .holds_during(state, delay, expr)
        .map_err(|e| e.to_string())?;
    let zero = Rational::new(0, 1).unwrap();
    let everywhere = windows.iter().any(|w| w.contains(zero) && w.contains(delay));
    if (wrong && !windows.is_empty()) || (!wrong && !everywhere) {
        return Err(format!("what must not hold does, in {windows:?} of {delay:?}"));
    }
    Ok(())
}

fn parts(plan: &ZonePlan<'_>, transition: &Transition) -> Vec<Part> {
    plan.network.step(0, &transition.parts, &transition.selects).parts
}
