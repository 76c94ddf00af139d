//! Runs that walks have made: as a record, in the terms of the model, and with other times.

mod given;
pub mod retime;
pub(crate) mod timeline;
