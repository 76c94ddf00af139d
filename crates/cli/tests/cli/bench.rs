//! `zonewalk bench`

use crate::command::{root, zonewalk};

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
    assert_eq!(
        (&ret["paper"], &ret["found"], &ret["tried"]),
        (&0.02.into(), &1.into(), &1.into())
    );
    assert!(ret["median_s"].as_f64().unwrap() > 0.0);
    let bfs = cell(2, "BFS");
    assert_eq!(
        (&bfs["paper"], &bfs["median_s"]),
        (&7.15.into(), &serde_json::Value::Null)
    );
    assert_eq!(cell(0, "DFS")["paper"], "oom");
}

#[test]
fn tables_of_published_models_where_they_are_at_hand() {
    let models = root().join("../shared/corpus/fmics2021");
    let Some(models) = models.to_str().filter(|_| models.is_dir()) else {
        return;
    };
    let run = zonewalk(&[
        "bench",
        "fmics-6",
        "fmics-8",
        "--quick",
        "--models",
        models,
        "--timeout",
        "500ms",
    ]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let row = run
        .stdout
        .lines()
        .find(|line| line.starts_with("| IMAOptim-0 |"))
        .unwrap();
    assert!(row.contains(" / 0.09 ") && row.contains("×)"), "{row}");
    // Nobody has published the queries of table 8.
    assert!(
        run.stdout.contains("| Gosgirls-1 | – / 16.98 |"),
        "{}",
        run.stdout
    );
}
