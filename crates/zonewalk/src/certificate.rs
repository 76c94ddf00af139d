//! Proofs of answers, and what the judge of proofs says of them.

use std::time::Duration;
use zonewalk_certificate::Header;
use zonewalk_checker as checker;

/// The proof of an answer that rests on having explored everything.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Certificate {
    /// The claim, as certificates have it; `None` where they cannot express it.
    pub claim: Option<String>,
    /// How many nodes it has, where that is known.
    pub nodes: Option<usize>,
    /// Whether the judge of proofs, who shares nothing with the engines, has accepted it.
    pub is_judged: bool,
    /// Sets of states that had to lie in nodes, where it was judged.
    pub obligations: Option<u64>,
    /// How long it was judged.
    pub judge_time: Duration,
    /// Why it was not judged.
    pub reason: Option<String>,
    kept: Option<Box<checker::KeptCertificate>>,
    pub(crate) header: Header,
}

impl Certificate {
    pub(crate) fn new(proof: checker::Proof) -> Self {
        let (obligations, judge_time) = match &proof.judged {
            checker::Judged::Accepted { counts, took } => (Some(counts.obligations), *took),
            checker::Judged::Not(_) => (None, Duration::ZERO),
        };
        Certificate {
            claim: proof.claim.as_ref().map(ToString::to_string),
            nodes: proof.nodes,
            is_judged: proof.is_judged(),
            obligations,
            judge_time,
            reason: proof.reason().map(str::to_owned),
            kept: proof.kept,
            header: Header::default(),
        }
    }

    /// The bytes of a file, which [`Model::judge`](crate::Model::judge) and `zonewalk judge` read: text, or what `gzip` makes of it.
    /// `None` unless [`Options::keep_certificates`](crate::Options::keep_certificates) asks for it.
    pub fn to_bytes(&self, is_compressed: bool) -> Option<Vec<u8>> {
        let kept = self.kept.as_deref()?;
        kept.to_bytes(self.header.clone(), is_compressed).ok()
    }
}

/// Judgement of a certificate by the judge of proofs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Judgement {
    /// Its claim holds.
    Accepted {
        /// How many nodes it has.
        nodes: u64,
        /// Sets of states that had to lie in nodes.
        obligations: u64,
    },
    /// It proves nothing.
    Refused {
        /// The name of the obligation that is not met, as in `docs/certificates.md`.
        obligation: &'static str,
        /// The line of the file, where the objection is about one.
        line: Option<usize>,
        /// The objection.
        message: String,
        /// States that are left over.
        left: Option<String>,
        /// One of these states.
        point: Option<String>,
    },
    /// The model, the query or the claim has something that the judge does not cover.
    NotCovered(String),
}

impl Judgement {
    pub(crate) fn new(judged: checker::JudgedCertificate) -> Self {
        match judged.judgement {
            checker::Judgement::Accepted(counts) => Judgement::Accepted {
                nodes: counts.nodes,
                obligations: counts.obligations,
            },
            checker::Judgement::Refused(refusal) => Judgement::Refused {
                obligation: refusal.obligation.name(),
                line: judged.line,
                message: refusal.message,
                left: refusal.left,
                point: refusal.point,
            },
            checker::Judgement::NotCovered(construct) => Judgement::NotCovered(construct),
            checker::Judgement::Stopped(_) => Judgement::NotCovered("an interrupted judgement".to_owned()),
        }
    }

    /// Whether the claim holds.
    pub fn is_accepted(&self) -> bool {
        matches!(self, Judgement::Accepted { .. })
    }
}
