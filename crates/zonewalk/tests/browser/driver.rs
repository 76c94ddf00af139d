//! A browser, driven by ChromeDriver over its HTTP interface (W3C WebDriver).

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A session of a browser; ends with the value.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

/// Why there is no browser on this machine; nothing if there is one.
pub(crate) fn missing() -> Option<String> {
    for program in ["chromedriver", "chromium"] {
        let found = Command::new(program)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if !found.is_ok_and(|status| status.success()) {
            return Some(format!("needs {program}: .ci/browser installs it"));
        }
    }
    None
}

impl Browser {
    pub(crate) fn new(dark: bool) -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = loop {
            let line = lines.next().unwrap().unwrap();
            if let Some((_, port)) = line.split_once("started successfully on port ") {
                break port.trim_end_matches('.').parse().unwrap();
            }
        };
        // What it says later must go somewhere.
        std::thread::spawn(move || lines.for_each(drop));
        let mut arguments = vec![
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--window-size=1500,1100",
            "--hide-scrollbars",
        ];
        if dark {
            arguments.push("--blink-settings=preferredColorScheme=0");
        }
        let mut browser = Browser {
            driver,
            port,
            session: String::new(),
        };
        let answer = browser.post(
            "/session",
            &json!({"capabilities": {"alwaysMatch": {
                "browserName": "chrome",
                "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"},
                "goog:chromeOptions": {"args": arguments},
            }}}),
        );
        browser.session = answer["sessionId"].as_str().unwrap().to_owned();
        browser
    }

    fn request(&self, method: &str, path: &str, body: &str) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if line.trim().is_empty() {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut bytes = vec![0; length];
        reader.read_exact(&mut bytes).unwrap();
        let answer: Value = serde_json::from_slice(&bytes).unwrap();
        let value = answer["value"].clone();
        assert!(value.get("error").is_none_or(Value::is_null), "{path}: {value}");
        value
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.request("POST", path, &body.to_string())
    }

    fn of_session(&self, path: &str, body: &Value) -> Value {
        self.post(&format!("/session/{}{path}", self.session), body)
    }

    /// Opens a page and waits until its script is done.
    pub(crate) fn open(&self, url: &str) {
        self.of_session("/url", &json!({"url": url}));
        let start = Instant::now();
        while self.run("return document.documentElement.dataset.ready || ''") != "yes" {
            assert!(
                start.elapsed() < Duration::from_secs(30),
                "the page does not get ready"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Leaves the page.
    pub(crate) fn leave(&self) {
        self.of_session("/url", &json!({"url": "about:blank"}));
    }

    /// Writes a picture of the window.
    pub(crate) fn picture(&self, file: &std::path::Path) {
        let encoded = self.request("GET", &format!("/session/{}/screenshot", self.session), "");
        let mut bits = 0_u32;
        let (mut count, mut bytes) = (0, Vec::new());
        for letter in encoded.as_str().unwrap().bytes().filter(|letter| *letter != b'=') {
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
        std::fs::write(file, bytes).unwrap();
    }

    /// Runs a script in the page.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.of_session("/execute/sync", &json!({"script": script, "args": []}))
    }

    /// Presses and releases a key.
    pub(crate) fn key(&self, key: char) {
        self.of_session(
            "/actions",
            &json!({"actions": [{"type": "key", "id": "keyboard", "actions": [
                {"type": "keyDown", "value": key.to_string()},
                {"type": "keyUp", "value": key.to_string()},
            ]}]}),
        );
    }

    /// Addresses that anything was asked from.
    pub(crate) fn requests(&self) -> Vec<String> {
        let entries = self.of_session("/se/log", &json!({"type": "performance"}));
        let mut found = Vec::new();
        for entry in entries.as_array().unwrap() {
            let message: Value = serde_json::from_str(entry["message"].as_str().unwrap()).unwrap();
            let message = &message["message"];
            if message["method"] == "Network.requestWillBeSent" {
                found.push(message["params"]["request"]["url"].as_str().unwrap().to_owned());
            }
        }
        found
    }

    /// What the page complained of.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let entries = self.of_session("/se/log", &json!({"type": "browser"}));
        let entries = entries.as_array().unwrap().iter();
        entries.map(|entry| entry["message"].to_string()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let body = "";
            let path = format!("/session/{}", self.session);
            // The browser ends with its session; the driver does not.
            if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
                let _ = write!(
                    stream,
                    "DELETE {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n{body}"
                );
                // It keeps the connection open: the first bytes of the answer are enough.
                let _ = stream.set_read_timeout(Some(Duration::from_secs(10)));
                let _ = stream.read(&mut [0; 16]);
            }
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
