//! The models of this repository: all of them compile, and labels mean the same to the code and to the tree.

use crate::support::load;
use crate::support::models::{Compared, compile, labels};
use zonewalk_testkit::own;

#[test]
fn every_own_model_compiles() {
    for path in own::paths() {
        let name = path.to_string_lossy();
        let loaded = load(&name, &std::fs::read(&path).unwrap(), None).unwrap();
        compile(&name, &loaded).unwrap();
    }
}

#[test]
fn labels_agree_with_the_plain_evaluator_on_own_models() {
    let mut compared = Compared::default();
    for path in own::paths() {
        labels(
            &path.to_string_lossy(),
            &std::fs::read(&path).unwrap(),
            &mut compared,
        );
    }
    assert!(
        compared.labels > 1_000 && compared.specialised > 100,
        "{compared:?}"
    );
}
