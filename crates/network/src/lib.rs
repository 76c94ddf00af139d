//! The compiled network: what fast engines run on.
pub mod cell;
mod constants;
mod error;
mod facts;
pub mod instr;
mod interval;
mod lower;
mod storage;
mod types;
mod variants;
pub mod vm;
mod walk;
