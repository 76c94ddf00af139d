//! Properties of every drawing.

use std::time::Instant;
use zonewalk_drawing::{Drawing, Label, Point, component, dot, joined_edges, svg, template};
use zonewalk_syntax::ast::Document;
use zonewalk_syntax::read::read_model;
use zonewalk_syntax::source::SourceMap;
use zonewalk_testkit::own;

fn read(name: &str, text: &[u8]) -> Document {
    let (document, diagnostics) = read_model(name, text, None, &mut SourceMap::new());
    let errors: Vec<_> = diagnostics.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}");
    document.unwrap()
}

fn drawings(name: &str, text: &str) -> Vec<Drawing> {
    read(name, text.as_bytes())
        .templates
        .iter()
        .map(template)
        .collect()
}

/// The corners of a text, as the layout measures it.
fn corners(label: &Label) -> (Point, Point) {
    let longest = label.lines.iter().map(|line| line.chars().count()).max().unwrap();
    let max = Point::new(
        label.at.x + 6.0 * longest as f64,
        label.at.y + 15.0 * label.lines.len() as f64,
    );
    (label.at, max)
}

fn is_inside(drawing: &Drawing, at: Point) -> bool {
    let (min, max) = (drawing.bounds.min, drawing.bounds.max);
    at.x.is_finite() && at.y.is_finite() && min.x <= at.x && at.x <= max.x && min.y <= at.y && at.y <= max.y
}

fn examine(name: &str, drawing: &Drawing) {
    let labels = drawing.locations.iter().flat_map(|location| &location.labels);
    let labels: Vec<&Label> = labels
        .chain(drawing.edges.iter().flat_map(|edge| &edge.labels))
        .collect();
    for location in &drawing.locations {
        assert!(is_inside(drawing, location.at), "{name}: {}", location.title);
    }
    for nail in drawing.edges.iter().flat_map(|edge| &edge.nails) {
        assert!(is_inside(drawing, *nail), "{name}: {nail:?}");
    }
    for label in &labels {
        let (min, max) = corners(label);
        assert!(
            is_inside(drawing, min) && is_inside(drawing, max),
            "{name}: {label:?}"
        );
    }
    if drawing.is_authored {
        return;
    }
    // What was laid out lies on nothing.
    for (i, one) in drawing.locations.iter().enumerate() {
        for other in &drawing.locations[..i] {
            let distance = (one.at.x - other.at.x).hypot(one.at.y - other.at.y);
            assert!(distance > 20.0, "{name}: {} is on {}", one.title, other.title);
        }
    }
    for (i, one) in labels.iter().enumerate() {
        for other in &labels[..i] {
            let ((a, b), (c, d)) = (corners(one), corners(other));
            let is_apart = b.x <= c.x || d.x <= a.x || b.y <= c.y || d.y <= a.y;
            assert!(is_apart, "{name}: {one:?} is on {other:?}");
        }
    }
}

#[test]
fn drawings_of_our_models() {
    let mut count = 0;
    for path in own::paths() {
        let name = path.display().to_string();
        let document = read(&name, &std::fs::read(&path).unwrap());
        let loaded = zonewalk_testkit::load_file(&path).unwrap();
        for (one, typed) in document.templates.iter().zip(&loaded.model.templates) {
            let drawing = template(one);
            assert_eq!(drawing.name, &*typed.name);
            examine(&name, &drawing);
            // The same edges as in the typed tree, which traces number.
            let joined = joined_edges(&drawing);
            assert_eq!(joined.len(), typed.edges.len(), "{name}");
            for (drawn, edge) in joined.iter().zip(&typed.edges) {
                let (first, last) = (&drawing.edges[drawn[0]], &drawing.edges[*drawn.last().unwrap()]);
                let at = |index: usize| zonewalk_drawing::End::Location(index);
                assert_eq!(first.source, at(edge.source.index()), "{name}");
                assert_eq!(last.target, at(edge.target.index()), "{name}");
            }
            let text = svg::file(&drawing, &svg::Marks::default(), "");
            assert_eq!(text.matches("data-location=").count(), drawing.locations.len());
            assert_eq!(text.matches("data-edge=").count(), drawing.edges.len());
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn drawings_of_components() {
    for project in own::projects() {
        let loaded = zonewalk_tioa::load(&project.path).unwrap();
        for one in &loaded.project.components {
            let drawing = component(one, &loaded.project.actions);
            examine(&one.name, &drawing);
            assert_eq!(drawing.edges.len(), one.edges.len());
        }
    }
}

#[test]
fn positions_of_the_file_are_kept() {
    let text = r##"<nta><declaration>chan c; clock x;</declaration><template><name>P</name>
        <location id="a" x="-40" y="16" color="#FFAA00"><name x="-50" y="-18">A</name>
          <label kind="invariant" x="-50" y="33">x &lt;= 5</label></location>
        <location id="b" x="120" y="16"><committed/></location>
        <init ref="a"/>
        <transition color="#00ff00"><source ref="a"/><target ref="b"/><label kind="synchronisation" x="20" y="0">c!</label><nail x="40" y="60"/></transition>
        <transition><source ref="b"/><target ref="b"/></transition>
        </template><system>system P;</system></nta>"##;
    let drawing = drawings("p.xml", text).remove(0);
    assert!(drawing.is_authored);
    assert_eq!(drawing.locations[0].at, Point::new(-40.0, 16.0));
    assert_eq!(drawing.locations[0].color.as_deref(), Some("#ffaa00"));
    assert_eq!(drawing.locations[0].labels[1].at, Point::new(-50.0, 33.0));
    assert_eq!(drawing.edges[0].nails, [Point::new(40.0, 60.0)]);
    assert_eq!(drawing.edges[0].labels[0].at, Point::new(20.0, 0.0));
    // A loop without bends would not be seen.
    assert_eq!(drawing.edges[1].nails.len(), 2);
    insta::assert_snapshot!(svg::file(&drawing, &svg::Marks::default(), ""));
}

#[test]
fn layers_of_a_small_automaton() {
    let text = "clock x; chan c; process P(const int n) { state A { x <= 5 }, B, C; branchpoint Q; commit B; init A;
        trans A -> B { guard x >= n; sync c!; assign x = 0; }, B -> A { }, B -> Q { }, Q -> C { probability 2; }, Q -> A { probability 1; },
        C -> C { guard x > 3; assign x = 0; }; }
        system P;";
    let drawing = drawings("p.xta", text).remove(0);
    examine("p.xta", &drawing);
    assert_eq!(
        joined_edges(&drawing),
        [vec![0], vec![1], vec![5], vec![2, 3], vec![2, 4]]
    );
    insta::assert_snapshot!(svg::fragment(&drawing, &svg::Marks::default()));
    insta::assert_snapshot!(dot::file(&[drawing]));
}

#[test]
fn what_a_model_says_is_text_and_nothing_else() {
    let text = r##"<nta><template><name>P</name>
        <location id="a" x="0" y="0" color="&quot;/&gt;&lt;script&gt;"><name>A</name><label kind="comments">&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;"</label></location>
        <location id="b" x="90" y="0"></location><init ref="a"/></template><system>system P;</system></nta>"##;
    let drawing = drawings("p.xml", text).remove(0);
    let marks = svg::Marks {
        locations: vec!["\"><script>".to_owned()],
        counts: vec!["</title><script>".to_owned()],
        ..svg::Marks::default()
    };
    let out = svg::file(&drawing, &marks, "");
    assert!(
        !out.contains("<script") && !out.contains("<img") && !out.contains("</script"),
        "{out}"
    );
    assert!(
        out.contains("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;"),
        "{out}"
    );
}

#[test]
fn a_thousand_locations_in_a_second() {
    let count = 1000;
    let names: Vec<String> = (0..count).map(|i| format!("L{i}")).collect();
    let edges: Vec<String> = (0..3 * count)
        .map(|i| {
            format!(
                "L{} -> L{} {{ guard x >= {i}; }}",
                i % count,
                (i * 37 + i / count * 11) % count
            )
        })
        .collect();
    let text = format!(
        "clock x; process P() {{ state {}; init L0; trans {}; }} system P;",
        names.join(", "),
        edges.join(", ")
    );
    let document = read("big.xta", text.as_bytes());
    let start = Instant::now();
    let drawing = template(&document.templates[0]);
    let out = svg::file(&drawing, &svg::Marks::default(), "");
    let seconds = start.elapsed().as_secs_f64();
    assert!(out.len() > 100_000);
    // Tests run on busy machines and without all optimisations.
    assert!(seconds < 5.0, "{seconds} s");
}
