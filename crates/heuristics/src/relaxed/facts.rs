//! Facts of a layer: the values each cell may have, with their causes.

use super::problem::NONE;
use rustc_hash::FxHashMap;

/// A cell may have a value from some layer on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fact {
    pub(super) cell: u32,
    pub(super) value: i32,
    pub(super) layer: u32,
    /// How it came about; [`NONE`] for what holds from the beginning.
    pub(super) cause: u32,
    /// The sum of the layers of what that needed.
    cost: u32,
}

/// How a fact comes about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cause {
    /// The edge instance; [`NONE`] for `before_update` and `after_update`.
    pub(super) edge: u32,
    /// Partner of the edge; [`NONE`] if no particular one.
    pub(super) partner: u32,
    /// The facts that the value was computed from.
    pub(super) operands: (u32, u32),
}

/// A cause that is written down only if it is wanted.
pub(super) struct Proposal<'a> {
    pub(super) edge: u32,
    pub(super) partner: u32,
    /// Facts, or [`NONE`].
    pub(super) operands: &'a [u32],
    /// The sum of the layers of what it needs.
    pub(super) cost: u32,
    /// Some operand came about in the same layer.
    pub(super) is_passed: bool,
    pub(super) made: Option<u32>,
}

/// The values of a cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    /// In the order in which they came, with their facts.
    pub(super) list: Vec<(i32, u32)>,
    /// Number of listed values that hold in the present layer.
    pub(super) visible: u32,
    /// The fact that it may have any value at all, or [`NONE`].
    pub(super) any: u32,
    /// Bit `v`: whether `v` holds in the present layer, for the most frequent values.
    mask: u64,
    /// Bit `v`: whether `v` holds in the present or the next layer.
    next_mask: u64,
}

/// A cell that a projection removes: it may have any value of a range at any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Free {
    pub(crate) cell: u32,
    /// The smallest and the largest of its values, if there are not too many; `None` allows any value. Locations have a range.
    pub(crate) range: Option<(i32, i32)>,
}

/// A cell with more values than this may have any.
const MOST_VALUES: usize = 1024;

/// All facts of an evaluation.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    pub(super) all: Vec<Fact>,
    /// By cell.
    pub(super) cells: Vec<Values>,
    /// Facts of values outside the masks, by cell and value.
    others: FxHashMap<(u32, i32), u32>,
    pub(super) causes: Vec<Cause>,
    pub(super) operands: Vec<u32>,
    /// Facts from here on are new in the next layer.
    pub(super) fresh: usize,
    pub(super) layer: u32,
}

fn bit(value: i32) -> Option<u64> {
    (0..64).contains(&value).then(|| 1 << value)
}

impl Facts {
    pub(super) fn new(cells: usize) -> Facts {
        Facts {
            cells: vec![Values::default(); cells],
            ..Facts::default()
        }
    }

    /// Begins with one value for each of some cells.
    pub(super) fn begin(&mut self, cells: &[u32], discrete: &[i32]) {
        self.all.clear();
        self.others.clear();
        self.causes.clear();
        self.operands.clear();
        (self.fresh, self.layer) = (0, 0);
        for &cell in cells {
            let value = discrete.get(cell as usize).copied().unwrap_or(0);
            let number = self.all.len() as u32;
            let values = &mut self.cells[cell as usize];
            values.list.clear();
            values.list.push((value, number));
            (values.visible, values.any) = (1, NONE);
            (values.mask, values.next_mask) = (0, 0);
            match bit(value) {
                Some(bit) => (values.mask, values.next_mask) = (bit, bit),
                None => {
                    self.others.insert((cell, value), number);
                }
            }
            self.start(cell, value);
        }
    }

    /// Some cells may have any of their values from the beginning; without a range any value at all. Requires: what holds from
    /// the beginning has just been laid down.
    pub(super) fn release(&mut self, free: &[Free]) {
        for free in free {
            let first = self.all.len() as u32;
            let values = &mut self.cells[free.cell as usize];
            let Some((low, high)) = free.range else {
                values.any = first;
                self.start(free.cell, 0);
                continue;
            };
            let known = values.list[0].0;
            for (value, number) in (low..=high).filter(|&value| value != known).zip(first..) {
                let values = &mut self.cells[free.cell as usize];
                values.list.push((value, number));
                match bit(value) {
                    Some(bit) => {
                        values.mask |= bit;
                        values.next_mask |= bit;
                    }
                    None => {
                        self.others.insert((free.cell, value), number);
                    }
                }
                self.start(free.cell, value);
            }
            let values = &mut self.cells[free.cell as usize];
            values.visible = values.list.len() as u32;
        }
    }

    /// A fact of the first layer.
    fn start(&mut self, cell: u32, value: i32) {
        self.all.push(Fact {
            cell,
            value,
            layer: 0,
            cause: NONE,
            cost: 0,
        });
    }

    /// Makes what is new visible; returns where it begins and ends.
    pub(super) fn advance(&mut self) -> std::ops::Range<usize> {
        let fresh = self.fresh..self.all.len();
        for fact in &self.all[fresh.clone()] {
            let values = &mut self.cells[fact.cell as usize];
            values.visible = values.list.len() as u32;
            values.mask = values.next_mask;
        }
        self.fresh = self.all.len();
        fresh
    }

    /// Whether a cell may have any value, in the present layer or, with `ahead`, the next.
    #[inline]
    pub(super) fn any(&self, cell: u32, ahead: bool) -> Option<u32> {
        let fact = self.cells[cell as usize].any;
        (fact != NONE && (ahead || self.all[fact as usize].layer <= self.layer)).then_some(fact)
    }

    /// The fact that a cell may have a value, if there is one; that it may have any, where it has too many.
    pub(super) fn find(&self, cell: u32, value: i32) -> Option<u32> {
        let values = &self.cells[cell as usize];
        let found = match bit(value) {
            Some(bit) if values.next_mask & bit == 0 => None,
            Some(_) => values.list.iter().find(|v| v.0 == value).map(|v| v.1),
            None => self.others.get(&(cell, value)).copied(),
        };
        found.or(Some(values.any).filter(|&any| any != NONE))
    }

    fn cause(&mut self, proposal: &mut Proposal<'_>) -> u32 {
        *proposal.made.get_or_insert_with(|| {
            let start = self.operands.len() as u32;
            for &fact in proposal.operands.iter().filter(|fact| **fact != NONE) {
                self.operands.push(fact);
            }
            self.causes.push(Cause {
                edge: proposal.edge,
                partner: proposal.partner,
                operands: (start, self.operands.len() as u32),
            });
            self.causes.len() as u32 - 1
        })
    }

    /// A value of a cell holds in the next layer. Returns the fact if it did not hold before that.
    pub(super) fn add(&mut self, cell: u32, value: i32, cause: &mut Proposal<'_>) -> Option<u32> {
        let next = self.layer + 1;
        let values = &self.cells[cell as usize];
        let known = match bit(value) {
            Some(bit) if values.mask & bit != 0 => return None,
            Some(bit) if values.next_mask & bit == 0 => None,
            Some(_) => {
                let ahead = &values.list[values.visible as usize..];
                ahead.iter().find(|v| v.0 == value).map(|v| v.1)
            }
            None => self.others.get(&(cell, value)).copied(),
        };
        if let Some(known) = known {
            if self.all[known as usize].layer < next {
                return None;
            }
            self.improve(known, cause);
            return Some(known);
        }
        if values.any != NONE {
            let any = values.any;
            if self.all[any as usize].layer < next {
                return None;
            }
            self.improve(any, cause);
            return Some(any);
        }
        if values.list.len() >= MOST_VALUES {
            return self.add_any(cell, cause);
        }
        let number = self.all.len() as u32;
        let values = &mut self.cells[cell as usize];
        values.list.push((value, number));
        match bit(value) {
            Some(bit) => values.next_mask |= bit,
            None => {
                self.others.insert((cell, value), number);
            }
        }
        self.push(cell, value, cause);
        Some(number)
    }

    /// A cell may have any value in the next layer. Returns the fact if that is new there.
    pub(super) fn add_any(&mut self, cell: u32, cause: &mut Proposal<'_>) -> Option<u32> {
        let known = self.cells[cell as usize].any;
        if known != NONE {
            return (self.all[known as usize].layer > self.layer).then_some(known);
        }
        let number = self.all.len() as u32;
        self.cells[cell as usize].any = number;
        self.push(cell, 0, cause);
        Some(number)
    }

    fn push(&mut self, cell: u32, value: i32, proposal: &mut Proposal<'_>) {
        let cause = self.cause(proposal);
        self.all.push(Fact {
            cell,
            value,
            layer: self.layer + 1,
            cause,
            cost: proposal.cost,
        });
    }

    /// Replaces the cause of a fact if the proposal is cheaper. Of several causes in one layer, the one with the earliest facts
    /// wins; ties go to the first. A cause that needs a fact of the same layer replaces none, so that no fact supports itself.
    fn improve(&mut self, fact: u32, proposal: &mut Proposal<'_>) {
        if proposal.cost < self.all[fact as usize].cost && !proposal.is_passed {
            let cause = self.cause(proposal);
            let fact = &mut self.all[fact as usize];
            (fact.cause, fact.cost) = (cause, proposal.cost);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<Fact>()
            + self.cells.len() * (size_of::<Values>() + 16)
            + self.causes.capacity() * size_of::<Cause>()
            + 4 * self.operands.capacity()
            + 24 * self.others.capacity()
    }
}
