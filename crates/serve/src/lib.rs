//! `zonewalk serve`: a model in the browser, on the loopback address.
//!
//! [`Server`] binds a port and makes an access token; [`Server::run`] serves until it is stopped. There is one session per
//! server: all tabs show the same run. How models are loaded and queries decided is the [`Host`]'s business.
//!
//! | who | what |
//! |---|---|
//! | `gate` | whether a request may pass: host, origin, token; the headers of every answer |
//! | `routes` | which request is which command |
//! | `worker` | one thread that owns the model and the run, and does one command after the other |
//! | `recorded` | the run in the form that pages show |
//! | `page` | the page: that of reports, with what is live added to it |
//! | `job` | a query on a thread of its own, with progress and cancel |
//!
//! Invariant: nothing here reads or writes a file, prints, or tells the token to anybody but the caller. Requests by GET change
//! nothing.

mod command;
mod connections;
mod failure;
mod gate;
mod host;
mod job;
mod page;
mod recorded;
mod routes;
mod server;
mod shared;
mod token;
mod view;
mod worker;

pub use host::{Checked, Host, LoadFailure, Stamp};
pub use server::{Server, Stopper};
