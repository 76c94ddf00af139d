//! The models that ship with the project are what the generator writes today.

use crate::support::generate;
use std::path::PathBuf;

/// Files of the folder `models/families` with the members that they hold. A family's defaults make the file of its name.
const SHIPPED: &[(&str, &str, &str)] = &[
    ("fischer", "fischer", ""),
    ("fischer-buggy", "fischer", "buggy=weak"),
    ("csma-cd", "csma-cd", ""),
    ("train-gate", "train-gate", ""),
    ("milner", "milner", ""),
    ("leader-election", "leader-election", ""),
    ("leader-election-channels", "leader-election", "variant=channels"),
    ("gossip", "gossip", ""),
    ("gossip-board", "gossip", "style=board"),
    ("scheduler", "scheduler", ""),
    ("scheduler-inheritance", "scheduler", "protocol=inheritance"),
    ("philips-audio", "philips-audio", ""),
    ("bang-olufsen", "bang-olufsen", ""),
    ("plc-mutex", "plc-mutex", ""),
    ("plc-track", "plc-track", ""),
    ("arbiter-tree", "arbiter-tree", ""),
    ("dining", "dining", ""),
    ("brp", "brp", ""),
    ("brp-timed", "brp", "timed=yes"),
    ("swp", "swp", ""),
    ("lift", "lift", ""),
    ("firewire", "firewire", ""),
    ("conference", "conference", ""),
    ("othello", "othello", ""),
    ("garage", "garage", ""),
    ("diamond", "diamond", ""),
    ("back-loops", "back-loops", ""),
    ("scc", "scc", ""),
    ("milner-tioa", "milner-tioa", ""),
    ("leader-tioa", "leader-tioa", ""),
];

/// With `UPDATE_MODELS` in the environment, the files are written instead.
#[test]
fn shipped_models_are_up_to_date() {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", "models", "families"]
        .iter()
        .collect();
    let updates = std::env::var_os("UPDATE_MODELS").is_some();
    for (file, family, params) in SHIPPED {
        let path = folder.join(format!("{file}.xml"));
        let text = generate(family, params);
        if updates {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, text).unwrap();
            continue;
        }
        // Checked out with other line ends perhaps.
        let shipped = std::fs::read_to_string(&path)
            .unwrap_or_default()
            .replace("\r\n", "\n");
        assert!(
            shipped == text,
            "{} is out of date; run with UPDATE_MODELS=1",
            path.display()
        );
    }
}

#[test]
fn every_family_ships() {
    for family in zonewalk_families::all() {
        let is_shipped = |(file, name, params): &(&str, &str, &str)| {
            [*file, *name] == [family.name; 2] && params.is_empty()
        };
        assert!(SHIPPED.iter().any(is_shipped), "{}", family.name);
    }
}
