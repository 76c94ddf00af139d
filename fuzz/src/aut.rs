//! Bytes as an explicit transition system: no panic, an error has a line and a column, and what is read can be searched.

use zonewalk_search::aut::{Aut, AutSystem};
use zonewalk_search::{Breadth, ExactStore, Goal, Limits, Worker, search};

/// One input.
pub fn run(bytes: &[u8]) {
    match Aut::read(bytes) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(aut) => {
            let limits = Limits {
                stored: Some(1000),
                ..Limits::default()
            };
            let system = AutSystem::new(&aut);
            search(
                &mut Worker::new(&system, &mut ()),
                &mut ExactStore::new(),
                &mut Breadth::new(),
                Goal::none(),
                &limits,
            );
        }
    }
}
