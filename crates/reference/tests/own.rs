//! The models of this repository: random runs replay, and the two ways to look at a state agree.

use crate::support::{run, steps_together};
use zonewalk_testkit::own;

#[test]
fn random_runs_replay() {
    for model in own::models() {
        assert!(run(&model.name, &model.loaded).is_some(), "{}", model.name);
    }
}

#[test]
fn processes_move_together() {
    for model in ["train-gate.xml", "heartbeat.xml", "bridge.xta"] {
        let mut models = own::models();
        let model = models.find(|own| own.name == model).expect("the model");
        assert!(steps_together(&model.loaded, 1_000) > 0, "{}", model.name);
    }
}
