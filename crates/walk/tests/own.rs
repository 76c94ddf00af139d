//! Every step of a walk is a step of the model: the reference interpreter repeats walks over the models of this repository.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use crate::support::walks;

use zonewalk_testkit::own;

#[test]
fn ten_walks_replay() {
    let tally = walks::walk_models(own::paths(), 200);
    tally.assert_agreement();
    // All of them are supported but those with stochastic features alone.
    assert!(tally.models >= 30, "{tally}");
}
