//! What the paper printed, tables 1 to 4, and the models that are measured in place of its own. Times are seconds unless
//! they have a unit; `oom`: out of memory (1 GB).

use crate::bench::model::{Asked, Model, Source};
use std::path::Path;

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
    /// The size, or the file.
    member: &'static str,
    /// Whether there is an error to find.
    pub(super) is_faulty: bool,
    pub(super) paper: Printed,
}

/// What the paper has of deep random search and of UPPAAL.
#[derive(Clone, Copy)]
pub(super) struct Printed {
    pub(super) time: &'static str,
    pub(super) states: &'static str,
    pub(super) depth: &'static str,
    pub(super) uppaal: &'static str,
}

const fn faulty(name: &'static str, member: &'static str, paper: [&'static str; 4]) -> Row {
    let [time, states, depth, uppaal] = paper;
    Row {
        name,
        member,
        is_faulty: true,
        paper: Printed {
            time,
            states,
            depth,
            uppaal,
        },
    }
}

const fn correct(name: &'static str, member: &'static str, time: &'static str, uppaal: &'static str) -> Row {
    Row {
        is_faulty: false,
        ..faulty(name, member, [time, "", "", uppaal])
    }
}

pub(super) const TABLES: [Table; 4] = [
    Table {
        number: 1,
        title: "Fischer's protocol with an error: mutual exclusion",
        is_about_errors: true,
        rows: &[
            faulty("Fischer-2", "2", ["0.003", "20", "6", "0.021"]),
            faulty("Fischer-4", "4", ["0.006", "67", "28", "0.041"]),
            faulty("Fischer-8", "8", ["0.082", "216", "211", "1.280"]),
            faulty("Fischer-12", "12", ["0.512", "386", "374", "18.61"]),
            faulty("Fischer-16", "16", ["0.906", "238", "222", "223 (oom)"]),
        ],
    },
    Table {
        number: 2,
        title: "Fischer's protocol: mutual exclusion",
        is_about_errors: false,
        rows: &[
            correct("Fischer-2", "2", "0.011", "0.02"),
            correct("Fischer-3", "3", "0.513", "0.03"),
            correct("Fischer-4", "4", "1388", "0.14"),
            correct("Fischer-5", "5", "oom", "2.01"),
            correct("Fischer-6", "6", "oom", "124"),
            correct("Fischer-7", "7", "oom", ">5 h"),
        ],
    },
    Table {
        number: 3,
        title: "Philips audio protocol",
        is_about_errors: true,
        rows: &[
            faulty("senders-1", "1", ["0.003", "16", "12", "0.026"]),
            faulty("senders-4", "4", ["0.007", "30", "26", "0.041"]),
            faulty("senders-8", "8", ["0.041", "93", "26", "0.158"]),
            faulty("senders-12", "12", ["0.736", "375", "42", "0.802"]),
            faulty("senders-24", "24", ["0.020", "41", "17", "39.095"]),
            faulty("senders-28", "28", ["0.033", "50", "22", "107 (oom)"]),
        ],
    },
    Table {
        number: 4,
        title: "Bang & Olufsen audio/video protocol, two senders",
        is_about_errors: true,
        rows: &[
            faulty("bocdp.xta", "bocdp.xta", ["0.034", "1659", "1657", "0.174"]),
            correct("bando.xta, corrected", "bando.xta", "", ""),
        ],
    },
];

impl Table {
    /// The model of a row, if it is at hand.
    pub(super) fn source(&self, row: &Row, models: Option<&Path>) -> Option<Source> {
        let n = ("n", row.member);
        Some(match self.number {
            1 => Source::member(
                "fischer",
                &[n, ("buggy", "short"), ("k", "2"), ("least", "2")],
                Asked::Number(3),
            ),
            2 => Source::member("fischer", &[n], Asked::Number(3)),
            3 => Source::member("philips-audio", &[n], Asked::Number(1)),
            _ => {
                let models = models?;
                let folders = ["drs/BangOlufsen", "BangOlufsen", ""];
                let mut files = folders
                    .into_iter()
                    .map(|folder| models.join(folder).join(row.member));
                Source {
                    model: Model::File(files.find(|file| file.is_file())?, Vec::new()),
                    asked: Asked::Number(1),
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_exist() {
        for table in &TABLES[..3] {
            for row in table.rows {
                let Some(Source {
                    model: Model::Member { family, params },
                    asked: Asked::Number(query),
                }) = table.source(row, None)
                else {
                    panic!("{} has no model", row.name);
                };
                let text = zonewalk_families::generate(family, &params);
                let queries = text.map(|text| text.matches("<formula>").count());
                assert!(queries.is_ok_and(|count| count >= query), "{}", row.name);
            }
        }
        assert_eq!(TABLES[3].source(&TABLES[3].rows[0], None), None);
    }
}
