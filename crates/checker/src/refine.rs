//! Queries about timed I/O automata: project and query → verdict with its reason.

mod answer;
mod decide;
mod describe;
mod judge;
mod monitored;
mod options;
mod reason;
mod refinement;
mod result;
mod trials;

pub use answer::{Evidence, RefineAnswer, Verdict, kind};
pub use decide::decide;
pub use describe::{Subject, describe};
pub use monitored::decide_with;
pub use options::{RefineOptions, RefineSearch};
pub use reason::{Reason, ReasonKind, fraction};
pub use result::{bare, to_result};
pub use trials::{Trial, Trials};
pub use zonewalk_refine::control::Control as RefineControl;
pub use zonewalk_refine::walk::Delays as RefineDelays;
