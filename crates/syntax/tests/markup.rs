//! Escaped text, read again by an XML reader.

use proptest::prelude::*;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::Event;
use quick_xml::{Reader, XmlVersion};
use zonewalk_syntax::markup::escaped;

/// Reads the only element of a document: its attribute `a`, and its content.
fn read(document: &str) -> (String, String) {
    let mut reader = Reader::from_str(document);
    let (mut attribute, mut content) = (None, String::new());
    loop {
        match reader.read_event().expect("well-formed XML") {
            Event::Start(start) => {
                let all: Vec<_> = start.attributes().map(|a| a.expect("an attribute")).collect();
                assert_eq!(all.len(), 1, "{document}");
                assert!(attribute.is_none(), "more elements than one: {document}");
                attribute = Some({
                    let value = all[0].normalized_value(XmlVersion::Implicit1_0);
                    value.expect("known entities").into_owned()
                });
            }
            Event::Text(text) => content.push_str(&text),
            Event::GeneralRef(entity) => match entity.resolve_char_ref().expect("a character") {
                Some(c) => content.push(c),
                None => content.push_str(resolve_predefined_entity(&entity).expect("a known entity")),
            },
            Event::End(_) => {}
            Event::Eof => return (attribute.expect("an element"), content),
            other => panic!("{other:?} in {document}"),
        }
    }
}

#[test]
fn text_that_looks_like_markup() {
    let text = "a && b < \"c\" > 'd' \u{1b}[31m\u{0} ]]> <!-- &lt; é \u{fffe}";
    assert_eq!(
        escaped(text),
        "a &amp;&amp; b &lt; &quot;c&quot; &gt; &#39;d&#39; \u{fffd}[31m\u{fffd} ]]&gt; &lt;!-- &amp;lt; é \u{fffd}"
    );
}

proptest! {
    /// A reader gets the text back, from an attribute in quotes of either kind and from the content of an element.
    #[test]
    fn a_reader_gets_the_text_back(text in "(?s)[\\x00-\\x20&<>'\"\\]\\[!;#a-z\u{7f}\u{fffe}é]{0,24}|.{0,24}") {
        let valid = |c: char| matches!(c, '\t' | '\n' | '\r') || !(c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}'));
        let expected: String = text.chars().map(|c| if valid(c) { c } else { '\u{fffd}' }).collect();
        // XML reads line breaks in attributes as spaces, and every kind of line break as `\n`.
        let spaces = |text: &str| text.replace(['\t', '\n', '\r'], " ").split(' ').collect::<String>();
        let lines = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
        for quote in ['"', '\''] {
            let (attribute, content) = read(&format!("<x a={quote}{0}{quote}>{0}</x>", escaped(&text)));
            prop_assert_eq!(spaces(&attribute), spaces(&expected));
            prop_assert_eq!(lines(&content), lines(&expected));
        }
    }
}
