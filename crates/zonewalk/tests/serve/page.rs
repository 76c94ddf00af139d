//! `zonewalk serve` as its user sees it.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
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

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The run and its state as the server tells them to programs.
fn told(browser: &mut Browser, path: &str) -> Value {
    browser.value(&format!(
        "fetch('/api/{path}', {{headers: {{Authorization: 'Bearer ' + new URLSearchParams(location.search).get('token')}}}}).then((r) => r.json())"
    ))
}

/// What the page lights is what the state says.
fn assert_lit(browser: &mut Browser) {
    let run = told(browser, "run");
    let lit = browser.value(
        "[...document.querySelectorAll('figure')].map((figure) => [figure.dataset.process, \
         [...figure.querySelectorAll('.location.active title')].map((title) => title.textContent.split('\\n')[0])])",
    );
    for figure in lit.as_array().unwrap() {
        let locations = run["state"]["locations"].as_array().unwrap();
        let at = locations.iter().find(|at| at["process"] == figure[0]).unwrap();
        assert_eq!(figure[1], json!([at["location"]]), "{}", figure[0]);
    }
    let cells = browser.value(
        "Object.fromEntries([...document.querySelectorAll('#state tr')].map((row) => [row.cells[0].textContent, row.cells[1].textContent]))",
    );
    for cell in run["state"]["variables"].as_array().unwrap() {
        assert_eq!(cells[cell["name"].as_str().unwrap()], cell["value"].to_string());
    }
    for clock in run["state"]["clocks"].as_array().unwrap() {
        let value = &clock["value"];
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        assert_eq!(cells[clock["name"].as_str().unwrap()], value);
    }
}

/// Keeps a picture for those who want to look.
fn picture(browser: &mut Browser, name: &str) {
    if let Some(folder) = std::env::var_os("ZONEWALK_SCREENSHOTS") {
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
    let folder = folder("by-hand");
    let served = Served::start(&["models/fischer-broken.xml"]);
    browser.download_to(&folder);
    browser.open(&served.address);
    browser.wait_for("document.querySelectorAll('#choices button').length > 0");
    assert_lit(browser);
    browser.fill("#delay", "3/2");
    browser.click("#choices button");
    browser.wait_for("document.querySelector('#where').textContent.startsWith('step 1 of 1')");
    browser.wait_for("document.querySelector('#time').textContent.startsWith('time 3/2')");
    assert_lit(browser);
    assert!(
        browser
            .value("document.querySelectorAll('.edge.taken').length")
            .as_u64()
            >= Some(1)
    );
    // A delay that is not possible is refused, and says so.
    browser.fill("#delay", "-4");
    browser.click("#choices button");
    browser.wait_for("document.querySelector('#message').className === 'error'");
    browser.fill("#delay", "");
    browser.fill("#seed", "7");
    browser.fill("#random-steps", "30");
    browser.click("#random");
    browser.wait_for("document.querySelector('#where').textContent.startsWith('step 31 of 31')");
    assert_lit(browser);
    for (key, place) in [
        ("Home", 0),
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", 31),
    ] {
        browser.press(key);
        browser.wait_for(&format!(
            "document.querySelector('#where').textContent.startsWith('step {place} of 31')"
        ));
        browser.wait_for(&format!(
            "document.querySelector('#rows [aria-current]').textContent.startsWith('{place}.')"
        ));
        assert_lit(browser);
    }
    browser.click("#zone-on");
    browser.wait_for("document.querySelector('#zone').textContent.length > 0");
    let zone = told(browser, "zone");
    let shown = browser.value("document.querySelector('#zone').textContent");
    assert_eq!(shown, zone["pieces"][0].as_str().unwrap().replace(", ", "\n"));
    for kind in ["sequence", "gantt"] {
        browser.click(&format!("input[value={kind}]"));
        browser.wait_for(&format!(
            "document.querySelector('#chart img')?.alt.startsWith('{kind}')"
        ));
        browser.wait_for("document.querySelector('#chart img').naturalWidth > 100");
    }
    picture(browser, "serve-light.png.base64");
    browser.prefer("dark");
    picture(browser, "serve-dark.png.base64");
    // Saved by a download, undone, loaded by an upload.
    browser.click("#save");
    let file = folder.join("run.json");
    let start = Instant::now();
    while !file.is_file() {
        assert!(start.elapsed() < Duration::from_secs(30), "no download");
        std::thread::sleep(Duration::from_millis(50));
    }
    let saved: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(saved["steps"].as_array().unwrap().len(), 31);
    browser.press("u");
    browser.wait_for("document.querySelector('#where').textContent.startsWith('step 1 of 1')");
    browser.click("#restart");
    browser.wait_for("document.querySelector('#where').textContent.startsWith('step 0 of 0')");
    browser.upload("#load", &file);
    browser.wait_for("document.querySelector('#where').textContent.startsWith('step 31 of 31')");
    assert_lit(browser);
    assert_private(browser, &served);
}

pub(crate) fn serve_queries(browser: &mut Browser) {
    let folder = folder("queries");
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
    browser.wait_for("document.querySelector('#job-state').textContent.includes('(cancelled)')");
    // One with a counterexample is opened, and goes on by hand.
    browser.click("#queries button[data-query=\"3\"]");
    browser.wait_for("!document.querySelector('#open').disabled");
    browser.click("#open");
    browser.wait_for("!document.querySelector('#where').textContent.startsWith('step 0')");
    let run = told(browser, "run");
    assert_eq!(run["position"], run["steps"]);
    assert_eq!(run["end"]["reason"], "goal");
    assert_lit(browser);
    browser.click("#choices button");
    let next = run["steps"].as_u64().unwrap() + 1;
    browser.wait_for(&format!(
        "document.querySelector('#where').textContent.startsWith('step {next} of {next}')"
    ));
    assert_eq!(
        browser.value("document.querySelectorAll('body script').length"),
        1
    );
    assert_private(browser, &served);
}
