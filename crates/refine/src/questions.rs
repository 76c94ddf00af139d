//! Questions about one system, or conditions before two are compared.

pub mod determinism;
pub mod export;
pub mod game;
pub mod goal;
pub mod implementation;
pub mod precondition;
pub mod reachability;
