//! Bytes as a model file: no panic, every diagnostic has a place in the file, regions are in order.

use zonewalk_syntax::read::{Format, read_model, read_queries};
use zonewalk_syntax::source::SourceMap;

/// One input.
pub fn run(bytes: &[u8]) {
    for format in [None, Some(Format::Xml), Some(Format::Ta)] {
        let mut sources = SourceMap::new();
        let (document, diagnostics) = read_model("fuzz.xml", bytes, format, &mut sources);
        assert!(document.is_some() || diagnostics.has_errors());
        for diagnostic in diagnostics.iter() {
            let source = sources.source(diagnostic.primary.span.start).expect("a place");
            source.position(diagnostic.primary.span.start);
            source.element(diagnostic.primary.span.start);
            assert!(diagnostic.primary.span.end <= source.span().end, "{diagnostic:?}");
        }
        for source in sources.iter() {
            let regions = &source.regions;
            assert!(
                regions
                    .windows(2)
                    .all(|pair| pair[0].span.end <= pair[1].span.start)
            );
            assert!(regions.iter().all(|region| region.span.end <= source.span().end));
        }
    }
    read_queries("fuzz.q", bytes, &mut SourceMap::new());
}
