//! A lower bound on the steps of a run to a goal: a run that has no more is a shortest one.
//!
//! The bound counts edges in the graphs of processes, whatever their guards say. A transition takes one edge without a channel, or
//! two edges that synchronise by a pair; so in half-steps, an edge without a channel counts two and one of a pair counts one, and the
//! half-steps of several processes add up. A broadcast moves any number of receivers, whose edges count nothing. What a goal says of
//! data needs one step if it does not hold from the beginning; what it says of clocks and deadlocks needs none.

use crate::goal::WalkGoal;
use crate::plan::WalkPlan;
use std::collections::{BTreeMap, btree_map::Entry};
use zonewalk_model::tree::Direction;
use zonewalk_network::Context;
use zonewalk_network::predicate::{Part, PartId};

/// Half-steps that no run has: the location cannot be reached.
const NEVER: u64 = 1 << 32;

/// No run to the goal has fewer steps.
pub fn fewest_steps(plan: &WalkPlan<'_>, goal: &WalkGoal) -> u64 {
    let network = plan.network;
    let mut bound = Bound {
        plan,
        goal,
        memory: network.memory().to_vec(),
        context: network.global_context(),
        known: BTreeMap::new(),
        has_broadcast: network.channels.iter().any(|channel| channel.broadcast),
    };
    bound.half_steps(goal.form().root).div_ceil(2)
}

/// Distances of a location, by the cost of an edge.
#[derive(Clone, Copy, Default)]
struct Away {
    /// Two for every edge: none is taken without a step.
    alone: u64,
    /// Half-steps that add up with those of other processes.
    shared: u64,
}

struct Bound<'a> {
    plan: &'a WalkPlan<'a>,
    goal: &'a WalkGoal,
    /// Variables of the initial state.
    memory: Vec<i32>,
    context: Context,
    /// By the variant of a process, where it begins, the location, and whether it should be there.
    known: BTreeMap<(u32, i32, i32, bool), Away>,
    has_broadcast: bool,
}

impl Bound<'_> {
    // Parts nest as deeply as the expression did.
    fn half_steps(&mut self, id: PartId) -> u64 {
        let goal = self.goal;
        match goal.form().part(id) {
            Part::And(list) => self.of_all(list),
            Part::Or(list) => {
                let each = list.iter().map(|&part| self.half_steps(part));
                each.min().unwrap_or(NEVER)
            }
            part @ Part::At { .. } => self.away(part).map_or(0, |(_, away)| away.alone),
            // What cannot be evaluated may hold anywhere.
            part @ Part::Data { .. } => {
                let truth = part.by_data(&self.plan.network.program, &self.context, &mut self.memory);
                if truth == Ok(Some(false)) { 2 } else { 0 }
            }
            Part::Constant(is_true) => {
                if *is_true {
                    0
                } else {
                    NEVER
                }
            }
            Part::Clock(_) | Part::Deadlock(_) => 0,
        }
    }

    /// The farthest of all parts, or what processes have to go that must be somewhere together.
    fn of_all(&mut self, list: &[PartId]) -> u64 {
        let mut farthest = 0;
        let mut shared: BTreeMap<u32, u64> = BTreeMap::new();
        for &id in list {
            let part = self.goal.form().part(id);
            match self.away(part) {
                Some((process, away)) => {
                    farthest = farthest.max(away.alone);
                    let most = shared.entry(process).or_default();
                    *most = (*most).max(away.shared);
                }
                None => farthest = farthest.max(self.half_steps(id)),
            }
        }
        let together = shared.values().sum();
        farthest.max(together).min(NEVER)
    }

    /// A process and how far it is from where a part wants it.
    fn away(&mut self, part: &Part) -> Option<(u32, Away)> {
        let Part::At {
            process,
            location,
            is,
        } = *part
        else {
            return None;
        };
        let variant = self.plan.network.processes[process.index()].variant;
        let start = self.memory[process.index()];
        let away = match self.known.entry((variant, start, location, is)) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let wanted = |at: usize| (at as i32 == location) == is;
                let alone = distance(self.plan, variant, start, wanted, |_| 2);
                let receiver = if self.has_broadcast { 0 } else { 1 };
                let shared = distance(self.plan, variant, start, wanted, |direction| match direction {
                    None => 2,
                    Some(Direction::Send) => 1,
                    Some(Direction::Receive) => receiver,
                    // Any number of processes take part.
                    Some(Direction::Together) => 0,
                });
                *entry.insert(Away { alone, shared })
            }
        };
        Some((process.0, away))
    }
}

/// The least cost of edges from a location of a variant to a wanted one.
fn distance(
    plan: &WalkPlan<'_>,
    variant: u32,
    start: i32,
    wanted: impl Fn(usize) -> bool,
    cost: impl Fn(Option<Direction>) -> u64,
) -> u64 {
    let variant = &plan.network.variants[variant as usize];
    let mut table: Vec<u64> = (0..variant.locations.len())
        .map(|at| if wanted(at) { 0 } else { NEVER })
        .collect();
    let mut is_changing = true;
    while is_changing {
        is_changing = false;
        for edge in &variant.edges {
            let step = cost(edge.sync.map(|sync| sync.direction));
            let through = table[edge.target.index()].saturating_add(step);
            let from = &mut table[edge.source.index()];
            if through < *from {
                (*from, is_changing) = (through, true);
            }
        }
    }
    let start = usize::try_from(start).unwrap_or(usize::MAX);
    table.get(start).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use zonewalk_model::tree::QueryKind;
    use zonewalk_network::NetworkBuilder;
    use zonewalk_testkit::xta;

    fn bound(text: &str, query: &str) -> u64 {
        let loaded = xta(text);
        let query = loaded.query(query).expect("a query");
        let (expr, wanted) = match query.kind {
            QueryKind::Reachable(expr) => (expr, true),
            QueryKind::Invariant(expr) => (expr, false),
            _ => panic!("not about states"),
        };
        let mut builder = NetworkBuilder::new(&loaded.model, &loaded.system).expect("a network");
        let predicate = builder.predicate(query.slots, &expr).expect("a predicate");
        let network = builder.finish();
        let plan = WalkPlan::new(&network);
        fewest_steps(&plan, &WalkGoal::new(&plan, &predicate, wanted))
    }

    const ALONE: &str = "int v; process P(const int[0,2] id) { state A, B, C; init A;
        trans A -> B { }, B -> C { guard v > 0; }, C -> A { }; } system P;";

    #[test]
    fn processes_that_move_alone_add_up() {
        assert_eq!(bound(ALONE, "E<> P(0).C"), 2);
        assert_eq!(bound(ALONE, "E<> P(0).C && P(1).C && P(2).B"), 5);
        assert_eq!(bound(ALONE, "E<> P(0).C || P(1).B"), 1);
        assert_eq!(bound(ALONE, "A[] !(P(0).C && !P(0).A)"), 2);
        assert_eq!(
            bound(
                ALONE,
                "A[] forall (i : int[0,2]) forall (j : int[0,2]) P(i).C && P(j).C imply i == j"
            ),
            4
        );
        assert_eq!(bound(ALONE, "E<> v == 1"), 1);
        assert_eq!(bound(ALONE, "E<> v == 0 || deadlock"), 0);
    }

    #[test]
    fn partners_move_together() {
        let text = |kind: &str| {
            format!(
                "{kind} c; process S(const int[0,3] id) {{ state A, B; init A; trans A -> B {{ sync c!; }}; }}
                 process R(const int[0,3] id) {{ state A, B; init A; trans A -> B {{ sync c?; }}; }} system S, R;"
            )
        };
        let all = "E<> (forall (i : int[0,3]) S(i).B) && (forall (i : int[0,3]) R(i).B)";
        assert_eq!(bound(&text("chan"), all), 4);
        assert_eq!(bound(&text("chan"), "E<> forall (i : int[0,3]) R(i).B"), 2);
        // One broadcast may move all receivers.
        assert_eq!(
            bound(&text("broadcast chan"), "E<> forall (i : int[0,3]) R(i).B"),
            1
        );
        assert_eq!(bound(&text("broadcast chan"), all), 2);
    }
}
