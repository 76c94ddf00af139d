//! Public models with statistical queries: each is compiled and makes a few short runs, or is refused for a reason that is known.
//! Passes without the corpus, which is not part of the repository.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use zonewalk_model::{check, instance};
use zonewalk_sampling::{Bound, Monitor, Piece, RunError, Sampler};
use zonewalk_stochastic::{Options, Plan, Runner};
use zonewalk_syntax::read;
use zonewalk_syntax::source::SourceMap;

struct Nothing;

impl Monitor for Nothing {
    fn piece(&mut self, _: &mut dyn Piece) -> Result<ControlFlow<()>, RunError> {
        Ok(ControlFlow::Continue(()))
    }
}

/// What becomes of a model.
fn outcome(path: &Path) -> String {
    let Ok(bytes) = std::fs::read(path) else {
        return "not there".into();
    };
    let mut sources = SourceMap::new();
    let (document, _) = read::read_model("model.xml", &bytes, None, &mut sources);
    let Some(document) = document else {
        return "not read".into();
    };
    let (model, diagnostics) = check::check(sources, &document, &[]);
    let Ok(model) = model else {
        let first = diagnostics.iter().find(|d| d.is_error());
        return format!("not checked: {}", first.map_or("", |d| d.message.as_str()));
    };
    let system = match instance::instantiate(&model) {
        Ok(system) => system,
        Err(errors) => return format!("no system: {}", errors[0].message),
    };
    let options = Options {
        max_steps: 20_000,
        max_instant_steps: 10_000,
        ..Options::default()
    };
    let plan = match Plan::new(&model, &system, &[], &[], options) {
        Ok(plan) => plan,
        Err(unsupported) => return format!("refused: {}", unsupported.construct),
    };
    let mut runner = Runner::new(&plan);
    for run in 0..2 {
        if let Err(error) = runner.run(1, run, &Bound::Time(20.0), &mut Nothing) {
            return format!("error: {error}");
        }
    }
    "runs".into()
}

fn corpus() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    path.join("smc-verdicts.tsv").is_file().then_some(path)
}

#[test]
fn public_models_with_statistical_queries_run() {
    let Some(corpus) = corpus() else { return };
    let mut files: Vec<String> = Vec::new();
    for table in ["smc-verdicts.tsv", "smc-comments.tsv"] {
        let text = std::fs::read_to_string(corpus.join(table)).unwrap();
        files.extend(
            text.lines()
                .skip(1)
                .filter_map(|l| l.split('\t').next())
                .map(str::to_owned),
        );
    }
    files.sort();
    files.dedup();
    let mut outcomes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files {
        let found = outcome(&corpus.join(&file));
        outcomes.entry(found).or_default().push(file);
    }
    // Models of external libraries are refused by the checker already.
    let is_known = |outcome: &str| outcome == "runs" || outcome.starts_with("not checked: ");
    let unexpected: Vec<_> = outcomes
        .iter()
        .filter(|(outcome, _)| !is_known(outcome))
        .collect();
    assert!(unexpected.is_empty(), "{unexpected:#?}");
    assert!(outcomes.get("runs").map_or(0, Vec::len) >= 30, "{outcomes:#?}");
}
