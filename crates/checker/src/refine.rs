//! Queries about timed I/O automata: project and query → verdict with its reason.

mod decide;
mod monitored;
mod options;
mod reason;
mod trials;

pub use decide::{Answer, Evidence, Verdict, decide, kind};
pub use monitored::decide_with;
pub use options::{RefineOptions, RefineSearch};
pub use reason::{Reason, ReasonKind, fraction};
pub use trials::{Trial, Trials};
pub use zonewalk_refine::control::Control as RefineControl;
pub use zonewalk_refine::walk::Delays as RefineDelays;
