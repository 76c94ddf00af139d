//! Regions of the file and the parts of the model they belong to, for messages.

use super::outline::{Outline, Template};
use crate::fragment::Fragment;
use crate::source::Region;

/// The regions of a file, sorted and free of overlaps.
pub(super) fn regions(outline: &Outline<'_>) -> Vec<Region> {
    let mut regions = Regions(Vec::new());
    regions.extend(&outline.globals, "global declarations");
    for template in &outline.templates {
        regions.template(template);
    }
    for chart in &outline.charts {
        let title = chart.name.as_ref().map_or("", |name| name.text().trim());
        regions.extend(&chart.name, format!("chart {title}, name"));
        regions.extend(&chart.params, format!("chart {title}, parameters"));
    }
    regions.extend(&outline.system, "system declarations");
    for (i, query) in outline.queries.iter().enumerate() {
        regions.extend(&query.formula, format!("query {}", i + 1));
    }
    let mut list = regions.0;
    list.sort_by_key(|region| region.span);
    list
}

struct Regions(Vec<Region>);

impl Regions {
    fn extend<'f, 'a: 'f>(
        &mut self,
        fragments: impl IntoIterator<Item = &'f Fragment<'a>>,
        element: impl Into<String>,
    ) {
        let mut fragments = fragments.into_iter().peekable();
        if fragments.peek().is_none() {
            return;
        }
        let element = element.into();
        self.0.extend(fragments.map(|f| Region {
            span: f.span(),
            element: element.clone(),
        }));
    }

    fn template(&mut self, template: &Template<'_>) {
        let title = template.title();
        self.extend(&template.name, format!("template {title}, name"));
        self.extend(&template.params, format!("template {title}, parameters"));
        self.extend(&template.decls, format!("template {title}, declarations"));
        for location in &template.locations {
            for (text, what) in [
                (&location.name, "name"),
                (&location.invariant, "invariant"),
                (&location.rate, "exponential rate"),
            ] {
                if text.is_some() {
                    self.extend(
                        text,
                        format!("template {title}, location {}, {what}", location.title()),
                    );
                }
            }
        }
        for edge in &template.edges {
            for (text, what) in [
                (&edge.select, "select"),
                (&edge.guard, "guard"),
                (&edge.sync, "synchronisation"),
                (&edge.update, "update"),
                (&edge.weight, "weight"),
            ] {
                if text.is_some() {
                    let source = template.place_title(&edge.source);
                    let target = template.place_title(&edge.target);
                    self.extend(
                        text,
                        format!("template {title}, edge {source} → {target}, {what}"),
                    );
                }
            }
        }
    }
}
