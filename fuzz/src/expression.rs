//! Text as an expression, an update list, declarations and a query, in both dialects: no panic, and what parses
//! without an error prints to text that parses to the same.

use zonewalk_syntax::ast::Dialect;
use zonewalk_syntax::fragment::Fragment;
use zonewalk_syntax::parser::{self, Context};
use zonewalk_syntax::print;

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    for dialect in [Dialect::New, Dialect::Old] {
        let fragment = Fragment::plain(text, 1);
        let mut cx = Context::new(dialect);
        parser::updates(&fragment, &mut cx);
        parser::declarations(&fragment, &mut cx);
        parser::system(&fragment, &mut cx);
        parser::query(&fragment, &mut cx);
        round_trip(text, dialect);
    }
}

fn round_trip(text: &str, dialect: Dialect) {
    let parse = |text: &str, dialect| {
        let mut cx = Context::new(dialect);
        let expr = parser::expression(&Fragment::plain(text, 1), &mut cx);
        expr.filter(|_| !cx.diagnostics.has_errors())
    };
    let Some(expr) = parse(text, dialect) else { return };
    let printed = print::expr(&expr);
    // Old names may be words of the new dialect.
    match parse(&printed, Dialect::New) {
        Some(again) => assert_eq!(print::expr(&again), printed),
        None => assert_eq!(dialect, Dialect::Old, "{printed}"),
    }
}
