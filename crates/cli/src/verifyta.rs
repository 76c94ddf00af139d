//! `zonewalk verifyta`: options and messages for scripts that were written for UPPAAL's command line.
//!
//! Words that such scripts look for are kept to the letter (`Verifying formula …`, ` -- Formula is …`, `Showing …`,
//! `Writing …`); everything else is in zonewalk's own words and formats. Only errors go to standard error: scripts take
//! whatever is printed there for a failure.

use crate::check::{OutcomeHandler, QueryOutcome, Start, decide_all, print_trace};
use crate::config::{VerifytaCheck, VerifytaConfig};
use crate::document;
use crate::load::{Loaded, LoadedQuery, load, without_queries};
use crate::output::Output;
use crate::plot;
use crate::status::{Error, Status};
use crate::trace_file::{self, Origin};
use crate::whole_file;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zonewalk_checker::{Control, TraceKind};
use zonewalk_report::statistics;
use zonewalk_report::verdict::{Answer, QueryResult};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::source::SourceMap;

/// Decides the queries of a model. Other than by `check`, an answer of "no" is a success, and everything else is 1.
pub(crate) fn run(config: &VerifytaConfig, output: &mut Output) -> Result<Status, Error> {
    let status = match config {
        VerifytaConfig::Version => version(output),
        VerifytaConfig::Check(check) => decide(check, output),
    };
    let status = match status {
        Err(error) => error.report(output),
        Ok(status) => status,
    };
    let status = output.end(status);
    Ok(match status {
        Status::Failure | Status::Undecided => Status::No,
        status => status,
    })
}

/// Scripts look for the name and the version after it, and take the first digit for what options there are.
fn version(output: &mut Output) -> Result<Status, Error> {
    output.result(concat!(
        "zonewalk ",
        env!("CARGO_PKG_VERSION"),
        ", which accepts the options of UPPAAL 5.0 and is a different program\n"
    ))?;
    output.flush()?;
    Ok(Status::Success)
}

fn decide(config: &VerifytaCheck, output: &mut Output) -> Result<Status, Error> {
    let start = Start::of_process();
    if std::env::var_os("UPPAAL_COMPILE_ONLY").is_some_and(|value| !value.is_empty()) {
        return Err(Error::new(
            "UPPAAL_COMPILE_ONLY: zonewalk does not write the intermediate format (.if), which is needed to read .xtr \
             traces; its own traces are text (-t) and JSON (-t with -f PREFIX); to check a model, unset the variable",
        ));
    }
    if config.wants_xml_traces {
        return Err(Error::new(
            "-X: traces in XML are not supported; -f PREFIX writes PREFIX-N.json for `zonewalk replay`, and \
             -t alone shows traces as text",
        ));
    }
    if config.lists_options {
        output.result(&options(config))?;
    }
    let loaded = match load(&config.request)? {
        Ok(loaded) => loaded,
        Err(malformed) => {
            document::refuse(crate::args::Format::Text, &malformed, output)?;
            return Ok(Status::Failure);
        }
    };
    if !config.quiet {
        for warning in loaded.diagnostics.iter() {
            output.result(&on_one_line(warning, &loaded.model.sources))?;
        }
    }
    if loaded.queries.is_empty() {
        return Err(without_queries(
            &loaded,
            "write one to a file, and give that file after the model",
        ));
    }
    let selected: Vec<_> = (1..).zip(&loaded.queries).collect();
    let control = Arc::new(Control::default());
    let mut teller = VerifytaPrinter {
        config,
        loaded: &loaded,
        output,
        status: Status::Success,
    };
    let fit = decide_all(&config.search, &loaded, &selected, start, &control, &mut teller)?;
    let mut status = teller.status;
    for refusal in fit.err().iter().flatten() {
        output.diagnostic(refusal, &loaded.model.sources);
        status = Status::Failure;
    }
    output.flush()?;
    Ok(if control.is_interrupted() {
        Status::Interrupted
    } else {
        status
    })
}

/// The options, one a line.
fn options(config: &VerifytaCheck) -> String {
    let options = config.search.options();
    let trace = match options.trace.kind {
        TraceKind::None => "no trace",
        TraceKind::Some | TraceKind::Short => "some trace",
        TraceKind::Shortest => "shortest trace",
        TraceKind::Fastest => "fastest trace",
    };
    let order = options.search.info().title;
    let mut text = format!(
        "Options for the verification:\n  Generating {trace}\n  Search order is {order}\n  Seed is {}\n  Number of threads is {}\n",
        options.seed, options.threads
    );
    if !config.idle.is_empty() {
        text.push_str(&format!("  Ignored: {}\n", config.idle.join(", ")));
    }
    for note in &config.notes {
        text.push_str(&format!("  {note}\n"));
    }
    text
}

struct VerifytaPrinter<'a> {
    config: &'a VerifytaCheck,
    loaded: &'a Loaded,
    output: &'a mut Output,
    status: Status,
}

impl OutcomeHandler for VerifytaPrinter<'_> {
    fn begin(&mut self, number: usize, query: &LoadedQuery) -> Result<(), Error> {
        let place = self.place(query);
        self.output
            .result(&format!("\nVerifying formula {number} at {place}\n"))?;
        Ok(self.output.flush()?)
    }

    fn handle(&mut self, number: usize, _query: &LoadedQuery, outcome: QueryOutcome) -> Result<(), Error> {
        let answer = outcome.result.verdict.unwrap_or(Answer::Unknown);
        let sentence = match answer {
            Answer::Satisfied => " -- Formula is satisfied.\n".to_owned(),
            Answer::NotSatisfied => " -- Formula is NOT satisfied.\n".to_owned(),
            Answer::MaybeSatisfied => " -- Formula MAY be satisfied.\n".to_owned(),
            Answer::MaybeNotSatisfied => " -- Formula MAY NOT be satisfied.\n".to_owned(),
            Answer::Unknown => format!(
                " -- Formula is undecided: {}.\n",
                outcome
                    .beside_errors()
                    .reason
                    .as_deref()
                    .unwrap_or("reason unknown")
                    .trim_end_matches('.')
            ),
        };
        self.output.result(&sentence)?;
        if let Some(estimate) = &outcome.result.statistics {
            self.output.result(&statistics::verifyta(estimate))?;
        }
        for value in outcome.result.values.iter().flatten() {
            self.output.result(&format!(
                " -- Result: {} ({})\n",
                value.in_words(),
                value.expression
            ))?;
        }
        if self.config.shows_usage {
            self.output.result(&usage(&outcome.result))?;
        }
        self.output.flush()?;
        if let (Some(path), Some(estimate)) = (&self.config.plot, &outcome.result.statistics) {
            let number = (self.loaded.queries.len() > 1).then_some(number);
            let title = outcome.result.query.as_deref().unwrap_or_default();
            if let Err(error) = plot::write(path, number, title, estimate) {
                self.status = self.status.max(Error::new(error).report(self.output));
            }
        }
        self.show_trace(number, answer, &outcome)?;
        let sources = &self.loaded.model.sources;
        for diagnostic in outcome.warnings.iter().chain(&outcome.diagnostics) {
            if diagnostic.is_error() {
                self.output.diagnostic(diagnostic, sources);
            } else if !self.config.quiet {
                self.output.result(&on_one_line(diagnostic, sources))?;
            }
        }
        if let Some(bug) = &outcome.bug {
            self.output
                .error(&format!("internal error, please report: {bug}"));
            self.status = self.status.max(Status::Bug);
        }
        if answer == Answer::Unknown {
            self.status = self.status.max(Status::Undecided);
        }
        Ok(())
    }
}

impl VerifytaPrinter<'_> {
    /// Where a formula stands: an element of the model, or a line of the query file.
    fn place(&self, query: &LoadedQuery) -> String {
        let at = query.entry.span.start;
        let Some(source) = self.loaded.model.sources.source(at) else {
            return "line 1".to_owned();
        };
        let before = source
            .text
            .get(..(at - source.base()) as usize)
            .unwrap_or_default();
        // Queries without a formula count as well, and are not among those that were loaded.
        match before.matches("<formula").count() {
            0 => format!("line {}", source.line(at)),
            number => format!("/nta/queries/query[{number}]/formula"),
        }
    }

    /// Shows the trace, or writes it to its file.
    fn show_trace(&mut self, number: usize, answer: Answer, outcome: &QueryOutcome) -> Result<(), Error> {
        let Some(trace) = &outcome.trace else {
            return Ok(());
        };
        // The two generations of that tool call an example differently when they write it to a file.
        let (kind, file_kinds): (_, &[&str]) = match answer {
            Answer::NotSatisfied => ("counter example", &["counter example"]),
            _ => ("example trace", &["example trace", "witness trace"]),
        };
        let Some(prefix) = &self.config.trace_prefix else {
            self.output.result(&format!("Showing {kind}.\n"))?;
            print_trace(trace, self.output)?;
            return Ok(self.output.flush()?);
        };
        let path = numbered(prefix, number);
        let origin = Origin::new(&self.loaded.name, outcome.result.query.as_deref(), &[]);
        if let Err(error) = trace_file::write(&path, &origin, trace) {
            let message = whole_file::failure("the trace", &path, &error);
            self.status = self.status.max(Error::new(message).report(self.output));
            return Ok(());
        }
        for kind in file_kinds {
            let line = format!("Writing {kind} to {}\n", path.display());
            self.output.result(&line)?;
        }
        Ok(self.output.flush()?)
    }
}

/// A warning, where a line is all the room there is.
fn on_one_line(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let start = diagnostic.primary.span.start;
    let place = sources.source(start).map_or(String::new(), |source| {
        let position = source.position(start);
        format!("{}:{}:{}: ", source.name, position.line, position.column)
    });
    format!("Warning: {place}{}\n", diagnostic.message)
}

fn numbered(prefix: &Path, number: usize) -> PathBuf {
    let mut name = prefix.as_os_str().to_owned();
    name.push(format!("-{number}.json"));
    PathBuf::from(name)
}

/// Resources that a formula took.
fn usage(result: &QueryResult) -> String {
    let mut text = format!(
        " -- States stored : {} states\n -- States explored : {} states\n",
        result.stats.states_stored, result.stats.states_explored
    );
    if result.stats.walks > 0 {
        text.push_str(&format!(
            " -- Walks outcome : {} walks, {} steps\n",
            result.stats.walks, result.stats.steps
        ));
    }
    text.push_str(&format!(
        " -- CPU user time used : {:.0} ms\n -- Resident memory used : {} KiB\n",
        result.cost.cpu_s * 1e3,
        result.cost.peak_memory_bytes >> 10
    ));
    text
}
