//! `dg`: distances of single processes, added up over those that never move together. Ours; it is at least `dL`, and never
//! too large.
//!
//! Three things make it sharper than `dL`. Edges that can never be taken do not count. A transition moves the processes of one
//! group alone, groups being the classes of "can take part in one transition" among the processes that the goal names; so
//! what the groups need adds up. And inside a group a transition moves at most a fixed number of them, so that the sum of their
//! distances falls by no more than that.

use crate::alive::{Channels, alive};
use crate::estimate::{Counters, Estimate, Estimator, Heuristic};
use crate::goal::{GoalFormula, Part, PartId};
use crate::local::Table;
use zonewalk_model::tree::Direction;
use zonewalk_network::Network;
use zonewalk_network::ids::{ChannelId, ProcessId};
use zonewalk_symbolic::state::ZoneState;
use zonewalk_zones::Word;

/// `dg`.
#[derive(Clone, Debug)]
pub struct GroupDistance<'n> {
    network: &'n Network,
    goal: GoalFormula,
    /// By part of the goal.
    tables: Vec<Option<Table>>,
    groups: Vec<Group>,
    /// Conjuncts that name no process.
    others: Vec<PartId>,
    memory: Vec<i32>,
    bytes: usize,
    evaluations: u64,
}

/// Processes of which a transition may move several, and what the goal asks of them.
#[derive(Clone, Debug)]
struct Group {
    conjuncts: Vec<PartId>,
    /// Number of its processes that one transition can move.
    together: u32,
}

/// Whether conditions on data count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Data {
    /// Not attributed to a group: one transition, of any group, may make several conditions true.
    Free,
    /// One that does not hold needs a transition.
    Counts,
}

impl<'n> GroupDistance<'n> {
    /// The distances to a goal.
    pub fn new(network: &'n Network, goal: &GoalFormula) -> GroupDistance<'n> {
        let channels = Channels::new(network);
        let alive = alive(network, &channels);
        let tables: Vec<Option<Table>> = goal
            .parts()
            .iter()
            .map(|part| match part {
                Part::At(at) => {
                    let home = network.processes.get(at.process.index())?;
                    let edges = home.instances.filter(|id| alive[id.index()]).map(|id| {
                        let edge = network.edge(network.instance(id));
                        (edge.source, edge.target)
                    });
                    Some(Table::new(&at.members, edges))
                }
                _ => None,
            })
            .collect();
        let (groups, others) = groups(network, goal, &channels, &alive);
        let bytes = tables.iter().flatten().map(Table::bytes).sum::<usize>()
            + tables.len() * size_of::<Option<Table>>()
            + 4 * network.layout.frame as usize;
        GroupDistance {
            network,
            goal: goal.clone(),
            tables,
            groups,
            others,
            memory: network.memory(),
            bytes,
            evaluations: 0,
        }
    }

    fn part(&mut self, id: PartId, data: Data, discrete: &[i32]) -> Estimate {
        match self.goal.part(id) {
            Part::Constant(true) => Estimate::ZERO,
            Part::Constant(false) => Estimate::INFINITE,
            Part::Data { condition, is, .. } => {
                let (condition, is) = (*condition, *is);
                if data == Data::Free {
                    return Estimate::ZERO;
                }
                let context = self.network.global_context();
                match condition.holds(&self.network.program, &context, &mut self.memory) {
                    Ok(holds) if holds == is => Estimate::ZERO,
                    // An error of the model is not a goal either.
                    _ => Estimate::finite(1),
                }
            }
            Part::At(at) => match (&self.tables[id.index()], discrete.get(at.process.index())) {
                (Some(table), Some(&location)) => table.get(location),
                _ => Estimate::ZERO,
            },
            Part::And(list) => {
                let mut most = Estimate::ZERO;
                for i in 0..list.len() {
                    most = most.max(self.part(self.child(id, i), data, discrete));
                }
                most
            }
            Part::Or(list) => {
                let mut least = Estimate::INFINITE;
                for i in 0..list.len() {
                    least = least.min(self.part(self.child(id, i), data, discrete));
                }
                least
            }
        }
    }

    fn child(&self, id: PartId, number: usize) -> PartId {
        match self.goal.part(id) {
            Part::And(list) | Part::Or(list) => list[number],
            _ => id,
        }
    }
}

impl Estimator for GroupDistance<'_> {
    fn is_admissible(&self) -> bool {
        true
    }

    fn name(&self) -> &'static str {
        "dg"
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn counters(&self) -> Counters {
        Counters {
            evaluations: self.evaluations,
            ..Counters::default()
        }
    }
}

impl<W: Word> Heuristic<W> for GroupDistance<'_> {
    fn estimate(&mut self, state: &ZoneState<W>) -> Estimate {
        self.evaluations += 1;
        let discrete = &state.discrete;
        self.memory[..discrete.len()].copy_from_slice(discrete);
        let mut sum = Estimate::ZERO;
        for number in 0..self.groups.len() {
            let (mut most, mut total) = (Estimate::ZERO, 0u64);
            for i in 0..self.groups[number].conjuncts.len() {
                let id = self.groups[number].conjuncts[i];
                let distance = self.part(id, Data::Free, discrete);
                most = most.max(distance);
                if matches!(self.goal.part(id), Part::At(_)) {
                    total += u64::from(distance.number().unwrap_or(0));
                }
            }
            let shared = total.div_ceil(u64::from(self.groups[number].together.max(1)));
            let shared = Estimate::finite(u32::try_from(shared).unwrap_or(u32::MAX));
            sum = sum.plus(most.max(shared));
        }
        if sum == Estimate::ZERO {
            // What is left is data: some transition is needed if they are not as they should be.
            for i in 0..self.others.len() {
                sum = sum.max(self.part(self.others[i], Data::Counts, discrete));
            }
            for number in 0..self.groups.len() {
                for i in 0..self.groups[number].conjuncts.len() {
                    let id = self.groups[number].conjuncts[i];
                    sum = sum.max(self.part(id, Data::Counts, discrete));
                }
            }
        }
        sum
    }
}

/// Classes of processes.
struct Classes {
    /// By process: another one of its class, or itself.
    of: Vec<u32>,
}

impl Classes {
    fn find(&mut self, mut process: u32) -> u32 {
        while self.of[process as usize] != process {
            let above = self.of[self.of[process as usize] as usize];
            self.of[process as usize] = above;
            process = above;
        }
        process
    }

    fn join(&mut self, a: ProcessId, b: ProcessId) {
        let (a, b) = (self.find(a.0), self.find(b.0));
        // The smaller one stands for both, so that groups are in the order of the processes.
        self.of[a.max(b) as usize] = a.min(b);
    }
}

/// Processes of the goal that can synchronise on a channel, each listed once.
#[derive(Clone, Debug, Default)]
struct Users {
    senders: Vec<ProcessId>,
    receivers: Vec<ProcessId>,
    members: Vec<ProcessId>,
}

fn groups(
    network: &Network,
    goal: &GoalFormula,
    channels: &Channels,
    alive: &[bool],
) -> (Vec<Group>, Vec<PartId>) {
    let named = goal.processes(goal.root());
    let mut users = vec![Users::default(); network.channels.len()];
    for &process in &named {
        let Some(home) = network.processes.get(process.index()) else {
            continue;
        };
        for id in home.instances.filter(|id| alive[id.index()]) {
            let Some((direction, on)) = channels.of(network, id) else {
                continue;
            };
            for channel in on {
                let users = &mut users[channel.index()];
                let list = match direction {
                    Direction::Send => &mut users.senders,
                    Direction::Receive => &mut users.receivers,
                    Direction::Together => &mut users.members,
                };
                if list.last() != Some(&process) {
                    list.push(process);
                }
            }
        }
    }
    let mut classes = Classes {
        of: (0..network.processes.len() as u32).collect(),
    };
    for (channel, users) in (0..).map(ChannelId).zip(&users) {
        let all = || users.senders.iter().chain(&users.receivers).chain(&users.members);
        let is_pair = !network.channels[channel.index()].broadcast && users.members.is_empty();
        // Two that send on the same channel to a third process never move together.
        if is_pair && (users.senders.is_empty() || users.receivers.is_empty()) {
            continue;
        }
        for pair in all().zip(all().skip(1)) {
            classes.join(*pair.0, *pair.1);
        }
    }
    // A disjunction belongs to all the groups that it names: they count as one.
    for &conjunct in goal.conjuncts() {
        for pair in goal.processes(conjunct).windows(2) {
            classes.join(pair[0], pair[1]);
        }
    }
    let mut together = vec![1u32; network.processes.len()];
    for (channel, users) in (0..).map(ChannelId).zip(&users) {
        let mut all: Vec<ProcessId> = [&users.senders[..], &users.receivers, &users.members].concat();
        all.sort_unstable();
        all.dedup();
        let Some(&first) = all.first() else { continue };
        let count = if network.channels[channel.index()].broadcast || !users.members.is_empty() {
            all.len()
        } else if users.senders.is_empty() || users.receivers.is_empty() {
            1
        } else {
            all.len().min(2)
        };
        let class = classes.find(first.0) as usize;
        together[class] = together[class].max(count as u32);
    }
    let mut numbers = vec![u32::MAX; network.processes.len()];
    let (mut groups, mut others): (Vec<Group>, Vec<PartId>) = (Vec::new(), Vec::new());
    for &conjunct in goal.conjuncts() {
        let Some(&process) = goal.processes(conjunct).first() else {
            others.push(conjunct);
            continue;
        };
        let class = classes.find(process.0) as usize;
        if numbers[class] == u32::MAX {
            numbers[class] = groups.len() as u32;
            groups.push(Group {
                conjuncts: Vec::new(),
                together: together[class],
            });
        }
        groups[numbers[class] as usize].conjuncts.push(conjunct);
    }
    (groups, others)
}
