//! Variables and clocks that are never read or never written.

use crate::check::Check;
use crate::report::{Extent, LintReport};
use crate::structure::processes;
use crate::usage::{Root, Usage};
use zonewalk_checker::load::Loaded;
use zonewalk_model::ids::{GlobalId, LocalId, TemplateId};
use zonewalk_model::tree::{Feature, QueryKind, Variable};
use zonewalk_model::types::Type;
use zonewalk_syntax::diagnostic::Diagnostic;

/// Finds them.
pub(crate) fn check(loaded: &Loaded, report: &mut LintReport) {
    if !report.wants(Check::Variables) {
        return;
    }
    if uses(loaded, Feature::DynamicTemplates) {
        let why = "the model spawns processes, and what their arguments use is not known";
        return report.extent(Check::Variables, Extent::Skipped(why.to_owned()));
    }
    let model = &loaded.model;
    let is_live: Vec<bool> = processes(loaded).iter().map(|&count| count > 0).collect();
    let typed = loaded
        .queries
        .iter()
        .filter_map(|query| query.typed.as_ref().ok());
    let usage = Usage::new(model, &is_live, typed);
    let context = Context {
        usage,
        named: named_in_other_queries(loaded),
        has_queries: !loaded.queries.is_empty(),
        has_measures: uses(loaded, Feature::ProgressMeasures) || uses(loaded, Feature::LiveSequenceCharts),
    };
    for (index, variable) in model.globals.iter().enumerate() {
        let root = Root::Global(GlobalId::from_index(index));
        context.variable(root, variable, None, report);
    }
    for (index, template) in model.templates.iter().enumerate() {
        if !is_live[index] {
            continue;
        }
        for (local, variable) in template.variables.iter().enumerate() {
            let root = Root::Local(TemplateId::from_index(index), LocalId::from_index(local));
            context.variable(root, variable, Some(&template.name), report);
        }
    }
}

fn uses(loaded: &Loaded, feature: Feature) -> bool {
    loaded.model.features.iter().any(|used| used.feature == feature)
}

/// The names in queries that have no typed form: those that no engine answers, and broken ones.
fn named_in_other_queries(loaded: &Loaded) -> Vec<String> {
    let mut names = Vec::new();
    for query in &loaded.queries {
        let is_typed = matches!(&query.typed, Ok(typed) if !matches!(typed.kind, QueryKind::Other(_)));
        if is_typed {
            continue;
        }
        let words = query.entry.text.split(|c: char| !c.is_alphanumeric() && c != '_');
        names.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
    }
    names
}

struct Context {
    usage: Usage,
    named: Vec<String>,
    has_queries: bool,
    /// Whether something reads variables that is not part of the typed tree.
    has_measures: bool,
}

impl Context {
    fn variable(&self, root: Root, variable: &Variable, template: Option<&str>, report: &mut LintReport) {
        let is_channel = variable.ty.any(&mut |ty| matches!(ty, Type::Chan(_)));
        if variable.is_const || variable.from_param.is_some() || is_channel {
            return;
        }
        let mut of = self.usage.of(root);
        of.is_asked_about |= self.named.iter().any(|name| **name == *variable.name) || self.has_measures;
        let is_used = of.is_read || of.is_asked_about;
        let is_clock = variable.ty.base().is_clock();
        let kind = if is_clock { "clock" } else { "variable" };
        let name = match template {
            Some(template) => format!("{template}.{}", variable.name),
            None => variable.name.to_string(),
        };
        let (code, message, help) = match (is_used, of.is_written) {
            (true, true) => return,
            (false, false) => (
                "unused-variable",
                format!("{kind} {name} is never used"),
                "remove the declaration".to_owned(),
            ),
            (false, true) => (
                "never-read",
                format!("{kind} {name} is written but never read"),
                match (self.has_queries, is_clock) {
                    (false, _) => format!(
                        "no guard, invariant or update needs it, and the model has no queries; remove the {kind} if none will ask about it"
                    ),
                    (true, true) => "no guard, invariant or query compares it: was one forgotten?".to_owned(),
                    (true, false) => {
                        "no guard, invariant or query depends on it: was one forgotten?".to_owned()
                    }
                },
            ),
            // A clock that only queries look at measures time from the beginning.
            (true, false) if is_clock && !of.is_read => return,
            (true, false) if is_clock => (
                "never-written",
                format!("clock {name} is never reset"),
                "it shows the time since the start: was a reset forgotten?".to_owned(),
            ),
            (true, false) => (
                "never-written",
                format!("variable {name} is never written"),
                "declare it as const, or write the update that was forgotten".to_owned(),
            ),
        };
        let found = Diagnostic::warning(code, variable.span, message).help(help);
        report.find(Check::Variables, true, found);
    }
}
