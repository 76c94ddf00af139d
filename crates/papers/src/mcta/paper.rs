//! Printed numbers of MCTA and its peers: M. Wehrle, S. Kupferschmid, "Mcta: Heuristics and search for timed systems", FORMATS
//! 2012, tables 1 and 2, and the tool's web page of benchmarks.

/// The tools, in the order of the columns.
pub(super) const TOOLS: [&str; 4] = ["MCTA-2012", "MCTA-0.1", "UPPAAL/DMC", "UPPAAL-4.0.13"];

/// Table 2: for each tool the seconds in all, with preprocessing, and for those that have any the seconds of the search alone
/// (after `/`); for each tool the explored states; the length. `–`: more than 4 GByte of memory.
const TABLE_2: &str = "
M_1 2.2/0.3 0.6 3.0/0.2 0.5 29029 41455 190 14290 47
M_2 2.9/0.9 2.6 3.2/0.2 2.1 99528 164856 4417 51485 50
M_3 3.7/1.7 3.0 3.4/0.4 2.2 165336 189820 11006 52987 50
M_4 8.2/6.2 13.5 4.0/1.0 8.8 549999 724030 41359 186435 53
N_1 2.6/0.1 2.7 18.0/0.4 3.8 3606 93951 345 28196 49
N_2 3.1/0.6 14.7 12.1/0.5 17.1 26791 438394 3811 100078 52
N_3 4.2/1.7 19.1 14.7/4.5 17.5 70439 547174 59062 102124 52
N_4 13.0/10.4 95.3 34.3/27.8 76.4 388076 2317206 341928 370459 55
C_1 1.3/0.1 0.2 0.8/0.1 0.2 98 12458 130 21008 54
C_2 1.4/0.1 0.7 1.1/0.7 0.5 98 32751 89813 55544 54
C_3 1.4/0.1 0.8 0.8/0.0 0.6 98 37126 197 74791 54
C_4 1.4/0.1 7.5 0.9/0.1 6.0 312 301818 1140 553265 55
C_5 1.5/0.1 60.9 1.0/0.1 53.1 1178 2174789 7530 3977279 56
C_6 1.5/0.1 605.6 1.1/0.3 514.3 2619 20551913 39436 33526538 56
C_7 1.6/0.1 – 1.7/0.8 – 4247 – 149993 – 56
C_8 1.6/0.2 – 1.7/0.9 – 5416 – 158361 – 56
C_9 1.7/0.2 – 1.7/0.8 – 13675 – 127895 – 57
D_1 10.2/0.3 81.2 84.7/65.0 90.5 2789 1443874 4610240 4048866 78
D_2 12.2/0.4 433.4 255.3/5.4 539.0 5086 6931937 4223 21478364 79
D_3 12.3/0.4 487.0 255.6/5.4 548.4 5161 7900038 2993 21553760 79
D_4 13.9/0.3 288.0 256.7/5.4 476.4 1023 4660652 2031 18487819 79
D_5 60.1/6.4 – – – 122204 – – – 102
D_6 66.4/10.5 – – – 426571 – – – 103
D_7 67.1/7.9 – – – 180132 – – – 104
D_8 68.3/6.2 – – – 28285 – – – 104
D_9 71.4/6.3 – – – 12186 – – – 105
";

/// Printed numbers of a tool. `a/b` are seconds in all and of the search alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Printed {
    pub(super) seconds: &'static str,
    pub(super) explored: &'static str,
    pub(super) length: &'static str,
}

/// A row of table 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) name: &'static str,
    /// By tool.
    pub(super) seconds: [&'static str; 4],
    explored: [&'static str; 4],
    length: &'static str,
}

impl Row {
    /// Printed numbers of each tool.
    pub(super) fn cells(&self) -> Vec<Printed> {
        let cells = self.seconds.iter().zip(self.explored);
        cells
            .map(|(&seconds, explored)| Printed {
                seconds,
                explored,
                length: if explored == "–" { "–" } else { self.length },
            })
            .collect()
    }
}

/// The rows of table 2.
pub(super) fn rows() -> impl Iterator<Item = Row> {
    TABLE_2.lines().filter_map(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        let [name, a, b, c, d, e, f, g, h, length] = words[..] else {
            return None;
        };
        Some(Row {
            name,
            seconds: [a, b, c, d],
            explored: [e, f, g, h],
            length,
        })
    })
}

/// The rows of table 1, whose cells are the seconds of table 2.
pub(super) const TABLE_1: [&str; 6] = ["D_1", "D_2", "D_3", "D_4", "D_5", "D_6"];

/// Numbers of the web page for MCTA-0.1 with hL on a Xeon of 2.66 GHz: greedy search, and with useless transitions.
pub(super) const WEB_PAGE: [(&str, [Printed; 2]); 2] = [
    (
        "C_8",
        [printed("144.3", "11910000", "5644"), printed("0.3", "816", "95")],
    ),
    (
        "C_9",
        [
            printed("326.8", "27740000", "5803"),
            printed("3.2", "13423", "90"),
        ],
    ),
];

const fn printed(seconds: &'static str, explored: &'static str, length: &'static str) -> Printed {
    Printed {
        seconds,
        explored,
        length,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        let names: Vec<_> = rows().map(|row| row.name).collect();
        assert_eq!(names.len(), 4 + 4 + 9 + 9);
        assert_eq!(TABLE_2.split_whitespace().count(), 26 * 10);
        assert!(TABLE_1.iter().all(|row| names.contains(row)));
        for row in rows() {
            let is_number =
                |cell: &str| cell == "–" || cell.split('/').all(|part| part.parse::<f64>().is_ok());
            assert!(
                row.seconds
                    .iter()
                    .chain(&row.explored)
                    .all(|cell| is_number(cell)),
                "{row:?}"
            );
            // A tool that ran out of memory has neither.
            for (seconds, explored) in row.seconds.iter().zip(row.explored) {
                assert_eq!(*seconds == "–", explored == "–", "{row:?}");
            }
            assert!(row.length.parse::<u32>().is_ok());
        }
    }
}
