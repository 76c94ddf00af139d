//! Scopes: which names mean something where.

use crate::ids::SlotId;
pub(crate) use crate::tree::Symbol;
use crate::tree::{Declared, Expr, ExprKind, GlobalNames};
use crate::types::Type;
use rustc_hash::FxHashMap;
use zonewalk_syntax::ast::{Ident, Name, TypePrefix};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::similar;
use zonewalk_syntax::span::Span;

/// A slot of the activation that is being checked.
#[derive(Clone, Debug)]
pub(crate) struct SlotInfo {
    pub(crate) is_const: bool,
    /// Known at compile time: a name bound by a quantifier.
    pub(crate) computable: bool,
}

/// Nested scopes, innermost last.
pub(crate) struct Scopes {
    frames: Vec<FxHashMap<Name, Declared>>,
}

impl Scopes {
    /// With the global scope.
    pub(crate) fn new() -> Self {
        Scopes {
            frames: vec![FxHashMap::default()],
        }
    }

    pub(crate) fn from_globals(globals: &GlobalNames) -> Self {
        Scopes {
            frames: vec![globals.0.clone()],
        }
    }

    /// The global scope, templates and partial instances left out: queries name processes.
    pub(crate) fn into_globals(mut self) -> GlobalNames {
        let mut globals = std::mem::take(&mut self.frames[0]);
        globals.retain(|_, d| !matches!(d.symbol, Symbol::Instance(_)));
        GlobalNames(globals)
    }

    pub(crate) fn push(&mut self) {
        self.frames.push(FxHashMap::default());
    }

    pub(crate) fn pop(&mut self) {
        if self.frames.len() > 1 {
            self.frames.pop();
        }
    }

    pub(crate) fn lookup(&self, name: &str) -> Option<&Declared> {
        self.frames.iter().rev().find_map(|frame| frame.get(name))
    }

    /// Only in the innermost scope.
    pub(crate) fn lookup_here(&self, name: &str) -> Option<&Declared> {
        self.frames.last().and_then(|frame| frame.get(name))
    }

    /// Adds a name to the innermost scope. A name that is there already stays, and its place is returned.
    pub(crate) fn declare(&mut self, name: &Ident, symbol: Symbol) -> Result<(), Span> {
        if let Some(earlier) = self.lookup_here(&name.name) {
            return Err(earlier.span);
        }
        self.replace(name, symbol);
        Ok(())
    }

    /// Adds a name to the innermost scope, whatever it meant there before.
    pub(crate) fn replace(&mut self, name: &Ident, symbol: Symbol) {
        if let Some(frame) = self.frames.last_mut() {
            frame.insert(
                name.name.clone(),
                Declared {
                    symbol,
                    span: name.span,
                },
            );
        }
    }

    /// A visible name that differs little from `name`: the best match, the first in order of the alphabet among equals.
    pub(crate) fn similar(&self, name: &str) -> Option<Name> {
        let candidates = self.frames.iter().flat_map(|frame| frame.keys());
        closest(name, candidates.map(|n| &**n)).map(Name::from)
    }

    /// Predeclared types and constants (`semantics.md` 17c). They share the global scope: declaring one again is an
    /// error.
    pub(crate) fn declare_builtins(&mut self) {
        let ident = |name: &str| Ident {
            name: Name::from(name),
            span: Span::NONE,
        };
        let constant = |kind, ty| {
            Symbol::Constant(Expr {
                kind,
                ty,
                span: Span::NONE,
            })
        };
        for (name, value) in [
            ("INT8_MIN", i32::from(i8::MIN)),
            ("INT8_MAX", i32::from(i8::MAX)),
            ("UINT8_MAX", i32::from(u8::MAX)),
            ("INT16_MIN", i32::from(i16::MIN)),
            ("INT16_MAX", i32::from(i16::MAX)),
            ("UINT16_MAX", i32::from(u16::MAX)),
            ("INT32_MIN", i32::MIN),
            ("INT32_MAX", i32::MAX),
        ] {
            self.replace(&ident(name), constant(ExprKind::Int(value), Type::Int));
        }
        use std::f64::consts as c;
        for (name, value) in [
            ("FLT_MIN", f64::from(f32::MIN_POSITIVE)),
            ("FLT_MAX", f64::from(f32::MAX)),
            ("DBL_MIN", f64::MIN_POSITIVE),
            ("DBL_MAX", f64::MAX),
            ("M_PI", c::PI),
            ("M_PI_2", c::FRAC_PI_2),
            ("M_PI_4", c::FRAC_PI_4),
            ("M_E", c::E),
            ("M_LOG2E", c::LOG2_E),
            ("M_LOG10E", c::LOG10_E),
            ("M_LN2", c::LN_2),
            ("M_LN10", c::LN_10),
            ("M_1_PI", c::FRAC_1_PI),
            ("M_2_PI", c::FRAC_2_PI),
            ("M_2_SQRTPI", c::FRAC_2_SQRT_PI),
            ("M_SQRT2", c::SQRT_2),
            ("M_SQRT1_2", c::FRAC_1_SQRT_2),
        ] {
            self.replace(&ident(name), constant(ExprKind::Double(value), Type::Double));
        }
        for (name, lo, hi) in [
            ("int8_t", i32::from(i8::MIN), i32::from(i8::MAX)),
            ("uint8_t", 0, i32::from(u8::MAX)),
            ("int16_t", i32::from(i16::MIN), i32::from(i16::MAX)),
            ("uint16_t", 0, i32::from(u16::MAX)),
            ("int32_t", i32::MIN, i32::MAX),
        ] {
            self.replace(
                &ident(name),
                Symbol::Type(Type::range(lo, hi), TypePrefix::default()),
            );
        }
    }
}

/// The candidate that was probably meant: the shortest that begins with `name`, else one that `name` begins with, else the
/// one with the smallest edit distance, if that is small enough to be a slip of the finger. The first in order of the
/// alphabet among equals.
pub(crate) fn closest<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let letters = name.chars().count();
    let limit = match letters {
        0..=2 => 1,
        3..=5 => 2,
        _ => 3,
    };
    let rank = |candidate: &'n str| {
        let length = candidate.chars().count();
        // A letter alone begins too many names.
        if letters >= 2 && begins(candidate, name) {
            return Some((0, length - letters));
        }
        if length >= 3 && begins(name, candidate) {
            return Some((1, letters - length));
        }
        let is_similar_in_length = candidate.len().abs_diff(name.len()) <= limit;
        let distance = is_similar_in_length.then(|| distance(name, candidate))?;
        (distance <= limit && distance < length).then_some((2, distance))
    };
    candidates
        .filter(|candidate| *candidate != name)
        .filter_map(|candidate| Some((rank(candidate)?, candidate)))
        .min()
        .map(|(_, candidate)| candidate)
}

/// Whether a word begins with another, whatever their case.
fn begins(word: &str, with: &str) -> bool {
    let head = word.get(..with.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(with))
}

/// Levenshtein distance; a change of case alone counts as nothing much.
fn distance(a: &str, b: &str) -> usize {
    if a.eq_ignore_ascii_case(b) {
        return 0;
    }
    similar::distance(a, b)
}

impl super::TypeChecker<'_> {
    /// Declares a name in the innermost scope; a second declaration is an error that shows the first.
    pub(super) fn declare(&mut self, name: &Ident, symbol: Symbol) {
        if let Err(earlier) = self.scopes.declare(name, symbol) {
            let diagnostic = Diagnostic::error(
                "duplicate-name",
                name.span,
                format!("`{}` is declared twice", name.name),
            );
            let diagnostic = if earlier == Span::NONE {
                diagnostic.help(format!(
                    "`{}` is predeclared by the language; choose another name",
                    name.name
                ))
            } else {
                diagnostic.related(earlier, "first declared here")
            };
            self.report(diagnostic);
        }
    }

    /// A new slot of the current activation.
    pub(super) fn new_slot(&mut self, is_const: bool, computable: bool) -> SlotId {
        let slot = SlotId::from_index(self.slots.len());
        self.slots.push(SlotInfo { is_const, computable });
        self.max_slots = self.max_slots.max(self.slots.len());
        slot
    }

    /// Reports an unknown name, with a suggestion.
    pub(super) fn unknown_name(&mut self, name: &str, span: Span, what: &str) {
        let mut diagnostic = Diagnostic::error("unknown-name", span, format!("unknown {what} `{name}`"));
        if self.current_function.as_deref() == Some(name) {
            diagnostic = diagnostic.help("a function is known only after its end: recursion is not allowed");
        } else if matches!(name, "break" | "continue" | "switch" | "case" | "goto") {
            diagnostic = diagnostic.help("the language has no such statement");
        } else if let members @ [_, ..] = self.members_named(name).as_slice() {
            diagnostic = with_members(diagnostic, span, members);
        } else if let Some((message, help)) = self.template_named(name) {
            diagnostic.message = message;
            diagnostic = diagnostic.help(help);
        } else if let Some(similar) = self.scopes.similar(name) {
            diagnostic = diagnostic
                .suggest(span, &*similar)
                .help(format!("did you mean `{similar}`?"));
        } else if let members @ [_, ..] = self.members_like(name).as_slice() {
            diagnostic = with_members(diagnostic, span, members);
        } else if let Some(processes) = self.processes() {
            diagnostic = diagnostic.help(format!("the processes are {processes}"));
        }
        self.report(diagnostic);
    }
}

/// Says which members of processes a name may be short for.
fn with_members(diagnostic: Diagnostic, span: Span, members: &[String]) -> Diagnostic {
    let [first, rest @ ..] = members else {
        return diagnostic;
    };
    // Of several it is unknown which is meant, nor which of the processes of an array.
    if rest.is_empty() && !first.contains('(') {
        let help = format!("did you mean `{first}`?");
        return diagnostic.suggest(span, first).help(help);
    }
    let more = match rest {
        [] => String::new(),
        [second] => format!(" or `{second}`"),
        [second, ..] => format!(", `{second}` …"),
    };
    diagnostic.help(format!("name the process too: `{first}`{more}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_are_close_and_deterministic() {
        let names = ["count", "counter", "Count", "x", "y"];
        assert_eq!(closest("cuont", names.into_iter()), Some("count"));
        assert_eq!(closest("COUNT", names.into_iter()), Some("Count"));
        assert_eq!(closest("z", names.into_iter()), None);
        assert_eq!(closest("c", names.into_iter()), None);
        assert_eq!(closest("cou", names.into_iter()), Some("Count"));
        assert_eq!(closest("counters", names.into_iter()), Some("counter"));
        let locations = ["idle", "request", "wait", "critical"];
        assert_eq!(closest("crit", locations.into_iter()), Some("critical"));
        assert_eq!(closest("critcal", locations.into_iter()), Some("critical"));
        assert_eq!(closest("é", locations.into_iter()), None);
        assert_eq!(closest("entirely", names.into_iter()), None);
    }
}
