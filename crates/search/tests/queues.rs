//! Queues beside plain lists that are searched for the next entry.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use zonewalk_search::{Alternation, Frontier, Preference, Queues, Rank, StateId, Ties, Turns};

/// Waiting states: queue, priority and number, in the order of arrival.
type Entry = (u32, u64, u32);

/// The place in the list of the entry that a queue gives next.
fn best(waiting: &[Entry], queue: u32, ties: Ties) -> usize {
    let of_queue = |entry: &(usize, &Entry)| entry.1.0 == queue;
    let entries = waiting.iter().enumerate().filter(of_queue);
    let key = |(index, entry): &(usize, &Entry)| (entry.1, *index);
    match ties {
        Ties::Oldest => entries.min_by_key(key).unwrap().0,
        Ties::Newest => {
            let key = |(index, entry): &(usize, &Entry)| (entry.1, std::cmp::Reverse(*index));
            entries.min_by_key(key).unwrap().0
        }
    }
}

/// Operations on queues: an arrival, or a removal.
#[derive(Clone, Debug)]
enum Event {
    Push(u32, u64),
    Pop,
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        (0u32..3, prop_oneof![0u64..4, Just(u64::MAX)]).prop_map(|(queue, value)| Event::Push(queue, value)),
        Just(Event::Pop),
    ];
    prop::collection::vec(event, 0..200)
}

/// Does it all, and compares with what `expected` says about the lists.
fn compare(
    events: &[Event],
    queues: &mut dyn Frontier<Rank>,
    ties: Ties,
    mut expected: impl FnMut(&[Entry]) -> u32,
) {
    let (mut waiting, mut number) = (Vec::new(), 0);
    let pops = std::iter::repeat_n(&Event::Pop, events.len());
    for event in events.iter().chain(pops) {
        match *event {
            Event::Push(queue, priority) => {
                queues.push(StateId(number), number * 2, Rank { queue, priority });
                waiting.push((queue, priority, number));
                number += 1;
            }
            Event::Pop if waiting.is_empty() => assert_eq!(queues.pop(), None),
            Event::Pop => {
                let queue = expected(&waiting);
                let (_, _, id) = waiting.remove(best(&waiting, queue, ties));
                assert_eq!(queues.pop(), Some((StateId(id), id * 2)));
            }
        }
        assert_eq!(queues.waiting(), waiting.len());
    }
}

proptest! {
    #[test]
    fn the_first_queue_with_a_state_is_preferred(events in events()) {
        for ties in [Ties::Oldest, Ties::Newest] {
            let first = |waiting: &[Entry]| waiting.iter().map(|entry| entry.0).min().unwrap();
            compare(&events, &mut Queues::new(Preference, ties), ties, first);
        }
    }

    #[test]
    fn queues_alternate_by_their_weights(events in events(), weights in prop::array::uniform3(1u32..4)) {
        // The turns that are left before the next queue has its own.
        let (mut at, mut left) = (0, weights[0]);
        let turn = |waiting: &[Entry]| {
            let holds = |queue| waiting.iter().any(|entry| entry.0 == queue);
            while left == 0 || !holds(at) {
                at = (at + 1) % 3;
                left = weights[at as usize];
            }
            left -= 1;
            at
        };
        compare(&events, &mut Queues::new(Alternation::new(&weights), Ties::Oldest), Ties::Oldest, turn);
    }

    #[test]
    fn a_state_in_several_queues_is_taken_once(
        places in prop::collection::vec(prop::array::uniform3(prop::option::of(0u64..5)), 0..60)
    ) {
        let places: &Vec<_> = &places.into_iter().filter(|place| place.iter().any(Option::is_some)).collect();
        let queues = &mut Queues::new(Alternation::default(), Ties::Oldest) as &mut dyn Frontier<[Option<u64>; 3]>;
        for (id, place) in (0..).zip(places) {
            queues.push(StateId(id), 0, *place);
        }
        let mut left: Vec<u32> = (0..places.len() as u32).collect();
        let mut turn = 2;
        while !left.is_empty() {
            prop_assert_eq!(queues.waiting(), left.len());
            // The next queue in which a state waits that none has taken.
            let in_queue = |queue: usize| left.iter().filter(move |id| places[**id as usize][queue].is_some());
            turn = (1..4).map(|i| (turn + i) % 3).find(|queue| in_queue(*queue).next().is_some()).unwrap();
            let next = *in_queue(turn).min_by_key(|id| (places[**id as usize][turn], **id)).unwrap();
            prop_assert_eq!(queues.pop(), Some((StateId(next), 0)));
            left.retain(|id| *id != next);
        }
        prop_assert_eq!((queues.pop(), queues.waiting()), (None, 0));
    }
}

#[test]
fn a_rule_that_names_no_queue_loses_no_state() {
    struct Wrong;
    impl Turns for Wrong {
        fn next(&mut self, sizes: &[usize]) -> usize {
            sizes.len()
        }
    }
    let queues = &mut Queues::new(Wrong, Ties::Oldest) as &mut dyn Frontier<Rank>;
    for queue in 0..3 {
        queues.push(StateId(queue), 0, Rank { queue, priority: 0 });
    }
    let taken = std::iter::from_fn(|| queues.pop()).map(|(id, _)| id.0);
    assert!(taken.eq(0..3));
}

#[test]
fn memory_grows_with_the_states_and_is_given_back() {
    let queues = &mut Queues::new(Preference, Ties::Oldest) as &mut dyn Frontier<Rank>;
    let before = queues.bytes();
    for id in 0..10_000 {
        let priority = u64::from(id % 10);
        queues.push(StateId(id), 0, Rank { queue: 0, priority });
    }
    let full = queues.bytes();
    assert!(full >= before + 80_000 && full < before + 300_000, "{full}");
    while queues.pop().is_some() {}
    // Room for one bucket is kept.
    assert!(queues.bytes() < full / 5, "{}", queues.bytes());
}
