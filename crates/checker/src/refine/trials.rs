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

/// Result of the walks of one seed.
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
    /// Builds both sides of a refinement. Requires: they are comparable, which only [`super::decide()`] asks.
    ///
    /// # Errors
    /// When a side cannot be built, or the query is not about a refinement.
    pub fn new(
        project: &mut Project,
        query: &Query,
        options: &RefineOptions,
    ) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let Query::Refinement { left, right } = query else {
            return Err("walks apply to refinements only".into());
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

#[cfg(test)]
mod tests {
    use super::super::{RefineSearch, Verdict, decide};
    use super::*;
    use zonewalk_tioa::read::load_file;

    #[test]
    fn trials_make_the_walks_that_decide() {
        let params = [("n".to_owned(), "6".to_owned()), ("v".to_owned(), "4".to_owned())];
        let text = zonewalk_families::generate("milner-tioa", &params).unwrap();
        let mut project = load_file("milner", text.as_bytes()).unwrap().project;
        let query = zonewalk_tioa::query::parse(&project.queries[0])
            .unwrap()
            .remove(0);
        let options = RefineOptions {
            search: RefineSearch::Rcf,
            seed: 7,
            ..RefineOptions::default()
        };
        let answer = decide(&mut project, &query, &options, &Control::default()).unwrap();
        assert_eq!(answer.verdict, Verdict::NotSatisfied);
        let trials = Trials::new(&mut project, &query, &options).unwrap();
        let control = Control::default();
        let expected = Trial {
            found: true,
            walks: answer.walks,
            steps: answer.steps,
        };
        // A control may be used again.
        for _ in 0..2 {
            assert_eq!(trials.violation(&options, None, &control), Some(expected));
        }
        let none = RefineOptions {
            max_walks: Some(0),
            ..options.clone()
        };
        assert!(!trials.violation(&none, None, &control).unwrap().found);
        let complete = RefineOptions {
            search: RefineSearch::Symbolic,
            ..options
        };
        assert_eq!(trials.violation(&complete, None, &control), None);
        let other = zonewalk_tioa::query::parse(&project.queries[2])
            .unwrap()
            .remove(0);
        assert!(Trials::new(&mut project, &other, &complete).is_err());
    }
}
