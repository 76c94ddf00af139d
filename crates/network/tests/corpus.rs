//! Public models, where they are present: each one compiles or is refused with a place, and quickly.

mod support;

use std::time::Instant;
use support::oracle::Judge;
use support::{corpus, load};
use zonewalk_network::{Network, NetworkBuilder};
use zonewalk_reference::Interpreter;
use zonewalk_reference::simulate::RandomRun;
use zonewalk_syntax::span::Span;

#[test]
fn every_accepted_model_compiles_or_is_refused_with_a_place() {
    let Some(folder) = corpus() else { return };
    let table = std::fs::read_to_string(folder.join("accept.tsv")).unwrap();
    let mut compiled = 0;
    let mut refused = Vec::new();
    for line in table.lines().skip(1) {
        let row: Vec<&str> = line.split('\t').collect();
        if row[1] != "ACCEPT" {
            continue;
        }
        let name = row[0];
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let Ok(loaded) = load(name, &bytes, None) else {
            continue;
        };
        let start = Instant::now();
        match Network::compile(&loaded.model, &loaded.system) {
            Ok(network) => {
                compiled += 1;
                assert_eq!(network.memory().len(), network.layout.frame as usize, "{name}");
            }
            Err(errors) => {
                for error in &errors {
                    assert_ne!(
                        error.kind,
                        zonewalk_network::ErrorKind::Internal,
                        "{name}: {error}"
                    );
                    assert_ne!(error.span, Span::NONE, "{name}: {error}");
                }
                refused.push(format!("{name}: {}", errors[0]));
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        // Unoptimised builds on a busy machine are slow; what this guards against is explosion.
        assert!(seconds < 20.0, "{name}: {seconds} s");
    }
    println!(
        "{compiled} compiled, {} refused\n{}",
        refused.len(),
        refused.join("\n")
    );
    assert!(compiled > 400, "{compiled}");
}

/// Every label of the edges and locations that random runs come by means the same to the code and to the tree.
#[test]
fn labels_agree_with_the_plain_evaluator() {
    let Some(folder) = corpus() else { return };
    let table = std::fs::read_to_string(folder.join("accept.tsv")).unwrap();
    let wanted = std::env::var("MODEL").unwrap_or_default();
    let (mut labels, mut specialised) = (0, 0);
    for line in table.lines().skip(1) {
        let row: Vec<&str> = line.split('\t').collect();
        let name = row[0];
        if row[1] != "ACCEPT" || !name.contains(&wanted) {
            continue;
        }
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let Ok(loaded) = load(name, &bytes, None) else {
            continue;
        };
        let Ok(builder) = NetworkBuilder::new(&loaded.model, &loaded.system) else {
            continue;
        };
        let Ok(interpreter) = Interpreter::new(&loaded.model, &loaded.system) else {
            continue;
        };
        let mut judge = Judge::new(&loaded, builder);
        let start = Instant::now();
        println!("{name}");
        let Ok(mut run) = RandomRun::new(&interpreter, 1) else {
            continue;
        };
        judge.check(run.state(), &interpreter);
        // Large models are slow in the interpreter; a few steps of each are enough.
        for _ in 0..60 {
            if start.elapsed().as_secs_f64() > 1.0 || !matches!(run.step(), Ok(Some(_))) {
                break;
            }
            judge.check(run.state(), &interpreter);
        }
        labels += judge.labels;
        specialised += judge.specialised;
    }
    println!("{labels} labels compared, {specialised} runs of specialised code");
    assert!(labels > 10_000 || !wanted.is_empty(), "{labels}");
    assert!(specialised > 1_000 || !wanted.is_empty(), "{specialised}");
}

/// Two thousand instances and four thousand locations load and compile in well under a second and 100 MB.
#[test]
fn large_models_stay_small() {
    let Some(folder) = corpus() else { return };
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
