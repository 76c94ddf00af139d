//! From what an engine has found to a trace that the reference interpreter has confirmed, and from a trace to a verdict on it.

pub(crate) mod allowance;
pub(crate) mod confirm;
pub(crate) mod doubles;
pub(crate) mod fault;
pub(crate) mod improve;
pub(crate) mod maximal;
mod rate_fault;
pub(crate) mod record;
pub(crate) mod replay;
pub(crate) mod timed;
