//! Sanity checks: what in a model looks like a mistake, although the model is well-formed.
//!
//! `lint` makes the [checks](Check) that are asked for and returns [findings](Finding), each a diagnostic with its place, and
//! for every check [how far](Extent) it went. What can be read off the text is in `usage` and `structure`; what is a matter of
//! reachable states is found by one pass over the zone graph (`survey`) and reported by `reach`; `deadlock`, `vacuity` and
//! `zeno` ask questions of their own.
//!
//! Invariant: a finding that is called proved needs no trust in a limit: it is about the text, a run of the reference interpreter
//! shows it, or a search of everything does. Nothing is reported because a limit was too small, but what was not reached, and
//! that is called so.
//!
//! # Rooms
//!
//! Sanity checks on top of the engines. `check` has their names, `report` their results. `usage` says who reads and
//! writes what, by the typed tree, `variables`, `structure` and the checker's `channels` what follows from that.
//! `survey` is one pass over the zone graph that answers many questions (`symbolic::observe` says what a state shows of
//! guards and invariants), and `reach` makes findings of the answers; `vacuity` and `deadlock` are questions of their
//! own to `checker`, and `zeno` looks for cycles with the reference interpreter.

mod budget;
mod check;
mod deadlock;
mod expression;
mod reach;
mod report;
mod structure;
mod survey;
mod usage;
mod vacuity;
mod variables;
mod zeno;

pub use budget::LintOptions;
pub use check::Check;
pub use report::{CheckReport, Extent, Finding, LintReport};

use budget::Budget;
use survey::Survey;
use vacuity::BoundedChecker;
use zonewalk_checker::channels;
use zonewalk_checker::load::Loaded;
use zonewalk_checker::{Control, QuerySet, Search};
use zonewalk_network::{CompileError, NetworkBuilder};
use zonewalk_symbolic::plan::ZonePlan;
use zonewalk_syntax::diagnostic::Diagnostic;

/// Makes the checks that the options ask for. `control` may interrupt them; what was found so far is returned.
pub fn lint(loaded: &Loaded, options: &LintOptions, control: &Control) -> LintReport {
    let mut report = LintReport::new(options);
    let budget = Budget::new(options);
    structure::templates(loaded, &mut report);
    variables::check(loaded, &mut report);
    let about_states = Check::ALL.into_iter().filter(|check| check.is_about_states());
    let asked: Vec<Check> = about_states.filter(|check| report.wants(*check)).collect();
    let premises = vacuity::premises(loaded);
    let deadlock = deadlock::question(loaded);
    let queries = deadlock
        .iter()
        .chain(premises.iter().map(|premise| &premise.query));
    let queries = QuerySet::new(&loaded.model, &loaded.system, queries);
    let planned = queries.plan(Search::Auto);
    let built = match planned.task() {
        Ok(task) => {
            let (model, system) = queries.searched();
            NetworkBuilder::new(model, system)
                .map(|builder| (task, builder))
                .map_err(|errors| errors.first().map(CompileError::to_diagnostic))
        }
        Err(refusals) => Err(refusals.first().cloned()),
    };
    let (task, mut builder) = match built {
        Ok(built) => built,
        Err(why) => {
            // Without a network it is unknown which edges use a channel.
            if channels::are_declared(&loaded.model, &loaded.system) {
                let why = "no engine supports the model, so who uses which channel is not known";
                report.extent(Check::Channels, Extent::Skipped(why.to_owned()));
            }
            let why = why.map_or_else(String::new, |why: Diagnostic| why.message);
            for check in asked {
                report.extent(check, Extent::Skipped(why.clone()));
            }
            return report;
        }
    };
    let watched = vacuity::watch(&premises, &mut builder);
    let network = builder.finish();
    let unused = channels::unused(&loaded.model, &loaded.system, &network);
    let unpaired = channels::unpaired(&loaded.model, &loaded.system, &network);
    for found in unused.into_iter().chain(unpaired) {
        report.find(Check::Channels, true, found);
    }
    if asked.is_empty() {
        return report;
    }
    let checker = task.checker();
    let Ok(plan) = ZonePlan::new(&network) else {
        let why = "a clock is compared with a number that zones cannot hold";
        for check in asked {
            report.extent(check, Extent::Skipped(why.to_owned()));
        }
        return report;
    };
    let is_needed = asked
        .iter()
        .any(|check| !matches!(check, Check::Deadlock | Check::Zeno));
    let survey = is_needed.then(|| {
        let sizes: Vec<(usize, usize)> = loaded
            .model
            .templates
            .iter()
            .map(|template| (template.locations.len(), template.edges.len()))
            .collect();
        let mut survey = Survey::new(&plan, &sizes, watched);
        survey.run(&budget.share(0.5), options, control);
        let can_walk = task.obstacle_to(Search::Ret).is_none();
        if !survey.is_complete() && can_walk && !control.is_interrupted() {
            survey.walk(&checker, &budget.share(0.3), options, control);
        }
        survey
    });
    let bounded = BoundedChecker {
        checker: &checker,
        budget,
        options,
        control,
    };
    if let Some(survey) = &survey {
        reach::check(loaded, &network, survey, &mut report);
        let first = usize::from(deadlock.is_some());
        vacuity::check(&bounded, (&premises, first), survey, &mut report);
    }
    if deadlock.is_some() {
        // Where all states were visited once they can be visited again, which is the shortest way to a proof.
        let is_small = survey.as_ref().is_some_and(Survey::is_complete) && !plan.is_approximate();
        let search = if is_small { Search::Bfs } else { Search::Auto };
        deadlock::check(loaded, &bounded, search, &mut report);
    }
    zeno::check(loaded, (task, &plan), (&budget, control), &mut report);
    report.is_interrupted = control.is_interrupted();
    report
}
