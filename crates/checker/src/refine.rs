//! Queries about timed I/O automata: project and query → verdict with its reason.

mod answer;
mod decide;
mod describe;
mod judge;
mod monitored;
mod options;
mod reason;
mod refinement;
mod told;
mod trials;

pub use answer::{Answer, Evidence, Verdict, kind};
pub use decide::decide;
pub use describe::{Subject, describe};
pub use monitored::decide_with;
pub use options::{RefineOptions, RefineSearch};
pub use reason::{Reason, ReasonKind, fraction};
pub use told::{bare, told};
pub use trials::{Trial, Trials};
pub use zonewalk_refine::control::Control as RefineControl;
pub use zonewalk_refine::walk::Delays as RefineDelays;
