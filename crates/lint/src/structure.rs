//! Templates that the system line never instantiates.

use crate::check::Check;
use crate::report::LintReport;
use zonewalk_checker::load::Loaded;
use zonewalk_model::ids::TemplateId;
use zonewalk_syntax::diagnostic::Diagnostic;

/// By template: how many processes it has.
pub(crate) fn processes(loaded: &Loaded) -> Vec<usize> {
    let mut counts = vec![0; loaded.model.templates.len()];
    for process in &loaded.system.processes {
        counts[process.template.index()] += 1;
    }
    counts
}

/// Finds templates without processes. Dynamic templates have theirs from `spawn`.
pub(crate) fn templates(loaded: &Loaded, report: &mut LintReport) {
    for (index, (template, count)) in loaded.model.templates.iter().zip(processes(loaded)).enumerate() {
        if count > 0 || template.is_dynamic {
            continue;
        }
        let id = TemplateId::from_index(index);
        let set = loaded.model.process_sets.iter().find(|set| set.template == id);
        let message = format!("template {} is never instantiated", template.name);
        let found = Diagnostic::warning("unused-template", template.span, message);
        let found = match set {
            Some(set) => found.related(
                set.span,
                "the system line names it, but a parameter has no value to take",
            ),
            None => found.help("name a process of it on the system line, or remove it"),
        };
        report.find(Check::Templates, true, found);
    }
}
