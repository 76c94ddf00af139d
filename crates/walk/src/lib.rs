//! Random walks: exact concrete runs that look for a goal (FMICS 2021).
//!
//! [`plan::WalkPlan`] lays a network out, [`search::search`] walks it until a [`goal::WalkGoal`] is met.
//!
//! # Rooms
//!
//! Each idea has a folder, which imports from those above it only:
//!
//! | folder | holds |
//! |---|---|
//! | `time` | instants, windows, and the values of clocks |
//! | `plan` | what the inner loop looks up: conditions in ticks (`condition`), plain updates (`assign`), who reads what (`dependents`); `counts` are for guards that wait for several things, a `gate` for those that wait for one value |
//! | `state` | one concrete state, kept up to date: variables and clocks; `refresh` looks at one edge, `gated` has the edges behind gates, `memo` results of code that many processes share, `rates` which clocks run; code `specialised` for a process |
//! | `walker` | taking a transition, and the way back: `updates` changes, `refresh` looks at what has changed; run-time errors (`fault`), what steps cost (`effort`), the `record` of a walk |
//! | `enabled` | what can happen in a state: `candidate` is what heuristics choose from, `firings` the ways to take it, `horizon` how long time may pass, `priority` what is blocked |
//! | `goal` | watches a predicate; `alternatives` a large disjunction of it; `expiry` knows when it is too late for it |
//! | `heuristic` | which transition comes next and when: `choose` has the heuristics, `schedule` delays and depths, `commit` COM (commitment), `coverage` RLC and RLC-A (random least coverage), `smc` the race of processes |
//! | `search` | walks on several threads: `thread` has those of one thread, `walk` one walk, `explore` walks without a goal |
//! | `guided` | walks that begin where others came close: an `archive` of states, whose quality is a `distance` and a `robustness` |
//! | `run` | runs as conditions on their clocks (`timeline`), and with other times (`retime`) |
//! | `shrink` | shorter runs, by their `periods` (`imitate` lets every process go on as it did) and step by step (`follow`) |

mod enabled;
pub mod goal;
pub mod guided;
mod heuristic;
pub mod plan;
mod run;
pub mod search;
pub mod shrink;
mod state;
mod time;
pub mod together;
mod walker;

pub use heuristic::{choose, coverage, schedule, smc};
pub use run::retime;
pub use search::explore;
pub use zonewalk_product::Stop;
