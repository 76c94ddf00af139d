//! Checks the syntax tree and builds the typed tree: names, types, constants.
//!
//! The rules of acceptance follow the language's own open parser (`semantics.md` marks them "P"); where this checker is
//! stricter or more lenient on purpose, `docs/acceptance.md` says so. Checking goes on after an error: a broken
//! declaration still declares its name, with a type that fits everything.

mod call;
mod cells;
mod compatibility;
mod constant;
mod declaration;
mod edge;
mod effects;
mod expression;
mod function;
mod initialiser;
mod io;
mod operators;
mod place;
mod query;
mod scope;
mod section;
mod statistical;
mod system;
mod template;
mod types;

use crate::eval::{Wraps, wrap_warning};
use crate::ids::TemplateId;
use crate::system::Value;
use crate::tree::{Declared, Feature, FeatureUse, Function, Model, Query, ScalarSet, Template, Variable};
use crate::types::Type;
pub(crate) use initialiser::miscounted;
use rustc_hash::FxHashMap;
use scope::{Scopes, SlotInfo, Symbol};
use std::borrow::Cow;
use zonewalk_syntax::ast::{Dialect, Document, Init, Name, QueryEntry};
use zonewalk_syntax::diagnostic::{Diagnostic, Diagnostics};
use zonewalk_syntax::source::SourceMap;
use zonewalk_syntax::span::Span;
use zonewalk_syntax::stack;

/// Checks a document. The model is there when no error was found; warnings come with it.
///
/// `overrides` gives new values to global constants (`-D NAME=VALUE`), which are checked as those in the model are.
pub fn check(
    sources: SourceMap,
    document: &Document,
    overrides: &[(String, Init)],
) -> (Result<Model, SourceMap>, Diagnostics) {
    check_with(sources, document, overrides, Rules::Network)
}

/// Rule sets a model is checked against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// A network of timed automata, by the rules of UPPAAL.
    Network,
    /// Timed I/O automata. Guards and invariants may be any combination of comparisons, a label without `!` or `?` stands for
    /// whatever the edge is, and `IO` lines are read.
    Components,
}

/// Checks a document by the rules that are asked for; otherwise as [`check`].
pub fn check_with(
    sources: SourceMap,
    document: &Document,
    overrides: &[(String, Init)],
    rules: Rules,
) -> (Result<Model, SourceMap>, Diagnostics) {
    stack::with_room(|| {
        let mut checker = TypeChecker::new(document.dialect, overrides);
        checker.rules = rules;
        checker.document(document);
        let diagnostics = std::mem::take(&mut checker.diagnostics);
        if diagnostics.has_errors() {
            (Err(sources), diagnostics)
        } else {
            (Ok(checker.finish(sources)), diagnostics)
        }
    })
}

/// Types queries against the instantiated system. For each: the query, or what is wrong with it, be it the errors of
/// its syntax or of its names and types.
pub fn queries(model: &Model, entries: &[QueryEntry]) -> Vec<Result<Query, Vec<Diagnostic>>> {
    stack::with_room(|| {
        let mut checker = TypeChecker::for_query(model);
        entries.iter().map(|entry| checker.query_entry(entry)).collect()
    })
}

/// The state of checking.
struct TypeChecker<'a> {
    dialect: Dialect,
    rules: Rules,
    diagnostics: Diagnostics,
    scopes: Scopes,
    globals: Cow<'a, [Variable]>,
    /// Values of the constants among the globals, as far as they could be computed; a placeholder otherwise.
    values: Vec<Value>,
    functions: Cow<'a, [Function]>,
    scalar_sets: Vec<ScalarSet>,
    templates: Cow<'a, [Template]>,
    /// Templates and partial instances by name, from which the system section builds.
    instances: Vec<system::Instance>,
    process_sets: Cow<'a, [crate::tree::ProcessSet]>,
    channel_priorities: Option<crate::tree::ChannelPriorities>,
    has_process_priorities: bool,
    io_lines: Vec<crate::tree::IoLine>,
    gantt: Vec<crate::tree::GanttRow>,
    before_update: Vec<crate::tree::Expr>,
    after_update: Vec<crate::tree::Expr>,
    update_slots: usize,
    features: Vec<FeatureUse>,
    overrides: FxHashMap<String, Override>,
    /// The constant that the command line gives a value to, while that value is examined: where it is declared, and as what.
    overridden: Option<(Span, String)>,
    /// Where constants wrap.
    wraps: Wraps,
    /// The template whose declarations and labels are being checked.
    template: Option<TemplateContext>,
    /// Slots of the activation being checked, and how many it needed at most.
    slots: Vec<SlotInfo>,
    max_slots: usize,
    /// The result type of the function being checked.
    result: Option<Type>,
    /// The name of the function being checked, to explain why it cannot call itself.
    current_function: Option<Name>,
    /// Which style of synchronisation was met first: CSP cannot be mixed with `!` and `?`.
    csp: Option<(bool, Span)>,
}

/// A new value for a constant.
struct Override {
    init: Init,
    is_used: bool,
}

/// Context of the template being checked.
struct TemplateContext {
    id: TemplateId,
    params: Vec<crate::tree::Param>,
    variables: Vec<Variable>,
    /// Constant parameters that sizes of arrays or selections depend on.
    restricted: Vec<bool>,
    /// Reference parameters that are `const` as well.
    const_refs: Vec<bool>,
    /// By `LocalId`: variables that something assigns to; false beyond the end.
    assigned: Vec<bool>,
    is_dynamic: bool,
}

impl<'a> TypeChecker<'a> {
    fn new(dialect: Dialect, overrides: &[(String, Init)]) -> Self {
        let given = |(name, init): &(String, Init)| {
            let init = init.clone();
            (name.clone(), Override { init, is_used: false })
        };
        let mut checker = TypeChecker {
            dialect,
            rules: Rules::Network,
            diagnostics: Diagnostics::new(),
            scopes: Scopes::new(),
            globals: Cow::default(),
            values: Vec::new(),
            functions: Cow::default(),
            scalar_sets: Vec::new(),
            templates: Cow::default(),
            instances: Vec::new(),
            process_sets: Cow::default(),
            channel_priorities: None,
            has_process_priorities: false,
            io_lines: Vec::new(),
            gantt: Vec::new(),
            before_update: Vec::new(),
            after_update: Vec::new(),
            update_slots: 0,
            features: Vec::new(),
            overrides: overrides.iter().map(given).collect(),
            overridden: None,
            wraps: Wraps::default(),
            template: None,
            slots: Vec::new(),
            max_slots: 0,
            result: None,
            current_function: None,
            csp: None,
        };
        if dialect == Dialect::New {
            checker.scopes.declare_builtins();
        }
        checker
    }

    fn document(&mut self, document: &Document) {
        self.global_declarations(&document.decls);
        self.declare_templates(&document.templates);
        for (index, template) in document.templates.iter().enumerate() {
            self.template(index, template);
        }
        self.charts(&document.charts);
        self.system_section(document);
        self.check_overrides();
        for place in self.wraps.places() {
            self.report(wrap_warning(place));
        }
    }

    fn check_overrides(&mut self) {
        let mut unused: Vec<String> = self
            .overrides
            .iter()
            .filter(|(_, given)| !given.is_used)
            .map(|(name, _)| name.clone())
            .collect();
        unused.sort();
        for name in unused {
            let mut diagnostic = Diagnostic::error(
                "override",
                Span::NONE,
                format!("-D {name}: the model declares no global constant `{name}`"),
            );
            if let Some(Declared {
                symbol: Symbol::Variable { .. },
                span,
            }) = self.scopes.lookup(&name)
            {
                diagnostic = diagnostic
                    .related(*span, format!("`{name}` is declared here, without `const`"))
                    .help("only constants can be overridden");
            } else if let Some(similar) = self.scopes.similar(&name) {
                diagnostic = diagnostic.help(format!("did you mean `{similar}`?"));
            }
            self.diagnostics.push(diagnostic);
        }
    }

    fn finish(self, sources: SourceMap) -> Model {
        Model {
            sources,
            dialect: self.dialect,
            globals: self.globals.into_owned(),
            functions: self.functions.into_owned(),
            templates: self.templates.into_owned(),
            scalar_sets: self.scalar_sets,
            process_sets: self.process_sets.into_owned(),
            channel_priorities: self.channel_priorities,
            has_process_priorities: self.has_process_priorities,
            io_lines: self.io_lines,
            gantt: self.gantt,
            before_update: self.before_update,
            after_update: self.after_update,
            update_slots: self.update_slots,
            features: self.features,
            names: self.scopes.into_globals(),
            constants: self.values,
        }
    }

    // ------------------------------------------------------------ reports

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    fn report(&mut self, mut diagnostic: Diagnostic) {
        if let Some((span, declared)) = &self.overridden {
            diagnostic = diagnostic.related(*span, declared);
        }
        self.diagnostics.push(diagnostic);
    }

    fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::warning(code, span, message));
    }

    fn feature(&mut self, feature: Feature, span: Span) {
        match self.features.iter_mut().find(|f| f.feature == feature) {
            Some(known) => known.count += 1,
            None => self.features.push(FeatureUse {
                feature,
                span,
                count: 1,
            }),
        }
    }
}
