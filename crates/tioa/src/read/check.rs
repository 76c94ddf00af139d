//! Converts the syntax tree of one template into a component.

use zonewalk_model::check::{Rules, check_with};
use zonewalk_model::ids::ProcessId;
use zonewalk_model::instance::instantiate;
use zonewalk_model::tree::{Feature, Model};
use zonewalk_syntax::ast::{
    Decl, Dialect, Document, Ident, Queries, SystemItem, SystemLine, Template, TypeKind,
};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::fragment::Fragment;
use zonewalk_syntax::parser::{self, Context};
use zonewalk_syntax::source::SourceMap;
use zonewalk_syntax::span::Span;

use super::Actions;
use crate::component::{Alphabet, Component};
use crate::unfold::{Labels, unfold};

/// A template without parameters whose edges have no synchronisations in the tree: the labels know their actions.
pub(super) struct UnsynchronisedTemplate {
    pub(super) name: String,
    pub(super) template: Template,
    pub(super) labels: Labels,
    /// Declarations around the template.
    pub(super) globals: Vec<Decl>,
    pub(super) dialect: Dialect,
}

/// Declarations of a whole project without its channels, which need not be declared.
pub(super) fn globals(text: &Fragment<'_>, sources: &mut SourceMap) -> Result<Vec<Decl>, Vec<Diagnostic>> {
    let mut cx = Context::new(Dialect::New);
    let mut decls = parser::declarations(text, &mut cx);
    if cx.diagnostics.has_errors() {
        return Err(cx.diagnostics.iter().cloned().collect());
    }
    decls.retain(|decl| !is_channel(decl));
    if decls.is_empty() {
        return Ok(decls);
    }
    let mut document = wrapped(empty(text.span()), decls, Dialect::New);
    let (checked, diagnostics) = check_with(std::mem::take(sources), &document, &[], Rules::Components);
    let is_good = checked.is_ok();
    *sources = checked.map_or_else(|sources| sources, |model| model.sources);
    if is_good {
        Ok(std::mem::take(&mut document.decls))
    } else {
        Err(diagnostics.iter().cloned().collect())
    }
}

/// Whether a declaration is one of channels.
pub(super) fn is_channel(decl: &Decl) -> bool {
    match decl {
        Decl::Variables { ty, .. } => matches!(ty.kind, TypeKind::Chan),
        Decl::ChanPriority(_) => true,
        _ => false,
    }
}

/// A template that does nothing.
fn empty(span: Span) -> Template {
    Template {
        name: Ident {
            name: "".into(),
            span,
        },
        params: Vec::new(),
        decls: Vec::new(),
        locations: Vec::new(),
        branchpoints: Vec::new(),
        initial: None,
        edges: Vec::new(),
        is_textual: true,
        span,
    }
}

/// A model with one process.
fn wrapped(mut template: Template, decls: Vec<Decl>, dialect: Dialect) -> Document {
    let span = template.name.span;
    // A name that no declaration can have, so that it clashes with no other name.
    let hidden = Ident {
        name: "@".into(),
        span,
    };
    template.name = hidden.clone();
    Document {
        dialect,
        decls,
        templates: vec![template],
        charts: Vec::new(),
        system: vec![SystemItem::System(SystemLine {
            levels: vec![vec![hidden]],
            span,
        })],
        end: span,
        queries: Queries::default(),
    }
}

/// Checks and unfolds a template; warnings are added to `warnings`.
pub(super) fn component(
    plain: UnsynchronisedTemplate,
    sources: &mut SourceMap,
    actions: &mut Actions,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Component, Vec<Diagnostic>> {
    let document = wrapped(plain.template, plain.globals, plain.dialect);
    let (checked, diagnostics) = check_with(std::mem::take(sources), &document, &[], Rules::Components);
    let model = match checked {
        Ok(model) => model,
        Err(back) => {
            *sources = back;
            return Err(diagnostics.iter().filter(|d| d.is_error()).cloned().collect());
        }
    };
    let found = from_model(&model, &plain.name, &plain.labels, actions, warnings);
    *sources = model.sources;
    let component = found?;
    warnings.extend(diagnostics.iter().cloned());
    Ok(component)
}

fn from_model(
    model: &Model,
    name: &str,
    labels: &Labels,
    actions: &mut Actions,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Component, Vec<Diagnostic>> {
    let refused = refusals(model);
    if !refused.is_empty() {
        return Err(refused);
    }
    let system = instantiate(model)?;
    unfold(model, &system, ProcessId(0), name, labels, actions, warnings)
}

/// Features that no timed I/O automaton may have, by name.
pub(super) fn refusals(model: &Model) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for used in &model.features {
        let (what, help) = match used.feature {
            Feature::ChannelPriorities => ("priorities of channels are", "remove the line `chan priority`"),
            Feature::ProcessPriorities => (
                "priorities of processes are",
                "list the processes with `,` between them, not `<`",
            ),
            Feature::Branchpoints | Feature::BranchConditions => BRANCHPOINT,
            Feature::Stopwatches | Feature::ClockRates => (
                "the rate of a clock is",
                "remove it: here all clocks run at the same speed",
            ),
            Feature::HybridClocks => ("a hybrid clock is", "declare it as `clock`"),
            Feature::Doubles => (
                "a floating-point number is",
                "multiply all times by the same number, so that they are integers",
            ),
            Feature::RandomFunctions => ("a random value is", "draw an edge for each value"),
            Feature::ExternalFunctions => ("an external function is", "write the function into the model"),
            Feature::DynamicTemplates => (
                "a dynamic template is",
                "make it an ordinary template, and list its processes in the system line",
            ),
            Feature::MetaVariables => ("a meta variable is", "declare it without `meta`"),
            Feature::BeforeAfterUpdate => (
                "`before_update` or `after_update` is",
                "move its assignments to the edges",
            ),
            Feature::ClockCopies => (
                "a clock that is set to anything but a number is",
                "set it to a number, such as `x = 0`, and reset another clock where a second time is needed",
            ),
            _ => continue,
        };
        errors.push(unsupported((what, help), used.span));
    }
    errors
}

/// A branchpoint, and what to do instead.
pub(super) const BRANCHPOINT: (&str, &str) = ("a branchpoint is", "draw an edge for each branch");

/// Refusal of urgent channels.
pub(super) const URGENT_CHANNEL: (&str, &str) = (
    "an urgent channel is",
    "make the locations urgent from which it must happen at once",
);

/// Refusal of broadcast channels.
pub(super) const BROADCAST_CHANNEL: (&str, &str) = (
    "a broadcast channel is",
    "write `chan`: every component that knows an action takes part in it",
);

/// An error about something that components do not have.
pub(super) fn unsupported((what, help): (&str, &str), span: Span) -> Diagnostic {
    let message = format!("{what} not supported in timed I/O automata");
    Diagnostic::error("not-a-component", span, message).help(help)
}

/// An action that is both input and output of a component.
pub(super) fn clash(component: &Component, actions: &Actions, span: Span) -> Option<Diagnostic> {
    let Alphabet { inputs, outputs } = &component.alphabet;
    let both = inputs
        .iter()
        .find(|action| outputs.binary_search(action).is_ok())?;
    let action = actions.name(*both);
    let message = format!(
        "the action `{action}` is both an input and an output of component {}",
        component.name
    );
    Some(Diagnostic::error("input-and-output", span, message))
}
