//! The reader of `.aut` files on anything.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use zonewalk_search::aut::Aut;

/// Text made of the pieces that such files are made of.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("des (0,2,3)\n".to_owned()),
        Just("(0,\"a\",1)\n".to_owned()),
        Just("(1,b,2)\r\n".to_owned()),
        "[(),\"0-9 \n\r%des]{0,4}",
        any::<u64>().prop_map(|n| n.to_string()),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|list| list.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn no_input_makes_the_reader_panic(text in pieces(), bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        for input in [text.as_bytes(), &bytes] {
            match Aut::read(input) {
                Ok(aut) => prop_assert!((0..aut.states().min(100)).map(|s| aut.steps(s).len()).sum::<usize>() <= aut.transitions()),
                Err(error) => {
                    let lines: Vec<&[u8]> = input.split(|b| *b == b'\n').collect();
                    prop_assert!(error.line >= 1 && error.line <= lines.len(), "{}", error);
                    prop_assert!(error.column >= 1 && error.column <= lines[error.line - 1].len() + 1, "{}", error);
                }
            }
        }
    }

    #[test]
    fn what_is_written_is_read(
        steps in prop::collection::vec((0u32..20, "[a-z(), \"|!]{0,6}", 0u32..20), 0..40), quoted: bool
    ) {
        let mut text = format!("des (3, {}, 20)\n", steps.len());
        for (from, label, to) in &steps {
            text += &if quoted { format!("({from},\"{label}\",{to})\n") } else { format!("({from}, {}, {to})\n", label.trim()) };
        }
        let aut = Aut::read(text.as_bytes()).unwrap();
        prop_assert_eq!((aut.initial(), aut.transitions()), (3, steps.len()));
        for state in 0..20 {
            let read: Vec<(String, u32)> = aut.steps(state).map(|(l, t)| (aut.label(l).into_owned(), t)).collect();
            let unquoted = |label: &str| match label.trim().strip_prefix('"').and_then(|l| l.strip_suffix('"')) {
                Some(inner) => inner.to_owned(),
                None => label.trim().to_owned(),
            };
            let written: Vec<(String, u32)> = steps
                .iter()
                .filter(|(from, ..)| *from == state)
                .map(|(_, label, to)| (if quoted { label.clone() } else { unquoted(label) }, *to))
                .collect();
            prop_assert_eq!(read, written);
        }
    }
}
