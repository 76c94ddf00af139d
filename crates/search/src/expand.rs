//! All successors of one state at once, for searches that choose among them.

use crate::goal::Goal;
use crate::limits::{Limit, Meter};
use crate::store::Store;
use crate::system::{Flow, TransitionSystem, Worker};

/// A successor with its ordinal.
pub(crate) struct Child<S> {
    pub(crate) ordinal: u32,
    pub(crate) state: S,
}

/// Result of computing successors.
pub(crate) struct Expansion<S, F> {
    /// All of them, unless one is the goal.
    pub(crate) children: Vec<Child<S>>,
    pub(crate) goal: Option<Child<S>>,
    /// The first error, with the child that failed where its successors were asked for to find out whether there are any.
    pub(crate) fault: Option<(Option<u32>, F)>,
    /// Why not all of them are there, if they are not.
    pub(crate) limit: Option<Limit>,
}

/// The successors of a state, or the initial states. All of them are tested for being the goal; deadlocks among them
/// are recognised at once, as the paper's sets of considered states demand. The store says how large they are.
pub(crate) fn expand<T: TransitionSystem, S: Store<State = T::State>>(
    worker: &mut Worker<'_, T>,
    source: Option<&T::State>,
    goal: &mut Goal<'_, T::State>,
    (meter, store): (&Meter<'_>, &S),
) -> Expansion<T::State, T::Fault> {
    let (mut children, mut found) = (Vec::new(), None);
    let (mut bytes, mut limit) = (0, None);
    let mut emit = |state: &T::State, _: T::Step<'_>| {
        if found.is_some() || limit.is_some() {
            return Flow::Break(());
        }
        bytes += size_of::<Child<T::State>>() + store.bytes_of(state);
        limit = meter.forbids_room(bytes);
        let child = Child {
            ordinal: children.len() as u32,
            state: state.clone(),
        };
        if goal.holds(state) {
            found = Some(child);
            return Flow::Break(());
        }
        children.push(child);
        Flow::Continue(())
    };
    let result = match source {
        Some(state) => worker.successors(state, &mut emit),
        None => worker.initial(&mut emit),
    };
    limit = limit.or(meter.forbids_fault(result.is_err()));
    let mut fault = result.err().map(|fault| (None, fault));
    if found.is_none() && goal.deadlock {
        let mut index = 0;
        while index < children.len() && found.is_none() && limit.is_none() {
            match has_successors(worker, &children[index].state) {
                Ok(true) => {}
                Ok(false) => found = Some(children.swap_remove(index)),
                Err(failed) => {
                    limit = meter.forbids_fault(true);
                    fault.get_or_insert((Some(children[index].ordinal), failed));
                }
            }
            index += 1;
        }
    }
    if limit == Some(Limit::Stopped) {
        fault = None;
    }
    Expansion {
        children,
        goal: found,
        fault,
        limit,
    }
}

/// Whether a state has a successor. An error beside one is met again when the state is expanded.
pub(crate) fn has_successors<T: TransitionSystem>(
    worker: &mut Worker<'_, T>,
    state: &T::State,
) -> Result<bool, T::Fault> {
    let mut any = false;
    let result = worker.successors(state, &mut |_, _| {
        any = true;
        Flow::Break(())
    });
    if any { Ok(true) } else { result.map(|()| false) }
}
