//! Random walks: queries about states are decided by them.

mod check;
pub(crate) mod search;
