//! A run under construction, on the reference interpreter.
//!
//! [`Session`] is a run with a place in it: its user looks at the state there, chooses among the transitions that are possible, with
//! a delay from their windows, waits, plays at random, takes changes back, jumps to any step, loads a run and goes on from it. What
//! it holds is always a run of the model: every step has been taken by the reference interpreter, also those that were loaded.
//! [`PathZones`] shows the same path symbolically.
//!
//! Invariant: nothing here reads files, prints or knows who asks.

mod entry;
mod play;
mod saved;
mod session;
mod zone;

pub use entry::{Choices, Ending};
pub use play::Played;

pub use session::Session;
pub use zone::{PathZones, Zone, ZoneError};
