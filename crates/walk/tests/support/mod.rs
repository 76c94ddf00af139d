//! Small models and what walks make of them.

use zonewalk_model::tree::{Model, QueryKind};
use zonewalk_model::{check, instance};
use zonewalk_network::Network;
use zonewalk_syntax::read::{self, Format};
use zonewalk_syntax::source::SourceMap;
use zonewalk_walk::explore::Options;
use zonewalk_walk::goal::Goal;
use zonewalk_walk::plan::Plan;
use zonewalk_walk::search::{Control, Limits, Outcome, search};

/// A model in the textual format.
pub(crate) fn model(text: &str) -> Model {
    let mut sources = SourceMap::new();
    let (document, _) = read::read_model("figure.xta", text.as_bytes(), Some(Format::Xta), &mut sources);
    let (model, diagnostics) = check::check(sources, &document.unwrap(), &[]);
    model.unwrap_or_else(|_| panic!("{diagnostics:?}"))
}

/// How many of so many single walks, each with a seed of its own, reach the goal of a query.
#[allow(dead_code)] // Not every test counts.
pub(crate) fn hits(text: &str, query: &str, options: &Options, walks: u64) -> u64 {
    let model = model(text);
    let system = instance::instantiate(&model).unwrap();
    let mut network = Network::compile(&model, &system).unwrap();
    let entry = read::read_formula("query", query, &mut SourceMap::new());
    let query = check::queries(&model, &[entry]).remove(0).unwrap();
    let QueryKind::Reachable(expr) = &query.kind else {
        panic!("not a reachability query")
    };
    let predicate = network.add_predicate(&model, &system, query.slots, expr).unwrap();
    let plan = Plan::new(&network);
    let goal = Goal::new(&plan, &predicate, true);
    let found = |seed: u64| {
        let options = Options { seed, ..*options };
        let limits = Limits {
            max_walks: Some(1),
            ..Limits::default()
        };
        let report = search(&plan, &goal, &options, 1, &limits, &Control::default());
        matches!(report.outcome, Outcome::Found(_))
    };
    (0..walks).filter(|&seed| found(seed)).count() as u64
}
