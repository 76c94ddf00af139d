//! Runs of two systems side by side.

use zonewalk_tioa::{Action, Project, Reading, Rule, Run, Side, Step, System, Taken};

use super::delay::Wait;
use super::objection::{Objection, Reason};
use super::specification::Specification;
use super::state::State;

/// A run that was repeated to its end.
#[derive(Clone, Debug)]
pub struct ReplayedRun {
    /// How long the left side could wait before the last delay.
    pub left_wait: Wait,
    /// Delay of the right side. A run of one system has none.
    pub right_wait: Option<Wait>,
    /// The state of the left side after the last delay.
    pub left: State,
    /// The state of the right side then, even if it does not allow that delay.
    pub right: Option<State>,
    /// When that is, in ticks.
    pub time: i128,
}

/// Part of the run that is being repeated.
#[derive(Clone, Copy, Debug)]
pub enum Phase<'a> {
    /// Nothing has happened.
    Start,
    /// The delay of a step has passed, and the action comes next.
    Before(&'a Step),
    /// The step has been taken.
    After(&'a Step),
}

/// A state on the way, for printing.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// Part of the run that is being repeated.
    pub phase: Phase<'a>,
    /// When it is, in ticks.
    pub time: i128,
    /// The left side, or the only one.
    pub left: &'a State,
    /// The right side.
    pub right: Option<&'a State>,
}

/// Two systems side by side.
#[derive(Debug)]
pub struct Pair<'p> {
    /// Side whose steps have to be allowed.
    pub left: Specification<'p>,
    /// Side that allows them.
    pub right: Specification<'p>,
}

/// Repeats a run of a pair and checks that it shows what it should.
///
/// # Errors
/// The first thing that is wrong.
pub fn judge_pair(
    project: &Project,
    left: &System,
    right: &System,
    reading: Reading,
    run: &Run,
) -> Result<ReplayedRun, Objection> {
    Pair::new(project, left, right, reading, run.scale)?.judge(run, &mut |_| {})
}

impl<'p> Pair<'p> {
    /// Two systems of a project, with `scale` ticks in a unit of time.
    ///
    /// # Errors
    /// A system that there is not.
    pub fn new(
        project: &'p Project,
        left: &System,
        right: &System,
        reading: Reading,
        scale: i64,
    ) -> Result<Self, Objection> {
        let side = |side, system| {
            Specification::new(project, system, reading, scale)
                .map_err(|refused| Reason::System(side, refused))
        };
        let both = (|| {
            if scale <= 0 {
                return Err(Reason::Scale);
            }
            Ok((side(Side::Left, left)?, side(Side::Right, right)?))
        })();
        let (left, right) = both.map_err(|reason| Objection { steps: 0, reason })?;
        Ok(Pair { left, right })
    }

    /// Repeats a run; `watch` is shown each state on the way.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn judge(&self, run: &Run, watch: &mut dyn FnMut(Moment<'_>)) -> Result<ReplayedRun, Objection> {
        let mut steps = 0;
        self.repeat(run, watch, &mut steps)
            .map_err(|reason| Objection { steps, reason })
    }

    fn repeat(
        &self,
        run: &Run,
        watch: &mut dyn FnMut(Moment<'_>),
        steps: &mut usize,
    ) -> Result<ReplayedRun, Reason> {
        if i128::from(run.scale) != self.left.scale() {
            return Err(Reason::Scale);
        }
        let (mut left, mut right) = (self.left.initial(), self.right.initial());
        if !self.left.holds(&left) {
            return Err(Reason::NoInitialState(Side::Left));
        }
        let mut time = 0;
        let mut show = |phase, time, left: &State, right: &State| {
            watch(Moment {
                phase,
                time,
                left,
                right: Some(right),
            });
        };
        show(Phase::Start, time, &left, &right);
        for step in &run.steps {
            left = wait(&self.left, Side::Left, &left, step.delay)?;
            right = wait(&self.right, Side::Right, &right, step.delay)?;
            time += i128::from(step.delay);
            show(Phase::Before(step), time, &left, &right);
            (left, right) = self.step(&left, &right, step)?;
            show(Phase::After(step), time, &left, &right);
            *steps += 1;
        }
        let (left_wait, right_wait) = (self.left.wait(&left), self.right.wait(&right));
        left = wait(&self.left, Side::Left, &left, run.last_delay)?;
        if run.rule == Rule::Delay {
            if right_wait.allows(i128::from(run.last_delay)) {
                return Err(Reason::BothWait);
            }
            right = self.right.delayed(&right, i128::from(run.last_delay));
        } else {
            right = wait(&self.right, Side::Right, &right, run.last_delay)?;
            self.end(&left, &right, run.rule)?;
        }
        Ok(ReplayedRun {
            left_wait,
            right_wait: Some(right_wait),
            left,
            right: Some(right),
            time: time + i128::from(run.last_delay),
        })
    }

    /// Who decides on an action: the left side sends, the right side receives.
    fn leader(&self, action: Action) -> Option<Side> {
        let [left, right] = [&self.left, &self.right];
        if left.outputs().contains(&action) && !right.inputs().contains(&action) {
            Some(Side::Left)
        } else if right.inputs().contains(&action) && !left.outputs().contains(&action) {
            Some(Side::Right)
        } else {
            None
        }
    }

    fn step(&self, left: &State, right: &State, step: &Step) -> Result<(State, State), Reason> {
        let action = step.action;
        let leader = self.leader(action).ok_or(Reason::NoLeader(action))?;
        let take = |side, specification, state, taken| {
            let must_be_single = side != leader;
            take(specification, side, state, action, taken, must_be_single)
        };
        Ok((
            take(Side::Left, &self.left, left, &step.left)?,
            take(Side::Right, &self.right, right, &step.right)?,
        ))
    }

    /// Whether the leader can do the action now and the other one has to and cannot.
    fn end(&self, left: &State, right: &State, rule: Rule) -> Result<(), Reason> {
        let (leader, action) = match rule {
            Rule::Output(action) => (Side::Left, action),
            Rule::Input(action) => (Side::Right, action),
            Rule::Delay | Rule::Reached => return Err(Reason::WrongRule(rule)),
        };
        if self.leader(action) != Some(leader) {
            return Err(Reason::NoLeader(action));
        }
        let sides = [(Side::Left, &self.left, left), (Side::Right, &self.right, right)];
        for (side, specification, state) in sides {
            let can = !specification.successors(state, action).is_empty();
            if side == leader && !can {
                return Err(Reason::Cannot(side, action));
            }
            if side != leader && (can || !specification.knows(action)) {
                return Err(Reason::Allowed(side, action));
            }
        }
        Ok(())
    }

    /// A rule that is broken in a pair of states, before any more time passes: an output, an input, or a delay that only the left
    /// side allows.
    pub fn violation_at(&self, left: &State, right: &State) -> Option<Rule> {
        let outputs = self.left.outputs().iter().map(|action| Rule::Output(*action));
        let inputs = self.right.inputs().iter().map(|action| Rule::Input(*action));
        outputs
            .chain(inputs)
            .find(|rule| self.end(left, right, *rule).is_ok())
            .or_else(|| (self.left.wait(left) > self.right.wait(right)).then_some(Rule::Delay))
    }
}

/// The state after a delay that the side allows.
pub(super) fn wait(
    specification: &Specification<'_>,
    side: Side,
    state: &State,
    delay: i64,
) -> Result<State, Reason> {
    if delay < 0 {
        return Err(Reason::NegativeDelay);
    }
    let wait = specification.wait(state);
    if !wait.allows(i128::from(delay)) {
        return Err(Reason::TooLong { side, delay, wait });
    }
    Ok(specification.delayed(state, i128::from(delay)))
}

/// The state after an action that was taken as the run says. A side that does not know the action stands still.
pub(super) fn take(
    specification: &Specification<'_>,
    side: Side,
    state: &State,
    action: Action,
    said: &[Taken],
    must_be_single: bool,
) -> Result<State, Reason> {
    let other_parts = || Reason::OtherParts {
        side,
        action,
        said: said.to_vec(),
    };
    if !specification.knows(action) {
        return if said.is_empty() {
            Ok(state.clone())
        } else {
            Err(other_parts())
        };
    }
    let ways = specification.successors(state, action);
    let Some((first, _)) = ways.first() else {
        return Err(Reason::Cannot(side, action));
    };
    if must_be_single && ways.iter().any(|(state, _)| state != first) {
        return Err(Reason::SeveralAnswers(side, action));
    }
    let mut said = said.to_vec();
    said.sort_unstable();
    let way = ways.iter().find(|(_, taken)| *taken == said);
    way.map(|(state, _)| state.clone()).ok_or_else(other_parts)
}
