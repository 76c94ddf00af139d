//! The discrete behaviour of a compiled network, once for all engines: typed tables of edge instances and locations, their
//! conditions on data and on clocks, who synchronises with whom, which transitions committed locations and priorities leave,
//! and the order of updates.
//!
//! Each engine decides what clocks are: [`ClockForm`] says how it writes bounds down, [`Valuation`] what becomes of them in a
//! state (constraints of a zone, windows of instants at a point, nothing at all), [`Regions`] how a part of a state is cut.
//!
//! Invariant: nothing here stores a state, lets time pass or decides what is visited next. A rule of the language that
//! engines share is a function here. The reference interpreter, which judges them all, has it a second time; walks keep
//! its answers up to date from step to step, and tests compare what they keep with what the functions say.
//!
//! # Rooms
//!
//! The part that all engines share. `tables` has the edge instances and locations of all processes, `condition` their guards and
//! invariants, `moves` all the transitions of a state for engines that list them anew, `sync` and `together` who takes
//! part in one, `urgent` what stops time, `priority` what blocks a transition, `update` how one is taken, `rates` which
//! clocks run.
//!
//! It is generic over the representation of clocks, which an engine defines by four traits:
//!
//! | trait | says | zones | walks | no clocks (`product/tests/support`) |
//! |---|---|---|---|---|
//! | `ClockForm` | how bounds on clocks are written down | entries of a matrix | ticks | counted only |
//! | `Valuation` | what becomes of them in a state | a list of constraints | a window of instants | a count |
//! | `Regions` | how a part of a state is cut | zones are subtracted | windows are cut | certain or not |
//! | `Updated` | what an update changes | variables, and assignments to clocks | variables and clocks, with a log | variables |
//!
//! For priorities `sift` asks an engine in which part of a state a transition exists. `Listing` and `Splitter` add what
//! listing all transitions needs, so walks do not have them. An engine may add columns of its own to the tables of edges
//! and locations.
//!
//! Projections are for pattern databases. A `pattern` says which processes, variables and clocks are kept, `influence`
//! what an update makes of the rest (`effect`: of the part that is kept), and `project` makes tables that know the pattern alone. What mentions something
//! removed is dropped from guards and invariants, so every transition of the network is one of its projection.
//!
//! A planned extension, *an environment that takes part in synchronisations*, fits as follows. `Product::list_ready`
//! lists all ready edges, those without a partner too, each with its channel and what its guard asks of clocks.
//! `combine` is one way to put them together. Another function beside it would make a transition of each ready edge on
//! an open channel; for a broadcast from outside it would split the receivers by `by_process` and `split`, as `combine`
//! does for a sender inside. What comes after takes a list of edges and does not ask how it was found: `is_permitted`,
//! `level`, `first_selects`, `update`, the invariants. `delay` looks only at synchronisations that are complete inside.
//! Which channels are open is for the caller to say.

mod condition;
mod effect;
mod influence;
mod moves;
mod pattern;
mod priority;
mod project;
mod rates;
mod stop;
mod sync;
mod tables;
pub mod together;
mod update;
mod urgent;
mod valuation;
mod ways;

pub use condition::{Accepted, ClockForm, Compare, Conditions, Conjunction, EvaluatedPart, Fixed, General};
pub use influence::Influences;
pub use moves::{Listing, Move, Moves, Ready, Splitter};
pub use pattern::Pattern;
pub use priority::{Level, sift};
pub use project::Projected;
pub use stop::Stop;
pub use sync::{Regions, split};
pub use tables::{EdgeInstance, LocationInstance, LocationInstanceId, Product, Role};
pub use update::{Unprojected, Updated};
pub use urgent::{Delay, Urgent};
pub use valuation::{ClockConstraint, CodeOf, Valuation};
