//! `zonewalk bench`

use crate::command::{self, root, scratch_path, zonewalk};

#[test]
fn tables_of_generated_models() {
    let run = zonewalk(&[
        "bench",
        "fmics-9",
        "--quick",
        "--timeout",
        "150ms",
        "--format",
        "json",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let document = run.json();
    assert_eq!(document["tables"].as_array().unwrap().len(), 1);
    let rows = document["tables"][0]["rows"].as_array().unwrap();
    let names: Vec<_> = rows.iter().map(|row| row["model"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "csma-cd-20N",
            "Fischer-10N",
            "FischerME-10N",
            "LE-Chan-3N",
            "LE-Hops-3N",
            "Milner-N100",
            "Train-200N"
        ]
    );
    let cell = |row: usize, search: &str| {
        let cells = rows[row]["cells"].as_array().unwrap();
        cells
            .iter()
            .find(|cell| cell["search"] == search)
            .unwrap()
            .clone()
    };
    let ret = cell(2, "RET");
    // Who finds it in time depends on the machine, but not all are late.
    assert_eq!((&ret["paper"], &ret["tried"]), (&0.02.into(), &1.into()));
    let cells = rows.iter().flat_map(|row| row["cells"].as_array().unwrap());
    assert!(cells.clone().any(|cell| cell["median_s"].as_f64() > Some(0.0)));
    assert!(
        cells
            .clone()
            .all(|cell| cell["median_s"].is_null() == (cell["found"] != 1))
    );
    // Whether breadth-first search gets there in time depends on the machine; that it tries does not.
    let bfs = cell(2, "BFS");
    assert_eq!((&bfs["paper"], &bfs["tried"]), (&7.15.into(), &1.into()));
    assert!(cell(5, "BFS")["tried"] == 1 && cell(5, "RDFS")["tried"] == 1);
    assert_eq!(cell(0, "DFS")["paper"], "oom");
}

#[test]
fn tables_of_deep_random_search() {
    let run = zonewalk(&[
        "bench", "drs-1", "drs-2", "--quick", "--seeds", "3", "--format", "json",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let document = run.json();
    let tables = document["tables"].as_array().unwrap();
    assert_eq!(tables.len(), 2);
    let cell = |table: usize, row: usize, column: &str| {
        let cells = tables[table]["rows"][row]["cells"].as_array().unwrap();
        cells
            .iter()
            .find(|cell| cell["column"] == column)
            .unwrap()
            .clone()
    };
    let found = cell(0, 1, "DRS found");
    assert_eq!((&found["value"], &found["of"]), (&3.into(), &3.into()));
    let states = cell(0, 1, "DRS states");
    assert_eq!(states["paper"], 67.0);
    assert!(states["low"].as_f64() <= states["value"].as_f64());
    assert!(cell(0, 0, "DRS depth")["value"].as_f64().unwrap() >= 5.0);
    assert_eq!(cell(1, 1, "DRS proved")["value"], 3);
    // Whatever the order, all states are visited.
    assert_eq!(cell(1, 0, "DRS depth")["value"], serde_json::Value::Null);
    assert_eq!(cell(1, 0, "measured on")["value"], "own: fischer n=2");
    // Depth-first search stands beside Open-Kronos.
    let states = cell(0, 1, "DFS states");
    assert_eq!(states["paper"], 1227.0);
    assert!(states["value"].as_f64().unwrap() >= 5.0);
}

/// The model of two senders is public, those of three to six are ours.
#[test]
fn the_bus_protocol_of_deep_random_search() {
    let words = "bench drs-4 --seeds 2 --row senders-2 --row senders-4 --timeout 1s --format json";
    let run = zonewalk(&words.split(' ').collect::<Vec<_>>());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let document = run.json();
    let cell = |row: usize, column: &str| {
        let cells = document["tables"][0]["rows"][row]["cells"].as_array().unwrap();
        let mut found = cells.iter().filter(|cell| cell["column"] == column);
        found.next().unwrap().clone()
    };
    assert_eq!(cell(0, "measured on")["value"], "own: bang-olufsen n=2 buggy=yes");
    assert_eq!(cell(0, "DRS states")["paper"], 1659.0);
    assert!(cell(0, "DRS depth")["value"].as_f64() >= Some(1684.0));
    assert!(cell(1, "DRS depth")["value"].as_f64() > cell(0, "DRS depth")["value"].as_f64());
    // What does not end says so.
    assert_eq!(cell(1, "BFS states")["missing"], "time");
}

/// For two senders our model of the protocol is the published one, state by state.
#[test]
fn our_model_of_the_bus_protocol() {
    assert_eq!(
        command::size_of("models/families/bang-olufsen.xml"),
        (106_427, 115_056)
    );
}

#[test]
fn figures_of_highway_search() {
    let folder = root().join("target/tmp/highway-plots");
    let run = zonewalk(&[
        "bench",
        "highway-2",
        "highway-3",
        "highway-4",
        "--seeds",
        "40",
        "--svg",
        folder.to_str().unwrap(),
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let line = |name: &str, nth: usize| {
        let mut lines = run
            .stdout
            .lines()
            .filter(|line| line.starts_with(&format!("| {name} |")));
        lines
            .nth(nth)
            .unwrap()
            .split('|')
            .map(str::trim)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    // An exhaustive search sees everything, and the corners are out of reach of chance.
    assert!(
        line("rdfs", 0)[2..12]
            .iter()
            .all(|cell| cell.starts_with("100.0")),
        "{}",
        run.stdout
    );
    assert!(
        line("highway 10", 0)[2..12]
            .iter()
            .all(|cell| cell.starts_with("100.0"))
    );
    assert!(!line("random", 0)[2].starts_with("100.0"));
    // Of one component precisely one exit is found.
    assert!(line("highway 1", 1)[10].starts_with("20.0"), "{}", run.stdout);
    assert!(line("rdfs", 2)[10].starts_with("100.0"), "{}", run.stdout);
    for figure in [2, 3, 4] {
        let plot = std::fs::read_to_string(folder.join(format!("highway-{figure}.svg"))).unwrap();
        assert!(
            plot.starts_with("<svg ") && plot.matches("<polyline").count() == 7,
            "{plot}"
        );
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// A garage is searched for two faults, and what is not public says so.
#[test]
fn applications_of_highway_search() {
    let folder = root().join("target/tmp/highway-applications");
    let run = zonewalk(&[
        "bench",
        "highway-6",
        "highway-7",
        "--seeds",
        "2",
        "--svg",
        folder.to_str().unwrap(),
        "--format",
        "json",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let document = run.json();
    let cell = |table: usize, row: usize, column: usize| {
        document["tables"][table]["rows"][row]["cells"][column].clone()
    };
    assert_eq!(cell(0, 5, 0)["missing"], "model not public");
    // Random search, and a highway of width 1.
    assert_eq!(cell(1, 0, 0)["paper"], 4000.0);
    assert_eq!(cell(1, 2, 0)["paper"], "< 400");
    // The shortest ways have 8 and 6 steps.
    assert!(cell(1, 1, 1)["value"].as_f64().unwrap() >= 8.0);
    assert!(cell(2, 1, 1)["value"].as_f64().unwrap() >= 6.0);
    for plot in ["highway-7", "highway-7-steps", "highway-7-shuttle"] {
        let plot = std::fs::read_to_string(folder.join(format!("{plot}.svg"))).unwrap();
        assert_eq!(plot.matches("<polyline").count(), 6, "{plot}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn tables_that_are_not_there() {
    let run = zonewalk(&["bench", "drs-7"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("unknown table `drs-7`"), "{}", run.stderr);
    let run = zonewalk(&["bench", "drs-1", "--seeds", "1", "--row", "Fischer-3"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(
        run.stderr.contains(
            "there is no row `Fischer-3` in these tables; similar ones are `Fischer-2`, `Fischer-4`, `Fischer-8`,"
        ),
        "{}",
        run.stderr
    );
    let run = zonewalk(&["bench", "mcta-2", "--quick", "--row", "M_4"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr
            .contains("the row `M_4` is not among those that --quick measures"),
        "{}",
        run.stderr
    );
    let run = zonewalk(&["bench", "drs-1", "--column", "RET"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("--column applies to the tables of fmics"),
        "{}",
        run.stderr
    );
}

/// Tables without the row are left out.
#[test]
fn the_tables_of_a_row() {
    let scratch = scratch_path("no-results.jsonl");
    std::fs::write(scratch.path(), "").unwrap();
    let tables = |tables: &str, rows: &[&str]| {
        let mut words: Vec<&str> = ["bench"].into_iter().chain(tables.split(' ')).collect();
        words.extend(rows.iter().flat_map(|row| ["--row", row]));
        words.extend(["--print", "--results", scratch.path(), "--format", "json"]);
        let run = zonewalk(&words);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let document = run.json();
        let tables = document["tables"].as_array().unwrap().iter();
        let name = |table: &serde_json::Value| table["table"].as_str().unwrap().to_owned();
        tables.map(name).collect::<Vec<_>>()
    };
    assert_eq!(tables("fmics", &["Gosgirls-1"]), ["fmics-7", "fmics-8"]);
    assert_eq!(
        tables("setta drs", &["Milner-N50-d4-v2", "Fischer-2"]),
        ["drs-1", "drs-2", "setta-4", "setta-10"]
    );
    assert_eq!(tables("highway", &["dining(8), rdfs"]), ["highway-8-searches"]);
}

/// A cell that fails in its box gets more time where the paper has a number, and says so.
#[test]
fn cells_that_failed_get_more_time() {
    let scratch = scratch_path("retried.jsonl");
    let words = format!(
        "bench fmics-9 --row LE-Hops-4N --row Milner-N100 --column SEM --schedule paper --seeds 2 --timeout 1ms --retry 60ms --results {}",
        scratch.path()
    );
    let words: Vec<_> = words.split(' ').collect();
    let run = zonewalk(&words);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let row = |name: &str| {
        let mut lines = run.stdout.lines();
        let start = format!("| {name} | ");
        lines.find(|line| line.starts_with(&start)).unwrap().to_owned()
    };
    // Neither is found in a millisecond. The paper found nothing in the second row, so that it is left as it is.
    assert_eq!(row("Milner-N100"), "| Milner-N100 | nf / nf |");
    assert!(row("LE-Hops-4N").contains(" in 0.06 s / 49.40"), "{}", run.stdout);
    let printed = zonewalk(&[&words[..], &["--print"]].concat());
    assert_eq!(printed.stdout, run.stdout);
    let run = zonewalk(&["bench", "drs-1", "--retry", "1s"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("--retry is for the tables of fmics"),
        "{}",
        run.stderr
    );
}

/// Missing measurements are marked as such in every format and table.
#[test]
fn every_empty_cell_says_why() {
    let scratch = scratch_path("nothing.jsonl");
    std::fs::write(scratch.path(), "").unwrap();
    let words = [
        "bench",
        "all",
        "zones",
        "--print",
        "--results",
        scratch.path(),
        "--format",
        "json",
    ];
    let run = zonewalk(&words);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let document = run.json();
    let tables = document["tables"].as_array().unwrap();
    assert!(tables.len() >= 28, "{}", tables.len());
    let mut cells = 0;
    for table in tables {
        assert_eq!(table["threads"], 1, "{}", table["table"]);
        assert!(table["machine"].is_string(), "{}", table["table"]);
        for row in table["rows"].as_array().unwrap() {
            for cell in row["cells"].as_array().unwrap() {
                let why = cell["missing"].as_str().or(cell["failure"].as_str());
                assert!(
                    why.is_some() || cell["value"].is_string(),
                    "{}: {row}",
                    table["table"]
                );
                cells += 1;
            }
        }
    }
    assert!(cells > 1000, "{cells}");
    let mut words = words;
    words[7] = "csv";
    let run = zonewalk(&words);
    let count = run.stdout.matches("not run").count();
    assert!(count > 900, "{count}");
}

/// Some tables have walks of the paper alone.
#[test]
fn tables_that_no_schedule_changes() {
    let words = [
        "bench",
        "fmics-1",
        "--schedule",
        "tuned",
        "--quick",
        "--timeout",
        "10ms",
        "--row",
        "Randomized MC",
    ];
    let run = zonewalk(&words);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains(
            "note: the walks of fmics-1, fmics-3 and fmics-5 are the paper's, whatever --schedule says"
        ),
        "{}",
        run.stderr
    );
}

#[test]
fn single_rows_and_columns() {
    let words = "bench fmics-9 --seeds 2 --row Fischer-10N --row LE-Chan-3N --column SEM --column RET --schedule tuned --timeout 20s";
    let run = zonewalk(&words.split(' ').collect::<Vec<_>>());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let lines: Vec<_> = run.stdout.lines().filter(|line| line.starts_with('|')).collect();
    let starts = |line: &str, start: &str| assert!(line.starts_with(start), "{line}");
    // Means, medians, then steps.
    assert_eq!(lines.len(), 12, "{}", run.stdout);
    for (line, start) in lines.iter().zip(
        [
            "| model | SEM tuned | RET tuned |",
            "|---",
            "| Fischer-10N | ",
            "| LE-Chan-3N | ",
        ]
        .repeat(3),
    ) {
        starts(line, start);
    }
    let median = lines[6].split(" | ").nth(1).unwrap();
    assert!(median.parse::<f64>().is_ok_and(|s| s > 0.0), "{}", lines[6]);
    let steps = lines[10].split(" | ").nth(1).unwrap();
    assert!(steps.parse::<u64>().is_ok_and(|steps| steps > 0), "{}", lines[10]);
}

#[test]
fn tables_of_randomized_refinement() {
    let run = zonewalk(&[
        "bench",
        "setta-4",
        "setta-5",
        "--row",
        "Milner-N50-d20-v0",
        "--row",
        "Leader-N5-v6",
        "--column",
        "ECDAR",
        "--column",
        "RCF",
        "--seeds",
        "20",
        "--format",
        "json",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let document = run.json();
    let cell = |table: usize, column: usize| {
        let rows = document["tables"][table]["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 1);
        rows[0]["cells"][column].clone()
    };
    let proof = cell(0, 0);
    assert_eq!((&proof["found"], &proof["paper"]), (&3.into(), &0.619.into()));
    assert_eq!(proof["counts"]["zones"], 200);
    // There is nothing to find.
    assert_eq!(cell(0, 1)["missing"], "nothing to find");
    let rcf = cell(1, 1);
    assert_eq!((&rcf["found"], &rcf["failed"]), (&20.into(), &0.into()));
    assert!(rcf["mean_s"].as_f64() > Some(0.0) && rcf["counts"]["mean_steps"].as_f64() > Some(1.0));
    // The mean has what lies between the searches, too.
    assert!(
        rcf["median_s"].as_f64() > Some(0.0)
            && rcf["median_s"].as_f64() < Some(20.0 * rcf["mean_s"].as_f64().unwrap())
    );
    assert!(cell(1, 0)["counts"]["run_steps"].as_u64() > Some(5));
}

#[test]
fn a_box_that_is_too_small_for_a_violation() {
    let run = zonewalk(&[
        "bench",
        "setta-3",
        "--row",
        "Milner-N12-d4-v2",
        "--column",
        "SMC",
        "--timeout",
        "20ms",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains("| Milner-N12-d4-v2 | nf / nf |"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("1 of the boxes ended during a search"),
        "{}",
        run.stdout
    );
}

#[test]
fn the_figure_of_randomized_refinement() {
    let folder = root().join("target/tmp/setta-plots");
    let run = zonewalk(&["bench", "setta-10", "--quick", "--svg", folder.to_str().unwrap()]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let plot = std::fs::read_to_string(folder.join("setta-10.svg")).unwrap();
    assert!(plot.contains("RCF") && plot.contains("nodes"), "{plot}");
}

#[test]
fn tables_of_directed_search() {
    let words = "bench mcta --row C_1 --row M_1 --column bfs --column greedy-hu --timeout 5m";
    let run = zonewalk(&words.split(' ').collect::<Vec<_>>());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let has = |line: &str| assert!(run.stdout.contains(line), "{line}:\n{}", run.stdout);
    has("| row | MCTA-2012 | MCTA-0.1 | UPPAAL/DMC | UPPAAL-4.0.13 | bfs | greedy-hu | model |");
    has("| own: plc-mutex requests=0 |");
    has("### Table 2: explored states");
    // Breadth-first search by depth: what it explores does not depend on the machine.
    has("| C_1 | 98 | 12458 | 130 | 21008 | 23026 | ");
    has("| M_1 | 47 | 47 | ");
    has("4 searches, 0 without an answer. One thread");

    let words = "bench mcta-2 --row C_2 --column astar-hl --format json --models crates --timeout 5m";
    let run = zonewalk(&words.split(' ').collect::<Vec<_>>());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let document = run.json();
    let row = &document["tables"][0]["rows"][0];
    assert_eq!(row["own"], true);
    assert_eq!(
        row["model"],
        "own: plc-track n=0 faults=1 (there is no paper/C_2.xta)"
    );
    assert_eq!(row["printed"][2]["search_seconds"], 0.7);
    let cell = &row["cells"][0];
    assert_eq!(
        (&cell["length"], &cell["failure"]),
        (&54.into(), &serde_json::Value::Null)
    );
    assert!(cell["explored"].as_u64() > Some(1000) && cell["cpu_s"].as_f64() > Some(0.0));
}

/// A search that does not come to its end says why, and what it did; table 1 has the best of those that do.
#[test]
fn directed_searches_that_end_early() {
    let words =
        "bench mcta-1 mcta-2 mcta-3 --row D_1 --row C_9 --column astar-hl --column greedy-hl --timeout 10ms";
    let run = zonewalk(&words.split(' ').collect::<Vec<_>>());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let has = |line: &str| assert!(run.stdout.contains(line), "{line}:\n{}", run.stdout);
    has("| D_1 | 10.2 | 81.2 | 84.7 | 90.5 | time | own: plc-track n=0 faults=0 observers=2 |");
    has("| D_1 | 10.2 (0.3) | 81.2 | 84.7 (65.0) | 90.5 | time | own: ");
    has("| D_1 | 2789 | 1443874 | 4610240 | 4048866 | > ");
    has("| C_9 | 326.8 | 3.2 | time | own: plc-track n=6 faults=2 |");
    has("1 search, 1 without an answer");
}

#[test]
fn proofs_by_directed_search() {
    let words = "bench mcta-4 --row M_1-correct --row symrob-M3 --column astar-hl --format json --timeout 5m";
    let run = zonewalk(&words.split(' ').collect::<Vec<_>>());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let document = run.json();
    let rows = document["tables"][0]["rows"].as_array().unwrap();
    assert_eq!(rows[0]["model"], "there is no symrob-mutualExcl/M3.xml");
    assert_eq!(rows[0]["cells"][0]["explored"], serde_json::Value::Null);
    assert_eq!(rows[1]["cells"][0]["proof"], true);
}

#[test]
fn what_was_measured_is_kept_and_printed_again() {
    let scratch = scratch_path("results.jsonl");
    let path = scratch.path();
    let file = std::path::Path::new(path);
    let words = "bench drs-1 setta-5 --seeds 2 --row Fischer-2 --row Leader-N5-v6 --timeout 20s --results";
    let bench = |more: &[&str]| {
        let mut words: Vec<&str> = words.split(' ').chain([path]).collect();
        words.extend(more);
        zonewalk(&words)
    };
    let first = bench(&[]);
    assert_eq!(first.status, 0, "{}", first.stderr);
    let lines = std::fs::read_to_string(file).unwrap();
    // Three cells of drs, five of setta.
    assert_eq!(lines.lines().count(), 8);
    // Nothing is measured twice, times are the same to the last digit, and the file stays as it is.
    for again in [bench(&["--print"]), bench(&["--resume"])] {
        assert_eq!(
            (again.status, &again.stdout),
            (0, &first.stdout),
            "{}",
            again.stderr
        );
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), lines);
    // A file that is there is not overwritten.
    let refused = bench(&[]);
    assert_eq!(refused.status, 2);
    assert!(
        refused
            .stderr
            .contains("--resume measures what is missing, --print shows"),
        "{}",
        refused.stderr
    );
    // What was lost is measured again, and no more.
    let kept: Vec<_> = lines.lines().filter(|line| !line.contains("\"RCF\"")).collect();
    std::fs::write(file, format!("{}\n", kept.join("\n"))).unwrap();
    let printed = bench(&["--print", "--format", "csv"]);
    assert!(
        printed
            .stdout
            .starts_with("table,row,column,metric,value\ndrs-1,Fischer-2,DRS found,value,2\n"),
        "{}",
        printed.stdout
    );
    assert!(
        !printed.stdout.contains("Leader-N5-v6,RCF,mean_s"),
        "{}",
        printed.stdout
    );
    let resumed = bench(&["--resume", "--format", "csv"]);
    assert!(
        resumed.stdout.contains("Leader-N5-v6,RCF,mean_s"),
        "{}",
        resumed.stdout
    );
    assert!(
        resumed.stderr.contains("cell 1 of 1: setta-5 Leader-N5-v6 RCF"),
        "{}",
        resumed.stderr
    );
    assert_eq!(std::fs::read_to_string(file).unwrap().lines().count(), 8);
    let text = bench(&["--print", "--format", "text"]);
    assert!(
        text.stdout.contains("\nmodel      DRS found  DRS mean time"),
        "{}",
        text.stdout
    );
    std::fs::write(file, "{}\n").unwrap();
    let wrong = bench(&["--print"]);
    assert_eq!(wrong.status, 2);
    assert!(
        wrong.stderr.contains("results.jsonl: line 1, column 2"),
        "{}",
        wrong.stderr
    );
}

/// Every table and figure of the five papers is there, and no cell of a row is absent without a word.
#[test]
fn all_tables_of_all_papers() {
    let words = "bench all --quick --timeout 30ms --seeds 1 --format json";
    let run = zonewalk(&words.split(' ').collect::<Vec<_>>());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let document = run.json();
    let tables = document["tables"].as_array().unwrap();
    let names: Vec<_> = tables
        .iter()
        .map(|table| table["table"].as_str().unwrap())
        .collect();
    let papers = [
        ("fmics", &[1, 3, 4, 5, 6, 7, 8, 9][..]),
        ("drs", &[1, 2, 3, 4]),
        ("highway", &[1, 2, 3, 4, 6, 7, 8]),
        ("setta", &[1, 2, 3, 4, 5, 6, 10]),
        ("mcta", &[1, 2, 3, 4]),
    ];
    for (paper, numbers) in papers {
        for number in numbers {
            let name = format!("{paper}-{number}");
            assert!(names.contains(&name.as_str()), "{name} is not there: {names:?}");
        }
    }
    for table in tables {
        let rows = table["rows"].as_array().unwrap();
        assert!(!rows.is_empty(), "{}", table["table"]);
        let cells = |row: &serde_json::Value| row["cells"].as_array().unwrap().len();
        assert!(
            rows.iter().all(|row| cells(row) == cells(&rows[0])),
            "{}: rows have different numbers of cells",
            table["table"]
        );
    }
}
