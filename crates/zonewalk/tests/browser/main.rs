//! Pages in a real browser: what they show is what the trace says, they work by keys, and they ask for nothing.
//!
//! Without Chromium the tests are listed as ignored, with the reason.
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use zonewalk_testkit::browser::Browser;

mod access;
mod scale;
mod serve;

use access::controls_have_names_and_text_is_readable;
use scale::large_models_and_long_runs;
use serve::{serve_a_model_that_changes, serve_by_hand, serve_queries};

zonewalk_testkit::browser_tests![
    broken_fischer_by_keys_and_links,
    values_and_charts_agree_with_the_trace,
    a_cycle_has_no_end,
    both_sides_of_a_refinement,
    names_and_comments_do_nothing,
    pictures_for_the_documents,
    controls_have_names_and_text_is_readable,
    large_models_and_long_runs,
    serve_by_hand,
    serve_queries,
    serve_a_model_that_changes,
];

/// Opens a page and waits until its script is done.
fn open(browser: &mut Browser, url: &str) {
    browser.open(url);
    browser.wait_for("document.documentElement.dataset.ready === 'yes'");
}

/// Runs a script and returns its value.
fn run(browser: &mut Browser, script: &str) -> Value {
    browser.value(&format!("(() => {{ {script} }})()"))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// A folder of this test alone.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("browser-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn zonewalk(arguments: &[&str]) -> String {
    zonewalk_in(&root(), arguments)
}

fn zonewalk_in(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_zonewalk"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let code = output.status.code();
    assert!(
        matches!(code, Some(0 | 1)),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

fn url(file: &Path) -> String {
    format!("file://{}", file.display())
}

fn read(file: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

/// The pages asked for nothing but themselves, and nothing went wrong.
fn expect_silence(browser: &mut Browser) {
    let foreign: Vec<String> = browser
        .requests()
        .into_iter()
        .filter(|url| {
            !["file:///", "data:", "about:"]
                .iter()
                .any(|own| url.starts_with(own))
        })
        .collect();
    assert!(foreign.is_empty(), "{foreign:?}");
    let complaints = browser.errors();
    assert!(complaints.is_empty(), "{complaints:?}");
}

/// `[position, lap]`
fn place(browser: &mut Browser) -> (u64, u64) {
    let place = run(browser, "return [zonewalk.app.position, zonewalk.app.lap]");
    (place[0].as_u64().unwrap(), place[1].as_u64().unwrap())
}

fn report(name: &str, arguments: &[&str]) -> (PathBuf, PathBuf) {
    let folder = folder(name);
    let (page, trace) = (folder.join("report.html"), folder.join("trace.json"));
    let report = format!("html:{}", page.display());
    let common = [
        "--quiet",
        "--report",
        &report,
        "--trace-file",
        trace.to_str().unwrap(),
    ];
    zonewalk(&[arguments, &common].concat());
    (page, trace)
}

fn broken_fischer_by_keys_and_links(browser: &mut Browser) {
    let (page, trace) = report(
        "fischer",
        &[
            "check",
            "models/fischer-broken.xml",
            "--query-index",
            "1",
            "--search",
            "ret",
        ],
    );
    let trace = read(&trace);
    let steps = trace["steps"].as_array().unwrap().len() as u64;
    open(browser, &url(&page));
    assert_eq!(place(browser).0, 0);
    browser.press("ArrowRight");
    browser.press("ArrowRight");
    assert_eq!(place(browser).0, 2);
    browser.press("ArrowLeft");
    assert_eq!(place(browser).0, 1);
    browser.press("End");
    assert_eq!(place(browser).0, steps);
    expect_state(browser, &trace, steps as usize);
    browser.press("Home");
    assert_eq!(place(browser).0, 0);
    // Space plays.
    run(browser, "document.getElementById('speed').value = '40'");
    browser.press(" ");
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert_eq!(place(browser).0, steps);
    // Links, before the page is open and after.
    run(browser, "location.hash = '#step=3'");
    std::thread::sleep(std::time::Duration::from_millis(100));
    assert_eq!(place(browser).0, 3);
    browser.open("about:blank");
    open(browser, &format!("{}#step=4", url(&page)));
    assert_eq!(place(browser).0, 4);
    assert_eq!(
        run(browser, "return document.querySelector('.badge').textContent"),
        "not satisfied"
    );
    let text = run(browser, "return document.querySelector('.command').textContent");
    assert!(
        text.as_str()
            .unwrap()
            .starts_with("zonewalk check models/fischer-broken.xml"),
        "{text}"
    );
    // Search and filter.
    let found = run(
        browser,
        "const app = zonewalk.app; app.filterProcess.value = 'Process(4)'; app.filter(); \
         return [app.listed.length, app.processes().length]",
    );
    let own = trace["steps"].as_array().unwrap().iter();
    let own = own
        .filter(|step| step["edges"][0]["process"] == "Process(4)")
        .count();
    assert_eq!(found, serde_json::json!([own, 1]));
    expect_silence(browser);
}

/// The state after so many steps, from the trace alone: locations, variables and clocks. Requires: all clocks run at rate 1.
fn state(trace: &Value, steps: usize) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let initial = &trace["initial"];
    for at in initial["locations"].as_array().unwrap() {
        found.insert(text(&at["process"]), text(&at["location"]));
    }
    for cell in initial["variables"].as_array().unwrap() {
        found.insert(text(&cell["name"]), text(&cell["value"]));
    }
    let mut clocks = BTreeMap::new();
    for clock in initial["clocks"].as_array().unwrap() {
        clocks.insert(text(&clock["name"]), fraction(&clock["value"]));
    }
    for step in &trace["steps"].as_array().unwrap()[..steps] {
        let delay = fraction(&step["delay"]);
        for value in clocks.values_mut() {
            *value = (value.0 * delay.1 + delay.0 * value.1, value.1 * delay.1);
        }
        for edge in step["edges"].as_array().unwrap() {
            found.insert(text(&edge["process"]), text(&edge["target"]));
        }
        for change in step["changes"].as_array().unwrap() {
            let name = text(&change["name"]);
            if let Some(clock) = clocks.get_mut(&name) {
                *clock = fraction(&change["new"]);
            } else {
                found.insert(name, text(&change["new"]));
            }
        }
    }
    for (name, (above, below)) in clocks {
        let common = gcd(above, below);
        let (above, below) = (above / common, below / common);
        found.insert(
            name,
            if below == 1 {
                above.to_string()
            } else {
                format!("{above}/{below}")
            },
        );
    }
    found
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn fraction(value: &Value) -> (i128, i128) {
    let written = text(value);
    let (above, below) = written.split_once('/').unwrap_or((&written, "1"));
    (above.parse().unwrap(), below.parse().unwrap())
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

/// The page shows the state that the trace says.
fn expect_state(browser: &mut Browser, trace: &Value, step: usize) {
    let expected = state(trace, step);
    // What the panel of the state says.
    let shown = run(
        browser,
        "const found = {}; zonewalk.app.state.find.value = ''; zonewalk.app.state.update(); \
         for (const {list} of Object.values(zonewalk.app.state.lists)) { list.all = true; list.refresh(); \
           for (const row of list.rows.values()) found[row.dataset.name] = row.dataset.value; list.all = false; list.refresh(); } \
         return found",
    );
    let shown: BTreeMap<String, String> = serde_json::from_value(shown).unwrap();
    assert_eq!(shown, expected, "the state after step {step}");
    // Lit locations.
    let lit = run(
        browser,
        "zonewalk.app.show('automata'); const found = {}; for (const card of document.querySelectorAll('.card')) \
         found[card.dataset.process] = [...card.querySelectorAll('.location.here title')].map(t => t.textContent.split('\\n')[0]); return found",
    );
    for (process, lit) in lit.as_object().unwrap() {
        assert_eq!(
            lit,
            &serde_json::json!([expected[process]]),
            "{process} after step {step}"
        );
    }
    assert!(!lit.as_object().unwrap().is_empty());
    // Taken edges: one process for each participant.
    let moved = run(
        browser,
        "return [...document.querySelectorAll('.card')].filter(c => c.querySelector('.edge.taken')).map(c => c.dataset.process).sort()",
    );
    let mut parts: Vec<String> = match step.checked_sub(1) {
        Some(index) => trace["steps"][index]["edges"]
            .as_array()
            .unwrap()
            .iter()
            .map(|edge| text(&edge["process"]))
            .collect(),
        None => Vec::new(),
    };
    let sequence = run(
        browser,
        &format!(
            "zonewalk.app.show('sequence'); const row = document.querySelector('#view-sequence [data-step=\"{step}\"]'); \
         return [row.classList.contains('now'), row.dataset.parts || '', row.dataset.channel || '']"
        ),
    );
    let channel = step
        .checked_sub(1)
        .and_then(|index| trace["steps"][index]["channel"].as_str())
        .unwrap_or("");
    assert_eq!(
        sequence,
        serde_json::json!([true, parts.join(" "), channel]),
        "step {step}"
    );
    parts.sort();
    assert_eq!(moved, serde_json::json!(parts), "step {step}");
    // The bars of the Gantt chart, by steps so that none is too narrow.
    let bars = run(
        browser,
        "zonewalk.app.axis.bySteps = true; zonewalk.app.axis.zoom = 4; zonewalk.app.show('gantt'); const found = {}; \
         for (const bar of document.querySelectorAll('#view-gantt .bar.now')) found[bar.parentNode.dataset.process] = bar.dataset.location; return found",
    );
    assert!(!bars.as_object().unwrap().is_empty());
    for (process, location) in bars.as_object().unwrap() {
        assert_eq!(
            *location,
            expected[process].as_str(),
            "{process} after step {step}"
        );
    }
    let plots = run(
        browser,
        "zonewalk.app.show('plots'); const found = {}; for (const plot of document.querySelectorAll('#view-plots [data-series]')) \
         found[plot.dataset.series] = plot.dataset.value; return found",
    );
    assert!(!plots.as_object().unwrap().is_empty());
    for (name, value) in plots.as_object().unwrap() {
        assert_eq!(*value, expected[name].as_str(), "{name} after step {step}");
    }
}

fn values_and_charts_agree_with_the_trace(browser: &mut Browser) {
    for (model, steps) in [("models/train-gate.xml", 200), ("models/fischer-broken.xml", 120)] {
        let folder = folder("agreement");
        let (file, page) = (folder.join("run.json"), folder.join("run.html"));
        let count = steps.to_string();
        std::fs::write(
            &file,
            zonewalk(&[
                "simulate", model, "--steps", &count, "--seed", "3", "--format", "json",
            ]),
        )
        .unwrap();
        zonewalk(&[
            "view",
            model,
            file.to_str().unwrap(),
            "-o",
            page.to_str().unwrap(),
            "--quiet",
        ]);
        let document = read(&file);
        let trace = document.get("trace").unwrap_or(&document);
        open(browser, &url(&page));
        let mut random = 12345_u64;
        for _ in 0..10 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let step = (random >> 33) as usize % (steps + 1);
            run(browser, &format!("zonewalk.app.go({step})"));
            expect_state(browser, trace, step);
        }
        expect_silence(browser);
    }
}

fn a_cycle_has_no_end(browser: &mut Browser) {
    let folder = folder("cycle");
    let model = folder.join("cycle.xta");
    std::fs::write(
        &model,
        "clock x, y; int n; process P() { state A { x <= 2 }, B { x <= 3 }, C; urgent C; init C; \
         trans C -> A { assign x = 0, y = 1; }, A -> B { guard x == 2; assign n = 1; }, B -> A { guard x == 3; assign x = 0, n = 0; }; } system P;",
    )
    .unwrap();
    let (page, trace) = report(
        "cycle",
        &[
            "check",
            model.to_str().unwrap(),
            "-q",
            "A<> n > 1",
            "--search",
            "dfs",
        ],
    );
    let trace = read(&trace);
    let end = &trace["end"];
    assert_eq!(end["reason"], "cycle", "{end}");
    let (start, length) = (end["start"].as_u64().unwrap(), end["length"].as_u64().unwrap());
    open(browser, &url(&page));
    for _ in 0..start + 3 * length {
        browser.press("ArrowRight");
    }
    assert_eq!(place(browser), (start + length, 2));
    // The clock that is never reset has grown with every round.
    let values = run(
        browser,
        "const r = zonewalk.app.run; return [0, 1, 2].map(lap => r.exact(r.clock(1, r.cycle[0] + r.cycle[1], lap)))",
    );
    let values: Vec<i64> = values
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_str().unwrap().parse().unwrap())
        .collect();
    assert_eq!(values[1] - values[0], values[2] - values[1]);
    assert!(values[1] > values[0], "{values:?}");
    assert!(
        run(
            browser,
            "return document.querySelectorAll('#steps .row.cycle').length"
        )
        .as_u64()
        .unwrap()
            >= length
    );
    for _ in 0..3 * length {
        browser.press("ArrowLeft");
    }
    assert_eq!(place(browser), (start, 0));
    expect_silence(browser);
}

fn both_sides_of_a_refinement(browser: &mut Browser) {
    let (page, trace) = report(
        "sides",
        &[
            "refine",
            "models/tea-machine",
            "refinement: Researcher || SlowMachine <= Spec",
        ],
    );
    let trace = read(&trace);
    open(browser, &url(&page));
    browser.press("End");
    let ending = run(
        browser,
        "return document.querySelector('.ending.rule').textContent",
    );
    assert!(ending.as_str().unwrap().starts_with("delay: "), "{ending}");
    let shown = run(
        browser,
        "return [...document.querySelectorAll('.card')].map(c => [Number(c.dataset.side), c.dataset.process, c.dataset.at])",
    );
    let mut expected = Vec::new();
    for (side, parts) in [(0, &trace["end"]["left"]), (1, &trace["end"]["right"])] {
        for part in parts.as_array().unwrap() {
            expected.push(serde_json::json!([side, part["component"], part["location"]]));
            // The clocks at the end are those that the judge has found.
            for clock in part["clocks"].as_array().unwrap() {
                let name = text(&clock["name"]);
                let script = format!(
                    "const r = zonewalk.app.run; const id = r.model.clocks.findIndex(n => n === {0} || n.endsWith('.' + {0})); return r.exact(r.clock(id, r.end))",
                    serde_json::json!(name)
                );
                assert_eq!(run(browser, &script), text(&clock["value"]).as_str(), "{name}");
            }
        }
    }
    assert_eq!(shown, serde_json::json!(expected));
    expect_silence(browser);
}

fn names_and_comments_do_nothing(browser: &mut Browser) {
    let folder = folder("escaping");
    let evil = "&lt;/script&gt;&lt;script&gt;window.hacked=1&lt;/script&gt;&quot;&gt;&lt;img src=x onerror=&quot;window.hacked=2&quot;&gt;";
    let model = folder.join("a'\"><img src=x onerror=hacked=3>.xml");
    std::fs::write(
        &model,
        format!(
            r##"<nta><declaration>// {evil}
            </declaration><template><name>P</name><location id="a" x="0" y="0" color="{evil}"><name>A</name><label kind="comments">{evil}</label></location>
            <location id="b" x="100" y="0"><name>B</name></location><init ref="a"/>
            <transition><source ref="a"/><target ref="b"/><label kind="comments">{evil}</label></transition></template><system>system P;</system>
            <queries><query><formula>E&lt;&gt; P.B /* {evil} */</formula><comment>{evil}</comment></query></queries></nta>"##
        ),
    )
    .unwrap();
    let (page, _) = report("escaping", &["check", model.to_str().unwrap(), "--search", "bfs"]);
    open(browser, &url(&page));
    for view in ["automata", "sequence", "gantt", "plots"] {
        run(
            browser,
            &format!("zonewalk.app.show('{view}'); zonewalk.app.go(1)"),
        );
    }
    assert_eq!(run(browser, "return window.hacked === undefined"), true);
    assert_eq!(run(browser, "return document.querySelectorAll('img').length"), 0);
    assert_eq!(run(browser, "return document.scripts.length"), 2);
    expect_silence(browser);
}

/// The pictures of the documents, if `ZONEWALK_PICTURES` names a folder for them; otherwise that the page fits into a window.
fn pictures_for_the_documents(browser: &mut Browser) {
    let folder = folder("pictures");
    std::fs::copy(
        root().join("models/train-gate.xml"),
        folder.join("train-gate.xml"),
    )
    .unwrap();
    let query = "E<> Train(1).Bridge && Gate.length == 3";
    zonewalk_in(
        &folder,
        &[
            "check",
            "train-gate.xml",
            "-q",
            query,
            "--search",
            "ret",
            "--report",
            "html:report.html",
        ],
    );
    let page = folder.join("report.html");
    for (dark, view) in [(false, "automata"), (true, "sequence")] {
        browser.prefer(if dark { "dark" } else { "light" });
        open(browser, &format!("{}#step=4", url(&page)));
        run(browser, &format!("zonewalk.app.show('{view}')"));
        assert_eq!(
            run(
                browser,
                "return matchMedia('(prefers-color-scheme: dark)').matches"
            ),
            dark
        );
        let fits = run(
            browser,
            "return document.documentElement.scrollWidth <= innerWidth",
        );
        assert_eq!(fits, true);
        if let Ok(folder) = std::env::var("ZONEWALK_PICTURES") {
            let name = if dark {
                "report-dark.png"
            } else {
                "report-light.png"
            };
            std::fs::write(Path::new(&folder).join(name), browser.screenshot(1500, 1100)).unwrap();
        }
    }
}
