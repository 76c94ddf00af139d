//! Runs the command.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Exit status and output of a run.
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Run {
            status: output.status.code().expect("no signal ended it"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Run {
    /// All of it, for a snapshot. Times differ from run to run, the compiled form from version to version: both are
    /// left out.
    pub(crate) fn shown(&self) -> String {
        format!(
            "status: {}\n----- stdout -----\n{}----- stderr -----\n{}",
            self.status,
            without_measurements(&self.stdout),
            self.stderr
                .lines()
                .map(|line| without_times(line) + "\n")
                .collect::<String>()
        )
    }

    /// The document on standard output.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.shown()))
    }
}

/// The root of the repository, in which all commands run so that the names of files are the same everywhere.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// The command with these arguments, in the root of the repository and without influences from outside.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zonewalk"));
    command.args(args).current_dir(root());
    bare(&mut command);
    command
}

/// A command without influences from outside.
pub(crate) fn bare(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::null());
    for variable in [
        "NO_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "COLUMNS",
        "RUST_BACKTRACE",
    ] {
        command.env_remove(variable);
    }
    command
}

/// Runs the command with these arguments.
pub(crate) fn zonewalk(args: &[&str]) -> Run {
    command(args).output().unwrap().into()
}

/// Runs the command with these arguments and this standard input.
pub(crate) fn zonewalk_with(args: &[&str], input: &[u8]) -> Run {
    let mut child = command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        // The command may end before it has read everything.
        let _ = stdin.write_all(&input);
    });
    let run = child.wait_with_output().unwrap().into();
    writer.join().unwrap();
    run
}

/// States and transitions of a model, without any abstraction of data.
pub(crate) fn size_of(model: &str) -> (u64, u64) {
    let words = ["--search", "bfs", "--keep-variables", "--store", "equality"];
    let words = ["explore", model].into_iter().chain(words);
    let run = zonewalk(&words.chain(["--format", "json"]).collect::<Vec<_>>());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let document = run.json();
    let stats = &document["results"][0]["stats"];
    let number = |name: &str| stats[name].as_u64().unwrap();
    (number("states_stored"), number("transitions"))
}

/// A place for a file that is gone when the test ends.
pub(crate) fn scratch_path(name: &str) -> Scratch {
    let scratch = Scratch::new(name, b"");
    std::fs::remove_file(&scratch.0).unwrap();
    scratch
}

/// A file with this content that is gone when the test ends.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str, content: &[u8]) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()));
        std::fs::write(&path, content).unwrap();
        Scratch(path)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Without what was measured.
pub(crate) fn without_measurements(text: &str) -> String {
    let mut lines = String::new();
    for line in text.lines() {
        let is_measured =
            |key: &str| key.ends_with("_s") || ["instructions", "bytes", "peak_memory_bytes"].contains(&key);
        match line.split_once("\": ") {
            Some((key, _)) if is_measured(key.trim_start_matches([' ', '"'])) => {
                lines.push_str(&format!("{key}\": …"));
            }
            _ if line.starts_with("loaded in") => lines.push_str("loaded in     …"),
            _ if line.starts_with("compiled") => lines.push_str("compiled      …"),
            _ if line.starts_with("memory") => lines.push_str("memory        …"),
            _ => lines.push_str(&without_times(line)),
        }
        lines.push('\n');
    }
    lines
}

/// Without the numbers before units of time.
fn without_times(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    for i in 1..words.len() {
        let is_unit = ["µs", "ms", "s"].contains(&words[i].trim_end_matches([',', ';', ':']))
            || words[i..].starts_with(&["per", "second;"]);
        if is_unit && words[i - 1].parse::<f64>().is_ok() {
            words[i - 1] = "…";
            // Which unit it is depends on the machine.
            if words[i] != "a" {
                words[i] = words[i].trim_start_matches(['µ', 'm']);
            }
        }
    }
    words.join(" ")
}
