//! Public models, where they are present: each one compiles or is refused with a place, and quickly.

mod support;

use std::time::Instant;
use support::{corpus, load};
use zonewalk_network::Network;
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
        let Ok(loaded) = load(name, &bytes, None) else { continue };
        let start = Instant::now();
        match Network::compile(&loaded.model, &loaded.system) {
            Ok(network) => {
                compiled += 1;
                assert_eq!(network.memory().len(), network.layout.frame as usize, "{name}");
            }
            Err(errors) => {
                for error in &errors {
                    assert_ne!(error.kind, zonewalk_network::ErrorKind::Internal, "{name}: {error}");
                    assert_ne!(error.span, Span::NONE, "{name}: {error}");
                }
                refused.push(format!("{name}: {}", errors[0]));
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        // Unoptimised builds on a busy machine are slow; what this guards against is explosion.
        assert!(seconds < 20.0, "{name}: {seconds} s");
    }
    println!("{compiled} compiled, {} refused\n{}", refused.len(), refused.join("\n"));
    assert!(compiled > 400, "{compiled}");
}
