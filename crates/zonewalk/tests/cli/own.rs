//! The models of this repository, as a user meets them: all are accepted, and the simulator runs them.

use crate::command::{root, zonewalk};

#[test]
fn own_models() {
    for path in zonewalk_testkit::own::paths() {
        let model = path.strip_prefix(root()).unwrap_or(&path).to_str().unwrap();
        let info = zonewalk(&["info", model, "--format", "json"]);
        assert_eq!(info.status, 0, "{model}: {}", info.stderr);
        let run = zonewalk(&["simulate", model, "--quiet", "--steps", "5"]);
        assert_eq!(run.status, 0, "{model}: {}", run.stderr);
    }
}

/// Processes and the size of a state, counted by hand from the files.
#[test]
fn sizes_of_own_models() {
    for (model, processes, size) in [
        // A structure of 3 × 2 + 1, a variable of each process; the last is no part of the state. One clock.
        ("models/language/structs.xta", 2, 2 + (7 + 2) + 1),
        // Three counts and flags of each node, a common one, a clock each.
        ("models/language/scalars.xta", 3, 3 + (3 + 3 + 1) + 3),
        ("models/language/broadcast.xta", 4, 4 + (1 + 1 + 1) + 3),
    ] {
        let info = zonewalk(&["info", model, "--format", "json"]).json();
        assert_eq!(info["processes"], processes, "{model}");
        assert_eq!(info["state_vector"]["size"], size, "{model}");
    }
}
