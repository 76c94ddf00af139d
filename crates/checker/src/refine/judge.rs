//! Has the run of an answer repeated by the reference interpreter.

use zonewalk_reference::tioa::{Objection, Pair as JudgedPair, Reason as Objected, judge_run};
use zonewalk_tioa::Query;

use super::answer::{RefineAnswer, Verdict};
use super::decide::QueryContext;
use super::reason::{Reason, ReasonKind};

impl QueryContext<'_> {
    /// Has the run repeated, and the rule said in numbers.
    pub(super) fn judge(&self, query: &Query, answer: &mut RefineAnswer) {
        let Some(evidence) = &answer.evidence else {
            return;
        };
        let run = &evidence.run;
        let judged = match (evidence.systems.as_slice(), query) {
            ([left, right], _) => JudgedPair::new(self.project, left, right, self.reading, run.scale)
                .and_then(|pair| pair.judge(run, &mut |_| {})),
            ([system], Query::Reachability { from, to, .. }) => {
                let from = from.as_ref().zip(evidence.start.as_ref());
                judge_run(self.project, system, self.reading, from, to, run, &mut |_| {})
            }
            ([system], _) => {
                let anything = zonewalk_tioa::StateFormula::Constant(true);
                judge_run(
                    self.project,
                    system,
                    self.reading,
                    None,
                    &anything,
                    run,
                    &mut |_| {},
                )
            }
            _ => return,
        };
        match judged {
            Ok(judged) => {
                if evidence.systems.len() == 2 {
                    answer.reason = Some(super::reason::of_run(self.project, run, &judged));
                }
            }
            // Without preconditions a side may have several answers, of which another one might match.
            Err(Objection {
                reason: Objected::SeveralAnswers(..),
                ..
            }) if !self.options.preconditions => {
                answer.verdict = Verdict::Unknown;
                answer.proof = false;
                answer.evidence = None;
                let text = "a side is not deterministic: another of its responses might match the run";
                answer.reason = Some(Reason::new(ReasonKind::Precondition, text));
            }
            Err(objection) => {
                answer.bug = Some(objection.text(self.project));
                answer.verdict = Verdict::Unknown;
                answer.proof = false;
            }
        }
    }
}
