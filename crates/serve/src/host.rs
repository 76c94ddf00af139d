//! Services that the server expects from its host.

use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use zonewalk_checker::Control;
use zonewalk_checker::load::Loaded;
use zonewalk_report::trace::Trace;

/// Loads the model and decides its queries.
pub trait Host: Send + Sync + 'static {
    /// The model as it is now.
    ///
    /// # Errors
    /// Errors in it.
    fn load(&self) -> Result<Loaded, LoadFailure>;

    /// Loads the model with one formula in place of its queries.
    ///
    /// # Errors
    /// Errors in it.
    fn load_with(&self, formula: &str) -> Result<Loaded, LoadFailure>;

    /// Stamp that changes with the model; `None` if the model cannot change.
    fn stamp(&self) -> Option<Stamp>;

    /// Decides the query with this index among those of the model.
    fn check(&self, loaded: &Loaded, index: usize, control: &Arc<Control>) -> Checked;

    /// Where a search stands, in parts of a line.
    fn progress(&self, control: &Control, elapsed: Duration) -> Vec<String>;

    /// A trace as a document: that of a run of the present model.
    fn document(&self, loaded: &Loaded, query: Option<&str>, trace: &Trace) -> Vec<u8>;
}

/// Why there is no model.
#[derive(Clone, Debug)]
pub struct LoadFailure {
    /// With places, as text.
    pub message: String,
}

/// Times and lengths of the model's files, which differ after a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stamp(pub Vec<Option<(std::time::SystemTime, u64)>>);

/// Result of checking a query.
#[derive(Clone, Debug)]
pub struct Checked {
    /// As in the documents of `zonewalk check --format json`.
    pub result: Value,
    /// As text.
    pub text: String,
    /// The run that shows it.
    pub trace: Option<Trace>,
}
