//! Text as queries about timed I/O automata: no panic, and what parses prints to text that parses to the same.

use zonewalk_tioa::query::{parse, parse_at};

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let end = text.len() as u32 + 1;
    match parse_at(text, 1) {
        Err(error) => assert!(error.primary.span.end <= end, "{error:?}"),
        Ok(parsed) => {
            assert!(
                parsed
                    .warnings
                    .iter()
                    .all(|warning| warning.primary.span.end <= end)
            );
            for query in parsed.queries {
                let printed = query.to_string();
                assert_eq!(parse(&printed).expect("it parses"), [query], "{printed}");
            }
        }
    }
}
