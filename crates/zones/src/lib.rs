//! Zones of timed automata: difference-bound matrices, federations and abstractions.
//!
//! A *zone* is a set of clock valuations given by bounds of clocks and of differences of clocks: `x <= 5`, `3 < y`,
//! `x - y < 2`. The states that a timed automaton can be in are explored as pairs of a location and a zone. This crate
//! has the operations which that takes, as free functions over plain slices, so that a search can keep millions of zones
//! in one arena. It knows nothing of automata.
//!
//! - [`Bound`]: one bound, `<` or `<=` a constant, in one [`Word`] of 32 or 64 bits.
//! - [`dbm`]: matrices of bounds: constrain, let time pass, reset, compare.
//! - [`extrapolation`]: Extra-M, Extra-LU, Extra-LU+ and the aLU inclusion test, for finite zone graphs.
//! - [`federation`]: unions of zones with exact subtraction and inclusion.
//! - [`minimal`]: the fewest constraints that describe a zone, for storage.
//! - [`packed`]: zones in narrow integers, for storage; inclusion is decided without unpacking.
//! - [`display`]: zones as text.
//!
//! # Example
//!
//! A lamp is switched on, which resets `x`; a second press within 5 time units makes it bright. Clock `y` was started
//! with the system. Which values can the clocks have when it becomes bright, if the first press came after `y > 3`?
//!
//! ```
//! use zonewalk_zones::{Bound, dbm, display};
//!
//! const X: usize = 1; // index 0 is the reference clock, always zero
//! const Y: usize = 2;
//! let dim = 3;
//! let mut zone = vec![Bound::INFINITY; dim * dim];
//! dbm::set_zero(&mut zone, dim);
//! dbm::up(&mut zone, dim); // wait
//! assert!(dbm::constrain(&mut zone, dim, 0, Y, Bound::lt(-3))); // 0 - y < -3
//! dbm::reset(&mut zone, dim, X, 0); // first press
//! dbm::up(&mut zone, dim); // wait
//! assert!(dbm::constrain(&mut zone, dim, X, 0, Bound::lt(5))); // second press: x - 0 < 5
//!
//! let text = display::constraints(&zone, dim, &["x", "y"]).to_string();
//! assert_eq!(text, "x < 5, x - y < -3");
//!
//! // Not later than 3 after the start? Constraining would leave nothing.
//! assert!(!dbm::satisfies(&zone, dim, Y, 0, Bound::le(3)));
//! // Points are exact rationals: x = 1/2, y = 7/2 is just outside, y = 11/3 is not.
//! assert!(!dbm::contains(&zone, dim, &[0, 1, 7], 2));
//! assert!(dbm::contains(&zone, dim, &[0, 3, 22], 6));
//! ```
//!
//! # What to know
//!
//! - Preconditions are in the documentation of each function and in debug assertions (closedness, which is cubic to
//!   check, only up to dimension 8). Out-of-range indices panic; a broken precondition otherwise gives wrong zones,
//!   never undefined behaviour.
//! - Entries must stay within [`Bound::MAX_CONSTANT`]; for larger ones there is `Bound<i64>`.
//! - The kernels are written for vector units, with AVX2 chosen at run time; `cargo bench` shows their times.

pub mod bound;
pub mod dbm;
pub mod display;
pub mod extrapolation;
pub mod federation;
mod kernels;
pub mod minimal;
pub mod packed;

pub use bound::{Bound, word};
pub use federation::Federation;
pub use word::Word;

/// The example of the README is a test too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
