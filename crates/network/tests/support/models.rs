//! Whole models: each one compiles or is refused with a place, and labels mean the same to the code and to the tree.

use super::oracle::Judge;
use super::{Loaded, load};
use std::time::Instant;
use zonewalk_network::{ErrorKind, Network, NetworkBuilder};
use zonewalk_reference::Interpreter;
use zonewalk_reference::simulate::RandomRun;
use zonewalk_syntax::span::Span;

/// Compiles a model; an error is about the model, and says where.
pub fn compile(name: &str, loaded: &Loaded) -> Result<Network, String> {
    let start = Instant::now();
    let compiled = Network::compile(&loaded.model, &loaded.system);
    let seconds = start.elapsed().as_secs_f64();
    // Unoptimised builds on a busy machine are slow; what this guards against is explosion.
    assert!(seconds < 20.0, "{name}: {seconds} s");
    match compiled {
        Ok(network) => {
            assert_eq!(network.memory().len(), network.layout.frame as usize, "{name}");
            Ok(network)
        }
        Err(errors) => {
            for error in &errors {
                assert_ne!(error.kind, ErrorKind::Internal, "{name}: {error}");
                assert_ne!(error.span, Span::NONE, "{name}: {error}");
            }
            Err(format!("{name}: {}", errors[0]))
        }
    }
}

/// Labels that were compared, and runs of specialised code.
#[derive(Debug, Default)]
pub struct Compared {
    pub labels: usize,
    pub specialised: usize,
}

/// Compares every label of the edges and locations that a random run comes by.
pub fn labels(name: &str, bytes: &[u8], compared: &mut Compared) {
    let Ok(loaded) = load(name, bytes, None) else {
        return;
    };
    let Ok(builder) = NetworkBuilder::new(&loaded.model, &loaded.system) else {
        return;
    };
    let Ok(interpreter) = Interpreter::new(&loaded.model, &loaded.system) else {
        return;
    };
    let mut judge = Judge::new(&loaded, builder);
    let start = Instant::now();
    let Ok(mut run) = RandomRun::new(&interpreter, 1) else {
        return;
    };
    judge.check(run.state(), &interpreter);
    // Large models are slow in the interpreter; a few steps of each are enough.
    for _ in 0..60 {
        if start.elapsed().as_secs_f64() > 1.0 || !matches!(run.step(), Ok(Some(_))) {
            break;
        }
        judge.check(run.state(), &interpreter);
    }
    compared.labels += judge.labels;
    compared.specialised += judge.specialised;
}
