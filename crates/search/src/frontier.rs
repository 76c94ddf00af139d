//! The order in which waiting states are expanded.

use crate::store::StateId;
use zonewalk_numbers::Random;

/// Waiting states. The engine pushes the new successors of a state in their order, calls [`close`](Self::close), and
/// pops the state to expand next. Where in the frontier a state belongs is for a [guide](crate::Guide) to say; `()`
/// where the order of arrival decides alone.
pub trait Frontier<P = ()> {
    /// Adds a new state, met after this many steps.
    fn push(&mut self, id: StateId, depth: u32, rank: P);

    /// All new successors of one state (or all initial states) have been pushed.
    fn close(&mut self) {}

    /// The next state, with its depth. It may have been retired meanwhile.
    fn pop(&mut self) -> Option<(StateId, u32)>;

    /// Number of waiting states.
    fn waiting(&self) -> usize;

    /// Memory held.
    fn bytes(&self) -> usize;
}

/// Breadth-first: in order of generation, which is the order of the numbers, so that no queue is needed.
#[derive(Clone, Debug, Default)]
pub struct Breadth {
    next: u32,
    end: u32,
    depth: u32,
    /// The first state of the next level, if it has one yet.
    deeper: Option<u32>,
}

impl Breadth {
    /// An empty frontier.
    pub fn new() -> Self {
        Breadth::default()
    }
}

impl Frontier for Breadth {
    fn push(&mut self, id: StateId, depth: u32, (): ()) {
        debug_assert_eq!(id.0, self.end, "numbers are consecutive");
        if depth > self.depth && self.deeper.is_none() {
            self.deeper = Some(id.0);
        }
        self.end = id.0 + 1;
    }

    fn pop(&mut self) -> Option<(StateId, u32)> {
        if self.next == self.end {
            return None;
        }
        if self.deeper == Some(self.next) {
            self.deeper = None;
            self.depth += 1;
        }
        self.next += 1;
        Some((StateId(self.next - 1), self.depth))
    }

    fn waiting(&self) -> usize {
        (self.end - self.next) as usize
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }
}

/// States in stack order, four bytes each. A mark lies under the successors of each state, so that the number of
/// marks in the stack is the depth of what lies above them.
#[derive(Clone, Debug, Default)]
struct Stack {
    entries: Vec<u32>,
    marks: u32,
    /// Where the successors that are being pushed begin.
    open: Option<usize>,
}

const MARK: u32 = StateId::END;

impl Stack {
    fn push(&mut self, id: StateId) {
        if self.open.is_none() {
            self.entries.push(MARK);
            self.marks += 1;
            self.open = Some(self.entries.len());
        }
        self.entries.push(id.0);
    }

    /// The successors pushed last.
    fn close(&mut self) -> &mut [u32] {
        let start = self.open.take().unwrap_or(self.entries.len());
        &mut self.entries[start..]
    }

    fn pop(&mut self) -> Option<(StateId, u32)> {
        loop {
            match self.entries.pop()? {
                MARK => self.marks -= 1,
                id => return Some((StateId(id), self.marks - 1)),
            }
        }
    }

    fn waiting(&self) -> usize {
        self.entries.len() - self.marks as usize
    }

    fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<u32>()
    }
}

/// Depth-first: the first new successor of a state is expanded next, with all that follows from it, then the second.
#[derive(Clone, Debug, Default)]
pub struct Depth(Stack);

impl Depth {
    /// An empty frontier.
    pub fn new() -> Self {
        Depth::default()
    }
}

impl Frontier for Depth {
    fn push(&mut self, id: StateId, _: u32, (): ()) {
        self.0.push(id);
    }

    fn close(&mut self) {
        self.0.close().reverse();
    }

    fn pop(&mut self) -> Option<(StateId, u32)> {
        self.0.pop()
    }

    fn waiting(&self) -> usize {
        self.0.waiting()
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

/// Depth-first with the new successors of each state in random order.
#[derive(Clone, Debug)]
pub struct RandomDepth {
    stack: Stack,
    random: Random,
}

impl RandomDepth {
    /// An empty frontier that draws from this seed.
    pub fn new(seed: u64) -> Self {
        RandomDepth {
            stack: Stack::default(),
            random: Random::new(seed),
        }
    }
}

impl Frontier for RandomDepth {
    fn push(&mut self, id: StateId, _: u32, (): ()) {
        self.stack.push(id);
    }

    fn close(&mut self) {
        self.random.shuffle(self.stack.close());
    }

    fn pop(&mut self) -> Option<(StateId, u32)> {
        self.stack.pop()
    }

    fn waiting(&self) -> usize {
        self.stack.waiting()
    }

    fn bytes(&self) -> usize {
        self.stack.bytes()
    }
}
