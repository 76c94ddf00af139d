//! The systems of table 1 that are at hand, and what the paper printed about them.

use super::method::Method;
use crate::bench::model::{Asked, Source};
use std::path::{Path, PathBuf};

/// The searches of the table, in its order.
pub(super) const METHODS: [Method; 5] = [
    Method::Random,
    Method::Rdfs,
    Method::Highway(8),
    Method::Highway(16),
    Method::Highway(32),
];

/// A line of the table.
pub(super) struct System {
    pub(super) name: &'static str,
    kind: Kind,
    /// States that a search may visit.
    pub(super) visits: u64,
    /// States, trace and percentage of successes of each method.
    pub(super) paper: [[&'static str; 3]; 5],
}

enum Kind {
    /// A file among the models, and the action to look for.
    File(&'static str, &'static str),
    /// A member of a family by its size; its first query is the goal.
    Member(&'static str, &'static str),
}

/// What is searched.
pub(super) enum Searched {
    Explicit(PathBuf, &'static str),
    Model(Source),
}

impl System {
    /// What is searched, if it is at hand.
    pub(super) fn searched(&self, models: Option<&Path>) -> Option<Searched> {
        match self.kind {
            Kind::File(file, action) => {
                let folders = ["aut", ""];
                let mut files = folders
                    .into_iter()
                    .map(|folder| models.map(|m| m.join(folder).join(file)));
                let file = files.find_map(|file| file.filter(|file| file.is_file()))?;
                Some(Searched::Explicit(file, action))
            }
            Kind::Member(family, n) => Some(Searched::Model(Source::member(
                family,
                &[("n", n)],
                Asked::Number(1),
            ))),
        }
    }
}

const fn file(
    name: &'static str,
    file: &'static str,
    action: &'static str,
    paper: [[&'static str; 3]; 5],
) -> System {
    System {
        name,
        kind: Kind::File(file, action),
        visits: 50_000,
        paper,
    }
}

const fn member(
    name: &'static str,
    family: &'static str,
    n: &'static str,
    visits: u64,
    paper: [[&'static str; 3]; 5],
) -> System {
    System {
        name,
        kind: Kind::Member(family, n),
        visits,
        paper,
    }
}

const NONE: [&str; 3] = ["", "", "0"];

pub(super) const SYSTEMS: [System; 12] = [
    file(
        "1394(2)",
        "1394-2.aut",
        "LDres",
        [
            ["3266", "158", "100"],
            ["981", "491", "100"],
            ["1154", "174", "88"],
            ["2078", "153", "93"],
            ["3439", "125", "95"],
        ],
    ),
    file(
        "lift-init(3)",
        "lift-init-3.aut",
        "protocol_error",
        [
            ["13", "14", "2"],
            ["553", "14", "100"],
            ["87", "13", "31"],
            ["149", "13", "58"],
            ["257", "13", "93"],
        ],
    ),
    member(
        "brp(10)",
        "brp",
        "10",
        50_000,
        [
            ["268", "137", "100"],
            ["155", "152", "100"],
            ["937", "124", "100"],
            ["1441", "94", "100"],
            ["2390", "78", "100"],
        ],
    ),
    member(
        "brp(30)",
        "brp",
        "30",
        50_000,
        [
            ["19885", "311", "75"],
            ["382", "361", "100"],
            ["1717", "240", "100"],
            ["3089", "209", "100"],
            ["5611", "186", "100"],
        ],
    ),
    member(
        "brp(50)",
        "brp",
        "50",
        50_000,
        [
            NONE,
            ["539", "494", "100"],
            ["2345", "341", "100"],
            ["4496", "315", "100"],
            ["8415", "286", "100"],
        ],
    ),
    member(
        "brp(70)",
        "brp",
        "70",
        50_000,
        [
            NONE,
            ["690", "629", "100"],
            ["3043", "445", "100"],
            ["5809", "413", "100"],
            ["11372", "387", "100"],
        ],
    ),
    member(
        "brp(90)",
        "brp",
        "90",
        50_000,
        [
            NONE,
            ["821", "745", "100"],
            ["3593", "542", "100"],
            ["7103", "509", "100"],
            ["14094", "486", "100"],
        ],
    ),
    member(
        "swp(2)",
        "swp",
        "2",
        80_000,
        [
            ["327", "204", "27"],
            ["279", "274", "27"],
            ["1217", "154", "26"],
            ["2214", "141", "27"],
            ["3161", "102", "27"],
        ],
    ),
    member(
        "swp(4)",
        "swp",
        "4",
        80_000,
        [
            ["1640", "906", "27"],
            ["1570", "1552", "27"],
            ["6307", "790", "27"],
            ["12794", "802", "27"],
            ["13374", "421", "27"],
        ],
    ),
    member(
        "swp(6)",
        "swp",
        "6",
        80_000,
        [
            ["4391", "2372", "27"],
            ["3872", "3844", "27"],
            ["14986", "1875", "27"],
            ["24588", "1540", "27"],
            ["29377", "922", "27"],
        ],
    ),
    member("dining(8)", "dining", "8", 50_000, [["", "", ""]; 5]),
    member("dining(17)", "dining", "17", 50_000, [["", "", ""]; 5]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::model::Model;

    #[test]
    fn members_exist() {
        for system in &SYSTEMS {
            match system.searched(None) {
                Some(Searched::Model(Source {
                    model: Model::Member { family, params },
                    ..
                })) => assert!(
                    zonewalk_families::generate(family, &params).is_ok(),
                    "{}",
                    system.name
                ),
                Some(_) => panic!("{} needs no files", system.name),
                None => assert!(matches!(system.kind, Kind::File(..)), "{}", system.name),
            }
        }
    }
}
