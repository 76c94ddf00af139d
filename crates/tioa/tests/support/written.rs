//! Components that are written and read again.

use zonewalk_tioa::read::{File, load_folder};
use zonewalk_tioa::{Action, Component, write};

/// A written component reads back as an equal component.
pub(crate) fn written(project: &str, first: &Component, actions: &[String]) {
    let text = write::component_json(first, actions);
    let file = File {
        path: format!("Components/{}.json", first.name),
        bytes: Ok(text.clone().into_bytes()),
    };
    let again = load_folder("p", vec![file]).unwrap();
    let broken = &again.project.broken;
    assert!(broken.is_empty(), "{project} {}: {broken:?}\n{text}", first.name);
    let second = &again.project.components[0];
    let names = |list: &[Action], actions: &[String]| {
        let mut names: Vec<String> = list.iter().map(|a| actions[a.index()].clone()).collect();
        names.sort();
        names
    };
    let other = &again.project.actions;
    for (a, b) in [
        (&first.alphabet.inputs, &second.alphabet.inputs),
        (&first.alphabet.outputs, &second.alphabet.outputs),
    ] {
        assert_eq!(names(a, actions), names(b, other), "{project} {}", first.name);
    }
    assert_eq!(first.locations.len(), second.locations.len());
    assert_eq!(first.initial, second.initial);
    for (a, b) in first.edges.iter().zip(&second.edges) {
        assert_eq!(
            (a.source, a.target, a.direction),
            (b.source, b.target, b.direction)
        );
        assert_eq!(a.updates, b.updates);
    }
    assert_eq!(write::component_json(second, other), text);
}
