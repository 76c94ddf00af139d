//! Pages of large models and long runs: only what is in view exists, and a step is quick. `benches/page` measures larger ones.

use crate::{expect_silence, folder, open, run, url, zonewalk};
use serde_json::json;
use zonewalk_testkit::browser::Browser;

/// A ring of processes, each with a clock and a variable of its own; they move in turn, and notify all others by a broadcast now
/// and then.
fn ring(processes: usize) -> String {
    format!(
        "const int N = {processes}; typedef int[0, N - 1] id_t; id_t turn; broadcast chan all;
        process P(const id_t id) {{ clock x; int[0,9] count; state A {{ x <= 3 || turn != id }}, B; urgent B; init A; trans
            A -> B {{ guard turn == id && x >= 1; assign count = (count + 1) % 10, x = 0; }},
            B -> A {{ assign turn = (id + 1) % N; }}; }}
        system P;"
    )
}

pub(crate) fn large_models_and_long_runs(browser: &mut Browser) {
    let folder = folder("scale");
    let [model, trace, page] = ["ring.xta", "run.json", "run.html"].map(|name| folder.join(name));
    std::fs::write(&model, ring(400)).unwrap();
    let names = [&model, &trace, &page].map(|path| path.to_str().unwrap());
    let simulated = zonewalk(&[
        "simulate", names[0], "--steps", "3000", "--format", "json", "--quiet",
    ]);
    std::fs::write(&trace, simulated).unwrap();
    zonewalk(&["view", names[0], names[1], "-o", names[2], "--quiet"]);
    let size = std::fs::metadata(&page).unwrap().len();
    assert!(size < 1 << 20, "{size} bytes");
    open(browser, &url(&page));
    for view in ["automata", "sequence", "gantt", "plots"] {
        let (elements, slowest) = {
            let found = run(
                browser,
                &format!(
                    "const app = zonewalk.app; app.show('{view}'); let slowest = 0; \
                     for (let i = 0; i < 20; i += 1) {{ const start = performance.now(); app.go((i * 149) % app.run.end); \
                       document.body.getBoundingClientRect(); slowest = Math.max(slowest, performance.now() - start); }} \
                     return [document.querySelectorAll('*').length, slowest]"
                ),
            );
            (found[0].as_u64().unwrap(), found[1].as_f64().unwrap())
        };
        assert!(elements < 5000, "{view}: {elements} elements");
        // Ten times what is wanted, because the machine of a test may be busy.
        assert!(slowest < 500.0, "{view}: a step takes {slowest} ms");
    }
    // Any of the processes can be found.
    let found = run(
        browser,
        "const app = zonewalk.app; app.filterProcess.value = 'P(399)'; app.filter(); app.show('automata'); app.go(app.listed[0]); \
         return [app.processes().length, document.querySelector('.card').dataset.process]",
    );
    assert_eq!(found, json!([1, "P(399)"]));
    expect_silence(browser);
}
