//! `zonewalk serve` as its user sees it.

use crate::access::expect_access;
use crate::folder;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use zonewalk_testkit::browser::Browser;

/// A server; it ends with this value.
struct Served {
    child: Child,
    address: String,
}

impl Served {
    fn start(args: &[&str]) -> Served {
        let mut child = Command::new(env!("CARGO_BIN_EXE_zonewalk"))
            .arg("serve")
            .args(args)
            .current_dir(zonewalk_testkit::root())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut address = String::new();
        let said = child.stdout.take().unwrap();
        BufReader::new(said).read_line(&mut address).unwrap();
        Served {
            child,
            address: address.trim().to_owned(),
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The run and its state as the server tells them to programs.
fn told(browser: &mut Browser, path: &str) -> Value {
    browser.value(&format!(
        "fetch('/api/{path}', {{headers: {{Authorization: 'Bearer ' + new URLSearchParams(location.search).get('token')}}}}).then((r) => r.json())"
    ))
}

/// Checks that the page highlights and lists the moves of the server's state.
fn assert_lit(browser: &mut Browser) {
    browser.wait_for("!document.querySelector('#choices').hidden");
    let run = told(browser, "run");
    let lit = browser.value(
        "[...document.querySelectorAll('.card')].map((card) => [card.dataset.process, \
         [...card.querySelectorAll('.location.here title')].map((title) => title.textContent.split('\\n')[0])])",
    );
    assert!(!lit.as_array().unwrap().is_empty());
    for card in lit.as_array().unwrap() {
        let locations = run["state"]["locations"].as_array().unwrap();
        let at = locations.iter().find(|at| at["process"] == card[0]).unwrap();
        assert_eq!(card[1], json!([at["location"]]), "{}", card[0]);
    }
    let cells = browser.value(
        "Object.fromEntries([...document.querySelectorAll('.values .row')].map((row) => [row.dataset.name, row.dataset.value]))",
    );
    let state = &run["state"];
    let known = ["variables", "clocks"].map(|kind| state[kind].as_array().unwrap());
    let mut compared = 0;
    for cell in known.into_iter().flatten() {
        // Only the rows in view exist.
        let Some(shown) = cells.get(cell["name"].as_str().unwrap()) else {
            continue;
        };
        let value = &cell["value"];
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        assert_eq!(*shown, value, "{}", cell["name"]);
        compared += 1;
    }
    assert!(compared > 0);
}

/// Waits until the reader is at a step of so many.
fn wait_for_place(browser: &mut Browser, place: u64, steps: u64) {
    browser.wait_for(&format!(
        "zonewalk.app.position === {place} && zonewalk.app.run.length === {steps}"
    ));
}

/// Keeps a picture for those who want to look.
fn picture(browser: &mut Browser, name: &str) {
    if let Some(folder) = std::env::var_os("ZONEWALK_PICTURES") {
        let data = browser.screenshot(1400, 1100);
        std::fs::write(Path::new(&folder).join(name), data).unwrap();
    }
}

fn assert_private(browser: &Browser, served: &Served) {
    let own = served.address.split("/?").next().unwrap();
    for request in browser.requests() {
        let is_own = request.starts_with(own) || request.starts_with("data:") || request.starts_with("blob:");
        assert!(is_own || request == "about:blank", "{request}");
    }
    // What the server refuses on purpose is reported by the browser, too.
    let is_meant = |error: &String| error.contains("the server responded with a status of 4");
    let errors: Vec<_> = browser
        .errors()
        .into_iter()
        .filter(|error| !is_meant(error))
        .collect();
    assert_eq!(errors, [""; 0]);
}

pub(crate) fn serve_by_hand(browser: &mut Browser) {
    let folder = folder("serve-by-hand");
    let served = Served::start(&["models/fischer-broken.xml"]);
    let file = folder.join("run.json");
    let _ = std::fs::remove_file(&file);
    browser.download_to(&folder);
    browser.open(&served.address);
    browser.wait_for("document.querySelectorAll('#choices button').length > 0");
    assert_lit(browser);
    browser.fill("#delay", "3/2");
    browser.click("#choices button");
    wait_for_place(browser, 1, 1);
    assert_eq!(
        browser.value("document.querySelector('#now').textContent"),
        "time 3/2"
    );
    assert_lit(browser);
    let taken = browser.value("document.querySelectorAll('.edge.taken').length");
    assert!(taken.as_u64() >= Some(1));
    // A delay that is not possible is refused, and says so.
    browser.fill("#delay", "-4");
    browser.click("#choices button");
    browser.wait_for("document.querySelector('#message').className === 'error'");
    // Time that passes at the end is a place of its own.
    browser.fill("#delay", "1/2");
    browser.click("#wait");
    wait_for_place(browser, 2, 1);
    assert_eq!(
        browser.value("document.querySelector('#now').textContent"),
        "time 2"
    );
    assert_lit(browser);
    browser.press("u");
    wait_for_place(browser, 1, 1);
    browser.fill("#delay", "");
    browser.fill("#seed", "7");
    browser.fill("#random-steps", "30");
    browser.click("#random");
    wait_for_place(browser, 31, 31);
    assert_lit(browser);
    for (key, place) in [
        ("Home", 0),
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", 31),
    ] {
        browser.press(key);
        wait_for_place(browser, place, 31);
        assert_eq!(browser.value("location.hash"), format!("#step={place}"));
        assert_lit(browser);
        // The server is where the page is.
        assert_eq!(told(browser, "run")["position"], place);
    }
    // Links and charts are those of reports.
    browser.value("location.hash = '#step=5'");
    wait_for_place(browser, 5, 31);
    for chart in ["sequence", "gantt", "plots"] {
        browser.click(&format!("#tab-{chart}"));
        browser.wait_for(&format!(
            "document.querySelector('#view-{chart} .lines').childNodes.length > 3"
        ));
    }
    browser.click("#tab-automata");
    browser.click("#zone-box summary");
    browser.wait_for("document.querySelector('#zone').textContent.length > 0");
    let zone = told(browser, "zone");
    let shown = browser.value("document.querySelector('#zone').textContent");
    assert_eq!(shown, zone["pieces"][0].as_str().unwrap().replace(", ", "\n"));
    picture(browser, "serve-light.png");
    browser.prefer("dark");
    picture(browser, "serve-dark.png");
    expect_access(browser, "serve");
    // Saved by a download, undone, loaded by an upload.
    browser.click("#save");
    let start = Instant::now();
    while !file.is_file() {
        assert!(start.elapsed() < Duration::from_secs(30), "no download");
        std::thread::sleep(Duration::from_millis(50));
    }
    let saved: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(saved["steps"].as_array().unwrap().len(), 31);
    browser.press("u");
    wait_for_place(browser, 1, 1);
    browser.click("#restart");
    wait_for_place(browser, 0, 0);
    browser.upload("#load", &file);
    wait_for_place(browser, 31, 31);
    assert_lit(browser);
    assert_private(browser, &served);
}

pub(crate) fn serve_queries(browser: &mut Browser) {
    let folder = folder("serve-queries");
    let made = Command::new(env!("CARGO_BIN_EXE_zonewalk"))
        .args(["generate", "fischer", "-n", "14", "--param", "buggy=weak"])
        .output()
        .unwrap();
    assert!(made.status.success());
    let file = folder.join("</title><script>alert(1)</script>.xml".replace('/', "_"));
    std::fs::write(&file, made.stdout).unwrap();
    let served = Served::start(&[file.to_str().unwrap()]);
    browser.open(&served.address);
    browser.wait_for("document.querySelectorAll('#queries button').length > 0");
    // One that takes for ever is cancelled.
    browser.fill("#formula", "A[] true");
    browser.click("#ask button");
    browser.wait_for("document.querySelector('#job-text').textContent.includes('states')");
    browser.click("#cancel");
    browser.wait_for("document.querySelector('#job-state').textContent.startsWith('cancelled')");
    // One with a counterexample is opened, and goes on by hand.
    browser.click("#queries button[data-query=\"3\"]");
    browser.wait_for("!document.querySelector('#open').disabled");
    browser.click("#open");
    browser.wait_for("zonewalk.app.run.length > 0");
    let run = told(browser, "run");
    assert_eq!(run["position"], run["steps"]);
    assert_eq!(run["end"]["reason"], "goal");
    assert_eq!(
        browser.value("document.querySelector('.ending').textContent"),
        "goal reached"
    );
    assert_lit(browser);
    browser.click("#choices button");
    let next = run["steps"].as_u64().unwrap() + 1;
    wait_for_place(browser, next, next);
    assert_eq!(
        browser.value("document.querySelectorAll('body script').length"),
        1
    );
    assert_private(browser, &served);
}

pub(crate) fn serve_a_model_that_changes(browser: &mut Browser) {
    let folder = folder("serve-change");
    let file = folder.join("m.xta");
    let text = |invariant: &str, name: &str| {
        format!(
            "clock x; process {name}() {{ state a {{ {invariant} }}, b; init a; trans a -> b {{ guard x >= 2; }}; }} system {name}; \
             gantt {{ late: x > 1 -> 3; }}"
        )
    };
    std::fs::write(&file, text("x <= 5", "P")).unwrap();
    let served = Served::start(&[file.to_str().unwrap()]);
    browser.open(&served.address);
    browser.wait_for("document.querySelectorAll('#choices button').length === 1");
    browser.fill("#delay", "4");
    browser.click("#choices button");
    wait_for_place(browser, 1, 1);
    // The rows of the model's own chart are there.
    browser.click("#tab-gantt");
    browser.wait_for("document.querySelector('#view-gantt [data-row=late] [data-color=\"3\"]')");
    // Another tab's change arrives here.
    told_by_post(browser, "wait", "{delay: '1/2'}");
    wait_for_place(browser, 2, 1);
    // A file with errors changes nothing but says so; one without keeps the run, if it is one.
    std::fs::write(&file, text("x <= ", "P")).unwrap();
    browser.wait_for("document.querySelector('#broken').textContent.includes('m.xta:1')");
    assert_eq!(browser.value("zonewalk.app.run.length"), 1);
    std::fs::write(&file, text("x <= 50", "P")).unwrap();
    browser.wait_for("document.querySelector('#message').textContent.includes('loaded again')");
    browser.wait_for("document.querySelector('#broken').hidden && zonewalk.app.run.length === 1");
    std::fs::write(&file, text("x <= 3", "Q")).unwrap();
    browser.wait_for("zonewalk.app.run.length === 0 && zonewalk.app.run.model.processes[0].name === 'Q'");
    browser.click("#tab-automata");
    browser.wait_for("document.querySelector('.card').dataset.process === 'Q'");
    assert_lit(browser);
    assert_private(browser, &served);
}

/// A change that this page has not made.
fn told_by_post(browser: &mut Browser, path: &str, body: &str) {
    browser.value(&format!(
        "fetch('/api/{path}', {{method: 'POST', headers: {{'Content-Type': 'application/json', \
         Authorization: 'Bearer ' + new URLSearchParams(location.search).get('token')}}, body: JSON.stringify({body})}}).then((r) => r.json())"
    ));
}
