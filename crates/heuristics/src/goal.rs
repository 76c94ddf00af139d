//! The goal of a search in the form that estimates need.

use zonewalk_network::constraint::Condition;
use zonewalk_network::ids::{LocationId, ProcessId};
use zonewalk_network::{Network, Node, NodeId, Predicate};

/// Maximal number of atoms examined; anything beyond counts as true.
pub const MOST_ATOMS: usize = 4096;

/// A predicate or its negation: negations stand at the leaves, and the locations that one process is wanted in under one
/// conjunction or disjunction are one set.
///
/// Whatever estimates ignore counts as true here: bounds on clocks, deadlocks, and what is too large. So it holds wherever
/// the predicate does, and estimates of ways to it are estimates of ways to the predicate.
#[derive(Clone, Debug)]
pub struct GoalFormula {
    parts: Vec<Part>,
    root: PartId,
    atoms: usize,
    is_cut: bool,
}

/// Index of a part, for [`GoalFormula::part`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartId(u32);

impl PartId {
    /// As an index into [`GoalFormula::parts`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A part of a goal.
#[derive(Clone, Debug)]
pub enum Part {
    /// True, or not examined; or false.
    Constant(bool),
    /// All of them; none is a conjunction, and no two of them are about the locations of the same process.
    And(Vec<PartId>),
    /// One of them; none is a disjunction, and no two of them are about the locations of the same process.
    Or(Vec<PartId>),
    /// A process is in one of some locations.
    At(Locations),
    /// A condition on data.
    Data {
        /// The condition, for [`Network::global_context`].
        condition: Condition,
        /// Value that the goal requires.
        is: bool,
        /// The cells that it reads, locations included.
        reads: Vec<u32>,
    },
}

/// Some locations of a process: neither none nor all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locations {
    /// The process.
    pub process: ProcessId,
    /// By location: whether it is one of them.
    pub members: Vec<bool>,
}

impl Locations {
    /// Whether a location, as memory holds it, is one of them.
    #[inline]
    pub fn contains(&self, location: i32) -> bool {
        self.members.get(location as usize).copied().unwrap_or(false)
    }
}

/// Whether all parts or one of them must hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    All,
    One,
}

/// A goal while it is made: children are owned, so that they can be merged.
enum Tree {
    Constant(bool),
    List(Kind, Vec<Tree>),
    At(Locations),
    Data {
        condition: Condition,
        is: bool,
        reads: Vec<u32>,
    },
}

impl GoalFormula {
    /// The states in which `predicate` holds, or those in which it does not (for `A[] p`).
    pub fn new(network: &Network, predicate: &Predicate, holds: bool) -> GoalFormula {
        let mut reader = Reader {
            network,
            predicate,
            sizes: sizes(predicate),
            left: MOST_ATOMS,
            is_cut: false,
        };
        let tree = reader.read(predicate.root, holds);
        let mut goal = GoalFormula {
            parts: Vec::new(),
            root: PartId(0),
            atoms: MOST_ATOMS - reader.left,
            is_cut: reader.is_cut,
        };
        goal.root = goal.add(tree);
        goal
    }

    /// The whole.
    pub fn root(&self) -> PartId {
        self.root
    }

    /// A part of it.
    #[inline]
    pub fn part(&self, id: PartId) -> &Part {
        &self.parts[id.index()]
    }

    /// All the parts, children before their parents.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Whether estimates do not look at any of it: it counts as true everywhere.
    pub fn is_everything(&self) -> bool {
        matches!(self.part(self.root), Part::Constant(true))
    }

    /// Number of evaluated atoms of the predicate.
    pub fn atoms(&self) -> usize {
        self.atoms
    }

    /// Whether some of it was too large and counts as true.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The parts of which all must hold; none is a conjunction.
    pub fn conjuncts(&self) -> &[PartId] {
        match self.part(self.root) {
            Part::And(list) => list,
            _ => std::slice::from_ref(&self.root),
        }
    }

    /// The processes whose locations a part is about, each once.
    pub fn processes(&self, id: PartId) -> Vec<ProcessId> {
        let mut found = Vec::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            match self.part(id) {
                Part::And(list) | Part::Or(list) => open.extend(list),
                Part::At(at) => found.push(at.process),
                Part::Constant(_) | Part::Data { .. } => {}
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn add(&mut self, tree: Tree) -> PartId {
        let part = match tree {
            Tree::Constant(truth) => Part::Constant(truth),
            Tree::At(at) => Part::At(at),
            Tree::Data { condition, is, reads } => Part::Data { condition, is, reads },
            Tree::List(kind, list) => {
                let list = list.into_iter().map(|t| self.add(t)).collect();
                match kind {
                    Kind::All => Part::And(list),
                    Kind::One => Part::Or(list),
                }
            }
        };
        self.parts.push(part);
        PartId(self.parts.len() as u32 - 1)
    }
}

/// By node: how many atoms are below it. Children come before their parents.
fn sizes(predicate: &Predicate) -> Vec<usize> {
    let mut sizes: Vec<usize> = Vec::with_capacity(predicate.nodes.len());
    for node in &predicate.nodes {
        let of = |id: &NodeId| sizes.get(id.0 as usize).copied().unwrap_or(0);
        let size = match node {
            Node::And(list) | Node::Or(list) => list.iter().map(of).fold(0, usize::saturating_add),
            Node::Not(inner) => of(inner),
            _ => 1,
        };
        sizes.push(size);
    }
    sizes
}

struct Reader<'a> {
    network: &'a Network,
    predicate: &'a Predicate,
    sizes: Vec<usize>,
    /// Atoms that may still be examined.
    left: usize,
    is_cut: bool,
}

impl Reader<'_> {
    // Nodes nest as deeply as the expression did, and that is bounded.
    fn read(&mut self, id: NodeId, is: bool) -> Tree {
        let predicate = self.predicate;
        let node = &predicate.nodes[id.0 as usize];
        let kind = match (node, is) {
            (Node::Not(inner), _) => return self.read(*inner, !is),
            (Node::And(_), true) | (Node::Or(_), false) => Kind::All,
            (Node::And(_), false) | (Node::Or(_), true) => Kind::One,
            _ => return self.leaf(node, is),
        };
        // A conjunction may lose some of its parts. A disjunction without one of them would hold too rarely.
        let size = self.sizes[id.0 as usize];
        if kind == Kind::One && size > self.left {
            self.is_cut = true;
            return Tree::Constant(true);
        }
        let (Node::And(list) | Node::Or(list)) = node else {
            return Tree::Constant(true);
        };
        let list = list.iter().map(|&n| self.read(n, is)).collect();
        self.joined(kind, list)
    }

    fn leaf(&mut self, node: &Node, is: bool) -> Tree {
        let Some(left) = self.left.checked_sub(1) else {
            self.is_cut = true;
            return Tree::Constant(true);
        };
        self.left = left;
        match node {
            Node::Constant(truth) => Tree::Constant(*truth == is),
            Node::At { process, location } => self.at(*process, *location, is),
            Node::Data { condition, reads, .. } => Tree::Data {
                condition: *condition,
                is,
                reads: self.network.sets.members(*reads).collect(),
            },
            _ => Tree::Constant(true),
        }
    }

    fn at(&self, process: ProcessId, location: LocationId, is: bool) -> Tree {
        let Some(home) = self.network.processes.get(process.index()) else {
            return Tree::Constant(!is);
        };
        let count = self.network.variants[home.variant as usize].locations.len();
        let members = (0..count).map(|l| (l == location.index()) == is).collect();
        located(Locations { process, members })
    }

    /// A list without lists of the same kind, constants, and several sets of locations of one process.
    fn joined(&self, kind: Kind, list: Vec<Tree>) -> Tree {
        let mut flat: Vec<Tree> = Vec::with_capacity(list.len());
        for tree in list {
            match tree {
                Tree::List(inner, parts) if inner == kind => flat.extend(parts),
                other => flat.push(other),
            }
        }
        let mut places: Vec<(ProcessId, usize)> = Vec::new();
        let mut kept: Vec<Tree> = Vec::with_capacity(flat.len());
        for tree in flat {
            let Tree::At(at) = tree else {
                kept.push(tree);
                continue;
            };
            // Long lists name each process once: the common case is a new one at the end.
            let found = match places.last() {
                Some(last) if last.0 < at.process => Err(places.len()),
                _ => places.binary_search_by_key(&at.process, |p| p.0),
            };
            match found {
                Ok(number) => {
                    if let Some(Tree::At(before)) = kept.get_mut(places[number].1) {
                        for (a, b) in before.members.iter_mut().zip(&at.members) {
                            *a = if kind == Kind::All { *a && *b } else { *a || *b };
                        }
                    }
                }
                Err(number) => {
                    places.insert(number, (at.process, kept.len()));
                    kept.push(Tree::At(at));
                }
            }
        }
        let decides = kind == Kind::One;
        let mut rest = Vec::with_capacity(kept.len());
        for tree in kept {
            let tree = match tree {
                Tree::At(at) => located(at),
                other => other,
            };
            match tree {
                Tree::Constant(truth) if truth == decides => return Tree::Constant(decides),
                Tree::Constant(_) => {}
                other => rest.push(other),
            }
        }
        match rest.len() {
            0 => Tree::Constant(!decides),
            1 => rest.remove(0),
            _ => Tree::List(kind, rest),
        }
    }
}

/// A set of locations, or a constant where that is the same.
fn located(at: Locations) -> Tree {
    match at.members.iter().filter(|m| **m).count() {
        0 => Tree::Constant(false),
        n if n == at.members.len() => Tree::Constant(true),
        _ => Tree::At(at),
    }
}
