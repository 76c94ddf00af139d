//! The table of searches, held against what a user sees and what really happens.

use crate::command::{root, zonewalk, zonewalk_with};
use zonewalk::Search;
use zonewalk_searches::{Extent, Family, Planned, Question};

/// One process without channels, which every search supports; the location `never` cannot be reached.
const MODEL: &str = "clock x; int[0,3] n;
    process P() { state a { x <= 4 }, b { x <= 4 }, never; init a; trans
        a -> b { guard x >= 1; assign x = 0, n = 1; }, b -> a { guard x >= 2; assign x = 0, n = 2; },
        a -> never { guard n == 3; }; }
    system P;";

/// Queries, with what they ask; those about states are decided by what is found.
const QUERIES: [(&str, Question); 8] = [
    ("E<> P.b && n == 1", Question::States),
    ("A[] n < 2", Question::States),
    ("E[] n < 3", Question::Runs),
    ("A<> n == 1", Question::Runs),
    ("P.a --> P.b", Question::Runs),
    ("sup: n", Question::Values),
    ("inf{P.b}: x", Question::Values),
    ("bounds: n", Question::Values),
];

#[test]
fn searches_decide_what_the_table_says() {
    for search in Search::ALL {
        let queries: Vec<&str> = QUERIES.iter().flat_map(|(query, _)| ["-q", query]).collect();
        let asked = ["--search", search.name(), "--format", "json", "--threads", "1"];
        let run = zonewalk_with(
            &[&["check", "-"], &queries[..], &asked].concat(),
            MODEL.as_bytes(),
        );
        let json = run.json();
        let results = json["results"].as_array().unwrap();
        assert_eq!(results.len(), QUERIES.len(), "{}", run.stderr);
        for ((query, question), result) in QUERIES.iter().zip(results) {
            let words = format!("{} cannot decide this kind of query", search.name());
            if search.info().extent(*question) == Extent::Nothing {
                assert_eq!(
                    (&result["verdict"], &result["reason"]),
                    (&"unknown".into(), &words.into())
                );
            } else {
                let verdict = result["verdict"].as_str().unwrap();
                assert!(
                    ["satisfied", "not satisfied"].contains(&verdict),
                    "{query} by {}: {result}",
                    search.name()
                );
            }
        }
        let refused = json["diagnostics"].as_array().unwrap();
        let is_all = QUERIES
            .iter()
            .all(|(_, question)| search.info().extent(*question) != Extent::Nothing);
        assert_eq!(refused.is_empty(), is_all, "{}", search.name());
        for refusal in refused {
            assert_eq!(refusal["help"], "auto, bfs, dfs, rdfs can");
        }
    }
}

#[test]
fn searches_prove_what_the_table_says() {
    for search in Search::ALL {
        let limits: &[&str] = match search.info().states {
            Extent::Finds if search.walks() => &["--max-walks", "20", "--max-steps", "20"],
            Extent::Finds => &["--max-states", "50"],
            Extent::Proves | Extent::ProvesIf(_) | Extent::Nothing => &[],
        };
        let args = [
            &["check", "-", "-q", "E<> P.never", "--search", search.name()],
            limits,
        ];
        let run = zonewalk_with(&args.concat(), MODEL.as_bytes());
        let expected = if search.info().is_complete() { 1 } else { 3 };
        assert_eq!(
            run.status,
            expected,
            "{}: {}{}",
            search.name(),
            run.stdout,
            run.stderr
        );
    }
}

#[test]
fn searches_visit_explicit_systems_where_the_table_says() {
    for search in Search::ALL {
        let run = zonewalk(&["check", "models/vending.aut", "--search", search.name()]);
        let is_refused = run.status == 2;
        assert_eq!(
            is_refused,
            !search.info().is_for_explicit,
            "{}: {}",
            search.name(),
            run.stderr
        );
    }
}

#[test]
fn another_seed_is_another_search_where_the_table_says() {
    let found = |search: Search, seed: &str| {
        let model = [
            "check",
            "models/fischer-broken.xml",
            "--query-index",
            "1",
            "--shrink",
            "none",
        ];
        let how = [
            "--search",
            search.name(),
            "--seed",
            seed,
            "--threads",
            "1",
            "--format",
            "json",
        ];
        let bounds = ["--max-states", "2000", "--quiet"];
        let run = zonewalk(&[&model[..], &how, &bounds].concat());
        assert!([1, 3].contains(&run.status), "{}", run.stderr);
        let json = run.json();
        let result = &json["results"][0];
        let (stats, trace) = (&result["stats"], &result["trace"]);
        format!("{stats} {} {}", trace["found_steps"], trace["found_duration"])
    };
    // Walks are nothing but chance.
    for search in Search::that(|search| search.info().family == Some(Family::Symbolic)) {
        let first = found(search, "1");
        let differs = ["2", "3", "4"].iter().any(|seed| found(search, seed) != first);
        assert_eq!(differs, search.info().is_by_chance, "{}", search.name());
    }
}

#[test]
fn every_search_is_told_about() {
    let help = zonewalk(&["check", "--help"]).stdout;
    let searches = zonewalk(&["help", "searches"]).stdout;
    let info = zonewalk(&["info", "models/heartbeat.xml", "--format", "json"]).json();
    let engines = info["engines"].as_array().unwrap();
    let listed = |key: &str, name: &str| {
        let lists = engines.iter().filter_map(|engine| engine[key].as_array());
        lists.flatten().filter(|listed| *listed == name).count()
    };
    let document = std::fs::read_to_string(root().join("docs/searches.md")).unwrap();
    for search in Search::ALL {
        let name = search.name();
        let is_word = |text: &str, word: &str| {
            text.split(|c: char| !(c.is_alphanumeric() || c == '-'))
                .any(|w| w == word)
        };
        assert!(is_word(&help, name), "{name}");
        assert!(searches.contains(&format!("\n{name:<10}")), "{name}");
        assert!(document.contains(&format!("`{name}`")), "{name}");
        let families = usize::from(search.info().family.is_some());
        assert_eq!(listed("searches", name), families, "{name}");
        assert_eq!(listed("available_searches", name), families, "{name}");
    }
    for planned in Planned::ALL {
        let name = planned.name;
        assert_eq!(
            (listed("searches", name), listed("available_searches", name)),
            (1, 0)
        );
        let run = zonewalk(&["check", "models/fischer.xml", "--search", name]);
        assert_eq!(run.status, 2);
        assert!(
            run.stderr.contains(&format!("{name} is not available yet")),
            "{}",
            run.stderr
        );
    }
}

/// The table of `docs/searches.md` is the one that the program has.
#[test]
fn the_document_has_the_same_table() {
    let document = std::fs::read_to_string(root().join("docs/searches.md")).unwrap();
    let (_, below) = document.split_once("What each can decide:\n\n").unwrap();
    let mut told = Vec::new();
    for row in below.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        for name in cells[0].split(", ") {
            let search: Search = name.trim_matches('`').parse().unwrap();
            let info = search.info();
            let proves = |extent: Extent| match extent {
                Extent::Nothing | Extent::Finds => String::new(),
                Extent::ProvesIf(condition) if condition.starts_with("only") => condition.to_owned(),
                Extent::ProvesIf(condition) => format!("yes, {condition}"),
                Extent::Proves => "yes".to_owned(),
            };
            let finds = if info.states == Extent::Nothing { "" } else { "yes" };
            let expected = [
                finds.to_owned(),
                proves(info.states),
                proves(info.runs_and_values),
                info.stores.to_owned(),
            ];
            assert_eq!(cells[1..], expected, "{name}");
            told.push(search);
        }
    }
    assert_eq!(told.len(), Search::ALL.len());
    for search in Search::ALL {
        assert!(told.contains(&search), "{search:?}");
    }
}

#[test]
fn options_without_effect_are_told() {
    let check = |query: &str, args: &[&str]| {
        let run = zonewalk_with(&[&["check", "-", "-q", query], args].concat(), MODEL.as_bytes());
        let notes = run.stderr.lines().filter(|line| line.starts_with("note:"));
        notes.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        check("E<> P.b", &["--search", "bfs", "--delays", "pd", "--width", "7"]),
        [
            "note: --delays has no effect on bfs; it applies to auto, ret, rlc, rlc-a, com and guided",
            "note: --width has no effect on bfs; it applies to highway",
        ]
    );
    assert_eq!(
        check(
            "E<> P.b",
            &["--search", "ret", "--max-states", "5", "--delays", "pd"]
        ),
        [
            "note: --max-states has no effect on ret; it applies to auto, bfs, dfs, rdfs, greedy, astar, drs, highway and random"
        ]
    );
    assert_eq!(
        check("E<> P.b", &["--non-zeno"]),
        ["note: --non-zeno has no effect on these queries"]
    );
    assert_eq!(
        check("E<> P.b", &["--search", "bfs", "--icb", "equal"]),
        ["note: --icb has no effect without --queues icb"]
    );
    assert_eq!(
        check("E<> P.b", &["--search", "dfs", "--queues", "icb"]),
        ["note: --queues has no effect on dfs; it applies to bfs, greedy and astar"]
    );
    assert!(check("A<> P.b", &["--non-zeno"]).is_empty());
    assert!(check("E<> P.b", &["--search", "bfs", "--delays", "pd", "--quiet"]).is_empty());
    // Runs that show large values are looked for by walks.
    assert!(check("sup: n", &["--search", "bfs", "--delays", "pd"]).is_empty());
    let run = zonewalk(&["explore", "models/vending.aut", "--search", "bfs", "--width", "7"]);
    assert!(
        run.stderr.contains("--width has no effect on bfs"),
        "{}",
        run.stderr
    );
}
