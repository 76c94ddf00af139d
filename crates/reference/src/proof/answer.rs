//! Answers of the judge of proofs.

use std::fmt;
use std::num::NonZeroUsize;
use zonewalk_model::eval::FaultKind;

/// How much may be spent on a certificate.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Threads that share the nodes. The judgement does not depend on their number.
    pub threads: NonZeroUsize,
    /// Asked between nodes: whether to give up.
    pub stop: Option<&'a (dyn Fn() -> bool + Sync)>,
    /// Look at about this number of nodes only, spread over all of them: a sample can refuse, and cannot accept.
    pub sample: Option<NonZeroUsize>,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Limits {
            threads: NonZeroUsize::MIN,
            stop: None,
            sample: None,
        }
    }
}

/// The judge's answer about a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// All obligations are met: the claim holds.
    Accepted(Counts),
    /// An obligation is not met: the certificate proves nothing.
    Refused(Box<Refusal>),
    /// The model, the query or the claim has something that the judge does not cover: half a sentence.
    NotCovered(String),
    /// The judge was interrupted, or has looked at a sample and found nothing to object to.
    Stopped(Counts),
}

/// Counts of nodes and steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Nodes.
    pub nodes: u64,
    /// Transitions from nodes, by convex sets of states that they lead to.
    pub transitions: u64,
    /// Sets of states that had to lie in nodes.
    pub obligations: u64,
}

impl Counts {
    pub(crate) fn add(&mut self, other: Counts) {
        self.nodes += other.nodes;
        self.transitions += other.transitions;
        self.obligations += other.obligations;
    }
}

/// An obligation that is not met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Which one.
    pub obligation: Obligation,
    /// The node, by its number in the certificate from 0; `None` where none is to blame.
    pub node: Option<usize>,
    /// The objection, in a sentence without its full stop.
    pub message: String,
    /// States that are left over: locations, values and constraints, as in a certificate.
    pub left: Option<String>,
    /// One of these states.
    pub point: Option<String>,
    /// Whether the objection is that a value is read which a node leaves open.
    pub reads_open_value: bool,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "obligation {}", self.obligation)?;
        if let Some(node) = self.node {
            write!(f, ", node {}", node + 1)?;
        }
        write!(f, ": {}", self.message)?;
        if let Some(left) = &self.left {
            write!(f, ": {left}")?;
        }
        if let Some(point) = &self.point {
            write!(f, " (for instance {point})")?;
        }
        Ok(())
    }
}

/// Property that has to be shown of a certificate. `docs/certificates.md` says of each which states it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Obligation {
    /// The claim is one about the query.
    Claim,
    /// The nodes are of the model, with the fields that the claim needs.
    Nodes,
    /// Nothing that is evaluated fails, or depends on a value that is not specified.
    Evaluation,
    /// The initial state is in a node.
    Initial,
    /// Delays lead to nodes.
    Delay,
    /// Transitions lead to nodes.
    Transition,
    /// No node meets what is claimed to be unreachable.
    Goal,
    /// The values lie in the intervals that are claimed.
    Values,
    /// States from which the goal must be reached are in ranked nodes.
    Start,
    /// Delays that avoid the goal lead to nodes of no higher rank.
    Wait,
    /// Transitions that avoid the goal lead to nodes of a lower rank.
    Progress,
    /// Time does not pass for ever without the goal.
    Divergence,
    /// No run ends without the goal.
    Standstill,
}

impl Obligation {
    /// All of them.
    pub const ALL: [Obligation; 13] = [
        Obligation::Claim,
        Obligation::Nodes,
        Obligation::Evaluation,
        Obligation::Initial,
        Obligation::Delay,
        Obligation::Transition,
        Obligation::Goal,
        Obligation::Values,
        Obligation::Start,
        Obligation::Wait,
        Obligation::Progress,
        Obligation::Divergence,
        Obligation::Standstill,
    ];

    /// Its number in `docs/certificates.md`.
    pub fn number(self) -> u32 {
        self as u32 + 1
    }

    /// Its name in `docs/certificates.md`.
    pub fn name(self) -> &'static str {
        match self {
            Obligation::Claim => "claim",
            Obligation::Nodes => "nodes",
            Obligation::Evaluation => "evaluation",
            Obligation::Initial => "initial",
            Obligation::Delay => "delay",
            Obligation::Transition => "transition",
            Obligation::Goal => "goal",
            Obligation::Values => "values",
            Obligation::Start => "start",
            Obligation::Wait => "wait",
            Obligation::Progress => "progress",
            Obligation::Divergence => "divergence",
            Obligation::Standstill => "standstill",
        }
    }
}

impl fmt::Display for Obligation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.number(), self.name())
    }
}

/// Why the judge goes no further.
#[derive(Debug)]
pub(crate) enum Objection {
    Refused(Box<Refusal>),
    NotCovered(String),
    Stopped,
}

impl Objection {
    pub(crate) fn refused(obligation: Obligation, message: impl Into<String>) -> Self {
        Objection::Refused(Box::new(Refusal {
            obligation,
            node: None,
            message: message.into(),
            left: None,
            point: None,
            reads_open_value: false,
        }))
    }

    /// The objection with the node that it is about.
    pub(crate) fn of_node(mut self, number: usize) -> Self {
        if let Objection::Refused(refusal) = &mut self {
            refusal.node.get_or_insert(number);
        }
        self
    }
}

impl From<crate::error::Error> for Objection {
    /// Whatever cannot be evaluated leaves open what the states of a node do. A limit of the evaluation is no fault of theirs.
    fn from(error: crate::error::Error) -> Self {
        if let crate::error::Error::Fault { fault, .. } = &error
            && let FaultKind::Unsupported(construct) = &fault.kind
        {
            return Objection::NotCovered(construct.clone().into_owned());
        }
        let mut objection = Objection::refused(Obligation::Evaluation, error.to_string());
        if let (Objection::Refused(refusal), crate::error::Error::Fault { fault, .. }) =
            (&mut objection, &error)
        {
            refusal.reads_open_value = matches!(fault.kind, FaultKind::Unspecified);
        }
        objection
    }
}
