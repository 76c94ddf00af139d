//! Several orders in turn: greedy search by an expensive estimate, and two that do without.

use crate::estimate::{Counters, Heuristic};
use crate::guide::Directed;
use zonewalk_search::{
    Balanced, GeneratedState, Guide, Ledger, NOWHERE, Rank, Side, StateId, StateSet, Stored,
    TransitionSystem, Verdict, Waits,
};
use zonewalk_symbolic::effort;
use zonewalk_symbolic::graph::Step;
use zonewalk_symbolic::state::ZoneState;
use zonewalk_zones::Word;

/// Alternation of orders (Röger, Helmert: The more, the merrier: combining heuristic estimators for satisficing planning, ICAPS 2010), with turns
/// by effort: where an estimate costs as much as a thousand successors, a turn of one state each would leave nothing for the others.
///
/// One side is a greedy search as it is alone, with its queues. The others are led by a cheap estimate, one by
/// types, one depth first ([`Side`]). All have the same store, and each its own states: a state that another side has found is
/// new to this one when this one reaches it. So none is led astray by others, and all that is found is found by one of them.
pub struct Alternation<'r, H, C, W = i32> {
    informed: Directed<'r, H, W>,
    cheap: C,
    ledger: Ledger,
    /// By side: the states that it knows.
    known: [StateSet; Side::ALL.len()],
    /// The ranks of new states for the informed side.
    ranks: Vec<(StateId, Rank)>,
}

impl<'r, W: Word, H: Heuristic<W>, C: Heuristic<W>> Alternation<'r, H, C, W> {
    /// The guide, and the frontier that it needs.
    pub fn new(informed: Directed<'r, H, W>, cheap: C, seed: u64) -> (Self, Balanced) {
        let ledger = Ledger::default();
        let frontier = Balanced::new(ledger.clone(), seed);
        let guide = Alternation {
            informed,
            cheap,
            ledger,
            known: Default::default(),
            ranks: Vec::new(),
        };
        (guide, frontier)
    }

    /// Number of pruned states.
    pub fn pruned(&self) -> u64 {
        self.informed.pruned()
    }

    /// Counters of all estimators together.
    pub fn counters(&self) -> Counters {
        let (dear, cheap) = (self.informed.heuristic.counters(), self.cheap.counters());
        Counters {
            evaluations: dear.evaluations + cheap.evaluations,
            cache_hits: dear.cache_hits + cheap.cache_hits,
            abstract_states: dear.abstract_states + cheap.abstract_states,
        }
    }

    /// Where a state waits that is new to a side, or that it leads nowhere. An initial state is new to all.
    fn place<T>(&mut self, met: &GeneratedState<'_, '_, T>) -> Verdict<Waits>
    where
        T: for<'s> TransitionSystem<State = ZoneState<W>, Step<'s> = Step<'s>> + ?Sized,
    {
        let turn = self.ledger.turn();
        let is_wanted = |side: Side| met.parent.is_none() || side == turn;
        let mut waits: Waits = Default::default();
        if is_wanted(Side::Informed) {
            let before = self.informed.heuristic.effort();
            let verdict = self.informed.rank(met);
            self.ledger.spend(self.informed.heuristic.effort() - before);
            match verdict {
                Verdict::Keep(rank) => waits[Side::Informed as usize] = Some(rank.priority),
                Verdict::LeaveOut { is_safe } => return Verdict::LeaveOut { is_safe },
            }
        }
        if is_wanted(Side::Types) || is_wanted(Side::Deep) {
            let cheap = self.cheap.estimate(met.state);
            if cheap.is_infinite() && self.informed.prunes() {
                self.informed.count_pruned();
                return Verdict::LeaveOut { is_safe: true };
            }
            let priority = cheap.number().unwrap_or(NOWHERE);
            for side in [Side::Types, Side::Deep]
                .into_iter()
                .filter(|&side| is_wanted(side))
            {
                waits[side as usize] = Some(priority.into());
            }
        }
        Verdict::Keep(waits)
    }

    fn informed_arrives<T>(&mut self, parent: Option<StateId>, at: Stored)
    where
        T: for<'s> TransitionSystem<State = ZoneState<W>, Step<'s> = Step<'s>> + ?Sized,
    {
        <Directed<'_, H, W> as Guide<T>>::on_stored(&mut self.informed, parent, at);
    }
}

impl<T, H, C, W> Guide<T> for Alternation<'_, H, C, W>
where
    T: for<'s> TransitionSystem<State = ZoneState<W>, Step<'s> = Step<'s>> + ?Sized,
    H: Heuristic<W>,
    C: Heuristic<W>,
    W: Word,
{
    type Rank = Waits;
    const RANKS_TOGETHER: bool = true;

    fn on_generated(&mut self, met: &GeneratedState<'_, '_, T>) {
        self.ledger.spend(effort::of_successor(met.state));
        if self.ledger.turn() == Side::Informed {
            self.informed.on_generated(met);
        }
    }

    fn rank(&mut self, met: &GeneratedState<'_, '_, T>) -> Verdict<Waits> {
        self.place(met)
    }

    fn requeue(&mut self, met: &GeneratedState<'_, '_, T>, covering: StateId) -> Option<Waits> {
        let turn = self.ledger.turn();
        if !self.known[turn as usize].insert(covering) {
            return None;
        }
        let Verdict::Keep(waits) = self.place(met) else {
            // Another side has stored it.
            self.informed.uncount_pruned();
            return None;
        };
        if turn == Side::Informed {
            self.informed_arrives::<T>(met.parent, Stored::New(covering));
        }
        Some(waits)
    }

    fn on_stored(&mut self, parent: Option<StateId>, at: Stored) {
        if let Stored::New(id) = at {
            let turn = self.ledger.turn();
            for side in Side::ALL {
                if parent.is_none() || side == turn {
                    self.known[side as usize].insert(id);
                }
            }
            if parent.is_none() || turn == Side::Informed {
                self.informed_arrives::<T>(parent, at);
            }
        }
    }

    fn rank_together(&mut self, new: &mut [(StateId, Waits)]) {
        let informed = Side::Informed as usize;
        let rank = |priority| Rank { queue: 0, priority };
        let mut ranks = std::mem::take(&mut self.ranks);
        ranks.clear();
        ranks.extend(
            new.iter()
                .filter_map(|(id, waits)| waits[informed].map(|p| (*id, rank(p)))),
        );
        <Directed<'_, H, W> as Guide<T>>::rank_together(&mut self.informed, &mut ranks);
        let waiting = new.iter_mut().filter_map(|(_, waits)| waits[informed].as_mut());
        for (priority, (_, settled)) in waiting.zip(&ranks) {
            *priority = settled.priority;
        }
        self.ranks = ranks;
    }

    fn before_expand(&mut self, id: StateId, state: &ZoneState<W>, depth: u32) -> Verdict {
        match self.ledger.turn() {
            Side::Informed => {
                <Directed<'_, H, W> as Guide<T>>::before_expand(&mut self.informed, id, state, depth)
            }
            Side::Types | Side::Deep => Verdict::Keep(()),
        }
    }

    fn bytes(&self) -> usize {
        let known: usize = self.known.iter().map(StateSet::bytes).sum();
        <Directed<'_, H, W> as Guide<T>>::bytes(&self.informed) + self.cheap.bytes() + known
    }
}
