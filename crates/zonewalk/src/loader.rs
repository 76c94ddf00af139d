//! How a model is loaded.

use crate::error::Error;
use crate::model::Model;
use std::path::{Path, PathBuf};
use zonewalk_checker::load::{QuerySource, Request, load_file, load_text};
use zonewalk_checker::{Combination, Sweep, SweepError};

/// Loads models, from files or from texts, with their queries and with other values of their constants.
///
/// ```
/// use zonewalk::Loader;
///
/// let text = "const int N = 2; process P(int[1, N] id) { state a; init a; } system P;";
/// let model = Loader::new()
///     .constant("N", 3)
///     .query("A[] not deadlock")
///     .load_text("counter.xta", text)?;
/// assert_eq!(model.queries().count(), 1);
/// # Ok::<(), zonewalk::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Loader {
    request: Request,
}

impl Loader {
    /// With the model's own queries; those of a file of the same name that ends in `.q`, if it has none.
    pub fn new() -> Self {
        Loader::default()
    }

    /// Gives a global constant of the model another value, as the language writes it.
    #[must_use]
    #[allow(
        clippy::needless_pass_by_value,
        reason = "numbers and texts are passed as they are"
    )]
    pub fn constant(mut self, name: impl Into<String>, value: impl ToString) -> Self {
        self.request.constants.push((name.into(), value.to_string()));
        self
    }

    /// A loader for every combination of a sweep, with the values that it gives to constants.
    ///
    /// ```
    /// use zonewalk::{Loader, Options, Sweep, Verdict};
    ///
    /// let text = "const int N = 2; int n; process P() { state a; init a; trans a -> a { guard n < N; assign n++; }; } system P;";
    /// let sweep = Sweep::new().range("N", 2..=4)?;
    /// for (constants, loader) in Loader::new().query("E<> n == 3").sweep(&sweep)? {
    ///     let report = loader.load_text("counter.xta", text)?.check(0, &Options::default())?;
    ///     assert_eq!(report.verdict == Verdict::Satisfied, constants[0].1 != "2");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The sweep has a constant that has a value already.
    pub fn sweep<'a>(
        &'a self,
        sweep: &'a Sweep,
    ) -> Result<impl ExactSizeIterator<Item = (Combination, Loader)> + 'a, SweepError> {
        let given = |name: &&str| self.request.constants.iter().any(|(given, _)| given == name);
        if let Some(name) = sweep.names().find(given) {
            return Err(SweepError::Twice {
                name: name.to_owned(),
            });
        }
        Ok(sweep.combinations().map(|constants| {
            let mut loader = self.clone();
            loader.request.constants.extend(constants.iter().cloned());
            (constants, loader)
        }))
    }

    /// Asks this query in place of those of the model. Several calls ask several.
    #[must_use]
    pub fn query(mut self, formula: impl Into<String>) -> Self {
        match &mut self.request.queries {
            QuerySource::Formulas(formulas) => formulas.push(formula.into()),
            queries => *queries = QuerySource::Formulas(vec![formula.into()]),
        }
        self
    }

    /// Estimates the queries, each of the form `Pr[bound](<> p)`, by importance splitting: the expression grows on the way to `p`, and
    /// its whole values are the levels.
    ///
    /// ```
    /// use zonewalk::{Loader, Options};
    ///
    /// let queue = "int n = 1;
    ///     process In() { state Go { ; 1 }; init Go; trans Go -> Go { guard n > 0 && n < 20; assign n++; }; }
    ///     process Out() { state Go { ; 2 }; init Go; trans Go -> Go { guard n > 0 && n < 20; assign n--; }; }
    ///     system In, Out;";
    /// let model = Loader::new().query("Pr[<=1000](<> n == 20)").levels("n").load_text("queue.xta", queue)?;
    /// let report = model.check(0, &Options::default())?;
    /// let [lo, hi] = report.estimate.and_then(|estimate| estimate.interval).expect("an interval");
    /// let exact = 1.0 / (f64::from(1 << 20) - 1.0);
    /// assert!(lo < exact && exact < hi);
    /// # Ok::<(), zonewalk::Error>(())
    /// ```
    #[must_use]
    pub fn levels(mut self, expression: impl Into<String>) -> Self {
        self.request.levels = Some(expression.into());
        self
    }

    /// Asks the queries of a file in place of those of the model.
    #[must_use]
    pub fn query_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.request.queries = QuerySource::File(path.into());
        self
    }

    /// Asks no queries.
    #[must_use]
    pub fn without_queries(mut self) -> Self {
        self.request.queries = QuerySource::Nothing;
        self
    }

    /// Loads the model in a file: `.xml` (UPPAAL), `.xta` or `.ta`.
    ///
    /// Expressions may nest 1,000 deep and are followed recursively: load models from strangers, and check them, on a thread with
    /// a stack of 256 MiB.
    ///
    /// # Errors
    /// The file or the file of queries cannot be read, or what they hold is malformed.
    pub fn load(&self, path: impl AsRef<Path>) -> Result<Model, Error> {
        load_file(path.as_ref(), &self.request)
            .map(|loaded| Model::new(*loaded))
            .map_err(Error::of_load)
    }

    /// Loads the model in a text. Messages call it `name`, and the ending of that says how to read it.
    ///
    /// # Errors
    /// The file of queries cannot be read, or the texts are malformed.
    pub fn load_text(&self, name: &str, text: &str) -> Result<Model, Error> {
        load_text(name, text.as_bytes(), &self.request)
            .map(|loaded| Model::new(*loaded))
            .map_err(Error::of_load)
    }
}

impl Model {
    /// Loads the model in a file with its own queries. [`Loader`] can do more.
    ///
    /// # Errors
    /// The file cannot be read, or what it holds is malformed.
    pub fn load(path: impl AsRef<Path>) -> Result<Model, Error> {
        Loader::new().load(path)
    }
}
