//! The projects of this repository load, and what is written of their components reads the same.

use crate::support::written::written;
use zonewalk_testkit::own;
use zonewalk_tioa::read::load_file;
use zonewalk_tioa::{Loaded, load, query};

fn check(name: &str, loaded: &Loaded) {
    let project = &loaded.project;
    assert!(project.broken.is_empty(), "{name}: {:?}", project.broken);
    assert!(!project.components.is_empty(), "{name}");
    for component in &project.components {
        written(name, component, &project.actions);
    }
}

#[test]
fn own_projects_load() {
    for project in own::projects() {
        let name = project.path.display().to_string();
        let loaded = load(&project.path).unwrap();
        check(&name, &loaded);
        assert_eq!(loaded.project.queries.len(), project.queries.len(), "{name}");
        for text in &loaded.project.queries {
            let parsed = query::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
            let again = query::parse(&parsed[0].to_string()).unwrap();
            assert_eq!(again, parsed, "{text}");
        }
    }
}

#[test]
fn members_of_families_load() {
    for (family, params) in [("leader-tioa", ""), ("milner-tioa", "")] {
        let text = own::generate(family, params);
        let loaded =
            load_file("family.xml", text.as_bytes()).unwrap_or_else(|error| panic!("{family}: {error:?}"));
        check(family, &loaded);
    }
}
