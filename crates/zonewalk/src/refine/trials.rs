//! One refinement, searched by walks again and again: what measurements repeat.

use std::sync::atomic::Ordering;
use std::time::Instant;

use zonewalk_refine::control::{Control, Limits};
use zonewalk_refine::leaf::Polarity;
use zonewalk_refine::pair::Pair;
use zonewalk_refine::system::Builder;
use zonewalk_refine::walk;
use zonewalk_tioa::{Project, Query};

use super::decide::reading;
use super::options::RefineOptions;

/// A refinement that is ready to be searched.
pub struct Trials {
    pair: Pair,
}

/// What the walks of one seed came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// Whether the last one found a violation.
    pub found: bool,
    /// Walks that were made.
    pub walks: u64,
    /// Their steps.
    pub steps: u64,
}

impl Trials {
    /// Builds both sides of a refinement. Requires: they are comparable, which only [`super::decide`] asks.
    ///
    /// # Errors
    /// When a side cannot be built, or the query is none of a refinement.
    pub fn new(
        project: &mut Project,
        query: &Query,
        options: &RefineOptions,
    ) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let Query::Refinement { left, right } = query else {
            return Err("walks are for refinements".into());
        };
        let mut sides = Vec::with_capacity(2);
        for system in [left, right] {
            let system = project.expand(system)?;
            project.intern_fresh_inputs(&system);
            sides.push(system);
        }
        let mut builder = Builder::new(project, reading(project, options));
        let left = builder.side(&sides[0], Polarity::Leading)?;
        let right = builder.side(&sides[1], Polarity::Following)?;
        Ok(Trials {
            pair: Pair::new(left, right),
        })
    }

    /// Walks until a violation, without making a run of it. Nothing if the options ask for no walks, or if it was interrupted.
    pub fn violation(
        &self,
        options: &RefineOptions,
        deadline: Option<Instant>,
        control: &Control,
    ) -> Option<Trial> {
        let options = options.walks(options.search.heuristic()?);
        let limits = Limits {
            memory: None,
            deadline,
        };
        let [walks, steps] = [&control.walks, &control.steps];
        let before = [walks, steps].map(|count| count.load(Ordering::Relaxed));
        let found = walk::first_violation(&self.pair, &options, limits, control).is_ok();
        (found || !control.is_stopped()).then(|| Trial {
            found,
            walks: walks.load(Ordering::Relaxed) - before[0],
            steps: steps.load(Ordering::Relaxed) - before[1],
        })
    }
}
