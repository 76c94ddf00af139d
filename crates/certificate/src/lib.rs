//! Certificates: sets of symbolic states that prove something of a model, as plain data and as files.
//!
//! A certificate is a [`Claim`] and a list of [`Node`]s. A node stands for the states that agree with its locations, with those
//! values that it specifies, and with its constraints on clocks. What the nodes must fulfil, so that the claim is proved, is in
//! `docs/certificates.md`; the judge of proofs (`zonewalk_reference::proof`) checks it. Nothing here depends on an engine.
//!
//! # Writing one
//!
//! [`Columns::of`] lists what a node of a model mentions. Build a [`Node`] for every symbolic state that the search has stored,
//! with all locations, one entry for each column of [`Columns::cells`] (`None` where the search has forgotten the variable, so that
//! any value is meant), and enough constraints to describe the zone. Clocks that the search has dropped are left out. Zones may
//! be larger than the invariants of their locations: the judge intersects them. [`Certificate::sort`] makes equal proofs equal
//! files, [`Certificate::to_text`] and [`compress`] make the file. A search that frees its states as it goes writes them with a
//! [`Writer`] instead.
//!
//! A search that has proved an answer chooses the claim by the kind of its query:
//!
//! | answer | claim |
//! |---|---|
//! | `A[] p` is satisfied, `E<> p` is not | [`Claim::Unreachable`] |
//! | `sup`, `inf`, `bounds` | [`Claim::Values`]; of `sup` upper ends, of `inf` lower ones |
//! | the trace to a goal is a shortest one | [`Claim::Steps`], with [`Node::depth`] |
//! | the trace to a goal is a fastest one | [`Claim::Time`], with [`Columns::time`] among the clocks |
//! | `A<> q`, `p --> q` are satisfied, `E[] p` is not | [`Claim::Inevitable`], with [`Node::rank`] |
//! | all reachable states were explored | [`Claim::Explored`], without a query |
//!
//! # Reading one
//!
//! [`text_of`] undoes the compression, [`Certificate::read`] resolves the names. The model, the query and the constants never come
//! from the file: its header is there for people and for messages.
//!
//! # Judging one
//!
//! `zonewalk_reference::proof::judge(model, system, query, certificate, limits)` says whether the certificate is accepted, refused
//! (with the node and the obligation that is not met), or beyond what the judge covers. Nothing else makes a proof of it.
//!
//! # Rooms
//!
//! The proof that a search leaves behind: a claim, and nodes that stand for sets of states. `columns` has the names
//! that nodes mention, `node` and `claim` are plain data, `write` and `read` the text, `compression` files that end in
//! `.gz`. `docs/certificates.md` has the format and what nodes must fulfil.

#![warn(missing_docs)]

mod claim;
mod columns;
mod compression;
mod error;
mod node;
mod read;
mod write;

pub use claim::{Claim, End, Interval};
pub use columns::{Cell, Columns, TIME};
pub use compression::{compress, is_compressed, text_of};
pub use error::ReadError;
pub use node::{Certificate, Constraint, Header, Node};
pub use write::Writer;

/// Largest constant of a constraint, up or down: sums of two of them are far from the ends of 64 bits.
pub const LARGEST_BOUND: i64 = 1 << 40;

/// The line of the first node in the text of a certificate; every further node is one line further down.
pub const FIRST_NODE_LINE: usize = 8;

#[cfg(test)]
mod tests;
