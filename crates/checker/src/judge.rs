//! Has runs judged: the reference interpreter repeats what an engine has found, or what a file says, and makes a trace of it.

pub(crate) mod confirm;
pub(crate) mod doubles;
pub(crate) mod maximal;
pub(crate) mod rate_fault;
pub(crate) mod record;
pub(crate) mod replay;
