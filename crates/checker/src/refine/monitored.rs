//! Deciding a query about timed I/O automata while a monitor watches.

use super::{RefineAnswer, RefineOptions, decide};
use crate::control::{Progress, States};
use crate::monitor::{Monitor, watch};
use std::sync::atomic::Ordering;
use zonewalk_refine::control::Control;
use zonewalk_tioa::{Project, Query};

/// Decides a query while a monitor watches, which may cancel the search.
///
/// # Errors
/// Errors of [`decide()`].
pub fn decide_with(
    project: &mut Project,
    query: &Query,
    options: &RefineOptions,
    monitor: &dyn Monitor,
) -> Result<RefineAnswer, Box<dyn std::error::Error + Send + Sync>> {
    let control = Control::default();
    let progress = || {
        let [pairs, zones, walks, steps] = [&control.pairs, &control.zones, &control.walks, &control.steps]
            .map(|counter| counter.load(Ordering::Relaxed));
        Progress {
            walks,
            steps,
            search: options.search.name(),
            depth: options.max_steps.unwrap_or(0),
            distribution: None,
            best_steps: None,
            is_shrinking: control.found_at().is_some(),
            states: (zones > 0).then_some(States {
                search: "symbolic",
                explored: zones,
                stored: zones,
                waiting: pairs,
                bytes: 0,
                are_abstract: false,
            }),
            runs: None,
        }
    };
    watch(monitor, &progress, &|| control.stop(), || {
        decide(project, query, options, &control)
    })
}
