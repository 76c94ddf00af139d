//! Public models: each one compiles or is refused with a place, and quickly.

// What tests may do, which clippy does not see to be tests.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod support;

use std::path::Path;
use std::time::Instant;
use support::load;
use support::models::{Compared, compile, labels};
use zonewalk_network::NetworkBuilder;
use zonewalk_testkit::{corpus, corpus_tests};

corpus_tests! {
    every_accepted_model_compiles_or_is_refused_with_a_place,
    labels_agree_with_the_plain_evaluator,
    large_models_stay_small,
}

/// The models that the language's own parser accepts: name and content.
fn accepted(folder: &Path) -> impl Iterator<Item = (String, Vec<u8>)> {
    let rows = corpus::accepted(folder)
        .into_iter()
        .filter(corpus::Row::is_accepted);
    rows.map(move |row| {
        let bytes = std::fs::read(folder.join(&row.file)).unwrap();
        (row.file, bytes)
    })
}

fn every_accepted_model_compiles_or_is_refused_with_a_place(folder: &Path) {
    let (mut compiled, mut refused) = (0, Vec::new());
    for (name, bytes) in accepted(folder) {
        let Ok(loaded) = load(&name, &bytes, None) else {
            continue;
        };
        match compile(&name, &loaded) {
            Ok(_) => compiled += 1,
            Err(reason) => refused.push(reason),
        }
    }
    println!("{compiled} compiled, {} refused", refused.len());
    assert!(compiled > 400, "{compiled}\n{}", refused.join("\n"));
}

/// Every label of the edges and locations that random runs come by means the same to the code and to the tree. `MODEL` is a
/// part of the names.
fn labels_agree_with_the_plain_evaluator(folder: &Path) {
    let wanted = std::env::var("MODEL").unwrap_or_default();
    let mut compared = Compared::default();
    for (name, bytes) in accepted(folder).filter(|(name, _)| name.contains(&wanted)) {
        labels(&name, &bytes, &mut compared);
    }
    println!("{compared:?}");
    assert!(compared.labels > 10_000 || !wanted.is_empty(), "{compared:?}");
    assert!(compared.specialised > 1_000 || !wanted.is_empty(), "{compared:?}");
}

/// Two thousand instances and four thousand locations load and compile in well under a second and 100 MB.
fn large_models_stay_small(folder: &Path) {
    for name in [
        "fmics2021/Train/train-2000N.xml",
        "fmics2021/TetaSARTS/minepump-hvmexp.xml",
        "fmics2021/Milner/Milner-N1000-d4-v2.xml",
    ] {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let start = Instant::now();
        let loaded = load(name, &bytes, None).unwrap();
        let loading = start.elapsed();
        let start = Instant::now();
        let mut builder = NetworkBuilder::new(&loaded.model, &loaded.system).unwrap();
        let compiling = start.elapsed();
        let start = Instant::now();
        let mut nodes = 0;
        for query in &loaded.queries {
            let predicate = support::predicate(query);
            nodes += builder.predicate(query.slots, predicate).unwrap().nodes.len();
        }
        let network = builder.finish();
        println!(
            "{name}: load {loading:?}, compile {compiling:?}, queries {:?} ({nodes} nodes), {} bytes\n{:#?}",
            start.elapsed(),
            network.bytes(),
            network.sizes()
        );
        assert!(network.bytes() < 20 << 20, "{name}");
        // One copy of each template's code: what grows with the instances is data.
        let statistics = network.sizes();
        assert_eq!(statistics.code_copies, statistics.templates, "{name}");
    }
}
