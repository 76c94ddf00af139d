//! Evidence shown beside answers: automata, and runs repeated by the reference interpreter.

use crate::answer::answer;
use crate::build::{RunBuilder, model_of};
use crate::document::{self, Document, Model, Notice, Run};
use std::collections::BTreeMap;
use zonewalk_checker::load::Loaded;
use zonewalk_checker::replay_each;
use zonewalk_report::diagnostic::text::{Style, render};
use zonewalk_report::summary::Summary;
use zonewalk_report::trace::Trace;
use zonewalk_syntax::diagnostic::{Diagnostics, Severity};
use zonewalk_syntax::source::SourceMap;

/// The runs of one answer, or why there is none.
#[derive(Clone, Debug, Default)]
struct Shown {
    run: Option<usize>,
    fault: Option<usize>,
    without: Option<String>,
}

/// Collects it, answer by answer.
#[derive(Debug, Default)]
pub struct Evidence {
    model: Model,
    runs: Vec<Run>,
    /// By the number of the query.
    shown: BTreeMap<usize, Shown>,
    notices: Vec<Notice>,
}

impl Evidence {
    /// The automata of a model, before any run is known.
    pub fn of_model(loaded: &Loaded) -> Self {
        Evidence {
            model: model_of(&loaded.model, &loaded.system, &loaded.templates, Vec::new()),
            ..Evidence::default()
        }
    }

    /// The traces of an answer.
    pub fn add(&mut self, number: usize, query: &str, loaded: &Loaded, traces: [Option<&Trace>; 2]) {
        let mut shown = Shown::default();
        let [run, fault] = traces.map(|trace| trace.map(|trace| self.trace(query, loaded, trace)));
        for (place, run) in [(&mut shown.run, run), (&mut shown.fault, fault)] {
            match run {
                Some(Ok(number)) => *place = Some(number),
                Some(Err(why)) => shown.without = Some(why),
                None => {}
            }
        }
        self.shown.insert(number, shown);
    }

    /// A run from elsewhere.
    pub fn add_run(&mut self, number: usize, run: Result<Run, String>) {
        let mut shown = Shown::default();
        match run {
            Ok(run) => {
                shown.run = Some(self.runs.len());
                self.runs.push(run);
            }
            Err(why) => shown.without = Some(why),
        }
        self.shown.insert(number, shown);
    }

    /// Repeats a trace and keeps what happens; its number.
    ///
    /// # Errors
    /// It is not a run of the model, or the interpreter does not support the model.
    pub fn trace(&mut self, title: &str, loaded: &Loaded, trace: &Trace) -> Result<usize, String> {
        let interpreter = loaded.interpreter().map_err(|found| found.message.clone())?;
        let run = RunBuilder::new(&interpreter, title, trace.steps.len());
        let mut run = run.map_err(|error| error.to_string())?;
        let mut visit = |_, step: &zonewalk_reference::Step, replayed: &zonewalk_reference::Replayed| {
            run.step(
                step.delay,
                &step.parts,
                replayed.channel,
                &replayed.delayed,
                &replayed.state,
            );
        };
        replay_each(&interpreter, trace, None, &mut visit).map_err(|invalid| invalid.to_string())?;
        let run = run.finish(trace).map_err(|error| error.to_string())?;
        if self.model.variables.is_empty() {
            let names = trace.initial.variables.iter();
            self.model.variables = names.map(|cell| cell.name.clone()).collect();
        }
        self.runs.push(run);
        Ok(self.runs.len() - 1)
    }

    /// Errors and warnings, as the terminal shows them.
    pub fn notices(&mut self, diagnostics: &Diagnostics, sources: &SourceMap) {
        let notices = diagnostics.iter().map(|diagnostic| Notice {
            kind: match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            text: excerpt(&render(diagnostic, sources, Style::default())),
        });
        self.notices.extend(notices);
    }

    /// The page about a run of the command that `commands` name.
    pub fn document(mut self, summary: &Summary<'_>, commands: Vec<String>) -> Document {
        if self.notices.is_empty() {
            let errors = summary.errors.iter().map(|error| Notice {
                kind: "error",
                text: error.clone(),
            });
            self.notices.extend(errors);
        }
        let results = summary.cases.iter().map(answer).collect();
        self.page(summary.model, results, commands)
    }

    /// The page of answers that were made before.
    pub fn page(self, title: &str, mut results: Vec<document::Result>, commands: Vec<String>) -> Document {
        for result in &mut results {
            let shown = self.shown.get(&result.number).cloned().unwrap_or_default();
            (result.run, result.fault, result.without_run) = (shown.run, shown.fault, shown.without);
        }
        Document {
            title: title.to_owned(),
            tool: format!("zonewalk {}", env!("CARGO_PKG_VERSION")),
            commands,
            notices: self.notices,
            results,
            model: self.model,
            runs: self.runs,
        }
    }
}

/// Without the kind, which a notice has by itself.
fn excerpt(text: &str) -> String {
    let text = text.trim_end();
    let rest = text.split_once(": ").filter(|(kind, _)| !kind.contains('\n'));
    rest.map_or(text, |(_, rest)| rest).to_owned()
}
