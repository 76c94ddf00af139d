//! Searches over representatives find what searches over all states find, and their paths are unfolded to real ones.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use zonewalk_search::{
    Breadth, Emit, ExactStore, Flow, Goal, Limits, Outcome, Quotient, QuotientScratch, Report, SharedStore,
    StateId, Store, Stored, Symmetry, TransitionSystem, Worker, follow, replay, search,
};

/// Processes that are all alike, over a shared variable. Rule (at, value, next, new): a process at `at` may go to `next`
/// while the variable is `value`, and sets it.
#[derive(Clone, Debug)]
struct Alike {
    processes: usize,
    rules: Vec<(u8, u8, u8, u8)>,
}

/// Places of the processes, and the variable.
type State = (Vec<u8>, u8);

impl TransitionSystem for Alike {
    type State = State;
    /// The process and its rule; an initial state has none.
    type Step<'s> = Option<(usize, usize)>;
    type Fault = Infallible;
    /// Number of expanded states.
    type Scratch = u64;

    fn initial<'e>(&'e self, _: &'e mut u64, emit: Emit<'e, Self>) -> Result<(), Infallible> {
        let _ = emit(&(vec![0; self.processes], 0), None);
        Ok(())
    }

    fn successors<'e>(
        &'e self,
        expanded: &'e mut u64,
        (places, value): &State,
        emit: Emit<'e, Self>,
    ) -> Result<(), Infallible> {
        *expanded += 1;
        for process in 0..self.processes {
            for (number, (at, when, next, new)) in self.rules.iter().enumerate() {
                if (places[process], *value) == (*at, *when) {
                    let mut places = places.clone();
                    places[process] = *next;
                    if emit(&(places, *new), Some((process, number))).is_break() {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }
}

/// All permutations of the processes; the representative has its places in order.
struct Permutations(usize);

impl Symmetry for Permutations {
    type State = State;
    /// Where each process comes from.
    type Motion = Vec<usize>;
    type Scratch = ();

    fn identity(&self) -> Vec<usize> {
        (0..self.0).collect()
    }

    fn represent(&self, (): &mut (), state: &mut State) -> Vec<usize> {
        let mut from = self.identity();
        from.sort_by_key(|&process| state.0[process]);
        self.apply(&from, state);
        from
    }

    fn after_inverse(&self, second: &Vec<usize>, first: &Vec<usize>) -> Vec<usize> {
        let at = |process| first.iter().position(|&from| from == process).unwrap();
        second.iter().map(|&process| at(process)).collect()
    }

    fn apply(&self, from: &Vec<usize>, state: &mut State) {
        state.0 = from.iter().map(|&process| state.0[process]).collect();
    }
}

fn systems() -> impl Strategy<Value = Alike> {
    let rules = prop::collection::vec((0u8..3, 0u8..3, 0u8..3, 0u8..3), 1..8);
    (1usize..5, rules).prop_map(|(processes, rules)| Alike { processes, rules })
}

fn sorted((places, value): &State) -> State {
    let mut places = places.clone();
    places.sort_unstable();
    (places, *value)
}

/// Breadth-first search, with all states that it stored.
fn visit<T: TransitionSystem<State = State>>(
    worker: &mut Worker<'_, T>,
    goal: &State,
) -> (Report<State, T::Fault>, BTreeSet<State>) {
    let mut store = ExactStore::new();
    let mut is_goal = |state: &State| sorted(state) == *goal;
    let sought = Goal::state(&mut is_goal);
    let report = search(
        worker,
        &mut store,
        &mut Breadth::new(),
        sought,
        &Limits::default(),
    );
    let mut state = State::default();
    let ids = (0..store.stored() as u32).map(StateId);
    let states = ids.map(|id| {
        store.load(id, &mut state);
        state.clone()
    });
    (report, states.collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn representatives_answer_for_all_states(
        system in systems(),
        goal in (prop::collection::vec(0u8..3, 4), 0u8..3),
    ) {
        let goal = sorted(&(goal.0[..system.processes].to_vec(), goal.1));
        let (full, states) = visit(&mut Worker::new(&system, &mut 0), &goal);
        let symmetry = Permutations(system.processes);
        let quotient = Quotient::new(&system, &symmetry);
        let mut scratch = QuotientScratch::new(0, ());
        let (reduced, representatives) = visit(&mut Worker::new(&quotient, &mut scratch), &goal);
        let (Outcome::Found { path, .. }, Outcome::Found { path: short, .. }) = (&reduced.outcome, &full.outcome) else {
            prop_assert_eq!(reduced.outcome, Outcome::Exhausted);
            prop_assert_eq!(full.outcome, Outcome::Exhausted);
            prop_assert_eq!(representatives, states.iter().map(sorted).collect());
            return Ok(());
        };
        prop_assert_eq!(path.len(), short.len(), "distances are kept");

        let unfolded = quotient.unfold(&mut scratch, path).unwrap();
        let mut steps = Vec::new();
        follow(&mut Worker::new(&quotient, &mut scratch), path, |_, moved| steps.push(moved.step)).unwrap();
        prop_assert_eq!(&unfolded[0].state, &(vec![0; system.processes], 0));
        for (index, pair) in unfolded.windows(2).enumerate() {
            // The step of the quotient, moved, is one of the system.
            let (process, rule) = steps[index + 1].unwrap();
            let process = pair[1].motion.iter().position(|&from| from == process).unwrap();
            let mut target = None;
            system.successors(&mut 0, &pair[0].state, &mut |state, step| {
                if step == Some((process, rule)) {
                    target = Some(state.clone());
                }
                Flow::Continue(())
            }).unwrap();
            prop_assert_eq!(target.as_ref(), Some(&pair[1].state));
        }
        prop_assert_eq!(sorted(&unfolded.last().unwrap().state), goal);
    }
}

#[test]
fn paths_say_more_than_their_ordinals() {
    let system = Alike {
        processes: 2,
        rules: vec![(0, 0, 1, 0), (1, 0, 2, 1)],
    };
    let mut expanded = 0;
    let worker = &mut Worker::new(&system, &mut expanded);
    let mut steps = Vec::new();
    follow(worker, &[0, 1, 1], |state, step| {
        steps.push((state.clone(), step));
    })
    .unwrap();
    let expected = [
        ((vec![0, 0], 0), None),
        ((vec![0, 1], 0), Some((1, 0))),
        ((vec![0, 2], 1), Some((1, 1))),
    ];
    assert_eq!(steps, expected);
    assert!(replay(worker, &[0, 1, 2]).is_err(), "there is no third step");
    assert_eq!(expanded, 4, "the scratch is that of the caller");
}

#[test]
fn workers_of_several_threads_share_a_system_and_a_store() {
    let system = Alike {
        processes: 6,
        rules: vec![(0, 0, 1, 1), (1, 1, 2, 0), (2, 0, 0, 0), (0, 1, 2, 1)],
    };
    let store = Mutex::new(ExactStore::new());
    let mut initial = Vec::new();
    Worker::new(&system, &mut 0)
        .initial(&mut |state, _| {
            initial.push(store.insert(state));
            Flow::Continue(())
        })
        .unwrap();
    assert_eq!(initial, [Stored::New(StateId(0))]);
    // States are expanded in the order of their numbers; a thread that finds none waits for the others.
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let explore = || {
        let mut expanded = 0;
        let mut state = State::default();
        while done.load(Ordering::SeqCst) < store.stored() {
            let id = next.load(Ordering::SeqCst);
            if id >= store.stored()
                || next
                    .compare_exchange(id, id + 1, Ordering::SeqCst, Ordering::SeqCst)
                    .is_err()
            {
                std::thread::yield_now();
                continue;
            }
            assert!(SharedStore::load(&store, StateId(id as u32), &mut state));
            Worker::new(&system, &mut expanded)
                .successors(&state, &mut |state, _| {
                    store.insert(state);
                    Flow::Continue(())
                })
                .unwrap();
            done.fetch_add(1, Ordering::SeqCst);
        }
        expanded
    };
    let expanded: Vec<u64> = std::thread::scope(|scope| {
        let threads = [(); 4].map(|()| scope.spawn(explore));
        threads.map(|thread| thread.join().unwrap()).to_vec()
    });
    let (full, states) = visit(&mut Worker::new(&system, &mut 0), &(vec![9], 9));
    assert_eq!(full.outcome, Outcome::Exhausted);
    assert!(states.len() > 100, "{}", states.len());
    assert_eq!(SharedStore::stored(&store), states.len());
    assert_eq!(expanded.iter().sum::<u64>(), states.len() as u64);
}
