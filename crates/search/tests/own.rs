//! The explicit system of this repository: every search visits every state.

use zonewalk_search::aut::{Aut, AutSystem};
use zonewalk_search::drs::{Parameters, deep_random_search};
use zonewalk_search::{
    Breadth, Depth, ExactStore, Frontier, Goal, Limits, Outcome, RandomDepth, Reopening, Worker, search,
};

#[test]
fn every_search_visits_every_state() {
    let path = zonewalk_testkit::root().join("models/vending.aut");
    let aut = Aut::read(&std::fs::read(path).unwrap()).unwrap();
    let frontiers: [&mut dyn Frontier; 3] =
        [&mut Breadth::new(), &mut Depth::new(), &mut RandomDepth::new(7)];
    for frontier in frontiers {
        let mut store = ExactStore::new();
        let system = AutSystem::new(&aut);
        let report = search(
            &mut Worker::new(&system, &mut ()),
            &mut store,
            frontier,
            Goal::none(),
            &Limits::default(),
        );
        assert_eq!(report.outcome, Outcome::Exhausted);
        assert_eq!(report.statistics.states_stored, aut.states() as usize);
        assert_eq!(report.statistics.transitions, aut.transitions() as u64);
    }
    let report = deep_random_search(
        &mut Worker::new(&AutSystem::new(&aut), &mut ()),
        || Reopening::new(ExactStore::new()),
        Goal::none(),
        &Parameters::default(),
        &Limits::default(),
    );
    assert_eq!(report.outcome, Outcome::Exhausted);
    let leaves = (0..aut.states()).filter(|state| aut.is_deadlock(*state)).count();
    assert_eq!(report.generated, aut.states() as usize - leaves);
    let deadlock = search(
        &mut Worker::new(&AutSystem::new(&aut), &mut ()),
        &mut ExactStore::new(),
        &mut Breadth::new(),
        Goal::deadlock(),
        &Limits::default(),
    );
    assert!(matches!(deadlock.outcome, Outcome::Found { state, .. } if aut.is_deadlock(state.number)));
}
