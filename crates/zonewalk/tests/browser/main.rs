//! The pages in a real browser.
#![allow(clippy::unwrap_used)]

mod serve;

use serve::{serve_by_hand, serve_queries};

zonewalk_testkit::browser_tests![serve_by_hand, serve_queries];
