//! Options for proofs: whether they are judged, and where they are written.

/// When the judge of proofs looks at the proof of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Certify {
    /// Where that costs little: see [`ProofOptions::MOST_NODES`] and [`ProofOptions::MOST_CELLS`].
    #[default]
    Auto,
    /// However large it is.
    Always,
    /// Never.
    Never,
}

/// Options for proofs: whether they are judged, and where they are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProofOptions {
    /// When they are judged.
    pub certify: Certify,
    /// Whether reports come with their certificates.
    pub keeps_certificates: bool,
}

impl ProofOptions {
    /// Largest number of nodes of a proof that is judged unasked. A count, so that it does not depend on the machine what is judged.
    pub const MOST_NODES: usize = 2_500;

    /// Largest product of its number of nodes and the square of its number of clocks, which is the size of a matrix.
    pub const MOST_CELLS: usize = 100_000;

    /// Never judges, and keeps nothing.
    pub const NONE: ProofOptions = ProofOptions {
        certify: Certify::Never,
        keeps_certificates: false,
    };

    /// The largest number of nodes that are judged.
    pub(crate) fn most_judged(&self, clocks: usize) -> usize {
        match self.certify {
            Certify::Auto => Self::MOST_NODES.min(Self::MOST_CELLS / clocks.pow(2).max(1)),
            Certify::Always => usize::MAX,
            Certify::Never => 0,
        }
    }

    /// The largest number of states that are made nodes.
    pub(crate) fn most_nodes(&self, clocks: usize) -> usize {
        if self.keeps_certificates {
            usize::MAX
        } else {
            self.most_judged(clocks)
        }
    }
}
