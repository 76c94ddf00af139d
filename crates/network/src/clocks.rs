//! The clocks of a network: where they matter, up to which constants, and what they are set to.

pub mod bounds;
pub mod clock_updates;
