//! Bounds and numerical accuracy of runs.

/// Options of runs in doubles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Transitions of a run, at most.
    pub max_steps: u64,
    /// Transitions without time passing, at most; beyond it a run does not diverge.
    pub max_instant_steps: u64,
    /// Time of a run that is bounded otherwise, at most.
    pub max_time: f64,
    /// The step at which an integration begins (`--discretization`).
    pub discretization: f64,
    /// Error of one step of an integration, at most (`--truncation-error`). What is aimed at is a ten-thousandth of it.
    pub truncation_error: f64,
    /// Error of an integration per unit of time, at most (`--truncation-time-error`); likewise.
    pub truncation_time_error: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            max_steps: 100_000_000,
            max_instant_steps: 1_000_000,
            max_time: 1e9,
            discretization: 0.01,
            truncation_error: 0.01,
            truncation_time_error: 0.01,
        }
    }
}
