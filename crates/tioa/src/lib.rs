//! Timed I/O automata as data: components, and the queries that are asked about them.
//!
//! Whatever a project is written in (ECDAR's folders of JSON files, ECDAR's XML, or UPPAAL templates with `IO` lines), it becomes a
//! [`Project`] of [`Component`]s. A component has no data left: a template with integers has a [`Location`] for each place and
//! valuation that can be reached. So the engines and the judge meet clocks, locations and actions, and nothing else.
//!
//! Components are as they were drawn. Completing inputs and combining components is the engines' part, and the judge's.
//!
//! # Rooms
//!
//! Timed I/O automata as data, and their readers. `docs/tioa.md` has the rules. `read` finds out what a project is
//! written in: a folder of JSON files of ECDAR, its XML, or UPPAAL templates with parameters and `IO` lines. All formats
//! lead to the same form: a syntax tree of a template, checked by the rules for components (`check::Rules::Components`),
//! instantiated, and unfolded (`unfold`) into a component without data. `query` parses and prints queries, `project` looks up
//! what they name; `write` makes a file of a component.
//!
//! In `read`, `folder` finds the JSON files, `drawing` reads components and `systems` drawn systems; `document` reads
//! XML and text. `read::json` keeps the place of each byte of a JSON text, as XML does, so that an error in a guard
//! points into the file. Oddities that occur in files are accepted, with a warning.

mod action;
mod closest;
pub mod component;
pub mod expand;
pub mod formula;
pub mod project;
pub mod query;
pub mod read;
pub mod run;
mod unfold;
pub mod write;

pub use component::{Alphabet, Component, Direction, Edge, Kind, Location, LocationId};
pub use expand::{Unresolved, fresh_input_name};
pub use formula::{Clock, Comparison, Formula, Relation};
pub use project::{Action, AlphabetOf, Broken, Project};
pub use query::{Instance, Query, StateFormula, System};
pub use read::{LoadError, Loaded, load, load_beside, load_with};
pub use run::{Inputs, Reading, Rule, Run, Side, Step, Taken};
