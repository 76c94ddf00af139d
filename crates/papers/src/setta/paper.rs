//! Printed numbers of A. Kiviriga, K. G. Larsen, U. Nyman, "Randomized Refinement Checking of Timed I/O Automata", SETTA
//! 2020, tables 2 to 6 and figure 10. Times are averages in seconds over all violations found within an hour; `nf`: none was
//! found, `–`: not asked for.

/// A table of the paper.
pub(super) struct Table {
    pub(super) number: u32,
    pub(super) title: &'static str,
    pub(super) columns: &'static [&'static str],
    /// Name and cells of each row, separated by blanks.
    rows: &'static str,
}

impl Table {
    /// Names and cells of the rows.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
        self.rows.lines().filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?, words.collect()))
        })
    }
}

/// The figure that is a plot of times.
pub(super) const FIGURE: u32 = 10;

pub(super) const TABLES: [Table; 6] = [
    Table {
        number: 2,
        title: "Table 2: Milner's scheduler, two implementations of SMC",
        columns: &["Java-SMC", "UPPAAL-SMC"],
        rows: "
Milner-N8-d20-v6 1.720 3.413
Milner-N12-d20-v6 33.869 57.762
",
    },
    Table {
        number: 3,
        title: "Table 3: Milner's scheduler, mean time to a violation",
        columns: &["RET-U", "RET-PD", "RET", "RCF-U", "RCF-PD", "RCF", "SMC"],
        rows: "
Milner-N8-d20-v2 nf 0.042 0.011 nf 0.024 0.007 nf
Milner-N8-d20-v4 21.577 0.008 0.003 12.590 0.005 0.002 50.832
Milner-N8-d20-v6 0.558 0.004 0.003 0.361 0.003 0.002 1.720
Milner-N8-d4-v2 nf 0.078 0.010 nf 0.043 0.005 nf
Milner-N8-d4-v4 491.800 0.044 0.010 1506.872 0.026 0.005 891.425
Milner-N8-d4-v6 58.688 0.033 0.010 42.996 0.017 0.005 96.811
Milner-N12-d20-v2 nf 0.655 0.030 nf 0.336 0.017 nf
Milner-N12-d20-v4 2770.389 0.082 0.017 1376.237 0.043 0.010 2882.110
Milner-N12-d20-v6 26.082 0.021 0.008 13.564 0.012 0.005 33.869
Milner-N12-d4-v2 nf 2.056 0.032 nf 0.886 0.017 nf
Milner-N12-d4-v4 nf 0.851 0.031 nf 0.440 0.017 nf
Milner-N12-d4-v6 nf 0.501 0.031 nf 0.254 0.017 nf
",
    },
    Table {
        number: 4,
        title: "Table 4: Milner's scheduler, mean time to a violation, or to a proof (v = 0)",
        columns: &["ECDAR", "RET", "RCF"],
        rows: "
Milner-N50-d20-v0 0.619 – –
Milner-N50-d20-v2 0.686 0.638 0.314
Milner-N50-d20-v4 0.688 0.487 0.249
Milner-N50-d20-v6 0.689 0.360 0.176
Milner-N50-d10-v0 1.576 – –
Milner-N50-d10-v2 2.252 0.692 0.326
Milner-N50-d10-v4 2.208 0.613 0.291
Milner-N50-d10-v6 2.182 0.547 0.255
Milner-N50-d4-v0 160.015 – –
Milner-N50-d4-v2 224.724 0.688 0.322
Milner-N50-d4-v4 274.632 0.621 0.292
Milner-N50-d4-v6 295.818 0.576 0.268
Milner-N100-d20-v0 3.622 – –
Milner-N100-d20-v2 4.050 2.791 1.304
Milner-N100-d20-v4 3.942 2.206 1.024
Milner-N100-d20-v6 3.974 1.701 0.776
Milner-N100-d10-v0 9.510 – –
Milner-N100-d10-v2 13.367 2.873 1.302
Milner-N100-d10-v4 13.252 2.686 1.194
Milner-N100-d10-v6 12.832 2.383 1.080
Milner-N100-d4-v0 2631.751 – –
Milner-N100-d4-v2 693.688 2.856 1.279
Milner-N100-d4-v4 695.181 2.721 1.231
Milner-N100-d4-v6 689.754 2.490 1.102
",
    },
    // The text says that walks handle up to ten nodes, and gives no times.
    Table {
        number: 5,
        title: "Table 5: leader election, mean time to a violation, or to a proof (v = 0)",
        columns: &["ECDAR", "RET", "RCF"],
        rows: "
Leader-N5-v0 0.103 – –
Leader-N5-v2 0.127 1.411 0.403
Leader-N5-v4 0.130 0.080 0.024
Leader-N5-v6 0.085 0.009 0.003
Leader-N6-v0 17.190 – –
Leader-N6-v2 18.170 11.392 2.916
Leader-N6-v4 15.952 0.576 0.138
Leader-N6-v6 8.695 0.059 0.015
Leader-N7-v0 nf – –
Leader-N7-v2 nf 102.653 26.617
Leader-N7-v4 nf 4.140 0.722
Leader-N7-v6 nf 0.345 0.073
Leader-N8-v0 nf – –
Leader-N8-v2 nf 170.782 172.880
Leader-N8-v4 nf 38.217 5.166
Leader-N8-v6 nf 2.113 0.340
Leader-N10-v0 – – –
Leader-N10-v6 – – –
",
    },
    Table {
        number: 6,
        title: "Table 6: leader election with mutants, mean time to a violation",
        columns: &["ECDAR", "RET", "RCF"],
        rows: "
Leader-N6-one-m1 38.204 51.704 11.697
Leader-N6-one-m2 25.183 0.002 0.001
Leader-N6-one-m3 19.709 0.002 0.001
Leader-N6-one-m4 18.007 0.002 0.001
Leader-N6-all-m1 12.592 0.077 0.016
Leader-N6-all-m2 11.452 0.006 0.001
Leader-N6-all-m3 10.643 0.003 0.001
Leader-N6-all-m4 11.183 0.005 0.001
Leader-N7-one-m1 nf 563.254 125.991
Leader-N7-one-m2 nf 0.005 0.001
Leader-N7-one-m3 nf 0.005 0.001
Leader-N7-one-m4 687.573 0.005 0.001
Leader-N7-all-m1 nf 0.054 0.011
Leader-N7-all-m2 nf 0.007 0.001
Leader-N7-all-m3 nf 0.006 0.001
Leader-N7-all-m4 35.230 0.001 0.001
",
    },
    // The text gives the last point of the curves, and table 4 the first two that are measured here.
    Table {
        number: FIGURE,
        title: "Figure 10: Milner's scheduler, mean time to a violation by nodes",
        columns: &["RET", "RCF"],
        rows: "
Milner-N50-d4-v2 0.688 0.322
Milner-N100-d4-v2 2.856 1.279
Milner-N150-d4-v2 – –
Milner-N200-d4-v2 – –
Milner-N250-d4-v2 – –
Milner-N300-d4-v2 – –
Milner-N350-d4-v2 – –
Milner-N400-d4-v2 – –
Milner-N450-d4-v2 – –
Milner-N500-d4-v2 <100 <50
",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_all_its_cells() {
        let mut rows = 0;
        for table in &TABLES {
            for (name, cells) in table.rows() {
                assert_eq!(cells.len(), table.columns.len(), "{name}");
                let is_known = |cell: &&str| {
                    cell.trim_start_matches('<').parse::<f64>().is_ok() || ["nf", "–"].contains(cell)
                };
                assert!(cells.iter().all(is_known), "{name}");
                rows += 1;
            }
        }
        assert_eq!(rows, 2 + 12 + 24 + 18 + 16 + 10);
    }
}
