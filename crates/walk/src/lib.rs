//! Random walks: exact concrete runs that look for a goal (FMICS 2021).
//!
//! [`plan::WalkPlan`] lays a network out, [`search::search`] walks it until a [`goal::WalkGoal`] is met.
//!
//! # Rooms
//!
//! Each idea has a folder:
//!
//! | folder | holds |
//! |---|---|
//! | `plan` | what the inner loop looks up: conditions in ticks (`condition`), plain updates (`assign`), who reads what (`dependents`) |
//! | `state` | one concrete state: variables, clocks, windows; which clocks run (`rates`) |
//! | `enabled` | what can happen in a state, kept up to date: `update` looks at what a transition has changed and `refresh` at one edge; `counters` are for guards that wait for several things, `gate` for those that wait for one value, `memo` for code that many processes share; `candidate` is what heuristics choose from, `firings` the ways to take it, `horizon` how long time may pass, `priority` what is blocked |
//! | `walker` | taking a transition, and the way back; code `specialised` for a process, run-time errors (`fault`), what steps cost (`effort`) |
//! | `heuristic` | which transition comes next and when: `choose` has the heuristics, `schedule` delays and depths, `commit` COM (commitment), `coverage` RLC and RLC-A (random least coverage), `smc` the race of processes |
//! | `goal` | watches a predicate; `alternatives` a large disjunction of it; `expiry` knows when it is too late for it |
//! | `search` | walks on several threads: `thread` has those of one thread, `walk` one walk, `explore` walks without a goal |
//! | `guided` | walks that begin where others came close: an `archive` of states, whose quality is a `distance` and a `robustness` |
//! | `shrink` | shorter runs, by their `periods` (`imitate` lets every process go on as it did) and step by step (`follow`) |
//! | `run` | runs as a `record`, as conditions on its clocks (`timeline`), and with other times (`retime`) |

mod enabled;
pub mod goal;
pub mod guided;
mod heuristic;
pub mod plan;
mod run;
pub mod search;
pub mod shrink;
mod state;
pub mod together;
mod walker;

pub use heuristic::{choose, coverage, schedule, smc};
pub use run::retime;
pub use search::explore;
pub use zonewalk_product::Stop;
