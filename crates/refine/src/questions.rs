//! What is asked of one system, or must hold before two are compared.

pub mod determinism;
pub mod export;
pub mod game;
pub mod goal;
pub mod implementation;
pub mod precondition;
pub mod reachability;
