//! Record of a run, sufficient to compute it again.

/// An edge that took part in a transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The process.
    pub process: usize,
    /// The edge, among those of its template.
    pub edge: u32,
    /// The values that it selects.
    pub selected: Vec<i32>,
}

/// A transition of a recorded run.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedStep {
    /// When it was taken.
    pub time: f64,
    /// Participants: the initiator, then the receivers.
    pub edges: Vec<Taken>,
    /// Results of `random…()` in the updates of the step, in order.
    pub draws: Vec<f64>,
}

/// A recorded run.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Results of `random…()` in initial values.
    pub initial_draws: Vec<f64>,
    /// The transitions.
    pub steps: Vec<RecordedStep>,
    /// Between which instants clocks that are integrated went on straight, because transitions had come too fast.
    pub straight: Vec<(f64, f64)>,
    /// The longest that they could (`--discretization`).
    pub discretization: f64,
    /// When it ended.
    pub end: f64,
}

/// Collects a run.
#[derive(Default)]
pub(crate) struct Recorder {
    pub(crate) initial: Vec<f64>,
    steps: Vec<RecordedStep>,
    straight: Vec<(f64, f64)>,
}

impl Recorder {
    pub(crate) fn straight(&mut self, from: f64, to: f64) {
        self.straight.push((from, to));
    }

    pub(crate) fn transition(&mut self, time: f64, edges: Vec<Taken>, draws: Vec<f64>) {
        self.steps.push(RecordedStep { time, edges, draws });
    }

    pub(crate) fn finish(self, end: f64, discretization: f64) -> Record {
        Record {
            initial_draws: self.initial,
            steps: self.steps,
            straight: self.straight,
            discretization,
            end,
        }
    }
}
