use super::*;
use zonewalk_model::check::{Rules, check_with};
use zonewalk_model::instance::instantiate;
use zonewalk_syntax::read::read_model;
use zonewalk_syntax::source::SourceMap;

#[test]
fn too_many_values_are_refused() {
    let text = "chan a; process P() { int[0,99] i; int[0,99] j; state A; init A; trans
        A -> A { guard i < 99; sync a!; assign i = i + 1; },
        A -> A { guard j < 99; sync a!; assign j = j + 1; }; } system P;";
    let mut sources = SourceMap::new();
    let (document, _) = read_model("m.xta", text.as_bytes(), None, &mut sources);
    let (model, _) = check_with(sources, &document.unwrap(), &[], Rules::Components);
    let model = model.unwrap();
    let system = instantiate(&model).unwrap();
    let mark = |id: &str| Mark {
        id: id.to_owned(),
        label: Label::Channel,
    };
    let labels = Labels {
        places: vec![LocationNotes {
            name: "A".to_owned(),
            alias: None,
            kind: Kind::Normal,
            urgent: false,
        }],
        marks: vec![mark("E1"), mark("E2")],
    };
    let mut actions = Actions::default();
    let mut unfolder = Unfolder::new(&model, &system, ProcessId(0), "P", &labels, &mut actions).unwrap();
    unfolder.limit = 1_000;
    let error = unfolder.run().unwrap_err();
    assert_eq!(error.code.as_str(), "too-many-locations");
    let mut actions = Actions::default();
    let whole = unfold(
        &model,
        &system,
        ProcessId(0),
        "P",
        &labels,
        &mut actions,
        &mut Vec::new(),
    )
    .unwrap();
    assert_eq!(whole.locations.len(), 10_000);
}
