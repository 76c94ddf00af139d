//! The least that talks HTTP.

use crate::command::{command, zonewalk};
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Longest time a test waits for something that should come at once.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server that runs; it ends with this value.
pub(super) struct Served {
    child: Child,
    pub(super) port: u16,
    pub(super) token: String,
}

/// Response of the server.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

impl Reply {
    #[track_caller]
    pub(super) fn json(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// Message of an error response.
    #[track_caller]
    pub(super) fn message(&self) -> String {
        let body: Value =
            serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body));
        assert_eq!(body["error"]["status"], self.status);
        body["error"]["message"].as_str().unwrap().to_owned()
    }

    pub(super) fn header(&self, name: &str) -> String {
        let lines = self.head.lines().filter_map(|line| line.split_once(':'));
        let mut found = lines.filter(|(key, _)| key.eq_ignore_ascii_case(name));
        found
            .next()
            .map(|(_, value)| value.trim().to_owned())
            .unwrap_or_default()
    }
}

impl Served {
    #[track_caller]
    pub(super) fn start(args: &[&str]) -> Served {
        let mut child = command(&[&["serve"], args].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let rest = line.trim().strip_prefix("http://127.0.0.1:");
        let Some((port, token)) = rest.and_then(|rest| rest.split_once("/?token=")) else {
            let mut said = String::new();
            let _ = child.stderr.take().unwrap().read_to_string(&mut said);
            panic!("no address: {line}{said}");
        };
        Served {
            port: port.parse().unwrap(),
            token: token.to_owned(),
            child,
        }
    }

    pub(super) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub(super) fn address(&self) -> (&'static str, u16) {
        ("127.0.0.1", self.port)
    }

    /// A request with these headers and no others but the length.
    pub(super) fn raw(&self, method: &str, path: &str, host: &str, headers: &str, body: &[u8]) -> Reply {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n",
            body.len()
        );
        self.send(&head, body)
    }

    /// Sends a request with a length among the headers, and no body.
    pub(super) fn raw_with_length(&self, method: &str, path: &str, host: &str, headers: &str) -> Reply {
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n");
        self.send(&head, b"")
    }

    fn send(&self, head: &str, body: &[u8]) -> Reply {
        let mut stream = TcpStream::connect(self.address()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        // Who refuses a large body need not read it.
        let _ = stream.write_all(body);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text
            .split_once("\r\n\r\n")
            .unwrap_or_else(|| panic!("no head: {text:?}"));
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .unwrap();
        let head = head.to_owned();
        assert!(!head.to_lowercase().contains("transfer-encoding"), "{head}");
        Reply {
            status,
            head,
            body: body.to_owned(),
        }
    }

    pub(super) fn with_token(&self, method: &str, path: &str, body: &[u8]) -> Reply {
        let headers = format!(
            "Authorization: Bearer {}\r\nContent-Type: application/json\r\n",
            self.token
        );
        self.raw(method, path, &self.host(), &headers, body)
    }

    pub(super) fn get(&self, path: &str) -> Reply {
        self.with_token("GET", path, b"")
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> Reply {
        self.with_token("POST", path, body.to_string().as_bytes())
    }

    /// Posts a change that must succeed.
    #[track_caller]
    pub(super) fn change(&self, path: &str, body: &Value) -> Value {
        self.post(path, body).json()
    }

    /// The status, as soon as it is as wanted.
    #[track_caller]
    pub(super) fn status_until(&self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let status = self.get("/api/status").json();
            if is_wanted(&status) {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "still {status}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The query that is being decided, as soon as it is as wanted.
    #[track_caller]
    pub(super) fn until(&self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        self.status_until(|status| is_wanted(&status["job"]))["job"].take()
    }

    /// The query, as soon as it is decided.
    #[track_caller]
    pub(super) fn finished(&self) -> Value {
        self.until(|job| job["running"] == false)
    }

    /// Presses Ctrl-C: the exit status, and how long it took.
    #[cfg(unix)]
    pub(super) fn interrupt(&mut self) -> (Option<i32>, Duration) {
        let start = Instant::now();
        let pid = self.child.id().to_string();
        let sent = std::process::Command::new("kill").args(["-INT", &pid]).status();
        assert!(sent.unwrap().success());
        let status = self.child.wait().unwrap();
        (status.code(), start.elapsed())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A new folder for files.
pub(super) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A model that takes very long to explore.
pub(super) fn long(folder: &Path) -> String {
    let run = zonewalk(&["generate", "fischer", "-n", "14"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let file = folder.join("fischer-14.xml");
    std::fs::write(&file, run.stdout).unwrap();
    file.to_str().unwrap().to_owned()
}
