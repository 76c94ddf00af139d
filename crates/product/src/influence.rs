//! Dependences between the variables that an update reads and writes, found by running it with all values of its variables.

use rustc_hash::FxHashMap;
use zonewalk_network::ids::{ClockId, InstanceId};
use zonewalk_network::vm::{Clocks, Code, run};
use zonewalk_network::{Context, Network};

/// An update is run with no more combinations of values than this.
const MOST_RUNS: u64 = 4096;
/// All updates together are run no more often than this.
const MOST_RUNS_IN_ALL: u64 = 1 << 20;
/// Stands in cells whose old value is never read, to tell whether they are written. No variable of a model has it by chance.
const UNWRITTEN: i32 = i32::MIN + 7;

/// Dependences within updates, over the possible values of variables. Shared by all patterns.
#[derive(Clone, Debug)]
pub struct Influences {
    /// By cell: smallest and largest value in any reachable state, where that is known.
    values: Vec<Option<(i32, i32)>>,
    /// Dependences of the updates that have been run. In the others, everything depends on every need.
    known: FxHashMap<InstanceId, Vec<Influence>>,
}

/// Cells and clocks that depend on a variable needed by an update.
#[derive(Clone, Debug)]
struct Influence {
    need: u32,
    cells: Vec<u32>,
    clocks: Vec<ClockId>,
    /// Whether the update fails depends on it.
    decides: bool,
}

/// A cell with the smallest and the largest of its values.
pub(crate) type Guess = (u32, i32, i32);

impl Influences {
    /// The influences in a network whose cells have no other values than these.
    pub fn new(network: &Network, values: Vec<Option<(i32, i32)>>) -> Influences {
        let mut influences = Influences {
            values,
            known: FxHashMap::default(),
        };
        let mut left = MOST_RUNS_IN_ALL;
        for number in (0..network.instances.len() as u32).map(InstanceId) {
            if network.sets.get(network.instance(number).update_needs).is_empty() {
                continue;
            }
            if let Some(runs) = Runs::new(network, number, &influences)
                && runs.count <= left
            {
                left -= runs.count;
                influences.known.insert(number, runs.influences());
            }
        }
        influences
    }

    /// The values that a cell may have.
    pub fn values(&self, cell: u32) -> Option<(i32, i32)> {
        self.values.get(cell as usize).copied().flatten()
    }

    /// The cells that what is kept depends on when an update is made.
    pub fn matter<'a>(
        &'a self,
        network: &'a Network,
        number: InstanceId,
        keeps: impl Fn(u32) -> bool + 'a,
        keeps_clock: impl Fn(ClockId) -> bool + 'a,
    ) -> Vec<u32> {
        let needs = network.sets.members(network.instance(number).update_needs);
        match self.known.get(&number) {
            None => needs.collect(),
            Some(known) => known
                .iter()
                .filter(|i| {
                    i.decides || i.cells.iter().any(|&c| keeps(c)) || i.clocks.iter().any(|&c| keeps_clock(c))
                })
                .map(|i| i.need)
                .collect(),
        }
    }
}

/// The runs of one update with all the values that it may meet.
struct Runs<'a> {
    network: &'a Network,
    number: InstanceId,
    context: Context,
    inputs: Vec<Guess>,
    /// Number of inputs that are variables; the others are free selects.
    needs: usize,
    count: u64,
}

impl<'a> Runs<'a> {
    /// `None` if they are too many, or not all values are known.
    fn new(network: &'a Network, number: InstanceId, influences: &Influences) -> Option<Runs<'a>> {
        let instance = network.instance(number);
        let context = network.instance_context(instance);
        let mut inputs: Vec<Guess> = Vec::new();
        for cell in network.sets.members(instance.update_needs) {
            let (lo, hi) = influences.values(cell)?;
            inputs.push((cell, lo, hi));
        }
        let needs = inputs.len();
        for select in network.edge(instance).selects.iter().filter(|s| !s.expanded) {
            inputs.push((context.address(select.cell) as u32, select.lo, select.hi));
        }
        Some(Runs {
            network,
            number,
            context,
            needs,
            count: combinations(&inputs).filter(|&count| count <= MOST_RUNS)?,
            inputs,
        })
    }

    fn influences(&self) -> Vec<Influence> {
        let network = self.network;
        let instance = network.instance(self.number);
        let cells: Vec<u32> = network.sets.members(instance.writes).collect();
        let clocks: Vec<ClockId> = network.sets.clocks(instance.clock_writes).collect();
        let outcomes: Vec<Option<Vec<i32>>> = each(&self.inputs)
            .map(|values| self.run(&values, &cells, &clocks))
            .collect();
        let mut influences = Vec::new();
        let mut stride = 1;
        for &(need, lo, hi) in &self.inputs[..self.needs] {
            let radix = (hi - lo + 1) as usize;
            let mut influence = Influence {
                need,
                cells: Vec::new(),
                clocks: Vec::new(),
                decides: false,
            };
            let mut differs = vec![false; cells.len() + clocks.len()];
            for (at, outcome) in outcomes.iter().enumerate() {
                let first = at - at / stride % radix * stride;
                match (outcome, &outcomes[first]) {
                    (Some(a), Some(b)) => {
                        for (flag, (a, b)) in differs.iter_mut().zip(a.iter().zip(b)) {
                            *flag |= a != b;
                        }
                    }
                    (None, None) => {}
                    _ => influence.decides = true,
                }
            }
            let named = cells.iter().zip(&differs).filter(|(_, d)| **d).map(|(c, _)| *c);
            influence.cells.extend(named);
            let named = clocks.iter().zip(&differs[cells.len()..]).filter(|(_, d)| **d);
            influence.clocks.extend(named.map(|(c, _)| *c));
            influences.push(influence);
            stride *= radix;
        }
        influences
    }

    /// Content of these cells and clocks after the update; `None` if it fails.
    fn run(&self, values: &[i32], cells: &[u32], clocks: &[ClockId]) -> Option<Vec<i32>> {
        let entry = self.network.edge(self.network.instance(self.number)).update?;
        let mut memory = self.network.memory();
        cells.iter().for_each(|&cell| memory[cell as usize] = UNWRITTEN);
        for (&(address, ..), &value) in self.inputs.iter().zip(values) {
            memory[address as usize] = value;
        }
        let mut set = SetClocks::default();
        let code = Code::new(&self.network.program, entry, &self.context);
        run(code, &mut memory, &mut set, &mut ()).ok()?;
        let of_clock = |clock: &ClockId| set.last(*clock).unwrap_or(UNWRITTEN);
        let of_cell = |cell: &u32| memory[*cell as usize];
        Some(
            cells
                .iter()
                .map(of_cell)
                .chain(clocks.iter().map(of_clock))
                .collect(),
        )
    }
}

/// Number of combinations of values.
pub(crate) fn combinations(of: &[Guess]) -> Option<u64> {
    of.iter().try_fold(1u64, |count, (_, lo, hi)| {
        count.checked_mul((i64::from(*hi) - i64::from(*lo) + 1).unsigned_abs())
    })
}

/// All combinations of values, the first changing fastest. Requires: there are not too many.
pub(crate) fn each(of: &[Guess]) -> impl Iterator<Item = Vec<i32>> + '_ {
    let first: Vec<i32> = of.iter().map(|guess| guess.1).collect();
    std::iter::successors(Some(first), move |values| {
        let mut next = values.clone();
        for (value, (_, lo, hi)) in next.iter_mut().zip(of) {
            if *value < *hi {
                *value += 1;
                return Some(next);
            }
            *value = *lo;
        }
        None
    })
}

/// The clocks that an update sets, one after the other.
#[derive(Default)]
pub(crate) struct SetClocks(Vec<(ClockId, i32)>);

impl SetClocks {
    /// Final value that a clock is set to.
    fn last(&self, clock: ClockId) -> Option<i32> {
        self.0.iter().rev().find(|set| set.0 == clock).map(|set| set.1)
    }

    /// Final values of the clocks that `keeps` selects, by clock.
    pub(crate) fn all(&self, keeps: impl Fn(ClockId) -> bool) -> Vec<(ClockId, i32)> {
        let mut clocks: Vec<ClockId> = self.0.iter().map(|set| set.0).filter(|&c| keeps(c)).collect();
        clocks.sort_unstable();
        clocks.dedup();
        let last = |clock| self.last(clock).map(|value| (clock, value));
        clocks.into_iter().filter_map(last).collect()
    }
}

impl Clocks for SetClocks {
    fn set(&mut self, clock: ClockId, value: i32) {
        self.0.push((clock, value));
    }

    /// Copies are not followed: processes that copy clocks are not asked.
    fn copy(&mut self, to: ClockId, from: ClockId, plus: i32) -> bool {
        self.0
            .push((to, plus.wrapping_mul(31).wrapping_add(from.0 as i32)));
        true
    }
}
