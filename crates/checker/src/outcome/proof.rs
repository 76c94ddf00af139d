//! A proof, and what was said of it.

use std::io;
use std::time::Duration;
use zonewalk_certificate::{Certificate, Claim, Columns, Header, Node, compress};
use zonewalk_reference::proof::Counts;
use zonewalk_report::verdict::certificate::CertificateInfo;

/// Reason where a proof has more nodes than are judged unasked.
pub(crate) const TOO_LARGE: &str = "too large to be judged unasked (--certify always)";

/// The states of a search that has explored everything.
#[derive(Clone, Debug)]
pub(crate) enum Gathered {
    /// As nodes.
    Nodes(Vec<Node>),
    /// They are more than are wanted.
    TooMany(usize),
}

/// A claim, with the states that prove it where the search has them.
#[derive(Clone, Debug)]
pub(crate) struct Evident {
    pub(crate) claim: Claim,
    pub(crate) states: Option<Gathered>,
}

/// The proof of an answer that rests on having explored everything.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The claim; `None` where certificates cannot express it.
    pub claim: Option<Claim>,
    /// How many nodes it has, where that is known.
    pub nodes: Option<usize>,
    /// Whether the judge of proofs has accepted it.
    pub judged: Judged,
    /// The certificate, where it was asked for.
    pub kept: Option<Box<KeptCertificate>>,
    /// How zonewalk contradicts itself, if it does.
    pub(crate) bug: Option<String>,
}

/// Judgement of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged {
    /// It was accepted.
    Accepted {
        /// Counts of what the judge had to look at.
        counts: Counts,
        /// For how long.
        took: Duration,
    },
    /// It was not judged, or not to the end, for this reason: half a sentence.
    Not(String),
}

/// A certificate, ready to be written.
#[derive(Clone, Debug)]
pub struct KeptCertificate {
    pub(crate) certificate: Certificate,
    pub(crate) columns: Columns,
}

impl Proof {
    /// One that was not judged.
    pub(crate) fn unjudged(claim: Option<Claim>, why: &str) -> Self {
        Proof {
            claim,
            nodes: None,
            judged: Judged::Not(why.to_owned()),
            kept: None,
            bug: None,
        }
    }

    /// One that has more nodes than are judged unasked.
    pub(crate) fn too_large(claim: Claim, nodes: usize) -> Self {
        Proof {
            nodes: Some(nodes),
            ..Proof::unjudged(Some(claim), TOO_LARGE)
        }
    }

    /// The proof in the figures of the report.
    pub(crate) fn to_info(&self) -> CertificateInfo {
        let (obligations, judge_s) = match &self.judged {
            Judged::Accepted { counts, took } => (Some(counts.obligations), took.as_secs_f64()),
            Judged::Not(_) => (None, 0.0),
        };
        CertificateInfo {
            claim: self.claim.as_ref().map(Claim::to_string),
            nodes: self.nodes.map(|nodes| nodes as u64),
            judged: self.is_judged(),
            obligations,
            judge_s,
            reason: self.reason().map(str::to_owned),
            ..CertificateInfo::default()
        }
    }

    /// Whether the judge has accepted it.
    pub fn is_judged(&self) -> bool {
        matches!(self.judged, Judged::Accepted { .. })
    }

    /// Why it was not judged.
    pub fn reason(&self) -> Option<&str> {
        match &self.judged {
            Judged::Accepted { .. } => None,
            Judged::Not(why) => Some(why),
        }
    }
}

impl KeptCertificate {
    /// The bytes of a file: text, or what `gzip` makes of it.
    ///
    /// # Errors
    /// A node that does not have the shape of the model, which would be a bug.
    pub fn to_bytes(&self, header: Header, is_compressed: bool) -> io::Result<Vec<u8>> {
        let certificate = Certificate {
            header,
            ..self.certificate.clone()
        };
        let text = certificate.to_text(&self.columns)?;
        Ok(if is_compressed { compress(&text) } else { text })
    }
}
