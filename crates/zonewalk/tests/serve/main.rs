//! The page of `zonewalk serve` in a real browser.
#![allow(clippy::unwrap_used)]

mod page;

use page::{serve_by_hand, serve_queries};

zonewalk_testkit::browser_tests![serve_by_hand, serve_queries];
