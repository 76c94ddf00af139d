//! Printed numbers of A. Kiviriga, K. G. Larsen, U. Nyman, "Randomized Reachability Analysis in UPPAAL: Fast Error
//! Detection in Timed Systems", FMICS 2021, tables 4 to 9. Times are averages in seconds; `nf`: not found within the time
//! limit, `oom`: out of memory (16 GB), `n/a`: not applicable.

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

pub(super) const TABLES: [Table; 6] = [
    Table {
        number: 4,
        title: "Herschel-Planck: average time to detect non-schedulability",
        columns: &["SMC(160)", "SMC(640)", "SMC(1280)", "SEM", "RET", "RLC", "RLC-A"],
        rows: "
Herschel-f68 3378.82 3656.0 2626.11 nf 14.1 14.35 14.48
Herschel-f69 6087.64 3258.13 3565.49 nf 15.91 14.32 13.7
Herschel-f70 19408.04 16875.89 24322.69 nf 17.59 14.47 14.77
Herschel-f71 85837.23 nf nf nf 22.54 16.56 16.75
Herschel-f72 nf nf nf nf 27.81 18.42 18.96
Herschel-f73 nf nf nf nf 31.56 20.66 20.68
Herschel-f74 nf nf nf nf 52.53 38.08 40.31
Herschel-f75 nf nf nf nf 72.16 61.98 68.35
Herschel-f76 nf nf nf nf 83.12 328.03 327.32
Herschel-f77 nf nf nf nf 375.08 nf nf
Herschel-f78 nf nf nf nf 1155.50 nf nf
Herschel-f79 nf nf nf nf 2009.01 nf nf
Herschel-f80 nf nf nf nf 11194.43 nf nf
Herschel-f81 nf nf nf nf nf nf nf
",
    },
    Table {
        number: 5,
        title: "Herschel-Planck: average length of traces",
        columns: &["RET", "RET-S"],
        rows: "
Herschel-f68 6882 560
Herschel-f69 7619 568
Herschel-f70 8285 572
Herschel-f71 10411 570
Herschel-f72 12394 571
Herschel-f73 15937 578
Herschel-f74 26605 1549
Herschel-f75 41003 1546
Herschel-f76 40154 1529
Herschel-f77 97258 1536
Herschel-f78 119939 1540
Herschel-f79 129387 1536
Herschel-f80 145493 6455
",
    },
    Table {
        number: 6,
        title: "Stopwatch automata: average time to find the target",
        columns: &["BFS", "DFS", "RDFS", "SMC", "SEM", "RET", "RLC", "RLC-A"],
        rows: "
IMAOptim-0 0.09 0.1 0.07 0.04 0.07 0.1 0.1 0.08
IMAOptim-1 0.21 0.2 0.08 0.05 0.05 0.08 0.08 0.06
IMAOptim-2 0.21 0.26 0.09 0.06 0.08 0.11 0.11 0.1
md5-jop 0.25 10.8 6.53 n/a 0.15 0.18 0.18 0.12
md5-hvmimp 0.41 0.85 0.49 n/a 0.1 0.14 0.14 0.09
md5-hvmexp oom oom oom n/a 14.17 19.85 20.18 8.71
MP-jop 0.39 0.14 0.12 n/a 0.08 0.12 0.12 0.09
MP-hvmimp 0.35 0.14 0.12 n/a 0.08 0.12 0.12 0.09
MP-hvmexp oom oom oom n/a 13.49 22.95 21.99 8.59
simplerts-opt oom oom oom n/a 2.43 1.48 nf nf
",
    },
    Table {
        number: 7,
        title: "Gossiping girls with 8 nodes: all secrets shared in time",
        columns: &["BFS", "DFS", "RDFS", "SEM", "RET", "RLC", "RLC-A"],
        rows: "
Gosgirls-1 oom oom 697.13 nf 0.39 6949.95 nf
Gosgirls-2 oom oom 0.02 nf 0.04 0.04 0.04
Gosgirls-3 oom oom 44.49 nf 0.02 0.02 0.09
Gosgirls-4 oom oom 28.35 nf 0.03 0.03 nf
Gosgirls-5 oom oom 229.98 nf 0.02 0.02 0.02
Gosgirls-6 oom oom 64.00 nf 3.71 167.44 1530.99
Gosgirls-7 oom oom 55.61 nf 0.17 15.16 15.6
Gosgirls-8 oom oom 13.96 nf 0.04 0.03 0.03
Gosgirls-9 oom oom 2.08 nf 0.08 0.07 0.08
Gosgirls-10 oom oom 598.64 nf 0.24 1.72 nf
",
    },
    Table {
        number: 8,
        title: "Gossiping girls with 6 nodes: a particular configuration of secrets",
        columns: &["BFS", "DFS", "RDFS", "SEM", "RET", "RLC", "RLC-A"],
        rows: "
Gosgirls-1 16.98 oom oom 2.17 1.35 1.60 0.23
Gosgirls-2 0.04 oom 360.43 0.04 0.04 0.04 0.04
Gosgirls-3 77.96 oom oom nf 1.44 0.19 0.10
Gosgirls-4 oom oom oom nf 0.03 0.02 nf
Gosgirls-5 oom oom oom nf 0.02 0.02 0.02
Gosgirls-6 oom 244.66 2596.62 5.92 7.10 nf nf
Gosgirls-7 oom oom oom nf 0.14 75.44 141.20
Gosgirls-8 32.63 oom oom nf 0.11 3.24 505.99
Gosgirls-9 oom oom 199.77 0.10 13.04 3.65 2.07
Gosgirls-10 oom oom 209.36 nf 0.02 0.03 0.04
",
    },
    Table {
        number: 9,
        title: "Timed automata: average time to find the target",
        columns: &["BFS", "DFS", "RDFS", "SEM", "RET", "RLC", "RLC-A"],
        rows: "
csma-cd-20N 20.2 oom 0.02 0.03 0.07 0.06 0.21
csma-cd-22N 37.48 oom oom 0.03 0.08 0.08 0.31
csma-cd-25N 91.0 oom oom 0.05 0.09 0.1 0.55
csma-cd-30N 313.54 oom oom 0.05 0.12 0.19 1.43
csma-cd-50N oom oom oom 0.46 0.84 1.19 15.29
Fischer-10N 0.9 22.84 4.3 0.04 0.05 1.21 nf
Fischer-15N 8.35 6037.63 9038.96 0.09 0.09 5.06 nf
Fischer-20N 72.61 oom oom 0.3 0.28 17.28 nf
Fischer-25N 452.45 oom oom 0.64 0.73 36.93 nf
Fischer-50N oom oom 90.01 21.78 23.79 233.67 nf
FischerME-10N 7.15 0.14 0.02 0.01 0.02 0.01 0.02
FischerME-15N oom 11.45 0.05 0.04 0.04 0.03 0.16
FischerME-20N oom 970.33 0.4 0.11 0.09 0.05 0.04
FischerME-25N oom oom 83.29 0.25 0.21 0.08 0.07
FischerME-50N oom oom 174.32 14.87 15.26 0.49 4.04
LE-Chan-3N 0.03 0.35 0.04 0.01 0.01 0.01 0.01
LE-Chan-4N oom oom 107.7 0.95 0.54 4.36 0.07
LE-Chan-5N oom oom 1167.41 53.21 31.38 102.08 nf
LE-Hops-3N 0.02 0.02 0.02 0.01 0.01 0.01 0.01
LE-Hops-4N oom oom oom 49.40 14.57 428.96 1588.33
LE-Hops-5N oom oom 1108.15 63.44 35.15 36.49 49.00
Milner-N100 0.45 0.16 2.72 nf 0.11 0.11 0.12
Milner-N500 44.44 10.56 1619.75 nf 1.19 1.2 1.43
Milner-N1000 488.41 110.35 36455.73 nf 4.44 4.45 4.59
Train-200N oom 5.64 6.06 5.91 5.4 16699.98 nf
Train-300N oom 28.19 30.28 25.62 26.53 nf nf
Train-400N oom 85.22 90.66 67.91 70.87 nf nf
Train-500N oom 210.89 223.13 181.99 188.9 nf nf
Train-1000N nf 3461.17 3542.08 2192.12 2541.57 nf nf
Train-2000N nf 71286.92 oom 19229.02 23233.21 nf nf
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
                let is_known =
                    |cell: &&str| cell.parse::<f64>().is_ok() || ["nf", "oom", "n/a"].contains(cell);
                assert!(cells.iter().all(is_known), "{name}");
                rows += 1;
            }
        }
        assert_eq!(rows, 14 + 13 + 10 + 10 + 10 + 30);
    }
}
