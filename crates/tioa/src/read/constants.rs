//! New values for global constants (`-D NAME=VALUE`): they take the place of the initialisers in the tree, and are checked as
//! those are.

use zonewalk_syntax::ast::{Decl, Init};
use zonewalk_syntax::diagnostic::Diagnostic;
use zonewalk_syntax::read::read_definition;
use zonewalk_syntax::source::SourceMap;
use zonewalk_syntax::span::Span;

/// Gives constants new values.
///
/// # Errors
/// Values that cannot be read, and names that are no constants.
pub(super) fn replace(
    decls: &mut [Decl],
    constants: &[(String, String)],
    sources: &mut SourceMap,
) -> Result<(), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    for (name, value) in constants {
        match read_definition(name, value, sources) {
            Ok(init) => errors.extend(replace_one(decls, name, init)),
            Err(why) => errors.extend(why),
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Gives one constant a new value, or says why that is not possible.
fn replace_one(decls: &mut [Decl], name: &str, value: Init) -> Option<Diagnostic> {
    let missing = || {
        let message = format!("-D {name}: the project declares no global constant `{name}`");
        Diagnostic::error("override", Span::NONE, message)
    };
    for decl in decls {
        let Decl::Variables { ty, declarators } = decl else {
            continue;
        };
        let Some(found) = declarators.iter_mut().find(|found| &*found.name.name == name) else {
            continue;
        };
        if !ty.prefix.is_const {
            let told = missing().related(
                found.name.span,
                format!("`{name}` is declared here, without `const`"),
            );
            return Some(told.help("only constants can be overridden"));
        }
        found.init = Some(value);
        return None;
    }
    Some(missing())
}
