//! The proof of an answer that rests on having explored everything.

use super::text::{bytes, count, seconds};
use serde::Serialize;

/// The proof of an answer, and what the judge of proofs says of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CertificateInfo {
    /// The claim, as certificates have it; `null` where they cannot express it.
    pub claim: Option<String>,
    /// How many nodes it has; `null` where that is not known.
    pub nodes: Option<u64>,
    /// Whether the judge of proofs has accepted it.
    pub judged: bool,
    /// Sets of states that had to lie in nodes.
    pub obligations: Option<u64>,
    /// How long it was judged.
    pub judge_s: f64,
    /// Why it was not judged.
    pub reason: Option<String>,
    /// The file that has it.
    pub file: Option<String>,
    /// The size of that file.
    pub bytes: Option<u64>,
}

impl CertificateInfo {
    /// `proof of 2378 nodes judged in 60 ms`, `proof of 93210 nodes not judged: not asked for`
    pub fn in_words(&self) -> String {
        let is_of_bounds = self
            .claim
            .as_deref()
            .is_some_and(|claim| claim.starts_with("values"));
        let of = match self.nodes {
            Some(nodes) if is_of_bounds => format!("proof of the bounds by {}", count(nodes, "node")),
            Some(nodes) => format!("proof of {}", count(nodes, "node")),
            None => "proof".to_owned(),
        };
        format!("{of} {}", self.standing())
    }

    /// `2378 nodes, judged in 60 ms`
    pub fn in_figures(&self) -> String {
        match self.nodes {
            Some(nodes) => format!("{}, {}", count(nodes, "node"), self.standing()),
            None => self.standing(),
        }
    }

    fn standing(&self) -> String {
        match &self.reason {
            Some(why) => format!("not judged: {why}"),
            None => format!("judged in {}", seconds(self.judge_s)),
        }
    }

    /// `certificate in fischer.cert.gz, 12.3 KiB`
    pub fn place(&self) -> Option<String> {
        let file = self.file.as_deref()?;
        Some(match self.bytes {
            Some(size) => format!("certificate in {file}, {}", bytes(size)),
            None => format!("certificate in {file}"),
        })
    }
}
