//! How a walk chooses its next transition and when it happens.

pub mod choose;
pub(crate) mod commit;
pub mod coverage;
pub(crate) mod options;
pub mod schedule;
pub mod smc;
