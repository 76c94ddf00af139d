//! Layers inside crates: the top modules of a crate, with an edge from each to those that it imports from, have no circle.
//!
//! The compiler sees to it that crates have none. Within a crate it allows them, and then no module can be read before the others.

mod graph;
mod reader;

use graph::Modules;
use std::collections::BTreeMap;

/// Crates that still have circles, with the modules in them. An entry may only go.
const CIRCLES: &[(&str, &str)] = &[
    (
        "cli",
        "check config explicit explore output refine replay reports simulate status",
    ),
    ("drawing", "label lib"),
    (
        "families",
        "arbiter_tree back_loops bang_olufsen brp component conference csma_cd diamond dining error firewire fischer garage gossip leader_election leader_tioa lib lift milner milner_tioa model othello params philips_audio plc_mutex plc_track scc scheduler swp train_gate",
    ),
    ("model", "builtin check eval tree types"),
    ("product", "project tables update"),
    ("reference", "interpreter rates"),
    ("searches", "family table"),
    ("session", "entry saved session"),
    ("stochastic", "fire race runner when"),
    ("syntax", "read xml"),
    ("timing", "graph instants least linear simple solve split"),
    ("tioa", "component project query read unfold"),
    ("zones", "bound kernels word"),
    ("zonewalk", "loader model"),
];

#[test]
fn modules_of_a_crate_import_each_other_one_way() {
    let listed: BTreeMap<&str, &str> = CIRCLES.iter().copied().collect();
    let (mut imports, mut wrong) = (0, Vec::new());
    for folder in std::fs::read_dir(crate::root().join("crates")).unwrap() {
        let folder = folder.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let modules = Modules::read(&folder.join("src"));
        imports += modules.imports().len();
        let circles = modules.circles();
        let listed = listed.get(&*name).copied().unwrap_or_default();
        if circles.join(" ") != listed {
            let between = modules
                .imports()
                .iter()
                .filter(|(from, to, _)| [from, to].iter().all(|module| circles.contains(&module.as_str())));
            let between = between.map(|(from, to, at)| format!("\n    {from} imports {to}: {at}"));
            wrong.push(format!(
                "{name}: `{}` import each other; listed: `{listed}`{}",
                circles.join(" "),
                between.collect::<String>()
            ));
        }
    }
    assert!(imports > 500, "{imports}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
