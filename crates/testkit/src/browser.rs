//! A real browser for tests: headless Chromium, driven by its DevTools protocol.
//!
//! Tests that need it are in a target of their own, as those that need public models; where there is no Chromium each is reported by
//! name as ignored. `ZONEWALK_BROWSER` names another binary.

use libtest_mimic::{Arguments, Completion, Trial};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Longest time a test waits for something that should come soon.
const PATIENCE: Duration = Duration::from_secs(60);

const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// The browser's binary, where there is one.
pub fn binary() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("ZONEWALK_BROWSER") {
        return Some(PathBuf::from(named)).filter(|path| path.is_file());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .flat_map(|folder| NAMES.map(|name| folder.join(name)))
        .find(|path| path.is_file())
}

/// A test with its name.
pub type Test = (&'static str, fn(&mut Browser));

/// Runs tests, each in a browser of its own, or reports them as ignored.
pub fn run(tests: &[Test]) -> ExitCode {
    let trials = tests.iter().map(|&(name, test)| {
        Trial::ignorable_test(name, move || match binary() {
            None => Ok(Completion::ignored_with("needs Chromium")),
            Some(binary) => {
                test(&mut Browser::start(&binary));
                Ok(Completion::Completed)
            }
        })
    });
    let mut arguments = Arguments::from_args();
    // A browser is many processes.
    arguments.test_threads.get_or_insert(1);
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// The `main` of a target whose tests need a browser: functions that take one.
#[macro_export]
macro_rules! browser_tests {
    ($($test:ident),+ $(,)?) => {
        fn main() -> std::process::ExitCode {
            $crate::browser::run(&[$((stringify!($test), $test)),+])
        }
    };
}

/// A browser with one page.
pub struct Browser {
    child: Child,
    profile: PathBuf,
    socket: TcpStream,
    session: Option<String>,
    last: u64,
    /// Events reported by the page: requests, exceptions, console messages.
    pub events: Vec<Value>,
}

impl Browser {
    fn start(binary: &Path) -> Browser {
        let profile = std::env::temp_dir().join(format!(
            "zonewalk-browser-{}-{:?}",
            std::process::id(),
            Instant::now()
        ));
        let mut child = Command::new(binary)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--remote-debugging-port=0",
            ])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut heard = String::new();
        let address = loop {
            let mut line = String::new();
            assert!(
                said.read_line(&mut line).unwrap() > 0,
                "the browser does not start: {heard}"
            );
            if let Some((_, address)) = line.split_once("DevTools listening on ws://") {
                break address.trim().to_owned();
            }
            heard.push_str(&line);
        };
        // It must not wait for a reader.
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        let (host, path) = address.split_once('/').unwrap();
        let mut socket = TcpStream::connect(host).unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let hello = format!(
            "GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Key: em9uZXdhbGsgdGVzdHMgLi4=\r\nSec-WebSocket-Version: 13\r\n\r\n"
        );
        socket.write_all(hello.as_bytes()).unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            socket.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        assert!(
            head.starts_with(b"HTTP/1.1 101"),
            "{}",
            String::from_utf8_lossy(&head)
        );
        let mut browser = Browser {
            child,
            profile,
            socket,
            session: None,
            last: 0,
            events: Vec::new(),
        };
        let target = browser.call("Target.createTarget", &json!({"url": "about:blank"}))["targetId"].take();
        let attached = browser.call(
            "Target.attachToTarget",
            &json!({"targetId": target, "flatten": true}),
        );
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Network", "DOM", "Log"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        browser
    }

    /// A method of the protocol.
    #[track_caller]
    pub fn call(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        let id = self.last;
        let mut message = json!({"id": id, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.send(message.to_string().as_bytes());
        loop {
            let mut answer = self.receive();
            if answer["id"] == id {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].take();
            }
            if answer["method"].is_string() {
                self.events.push(answer);
            }
        }
    }

    /// Opens an address and waits until it is loaded.
    #[track_caller]
    pub fn open(&mut self, address: &str) {
        self.call("Page.navigate", &json!({"url": address}));
        self.wait_for("document.readyState === 'complete'");
    }

    /// The value of an expression in the page; promises are waited for.
    #[track_caller]
    pub fn value(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true});
        let mut answer = self.call("Runtime.evaluate", &params);
        assert!(
            answer["exceptionDetails"].is_null(),
            "{expression}: {}",
            answer["exceptionDetails"]
        );
        answer["result"]["value"].take()
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub fn wait_for(&mut self, expression: &str) {
        let start = Instant::now();
        while self.value(&format!("Boolean({expression})")) != true {
            let shown = "document.body.innerText.slice(0, 2000)";
            assert!(
                start.elapsed() < PATIENCE,
                "not so: {expression}\n{}",
                self.value(shown)
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Clicks on an element.
    #[track_caller]
    pub fn click(&mut self, selector: &str) {
        self.value(&format!("document.querySelector({}).click()", json!(selector)));
    }

    /// Presses a key, as `ArrowLeft`.
    #[track_caller]
    pub fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call(
                "Input.dispatchKeyEvent",
                &json!({"type": kind, "key": key, "code": key}),
            );
        }
    }

    /// Types into a field, in place of what is there.
    #[track_caller]
    pub fn fill(&mut self, selector: &str, text: &str) {
        let (selector, text) = (json!(selector), json!(text));
        self.value(&format!(
            "(() => {{ const field = document.querySelector({selector}); field.value = {text}; \
             field.dispatchEvent(new Event('input', {{bubbles: true}})); }})()"
        ));
    }

    /// Chooses a file for an upload.
    #[track_caller]
    pub fn upload(&mut self, selector: &str, file: &Path) {
        let root = self.call("DOM.getDocument", &json!({}))["root"]["nodeId"].take();
        let node = self.call(
            "DOM.querySelector",
            &json!({"nodeId": root, "selector": selector}),
        );
        let params = json!({"files": [file], "nodeId": node["nodeId"]});
        self.call("DOM.setFileInputFiles", &params);
    }

    /// Downloads go to this folder.
    #[track_caller]
    pub fn download_to(&mut self, folder: &Path) {
        self.call(
            "Browser.setDownloadBehavior",
            &json!({"behavior": "allow", "downloadPath": folder}),
        );
    }

    /// Light or dark.
    #[track_caller]
    pub fn prefer(&mut self, scheme: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", &json!({"features": features}));
    }

    /// A picture of the page as PNG.
    #[track_caller]
    pub fn screenshot(&mut self, width: u32, height: u32) -> Vec<u8> {
        // Colours change slowly.
        std::thread::sleep(Duration::from_millis(400));
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", &size);
        let answer = self.call("Page.captureScreenshot", &json!({"format": "png"}));
        decoded(answer["data"].as_str().unwrap_or_default())
    }

    /// The addresses that the page has asked for.
    pub fn requests(&self) -> Vec<String> {
        let sent = self
            .events
            .iter()
            .filter(|event| event["method"] == "Network.requestWillBeSent");
        let url = |event: &Value| {
            event["params"]["request"]["url"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        };
        sent.map(url).collect()
    }

    /// Errors of the page: exceptions, and errors reported by the browser.
    pub fn errors(&self) -> Vec<String> {
        let is_error = |event: &&Value| match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Log.entryAdded") => event["params"]["entry"]["level"] == "error",
            _ => false,
        };
        self.events
            .iter()
            .filter(is_error)
            .map(|event| event["params"].to_string())
            .collect()
    }

    /// A frame of text, masked as clients have to (RFC 6455, section 5).
    fn send(&mut self, text: &[u8]) {
        let mut frame = vec![0x81];
        match text.len() {
            length @ ..126 => frame.push(0x80 | length as u8),
            length @ ..0x1_0000 => {
                frame.push(0x80 | 126);
                frame.extend((length as u16).to_be_bytes());
            }
            length => {
                frame.push(0x80 | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        // The mask 0 changes nothing.
        frame.extend([0; 4]);
        frame.extend(text);
        self.socket.write_all(&frame).unwrap();
    }

    /// The next message, of one frame or several.
    fn receive(&mut self) -> Value {
        let mut text = Vec::new();
        loop {
            let mut head = [0; 2];
            self.socket.read_exact(&mut head).unwrap();
            let length = match head[1] & 0x7f {
                126 => {
                    let mut bytes = [0; 2];
                    self.socket.read_exact(&mut bytes).unwrap();
                    u64::from(u16::from_be_bytes(bytes))
                }
                127 => {
                    let mut bytes = [0; 8];
                    self.socket.read_exact(&mut bytes).unwrap();
                    u64::from_be_bytes(bytes)
                }
                length => u64::from(length),
            };
            let mut part = vec![0; usize::try_from(length).unwrap()];
            self.socket.read_exact(&mut part).unwrap();
            if head[0] & 0x0f <= 2 {
                text.extend(part);
                if head[0] & 0x80 != 0 {
                    return serde_json::from_slice(&text).unwrap();
                }
            }
        }
    }
}

/// Base 64 (RFC 4648, section 4).
fn decoded(text: &str) -> Vec<u8> {
    let (mut bits, mut count, mut bytes) = (0_u32, 0, Vec::new());
    for letter in text.bytes().filter(|letter| *letter != b'=') {
        let digit = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            _ => 63,
        };
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 255) as u8);
        }
    }
    bytes
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
