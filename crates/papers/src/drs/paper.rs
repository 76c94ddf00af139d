//! Numbers that the paper printed, tables 1 to 4, and the models that are measured in place of its own. Times are seconds unless
//! they have a unit; `oom`: out of memory (1 GB).

use crate::model::{Model, QueryChoice, Source};
use std::path::{Path, PathBuf};

/// A table of the paper.
pub(super) struct Table {
    pub(super) number: u32,
    pub(super) title: &'static str,
    /// Whether its models are faulty.
    pub(super) is_about_errors: bool,
    pub(super) rows: &'static [Row],
}

/// A line of a table.
pub(super) struct Row {
    pub(super) name: &'static str,
    /// The size of our own model.
    size: &'static str,
    /// The published file, where there is one.
    file: Option<&'static str>,
    /// Whether there is an error to find.
    pub(super) is_faulty: bool,
    /// Printed numbers: time, states and depth of Open-Kronos and of deep random search, time of UPPAAL.
    paper: [&'static str; 7],
}

impl Row {
    /// Printed numbers of a search, by its columns.
    pub(super) fn printed(&self, method: &str) -> [&'static str; 4] {
        let [ok_time, ok_states, ok_depth, time, states, depth, uppaal] = self.paper;
        match method {
            "DFS" => ["", ok_time, ok_states, ok_depth],
            "DRS" => ["", time, states, depth],
            "BFS" => ["", uppaal, "", ""],
            _ => [""; 4],
        }
    }
}

const fn faulty(name: &'static str, size: &'static str, paper: [&'static str; 7]) -> Row {
    Row {
        name,
        size,
        file: None,
        is_faulty: true,
        paper,
    }
}

/// Without depths, as there is nothing to find.
const fn correct(name: &'static str, size: &'static str, paper: [&'static str; 4]) -> Row {
    let [ok_time, ok_states, time, uppaal] = paper;
    Row {
        is_faulty: false,
        ..faulty(name, size, [ok_time, ok_states, "", time, "", "", uppaal])
    }
}

pub(super) const TABLES: [Table; 4] = [
    Table {
        number: 1,
        title: "Fischer's protocol with an error: mutual exclusion",
        is_about_errors: true,
        rows: &[
            faulty(
                "Fischer-2",
                "2",
                ["0.038", "63", "44", "0.003", "20", "6", "0.021"],
            ),
            faulty(
                "Fischer-4",
                "4",
                ["2.968", "1227", "1166", "0.006", "67", "28", "0.041"],
            ),
            faulty(
                "Fischer-8",
                "8",
                ["13.20", "35409", "2048", "0.082", "216", "211", "1.280"],
            ),
            faulty(
                "Fischer-12",
                "12",
                ["204", "332253", "2048", "0.512", "386", "374", "18.61"],
            ),
            faulty(
                "Fischer-16",
                "16",
                [">12 h", "?", "?", "0.906", "238", "222", "223 (oom)"],
            ),
        ],
    },
    Table {
        number: 2,
        title: "Fischer's protocol: mutual exclusion",
        is_about_errors: false,
        rows: &[
            correct("Fischer-2", "2", ["0.004", "203", "0.011", "0.02"]),
            correct("Fischer-3", "3", ["0.386", "24949", "0.513", "0.03"]),
            correct("Fischer-4", "4", ["943", "3842501", "1388", "0.14"]),
            correct("Fischer-5", "5", ["4 h", "oom", "oom", "2.01"]),
            correct("Fischer-6", "6", ["4 h", "oom", "oom", "124"]),
            correct("Fischer-7", "7", ["4 h", "oom", "oom", ">5 h"]),
        ],
    },
    Table {
        number: 3,
        title: "Philips audio protocol",
        is_about_errors: true,
        rows: &[
            faulty(
                "senders-1",
                "1",
                ["0.004", "72", "71", "0.003", "16", "12", "0.026"],
            ),
            faulty(
                "senders-4",
                "4",
                ["3.259", "46263", "2048", "0.007", "30", "26", "0.041"],
            ),
            faulty(
                "senders-8",
                "8",
                ["422.2", "1026446", "2048", "0.041", "93", "26", "0.158"],
            ),
            faulty(
                "senders-12",
                "12",
                [">12 h", "?", "?", "0.736", "375", "42", "0.802"],
            ),
            faulty(
                "senders-24",
                "24",
                [">12 h", "?", "?", "0.020", "41", "17", "39.095"],
            ),
            faulty(
                "senders-28",
                "28",
                [">12 h", "?", "?", "0.033", "50", "22", "107 (oom)"],
            ),
        ],
    },
    Table {
        number: 4,
        title: "Bang & Olufsen audio/video protocol",
        is_about_errors: true,
        rows: &[
            Row {
                file: Some("bocdp.xta"),
                ..faulty(
                    "senders-2",
                    "2",
                    ["0.226", "1285", "1284", "0.034", "1659", "1657", "0.174"],
                )
            },
            faulty(
                "senders-3",
                "3",
                ["35.161", "1135817", "1997", "10.76", "166113", "2318", "1.050"],
            ),
            faulty(
                "senders-4",
                "4",
                ["53.532", "1130669", "1608", "50.554", "617760", "2972", "10.1"],
            ),
            faulty(
                "senders-5",
                "5",
                ["1200", "oom", "–", "10 min", "6769520", "4734", "2 min"],
            ),
            faulty(
                "senders-6",
                "6",
                ["1200", "oom", "–", "37 min", "30316978", "13376", "12 min (oom)"],
            ),
            Row {
                file: Some("bando.xta"),
                ..correct("bando.xta, corrected", "2", ["", "", "", ""])
            },
        ],
    },
];

impl Table {
    /// The model of a row: the published one if it is at hand, and otherwise ours.
    pub(super) fn source(&self, row: &Row, models: Option<&Path>, has: impl Fn(&Path) -> bool) -> Source {
        let n = ("n", row.size);
        match self.number {
            1 => Source::member(
                "fischer",
                &[n, ("buggy", "short"), ("k", "2"), ("least", "2")],
                QueryChoice::Number(3),
            ),
            2 => Source::member("fischer", &[n], QueryChoice::Number(3)),
            3 => Source::member("philips-audio", &[n], QueryChoice::Number(1)),
            _ => row.published(models, has).map_or_else(
                || {
                    let buggy = if row.is_faulty { "yes" } else { "no" };
                    Source::member("bang-olufsen", &[n, ("buggy", buggy)], QueryChoice::Number(1))
                },
                |file| Source {
                    model: Model::File(file, Vec::new()),
                    asked: QueryChoice::Number(1),
                },
            ),
        }
    }
}

impl Row {
    /// Its published file, if that is at hand.
    fn published(&self, models: Option<&Path>, has: impl Fn(&Path) -> bool) -> Option<PathBuf> {
        let (file, models) = (self.file?, models?);
        let folders = ["drs/BangOlufsen", "BangOlufsen", ""];
        let mut files = folders.into_iter().map(|folder| models.join(folder).join(file));
        files.find(|file| has(file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_exist() {
        for (table, row) in TABLES
            .iter()
            .flat_map(|table| table.rows.iter().map(move |row| (table, row)))
        {
            let source = table.source(row, None, Path::is_file);
            let Source {
                model: Model::Member { family, params },
                asked: QueryChoice::Number(query),
            } = source
            else {
                panic!("{} is not a member of a family", row.name);
            };
            let text = zonewalk_families::generate(family, &params);
            let queries = text.map(|text| text.matches("<formula>").count());
            assert!(queries.is_ok_and(|count| count >= query), "{}", row.name);
        }
        let file = TABLES[3].source(&TABLES[3].rows[0], Some(Path::new("m")), |file| {
            file.starts_with("m/drs")
        });
        assert!(matches!(file.model, Model::File(file, _) if file.ends_with("BangOlufsen/bocdp.xta")));
    }
}
